"""Games in which a move is more than a cell, or a board more than a rectangle, in a real window."""

from __future__ import annotations

import pytest

from tests.frontends.window.display import ON_DISPLAY, Open, Stage
from tic_tac_toe.game.geometry import geometry
from tic_tac_toe.logic.models import Mark
from tic_tac_toe_frontends.window.palettes import LIGHT, PALETTES

pytestmark = ON_DISPLAY


def option(stage: Stage, item: int, name: str) -> str:
    return str(stage.board.tk.call(stage.board, "itemcget", item, f"-{name}"))


def texts(stage: Stage) -> list[str]:
    return [option(stage, item, "text") for item in stage.drawn("text")]


def filled(stage: Stage, colour: str) -> int:
    """Return how many rectangles on the board are filled with a colour."""
    return [option(stage, item, "fill") for item in stage.drawn("rectangle")].count(colour)


def picture_in(stage: Stage, cell: int) -> str:
    """Return the name of the picture of the mark in a cell."""
    x, y = stage.centre_of(cell)
    (item,) = set(stage.board.find_overlapping(x, y, x, y)) & {*stage.drawn("image")}
    return option(stage, item, "image")


def letters_of(stage: Stage) -> str:
    return "".join(move.mark for move in stage.table.match.history)


def headings(stage: Stage) -> list[object]:
    tree = stage.app.view.moves.tree
    return [tree.heading(column, "text") for column in ("first", "second")]


def test_the_letter_is_chosen_by_a_switch_or_its_key_and_stays_until_another_is(
    open_window: Open,
) -> None:
    stage = open_window("wild")
    switch = stage.app.view.move_choice

    stage.click_widget(switch.letters["O"])
    stage.click(0)
    stage.click(8)
    stage.press("x", "5", "O", "8", "ctrl+z")
    assert letters_of(stage) == "OOX"
    stage.press("Cyrillic_o", "6")
    assert letters_of(stage) == "OOXO"
    assert stage.detail == "Player 2 puts O on C2."
    stage.press("9")  # by the number pad: C1

    assert letters_of(stage) == "OOXOO"
    assert stage.status == "Player 1 wins!"
    assert headings(stage) == ["Player 1", "Player 2"]
    assert stage.app.view.score.cget("text") == "Score: Player 1: 1, Player 2: 0, draws: 0."


def test_the_chosen_letter_is_seen_where_it_would_come_by_pointer_and_by_keys(
    open_window: Open,
) -> None:
    stage = open_window("order-and-chaos")
    board = stage.board
    x, y = stage.centre_of(7)

    def ghost() -> str:
        items = set(board.find_withtag("over")) & {*stage.drawn("image")}
        return option(stage, items.pop(), "image")

    board.event_generate("<Motion>", x=x, y=y)
    seen = [ghost()]
    stage.press("o")
    seen.append(ghost())
    stage.press("x", "Return")
    seen.append(ghost())

    assert seen[0] == seen[2] != seen[1]
    titles = [stage.app.view.choices[name].title.cget("text") for name in ("x", "o")]
    assert titles == ["Order", "Chaos"]
    assert stage.app.view.choices["starting"].box.cget("values") == ("Order",)


def test_a_hint_names_the_letter_of_each_best_move_in_its_cell(open_window: Open) -> None:
    stage = open_window("wild")
    stage.press("7", "5")  # two crosses, so that the third wins

    stage.press("h")
    stage.until(lambda: stage.detail.startswith("Best for Player 1: XC3."))

    assert len(stage.drawn("oval")) == 1
    assert texts(stage).count("X") == 1


def test_the_mark_that_leaves_next_is_pale_and_named_and_the_game_goes_on(
    open_window: Open,
) -> None:
    stage = open_window("vanishing")
    stage.press("7", "9", "1", "4", "6")  # A1 C1 A3 A2 C2
    assert picture_in(stage, 0) != picture_in(stage, 6)
    stage.press("2")
    assert stage.detail.endswith(
        "With the next X the X on A1 leaves. With the next O the O on C1 leaves."
    )

    stage.press("8", "5", "3")

    assert stage.table.state.grid.cells.count("X") == 3
    assert len(stage.cells) == 9
    stage.press("ctrl+z")
    assert len(stage.cells) == 8
    assert picture_in(stage, 6) != picture_in(stage, 1)


