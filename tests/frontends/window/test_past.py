"""Looking back at games, reviewing them, and what is offered after them, in a real window."""

from __future__ import annotations

import pytest

from tests.frontends.programs import PATIENCE
from tests.frontends.window.display import ON_DISPLAY, Open, Stage
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.opponents.registry import Opponents
from tic_tac_toe_frontends.table.table import next_level
from tic_tac_toe_frontends.window import app
from tic_tac_toe_frontends.window.dialogs import HelpDialog

pytestmark = ON_DISPLAY

#: Cells of a game in which O gives a draw away and X wins.
WON = "74859"


def moves_of(stage: Stage) -> list[tuple[str, ...]]:
    tree = stage.app.view.moves.tree
    return [tuple(map(str, tree.item(row, "values")))[1:] for row in tree.get_children()]


def test_the_game_is_looked_at_by_keys_and_buttons_and_nobody_moves_meanwhile(
    open_window: Open,
) -> None:
    stage = open_window()
    stage.press("7", "5", "9", "ctrl+l")
    buttons = stage.app.view.moves.buttons

    stage.press("Prior", "Prior")
    assert stage.status == "Looking back: after move 1 of 3."
    assert moves_of(stage) == [("▸A1", "B2"), ("C1", "")]
    assert len(stage.drawn("image")) == 1
    stage.click(5)
    assert stage.detail == "You are looking back; go to the end to play on."
    assert stage.table.match.ply == 3
    stage.press("Next", "End")
    assert stage.status == "O to move."
    stage.click_widget(buttons["first"])
    assert stage.status == "Looking back: after move 0 of 3."
    assert buttons["back"].instate(["disabled"])


def test_a_click_in_the_list_shows_the_position_after_a_move(open_window: Open) -> None:
    stage = open_window()
    stage.press("7", "5", "9", "ctrl+l")
    tree = stage.app.view.moves.tree
    x, y, width, height = map(int, tree.bbox(tree.get_children()[0], "second"))

    stage.click_in(tree, x + width // 2, y + height // 2)

    assert stage.table.replay.ply == 2


def test_a_film_begins_at_the_first_position(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "STEP_SECONDS", 3_600.0)  # the machine may be slow
    stage = open_window()
    stage.press("7", "5", "p")

    assert stage.app.past.film.is_running
    assert stage.status == "Looking back: after move 0 of 2."


def test_the_moves_are_shown_as_a_film(open_window: Open) -> None:
    stage = open_window()
    stage.press("7", "5", "Home", "p")
    stage.until(lambda: not stage.app.past.film.is_running)

    assert stage.status == "X to move."


def test_a_finished_game_is_reviewed_and_played_on_before_a_mistake(open_window: Open) -> None:
    stage = open_window()
    offers = stage.app.view.offers.buttons
    stage.press(*WON)

    stage.click_widget(offers["review"])
    stage.until(lambda: stage.app.past.review.is_complete)
    assert stage.detail.startswith("The game turned at move ")
    assert moves_of(stage)[0] == ("A1", "A2 ?")
    stage.press("bracketleft", "bracketleft")
    assert stage.status == "Looking back: after move 2 of 5."
    assert stage.detail.startswith("Move 2, O A2, threw away the draw.")
    assert offers["play-on"].cget("text") == "Try another move"
    stage.click_widget(offers["play-on"])

    assert stage.cells == [0]
    assert stage.status == "O to move."
    assert not any(button.winfo_ismapped() for button in offers.values())


def test_a_review_is_told_after_a_refusal(open_window: Open) -> None:
    stage = open_window()
    stage.press(*WON, "3")
    assert stage.detail == "The game is over"

    stage.press("ctrl+r")
    stage.until(lambda: stage.app.past.review.is_complete)

    assert stage.detail.startswith("The game turned at move ")


def test_after_a_win_the_next_level_is_offered_and_begun(open_window: Open) -> None:
    stage = open_window(o="easy")
    table, button = stage.table, stage.app.view.offers.buttons["next"]
    table.match.resign(Mark.NAUGHT)
    stage.press("Escape")
    level = next_level("easy")
    assert level is not None
    assert stage.status.startswith("O resigns.")

    stage.click_widget(button)

    assert table.setup.o == level
    assert not table.match.over


def test_analysis_shows_what_each_move_leads_to_until_it_is_switched_off(
    open_window: Open,
) -> None:
    stage = open_window()
    stage.press("7", "8", "4", "5")

    def values() -> list[str]:
        items = stage.drawn("text")
        texts = [str(stage.board.tk.call(stage.board, "itemcget", item, "-text")) for item in items]
        return [text for text in texts if text[0] in "+=−"]

    stage.press("a")
    assert stage.app.view.buttons["analysis"].instate(["selected"])
    stage.until(values)
    assert sorted(values()) == sorted(["−1", "−1", "+1", "=", "−1"])
    assert "In the cells: + wins" in stage.detail
    stage.press("a")

    assert values() == []
    assert stage.app.view.buttons["analysis"].instate(["!selected"])


def test_the_help_tells_the_rules_and_the_keys_and_closes_by_a_key(open_window: Open) -> None:
    stage = open_window("connect-four")

    stage.press("F1")
    (dialog,) = [one for one in stage.root.winfo_children() if isinstance(one, HelpDialog)]
    told = dialog.text.get("1.0", "end")
    dialog.focus_force()
    stage.press("Escape")

    assert "marks fall down in their column" in told
    assert "Ctrl+R\tReview" in told
    assert not dialog.winfo_exists()


def test_a_long_thought_is_measured_and_ended_by_a_button(open_window: Open) -> None:
    stage = open_window("qubic", o="mcts", opponents=Opponents(PATIENCE))
    offers = stage.app.view.offers
    stage.click(0)

    stage.until(offers.buttons["now"].winfo_ismapped)
    stage.until(offers.bar.winfo_ismapped)
    stage.click_widget(offers.buttons["now"])
    stage.until(lambda: stage.table.match.ply == 2)

    stage.until(lambda: not offers.bar.winfo_ismapped())
    assert not offers.buttons["now"].winfo_ismapped()
