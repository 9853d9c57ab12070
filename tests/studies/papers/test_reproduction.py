"""Five papers: each figure's verdict, and docs/reproduction.md, which must say what the command says."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from recte.output.tables import markdown_grid
from recte.studies.coverage.reference_coverage import coverage_of
from recte.studies.coverage.unseen_corrections import unseen_of_all
from recte.studies.papers import reproduce
from recte.studies.papers.command import PAPERS, chosen_tables, paper_data, paper_named
from recte.studies.papers.conservatism_2017 import NTHU, PAIRED, changes_of, pairs, stored_pairs
from recte.studies.papers.conservatism_2017_coverage import NOT_OPTIMAL, answers
from recte.studies.papers.data import SOURCES
from recte.studies.papers.paper_tables import to_markdown, verdict_table
from recte.studies.papers.result import VERDICTS, ByChance, FromRounded, compared
from shared_data import golden_json, shared

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "reproduction.md").read_text()
# In the order of VERDICTS: a change here must be a change for the better, or understood.
VERDICTS_NOW = {
    "maxmatch-2012": (25, 3, 0, 0, 4, 1, 24, 43),
    "imeasure-2015": (192, 9, 0, 0, 16, 1, 129, 18),
    "conservatism-2017": (82, 1, 44, 38, 10, 3, 7, 64),
    "reassessment-2018": (73, 6, 0, 5, 6, 0, 0, 13),
    "chinese-metrics-2022": (21, 4, 0, 0, 1, 1, 54, 33),
}
EXPLAINED = ("differs", "does not hold", "no data")
# What differs or does not hold, with nothing of the papers' own randomness in it: the papers' slips, or known limits.
DIFFERS = {
    "maxmatch-2012": {"theorem1: matching edits, official"},
    "imeasure-2015": {"table5: different counts, a counterexample"},
    "reassessment-2018": {
        "table2: GLEU, TrueSkill, r",
        "table2-released: GLEU, TrueSkill, r",
        "section3.3.1: GLEU, TrueSkill, r",
        "section3.3.1: M², TrueSkill, r",
        "table3: pairs, unexpanded, NoTies",
    },
    "chinese-metrics-2022": {"section5.2: best by Acc"},
}


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper(name):
    """Every figure has its verdict, what differs or lacks data a reason, and the page is what the command writes.

    If the page alone is not current: docs/papers.md says how to write it anew.
    """
    said: list[str] = []
    data = paper_data(shared("data"), said.append)
    if name.startswith("chinese") and find_spec("jieba") is None:
        pytest.skip("needs jieba, as the page was written with")
    results = [table.reproduce(paper.name, data) for paper, table in chosen_tables(name)]
    assert tuple(sum(r.verdicts[v] for r in results) for v in VERDICTS) == VERDICTS_NOW[name]
    assert all(f.why for r in results for f in r.figures if f.verdict in EXPLAINED)
    assert len(said) == len(set(said)), "heavy work is done once"
    if name in DIFFERS:
        assert {f"{r.name}: {f.name}" for r in results for f in r.figures if f.verdict in EXPLAINED[:2]} == DIFFERS[
            name
        ]
    (row,) = markdown_grid(verdict_table(results)).splitlines()[2:]
    assert row in PAGE
    for result in results:
        assert to_markdown(result) in PAGE, f"{name} {result.name} is not current in docs/reproduction.md"


def test_the_page_is_whole():
    tables = list(chosen_tables())
    assert re.findall(r"^### (.*)$", PAGE, re.MULTILINE) == [table.title for _, table in tables]
    drawn = [table.name for _, table in tables if table.draw is not None]
    assert len(re.findall(r"^!\[", PAGE, re.MULTILINE)) >= len(drawn)
    table = re.search(r"\| paper \|.*?\n\n", PAGE, re.DOTALL)
    assert table is not None
    rows = [[int(cell) for cell in line.split("|")[2:-1]] for line in table.group().strip().splitlines()[2:]]
    assert [sum(column) for column in zip(*rows[:-1], strict=True)] == rows[-1]


@pytest.mark.parametrize("name", PAPERS)
def test_without_data_it_says_what_is_needed_and_goes_on(name):
    results = reproduce(name)
    assert [r.name for r in results] == [table.name for table in paper_named(name).tables]
    needy = {table.name: table.needs for table in paper_named(name).tables if table.needs}
    for result in results:
        figures = [f for f in result.figures if f.verdict == "no data"]
        assert all(f.why for f in figures)
        if result.name in needy:
            assert figures == list(result.figures)
            assert any(SOURCES[folder] in figures[0].why for folder in needy[result.name])


def test_a_part_of_the_data_is_enough_for_a_part_of_the_tables(tmp_path):
    (tmp_path / "unseen").symlink_to(shared("data", "unseen"))
    (table1,) = reproduce("conservatism-2017", "table1", data=tmp_path)
    assert {f.verdict for f in table1.figures} == {"exact"}
    (answers,) = reproduce("conservatism-2017", "table1-answers", data=tmp_path)
    assert {f.verdict for f in answers.figures} == {"no data"}


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        ("0.691", 0.6914, "exact"),
        ("0.691", 0.6915, "exact"),
        ("0.691", 0.69151, "within rounding"),
        ("0.691", 0.6901, "within rounding"),
        ("0.691", 0.6899, "differs"),
        ("-0.250", -0.2494, "within rounding"),
        ("44", 44, "exact"),
        ("44", 45, "differs"),
        ("1", 0.9999, "differs"),
        ("1", 1.0000000026, "exact"),
        ("< 0.10", 0.0999, "holds"),
        ("< 0.10", 0.10, "does not hold"),
        ("> 0", -1, "does not hold"),
        ("这种", "这种", "exact"),
        ("这种", "这", "differs"),
        ("14.31", FromRounded(14.297, 14.281, 14.313), "within rounding"),
        ("14.33", FromRounded(14.297, 14.281, 14.313), "differs"),
        ("0.313", ByChance(0.3130, 0.001), "within chance"),
        ("0.313", ByChance(0.3133, 0.0), "differs"),
        ("0.313", ByChance(0.3159, 0.001), "within chance"),
        ("0.313", ByChance(0.3161, 0.001), "differs"),
        ("0.5", None, "no data"),
        (None, 3, "not printed"),
    ],
)
def test_verdicts(published, ours, verdict):
    figure = compared("name", published, ours, "a reason")
    assert figure.verdict == verdict
    assert figure.why == ("a reason" if verdict in EXPLAINED else "")
    numbers = (
        isinstance(ours, (int, float, FromRounded, ByChance)) and published is not None and published[0] not in "<>"
    )
    assert (figure.difference is not None) == numbers


@pytest.mark.parametrize(("published", "ours", "verdict"), [("2", 2, "holds"), ("2", 1, "does not hold")])
def test_a_claim_in_words_holds_or_not(published, ours, verdict):
    figure = compared("name", published, ours, "a reason", claim=True)
    assert (figure.verdict, figure.difference) == (verdict, None)


def test_other_data_is_never_called_right():
    """UMC's P of Table 10 would be near by accident: the sentences are not the paper's."""
    data = paper_data(shared("data"))
    for name in ("table10", "table11", "table11-significance"):
        ((paper, table),) = chosen_tables("imeasure-2015", name)
        assert {f.verdict for f in table.reproduce(paper.name, data).figures if f.published} == {"no data"}


def test_the_709_sentences_nearest_to_the_papers_711():
    from recte import read_m2
    from recte.studies.papers.imeasure_2015 import can_be_clustered

    gold = read_m2(shared("data", "conll14", "gold-with-alternatives.m2"))
    assert sum(map(can_be_clustered, gold)) == 709


@pytest.mark.parametrize("match", ["exact", "index"])
def test_figure_2_is_as_the_authors_sampled_it(match):
    """The reason given for figure2-released: both runs that were stored are what their program's chance allows, the
    earlier one within two standard deviations everywhere, the released one within three but for one reference.
    """
    from recte.studies.papers.conservatism_2017_coverage import (
        SHOWN,
        all_different_coverage,
        histograms,
        independent_coverage,
    )

    of, stored = histograms(paper_data(shared("data")), match), golden_json("coverage/fig2_coverage.json")[match]
    runs = independent_coverage(of, SHOWN, 12)
    deviation = runs.std(axis=0, ddof=1)
    for drawn, means in (("with", runs.mean(axis=0)), ("without", all_different_coverage(of, SHOWN, seed=0))):
        for place, m in enumerate(SHOWN):
            apart = {
                run: abs(values[m] - means[place]) / deviation[place]
                for run, values in stored[f"stored_{drawn}"].items()
                if m < len(values)
            }
            assert apart["trial1"] < (4 if m == 1 else 3)
            assert apart.get("trial0", 0) < 2


def test_the_sampler_is_the_authors():
    """Beside a slow twin: draws one after another, each by its own probability."""
    import numpy as np

    from recte.studies.coverage.unseen_corrections import Distribution
    from recte.studies.papers.conservatism_2017_coverage import all_different_coverage, independent_coverage

    distribution = Distribution((0.05, 0.1, 0.3), (2.5, 2.75, 2.0))
    frequencies, shares = [0.05] * 3 + [0.1] * 3 + [0.3] * 2, [1, 1, 0.5, 1, 1, 0.75, 1, 1]
    generator = np.random.default_rng(1)
    for different in (False, True):
        for references in (1, 3):
            slow = np.mean([one_run(frequencies, shares, references, different, generator) for _ in range(6000)])
            if different:
                fast = all_different_coverage([distribution] * 8, [references], seed=3)[0]
            else:
                fast = independent_coverage([distribution], [references], 30).mean()
            assert fast == pytest.approx(slow, abs=0.012)


def one_run(frequencies, shares, references, different, generator):
    """One repetition: what is drawn again covers nothing; it is a reference only where references may be the same."""
    sampled, covered, seen = 0.0, 0.0, set()
    chances = np_chances(frequencies, set())
    while sampled < references and covered < 1 - 1e-9:
        chosen = int(generator.choice(len(frequencies), p=chances))
        if chosen not in seen:
            covered += min(shares[chosen], references - sampled) * frequencies[chosen]
        if different:
            chances = np_chances(frequencies, seen)  # one draw late: what was just drawn is still in
        if not different or chosen not in seen:
            sampled += shares[chosen]
        seen.add(chosen)
    return covered


def np_chances(frequencies, out):
    import numpy as np

    kept = np.array([0.0 if place in out else x for place, x in enumerate(frequencies)])
    return kept / kept.sum()


def test_figure_1_is_as_stored_sentence_by_sentence():
    """Words changed and ρ of all 17,280 sentence pairs of the systems, computed from the texts."""
    import numpy as np

    data = paper_data(shared("data"))
    for name in PAIRED:
        if name != "gold":
            stored, did = stored_pairs(data, name), changes_of(data, name)
            assert did.word_changes.tolist() == [int(row[2]) for row in stored]
            rho = np.array([float(row[4] or "nan") for row in stored])
            assert np.allclose(rho, did.rho, rtol=0, atol=1e-9, equal_nan=True)


def test_two_released_histograms_are_not_optimal():
    """The reason given for table1-fingerprints: by their own objective, ours are as good in 46 sentences, and better in
    the two that are named.
    """
    golden = golden_json("coverage/unseenest_exact_golden.json")
    better = {
        row["name"]: row["obj_published"] - found.objective
        for row, found in zip(golden, unseen_of_all([row["f"] for row in golden]), strict=True)
    }
    assert len(better) == 48
    assert sorted(name for name, by in better.items() if by > 1e-3) == sorted(NOT_OPTIMAL)
    assert min(better.values()) > -1e-3


def test_the_48_sentences_that_were_kept_do_not_explain_table_1():
    """What table1-answers says: the paper's sentences alone are as far from its figures as all 52 are, or farther."""
    data = paper_data(shared("data"))
    names = {path.name.partition("_")[0] for path in data.paths("unseen", "*_exact_input_hist.txt", 48)}
    firsts = {re.sub(r"[^A-Za-z]", "", sentence.source)[:6]: sentence for sentence in answers(data)}
    kept = coverage_of([firsts[name] for name in sorted(names)], resamples=0).thresholds[0].variants
    every = coverage_of(answers(data), resamples=0).thresholds[0].variants
    assert abs(kept - 1351.24) > abs(every - 1351.24) > 5


