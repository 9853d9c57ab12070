"""What each real corpus raises: nothing that is not true."""

from __future__ import annotations

import pytest

from detokenising import naive_detokenised
from recte import MaxMatch, System, tokenise_like
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
from recte.evaluation.plausibility.finding import WARNING
from recte.evaluation.plausibility.plausibility_check import findings
from recte.formats.m2 import read_m2
from recte.formats.parallel import read_parallel, read_system
from shared_data import shared


def warned(corpus, systems=()):
    actual = findings(corpus, list(systems))
    return {(f.where, f.kind): f for f in actual if f.level == WARNING}


@pytest.mark.parametrize("gold", ["gold.m2", "gold-with-alternatives.m2", "annotator0.m2", "annotator1.m2"])
def test_conll14(gold):
    systems = [read_system(path) for path in sorted(shared("data", "conll14", "systems").iterdir())]
    actual = warned(read_m2(shared("data", "conll14", gold)), systems)
    # Words of these lines of NTHU stand in the next ones; RAC cuts words at slashes, hyphens and apostrophes where the
    # source does not.
    assert set(actual) == {("NTHU", "misaligned"), ("RAC", "tokenised")}
    assert "lines 38 to 43 fit the source 1 line earlier" in actual["NTHU", "misaligned"].message


def test_tokens_of_a_system_that_has_its_own():
    gold = read_m2(shared("data", "conll14", "gold.m2"))
    outputs = read_system(shared("data", "conll14", "systems", "RAC.txt")).outputs
    again = tokenise_like(list(gold.unchanged), [naive_detokenised(line) for line in outputs])
    tokenised, raw = (100 * MaxMatch().prepare(gold).score(list(texts)).score for texts in (outputs, again))
    assert (round(tokenised, 2), round(raw, 2)) == (26.68, 27.16)


@pytest.mark.parametrize("annotator", range(1, 11))
def test_ten_annotators(annotator):
    assert warned(read_m2(shared("data", "conll14", "ten-annotators", f"A{annotator}.m2"))) == {}


@pytest.mark.parametrize("part", ["dev", "test"])
def test_jfleg(part):
    references = [shared("data", "jfleg", f"{part}.ref{r}") for r in range(4)]
    source = shared("data", "jfleg", f"{part}.src")
    assert warned(read_parallel(source, references), [read_system(source)]) == {}


def test_edits_that_are_dropped():
    actual = warned(read_m2(shared("data", "jfleg", "dev.m2"), lenient=True))
    assert {key: finding.count for key, finding in actual.items()} == {("gold", "dropped-edits"): 19}


def test_ukrainian():
    assert warned(read_m2(shared("data", "ukrainian", "gec-only.test.m2"))) == {}


def test_chinese():
    systems = [read_system(path) for path in sorted(shared("data", "chinese", "nlpcc18").glob("*.pkunlp.txt"))]
    actual = warned(read_m2(shared("data", "chinese", "nlpcc18", "gold.m2"), lenient=True), systems)
    assert {key: finding.count for key, finding in actual.items()} == {("gold", "dropped-edits"): 1}
    gold = GoldFiles(gold=shared("data", "chinese", "mucgec", "dev.para"))
    corpus, systems = read_corpus_and_systems(gold, {"system": shared("data", "chinese", "mucgec", "system.para")})
    assert warned(corpus, systems) == {}


def test_garbage_made_of_a_real_output():
    gold = read_m2(shared("data", "conll14", "gold.m2"))
    lines = tuple(read_system(shared("data", "conll14", "systems", "AMU.txt")).outputs)
    for broken, kind in [
        (lines[1:] + lines[:1], "misaligned"),
        (lines[::-1], "unlike"),
        (("",) * len(lines), "empty"),
        (tuple(line.replace(" .", ".").replace(" ,", ",") for line in lines), "detokenised"),
        (tuple(line.lower() for line in lines), "case"),
    ]:
        assert ("x", kind) in warned(gold, [System("x", broken)])


def test_gold_without_its_noop_lines(tmp_path):
    lines = shared("data", "conll14", "gold.m2").read_text().splitlines()
    path = tmp_path / "gold.m2"
    path.write_text("\n".join(line for line in lines if "noop" not in line) + "\n")
    assert ("gold", "missing-annotators") in warned(read_m2(path))


def test_swapped_files():
    source, reference = shared("data", "conll14", "source.txt"), shared("data", "conll14", "references", "ref0.txt")
    systems = [read_system(shared("data", "conll14", "systems", "AMU.txt"))]
    assert ("source", "swapped") in warned(read_parallel(reference, [source]), systems)
    assert warned(read_parallel(source, [reference]), systems) == {}
