"""A program that uses the library as its users do: type checkers look at it, and a test runs it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tic_tac_toe import (
    STRATEGIES,
    VARIANTS,
    GameState,
    LineRules,
    Mark,
    Match,
    Misere,
    Move,
    Outcome,
    Position,
    Rules,
    Shape,
    TicTacToe,
    Ultimate,
    analyse,
    find_best_move,
    find_rules,
    format_state,
    parse_state,
    play_moves,
    svg,
    tree,
    variant_name,
    verdict,
)
from tic_tac_toe.game.players import StrategyPlayer
from tic_tac_toe.solver import Limits, supports, take_census
from tic_tac_toe.testing import RecordingRenderer

TWO_CELLS = Shape(1, 2)


@dataclass(frozen=True)
class FirstCell:
    """A user's own game: the side that takes the first cell wins."""

    shape: Shape = TWO_CELLS

    def moves(self, position: Position) -> Sequence[int]:
        """Return the empty cells."""
        return [] if self.outcome(position) else [0, 1][: 2 - position.marks]

    def play(self, position: Position, move: int) -> Position:
        """Return the position with one more mark."""
        crosses, naughts = position.stones
        stones = (crosses, naughts | 1 << move) if position.turn else (crosses | 1 << move, naughts)
        return Position(stones, 1 - position.turn)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the side that took the first cell."""
        for winner, stones in enumerate(position.stones):
            if stones & 1:
                return Outcome(winner, (0,))
        return None

    def validate(self, position: Position) -> None:
        """Take any position."""


def games() -> list[Rules]:
    """Return rules of every kind, each of which is `Rules` to a type checker."""
    return [LineRules(), Misere(LineRules()), Ultimate(), FirstCell(), *VARIANTS.values()]


def play() -> str:
    """Play a game, look at it from all sides, and return what was found."""
    rules: Rules = Ultimate()
    state: GameState = play_moves(GameState.new(find_rules("tic-tac-toe")), "B2 A1")
    again: GameState = parse_state(format_state(state), state.rules, Mark.CROSS)
    best: Move | None = find_best_move(again)
    assert best is not None
    plies: int | None = verdict(again, Limits(time_limit=60.0)).plies
    values: list[tuple[int, str, int | None]] = [
        (one.move, one.outcome, one.plies) for one in analyse(again)
    ]
    match = Match(again)
    match.submit(match.turn or Mark.CROSS, best.cell_index)
    players = [
        StrategyPlayer(mark, STRATEGIES["minimax"], delay_seconds=0, rng=random.Random(1))
        for mark in Mark
    ]
    final: GameState = TicTacToe(players[0], players[1], RecordingRenderer()).play()
    pictures = svg(final) + tree(best.after_state, 1).svg()
    positions = sum(ply.positions for ply in take_census(again.rules))
    limits = Limits(time_limit=1.0) if supports(rules) else None
    found = (
        variant_name(rules),
        plies,
        len(values),
        final.tie,
        "<svg" in pictures,
        positions,
        limits,
    )
    return repr(found)
