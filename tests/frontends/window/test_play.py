"""Games in a real window on a virtual display, with real clicks and keys."""

from __future__ import annotations

from tests.frontends.window.display import ON_DISPLAY, Open, Stage
from tic_tac_toe.logic.models import Mark

pytestmark = ON_DISPLAY


def fill(stage: Stage, item: int) -> str:
    return str(stage.board.tk.call(stage.board, "itemcget", item, "-fill"))


def test_a_whole_game_is_played_with_the_mouse(open_window: Open) -> None:
    stage = open_window(o="minimax")
    table = stage.table

    while not table.match.over:
        stage.click(table.state.legal_cells[0])
        stage.until(lambda: table.thinker is None)

    assert table.state.winner is Mark.NAUGHT
    assert stage.status == "You lose."
    assert "Decided by" in stage.detail
    assert table.score[Mark.NAUGHT] == 1


def test_a_whole_game_is_played_with_arrows_and_enter(open_window: Open) -> None:
    stage = open_window()

    stage.press("Return")  # shows the cursor, which begins in the middle
    stage.press("Return")
    stage.press("Left", "Return")
    stage.press("Up", "space")
    stage.press("Right", "Return")
    stage.press("Down", "Down", "Right", "Right", "KP_Enter")

    assert stage.cells == [4, 3, 0, 1, 8]
    assert stage.status == "X wins!"


def test_digits_are_a_number_pad_on_three_by_three(open_window: Open) -> None:
    stage = open_window()

    stage.press("7", "5", "3", "KP_1", "0")

    assert stage.cells == [0, 4, 8, 6]


def test_digits_are_columns_under_gravity_and_clicks_fall_in_them(open_window: Open) -> None:
    stage = open_window("connect-four", animated=True)

    stage.press("4", "4")
    stage.click(3)
    stage.press("Return", "Left", "Return")

    assert stage.cells == [38, 31, 24, 37]


def test_a_taken_cell_is_refused_in_words_and_nothing_changes(open_window: Open) -> None:
    stage = open_window()
    stage.click(4)

    stage.click(4)

    assert stage.cells == [4]
    assert stage.detail == "Cell is not empty"
    stage.press("Escape")
    assert stage.detail == "X plays B2."


def test_moves_are_taken_back_and_played_again_by_keys_and_buttons(open_window: Open) -> None:
    stage = open_window(o="rules")
    table, buttons = stage.table, stage.app.view.buttons
    stage.click(0)
    stage.until(lambda: table.match.ply == 2)

    stage.press("ctrl+z")
    assert stage.cells == []
    stage.press("ctrl+y")
    assert len(stage.cells) == 2
    stage.click_widget(buttons["undo"])
    assert stage.cells == []
    stage.press("ctrl+shift+z")

    assert len(stage.cells) == 2


def test_a_new_game_begins_by_key_and_button_and_the_score_stays(open_window: Open) -> None:
    stage = open_window()
    stage.press("7", "4", "8", "5", "9")
    assert stage.status == "X wins!"

    stage.press("ctrl+n")
    assert stage.cells == []
    stage.press("5")
    stage.click_widget(stage.app.view.buttons["new"])

    assert stage.cells == []
    assert stage.app.view.score.cget("text") == "Score: X 1, O 0, draws 0."


def test_a_hint_is_shown_in_words_and_rings_until_the_game_goes_on(open_window: Open) -> None:
    stage = open_window()
    stage.press("7", "5", "8")

    stage.press("h")
    stage.until(lambda: stage.detail.startswith("Best for O: C1."))
    stage.press("Escape")
    assert stage.detail == "X plays B1."
    stage.click_widget(stage.app.view.buttons["hint"])
    stage.until(lambda: stage.detail.startswith("Best for O: C1."))
    assert len(stage.drawn("oval")) == 1
    stage.click(2)

    assert not stage.drawn("oval")
    assert stage.detail == "O plays C1."


def test_giving_up_ends_the_game_and_nothing_more_can_be_given_up(open_window: Open) -> None:
    stage = open_window()
    button = stage.app.view.buttons["resign"]

    stage.click_widget(button)

    assert stage.status == "X resigns. O wins!"
    assert button.instate(["disabled"])


def test_the_forced_board_of_ultimate_is_told_and_lit(open_window: Open) -> None:
    stage = open_window("ultimate")
    board = stage.board

    stage.click(40)
    stage.click(30)

    assert "Play in small board A1" in stage.detail
    rectangles = stage.drawn("rectangle")
    (box,) = [board.coords(item) for item in rectangles if fill(stage, item) == "#fff3bf"]
    x, y = stage.centre_of(0)
    assert box[0] < x < box[2]
    assert box[1] < y < box[3]


def test_the_winning_line_grows_after_the_mark_has_fallen(open_window: Open) -> None:
    stage = open_window("mnk:4,4,2,gravity", animated=True)
    board = stage.board

    stage.press("1", "4", "2")
    stage.until(lambda: board.find_withtag("struck"))
    x, _ = stage.centre_of(13)
    stage.until(lambda: max(board.coords(item)[2] for item in board.find_withtag("struck")) > x)

    assert stage.status == "X wins!"


def test_the_keyboard_reaches_everything_and_shows_where_it_is(open_window: Open) -> None:
    stage = open_window()
    stage.press("7")  # so that something can be taken back
    seen = []

    for _ in range(20):
        stage.press("Tab")
        seen.append(stage.root.focus_get())

    view = stage.app.view
    assert {choice.box for choice in view.choices.values()} <= set(seen)
    assert {view.buttons[name] for name in ("new", "undo", "hint", "moves")} <= set(seen)
    while stage.root.focus_get() is not view.board:
        stage.press("Tab")
    (cursor,) = view.board.find_withtag("over")
    assert cursor in stage.drawn("rectangle")
