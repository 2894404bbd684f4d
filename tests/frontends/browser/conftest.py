"""A built page, servers and browsers, shared by all tests that need them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.chromium import Browsers
from tests.frontends.browser.pages import DESKTOP, Player, Screen, Windows, built_site, loading
from tools.chromium import PATIENCE

if TYPE_CHECKING:
    from tests.online.processes import Server as GameServer

# The game server's libraries want Python 3.11.
collect_ignore_glob = ["test_online*"] if sys.version_info < (3, 11) else []


@pytest.fixture(scope="session")
def site() -> Path:
    """Return the folder of the page, built at most once for each state of the sources."""
    return built_site()


@pytest.fixture(scope="session")
def load(site: Path) -> Iterator[Callable[[BrowserContext], Screen]]:
    """Return what returns the page in a context: a browser started anew loads it again."""
    with loading(site) as load:
        yield load


@pytest.fixture
def screen(browsers: Browsers, load: Callable[[BrowserContext], Screen]) -> Iterator[Screen]:
    """Return the page on a desktop, loaded once for all tests; nothing may go wrong in it."""
    yield from _shown(load(browsers.desk))


@pytest.fixture
def phone(browsers: Browsers, load: Callable[[BrowserContext], Screen]) -> Iterator[Screen]:
    """Return the page on a small screen that is touched; see `screen`."""
    yield from _shown(load(browsers.phone))


def _shown(screen: Screen) -> Iterator[Screen]:
    size = screen.page.viewport_size
    yield screen.begin()
    screen.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    if size:
        screen.page.set_viewport_size(size)
    assert screen.complaints == []
    assert screen.outside == []


@pytest.fixture
def open_page(browsers: Browsers) -> Iterator[Callable[..., Screen]]:
    """Return what opens a page in a browser that has never been there; all may go wrong in it."""
    contexts: list[BrowserContext] = []

    def open_new(address: str, fragment: str = "", **options: Any) -> Screen:
        options |= {"locale": "en-GB", "viewport": {"width": 1200, "height": 900}}
        contexts.append(browsers.chromium.new_context(**options))
        return Screen.within(contexts[-1], address).open(fragment)

    yield open_new
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def service(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """Return a game server with the page that has been built; it may be dead."""
    from tests.online.processes import Server as GameServer

    server = GameServer(tmp_path_factory.mktemp("server"))
    yield server
    if server.number:
        server.kill()


@pytest.fixture
def game_server(service: GameServer) -> GameServer:
    """Return a game server that runs."""
    if not service.number:
        service.start()
    return service


@pytest.fixture(scope="session")
def loaded_windows() -> list[Player]:
    """Return the windows in which the page has been loaded already."""
    return []


@pytest.fixture
def window(
    browsers: Browsers, game_server: GameServer, loaded_windows: list[Player]
) -> Iterator[Windows]:
    """Return what shows the page to one more player, in a browser of that player's own.

    Each page is loaded once, and forgets between the tests what has been done in it.
    """
    free = [each for each in loaded_windows if each.page.context.browser is browsers.chromium]
    loaded_windows.clear()
    used: list[Player] = []
    expect.set_options(timeout=PATIENCE)

    def open_window(size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Player:
        is_small = size[0] < 600
        player = next((each for each in free if each.is_small == is_small), None)
        if player is None:
            context = browsers.chromium.new_context(locale="en-GB", has_touch=is_small)
            player = Player.within(context, f"{game_server.address}/").open()
            player.is_small = is_small
        else:
            free.remove(player)
        player.complaints.clear()  # of a server that was killed while nobody used the window
        used.append(player)
        player.page.set_viewport_size({"width": size[0], "height": size[1]})
        player.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        return player

    yield open_window
    loaded_windows += free
    for player in used:
        if player.page.is_closed():
            player.page.context.close()
        else:
            player.forget()
            loaded_windows.append(player)
