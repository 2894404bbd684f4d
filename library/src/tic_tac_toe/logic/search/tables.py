"""Small games whole: every position that can arise, with its score, and how many there are.

Where positions come back the scores are found by retrograde analysis. Every position that can
follow is found first. Then the ends are labelled, and from labelled positions their predecessors: a
position is won as soon as one move leads to a lost one, and lost as soon as all lead to won ones
(Ken Thompson, "Retrograde Analysis of Certain Endgames", 1986). Labels come in the order of their
distance, so that a win is the shortest and a loss the longest. What is never labelled is a draw:
neither side can force an end.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeAlias

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import NoSymmetry, Rules, rules_of, symmetry_of
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.wrappers import without_misere
from tic_tac_toe.logic.search.evaluation import MATE, back_up, check_end, final_score

_new = tuple.__new__  # NamedTuple's own __new__ runs in Python

#: Games on boards of at most this number of cells are tabled whole when first asked about: 5,478
#: positions on 3x3.
SMALL_CELLS = 9

#: The exact score of a position and every best move, ascending; none once the game is over.
Entry: TypeAlias = tuple[int, tuple[int, ...]]


class Table(dict[Position, Entry]):
    """A solved game: by every reachable position, its exact score and its best moves."""

    def score(self, position: Position) -> int:
        """Return the exact score of a position."""
        return self[position][0]

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        return self[position][0] >= bound


def solve_table(
    rules: Rules | str, start: Position = Position(), *, position_limit: int = 1_000_000
) -> Table:
    """Return the table of every position that can follow from ``start``.

    Positions are numbered as they are found, ply by ply, and scored from the last back to the first
    (retrograde analysis, as endgame tables are made since Ströhlein, 1970)::

        >>> from tic_tac_toe import find_rules
        >>> from tic_tac_toe.solver import solve_table
        >>> table = solve_table(find_rules("tic-tac-toe"))
        >>> len(table), table.score(Position())
        (5478, 0)

    Raises:
        SearchLimitReached: there are more than ``position_limit`` positions, or positions can come
            back, so that scoring from the last to the first would be wrong.
    """
    rules = rules_of(rules)
    check_end(rules)
    moves, play = rules.moves, rules.play
    numbers = {start: 0}
    positions = [start]
    found: list[tuple[Sequence[int], list[int]]] = []
    for position in positions:  # grows while it is read
        cells, children, parent = moves(position), [], len(found)
        for cell in cells:
            child = play(position, cell)
            number = numbers.setdefault(child, len(positions))
            if number == len(positions):
                positions.append(child)
            elif number <= parent:  # the child is the parent, or was found before it
                raise SearchLimitReached(
                    "a position comes back in this game, and its rules do not say so", "cycle"
                )
            children.append(number)
        found.append((cells, children))
        if len(positions) > position_limit:
            raise _too_many(position_limit)
    scores = [0] * len(positions)
    table = Table()
    for number in range(len(positions) - 1, -1, -1):
        position, (cells, children) = positions[number], found[number]
        if children:
            there = [scores[child] for child in children]
            worst = min(there)  # for the opponent, who is to move there
            scores[number] = back_up(worst)
            best = tuple(cell for cell, score in zip(cells, there) if score == worst)
        else:
            outcome = rules.outcome(position)
            assert outcome is not None, "a position without moves is the end of the game"
            scores[number], best = final_score(outcome, position.turn), ()
        table[position] = scores[number], best
    return table


@lru_cache(maxsize=8)
def small_table(rules: Rules | str, starter: int = 0) -> Table:
    """Return the table of a small game that ``starter`` begins, solved when first asked for.

    Raises:
        SearchLimitReached: positions can come back in this game; see `small_graph`.
    """
    rules = rules_of(rules)
    line = without_misere(rules)
    if type(line) is LineRules and line.line_table:
        return _solve_line_table(line, starter, MATE if line is not rules else -MATE)
    return solve_table(rules, Position(turn=starter))


@lru_cache(maxsize=64)
def is_small(rules: Rules) -> bool:
    """Return whether `small_table` is meant for these rules."""
    if rules.shape.cells > SMALL_CELLS:
        return False
    traits = traits_of(rules)
    return traits.longest is not None and (traits.choices is None or len(traits.choices) <= 2)


def _solve_line_table(line: LineRules, starter: int, after_line: int) -> Table:
    """Return what `solve_table` returns, in a quarter of the time, for a tabled line game.

    The colours of a line game are alike, so that one int holds all that matters: the stones of the
    side to move, and above them the stones of the other. ``after_line`` is the score for a side
    whose opponent has just made a line.
    """
    size = line.shape.cells
    won, free = (
        line.line_table,
        [[(cell, 1 << cell) for cell in cells] for cells in line.open_table],
    )
    known: dict[int, Entry] = {}

    def solve(own: int, other: int) -> int:
        if won[other]:
            entry = lost
        elif not free[own | other]:
            entry = drawn
        else:
            worst = MATE + 1
            best: list[int] = []  # not list[int](), which takes ten times as long
            for cell, stone in free[own | other]:
                child = other | (own | stone) << size
                there = known[child][0] if child in known else solve(other, own | stone)
                if there < worst:
                    worst, best = there, [cell]
                elif there == worst:
                    best.append(cell)
            entry = back_up(worst), tuple(best)
        known[own | other << size] = entry
        return entry[0]

    lost: Entry = after_line, ()
    drawn: Entry = 0, ()
    solve(0, 0)
    low, table = (1 << size) - 1, Table()
    for key, entry in known.items():
        own, other = key & low, key >> size
        if (starter + (own | other).bit_count()) & 1:
            table[_new(Position, ((other, own), 1, 0))] = entry
        else:
            table[_new(Position, ((own, other), 0, 0))] = entry
    return table


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
    """Return a list for the scores of a game, which stays empty until the game is solved."""
    return []


def solve_graph(
    rules: Rules | str, start: Position = Position(), *, position_limit: int | None = None
) -> Graph:
    """Return the scores of every position that can follow from ``start``.

    Equivalent positions are one.

    Args:
        position_limit: how many there may be, `POSITION_LIMIT` unless given.

    Raises:
        SearchLimitReached: there are more.
    """
    rules = rules_of(rules)
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


def perft(rules: Rules | str, depth: int, position: Position = Position()) -> int:
    """Return the number of ways to make ``depth`` moves; games that end sooner are not counted.

    The name and the use, a fingerprint of a move generator, come from chess programming (Robert
    Hyatt's Crafty).
    """
    rules = rules_of(rules)
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
