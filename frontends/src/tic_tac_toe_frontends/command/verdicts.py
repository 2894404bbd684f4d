"""Evaluations of positions, perhaps incomplete: asking a solver, and printing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state, move_name
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.rules.traits import (
    Digits,
    cell_of,
    letter_of,
    placement,
    plies_left,
    traits_of,
)
from tic_tac_toe.logic.search.evaluation import (
    MATE,
    UNKNOWN,
    Evaluation,
    MoveEvaluation,
    Outcome,
    plies_of,
    result_of,
)
from tic_tac_toe.logic.search.exact import (
    Solver,
    each_verdict,
    evaluate_move,
    length_of_draw,
)
from tic_tac_toe.pictures.letters import PLAIN, draw

from ..program.terminal import in_columns, unbroken
from ..words.evaluation_text import NUMBER_LEGEND, evaluation_text
from ..words.rules_text import side_title, variant_title
from ..words.translation import join_clauses, localise


class Found(NamedTuple):
    """The evaluation of a position, perhaps incomplete.

    Attributes:
        evaluation: if exact, with every best move, or with none if they are unknown.
        limit: the limit that ended the search, if any.
    """

    evaluation: Evaluation
    limit: Message | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the score and every best move are known."""
        return self.evaluation.is_exact and bool(
            self.evaluation.best or self.evaluation.source == "end"
        )


def find_outcome(state: GameState, solver: Solver) -> Found:
    """Return only the outcome."""
    position = state.position
    try:
        if solver.reaches(position, 1):
            return Found(Evaluation(low=1))
        return Found(Evaluation.exact(0) if solver.reaches(position, 0) else Evaluation(high=-1))
    except SearchLimitReached as limit:
        return Found(UNKNOWN.narrowed(*limit.bounds or UNKNOWN[:2]), limit.reason)


def find(state: GameState, solver: Solver, known: Evaluation = UNKNOWN) -> Iterator[Found]:
    """Yield ever better evaluations of a position, at least one.

    Args:
        known: the evaluation so far.
    """
    found = known
    try:
        for found in each_verdict(state.rules, state.position, solver, known):
            yield Found(found)
    except SearchLimitReached as limit:
        if not found.is_exact and limit.bounds:
            found = found.narrowed(*limit.bounds)
        yield Found(found, limit.reason)


def find_move(
    state: GameState, move: int, solver: Solver, found: Evaluation
) -> tuple[MoveEvaluation, Message | None]:
    """Return the evaluation of a move, and the limit if that cut something off.

    Args:
        found: the evaluation of the position. Best moves have the same value, and if all of them
            are known the others are worse.
    """
    rules, position = state.rules, state.position
    try:
        return evaluate_move(rules, position, move, solver), None
    except SearchLimitReached as limit:
        if move in found.best:
            length = length_of_draw(rules, position, move)
            kept = Evaluation(found.low, found.high, length=length)
        else:
            kept = Evaluation(high=found.high - bool(found.is_exact and found.best))
        return MoveEvaluation(move, kept), limit.reason


#: The text for unknown values.
NOT_KNOWN = "?"


def as_object(
    state: GameState, found: Evaluation, moves: Sequence[MoveEvaluation] | None
) -> dict[str, object]:
    """Return the object for ``--json``; cells are counted from 0 in reading order.

    Moves are cells. In games in which a move is more than a cell, ``best`` and ``line`` are numbers
    of moves, and each of the moves has its number as ``move`` and its mark as ``letter``; ``cell``
    and ``letter`` are null if a move places nothing.

    Outcomes are those of the side to move, also after the end; null if not proved. The plies of an
    endless draw are 0. A ``chance`` is an engine's estimate, from 0 to 1.

    Args:
        moves: ``None`` to print only the outcome.
    """
    outcome: dict[str, object] = {
        "variant": variant_name(state.rules),
        "position": format_state(state),
        "to_move": state.current_mark.value,
        "outcome": _result(found),
    }
    is_exact = found.is_exact if moves is not None else found.outcome != "open"
    known: dict[str, object] = {"exact": is_exact}
    if not is_exact:
        known["bounds"] = [result_of(found.low), result_of(found.high)]
    if moves is None:
        return outcome | known
    has_best = found.is_exact and (found.best or state.game_over)
    return {
        **outcome,
        "plies": found.plies,
        "best": [*found.best] if has_best else None,
        "line": [*found.line] if is_whole(found) else None,
        **_chance(found),
        "moves": [
            {
                **_as_fields(state, move.move),
                "outcome": _result(move.evaluation),
                "plies": move.plies,
                **_chance(move.evaluation),
            }
            for move in _sorted(state, moves)
        ],
        **known,
    }


def is_whole(found: Evaluation) -> bool:
    """Return whether the whole line of best play is known."""
    return found.plies is not None and len(found.line) >= found.plies


def _result(found: Evaluation) -> Outcome | None:
    return None if found.outcome == "open" else found.outcome


def _chance(found: Evaluation) -> dict[str, object]:
    """Return the estimate of an unproved outcome as a field."""
    if found.chance is None or found.outcome != "open":
        return {}
    return {"chance": round(found.expectation, 3)}


def _as_fields(state: GameState, number: int) -> dict[str, object]:
    """Return a move as fields: cell and name, in some games also number and letter."""
    rules, traits = state.rules, traits_of(state.rules)
    placed = placement(rules, state.current_mark.side, number)
    name = move_name(state, number)
    if placed is None:
        return {"move": number, "cell": None, "letter": None, "name": name}
    if traits.choices is None and not traits.specials:
        return {"cell": placed.cell, "name": name}
    letter = NAMES[placed.mark]
    return {"move": number, "cell": placed.cell, "letter": letter, "name": name}


