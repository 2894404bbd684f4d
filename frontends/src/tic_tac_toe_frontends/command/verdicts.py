"""The value of a position as it is printed: for people, and as JSON. Parts may be unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.game.drawing import PLAIN, draw
from tic_tac_toe.logic.exceptions import Message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state, move_name
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.rules.placements import cell_of, letter_of, placement
from tic_tac_toe.logic.rules.traits import Digits, traits_of
from tic_tac_toe.logic.search.scores import Result

from ..program.terminal import in_columns, unbroken
from ..words.messages import localise
from ..words.rules_text import side_title, variant_title
from ..words.worth_text import outcome_word

#: Stands for what is unknown.
UNKNOWN = "?"


class Answer(NamedTuple):
    """What is known of a position; ``None`` stands for what is unknown.

    Attributes:
        outcome, plies, best, line: as in `Verdict`.
        bounds: the worst and the best outcome that are possible; ``None`` if the rest is known.
        limit: the limit that ended the search, without the bounds; ``None`` if none has.
    """

    outcome: Result | None
    plies: int | None = None
    best: tuple[int, ...] | None = None
    line: tuple[int, ...] | None = None
    bounds: tuple[Result, Result] | None = None
    limit: Message | None = None


class MoveAnswer(NamedTuple):
    """What is known of a move: as `MoveVerdict`, with ``None`` for what is not known."""

    cell: int
    outcome: Result | None = None
    plies: int | None = None


def is_endless(state: GameState, outcome: Result | None, plies: int | None) -> bool:
    """Return whether a game of this value goes on for ever under best play."""
    return outcome == "draw" and plies == 0 and traits_of(state.rules).longest is None


def as_object(
    state: GameState, answer: Answer, moves: Sequence[MoveAnswer] | None
) -> dict[str, object]:
    """Return what ``--json`` prints; cells are counted from 0 in reading order.

    Moves are their cells. In games in which a move is more than a cell, ``best`` and ``line`` are
    numbers of moves, and each of the moves has its number as ``move`` and what it places as
    ``letter``; ``cell`` and ``letter`` are null where a move places nothing.

    Outcomes are those of the side to move, which after the end is the one that would be. The plies
    of a draw that goes on for ever are 0.

    Args:
        moves: if ``None``, nothing but the outcome is printed.
    """
    outcome: dict[str, object] = {
        "variant": variant_name(state.rules),
        "position": format_state(state),
        "to_move": state.current_mark.value,
        "outcome": answer.outcome,
    }
    known: dict[str, object] = {"exact": answer.bounds is None}
    if answer.bounds is not None:
        known["bounds"] = list(answer.bounds)
    if moves is None:
        return outcome | known
    return {
        **outcome,
        "plies": answer.plies,
        "best": None if answer.best is None else list(answer.best),
        "line": None if answer.line is None else list(answer.line),
        "moves": [
            {**_as_fields(state, move.cell), "outcome": move.outcome, "plies": move.plies}
            for move in in_order(state, moves)
        ],
        **known,
    }


def _as_fields(state: GameState, number: int) -> dict[str, object]:
    """Return what tells a move in JSON: its cell and its name, and more where there is more."""
    rules, traits = state.rules, traits_of(state.rules)
    placed = placement(rules, state.current_mark.side, number)
    name = move_name(state, number)
    if placed is None:
        return {"move": number, "cell": None, "letter": None, "name": name}
    if traits.choices is None and not traits.specials:
        return {"cell": placed.cell, "name": name}
    letter = NAMES[placed.mark]
    return {"move": number, "cell": placed.cell, "letter": letter, "name": name}


def in_order(state: GameState, moves: Iterable[MoveAnswer]) -> list[MoveAnswer]:
    """Return moves in the order of the numbers that people write: columns from left to right."""
    rules = state.rules
    if traits_of(rules).digits is not Digits.COLUMNS:
        return [*moves]
    columns = rules.shape.columns

    def place(move: MoveAnswer) -> tuple[bool, str, int]:
        cell = cell_of(rules, move.cell)
        return cell is None, letter_of(rules, move.cell), (cell or 0) % columns

    return sorted(moves, key=place)


def describe_position(state: GameState, answer: Answer, language: NullTranslations) -> list[str]:
    """Return what is known of the position itself."""
    _ = language.gettext
    player = side_title(state.rules, state.current_mark, language)
    told = tell(answer, language)
    if is_endless(state, answer.outcome, answer.plies):
        told = _("draw, the game goes on for ever")
    lines = [
        _("{variant}: {description}").format(
            variant=variant_title(state.rules, language),
            description=unbroken(format_state(state)),
        ),
        "",
        *draw(state, PLAIN),
        "",
        _("{mark} to move: {told}").format(mark=player, told=told),
    ]
    if state.outcome is not None:
        return [*lines, _("The game is over.")]
    if answer.best is not None:
        lines.append(_("best: {moves}").format(moves=_best(state, answer.best)))
    if answer.line is not None:
        lines.append(_("line: {moves}").format(moves=_names(state, answer.line)))
    elif answer.best is not None:
        reason = localise(language, answer.limit)
        lines.append(_("line: unknown ({reason})").format(reason=reason))
    return lines


def tell(answer: Answer, language: NullTranslations) -> str:
    """Return the outcome and its distance, or what is known of them."""
    if answer.plies is None and answer.bounds is not None:
        return tell_bounds(*answer.bounds, language)
    assert answer.outcome is not None, "without bounds the outcome is known"
    outcome = outcome_word(answer.outcome, language)
    if answer.plies is None:
        return outcome
    text = language.ngettext(
        "{outcome}, {count} ply to the end", "{outcome}, {count} plies to the end", answer.plies
    )
    return text.format(outcome=outcome, count=answer.plies)


def tell_bounds(at_least: Result, at_most: Result, language: NullTranslations) -> str:
    """Return what is proved of an outcome whose distance is unknown."""
    _ = language.gettext
    if at_least == at_most == "draw":
        return _("draw")
    if at_least == at_most:
        return _("a win, but not how soon") if at_least == "win" else _("a loss, but not how late")
    if at_least == "draw":
        return _("at least a draw")
    return _("at most a draw") if at_most == "draw" else _("the outcome is open")


def in_one_line(state: GameState, answer: Answer, language: NullTranslations) -> str:
    """Return the answer in one line."""
    line = f"{format_state(state)}: {tell(answer, language)}"
    if answer.best:
        best = language.gettext("best: {moves}").format(moves=_best(state, answer.best))
        line += f"; {best}"
    return f"{line}; {localise(language, answer.limit)}" if answer.limit else line


def describe_moves(
    state: GameState, answer: Answer, moves: Sequence[MoveAnswer], language: NullTranslations
) -> list[str]:
    """Return an empty line and a table of the moves; nothing where no move is given."""
    if not moves:
        return []
    _ = language.gettext
    rows = [("  " + _("move"), _("outcome"), _("plies"))]
    rows += [
        (
            ("* " if move.cell in (answer.best or ()) else "  ") + move_name(state, move.cell),
            UNKNOWN if move.outcome is None else outcome_word(move.outcome, language),
            _plies(state, move, language),
        )
        for move in in_order(state, moves)
    ]
    return ["", *in_columns(rows)]


def _plies(state: GameState, move: MoveAnswer, language: NullTranslations) -> str:
    if is_endless(state, move.outcome, move.plies):
        return language.gettext("for ever")
    return UNKNOWN if move.plies is None else str(move.plies)


def _best(state: GameState, moves: Iterable[int]) -> str:
    ordered = in_order(state, map(MoveAnswer, moves))
    return _names(state, tuple(move.cell for move in ordered))


def _names(state: GameState, cells: tuple[int, ...]) -> str:
    return " ".join(move_name(state, cell) for cell in cells)
