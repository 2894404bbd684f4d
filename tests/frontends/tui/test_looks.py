"""Discs in wells and stones on crossings, in letters."""

from __future__ import annotations

import pytest

from tests.frontends.tui.stage import Stage, on_stage
from tic_tac_toe.game.looks import Look, looks_for, star_points
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.tui.plan import (
    CROSSED_SCALES,
    STAR,
    fitting_plan,
    looks_in_letters,
    plan_of,
)


@on_stage("connect-four")
async def test_discs_are_told_apart_by_their_form_and_one_hangs_above_the_column(
    stage: Stage,
) -> None:
    await stage.press("1", "2", "right")
    await stage.until(lambda: stage.sign_at(36) == ["( ○ )"])
    board = stage.board

    assert stage.sign_at(35) == ["  ●  "]
    assert stage.sign_at(0) == ["  ·  "]
    assert stage.lines[0].strip() == "●"
    assert stage.lines[0].index("●") == board.plan.places[board.cursor].x + 2
    assert stage.lines[-1].split() == [*"1234567"]


@on_stage("gomoku")
async def test_stones_lie_on_crossings_with_star_points(stage: Stage) -> None:
    await stage.press("enter", "right", "enter", "down")
    await stage.until(lambda: "─●(○)┼" in stage.drawing)

    assert stage.lines[1].strip().startswith("1 ┌─┬─")
    assert stage.lines[1].rstrip().endswith("─┬─┐")
    assert stage.drawing.count(STAR) == 4  # a stone lies on the one in the middle


@on_stage("renju", size=(60, 24))
async def test_a_crossing_that_renju_forbids_has_a_sign(stage: Stage) -> None:
    for cell in (110, 0, 111, 2, 82, 4, 97, 6):  # F8, G8, H6 and H7 are black
        stage.app.table.place(cell)
    await stage.until(lambda: stage.sign_at(112)[0][0] == "×")

    assert stage.drawing.count("×") == 1


@on_stage("gomoku")
async def test_the_look_is_changed_by_a_key_and_kept_for_games_of_its_kind(stage: Stage) -> None:
    await stage.press("enter", "b")
    await stage.until(lambda: "X" in stage.sign_at(112)[0])
    stage.app.table.begin(stage.app.table.setup._replace(rules=find_rules("renju")))
    await stage.until(lambda: "┼" not in stage.drawing)

    await stage.press("b")
    await stage.until(lambda: "┼" in stage.drawing)


@on_stage("4x4")
async def test_a_small_board_has_no_stones_whose_few_crossings_would_look_like_corners(
    stage: Stage,
) -> None:
    before = stage.lines

    await stage.press("b")

    assert stage.lines == before
    assert looks_in_letters(find_rules("mnk:5,5,4")) == (Look.MARKS, Look.STONES)
    assert looks_in_letters(find_rules("mnk:4,9,4")) == (Look.MARKS,)


@on_stage("connect-four-5x4")
async def test_names_of_rows_and_columns_come_and_go(stage: Stage) -> None:
    before = stage.lines
    await stage.press("c")
    await stage.until(lambda: "1" not in stage.drawing)
    await stage.press("c")
    await stage.until(lambda: stage.lines == before)


@pytest.mark.parametrize("name", [*VARIANTS, "mnk:1,1,1", "mnk:26,1,3", "mnk:9,9,5"])
@pytest.mark.parametrize("names", [True, False])
def test_in_every_look_each_cell_has_a_place_of_its_own_on_the_drawing(
    name: str, names: bool
) -> None:
    rules = find_rules(name)
    for look in looks_for(rules):
        for width, height in ((30, 10), (80, 24), (200, 60)):
            plan = fitting_plan(rules, width, height, look, names=names)
            spots = [spot for place in plan.places for spot in place.letters()]

            assert len(spots) == len(set(spots))
            assert all(0 <= x <= plan.width and 0 <= y < plan.height for x, y in spots)


def test_the_star_points_of_the_plan_are_those_of_the_library() -> None:
    rules = find_rules("gomoku")
    for scale in CROSSED_SCALES:
        plan = plan_of(rules, scale, Look.STONES)
        stars = {(text.x, text.y) for text in plan.texts() if text.text == STAR}
        middles = {
            (place.x + (place.width - 1) // 2, place.y + (place.height - 1) // 2)
            for place in (plan.places[cell] for cell in star_points(rules))
        }
        assert stars == middles
