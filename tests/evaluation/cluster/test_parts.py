"""Parts counted one after the other, without a cluster: the same digits however the corpus is cut."""

from __future__ import annotations

import gzip
import warnings
from dataclasses import replace

import numpy as np
import pytest

import recte
from cluster.part_files import write_parts
from recte.errors import InputError, OptionError
from recte.evaluation import counting
from recte.evaluation.cluster.corpus_parts import Part, pair_parts
from recte.evaluation.cluster.counting_run import CountingRun
from recte.evaluation.cluster.engines import SerialEngine
from recte.evaluation.cluster.part_counting import CountingJob, count_part
from recte.evaluation.cluster.scoring_run import ScoringRun
from recte.evaluation.counting import CountRequest, SystemCounts, count_files
from recte.evaluation.inputs import GoldFiles
from recte.evaluation.plausibility.finding import WARNING
from recte.evaluation.scoring import score_counts
from recte.metrics import metric_class
from recte.statistics import drawing

pytest.importorskip("fsspec", reason="needs the extra cluster")
CUTS = [[0], [0, 1], [0, 30], [0, 7, 8, 29, 50], list(range(0, 60, 5))]
METRICS = (
    "m2",
    "gleu",
    "imeasure",
    "errant",
    "bleu",
    "green",
    "goto",
    "char-meaning",
)  # goto looks at all systems at once
SYSTEMS = ("one", "two")


class ThreeWorkers(SerialEngine):
    """Work is cut as for three, and done by one."""

    workers = 3


class Recording(SerialEngine):
    """Remembers what it was asked to do."""

    def __init__(self):
        self.seen = set()

    def submit(self, function, *arguments):
        self.seen.add(function.__name__)
        return super().submit(function, *arguments)


