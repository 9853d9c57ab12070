from __future__ import annotations

import pytest

from browsing import started_browser


@pytest.fixture(scope="session")
def browser():
    driver = started_browser()
    yield driver
    driver.quit()
