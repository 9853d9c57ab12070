"""Chinese edits: the kernel against every published case and against the literal twin, and M2 files to the byte."""

from __future__ import annotations

import gzip
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cherrant_cases import LEVELS, LISTS, own_targets, records, text_of, tokens_of
from oracles import cherrant as oracle
from recte.errors import InputError, OptionError, TooLongError
from recte.extraction.zh import alignment as chinese_alignment
from recte.extraction.zh.alignment import align_chinese
from recte.extraction.zh.extractor import ChineseExtractor, chinese_sentences
from recte.extraction.zh.tokens import ChineseToken, character
from recte.extraction.zh.types import ChineseTypes, shape_similarity, sound_similarity
from recte.extraction.zh.word_lists import NO_LISTS, ChineseLists, read_lists
from recte.extraction.zh.words import GivenWords, JiebaWords, SegmentedWords
from recte.formats.m2 import parse_block
from recte.text.segmenters import SegmentedBy
from shared_data import shared


def lists():
    return read_lists(str(shared(*LISTS)))


def found_edits(cases, level, with_lists):
    """Costs, numbers of alignments, and each alternative's typed edits as the goldens have them."""
    sources = [tokens_of(level, case["src"]) for case in cases]
    targets = [tokens_of(level, case["tgt"]) for case in cases]
    aligned = align_chinese(sources, targets, granularity=LEVELS[level], lists=with_lists)
    types = ChineseTypes(LEVELS[level], with_lists)
    for pair, (source, target) in enumerate(zip(sources, targets, strict=True)):
        edits = [
            [
                [
                    f"T{e.end - e.start}" if e.operation == "T" else e.operation,
                    *e[1:],
                    types(e, source, target),
                    " ".join(t.text for t in target[e.target_start : e.target_end]) or "-NONE-",
                ]
                for e in alternative
            ]
            for alternative in aligned.alternatives(pair)
        ]
        yield aligned.costs[pair], aligned.alignments[pair], edits


@pytest.mark.parametrize(
    ("name", "level"), [("random-char", "char"), ("ties-char", "char"), ("random-word", "word"), ("stalls", "char")]
)
def test_published_cases(name, level):
    cases = [case for case in records(name) if "cost" in case]
    for case, (cost, alignments, edits) in zip(cases, found_edits(cases, level, lists()), strict=True):
        assert (cost, alignments, edits) == (case["cost"], case["alignments"], case["edits"]), case


@pytest.mark.parametrize("level", LEVELS)
def test_each_rule_that_the_random_cases_leave_open(level):
    cases = [case for case in records("probes") if case["level"] == level]
    assert len(cases) >= 19
    for case, (cost, alignments, edits) in zip(cases, found_edits(cases, level, lists()), strict=True):
        assert (cost, alignments, edits) == (case["cost"], case["alignments"], case["edits"]), case["rule"]


@pytest.mark.parametrize("level", LEVELS)
def test_without_thesaurus_and_confusions(level):
    with_lists = {case["id"]: case for case in records(f"random-{level}")}
    changes = [case for case in records("without-lists") if case["level"] == level]
    cases = [with_lists[case["id"]] for case in changes]
    sounds = ChineseLists("sounds", {"char_meta.txt": text_of("resources", "char_meta.txt.gz")})
    for case, change, (cost, _, edits) in zip(cases, changes, found_edits(cases, level, sounds), strict=True):
        assert (cost, edits) == (change["cost"], change["edits"] or case["edits"]), case["id"]


def test_spelling_types_without_lists_are_fewer():
    typed = {True: 0, False: 0}
    with_lists, without = ChineseTypes("words", lists()), ChineseTypes("words", NO_LISTS)
    for case in records("spelling"):
        assert with_lists.is_spelling(case["source"], case["target"]) == case["spelling"], case
        if without.is_spelling(case["source"], case["target"]):
            typed[case["spelling"]] += 1
        if "shape" in case:
            a, b = lists().sounds[case["source"]], lists().sounds[case["target"]]
            assert (shape_similarity(a, b), sound_similarity(a, b)) == (case["shape"], case["sound"]), case
    assert typed[True] > 10 * typed[False]


def test_words_of_nlpcc18_in_the_authors_segmentation():
    syllables = dict(line.split("\t") for line in text_of("resources", "pinyin-words.tsv.gz").splitlines())

    def spoken(tokens):
        return [[text, tag, syllables.get(text, "").split()] for text, tag in tokens]

    cases = [
        {**target, "src": spoken(case["src"]), "tgt": spoken(target["tgt"])}
        for case in records("nlpcc18-word")
        for target in case["targets"]
    ]
    for case, (cost, alignments, edits) in zip(cases, found_edits(cases, "word", lists()), strict=True):
        assert (cost, alignments, edits) == (case["cost"], case["alignments"], case["edits"]), case


