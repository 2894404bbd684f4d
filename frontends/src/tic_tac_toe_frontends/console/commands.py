"""The commands at the prompt, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from gettext import NullTranslations
from typing import NamedTuple

from ..program.terminal import in_columns, screen_width
from ..words.translation import N_, pgettext


class Command(NamedTuple):
    """A request other than a move: its English word, and the text typed after it."""

    word: str
    argument: str = ""


#: Every command of a game at this terminal, in the order in which help tells them.
COMMANDS: Mapping[str, str] = {
    pgettext("command", "hint"): N_("show the best moves and what they lead to"),
    pgettext("command", "undo"): N_("take back, to your previous turn"),
    pgettext("command", "redo"): N_("play again what was taken back"),
    pgettext("command", "board"): N_("show the board again"),
    pgettext("command", "moves"): N_("list the moves so far"),
    pgettext("command", "save"): N_("write the game so far to a file: save FILE"),
    pgettext("command", "resign"): N_("give up this game"),
    pgettext("command", "help"): N_("show this"),
    pgettext("command", "quit"): N_("leave the game"),
}
#: What can be asked for in the lobby and in a game of a game server.
_ALWAYS: Mapping[str, str] = {
    pgettext("command", "code"): N_(
        "show your code, which finds your games again on another device, or take one from there:"
        " code CODE"
    ),
    pgettext("command", "bell"): N_(
        "ring the bell when an opponent comes or it is your turn, or no longer: bell off"
    ),
}
#: What can be asked for in the lobby of a game server.
IN_LOBBY: Mapping[str, str] = {
    pgettext("command", "now"): N_(
        "play now with whoever wants the same: now VARIANT, or with a clock: now VARIANT 5+3"
    ),
    pgettext("command", "join"): N_(
        "take the free seat of a game: join NUMBER, or the number alone"
    ),
    pgettext("command", "watch"): N_("watch a game: watch NUMBER"),
    pgettext("command", "create"): N_(
        "create an open game: create VARIANT, with a clock: create VARIANT 5+3, or against a"
        " computer: create VARIANT hard"
    ),
    pgettext("command", "back"): N_("return to a game of yours: back, or back NUMBER"),
    pgettext("command", "games"): N_("list your games here, and how they ended"),
    pgettext("command", "list"): N_("list the open games again"),
    **_ALWAYS,
    pgettext("command", "help"): N_("show this"),
    pgettext("command", "quit"): N_("end the program; your seats stay yours"),
}
#: What can be asked for in a game at a server.
IN_GAME: Mapping[str, str] = {
    pgettext("command", "resign"): N_("give up this game"),
    pgettext("command", "abort"): N_("end the game before both have moved; it counts for nobody"),
    pgettext("command", "claim"): N_(
        "claim the win, because the other player has left, or a draw: claim draw"
    ),
    pgettext("command", "draw"): N_("offer a draw"),
    pgettext("command", "undo"): N_("ask to take your last move back"),
    pgettext("command", "rematch"): N_("offer another game in which you change sides"),
    pgettext("command", "keep"): N_("after the game: ask to keep the chat with its record"),
    pgettext("command", "accept"): N_("agree to what the other player offers"),
    pgettext("command", "decline"): N_("refuse what the other player offers"),
    pgettext("command", "withdraw"): N_("take back what you offer"),
    pgettext("command", "say"): N_(
        "say a line to everybody at the game, or as a watcher to the other watchers: say TEXT"
    ),
    pgettext("command", "mute"): N_(
        "show no more lines of the other player, of the watchers or of a seat: mute, mute watchers,"
        " mute X"
    ),
    pgettext("command", "unmute"): N_("show everybody's lines again"),
    pgettext("command", "report"): N_(
        "report the newest line of somebody else to the operator of this server, the one before:"
        " report 2, or the other player's name: report name"
    ),
    pgettext("command", "block"): N_("never meet the other player again, and mute them"),
    pgettext("command", "unblock"): N_("meet the other player again"),
    pgettext("command", "board"): N_("show the board again"),
    pgettext("command", "moves"): N_("list the moves so far"),
    pgettext("command", "who"): N_("tell who plays, who is connected, and the clocks"),
    pgettext("command", "save"): N_("write the game so far to a file: save FILE"),
    **_ALWAYS,
    pgettext("command", "leave"): N_(
        "go to the lobby; your seat stays yours, but a game that nobody has joined is closed"
    ),
    pgettext("command", "help"): N_("show this"),
    pgettext("command", "quit"): N_("end the program; your seats stay yours"),
}
#: The commands that take more words.
WITH_ARGUMENT = {
    "save",
    "join",
    "watch",
    "now",
    "create",
    "back",
    "say",
    "claim",
    "accept",
    "decline",
    "withdraw",
    "mute",
    "report",
    "code",
    "bell",
}
SHORT = {"?": "help", "q": "quit", "exit": "quit"}


def translated_words(
    language: NullTranslations, among: Iterable[str] = COMMANDS
) -> Mapping[str, str]:
    """Return the words of some commands in a language, by the English ones, which hold as well."""
    return {word: language.pgettext("command", word) for word in among}


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


def describe_commands(language: NullTranslations, meanings: Mapping[str, str]) -> list[str]:
    """Return the lines that help tells about commands: their words, and their meanings."""
    theirs = translated_words(language, meanings)
    rows = (
        ("", " / ".join(dict.fromkeys([theirs[word], word])), language.gettext(meaning))
        for word, meaning in meanings.items()
    )
    return in_columns(rows, screen_width())
