"""ChERRANT's scores: every golden table, through files, given edits and texts; and what `optimal` does better."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from cherrant_cases import LISTS, MODES, blocks, figures, flags_of, own_targets, records, text_of
from oracles.matching import NO_OP, EditCounts
from recte import Annotation, Corpus, Edit, Sentence, System
from recte.corpus.count_merging import merge
from recte.edits.projection import segmented
from recte.errors import InputError, OptionError
from recte.evaluation.counting import CountRequest, count_files
from recte.evaluation.evaluation import evaluate
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
from recte.extraction.zh.blocks import alternatives_of
from recte.extraction.zh.extractor import ChineseExtractor, chinese_sentences
from recte.extraction.zh.word_lists import read_lists
from recte.formats.m2 import iterate_m2, parse_block
from recte.formats.para import read_para
from recte.metrics.cherrant import Cherrant
from recte.metrics.explanation import explain
from recte.output.page.explorer import explorer_data
from recte.statistics.intervals import Resampling, confidence_interval
from recte.text.segmenters import Characters
from shared_data import shared

TIERS = {1: "operation", 2: "category", 3: "type"}


def lists():
    return str(shared(*LISTS))


def metric_of(flags, **options):
    mode = next((mode for mode in MODES if getattr(flags, mode)), "cs")
    return Cherrant(
        matching=MODES[mode],
        beta=flags.b,
        edit_width="single" if flags.single else "multi" if flags.multi else "all",
        without_types=",".join(flags.filt),
        types_by=TIERS[flags.cat or 3],
        first_annotators=flags.max_answer_num or 0,
        annotator_count=flags.reference_num or 0,
        **options,
    )


def rounded(score):
    return (score.tp, score.fp, score.fn, *(round(x, 4) for x in (score.precision, score.recall, score.score)))


def raw_sentences(m2):
    """The blocks of a file with corrections as they stand there, `- NONE -` among them."""
    for annotators, block in zip(blocks(m2), m2.strip().split("\n\n"), strict=True):
        first, *_ = lines = block.split("\n")
        annotations = tuple(
            Annotation(
                a,
                tuple(Edit(e.start, e.end, (e.correction,), e.type) for e in edits if e.start >= 0),
                not_annotatable=any(e.start < 0 and e.type == "NA" for e in edits),
            )
            for a, edits in annotators.items()
        )
        yield Sentence(first[2:], annotations=annotations, lines=tuple(lines))


def is_odd(annotators):
    """Whether an annotator has a no-op with edits, or one of another form: a reader of M2 takes his edits alone."""
    return any(
        any(e.type in (NO_OP, "NA") or e.start < 0 for e in edits)
        and (len(edits) > 1 or edits[0].start >= 0 or edits[0].correction != "-NONE-")
        for edits in annotators.values()
    )


def test_small_files_as_published():
    """Through corpus and system, NA as a hypothesis too; no-ops with edits the comparison's own test knows."""
    compared = 0
    for case in records("compare-random"):
        flags = flags_of(case["flags"])
        odd = any(is_odd(annotators) for annotators in blocks(case["hyp"]) + blocks(case["ref"]))
        if odd or (flags.max_answer_num or 0) > 3:
            continue
        span = slice(flags.start, flags.end) if None not in (flags.start, flags.end) else slice(None)
        hypotheses, gold = list(raw_sentences(case["hyp"]))[span], list(raw_sentences(case["ref"]))[span]
        if not gold:
            continue
        metric = metric_of(flags)
        scorer = metric.prepare(Corpus(tuple(gold)))
        annotations = tuple(s.annotations for s in hypotheses)
        system = System("hypothesis", ("",) * len(gold), tuple(a[0].edits for a in annotations), annotations)
        score = metric.score_counts(scorer.count_types(system, scorer.count(system)))
        assert list(rounded(score)) == case["result"], (case["id"], case["flags"])
        if flags.cat:
            rows = [
                [name, *counts, *figures(counts, flags.b)]
                for name, row in score.types.items()
                for counts in [EditCounts(row["found"], row["proposed"] - row["correct"], row["gold"] - row["found"])]
            ]
            assert rows == case["categories"], case["id"]
        compared += 1
    assert compared > 800


