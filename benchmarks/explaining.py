"""What it takes to say why a move is good or bad, where the values of the moves are known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from random import Random

from benchmarks.best_moves import fresh_states, positions_to_move
from benchmarks.measurement import Effort, Sampler, alternate_all, repeated
from benchmarks.report import SECONDS, AtMost, Section
from tic_tac_toe import GameState, MoveEvaluation, evaluate_moves, explain
from tic_tac_toe.engines.choice import CODE_VARIABLE
from tic_tac_toe.insight.collection import shipped
from tic_tac_toe.insight.explain import provers_of

FACTS, WORDS = "`explain(state, move)`", "`explain(state, move).message()`"
#: How many puzzles of Connect Four are explained, and from which ply on.
PUZZLES, LATE = 30, 20


def measure(effort: Effort) -> list[Section]:
    """Return the CPU time a move, in plain Python as on the page."""
    code = os.environ.get(CODE_VARIABLE)
    os.environ[CODE_VARIABLE] = "plain"
    try:
        small, large = _positions_of_3x3(), _positions_of_connect_four()
        return [
            _section("why a move of 3x3 is good or bad", small, 0.1e-3, effort),
            _section("why a move of Connect Four is good or bad", large, 100e-3, effort),
        ]
    finally:
        if code is None:
            del os.environ[CODE_VARIABLE]
        else:
            os.environ[CODE_VARIABLE] = code


def _section(title: str, states: Sequence[GameState], goal: float, effort: Effort) -> Section:
    known = [(state, evaluate_moves(state)) for state in states]
    ways = {FACTS: partial(_ask, known, worded=False), WORDS: partial(_ask, known, worded=True)}
    runs = alternate_all(ways, effort)
    return Section(title, runs, SECONDS, goals={FACTS: AtMost(goal)})


def _positions_of_3x3() -> list[GameState]:
    return Random(0).sample(fresh_states(positions_to_move()), 200)


def _positions_of_connect_four() -> list[GameState]:
    late = [puzzle.state for puzzle in shipped("connect-four") if len(puzzle.moves) >= LATE]
    return Random(0).sample(late, PUZZLES)


def _ask(
    known: Sequence[tuple[GameState, Sequence[MoveEvaluation]]], seconds: float, *, worded: bool
) -> Sampler:
    moves = [(state, move, values) for state, values in known for move in state.legal_moves]

    def ask() -> int:
        for state, move, values in moves:
            explanation = explain(state, move, values=values)
            if worded:
                str(explanation.message())
        return len(moves)

    return repeated(ask, seconds, between=provers_of.cache_clear)  # nothing is found already
