"""The commands at the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from gettext import NullTranslations
from typing import NamedTuple

from ..program.terminal import columns_of, padded
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
#: The commands that take more words, online too.
WITH_ARGUMENT = {"save", "join", "watch", "create", "back", "say", "accept", "decline"}
SHORT = {"?": "help", "q": "quit", "exit": "quit"}


def translated_words(
    language: NullTranslations, among: Iterable[str] = COMMANDS
) -> Mapping[str, str]:
    """Return the words of some commands in a language, by the English ones, which hold as well."""
    words = {
        "hint": language.pgettext("command", "hint"),
        "undo": language.pgettext("command", "undo"),
        "redo": language.pgettext("command", "redo"),
        "board": language.pgettext("command", "board"),
        "moves": language.pgettext("command", "moves"),
        "save": language.pgettext("command", "save"),
        "resign": language.pgettext("command", "resign"),
        "help": language.pgettext("command", "help"),
        "quit": language.pgettext("command", "quit"),
        "join": language.pgettext("command", "join"),
        "watch": language.pgettext("command", "watch"),
        "create": language.pgettext("command", "create"),
        "back": language.pgettext("command", "back"),
        "list": language.pgettext("command", "list"),
        "draw": language.pgettext("command", "draw"),
        "rematch": language.pgettext("command", "rematch"),
        "accept": language.pgettext("command", "accept"),
        "decline": language.pgettext("command", "decline"),
        "say": language.pgettext("command", "say"),
        "who": language.pgettext("command", "who"),
        "leave": language.pgettext("command", "leave"),
    }
    return {english: words[english] for english in among}


def parse_command(
    line: str, language: NullTranslations, among: Iterable[str] = COMMANDS
) -> Command | None:
    """Return the command that a line gives, of those that hold; ``None`` if it is not one."""
    word, _, argument = line.strip().partition(" ")
    words = translated_words(language, among)
    english = {theirs.casefold(): ours for ours, theirs in words.items()}
    english |= SHORT | {ours: ours for ours in words}
    found, argument = english.get(word.casefold()), argument.strip()
    if found is None or found not in words or (argument and found not in WITH_ARGUMENT):
        return None
    return Command(found, argument)


def describe_commands(
    language: NullTranslations, meanings: Mapping[str, str] = COMMANDS
) -> list[str]:
    """Return the lines that help tells about commands: their words, and their meanings."""
    theirs = translated_words(language, meanings)
    names = {word: " / ".join(dict.fromkeys([theirs[word], word])) for word in meanings}
    width = max(map(columns_of, names.values()))
    return [
        f"  {padded(names[word], width)}  {language.gettext(meaning)}"
        for word, meaning in meanings.items()
    ]