@cache
def extracted(data, system):
    """The sentences of one of the golden files with their edits, as the published program writes them."""
    extractor = ChineseExtractor(lists=read_lists(lists()))
    folder = shared("data", "chinese")
    if data == "nlpcc18":
        sources, targets = own_targets(text_of("m2", "nlpcc18.references.m2.gz"))
        outputs = folder / "nlpcc18" / "convs2s.pkunlp.txt"
    else:
        lines = [line.split("\t") for line in (folder / "mucgec" / "dev.para").read_text("utf-8").splitlines()]
        gold = {id_: (source, texts) for id_, source, *texts in lines}
        ids = list(gold)
        if data == "rankings":
            ids = (folder / "rankings" / "mucgec_ids.txt").read_text().split()
        sources, targets = [gold[i][0] for i in ids], [gold[i][1] for i in ids]
        outputs = (
            folder / "mucgec" / "system.para" if data == "mucgec-dev" else folder / "rankings" / f"{system}.mucgec.txt"
        )
    if system == "do-nothing":
        targets = [["没有错误"]] * len(sources)
    elif system != "references":
        targets = [[line.split("\t")[-1]] for line in outputs.read_text("utf-8").splitlines()]
    elif data == "nlpcc18":
        extractor = replace(extractor, simplify=False)
    made = chinese_sentences(sources, targets, extractor)
    # United alternatives need no lines; who could not annotate is told by them alone.
    return tuple(s if any("|||NA|||" in line for line in s.lines) else replace(s, lines=()) for s in made)


@cache
def scorer_of(data, metric):
    return metric.prepare(Corpus(extracted(data, "references")))


@cache
def counted(data, system, metric, types=False):
    """Counts of one of the golden systems from edits, as from M2 files; doing nothing is a no-op for every sentence."""
    edits = tuple(s.annotations[0].edits for s in extracted(data, system))
    output = System(system, ("",) * len(edits), edits)
    scorer = scorer_of(data, metric)
    return scorer.count_types(output, scorer.count(output)) if types else scorer.count(output)


def table_rows(name):
    with shared("golden", "cherrant", name).open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)


def test_every_table_of_the_systems():
    seen = 0
    for row in table_rows("compare-systems.tsv"):
        flags = flags_of(f"-{row['mode']} -b {row['beta']} {row['other flags']}")
        if flags.max_answer_num == 4:  # the published program takes everything for a no-op then
            continue
        metric = metric_of(flags, lists=lists())
        counts = counted(row["data"], row["system"], replace(metric, beta=0.5))
        expected = tuple(float(row[key]) for key in ("tp", "fp", "fn", "p", "r", "f"))
        assert rounded(metric.score_counts(counts)) == expected, row
        seen += 1
    assert seen == 256


def test_every_table_by_type():
    for row in table_rows("compare-categories.tsv"):
        metric = Cherrant(matching=MODES[row["mode"]], lists=lists())
        counts = counted(row["data"], row["system"], metric, types=True)
        cells = metric.score_counts(counts).types[row["category"]]
        actual = (cells["found"], cells["proposed"] - cells["correct"], cells["gold"] - cells["found"])
        assert actual == tuple(int(row[key]) for key in ("tp", "fp", "fn")), row
        assert figures(EditCounts(*actual), 0.5) == tuple(float(row[key]) for key in ("p", "r", "f")), row


def test_every_sentence_of_a_system():
    metric = Cherrant(lists=lists())
    counts = counted("nlpcc18", "convs2s", metric)
    lines = text_of("sentences-nlpcc18-convs2s.tsv.gz").splitlines()[1:]
    for entry, line in zip(metric.sentence_entries(counts), lines, strict=True):
        number, chosen, tp, fp, fn = line.split("\t")
        assert entry["sentence"] == int(number) + 1
        actual = (entry["tp"], entry["proposed"] - entry["tp"], entry["gold"] - entry["tp"])
        assert actual == (int(tp), int(fp), int(fn))
        assert not chosen or entry["chosen"] == chosen


