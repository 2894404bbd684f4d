"""Boards of every shape are drawn, and fit the screen where anything can."""

from __future__ import annotations

import re

import pytest

from tests.game.drawings import FOLDER, GAMES, drawings
from tests.logic.played_games import after
from tic_tac_toe.game.drawing import CLASSIC, PLAIN, TIGHT, TIGHTEST, draw, extent, fitting_style
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name_in
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.traits import traits_of

CLASSIC_DRAWING = """\
     A   B   C
   ------------
1 ┆  X │   │
  ┆ ───┼───┼───
2 ┆    │ O │
  ┆ ───┼───┼───
3 ┆    │   │ X"""


@pytest.mark.parametrize("name", GAMES)
def test_the_drawings_are_the_golden_ones(name: str) -> None:
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8") == drawings(name)


def test_every_golden_file_has_its_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)


def test_three_by_three_is_drawn_as_in_the_classic() -> None:
    assert "\n".join(draw(after("tic-tac-toe", "A1 B2 C3"), CLASSIC)) == CLASSIC_DRAWING


@pytest.mark.parametrize("variant", [*VARIANTS, "mnk:26,26,5", "mnk:26,26,5,gravity"])
def test_every_board_fits_eighty_columns(variant: str) -> None:
    rules = find_rules(variant)

    assert extent(rules, fitting_style(rules, 80, 24))[0] <= 80


@pytest.mark.parametrize(
    ("variant", "columns", "lines", "style"),
    [
        ("tic-tac-toe", 80, 24, CLASSIC),
        ("tic-tac-toe", 15, 24, CLASSIC),
        ("tic-tac-toe", 14, 24, TIGHT),
        ("tic-tac-toe", 9, 24, TIGHT),
        ("tic-tac-toe", 8, 24, TIGHTEST),
        ("gomoku", 80, 19, TIGHT),  # five lines of 24 are left for words
        ("mnk:26,26,5", 3, 3, TIGHTEST),  # where nothing fits
    ],
)
def test_a_small_screen_gets_a_tighter_drawing(
    variant: str, columns: int, lines: int, style: object
) -> None:
    rules = find_rules(variant)

    assert fitting_style(rules, columns, lines) is style
    assert variant != "gomoku" or extent(rules, TIGHT)[1] <= lines


@pytest.mark.parametrize("style", [CLASSIC, TIGHT, TIGHTEST, PLAIN])
@pytest.mark.parametrize("variant", [*VARIANTS, "mnk:1,1,1", "mnk:26,1,3", "mnk:1,26,3"])
def test_each_mark_stands_below_its_letter_and_beside_its_number(
    variant: str, style: object
) -> None:
    rules = find_rules(variant)
    empty = GameState.new(rules)
    assert isinstance(style, type(CLASSIC))
    for cell in empty.legal_cells[:: max(1, len(empty.legal_cells) // 7)]:
        lines = list(draw(empty.make_move_to(cell).after_state, style))
        row = next(line for line in lines if "X" in line[2:] and line.lstrip()[:1].isdigit())
        *layer, letter, number = re.findall("[A-Z]|[0-9]+", cell_name_in(rules, cell))
        column = row.rindex("X")
        assert lines[len(layer)][column] == letter
        assert row.split()[0] == number
        assert not layer or lines[0][: column + 1].split()[-1:] == layer


def test_plain_drawings_use_nothing_but_letters_digits_and_dots() -> None:
    for rules in VARIANTS.values():
        state = GameState.new(rules)
        for _ in range(5):
            state = state.make_move_to(state.legal_moves[-1]).after_state
            if state.game_over:
                break
        text = "".join(draw(state, PLAIN))
        leaving = {"x", "o"} if traits_of(rules).leaving else set()
        assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789. ") | leaving


def test_a_mark_that_leaves_the_board_next_is_a_small_letter() -> None:
    for name in ("vanishing", "vanishing-reuse", "vanishing-late"):
        drawn = list(draw(after(name, "A1 B1 A2 B2 C1 C3"), TIGHT))
        assert drawn[1:] == ["1 ┆ x o X", "2 ┆ X O ·", "3 ┆ · · O"], name
    assert "x" not in "".join(draw(after("vanishing", "A1 B1 A2 B2"), TIGHT))


def test_a_board_of_notakto_with_a_line_has_no_open_cells() -> None:
    drawn = list(draw(after("notakto-2", "A1 D1 B1 E2 C1"), TIGHT))
    assert drawn[1:] == ["1 ┆ X X X ┃ X · ·", "2 ┆       ┃ · X ·", "3 ┆       ┃ · · ·"]


def test_layers_lie_side_by_side_with_their_numbers_above_the_letters() -> None:
    assert list(draw(after("3x3x3", "1A1 2B2 3C3"), TIGHT)) == [
        "    1       2       3",
        "    A B C   A B C   A B C",
        "1 ┆ X · · ┃ · · · ┃ · · ·",
        "2 ┆ · · · ┃ · O · ┃ · · ·",
        "3 ┆ · · · ┃ · · · ┃ · · X",
    ]
