"""The value of a position as it is printed: for people, and as JSON. Parts may be unknown."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import Message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name, format_state, move_name
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.search.scores import Result

from ..program.terminal import in_columns
from ..words.game_text import outcome_word
from ..words.messages import localise
from ..words.rules_text import variant_title

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


def as_object(
    state: GameState, answer: Answer, moves: Sequence[MoveAnswer] | None
) -> dict[str, object]:
    """Return what ``--json`` prints; cells are counted from 0 in reading order.

    Outcomes are those of the side to move, which after the end is the one that would be.

    Args:
        moves: if ``None``, nothing but the outcome is printed.
    """
    outcome: dict[str, object] = {
        "variant": variant_name(state.rules),
        "position": format_state(state),
        "to_move": state.current_mark.value,
        "outcome": answer.outcome,
    }
    if moves is None:
        return outcome
    return {
        **outcome,
        "plies": answer.plies,
        "best": None if answer.best is None else list(answer.best),
        "line": None if answer.line is None else list(answer.line),
        "moves": [
            {
                "cell": move.cell,
                "name": cell_name(state.rules.shape, move.cell),
                "outcome": move.outcome,
                "plies": move.plies,
            }
            for move in moves
        ],
    }


def describe_position(state: GameState, answer: Answer, language: NullTranslations) -> list[str]:
    """Return what is known of the position itself."""
    _ = language.gettext
    told = tell(answer, language)
    lines = [
        _("{variant}: {description}").format(
            variant=variant_title(state.rules, language), description=format_state(state)
        ),
        _("{mark} to move: {told}").format(mark=state.current_mark, told=told),
    ]
    if state.outcome is not None:
        return [*lines, _("The game is over.")]
    if answer.best is not None:
        lines.append(_("best: {moves}").format(moves=_names(state, answer.best)))
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
        best = language.gettext("best: {moves}").format(moves=_names(state, answer.best))
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
            UNKNOWN if move.plies is None else str(move.plies),
        )
        for move in moves
    ]
    return ["", *in_columns(rows)]


def _names(state: GameState, cells: tuple[int, ...]) -> str:
    return " ".join(move_name(state, cell) for cell in cells)
