"""The commands and choices of the window: one table for menus, buttons and keys."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.pictures.board import Look, looks_for

from ..table.table import Setup
from ..words.game_text import setup_menus, starter_title, starters_of
from ..words.rules_text import game_name, look_title, seat_title, variant_title
from ..words.translation import LANGUAGE_TITLES, N_, code_of
from .palettes import AUTOMATIC, DARK, LIGHT, THEMES, Palette


class Command(NamedTuple):
    """A command.

    Attributes:
        letter: the key together with Control, or Command on a Mac.
        shifted: the key together with that and Shift.
        plain: keys without modifiers.
    """

    title: str
    letter: str = ""
    shifted: str = ""
    plain: tuple[str, ...] = ()

    @property
    def accelerator(self) -> str:
        """The key as shown in menus."""
        if self.letter:
            return f"{MODIFIER}+{self.letter.upper()}".replace("Control", "Ctrl")
        return KEY_TITLES.get(self.plain[0], self.plain[0].upper()) if self.plain else ""

    @property
    def sequences(self) -> list[str]:
        """Tk's names of its key events, with those of a Cyrillic keyboard."""
        keys = [f"{MODIFIER}-{key}" for key in _keys(self.letter)]
        keys += [f"{MODIFIER}-Shift-{key}" for key in _keys(self.shifted.upper())]
        return keys + [f"Key-{key}" for plain in self.plain for key in _keys(plain)]


class Group(NamedTuple):
    """A choice of one option.

    Attributes:
        options: values and titles.
    """

    title: str
    options: Sequence[tuple[str, str]]
    chosen: str


def groups_of(
    setup: Setup,
    theme: str,
    look: Look,
    language: NullTranslations,
    others: Iterable[str] = (),
) -> dict[str, Group]:
    """Return all groups by their names.

    Args:
        theme: the chosen one of `THEMES`.
        others: players beside those of `PLAYERS`.
    """
    _ = language.gettext
    menus, variant = setup_menus(language, others, setup.rules), game_name(setup.rules)
    if variant not in VARIANTS:
        menus["variant"].append((variant, variant_title(setup.rules, language)))
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
        "variant": Group(_("Variant"), menus["variant"], variant),
        "starting": Group(_("Who starts"), starters, starting),
        "look": Group(_("Look"), looks, look.value),
        "theme": Group(_("Colours"), themes, theme),
        "language": Group(_("Language"), [*LANGUAGE_TITLES.items()], code_of(language)),
    }


#: The names of the groups.
GROUPS = ("x", "o", "variant", "starting", "look", "theme", "language")


class Context(NamedTuple):
    """The data and callbacks that all widgets share.

    Attributes:
        groups: the choices by name.
        actions: the functions of commands by name.
        variables: the selections in menus, by the names of groups and of `SWITCHES`, and the
            ``letter`` to place; they outlive the widgets.
        choose: called with the name of a group and the chosen value.
        play: called with the chosen cell.
        look_back: called with the ply of the position to show.
        place: called with the chosen letter, in games with a choice.
        play_special: called with the name of a move that places nothing.
        animated: whether to animate marks and lines.
    """

    root: tk.Tk
    groups: Mapping[str, Group]
    language: NullTranslations
    palette: Palette
    actions: Mapping[str, Callable[[], object]]
    variables: Mapping[str, tk.StringVar]
    choose: Callable[[str, str], object]
    play: Callable[[int], object]
    look_back: Callable[[int], object]
    place: Callable[[str], object]
    play_special: Callable[[str], object]
    animated: bool


MODIFIER = "Command" if sys.platform == "darwin" else "Control"

COMMANDS: Mapping[str, Command] = {
    "new": Command(N_("New game"), "n"),
    "undo": Command(N_("Undo"), "z"),
    "redo": Command(N_("Redo"), "y", "z"),
    "hint": Command(N_("Hint"), plain=("h",)),
    "analysis": Command(N_("Analysis"), plain=("a",)),
    "resign": Command(N_("Resign")),
    "open": Command(N_("Open …"), "o"),
    "save": Command(N_("Save …"), "s"),
    "quit": Command(N_("Quit"), "q"),
    "size": Command(N_("Another size …")),
    "moves": Command(N_("Moves"), "l"),
    "names": Command(N_("Coordinates"), plain=("c",)),
    "first": Command(N_("To the beginning"), plain=("Home",)),
    "back": Command(N_("One move back"), plain=("Prior",)),
    "on": Command(N_("One move on"), plain=("Next",)),
    "last": Command(N_("To the end"), plain=("End",)),
    "film": Command(N_("Play the moves"), plain=("p",)),
    "review": Command(N_("Review"), "r"),
    "fault-back": Command(N_("Mistake before"), plain=("bracketleft",)),
    "fault-on": Command(N_("Next mistake"), plain=("bracketright",)),
    "play-on": Command(N_("Play on from here"), plain=("k",)),
    "now": Command(N_("Move now"), plain=("m",)),
    "next": Command(N_("Next level"), plain=("plus", "KP_Add")),
    "help": Command(N_("Help"), plain=("F1",)),
}
#: The entries of the menus of the game, its moves and the help; "" is a separator.
GAME_MENU = ("new", "next", "resign", "", "open", "save", "", "quit")
MOVES_MENU = (
    *("undo", "redo", "", "hint", "analysis", "now", ""),
    *("first", "back", "on", "last", "film", ""),
    *("review", "fault-back", "fault-on", "play-on"),
)
HELP_MENU = ("help",)
#: The commands with a button only while they have an effect.
OFFERS = ("now", "next", "review", "fault-back", "fault-on", "play-on")
#: The commands that are on or off.
SWITCHES = ("analysis", "moves", "names")
#: The row of buttons; their order of importance for narrow windows; and the buttons below the list
#: of moves with their signs.
BUTTONS = ("new", "undo", "redo", "hint", "analysis", "resign", "moves")
BY_IMPORTANCE = ("new", "undo", "hint", "moves", "analysis", "redo", "resign")
STEPS: Mapping[str, str] = {"first": "|<", "back": "<", "film": "▶", "on": ">", "last": ">|"}
#: The names on keys.
KEY_TITLES = {
    "Home": "Home",
    "Prior": "PgUp",
    "Next": "PgDn",
    "End": "End",
    "plus": "+",
    "bracketleft": "[",
    "bracketright": "]",
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
    "h": "er",
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


def _keys(letter: str) -> list[str]:
    cyrillic = _CYRILLIC.get(letter.lower(), "")
    names = [letter] if letter else []
    if cyrillic:
        names.append(f"Cyrillic_{cyrillic.upper() if letter.isupper() else cyrillic}")
    return names
