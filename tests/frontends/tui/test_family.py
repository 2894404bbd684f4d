"""Games on the full screen in which a move is more than a cell."""

from __future__ import annotations

import pytest

from tests.frontends.tui.stage import Stage, on_stage
from tic_tac_toe.logic.notation import parse_place


@on_stage("wild", size=(60, 20))
async def test_a_letter_is_chosen_by_its_key_or_a_click_and_stays_chosen(stage: Stage) -> None:
    assert stage.text("choice") == "x (•) Place X   o ( ) Place O"
    assert "x" in "".join(stage.sign_at(4))

    await stage.press("o")
    await stage.until(lambda: "o" in "".join(stage.sign_at(4)))
    assert stage.text("choice") == "x ( ) Place X   o (•) Place O"
    await stage.press("5", "7")
    await stage.until(lambda: stage.grid == "O   O    ")
    assert "Player 2 puts O on A1." in stage.text("line")

    assert await stage.pilot.click("#choice", offset=(8, 0))
    await stage.click(8)
    await stage.until(lambda: stage.grid == "O   O   X")
    await stage.press("u")
    await stage.until(lambda: stage.grid == "O   O    ")
    await stage.press("O", "3")
    await stage.until(lambda: "Player 1 wins" in stage.text("line"))
    assert stage.sign_at(8)[0][0] == "*"


@on_stage("wild")
async def test_a_cell_shows_what_either_letter_leads_to(stage: Stage) -> None:
    await stage.press("5", "o", "1", "h", "a")
    await stage.until(lambda: "=" in stage.drawing)

    assert [line.strip(" ┏┓┗┛") for line in stage.sign_at(2) if line.strip()] == ["X=", "◆ O+2"]

    await stage.resize((30, 10))
    await stage.until(lambda: stage.board.plan.scale.height == 1)
    assert "".join(stage.sign_at(2)).strip() == "◆ +2"
    await stage.press("x")
    await stage.until(lambda: "".join(stage.sign_at(2)).strip() == "X=")


@pytest.mark.parametrize(("size", "pale"), [((80, 24), "▀▄"), ((30, 9), "x")])
@on_stage("vanishing")
async def test_a_mark_that_leaves_next_is_pale_and_named(
    stage: Stage, size: tuple[int, int], pale: str
) -> None:
    await stage.resize(size)
    await stage.press("7", "8", "9", "4", "5", "3")
    await stage.says("With the next X the X on A1 leaves.")

    await stage.until(lambda: {*pale} <= {*"".join(stage.sign_at(0))} <= {*f"{pale} "})
    assert not {*"".join(stage.sign_at(2))} <= {*f"{pale} "}

    await stage.press("1")
    await stage.until(lambda: stage.grid == " OXOX X O")
    await stage.press("u")
    await stage.until(lambda: stage.grid == "XOXOX   O")


@on_stage("qubic", size=(60, 20))
async def test_layers_are_played_by_keys_and_mouse_and_a_line_through_them_is_lit(
    stage: Stage,
) -> None:
    def cell(name: str) -> int:
        return parse_place(stage.app.table.state, name)

    await stage.click(cell("1B3"))
    await stage.press("up", "right", "enter")
    await stage.until(lambda: "O plays 1C2." in stage.text("line"))
    for name in ("2B3", "2C2", "3B3", "3C2", "4B3"):
        await stage.click(cell(name))
    await stage.until(lambda: "Decided by 1B3, 2B3, 3B3, 4B3." in stage.text("line"))

    assert stage.drawing.count("*X*") == 4


@on_stage("score-four")
async def test_signs_show_the_layers_in_which_marks_land(stage: Stage) -> None:
    assert stage.drawing.count("·") == 16

    await stage.press("enter", "enter")
    await stage.until(lambda: "O plays 2" in stage.text("line"))


@on_stage("connect-four-5x4,pie")
async def test_the_first_mark_is_taken_over_only_while_that_is_possible(stage: Stage) -> None:
    assert stage.text("choice") == ""
    await stage.press("s", "3")
    await stage.until(lambda: stage.text("choice") == "s Take over the mark")
    assert await stage.pilot.click("#choice", offset=(4, 0))
    await stage.says("O takes over the first mark.")

    assert stage.text("choice") == ""
    assert stage.grid.strip() == "O"
    assert stage.text("moves") == "1.  X 3      O swap"

    await stage.press("u", "s")
    await stage.says("O takes over the first mark.")


@on_stage("notakto-3")
async def test_dead_boards_can_be_told_from_open_ones(stage: Stage) -> None:
    for name in ("A1", "B1", "C1"):
        await stage.place(parse_place(stage.app.table.state, name))
    await stage.says("Open boards: D1–F3, G1–I3.")

    open_cells = [cell for cell in range(27) if "·" in "".join(stage.sign_at(cell))]
    assert [cell % 9 // 3 for cell in open_cells] == [1, 1, 1, 2, 2, 2] * 3
