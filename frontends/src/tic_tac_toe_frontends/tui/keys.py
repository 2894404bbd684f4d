"""The keys of the full screen: one table for the key bar, the help and Textual."""

from __future__ import annotations

from collections.abc import Collection
from gettext import NullTranslations
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from ..words.translation import N_


class Key(NamedTuple):
    """A key and its action.

    Attributes:
        key: Textual's names of the keys; ``sign`` is the shown one.
        word: for the key bar.
        meaning: for the help.
    """

    key: str
    sign: str
    action: str
    word: str
    meaning: str


#: The keys of the bar, the most important first; a short bar leaves out the last ones.
KEYS = (
    Key("question_mark,f1", "?", "help", N_("Help"), N_("show this")),
    Key("n", "n", "new_game", N_("New"), N_("begin another game")),
    Key("u", "u", "undo", N_("Undo"), N_("take back, to your previous turn")),
    Key("h", "h", "hint", N_("Hint"), N_("show the best moves and what they lead to")),
    Key("q", "q", "quit", N_("Quit"), N_("leave the game")),
    Key("g", "g", "setup", N_("Game"), N_("choose players, game and language")),
    Key("a", "a", "analysis", N_("Analysis"), N_("show what each move leads to, or no longer")),
    Key("r", "r", "redo", N_("Redo"), N_("play again what was taken back")),
    Key("comma,pageup", ",", "step('back')", N_("Back"), N_("look at the position before")),
    Key("full_stop,pagedown", ".", "step('on')", N_("On"), N_("look at the position after")),
    Key("d", "d", "move_now", N_("Move now"), N_("let the computer end its thought and move")),
    Key("plus", "+", "next_level", N_("Next level"), N_("play the next level, after a win")),
    Key("v", "v", "review", N_("Review"), N_("see where the finished game turned")),
    Key("right_square_bracket", "]", "fault(1)", N_("Mistake"), N_("go to the next mistake")),
    Key(
        "left_square_bracket",
        "[",
        "fault(-1)",
        N_("Mistake"),
        N_("go to the mistake before"),
    ),
    Key("k", "k", "play_on", N_("Play on"), N_("play on from the position of the past")),
    Key("p", "p", "film", N_("Replay"), N_("show the moves one after the other, or stop")),
    Key("m", "m", "moves", N_("Moves"), N_("show or hide the list of moves")),
    Key("f", "f", "resign", N_("Resign"), N_("give up this game")),
    Key("w", "w", "save", N_("Save"), N_("save the game to a file")),
    Key("l", "l", "open", N_("Open"), N_("open a game from a file")),
    Key("b", "b", "look", N_("Look"), N_("draw the board in another way")),
    Key("c", "c", "names", N_("Coordinates"), N_("name rows and columns, or no longer")),
    Key("t", "t", "theme", N_("Theme"), N_("choose the colours")),
)
#: Keys that are in the bar, before all others, only while they have an effect.
URGENT = ("move_now", "next_level", "review", "fault(1)", "fault(-1)", "play_on")
#: Further keys, which only the help shows.
MORE_KEYS = (
    Key("home", "Home", "step('first')", N_("Start"), N_("look at the first position")),
    Key("end", "End", "step('last')", N_("End"), N_("go to the end of the game, to play on")),
)

HELP_KEYS = (*KEYS, *MORE_KEYS)

#: The keys for letters, in games with a choice.
LETTER_KEYS = {"X": "x", "O": "o"}
#: The keys of the moves that place nothing.
SPECIAL_KEYS = {"swap": "s"}
#: The gaps between keys in a wide bar, and in one that is too narrow for the first `NEEDED` keys
#: with wide gaps.
GAPS, NEEDED = (3, 1), 5


def key_line(language: NullTranslations, width: int, useless: Collection[str]) -> Content:
    """Return the first keys that fit a width; each can be clicked.

    Args:
        useless: actions without an effect now: pale, or left out if not all keys fit.
    """
    room = width - 2
    offered = [key for key in KEYS if key.action not in URGENT or key.action not in useless]
    keys = sorted(offered, key=lambda key: key.action not in URGENT)
    if _width(keys, language, GAPS[0]) > room:
        keys = [key for key in keys if key.action not in useless]
    # Narrow gaps, so that the most needed keys fit.
    gap = GAPS[-1] if _width(keys[:NEEDED], language, GAPS[0]) > room else GAPS[0]
    while keys and _width(keys, language, gap) > room:
        keys.pop()
    parts = [
        key_part(
            key.sign,
            language.gettext(key.word),
            key.action,
            Style(dim=key.action in useless or None),
        )
        for key in keys
    ]
    return Content(" " * gap).join(parts)


def _width(keys: Collection[Key], language: NullTranslations, gap: int) -> int:
    words = (f"{key.sign} {language.gettext(key.word)}" for key in keys)
    return sum(map(cell_len, words)) + gap * max(0, len(keys) - 1)


def key_part(sign: str, word: str, action: str, style: Style) -> Content:
    """Return a key with its word, which can be clicked."""
    part = Content.assemble((sign, Style(bold=True) + style), (f" {word}", style))
    return part.stylize(Style.from_meta({"@click": f"app.{action}"}))
