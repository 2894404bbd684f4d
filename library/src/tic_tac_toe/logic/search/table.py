"""Complete tables for small games: every position that can arise, with its score and best moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.wrappers import without_misere
from tic_tac_toe.logic.search.scores import MATE, back_up, check_end, final_score

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
    rules: Rules, start: Position = Position(), *, position_limit: int = 1_000_000
) -> Table:
    """Return the table of every position that can follow from ``start``.

    Positions are numbered as they are found, ply by ply, and scored from the last back to the first
    (retrograde analysis, as endgame tables are made since Ströhlein, 1970).

    Raises:
        SearchLimitReached: there are more than ``position_limit`` positions, or positions can come
            back, so that scoring from the last to the first would be wrong.
    """
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
            raise SearchLimitReached(
                "the game has more than {count:,} positions", "position_limit", count=position_limit
            )
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
def small_table(rules: Rules, starter: int = 0) -> Table:
    """Return the table of a small game that ``starter`` begins, solved when first asked for.

    Raises:
        SearchLimitReached: positions can come back in this game; see `retrograde.small_graph`.
    """
    line = without_misere(rules)
    if type(line) is LineRules and line.line_table:
        return _solve_line_table(line, starter, MATE if line is not rules else -MATE)
    return solve_table(rules, Position(turn=starter))


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
