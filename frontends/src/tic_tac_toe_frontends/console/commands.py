"""The commands at the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import NamedTuple

from ..words.translation import N_


class Command(NamedTuple):
    """A request other than a move: its English word, and the text typed after it."""

    word: str
    argument: str = ""


#: Every command with its meaning, in the order in which help tells them.
COMMANDS: Mapping[str, str] = {
    "hint": N_("show the best moves and what they lead to"),
    "undo": N_("take back, to your previous turn"),
    "redo": N_("play again what was taken back"),
    "board": N_("show the board again"),
    "moves": N_("list the moves so far"),
    "save": N_("write the game so far to a file: save FILE"),
    "resign": N_("give up this game"),
    "help": N_("show this"),
    "quit": N_("leave the game"),
}
WITH_ARGUMENT = {"save"}
SHORT = {"?": "help", "q": "quit", "exit": "quit"}


def translated_words(language: NullTranslations) -> Mapping[str, str]:
    """Return the words of the commands in a language, by the English ones, which hold as well."""
    return {
        "hint": language.pgettext("command", "hint"),
        "undo": language.pgettext("command", "undo"),
        "redo": language.pgettext("command", "redo"),
        "board": language.pgettext("command", "board"),
        "moves": language.pgettext("command", "moves"),
        "save": language.pgettext("command", "save"),
        "resign": language.pgettext("command", "resign"),
        "help": language.pgettext("command", "help"),
        "quit": language.pgettext("command", "quit"),
    }


def parse_command(line: str, language: NullTranslations) -> Command | None:
    """Return the command that a line gives, or ``None`` if it is not a command."""
    word, _, argument = line.strip().partition(" ")
    english = {theirs.casefold(): ours for ours, theirs in translated_words(language).items()}
    english |= SHORT | {ours: ours for ours in COMMANDS}
    found = english.get(word.casefold())
    if found is None or (argument.strip() and found not in WITH_ARGUMENT):
        return None
    return Command(found, argument.strip())
