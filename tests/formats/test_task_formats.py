"""Formats of shared tasks, compared with what the tasks' own scripts make of them."""

from __future__ import annotations

import json
import pickle

import pytest

import recte
from recte.cli import main
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
from recte.formats.essay_json import iterate_essay_corrections
from recte.text.segmenters import segmenter_named
from shared_data import golden, golden_json


@pytest.fixture
def expected():
    return golden_json("shared-tasks/formats/expected.json")


@pytest.fixture
def formats():
    return golden("shared-tasks/formats")


@pytest.fixture
def essays(formats):
    """The files of MultiGEC by what they hold: orig, ref1, ref2, hypo1."""
    return lambda what: formats / "multigec-2025" / f"en-writeandimprove2024-{what}-dev.md"


def lines_of(expected, what):
    return expected["multigec_parfiles_copy_ref1_True"][f"en-writeandimprove2024-{what}-dev.tmp"]


def test_multigec_files_as_its_converter_reads_them(expected, essays):
    gold = GoldFiles(source=essays("orig"), references=(essays("ref1"), essays("ref2")))
    sentences = list(gold.sentences())
    assert [sentence.id for sentence in sentences] == ["t1", "t2-b", "003"]
    # The converter writes tabs for line ends, since its files have one line for each essay.
    columns = {"orig": [s.text for s in sentences]} | {
        f"ref{n + 1}": [s.references[n] for s in sentences] for n in (0, 1)
    }
    for what, texts in columns.items():
        assert [text.replace("\n", "\t") for text in texts] == lines_of(expected, what)


def test_multigec_hypotheses_are_found_by_id(essays):
    gold = GoldFiles(source=essays("orig"), references=(essays("ref1"),))
    _, (system,) = read_corpus_and_systems(gold, {"hypo1": essays("hypo1")})
    whole = "My brother has two cats.\n\nThey do not sleep in the house, but I can not see why."
    assert list(system.outputs) == [whole, "!", "She is a good teacher."]


@pytest.mark.parametrize("flags", [[], ["--tokens", "syntok"]])
def test_paragraphs_of_essays_are_not_untidy(flags, tmp_path, monkeypatch, capsys):
    """Hypotheses have the lines of their essays; `--clean` must not leave one of them."""
    if flags:
        pytest.importorskip("syntok", reason="needs syntok: pip install 'recte[multigec]'")
    monkeypatch.chdir(tmp_path)
    essays = {"orig": "She go home early.\n\nWe was there too.", "ref1": "She goes home early.\n\nWe were there too."}
    for name, text in essays.items():
        lines = "\n".join(f"### essay_id = {number}\n{text}\n" for number in range(6))
        (tmp_path / f"{name}.md").write_text(lines, encoding="utf-8")
    files = ["score", "-s", "orig.md", "-r", "ref1.md", "-i", "ref1.md", "-m", "gleu", "-b", *flags]
    assert main(files) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("100.00\n", "")
    assert main([*files, "--clean"]) == 0
    assert capsys.readouterr().out == "100.00\n"


def test_multigec_gleu(expected):
    texts, outputs = expected["multigec_tokenised"], expected["multigec_hypothesis_lines"]
    for references, figure in (("ref1",), "one_reference"), (("ref1", "ref2_filled"), "two_references"):
        score = recte.score(texts["orig"], outputs, [texts[name] for name in references], metric="gleu").score
        assert f"{100 * score:.4f}" == expected[f"multigec_gleu_{figure}"]


def test_multigec_by_its_preset_from_the_files_as_they_come(expected, essays, capsys):
    """Raw essays, cut as the task cut them; a second reference is missing, and so is an essay of the system's."""
    pytest.importorskip("syntok", reason="needs syntok: pip install 'recte[multigec]'")
    cut = segmenter_named("syntok")
    assert pickle.loads(pickle.dumps(cut)) == cut
    assert list(cut("They don't use data-sets, e.g. mine.")) == (
        ["They", "do", "not", "use", "data", "-sets", ",", "e.g", ".", "mine", "."]
    )
    for references, figure in (["ref1"], "one_reference"), (["ref1", "ref2"], "two_references"):
        files = [
            "-s",
            str(essays("orig")),
            "-r",
            *(str(essays(item)) for item in references),
            "-i",
            str(essays("hypo1")),
        ]
        flags = ["--preset", "multigec-2025", "--tokens", "syntok", "-b", "-w", "4"]
        assert main(["score", *files, *flags]) == 0
        told = capsys.readouterr()
        assert told.out.splitlines()[0] == expected[f"multigec_gleu_{figure}"]
        assert "figures are not the task's" not in told.err
    gold = GoldFiles(source=essays("orig"), references=(essays("ref1"),), tokens="syntok")
    corpus = gold.corpus(gold.sentences())
    assert [" ".join(s.tokens) for s in corpus] == [text.strip() for text in expected["multigec_tokenised"]["orig"]]


def test_fcgec_references_as_its_converter_makes_them(expected, formats):
    sentences = list(GoldFiles(gold=formats / "fcgec" / "tiny_valid.json").sentences())
    assert [sentence.id for sentence in sentences] == list(expected["fcgec_references"])
    for sentence in sentences:
        assert list(sentence.references) == (expected["fcgec_references"][sentence.id] or [sentence.text])


def test_spelling_labels_of_ccl(expected, formats, capsys):
    folder = formats / "ccl-cltc"
    words = ["-s", "tiny-csc.src", "-r", "tiny-csc.lbl", "-i", "tiny-csc.pred.lbl"]
    files = [str(folder / word) if word.startswith("tiny") else word for word in words]
    assert main(["score", *files, "-m", "csc", "-f", "json"]) == 0
    conventions = json.loads(capsys.readouterr().out)["scores"][0]["conventions"]
    for convention, lines in ("sentence", "ccl_csc_sentence"), ("character-conditional", "ccl_csc_character"):
        for task, line in ("detection", 2), ("correction", 4):
            figures = conventions[convention][task]
            said = [round(100 * figures[name], 2) for name in ("precision", "recall", "f")]
            assert "Precision: {}, Recall: {}, F1: {}".format(*said) == expected[lines][line]


def test_unlp(expected, formats):
    score = recte.score(formats / "unlp-2023" / "valid.m2", formats / "unlp-2023" / "submission.m2", metric="errant")
    figures = [score.tp, score.fp, score.fn, score.precision, score.recall, score.score]
    assert "\t".join(map(str, figures)) == expected["unlp_correction_tp_fp_fn_p_r_f"][0]


def test_corrections_in_the_json_of_bea(expected, formats):
    actual = [list(item) for item in iterate_essay_corrections(formats / "bea-2019" / "tiny.json")]
    assert actual == expected["wi_spans"]


def test_jfleg(expected, formats):
    folder = formats / "jfleg"
    gold = recte.read_parallel(folder / "tiny.src", [folder / f"tiny.ref{number}" for number in range(4)])
    score = recte.score(gold, folder / "system.txt", metric="gleu").score
    assert f"{100 * score:.4f}" == expected["jfleg_gleu_py2_stream"]
