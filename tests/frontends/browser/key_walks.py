"""Whole games by the keyboard, one of each look, and what a screen reader has to tell of them.

``python -m tests.frontends.browser.key_walks`` compares the page `docs/play/keys.md` with what a
real browser does; with ``--write`` it writes the page anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from tests.frontends.browser.pages import Screen, serving
from tests.golden import compare_or_write
from tic_tac_toe_frontends.browser.build import build
from tools.chromium import launch

PAGE = Path(__file__).resolve().parents[3] / "docs" / "play" / "keys.md"
#: The sentences above and below the board, and the one that is read but not seen.
LIVE = (
    "[...document.querySelectorAll('#live p, #note')].map(line => line.textContent).filter(Boolean)"
)
#: What has the focus: what it is, and its name.
FOCUSED = """() => {
  const element = document.activeElement;
  const kind = element.getAttribute("role") ?? element.localName;
  return element === document.body ? "the page"
      : `${kind} “${element.getAttribute("aria-label") ?? element.textContent.trim()}”`;
}"""

INTRODUCTION = """\
# A game by the keyboard

Three whole games in the browser, one of each look, as played by a person who cannot see the screen:
each key, the focus after it, and what is newly told. `python -m
tests.frontends.browser.key_walks --write` records all of it from a real browser, and a test
compares it.
"""


#: From the middle: three marks in a row for X, and two below them for O.
_ROW = (
    "Enter ArrowDown Enter ArrowUp ArrowRight Enter ArrowDown Enter ArrowUp ArrowLeft ArrowLeft "
    "Enter"
)


class Walk(NamedTuple):
    """A game by keys.

    Attributes:
        title: its heading.
        game: the address of the game, without players.
        keys: what is pressed, beginning in the cell that Tab leads to.
    """

    title: str
    game: str
    keys: str


WALKS: dict[str, Walk] = {
    "marks": Walk(
        "Tic-tac-toe, letters on paper: a line across the middle",
        "tic-tac-toe",
        _ROW,
    ),
    "discs": Walk(
        "Connect Four, discs in wells: the number of a column drops a disc",
        "connect-four",
        "1 2 1 2 1 2 1",
    ),
    "stones": Walk(
        "Three in a row on 9 × 9, stones on crossings",
        "mnk:9,9,3",
        _ROW,
    ),
}
#: After the game: on to the first button, which begins another.
AFTERWARDS = ("Tab", "Enter")


def walk(screen: Screen, look: str) -> str:
    """Play the game of a look, and return its section of the page."""
    title, game, keys = WALKS[look]
    screen.begin(f"#x=human&o=human&game={game}")
    assert screen.page.get_attribute("#board", "data-look") == look
    screen.page.evaluate("document.getElementById('against').focus()")
    rows = [*_rows(screen, ("Tab", *keys.split(), *AFTERWARDS))]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"## {title}\n\n| key | the focus is at | newly told |\n|---|---|---|\n{table}\n"


def _rows(screen: Screen, keys: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    told: list[str] = screen.page.evaluate(LIVE)
    for count, key in enumerate(keys, start=1):
        before = len(screen.moves)
        screen.page.keyboard.press(key)
        if count == len(keys):
            screen.wait_for_moves(0)
        elif key == "Enter" or key.isdigit():
            screen.wait_for_moves(before + 1)
        known, told = told, screen.page.evaluate(LIVE)
        focus: str = screen.page.evaluate(FOCUSED)
        yield key, focus, " ".join(line for line in told if line not in known)


def page_text(sections: Sequence[str]) -> str:
    """Return the page with the sections of all looks."""
    return "\n".join([INTRODUCTION, *sections])


def main() -> int:
    """Compare or write the page."""
    with (
        serving(build().folder) as server,
        sync_playwright() as playwright,
        launch(playwright) as browser,
    ):
        screen = Screen.within(browser.new_context(locale="en-GB"), server.url).open()
        return compare_or_write({PAGE: page_text([walk(screen, look) for look in WALKS])})


if __name__ == "__main__":
    sys.exit(main())
