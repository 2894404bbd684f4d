"""How moves are typed at a prompt, and what is said where something else was typed."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from gettext import NullTranslations

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
from tic_tac_toe.logic.rules.placements import chooses_letter, move_to
from tic_tac_toe.logic.rules.traits import Digits, traits_of

from ..words.game_text import from_the_left
from ..words.translation import in_a_row, localise
from .commands import COMMANDS, describe_command_meant, describe_meant, parse_command

#: The number of legal moves up to which a refusal lists all of them.
MOVES_TO_LIST = 9
#: What may be a move in a line of several, or of one in brackets.
_PARTS = re.compile(r"[^\s,;.:()\[\]]+")
_NUMBER = re.compile("[0-9]{1,2}")


def is_move(state: GameState, line: str) -> bool:
    """Return whether a line names a move, which may be illegal."""
    try:
        parse_move(state, line)
    except InvalidNotation:
        return False
    except InvalidMove:
        return True
    return True


def describe_moves(state: GameState, language: NullTranslations) -> list[str]:
    """Return how moves are written in this game, and what small letters on its board mean."""
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
    """Return one line that says what is wrong with what was typed, and what can be typed.

    Args:
        commands: those that hold at the prompt.
    """
    _, problem = language.gettext, localise(language, error)
    if isinstance(error, InvalidNotation):
        is_command = parse_command(line.strip().partition(" ")[0], language, commands) is not None
        meant = "" if is_command else _describe_moves_meant(state, line, language)
        if meant := meant or describe_command_meant(line, language, commands):
            return in_a_row([meant, _("Or type help.")], language)
    if isinstance(error, InvalidMove) and state.legal_moves:
        message = _("{problem}: expected {cells}")
        problem = message.format(problem=problem, cells=_describe_legal(state, language))
    return _("{problem}. Or type help.").format(problem=problem)


def _describe_moves_meant(state: GameState, line: str, language: NullTranslations) -> str:
    """Return a sentence that names the moves which an unreadable line may mean, or ""."""
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
    """Return the cells that two numbers may mean, the column and the row or the other way round."""
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
    """Return how the place of a mark is written."""
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
    """Return the moves that place the first two letters in a cell near the middle."""
    cell = rules.shape.middle
    return move_to(rules, cell, 0), move_to(rules, cell, 1)


def _describe_legal(state: GameState, language: NullTranslations) -> str:
    """Return what can be played: every move if they are few, else one of them."""
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
