"""ERRANT's comparison: 2,000 golden cases, every golden table, and the rules that have names of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from oracles import errant_compare as twin
from recte import Annotation, Corpus, Edit, InputError, MaxMatch, Sentence, System
from recte.cli import main
from recte.corpus.count_merging import merge
from recte.errors import OptionError
from recte.evaluation.evaluation import evaluate
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
from recte.evaluation.scoring import score as score_files
from recte.formats.m2 import format_sentence, read_m2
from recte.metrics.errant import Errant
from recte.metrics.pt_errant import PtErrant
from recte.output.page.explorer import explorer_data
from shared_data import golden, golden_lines, golden_rows, opened, shared

MATCHING = {"cs": "correction", "cse": "correction-and-type", "ds": "span", "dt": "token"}
TYPES_BY = {1: "operation", 2: "category", 3: "type"}
SUBSETS = {
    "all": {},
    "single": {"edit_width": "single"},
    "multi": {"edit_width": "multi"},
    "no-orth-spell": {"without_types": "R:ORTH,R:SPELL"},
    "no-punct-other": {"without_types": "M:PUNCT,R:PUNCT,U:PUNCT,M:OTHER,R:OTHER,U:OTHER"},
}
SYSTEMS = ("AMU", "CUUI", "IITB", "INPUT", "IPN", "POST", "SJTU", "UMC")


def flags_of(words):
    """The published command line's flags."""
    actual, words = {}, list(words)
    while words:
        flag = words.pop(0).lstrip("-")
        values = []
        while words and not words[0].startswith("-"):
            values.append(words.pop(0))
        if flag in MATCHING:
            actual["mode"] = flag
        elif flag == "b":
            actual["beta"] = float(values[0])
        elif flag == "cat":
            actual["tier"] = int(values[0])
        elif flag == "filt":
            actual["filtered"] = tuple(values)
        else:
            actual[flag] = True
    return twin.Flags(**actual)


def metric_of(flags, **options):
    return Errant(
        matching=MATCHING[flags.mode],
        beta=flags.beta,
        edit_width="single" if flags.single else "multi" if flags.multi else "all",
        without_types=",".join(flags.filtered),
        types_by=TYPES_BY[flags.tier or 3],
        **options,
    )


def annotations(block):
    """The annotators of a raw block in the order of its lines; a no-op is no edit."""
    return tuple(
        Annotation(annotator, tuple(Edit(s, e, (text,), type_) for s, e, type_, text in edits if type_ != "noop"))
        for annotator, edits in block.items()
    )


def compared(hypothesis, reference, metric):
    """The score with types of two raw M2 texts, and the pair chosen for each sentence."""
    tokens = ("w",) * 20
    gold = Corpus(tuple(Sentence("", tokens, annotations(b), id=str(i)) for i, b in enumerate(twin.read(reference))))
    of_system = tuple(annotations(block) for block in twin.read(hypothesis))
    system = System("hypothesis", ("",) * len(of_system), tuple(a[0].edits for a in of_system), of_system)
    scorer = metric.prepare(gold)
    counts = scorer.count_types(system, scorer.count(system))
    columns = [counts.columns[c] for c in metric.chosen_columns(counts)]
    chosen = [c.split(":") if ":" in c else [a[0].annotator, c] for c, a in zip(columns, of_system, strict=True)]
    return metric.score_counts(counts), chosen


def figures(score):
    return [score.tp, score.fp, score.fn, *(round(x, 4) for x in (score.precision, score.recall, score.score))]


def type_figures(types):
    return [
        [
            name,
            f["found"],
            f["proposed"] - f["found"],
            f["gold"] - f["found"],
            *(round(f[x], 4) for x in ("precision", "recall", "score")),
        ]
        for name, f in types.items()
    ]


def test_golden_cases():
    both = 0
    for case in golden_lines("errant/compare-random.jsonl.gz"):
        flags = flags_of(case["flags"])
        told = twin.compare(case["hyp"], case["ref"], flags)
        assert list(told[:6]) == case["result"]
        assert [[*map(int, pair)] for pair in told.chosen] == case["chosen"]
        assert [[name, *row] for name, row in told.categories.items()] == case["categories"]
        if flags.single and flags.multi:  # ours is one choice of three; both together leave nothing
            both += 1
            continue
        score, chosen = compared(case["hyp"], case["ref"], metric_of(flags))
        assert figures(score) == case["result"]
        assert type_figures(score.types) == case["categories"]
        assert [[*map(int, pair)] for pair in chosen] == case["chosen"]
    assert both < 100