def run(folder, metric, **options):
    job = CountingJob(tuple(metric_class(name)() for name in ([metric] if isinstance(metric, str) else metric)))
    gold = GoldFiles(gold=str(folder / "gold"))
    systems = {name: str(folder / name) for name in SYSTEMS}
    engine = options.pop("engine", SerialEngine())
    return CountingRun(engine, pair_parts(gold, systems), options.pop("job", job), **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Every system by every metric, from one file each."""
    folder = tmp_path_factory.mktemp("whole")
    write_parts(folder, [0])
    gold = GoldFiles(gold=folder / "gold" / "part-00.m2")
    systems = {name: folder / name / "part-00.txt" for name in SYSTEMS}
    return count_files(gold, systems, [metric_class(name)() for name in METRICS], CountRequest(do_nothing="can-win"))


@pytest.mark.parametrize("cuts", CUTS, ids=len)
def test_the_same_digits_however_the_corpus_is_cut(cuts, whole, tmp_path, monkeypatch):
    write_parts(tmp_path, cuts)
    job = CountingJob(tuple(dict.fromkeys(item.metric for item in whole)), CountRequest(do_nothing="can-win"))
    actual = run(tmp_path, METRICS, job=job).counts()
    assert [item.counts for item in actual.counted] == [item.counts for item in whole]
    for poisson_from in (100_000, 10):
        monkeypatch.setattr(drawing, "POISSON_FROM", poisson_from)
        for resampling in (None, recte.Resampling(resamples=130)):
            expected = [score for item in whole for score in score_counts(item, resampling=resampling)]
            assert [s for item in actual.counted for s in score_counts(item, resampling=resampling)] == expected
            scored = ScoringRun(run(tmp_path, METRICS, job=job, engine=ThreeWorkers()), resampling).scores()
            assert [score for _, score in scored.scores] == expected


def test_sums_are_enough_for_one_reference(tmp_path, monkeypatch):
    write_parts(tmp_path, [0, 13, 40])
    monkeypatch.setattr(drawing, "POISSON_FROM", 10)
    gold = GoldFiles(source=str(tmp_path / "source"), references=(str(tmp_path / "reference"),))
    how = recte.Resampling(resamples=70)
    for metric in ("gleu", "m2", "imeasure", "bleu"):
        counts = recte.cluster.count(gold, [str(tmp_path / "one")], metric=metric)["one"]
        chosen = metric_class(metric)()
        assert chosen.tally_rule(1) is not None
        expected = score_counts(SystemCounts(chosen, counts), resampling=how)[0]
        engine = Recording()
        actual = recte.cluster.score(gold, [str(tmp_path / "one")], metric=metric, resampling=how, client=engine)
        assert actual["one"] == expected
        assert "rows_of" not in engine.seen
        assert ("add_tallies" in engine.seen) != chosen.tally_rule(1).in_order
    assert recte.Gleu().tally_rule(2) is None
    assert recte.MaxMatch(behaviour="optimal").tally_rule(2) is None


def test_totals_beyond_32_bits_go_on(whole):
    """What came before is more than a row of counts can hold."""
    counts = whole[0].counts
    rule = recte.MaxMatch().tally_rule(2)
    before = replace(rule.tally(counts, None, None), chosen=np.array([3 * 10**9, 5 * 10**9, 7 * 10**9]))
    after = rule.tally(replace(counts, index=counts.index + 60), None, before).chosen
    totals = [3 * 10**9, 5 * 10**9, 7 * 10**9]
    for row in counts.rows.tolist():
        there = [[a + b for a, b in zip(totals, cells, strict=True)] for cells in row if cells[0] >= 0]
        totals = max(there, key=lambda t: (1.25 * t[0] / (0.25 * t[2] + t[1]), t[0], -(0.25 * t[2] + t[1])))
    assert after.tolist() == totals


def test_one_machine_knows_all_annotators_in_every_chunk(whole, tmp_path, monkeypatch):
    write_parts(tmp_path, [0])
    monkeypatch.setattr(counting, "CHUNK", 1)
    gold = GoldFiles(gold=tmp_path / "gold" / "part-00.m2")
    systems = {name: tmp_path / name / "part-00.txt" for name in SYSTEMS}
    chunked = count_files(gold, systems, [metric_class(name)() for name in METRICS], CountRequest(do_nothing="can-win"))
    assert [item.counts for item in chunked] == [item.counts for item in whole]
    corpus = recte.read_m2(gold.gold)
    texts = recte.read_system(systems["one"]).outputs
    pieces = [recte.Gleu().prepare(corpus[i : i + 1]).count([texts[i]], name="one") for i in range(len(corpus))]
    assert recte.merge(pieces) == recte.Gleu().prepare(corpus).count(texts, name="one")


def test_sources_with_references_and_labels_in_parts(tmp_path):
    write_parts(tmp_path, [0, 13, 40])
    for number, size in enumerate((13, 27, 20)):
        table = tmp_path / "labels" / f"part-{number}.tsv"
        table.parent.mkdir(exist_ok=True)
        table.write_text("document\n" + "".join(f"{number}-{i // 5}\n" for i in range(size)))
    gold = GoldFiles(
        source=str(tmp_path / "source"), references=(str(tmp_path / "reference"),), labels=str(tmp_path / "labels")
    )
    counts = recte.cluster.count(gold, {"one": f"{tmp_path}/one/part-*.txt"}, metric="gleu", orders=2)["one"]
    assert len(counts) == 60
    assert counts.options["orders"] == 2
    assert counts.labels["document"][-1] == "2-3"
    assert counts.index.tolist() == list(range(60))


def test_compressed_parts_and_addresses(tmp_path):
    write_parts(tmp_path, [0, 20])
    plain = recte.cluster.count(f"{tmp_path}/gold", [f"{tmp_path}/one"])["one"]
    for path in [*tmp_path.glob("gold/*"), *tmp_path.glob("one/*")]:
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert recte.cluster.count(f"{tmp_path}/gold", [f"{tmp_path}/one"])["one"] == plain
    assert recte.cluster.count(f"file://{tmp_path}/gold", [f"file://{tmp_path}/one/part-*"])["one"] == plain


def test_a_folder_of_tables(tmp_path):
    write_parts(tmp_path, [0, 20])
    gold = GoldFiles(source=str(tmp_path / "source"), references=(str(tmp_path / "reference"),))
    texts = recte.cluster.count(gold, [str(tmp_path / "one")])["one"]
    pyarrow = pytest.importorskip("pyarrow", reason="needs the extra arrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra arrow")
    for number in range(2):
        lines = {
            name: (tmp_path / name / f"part-{number:02}.txt").read_text().splitlines()
            for name in ("source", "reference", "one")
        }
        for folder, columns in (
            ("gold-table", {"source": lines["source"], "references": [[text] for text in lines["reference"]]}),
            ("one-table", {"output": lines["one"]}),
        ):
            path = tmp_path / folder / f"part-{number:02}.parquet"
            path.parent.mkdir(exist_ok=True)
            parquet.write_table(pyarrow.table(columns), path)
    tables = recte.cluster.count(str(tmp_path / "gold-table"), {"one": str(tmp_path / "one-table")})["one"]
    assert tables.rows.tolist() == texts.rows.tolist()
    assert tables.index.tolist() == texts.index.tolist()


def test_parts_pair_by_name(tmp_path):
    write_parts(tmp_path, list(range(0, 60, 5)))
    parts = pair_parts(GoldFiles(gold=f"{tmp_path}/gold"), {"one": f"{tmp_path}/one/*.txt"})
    assert [part.systems["one"][-6:-4] for part in parts] == [f"{n:02}" for n in range(12)]
    (tmp_path / "one" / "_SUCCESS").touch()
    (tmp_path / "one" / ".hidden").touch()
    assert len(pair_parts(GoldFiles(gold=f"{tmp_path}/gold"), {"one": f"{tmp_path}/one"})) == 12
    for number in range(12):
        (tmp_path / "two" / f"part-{number:02}.txt").rename(tmp_path / "two" / f"part-{number}.txt")
    with pytest.raises(InputError, match=r"two: expected numbers of one width.*got part-10\.txt for part-02\.m2"):
        pair_parts(GoldFiles(gold=f"{tmp_path}/gold"), {"two": f"{tmp_path}/two"})
    (tmp_path / "one" / "part-11.txt").unlink()
    with pytest.raises(InputError, match=r"one: expected 12 parts, as many as .*gold has, got 11$"):
        pair_parts(GoldFiles(gold=f"{tmp_path}/gold"), {"one": f"{tmp_path}/one"})
    with pytest.raises(InputError, match="no such file"):
        pair_parts(GoldFiles(gold=f"{tmp_path}/nothing"), {})
    with pytest.raises(InputError, match="expected files, got none"):
        pair_parts(GoldFiles(gold=f"{tmp_path}/gold/*.xml"), {})
    with pytest.raises(OptionError, match="got standard input"):
        pair_parts(GoldFiles(gold=f"{tmp_path}/gold"), {"stdin": "-"})


def test_parts_of_other_numbers_are_a_warning(tmp_path):
    """One part is missing here, another one there: the rest pairs wrongly."""
    write_parts(tmp_path, [0, 20, 40])
    (tmp_path / "gold" / "part-02.m2").unlink()
    (tmp_path / "one" / "part-00.txt").unlink()
    pairing = (GoldFiles(gold=f"{tmp_path}/gold"), {"one": f"{tmp_path}/one"})
    with pytest.warns(RuntimeWarning, match=r"sorted name, so part-01\.txt goes with part-00\.m2: is a part missing\?"):
        pair_parts(*pairing)
    for number in (1, 2):  # numbers of another kind say nothing
        (tmp_path / "one" / f"part-0{number}.txt").rename(tmp_path / "one" / f"wren-201{number}.txt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(pair_parts(*pairing)) == 2


def test_a_bad_part_is_named_or_skipped_and_counted(tmp_path, whole):
    write_parts(tmp_path, [0, 10, 20, 30])
    bad = tmp_path / "gold" / "part-01.m2"
    lines = bad.read_text().split("\n")
    bad.write_text("\n".join([lines[0], "A 0 99|||R|||x|||REQUIRED|||-NONE-|||0", *lines[1:]]))
    (tmp_path / "two" / "part-02.txt").write_text("only one line\n")
    with pytest.raises(InputError, match=r"gold/part-01\.m2:2: edit 0 99 reaches past"):
        run(tmp_path, "m2").counts()
    told = []
    actual = run(tmp_path, "m2", skip_bad_parts=True, tell=told.append).counts()
    kept = whole[0].counts.select((whole[0].counts.index < 10) | (whole[0].counts.index >= 30))
    assert actual.counted[0].counts == kept
    assert ["part-01.m2:2" in told[0], "part-02.txt:1: expected 10 lines" in told[1]] == [True, True]
    (warning,) = (finding for finding in actual.check.findings() if finding.kind == "bad-parts")
    assert (warning.level, warning.count, warning.of) == (WARNING, 2, 4)
    scored = ScoringRun(run(tmp_path, ("m2", "gleu"), skip_bad_parts=True)).scores()
    assert scored.scores[0][1] == score_counts(replace(whole[0], counts=kept))[0]
    assert warning in scored.check.findings()
    for path in tmp_path.glob("gold/*"):
        path.write_text("\n")
    with pytest.raises(InputError, match=r"part-00\.m2: expected at least one sentence"):
        run(tmp_path, "m2", skip_bad_parts=True).counts()


def test_a_part_that_a_metric_refuses_is_named(tmp_path):
    write_parts(tmp_path, [0, 10])
    gold = GoldFiles(gold=str(tmp_path / "gold"))
    with pytest.raises(InputError, match=r"gold/part-00\.m2: one: hypothesis 1: "):
        recte.cluster.count(gold, [str(tmp_path / "one")], metric="imeasure", max_cells=1)


def test_finished_parts_are_not_counted_again(tmp_path, monkeypatch):
    write_parts(tmp_path, [0, 10, 20])
    job = CountingJob((recte.MaxMatch(), recte.Gleu()), CountRequest(types=True), checkpoint=str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    first = run(tmp_path, "m2", job=job).counts()
    again = run(tmp_path, "m2", job=job).counts()
    assert (first.restored, again.restored) == (0, 3)
    assert [item.counts for item in again.counted] == [item.counts for item in first.counted]
    assert [item.metric for item in again.counted] == [item.metric for item in first.counted]
    assert again.check.to_plain() == first.check.to_plain()
    # What had a say in the counts has one in the name: options, sentences before it, the files.
    other = replace(job, metrics=(recte.MaxMatch(max_unchanged_words=1), recte.Gleu()))
    assert run(tmp_path, "m2", job=other).counts().restored == 0
    assert run(tmp_path, "m2", job=job, first=5).counts().restored == 0
    changed = tmp_path / "one" / "part-01.txt"
    changed.write_text(changed.read_text().replace("he", "she"))
    assert run(tmp_path, "m2", job=job).counts().restored == 2
    # A part that was not finished has no last file, and a broken one is none.
    for path in (tmp_path / "kept").glob("part-000002-*.json"):
        path.write_text("{")
    for path in (tmp_path / "kept").glob("part-000000-*.counts"):
        path.unlink()
    assert run(tmp_path, "m2", job=job).counts().restored == 1


def test_a_part_whose_size_changes_meanwhile_is_refused(tmp_path):
    write_parts(tmp_path, [0])
    part = pair_parts(GoldFiles(gold=str(tmp_path / "gold")), {"one": str(tmp_path / "one")})[0]
    actual = count_part(Part(0, part.gold, part.systems, size=59), CountingJob((recte.MaxMatch(),)))
    assert str(actual.reason).endswith("expected 59 sentences, as a first look found, got 60")
