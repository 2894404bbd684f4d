"""Lines: the shifting search, the plain search and brute force agree on every kind of board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.logic.rules.lines import Lines, lines
from tic_tac_toe.logic.shapes import Shape


def runs_of(shape: Shape, stones: int, length: int, exact: bool) -> Iterator[tuple[int, ...]]:
    """Yield every maximal row of stones that is a line, by coordinates alone."""
    columns = shape.columns
    taken = {(cell // columns, cell % columns) for cell in range(shape.cells) if stones >> cell & 1}
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in sorted(taken):
            if (row - down, column - right) in taken:
                continue
            run = []
            while (row, column) in taken:
                run.append(row * columns + column)
                row, column = row + down, column + right
            if len(run) == length if exact else len(run) >= length:
                yield tuple(sorted(run))


@st.composite
def boards(draw: st.DrawFn) -> tuple[Lines, Shape, int]:
    """Draw lines of some length and a bit board that is likely to hold some."""
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    length = draw(st.integers(1, min(max(rows, columns), 6)))
    shape = Shape(rows, columns)
    full = (1 << shape.cells) - 1
    stones = draw(st.integers(0, full)) | draw(st.integers(0, full))
    return lines(shape, length, draw(st.booleans())), shape, stones


def check_against_brute_force(found: Lines, shape: Shape, stones: int) -> None:
    expected = set(runs_of(shape, stones, found.length, found.exact))
    assert found.found_in(stones) == bool(expected)
    assert found.first_in(stones) in (expected or {()})


@given(boards())
def test_a_line_is_found_where_and_only_where_brute_force_finds_it(
    board: tuple[Lines, Shape, int],
) -> None:
    check_against_brute_force(*board)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("shape", [Shape(3, 3), Shape(2, 4), Shape(4, 2), Shape(1, 8), Shape(3, 4)])
@pytest.mark.once
def test_small_boards_are_searched_right_without_exception(shape: Shape, exact: bool) -> None:
    for length in range(1, max(shape) + 1):
        for stones in range(1 << shape.cells):
            check_against_brute_force(lines(shape, length, exact), shape, stones)


@pytest.mark.parametrize(
    ("shape", "length", "count"),
    [
        *((Shape(3, 3), 3, 8), (Shape(4, 4), 4, 10), (Shape(1, 1), 1, 1)),
        *((Shape(6, 7), 4, 69), (Shape(15, 15), 5, 572), (Shape(26, 26), 26, 54)),
    ],
)
def test_the_number_of_places_for_a_line_is_the_known_one(
    shape: Shape, length: int, count: int
) -> None:
    assert len(lines(shape, length).places) == count


def test_no_line_runs_around_an_edge() -> None:
    for place in lines(Shape(3, 4), 3).places:
        for axis in zip(*(divmod(cell, 4) for cell in place.cells)):
            steps = {after - before for before, after in pairwise(axis)}
            assert steps in ({0}, {1}, {-1})


@pytest.mark.parametrize("row", range(15))
def test_standard_gomoku_wants_exactly_five_wherever_the_row_lies(row: int) -> None:
    free, standard = lines(Shape(15, 15), 5), lines(Shape(15, 15), 5, exact=True)
    for start, end in combinations(range(16), 2):
        length = end - start
        stones = ((1 << length) - 1) << row * 15 + start
        assert free.found_in(stones) == (length >= 5)
        assert standard.found_in(stones) == (length == 5)
        assert len(free.first_in(stones)) == (length if length >= 5 else 0)
