"""The page in real browsers, and what tests want to know of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, expect

from tests.machine import needs
from tic_tac_toe_frontends.browser.contents import STATIC, make_service_worker, write_files
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.program.page_files import MANIFEST, Manifest, find_page, read_manifest
from tools.chromium import PATIENCE

if TYPE_CHECKING:
    from typing_extensions import Self

#: What tests of the page in a browser are marked with.
IN_CHROMIUM = [
    needs("chromium", "node", "npm"),
    pytest.mark.once,
    pytest.mark.xdist_group("browser"),
]
IN_FIREFOX = [
    needs("firefox", "node", "npm"),
    pytest.mark.once,
    pytest.mark.xdist_group("browser"),
]
SERVICE_WORKER = "service-worker.js"
USUAL_PLAYERS = "x=human&o=minimax"
#: Games that X wins, one of each look: what is played, the look, the cells, the line at the end.
WHOLE_GAMES = [
    ("tic-tac-toe", "marks", [0, 3, 1, 4, 2], ["A1: X", "B1: X", "C1: X"]),
    ("connect-four", "discs", [0, 1, 0, 1, 0, 1, 0], ["A6: X", "A5: X", "A4: X", "A3: X"]),
    ("mnk:9,9,3", "stones", [0, 9, 1, 10, 2], ["A1: X", "B1: X", "C1: X"]),
]
#: Defines what chooses an entry of a menu of the page, unless it is chosen already.
CHOOSE = """
  const choose = (id, value) => {
    const menu = document.getElementById(id);
    if (menu.value === value) return;
    menu.value = value;
    menu.dispatchEvent(new Event("change"));
  };"""
#: Closes what lies over the page.
CLOSE_DIALOGS = "for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();"
#: Takes back what people can choose in the page besides a game.
FORGET = (
    f"() => {{{CHOOSE}{CLOSE_DIALOGS}"
    "const SWITCHES = { analysis: false, sound: false, vibration: false, notifications: false,"
    " calls: true };"
    + """
  choose("language", "en");
  choose("theme", "auto");
  for (const [id, usual] of Object.entries(SWITCHES)) {
    const box = document.getElementById(id);
    if (box.checked !== usual) box.click();
  }
  for (const id of ["tree-part", "more-setup", "history-part"]) {
    document.getElementById(id).open = false;
  }
  const clear = document.getElementById("history-clear");
  clear.click();
  clear.click();
  document.activeElement.blur();
  localStorage.clear();
}"""
)


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


def labels_of(page: Page, grid: str) -> list[str]:
    """Return what the cells of a grid say of themselves."""
    found: list[str] = page.eval_on_selector_all(
        f"{grid} button", "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    )
    return found


def marks_in(page: Page, grid: str) -> str:
    """Return the cells of a grid in reading order, as in a `Grid`."""
    contents = (label.split(": ")[1][0] for label in labels_of(page, grid))
    return "".join(mark if mark in "XO" else " " for mark in contents)


@dataclass
class Screen:
    """A page with the game, and all that has gone wrong in it.

    Attributes:
        complaints: what the browser's console has said that is worth a look.
        outside: requests to other hosts than the page's own.
    """

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

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
    def labels(self) -> list[str]:
        """What the cells say of themselves."""
        return labels_of(self.page, "#cells")

    @property
    def marks(self) -> str:
        """The cells in reading order, as in a `Grid`."""
        return marks_in(self.page, "#cells")

    @property
    def moves(self) -> list[str]:
        found: list[str] = self.page.eval_on_selector_all(
            "#moves button", "moves => moves.map(move => move.textContent)"
        )
        return found

    @property
    def fragment(self) -> str:
        return self.page.url.partition("#")[2]

    def set(self, name: str, value: str) -> None:
        """Choose an entry of a menu in the dialog of settings."""
        self.page.click("#settings-open")
        self.page.select_option(f"#{name}", value)
        self.close_dialog("settings")

    def choose(self, name: str, value: str) -> None:
        """Choose an entry of a menu behind “More options”."""
        self.page.evaluate("document.getElementById('more-setup').open = true")
        self.page.select_option(f"#{name}", value)

    def close_dialog(self, name: str) -> None:
        self.page.click(f"#{name} [data-closes]")

    def click_cell(self, cell: int) -> None:
        self.page.click(f"#cells [data-cell='{cell}']")

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

    def wait_until_kept(self) -> None:
        """Wait until the service worker has everything."""
        self.wait("navigator.serviceWorker.controller !== null")
        self.page.evaluate("navigator.serviceWorker.ready.then(() => true)")

    def wait_for_moves(self, count: int) -> None:
        self.wait(f"document.querySelectorAll('#moves button').length === {count}")

    def wait_for_status(self, text: str) -> None:
        self.page.wait_for_function(
            "text => document.querySelector('#status').textContent.includes(text)", arg=text
        )

    def wait(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true."""
        self.page.wait_for_function(condition)

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
