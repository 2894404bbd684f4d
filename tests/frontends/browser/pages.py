"""The page in real browsers, and what tests want to know of it.

A `Screen` is a page with a game on its device; a `Player` is one at a real game server.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests.machine import needs
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe_frontends.browser.build import build
from tic_tac_toe_frontends.browser.contents import STATIC, make_service_worker, write_files
from tic_tac_toe_frontends.browser.page.links import read_link
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.program.page_files import (
    MANIFEST,
    Manifest,
    cache_folder,
    find_page,
    read_manifest,
)
from tic_tac_toe_frontends.table.table import Setup
from tic_tac_toe_frontends.words.rules_text import FAMILIES
from tools.chromium import PATIENCE

if TYPE_CHECKING:
    from typing_extensions import Self

#: What tests of the page in a browser are marked with: they come in a row, on one Python.
IN_A_ROW = [pytest.mark.xdist_group("browser")]
IN_CHROMIUM = [needs("chromium", "node", "npm"), *IN_A_ROW]
IN_FIREFOX = [needs("firefox", "node", "npm"), *IN_A_ROW]
SERVICE_WORKER = "service-worker.js"
USUAL_PLAYERS = "x=human&o=minimax"
#: Addresses of games between people.
PEOPLE = "#x=human&o=human"
#: Games to look at from all sides: open and won, and those in which a move is more than a cell.
PLAIN_GAMES = {
    "an open game": f"{PEOPLE}&moves=B2.A1",
    "a game that is won": f"{PEOPLE}&moves=B2.A1.C3.B1.C1.A3.C2",
    "ultimate": f"{PEOPLE}&game=ultimate&moves=E5.D4",
}
GAMES = PLAIN_GAMES | {
    "letters": f"{PEOPLE}&game=wild&moves=XB2.OA1",
    "old marks": f"{PEOPLE}&game=vanishing&moves=B2.A1.C3.B1.C1.A3",
    "layers": f"{PEOPLE}&game=3x3x3&moves=1A1.2B2",
    "a swap": f"{PEOPLE}&game=mnk:3,3,3,pie&moves=B2",
    "dead boards": f"{PEOPLE}&game=notakto-3&moves=A1.B2.B1.C1",
    "a line around the edge": f"{PEOPLE}&game=mnk:4,4,3,torus&moves=A1.B2.D1.B3.C1",
}
#: Opens whatever the page can fold.
OPEN_ALL = """() => {
  for (const id of ["analysis", "more"]) document.getElementById(id).click();
}"""
#: Counts the signals that the page gives, in `signals`.
SPY = """() => {
  window.signals = [];
  const give = (name) => window.signals.push(name);
  OscillatorNode.prototype.start = () => give("sound");
  OscillatorNode.prototype.stop = () => {};
  navigator.vibrate = () => give("vibration");
  window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { give(`${title}: ${body}`); }
    addEventListener() {}
  };
  Object.defineProperty(document, "hidden", { get: () => window.isAway, configurable: true });
  window.isAway = false;
}"""
#: Defines what chooses an entry of a menu of the page, unless it is chosen already.
CHOOSE = """
  const choose = (id, value) => {
    const menu = document.getElementById(id);
    if (menu.value === value) return;
    menu.value = value;
    menu.dispatchEvent(new Event("change"));
  };"""
#: Returns the page's sentences about the game.
REMARKS = "['status', 'refusal', 'note'].map((id) => document.getElementById(id)?.textContent)"
#: Closes what lies over the page.
CLOSE_DIALOGS = "for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();"
#: Takes back what people can choose in the page besides a game.
FORGET = (
    f"() => {{{CHOOSE}{CLOSE_DIALOGS}"
    "const SWITCHES = { analysis: false, sound: false, vibration: false, notifications: false,"
    " calls: true, coach: false };"
    + """
  choose("language", "en");
  choose("theme", "auto");
  document.getElementById("options-open").click();
  choose("think", "");
  document.getElementById("options").close();
  for (const [id, usual] of Object.entries(SWITCHES)) {
    const box = document.getElementById(id);
    if (box.checked !== usual) box.click();
  }
  document.getElementById("more-actions").hidePopover();
  const clear = document.getElementById("history-clear");
  clear.click();
  clear.click();
  document.activeElement.blur();
  localStorage.clear();
}"""
)


#: Takes back what people can choose in the page, and what the browser remembers.
FORGET_ONLINE = (
    f"() => {{{CHOOSE}"
    + """
  choose("language", "en");
  for (const form of document.querySelectorAll("#online form")) form.reset();
  for (const name of ["opponent", "clock"])
    document.getElementById(name).dispatchEvent(new Event("change"));
  document.getElementById("announcement-close").click();
  document.getElementById("create-more").open = false;
  document.getElementById("pair-clock").value = "180+2";
  document.activeElement.blur();
  localStorage.clear();
  sessionStorage.clear();
  dispatchEvent(new StorageEvent("storage", { key: null }));  // as other tabs are told
}"""
)
#: Sizes of screens.
DESKTOP, PHONE = (1200, 900), (360, 740)
ADDRESS = re.compile(r"#game=([A-Za-z0-9_-]{22})$")
#: What Firefox says of a WebSocket that was closed while it was still connecting, or by a reload.
INTERRUPTED = re.compile("can’t establish a connection|was interrupted while the page was loading")


def built_site() -> Path:
    """Build the page if need be, while no other process does, and return its folder."""
    cache_folder().mkdir(parents=True, exist_ok=True)
    with (cache_folder() / "lock").open("w") as lock:
        with contextlib.suppress(ImportError):  # a system without such locks
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        return build().folder


@contextlib.contextmanager
def serving(folder: Path, prefix: str = "/", port: int = 0) -> Iterator[Server]:
    """Serve a built page for a while."""
    files = find_page(folder)
    assert files is not None
    with Server(files, port, prefix) as server, server.answering():
        yield server


def changed_site(site: Path, target: Path, changes: Mapping[str, tuple[str, str]]) -> Path:
    """Return a copy of a page in which texts are replaced, with a service worker that keeps it.

    Args:
        changes: by file, a text and what stands in its place.
    """
    manifest = read_manifest(site)
    assert manifest is not None
    files = {name: (site / name).read_bytes() for name in manifest.files}
    for name, (old, new) in changes.items():
        assert old in files[name].decode()
        files[name] = files[name].decode().replace(old, new).encode()
    del files[SERVICE_WORKER]
    worker = (STATIC / SERVICE_WORKER).read_text(encoding="utf-8")
    files[SERVICE_WORKER] = make_service_worker(worker, files)
    manifest = Manifest.of(files, "changed")
    write_files(target, files | {MANIFEST: manifest.text().encode()})
    return target


def state_of_link(text: str) -> GameState:
    """Return the state that a link leads to."""
    linked = read_link(text, Setup(), NullTranslations())
    first = Mark.CROSS if linked.setup.starting == "random" else Mark(linked.setup.starting)
    state = linked.start or GameState.new(linked.setup.rules, first)
    for move in linked.moves:
        state = state.make_move_to(move).after_state
    return state


def hidden_parts(page: Page, *selectors: str) -> list[str]:
    """Return which elements are not wholly in the window as it is, unscrolled."""
    hidden: list[str] = page.evaluate(
        """selectors => selectors.filter(selector => {
            const box = document.querySelector(selector).getBoundingClientRect();
            return scrollX || scrollY || box.left < 0 || box.top < 0
                || box.right > innerWidth || box.bottom > innerHeight;
        })""",
        list(selectors),
    )
    return hidden


@dataclass
class Screen:
    """A page with the game, and all that has gone wrong in it.

    Attributes:
        part: what the names of the elements of its game begin with.
        complaints: what the browser's console has said that is worth a look.
        outside: requests to other hosts than the page's own.
        is_stuck: whether `begin` has failed: whatever is done to the page may fail then.
    """

    part: ClassVar[str] = ""
    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    is_stuck: bool = False

    @classmethod
    def within(cls, context: BrowserContext, address: str) -> Self:
        """Return a new page of a context, which watches itself."""
        screen = cls(context.new_page(), address)
        screen._watch()
        return screen

    def open(self, fragment: str = "", query: str = "") -> Self:
        """Load the page, with a game in its address if wanted, and wait until it plays."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}{query}{fragment}")
        self.wait_ready()
        return self

    def begin(self, fragment: str = "") -> Screen:
        """Turn the loaded page to a game, as if nothing had been played or chosen in it before."""
        self.is_stuck = True
        self.complaints.clear()
        self.outside.clear()
        self.page.evaluate(FORGET)
        self.wait("document.documentElement.lang === 'en'")
        # A game of one cell in between: another game takes the score and the remarks away.
        for wanted, is_shown in (
            (f"#game=mnk:1,1,1&{USUAL_PLAYERS}", "=== 1"),
            (fragment or f"#{USUAL_PLAYERS}", "!== 1"),
        ):
            self.turn_to(wanted)
            self.wait(f"document.querySelectorAll('#cells button').length {is_shown}")
        self.is_stuck = False
        return self

    def turn_to(self, fragment: str) -> Self:
        """Change what the address has behind its #, as a link within the page does."""
        self.page.evaluate("fragment => { location.hash = fragment; }", fragment)
        return self

    def _watch(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self._fail(str(error)))
        self.page.on("request", self._see)

    def reload(self) -> None:
        """Load the page again."""
        self.page.reload()
        self.wait_ready()

    def wait_ready(self) -> None:
        self.page.wait_for_selector("html[data-ready]", state="attached")

    @property
    def status(self) -> str:
        return self.page.inner_text("#status")

    @property
    def note(self) -> str:
        return self.page.inner_text("#note")

    @property
    def refusal(self) -> str:
        return self.page.inner_text("#refusal")

    @property
    def look(self) -> str | None:
        return self.page.get_attribute("#board", "data-look")

    @property
    def colour(self) -> str:
        """What the page is painted on."""
        found: str = self.page.evaluate(
            "getComputedStyle(document.documentElement).backgroundColor"
        )
        return found

    @property
    def labels(self) -> list[str]:
        """What the cells say of themselves."""
        found: list[str] = self.page.eval_on_selector_all(
            f"#{self.part}cells button", "all => all.map(cell => cell.getAttribute('aria-label'))"
        )
        return found

    @property
    def marks(self) -> str:
        """The cells in reading order, as in a `Grid`."""
        contents = (label.split(": ")[1][0] for label in self.labels)
        return "".join(mark if mark in "XO" else " " for mark in contents)

    @property
    def moves(self) -> list[str]:
        return self.page.locator(f"#{self.part}moves button").all_text_contents()

    @property
    def fragment(self) -> str:
        return self.page.url.partition("#")[2]

    def set(self, name: str, value: str) -> None:
        """Choose an entry of a menu in the dialog of settings."""
        self.page.click("#settings-open")
        self.page.select_option(f"#{name}", value)
        self.close_dialog("settings")

    def choose(self, name: str, value: str) -> None:
        """Choose an entry of a menu in the dialog of players."""
        self.choose_more("options-open")
        self.page.select_option(f"#{name}", value)
        self.close_dialog("options")

    def choose_more(self, name: str) -> None:
        """Choose an action behind “More”."""
        self.page.click("#more")
        self.page.click(f"#{name}")

    def analyse(self, is_on: bool = True) -> None:
        """Switch the values of moves on or off."""
        self.page.click("#more")
        self.page.set_checked("#analysis", is_on)
        self.page.keyboard.press("Escape")

    def choose_game(self, name: str) -> None:
        """Choose a game of the catalogue by its picture, or among the kinds that unfold below."""
        self.page.click("#choose-game")
        at, names = next(each for each in enumerate(FAMILIES.values()) if name in each[1])
        if name == names[0]:
            self.page.click(f"#games .game[data-game='{name}']")
        else:
            self.page.click(f"#games [data-tile='{at}']")
            self.page.click(f"#games .kind[data-game='{name}']")

    def close_dialog(self, name: str) -> None:
        self.page.click(f"#{name} [data-closes]")

    def click_cell(self, cell: int) -> None:
        self.page.click(f"#{self.part}cells [data-cell='{cell}']")

    def signals(self) -> list[str]:
        """Return the signals since they were asked for last, in a page that is spied on."""
        found: list[str] = self.page.evaluate("window.signals.splice(0)")
        return found

    def resize(self, width: int, height: int) -> None:
        """Make the window so large, scroll to the top, and let the page be laid out."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(
            "scrollTo(0, 0), new Promise(go => requestAnimationFrame(() => setTimeout(go)))"
        )

    def press_to(self, cell: int) -> None:
        """Choose a cell by keys, from wherever on the board the focus is."""
        page = self.page
        columns = page.locator("#cells [role=row] >> nth=0").locator("[role=gridcell]").count()
        if not page.evaluate("document.activeElement.matches('#cells button')"):
            page.focus("#cells [tabindex='0']")
        at = int(page.evaluate("document.activeElement.dataset.cell"))
        for ways, steps in (
            (("ArrowUp", "ArrowDown"), cell // columns - at // columns),
            (("ArrowLeft", "ArrowRight"), cell % columns - at % columns),
        ):
            for _ in range(abs(steps)):
                page.keyboard.press(ways[steps > 0])
        page.keyboard.press("Enter")

    def play(self, *cells: int) -> None:
        """Choose cells one after the other, and wait until each is among the moves."""
        for cell in cells:
            count = len(self.moves)
            self.click_cell(cell)
            self.page.wait_for_function(  # a computer may have answered by then
                "([moves, count]) => document.querySelectorAll(moves).length > count",
                arg=[f"#{self.part}moves button", count],
            )

    def says(self, selector: str, text: str | list[str] | re.Pattern[str]) -> None:
        """Wait until an element holds a text."""
        expect(self.page.locator(selector)).to_have_text(text)

    def mentions(self, selector: str, text: str | re.Pattern[str]) -> None:
        """Wait until an element holds a text among others."""
        expect(self.page.locator(selector)).to_contain_text(text)

    def tells(self, selector: str) -> None:
        """Wait until an element holds any text."""
        expect(self.page.locator(selector)).not_to_be_empty()

    def shows(self, selector: str) -> None:
        """Wait until an element can be seen."""
        expect(self.page.locator(selector)).to_be_visible()

    def hides(self, selector: str) -> None:
        """Wait until an element cannot be seen."""
        expect(self.page.locator(selector)).to_be_hidden()

    def counts(self, selector: str, count: int) -> None:
        """Wait until the page has ``count`` elements that match a selector."""
        expect(self.page.locator(selector)).to_have_count(count)

    def wait_until_kept(self) -> None:
        """Wait until the service worker has everything."""
        self.wait("navigator.serviceWorker.controller !== null")
        self.page.evaluate("navigator.serviceWorker.ready.then(() => true)")

    def wait_for_moves(self, count: int) -> None:
        self.counts(f"#{self.part}moves button", count)

    def wait_for_status(self, text: str) -> None:
        self.mentions(f"#{self.part}status", text)

    def wait(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true; what the page says is in the failure."""
        try:
            self.page.wait_for_function(condition)
        except NotInTime as error:
            said = self.complaints, self.page.url, self.page.evaluate(REMARKS)
            raise AssertionError(f"not in time: {condition}; the page says {said}") from error

    def _hear(self, message: ConsoleMessage) -> None:
        # That a file fetched early is needed late says only that the machine is slow.
        if message.type in ("error", "warning") and "was preloaded using" not in message.text:
            self.complaints.append(message.text)

    def _fail(self, error: str) -> None:
        self.complaints.append(error)

    def _see(self, request: Request) -> None:
        own = self.address.split("/")[2]
        if request.url.split("/")[0] in ("http:", "https:", "ws:", "wss:"):
            host = request.url.split("/")[2]
            if host != own:
                self.outside.append(request.url)


