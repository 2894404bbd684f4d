"""How boards are drawn in a window of any size: shapes, looks, colours, and the room for words."""

from __future__ import annotations

import random
from itertools import product
from tkinter import font, ttk

import pytest
from textual.color import Color

from tests.own_games import Drop
from tests.screens.window import ON_DISPLAY, Open
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.pictures.board import Box, Look, geometry, looks_for, strikes
from tic_tac_toe.pictures.shapes import DESIGNS, Circle, Cross, Picture, ink_of, piece_of
from tic_tac_toe_frontends.tui.palette import contrast
from tic_tac_toe_frontends.window.board import Board
from tic_tac_toe_frontends.window.marks import Layer, Marks, layers_of, png
from tic_tac_toe_frontends.window.palettes import DARK, LIGHT, PALETTES, Palette, palette_of
from tic_tac_toe_frontends.window.plan import LARGEST, SMALLEST, plan_of
from tic_tac_toe_frontends.words.translation import LANGUAGES

pytestmark = ON_DISPLAY

SIDES = (1, 2, 3, 7, 15, 26)

SHAPES = [f"mnk:{columns},{rows},1" for columns, rows in product(SIDES, repeat=2)]

FALLING = ["mnk:1,1,1,gravity", "mnk:26,1,1,gravity", "mnk:1,26,2,gravity", "mnk:15,15,5,gravity"]


@pytest.mark.slow
@pytest.mark.parametrize("size", ["360x420", "900x700"])
def test_every_shape_lies_within_the_window_and_each_cell_is_found_by_its_middle(
    open_window: Open, size: str
) -> None:
    stage = open_window()
    board = stage.board
    stage.root.geometry(size)
    stage.settle()
    for name in (*VARIANTS, *SHAPES, *FALLING):
        rng, state = random.Random(1), GameState.new(find_rules(name))
        while state.position.marks < 9 and (move := state.make_random_move(rng)):
            state = move.after_state
        stage.table.new_game(stage.table.setup._replace(rules=state.rules), state=state)
        stage.desktop.root.update()

        for cell in range(state.rules.shape.cells):
            x, y = stage.centre_of(cell)
            assert 0 < x < board.winfo_width(), (name, cell)
            assert 0 < y < board.winfo_height(), (name, cell)
            assert board.cell_at(x, y) == cell, (name, cell)
        assert len(stage.drawn("image")) >= state.position.marks


@pytest.mark.medium
def test_an_own_game_with_gravity_is_drawn_as_the_librarys_is_and_its_marks_fall(
    open_window: Open,
) -> None:
    stage = open_window()
    board, pictures = stage.board, []
    for rules in (Drop(), find_rules("mnk:3,3,3,gravity")):
        stage.table.new_game(stage.table.setup._replace(rules=rules))
        stage.desktop.root.update()
        stage.click(1)  # over the middle column
        stage.until(lambda: stage.table.match.ply == 1)
        assert stage.cells == [7]
        items = board.find_all()
        pictures.append([(board.type(item), board.coords(item)) for item in items])
    assert pictures[0] == pictures[1]


@pytest.mark.medium
def test_the_board_grows_and_shrinks_with_the_window(open_window: Open) -> None:
    stage = open_window("gomoku")
    widths = []

    for size in ("400x500", "900x800", "500x600"):
        stage.root.geometry(size)
        stage.settle()
        widths.append(stage.centre_of(14)[0] - stage.centre_of(0)[0])

    assert widths[0] < widths[2] < widths[1]


@pytest.mark.parametrize("name", [*VARIANTS, *SHAPES])
def test_no_plan_is_larger_than_its_canvas_unless_cells_are_as_small_as_they_get(name: str) -> None:
    rules = find_rules(name)
    extent = geometry(rules).extent
    sizes = product((1, 100, 333, 2000), repeat=2)
    for (width, height), look, names in product(sizes, looks_for(rules), (True, False)):
        plan = plan_of(rules, width, height, look, names=names)

        assert SMALLEST <= plan.cell <= LARGEST
        if plan.cell > SMALLEST:
            assert plan.left + extent.width * plan.cell <= width
            assert plan.top + extent.height * plan.cell <= height


