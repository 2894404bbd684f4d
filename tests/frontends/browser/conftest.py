"""A built page, a server and a browser, shared by all tests that need them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.chromium import Chromium
from tests.frontends.browser.pages import Screen, serving
from tic_tac_toe_frontends.browser.build import build
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.program.page_files import cache_folder


@pytest.fixture(scope="session")
def site() -> Path:
    """Return the folder of the page, built at most once for each state of the sources."""
    with _one_at_a_time():
        return build().folder


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[Server]:
    with serving(site) as server:
        yield server


@pytest.fixture(scope="module")
def loaded() -> dict[BrowserContext, Screen]:
    """Return the pages that are loaded, by their contexts: a browser started anew has new ones."""
    return {}


@pytest.fixture
def screen(
    browsers: Chromium, server: Server, loaded: dict[BrowserContext, Screen]
) -> Iterator[Screen]:
    """Return the page on a desktop, loaded once for a module; nothing may go wrong in it."""
    yield from _shown(browsers.desk, server, loaded)


@pytest.fixture
def phone(
    browsers: Chromium, server: Server, loaded: dict[BrowserContext, Screen]
) -> Iterator[Screen]:
    """Return the page on a small screen that is touched; see `screen`."""
    yield from _shown(browsers.phone, server, loaded)


def _shown(
    context: BrowserContext, server: Server, loaded: dict[BrowserContext, Screen]
) -> Iterator[Screen]:
    if context not in loaded:
        loaded[context] = Screen.within(context, server.url).open()
    screen = loaded[context]
    size = screen.page.viewport_size
    yield screen.begin()
    screen.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    if size:
        screen.page.set_viewport_size(size)
    assert screen.complaints == []
    assert screen.outside == []


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Callable[..., Screen]]:
    """Return what opens a page in a browser that has never been there; all may go wrong in it."""
    contexts: list[BrowserContext] = []

    def open_new(address: str, fragment: str = "") -> Screen:
        context = chromium.new_context(locale="en-GB", viewport={"width": 1200, "height": 900})
        contexts.append(context)
        return Screen.within(context, address).open(fragment)

    yield open_new
    for context in contexts:
        context.close()


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Keep other test processes from building at the same time, where the system can."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    cache_folder().mkdir(parents=True, exist_ok=True)
    with (cache_folder() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