@contextlib.contextmanager
def loading(site: Path) -> Iterator[Callable[[BrowserContext], Screen]]:
    """Serve a page, and return what returns it in a context, where it is loaded once.

    A page that is stuck is loaded anew.
    """
    loaded: dict[BrowserContext, Screen] = {}
    with serving(site) as server:

        def load(context: BrowserContext) -> Screen:
            if context in loaded and loaded[context].is_stuck:
                loaded.pop(context).page.close()
            if context not in loaded:
                screen = Screen.within(context, server.url).open()
                assert screen.complaints == []
                loaded[context] = screen
            return loaded[context]

        yield load


@dataclass
class Player(Screen):
    """A window on the game server's page; ``is_small`` says whether it is a phone's."""

    part: ClassVar[str] = "online-"
    is_small: bool = False

    def _hear(self, message: ConsoleMessage) -> None:
        # Of a WebSocket that was interrupted Chromium warns, and Firefox reports an error. What
        # comes of it `expect_connected` sees.
        if message.type == "error" and not INTERRUPTED.search(message.text):
            super()._hear(message)

    def _fail(self, error: str) -> None:
        if not INTERRUPTED.search(error):  # which Firefox reports in either way
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
        page.evaluate(FORGET_ONLINE)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        self.turn_to(f"#{USUAL_PLAYERS}")
        expect(page).to_have_url(self.address)
        page.emulate_media(color_scheme="light")
        self.complaints.clear()

    def wait_ready(self) -> None:
        super().wait_ready()
        self.page.wait_for_selector("#online", state="attached")

    def go_online(self) -> Player:
        self.page.click("#way-friend")
        self.page.click("#friend-lobby")
        expect(self.page.locator("#lobby")).to_be_visible()
        self.expect_connected()
        return self

    def go_to_device(self) -> None:
        """Show the game of two people at this device."""
        self.page.click("#way-friend")
        self.page.click("#way-here")
        self.shows("#device")

    def create(self, name: str, **choices: str) -> str:
        """Create a game and return its address, as soon as the server has said that it is there.

        Anybody can join it unless its ``visible`` is ``link``.
        """
        self.page.fill("#name", name)
        self.unfold_form()
        for menu, value in {"visible": "open", **choices}.items():
            if menu != "visible" or choices.get("opponent", "person") == "person":
                self.page.select_option(f"#{menu.replace('_', '-')}", value)
        self.page.click("#create")
        self.expect_board()
        return self.game

    def unfold_form(self) -> None:
        """Show the whole form by which a game is created."""
        self.page.evaluate("document.getElementById('create-more').open = true")

    def pair(self, name: str, **choices: str) -> Player:
        """Ask for anybody to play with."""
        self.page.fill("#name", name)
        for menu, value in choices.items():
            self.page.select_option(f"#{menu}", value)
        self.page.click("#pair")
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

    def say(self, text: str) -> None:
        """Send a line, and wait until it is there."""
        count = self.page.locator("#chat p").count()
        self.page.fill("#chat-line", text)
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(
            "count => document.querySelectorAll('#chat p').length > count", arg=count
        )

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

    def play(self, *cells: int) -> None:
        """Make moves, each once it is this player's turn."""
        for cell in cells:
            self.wait_for_status("Your turn")
            super().play(cell)

    def expect_connected(self) -> None:
        expect(self.page.locator("#connection")).to_have_text(re.compile("^(Connected again.)?$"))


Windows = Callable[..., Player]
OpenPage = Callable[..., Screen]


def two_players(
    window: Windows, *cells: int, variant: str = "", size: tuple[int, int] = DESKTOP
) -> tuple[Player, Player]:
    """Return the player of X, who moves first, and the player of O, who has joined.

    Args:
        cells: what they play, by turns.
        variant: the game, as people write it; the usual one unless given.
        size: of the window of O.
    """
    ann = window()
    if variant:  # the game on the device is the one that is played online
        ann.turn_to(f"#game={variant}&{PEOPLE[1:]}")
        ann.page.wait_for_function("document.querySelector('#cells button')")
    ann.go_online()
    bob = window(size).go_online()
    ann.create("Ann", seat="X")
    bob.join_first("Bob")
    ann.wait_for_status("Your turn")
    for player, cell in zip(itertools.cycle((ann, bob)), cells):
        player.play(cell)
    return ann, bob