@pytest.mark.medium
def test_a_mark_covers_its_cell_and_nothing_around_it(open_window: Open) -> None:
    stage = open_window()
    stage.type("7")
    board = stage.board
    (mark,) = stage.drawn("image")

    left, top, right, bottom = board.bbox(mark)

    assert board.cell_at(left + 1, top + 1) == board.cell_at(right - 2, bottom - 2) == 0


@pytest.mark.medium
def test_the_last_move_the_best_ones_and_the_strike_are_drawn(open_window: Open) -> None:
    stage = open_window()
    stage.type("7", "4", "8", "5")
    board = stage.board

    board.show(Picture(stage.table.state, last=4, best=(2, 6)))
    kinds = [str(board.type(item)) for item in board.find_all()]
    assert kinds.count("oval") == 2
    assert not board.find_withtag("strike")
    stage.type("9")

    assert board.find_withtag("strike")
    assert strikes(stage.table.state)


@pytest.mark.medium
def test_won_small_boards_carry_a_large_mark_and_faint_small_ones(open_window: Open) -> None:
    stage = open_window("ultimate")
    table = stage.table
    while not table.match.over:
        table.place(table.state.legal_cells[0])
    stage.desktop.root.update()

    assert len(stage.drawn("image")) > table.match.ply


@pytest.mark.medium
def test_the_pointer_shows_where_a_mark_would_come(open_window: Open) -> None:
    stage = open_window("connect-four")
    board = stage.board
    x, y = stage.centre_of(3)

    board.event_generate("<Motion>", x=x, y=y)
    landing, above = (board.bbox(item) for item in board.find_withtag("over"))
    assert landing[0] < stage.centre_of(38)[0] < landing[2]
    assert landing[1] < stage.centre_of(38)[1] < landing[3]
    assert above[0] == landing[0]
    assert above[3] <= board.plan.top
    board.event_generate("<Leave>")

    assert not board.find_withtag("over")


def contrast_of(*colours: str) -> float:
    return contrast(*map(Color.parse, colours))


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_all_words_and_marks_stand_out_from_what_is_behind_them(palette: Palette) -> None:
    pairs = {
        "words": (palette.ink, palette.ground),
        "words on buttons": (palette.ink, palette.surface),
        "words on pressed buttons": (palette.ink, palette.pressed),
        "words beside": (palette.muted, palette.ground),
        "words on paper": (palette.ink, palette.paper),
        "refusals": (palette.loss, palette.ground),
        "chosen entries": (palette.paper, palette.focus),
        "the title of X": (palette.x, palette.ground),
        "the title of O": (palette.o, palette.ground),
        "X on the last cell": (palette.x, palette.colours["last"]),
        "X on a lit board": (palette.x, palette.colours["lit"]),
        "O": (palette.o, palette.paper),
        "O on the last cell": (palette.o, palette.colours["last"]),
        "O on a lit board": (palette.o, palette.colours["lit"]),
        "rings": (palette.colours["win"], palette.paper),
    }

    assert {name for name, pair in pairs.items() if contrast_of(*pair) < 4.5} == set()
    assert contrast_of(palette.line, palette.paper) >= 3
    assert contrast_of(palette.edge, palette.ground) >= 3


def test_the_desktop_chooses_the_colours_of_the_automatic_theme() -> None:
    assert palette_of("auto", {"GTK_THEME": "Adwaita:dark"}) is PALETTES[DARK]
    assert palette_of("auto", {"GTK_THEME": "Adwaita"}) is PALETTES[LIGHT]
    assert palette_of("auto", {}) in PALETTES.values()
    assert palette_of("dark", {"GTK_THEME": "Adwaita"}) is PALETTES[DARK]


