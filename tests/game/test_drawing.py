"""Boards of every shape are drawn, and fit the screen where anything can."""

from __future__ import annotations

import pytest

from tests.game.drawings import FOLDER, GAMES, drawings
from tests.logic.played_games import after
from tic_tac_toe.game.drawing import CLASSIC, PLAIN, TIGHT, TIGHTEST, draw, extent, fitting_style
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules

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
        name = cell_name(rules.shape, cell)
        assert lines[0][row.rindex("X")] == name[0]
        assert row.split()[0].startswith(name[1:])


def test_plain_drawings_use_nothing_but_letters_digits_and_dots() -> None:
    for rules in VARIANTS.values():
        state = GameState.new(rules)
        for _ in range(5):
            state = state.make_move_to(state.legal_cells[-1]).after_state
        text = "".join(draw(state, PLAIN))
        assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789. ")
