"""The commands at the prompt, and what they mean."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import quoted
from tic_tac_toe.logic.registry import closest

from ..program.terminal import in_columns, screen_width
from ..words.translation import N_, pgettext


class Command(NamedTuple):
    """A request other than a move: its English word, and the text typed after it."""

    word: str
    argument: str = ""


#: Every command of a game at this terminal, in the order in which help tells them.
COMMANDS: Mapping[str, str] = {
    pgettext("command", "hint"): N_("show the best move; typed again, all that are as good"),
    pgettext("command", "analysis"): N_("show what each move leads to"),
    pgettext("command", "undo"): N_("take back, to your previous turn"),
    pgettext("command", "redo"): N_("play again what was taken back"),
    pgettext("command", "board"): N_("show the board again"),
    pgettext("command", "moves"): N_("list the moves so far"),
    pgettext("command", "save"): N_("write the game so far to a file: save FILE"),
    pgettext("command", "resign"): N_("give up this game"),
    pgettext("command", "help"): N_("show this"),
    pgettext("command", "quit"): N_("leave the game"),
}
#: What can be asked for when a game at this terminal is over.
AFTERWARDS: Mapping[str, str] = {
    pgettext("command", "yes"): N_("play another game"),
    pgettext("command", "no"): N_("play no more"),
    pgettext("command", "next"): N_("play the next level, once you have won"),
    pgettext("command", "review"): N_("show where the game turned"),
    **{word: COMMANDS[word] for word in ("undo", "redo", "board", "moves", "save", "help", "quit")},
}
#: What is understood then: what takes a game that goes on is answered by how to go on.
KNOWN_AFTERWARDS: Mapping[str, str] = {**AFTERWARDS, **COMMANDS}
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
SHORT = {
    "?": "help",
    "q": "quit",
    "exit": "quit",
    "analyse": "analysis",
    "analyze": "analysis",
}
#: What is not done at the beginning of its word: it cannot be taken back.
_IN_FULL = {"resign"}


def translated_words(
    language: NullTranslations, among: Iterable[str] = COMMANDS
) -> Mapping[str, str]:
    """Return the words of some commands in a language, by the English ones, which hold as well."""
    return {word: language.pgettext("command", word) for word in among}


def parse_command(
    line: str,
    language: NullTranslations,
    among: Iterable[str] = COMMANDS,
    *,
    abbreviated: bool = False,
) -> Command | None:
    """Return the command that a line gives, of those that hold; ``None`` if it is not one.

    Args:
        abbreviated: the beginning of a word is enough; it means the first that begins so.
    """
    word, _, argument = line.strip().partition(" ")
    words, argument = translated_words(language, among), argument.strip()
    found = _commands_by_form(words).get(_letters_of(word))
    if found is None and abbreviated and word and not argument:
        found = next((known for known in _begun(word, words) if known not in _IN_FULL), None)
    if found is None or (argument and found not in WITH_ARGUMENT):
        return None
    return Command(found, argument)


def describe_command_meant(line: str, language: NullTranslations, among: Iterable[str]) -> str:
    """Return a sentence that names the command which an unreadable line may mean, or ""."""
    _, words = language.gettext, translated_words(language, among)
    word, known = _letters_of(line.strip().partition(" ")[0]), _commands_by_form(words)
    text = quoted(line.strip())
    if word in known:
        return _("{text}: type {command} alone.").format(text=text, command=words[known[word]])
    meant = next(iter(_begun(word, words)), None) or known.get(closest(word, known) or "")
    return describe_meant(text, [words[meant]], language) if meant else ""


def describe_meant(text: str, meant: Sequence[str], language: NullTranslations) -> str:
    """Return the question whether something else was meant, one thing or either of two."""
    _, either = language.gettext, meant[0]
    if len(meant) > 1:
        either = _("{one} or {other}").format(one=meant[0], other=meant[1])
    return _("{text}: did you mean {meant}?").format(text=text, meant=either)


def _commands_by_form(words: Mapping[str, str]) -> dict[str, str]:
    """Return some commands by everything that can be typed for them."""
    forms = {_letters_of(theirs): ours for ours, theirs in words.items()}
    return (
        forms
        | {short: ours for short, ours in SHORT.items() if ours in words}
        | {ours: ours for ours in words}
    )


def _begun(text: str, words: Mapping[str, str]) -> list[str]:
    """Return the commands whose word begins with a text, in the order of the commands."""
    begun = _letters_of(text)
    return [
        ours
        for ours, theirs in words.items()
        if begun and any(_letters_of(form).startswith(begun) for form in (ours, theirs))
    ]


def _letters_of(text: str) -> str:
    """Return a text for comparison: in small letters without accents."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def describe_commands(language: NullTranslations, meanings: Mapping[str, str]) -> list[str]:
    """Return the lines that help tells about commands: their words, and their meanings."""
    theirs = translated_words(language, meanings)
    rows = (
        ("", " / ".join(dict.fromkeys([theirs[word], word])), language.gettext(meaning))
        for word, meaning in meanings.items()
    )
    return in_columns(rows, screen_width())
