"""Chromium for tests: the same one for a module, unless it drops a page of itself."""

from __future__ import annotations

from playwright.sync_api import Browser, BrowserContext, Playwright

from tools.chromium import launch

#: What Playwright says once the process behind a page is gone. A test that fails so is run again:
#: `--only-rerun` in pyproject.toml.
CRASH = "Target crashed"


class Chromium:
    """A browser that can be started anew.

    Now and then on a busy machine the process behind a page dies, mostly while it compiles
    WebAssembly, and then often again in the same browser.
    """

    def __init__(self, playwright: Playwright) -> None:
        self._playwright = playwright
        self._browser: Browser | None = None
        self._desk: BrowserContext | None = None
        self._phone: BrowserContext | None = None

    @property
    def browser(self) -> Browser:
        """The browser, started if need be."""
        if self._browser is None:
            self._browser = launch(self._playwright)
        return self._browser

    @property
    def desk(self) -> BrowserContext:
        """What pages share that have visited before: a desktop browser with its caches."""
        if self._desk is None:
            self._desk = self.browser.new_context(
                viewport={"width": 1200, "height": 900}, locale="en-GB"
            )
        return self._desk

    @property
    def phone(self) -> BrowserContext:
        """The same as `desk`, with a small screen that is touched."""
        if self._phone is None:
            self._phone = self.browser.new_context(
                viewport={"width": 390, "height": 844}, locale="en-GB", has_touch=True
            )
        return self._phone

    def close_after(self, error: BaseException) -> None:
        """End the browser if a test failed because it dropped a page."""
        if CRASH in str(error):
            self.close()

    def close(self) -> None:
        """End the browser; the next that is asked for is a new one."""
        if self._browser is not None:
            self._browser.close()
        self._browser = self._desk = self._phone = None
