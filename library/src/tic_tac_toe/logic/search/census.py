"""Counting games and positions: perft, and whole games ply by ply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import NoSymmetry, Rules, symmetry_of
from tic_tac_toe.logic.search.scores import back_up, check_end, final_score

#: For each representative of a ply, how many ways lead to what it stands for.
_Layer = Mapping[Position, int]


class Census(NamedTuple):
    """What a game holds at one ply.

    Attributes:
        ply: moves made since the start.
        positions: different positions.
        classes: the same up to symmetry.
        final: positions in which the game is over, by winner: 0, 1 or ``None`` for a draw.
        final_classes: the same up to symmetry.
        games: ways to get there move by move, games that are over included.
        ended: ways to play a whole game of just this length, by winner.
        values: positions by who wins under best play; ``None`` unless asked for.
    """

    ply: int
    positions: int
    classes: int
    final: Counter[int | None]
    final_classes: Counter[int | None]
    games: int
    ended: Counter[int | None]
    values: Counter[int | None] | None = None


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


def walk_census(
    rules: Rules, start: Position = Position(), *, symmetric: bool = True, values: bool = False
) -> Iterator[Census]:
    """Yield what the game holds, ply by ply from the start to the longest game.

    Equal positions are merged and carry the number of ways that lead to them; so are positions
    that the rules' symmetry makes equivalent, unless ``symmetric`` is false. This walk in plain
    Python is the reference; `solver.take_census` gives the same answer sooner where it can.

    Args:
        values: count by value as well, which takes the whole game before the first ply is yielded.

    Raises:
        SearchLimitReached: positions can come back in this game.
    """
    check_end(rules)
    symmetry = symmetry_of(rules) if symmetric else NoSymmetry()
    layers: Iterable[_Layer] = _layers(rules, start, symmetry.canonical)
    scores: dict[Position, int] = {}
    if values:
        layers = list(layers)
        scores = _scores(rules, layers, symmetry.canonical)
    for ply, ways in enumerate(layers):
        positions = 0
        final, final_classes, ended, valued = (Counter[int | None]() for _ in range(4))
        for position, count in ways.items():
            orbit = symmetry.orbit(position)
            positions += orbit
            exchanged = position.turn != (start.turn + ply) % 2  # the colours of a representative
            outcome = None if rules.moves(position) else rules.outcome(position)
            if outcome is not None:
                winner = _seen_from(exchanged, outcome.winner)
                final[winner] += orbit
                final_classes[winner] += 1
                ended[winner] += count
            if values:
                score = scores[position]
                best = None if score == 0 else position.turn if score > 0 else 1 - position.turn
                valued[_seen_from(exchanged, best)] += orbit
        games = sum(ways.values())
        yield Census(
            ply,
            positions,
            len(ways),
            final,
            final_classes,
            games,
            ended,
            valued if values else None,
        )


def _seen_from(exchanged: bool, winner: int | None) -> int | None:
    """Return the winner of a position whose representative may have its colours exchanged."""
    return 1 - winner if exchanged and winner is not None else winner


def _scores(
    rules: Rules, layers: Sequence[_Layer], canonical: Callable[[Position], Position]
) -> dict[Position, int]:
    """Return the exact score of each representative, from the last ply to the first."""
    scores: dict[Position, int] = {}
    for layer in reversed(layers):
        for position in layer:
            children = [canonical(rules.play(position, move)) for move in rules.moves(position)]
            if children:
                scores[position] = back_up(min(scores[child] for child in children))
            else:
                outcome = rules.outcome(position)
                assert outcome is not None, "a position without moves is the end of the game"
                scores[position] = final_score(outcome, position.turn)
    return scores


def _layers(
    rules: Rules, start: Position, canonical: Callable[[Position], Position]
) -> Iterator[_Layer]:
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