def test_nthus_figure_1_is_of_the_shared_tasks_file():
    """What the notes of Figure 1 say: with the authors' file, words changed and split sentences are not as released."""
    data = paper_data(shared("data"))
    did = changes_of(data, NTHU)
    assert float(did.word_changes.mean()) == pytest.approx(0.6674, abs=5e-5)
    assert {pair.kind for pair in pairs(data, NTHU)} == {"kept"}
    folder = shared("data")
    theirs, ours = (
        (folder / place).read_text().splitlines()
        for place in ("conservatism/NTHU.output.txt", "conll14/systems/NTHU.txt")
    )
    assert sum(a != b for a, b in zip(theirs, ours, strict=True)) == 8


def test_figures_on_other_data_have_no_verdict():
    """The reference's figures are of other pairs than the paper's: one that is the same by accident is not exact."""
    data = paper_data(shared("data"))
    ((paper, table),) = chosen_tables("conservatism-2017", "figure1-cuts")
    figures = {figure.name: figure for figure in table.reproduce(paper.name, data).figures}
    assert figures["gold, concatenated"].published == str(figures["gold, concatenated"].ours) == "30"
    assert {figures[f"gold, {kind}"].verdict for kind in ("split", "concatenated")} == {"no data"}
    assert figures["AMU, split"].verdict == "exact"
