"""What can be done and chosen in the window: one table for menus, buttons and keys."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.rules.catalogue import VARIANTS

from ..table.setup import Setup
from ..words.game_text import setup_menus, starter_title
from ..words.players import STARTERS
from ..words.rules_text import game_name, seat_title, variant_title
from ..words.translation import LANGUAGE_TITLES, N_, code_of
from .palettes import AUTOMATIC, DARK, LIGHT, THEMES, Palette


class Command(NamedTuple):
    """A command.

    Attributes:
        title: what menus and buttons call it.
        letter: the key that does it together with Control, or Command on a Mac.
        shifted: the same together with the Shift key.
        plain: keys that do it by themselves.
    """

    title: str
    letter: str = ""
    shifted: str = ""
    plain: tuple[str, ...] = ()

    @property
    def accelerator(self) -> str:
        """The key as menus tell it."""
        if self.letter:
            return f"{MODIFIER}+{self.letter.upper()}"
        return self.plain[0].upper() if self.plain else ""

    @property
    def sequences(self) -> list[str]:
        """The events that do it, as Tk calls them, with the same keys of a Cyrillic keyboard."""
        keys = [f"{MODIFIER}-{key}" for key in _keys(self.letter)]
        keys += [f"{MODIFIER}-Shift-{key}" for key in _keys(self.shifted.upper())]
        return keys + [f"Key-{key}" for plain in self.plain for key in _keys(plain)]


class Group(NamedTuple):
    """A choice of one thing among several.

    Attributes:
        title: what people are told it is.
        options: what can be chosen, with what people are told.
        chosen: what is chosen now.
    """

    title: str
    options: Sequence[tuple[str, str]]
    chosen: str


def groups_of(
    setup: Setup, theme: str, language: NullTranslations, others: Iterable[str] = ()
) -> dict[str, Group]:
    """Return all groups by their names.

    Args:
        others: players beside those of `PLAYERS`.
        theme: the colours that were chosen, of `THEMES`.
    """
    _ = language.gettext
    menus, variant = setup_menus(language, others), game_name(setup.rules)
    if variant not in VARIANTS:
        menus["variant"].append((variant, variant_title(setup.rules, language)))
    x, o = (seat_title(setup.rules, mark, language) for mark in MARKS)
    starters = [(name, starter_title(name, language, setup.rules)) for name in STARTERS]
    titles = {AUTOMATIC: _("Automatic"), LIGHT: _("Light"), DARK: _("Dark")}
    themes = [(name, titles[name]) for name in THEMES]
    return {
        "x": Group(x, menus["x"], setup.x),
        "o": Group(o, menus["o"], setup.o),
        "variant": Group(_("Game"), menus["variant"], variant),
        "starting": Group(_("Who starts"), starters, setup.starting),
        "theme": Group(_("Colours"), themes, theme),
        "language": Group(_("Language"), [*LANGUAGE_TITLES.items()], code_of(language)),
    }


class Kit(NamedTuple):
    """What the widgets are made with, and what they call.

    Attributes:
        groups: what can be chosen, by name.
        actions: what the commands do, by their names.
        variables: hold what is chosen in menus, by the names of the groups, and under ``letter``
            which one people place next; they outlive the widgets.
        choose: is told the name of a group, and which option a person chooses.
        play: is told which cell a person has chosen.
        place: is told which letter a person wants to place, where people choose it.
        play_special: is told the name of a move that places nothing.
        animated: whether marks fall and lines grow.
    """

    root: tk.Tk
    groups: Mapping[str, Group]
    language: NullTranslations
    palette: Palette
    actions: Mapping[str, Callable[[], object]]
    variables: Mapping[str, tk.StringVar]
    choose: Callable[[str, str], object]
    play: Callable[[int], object]
    place: Callable[[str], object]
    play_special: Callable[[str], object]
    animated: bool


MODIFIER = "Command" if sys.platform == "darwin" else "Control"

COMMANDS: Mapping[str, Command] = {
    "new": Command(N_("New game"), "n"),
    "undo": Command(N_("Undo"), "z"),
    "redo": Command(N_("Redo"), "y", "z"),
    "hint": Command(N_("Hint"), plain=("h", "F1")),
    "resign": Command(N_("Resign")),
    "open": Command(N_("Open …"), "o"),
    "save": Command(N_("Save …"), "s"),
    "quit": Command(N_("Quit"), "q"),
    "size": Command(N_("Another size …")),
    "moves": Command(N_("Moves"), "l"),
}
#: What the menu of the game and the row of buttons offer, in their order; "" parts.
GAME_MENU = ("new", "", "undo", "redo", "hint", "resign", "", "open", "save", "", "quit")
BUTTONS = ("new", "undo", "redo", "hint", "resign", "moves")
#: The keys that choose a letter. On a Russian keyboard: those of the same place, and those with the
#: letters that look the same.
LETTER_KEYS: Mapping[str, Sequence[str]] = {
    "X": ("x", "X", "Cyrillic_che", "Cyrillic_CHE", "Cyrillic_ha", "Cyrillic_HA"),
    "O": ("o", "O", "Cyrillic_shcha", "Cyrillic_SHCHA", "Cyrillic_o", "Cyrillic_O"),
}

#: What lies on the same keys of a Russian keyboard, whose letters would otherwise do nothing.
_CYRILLIC = {
    "h": "er",
    "l": "de",
    "n": "te",
    "o": "shcha",
    "q": "shorti",
    "s": "yeru",
    "y": "en",
    "z": "ya",
}


def _keys(letter: str) -> list[str]:
    """Return the names of the keys that a letter is on."""
    cyrillic = _CYRILLIC.get(letter.lower(), "")
    names = [letter] if letter else []
    if cyrillic:
        names.append(f"Cyrillic_{cyrillic.upper() if letter.isupper() else cyrillic}")
    return names
