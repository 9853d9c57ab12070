"""Outputs are cleaned of what has a name, and of nothing else."""

from __future__ import annotations

import json

import pytest

import recte
from recte import System
from recte.cli import main
from recte.evaluation.cleaning import clean
from recte.formats.m2 import read_m2
from recte.formats.parallel import read_system
from sample_folder import write_sample
from shared_data import shared
from untidy_files import UNTIDY_FILES

LOST = {"unknown words", "replacement characters"}  # what is lost in these can be guessed alone


@pytest.fixture(scope="module")
def gold():
    return read_m2(shared("data", "conll14", "gold.m2"))


@pytest.fixture(scope="module")
def output():
    return list(read_system(shared("data", "conll14", "systems", "AMU.txt")).outputs)


@pytest.fixture(scope="module")
def score(gold):
    scorer = recte.MaxMatch().prepare(gold)
    return lambda lines: 100 * scorer.metric.score_counts(scorer.count(System("x", tuple(lines)))).score


@pytest.mark.parametrize("name", UNTIDY_FILES)
def test_cleaned_files_score_as_the_tidy_one(gold, output, score, name):
    cleaned = clean(gold.unchanged, UNTIDY_FILES[name](list(gold.unchanged), output))
    assert len(cleaned.outputs) == len(gold)
    assert cleaned.cleanings
    if name in LOST:
        assert cleaned.doubts
    else:
        assert abs(score(cleaned.outputs) - score(output)) < 0.3


def test_tidy_outputs_stay_as_they_are(gold):
    sources = list(gold.unchanged)
    for path in sorted(shared("data", "conll14", "systems").iterdir()):
        outputs = tuple(read_system(path).outputs)
        cleaned = clean(sources, outputs)
        changed = [n for n, pair in enumerate(zip(outputs, cleaned.outputs, strict=True), 1) if pair[0] != pair[1]]
        kinds = {cleaning.kind for cleaning in cleaned.cleanings}
        if path.stem == "NTHU":  # of which some lines stand one line too late
            assert kinds == {"missing-lines", "candidates"}
            assert set(changed) <= set(range(37, 45))
        elif path.stem == "RAC":  # which has &amp; and &quot; in two lines
            assert kinds == {"entities"}
            assert changed == [951, 1098]
        else:
            assert changed == []
            assert cleaned.cleanings == ()


@pytest.mark.parametrize("part", ["dev", "test"])
def test_references_stay_as_they_are(part):
    sources = list(read_system(shared("data", "jfleg", f"{part}.src")).outputs)
    for number in range(4):
        lines = tuple(read_system(shared("data", "jfleg", f"{part}.ref{number}")).outputs)
        assert clean(sources, lines).outputs == lines


SOURCES = [f"The {word} go home every day ." for word in ("cat", "dog", "old horse", "bird", "two fish", "fox")]
TIDY = tuple(text.replace("go", "goes") for text in SOURCES)


def test_several_kinds_in_one_file():
    lines = [f"<s> {n}\tCorrected : **{text}** </s>" for n, text in enumerate(TIDY)]
    cleaned = clean(SOURCES, lines)
    assert cleaned.outputs == TIDY
    assert {"special-tokens", "labels"} <= {cleaning.kind for cleaning in cleaned.cleanings}


def test_answers_over_several_lines():
    answers = [f"Sure!\n\nHere is the corrected sentence:\n\n{text}\n\nExplanation: the verb." for text in TIDY]
    assert clean(SOURCES, answers).outputs == TIDY
    thoughts = [f"<think>\nIs it go?\nNo.\n</think>\n\n{text}" for text in TIDY]
    assert clean(SOURCES, thoughts).outputs == TIDY


def test_a_line_alone_may_be_a_correction():
    lines = [f'"{TIDY[0]}"', *TIDY[1:]]
    assert clean(SOURCES, lines).outputs == tuple(lines)


def test_empty_sources():
    assert clean(["", "He go ."], ["He goes .", "He goes ."]).outputs == ("He goes .", "He goes .")


