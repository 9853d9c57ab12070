"""The page in a real browser: it opens clean, filters, searches, links, draws, and shows markup as text."""

from __future__ import annotations

import os
import shutil

import pytest

from recte import Annotation, Corpus, Edit, Gleu, IMeasure, MaxMatch, Sentence, System
from recte.evaluation import evaluate
from recte.rendering.charts.overview import overview_charts
from recte.rendering.page.writing import render_page

pytest.importorskip("altair")
pytest.importorskip("vl_convert")
webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install selenium")
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs a browser: apt-get install chromium chromium-driver"),
    pytest.mark.xdist_group("browser"),
]
EVIL = "<script>document.title='broken'</script>\"'"


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--disable-gpu", "--window-size=1200,900", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


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


def at(browser, selector):
    return browser.find_element("css selector", selector)


def all_at(browser, selector):
    return browser.find_elements("css selector", selector)


def opened(browser, page, hash=""):
    browser.get("about:blank")
    browser.get(page + hash)
    return browser


def wait(browser, condition):
    """Until the condition holds, however slow the machine; an element drawn anew while we look is looked for again."""
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.support.ui import WebDriverWait

    waiting = WebDriverWait(browser, 60, ignored_exceptions=[StaleElementReferenceException])
    return waiting.until(lambda _: condition())


def listed(browser):
    script = "return [...document.querySelectorAll('#list .number')].map((item) => item.textContent)"
    return browser.execute_script(script)


def choose(browser, control, text):
    from selenium.webdriver.support.ui import Select

    Select(at(browser, control)).select_by_visible_text(text)


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
