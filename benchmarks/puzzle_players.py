"""How well difficulty foretells who solves puzzles: ``python -m benchmarks.puzzle_players``.

Computer players try the puzzles that come with the library: the levels, with chance of their own at
each puzzle, and players that look ahead. Such a player sees wins and losses within its plies and
otherwise moves at random, where threats decide among the fours and threes. Printed is, for each
game, the rank correlation of the difficulty with the share of failed tries, over a fifth of the
puzzles.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import inf
from random import Random
from statistics import correlation, fmean
from typing import TypeAlias

from tic_tac_toe.contest.plan import derived_seed
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.insight.collection import shipped
from tic_tac_toe.insight.puzzles import (
    FORCED_NODES,
    MOST_THREATS,
    Kind,
    Puzzle,
    check,
    forcing_moves,
)
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.logic.search.exact import Solver
from tic_tac_toe.logic.search.threats import ThreatSearch, board_of
from tic_tac_toe.solver.answers import solver_for

#: Chooses a move of a state in a puzzle.
Player: TypeAlias = Callable[[Puzzle, GameState, Random], int]

LEVELS = ("easy", "medium", "hard")
DEPTHS = range(1, 7)
GAMES = (
    "tic-tac-toe",
    "4x4x3",
    "misere-tic-tac-toe",
    "misere-wild",
    "vanishing",
    "vanishing-late",
    "connect-four",
    "gomoku",
    "renju",
)
#: Of the sorted puzzles, every fifth is held out: nothing about difficulty was chosen by it.
FIFTH, HELD_OUT = 5, 0
MEMORY = 64 << 20


def play_level(name: str, puzzle: Puzzle, state: GameState, dice: Random) -> int:
    """Return the move of a strategy."""
    move = STRATEGIES[name](state, dice)
    assert move is not None, "the game goes on"
    return move.number


def look_ahead(depth: int, puzzle: Puzzle, state: GameState, dice: Random) -> int:
    """Return a move that wins within so many plies, else one that does not lose within them."""
    by_kind = _see_values if puzzle.kind == "value" else _see_threats
    return dice.choice(by_kind(puzzle, state.rules, state.position, depth))


def _see_values(puzzle: Puzzle, rules: Rules, position: Position, depth: int) -> Sequence[int]:
    solver, moves = _solver(rules), rules.moves(position)
    after = {move: rules.play(position, move) for move in moves}
    wins = [move for move in moves if not solver.reaches(after[move], depth - MATE)]
    safe = [move for move in moves if not solver.reaches(after[move], MATE - depth + 1)]
    return wins or safe or moves


@lru_cache(maxsize=1)
def _solver(rules: Rules) -> Solver:
    return solver_for(rules, Position(), Limits(memory=MEMORY, threads=1))


def _see_threats(puzzle: Puzzle, rules: Rules, position: Position, depth: int) -> Sequence[int]:
    plies = _plies_of_wins(rules, position, puzzle.kind)
    wins = [move for move, number in plies.items() if number <= depth]
    return wins or [*plies] or rules.moves(position)


@lru_cache(maxsize=1 << 12)
def _plies_of_wins(rules: Rules, position: Position, kind: Kind) -> dict[int, float]:
    """Return after how many plies each forcing move wins; infinite where no win is found."""
    board, side = board_of(rules, position), position.turn
    assert board is not None, "the game goes on"
    threats = MOST_THREATS if kind == "threats" else 0
    found = dict[int, float]()
    for move in forcing_moves(board, side, kind):
        if rules.outcome(rules.play(position, move)):  # it completes a line
            found[move] = 1
        else:
            proof = ThreatSearch(board, side, FORCED_NODES).after(move, threats)
            found[move] = 1 + proof.plies if proof else inf
    return found


_checked = lru_cache(maxsize=1 << 12)(check)


def solves(player: Player, puzzle: Puzzle, dice: Random) -> bool:
    """Return whether a player finds the whole solution."""
    state, moves = puzzle.state, list[int]()
    while True:
        move = player(puzzle, state, dice)
        answer = _checked(puzzle, (*moves, move))
        if answer.verdict != "right" or answer.reply is None:
            return answer.verdict == "solved"
        moves += [move, answer.reply]
        state = state.make_move_to(move).after_state.make_move_to(answer.reply).after_state


def share_solved(puzzle: Puzzle, tries: int, seed: int) -> float:
    """Return which part of the players' tries solve a puzzle."""
    players: dict[str, Player] = {name: partial(play_level, name) for name in LEVELS}
    players |= {str(depth): partial(look_ahead, depth) for depth in DEPTHS}
    return fmean(
        solves(player, puzzle, Random(derived_seed(seed, name, number, *puzzle.moves)))
        for name, player in players.items()
        for number in range(tries)
    )


def rank_correlation(one: Sequence[object], other: Sequence[object]) -> float:
    """Return Spearman's correlation; equal values share the mean of their ranks."""
    return correlation(_ranks(one), _ranks(other))


def _ranks(values: Sequence[object]) -> list[float]:
    order: list[object] = sorted(values)  # type: ignore[type-var]  # all of one kind
    first = {value: place for place, value in reversed([*enumerate(order)])}
    return [first[value] + (order.count(value) - 1) / 2 for value in values]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.puzzle_players")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--tries", type=int, default=4, help="of each player at each puzzle")
    parser.add_argument("--most", type=int, default=200, help="puzzles of each game")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    print("| game | puzzles | tried | solved | rank correlation |\n|---|---|---|---|---|")
    for name in options.games:
        puzzles = shipped(name)
        held = puzzles[HELD_OUT::FIFTH]
        held = held[:: -(-len(held) // options.most)]
        shares = [share_solved(puzzle, options.tries, options.seed) for puzzle in held]
        found = rank_correlation([p.difficulty for p in held], [-share for share in shares])
        print(f"| {name} | {len(puzzles)} | {len(held)} | {fmean(shares):.2f} | {found:.2f} |")


if __name__ == "__main__":
    main()
