"""A program that fails in the window is told of, and another player goes on."""

from __future__ import annotations

from tests.frontends.window.display import ON_DISPLAY, Stage
from tests.opponents.brains import text_of
from tic_tac_toe_frontends.table.setup import opponents_for

pytestmark = ON_DISPLAY


def test_a_program_that_fails_is_told_of_and_another_player_goes_on(display: str) -> None:
    text = text_of("occupied")
    opponents = opponents_for([text], 0.5)
    with Stage(display, "gomoku", o=text, opponents=opponents) as stage:
        table = stage.app.table
        stage.app.play(112)
        stage.until(lambda: table.problem is not None)
        stage.settle()
        assert "which is not empty" in str(stage.app.view.status.cget("text"))
        stage.app.choose("o", "random")
        stage.until(lambda: table.match.ply == 2)
    opponents.close()