def test_golden_cases_read_from_files(tmp_path):
    """Annotators keep the order of their first lines, by which full ties are broken; numbers would sort them."""
    hypothesis, reference = tmp_path / "mine.m2", tmp_path / "gold.m2"
    read = unsorted = 0
    for case in golden_lines("errant/compare-random.jsonl.gz"):
        flags = flags_of(case["flags"])
        if flags.single and flags.multi:
            continue
        hypothesis.write_text(case["hyp"], encoding="utf-8")
        reference.write_text(case["ref"], encoding="utf-8")
        try:
            corpus, mine = read_m2(reference), tuple(s.annotations for s in read_m2(hypothesis))
        except InputError:  # a no-op with an edit, say
            continue
        system = System("mine", ("",) * len(mine), tuple(a[0].edits for a in mine), mine)
        metric = metric_of(flags)
        scorer = metric.prepare(corpus)
        counts = scorer.count_types(system, scorer.count(system))
        score = metric.score_counts(counts)
        assert figures(score) == case["result"]
        assert type_figures(score.types) == case["categories"]
        listed = [a.annotator for s in corpus for a in s.annotations]
        unsorted += listed != [a for s in corpus for a in sorted(a.annotator for a in s.annotations)]
        read += 1
    assert read > 500
    assert unsorted > 50


def test_the_order_of_annotators_changes_neither_columns_nor_the_hash(tmp_path):
    lines = ["A 0 1|||R:X|||x|||REQUIRED|||-NONE-|||0", "A 1 2|||R:Y|||y|||REQUIRED|||-NONE-|||1"]
    scores = []
    for number, order in enumerate((lines, lines[::-1])):
        path = tmp_path / f"{number}.m2"
        path.write_text("\n".join(["S a b", *order]) + "\n", encoding="utf-8")
        corpus = read_m2(path)
        scorer = Errant().prepare(corpus)
        counts = scorer.count_types(System("s", ("a b",)), scorer.count(["a b"]))
        assert counts.columns == corpus.annotators == ("0", "1")
        scores.append((corpus.fingerprint, counts.data, list(Errant().score_counts(counts).types)))
    assert scores[0][:2] == scores[1][:2]
    assert [types for *_, types in scores] == [["R:X"], ["R:Y"]]


def golden_m2(name):
    return read_m2(golden(f"errant/conll14/{name}.m2.gz"))


def as_system(corpus):
    return System(corpus.name, tuple("" for _ in corpus), tuple(s.annotations[0].edits for s in corpus))


@pytest.fixture(scope="module")
def systems():
    return {name: as_system(golden_m2(name)) for name in SYSTEMS}


@pytest.fixture(scope="module")
def references():
    return {name: golden_m2(name) for name in ("references", "gold-spans", "gold-auto")}


@pytest.mark.parametrize("reference", ["references", "gold-spans", "gold-auto"])
def test_golden_systems(systems, references, reference):
    scorers, counted = {}, {}
    for row in golden_rows("errant/compare-systems.tsv"):
        if row["reference"] != reference:
            continue
        metric = Errant(matching=MATCHING[row["mode"]], beta=float(row["beta"]), **SUBSETS[row["subset"]])
        how = (row["mode"], row["subset"])
        if how not in scorers:
            scorers[how] = metric.prepare(references[reference])
        if (row["system"], how) not in counted:
            counted[row["system"], how] = scorers[how].count(systems[row["system"]])
        score = metric.score_counts(counted[row["system"], how])
        assert figures(score) == [int(row[x]) for x in ("tp", "fp", "fn")] + [float(row[x]) for x in "prf"], row


def test_golden_categories(systems, references):
    tables = {}
    for row in golden_rows("errant/compare-categories.tsv.gz"):
        key = (row["reference"], row["mode"], row["system"], int(row["tier"]))
        cells = [row["category"], *(int(row[x]) for x in ("tp", "fp", "fn")), *(float(row[x]) for x in "prf")]
        tables.setdefault(key, []).append(cells)
    scorers, counted = {}, {}
    for (reference, mode, system, tier), wanted in tables.items():
        metric = Errant(matching=MATCHING[mode], types_by=TYPES_BY[tier])
        key = (reference, mode, system)
        if key not in counted:
            if key[:2] not in scorers:
                scorers[key[:2]] = metric.prepare(references[reference])
            scorer = scorers[key[:2]]
            counted[key] = scorer.count_types(systems[system], scorer.count(systems[system]))
        assert type_figures(metric.score_counts(counted[key]).types) == wanted


