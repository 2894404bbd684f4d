"""Set up what all tests share."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.chromium import Chromium

# A loaded machine is no bug, and a test passes or fails the same everywhere.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")


# Not for the whole session: while Playwright is there, a loop runs in this thread, and whoever else
# wants one, such as the tests of notebooks, is refused.
@pytest.fixture(scope="module")
def browsers() -> Iterator[Chromium]:
    from playwright.sync_api import sync_playwright

    from tests.chromium import Chromium

    with sync_playwright() as playwright:
        browsers = Chromium(playwright)
        yield browsers
        browsers.close()


@pytest.fixture
def chromium(browsers: Chromium) -> Browser:
    return browsers.browser


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Start a browser anew that has dropped a page, for the test is run again."""
    browsers = cast("Chromium | None", item.funcargs.get("browsers"))
    if call.excinfo is not None and browsers is not None:
        browsers.close_after(call.excinfo.value)
    return (yield)