def _in_order(state: GameState, moves: Iterable[int]) -> list[int]:
    """Return moves in the order of their written numbers: columns from left to right."""
    rules = state.rules
    if traits_of(rules).digits is not Digits.COLUMNS:
        return sorted(moves)

    def place(move: int) -> tuple[bool, str, int]:
        cell = cell_of(rules, move)
        return cell is None, letter_of(rules, move), (cell or 0) % rules.shape.columns

    return sorted(moves, key=place)


def _sorted(state: GameState, moves: Iterable[MoveEvaluation]) -> list[MoveEvaluation]:
    known = dict(moves)
    return [MoveEvaluation(move, known[move]) for move in _in_order(state, known)]


def describe_position(state: GameState, found: Found, language: NullTranslations) -> list[str]:
    """Return the lines about the position itself."""
    _, evaluation = language.gettext, found.evaluation
    lines = [
        _("{variant}: {description}").format(
            variant=variant_title(state.rules, language),
            description=unbroken(format_state(state)),
        ),
        "",
        *draw(state, PLAIN),
        "",
        _("{mark} to move: {told}").format(
            mark=side_title(state.rules, state.current_mark, language),
            told=result_text(state, evaluation, language),
        ),
    ]
    if state.outcome is not None:
        return [*lines, _("The game is over.")]
    if not evaluation.best:
        return lines
    names = _names(state, _in_order(state, evaluation.best))
    if not evaluation.is_exact:
        return [*lines, _("This looks best: {moves}.").format(moves=names)]
    lines.append(_("best: {moves}").format(moves=names))
    if is_whole(evaluation):
        lines.append(_("line: {moves}").format(moves=_names(state, evaluation.line)))
    elif found.limit is not None:
        reason = localise(language, found.limit)
        lines.append(_("line: unknown ({reason})").format(reason=reason))
    return lines


def result_text(state: GameState, found: Evaluation, language: NullTranslations) -> str:
    """Return the winner and the number of their moves, or the known part of that."""
    _ = language.gettext
    if found.bound:
        winner = state.current_mark if found.bound > 0 else state.current_mark.other
        count = Evaluation.exact(found.bound).moves or 0
        longest = plies_left(state.rules, state.position) or MATE - 2
        text = _("{mark} wins")
        if count and found.is_exact:
            text = language.ngettext(
                "{mark} wins in {count} move", "{mark} wins in {count} moves", count
            )
        elif not found.is_exact and plies_of(found.bound) < longest:
            text = language.ngettext(
                "{mark} wins in {count} move at most", "{mark} wins in {count} moves at most", count
            )
        return text.format(mark=side_title(state.rules, winner, language), count=count)
    if found.outcome == "draw":
        is_endless = found.plies == 0 and not state.game_over
        return _("draw, the game goes on for ever") if is_endless else _("draw")
    proved = _bounds_text(found, language)
    if found.chance is None:
        return proved or _("the outcome is open")
    text = _("not proved; an estimate of its chances: {percent} %")
    estimate = text.format(percent=round(100 * found.expectation))
    return join_clauses(filter(None, [proved, estimate]), language)


def one_line(state: GameState, found: Found, language: NullTranslations) -> str:
    """Return the evaluation of a position in one line."""
    evaluation = found.evaluation
    line = f"{format_state(state)}: {result_text(state, evaluation, language)}"
    if evaluation.best:
        best = language.gettext("best: {moves}").format(
            moves=_names(state, _in_order(state, evaluation.best))
        )
        line += f"; {best}"
    return f"{line}; {localise(language, found.limit)}" if found.limit else line


def describe_moves(
    state: GameState,
    found: Evaluation,
    moves: Sequence[MoveEvaluation],
    language: NullTranslations,
) -> list[str]:
    """Return an empty line, a table of the moves and its legend; nothing without moves."""
    if not moves:
        return []
    _, known = language.gettext, _sorted(state, moves)
    if not found.is_exact:
        known = [move for move in known if move.evaluation != UNKNOWN]
    rows = [("  " + _("move"), _("outcome"))]
    rows += [
        (
            ("* " if move.move in found.best else "  ") + move_name(state, move.move),
            _move_text(move, language),
        )
        for move in known
    ]
    legends = []
    if any(move.moves for move in known):
        legends.append(_(NUMBER_LEGEND))
    if any(_chance(move.evaluation) for move in known):
        legends.append(_("A number of percent is an estimate of a move that is not proved."))
    if unknown := len(moves) - len(known):
        text = language.ngettext(
            "Of {count} more move nothing is known.",
            "Of {count} more moves nothing is known.",
            unknown,
        )
        legends.append(text.format(count=unknown))
    return ["", *in_columns(rows), *legends]


def _move_text(move: MoveEvaluation, language: NullTranslations) -> str:
    if not move.is_judged:
        return _bounds_text(move.evaluation, language) or NOT_KNOWN
    is_all = move.outcome == "open" or move.plies is not None
    return evaluation_text(move, language) + ("" if is_all else f" {NOT_KNOWN}")


def _bounds_text(found: Evaluation, language: NullTranslations) -> str:
    if found.low == 0:
        return language.gettext("at least a draw")
    return language.gettext("at most a draw") if found.high == 0 else ""


def _names(state: GameState, cells: Iterable[int]) -> str:
    return " ".join(move_name(state, cell) for cell in cells)