def test_golden_sentences(systems, references):
    tables = {}
    for row in golden_rows("errant/compare-sentences.tsv.gz"):
        cells = (int(row["sent"]), row["chosen"], *(int(row[x]) for x in ("tp", "fp", "fn")))
        tables.setdefault((row["system"], row["mode"]), []).append(cells)
    for (system, mode), wanted in tables.items():
        metric = Errant(matching=MATCHING[mode])
        counts = metric.prepare(references["references"]).count(systems[system])
        got = [
            (e["sentence"] - 1, e["chosen"], e["tp"], e["proposed"] - e["tp"], e["gold"] - e["tp"])
            for e in metric.sentence_entries(counts)
        ]
        assert got == wanted


@pytest.mark.parametrize("gold", ["gold.m2", "gold-with-alternatives.m2"])
def test_golden_official_gold(systems, gold):
    corpus = read_m2(shared(f"data/conll14/{gold}"))
    for row in golden_rows("errant/compare-official-gold.tsv"):
        if row["reference"] == gold:
            score = Errant(matching=MATCHING[row["mode"]]).score(corpus, systems[row["system"]])
            assert figures(score) == [int(row[x]) for x in ("tp", "fp", "fn")] + [float(row[x]) for x in "prf"], row


def test_golden_jfleg():
    system = as_system(read_m2(golden("errant/jfleg/dev.ref0-as-hypothesis.m2.gz")))
    corpus = read_m2(golden("errant/jfleg/dev.ref1-ref2-ref3.m2.gz"))
    for row in golden_rows("errant/jfleg/dev.compare.tsv"):
        metric = Errant(matching=MATCHING[row["mode"]], beta=float(row["beta"]), **SUBSETS[row["subset"]])
        wanted = [int(row[x]) for x in ("tp", "fp", "fn")] + [float(row[x]) for x in "prf"]
        assert figures(metric.score(corpus, system)) == wanted, row
    entries = Errant().prepare(corpus).score(system, sentences=True).sentences
    assert [e["chosen"] for e in entries] == [row["chosen"] for row in golden_rows("errant/jfleg/dev.chosen.tsv")]


def small(*annotators, hypothesis):
    """One sentence of six words: references and a hypothesis as edits."""
    gold = Corpus(
        (Sentence("a b c d e f", annotations=tuple(Annotation(str(i), a) for i, a in enumerate(annotators))),)
    )
    return gold, System("mine", ("",), (hypothesis,))


A, B = Edit(1, 2, ("x",), "R:NOUN"), Edit(3, 3, ("y",), "M:DET")


def test_published_duplicates_are_free_when_right_and_cost_when_wrong():
    gold, system = small((A, A), hypothesis=(A, B, B))
    assert figures(Errant().score(gold, system))[:3] == [2, 2, 0]
    assert figures(Errant(behaviour="optimal").score(gold, system))[:3] == [1, 2, 1]
    assert figures(Errant(behaviour="gec-metrics").score(gold, system))[:3] == [1, 2, 0]


def test_gec_metrics_judges_every_edit_under_its_own_type():
    other = Edit(1, 2, ("x",), "R:VERB")
    gold, system = small((A,), hypothesis=(other, other))
    metric = Errant(behaviour="gec-metrics")
    scorer = metric.prepare(gold)
    types = metric.score_counts(scorer.count_types(system, scorer.count(system))).types
    assert {name: (f["correct"], f["proposed"]) for name, f in types.items()} == {"R:VERB": (2, 2)}


def test_the_optimal_choice_is_best_for_the_whole_corpus():
    system = as_system(read_m2(golden("errant/jfleg/dev.ref0-as-hypothesis.m2.gz")))
    corpus = read_m2(golden("errant/jfleg/dev.ref1-ref2-ref3.m2.gz"))
    official, optimal = (
        Errant().prepare(corpus).count(system),
        Errant(behaviour="optimal").prepare(corpus).count(system),
    )
    best = Errant(behaviour="optimal")
    chosen = best.chosen_columns(replace(official, options=best.options()))
    published = official.rows[np.arange(len(official)), chosen, :3].sum(axis=0).tolist()
    assert published == [1369, 1369 + 1334, 1369 + 1107]
    # One insertion stands twice in the hypothesis and once in the references: published as free, here as wrong.
    assert figures(best.score_counts(optimal))[:3] == [1369, 1335, 1107]


