"""The best move of a 3x3 game that is solved already, over every position that is not final."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from benchmarks import peers
from benchmarks.measurement import Effort, Sampler, alternate_all, repeated
from benchmarks.report import SECONDS, AtMost, Section
from tic_tac_toe.logic.minimax import find_best_move
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.search.evaluation import result_of
from tic_tac_toe.logic.search.tables import small_table

AGAIN, PLAYED = "`find_best_move(state)`, asked again", "`find_best_move(state)`, state just played"
CELL, ENTRY = "`small_table(rules, 0)[position].best[0]`", "`table[position].best[0]`"
EASYAI, NEGAMAX = "easyAI `TranspositionTable`", "easyAI `Negamax(9)`, warm table"
OPENSPIEL = "OpenSpiel `MinimaxSolver`"


def measure(effort: Effort) -> list[Section]:
    """Return the figures of asking: for a move of a state, and for a cell of a position."""
    preparations: dict[str, Callable[[float], Sampler]] = {
        AGAIN: _ask_states_again,
        PLAYED: _ask_states_just_played,
        CELL: _ask_positions,
        ENTRY: _ask_table,
        EASYAI: partial(_ask_easyai, through_search=False),
        NEGAMAX: partial(_ask_easyai, through_search=True),
        OPENSPIEL: _ask_openspiel,
    }
    runs = alternate_all(preparations, effort)
    return [
        Section(
            "best move of a warm 3x3 game",
            runs,
            SECONDS,
            reference=EASYAI,
            goals={AGAIN: AtMost(5e-6), PLAYED: AtMost(5e-6), CELL: AtMost(0.3e-6)},
        )
    ]


def positions_to_move() -> list[Position]:
    """Return every position of 3x3 that cross began and that is not final, from the last back."""
    table = small_table(TIC_TAC_TOE, 0)
    return sorted((position for position in table if table[position][1]), key=lambda p: -p.marks)


def fresh_states(positions: Iterable[Position]) -> list[GameState]:
    """Return states that know their position, as after a move, and have worked out nothing else."""
    return [GameState.at(TIC_TAC_TOE, position) for position in positions]


def _ask_states_again(seconds: float) -> Sampler:
    states = fresh_states(positions_to_move())

    def ask() -> int:
        for state in states:
            find_best_move(state)
        return len(states)

    ask()
    return repeated(ask, seconds)


def _ask_states_just_played(seconds: float) -> Sampler:
    positions = positions_to_move()
    states: list[GameState] = []

    def play() -> None:
        states[:] = fresh_states(positions)

    def ask() -> int:
        for state in states:
            find_best_move(state)
        return len(states)

    return repeated(ask, seconds, between=play)


def _ask_positions(seconds: float) -> Sampler:
    rules, positions = TIC_TAC_TOE, positions_to_move()

    def ask() -> int:
        for position in positions:
            small_table(rules, 0)[position][1][0]
        return len(positions)

    return repeated(ask, seconds)


def _ask_table(seconds: float) -> Sampler:
    table, positions = small_table(TIC_TAC_TOE, 0), positions_to_move()

    def ask() -> int:
        for position in positions:
            table[position][1][0]
        return len(positions)

    return repeated(ask, seconds)


def _ask_easyai(seconds: float, through_search: bool) -> Sampler:
    """Ask the table itself, or the search that looks into it first."""
    game_class, positions = peers.easyai_class(), positions_to_move()
    games = [peers.easyai_game(game_class, position) for position in positions]
    table = peers.easyai_table(games)
    player = peers.easyai_player(table) if through_search else table
    for position, game in zip(positions, games):
        _check(position, player(game) - 1)

    def ask() -> int:
        for game in games:
            player(game)
        return len(games)

    return repeated(ask, seconds)


def _ask_openspiel(seconds: float) -> Sampler:
    solver = peers.openspiel_solver("tic_tac_toe")
    states = peers.openspiel_states(peers.openspiel_game("tic_tac_toe"))
    for state in states:
        _check(peers.openspiel_position(state), solver.action_values_from_state(state).argmax())

    def ask() -> int:
        for state in states:
            int(solver.action_values_from_state(state).argmax())
        return len(states)

    return repeated(ask, seconds)


def _check(position: Position, cell: int) -> None:
    """Raise `RuntimeError` unless the move keeps the outcome, slow as it may be."""
    table = small_table(TIC_TAC_TOE, 0)
    after = table[TIC_TAC_TOE.play(position, int(cell))]
    if result_of(-after[0]) != result_of(table[position][0]):
        raise RuntimeError(f"{cell} is no best move of {position}")
