"""Discs, stones and marks, coordinates, and boards that are looked at closely."""

from __future__ import annotations

import pytest

from tests.frontends.window.display import ON_DISPLAY, Open, Stage
from tic_tac_toe.game.looks import Look
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.window.board import Board
from tic_tac_toe_frontends.window.marks import png
from tic_tac_toe_frontends.window.palettes import DARK, LIGHT, PALETTES
from tic_tac_toe_frontends.window.pen import layers_of

pytestmark = ON_DISPLAY


def texts(stage: Stage) -> list[str]:
    board = stage.board
    items = stage.drawn("text")
    return [str(board.tk.call(board, "itemcget", item, "-text")) for item in items]


def test_a_disc_is_dropped_where_it_hangs_above_the_board_and_columns_are_numbered_once(
    open_window: Open,
) -> None:
    stage = open_window("connect-four")
    x, y = stage.centre_of(3)

    stage.click_in(stage.board, x, round(stage.board.plan.top - stage.board.plan.cell / 2))

    assert stage.cells == [38]
    assert sorted(texts(stage)) == [*"1234567"]
    assert y > stage.board.plan.top


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("look", [Look.DISCS, Look.STONES])
def test_the_sides_are_told_apart_without_colour(theme: str, look: Look) -> None:
    palette = PALETTES[theme]
    grey = palette._replace(
        disc_x="#808080", disc_o="#808080", disc_x_relief="#000000", disc_o_relief="#000000"
    )
    pictures = {png(40, layers_of(look, side, grey)) for side in (0, 1)}

    assert len(pictures) == 2


def test_the_look_is_chosen_and_kept_for_games_of_its_kind(open_window: Open) -> None:
    stage = open_window("gomoku")
    seen = [stage.board.picture.look]

    for group, value in (("look", "marks"), ("variant", "renju"), ("variant", "connect-four")):
        stage.app.choose(group, value)
        seen.append(stage.board.picture.look)

    assert seen == [Look.STONES, Look.MARKS, Look.MARKS, Look.DISCS]


def test_coordinates_come_and_go_and_the_board_uses_their_room(open_window: Open) -> None:
    stage = open_window()
    with_names = stage.board.plan.cell
    assert {"A", "1"} <= set(texts(stage))

    stage.press("c")

    assert texts(stage) == []
    assert stage.board.plan.cell > with_names


def test_the_wheel_brings_small_cells_closer_and_the_right_button_moves_the_board(
    open_window: Open,
) -> None:
    stage = open_window("mnk:26,26,5")
    board = stage.board
    fitting = board.plan
    middle = 13 * 26 + 13
    x, y = stage.centre_of(middle)

    for _ in range(12):
        stage.wheel(x, y, closer=True)
    close = board.plan
    assert close.cell > fitting.cell
    assert board.cell_at(x, y) == middle
    board.event_generate("<Button-3>", x=200, y=200)
    board.event_generate("<B3-Motion>", x=100, y=200)
    assert board.plan.left < close.left
    stage.press("Right", *["Right"] * 25)
    assert 0 < stage.centre_of(13 * 26 + 25)[0] < board.winfo_width()
    for _ in range(12):
        stage.wheel(x, y, closer=False)

    assert board.plan == fitting


def test_the_wheel_leaves_a_board_with_large_cells_alone(open_window: Open) -> None:
    stage = open_window()
    before = stage.board.plan

    stage.wheel(*stage.centre_of(4), closer=True)

    assert stage.board.plan == before


@pytest.mark.parametrize("size", ["1024x570", "1280x770", "2560x1270"])
def test_a_wide_window_has_words_beside_the_board_which_uses_its_height(
    open_window: Open, size: str
) -> None:
    stage = open_window("connect-four")
    stage.root.geometry(size)
    stage.settle()
    for name in ("connect-four", "gomoku", "tic-tac-toe"):
        stage.app.choose("variant", name)
        stage.settle()
        board: Board = stage.board
        extent = find_rules(name).shape.rows * board.plan.cell

        assert board.winfo_height() > stage.root.winfo_height() * 0.9
        assert extent > board.winfo_height() * 0.7
        assert stage.app.view.status.winfo_rootx() < board.winfo_rootx()
