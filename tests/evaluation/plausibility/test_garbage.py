"""Input that is not what it should be is told, and a sane one is not."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.line_signatures import bits_of, signature
from recte import Corpus, Errant, MaxMatch, System, _kernels
from recte.cli import main
from recte.corpus.corpus import Annotation, Edit, Sentence, apply_edits
from recte.corpus.text_columns import TextColumn
from recte.edits.projection import segmented
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
from recte.evaluation.plausibility.finding import NOTE, WARNING, Sighting
from recte.evaluation.plausibility.plausibility_check import (
    KINDS,
    LOOKED_AT_WHOLE,
    ExpectedTokens,
    PlausibilityCheck,
    findings,
)
from recte.formats.m2 import read_m2
from recte.formats.parallel import read_system
from recte.text.english_words import EnglishWords
from recte.text.segmenters import Characters
from recte.text.untidiness.table import ALL_KINDS
from sample_folder import write_sample


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="module")
def gold(folder):
    return read_m2(folder / "gold.m2")


@pytest.fixture(scope="module")
def output(folder):
    return list(read_system(folder / "systems" / "heron.txt").outputs)


def kinds(corpus, *systems, level=WARNING):
    actual = findings(corpus, [System(f"s{n}", tuple(lines)) for n, lines in enumerate(systems)])
    return {finding.kind: finding for finding in actual if finding.level == level}


@given(st.lists(st.text(max_size=60), max_size=6), st.integers(0, 200))
def test_signatures_are_those_of_the_slow_twin(texts, prefix):
    actual = _kernels.line_signatures(TextColumn.of(texts).spans, prefix, 1)
    assert [bits_of(row) for row in actual.tolist()] == [signature(text.encode(), prefix) for text in texts]


def test_the_sample_raises_nothing(folder, gold, output):
    systems = [read_system(path) for path in sorted((folder / "systems").iterdir())]
    assert not [finding for finding in findings(gold, systems) if finding.level == WARNING]
    references = [[sentence.corrected(sentence.annotations[0].annotator) for sentence in gold]]
    assert not kinds(Corpus.from_references([s.text for s in gold], references), output)


@pytest.mark.parametrize("shift", [-3, -1, 1, 2])
def test_lines_that_are_shifted(gold, output, shift):
    actual = kinds(gold, output[-shift:] + output[:-shift])["misaligned"]
    where = f"{abs(shift)} line{'s' * (abs(shift) > 1)} {'earlier' if shift > 0 else 'later'}"
    assert where in actual.message
    assert actual.count > 30


def test_where_a_shift_begins_and_ends(gold, output):
    moved = [*output[:10], "", *output[10:19], *output[20:]]
    actual = kinds(gold, moved)["misaligned"]
    first, last = map(int, re.search(r"lines (\d+) to (\d+) fit the source 1 line earlier", actual.message).groups())
    assert 12 <= first <= 14
    assert 18 <= last <= 20
    assert actual.line == first


def test_lines_in_another_order(gold, output):
    actual = kinds(gold, output[::-1])["unlike"]
    assert "line 1 fits the source of line 40" in actual.message


def test_empty_and_cut_off_output(gold, output):
    assert kinds(gold, [""] * len(output))["empty"].count == len(output)
    assert kinds(gold, [line[:3] for line in output])["cut-off"].count > 20
    assert kinds(gold, ["", *output[1:]], level=NOTE)["empty"].line == 1


def test_output_that_is_too_long_or_ends_early(gold, output):
    assert kinds(gold, [f"{line} {line}" for line in output])["long"].count == len(output)
    assert kinds(gold, [line.removesuffix(" .") for line in output])["no-final-mark"].count > 20
    assert kinds(gold, [line[:-2] if n < 1 else line for n, line in enumerate(output)], level=NOTE)["no-final-mark"]
    assert kinds(gold, ["".join(line.split()) for line in output])["blanks"].count > 20
    assert kinds(gold, [" ".join("".join(line.split())) for line in output])["blanks"].count > 20


def test_words_that_are_lost(gold, output):
    lost = [line[: len(line) // 3] + line[2 * len(line) // 3 :] for line in [s.text for s in gold]]
    assert kinds(gold, lost)["lost-words"].count > 20
    assert "lost-words" not in kinds(gold, output, level=NOTE)


@pytest.mark.parametrize(
    ("source", "output", "kind"),
    [
        ("In 1995 he go .", "In NUM he goes .", ["lost-digits"]),
        ("Now , he go .", "Now he goes .", ["lost-commas"]),
        ("The café are open .", "The cafe is open .", ["lost-accents"]),
        ("Мій дім тут .", "Міи дім там .", ["lost-accents"]),
        ('He say " no " .', "He says no .", ["lost-quotes"]),
    ],
)
def test_signs_that_are_lost(source, output, kind):
    corpus = Corpus.from_references([source] * 20, [[source] * 20])
    assert kinds(corpus, [output] * 10 + [source] * 10)[kind[0]].of == 20
    assert kind[0] not in kinds(corpus, [output] * 9 + [source] * 11)
    assert kind[0] not in kinds(corpus, [""] * 20)


def test_marks_are_joined_to_words_of_raw_sources():
    sources = ["He go home ."] * 3 + ["He go home."] * 7
    corpus = Corpus.from_references(sources, [sources])
    assert "detokenised" not in kinds(corpus, ["He goes home."] * 10)


def test_other_capitals(gold, output):
    assert kinds(gold, [f"{line} {line}".title() for line in output])["capitals"].count > 10
    assert kinds(gold, [line.replace("the", "THE") for line in output])["capitals"].count > 10
    several = ["Ann and Bob met Carl ."] * 4
    assert kinds(Corpus.from_references(several, [several]), [s.capitalize() for s in several])["capitals"].count == 4


def test_output_with_other_tokens(gold, output):
    joined = [re.sub(r" ([.,!?])", r"\1", line) for line in output]
    assert kinds(gold, joined)["detokenised"].count > 20
    assert kinds(gold, [*joined[:5], *output[5:]])["detokenised"].count >= 3  # of some lines, too
    assert kinds(gold, [re.sub(" ,", ",", line) for line in output])["detokenised"].count >= 3
    raw = Corpus.from_references([re.sub(r" ([.?!])", r"\1", s.text) for s in gold], [joined])
    assert kinds(raw, output)["tokenised"].count > 20
    sources = ['I do n\'t " know " .', 'It \'s " late " .', 'We are n\'t " here " .']
    corpus = Corpus.from_references(sources, [sources[::-1]])
    assert kinds(corpus, ['I don\'t " know " .', 'It\'s " late " .', 'We aren\'t " here " .'])["clitics"].count == 3
    assert kinds(corpus, [re.sub(r'" (\w+) "', r"`` \1 ''", s) for s in sources])["quotes"].count == 3


def test_entities(gold, output):
    assert kinds(gold, [line.replace("a", "&quot;", 1) for line in output])["entities"].count > 20
    assert "entities" in kinds(gold, [output[0] + " &amp;", *output[1:]], level=NOTE)


def test_letters_written_another_way():
    sources = ["Le café est fermé aujourd'hui .", "Il a été là .", "Où est-il ?"]
    corpus = Corpus.from_references(sources, [[s + " ." for s in sources]])
    assert kinds(corpus, [unicodedata.normalize("NFD", s) for s in sources])["composition"].count == 3
    assert not kinds(corpus, sources)
    sources = ["我喜欢你，你呢？", "他来了，我走了。", "好，好，好！"]
    corpus = Corpus.from_references(sources, [[s + "！" for s in sources]])
    assert kinds(corpus, [unicodedata.normalize("NFKC", s) for s in sources])["width"].count == 3
    assert not kinds(corpus, sources)


def test_lost_case(gold, output):
    assert kinds(gold, [line.lower() for line in output])["case"].count > 35
    assert kinds(gold, [line.upper() for line in output])["case"].count > 35
    assert kinds(gold, [output[0].lower(), *output[1:]], level=NOTE)["case"].line == 1
    assert "case" not in kinds(gold, ["", *output[1:]], level=NOTE)
    lowered = Corpus.from_references([s.text.lower() for s in gold], [output])
    assert "case" not in kinds(lowered, [line.lower() for line in output], level=NOTE)  # as its source is
    capitals = ["OK .", "USA !", "NO ."]
    assert "case" not in kinds(Corpus.from_references(capitals, [capitals[::-1]]), [s.lower() for s in capitals])


def test_lost_case_beyond_ascii():
    sources = ["Київ стоїть на Дніпрі .", "Це Одеса .", "Ми йдемо !"]
    corpus = Corpus.from_references(sources, [[s + " ." for s in sources]])
    assert kinds(corpus, [s.lower() for s in sources])["case"].count == 3
    assert kinds(corpus, [s.upper() for s in sources])["case"].count == 3
    assert "case" not in kinds(corpus, sources, level=NOTE)
    french = Corpus.from_references(["Ecole", "Eté", "Etat"], [["x", "y", "z"]])
    assert "case" not in kinds(french, ["École", "Été", "État"], level=NOTE)  # no capital of ASCII, but one
    chinese = Corpus.from_references(["我喜欢你"] * 3, [["我爱你"] * 3])
    assert not kinds(chinese, ["我喜欢你"] * 3)


def test_references_in_another_order_or_equal_to_the_source(gold, output):
    sources = [s.text for s in gold]
    references = [s.corrected(s.annotations[0].annotator) for s in gold]
    actual = findings(Corpus.from_references(sources, [references, references[1:] + references[:1]]), [])
    assert {(f.kind, f.where) for f in actual if f.level == WARNING} == {("misaligned", "reference 2")}
    assert kinds(Corpus.from_references(sources, [sources]), output)["no-corrections"].count == 40


def test_source_and_reference_swapped():
    letters = "abcdefghijklmnopqrstuvwxyz"
    correct = ["The house is old ."] * 25
    wrong = [f"The h{letter}ouse is old ." for letter in letters[:25]]
    output = [*wrong[:20], *correct[20:]]  # a system that leaves most alone
    assert "swapped" not in kinds(Corpus.from_references(wrong, [correct]), output)
    assert kinds(Corpus.from_references(correct, [wrong]), output)["swapped"].count == 25
    assert "swapped" not in kinds(Corpus.from_references(wrong, [correct]), correct)  # a perfect one


def with_edits(*edits):
    return Corpus(tuple(Sentence("a b c d", annotations=(Annotation("0", edits),)) for _ in range(4)))


def test_odd_gold_edits():
    assert kinds(with_edits(Edit(0, 1, ("x",)), Edit(0, 1, ("x",))))["duplicate-edits"].count == 4
    assert "duplicate-edits" not in kinds(with_edits(Edit(0, 1, ("x",)), Edit(0, 1, ("y",))))
    assert kinds(with_edits(Edit(0, 2, ("x",)), Edit(1, 3, ("y",))))["overlapping-edits"].count == 4
    assert not kinds(with_edits(Edit(0, 1, ("x",)), Edit(1, 2, ("y",)), Edit(2, 2, ("z",))))


@pytest.mark.parametrize(
    "edit",
    [
        Edit(0, 1, ("x  y",)),
        Edit(0, 1, ("x\ty",)),
        Edit(0, 1, ("x\u00a0y",)),
        Edit(0, 1, ("a",)),
        Edit(1, 3, ("b c",)),
        Edit(1, 1, ("",)),
        Edit(0, 0, ("",), "NOOP"),
        Edit(0, 1, ("a", "x  y")),
    ],
)
def test_gold_edits_that_no_output_can_match(edit):
    """A system that makes all corrections does not find them, and the count says which."""
    corpus = with_edits(edit, Edit(3, 4, ("z",)))
    assert MaxMatch().score(corpus, [with_edits_made(corpus)] * 4).recall == 0.5
    finding = kinds(corpus)["unmatchable-edits"]
    assert (finding.count, finding.of) == (4, 8)


def test_gold_edits_that_an_output_can_match():
    edits = [Edit(0, 1, ("a", "x")), Edit(1, 3, ("b d",)), Edit(3, 4, ("d",), "UNK")]
    assert "unmatchable-edits" not in kinds(with_edits(*edits))


def with_edits_made(corpus):
    return " ".join(apply_edits(corpus[0].tokens, corpus[0].annotations[0].edits).split())


def test_what_an_m2_file_does_not_say(tmp_path):
    path = tmp_path / "gold.m2"
    blocks = [f"S a b\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||{annotator}\n\n" for annotator in "0101"]
    path.write_text("".join(blocks))
    assert kinds(read_m2(path))["missing-annotators"].count == 4
    path.write_text("".join([*blocks, "S a b\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"]))
    assert "missing-annotators" not in kinds(read_m2(path))
    path.write_text("S a b\nA -3 1|||X|||y|||REQUIRED|||-NONE-|||0\nA 0 9|||X|||y|||REQUIRED|||-NONE-|||0\n\n" * 2)
    actual = kinds(read_m2(path, lenient=True))
    assert (actual["negative-spans"].count, actual["negative-spans"].line) == (2, 1)
    assert actual["dropped-edits"].count == 2
    path.write_text("S a b\n\nS a b\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n\n")
    assert kinds(read_m2(path), level=NOTE)["left-out"].line == 1


def test_sentences_that_cannot_be_annotated_are_told_of(tmp_path, capsys):
    gold, system = tmp_path / "gold.para", tmp_path / "mine.txt"
    gold.write_text("1\t我好\t我很好\n2\t乱\t无法标注\n3\t他好\t他很好\n", encoding="utf-8")
    system.write_text("我很好\n乱\n他好\n", encoding="utf-8")
    corpus, systems = read_corpus_and_systems(GoldFiles(gold=gold), {"mine": system})
    actual = {finding.kind: finding for finding in findings(corpus, systems)}["not-annotated"]
    assert (actual.count, actual.of, actual.line, actual.level) == (1, 3, 2, NOTE)
    assert main(["score", str(gold), str(system), "--strict"]) == 0
    said = "recte: note: gold: 1 of 3 sentences are not scored, as impossible to annotate or left out, first sentence 2"
    assert capsys.readouterr().err.splitlines() == [said]


def test_skipped_parts_are_a_warning():
    check = PlausibilityCheck()
    check.add([Sighting("bad-parts", "gold", (3,), 12, "part-03.m2:7: wrong")])
    actual = {finding.kind: finding for finding in check.findings()}["bad-parts"]
    assert (actual.level, str(actual)) == (
        WARNING,
        "gold: 1 of 12 parts were skipped, first part 3; part-03.m2:7: wrong",
    )


def test_tokens_of_a_task(gold, output):
    """Only where somebody says which tokens are expected, and not where these came."""
    expected = ExpectedTokens("the task has words", "characters")
    raw = Corpus.from_references([s.text.replace(" .", ".") for s in gold], [output])
    cut = segmented(raw, EnglishWords("treebank"))
    for corpus in (raw, cut, gold):
        assert not {"raw-source", "other-tokens"} & set(kinds(corpus, output))
    actual = {item.kind: item for item in findings(raw, [System("s", tuple(output))], expected=expected)}["raw-source"]
    assert actual.level == WARNING
    assert actual.message.endswith("; the task has words")
    by_kind = {item.kind: item for item in findings(cut, [System("s", tuple(output))], expected=expected)}
    actual = by_kind["other-tokens"]
    assert actual.message == f"all {len(gold)} texts were cut into other tokens; by treebank; the task has words"
    letters = segmented(raw, Characters())
    assert "other-tokens" not in {
        item.kind for item in findings(letters, [System("s", tuple(output))], expected=expected)
    }


def test_other_languages_where_english_rules_find_edits():
    texts = ["wir lernen dort viele neue wörter ."] * 4
    gold, mine = Corpus.from_references(texts, [["wir lernten dort viele wörter ."] * 4]), System("mine", tuple(texts))
    assert [f.kind for f in findings(gold, [mine], [Errant()]) if f.where == "source"] == ["not-english"]
    assert not [f for f in findings(gold, [mine]) if f.where == "source"]


@pytest.mark.parametrize(
    "text",
    [
        *("Я бачу сестра .", "Βλέπω τη αδελφή .", "我去学校了。", "私は学校に行きます。", "나는 학교에 간다 ."),
        *("אני הולך הביתה .", "أنا أذهب إلى البيت .", "मैं घर जाता हूँ ।", "ฉันไปโรงเรียน", "მე სკოლაში მივდივარ ."),
    ],
)
def test_texts_in_other_scripts_are_not_english(text):
    gold = Corpus.from_references([text] * 3, [[text] * 3])
    by_kind = {f.kind: f for f in findings(gold, [System("mine", (text,) * 3)], [Errant()])}
    assert by_kind["not-english"].message.startswith("3 of 3 lines are not English")


def test_english_with_marks_and_single_foreign_words_is_english():
    texts = [
        "He said “ ça va ” to his friends .",
        "Ｗｅ ｌｉｋｅ ｉｔ .",
        "They live in Tokyo ( 东京 ) and Αθήνα .",
        "— … 5 €",
    ]
    gold = Corpus.from_references(texts, [texts])
    assert "not-english" not in {f.kind for f in findings(gold, [System("mine", tuple(texts))], [Errant()])}


def test_another_annotator_than_expected(gold, output):
    """Only where a task's is known, the built-in one finds edits, and edits must be found."""
    expected, mine = ExpectedTokens("", annotator="the task has another"), System("s", tuple(output))
    with_errant = {f.kind: f for f in findings(gold, [mine], [Errant()], expected=expected)}
    assert with_errant["other-annotator"].message.endswith("built-in English tags; the task has another")
    assert with_errant["other-annotator"].level == WARNING
    for metrics, known in (([Errant(annotator="given:x")], expected), ([MaxMatch()], expected), ([Errant()], None)):
        assert "other-annotator" not in {f.kind for f in findings(gold, [mine], metrics, expected=known)}