@pytest.mark.parametrize(
    ("system", "with_lists", "without"),
    [
        ("bart", (91, 157, 334), (87, 158, 325)),
        ("char", (83, 159, 341), (83, 159, 341)),
        ("s2e", (101, 205, 334), (96, 203, 326)),
        ("spm", (80, 153, 330), (80, 153, 330)),
        ("t5", (63, 77, 348), (62, 78, 343)),
        ("word", (82, 158, 331), (82, 158, 331)),
    ],
)
def test_ranked_systems_with_and_without_lists(system, with_lists, without):
    gold = {sentence.id: sentence for sentence in read_para(shared("data", "chinese", "mucgec", "dev.para"))}
    ids = shared("data", "chinese", "rankings", "mucgec_ids.txt").read_text().split()
    outputs = shared("data", "chinese", "rankings", f"{system}.mucgec.txt").read_text("utf-8").splitlines()
    corpus = segmented(Corpus(tuple(gold[i] for i in ids if i in gold)), Characters(marks=True))
    outputs = [output for i, output in zip(ids, outputs, strict=True) if i in gold]
    for folder, expected in ((lists(), with_lists), ("", without)):
        score = Cherrant(lists=folder).score(corpus, outputs)
        assert (score.tp, score.fp, score.fn) == expected


@pytest.mark.parametrize(("level", "expected"), [("char", (8, 19, 35, 0.2649)), ("word", (8, 19, 34, 0.2667))])
def test_the_toolkits_demo(level, expected):
    """Its two files have the signs of different sources, so they are compared as edits."""
    sides = [shared("golden", "cherrant", "demo", f"{side}.{level}.m2") for side in ("ref", "hyp")]
    gold, hypotheses = (list(iterate_m2(path)) for path in sides)
    system = System("hyp", ("",) * len(gold), tuple(s.annotations[0].edits for s in hypotheses))
    score = Cherrant().score(Corpus(tuple(gold)), system)
    assert (score.tp, score.fp, score.fn, round(score.score, 4)) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"behaviour": "official"}, (1084, 1635, 3003, 0.3622)),
        ({"behaviour": "official", "ties": "first"}, (1061, 1625, 2872, 0.3614)),
        ({"behaviour": "optimal"}, (1063, 1623, 2868, 0.3622)),
    ],
)
def test_mucgec_from_texts(options, expected):
    """Files to scores; of three published ways to take alternatives, the united ones are official."""
    folder = shared("data", "chinese", "mucgec")
    files = {"system": folder / "system.para"}
    corpus, (system,) = read_corpus_and_systems(GoldFiles(gold=folder / "dev.para"), files)
    score = Cherrant(lists=lists(), **options).score(corpus, system)
    assert (score.tp, score.fp, score.fn, round(score.score, 4)) == expected
    assert "|annotators:7|" in score.signature  # alternatives are no annotators


def test_an_edit_of_two_alternatives_counts_once_in_optimal():
    gold = Corpus.from_references(["年 ) 了"], [["年年年了"]])
    official, optimal = Cherrant().score(gold, ["年年年了"]), Cherrant(behaviour="optimal").score(gold, ["年年年了"])
    assert (official.score, optimal.score) == (1.0, 1.0)
    assert official.tp > optimal.tp
    half = Cherrant(behaviour="optimal").score(gold, ["年年)了"])
    assert half.fp == 0


M2 = """S 年 ) 了
T0-A0 年 年 年 了
A 1 2|||S|||年 年|||REQUIRED|||-NONE-|||0
T0-A1 年 年 年 了
A 0 0|||M|||年|||REQUIRED|||-NONE-|||0
A 1 2|||S|||年|||REQUIRED|||-NONE-|||0
T1 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||1
T2 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2
"""


