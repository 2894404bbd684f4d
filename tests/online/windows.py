"""Windows of a browser on the page of a real game server, each one player's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, expect

from tests.chromium import Chromium
from tests.frontends.browser.pages import CHOOSE, USUAL_PLAYERS, Screen, marks_in
from tests.online.processes import Server
from tools.chromium import PATIENCE

DESKTOP, PHONE = (1200, 900), (360, 740)
#: Takes back what people can choose in the page, and what the browser remembers.
FORGET = (
    f"() => {{{CHOOSE}"
    + """
  choose("language", "en");
  for (const form of document.querySelectorAll("#online form")) form.reset();
  for (const name of ["opponent", "clock"])
    document.getElementById(name).dispatchEvent(new Event("change"));
  document.getElementById("announcement-close").click();
  for (const part of ["create-part", "create-more"]) document.getElementById(part).open = false;
  document.activeElement.blur();
  localStorage.clear();
  sessionStorage.clear();
  dispatchEvent(new StorageEvent("storage", { key: null }));  // as other tabs are told
}"""
)
ADDRESS = re.compile(r"#game=([A-Za-z0-9_-]{22})$")


#: What Firefox says of a WebSocket that was closed while it was still connecting.
INTERRUPTED = "can’t establish a connection"


@dataclass
class Player(Screen):
    """A window on the game server's page; ``is_small`` says whether it is a phone's."""

    is_small: bool = False

    def _hear(self, message: ConsoleMessage) -> None:
        # Of a WebSocket that was closed while it was still connecting Chromium warns, and Firefox
        # reports an error. What comes of it `expect_connected` sees.
        if message.type == "error" and INTERRUPTED not in message.text:
            super()._hear(message)

    def _fail(self, error: str) -> None:
        if INTERRUPTED not in error:  # which Firefox reports in either way
            super()._fail(error)

    def forget(self) -> None:
        """Leave everything, so that the page is as one that has just been loaded the first time."""
        page = self.page
        for other in [each for each in page.context.pages if each is not page]:
            other.close()
        if page.locator("#leave").is_visible() and page.inner_text("#leave") == "Cancel":
            page.click("#leave")
            expect(page.locator("#lobby")).to_be_visible()
        self.turn_to("#online")
        expect(page).to_have_url(f"{self.address}#online")
        page.evaluate(FORGET)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        self.turn_to(f"#{USUAL_PLAYERS}")
        expect(page).to_have_url(self.address)
        page.emulate_media(color_scheme="light")
        self.complaints.clear()

    def wait_ready(self) -> None:
        super().wait_ready()
        self.page.wait_for_selector("#modes")

    def go_online(self) -> Player:
        self.page.check("#mode-online")
        expect(self.page.locator("#lobby")).to_be_visible()
        self.expect_connected()
        return self

    def create(self, name: str, **choices: str) -> str:
        """Create a game and return its address, as soon as the server has said that it is there."""
        self.page.fill("#name", name)
        self.unfold_form()
        for menu, value in choices.items():
            self.page.select_option(f"#{menu.replace('_', '-')}", value)
        self.page.click("#create")
        self.expect_board()
        return self.game

    def unfold_form(self) -> None:
        """Show the whole form by which a game is created."""
        for part in ("#create-part", "#create-more"):
            self.page.evaluate("part => { document.querySelector(part).open = true; }", part)

    def pair(self, name: str, **choices: str) -> Player:
        """Ask for anybody to play with."""
        self.page.fill("#name", name)
        for menu, value in choices.items():
            self.page.select_option(f"#pair-{menu}", value)
        self.page.click("#pair-form button")
        self.expect_board()
        return self

    def expect_board(self) -> None:
        """Expect to be at a game that is known."""
        expect(self.page.locator("#online-board")).to_be_visible()

    def join_first(self, name: str) -> Player:
        """Join the first open game of the lobby."""
        self.page.fill("#name", name)
        self.page.locator("#open-games [data-action=join]").first.click()
        self.expect_board()
        return self

    def resign(self) -> None:
        """Give the game up, and mean it."""
        self.page.click("#resign")
        self.page.click("#confirm-yes")

    @property
    def game(self) -> str:
        """The address of the game that the page's address names."""
        found = ADDRESS.search(self.page.url)
        assert found, self.page.url
        return found[1]

    def play(self, cell: int) -> None:
        """Make a move, once it is this player's turn, and wait until it is part of the game."""
        self.expect_status("Your turn")
        count = self.page.locator("#online-moves button").count()
        self.page.click(f"#online-cells [data-cell='{cell}']")
        self.page.wait_for_function(  # a computer may have answered by then
            "count => document.querySelectorAll('#online-moves button').length > count", arg=count
        )

    def expect_moves(self, count: int) -> None:
        expect(self.page.locator("#online-moves button")).to_have_count(count)

    def expect_status(self, text: str) -> None:
        expect(self.page.locator("#online-status")).to_contain_text(text)

    def expect_connected(self) -> None:
        expect(self.page.locator("#connection")).to_have_text(re.compile("^(Connected again.)?$"))

    @property
    def marks(self) -> str:
        """The cells in reading order, as in a `Grid`."""
        return marks_in(self.page, "#online-cells")


Windows = Callable[..., Player]


@pytest.fixture(scope="module")
def service(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server of the page that has been built; it may be dead."""
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    if server.number:
        server.kill()


@pytest.fixture
def server(service: Server) -> Server:
    """Return a server that runs."""
    if not service.number:
        service.start()
    return service


@pytest.fixture(scope="module")
def loaded_windows() -> list[Player]:
    """Return the windows in which the page has been loaded already."""
    return []


@pytest.fixture
def window(browsers: Chromium, server: Server, loaded_windows: list[Player]) -> Iterator[Windows]:
    """Return what shows the page to one more player, in a browser of that player's own.

    Each page is loaded once for a module, and forgets between the tests what has been done in it.
    """
    free = [each for each in loaded_windows if each.page.context.browser is browsers.browser]
    loaded_windows.clear()
    used: list[Player] = []
    expect.set_options(timeout=PATIENCE)

    def open_window(size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Player:
        is_small = size[0] < 600
        player = next((each for each in free if each.is_small == is_small), None)
        if player is None:
            context = browsers.browser.new_context(locale="en-GB", has_touch=is_small)
            player = Player.within(context, f"{server.address}/").open()
            player.is_small = is_small
        else:
            free.remove(player)
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


def two_players(window: Windows, **choices: str) -> tuple[Player, Player]:
    """Return the player of X, who moves first, and the player of O, who has joined."""
    ann, bob = window().go_online(), window().go_online()
    ann.create("Ann", seat="X", **choices)
    bob.join_first("Bob")
    ann.expect_status("Your turn")
    return ann, bob
