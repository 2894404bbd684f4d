"""A program that fails on the full screen is told of, and the game goes on with another player."""

from __future__ import annotations

from tests.frontends.tui.stage import Stage, perform
from tests.opponents.brains import text_of
from tic_tac_toe_frontends.table.setup import opponents_for


def test_what_is_wrong_with_a_program_stands_on_the_screen_until_the_move_is_taken_back() -> None:
    text = text_of("outside")
    opponents = opponents_for([text], 0.5)

    async def scene(stage: Stage) -> None:
        table = stage.app.table
        table.place(112)
        await stage.until(lambda: "outside the board" in stage.text("words"))
        await stage.press("u")
        await stage.until(lambda: "Your turn: you are X." in stage.text("words"))
        assert table.match.ply == 0

    perform(scene, "gomoku", o=text, opponents=opponents)
    opponents.close()
