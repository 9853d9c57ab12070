"""The page in a real browser: it opens clean, filters, searches, links, draws, and shows markup as text."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from base64 import b64decode

import pytest

from browsing import all_at, at, choose, listed, needs_browser, opened, wait
from recte import Annotation, Corpus, Edit, Errant, Gleu, IMeasure, MaxMatch, Sentence, System
from recte.evaluation.evaluation import evaluate
from recte.output.charts.overview import overview_charts
from recte.output.page.writing import render_page

pytest.importorskip("vl_convert")
pytestmark = needs_browser
EVIL = "<script>document.title='broken'</script>\"'"


class Remarking(Gleu):
    """GLEU, with something to say of the third sentence."""

    def remarks(self, counts):
        return {2: f"nothing was wrong {EVIL}"}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    def gold(source, *edits):
        return Sentence(source, annotations=(Annotation("0", edits),))

    sentences = [
        gold("He go to school .", Edit(1, 2, ("goes",), "SVA")),
        gold("I likes a apple .", Edit(1, 2, ("like",), "SVA"), Edit(2, 3, ("an",), "ArtOrDet")),
        gold("We are here ."),
        gold("我 很 高兴 。", Edit(1, 2, ("非常",), "Wci")),
        gold("אני הולך לבית ספר .", Edit(2, 3, ("אל",), "Prep")),
        gold("They is happy .", Edit(1, 2, ("are",), "SVA")),
        gold("Fine ."),
    ]
    good = [
        "He goes to school .",
        f"I like an {EVIL} apple .",
        "We are here .",
        "我 非常 高兴 。",
        "אני הולך אל ספר .",
        "They are happy .",
        "Fine .",
    ]
    lazy = [
        "He go to school .",
        "I likes an apple .",
        "We is here .",
        "我 很 高兴 。",
        "אני הולך לבית ספר .",
        "They is happy .",
        "Fine .",
    ]
    systems = [System("good", tuple(good)), System("lazy", tuple(lazy))]
    data = evaluate(
        Corpus(tuple(sentences)), systems, [MaxMatch(), IMeasure(), Remarking()], name="A small gold", attribute=True
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render_page(data, overview_charts(data)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def labelled_page(tmp_path_factory):
    """Two systems by two metrics that judge edits; sentences with a label."""
    sentences = tuple(
        Sentence(
            "He go .", annotations=(Annotation("0", (Edit(1, 2, ("goes",), "R:VERB:SVA"),)),), labels={"level": level}
        )
        for level in ("B1", "B2") * 3
    )
    systems = [System("good", ("He goes .",) * 6), System("lazy", ("He go .", "He goes .") * 3)]
    data = evaluate(Corpus(sentences), systems, [MaxMatch(), Errant()], name="Labels")
    path = tmp_path_factory.mktemp("page") / "labels.html"
    path.write_text(render_page(data, overview_charts(data)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def crowded_page(tmp_path_factory):
    """Thirteen systems, some with long names, by three metrics."""
    sources = [f"He go to the school number {n} ." for n in range(20)]
    references = [source.replace("go", "goes").replace("the ", "") for source in sources]
    systems = [
        System(
            f"system-{place}" + "-with-a-long-name" * (place % 4 == 0),
            tuple(r if n % (place + 1) == 0 else s for n, (s, r) in enumerate(zip(sources, references, strict=True))),
        )
        for place in range(13)
    ]
    data = evaluate(Corpus.from_references(sources, [references]), systems, [MaxMatch(), IMeasure(), Gleu()])
    path = tmp_path_factory.mktemp("page") / "crowded.html"
    path.write_text(render_page(data, overview_charts(data)), encoding="utf-8")
    return path.as_uri()


def test_opens_without_a_complaint(browser, page):
    opened(browser, page)
    assert at(browser, "h1").text == "A small gold"
    assert listed(browser) == ["1", "2", "3", "4", "5", "6", "7"]
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_search_and_filters_change_what_is_shown(browser, page):
    opened(browser, page)
    at(browser, "#search").send_keys("apple")
    wait(browser, lambda: listed(browser) == ["2"])
    assert "Sentence 2" in at(browser, "#sentence h3").text
    at(browser, "button[type=reset]").click()
    wait(browser, lambda: len(listed(browser)) == 7)
    choose(browser, "#verdict", "✗ spurious")
    choose(browser, "#system", "lazy")
    wait(browser, lambda: listed(browser) == ["3"])
    at(browser, "button[type=reset]").click()
    choose(browser, "#type", "Wci")
    wait(browser, lambda: listed(browser) == ["4"])
    at(browser, "button[type=reset]").click()
    choose(browser, "#other", "lazy")
    choose(browser, "#order", "largest difference first")
    wait(browser, lambda: at(browser, "#system").get_attribute("value") == "0")  # compared openly
    wait(browser, lambda: listed(browser)[-1] == "7")  # the list ended so before: waited for alone, it says nothing
    at(browser, "#systems-disagree").click()
    wait(browser, lambda: sorted(listed(browser)) == ["1", "2", "3", "4", "5", "6"])
    at(browser, "#metrics-disagree").click()
    wait(browser, lambda: len(listed(browser)) < 6)
    at(browser, "#search").send_keys("no such words")
    wait(browser, lambda: "No sentence fits" in at(browser, "#sentence").text)


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("apple likes", ["2"]),  # every word, in any order
        ('"is happy"', ["6"]),
        ("3-4", ["3", "4"]),
        ("#7", ["7"]),
        ("/^(fine|we are)/m", None),
        ("/we (are|is)/", ["3"]),
    ],
)
def test_search_takes_words_phrases_numbers_and_expressions(browser, page, query, numbers):
    opened(browser, page)
    at(browser, "#search").send_keys(query)
    if numbers is None:  # no such flag
        wait(browser, lambda: "No sentence fits" in at(browser, "#sentence").text)
    else:
        wait(browser, lambda: listed(browser) == numbers)


def test_a_wrong_expression_is_said(browser, page):
    opened(browser, page)
    at(browser, "#search").send_keys("/(/")
    wait(browser, lambda: "Invalid regular expression" in at(browser, "#found").text)


def test_edits_follow_the_metric(browser, labelled_page):
    opened(browser, labelled_page)
    assert "by MaxMatch (M²)" in at(browser, "#sentence").text
    choose(browser, "#metric", "ERRANT")
    wait(browser, lambda: "by ERRANT" in at(browser, "#sentence").text)


def test_labels_filter_and_the_table_of_wins_follows(browser, labelled_page):
    opened(browser, labelled_page)
    choose(browser, "#other", "lazy")
    counts = (
        "return [...document.querySelectorAll('#pair tbody tr')].map((row) => "
        "[...row.querySelectorAll('button')].map((one) => Number(one.textContent)))"
    )
    wait(browser, lambda: browser.execute_script(counts))
    assert [sum(row) for row in browser.execute_script(counts)] == [6, 6]
    choose(browser, "[id='label-level']", "B1")
    wait(browser, lambda: sorted(listed(browser)) == ["1", "3", "5"])
    assert [sum(row) for row in browser.execute_script(counts)] == [3, 3]
    assert "3 sentences found" in at(browser, "#pair").text
    assert "label-level=B1" in browser.current_url


def test_the_list_found_can_be_kept(browser, labelled_page):
    opened(browser, labelled_page)
    choose(browser, "[id='label-level']", "B1")
    wait(browser, lambda: listed(browser) == ["1", "3", "5"])
    browser.execute_script(
        "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.exported = text; }); return '#'; };"
        "URL.revokeObjectURL = () => {};"
    )
    at(browser, "#export").click()
    wait(browser, lambda: browser.execute_script("return window.exported"))
    rows = list(csv.DictReader(io.StringIO(browser.execute_script("return window.exported"))))
    assert [row["sentence"] for row in rows] == ["1", "3", "5"]
    assert [row["good"] for row in rows] == ["He goes .", "He goes .", "He goes ."]
    assert {row["level"] for row in rows} == {"B1"}
    assert float(rows[0]["good m2"]) == 1


def test_a_link_opens_its_sentence_and_keys_move_on(browser, page):
    opened(browser, page, "#sentence-6")
    assert at(browser, "#sentence h3").text.startswith("Sentence 6")
    at(browser, "body").send_keys("k")
    wait(browser, lambda: at(browser, "#sentence h3").text.startswith("Sentence 5"))
    assert browser.current_url.endswith("#sentence-5")
    at(browser, "body").send_keys("j")
    wait(browser, lambda: at(browser, "#sentence h3").text.startswith("Sentence 6"))


def test_verdicts_have_a_symbol_and_not_a_colour_alone(browser, page):
    opened(browser, page, "#sentence-1")
    marks = {
        edit.get_attribute("class"): edit.text
        for edit in all_at(browser, "#sentence .edit")
        if "gold" not in edit.get_attribute("class")
    }
    assert "✓" in marks["edit correct"]
    assert "○" in marks["edit missed"]


def test_alignment_and_ngrams_open(browser, page):
    opened(browser, page, "#sentence-1")
    grid, ngrams = all_at(browser, "#sentence .row:nth-of-type(3) details, #sentence .row details")[:2]
    grid.find_element("css selector", "summary").click()
    wait(browser, lambda: "TP" in grid.text)
    ngrams.find_element("css selector", "summary").click()
    wait(browser, lambda: "✓ goes" in ngrams.text)


def test_what_each_edit_is_worth_opens(browser, page):
    opened(browser, page, "#sentence-1")
    (worth,) = (d for d in all_at(browser, "#sentence .row details") if d.text == "What each edit is worth")
    worth.find_element("css selector", "summary").click()
    wait(browser, lambda: "go → goes" in worth.text)
    assert "+100.0" in worth.text


def test_markup_in_a_hypothesis_is_text(browser, page):
    opened(browser, page, "#sentence-2")
    assert EVIL in at(browser, "#sentence").text
    assert browser.title == "A small gold: 2 systems by MaxMatch (M²), I-measure and GLEU"


def test_remarks_stand_with_their_sentence_and_can_be_searched(browser, page):
    opened(browser, page, "#sentence-3")
    assert {item.text for item in all_at(browser, "#sentence .remark")} == {f"⚠ GLEU: nothing was wrong {EVIL}"}
    assert browser.title.startswith("A small gold")
    at(browser, "#search").send_keys("gleu: nothing was wrong")
    wait(browser, lambda: listed(browser) == ["3"])
    opened(browser, page, "#sentence-1")
    assert all_at(browser, "#sentence .remark") == []


def test_other_scripts_are_shown_in_their_direction(browser, page):
    opened(browser, page, "#sentence-5")
    text = at(browser, "#sentence .row .text")
    assert browser.execute_script("return getComputedStyle(arguments[0]).direction", text) == "rtl"
    opened(browser, page, "#sentence-4")
    assert "我 很 高兴" in at(browser, "#sentence .row .text").text


def test_a_chart_has_a_tooltip(browser, page):
    from selenium.webdriver import ActionChains

    def some_mark_names_a_system():
        for mark in all_at(browser, ".chart svg .mark-symbol path"):
            ActionChains(browser).move_to_element(mark).perform()
            tooltip = all_at(browser, "#vg-tooltip-element.visible")
            if tooltip and ("good" in tooltip[0].text or "lazy" in tooltip[0].text):
                return True
        return False

    opened(browser, page, "#charts")
    wait(browser, some_mark_names_a_system)


def test_light_and_dark(browser, page):
    opened(browser, page)
    before = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    at(browser, "#scheme").click()
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") != before


@pytest.fixture
def narrow(browser):
    """A browser as wide as one says; as before afterwards."""

    def narrowed(width):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    yield narrowed
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# Whatever reaches out of its card or out of the page, but for what scrolls.
OVERFLOWING = """
return [...document.querySelectorAll("main *, header *")].filter((element) => {
  if (element.closest(".scroll, .list, .unseen, .skip, svg") || !element.getClientRects().length) return false;
  const box = element.getBoundingClientRect(), card = element.closest("figure, .row, li")?.getBoundingClientRect();
  return box.right > document.documentElement.clientWidth + 1 || (card && box.right > card.right + 1);
}).map((element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 40)}`)
"""
# Charts are drawn when one comes to them: goes to the first that is not, and says how many there are.
NEXT_CHART = """
const waiting = [...document.querySelectorAll(".chart")].filter((chart) => !chart.querySelector("svg"));
waiting[0]?.scrollIntoView();
return waiting.length;
"""
# Charts whose marks or words are cut by their own frame.
CUT = """
return [...document.querySelectorAll(".chart svg")].filter((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].some((text) => {
    const box = text.getBoundingClientRect();
    return box.width && (box.right > frame.right + 1 || box.left < frame.left - 1 || box.top < frame.top - 1);
  });
}).map((svg) => svg.closest(".chart").dataset.chart)
"""


@pytest.mark.parametrize("width", [1440, 768, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_fits_at_any_width(browser, page, crowded_page, narrow, width, scheme):
    narrow(width)
    page = page if scheme == "light" else crowded_page
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    opened(browser, page, "#sentence-2?order=lowest")
    browser.execute_script("document.querySelectorAll('main details').forEach((one) => { one.open = true })")
    wait(browser, lambda: browser.execute_script(NEXT_CHART) == 0)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.execute_script(OVERFLOWING) == []
    assert browser.execute_script(CUT) == []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def cells(browser, column):
    rows = "[...document.querySelectorAll('.summary tbody tr')]"
    script = f"return {rows}.map((row) => row.cells[arguments[0]].textContent)"
    return [text.split()[0] for text in browser.execute_script(script, column)]


def test_tables_sort_by_any_column(browser, page):
    opened(browser, page)
    assert cells(browser, 0) == ["good", "lazy", "do-nothing"]
    heads = all_at(browser, ".summary thead th button")
    heads[0].click()
    assert cells(browser, 0) == ["do-nothing", "good", "lazy"]
    heads[0].click()
    assert cells(browser, 0) == ["lazy", "good", "do-nothing"]
    heads[2].click()  # the I-measure: highest first, minus signs and all
    figures = [float(figure.replace("−", "-")) for figure in cells(browser, 2)]
    assert figures == sorted(figures, reverse=True)
    assert at(browser, ".summary th[aria-sort]").get_attribute("aria-sort") == "descending"
    heads[2].click()
    assert [float(figure.replace("−", "-")) for figure in cells(browser, 2)] == figures[::-1]
    heads[1].click()  # doing nothing has no figure there, and stays last
    heads[1].click()
    assert cells(browser, 0)[-1] == "do-nothing"


def test_a_metrics_own_score_comes_first(browser, page):
    opened(browser, page)
    heads = browser.execute_script(
        "return [...document.querySelectorAll('.metric')]"
        ".map((metric) => metric.querySelector('table.sortable').rows[0].cells[1].textContent)"
    )
    assert heads == ["F0.5", "I", "GLEU"]


PAPER = {"a4": (8.27, 11.69), "letter": (8.5, 11.0)}


@pytest.mark.parametrize("paper", PAPER)
def test_a_printed_page_has_everything_in_order(browser, page, paper):
    pypdf = pytest.importorskip("pypdf", reason="needs pypdf: pip install pypdf")
    opened(browser, page)
    browser.execute_script("document.documentElement.dataset.scheme = 'dark'")
    wait(browser, lambda: browser.execute_script("return document.documentElement.dataset.printable") == "yes")
    wide, high = PAPER[paper]
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": wide, "paperHeight": high})
    pages = pypdf.PdfReader(io.BytesIO(b64decode(printed["data"]))).pages
    # Letters that a font draws as one are two; how words are spaced is the reader's guess.
    text = re.sub(r"\s+", "", unicodedata.normalize("NFKC", "".join(item.extract_text() for item in pages)))
    order = (
        "A small gold", "Who is best", "good", "do-nothing", "★ best", "MaxMatch (M²): scores",
        "GLEU: scores", "MaxMatch (M²): all figures", "GLEU: all figures", "Where they fail",
        "MaxMatch (M²): recall by error type", "More charts", "Sentences", "How it was made",
    )  # fmt: skip
    places = [text.find(re.sub(r"\s+", "", unicodedata.normalize("NFKC", words))) for words in order]
    assert [words for words, place in zip(order, places, strict=True) if place < 0] == []
    assert places == sorted(places)
    assert text.count("recallbyerrortype") == 1  # the chart for paper, and not the screen's, too
    for item in pages:  # nothing is set outside the paper
        starts = []

        def note(words, page_matrix, text_matrix, *rest, starts=starts):
            if words.strip():
                starts.append(text_matrix[4] * page_matrix[0] + text_matrix[5] * page_matrix[2] + page_matrix[4])

        item.extract_text(visitor_text=note)
        assert all(0 <= x <= 72 * wide for x in starts)


# In print: figures that cover one another, and tables that reach beyond the paper.
OVERPRINTED = """
const boxes = [...document.querySelectorAll("figure, table.figures")].map((one) => [one, one.getBoundingClientRect()]);
const covers = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
const found = boxes.filter(([, box], k) => boxes.slice(k + 1).some(([, other]) => covers(box, other)));
const edge = (one) => Math.max(0, ...[...one.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect().right));
const cut = boxes.filter(([one, box]) => box.right > innerWidth + 1 || edge(one) > box.right + 1);
return [...found, ...cut].map(([one]) => one.textContent.trim().slice(0, 60));
"""


def test_nothing_is_overprinted_or_cut_on_paper(browser, crowded_page, narrow):
    opened(browser, crowded_page)
    wait(browser, lambda: browser.execute_script("return document.documentElement.dataset.printable") == "yes")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    for width in (703, 725):  # A4 and Letter within margins of 12 mm
        narrow(width)
        assert browser.execute_script(OVERPRINTED) == []
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_printing_is_light_and_open(browser, page):
    opened(browser, page)
    browser.execute_script("document.documentElement.dataset.scheme = 'dark'")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    ink = browser.execute_script("return getComputedStyle(document.body).color")
    assert ink == "rgb(28, 31, 36)"
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script("return document.querySelectorAll('#scores details:not([open])').length") == 0
    titles = "[...document.querySelectorAll('#sentence details:not([open])')]"
    assert browser.execute_script(f"return {titles}.length") > 0  # folded, so a title alone would be printed
    assert browser.execute_script(f"return {titles}.filter((one) => one.getClientRects().length).length") == 0
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert browser.execute_script("return document.querySelectorAll('#scores details[open]').length") == 0
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_link_to_nowhere_says_so(browser, page):
    opened(browser, page, "#sentence-99")
    assert "There is no sentence 99" in at(browser, "#found").text


def test_two_systems_stand_side_by_side(browser, page):
    opened(browser, page)
    choose(browser, "#other", "lazy")
    wait(browser, lambda: at(browser, "#order").get_attribute("value") == "difference")
    assert [row.get_attribute("data-systems") for row in all_at(browser, "#sentence .sides .row")] == ["[0]", "[1]"]
    wins = [button.text for button in all_at(browser, "#pair tbody tr:first-child button")]
    assert wins == ["5", "1", "1"]  # in the second sentence, MaxMatch prefers the one that did less
    all_at(browser, "#pair tbody tr:first-child button")[2].click()
    wait(browser, lambda: listed(browser) == ["7"])
    all_at(browser, "#pair tbody tr:first-child button")[0].click()
    wait(browser, lambda: len(listed(browser)) == 5)
    sizes = browser.execute_script("return [...document.querySelectorAll('#list .value')].map((v) => v.textContent)")
    assert [float(size) for size in sizes] == sorted(map(float, sizes), reverse=True)
    assert all(size.startswith("+") for size in sizes)


def test_an_address_leads_back_to_a_view(browser, page):
    opened(browser, page)
    choose(browser, "#other", "lazy")
    choose(browser, "#metric", "GLEU")
    at(browser, "#search").send_keys("apple")
    wait(browser, lambda: listed(browser) == ["2"])
    address = browser.current_url
    assert address.endswith("#sentence-2?search=apple&system=good&other=lazy&metric=gleu&order=difference")
    opened(browser, address)
    wait(browser, lambda: listed(browser) == ["2"])
    assert at(browser, "#metric").get_attribute("value") == "2"
    assert [row.get_attribute("data-systems") for row in all_at(browser, "#sentence .sides .row")] == ["[0]", "[1]"]
    opened(browser, page, "#sentences?system=nobody&order=never&verdict=missed")  # what is not there is passed over
    wait(browser, lambda: at(browser, "#verdict").get_attribute("value") == "2")
    assert at(browser, "#order").get_attribute("value") == "file"
