"""Boards and lines: symmetries, the plane, the torus and space, and boards that change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.family_oracles import (
    escapes,
    lines_in_space,
    lines_on_torus,
    wins_within,
)
from tests.logic.played_games import value_of
from tests.solver.late_positions import as_lines
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE, TORUS, Layers, Lines, Topology, lines
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.rules.traits import Digits, traits_of
from tic_tac_toe.logic.search import line_board
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.logic.search.line_board import LineBoard, cells_of
from tic_tac_toe.logic.shapes import Shape, Symmetry, layout

SHAPES = st.builds(Shape, st.integers(1, 26), st.integers(1, 26))


@given(SHAPES, st.data())
def test_cells_of_a_bit_board_are_its_bits_in_order(shape: Shape, data: st.DataObject) -> None:
    bits = data.draw(st.integers(0, layout(shape).full))
    assert layout(shape).cells(bits) == [i for i in range(shape.cells) if bits >> i & 1]


@given(st.builds(Shape, st.integers(1, 8), st.integers(1, 8)), st.data())
def test_a_symmetry_moves_bit_boards_as_it_moves_cells(shape: Shape, data: st.DataObject) -> None:
    table = layout(shape)
    permutation = data.draw(st.sampled_from([*table.turns, table.mirror]))
    bits = data.draw(st.integers(0, table.full))
    expected = sum(1 << permutation[cell] for cell in table.cells(bits))
    assert Symmetry(permutation)(bits) == expected


def test_the_mirror_exchanges_left_and_right() -> None:
    assert layout(Shape(2, 3)).mirror == (2, 1, 0, 5, 4, 3)


@given(st.builds(Shape, st.integers(1, 9), st.integers(1, 9)), st.data())
def test_spreading_reaches_the_neighbours_and_no_others(shape: Shape, data: st.DataObject) -> None:
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
def test_the_middle_of_even_boards_lies_below_and_to_the_right(shape: Shape, middle: int) -> None:
    assert shape.middle == middle


# -- lines -----------------------------------------------------------------------------------------


def rows_of(shape: Shape, stones: int, length: int, exact: bool) -> Iterator[tuple[int, ...]]:
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
def planes(draw: st.DrawFn) -> tuple[Lines, Shape, int]:
    """Draw lines of some length and a bit board that is likely to hold some."""
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    length = draw(st.integers(1, min(max(rows, columns), 6)))
    shape = Shape(rows, columns)
    full = (1 << shape.cells) - 1
    stones = draw(st.integers(0, full)) | draw(st.integers(0, full))
    return lines(shape, length, draw(st.booleans())), shape, stones


def check_against_brute_force(found: Lines, shape: Shape, stones: int) -> None:
    expected = set(rows_of(shape, stones, found.length, found.exact))
    assert found.found_in(stones) == bool(expected)
    assert found.first_in(stones) in (expected or {()})


@given(planes())
def test_a_line_is_found_just_where_brute_force_finds_it(board: tuple[Lines, Shape, int]) -> None:
    check_against_brute_force(*board)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("shape", [Shape(3, 3), Shape(2, 4), Shape(4, 2), Shape(1, 8), Shape(3, 4)])
def test_small_boards_are_searched_right_without_exception(shape: Shape, exact: bool) -> None:
    for length in range(1, max(shape) + 1):
        for stones in range(1 << shape.cells):
            check_against_brute_force(lines(shape, length, exact), shape, stones)


@pytest.mark.parametrize(
    ("topology", "shape", "length", "count"),
    [
        *((PLANE, Shape(3, 3), 3, 8), (PLANE, Shape(4, 4), 4, 10), (PLANE, Shape(1, 1), 1, 1)),
        *((PLANE, Shape(6, 7), 4, 69), (PLANE, Shape(15, 15), 5, 572)),
        *((PLANE, Shape(26, 26), 26, 54), (TORUS, Shape(3, 3), 3, 12), (TORUS, Shape(4, 4), 4, 16)),
        *((TORUS, Shape(4, 4), 3, 64), (TORUS, Shape(1, 5), 3, 5), (TORUS, Shape(2, 2), 2, 6)),
        (TORUS, Shape(15, 15), 5, 900),
    ],
)
def test_the_number_of_places_for_a_line_is_the_known_one(
    topology: Topology, shape: Shape, length: int, count: int
) -> None:
    assert len(lines(shape, length, topology=topology).places) == count


NAMES = ("gomoku", "mnk:7,6,4,exact", "mnk:6,5,4,torus", "qubic", "connect-four")
LINE_GAMES = [*map(as_lines, NAMES), Caro(Shape(8, 8)), Renju(Shape(8, 8))]


def _told(board: LineBoard) -> tuple[object, ...]:
    best = board.best_cells(0, 5), board.best_cells(1, 5)
    return board.stones, board.values, board.worth, board.threats(), board.threes(), best


@given(st.sampled_from(LINE_GAMES), st.integers(0, 10_000))
def test_marks_put_and_taken_back_leave_the_board_as_new(rules: LineRules, seed: int) -> None:
    rng, board, put = Random(seed), LineBoard(rules, Position()), list[tuple[int, int]]()
    for _step in range(25):
        free = cells_of(board.playable)
        if put and (not free or rng.random() < 0.3):
            # Under gravity only the highest mark of a stack can be taken back: the last one.
            board.toggle(*put.pop())
        else:
            put.append((rng.choice(free), rng.randrange(2)))
            board.toggle(*put[-1])
    crosses, naughts = board.stones
    assert _told(LineBoard(rules, Position((crosses, naughts)))) == _told(board)


def test_a_board_tells_the_same_after_rows_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = LineRules(Shape(9, 10), 5)
    marks = [(cell, number % 2) for number, cell in enumerate(Random(1).sample(range(90), 40))]
    told = []
    for most in (line_board.MOST_KNOWN, 7):
        monkeypatch.setattr(line_board, "MOST_KNOWN", most)
        board = LineBoard(rules, Position())
        for mark in marks:
            board.toggle(*mark)
        told.append(_told(board))
    assert told[0] == told[1]


def test_a_row_that_can_never_hold_a_line_is_worth_nothing() -> None:
    rules, row = as_lines("gomoku-standard"), 7 * 15
    # O . X X X O: five do not fit between the marks of O.
    closed = LineBoard(rules, Position((0b111 << row + 2, 1 << row | 1 << row + 5)))
    assert not closed.threats().fours[0] & 1 << row + 1
    # X X X . X X: the mark in the gap would make six.
    six = LineBoard(rules, Position((0b110111 << row + 4, 0)))
    assert not six.threats().wins[0]


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
def test_lines_in_space_are_right(size: tuple[int, int, int], length: int, count: int) -> None:
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
    # A line may be as long as the ring.
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


@pytest.mark.parametrize(
    ("topology", "shape", "directions"),
    [
        *(
            (topology, shape, 4)
            for topology in (PLANE, TORUS)
            for shape in (Shape(3, 4), Shape(4, 2), Shape(5, 5))
        ),
        (CUBE_OF_3, Shape(3, 9), 13),
    ],
)
def test_directions_hold_every_cell_once(topology: Topology, shape: Shape, directions: int) -> None:
    groups = list(topology.rows(shape))
    assert len(groups) == directions
    for rows in groups:
        assert sorted(cell for row in rows for cell in row.cells) == list(range(shape.cells))


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
        *((PLANE, Shape(rows, rows), False, 8) for rows in (2, 3, 4, 5)),
        *((PLANE, Shape(3, 4), False, 4), (PLANE, Shape(2, 7), False, 4)),
        *((PLANE, Shape(1, 5), False, 2), (PLANE, Shape(5, 1), False, 2)),
        *((PLANE, Shape(1, 1), False, 1), (PLANE, Shape(4, 4), True, 2)),
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


SPACE = LineRules(Shape(3, 9), 3, topology=CUBE_OF_3)
QUBIC = LineRules(Shape(4, 16), 4, topology=CUBE_OF_4)
SCORE_FOUR = LineRules(Shape(4, 16), 4, gravity=True, topology=CUBE_OF_4)


def test_marks_fall_through_the_layers_to_the_lowest() -> None:
    assert list(SCORE_FOUR.moves(Position())) == [
        row * 16 + column for row in range(4) for column in range(4)
    ]
    after = SCORE_FOUR.play(Position(), 0)
    assert list(SCORE_FOUR.moves(after))[:4] == [1, 2, 3, 4]
    with pytest.raises(InvalidMove, match="A mark falls to the lowest empty cell"):
        SCORE_FOUR.play(after, 8)
    with pytest.raises(InvalidGameState, match="A mark floats above an empty cell"):
        SCORE_FOUR.validate(Position((1 << 4, 0), 1))


@pytest.mark.parametrize(
    ("topology", "shape"),
    [(PLANE, Shape(3, 4)), (PLANE, Shape(1, 4)), (PLANE, Shape(4, 1)), (CUBE_OF_3, Shape(3, 9)),
     (Layers(Shape(2, 3)), Shape(2, 12)), (Layers(Shape(3, 3)), Shape(3, 3))],
)  # fmt: skip
@given(dice=st.randoms(use_true_random=False))
def test_supported_cells_lie_on_the_floor_or_on_a_taken_cell(
    topology: Topology, shape: Shape, dice: st.DataObject
) -> None:
    occupied = dice.getrandbits(shape.cells)  # type: ignore[attr-defined]  # a random.Random
    supported = lines(shape, 1, topology=topology).supported(occupied)
    stacks = topology.stacks(shape)
    assert stacks is not None
    for stack in stacks:
        for below, cell in zip((None, *stack), stack):
            carried = below is None or occupied >> below & 1
            assert supported >> cell & 1 == carried
    assert lines(Shape(3, 3), 3, topology=TORUS).supported(0) == 0b111_111_111


def test_traits_tell_screens_of_layers_and_stacks() -> None:
    traits = traits_of(SCORE_FOUR)
    assert (traits.blocks, traits.layered, traits.torus) == (Shape(4, 4), True, False)
    assert traits.stacks is not None
    assert traits.stacks[0] == (0, 4, 8, 12)
    assert traits.digits is Digits.NOTHING
    assert traits_of(SPACE).stacks is None
    assert traits_of(LineRules(Shape(3, 3), topology=TORUS)).flags == ("torus",)
    assert traits_of(LineRules(Shape(3, 4), gravity=True)).stacks == (
        (8, 4, 0),
        (9, 5, 1),
        (10, 6, 2),
        (11, 7, 3),
    )


# -- who wins --------------------------------------------------------------------------------------


@pytest.mark.medium
def test_the_first_player_wins_3x3x3_in_seven_plies_and_not_sooner() -> None:
    in_space, nobody = lines_in_space(3, 3, 3, 3), frozenset[int]()
    assert not wins_within(in_space, 27, nobody, nobody, 5)
    assert wins_within(in_space, 27, nobody, nobody, 7)
    assert value_of(AlphaBeta(SPACE).score(Position())) == (1, 7)


@pytest.mark.medium
def test_the_second_player_wins_3x3x3_in_nine_plies_unless_the_first_begins_in_the_centre() -> None:
    in_space, search = lines_in_space(3, 3, 3, 3), AlphaBeta(SPACE)
    centre = 13
    for opening in range(27):
        value = value_of(search.score(Position((1 << opening, 0), 1)))
        assert value == ((-1, 6) if opening == centre else (1, 9))
    for opening in (0, 1, 4):  # a corner, an edge and a face of the cube
        cross, nobody = frozenset({opening}), frozenset[int]()
        assert wins_within(in_space, 27, nobody, cross, 9)
        assert not wins_within(in_space, 27, nobody, cross, 7)
    assert not escapes(in_space, 27, frozenset({centre}), frozenset(), 6)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("mnk:3,3,3,torus", (1, 7)), ("mnk:3,3,3,torus,misere", (1, 8))),
        *(("mnk:4,3,3,torus", (1, 5)), ("mnk:4,3,3,torus,misere", (-1, 9))),
        *(("mnk:4,4,3,torus", (1, 5)), ("mnk:6,2,4,torus", (0, 0))),
    ],
)
def test_small_tori_have_the_values_that_search_has_proved(
    name: str, value: tuple[int, int]
) -> None:
    assert value_of(AlphaBeta(find_rules(name)).score(Position())) == value
