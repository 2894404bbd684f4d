"""The page in a real Chromium, with Python in it: loaded once, turned to one game after another."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.chromium import Browsers
from tests.frontends.browser import pages
from tests.screens.screen import Sit, move_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tools.chromium import PATIENCE

#: The buttons of commands that are called otherwise than their elements.
_BUTTONS = {
    "new": "new-game",
    **{step: f"replay-{step}" for step in ("first", "back", "on", "last")},
    "review": "review-start",
    "resign": "give-up",
    "next": "next-level",
    "now": "move-now",
}
#: The commands that are keys: their buttons do nothing where they would be refused.
_KEYS = {"undo": "Control+z", "redo": "Control+y"}
_MENUS = {"x": "player-x", "o": "player-o"}
#: Whether nothing is awaited but a person.
_IS_STILL = """() => document.querySelector(
    "#status[data-result], #status[data-past], #cells [aria-disabled=false]") !== null"""
_SHOW_NAMES = """() => {
    const box = document.getElementById("names");
    box.checked = true;
    box.dispatchEvent(new Event("change"));
}"""
#: Everything that is said of the game, in the order of the page.
_TOLD = """[...document.querySelectorAll(
    "#live p, #note, #letter-said, #specials:not([hidden]), #solved, #open-said")]
    .map(part => part.textContent).join(" ")"""


class OnThePage:
    """A game on the page."""

    def __init__(
        self,
        screen: pages.Screen,
        variant: str | Rules = "tic-tac-toe",
        x: str = "human",
        o: str = "human",
        *,
        language: str = "en",
        held: bool = False,
        starting: str = "X",
        film_step: float = 0.0,  # the page takes its time
    ) -> None:
        rules = find_rules(variant) if isinstance(variant, str) else variant
        self._screen, self._rules, self._held = screen, rules, held
        screen.begin(f"#x={x}&o={o}&game={variant_name(rules)}&first={starting}")
        if language != "en":
            self.choose("language", language)
        # Like all other screens it shows the names of cells, also those of a small board.
        self._page.evaluate(_SHOW_NAMES)
        self._settle()

    @property
    def _page(self) -> Page:
        return self._screen.page

    def _settle(self) -> None:
        """Let the computers move."""
        if not self._held:
            self._page.wait_for_function(_IS_STILL)

    def _click(self, selector: str) -> None:
        self._page.locator(selector).dispatch_event("click")  # also where it is said to be disabled
        self._settle()

    @property
    def told(self) -> str:
        """The lines above the board, and what is said beside it."""
        return " ".join(str(self._page.evaluate(_TOLD)).split())

    @property
    def marks(self) -> str:
        """What the cells say of themselves."""
        return self._screen.marks

    @property
    def moves(self) -> list[str]:
        """The list of moves."""
        words = [text.partition(".")[2].split() for text in self._screen.moves]
        return [[word for word in each if word[0] != "?"][-1] for each in words]

    @property
    def score(self) -> str:
        """The line of the score, with the opponent who is chosen in it."""
        score, draws = (self._page.inner_text(f"#{name}") for name in ("score", "draws"))
        if score.startswith("You"):
            score = f"{score} {self._page.text_content('#against option:checked')}"
        return f"{score}, {draws}" if draws else score

    @property
    def values(self) -> list[str]:
        """The signs in the picture."""
        signs = self._page.locator("#picture .ttt-value").all_text_contents()
        return sorted(sign.replace("−", "-") for sign in signs)

    @property
    def game(self) -> str:
        """The title."""
        return self._page.inner_text("#title")

    @property
    def players(self) -> tuple[str, str]:
        """The players in the menus of both sides."""
        x, o = (self._page.text_content(f"#player-{side} option:checked") for side in "xo")
        return x or "", o or ""

    def play(self, *moves: str) -> None:
        """Click cells, after choosing the letter, or the button of a move while there is one."""
        for name in moves:
            move = move_of(self._rules, name)
            if move.letter:
                self.choose("letter", move.letter)
            if not move.special:
                self._click(f"#cells [data-cell='{move.cell}']")
            elif self._page.is_visible("#specials button"):
                self._click("#specials button")

    def press(self, *commands: str) -> None:
        """Press keys, and click buttons and switches; that of resigning twice."""
        for command in commands:
            if command in _KEYS:
                self._page.keyboard.press(_KEYS[command])
                self._settle()
                continue
            for _ in range(2 if command == "resign" else 1):
                self._click(f"#{_BUTTONS.get(command, command)}")

    def choose(self, what: str, value: str) -> None:
        """Choose an entry of a menu, or a letter by its key."""
        if what == "letter":
            self._page.keyboard.press(value)
            return
        if what == "variant":
            self._screen.choose_game(value)
            self._rules = find_rules(value)
            self._settle()
            return
        self._page.evaluate(
            f"([id, value]) => {{{pages.CHOOSE} choose(id, value);}}",
            [_MENUS.get(what, what), value],
        )
        if what == "language":
            self._screen.wait(f"document.documentElement.lang === '{value}'")
        self._settle()

    def learn(self, lesson: str) -> None:
        self._click("#way-puzzle")
        self._page.click(f"#study-lessons [data-lesson='{lesson}']")

    def save(self, path: Path) -> None:
        """Take the download."""
        with self._page.expect_download() as waiting:
            self._page.evaluate("document.getElementById('save').click()")
        waiting.value.save_as(path)

    def open(self, path: Path) -> None:
        """Choose the file, and wait until it has been read: then the page lets go of it."""
        self._page.set_input_files("#file", path)
        self._screen.wait("document.getElementById('file').value === ''")
        self._settle()

    def help(self) -> str:
        """Read what stands below the board of its keys, and beside it of the game."""
        return " ".join(self._page.inner_text(part) for part in ("#keys", "#rules", "#level"))

    def fumble(self, rng: random.Random) -> None:
        """Fail: the monkey of the page's own tests clicks within the browser."""
        raise NotImplementedError

    def until(self, condition: Callable[[], object]) -> None:
        """Let the page go on."""
        deadline = time.monotonic() + PATIENCE / 1_000
        while not condition():
            assert time.monotonic() < deadline, "it did not come to this"
            self._page.wait_for_timeout(10)


@contextlib.contextmanager
def loading(browsers: Browsers) -> Iterator[Callable[[], pages.Screen]]:
    """Return what returns the page, which is loaded once while the same Chromium runs."""
    with pages.loading(pages.built_site()) as load:
        yield lambda: load(browsers.desk)


@contextlib.contextmanager
def sitting(screen: pages.Screen) -> Iterator[Sit]:
    """Return what turns the page to games; nothing may go wrong in it."""

    def sit(*args: Any, **options: Any) -> OnThePage:
        return OnThePage(screen, *args, **options)

    yield sit
    assert screen.complaints == []
    assert screen.outside == []
