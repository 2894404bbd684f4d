"""Advice on the full screen: hints, live analysis, the help."""

from __future__ import annotations

import re

from tests.frontends.tui.stage import Stage, on_stage
from tic_tac_toe_frontends.tui.screens import HelpScreen
from tic_tac_toe_frontends.words.translation import load


@on_stage()
async def test_a_hint_marks_the_best_moves_and_says_what_they_lead_to(stage: Stage) -> None:
    await stage.press("7", "8", "4", "5", "h")
    await stage.says("Best for X: A3.")

    assert "X wins with this move." in stage.text("words")
    assert "◆" in "".join(stage.sign_at(6))
    assert stage.drawing.count("◆") == 1

    await stage.press("1")
    await stage.says("X wins 🎉")

    assert "◆" not in stage.drawing
    assert "Best for" not in stage.text("words")


@on_stage()
async def test_analysis_shows_what_each_move_leads_to_until_it_is_switched_off(
    stage: Stage,
) -> None:
    await stage.press("7", "8", "4", "5", "a")
    await stage.until(lambda: "+1" in stage.drawing)

    shown = {cell: "".join(stage.sign_at(cell)).strip(" ┏┓┗┛") for cell in (2, 5, 6, 7, 8)}
    assert shown == {2: "-1", 5: "-1", 6: "+1", 7: "=", 8: "-1"}
    assert "the number counts the winner's moves" in stage.text("words")

    await stage.press("9")
    await stage.until(lambda: "+1" in "".join(stage.sign_at(7)))
    await stage.press("a")

    assert "+1" not in stage.drawing


@on_stage("connect-four")
async def test_the_help_tells_the_rules_the_keys_and_the_signs(stage: Stage) -> None:
    await stage.press("question_mark")

    assert isinstance(stage.app.screen, HelpScreen)
    assert "7 × 6, 4 in a row; marks fall down in their column." in stage.told
    assert "A digit plays the column of that number." in stage.told
    assert "take back, to your previous turn" in stage.told

    await stage.press("q")

    assert len(stage.app.screen_stack) == 1


@on_stage("connect-four", language=load("zh", {}))
async def test_the_help_has_the_signs_of_its_language(stage: Stage) -> None:
    await stage.press("question_mark")

    assert re.search(r"四子棋：.*底部。", stage.told)