def test_a_files_alternatives_are_read_from_its_heads():
    actual = alternatives_of(parse_block(M2.split("\n")))
    assert [len(alternative) for alternative in actual["0"].alternatives] == [1, 2]
    assert {a: target.kind for a, target in actual.items()} == {"0": "edits", "1": "not-annotatable", "2": "no-op"}
    columns = Cherrant(behaviour="optimal").prepare(Corpus((parse_block(M2.split("\n")),))).count(["年了"]).columns
    assert columns == ("0", "1", "2", "0-A1")


def test_who_cannot_annotate_counts_as_published():
    corpus = Corpus((parse_block(M2.split("\n")),))
    rows = dict(zip(("0", "1", "2"), Cherrant().prepare(corpus).count(["年了"]).rows[0].tolist(), strict=True))
    assert rows["1"][:3] == [0, 1, 1]  # one edit is missing for other annotators
    assert rows["2"][:3] == [0, 1, 0]
    alone = "\n".join(line for line in M2.split("\n") if line[:2] in ("S ", "T1") or line.endswith("|||1"))
    assert rounded(Cherrant().score(Corpus((parse_block(alone.split("\n")),)), ["年了"]))[:3] == (0, 0, 0)


def test_an_unchanged_traditional_sentence():
    """As an output it is put into simplified characters, as a reference it says that nothing is wrong."""
    gold = Corpus.from_references(["我 們 好"], [["我們好"]])
    assert rounded(Cherrant().score(gold, ["我們好"]))[:3] == (0, 1, 0)
    assert rounded(Cherrant(simplify=False).score(gold, ["我們好"]))[:3] == (0, 0, 0)
    assert rounded(Cherrant().score(gold, ["没有错误"]))[:3] == (0, 0, 0)


def small():
    sources = ["我 喜 换 你", "他 在 家 里", "我 们 去 学 校", "天 气 很 好", "她 是 老 师"]
    references = [
        ["我很喜欢你", "他在家里", "我们去学校。", "天气很好！", "她是老师"],
        ["我喜欢你", "他就在家里", "我们上学校", "天气很好", "她是个老师"],
    ]
    system = ["我很喜欢你", "他就在家里", "我们上学校。", "天气好", "她老师"]
    return Corpus.from_references(sources, references), system


@pytest.mark.parametrize("behaviour", ["official", "optimal"])
def test_counts_merge_and_weigh(behaviour):
    gold, system = small()
    metric = Cherrant(behaviour=behaviour)
    whole = metric.prepare(gold).count(system)
    parts = [metric.prepare(gold[a:b]).count(system[a:b], name="system") for a, b in ((3, 5), (0, 3))]
    together = merge(parts)
    assert metric.score_counts(together).to_dict() == metric.score_counts(whole).to_dict()
    ones = np.ones((1, len(whole)), dtype=np.int32)
    assert metric.score_many(whole, ones)[0] == metric.score_counts(whole).score
    twice = metric.score_many(whole, 2 * ones)[0]
    assert twice == metric.score_counts(whole.repeat(np.full(len(whole), 2))).score
    interval = confidence_interval(whole, metric=metric, resampling=Resampling(resamples=200))
    assert interval.low <= metric.score_counts(whole).score <= interval.high


def test_a_sentence_explained_and_judged():
    gold, system = small()
    scorer = Cherrant().prepare(gold)
    told = explain(scorer, system, 1)
    assert told.chosen == "annotator 0"
    assert [edit.verdict for edit in told.annotators[0].edits] == ["correct", "correct"]
    judged = scorer.judged_edits(System("system", tuple(system)))
    assert {edit.type for edits in judged[3].values() for edit in edits} == {"R", "M"}


