"""A system's M2 whose sentences are the gold's in other tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte.cli import main
from recte.corpus.corpus import Edit, apply_edits
from recte.edits.projection import edits_on_tokens
from strategies import edits

GOLD = """S He is a well - known mans .
A 3 6|||A|||famous|||REQUIRED|||-NONE-|||0
A 6 7|||N|||man|||REQUIRED|||-NONE-|||0

"""
OTHER = """S He is a well-known mans .
A 3 4|||A|||famous|||REQUIRED|||-NONE-|||0
A 4 5|||N|||man|||REQUIRED|||-NONE-|||0

"""
SENTENCE = "S I go .\nA 1 2|||V|||went|||REQUIRED|||-NONE-|||0\n\n"


@pytest.mark.parametrize("metric", ["m2", "errant", "gleu"])
@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_edits_are_projected_and_it_is_said(tmp_path, capsys, metric, strict):
    gold, other = tmp_path / "gold.m2", tmp_path / "mine.m2"
    gold.write_text(GOLD + SENTENCE)
    other.write_text(OTHER + SENTENCE)
    assert main(["score", str(gold), str(other), "-b", "-m", metric, *strict]) == 0
    said = capsys.readouterr()
    assert said.out == "100.00\n"
    assert said.err.count("some sentences are in other tokens than the gold's: edits are projected") == 1


def test_edits_that_share_a_token_of_the_gold_are_refused(tmp_path, capsys):
    gold, other = tmp_path / "gold.m2", tmp_path / "mine.m2"
    gold.write_text("S A well-known man .\nA 1 2|||A|||famous|||REQUIRED|||-NONE-|||0\n\n")
    edits = "A 1 2|||A|||good|||REQUIRED|||-NONE-|||0\nA 3 4|||A|||liked|||REQUIRED|||-NONE-|||0\n"
    other.write_text(f"S A well - known man .\n{edits}\n")
    assert main(["score", str(gold), str(other)]) == 2
    assert "sentence 1: expected edits in the gold's tokens, got some that share one of them" in capsys.readouterr().err


@given(st.data())
def test_projected_edits_give_the_same_text(data):
    text = data.draw(st.text(alphabet="ab-", min_size=1, max_size=10))
    both = []
    for _ in range(2):
        cuts = sorted(data.draw(st.sets(st.integers(1, len(text)), max_size=4)) - {len(text)})
        both.append([text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)], strict=True)])
    source, tokens = both
    drawn = data.draw(edits(len(source), 1))
    projected = edits_on_tokens(source, drawn, tokens)
    if len(drawn) == 1:
        assert apply_edits(tokens, projected).replace(" ", "") == apply_edits(source, drawn).replace(" ", "")
    assert edits_on_tokens(source, drawn, source) == tuple(
        Edit(e.start, e.end, tuple(" ".join(c.split()) for c in e.corrections), e.type, e.required, e.comment)
        for e in drawn
    )
