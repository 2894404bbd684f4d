"""The signs around the cursor, the last move and a line, and what the help says of them."""

from __future__ import annotations

import pytest

from tests.frontends.tui.stage import SIZE, Stage, on_stage, perform

#: A board of which the cells are two letters wide; the key b draws it with letters.
GOMOKU = "mnk:15,15,5"
CURSOR, LAST = "the cell you are at", "the last move"


@on_stage(GOMOKU)
async def test_where_cells_are_two_letters_wide_brackets_are_whole(stage: Stage) -> None:
    await stage.press("b", "enter")
    await stage.until(lambda: " 8 · · · · · · ·[X]· " in stage.drawing)
    await stage.press("right", "right")

    assert " 8 · · · · · · ·(X)·[·]· " in stage.drawing


@on_stage("ultimate", size=(30, 16))
async def test_brackets_are_whole_at_the_edges_and_beside_walls(stage: Stage) -> None:
    await stage.press(*["left"] * 4)
    await stage.until(lambda: "5[·]· · ┃ " in stage.drawing)
    await stage.press("left")
    await stage.until(lambda: "┃ · ·[·]" in stage.drawing)
    await stage.press("left", "left")
    await stage.until(lambda: "┃[·]· · " in stage.drawing)


@on_stage(GOMOKU)
async def test_beside_the_cursor_the_last_move_has_one_bracket_and_is_underlined(
    stage: Stage,
) -> None:
    await stage.press("b", "enter", "right")
    await stage.until(lambda: "·(X[·]·" in stage.drawing)
    await stage.press("left", "left")
    await stage.until(lambda: "·[·]X)·" in stage.drawing)

    cell = stage.board.cursor + 1
    place = stage.board.plan.places[cell]
    letters = [segment for segment in stage.board.render_line(place.y) if "X" in segment.text]
    assert [segment.style.underline for segment in letters if segment.style] == [True]


@on_stage(GOMOKU)
async def test_a_line_has_an_asterisk_on_either_side_of_each_mark(stage: Stage) -> None:
    await stage.press("b")
    for _ in range(4):
        await stage.press("enter", "down", "enter", "up", "right")
    await stage.press("enter")

    await stage.until(lambda: "*X*X*X*X*X*" in stage.drawing)


@pytest.mark.parametrize(
    ("variant", "size", "cursor", "last"),
    [
        ("tic-tac-toe", SIZE, "┏ ┓ ┗ ┛", "╭ ╮ ╰ ╯"),
        ("tic-tac-toe", (30, 10), "[ ]", "( )"),
        (GOMOKU, SIZE, "[ ]", "( )"),
        (GOMOKU, (30, 10), "reversed colours", "underlined"),
    ],
)
def test_the_help_shows_the_signs_that_are_drawn(
    variant: str, size: tuple[int, int], cursor: str, last: str
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.press("enter", "right", "right", "question_mark")

        assert f"{cursor}  {CURSOR}" in stage.told
        assert f"{last}  {LAST}" in stage.told
        drawn = [sign for sign in "┏┓┗┛╭╮╰╯[]()" if sign in stage.drawing]
        assert drawn == [sign for sign in "┏┓┗┛╭╮╰╯[]()" if sign in cursor + last]

    perform(scene, variant, size=size)