def written(sentences):
    return "".join(line for sentence in sentences for line in sentence.lines)


def test_the_authors_own_file_to_the_byte():
    m2 = text_of("m2", "nlpcc18.references.m2.gz")
    sources, targets = own_targets(m2)  # its targets are as the authors' program left them: not simplified again
    sentences = chinese_sentences(sources, targets, ChineseExtractor(lists=lists(), simplify=False))
    assert written(sentences) == m2
    for sentence in sentences:  # and what is written can be read
        read = parse_block(sentence.lines)
        assert (read.text, read.annotations) == (sentence.text, sentence.annotations)


def test_systems_to_the_byte():
    extractor = ChineseExtractor(lists=lists())
    sources, _ = own_targets(text_of("m2", "nlpcc18.references.m2.gz"))
    outputs = shared("data", "chinese", "nlpcc18", "convs2s.pkunlp.txt").read_text("utf-8").splitlines()
    actual = chinese_sentences(sources, [[output] for output in outputs], extractor)
    assert written(actual) == text_of("m2", "nlpcc18.convs2s.m2.gz")
    lines = shared("data", "chinese", "mucgec", "dev.para").read_text("utf-8").strip().split("\n")
    gold = {id_: (source, targets) for id_, source, *targets in (line.split("\t") for line in lines)}
    ids = shared("data", "chinese", "rankings", "mucgec_ids.txt").read_text().split()
    sources, references = [gold[i][0] for i in ids], [gold[i][1] for i in ids]
    actual = chinese_sentences(sources, references, extractor)
    assert written(actual) == text_of("m2", "rankings.references.m2.gz")
    for system in ("bart", "char", "s2e"):
        outputs = shared("data", "chinese", "rankings", f"{system}.mucgec.txt").read_text("utf-8").splitlines()
        actual = chinese_sentences(sources, [[output] for output in outputs], extractor)
        assert written(actual) == text_of("m2", f"rankings.{system}.m2.gz"), system


@pytest.mark.parametrize("side", ["ref", "hyp"])
def test_the_toolkits_demo(side):
    m2 = shared("golden", "cherrant", "demo", f"{side}.char.m2").read_text("utf-8")
    assert written(chinese_sentences(*own_targets(m2), ChineseExtractor(lists=lists()))) == m2


@pytest.mark.parametrize("side", ["ref", "hyp"])
def test_the_toolkits_demo_in_words(side):
    """Its tags are not known, so only spans and spelling can be the same; and a tag may decide where words align."""
    pytest.importorskip("pypinyin")
    m2 = shared("golden", "cherrant", "demo", f"{side}.word.m2").read_text("utf-8")
    extractor = ChineseExtractor("words", lists(), GivenWords())
    sentences = chinese_sentences(*own_targets(m2), extractor)
    same = total = 0
    for sentence, block in zip(sentences, m2.strip("\n").split("\n\n"), strict=True):
        published = parse_block(block.split("\n"))
        for ours, theirs in zip(sentence.annotations, published.annotations, strict=True):
            a = {(e.start, e.end, e.corrections, e.type == "S:SPELL") for e in ours.edits}
            b = {(e.start, e.end, e.corrections, e.type == "S:SPELL") for e in theirs.edits}
            same, total = same + len(a & b), total + len(b)
    assert same / total > 0.9


ALPHABET = "我的了是他她它门们在再，。：a1"
PLAIN = st.text(ALPHABET, max_size=8)
# Costs that tie often: characters without readings or class, signs and letters.
WORDS = st.lists(
    st.builds(
        lambda text, tag: ChineseToken(text, tag, tuple(f"s{ord(c) % 5}" for c in text)),
        st.text("甲乙丙丁，a", min_size=1, max_size=2),
        st.sampled_from(["n", "v", "wp"]),
    ),
    max_size=6,
)
SMALL_LISTS = ChineseLists(
    "small",
    {
        "cilin.txt": "Aa01A01= 我 甲 甲乙\nAa01B01= 的 乙\nBb02A01= 了 丙丁 是",
        "confusion_dict.txt": "在 再 是\n他 她 它\n甲 丁",
    },
)


@cache
def oracle_lists():
    return oracle.Lists(*(SMALL_LISTS._texts[name] for name in ("cilin.txt", "confusion_dict.txt")))


