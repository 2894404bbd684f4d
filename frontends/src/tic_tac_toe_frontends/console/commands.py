"""Parsing of typed commands and moves."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation, quoted
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import (
    cell_name,
    cell_name_in,
    column_letter,
    move_name,
    parse_move,
)
from tic_tac_toe.logic.registry import closest
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, chooses_letter, move_to, traits_of

from ..program.terminal import in_columns, screen_width
from ..table.commands import COMMANDS as TABLE_COMMANDS
from ..words.game_text import from_the_left
from ..words.translation import N_, join_sentences, localise, pgettext


class Command(NamedTuple):
    """A command: its English word, and its argument."""

    word: str
    argument: str = ""


def _typed(*names: str) -> dict[str, str]:
    """Return the words and meanings of commands of the table."""
    commands = [TABLE_COMMANDS[name] for name in names]
    return {command.typed: command.meaning for command in commands}


#: The commands of a local game, in the order of the help.
COMMANDS: Mapping[str, str] = {
    **_typed("hint", "analysis"),
    pgettext("command", "explain"): N_(
        "tell why the last move is good or bad, or a move: explain MOVE"
    ),
    **_typed("undo", "redo", "coach", "go-on"),
    pgettext("command", "board"): N_("show the board again"),
    pgettext("command", "moves"): N_("list the moves so far"),
    pgettext("command", "save"): N_("write the game so far to a file: save FILE"),
    **_typed("puzzle"),
    pgettext("command", "lesson"): N_("learn in a lesson: lesson NUMBER"),
    **_typed("solution"),
    pgettext("command", "next"): N_("go on to the next puzzle"),
    pgettext("command", "leave"): N_("leave the puzzle or lesson"),
    **_typed("resign", "help", "quit"),
}
#: The commands after a local game.
AFTERWARDS: Mapping[str, str] = {
    pgettext("command", "yes"): N_("play another game"),
    pgettext("command", "no"): N_("play no more"),
    **_typed("next-level", "review", "explain"),
    **{word: COMMANDS[word] for word in ("undo", "redo", "board", "moves", "save")},
    **{word: COMMANDS[word] for word in ("puzzle", "lesson", "help", "quit")},
}
#: All commands recognised then: those that need a running game get an explanation.
KNOWN_AFTERWARDS: Mapping[str, str] = {**AFTERWARDS, **COMMANDS}
#: The commands both in the lobby and in online games.
_ALWAYS: Mapping[str, str] = {
    pgettext("command", "code"): N_(
        "show your code, which finds your games again on another device, or take one from there:"
        " code CODE"
    ),
    pgettext("command", "bell"): N_(
        "ring the bell when an opponent comes or it is your turn, or no longer: bell off"
    ),
}
#: The commands in the lobby.
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
#: The commands in an online game.
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
#: The commands with an argument.
WITH_ARGUMENT = {
    "save",
    "explain",
    "puzzle",
    "lesson",
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
    "why": "explain",
    "q": "quit",
    "exit": "quit",
    "analyse": "analysis",
    "analyze": "analysis",
}
#: The commands that must not be abbreviated, because they cannot be undone.
_IN_FULL = {"resign"}


def translated_words(
    language: NullTranslations, among: Iterable[str] = COMMANDS
) -> Mapping[str, str]:
    """Return the translated words of commands by the English ones, which also work."""
    return {word: language.pgettext("command", word) for word in among}


def parse_command(
    line: str,
    language: NullTranslations,
    among: Iterable[str] = COMMANDS,
    *,
    abbreviated: bool = False,
) -> Command | None:
    """Return the command in a line; ``None`` if it is not one of these.

    Args:
        abbreviated: accept abbreviations; the first matching command counts.
    """
    word, _, argument = line.strip().partition(" ")
    words, argument = translated_words(language, among), argument.strip()
    found = _commands_by_form(words).get(_folded(word))
    if found is None and abbreviated and word and not argument:
        found = next(
            (known for known in _commands_starting_with(word, words) if known not in _IN_FULL), None
        )
    if found is None or (argument and found not in WITH_ARGUMENT):
        return None
    return Command(found, argument)


def describe_command_meant(line: str, language: NullTranslations, among: Iterable[str]) -> str:
    """Return a sentence with the command that an unknown line may mean, or ""."""
    _, words = language.gettext, translated_words(language, among)
    word, known = _folded(line.strip().partition(" ")[0]), _commands_by_form(words)
    text = quoted(line.strip())
    if word in known:
        return _("{text}: type {command} alone.").format(text=text, command=words[known[word]])
    meant = next(iter(_commands_starting_with(word, words)), None) or known.get(
        closest(word, known) or ""
    )
    return describe_meant(text, [words[meant]], language) if meant else ""


def describe_meant(text: str, meant: Sequence[str], language: NullTranslations) -> str:
    """Return the question "did you mean" about one or two words."""
    message = language.gettext("{text}: did you mean {meant}?")
    return message.format(text=text, meant=either(meant, language))


def either(words: Sequence[str], language: NullTranslations) -> str:
    """Return one or two words as alternatives."""
    if len(words) == 1:
        return words[0]
    return language.gettext("{one} or {other}").format(one=words[0], other=words[1])


def _commands_by_form(words: Mapping[str, str]) -> dict[str, str]:
    forms = {_folded(theirs): ours for ours, theirs in words.items()}
    return (
        forms
        | {short: ours for short, ours in SHORT.items() if ours in words}
        | {ours: ours for ours in words}
    )


def _commands_starting_with(text: str, words: Mapping[str, str]) -> list[str]:
    begun = _folded(text)
    return [
        ours
        for ours, theirs in words.items()
        if begun and any(_folded(form).startswith(begun) for form in (ours, theirs))
    ]


def _folded(text: str) -> str:
    """Return a text in lower case and without accents."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def describe_commands(language: NullTranslations, meanings: Mapping[str, str]) -> list[str]:
    """Return the lines of the help about commands."""
    theirs = translated_words(language, meanings)
    rows = (
        ("", " / ".join(dict.fromkeys([theirs[word], word])), language.gettext(meaning))
        for word, meaning in meanings.items()
    )
    return in_columns(rows, screen_width())


