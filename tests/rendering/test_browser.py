"""The page in a real browser: it opens clean, filters, searches, links, draws, and shows markup as text."""

from __future__ import annotations

import pytest

from browsing import all_at, at, choose, listed, needs_browser, opened, wait
from recte import Annotation, Corpus, Edit, Gleu, IMeasure, MaxMatch, Sentence, System
from recte.evaluation import evaluate
from recte.rendering.charts.overview import overview_charts
from recte.rendering.page.writing import render_page

pytest.importorskip("altair")
pytest.importorskip("vl_convert")
pytestmark = needs_browser
EVIL = "<script>document.title='broken'</script>\"'"


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
        Corpus(tuple(sentences)), systems, [MaxMatch(), IMeasure(), Gleu()], name="A small gold", attribute=True
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
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
    assert browser.title == "recte: A small gold"


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


def test_narrow_screens_do_not_scroll_sideways(browser, page):
    browser.set_window_size(420, 900)
    opened(browser, page, "#sentence-2")
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth + 1")
    browser.set_window_size(1200, 900)


def test_printing_is_light_and_open(browser, page):
    opened(browser, page)
    at(browser, "#scheme").click() if browser.execute_script(
        "return document.documentElement.dataset.scheme"
    ) == "light" else None
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    ink = browser.execute_script("return getComputedStyle(document.body).color")
    assert ink == "rgb(28, 31, 36)"
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script("return document.querySelectorAll('#scores details:not([open])').length") == 0
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
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