def assert_as_the_oracle(level, source, target):
    aligned = align_chinese([source], [target], granularity=LEVELS[level], lists=SMALL_LISTS)
    cost, walks, _, alternatives = oracle.alternatives(oracle_lists(), level, source, target)
    ours = [[(e.operation, *e[1:]) for e in alternative] for alternative in aligned.alternatives(0)]
    assert ours == [[(e[0][0], *e[1:]) for e in alternative] for alternative in alternatives]
    assert (aligned.costs[0], aligned.alignments[0]) == (cost, walks)


@settings(deadline=None)
@given(PLAIN, PLAIN)
def test_characters_as_the_oracle_aligns_them(source, target):
    assert_as_the_oracle("char", [character(c) for c in source], [character(c) for c in target])


@settings(deadline=None)
@given(WORDS, WORDS)
def test_words_as_the_oracle_aligns_them(source, target):
    assert_as_the_oracle("word", source, target)


@settings(deadline=None)
@given(st.lists(st.tuples(PLAIN, PLAIN), max_size=70))
def test_sentences_do_not_touch_each_other(pairs):
    tokens = [[[character(c) for c in text] for text in pair] for pair in pairs]
    together = align_chinese([a for a, _ in tokens], [b for _, b in tokens])
    alone = [align_chinese([a], [b]).alternatives(0) for a, b in tokens]
    assert [together.alternatives(pair) for pair in range(len(together))] == alone


@given(PLAIN, PLAIN)
def test_edits_make_the_target(source, target):
    aligned = align_chinese([[character(c) for c in source]], [[character(c) for c in target]])
    for alternative in aligned.alternatives(0):
        made = list(source)
        for edit in reversed(alternative):
            made[edit.start : edit.end] = target[edit.target_start : edit.target_end]
        assert "".join(made) == target


def test_alternatives_multiply_up_to_the_limit():
    anchors = "东西南北中上下左右前"

    def pair(places):
        return tuple([character(c) for a in anchors[:places] for c in text + a] for text in ("年)", "年年年"))

    assert len(align_chinese(*([side] for side in pair(1))).alternatives(0)) == 2
    five = align_chinese(*([side] for side in pair(5)))
    assert (len(five.alternatives(0)), five.cut_off[0]) == (32, False)
    ten = align_chinese(*([side] for side in pair(10)))
    assert len(ten.alternatives(0)) <= chinese_alignment.MOST_ALTERNATIVES
    assert ten.cut_off[0]
    first = align_chinese(*([side] for side in pair(10)), ties="first")
    assert first.alternatives(0) == ten.alternatives(0)[:1]
    assert not first.cut_off[0]


def test_numbers_of_alignments_stay_in_their_type():
    source = [character(c) for c in "甲" * 60]
    target = [character(c) for c in "乙" * 65]
    aligned = align_chinese([source], [target])
    assert 0 < aligned.alignments[0] <= np.iinfo(np.int64).max


def test_white_space_goes_and_targets_are_simplified():
    (sentence,) = chinese_sentences(["我　門 "], [["我門"]], ChineseExtractor())
    assert sentence.tokens == ("我", "門")
    assert [(e.start, e.end, e.type, e.corrections) for e in sentence.annotations[0].edits] == [(1, 2, "S", ("门",))]
    (sentence,) = chinese_sentences(["我門"], [["我門"]], ChineseExtractor(simplify=False))
    assert sentence.annotations[0].edits == ()


def test_what_annotators_say_instead_of_a_text():
    texts = ["没有错误", "无法标注", "他[缺失成分]好"]
    (sentence,) = chinese_sentences(["他好"], [texts], ChineseExtractor())
    assert "".join(sentence.lines) == (
        "S 他 好\n"
        "T0 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "T1 无法标注\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||1\n"
        "T2-A0 他 [缺失成分] 好\nA 1 1|||M|||[缺失成分]|||REQUIRED|||-NONE-|||2\n\n"
    )
    assert sentence.scored
    assert not chinese_sentences(["他好"], [["无法标注"]], ChineseExtractor())[0].scored


