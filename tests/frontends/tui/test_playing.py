"""Games on the full screen, by mouse and by keys."""

from __future__ import annotations

from functools import partial

import pytest

from tests.frontends.desk import Later
from tests.frontends.tui.stage import Stage, on_stage, perform

SIZES = [(40, 12), (80, 24), (200, 60)]
SHAPES = ["mnk:1,1,1", "mnk:26,1,3", "mnk:1,26,3", "mnk:26,26,5,gravity"]


@on_stage()
async def test_a_whole_game_is_played_by_mouse(stage: Stage) -> None:
    for cell in (0, 3, 1, 4, 2):
        await stage.click(cell)
        await stage.until(partial(stage.is_taken, cell))
    await stage.says("X wins")

    assert "Decided by A1, B1, C1." in stage.text("words")
    assert [stage.sign_at(cell)[0][0] for cell in range(4)] == ["*", "*", "*", " "]
    assert stage.text("moves").split("\n") == ["1.  X A1   O A2", "2.  X B1   O B2", "3.  X C1"]
    assert stage.text("score") == "Score: X 1, O 0, draws 0."


@on_stage(o="minimax")
async def test_a_whole_game_is_played_by_keys(stage: Stage) -> None:
    await stage.press("5")
    await stage.says("O plays A1.")
    await stage.press("up", "enter")
    await stage.says("O plays B3.")
    await stage.press("down", "left", "space")
    await stage.says("O plays C2.")
    await stage.press("9")
    await stage.says("O plays A3.")
    await stage.press("3")
    await stage.says("It is a draw.")


@on_stage("connect-four")
async def test_a_digit_and_a_click_anywhere_in_a_column_drop_a_mark(stage: Stage) -> None:
    await stage.press("4")
    await stage.says("X plays column 4.")
    await stage.click(3)
    await stage.says("O plays column 4.")
    await stage.press("right", "enter")

    assert stage.grid[35:] == "   XX  "
    assert stage.grid[31] == "O"


@on_stage()
async def test_the_cursor_goes_around_the_edges(stage: Stage) -> None:
    await stage.press("left", "left", "up", "up", "enter")

    assert stage.grid == "        X"


@on_stage("mnk:26,26,5", size=(40, 12))
async def test_the_cursor_stays_in_sight_where_the_board_does_not_fit(stage: Stage) -> None:
    field = stage.app.query_one("#field")
    for keys in (("up",) * 13, ("up",), ("right",) * 14):
        await stage.press(*keys)
        await stage.until(stage.sees_cursor)

    assert field.scroll_offset.y > 0


@on_stage()
async def test_a_refused_move_changes_nothing_and_says_why(stage: Stage) -> None:
    await stage.press("5")
    await stage.press("5")
    await stage.says("Cell is not empty")

    assert stage.grid == "    X    "

    await stage.press("1")
    await stage.says("O plays A3.")

    assert "not empty" not in stage.text("words")


def test_nobody_plays_for_a_computer_that_thinks() -> None:
    later = Later()

    async def scene(stage: Stage) -> None:
        await stage.press("5")
        await stage.says("The computer is thinking …")
        await stage.press("1")
        await stage.says("It's the other player's turn")
        later.answer()
        await stage.says("Your turn.")

        assert stage.grid == "O   X    "

    perform(scene, o="minimax", ask=later.ask)


@on_stage(o="minimax")
async def test_moves_are_taken_back_and_played_again(stage: Stage) -> None:
    await stage.press("5")
    await stage.says("O plays A1.")
    await stage.press("u")
    await stage.says("Your turn: you are X.")
    await stage.until(lambda: "No moves yet." in stage.text("moves"))
    assert stage.grid == " " * 9
    await stage.press("u")
    await stage.says("There is no move to take back")
    await stage.press("r")
    await stage.says("O plays A1.")

    assert stage.grid == "O   X    "

    await stage.press("n")
    await stage.until(lambda: stage.grid == " " * 9)


@on_stage()
async def test_the_last_move_and_the_cursor_are_marked_by_signs(stage: Stage) -> None:
    await stage.click(0)
    await stage.until(lambda: stage.sign_at(0)[0][0] == "┏")
    await stage.press("right")

    assert (stage.sign_at(0)[0][0], stage.sign_at(0)[-1][-1]) == ("╭", "╯")
    assert (stage.sign_at(1)[0][0], stage.sign_at(1)[-1][-1]) == ("┏", "┛")


@on_stage("ultimate")
async def test_a_forced_small_board_is_lit_and_takes_the_cursor(stage: Stage) -> None:
    await stage.press("enter")
    await stage.press("right", "enter")
    await stage.says("Play in small board C2, from G4 to I6.")

    assert stage.board.cursor == 43
    free = [cell for cell in range(81) if "·" in "".join(stage.sign_at(cell))]
    assert free == [33, 34, 35, 42, 43, 44, 51, 52, 53]


def shows_mark(stage: Stage) -> bool:
    """Return whether the only move is drawn in its cell."""
    (move,) = stage.app.table.match.history
    return not {*"XO█●"}.isdisjoint("".join(stage.sign_at(move.cell_index)))


@pytest.mark.parametrize("variant", ["tic-tac-toe", "connect-four", "ultimate", *SHAPES])
def test_every_game_is_drawn_and_played_on_screens_of_all_sizes(variant: str) -> None:
    async def scene(stage: Stage) -> None:
        for size in SIZES:
            await stage.pilot.resize_terminal(*size)
            await stage.press("n", "enter")
            await stage.until(lambda: stage.app.table.match.ply == 1)
            await stage.until(lambda: shows_mark(stage))
            drawn = max(map(len, stage.lines)), len(stage.lines)
            assert drawn == (stage.board.size.width, stage.board.size.height)

    perform(scene, variant)
