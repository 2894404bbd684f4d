"""A board that is enlarged stays in its frame, and what a person looks at stays in sight."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.game.geometry import Box
from tic_tac_toe_frontends.browser.page.views import LARGEST, Lens

WHOLE = Box(0, 0, 1, 1)
FRACTIONS = st.floats(0, 1)


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