def test_given_words_keep_their_spaces_and_segmented_ones_their_marks():
    pytest.importorskip("pypinyin")
    (sentence,) = chinese_sentences(["他 喜换 你"], [["他 喜欢 你"]], ChineseExtractor("words", words=GivenWords()))
    assert [(e.start, e.end, e.type) for e in sentence.annotations[0].edits] == [(1, 2, "S:SPELL")]
    pairs = SegmentedWords(SegmentedBy(lambda text: [text[i : i + 2] for i in range(0, len(text), 2)], "pairs"))
    assert [token.text for token in pairs(["他喜[缺失成分]欢你们"])[0]] == ["他喜", "[缺失成分]", "欢你", "们"]
    extractor = ChineseExtractor("words", words=pairs, simplify=False)
    assert extractor.name == "cherrant(pairs)"
    assert extractor.made_with["lists"] == "none"
    assert extractor.made_with["simplified"] == "no"
    assert ChineseExtractor().made_with["simplified"] == "opencc-1.4.2"


def test_jiebas_tags_become_ltps():
    pytest.importorskip("pypinyin")
    pytest.importorskip("jieba")
    (words,) = JiebaWords()(["他在北京大学学习[缺失成分]，A。"])
    assert [(w.text, w.tag) for w in words] == [
        ("他", "r"),
        ("在", "p"),
        ("北京大学", "ni"),
        ("学习", "v"),
        ("[缺失成分]", "unk"),
        ("，", "wp"),
        ("A", "ws"),
        ("。", "wp"),
    ]
    (sentence,) = chinese_sentences(["他北京学习"], [["他在北京学习"]], ChineseExtractor("words", words=JiebaWords()))
    assert sentence.annotations[0].edits[0].type == "M:PREP"


def test_words_are_read_as_the_goldens_have_it():
    pytest.importorskip("pypinyin")
    from recte.annotation.pinyin import word_readings

    table = [line.split("\t") for line in text_of("resources", "pinyin-words.tsv.gz").splitlines()]
    assert all(word_readings(text) == tuple(syllables.split()) for text, syllables in table[::10])


def test_bad_input_is_one_line():
    with pytest.raises(InputError, match="expected a target text or 没有错误, got an empty one for '他好'"):
        chinese_sentences(["他好"], [[" "]], ChineseExtractor())
    with pytest.raises(InputError, match="expected at least one target for source 2, '她好', got none"):
        chinese_sentences(["他好", "她好"], [["没有错误"], []], ChineseExtractor())
    with pytest.raises(InputError, match="expected targets for 1 sources, got them for 2"):
        chinese_sentences(["他好"], [["a"], ["b"]], ChineseExtractor())
    with pytest.raises(OptionError, match="words: expected who cuts text"):
        ChineseExtractor("words")
    with pytest.raises(OptionError, match="granularity: expected one of characters, words, got 'sentence'"):
        ChineseExtractor("sentence")
    token = character("我")
    with pytest.raises(TooLongError, match="hypothesis 2: 5000 by 5000 tokens are too many to align"):
        align_chinese([[token], [token] * 5000], [[token], [token] * 5000])


def test_lists_are_read_whole_or_refused(tmp_path):
    with pytest.raises(InputError, match=r"expected a folder with cilin\.txt, .* got none of the name cilin\.txt"):
        read_lists(str(tmp_path))
    (tmp_path / "cilin.txt").write_bytes("Aa01A01= 人 士\nAa01A02= 人类".encode("gbk"))
    (tmp_path / "confusion_dict.txt").write_text("坐 作\n坐 座\n 空\n他 她它 它\n", encoding="utf-8")
    (tmp_path / "char_meta.txt").write_text("U+4E00\t一\tyī;jat1;IL;ICHI;null\t一\n", encoding="utf-8")
    actual = read_lists(str(tmp_path))
    characters, (others, offsets) = actual.confusions
    pairs = {
        (chr(a), chr(b))
        for i, a in enumerate(characters.tolist())
        for b in others[offsets[i] : offsets[i + 1]].tolist()
    }
    assert pairs == {("坐", "座"), ("座", "坐"), ("他", "它"), ("它", "他")}  # the last line of a character holds
    assert actual.meanings["人"] != actual.meanings["人类"] or actual.meanings["人"] == actual.meanings["士"]
    assert actual.sounds["一"].readings[4] == ()
    zipped = tmp_path / "zipped"
    zipped.mkdir()
    for name in ("cilin.txt", "confusion_dict.txt", "char_meta.txt"):
        (zipped / f"{name}.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    assert read_lists(str(zipped)).name == actual.name
    (zipped / "char_meta.txt").write_text("一\n", encoding="utf-8")
    read_lists.cache_clear()
    with pytest.raises(InputError, match=r"char_meta\.txt:1: expected code point, character, readings"):
        read_lists(str(zipped))


def test_the_published_lists_have_their_published_size():
    actual = lists()
    assert (len(actual.meanings), len(actual.sounds)) == (77_456, 47_419)
    assert len(actual.confusions[1][0]) == 509_890
