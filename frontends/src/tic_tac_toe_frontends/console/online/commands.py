"""What can be typed while playing online, besides a move."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations

from ...words.translation import N_
from ..commands import SHORT, Command

#: What can be asked for in the lobby, in the order in which help tells it.
IN_LOBBY: Mapping[str, str] = {
    "join": N_("take the free seat of a game: join NUMBER, or the number alone"),
    "watch": N_("watch a game: watch NUMBER"),
    "create": N_("create an open game: create VARIANT, or against a computer: create VARIANT hard"),
    "back": N_("return to a game of yours that goes on"),
    "list": N_("list the open games again"),
    "help": N_("show this"),
    "quit": N_("end the program; your seats stay yours"),
}
#: What can be asked for in a game.
IN_GAME: Mapping[str, str] = {
    "resign": N_("give up this game"),
    "draw": N_("offer a draw"),
    "undo": N_("ask to take your last move back"),
    "rematch": N_("offer another game with X and O swapped"),
    "accept": N_("agree to what the other player offers"),
    "decline": N_("refuse what the other player offers"),
    "say": N_("say a line to everybody at the game: say TEXT"),
    "board": N_("show the board again"),
    "moves": N_("list the moves so far"),
    "who": N_("tell who plays, who is connected, and the clocks"),
    "save": N_("write the game so far to a file: save FILE"),
    "leave": N_("go to the lobby; your seat stays yours"),
    "help": N_("show this"),
    "quit": N_("end the program; your seats stay yours"),
}
WITH_ARGUMENT = {"join", "watch", "create", "back", "say", "save", "accept", "decline"}


def translated_words(language: NullTranslations) -> Mapping[str, str]:
    """Return the words of the commands in a language, by the English ones, which hold as well."""
    return {
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
        "undo": language.pgettext("command", "undo"),
        "board": language.pgettext("command", "board"),
        "moves": language.pgettext("command", "moves"),
        "save": language.pgettext("command", "save"),
        "resign": language.pgettext("command", "resign"),
        "help": language.pgettext("command", "help"),
        "quit": language.pgettext("command", "quit"),
    }


def parse_command(
    line: str, among: Mapping[str, str], language: NullTranslations
) -> Command | None:
    """Return the command that a line gives, of those that hold here; ``None`` if it is not one."""
    word, _, argument = line.strip().partition(" ")
    english = {theirs.casefold(): ours for ours, theirs in translated_words(language).items()}
    english |= SHORT | {ours: ours for ours in (*IN_LOBBY, *IN_GAME)}
    found = english.get(word.casefold())
    argument = argument.strip()
    if found is None or found not in among or (argument and found not in WITH_ARGUMENT):
        return None
    return Command(found, argument)
