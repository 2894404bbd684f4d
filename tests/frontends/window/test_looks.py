"""Discs, stones and marks, coordinates, and boards that are looked at closely."""

from __future__ import annotations

from tkinter import font, ttk

import pytest

from tests.frontends.window.display import ON_DISPLAY, Open, Stage
from tic_tac_toe.game.looks import Look
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.window.board import Board
from tic_tac_toe_frontends.window.controls import ARROW
from tic_tac_toe_frontends.window.marks import png
from tic_tac_toe_frontends.window.palettes import DARK, LIGHT, PALETTES
from tic_tac_toe_frontends.window.scene import layers_of
from tic_tac_toe_frontends.words.translation import LANGUAGES

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


@pytest.mark.parametrize("name", ["tic-tac-toe", "mnk:26,26,5"])
def test_the_board_has_most_of_the_height_of_a_small_window(open_window: Open, name: str) -> None:
    stage = open_window(name)
    share = {}
    for size in ("420x420", "640x480", "700x560", "720x740"):
        stage.root.geometry(size)
        stage.settle()
        rows = stage.table.state.rules.shape.rows
        share[size] = rows * stage.board.plan.cell / stage.root.winfo_height()

    assert {size: part for size, part in share.items() if part < 0.55} == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_button_is_cut_and_words_of_choices_are_whole_or_end_in_dots(
    open_window: Open, code: str
) -> None:
    stage = open_window("connect-four,pie", language=code)
    view, letters = stage.app.view, font.nametofont("TkDefaultFont", root=stage.root)
    for size in ("360x420", "640x480", "700x560", "720x740", "1000x700"):
        stage.root.geometry(size)
        stage.settle()

        shown = [button for button in view.buttons.values() if button.winfo_ismapped()]
        assert len(shown) >= 3, size
        assert all(button.winfo_width() >= button.winfo_reqwidth() for button in shown), size
        right = stage.root.winfo_rootx() + stage.root.winfo_width()
        assert all(button.winfo_rootx() + button.winfo_width() <= right for button in shown), size
        for name, choice in view.choices.items():
            room = choice.box.winfo_width() - ARROW
            is_whole = letters.measure(choice.box.get()) <= room
            assert choice.more.winfo_ismapped() is not (is_whole or not choice.winfo_ismapped()), (
                size,
                name,
            )


def test_chinese_lines_are_full_and_begin_with_no_full_stop(open_window: Open) -> None:
    stage = open_window("ultimate", language="zh")
    for width in range(360, 480, 12):
        stage.root.geometry(f"{width}x420")
        stage.settle()
        words = stage.app.view.detail
        words.write("X 下在 I1。请下在小棋盘 C1，即 G1 到 I3。" * 3)
        letters = font.Font(root=stage.root, font=ttk.Style(words).lookup("TLabel", "font"))
        lines = str(words.cget("text")).split("\n")

        assert len(lines) > 1
        assert all(letters.measure(line) > width - 90 for line in lines[:-1])
        assert not any(line.startswith(("。", "，")) for line in lines)
