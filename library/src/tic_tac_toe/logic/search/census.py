"""Counting games and positions: perft, and whole games ply by ply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import NoSymmetry, Rules, symmetry_of


class Census(NamedTuple):
    """What a game holds at one ply.

    Attributes:
        ply: moves made since the start.
        positions: different positions.
        classes: the same up to symmetry.
        final: positions in which the game is over, by winner: 0, 1 or ``None`` for a draw.
        games: ways to get there move by move, games that are over included.
        ended: ways to play a whole game of just this length, by winner.
    """

    ply: int
    positions: int
    classes: int
    final: Counter[int | None]
    games: int
    ended: Counter[int | None]


def perft(rules: Rules, depth: int, position: Position = Position()) -> int:
    """Return the number of ways to make ``depth`` moves; games that end sooner are not counted.

    The name and the use, a fingerprint of a move generator, come from chess programming (Robert
    Hyatt's Crafty).
    """
    if depth == 0:
        return 1
    canonical = symmetry_of(rules).canonical
    before = next(islice(_layers(rules, position, canonical), depth - 1, None), {})
    return sum(count * len(rules.moves(there)) for there, count in before.items())


def take_census(
    rules: Rules, start: Position = Position(), *, symmetric: bool = True
) -> Iterator[Census]:
    """Yield what the game holds, ply by ply from the start to the longest game.

    Equal positions are merged and carry the number of ways that lead to them; so are positions
    that the rules' symmetry makes equivalent, unless ``symmetric`` is false.
    """
    symmetry = symmetry_of(rules) if symmetric else NoSymmetry()
    for ply, ways in enumerate(_layers(rules, start, symmetry.canonical)):
        positions, final, ended = 0, Counter[int | None](), Counter[int | None]()
        for position, count in ways.items():
            orbit = symmetry.orbit(position)
            positions += orbit
            outcome = None if rules.moves(position) else rules.outcome(position)
            if outcome is not None:
                winner = outcome.winner
                if winner is not None and position.turn != (start.turn + ply) % 2:
                    winner = 1 - winner  # a representative may have its colours exchanged
                final[winner] += orbit
                ended[winner] += count
        yield Census(ply, positions, len(ways), final, sum(ways.values()), ended)


def _layers(
    rules: Rules, start: Position, canonical: Callable[[Position], Position]
) -> Iterator[dict[Position, int]]:
    """Yield for each ply the representatives of its positions and how many ways lead to each."""
    ways = {canonical(start): 1}
    while ways:
        yield ways
        following: dict[Position, int] = {}
        for position, count in ways.items():
            for cell in rules.moves(position):
                child = canonical(rules.play(position, cell))
                following[child] = following.get(child, 0) + count
        ways = following
