"""The page keeps itself: without a network, under any path, and in its newest version."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.frontends.browser.pages import IN_CHROMIUM, Screen, changed_site, serving

pytestmark = IN_CHROMIUM

CACHES = "caches.keys()"


def test_after_one_visit_the_page_plays_without_its_server(
    site: Path, open_page: Callable[..., Screen]
) -> None:
    with serving(site) as server:
        screen = open_page(server.url, "#moves=B2.A1")
        screen.wait_until_kept()

    screen.reload()
    screen.click_cell(8)
    screen.wait_for_moves(4)
    screen.set("language", "ru")
    screen.wait("document.documentElement.lang === 'ru'")
    screen.page.select_option("#variant", "connect-four")
    screen.choose("player-o", "mcts")
    screen.click_cell(3)
    screen.wait_for_moves(2)  # the worker starts without a network, too

    assert screen.complaints == []
    assert screen.outside == []


def test_the_page_lives_under_any_path(site: Path, open_page: Callable[..., Screen]) -> None:
    with serving(site, "/some/where/") as server:
        screen = open_page(server.url)
        screen.wait_until_kept()
        screen.click_cell(4)
        screen.wait_for_moves(2)
        scope = screen.page.evaluate("navigator.serviceWorker.ready.then(worker => worker.scope)")

    assert scope == server.url
    screen.reload()
    assert screen.complaints == []


def test_it_can_be_installed(screen: Screen, site: Path) -> None:
    screen.open()
    client = screen.page.context.new_cdp_session(screen.page)

    found = client.send("Page.getAppManifest")
    errors = client.send("Page.getInstallabilityErrors")["installabilityErrors"]

    assert found["url"].endswith("manifest.webmanifest")
    assert found["errors"] == []
    # Private windows, which tests run in, install nothing: that may be the only objection.
    assert {error["errorId"] for error in errors} <= {"in-incognito"}


def test_a_new_version_takes_the_place_of_the_old_one_and_its_cache(
    site: Path, tmp_path: Path, open_page: Callable[..., Screen]
) -> None:
    edition = ("<html lang", '<html data-edition="second" lang')
    new = changed_site(site, tmp_path / "new", {"index.html": edition})
    with serving(site) as server:
        screen = open_page(server.url)
        screen.wait_until_kept()
        screen.page.evaluate("caches.open('somebody else')")
        before = screen.page.evaluate(CACHES)
        port = server.server_port

    with serving(new, port=port):
        screen.reload()
        screen.page.wait_for_selector("#update", state="visible")
        with screen.page.expect_navigation():
            screen.page.click("#reload")
        screen.wait_ready()
        screen.wait("document.documentElement.dataset.edition === 'second'")
        screen.wait("caches.keys().then(names => names.length > 0)")
        after = screen.page.evaluate(CACHES)

    assert len(before) == len(after) == 2
    assert set(before) & set(after) == {"somebody else"}


def test_the_page_says_so_where_something_is_missing(
    site: Path, tmp_path: Path, chromium: Browser
) -> None:
    kept = 'Reflect.deleteProperty(WebAssembly, "Suspending")'
    changes = {"start.js": (kept, 'Reflect.deleteProperty(globalThis, "WebAssembly")')}
    broken = changed_site(site, tmp_path / "site", changes)

    with serving(broken) as server, contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(server.url)
        said = page.locator("#status")
        expect(said).to_have_text(re.compile("^The game cannot start here: .*WebAssembly"))