#: A refusal lists all legal moves up to this number.
MOVES_TO_LIST = 9
#: The parts of a line that may be moves.
_PARTS = re.compile(r"[^\s,;.:()\[\]]+")
_NUMBER = re.compile("[0-9]{1,2}")


def is_move(state: GameState, line: str) -> bool:
    """Return whether a line is a move, legal or not."""
    try:
        parse_move(state, line)
    except InvalidNotation:
        return False
    except InvalidMove:
        return True
    return True


def describe_moves(state: GameState, language: NullTranslations) -> list[str]:
    """Return how to write moves in a game, and the meaning of small letters on its board."""
    _, rules, traits = language.gettext, state.rules, traits_of(state.rules)
    lines = _describe_places(rules, language)
    if chooses_letter(rules):
        message = _("Begin with what you place there, as in {first} or {second}.")
        first, second = (move_name(state, move) for move in _examples(rules))
        lines.append(message.format(first=first, second=second))
    if traits.specials:
        message = _("The second player can type {word} instead of making a first move.")
        lines.append(message.format(word=", ".join(traits.specials)))
    if traits.leaving:
        lines.append(_("A small letter on the board is the mark that leaves next."))
    return lines


def describe_refusal(
    state: GameState,
    line: str,
    error: InvalidMove | InvalidNotation,
    language: NullTranslations,
    commands: Iterable[str] = COMMANDS,
) -> str:
    """Return one line about an invalid move and the possible input."""
    _, problem = language.gettext, localise(language, error)
    if isinstance(error, InvalidNotation):
        is_command = parse_command(line.strip().partition(" ")[0], language, commands) is not None
        meant = "" if is_command else _describe_moves_meant(state, line, language)
        if meant := meant or describe_command_meant(line, language, commands):
            return join_sentences([meant, _("Or type help.")], language)
    if isinstance(error, InvalidMove) and state.legal_moves:
        message = _("{problem}: expected {cells}")
        problem = message.format(problem=problem, cells=_describe_legal(state, language))
    return _("{problem}. Or type help.").format(problem=problem)


