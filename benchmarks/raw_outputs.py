"""Raw outputs on the gold's tokens: what it costs, and how near it comes to the tokenised score.

`python -m benchmarks.raw_outputs` prints the table of all systems, detokenisers and metrics, and what it costs to clean
each kind of untidy file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from benchmarks.measuring import SHARED, Figure, best_of

CONLL = SHARED / "data" / "conll14"
METRICS = ("m2", "errant", "imeasure", "gleu")
# RAC alone writes "cannot" for its source's "can not", as no tokeniser of the gold would; raw text cannot show that
# (test_raw_text_does_not_say_how_it_was_tokenised).
OTHERWISE_TOKENISED = ("RAC",)


def detokenisers() -> dict[str, Callable[[str], str]]:
    """Three that have nothing to do with each other."""
    from nltk.tokenize.treebank import TreebankWordDetokenizer
    from sacremoses import MosesDetokenizer

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from detokenising import naive_detokenised

    moses, treebank = MosesDetokenizer(lang="en"), TreebankWordDetokenizer()
    return {
        "sacremoses": lambda line: str(moses.detokenize(line.split())),
        "NLTK": lambda line: str(treebank.detokenize(line.split())),
        "naive": naive_detokenised,
    }


def differences() -> Iterator[tuple[str, str, dict[str, float], dict[str, float]]]:
    """System, detokeniser, the tokenised scores by metric, and how far those of raw outputs are from them."""
    from recte import read_m2, read_system, tokenise_like
    from recte.metrics import metric_class

    gold = read_m2(CONLL / "gold.m2")
    scorers = {name: metric_class(name)().prepare(gold) for name in METRICS}
    sources = list(gold.unchanged)
    for path in [*sorted((CONLL / "systems").glob("*.txt")), *sorted((CONLL / "references").iterdir())]:
        outputs = list(read_system(path).outputs)
        tokenised = {name: 100 * scorer.score(outputs).score for name, scorer in scorers.items()}
        for detokeniser, detokenise in detokenisers().items():
            again = tokenise_like(sources, [detokenise(output) for output in outputs])
            raw = {name: 100 * scorer.score(again).score for name, scorer in scorers.items()}
            yield path.stem, detokeniser, tokenised, {name: raw[name] - tokenised[name] for name in METRICS}


def nearness() -> Iterator[Figure]:
    rows = list(differences())
    for metric in METRICS:
        far = [abs(of_metric[metric]) for system, _, _, of_metric in rows if system not in OTHERWISE_TOKENISED]
        whole = [abs(of_metric[metric]) for _, _, _, of_metric in rows]
        mean = sum(whole) / len(whole)
        yield Figure(
            f"raw outputs: {metric} of detokenised CoNLL-2014 systems and references beside their tokenised scores",
            f"at most {max(far):.2f} points apart (RAC {max(whole):.2f}), {mean:.3f} in the mean",
            "at most 0.3, mean below 0.1",
            max(far) <= 0.3 and mean < 0.1,
        )


def cost() -> Iterator[Figure]:
    from rapidfuzz.distance import Levenshtein

    from recte import read_system, tokenise_like

    sources = list(read_system(CONLL / "source.txt").outputs)
    lines = read_system(CONLL / "systems" / "CAMB.txt").outputs
    raw = [detokenisers()["naive"](line) for line in lines]

    def peer() -> None:
        with open(CONLL / "source.txt") as first, open(CONLL / "systems" / "CAMB.txt") as second:
            for source, output in zip(first, second, strict=True):
                Levenshtein.opcodes(source.split(), output.split())

    slow, fast = best_of(5, peer, process_time), best_of(5, lambda: tokenise_like(sources, raw), process_time)
    yield Figure(
        "raw outputs: CAMB put on its sources' tokens, beside reading, splitting and RapidFuzz's opcodes",
        f"{fast / slow:.1f} times its CPU time ({1e6 * fast / len(raw):.0f} µs a pair)",
        "at most 3 times",
        fast <= 3 * slow,
    )


def cost_of_checks() -> Iterator[Figure]:
    """What the checks of input cost for all systems of CoNLL-2014, by metrics that need no English rules."""
    from recte import read_m2, read_system
    from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck

    gold = read_m2(CONLL / "gold.m2")
    systems = {path.stem: read_system(path) for path in sorted((CONLL / "systems").glob("*.txt"))}

    def check() -> None:
        checks = PlausibilityCheck()
        checks.reads_english = False
        checks.look(gold, systems)
        checks.findings()

    check()
    cost = 1e6 * best_of(30, check, process_time) / (len(gold) * len(systems))
    yield Figure(
        f"checks of input: {len(systems)} systems of CoNLL-2014",
        f"{cost:.2f} µs of CPU time a pair",
        "under 1 µs",
        cost < 1,
    )


_MOST_TIMES = 3  # the peer's CPU time that cleaning may take


def costs_of_cleaning() -> Iterator[tuple[str, float]]:
    """Each kind of untidy file, and its cost as a multiple of the peer's on the same lines, the highest first."""
    from rapidfuzz.distance import Levenshtein

    from recte import read_system
    from recte.evaluation.cleaning import clean

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from untidy_files import UNTIDY_FILES

    sources = list(read_system(CONLL / "source.txt").outputs)
    outputs = list(read_system(CONLL / "systems" / "AMU.txt").outputs)
    costs: dict[str, float] = {}
    for name, spoil in UNTIDY_FILES.items():
        lines = spoil(sources, outputs)
        texts = "\n".join(lines)

        def peer(texts: str = texts) -> None:
            with (CONLL / "source.txt").open() as file:
                for source, line in zip(file, texts.split("\n"), strict=False):
                    Levenshtein.opcodes(source.split(), line.split())

        slow = best_of(5, peer, process_time)
        costs[name] = best_of(5, lambda lines=lines: clean(sources, lines), process_time) / slow
    yield from sorted(costs.items(), key=lambda item: -item[1])


def cost_of_cleaning() -> Iterator[Figure]:
    costs = list(costs_of_cleaning())
    name, worst = costs[0]
    mean = sum(cost for _, cost in costs) / len(costs)
    compared = f"clean: {len(costs)} kinds of untidy files, compared with reading, splitting and RapidFuzz's opcodes"
    goal = f"at most {_MOST_TIMES} times"
    over = sum(cost > _MOST_TIMES for _, cost in costs)
    yield Figure(f"{compared}, mean", f"{mean:.1f} times its CPU time", goal, mean <= _MOST_TIMES)
    yield Figure(
        f"{compared}, worst",
        f"{worst:.1f} times its CPU time ({name}); {over} kinds above {_MOST_TIMES}",
        goal,
        worst <= _MOST_TIMES,
    )


def main() -> None:
    for system, detokeniser, tokenised, away in differences():
        figures = "  ".join(f"{name} {tokenised[name]:6.2f} {away[name]:+.2f}" for name in METRICS)
        print(f"{system:6} {detokeniser:10}  {figures}")
    for name, cost in costs_of_cleaning():
        print(f"{cost:5.1f} times  {name}")


if __name__ == "__main__":
    main()
