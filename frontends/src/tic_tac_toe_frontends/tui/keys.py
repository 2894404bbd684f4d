"""The keys of the full screen: one table for the key bar, the help and Textual."""

from __future__ import annotations

from collections.abc import Container
from gettext import NullTranslations
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from ..words.translation import N_


class Key(NamedTuple):
    """A key, what it does, and how that is called.

    Attributes:
        key: as Textual names it; ``sign`` is how it is written.
        action: of the app.
        word: for the key bar.
        meaning: for the help.
    """

    key: str
    sign: str
    action: str
    word: str
    meaning: str


#: The most important first: where the bar is short, the last ones are left out of it.
KEYS = (
    Key("n", "n", "new_game", N_("New"), N_("begin another game")),
    Key("u", "u", "undo", N_("Undo"), N_("take back, to your previous turn")),
    Key("h", "h", "hint", N_("Hint"), N_("show the best moves and what they lead to")),
    Key("question_mark", "?", "help", N_("Help"), N_("show this")),
    Key("q", "q", "quit", N_("Quit"), N_("leave the game")),
    Key("g", "g", "setup", N_("Game"), N_("choose players, game and language")),
    Key("a", "a", "analysis", N_("Analysis"), N_("show what each move leads to, or no longer")),
    Key("r", "r", "redo", N_("Redo"), N_("play again what was taken back")),
    Key("m", "m", "moves", N_("Moves"), N_("show or hide the list of moves")),
    Key("t", "t", "theme", N_("Theme"), N_("choose the colours")),
)

#: The keys that choose the letter that people place, in games in which they choose it.
LETTER_KEYS = {"X": "x", "O": "o"}
#: The keys of the moves that place nothing.
SPECIAL_KEYS = {"swap": "s"}


def key_line(language: NullTranslations, width: int, useless: Container[str]) -> Content:
    """Return the first keys in a line of a width; a click on a key does what it does.

    Args:
        useless: actions that would do nothing now.
    """
    parts: list[Content] = []
    room = width - 2
    for key in KEYS:
        word = language.gettext(key.word)
        room -= cell_len(f"{key.sign} {word}")
        if room < 0:
            break
        room -= 3
        style = Style(dim=key.action in useless or None)
        parts.append(key_part(key.sign, word, key.action, style))
    return Content("   ").join(parts)


def key_part(sign: str, word: str, action: str, style: Style) -> Content:
    """Return a key with its word; a click on it does what the key does."""
    part = Content.assemble((sign, Style(bold=True) + style), (f" {word}", style))
    return part.stylize(Style.from_meta({"@click": f"app.{action}"}))