def test_macro_is_the_mean_over_types():
    gold, system = small((A, B), hypothesis=(A,))
    scorer = Errant(average="macro").prepare(gold)
    score = scorer.score(system)
    assert (score.score, score.precision, score.recall) == (0.5, 1.0, 0.5)
    with pytest.raises(OptionError, match="average: expected counts with error types"):
        Errant(average="macro").score_counts(Errant().prepare(gold).count(system))


def test_resamples_choose_again_by_the_same_rule(systems, references):
    metric = Errant()
    counts = metric.prepare(references["references"]).count(systems["AMU"])
    weights = np.random.default_rng(1).multinomial(len(counts), np.ones(len(counts)) / len(counts), size=3)
    many = metric.score_many(counts, np.concatenate([np.ones((1, len(counts)), dtype=np.int64), weights]))
    alone = [metric.score_counts(counts), *(metric.score_counts(counts.repeat(row)) for row in weights)]
    assert many.tolist() == [score.score for score in alone]


def test_counts_of_parts_merge(systems, references):
    metric, gold, system = Errant(), references["references"], systems["CUUI"]
    parts = [metric.prepare(gold[a:b]).count(system[a:b]) for a, b in ((700, 1312), (0, 700))]
    assert figures(metric.score_counts(merge(parts))) == figures(metric.score(gold, system))


def test_verdicts_and_explanation():
    gold, system = small((A,), (B, Edit(5, 6, ("z",), "R:VERB")), hypothesis=(A, Edit(4, 5, ("w",), "R:VERB")))
    scorer = Errant().prepare(gold)
    judged = scorer.judged_edits(system)[0]
    assert [(e.verdict, e.start, e.type) for e in judged["0"]] == [("correct", 1, "R:NOUN"), ("spurious", 4, "R:VERB")]
    assert [e.verdict for e in judged["1"]] == ["spurious", "missed", "spurious", "missed"]
    explanation = scorer.explain(system, 1)
    assert explanation.chosen == "annotator 0"
    assert [view.tp for view in explanation.annotators] == [1, 0]


@pytest.mark.parametrize("matching", ["span", "token"])
def test_what_was_marked_but_not_corrected_can_be_detected(matching):
    unknown = Edit(1, 2, ("b",), "UNK")
    gold, system = small((unknown,), hypothesis=(A,))
    assert figures(Errant().score(gold, system))[:3] == [0, 1, 0]
    assert figures(Errant(matching=matching).score(gold, system))[:3] == [1, 0, 0]


def test_texts_on_both_sides_from_given_annotations(tmp_path):
    rows = ["text\tpos\ttag\tlemma\tdep\thead"]
    for sentence in ("He go", "He goes", "He went"):
        verb = sentence.split()[1]
        tag = {"go": "VBP", "goes": "VBZ", "went": "VBD"}[verb]
        rows += ["He\tPRON\tPRP\the\tnsubj\t1", f"{verb}\tVERB\t{tag}\tgo\tROOT\t1", ""]
    path = tmp_path / "tokens.tsv"
    path.write_text("\n".join(rows))
    score = score_files(
        ["He go"], ["He goes"], [["He went"], ["He goes"]], metric=Errant(annotator=f"given:{path}"), sentences=True
    )
    assert figures(score) == [1, 0, 0, 1.0, 1.0, 1.0]
    assert score.sentences[0]["chosen"] == "1"
    assert "hypothesis_edits:errant+en+given-" in score.signature


def test_a_reference_that_differs_in_spaces_alone_is_no_annotator_as_published(tmp_path):
    path = tmp_path / "tokens.tsv"
    path.write_text("text\tpos\ttag\tlemma\tdep\thead\n")
    gold = Corpus.from_references(["a b"], [["a b"], ["a  b"]])
    for behaviour, wanted in (("official", ("0",)), ("optimal", ("0", "1"))):
        counts = Errant(behaviour=behaviour, annotator=f"given:{path}").prepare(gold).count(["a b"])
        assert counts.columns == wanted


