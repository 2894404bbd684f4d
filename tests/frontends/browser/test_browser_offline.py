"""The page keeps itself: without a network, under any path, and in its newest version."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.frontends.browser.pages import Screen, changed_site, serving
from tests.machine import needs

pytestmark = [
    needs("chromium", "node", "npm"),
    pytest.mark.once,
    pytest.mark.xdist_group("browser"),
]

CONTROLLED = "navigator.serviceWorker.controller !== null"
CACHES = "caches.keys()"


def wait_until_kept(screen: Screen) -> None:
    """Wait until the service worker has everything."""
    screen.wait(CONTROLLED)
    screen.page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def test_after_one_visit_the_page_plays_without_its_server(
    site: Path, open_page: Callable[..., Screen]
) -> None:
    with serving(site) as server:
        screen = open_page(server.url, "#moves=B2.A1")
        wait_until_kept(screen)

    screen.reload()
    screen.click_cell(8)
    screen.wait_for_moves(4)
    screen.page.select_option("#language", "ru")
    screen.wait("document.documentElement.lang === 'ru'")
    screen.page.select_option("#variant", "connect-four")
    screen.page.select_option("#player-o", "mcts")
    screen.click_cell(3)
    screen.wait_for_moves(2)  # the worker starts without a network, too

    assert screen.complaints == []
    assert screen.outside == []


def test_the_page_lives_under_any_path(site: Path, open_page: Callable[..., Screen]) -> None:
    with serving(site, "/some/where/") as server:
        screen = open_page(server.url)
        wait_until_kept(screen)
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


def caches_after_update(
    old: Path, new: Path, place: Path, open_page: Callable[..., Screen]
) -> tuple[list[str], list[str]]:
    """Return the names of all caches before an update and after it."""
    shutil.copytree(old, place)
    with serving(place) as server:
        screen = open_page(server.url)
        wait_until_kept(screen)
        screen.page.evaluate("caches.open('somebody else')")
        before = screen.page.evaluate(CACHES)
        port = server.server_port
    shutil.rmtree(place)
    shutil.copytree(new, place)
    with serving(place, port=port):
        screen.reload()
        screen.page.wait_for_selector("#update", state="visible")
        with screen.page.expect_navigation():
            screen.page.click("#reload")
        screen.wait_ready()
        screen.wait("document.documentElement.dataset.edition === 'second'")
        screen.wait("caches.keys().then(names => names.length > 0)")
        return before, screen.page.evaluate(CACHES)


SECOND = {"index.html": ("<html lang", '<html data-edition="second" lang')}


def second_edition(site: Path, target: Path, worker: tuple[str, str] | None = None) -> Path:
    """Return the page in another version, with another service worker if wanted."""
    from tic_tac_toe_frontends.browser.contents import make_service_worker

    changes = SECOND | ({"service-worker.js": worker} if worker else {})
    edition = changed_site(site, target, changes)
    path = edition / "service-worker.js"
    text = path.read_text(encoding="utf-8")
    start, end = text.index("const BUILD = "), text.index("};", text.index("const BUILD = ")) + 2
    plain = text[:start] + 'const BUILD = { version: "none", files: {} };' + text[end:]
    names = [each for each in edition.rglob("*") if each.is_file() and each.name != "build.json"]
    files = {
        each.relative_to(edition).as_posix(): each.read_bytes() for each in names if each != path
    }
    path.write_bytes(make_service_worker(plain, files))
    return changed_site(edition, target.with_name(f"{target.name}-complete"), {})


def test_a_new_version_takes_the_place_of_the_old_one_and_its_cache(
    site: Path, tmp_path: Path, open_page: Callable[..., Screen]
) -> None:
    new = second_edition(site, tmp_path / "new")

    before, after = caches_after_update(site, new, tmp_path / "place", open_page)

    assert len(before) == 2
    assert len(after) == 2
    assert "somebody else" in after
    assert set(before) & set(after) == {"somebody else"}


def test_a_service_worker_that_keeps_old_caches_would_be_caught(
    site: Path, tmp_path: Path, open_page: Callable[..., Screen]
) -> None:
    keeping = ("deleteOthers().then(() => self.clients.claim())", "self.clients.claim()")
    new = second_edition(site, tmp_path / "new", keeping)

    _, after = caches_after_update(site, new, tmp_path / "place", open_page)

    assert len(after) == 3


def test_a_page_that_asks_another_host_would_be_caught(
    site: Path, tmp_path: Path, open_page: Callable[..., Screen]
) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    policy = text[text.index("<meta http-equiv") : text.index('<meta name="viewport')]
    changes = {"index.html": (policy, '<link rel="icon" href="http://elsewhere.invalid/x.png">')}
    broken = changed_site(site, tmp_path / "site", changes)

    with serving(broken) as server:
        screen = open_page(server.url)

    assert screen.outside or screen.complaints


def test_the_page_says_so_where_something_is_missing(
    site: Path, tmp_path: Path, open_page: Callable[..., Screen]
) -> None:
    changes = {"start.js": ('typeof WebAssembly !== "object"', "true")}
    broken = changed_site(site, tmp_path / "site", changes)

    with serving(broken) as server:
        context_page = open_page(server.url).page
        context_page.goto("about:blank")
        context_page.goto(server.url, wait_until="domcontentloaded")
        text = context_page.inner_text("#status")

    assert text == "The game cannot start here: WebAssembly"