def test_words_with_given_tags(tmp_path):
    pytest.importorskip("pypinyin")
    table = tmp_path / "tags.tsv"
    rows = [("他", "r"), ("喜换", "v"), ("书", "n"), None, ("他", "r"), ("喜欢", "v"), ("书", "n"), None]
    body = ["\t".join((w[0], "", w[1], w[0], "", "0")) if w else "" for w in rows]
    table.write_text("\n".join(["text\tpos\ttag\tlemma\tdep\thead", *body, ""]), encoding="utf-8")
    gold = Corpus.from_references(["他 喜换 书"], [["他 喜欢 书"]])
    metric = Cherrant(granularity="words", tagger=f"given:{table}")
    counts = metric.prepare(gold).count_types(System("s", ("他 喜欢 书",)), metric.prepare(gold).count(["他 喜欢 书"]))
    score = metric.score_counts(counts)
    assert list(score.types) == ["S:SPELL"]
    assert "|hypothesis_edits:cherrant(words-given-" in score.signature


def test_signature_names_whatever_had_a_say():
    gold, system = small()
    assert "|lists:none|readings:pypinyin-0.55.0|simplified:opencc-1.4.2|" in Cherrant().score(gold, system).signature
    edits = System("given", tuple(system), ((),) * 5)
    supplied = Corpus(tuple(replace(s, references=(), annotations=(Annotation("0"),)) for s in gold))
    assert "lists" not in Cherrant().score(supplied, edits).signature


def test_many_files_in_one_pass(tmp_path):
    gold, system = small()
    (tmp_path / "gold.para").write_text(
        "".join(f"{i}\t{''.join(s.tokens)}\t{s.references[0]}\t{s.references[1]}\n" for i, s in enumerate(gold)),
        encoding="utf-8",
    )
    (tmp_path / "system.txt").write_text("\n".join(system) + "\n", encoding="utf-8")
    (counts,) = count_files(
        GoldFiles(gold=tmp_path / "gold.para"),
        {"system": tmp_path / "system.txt"},
        [Cherrant()],
        CountRequest(types=True, edits=True),
    )
    assert counts.judged is not None
    assert counts.metric.score_counts(counts.counts).score == Cherrant().score(gold, system).score


def test_pairs_with_too_many_alternatives_say_so():
    anchors = "东西南北中上下左右前"
    gold = Corpus.from_references([" ".join("".join(f"年){a}" for a in anchors))], [["没有错误"]])
    output = "".join(f"年年年{a}" for a in anchors)
    for behaviour in ("official", "optimal"):
        assert Cherrant(behaviour=behaviour).score(gold, [output]).fallback_sentences == (1,)
    assert Cherrant(ties="first").score(gold, [output]).fallback_sentences == ()


def test_bad_input_is_one_line():
    gold = Corpus.from_references(["他 喜欢 书"], [["他喜欢书"]])
    with pytest.raises(InputError, match=r"sentence '1': expected characters as tokens .* got the word '喜欢'"):
        Cherrant().prepare(gold)
    with pytest.raises(OptionError, match="first_annotators: expected 0 or more, got -1"):
        Cherrant(first_annotators=-1)
    gold, system = small()
    with pytest.raises(InputError, match="expected a target text or 没有错误, got an empty one"):
        Cherrant().score(gold, ["", *system[1:]])
    with pytest.raises(InputError, match=r"nowhere: expected a folder with cilin\.txt"):
        Cherrant(lists="nowhere").score(gold, system)


@pytest.mark.parametrize("behaviour", ["official", "optimal"])
def test_the_page_shows_types_and_alternatives_of_the_system(behaviour):
    """A wrong edit may have a type that no reference has, and be judged by an alternative."""
    gold, system = small()
    more = Corpus.from_references(["年 ) 了"], [["年了"]])
    corpus = Corpus((*gold, *more))
    data = evaluate(corpus, [System("system", (*system, "年年年了"))], [Cherrant(behaviour=behaviour)])
    shown = explorer_data(data)
    of_sentences = [sentence["judged"][0][0] for sentence in shown["sentences"]]
    judged = [shown["types"][edit[4]] for _, edits in of_sentences for edit in edits]
    assert {"M", "R", "S"} <= set(judged)
    assert len(of_sentences) == 6
