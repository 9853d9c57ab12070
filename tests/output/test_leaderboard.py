"""The leaderboard: ranks and clusters of each metric, of all systems and of a track, and the way to each sentence."""

from __future__ import annotations

import random
import re

import pytest

from browsing import all_at, at, choose, needs_browser, opened, wait
from recte import Corpus, Gleu, MaxMatch, System
from recte.cli import main
from recte.errors import OptionError
from recte.evaluation.evaluation import evaluate
from recte.formats.labels import read_tracks
from recte.output.page.leaderboard import render_leaderboard
from recte.statistics.comparison import clusters_of

pytest.importorskip("vl_convert")

TRACKS = {"s0": ("open",), "s2": ("open", "closed"), "s4": ("closed",), "s6 <b>": ("open",)}


@pytest.fixture(scope="module")
def data():
    """Eight systems that correct more and more sentences."""
    sources = [f"He go to school number {n} ." for n in range(150)]
    references = [source.replace("go", "goes") for source in sources]
    draw = random.Random(3)
    systems = [
        System(
            f"s{n}" + " <b>" * (n == 6),
            tuple(r if draw.random() < n / 8 else s for s, r in zip(sources, references, strict=True)),
        )
        for n in range(8)
    ]
    return evaluate(Corpus.from_references(sources, [references]), systems, [MaxMatch(), Gleu()])


def expected(comparison, names):
    """Ranks and clusters among these systems, from their definitions."""
    names = [name for name in comparison.systems if name in names]
    wins = set()
    for a in names:
        for b in names:
            actual = comparison.pair(a, b)
            if actual is not None and comparison.is_significant(actual[0]) and actual[0].difference * actual[1] > 0:
                wins.add((a, b))
    clusters = clusters_of(names, {frozenset(pair) for pair in wins})
    told = {}
    for name in names:
        best, worst = 1 + sum((o, name) in wins for o in names), len(names) - sum((name, o) in wins for o in names)
        number = next(k for k, cluster in enumerate(clusters, 1) if name in cluster)
        told[name] = (str(best) if best == worst else f"{best}–{worst}", str(number))
    return told


def test_rank_ranges_are_what_the_tests_leave_open(data):
    for comparison in data.comparisons.values():
        told = expected(comparison, comparison.systems)
        for name, (low, high) in comparison.rank_ranges.items():
            assert told[name][0] == (str(low) if low == high else f"{low}–{high}")


def test_nothing_of_a_name_becomes_markup(data):
    page = render_leaderboard(data, TRACKS)
    assert "s6 <b>" not in page
    assert "s6 &lt;b&gt;" in page
    assert 'href="#sentences?system=s6%20%3Cb%3E"' in page


def test_a_track_of_an_unknown_system_is_refused(data):
    with pytest.raises(OptionError, match=r"expected one of the systems s0, .* got 'nobody'"):
        render_leaderboard(data, {"nobody": ("open",)})


def test_tracks_are_read(tmp_path):
    path = tmp_path / "tracks.tsv"
    path.write_text("system\ttrack\nheron\topen\n", encoding="utf-8")
    assert read_tracks(path) == {"heron": ("open",)}
    path.write_text("name\ttrack\nheron\topen\n", encoding="utf-8")
    with pytest.raises(Exception, match=r"tracks.tsv:1: expected the columns system and track, got name, track"):
        read_tracks(path)
    path.write_text("system\ttrack\nheron\t\n", encoding="utf-8")
    with pytest.raises(Exception, match=r"tracks.tsv:2: expected a system and its track, got an empty cell"):
        read_tracks(path)


def test_command(sample, capsys):
    (sample / "tracks.tsv").write_text("system\ttrack\nheron\topen\nwren\tclosed\n", encoding="utf-8")
    arguments = ["report", "gold.m2", "systems/heron.txt", "systems/wren.txt", "-o", "board.html", "-q"]
    assert main([*arguments, "--leaderboard", "--tracks", "tracks.tsv"]) == 0
    page = (sample / "board.html").read_text(encoding="utf-8")
    assert "recte leaderboard" in page
    assert not re.search(r'(src|href)="(?!#)', re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL))
    assert main([*arguments, "--tracks", "tracks.tsv"]) == 2
    assert "--tracks: expected --leaderboard too" in capsys.readouterr().err


SHOWN = """
const rows = [...document.querySelectorAll(".leaderboard tbody tr[data-system]")].filter((row) => !row.hidden);
const cells = (row) => [1, 2].map((k) => row.cells[1 + 3 * arguments[0] + k].textContent);
return rows.map((row) => [row.cells[0].textContent.trim(), ...cells(row)]);
"""


def shown(browser, metric):
    """The systems in sight, with their ranks and clusters by a metric."""
    return {name: (ranks, cluster) for name, ranks, cluster in browser.execute_script(SHOWN, metric)}


@pytest.fixture(scope="module")
def page(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "leaderboard.html"
    path.write_text(render_leaderboard(data, TRACKS), encoding="utf-8")
    return path.as_uri()


class TestInABrowser:
    pytestmark = needs_browser

    def test_ranks_and_clusters_are_those_of_the_track(self, browser, data, page):
        opened(browser, page)
        for metric, comparison in enumerate(data.comparisons.values()):
            assert shown(browser, metric) == expected(comparison, comparison.systems)
        for track in ("open", "closed"):
            choose(browser, "#track", track)
            members = [name for name, tracks in TRACKS.items() if track in tracks]
            wait(browser, lambda members=members: set(shown(browser, 0)) == set(members))
            for metric, comparison in enumerate(data.comparisons.values()):
                assert shown(browser, metric) == expected(comparison, members)
        assert browser.current_url.endswith("#board?track=closed")
        opened(browser, page, "#board?track=open")
        assert set(shown(browser, 0)) == {"s0", "s2", "s6 <b>"}

    def test_a_name_leads_to_its_sentences(self, browser, page):
        opened(browser, page)
        next(link for link in all_at(browser, ".leaderboard tbody a") if link.text == "s6 <b>").click()
        wait(browser, lambda: at(browser, "#system").get_attribute("value") == "6")
        assert "s6 <b>" in at(browser, "#sentence .row.focus .who").text

    def test_it_sorts_and_finds_names(self, browser, data, page):
        opened(browser, page)
        before = list(shown(browser, 0))
        assert before == list(data.comparisons["m2"].systems)
        all_at(browser, ".leaderboard thead tr:last-child button")[4].click()  # GLEU, best first
        assert list(shown(browser, 1)) == list(data.comparisons["gleu"].systems)
        at(browser, "#named").send_keys("S2")
        wait(browser, lambda: list(shown(browser, 0)) == ["s2"])
