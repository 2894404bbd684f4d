"""The browsers of the tests: one Chromium a process, unless it drops a page of itself."""

from __future__ import annotations

import functools
from collections.abc import Generator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from tests.machine import CRASH, needs_of
from tic_tac_toe_frontends.browser.packages import Package, fetch
from tic_tac_toe_frontends.program.page_files import cache_folder
from tools.chromium import launch

#: The checker of accessibility, as JavaScript in a package.
AXE = Package(
    "axe-core",
    "4.11.4",
    "KunSNx+TVpkAw/6ULfhnx+HWRecjqZGTOyquAoWHYLRSdK1tB5Ihce1ZW+UY3fj33bYAFWPu7W/GRSmmrCGuxA==",
)


class Browsers:
    """Chromium and what drives it, which start when they are asked for.

    It is a plugin of pytest, too. While Playwright is there, a loop runs in this thread, and other
    tests that want one, such as those of notebooks, are refused: so it ends before a test that
    needs no browser, and starts anew after it. Tests with a browser come in a row (`xdist_group`).

    Now and then on a busy machine the process behind a page dies, mostly while it compiles
    WebAssembly, and then often again in the same browser.
    """

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._shared: dict[str, BrowserContext] = {}

    @property
    def playwright(self) -> Playwright:
        """What drives browsers, until a test comes that needs none."""
        if self._playwright is None:
            self._playwright = sync_playwright().start()
        return self._playwright

    @property
    def chromium(self) -> Browser:
        """Chromium, started if need be."""
        if self._browser is None:
            self._browser = launch(self.playwright)
        return self._browser

    @property
    def desk(self) -> BrowserContext:
        """What pages share that have visited before: a desktop browser with its caches."""
        return self._context("desk", viewport={"width": 1200, "height": 900})

    @property
    def phone(self) -> BrowserContext:
        """The same as `desk`, with a small screen that is touched."""
        return self._context("phone", viewport={"width": 390, "height": 844}, has_touch=True)

    def _context(self, name: str, **options: Any) -> BrowserContext:
        if name not in self._shared:
            self._shared[name] = self.chromium.new_context(locale="en-GB", **options)
        return self._shared[name]

    def close(self) -> None:
        """End Chromium; the next that is asked for is a new one."""
        self._shared.clear()
        if self._browser is not None:
            self._browser.close()
        self._browser = None

    def stop(self) -> None:
        """End everything; what is asked for next starts anew."""
        self.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._playwright = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Stop before a test that needs no browser."""
        if needs_of(item).isdisjoint(("chromium", "firefox")):
            self.stop()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Start a browser anew that has dropped a page, for the test is run again."""
        if call.excinfo is not None and CRASH in str(call.excinfo.value):
            self.close()
        return (yield)


@functools.cache
def _axe() -> str:
    return (fetch(AXE, cache_folder()) / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """Return what axe-core objects to in a page, each with the elements that it is about."""
    page.evaluate(_axe())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{each['id']}: {[node['html'][:120] for node in each['nodes']]}"
        for each in found["violations"]
    ]