def _describe_moves_meant(state: GameState, line: str, language: NullTranslations) -> str:
    """Return a sentence with the moves that an unreadable line may mean, or ""."""
    _, text, pieces = language.gettext, quoted(line.strip()), _PARTS.findall(line)[:MOVES_TO_LIST]
    if cells := _cells_by_numbers(state.rules, pieces):
        return describe_meant(text, cells, language)
    moves = list[str]()
    for piece in pieces:
        with contextlib.suppress(InvalidMove, InvalidNotation):
            moves.append(move_name(state, parse_move(state, piece)))
    if len(moves) > 1:
        message = _("{text}: type one move at a time, such as {move}.")
        return message.format(text=text, move=moves[0])
    special = closest(line.strip().lower(), state.special_moves)
    moves += [special] if special else []
    return describe_meant(text, moves, language) if moves else ""


def _cells_by_numbers(rules: Rules, pieces: Sequence[str]) -> list[str]:
    """Return the cells that two numbers may mean, as column and row or as row and column."""
    traits, shape = traits_of(rules), rules.shape
    is_plain = traits.digits is not Digits.COLUMNS and not traits.layered
    if not is_plain or len(pieces) != 2 or not all(map(_NUMBER.fullmatch, pieces)):
        return []
    first, second = map(int, pieces)
    return [
        f"{column_letter(column - 1)}{row}"
        for column, row in dict.fromkeys([(first, second), (second, first)])
        if 0 < column <= shape.columns and 0 < row <= shape.rows
    ]


def _describe_places(rules: Rules, language: NullTranslations) -> list[str]:
    """Return how to write the place of a mark."""
    _, traits, shape = language.gettext, traits_of(rules), rules.shape
    last = cell_name_in(rules, shape.cells - 1)
    if traits.digits is Digits.COLUMNS:
        message = _("Type the number of a column, 1 to {columns}; the mark falls down in it.")
        return [message.format(columns=shape.columns)]
    if traits.layered and traits.blocks is not None and traits.gravity:
        message = _(
            "Type a place, its letter and its number: A1 to {last}; "
            "the mark falls to the lowest free layer."
        )
        return [message.format(last=cell_name(traits.blocks, traits.blocks.cells - 1))]
    if traits.layered:
        message = _("Type a cell, its layer, its letter and its number: 1A1 to {last}.")
        return [message.format(last=last)]
    lines = [_("Type a cell, its letter and its number: A1 to {last}.").format(last=last)]
    if traits.digits is Digits.NUMBER_PAD:
        lines.append(_("Or a digit as they lie on a number pad: 7 is A1, 5 the centre, 3 is C3."))
    return lines


def _examples(rules: Rules) -> tuple[int, int]:
    cell = rules.shape.middle
    return move_to(rules, cell, 0), move_to(rules, cell, 1)


def _describe_legal(state: GameState, language: NullTranslations) -> str:
    """Return the legal moves if they are few, else one of them."""
    _, moves, specials = language.gettext, state.legal_moves, state.special_moves
    if len(moves) <= MOVES_TO_LIST:
        return ", ".join(move_name(state, move) for move in from_the_left(state))
    if chooses_letter(state.rules):
        last = moves[-1 - len(specials)]
        first, second = (move_name(state, move) for move in (moves[0], last))
        text = _("a move such as {first} or {second}").format(first=first, second=second)
    else:
        text = _("an empty cell, such as {cell}").format(cell=move_name(state, moves[0]))
    for word in specials:
        text = _("{moves}, or {word}").format(moves=text, word=word)
    return text