@pytest.mark.parametrize("spoil", ["{} EOS", "Korrektur = {}", "{} [confidence 0.{n}]", "{};", "{n} / {}"])
def test_raw_outputs_are_compared_without_white_space(spoil):
    raw = [text.replace(" .", ".") for text in (*TIDY, *TIDY)]
    lines = [spoil.format(text, n=n) for n, text in enumerate(raw)]
    assert clean(SOURCES * 2, lines).outputs == tuple(raw)
    sources = ["冬 阴 功 是 泰 国 最 著 名 的 菜 之 一 。", "首 先 我 们 得 准 备 十 二 只 大 大 虾 。"] * 10
    raw = [source.replace(" ", "").replace("的", "") for source in sources]
    lines = [spoil.format(text, n=n) for n, text in enumerate(raw)]
    assert clean(sources, lines).outputs == tuple(raw)


@pytest.mark.parametrize("opener", ["Yes, ", "Okay. ", "Of course. ", "Certainly, ", "Sure. "])
def test_words_to_the_user_are_taken_off(gold, output, score, opener):
    lines = [text if number % 20 else opener + text for number, text in enumerate(output)]
    cleaned = clean(gold.unchanged, lines)
    assert "prefix" in {cleaning.kind for cleaning in cleaned.cleanings}
    assert cleaned.outputs == tuple(output)


def test_a_later_colon_does_not_end_the_words_to_the_user():
    sources = ["As for the advantage , there are two aspects : it is fast , and it is cheap .", *SOURCES * 3]
    tidy = (sources[0].replace("advantage", "advantages"), *TIDY * 3)
    assert clean(sources, [f"Okay. {text}" for text in tidy]).outputs == tidy
    alone = [f"Okay. {tidy[0]}", *tidy[1:]]
    assert clean(sources, alone).outputs == tuple(alone)  # one line alone


@pytest.mark.parametrize("between", [" -> ", "→", " / ", "："])
def test_sources_are_taken_off_texts_without_blanks(between):
    sources = ["冬 阴 功 是 泰 国 最 著 名 的 菜 之 一 。", "首 先 我 们 得 准 备 十 二 只 大 大 虾 。"] * 10
    joined = [source.replace(" ", "") for source in sources]
    tidy = [text.replace("的", "").replace("大大", "大") for text in joined]
    for texts in (sources, joined):
        lines = [f"{source}{between}{text}" for source, text in zip(joined, tidy, strict=True)]
        assert clean(texts, lines).outputs == tuple(tidy)


def test_what_a_short_source_repeats_stays():
    assert clean(["5 .", *SOURCES], ["5 . 5 .", *TIDY]).outputs == ("5 . 5 .", *TIDY)


def test_signs_of_edits_are_not_left_out_without_the_old_words():
    lines = [text.replace("go", "(go) goes") for text in SOURCES]
    cleaned = clean(SOURCES, lines)
    assert cleaned.outputs == tuple(lines)
    assert "could not be undone" in cleaned.doubts[0]


def test_the_rest_of_a_loop_is_doubted():
    cleaned = clean(SOURCES, [TIDY[0] + " every day ." * 5 + " every", *TIDY[1:]])
    assert cleaned.outputs == TIDY
    assert cleaned.doubts == ("repeated-end (1 line): words behind them may be lost, first line 1",)


def test_missing_lines_are_doubted():
    cleaned = clean(SOURCES, [*TIDY[:2], *TIDY[3:]])
    assert cleaned.outputs == (*TIDY[:2], SOURCES[2], *TIDY[3:])
    assert cleaned.doubts == ("missing-lines (1 line): sources stand for them, first line 3",)


def test_sources_are_needed():
    with pytest.raises(recte.InputError, match="expected at least one sentence"):
        recte.clean([], ["x"])


@pytest.fixture
def files(tmp_path):
    (tmp_path / "source.txt").write_text("".join(f"{text}\n" for text in SOURCES))
    (tmp_path / "reference.txt").write_text("".join(f"{text}\n" for text in TIDY))
    lines = [f"Corrected: {text}" for text in TIDY if "bird" not in text]
    (tmp_path / "mine.txt").write_text("".join(f"{text}\n" for text in lines))
    return tmp_path


def test_command(files, capsys):
    arguments = ["clean", str(files / "source.txt"), str(files / "mine.txt")]
    assert main([*arguments, "--dry-run", "-f", "json"]) == 0
    printed = capsys.readouterr()
    changes = {change["kind"]: change for change in json.loads(printed.out)["changes"]}
    assert (changes["labels"]["count"], changes["missing-lines"]["line"]) == (5, 4)
    assert "missing-lines (1 line): sources stand for them" in printed.err
    assert main([*arguments, "--to", str(files / "tidy.txt")]) == 0
    assert "labels" in capsys.readouterr().out
    assert (files / "tidy.txt").read_text().splitlines() == [*TIDY[:3], SOURCES[3], *TIDY[4:]]


