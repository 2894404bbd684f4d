"""The plan of a board, and the looks that it can have."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.logic.played_games import after, mnk_rules, named_rules, played_on
from tests.own_games import Drop, ThreeInARow
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.pictures.board import (
    GAP,
    Box,
    Look,
    Point,
    Segment,
    fitting_look,
    geometry,
    look_of,
    looks_for,
    small_boards,
    star_points,
    strikes,
)

ULTIMATE = VARIANTS["ultimate"]
EXTENT = 26


def finished(rules: Rules, seed: int) -> GameState:
    """Return the end of a random game."""
    return played_on(GameState.new(rules), 1000, seed)


def meets(stroke: Segment, box: Box) -> bool:
    """Return whether a stroke passes through the middle part of a box."""
    (x, y), (right, down) = stroke.start, stroke.end
    steps = [step / 100 for step in range(101)]
    points = [Point(x + (right - x) * step, y + (down - y) * step) for step in steps]
    inner = Box(box.x + 0.2, box.y + 0.2, box.width - 0.4, box.height - 0.4)
    return any(inner.holds(point) for point in points)


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 9, 15, 25, 26])
def test_the_middle_of_every_cell_is_in_that_cell_on_boards_of_every_size(rows: int) -> None:
    for columns in range(1, EXTENT + 1, 1 if rows < 10 else 5):
        plan = geometry(LineRules(Shape(rows, columns), 1))
        cells = [plan.cell_at(*box.centre) for box in plan.boxes]
        assert cells == list(range(rows * columns))
        assert plan.extent == Box(0, 0, columns, rows)


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, ULTIMATE], ids=["tic-tac-toe", "ultimate"])
def test_a_cell_owns_its_left_and_upper_edge_and_not_the_others(rules: Rules) -> None:
    plan = geometry(rules)
    for cell, (x, y, width, height) in enumerate(plan.boxes):
        assert plan.cell_at(x, y) == cell == plan.cell_at(x + width / 2, y + height / 2)
        assert plan.cell_at(x + width, y) != cell
        assert plan.cell_at(x, y + height) != cell


@given(st.floats(0, GAP, exclude_max=True), st.floats(0, 9 + 2 * GAP), st.sampled_from([0, 1]))
def test_the_gaps_between_boards_belong_to_no_cell(into: float, along: float, gap: int) -> None:
    plan, across = geometry(ULTIMATE), 3 + gap * (3 + GAP) + into
    assert plan.cell_at(across, along) is None
    assert plan.cell_at(along, across) is None


@given(named_rules, st.floats(allow_nan=True), st.floats(allow_nan=True))
def test_a_point_is_in_a_cell_exactly_if_its_box_holds_it(rules: Rules, x: float, y: float) -> None:
    plan = geometry(rules)
    cell = plan.cell_at(x, y)
    holding = [index for index, box in enumerate(plan.boxes) if box.holds(Point(x, y))]
    assert holding == ([] if cell is None else [cell])


@given(mnk_rules())
def test_the_grid_parts_every_two_neighbours_and_has_no_frame(rules: Rules) -> None:
    plan, (rows, columns) = geometry(rules), rules.shape
    down = [stroke for stroke in plan.grid if stroke.start.x == stroke.end.x]
    across = [stroke for stroke in plan.grid if stroke.start.y == stroke.end.y]
    assert [stroke.start.x for stroke in down] == list(range(1, columns))
    assert [stroke.start.y for stroke in across] == list(range(1, rows))
    assert all(stroke.end.y - stroke.start.y == rows for stroke in down)
    assert all(stroke.end.x - stroke.start.x == columns for stroke in across)


def test_small_boards_hold_their_own_nine_cells() -> None:
    plan = geometry(ULTIMATE)
    for number, board in enumerate(plan.boards):
        top, left = number // 3 * 3, number % 3 * 3
        inside = [divmod(cell, 9) for cell, box in enumerate(plan.boxes) if board.holds(box.centre)]
        assert inside == list(product(range(top, top + 3), range(left, left + 3)))


#: Games whose lines lie on one flat board.
FLAT = [name for name, rules in VARIANTS.items() if traits_of(rules).blocks is None]
LAYERED = [name for name, rules in VARIANTS.items() if traits_of(rules).layered]


def struck_cells(state: GameState) -> list[int]:
    """Return the cells that strokes go through."""
    boxes, strokes = geometry(state.rules).boxes, strikes(state)
    return [cell for cell, box in enumerate(boxes) if any(meets(stroke, box) for stroke in strokes)]


@pytest.mark.parametrize("variant", FLAT)
@pytest.mark.parametrize("seed", range(3))
def test_a_stroke_goes_through_all_winning_cells_and_no_other(variant: str, seed: int) -> None:
    state = finished(VARIANTS[variant], seed)
    has_line = bool(state.winning_cells)  # Chaos wins without one
    assert has_line == (state.winner is not None) or variant == "order-and-chaos"
    assert len(strikes(state)) == has_line
    assert struck_cells(state) == sorted(state.winning_cells)


@pytest.mark.parametrize("variant", LAYERED)
@pytest.mark.parametrize("seed", range(6))
def test_a_line_is_struck_in_one_layer_and_only_lit_in_several(variant: str, seed: int) -> None:
    state = finished(VARIANTS[variant], seed)
    cells, plan = sorted(state.winning_cells), geometry(state.rules)
    layers = [inner for inner in plan.cells if not set(cells).isdisjoint(inner)]
    assert struck_cells(state) == (cells if len(layers) == 1 else [])


@pytest.mark.parametrize("boards", range(2, 7))
@pytest.mark.parametrize("seed", range(4))
def test_in_notakto_strokes_go_through_lines_of_dead_boards_only(boards: int, seed: int) -> None:
    state = finished(VARIANTS[f"notakto-{boards}"], seed)
    assert set(struck_cells(state)) <= set(state.winning_cells)
    assert all(not small.open and small.owner is None for small in small_boards(state))


def test_the_board_of_notakto_with_a_line_is_closed_while_the_others_are_open() -> None:
    state = after("notakto-3", "D1 A1 E1 B2 F1")
    assert [small.open for small in small_boards(state)] == [True, False, True]


@pytest.mark.parametrize(
    ("moves", "is_struck"),
    [
        ("A1 A5 B1 B5 C1 C5 D1", True),
        ("D1 A5 E1 B5 A1 C5 B1", False),
        ("D2 A5 E3 B5 A4 C2 C1", False),
    ],
)
def test_on_a_torus_a_line_is_struck_unless_it_crosses_an_edge(moves: str, is_struck: bool) -> None:
    state = after("mnk:5,5,4,torus", moves)
    assert state.winner is not None
    assert bool(strikes(state)) is is_struck
    assert struck_cells(state) == (state.winning_cells if is_struck else [])


def test_layers_have_their_own_letters_and_a_number_over_the_middle_of_each() -> None:
    plan = geometry(VARIANTS["3x3x3"])
    assert "".join(plan.column_names) == "ABC" * 3
    assert plan.row_names == ("1", "2", "3")
    assert [name for name, _ in plan.layers] == ["1", "2", "3"]
    assert [middle for _, middle in plan.layers] == [board.centre.x for board in plan.boards]
    assert geometry(ULTIMATE).layers == ()
    assert "".join(geometry(ULTIMATE).column_names) == "ABCDEFGHI"


@pytest.mark.parametrize("seed", range(6))
def test_in_ultimate_three_lines_are_struck_and_the_line_of_their_boards(seed: int) -> None:
    state = finished(ULTIMATE, seed)
    plan = geometry(ULTIMATE)
    *small, large = strikes(state) or (None,)
    struck = [
        cell
        for cell, box in enumerate(plan.boxes)
        if any(stroke and meets(stroke, box) for stroke in small)
    ]
    owned = {number for number, small in enumerate(small_boards(state)) if small.owner is not None}
    boards = {number for number, box in enumerate(plan.boards) if large and meets(large, box)}
    assert struck == sorted(state.winning_cells)
    assert boards <= owned
    assert len(boards) == (3 if state.winner else 0)


def test_nothing_is_struck_through_while_nobody_has_won() -> None:
    assert strikes(after("tic-tac-toe", "A1 B1")) == ()
    assert strikes(after("tic-tac-toe", "A1 B2 C3 B1 B3 A3 C1 C2 A2")) == ()


def test_a_line_of_one_cell_is_struck_from_the_left_to_the_right() -> None:
    (stroke,) = strikes(after("mnk:1,1,1", "A1"))
    assert stroke.start.y == stroke.end.y == 0.5
    assert 0 < stroke.start.x < 0.5 < stroke.end.x < 1


class Corner(LineRules):
    """A game that is won by cells which lie on no straight line."""

    def outcome(self, position: object) -> Outcome:
        return Outcome(0, (0, 1, 3))


def test_cells_on_no_straight_line_are_not_struck_through() -> None:
    assert strikes(GameState.new(Corner(Shape(3, 3), 3))) == ()


def test_the_forced_board_is_the_only_open_one() -> None:
    state = after("ultimate", "E5 D4 A1 B1")
    open_boards = [number for number, small in enumerate(small_boards(state)) if small.open]
    assert open_boards == [1]
    assert small_boards(after("tic-tac-toe", "A1")) == ()


def test_a_small_board_that_is_won_knows_its_owner() -> None:
    state = after("ultimate", "A1 B2 D4 B1 D1 A2 A4 B3 D7")
    while not state.game_over and all(small.owner is None for small in small_boards(state)):
        state = state.make_move_to(state.legal_cells[0]).after_state
    owners = {small.owner for small in small_boards(state)}
    assert owners > {None}


# -- looks -----------------------------------------------------------------------------------------


def test_connect_four_and_its_kin_are_discs_large_boards_of_lines_stones_and_others_marks() -> None:
    unusual = {
        name: look_of(rules) for name, rules in VARIANTS.items() if look_of(rules) is not Look.MARKS
    }
    discs = ("connect-four", "connect-four-5x4", "misere-connect-four")
    stones = ("gomoku", "gomoku-standard", "gomoku-caro", "renju")
    assert unusual == dict.fromkeys(discs, Look.DISCS) | dict.fromkeys(stones, Look.STONES)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_game_can_be_drawn_with_marks_and_the_usual_look_comes_first(name: str) -> None:
    looks = looks_for(VARIANTS[name])
    assert Look.MARKS in looks
    assert looks[0] is look_of(VARIANTS[name])
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize(
    ("name", "looks"),
    [
        ("mnk:9,9,5", [Look.STONES, Look.MARKS]),
        ("mnk:8,9,5", [Look.MARKS, Look.STONES]),
        ("mnk:10,10,5,torus", [Look.STONES, Look.MARKS]),
        ("mnk:12,12,5,wild", [Look.MARKS]),
        ("mnk:12,12,5,gravity", [Look.DISCS, Look.MARKS]),
        ("mnk:7,6,4,gravity,wild", [Look.DISCS, Look.MARKS]),
        ("connect-four,pie", [Look.DISCS, Look.MARKS]),
        ("vanishing", [Look.MARKS, Look.STONES]),
        ("score-four", [Look.MARKS]),
        ("ultimate", [Look.MARKS]),
        ("notakto", [Look.MARKS]),
        ("order-and-chaos", [Look.MARKS]),
    ],
)
def test_the_looks_of_a_game_follow_from_its_rules(name: str, looks: list[Look]) -> None:
    assert list(looks_for(find_rules(name))) == looks


def test_games_of_a_users_own_have_the_looks_that_their_traits_allow() -> None:
    assert looks_for(Drop()) == (Look.DISCS, Look.MARKS)
    assert looks_for(ThreeInARow()) == (Look.MARKS,)


@pytest.mark.parametrize("wanted", ["marks", "discs", "stones", None])
def test_a_look_that_does_not_fit_a_game_gives_way_to_the_usual_one(wanted: str | None) -> None:
    look = Look.MARKS if wanted == "marks" else Look.DISCS
    assert fitting_look(VARIANTS["connect-four"], wanted) is look


@pytest.mark.parametrize(
    ("name", "stars"),
    [
        ("mnk:9,9,5", "C3 G3 E5 C7 G7"),
        ("gomoku", "D4 L4 H8 D12 L12"),
        ("mnk:19,19,5", "D4 J4 P4 D10 J10 P10 D16 J16 P16"),
        ("mnk:10,10,5", ""),
        ("mnk:15,13,5", ""),
        ("mnk:21,21,5", ""),
        ("tic-tac-toe", ""),
    ],
)
def test_star_points_are_those_of_go_boards(name: str, stars: str) -> None:
    rules = find_rules(name)
    names = [cell_name(rules.shape, cell) for cell in star_points(rules)]
    assert names == stars.split()
