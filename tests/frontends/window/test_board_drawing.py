"""Boards of all shapes, as they are drawn in a window of any size."""

from __future__ import annotations

import random
from itertools import product

import pytest
from textual.color import Color

from tests.frontends.window.display import ON_DISPLAY, Open
from tests.own_games import Drop
from tic_tac_toe.game.geometry import geometry, strikes
from tic_tac_toe.game.looks import looks_for
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.tui.palette import contrast
from tic_tac_toe_frontends.window.marks import Marks, cross, naught
from tic_tac_toe_frontends.window.palettes import DARK, LIGHT, PALETTES, Palette, palette_of
from tic_tac_toe_frontends.window.plan import LARGEST, SMALLEST, plan_of
from tic_tac_toe_frontends.window.scene import Picture

pytestmark = ON_DISPLAY

SIDES = (1, 2, 3, 7, 15, 26)
SHAPES = [f"mnk:{columns},{rows},1" for columns, rows in product(SIDES, repeat=2)]
FALLING = ["mnk:1,1,1,gravity", "mnk:26,1,1,gravity", "mnk:1,26,2,gravity", "mnk:15,15,5,gravity"]


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
        stage.table.begin(stage.table.setup._replace(rules=state.rules), state=state)
        stage.root.update()

        for cell in range(state.rules.shape.cells):
            x, y = stage.centre_of(cell)
            assert 0 < x < board.winfo_width(), (name, cell)
            assert 0 < y < board.winfo_height(), (name, cell)
            assert board.cell_at(x, y) == cell, (name, cell)
        assert len(stage.drawn("image")) >= state.position.marks


def test_an_own_game_with_gravity_is_drawn_as_the_librarys_is_and_its_marks_fall(
    open_window: Open,
) -> None:
    stage = open_window()
    board, pictures = stage.board, []
    for rules in (Drop(), find_rules("mnk:3,3,3,gravity")):
        stage.table.begin(stage.table.setup._replace(rules=rules))
        stage.root.update()
        stage.click(1)  # over the middle column
        stage.until(lambda: stage.table.match.ply == 1)
        assert stage.cells == [7]
        items = board.find_all()
        pictures.append([(board.type(item), board.coords(item)) for item in items])
    assert pictures[0] == pictures[1]


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


def test_a_mark_covers_its_cell_and_nothing_around_it(open_window: Open) -> None:
    stage = open_window()
    stage.press("7")
    board = stage.board
    (mark,) = stage.drawn("image")

    left, top, right, bottom = board.bbox(mark)

    assert board.cell_at(left + 1, top + 1) == board.cell_at(right - 2, bottom - 2) == 0


def test_the_last_move_the_best_ones_and_the_strike_are_drawn(open_window: Open) -> None:
    stage = open_window()
    stage.press("7", "4", "8", "5")
    board = stage.board

    board.show(Picture(stage.table.state, last=4, best=(2, 6)))
    kinds = [str(board.type(item)) for item in board.find_all()]
    assert kinds.count("oval") == 2
    assert not board.find_withtag("struck")
    stage.press("9")

    assert board.find_withtag("struck")
    assert strikes(stage.table.state)


def test_won_small_boards_carry_a_large_mark_and_faint_small_ones(open_window: Open) -> None:
    stage = open_window("ultimate")
    table = stage.table
    while not table.match.over:
        table.place(table.state.legal_cells[0])
    stage.root.update()

    assert len(stage.drawn("image")) > table.match.ply


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


# -- colours --------------------------------------------------------------------------------------


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
        "X on the last cell": (palette.x, palette.last),
        "X on a lit board": (palette.x, palette.lit),
        "O": (palette.o, palette.paper),
        "O on the last cell": (palette.o, palette.last),
        "O on a lit board": (palette.o, palette.lit),
        "rings": (palette.win, palette.paper),
        "the strike": (palette.strike, palette.paper),
    }

    assert {name for name, pair in pairs.items() if contrast_of(*pair) < 4.5} == set()
    assert contrast_of(palette.line, palette.paper) >= 3
    assert contrast_of(palette.edge, palette.ground) >= 3


def test_the_desktop_chooses_the_colours_of_the_automatic_theme() -> None:
    assert palette_of("auto", {"GTK_THEME": "Adwaita:dark"}) is PALETTES[DARK]
    assert palette_of("auto", {"GTK_THEME": "Adwaita"}) is PALETTES[LIGHT]
    assert palette_of("auto", {}) in PALETTES.values()
    assert palette_of("dark", {"GTK_THEME": "Adwaita"}) is PALETTES[DARK]


def test_pictures_of_marks_are_real_pictures_of_any_size(open_window: Open) -> None:
    stage = open_window()
    marks = Marks(stage.root)

    for size in (1, 2, 3, 4, 5, 30, 31, 200):
        for shape in (cross, naught):
            picture = marks.picture((("#0a58ca", shape),), size)
            assert (picture.width(), picture.height()) == (size, size)
    assert picture.transparency_get(0, 0)
    assert picture.get(100, 100 - 58) == (10, 88, 202)
