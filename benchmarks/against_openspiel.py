"""Games against OpenSpiel's Monte Carlo search, both with the same CPU time for a move.

``python -m benchmarks.against_openspiel ultimate 8x8x4,gravity --games 200`` plays pairs of games
from random openings, each side beginning once. The opponent is OpenSpiel's ``MCTSBot`` in C++ with
its random rollouts, its exploration constant 2 and its solver. It takes no CPU time as a limit, so
it gets as many simulations as fit into the time by the speed of its last move; the CPU time that
both sides took in all is printed. Where it makes a move of ultimate as two actions, a board and a
cell, each has half the time.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from time import process_time
from typing import Any, NamedTuple

from benchmarks.measurement import load
from benchmarks.peers import openspiel_game
from tic_tac_toe.engines.playouts import CompiledPlayouts
from tic_tac_toe.limits import Kept, Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.shapes import Blocks, Shape, blocks

#: The plies of an opening.
OPENING_PLIES = 2
#: OpenSpiel's own choice for its examples.
EXPLORATION, MEMORY_MB = 2.0, 1000
#: The simulations of its first move, before its speed is known.
FIRST_SIMULATIONS = 1000

#: After how many games it is told how they stand.
PROGRESS = 20

#: The actions of OpenSpiel that make a move in a position, and back.
ToActions = Callable[[Position, int], Sequence[int]]
ToMove = Callable[[Position, Sequence[int]], int]


class Pairing(NamedTuple):
    """A game that both know.

    Attributes:
        rules: the game here.
        name: the game there.
        to_actions: returns the actions of a move.
        to_move: returns the move of some actions.
    """

    rules: Rules
    name: str
    to_actions: ToActions
    to_move: ToMove


class Result(NamedTuple):
    """What some games came to: how many were won, drawn and lost here, and the CPU seconds."""

    games: Counter[str]
    own_seconds: float
    other_seconds: float

    @property
    def points(self) -> float:
        """The share of points won, a draw being half a point."""
        won, drawn = self.games["won"], self.games["drawn"]
        return (won + drawn / 2) / max(1, self.games.total())

    def describe(self, variant: str) -> str:
        """Return a line about the games of a variant."""
        games = self.games
        return (
            f"{variant}: {games['won']} won, {games['drawn']} drawn, {games['lost']} lost; "
            f"{100 * self.points:.1f} % ± {100 * self.error:.1f} of the points; "
            f"CPU {self.own_seconds:.1f} s here, {self.other_seconds:.1f} s there"
        )

    @property
    def error(self) -> float:
        """The standard error of the points."""
        total, mean = max(1, self.games.total()), self.points
        squares = self.games["won"] + self.games["drawn"] / 4
        return math.sqrt(max(0.0, squares / total - mean * mean) / total)


class Rival:
    """OpenSpiel's search with a CPU time for each of its decisions."""

    def __init__(self, game: Any, seed: int) -> None:
        self._pyspiel: Any = load("pyspiel")
        self._game = game
        self._seeds = Random(seed)
        self._rate: float | None = None

    def choose(self, state: Any, seconds: float) -> int:
        """Return the action that the search finds best."""
        count = FIRST_SIMULATIONS if self._rate is None else max(2, int(self._rate * seconds))
        seeds = [self._seeds.getrandbits(30) for _ in range(2)]
        evaluator = self._pyspiel.RandomRolloutEvaluator(1, seeds[0])
        bot = self._pyspiel.MCTSBot(
            self._game, evaluator, EXPLORATION, count, MEMORY_MB, True, seeds[1], False
        )
        began = process_time()
        action = int(bot.step(state))
        spent = process_time() - began
        # A search that proves its position ends early, and tells too little of the speed.
        if spent > seconds / 4:
            self._rate = count / spent
        elif self._rate is None:
            self._rate = count / max(spent, 1e-6)
        return action


def pairing_of(variant: str) -> Pairing:
    """Return how a game is called there, and how its moves are translated."""
    rules = find_rules(variant)
    if variant == "ultimate":
        return ultimate_pairing(rules)
    rows, columns = rules.shape
    floor = range(rows - 1, -1, -1)

    def to_move(position: Position, actions: Sequence[int]) -> int:
        cells = (row * columns + actions[0] for row in floor)
        return next(cell for cell in cells if not position.occupied >> cell & 1)

    name = f"connect_four(rows={rows},columns={columns})"
    return Pairing(rules, name, lambda _position, move: (move % columns,), to_move)


