"""Tables that go straight into a paper, a spreadsheet or a program: each format is read back by a program."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import recte
from latex_table import compile_latex, compiler, read_latex
from recte import OptionError
from recte.cli import main
from recte.output.tables import Table, to_csv, to_latex, to_markdown
from recte.output.terminal import laid_out, terminal_width, to_text
from recte.statistics.comparison import holm

GOLD = ("gold.m2", "systems/heron.txt", "systems/magpie.txt", "systems/wren.txt")
METRICS = ("-m", "m2", "errant", "gleu", "imeasure")
QUICK = ("--trials", "200", "--resamples", "50")
HOSTILE = r"[a] & b_c %$#{}\~^|<x>"


def printed(capsys, *arguments: str, code: int = 0) -> str:
    assert main(["score", *arguments, *QUICK]) == code
    return capsys.readouterr().out


def loaded(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True))
    assert all(None not in row and None not in row.values() for row in rows)  # as many cells as headers, everywhere
    return rows


def figures(capsys, *arguments: str) -> dict[tuple[str, str], dict]:
    scores = json.loads(printed(capsys, *arguments, "-f", "json"))["scores"]
    return {(score["system"], score["metric"]): score for score in scores if "subset" not in score}


def pipe_rows(text: str) -> list[list[str]]:
    """The cells of a Markdown table, its ruler left out."""
    lines = [line for line in text.split("\n") if line.startswith("| ")]
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    assert all(set(cell) <= set("-:") for cell in rows[1])
    assert len({len(row) for row in rows}) == 1
    return [rows[0], *rows[2:]]


def test_one_table_as_csv(sample, capsys):
    known = figures(capsys, *GOLD, *METRICS, "--no-ci")
    rows = loaded(printed(capsys, *GOLD, *METRICS, "--one-table", "-f", "csv"))
    assert [row["system"] for row in rows] == ["heron", "magpie", "wren", "do-nothing"]
    assert list(rows[0]) == [
        *("system", "m2 P", "m2 R", "m2 F0.5"),
        *("errant P", "errant R", "errant F0.5", "gleu GLEU", "imeasure I"),
    ]
    for row in rows[:3]:
        score = known[row["system"], "errant"]
        assert float(row["errant P"]) == round(100 * score["precision"], 2)
        assert float(row["imeasure I"]) == round(100 * known[row["system"], "imeasure"]["score"], 2)
    assert rows[3]["m2 F0.5"] == ""
    assert float(rows[3]["gleu GLEU"]) > 0


def test_intervals_and_tests_have_columns_of_their_own_in_csv(sample, capsys):
    rows = loaded(printed(capsys, *GOLD, "--one-table", "-f", "csv", "--ci", "bca", "--baseline", "wren"))
    assert list(rows[0])[4:] == ["m2 low", "m2 high", "m2 p", "m2 against wren"]
    assert [row["m2 against wren"] for row in rows] == ["better", "worse", ""]
    assert float(rows[0]["m2 low"]) < float(rows[0]["m2 F0.5"]) < float(rows[0]["m2 high"])
    rows = loaded(printed(capsys, *GOLD, "-f", "csv", "--baseline", "wren"))
    assert [row["against wren"] for row in rows] == ["better", "worse", ""]


def test_csv_is_one_table_whatever_was_asked(sample, capsys):
    asked = ("--labels", "labels.tsv", "--by", "level", "--baseline", "wren")
    words = (*GOLD, *METRICS, "--by-type", "--gold-edits", "retyped")
    known = figures(capsys, *words)
    rows = loaded(printed(capsys, *words, *asked, "-f", "csv", "-q"))
    of = {(row["system"], row["metric"], row["part"], row["type"]): row for row in rows}
    assert len(of) == len(rows)
    for (system, metric), score in known.items():
        row = of[system, metric, "", ""]
        for key in ("low", "high"):
            assert row[key] == f"{100 * score['interval'][key]:.2f}"
        assert row["score"] == f"{100 * score['score']:.2f}"
    interval = known["heron", "errant"]["types"]["R:PREP"]["interval"]
    assert of["heron", "errant", "", "R:PREP"]["low"] == f"{100 * interval['low']:.2f}"
    assert of["heron", "imeasure", "level=B1", ""]["P"]
    assert of["heron", "gleu", "", ""]["TP"] == ""
    by_sentence = loaded(printed(capsys, *GOLD, "-m", "m2", "gleu", "-sl", "-f", "csv", "-q"))
    assert list(by_sentence[0]) == ["system", "metric", "sentence", "score"]
    assert len(by_sentence) == 2 * 3 * known["heron", "m2"]["sentence_count"] + known["heron", "m2"]["sentence_count"]


def test_one_table_as_latex(sample, capsys, tmp_path):
    text = printed(capsys, *GOLD, *METRICS, "--one-table", "-f", "latex", "--baseline", "wren", "--sort", "score")
    groups, (headers, *rows), notes = read_latex(text)
    assert groups == [("", 1), ("MaxMatch (M²)", 3), ("ERRANT", 3), ("", 1), ("I-measure", 1)]
    assert headers == ["system", "P", "R", "F0.5", "P", "R", "F0.5", "GLEU", "I"]
    assert [row[0] for row in rows] == ["heron", "wren", "magpie", "do-nothing"]
    assert rows[0][3] == "*81.30*†"
    assert [row[6] for row in rows] == ["*75.70*†", "58.66", "0.00‡", "–"]
    assert "† better, ‡ worse than wren: p < 0.05 by paired bootstrap, by the normal distribution, 200 trials" in notes
    assert "The best score of each metric is in bold." in notes
    assert "m2|behaviour:official|" in notes
    assert not [line for line in text.split("\n")[1:] if line.startswith("%")]  # printed, no comment
    if compiler():
        compile_latex(text, tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        (*GOLD, "--by-type", "-m", "m2", "errant"),
        (*GOLD, "-sl"),
        (*GOLD, "-m", "hoo", "green", "cleme", "cleme2", "goto", "bleu", "char-meaning", "sentence-accuracy"),
        ("-i", *GOLD, "--labels", "labels.tsv", "--by", "level", "--one-table", "--ci", "percentile"),
    ],
)
def test_every_latex_table_can_be_read(arguments, sample, capsys, tmp_path):
    for text in printed(capsys, *arguments, "-f", "latex", "-q").split("\n\n"):
        headers, *rows = read_latex(text)[1]
        assert headers
        assert rows
        if compiler():
            compile_latex(text, tmp_path)


def test_chosen_columns(sample, capsys):
    known = figures(capsys, *GOLD, *METRICS, "hoo", "--no-ci")
    chosen = ("--columns", "m2:P,F", "imeasure:DWAcc,WAcc,I,DF0.5", "hoo:dp,RR,CF")
    asked = (*GOLD, "-m", "m2", "imeasure", "hoo", "gleu", *chosen)
    groups, (headers, *rows), _ = read_latex(
        printed(capsys, *asked, "--one-table", "-f", "latex", "--baseline", "wren")
    )
    assert [span for _, span in groups] == [1, 2, 4, 3, 1]
    assert headers == ["system", "P", "F0.5", "DWAcc", "WAcc", "I", "DF0.5", "DP", "RR", "CF1", "GLEU"]
    for row in rows[:3]:
        detection = known[row[0], "imeasure"]["detection"]
        hoo = known[row[0], "hoo"]
        assert row[3] == f"{100 * detection['wacc']:.2f}"
        assert row[6] == f"{100 * detection['f']:.2f}"
        assert [row[7], row[8]] == [
            f"{100 * hoo[c][k]:.2f}" for c, k in (("detection", "precision"), ("recognition", "recall"))
        ]
        assert row[9].strip("*†‡") == f"{100 * hoo['score']:.2f}"
    assert rows[0][5].startswith("*")
    assert rows[1][5].startswith("−")
    csv_rows = loaded(printed(capsys, *GOLD, "-m", "m2", "imeasure", "hoo", *chosen, "--no-ci", "-f", "csv"))
    assert list(csv_rows[0]) == ["system", "metric", "score", "P", "DWAcc", "WAcc", "DF0.5", "DP", "RR"]
    text = printed(capsys, *GOLD, "--columns", "TP,R", "--no-ci")
    assert text.splitlines()[1].split() == ["system", "TP", "R"]
    for wrong, said in {
        "m2:Q": "--columns: expected a column of m2 (TP, FP, FN, P, R, F0.5), got 'Q'",
        "glue:P": "--columns: expected one of m2, got 'glue'",
    }.items():
        assert main(["score", *GOLD, "--columns", wrong]) == 2
        assert said in capsys.readouterr().err


def test_a_caption_makes_a_float_and_notes_can_be_left_out(sample, capsys, tmp_path):
    text = printed(capsys, *GOLD, *METRICS, "--one-table", "-f", "latex", "--caption", "Scores_1 & more", "--no-notes")
    assert text.splitlines()[1] == r"\begin{table}"
    assert r"\caption{Scores\_1 \& more}" in text
    assert read_latex(text)[2] == ""
    assert "version:" not in text
    if compiler():
        compile_latex(text, tmp_path)
    assert printed(capsys, *GOLD, "--caption", "Mine", "--no-notes").splitlines()[0] == "Mine"
    assert main(["score", *GOLD, "-m", "m2", "gleu", "--caption", "x"]) == 2
    assert "--caption: expected one table, got 2; --one-table makes one" in capsys.readouterr().err


def test_a_wide_table_is_shrunk_in_latex_and_a_narrow_one_is_not(tmp_path):
    narrow = Table("t", ("system", "P", "R"), (("a", "-1.00", "2.00"),))
    wide = Table("t", ("system", *("P", "R", "F0.5") * 5), (("a system", *(["-12.34"] * 15)),))
    assert r"\resizebox" not in to_latex(narrow)
    assert r"$-$1.00" in to_latex(narrow)
    assert r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}" in to_latex(wide)
    if compiler():
        compile_latex(to_latex(wide), tmp_path, document="[twocolumn]{article}")
        log = (tmp_path / "table.log").read_text()
        assert "Overfull" not in log


def test_one_table_as_markdown(sample, capsys):
    text = printed(capsys, *GOLD, "-m", "m2", "gleu", "--one-table", "-f", "markdown", "--baseline", "heron")
    headers, *rows = pipe_rows(text)
    assert headers == ["system", *(f"MaxMatch (M²) {c}" for c in ("P", "R", "F0.5")), "GLEU"]
    assert rows[0] == ["heron", "81.63", "80.00", "**81.30**", "**79.83**"]
    assert rows[1][3] == "6.19‡"
    assert [row[0] for row in rows] == ["heron", "magpie", "wren", "do-nothing"]


def test_names_are_text_in_every_format(tmp_path):
    table = Table(HOSTILE, ("system", HOSTILE), ((HOSTILE, "1.00"), ("*b", "2.00")), (HOSTILE,), marks={(1, 1): "†"})
    groups, (headers, *rows), notes = read_latex(to_latex(table))
    assert (groups, headers, notes) == ([], ["system", HOSTILE], HOSTILE)
    assert rows == [[HOSTILE, "1.00"], ["*b", "2.00†"]]
    if compiler():
        compile_latex(to_latex(table), tmp_path)
    assert loaded(to_csv(table))[0] == {"system": HOSTILE, HOSTILE: "1.00"}
    assert len(pipe_rows(to_markdown(table))[0]) == 2
    assert "2.00†" in to_text(table)


@pytest.mark.parametrize(("format", "delimiter"), [("tidy", ","), ("tidy-tsv", "\t")])
def test_tidy_holds_every_figure_in_full(format, delimiter, sample, capsys):
    known = figures(capsys, *GOLD, *METRICS)
    rows = loaded(printed(capsys, *GOLD, *METRICS, "-f", format), delimiter)
    assert list(rows[0]) == ["system", "metric", "figure", "value", "low", "high", "signature"]
    actual = {(row["system"], row["metric"], row["figure"]): row for row in rows}
    assert len(actual) == len(rows)
    for (system, metric), score in known.items():
        row = actual[system, metric, "score"]
        interval = score["interval"]
        assert [float(row[key]) for key in ("value", "low", "high")] == [
            score["score"],
            interval["low"],
            interval["high"],
        ]
        assert row["signature"] == score["signature"]
    assert float(actual["wren", "m2", "recall"]["value"]) == known["wren", "m2"]["recall"]
    assert int(actual["wren", "m2", "annotators.1.tp"]["value"]) == known["wren", "m2"]["annotators"]["1"]["tp"]
    assert sum(1 for row in rows if row["signature"]) == len({(row["system"], row["metric"]) for row in rows})
    assert (
        float(actual["wren", "imeasure", "correction.wacc"]["value"]) == known["wren", "imeasure"]["correction"]["wacc"]
    )


def test_tidy_is_one_table_whatever_was_asked(sample, capsys):
    asked = ("--by-type", "-sl", "--labels", "labels.tsv", "--by", "level", "--baseline", "wren", "--one-table")
    known = figures(capsys, *GOLD, "-m", "m2", "gleu", "--by-type", "-sl")
    rows = loaded(printed(capsys, *GOLD, "-m", "m2", "gleu", *asked, "-f", "tidy"))
    assert list(rows[0])[7:] == ["part", "type", "sentence"]

    def value(system: str, metric: str, figure: str, **where: str) -> float:
        wanted = {"part": "", "type": "", "sentence": "", "system": system, "metric": metric, "figure": figure, **where}
        (row,) = (row for row in rows if all(row[key] == text for key, text in wanted.items()))
        return float(row["value"])

    m2 = known["heron", "m2"]
    assert value("heron", "m2", "score") == m2["score"]
    assert value("heron", "m2", "recall", type="Tense") == m2["types"]["Tense"]["recall"]
    assert value("heron", "m2", "score", sentence="7") == m2["sentences"][6]["score"]
    assert 0 < value("heron", "gleu", "score", part="level=B1") < 1
    assert value("heron", "m2", "difference.wren") == pytest.approx(m2["score"] - known["wren", "m2"]["score"])
    assert value("heron", "m2", "p.wren") < 0.05


def test_conventions_are_figures_too(sample, capsys):
    spelling = ("-s", "s", "-r", "r", "-i", "o", "-m", "csc", "--names", "=x")
    for name, text in {
        "s": "我今天很高心\n天气很好\n",
        "r": "我今天很高兴\n天气很好\n",
        "o": "我今天很高兴\n天汽很好\n",
    }.items():
        (sample / name).write_text(text)
    rows = loaded(printed(capsys, *spelling, "--conventions", "-f", "tidy", "-q"))
    figure = next(row for row in rows if row["figure"] == "conventions.sighan.correction.precision")
    assert (figure["system"], float(figure["value"])) == ("'=x", 0.5)
    assert not [row for row in loaded(printed(capsys, *spelling, "-f", "tidy", "-q")) if "conventions" in row["figure"]]
    assert "detection F1  correction P" in printed(capsys, *spelling, "--one-table", "-q")


def test_types_by_systems_in_one_table(sample, capsys):
    words = (*GOLD, "-m", "errant", "--gold-edits", "retyped", "--by-type", "--no-ci")
    known = figures(capsys, *words)
    rows = loaded(printed(capsys, *words, "-f", "csv"))
    assert list(rows[0])[:4] == ["system", "metric", "type", "score"]
    of_heron = [row for row in rows if row["system"] == "heron" and row["type"]]
    assert {row["type"] for row in of_heron} == known["heron", "errant"]["types"].keys()
    for row in of_heron:
        types = known["heron", "errant"]["types"][row["type"]]
        assert int(row["gold"]) == types["gold"]
        assert row["R"] == (f"{100 * types['recall']:.2f}" if types["gold"] else "")  # of nothing there is no share
        assert row["P"] == (f"{100 * types['precision']:.2f}" if types["proposed"] else "")
    (whole,) = (row for row in rows if row["system"] == "wren" and not row["type"])
    assert whole["P"] == f"{100 * known['wren', 'errant']['precision']:.2f}"
    headers, *table = read_latex(printed(capsys, *words, "-f", "latex").split("\n\n")[1])[1]
    assert headers == ["type", "gold", *(("P", "R", "F0.5") * 3)]
    for row in table[:-1]:  # one column: from the fewest edits of the type to the most
        golds = [
            known[system, "errant"]["types"].get(row[0], {"gold": 0})["gold"] for system in ("heron", "magpie", "wren")
        ]
        assert row[1] == "–".join(map(str, dict.fromkeys((min(golds), max(golds)))))
    assert table[-1][0] == "all"
    assert "gold: the edits of the annotators that were chosen for each system" in printed(capsys, *words)


def test_two_lists_of_types_show_recall_alone_in_every_format(sample, capsys):
    words = (*GOLD, "-m", "errant", "--by-type", "--no-ci")
    for score in figures(capsys, *words).values():
        assert score["two_type_lists"]
        for figure in score["types"].values():
            assert figure["gold"]
            assert [figure[key] for key in ("proposed", "correct", "precision", "score")] == [None] * 4
    text = printed(capsys, *words)
    assert "gold and system name types by different lists" in text
    for name in ("csv", "markdown", "latex"):
        types = [
            line
            for line in printed(capsys, *words, "-f", name).splitlines()
            if "recall alone" in line or "found" in line
        ]
        assert "F0.5" not in "".join(types)
    tidy = [row for row in loaded(printed(capsys, *words, "-f", "tidy", "-q")) if row["type"]]
    has_value = {row["figure"]: bool(row["value"]) for row in tidy}
    assert [name for name, filled in has_value.items() if filled] == ["gold", "found", "recall"]
    with pytest.raises(OptionError, match="average: expected types of one list for macro, got two"):
        recte.score(str(sample / "gold.m2"), str(sample / "systems" / "wren.txt"), metric="errant", average="macro")


def test_a_typed_system_has_f_by_type_and_a_word_on_its_totals(sample, capsys):
    gold = (sample / "gold.m2").read_text()
    first = re.sub(r"^A .*\|\|\|1\n", "", gold, flags=re.MULTILINE)  # one annotator's edits, as a system's own
    (sample / "mine.m2").write_text(re.sub(r"\|Tense\|\|\|[^|]+", "|Verb form|||wrong", first))
    known = figures(capsys, "gold.m2", "mine.m2", "--by-type", "--no-ci")["mine", "m2"]["types"]
    verb = known["Verb form"]
    assert verb["precision"] < 1 == verb["recall"]
    assert verb["score"] == pytest.approx(1.25 * verb["precision"] / (0.25 * verb["precision"] + 1))
    assert known["Tense"]["score"] is None
    text = printed(capsys, "gold.m2", "mine.m2", "--by-type", "--no-ci")
    assert re.search(r"^type +gold +found +R +proposed +correct +P +F0.5$", text, re.MULTILINE)
    assert "mine: by type P is of the edits that the system itself gave" in text
    assert "mine: types count edits" not in text
    weighed = printed(capsys, "gold.m2", "mine.m2", "--by-type", "--no-ci", "--edit-weights", "length")
    assert "mine: types count edits, the row all has what the metric makes of them" in weighed


def test_rows_are_sorted(sample, capsys):
    def order(*arguments: str) -> list[str]:
        return [row["system"] for row in loaded(printed(capsys, *GOLD, "--no-ci", "-f", "csv", *arguments))]

    assert order() == ["heron", "magpie", "wren"]
    assert order("--sort", "score") == ["heron", "wren", "magpie"]
    assert order("--sort", "m2:R") == ["heron", "wren", "magpie"]
    assert order("--sort", "m2:fp") == ["magpie", "heron", "wren"]
    assert order("--sort", "name", "--names", "b", "c", "a") == ["a", "b", "c"]
    assert order("--sort", "gleu", "-m", "m2", "gleu", "--one-table") == ["heron", "wren", "do-nothing", "magpie"]
    assert main(["score", *GOLD, "--sort", "bleu"]) == 2
    assert "--sort: expected one of name, score, m2, got 'bleu'" in capsys.readouterr().err
    assert main(["score", *GOLD, "--sort", "m2:Q"]) == 2
    assert "expected a column of m2 (TP, FP, FN, P, R, F0.5), got 'Q'" in capsys.readouterr().err


def test_parts_stay_behind_their_system(sample, capsys):
    asked = ("--labels", "labels.tsv", "--by", "level", "--sort", "score", "--one-table", "-m", "m2", "gleu")
    names = [row["system"] for row in loaded(printed(capsys, *GOLD, *asked, "-f", "csv"))]
    assert names[:5] == ["heron", "heron [level=B1]", "heron [level=B2]", "heron [level=C1]", "wren"]


def test_daggers_say_what_compare_says(sample, capsys):
    assert main(["compare", *GOLD, "-m", "m2", "gleu", "--baseline", "do-nothing", "-f", "json", *QUICK]) == 0
    known = json.loads(capsys.readouterr().out)["comparisons"]
    document = json.loads(printed(capsys, *GOLD, "-m", "m2", "gleu", "--baseline", "do-nothing", "-f", "json"))
    assert document["comparisons"] == known
    out = printed(capsys, *GOLD, "-m", "m2", "gleu", "--baseline", "do-nothing", "--one-table")
    for comparison in known:
        for pair in comparison["pairs"]:
            place = 3 if comparison["metric"] == "m2" else 4
            cell = next(line.split()[place] for line in out.split("\n") if line.startswith(pair["first"]))
            sign = ("†" if pair["difference"] > 0 else "‡") if pair["significant"] else ""
            assert cell.lstrip("0123456789.") == sign
    assert main(["score", *GOLD, "--baseline", "crane"]) == 2
    assert "baseline: expected one of heron, magpie, wren, got 'crane'" in capsys.readouterr().err


def test_sentences_are_no_rows_of_one_table(sample, capsys):
    assert main(["score", *GOLD, "--one-table", "-sl"]) == 2
    assert "--one-table: expected scores of systems" in capsys.readouterr().err


def test_scores_below_a_limit_fail(sample, capsys):
    arguments = ["score", *GOLD[:2], "-m", "m2", "gleu", "-q", "-b", "--fail-under"]
    assert main([*arguments, "m2=80", "gleu=79.5"]) == 0
    assert main([*arguments, "m2=81.4", "gleu=79.9"]) == 1
    captured = capsys.readouterr()
    assert captured.out.split() == ["81.30", "79.83"] * 2  # printed all the same
    assert captured.err.splitlines() == [
        "recte: heron: m2 81.3 is below 81.4",
        "recte: heron: gleu 79.83 is below 79.9",
    ]
    assert main(["score", *GOLD[:2], "--fail-under", "80", "-b"]) == 0
    for wrong, said in {
        "80": "expected a metric before the number, as in m2=80, got '80'",
        "m2=x": "expected METRIC=NUMBER such as m2=35.0, got 'm2=x'",
        "bleu=1": "expected one of gleu, m2, got 'bleu'",
    }.items():
        assert main([*arguments, wrong]) == 2
        assert said in capsys.readouterr().err


def test_limits_that_took_the_files_say_so(sample, capsys):
    assert main(["score", "--fail-under", "m2=35", *GOLD]) == 2
    assert "--fail-under takes all words behind it, got the file 'gold.m2'" in capsys.readouterr().err


def test_one_table_of_counts_files(sample, capsys):
    for metric in ("m2", "gleu"):
        assert main(["count", *GOLD[:2], "-m", metric, "-o", f"{metric}.counts", "-q"]) == 0
    out = printed(capsys, "m2.counts", "gleu.counts", "--one-table", "-f", "csv")
    assert loaded(out) == [
        {"system": "heron", "m2 P": "81.63", "m2 R": "80.00", "m2 F0.5": "81.30", "gleu GLEU": "79.83"}
    ]
    assert printed(capsys, "m2.counts", "gleu.counts", "--one-table").startswith("Scores\n")


def test_doing_nothing_fails_no_limit(sample, capsys):
    assert main(["score", *GOLD[:2], "-m", "gleu", "--fail-under", "gleu=50"]) == 0
    assert "do-nothing" in capsys.readouterr().out


def widest(table: Table, width: int) -> int:
    lines = [*laid_out(table, width, ruled=True)][1 : -len(table.notes) - 1 or None]
    return max(terminal_width("".join(piece.text for piece in line).rstrip()) for line in lines)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_table_wider_than_the_terminal_goes_on_below(width):
    headers = ("system", *("P", "R", "F0.5") * 9)
    rows = tuple((f"系统 {r}", *(f"{r}{c:02}.25" for c in range(27))) for r in range(3))
    table = Table("t", headers, rows, ("note",), groups=(("", 1), *((f"metric {m}", 3) for m in range(9))))
    assert widest(table, width) <= width
    text = "\n".join("".join(piece.text for piece in line) for line in laid_out(table, width))
    assert all(text.count(cell) == 1 for row in rows for cell in row[1:])
    assert all(f"metric {m}" in text for m in range(9))
    flat = Table("t", headers, rows)
    assert widest(flat, width) <= width


def test_words_are_broken_in_a_terminal_and_not_in_a_pipe():
    table = Table("t", ("name", "F", "what"), (("a", "1.0", "word " * 40),), words=1)
    assert widest(table, 80) <= 80
    assert len(to_text(table).split("\n")) == 3


LABELS = ("--labels", "labels.tsv")


def test_values_of_a_label_are_columns(sample, capsys):
    asked = (*GOLD, *LABELS, "--by", "level", "--no-ci")
    known = {
        (score["system"], score["subset"]["level"]): score
        for score in json.loads(printed(capsys, *asked, "-f", "json"))["scores"]
        if "subset" in score
    }
    groups, (headers, *rows), _ = read_latex(printed(capsys, *asked, "-f", "latex").split("\n\n")[1])
    sizes = {level: score["sentence_count"] for (_, level), score in known.items()}
    assert groups == [("", 1), *((f"{level} ({size})", 3) for level, size in sizes.items())]
    assert headers == ["system", *(("P", "R", "F0.5") * 3)]
    for row in rows:
        for place, level in enumerate(sizes):
            score = known[row[0], level]
            shown = [f"{100 * score[key]:.2f}" for key in ("precision", "recall", "score")]
            assert [cell.strip("*") for cell in row[1 + 3 * place : 4 + 3 * place]] == shown


def test_two_labels_make_a_part_of_each_combination(sample, capsys):
    document = json.loads(printed(capsys, *GOLD, *LABELS, "--by", "level", "topic", "-f", "json", "--no-ci"))
    parts = [score for score in document["scores"] if "subset" in score and score["system"] == "heron"]
    assert {tuple(part["subset"]) for part in parts} == {("level", "topic")}
    assert sum(part["sentence_count"] for part in parts) == document["scores"][0]["sentence_count"]


def test_differences_in_parts_and_types_are_corrected_together(sample, capsys):
    asked = (
        *GOLD,
        "-m",
        "errant",
        "--gold-edits",
        "retyped",
        "--by-type",
        *LABELS,
        "--by",
        "level",
        "--baseline",
        "wren",
    )
    document = json.loads(printed(capsys, *asked, "-f", "json", "-q"))
    for tests in (
        [pair for part in document["part_comparisons"] for pair in part["pairs"]],
        document["type_comparisons"],
    ):
        assert [test["p_holm"] for test in tests] == pytest.approx(holm([test["p"] for test in tests]))
    assert len(document["part_comparisons"]) == 3
    known = figures(capsys, *asked[:9], "--no-ci")
    types = {system: known[system, "errant"]["types"] for system in ("heron", "wren")}
    for test in document["type_comparisons"]:
        if test["system"] == "heron":
            expected = types["heron"][test["type"]]["score"] - types["wren"][test["type"]]["score"]
            assert test["difference"] == pytest.approx(expected)
    text = printed(capsys, *asked, "-q")
    assert "corrected by Holm over 3 parts" in text
    assert f"corrected by Holm over {len(document['type_comparisons'])} tests of systems and types" in text


def test_an_unchanged_system_has_the_row_of_doing_nothing(sample, capsys):
    Path("systems/source.txt").write_text("\n".join(sentence.text for sentence in recte.read_m2("gold.m2")) + "\n")
    assert "do-nothing" in printed(capsys, *GOLD, "-m", "gleu")
    with_source = printed(capsys, *GOLD, "systems/source.txt", "-m", "gleu")
    assert "source " in with_source
    assert "do-nothing" not in with_source


def cut_in_sets(*systems):
    """The sample in two sets, each with a gold and outputs of its own."""
    blocks = Path("gold.m2").read_text().strip().split("\n\n")
    half = len(blocks) // 2
    for name, part in (("A", slice(0, half)), ("B", slice(half, None))):
        Path(f"gold.{name}.m2").write_text("\n\n".join(blocks[part]) + "\n\n")
        for system in systems:
            lines = Path(f"systems/{system}.txt").read_text().splitlines()
            Path(f"{system}.{name}.txt").write_text("\n".join(lines[part]) + "\n")


def test_several_golds_in_one_run(sample, capsys):
    cut_in_sets("heron", "wren")
    asked = ("-m", "m2", "imeasure", "-f", "json")
    document = json.loads(printed(capsys, "gold.{}.m2", "heron.{}.txt", "wren.{}.txt", "--each", "A", "B", *asked))
    scores = {(s["system"], s["metric"], s.get("subset", {}).get("set")): s for s in document["scores"]}
    whole = figures(capsys, "gold.m2", "systems/heron.txt", "systems/wren.txt", "-m", "m2", "imeasure")
    for (system, metric), score in whole.items():
        assert scores[system, metric, None]["score"] == pytest.approx(score["score"], abs=1e-12)
        alone = [
            figures(capsys, f"gold.{name}.m2", f"{system}.{name}.txt", "--names", system, "-m", metric)[system, metric]
            for name in "AB"
        ]
        for name, of_set in zip("AB", alone, strict=True):
            assert scores[system, metric, name]["score"] == of_set["score"]
        macro = scores[system, metric, "macro average"]
        assert macro["score"] == pytest.approx(sum(of_set["score"] for of_set in alone) / 2)
        below = [of_set["score"] - of_set["interval"]["low"] for of_set in alone]
        expected = macro["score"] - (below[0] ** 2 + below[1] ** 2) ** 0.5 / 2
        assert macro["interval"]["low"] == pytest.approx(expected, abs=0.02)
    text = printed(capsys, "gold.{}.m2", "heron.{}.txt", "wren.{}.txt", "--each", "A", "B")
    assert "macro average (40)" in text


def test_every_file_of_several_golds_has_a_place_for_the_set(sample, capsys):
    cut_in_sets("heron")
    assert main(["score", "gold.{}.m2", "heron.A.txt", "--each", "A", "B"]) == 2
    assert "--each: expected {} in the name of every file, got 'heron.A.txt'" in capsys.readouterr().err
