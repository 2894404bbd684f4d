"""What the page shows of a picture: each cell once, nothing over anything else."""

from __future__ import annotations

from itertools import product

import pytest

from tic_tac_toe.game.geometry import Box
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.browser.page.views import LANE, Plan


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
        views = [view.shown(view.part) for view in plan.views]
        frame = Box(0, 0, plan.width, plan.height)

        for boxes in (views, plan.boxes):
            for index, box in enumerate(boxes):
                assert not any(overlap(box, other) for other in boxes[index + 1 :])
        for box in plan.boxes:
            assert frame.holds(box.centre)
            assert sum(view.holds(box.centre) for view in views) == 1


def rows_of_blocks(*, is_narrow: bool) -> dict[str, int]:
    """Return how many rows the blocks of each game stand in that are parted at all."""
    plans = {
        name: Plan(rules, is_small=is_narrow, is_narrow=is_narrow)
        for name, rules in VARIANTS.items()
    }
    return {name: len(plan.views) // 2 for name, plan in plans.items() if len(plan.views) > 1}


def test_many_blocks_stand_in_rows_and_other_boards_as_they_are() -> None:
    assert rows_of_blocks(is_narrow=False) == {
        "notakto-4": 2,
        "notakto-5": 2,
        "notakto-6": 2,
        "qubic": 2,
        "score-four": 2,
    }


def test_a_narrow_screen_shows_no_more_than_two_blocks_side_by_side() -> None:
    assert rows_of_blocks(is_narrow=True) == {
        "notakto-3": 2,
        "notakto-4": 2,
        "notakto-5": 3,
        "notakto-6": 3,
        "3x3x3": 2,
        "qubic": 2,
        "score-four": 2,
    }


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