def test_maxmatch_takes_errants_edits(references):
    tokens = golden("errant/conll14-tokens.tsv.gz")
    texts = shared("data/conll14/systems/AMU.txt").read_text(encoding="utf-8").splitlines()
    options = {"behaviour": "optimal", "annotator": f"given:{tokens}"}
    theirs = Errant(**options).prepare(references["references"]).count(texts)
    scorer = MaxMatch(**options, extraction="errant").prepare(references["references"])
    ours = scorer.count(texts)
    assert ours.rows.tolist() == theirs.rows[:, :, :3].tolist()
    assert "edits:errant+en+given-" in scorer.metric.signature(ours)
    judged = scorer.judged_edits(texts)
    assert sum(e.verdict == "correct" for of in judged for e in of["0"]) == ours.rows[:, 0, 0].clip(0).sum()
    with pytest.raises(OptionError, match="mix: expected extraction maxmatch or word-diff, got errant"):
        MaxMatch(mix=True, extraction="errant")


def test_references_become_errants_edits_for_maxmatch():
    tokens = golden("errant/conll14-tokens.tsv.gz")
    folder = shared("data/conll14")
    sources, *others = (
        (folder / name).read_text(encoding="utf-8").splitlines()
        for name in ("source.txt", "references/ref0.txt", "references/ref1.txt")
    )
    gold = Corpus.from_references(sources, others)
    scorer = MaxMatch(reference_edits="errant", annotator=f"given:{tokens}").prepare(gold)
    with opened(golden("errant/conll14/references.m2.gz")) as stream:
        assert "".join(line for s in scorer.gold_sentences() for line in format_sentence(s)) == stream.read()


def test_a_report_shows_types_and_pairs_that_the_gold_lacks(tmp_path):
    line = "A 1 2|||{}|||{}|||REQUIRED|||-NONE-|||{}\n"
    (tmp_path / "gold.m2").write_text("S He go .\n" + line.format("SVA", "went", 0))
    (tmp_path / "mine.m2").write_text(
        "S He go .\n" + line.format("R:VERB", "goes", 0) + line.format("R:OTHER", "gone", 1)
    )
    corpus, systems = read_corpus_and_systems(GoldFiles(gold=tmp_path / "gold.m2"), {"mine": tmp_path / "mine.m2"})
    data = explorer_data(evaluate(corpus, systems, [Errant()]))
    assert data["types"] == ["", "R:VERB", "SVA"]
    assert data["annotators"] == ["0", "0:0"]
    assert [verdict for verdict, *_ in data["sentences"][0]["judged"][0][0][1]] == [1, 2]


@pytest.mark.parametrize(("gold_edits", "f"), [("given", 31.99), ("retyped", 32.11), ("extracted", 32.05)])
def test_the_edits_that_the_gold_has_move_amu_on_conll14_and_stand_in_the_signature(gold_edits, f):
    folder = shared("data/conll14")
    score = score_files(folder / "gold.m2", folder / "systems/AMU.txt", metric=Errant(gold_edits=gold_edits))
    assert round(100 * score.score, 2) == f
    parts = score.signature.split("|")
    made = "given" if gold_edits == "given" else "errant+en+builtin-en-2"
    assert f"reference_edits:{made}" in parts
    assert (f"gold_edits:{gold_edits}" in parts) == (gold_edits != "given")


def test_tables_of_another_language_name_it():
    assert [Errant(language=name).heading for name in ("en", "universal")] == ["ERRANT", "ERRANT (universal)"]
    assert [PtErrant(language=name).heading for name in ("en", "multigec")] == ["PT-ERRANT", "PT-ERRANT (multigec)"]


def test_comparisons_and_explanations_of_another_language_name_it(tmp_path, capsys):
    for name, text in (("source", "Ich gehe .\n"), ("reference", "Er gehe .\n"), ("mine", "Er gehe !\n")):
        (tmp_path / f"{name}.txt").write_text(text * 6)
    texts = ["-s", str(tmp_path / "source.txt"), "-r", str(tmp_path / "reference.txt")]
    files = [*texts, "-m", "errant", "--language", "multigec", "-q"]
    mine, source = str(tmp_path / "mine.txt"), str(tmp_path / "source.txt")
    assert main(["compare", *files, "--sentences", "1", "-i", mine, source]) == 0
    printed = capsys.readouterr().out
    assert "ERRANT (multigec): row minus column" in printed
    assert "ERRANT (multigec): pairs" in printed
    assert "ERRANT (multigec): where mine and source differ most" in printed
    assert main(["explain", *files, "-n", "1", "-i", mine]) == 0
    assert capsys.readouterr().out.startswith("Sentence 1 · mine · ERRANT (multigec)\n")
    assert main(["report", *files, "-i", mine, "-o", str(tmp_path / "page.html")]) == 0
    assert "<h3>ERRANT (multigec): all figures" in (tmp_path / "page.html").read_text()
