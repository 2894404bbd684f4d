"""Slow oracles for the wider family of games that share no code with the library.

A game is a function from a position to the positions after each move, or, once it is over, to the
outcome for the side that would be to move: 1, 0 or -1. What a position is, each game says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import cache
from itertools import chain, combinations, permutations, product
from typing import TypeVar

from tests.oracles import LINES, canonical, put

N = TypeVar("N", bound=Hashable)


def solve(game: Callable[[N], Collection[N] | int], start: N) -> dict[N, tuple[int, int]]:
    """Return the outcome and the plies to it of every position that can follow, by rounds.

    Round *n* finds what is won or lost in *n* plies: won if one move leads to a position that is
    lost by then, lost if all moves lead to won ones. What no round finds is a draw, in 0 plies,
    be it that the board is full or that play goes on for ever.
    """
    children: dict[N, Collection[N]] = {}
    values: dict[N, tuple[int, int]] = {}
    found = [start]
    while found:
        position = found.pop()
        after = game(position)
        children[position] = () if isinstance(after, int) else after
        if isinstance(after, int):
            values[position] = after, 0
        found += [child for child in {*children[position]} if child not in children]
    open_ones, plies = [position for position in children if position not in values], 0
    while True:
        plies += 1
        new: dict[N, tuple[int, int]] = {}
        for position in open_ones:
            outcomes = {values[child][0] if child in values else 0 for child in children[position]}
            if -1 in outcomes:
                new[position] = 1, plies
            elif outcomes == {1}:
                new[position] = -1, plies
        if not new:
            return {**values, **dict.fromkeys(open_ones, (0, 0))}
        values.update(new)
        open_ones = [position for position in open_ones if position not in values]


# -- either letter: a grid of X, O and spaces ------------------------------------------------------


def owned(grid: str, lines: Iterable[tuple[int, ...]] = LINES) -> bool:
    """Return whether some line holds one letter only."""
    return any({grid[cell] for cell in line} in ({"X"}, {"O"}) for line in lines)


def after_either_letter(grid: str) -> list[str]:
    """Return the grids with either letter in each free cell."""
    free = [cell for cell, sign in enumerate(grid) if sign == " "]
    return [put(grid, cell, letter) for cell in free for letter in "XO"]


def wild(grid: str) -> list[str] | int:
    """Play wild tic-tac-toe: who completes a line wins."""
    if owned(grid):
        return -1
    return after_either_letter(grid) if " " in grid else 0


def misere_wild(grid: str) -> list[str] | int:
    """Play it the other way round: who completes a line loses."""
    return 1 if owned(grid) else wild(grid)


def order_and_chaos(
    lines: tuple[tuple[int, ...], ...],
) -> Callable[[tuple[str, bool]], list[tuple[str, bool]] | int]:
    """Return the game of these lines: a position is a grid and whether Order is to move."""

    def game(position: tuple[str, bool]) -> list[tuple[str, bool]] | int:
        grid, order_moves = position
        if owned(grid, lines):
            return 1 if order_moves else -1
        if " " not in grid:
            return -1 if order_moves else 1
        return [(after, not order_moves) for after in after_either_letter(grid)]

    return game


# -- notakto: the living boards, each a string of X and spaces, sorted -----------------------------


@cache
def crosses_on(board: str) -> tuple[str, ...]:
    """Return the kinds of boards that one cross makes; "" stands for a board with a line."""
    after = {put(board, cell, "X") for cell, sign in enumerate(board) if sign == " "}
    return tuple(sorted({"" if owned(one) else canonical(one) for one in after}))


def notakto(boards: tuple[str, ...]) -> list[tuple[str, ...]] | int:
    """Play on several boards; who finds none without a line has won."""
    if not boards:
        return 1
    after = []
    for number, board in enumerate(boards):
        others = boards[:number] + boards[number + 1 :]
        after += [tuple(sorted(filter(None, (*others, one)))) for one in crosses_on(board)]
    return after


@cache
def wins_notakto(boards: tuple[str, ...]) -> bool:
    """Return whether the side to move wins with these living boards, sorted."""
    after = notakto(boards)
    return isinstance(after, int) or not all(map(wins_notakto, after[::-1]))


@cache
def kinds_of_boards() -> tuple[str, ...]:
    """Return the boards without a line, up to symmetry, the empty one first."""
    boards = {
        canonical("".join("X" if cell in taken else " " for cell in range(9)))
        for count in range(10)
        for taken in combinations(range(9), count)
    }
    return tuple(sorted((one for one in boards if not owned(one)), key=lambda one: one.count("X")))


#: Boards that are worth different things.
TELLING_BOARDS = tuple(
    map(canonical, ("         ", "       XX", "  X   XX ", " X X X XX", " XXX XXX "))
)


@cache
def notakto_elements() -> dict[tuple[bool, ...], tuple[str, ...]]:
    """Return the sums of boards that no further sum tells apart, one sum for each kind.

    This is the misère quotient, found by search alone. Sums are told apart by who wins when they
    are played together with up to two of `TELLING_BOARDS`, and all sums are tried until no board
    that is added makes another kind.
    """
    boards = kinds_of_boards()[::-1]  # full ones first: they are quick to search
    tests = [test for count in range(3) for test in combinations(2 * TELLING_BOARDS, count)]
    kinds: dict[tuple[bool, ...], tuple[str, ...]] = {}
    todo: list[tuple[str, ...]] = [(), *((board,) for board in boards)]
    for words in todo:  # grows while it is read
        signature = tuple(wins_notakto(tuple(sorted(words + test))) for test in tests)
        if signature not in kinds:
            kinds[signature] = words
            todo += [tuple(sorted((*words, board))) for board in boards]
    return kinds


# -- vanishing: the cells of the mover and of the opponent, the oldest first -----------------------

Ages = tuple[tuple[int, ...], tuple[int, ...]]


def vanishing(departure: str) -> Callable[[Ages], list[Ages] | int]:
    """Return the game in which the oldest mark of three is ``barred``, ``reused`` or ``late``."""

    def game(position: Ages) -> list[Ages] | int:
        own, other = position
        if _has_line(other):
            return -1
        after = []
        for cell in range(9):
            kept = own[1:] if len(own) == 3 else own
            taken = {*other, *(kept if departure == "reused" else own)}
            if cell in taken:
                continue
            if departure == "late" and _has_line((*own, cell)):
                kept = own
            after.append((other, (*kept, cell)))
        return after

    return game


def _has_line(cells: tuple[int, ...]) -> bool:
    return any({*line} <= {*cells} for line in LINES)


# -- boards in space and without edges: lines as sets of cells -------------------------------------


Sides = tuple[frozenset[int], frozenset[int]]


def lines_in_space(layers: int, rows: int, columns: int, length: int) -> set[frozenset[int]]:
    """Return the lines through layers that lie side by side, by coordinates alone."""

    def cell(point: tuple[int, ...]) -> int:
        layer, row, column = point
        return row * layers * columns + layer * columns + column

    sizes = layers, rows, columns
    found = set()
    for start in product(*map(range, sizes)):
        for step in product((-1, 0, 1), repeat=3):
            points = [
                tuple(at + by * times for at, by in zip(start, step)) for times in range(length)
            ]
            fits = all(0 <= at < size for point in points for at, size in zip(point, sizes))
            if fits and any(step):
                found.add(frozenset(map(cell, points)))
    return found


def lines_on_torus(rows: int, columns: int, length: int) -> set[frozenset[int]]:
    """Return the lines of different cells on a board whose opposite edges touch."""
    found = set()
    for row, column in product(range(rows), range(columns)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = frozenset(
                (row + down * step) % rows * columns + (column + right * step) % columns
                for step in range(length)
            )
            if len(line) == length:
                found.add(line)
    return found


def line_game(lines: Iterable[Iterable[int]], cells: int) -> Callable[[Sides], list[Sides] | int]:
    """Return the game of these lines: a position is the cells of the mover and of the opponent."""
    all_lines = [frozenset(line) for line in lines]

    def game(position: Sides) -> list[Sides] | int:
        own, other = position
        if any(line <= other for line in all_lines):
            return -1
        free = set(range(cells)) - own - other
        return [(other, own | {cell}) for cell in sorted(free)] if free else 0

    return game


def wins_within(
    lines: Collection[frozenset[int]], cells: int, own: frozenset[int], other: frozenset[int],
    plies: int,
) -> bool:  # fmt: skip
    """Return whether the side to move can complete a line within so many plies.

    The opponent answers in every way, but completes a line itself, or stops one, where it must.
    """
    free = set(range(cells)) - own - other
    if plies < 1 or _completing(lines, own, other):
        return plies >= 1
    threats = _completing(lines, other, own)
    if plies < 3 or len(threats) > 1:
        return False
    return any(
        not escapes(lines, cells, own | {cell}, other, plies - 1) for cell in threats or free
    )


def escapes(
    lines: Collection[frozenset[int]], cells: int, own: frozenset[int], other: frozenset[int],
    plies: int,
) -> bool:  # fmt: skip
    """Return whether ``other``, which is to move, keeps ``own`` from a line for so many plies."""
    if _completing(lines, other, own):
        return True
    threats = _completing(lines, own, other)
    free = set(range(cells)) - own - other
    if len(threats) > 1 or not free:
        return plies < 2 or not free
    return any(
        not wins_within(lines, cells, own, other | {cell}, plies - 1) for cell in threats or free
    )


def _completing(
    lines: Collection[frozenset[int]], own: frozenset[int], other: frozenset[int]
) -> set[int]:
    """Return the free cells with which a side completes a line."""
    return {
        cell for line in lines if len(line & own) == len(line) - 1
        for cell in line - own if cell not in other
    }  # fmt: skip


def ordered_cells() -> Iterator[tuple[int, ...]]:
    """Yield every order of up to three cells of nine."""
    return chain.from_iterable(permutations(range(9), count) for count in range(4))
