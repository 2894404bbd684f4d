"""Exact values of games in which positions come back, by retrograde analysis.

Every position that can follow is found first. Then the ends are labelled, and from labelled
positions their predecessors: a position is won as soon as one move leads to a lost one, and lost as
soon as all lead to won ones (Ken Thompson, "Retrograde Analysis of Certain Endgames", 1986). Labels
come in the order of their distance, so that a win is the shortest and a loss the longest. What is
never labelled is a draw: neither side can force an end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.search.scores import back_up, final_score

#: The most positions that are kept unless told otherwise: about a gigabyte.
POSITION_LIMIT = 1_000_000


class Graph:
    """A solved game in which positions can come back: a source of exact scores.

    Args:
        scores: of every position that stands for equivalent ones (`Symmetric.canonical`).
    """

    def __init__(self, rules: Rules, scores: dict[Position, int]) -> None:
        self._canonical = symmetry_of(rules).canonical
        self._scores = scores

    def __len__(self) -> int:
        return len(self._scores)

    def __contains__(self, position: Position) -> bool:
        return self._canonical(position) in self._scores

    def score(self, position: Position) -> int:
        """Return the exact score of a position, 0 where the game goes on for ever."""
        return self._scores[self._canonical(position)]

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        return self.score(position) >= bound


def small_graph(rules: Rules, starter: int = 0, position_limit: int | None = None) -> Graph:
    """Return the scores of a game that ``starter`` begins, solved when first asked for.

    Args:
        position_limit: see `solve_graph`.

    Raises:
        SearchLimitReached: see `solve_graph`.
    """
    most, known = position_limit or POSITION_LIMIT, _known_graph(rules, starter)
    if not known:
        known.append(solve_graph(rules, Position(turn=starter), position_limit=most))
    if len(known[0]) > most:
        raise _too_many(most)
    return known[0]


@lru_cache(maxsize=8)
def _known_graph(rules: Rules, starter: int) -> list[Graph]:
    """Return the scores of a game, which no limit changes, in a list; none before it is solved."""
    return []


def solve_graph(
    rules: Rules, start: Position = Position(), *, position_limit: int | None = None
) -> Graph:
    """Return the scores of every position that can follow from ``start``.

    Equivalent positions are one.

    Args:
        position_limit: how many there may be, `POSITION_LIMIT` unless given.

    Raises:
        SearchLimitReached: there are more.
    """
    positions, children = _explore(rules, start, position_limit or POSITION_LIMIT)
    parents: list[list[int]] = [[] for _ in positions]
    open_moves = [len(below) for below in children]
    scores: dict[int, int] = {}
    labelled: deque[int] = deque()
    for number, below in enumerate(children):
        for child in below:
            parents[child].append(number)
        outcome = None if below else rules.outcome(positions[number])
        if outcome is not None and outcome.winner is not None:
            scores[number] = final_score(outcome, positions[number].turn)
            labelled.append(number)
    while labelled:
        child = labelled.popleft()
        for parent in parents[child]:
            if parent in scores:
                continue
            open_moves[parent] -= 1
            # The last child to be labelled is the farthest: it decides how long a loss takes.
            if scores[child] < 0 or not open_moves[parent]:
                scores[parent] = back_up(scores[child])
                labelled.append(parent)
    return Graph(
        rules, {position: scores.get(number, 0) for number, position in enumerate(positions)}
    )


def _explore(
    rules: Rules, start: Position, position_limit: int
) -> tuple[list[Position], list[Sequence[int]]]:
    """Return every position that can follow, and for each the numbers of those after its moves."""
    moves, play, canonical = rules.moves, rules.play, symmetry_of(rules).canonical
    first = canonical(start)
    numbers, positions = {first: 0}, [first]
    children: list[Sequence[int]] = []
    for position in positions:  # grows while it is read
        below = set()
        for move in moves(position):
            child = canonical(play(position, move))
            number = numbers.setdefault(child, len(positions))
            if number == len(positions):
                positions.append(child)
            below.add(number)
        children.append(sorted(below))
        if len(positions) > position_limit:
            raise _too_many(position_limit)
    return positions, children


def _too_many(limit: int) -> SearchLimitReached:
    return SearchLimitReached(
        "the game has more than {count:,} positions", "position_limit", count=limit
    )