def ultimate_pairing(rules: Rules) -> Pairing:
    """Return ultimate tic-tac-toe: where any board may be played in, a board is an action first."""
    cells: Blocks = blocks(rules.shape, Shape())

    def to_actions(position: Position, move: int) -> Sequence[int]:
        board, cell = cells.places[move]
        return (cell,) if position.memory else (board, cell)

    def to_move(position: Position, actions: Sequence[int]) -> int:
        board = position.memory - 1 if position.memory else actions[0]
        return cells.cell(board, actions[-1])

    return Pairing(rules, "ultimate_tic_tac_toe", to_actions, to_move)


class Meeting:
    """The two searches, at the games of one variant.

    Args:
        pairing: the game.
        seconds: CPU time for a move here.
        other_seconds: the same there.
        seed: of both searches.

    Attributes:
        spent: the CPU seconds of all moves so far, here and there.
    """

    def __init__(self, pairing: Pairing, seconds: float, other_seconds: float, seed: int) -> None:
        self._pairing = pairing
        self._engine = CompiledPlayouts(pairing.rules)
        self._engine.prepare()
        self._there = openspiel_game(pairing.name)
        self._rival = Rival(self._there, seed)
        self._rng = Random(seed)
        self._seconds = seconds, other_seconds
        self.spent = [0.0, 0.0]

    def play(self, own_side: int, opening: Random) -> str:
        """Play a game and return its result for this side: won, drawn or lost.

        Raises:
            RuntimeError: the two do not agree on the moves of a position or on a result.
        """
        rules, kept = self._pairing.rules, Kept()
        position, state = Position(), self._there.new_initial_state()
        while moves := rules.moves(position):
            if position.marks < OPENING_PLIES:
                move = opening.choice(moves)
            else:
                began, other = process_time(), position.turn != own_side
                move = self._answer(position, state) if other else self._think(position, kept)
                self.spent[other] += process_time() - began
            if move not in moves:
                raise RuntimeError(f"{move} is no move of {position}")
            for action in self._pairing.to_actions(position, move):
                state.apply_action(action)
            position = rules.play(position, move)
        return _result(rules, position, state, own_side)

    def _think(self, position: Position, kept: Kept) -> int:
        until = process_time() + self._seconds[0]
        limits = Limits(cancelled=lambda: process_time() >= until, kept=kept)
        return self._rng.choice(self._engine.think(position, limits, self._rng).best)

    def _answer(self, position: Position, state: Any) -> int:
        copy, actions = state.clone(), list[int]()
        decisions = len(self._pairing.to_actions(position, 0))
        for _ in range(decisions):
            actions.append(self._rival.choose(copy, self._seconds[1] / decisions))
            copy.apply_action(actions[-1])
        return self._pairing.to_move(position, actions)


def play_games(variant: str, games: int, seconds: float, other_seconds: float, seed: int) -> Result:
    """Play games, two from each opening, and return what they came to; tell how they stand."""
    meeting = Meeting(pairing_of(variant), seconds, other_seconds, seed)
    openings, counted = Random(seed), Counter[str]()
    for number in range(games):
        if number % 2 == 0:
            opening = openings.getrandbits(30)
        counted[meeting.play(number % 2, Random(opening))] += 1
        if (number + 1) % PROGRESS == 0:
            print(Result(counted, *meeting.spent).describe(variant), file=sys.stderr, flush=True)
    return Result(counted, *meeting.spent)


def _result(rules: Rules, position: Position, state: Any, own_side: int) -> str:
    """Return how a game ended, once both agree that it has ended and how."""
    outcome = rules.outcome(position)
    assert outcome is not None, "a position without moves is the end of the game"
    signs = {None: 0, 0: 1, 1: -1}
    if not state.is_terminal() or state.returns()[0] != signs[outcome.winner]:
        raise RuntimeError(f"the result of {position} is another there")
    if outcome.winner is None:
        return "drawn"
    return "won" if outcome.winner == own_side else "lost"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play what the arguments ask for, and print it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.against_openspiel",
        description="Play the compiled Monte Carlo search against that of OpenSpiel.",
    )
    parser.add_argument("variants", nargs="*", default=["ultimate", "8x8x4,gravity"])
    parser.add_argument("--games", type=int, default=200, help="of each variant")
    parser.add_argument("--seconds", type=float, default=0.05, help="CPU time for a move")
    parser.add_argument("--other-seconds", type=float, help="the same for OpenSpiel, if it differs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for variant in options.variants:
        other = options.other_seconds or options.seconds
        result = play_games(variant, options.games, options.seconds, other, options.seed)
        print(result.describe(variant), flush=True)


if __name__ == "__main__":
    main()
