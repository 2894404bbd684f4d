"""The choices of the window, and its keys, menus and buttons for the commands of the table."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.pictures.board import Look, looks_for

from ..table.commands import Desk
from ..table.table import Setup
from ..words.game_text import setup_menus, starter_title, starters_of
from ..words.rules_text import look_title, seat_title
from ..words.translation import LANGUAGE_TITLES, code_of
from .palettes import AUTOMATIC, DARK, LIGHT, THEMES, Palette


class Group(NamedTuple):
    """A choice of one option.

    Attributes:
        options: values and titles.
    """

    title: str
    options: Sequence[tuple[str, str]]
    chosen: str

    @property
    def chosen_title(self) -> str:
        """The title of the chosen option."""
        return dict(self.options)[self.chosen]


def groups_of(
    setup: Setup,
    theme: str,
    look: Look,
    language: NullTranslations,
    others: Iterable[str] = (),
) -> dict[str, Group]:
    """Return all groups by their names; the games are in the menu of games.

    Args:
        theme: the chosen one of `THEMES`.
        others: players beside those of `PLAYERS`.
    """
    _ = language.gettext
    menus = setup_menus(language, others, setup.rules)
    x, o = (seat_title(setup.rules, mark, language) for mark in MARKS)
    names = starters_of(setup.rules)
    starters = [(name, starter_title(name, language, setup.rules)) for name in names]
    starting = setup.starting if setup.starting in names else names[0]
    titles = {AUTOMATIC: _("Automatic"), LIGHT: _("Light"), DARK: _("Dark")}
    themes = [(name, titles[name]) for name in THEMES]
    looks = [(each.value, look_title(each, language)) for each in looks_for(setup.rules)]
    return {
        "x": Group(x, menus["x"], setup.x),
        "o": Group(o, menus["o"], setup.o),
        "starting": Group(_("Who starts"), starters, starting),
        "look": Group(_("Look"), looks, look.value),
        "theme": Group(_("Colours"), themes, theme),
        "language": Group(_("Language"), [*LANGUAGE_TITLES.items()], code_of(language)),
    }


#: The names of the groups.
GROUPS = ("x", "o", "starting", "look", "theme", "language")


class Context(NamedTuple):
    """The data and callbacks that all widgets share.

    Attributes:
        groups: the choices by name.
        variables: the selections in menus, by the names of groups and of `SWITCHES`, the name of
            the ``variant`` and the ``letter`` to place; they outlive the widgets.
        choose: called with the name of a group, or ``variant``, and the chosen value.
        animated: whether to animate marks and lines.
    """

    root: tk.Tk
    groups: Mapping[str, Group]
    language: NullTranslations
    palette: Palette
    desk: Desk
    variables: Mapping[str, tk.StringVar]
    choose: Callable[[str, str], object]
    animated: bool


#: The entries of the menus of the game, its moves and the help; "" is a separator.
GAME_MENU = (
    *("new-game", "next-level", "easier-level", "resign", "", "puzzle", "solution", ""),
    *("open", "save", "", "quit"),
)
MOVES_MENU = (
    *("undo", "redo", "", "hint", "analysis", "explain", "", "coach", "go-on", "move-now", ""),
    *("replay-first", "replay-back", "replay-on", "replay-last", "film", ""),
    *("review", "fault-back", "fault-on", "play-on"),
)
HELP_MENU = ("help",)
#: The commands that are on or off.
SWITCHES = ("analysis", "coach", "moves", "names")
#: The buttons that are there only while they have an effect, before all others; and the others, the
#: most important first.
OFFERS = (
    *("next-level", "easier-level", "solution", "go-on", "move-now", "play-on"),
    *("review", "fault-back", "fault-on"),
)
BUTTONS = ("new-game", "undo", "hint", "explain", "moves", "analysis", "redo", "resign")
#: The buttons below the list of moves with their signs, and the signs of other buttons.
STEPS: Mapping[str, str] = {
    "replay-first": "|<",
    "replay-back": "<",
    "film": "▶",
    "replay-on": ">",
    "replay-last": ">|",
}
SIGNS: Mapping[str, str] = {"fault-back": "< ?", "fault-on": "? >"}

MODIFIER = "Command" if sys.platform == "darwin" else "Control"
#: The names of keys in menus and in Tk.
KEY_TITLES = {"PageUp": "PgUp", "PageDown": "PgDn"}
KEY_NAMES = {
    "PageUp": "Prior",
    "PageDown": "Next",
    "+": "plus",
    "-": "minus",
    "[": "bracketleft",
    "]": "bracketright",
}
#: The keys for letters. On a Russian keyboard: the same keys, and the keys of similar letters.
LETTER_KEYS: Mapping[str, Sequence[str]] = {
    "X": ("x", "X", "Cyrillic_che", "Cyrillic_CHE", "Cyrillic_ha", "Cyrillic_HA"),
    "O": ("o", "O", "Cyrillic_shcha", "Cyrillic_SHCHA", "Cyrillic_o", "Cyrillic_O"),
}
#: The letters on the same keys of a Russian keyboard, which would otherwise have no effect.
_CYRILLIC = {
    "a": "ef",
    "c": "es",
    "e": "u",
    "g": "pe",
    "h": "er",
    "i": "sha",
    "k": "el",
    "m": "softsign",
    "l": "de",
    "n": "te",
    "o": "shcha",
    "p": "ze",
    "q": "shorti",
    "r": "ka",
    "s": "yeru",
    "y": "en",
    "z": "ya",
}


def key_title(key: str) -> str:
    """Return a key as shown in menus and in the help."""
    if "+" in key[1:]:
        return key.replace("ctrl", MODIFIER.replace("Control", "Ctrl")).title()
    return KEY_TITLES.get(key, key.upper() if len(key) == 1 else key)


def sequences_of(keys: Iterable[str]) -> list[str]:
    """Return Tk's names of key events, with those of a Cyrillic keyboard."""
    return [sequence for key in keys for sequence in _sequences(key)]


def _sequences(key: str) -> list[str]:
    *modifiers, plain = key.split("+") if "+" in key[1:] else [key]
    letter = plain.upper() if "shift" in modifiers else plain
    cyrillic = _CYRILLIC.get(plain, "")
    names = [KEY_NAMES.get(letter, letter)]
    names += ["KP_Add"] if plain == "+" else []
    if cyrillic:
        names.append(f"Cyrillic_{cyrillic.upper() if letter.isupper() else cyrillic}")
    before = [{"ctrl": MODIFIER, "shift": "Shift"}[modifier] for modifier in modifiers]
    return ["-".join([*(before or ["Key"]), name]) for name in names]