@pytest.mark.medium
def test_pictures_of_marks_are_real_pictures_of_any_size(open_window: Open) -> None:
    stage = open_window()
    marks = Marks(stage.root)

    for size in (1, 2, 3, 4, 5, 30, 31, 200):
        for kind in ("cross", "ring", "disc", "hole"):
            picture = marks.picture((Layer(kind, "#0a58ca", 0.29 * size, 0.1 * size),), size)
            assert (picture.width(), picture.height()) == (size, size)
    assert picture.transparency_get(100, 100)
    assert picture.get(0, 0) == (10, 88, 202)


# -- looks -----------------------------------------------------------------------------------------


@pytest.mark.medium
def test_a_disc_is_dropped_where_it_hangs_above_the_board_and_columns_are_numbered_once(
    open_window: Open,
) -> None:
    stage = open_window("connect-four")
    x, y = stage.centre_of(3)

    stage.click_in(stage.board, x, round(stage.board.plan.top - stage.board.plan.cell / 2))

    assert stage.cells == [38]
    assert sorted(stage.texts) == [*"1234567"]
    assert y > stage.board.plan.top


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("look", [Look.DISCS, Look.STONES])
def test_the_sides_are_told_apart_without_colour(theme: str, look: Look) -> None:
    greys = {"disc-x": "#808080", "disc-o": "#808080"}
    greys |= {"disc-x-relief": "#000000", "disc-o-relief": "#000000"}
    colours = {**PALETTES[theme].colours, **greys}
    palette, design = PALETTES[theme]._replace(colours=colours), DESIGNS[look]
    pictures = set()
    for side in (0, 1):
        piece = piece_of(design, side, Box(0, 0, 1, 1))
        layers = [
            layer
            for shape in piece.shapes
            if isinstance(shape, Circle | Cross)
            for layer in layers_of(shape, ink_of(design, f"{piece.role} {shape.role}"), palette, 40)
        ]
        pictures.add(png(40, layers))

    assert len(pictures) == 2


@pytest.mark.medium
def test_the_look_is_chosen_and_kept_for_games_of_its_kind(open_window: Open) -> None:
    stage = open_window("gomoku")
    seen = [stage.board.picture.look]

    for group, value in (("look", "marks"), ("variant", "renju"), ("variant", "connect-four")):
        stage.app.choose(group, value)
        seen.append(stage.board.picture.look)

    assert seen == [Look.STONES, Look.MARKS, Look.MARKS, Look.DISCS]


@pytest.mark.medium
def test_coordinates_come_and_go_and_the_board_uses_their_room(open_window: Open) -> None:
    stage = open_window()
    with_names = stage.board.plan.cell
    assert {"A", "1"} <= set(stage.texts)

    stage.type("c")

    assert stage.texts == []
    assert stage.board.plan.cell > with_names


@pytest.mark.medium
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
    stage.type("Right", *["Right"] * 25)
    assert 0 < stage.centre_of(13 * 26 + 25)[0] < board.winfo_width()
    for _ in range(12):
        stage.wheel(x, y, closer=False)

    assert board.plan == fitting


@pytest.mark.medium
def test_the_wheel_leaves_a_board_with_large_cells_alone(open_window: Open) -> None:
    stage = open_window()
    before = stage.board.plan

    stage.wheel(*stage.centre_of(4), closer=True)

    assert stage.board.plan == before


@pytest.mark.medium
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


@pytest.mark.medium
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


@pytest.mark.medium
@pytest.mark.parametrize("code", LANGUAGES)
def test_nothing_is_cut_in_its_box(open_window: Open, code: str) -> None:
    stage = open_window("connect-four,pie", language=code)
    view = stage.app.view
    for size in ("360x420", "640x480", "700x560", "720x740", "1000x700"):
        stage.root.geometry(size)
        stage.settle()

        parts = (view.game, view.score, *view.seats.values(), *view.bar.buttons.values())
        shown = [part for part in parts if part.winfo_ismapped()]
        assert len(shown) >= 3, size
        assert all(button.winfo_width() >= button.winfo_reqwidth() for button in shown), size
        right = stage.root.winfo_rootx() + stage.root.winfo_width()
        assert all(button.winfo_rootx() + button.winfo_width() <= right for button in shown), size


@pytest.mark.medium
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
