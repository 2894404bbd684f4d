"""Shapes and layouts: cells, symmetries and their tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.logic.shapes import Shape, Symmetry, layout

SHAPES = st.builds(Shape, st.integers(1, 26), st.integers(1, 26))


@given(SHAPES, st.data())
def test_cells_of_a_bit_board_are_its_bits_in_ascending_order(
    shape: Shape, data: st.DataObject
) -> None:
    bits = data.draw(st.integers(0, layout(shape).full))
    assert layout(shape).cells(bits) == [i for i in range(shape.cells) if bits >> i & 1]


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        *((Shape(3, 3), 8), (Shape(5, 5), 8), (Shape(3, 4), 4), (Shape(2, 7), 4)),
        *((Shape(1, 5), 2), (Shape(5, 1), 2), (Shape(1, 1), 1)),
    ],
)
def test_symmetries_are_a_group_of_eight_on_a_square_and_of_four_on_a_rectangle(
    shape: Shape, count: int
) -> None:
    symmetries = layout(shape).symmetries
    assert len(symmetries) == len(set(symmetries)) == count
    assert symmetries[0] == tuple(range(shape.cells))
    for first in symmetries:
        assert sorted(first) == list(range(shape.cells))
        for second in symmetries:
            assert tuple(first[second[cell]] for cell in range(shape.cells)) in symmetries


@given(st.builds(Shape, st.integers(1, 8), st.integers(1, 8)), st.data())
def test_a_symmetry_moves_bit_boards_as_it_moves_cells(shape: Shape, data: st.DataObject) -> None:
    table = layout(shape)
    permutation = data.draw(st.sampled_from([*table.symmetries, table.mirror]))
    bits = data.draw(st.integers(0, table.full))
    expected = sum(1 << permutation[cell] for cell in table.cells(bits))
    assert Symmetry(permutation)(bits) == expected


def test_the_mirror_exchanges_left_and_right() -> None:
    assert layout(Shape(2, 3)).mirror == (2, 1, 0, 5, 4, 3)


@given(st.builds(Shape, st.integers(1, 9), st.integers(1, 9)), st.data())
def test_spreading_reaches_the_neighbours_and_no_other_cell(
    shape: Shape, data: st.DataObject
) -> None:
    table = layout(shape)
    bits = data.draw(st.integers(0, table.full))
    taken = [divmod(cell, shape.columns) for cell in table.cells(bits)]
    near = {
        cell
        for cell in range(shape.cells)
        for row, column in taken
        if abs(cell // shape.columns - row) <= 1 and abs(cell % shape.columns - column) <= 1
    }
    assert set(table.cells(table.spread(bits))) == near


@pytest.mark.parametrize("shape", [Shape(0, 3), Shape(3, 0), Shape(27, 3), Shape(3, 27)])
def test_a_layout_of_an_impossible_shape_is_refused(shape: Shape) -> None:
    with pytest.raises(ValueError, match="1 to 26 rows and columns"):
        layout(shape)


@pytest.mark.parametrize(
    ("shape", "middle"), [(Shape(), 4), (Shape(1, 1), 0), (Shape(2, 2), 3), (Shape(6, 7), 24)]
)
def test_the_middle_of_a_board_without_one_lies_below_and_to_the_right(
    shape: Shape, middle: int
) -> None:
    assert shape.middle == middle
