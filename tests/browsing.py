"""A real browser for the tests of pages: how it is started, and how one looks at a page in it."""

from __future__ import annotations

import os
import shutil

import pytest

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
DRIVER = shutil.which("chromedriver")
needs_browser = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs a browser: apt-get install chromium chromium-driver"),
    pytest.mark.xdist_group("browser"),
]


def started_browser():
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install selenium")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--disable-gpu", "--window-size=1200,900", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_script_timeout(300)
    return driver


def at(browser, selector):
    return browser.find_element("css selector", selector)


def all_at(browser, selector):
    return browser.find_elements("css selector", selector)


def opened(browser, page, hash=""):
    """The page, its sentences unpacked."""
    browser.get("about:blank")
    browser.get(page + hash)
    wait(browser, lambda: browser.execute_script("return document.documentElement.dataset.ready") == "yes")
    return browser


def wait(browser, condition):
    """Until the condition holds, however slow the machine; an element drawn again while we look is looked for again."""
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.support.ui import WebDriverWait

    waiting = WebDriverWait(browser, 60, ignored_exceptions=[StaleElementReferenceException])
    return waiting.until(lambda _: condition())


def choose(browser, control, text):
    from selenium.webdriver.support.ui import Select

    Select(at(browser, control)).select_by_visible_text(text)


def listed(browser):
    """The numbers of the sentences in the list."""
    script = "return [...document.querySelectorAll('#list .number')].map((item) => item.textContent)"
    return browser.execute_script(script)
