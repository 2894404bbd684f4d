"""Evaluations of moves over HTTP: the query of a page, and a server's answer in JSON.

A server has the compiled solver, which a page lacks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from tic_tac_toe.game.evaluate import evaluate_moves
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state, parse_state
from tic_tac_toe.logic.records import rules_named
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation, MoveEvaluation
from tic_tac_toe.logic.strict_json import object_reader, parse
from tic_tac_toe.pictures.board import OUTCOMES
from tic_tac_toe.solver.support import supports

from .queries import MoveValues

#: The path of the queries, below that of the page.
PATH = "values"
#: The limits of a server's search for one query.
SERVED = Limits(work=20.0)
#: The maximum length of a variant's name and of a state in a query.
LONGEST = 1_000


@dataclass(frozen=True)
class _WrittenValue:
    """The evaluation of a move in JSON: ``plies`` if it is solved, else ``percent``."""

    move: int
    outcome: str
    plies: int | None = None
    percent: int | None = None


@dataclass(frozen=True)
class _Answer:
    moves: tuple[_WrittenValue, ...] | None


_read = object_reader(_Answer, "the answer")


def query_of(state: GameState) -> str:
    """Return the query for the moves of a state."""
    from urllib.parse import urlencode  # large, and needed only for a server

    return urlencode({"game": variant_name(state.rules), "state": format_state(state)})


def asked_state(parameters: Mapping[str, str]) -> GameState:
    """Return the state of a query's parameters.

    Raises:
        GameError: they name an unknown game or an invalid state.
    """
    name, text = parameters.get("game", ""), parameters.get("state", "")
    if not (0 < len(name) <= LONGEST and 0 < len(text) <= LONGEST):
        raise InvalidNotation("A query names a game and a state", "values_query")
    return parse_state(text, rules_named(name))


def can_answer(state: GameState) -> bool:
    """Return whether a server can find more than a page does: the game is one of the solver's."""
    return not state.game_over and supports(state.rules)


def answer(state: GameState, limits: Limits = SERVED) -> str:
    """Return the evaluations as JSON; without any moves if the page can find them as well."""
    if not can_answer(state):
        return write(None)
    return write(evaluate_moves(state, limits))


def write(moves: tuple[MoveEvaluation, ...] | None) -> str:
    """Return evaluations as JSON for `read`."""
    written = None if moves is None else tuple(map(_written, moves))
    return json.dumps(asdict(_Answer(written)))


def read(text: str, state: GameState) -> MoveValues | None:
    """Return the evaluations in a server's answer; ``None`` if there are none.

    Raises:
        InvalidNotation: the text is no answer about this state.
    """
    found = _read(parse(text), "").moves
    if found is None:
        return None
    if tuple(each.move for each in found) != state.legal_moves:
        raise InvalidNotation("The answer is about other moves", "values_moves")
    return MoveValues(tuple(map(_parsed, found)), by_server=True)


def _written(move: MoveEvaluation) -> _WrittenValue:
    if move.plies is not None:
        return _WrittenValue(move.move, move.outcome, plies=move.plies)
    return _WrittenValue(move.move, move.outcome, percent=round(100 * move.chance))


def _parsed(written: _WrittenValue) -> MoveEvaluation:
    outcome = next((each for each in OUTCOMES if each == written.outcome), None)
    plies, percent = written.plies, written.percent
    if outcome is not None and (plies is None) is not (percent is None):
        if plies is not None and 0 <= plies < MATE and outcome != "open":
            return MoveEvaluation.solved(written.move, outcome, plies)
        if percent is not None and 0 <= percent <= 100:
            low, high = {"win": (1, MATE), "draw": (0, 0), "loss": (-MATE, -1)}.get(
                outcome, (-MATE, MATE)
            )
            return MoveEvaluation(written.move, Evaluation(low, high, percent / 100))
    raise InvalidNotation("The answer is no value of a move", "values_worth")
