"""What the page draws: each cell once, nothing over anything else, ghosts and an enlarged board."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.logic.played_games import after
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.pictures.board import Box, Look, look_of
from tic_tac_toe_frontends.browser.page.board.plan import (
    LANE,
    LARGEST,
    Lens,
    Overlay,
    Plan,
    draw_overlay,
)

WHOLE = Box(0, 0, 1, 1)
FRACTIONS = st.floats(0, 1)
POINTED = Overlay(pointed=4)


# -- the plan --------------------------------------------------------------------------------------


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width - 1e-9
        and other.x < one.x + one.width - 1e-9
        and one.y < other.y + other.height - 1e-9
        and other.y < one.y + one.height - 1e-9
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_the_cells_lie_side_by_side_within_what_is_shown(name: str) -> None:
    for is_small, names, is_narrow in product((False, True), repeat=3):
        plan = Plan(VARIANTS[name], is_small=is_small, names=names, is_narrow=is_narrow)
        views = [view.place_of(view.source) for view in plan.parts]
        frame = Box(0, 0, plan.width, plan.height)

        for boxes in (views, plan.boxes):
            for index, box in enumerate(boxes):
                assert not any(overlap(box, other) for other in boxes[index + 1 :])
        for box in plan.boxes:
            assert frame.holds(box.centre)
            assert sum(view.holds(box.centre) for view in views) == 1


@pytest.mark.parametrize(
    ("is_narrow", "rows"),
    [
        (False, dict.fromkeys(("notakto-4", "notakto-5", "notakto-6", "qubic", "score-four"), 2)),
        (
            True,
            dict.fromkeys(("notakto-3", "notakto-4", "3x3x3", "qubic", "score-four"), 2)
            | {"notakto-5": 3, "notakto-6": 3},
        ),
    ],
)
def test_many_blocks_stand_in_rows_and_no_more_than_two_side_by_side_on_a_narrow_screen(
    is_narrow: bool, rows: dict[str, int]
) -> None:
    plans = {
        name: Plan(rules, is_small=is_narrow, is_narrow=is_narrow)
        for name, rules in VARIANTS.items()
    }

    assert {name: len(plan.parts) // 2 for name, plan in plans.items() if plan.parts[1:]} == rows


def test_without_names_more_of_the_frame_is_board() -> None:
    rules = VARIANTS["gomoku"]

    named, bare = (Plan(rules, is_small=True, names=names) for names in (True, False))

    assert bare.boxes[0].width / bare.width > named.boxes[0].width / named.width


def test_a_mark_waits_above_the_column_that_it_falls_into_where_the_screen_has_room() -> None:
    has_lane = {
        (name, is_small): Plan(VARIANTS[name], is_small=is_small).has_lane
        for name in ("connect-four", "score-four", "gomoku")
        for is_small in (False, True)
    }

    assert [each for each, has in has_lane.items() if has] == [("connect-four", False)]
    assert Plan(VARIANTS["connect-four"], is_small=False).boxes[0].y == LANE


# -- the pieces that a move would place ------------------------------------------------------------


def pieces(name: str, moves: str, overlay: Overlay, *, small: bool = False) -> list[str]:
    """Return the kind of each element that is drawn, and of the piece in it."""
    state = after(name, moves)
    plan = Plan(state.rules, is_small=small)
    drawn = draw_overlay(state, plan, look_of(state.rules), overlay)
    found = re.findall(
        r'<(?:svg class="ttt (\w+)"[^>]*><\w+ class="([\w-]+)|div class="(\w+)")', drawn
    )
    return [" ".join(filter(None, parts)) for parts in found]


@pytest.mark.parametrize(
    ("name", "moves", "overlay", "drawn"),
    [
        ("tic-tac-toe", "", Overlay(), []),
        ("tic-tac-toe", "", POINTED, ["ghost ttt-x"]),
        ("tic-tac-toe", "A1", POINTED, ["ghost ttt-o"]),
        ("notakto", "A1", POINTED, ["ghost ttt-x"]),
        ("gomoku", "A1", POINTED, ["ghost ttt-stone-o"]),
        ("connect-four", "1", POINTED, ["band", "waiting ttt-disc-o", "ghost ttt-disc-o"]),
        ("score-four", "A1", POINTED, ["ghost ttt-o"]),
        # Where people choose the letter, it is the chosen one.
        ("wild", "", Overlay(pointed=4, letter="O"), ["ghost ttt-o"]),
        ("wild", "", POINTED, []),
        # It hides no value.
        ("tic-tac-toe", "", Overlay(pointed=4, valued={4}), []),
        ("connect-four", "", Overlay(pointed=4, valued={39}), ["band", "waiting ttt-disc-x"]),
        # Lines cross in a selected cell.
        ("gomoku", "H8", Overlay(pointed=4, selected=4), ["hair", "hair", "ghost ttt-stone-o"]),
        # A move on its way is where it lands.
        ("connect-four", "4", Overlay(pending=31), ["pending ttt-disc-o"]),
        ("wild", "XA1", Overlay(pending=9 + 4), ["pending ttt-o"]),
    ],
)
def test_over_the_board_is_the_piece_that_a_move_would_place(
    name: str, moves: str, overlay: Overlay, drawn: list[str]
) -> None:
    assert pieces(name, moves, overlay) == drawn


def test_a_disc_waits_above_its_column_and_its_ghost_is_where_it_lands() -> None:
    state = after("connect-four", "3 3")
    plan = Plan(state.rules, is_small=False)

    drawn = draw_overlay(state, plan, Look.DISCS, Overlay(pointed=2))

    top, landing = plan.boxes[2], plan.boxes[23]
    assert plan.place(top._replace(y=top.y - LANE)) in drawn
    assert plan.place(landing) in drawn


def test_a_small_screen_has_no_room_above_the_columns() -> None:
    drawn = pieces("connect-four", "", Overlay(pointed=2), small=True)

    assert drawn == ["band", "ghost ttt-disc-x"]


# -- the lens --------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.floats(0.2, 5), FRACTIONS, FRACTIONS, st.floats(-1, 1))))
def test_the_board_always_fills_its_frame(steps: list[tuple[float, float, float, float]]) -> None:
    lens = Lens()
    for factor, x, y, way in steps:
        lens = lens.zoomed(factor, x, y).moved(way, -way)

    board = lens.seen(WHOLE)
    assert 1 <= lens.scale <= LARGEST
    assert board.x <= 1e-9
    assert board.y <= 1e-9
    assert board.x + board.width >= 1 - 1e-9
    assert board.y + board.height >= 1 - 1e-9


@given(FRACTIONS, FRACTIONS)
def test_what_is_under_the_fingers_stays_there_while_the_board_grows(x: float, y: float) -> None:
    point = Lens().zoomed(2.5, x, y).seen(Box(x, y, 0, 0))

    assert (point.x, point.y) == pytest.approx((x, y))


def test_a_board_that_is_seen_as_a_whole_cannot_be_moved_or_made_smaller() -> None:
    assert Lens().moved(0.3, -0.2) == Lens()
    assert Lens().zoomed(0.5) == Lens()
    assert Lens().zoomed(3, 0.9, 0.1).zoomed(0.1) == Lens()


@given(st.integers(0, 9), st.integers(0, 9), FRACTIONS, FRACTIONS)
def test_a_cell_that_is_gone_to_is_seen_wholly(column: int, row: int, x: float, y: float) -> None:
    cell = Box(column / 10, row / 10, 0.1, 0.1)

    lens = Lens().zoomed(3, x, y).showing(cell)

    seen = lens.seen(cell)
    assert -1e-9 <= seen.x <= 1 - seen.width + 1e-9
    assert -1e-9 <= seen.y <= 1 - seen.height + 1e-9
    assert lens.showing(cell) == pytest.approx(lens)
