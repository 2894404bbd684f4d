"""Boards without edges and in space: where lines run, and what is alike."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.family_oracles import (
    lines_in_space,
    lines_on_torus,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import Lines, lines
from tic_tac_toe.logic.rules.topology import PLANE, TORUS, Layers, Topology
from tic_tac_toe.logic.search.census import walk_census
from tic_tac_toe.logic.shapes import Shape

CUBE_OF_3, CUBE_OF_4 = Layers(Shape(3, 3)), Layers(Shape(4, 4))
SMALL_TORUS = LineRules(Shape(3, 3), 3, topology=TORUS)


def masks(found: Lines) -> list[int]:
    return sorted({line.mask for line in found.places})


def bits(line: frozenset[int]) -> int:
    return sum(1 << cell for cell in line)


# -- where lines run -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "length", "count"),
    [
        ((3, 3, 3), 3, 49),
        ((4, 4, 4), 4, 76),
        ((2, 2, 2), 2, 28),
        ((1, 3, 3), 3, 8),
        ((3, 2, 4), 3, 28),
    ],
)
def test_lines_in_space_are_those_of_coordinates(
    size: tuple[int, int, int], length: int, count: int
) -> None:
    layers, rows, columns = size
    topology = Layers(Shape(rows, columns))
    found = masks(lines(Shape(rows, layers * columns), length, topology=topology))
    assert found == sorted(map(bits, lines_in_space(*size, length)))
    assert len(found) == count


@pytest.mark.parametrize(
    ("rows", "columns", "length"),
    [*product((1, 2, 3, 4, 5), (1, 2, 3, 4, 6), (1, 2, 3, 4)), (15, 15, 5)],
)
def test_lines_of_a_torus_are_those_of_coordinates_also_where_directions_coincide(
    rows: int, columns: int, length: int
) -> None:
    if length <= max(rows, columns):
        found = lines(Shape(rows, columns), length, topology=TORUS)
        assert masks(found) == sorted(map(bits, lines_on_torus(rows, columns, length)))
        assert len(found.places) == len(masks(found))


@pytest.mark.parametrize(
    ("rows", "columns", "length", "count"),
    [(3, 3, 3, 12), (4, 4, 4, 16), (4, 4, 3, 64), (1, 5, 3, 5), (2, 2, 2, 6), (15, 15, 5, 900)],
)
def test_the_number_of_lines_of_a_torus(rows: int, columns: int, length: int, count: int) -> None:
    assert len(lines(Shape(rows, columns), length, topology=TORUS).places) == count


def test_a_line_of_a_torus_runs_across_the_seam() -> None:
    rules = LineRules(Shape(4, 5), 3, topology=TORUS)
    for cells in ((0, 1, 4), (0, 5, 15), (0, 6, 19), (3, 4, 0)):
        stones = sum(1 << cell for cell in cells)
        assert rules.has_line(stones)
        assert rules.outcome(Position((stones, 0), 1)) == Outcome(0, tuple(sorted(cells)))
        assert not LineRules(Shape(4, 5), 3).has_line(stones)


def test_a_row_around_the_torus_is_shown_whole() -> None:
    rules = LineRules(Shape(3, 5), 3, topology=TORUS)
    assert rules.line_cells(0b11111) == (0, 1, 2, 3, 4)
    assert rules.line_cells(0b11011) == (0, 1, 3, 4)


def test_an_exact_line_of_a_torus_has_no_mark_beyond_the_seam() -> None:
    exact = LineRules(Shape(4, 6), 3, exact=True, topology=TORUS)
    assert exact.has_line(0b000111)
    assert exact.has_line(0b100011)
    assert not exact.has_line(0b100111)
    assert not exact.has_line(0b111111)
    assert exact.has_line(0b000111 | 1 << 15)


def test_an_exact_line_as_long_as_the_ring_is_a_line() -> None:
    assert LineRules(Shape(3, 3), 3, exact=True, topology=TORUS).has_line(0b111)
    assert not LineRules(Shape(4, 4), 3, exact=True, topology=TORUS).has_line(0b1111)


def runs_of(rows: list[tuple[tuple[int, ...], bool]], stones: int, length: int) -> Iterator[int]:
    """Yield the lengths of all unbroken rows of stones that hold ``length`` different cells."""
    for cells, is_ring in rows:
        signs = "".join(".X"[stones >> cell & 1] for cell in cells)
        if is_ring and "." in signs:
            gap = signs.index(".")
            signs = signs[gap:] + signs[:gap]
        yield from (len(run) for run in signs.split(".") if len(run) >= length)


@st.composite
def boards(draw: st.DrawFn) -> tuple[Topology, Shape, int, int]:
    """Draw a topology, a board, a length of lines, and stones that are likely to hold some."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    topologies: list[Topology] = [PLANE, TORUS, Layers(Shape(rows, columns))]
    topology = draw(st.sampled_from(topologies))
    wide = draw(st.integers(1, 4)) if isinstance(topology, Layers) else 1
    shape = Shape(rows, columns * wide)
    length = draw(st.integers(2, max(2, topology.longest_row(shape))))
    full = (1 << shape.cells) - 1
    return topology, shape, length, draw(st.integers(0, full)) | draw(st.integers(0, full))


