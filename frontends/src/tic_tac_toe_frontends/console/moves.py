"""How moves are typed at a prompt, and what is said where something else was typed."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name, cell_name_in, move_name
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.placements import chooses_letter, move_to
from tic_tac_toe.logic.rules.traits import Digits, traits_of

from ..words.messages import localise

#: The number of legal moves up to which a refusal lists all of them.
MOVES_TO_LIST = 9


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
    state: GameState, error: InvalidMove | InvalidNotation, language: NullTranslations
) -> str:
    """Return one line that says what is wrong with what was typed, and what can be played."""
    _, problem = language.gettext, localise(language, error)
    if isinstance(error, InvalidMove) and state.legal_moves:
        message = _("{problem}: expected {cells}")
        problem = message.format(problem=problem, cells=_describe_legal(state, language))
    return _("{problem}. Or type help.").format(problem=problem)


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
        return ", ".join(move_name(state, move) for move in _from_the_left(state))
    if chooses_letter(state.rules):
        last = moves[-1 - len(specials)]
        first, second = (move_name(state, move) for move in (moves[0], last))
        text = _("a move such as {first} or {second}").format(first=first, second=second)
    else:
        text = _("an empty cell, such as {cell}").format(cell=move_name(state, moves[0]))
    for word in specials:
        text = _("{moves}, or {word}").format(moves=text, word=word)
    return text


def _from_the_left(state: GameState) -> list[int]:
    """Return the legal moves; where they are columns, in the order of the columns."""
    moves, shape = state.legal_moves, state.rules.shape
    if traits_of(state.rules).digits is not Digits.COLUMNS:
        return [*moves]
    # Moves with another letter, and those that place nothing, have higher numbers.
    return sorted(moves, key=lambda move: (move // shape.cells, move % shape.columns))
