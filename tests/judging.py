"""Random rankings, and the files they stand in."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from recte.studies.human.judgments import RankedGroup, Ranking

SYSTEMS = ("ada", "bob", "cid", "dot", "eve")


@st.composite
def rankings(draw: st.DrawFn, max_size: int = 12) -> list[Ranking]:
    """Rankings of groups of systems by a few judges over a few sentences; the first has two groups at least."""
    listed = []
    for number in range(draw(st.integers(2, max_size))):
        systems = draw(st.permutations(SYSTEMS))
        cuts = sorted(draw(st.sets(st.integers(1, 4), min_size=1 if number == 0 else 0)))
        parts = [tuple(systems[a:b]) for a, b in zip([0, *cuts], [*cuts, 5], strict=True)]
        groups = tuple(RankedGroup(part, draw(st.integers(1, 5))) for part in parts)
        listed.append(Ranking(draw(st.integers(0, 4)), draw(st.sampled_from(("j1", "j2"))), groups))
    return listed


def xml(listed: list[Ranking], separator: str = " ") -> str:
    items = []
    for number, ranking in enumerate(listed):
        inner = "".join(f'<translation rank="{g.rank}" system="{separator.join(g.systems)}"/>' for g in ranking.groups)
        items.append(
            f'<ranking-item id="{number}" src-id="{ranking.sentence}" user="{ranking.judge}">{inner}</ranking-item>'
        )
    return f"<appraise-results><r>{''.join(items)}</r></appraise-results>"


def shuffled(listed: list[Ranking], seed: int) -> list[Ranking]:
    """The same rankings with groups, and systems within groups, named in another order."""
    generator = random.Random(seed)
    result = []
    for ranking in listed:
        groups = [
            RankedGroup(tuple(generator.sample(group.systems, len(group.systems))), group.rank)
            for group in ranking.groups
        ]
        generator.shuffle(groups)
        result.append(ranking._replace(groups=tuple(groups)))
    return result