@given(boards())
def test_lines_are_found_where_and_only_where_unbroken_rows_are_long_enough(
    board: tuple[Topology, Shape, int, int],
) -> None:
    topology, shape, length, stones = board
    rows = [(row.cells, row.is_ring) for group in topology.rows(shape) for row in group]
    runs = [*runs_of(rows, stones, length)]
    free, exact = (lines(shape, length, one, topology) for one in (False, True))
    assert free.found_in(stones) == bool(runs) == bool(free.first_in(stones))
    assert exact.found_in(stones) == (length in runs) == bool(exact.first_in(stones))
    assert len(exact.first_in(stones)) in (0, length)
    assert sum(1 << cell for cell in free.first_in(stones)) & ~stones == 0


@pytest.mark.parametrize("topology", [TORUS, CUBE_OF_3])
def test_every_place_is_found_by_itself_and_not_without_one_of_its_cells(
    topology: Topology,
) -> None:
    found = lines(Shape(3, 9), 3, topology=topology)
    for line in found.places:
        assert found.found_in(line.mask)
        assert set(found.first_in(line.mask)) == set(line.cells)
        for cell in line.cells:
            assert not found.found_in(line.mask ^ 1 << cell)


@pytest.mark.parametrize("shape", [Shape(1, 1), Shape(3, 4), Shape(1, 6), Shape(4, 2)])
@pytest.mark.parametrize("topology", [PLANE, TORUS])
def test_each_direction_holds_every_cell_once(topology: Topology, shape: Shape) -> None:
    for rows in topology.rows(shape):
        cells = [cell for row in rows for cell in row.cells]
        assert sorted(cells) == list(range(shape.cells))


def test_space_has_thirteen_directions_with_every_cell_once() -> None:
    groups = list(CUBE_OF_3.rows(Shape(3, 9)))
    assert len(groups) == 13
    for rows in groups:
        assert sorted(cell for row in rows for cell in row.cells) == list(range(27))


# -- what is alike ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topology", "shape", "gravity", "count"),
    [
        (CUBE_OF_3, Shape(3, 9), False, 48),
        (CUBE_OF_3, Shape(3, 9), True, 8),
        (CUBE_OF_4, Shape(4, 16), False, 48),
        (Layers(Shape(3, 3)), Shape(3, 6), False, 16),
        (Layers(Shape(2, 3)), Shape(2, 12), False, 8),
        (Layers(Shape(3, 3)), Shape(3, 3), False, 8),
        (TORUS, Shape(3, 3), False, 72),
        (TORUS, Shape(3, 4), False, 48),
        (TORUS, Shape(1, 5), False, 10),
        (TORUS, Shape(2, 2), False, 8),
        (PLANE, Shape(4, 4), False, 8),
        (PLANE, Shape(4, 4), True, 2),
    ],
)
def test_symmetries_are_a_group_that_keeps_lines_and_under_gravity_stacks(
    topology: Topology, shape: Shape, gravity: bool, count: int
) -> None:
    images = topology.symmetries(shape, gravity)
    assert images[0] == tuple(range(shape.cells))
    assert len(images) == len({*images}) == count
    places = {
        frozenset(line.cells)
        for line in lines(shape, 3 if count > 8 else 2, topology=topology).places
    }
    stacks = {*(topology.stacks(shape) or ())}
    for image in images:
        assert {frozenset(image[cell] for cell in line) for line in places} == places
        if gravity:
            assert {tuple(image[cell] for cell in stack) for stack in stacks} == stacks
    for one, two in product(images[:9], images):
        assert tuple(two[cell] for cell in one) in images


@pytest.mark.parametrize(
    "rules",
    [
        LineRules(Shape(3, 3), 3, topology=TORUS),
        LineRules(Shape(2, 6), 2, topology=Layers(Shape(2, 2))),
    ],
)
def test_the_census_counts_every_position_once_although_many_are_alike(rules: LineRules) -> None:
    counts = [
        [census.positions for _, census in zip(range(6), walk_census(rules, symmetric=symmetric))]
        for symmetric in (True, False)
    ]
    assert counts[0] == counts[1]