def test_layers_have_numbers_and_letters_of_their_own_and_a_row_through_them_is_lit(
    open_window: Open,
) -> None:
    stage = open_window("qubic")

    for layer in range(3):
        stage.click(4 * layer)
        stage.click(4 * layer + 1)
    assert texts(stage).count("A") == 4
    assert {"1", "2", "3", "4"} <= set(texts(stage))
    stage.click(12)

    assert stage.status == "X wins!"
    assert stage.detail == "X plays 4A1. Decided by 1A1, 2A1, 3A1, 4A1."
    assert filled(stage, PALETTES[LIGHT].lit) == 4
    assert not stage.board.find_withtag("struck")


def test_a_mark_falls_through_the_layers_wherever_its_place_is_clicked(open_window: Open) -> None:
    stage = open_window("score-four", animated=True)

    for layer in (3, 0, 1):
        stage.click(4 * layer)

    assert stage.cells == [0, 4, 8]


def test_boards_of_notakto_that_have_a_row_are_told_from_those_that_are_open(
    open_window: Open,
) -> None:
    stage = open_window("notakto-3")
    for cell in (0, 1, 2):
        stage.click(cell)
    stage.click(9)

    assert filled(stage, PALETTES[LIGHT].lit) == 2
    assert stage.detail == "That board has a line, so nobody plays there"
    assert "".join(stage.table.state.grid.cells).split() == ["XXX"]


def test_cells_that_renju_forbids_are_hatched_and_refused_with_the_reason(
    open_window: Open,
) -> None:
    stage = open_window("renju")
    for cell in (110, 0, 111, 2, 82, 4, 97, 6):  # F8, G8, H6 and H7 are crosses
        stage.click(cell)

    hatched = [item for item in stage.drawn("rectangle") if option(stage, item, "stipple")]
    stage.click(112)

    assert len(hatched) == 1
    left, top, right, bottom = stage.board.coords(hatched[0])
    x, y = stage.centre_of(112)
    assert left < x < right
    assert top < y < bottom
    assert "three" in stage.detail
    assert stage.table.match.ply == 8


def test_the_first_mark_is_taken_over_by_a_button_that_is_there_only_then(
    open_window: Open,
) -> None:
    stage = open_window("connect-four,pie", animated=True)
    view = stage.app.view
    button = view.move_choice.specials["swap"]
    width = stage.board.winfo_width()
    shown: list[bool] = []

    def look() -> None:
        stage.settle()
        shown.append(bool(button.winfo_ismapped()))
        assert stage.board.winfo_width() == width

    look()
    stage.press("4")
    look()
    stage.click_widget(button)
    look()
    assert stage.table.state.grid.cells[38] == "O"
    assert stage.table.state.current_mark is Mark.CROSS
    assert stage.detail == "O takes over the first mark."
    stage.press("ctrl+z")
    look()
    stage.press("ctrl+y", "1")
    look()

    assert shown == [False, True, False, True, False]
    assert stage.table.match.ply == 3


def test_the_keyboard_reaches_the_swap_and_is_at_the_board_when_the_button_goes(
    open_window: Open,
) -> None:
    stage = open_window("mnk:3,3,3,pie")
    view = stage.app.view
    swap = view.move_choice.specials["swap"]

    stage.press("5")
    stage.press("Tab")
    assert stage.root.focus_get() is swap
    stage.press("ctrl+z")
    assert stage.root.focus_get() is view.board
    stage.press("ctrl+y")
    stage.press("Tab", "space")

    assert [move.number for move in stage.table.match.history] == [4, 9]
    assert stage.root.focus_get() is view.board
    stage.app.choose("variant", "tic-tac-toe")
    stage.settle()
    assert not view.move_choice.winfo_ismapped()


@pytest.mark.parametrize("size", ["360x420", "720x510", "400x760"])
def test_the_switch_lies_within_the_window_and_leaves_room_for_the_board(
    open_window: Open, size: str
) -> None:
    stage = open_window("wild")
    stage.root.geometry(size)
    for name in ("wild", "order-and-chaos", "mnk:16,4,4,wild", "connect-four,pie"):
        stage.app.choose("variant", name)
        stage.settle()
        switch, board, root = stage.app.view.move_choice, stage.board, stage.root

        assert switch.winfo_rootx() >= root.winfo_rootx()
        for part in (switch, *stage.app.view.buttons.values()):
            assert (
                part.winfo_rooty() + part.winfo_height() <= root.winfo_rooty() + root.winfo_height()
            )
        extent = geometry(stage.table.state.rules).extent
        left, right = stage.centre_of(0)[0], stage.centre_of(int(extent.width) - 1)[0]
        assert right - left > (extent.width - 1) * 17
        assert 0 <= left <= right <= board.winfo_width()