def test_every_kind_is_told_of_here():
    told = set(re.findall(r'\["([a-z-]+)"\]', Path(__file__).read_text(encoding="utf-8")))
    shared = {kind.name for kind in ALL_KINDS}  # see tests/text/test_untidiness.py
    assert set(KINDS) <= told | shared


def test_parts_are_one_whole_and_large_corpora_are_sampled(gold, output):
    shifted = System("mine", tuple(output[1:] + output[:1]))
    whole, parts = PlausibilityCheck(), PlausibilityCheck()
    whole.look(gold, {"mine": shifted})
    for begin in (0, 20):
        parts.look(gold[begin : begin + 20], {"mine": shifted[begin : begin + 20]})
    item, other = whole.findings()[0], parts.findings()[0]
    assert item.kind == other.kind == "misaligned"
    assert abs(item.count - other.count) <= 1
    many = LOOKED_AT_WHOLE + 5000
    check, sources = PlausibilityCheck(), ["a b c d e"] * 5000
    corpus, system = Corpus.from_references(sources, [sources]), System("mine", ("",) * 5000)
    for _ in range(many // 5000):
        check.look(corpus, {"mine": system})
    assert next(f for f in check.findings() if f.kind == "empty").count == LOOKED_AT_WHOLE + 1000


@pytest.fixture
def empty(tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text("\n" * 40)
    return str(path)


@pytest.mark.parametrize(
    "command",
    [["score", "--no-ci"], ["compare"], ["count", "-o", "{out}"], ["explain", "-n", "1"], ["report", "-o", "{out}"]],
    ids=lambda command: command[0],
)
def test_commands_warn_and_refuse(command, folder, empty, tmp_path, capsys, monkeypatch):
    if command[0] == "report":
        pytest.importorskip("vl_convert")
        pytest.importorskip("jinja2")
    out = tmp_path / "out"
    line = [part.format(out=out) for part in command] + [str(folder / "gold.m2"), empty]
    if command[0] == "compare":
        line.append(str(folder / "systems" / "heron.txt"))
    assert main(line) == 0
    told = "recte: warning: empty: 40 of 40 lines are empty where the source is not, first line 1\n"
    assert told in capsys.readouterr().err
    if command[0] == "report":
        assert "40 of 40 lines are empty" in out.read_text()
    assert main([*line, "-q"]) == 0
    assert capsys.readouterr().err == ""
    out.unlink(missing_ok=True)
    monkeypatch.setattr("recte.metrics.maxmatch.MaxMatch.prepare", None)  # nothing is counted
    assert main([*line, "--strict"]) == 2
    assert capsys.readouterr().err.startswith("recte: empty: 40 of 40 lines are empty")
    assert not out.exists()


@pytest.mark.parametrize("command", [["score"], ["compare", "{heron}"], ["explain", "-n", "1"]], ids=lambda c: c[0])
def test_json_carries_warnings_and_notes(command, folder, tmp_path, capsys):
    lines = (folder / "systems" / "wren.txt").read_text().splitlines()
    path = tmp_path / "one.txt"
    path.write_text("\n".join(["", *lines[1:]]) + "\n")
    heron = folder / "systems" / "heron.txt"
    name, *rest = (part.format(heron=heron) for part in command)
    files = [str(folder / "gold.m2"), str(path)]
    assert main([name, *files, *rest, "-f", "json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    warnings = json.loads(printed.out)["warnings"]
    assert {
        key: value for key, value in next(w for w in warnings if w["kind"] == "empty").items() if key != "message"
    } == {"kind": "empty", "level": "note", "where": "one", "count": 1, "of": 40, "line": 1}


def test_strict_takes_what_is_read_once(folder, tmp_path, capsys, monkeypatch):
    good = (folder / "systems" / "heron.txt").read_bytes()
    for content, code in ((good, 0), (b"\n" * 40, 2)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(["score", str(folder / "gold.m2"), "-", "--strict", "-b"]) == code
        assert bool(capsys.readouterr().out) == (code == 0)