def test_command_refuses(files, capsys):
    arguments = ["clean", str(files / "source.txt"), str(files / "mine.txt")]
    assert main(arguments) == 2
    assert "expected --to FILE or --dry-run" in capsys.readouterr().err
    assert main([*arguments, "--to", str(files / "mine.txt")]) == 2
    (files / "empty.txt").write_text("")
    assert main(["clean", str(files / "empty.txt"), str(files / "mine.txt"), "--dry-run"]) == 2
    folder = write_sample(files / "sample")
    assert main(["clean", str(folder / "gold.m2"), str(folder / "gold.m2"), "--dry-run"]) == 2
    assert "with edits" in capsys.readouterr().err


def test_command_refuses_what_no_file_can_hold(files, capsys):
    lines = [json.dumps({"output": text}) for text in (TIDY[0] + " \ud800", *TIDY[1:])]
    (files / "mine.jsonl").write_text("".join(f"{line}\n" for line in lines))
    arguments = ["clean", str(files / "source.txt"), str(files / "mine.jsonl")]
    for name in ("tidy.txt", "tidy.txt.gz"):
        assert main([*arguments, "--to", str(files / name)]) == 2
        assert f"{name}:1: expected characters that UTF-8 can write" in capsys.readouterr().err
        assert not (files / name).exists()


def test_scores_of_cleaned_outputs(files, capsys):
    files_given = ["-s", str(files / "source.txt"), "-i", str(files / "mine.txt"), "-r", str(files / "reference.txt")]
    assert main(["score", *files_given, "--clean", "--no-ci"]) == 0
    printed = capsys.readouterr()
    assert "|outputs:clean|" in printed.out
    assert "note: " in printed.err
    assert "labels (5 lines)" in printed.err
    assert "missing-lines" in printed.err
    assert main(["count", *files_given, "--clean", "-o", str(files / "mine.counts")]) == 0
    counts = recte.read_counts(files / "mine.counts")
    assert counts.outputs == "clean"
    capsys.readouterr()
    assert main(["score", str(files / "mine.counts"), "--no-ci"]) == 0
    assert "|outputs:clean|" in capsys.readouterr().out


def test_scores_of_cleaned_outputs_in_python(files):
    labelled = [f"Corrected: {text}" for text in TIDY]
    assert recte.score(SOURCES, labelled, references=[list(TIDY)]).score < 1
    score = recte.score(SOURCES, labelled, references=[list(TIDY)], clean=True)
    assert score.score == 1
    assert "outputs:clean" in str(score.signature)
    assert recte.evaluate(SOURCES, [labelled], references=[list(TIDY)], clean=True).score("m2", "system 1").score == 1


@pytest.mark.parametrize("outputs", [[], ["Something else altogether stands here"], SOURCES[:1]])
def test_outputs_of_which_most_are_missing_are_refused(outputs):
    with pytest.raises(recte.InputError, match=r"expected outputs for .* sentences, got none for .* of them"):
        clean(SOURCES, outputs)


@pytest.mark.parametrize(("asked", "answered"), [("Q: ", "A: "), ("User: ", "Assistant: "), ("Input: ", "Output: ")])
@pytest.mark.parametrize("between", ["", "\n"])
def test_a_log_of_questions_and_answers_scores_as_the_answers(gold, output, score, asked, answered, between):
    """The first of two lines is the source with a label: the second is taken."""
    log = "".join(
        f"{asked}{source}\n{answered}{text}\n{between}" for source, text in zip(gold.unchanged, output, strict=True)
    )
    cleaned = clean(gold.unchanged, log.splitlines())
    assert abs(score(cleaned.outputs) - score(output)) < 0.3


def test_of_a_decoders_best_outputs_the_first_is_taken():
    sources = [*SOURCES, "Hi !", "It is ."]  # too short to be told from others
    tidy = (*TIDY, "Hello !", "It is so .")
    lines = [
        f"{number} ||| {text} ||| LM0= -{number}.3 ||| -{number}.{place}"
        for number, texts in enumerate(zip(tidy, sources, strict=True))
        for place, text in enumerate(texts)
    ]
    cleaned = clean(sources, lines)
    assert cleaned.outputs == tidy
    assert [cleaning.kind for cleaning in cleaned.cleanings] == ["decoder-log", "columns"]
