"""What people do with a game besides playing it: look back, review, give up, save and open."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from tests.frontends.programs import PATIENCE
from tests.frontends.tui.stage import Stage, on_stage
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.record_text import format_records
from tic_tac_toe.opponents.registry import Opponents
from tic_tac_toe_frontends.table.table import next_level
from tic_tac_toe_frontends.tui import app
from tic_tac_toe_frontends.tui.keys import KEYS, key_line
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

#: Cells of a game in which O gives a draw away and X wins.
WON = "74859"


@on_stage()
async def test_the_game_is_looked_at_move_by_move_and_nobody_moves_meanwhile(
    stage: Stage,
) -> None:
    await stage.press(*"759", "comma", "comma")
    await stage.says("Looking back: after move 1 of 3.")
    assert not stage.sees_mark(4)
    assert "▸X A1" in stage.text("moves")

    await stage.press("3")
    await stage.says("You are looking back; go to the end to play on.")
    assert stage.app.table.match.ply == 3

    await stage.press("full_stop", "end")
    await stage.says("O to move.")
    await stage.press("home")
    await stage.says("Looking back: after move 0 of 3.")


@pytest.fixture
def endless_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a film stay at its first position, however slow the machine is."""
    monkeypatch.setattr(app, "STEP_SECONDS", 3_600.0)


@pytest.mark.usefixtures("endless_step")
@on_stage()
async def test_a_film_begins_at_the_first_position_and_can_be_stopped(stage: Stage) -> None:
    await stage.press(*"75", "p")
    await stage.says("Looking back: after move 0 of 2.")
    assert stage.app.past.film.is_running

    await stage.press("p")
    assert not stage.app.past.film.is_running


@on_stage()
async def test_the_moves_are_shown_as_a_film(stage: Stage) -> None:
    await stage.press(*"75", "home", "p")
    await stage.says("X to move.")

    assert not stage.app.past.film.is_running


@on_stage()
async def test_a_finished_game_is_reviewed_and_its_mistakes_are_gone_through(
    stage: Stage,
) -> None:
    await stage.press("v")
    assert not stage.app.past.review.is_on
    await stage.press(*WON, "v")
    await stage.says("The game turned at move")
    assert "O A2 ?" in stage.text("moves")
    assert stage.text("keys").startswith("[ Mistake")

    await stage.press("left_square_bracket", "left_square_bracket")
    await stage.says("Looking back: after move 2 of 5.")
    assert "Move 2, O A2, threw away the draw." in stage.text("words")

    await stage.press("k")
    await stage.says("O to move.")
    assert stage.grid == "X        "


@on_stage(o="easy")
async def test_after_a_win_the_next_level_is_offered_and_begun(stage: Stage) -> None:
    table = stage.app.table
    table.match.resign(Mark.NAUGHT)
    stage.app.show()
    await stage.until(lambda: stage.text("keys").startswith("+ Next level"))

    await stage.press("plus")

    assert table.setup.o == next_level("easy")
    assert not table.match.over


@on_stage()
async def test_a_game_is_given_up_at_the_second_press(stage: Stage) -> None:
    await stage.press("5", "f")
    await stage.says("Press f once more to give up this game.")
    assert not stage.app.table.match.over

    await stage.press("f")
    await stage.says("O resigns.")


@on_stage("connect-four")
async def test_a_game_is_saved_and_opened(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    await stage.press("4", "4", "w")
    field = stage.app.screen.query_one("#file", Input)
    field.value = str(tmp_path / "no" / "folder")
    await stage.press("enter")
    await stage.until(lambda: stage.text("problem").startswith("Cannot write"))

    field.value = str(path)
    await stage.press("enter")
    await stage.says(f"Saved to {path}.")
    assert path.read_text() == format_records([stage.app.table.record])

    await stage.press("n", "l")
    stage.app.screen.query_one("#file", Input).value = str(path)
    await stage.press("enter")
    await stage.until(lambda: stage.app.table.match.ply == 2)
    assert len(stage.app.screen_stack) == 1


@on_stage()
async def test_a_file_that_is_no_game_or_is_there_already_is_refused_in_the_dialog(
    stage: Stage, tmp_path: Path
) -> None:
    path = tmp_path / "game.txt"
    path.write_text("1. A1 A1 *")
    for key in ("l", "w"):
        await stage.press(key)
        stage.app.screen.query_one("#file", Input).value = str(path)
        await stage.press("enter")
        await stage.until(lambda: bool(stage.text("problem")))
        await stage.press("escape")

    assert len(stage.app.screen_stack) == 1
    assert path.read_text() == "1. A1 A1 *"


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("width", [30, 40, 80, 200])
def test_the_bar_has_the_help_first_and_nothing_that_is_cut(code: str, width: int) -> None:
    language = load(code, {})
    useless = {key.action for key in KEYS[9:]}

    bar = key_line(language, width, useless)

    assert bar.plain.startswith(f"? {language.gettext('Help')}")
    assert bar.cell_length <= width - 2
    assert len(bar.plain.split()) >= 6


@on_stage(size=(30, 10))
async def test_the_smallest_screen_has_the_keys_that_everybody_needs(stage: Stage) -> None:
    assert stage.text("keys") == "? Help n New h Hint q Quit"


@on_stage("qubic", o="mcts", opponents=Opponents(PATIENCE))
async def test_a_long_thought_is_measured_and_ended_by_a_key(stage: Stage) -> None:
    await stage.press("enter")
    await stage.until(lambda: stage.text("keys").startswith("d Move now"))
    await stage.says("%", "line")

    await stage.press("d")

    await stage.until(lambda: stage.app.table.match.ply == 2)
    await stage.until(lambda: "Move now" not in stage.text("keys"))
