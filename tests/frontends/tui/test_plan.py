"""Drawings of boards in letters: where everything lies, at every scale."""

from __future__ import annotations

import pytest

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.tui.painter import glyph
from tic_tac_toe_frontends.tui.plan import SCALES, Plan, Scale, fitting_plan, plan_of

SHAPES = ["mnk:1,1,1", "mnk:26,26,5", "mnk:26,1,3", "mnk:1,26,3", "mnk:26,26,5,gravity"]
EVERY_GAME = [*VARIANTS.values(), *map(find_rules, SHAPES)]


def lines_of(plan: Plan) -> list[str]:
    """Return the drawing of an empty board."""
    lines = [[" "] * plan.width for _ in range(plan.height)]
    for x, y, text, _part in plan.texts():
        for column, letter in enumerate(text, start=x):
            if letter != " ":
                assert lines[y][column] == " ", "two things lie in one place"
                assert plan.cell_at(column, y) is None, "a cell is drawn over"
                lines[y][column] = letter
    return ["".join(line).rstrip() for line in lines]


@pytest.mark.parametrize("scale", SCALES, ids=str)
@pytest.mark.parametrize("rules", EVERY_GAME, ids=str)
def test_every_cell_has_a_place_of_its_own(rules: Rules, scale: Scale) -> None:
    plan = plan_of(rules, scale)

    lines_of(plan)

    for cell, place in enumerate(plan.places):
        assert 0 < place.x <= place.x + place.width <= plan.width
        assert 0 < place.y <= place.y + place.height <= plan.height
        assert {plan.cell_at(*spot) for spot in place.letters()} == {cell}
    assert plan.cell_at(0, 0) is None
    assert plan.cell_at(-1, 5) is None


def test_a_board_is_drawn_as_roomy_as_there_is_space() -> None:
    rules = find_rules("tic-tac-toe")

    scales = [fitting_plan(rules, width, width // 2).scale for width in (4, 8, 14, 30, 60, 300)]

    assert scales == sorted(scales, key=SCALES.index, reverse=True)
    assert len(set(scales)) == len(scales)
    assert scales[-1] == SCALES[0]


def test_what_fits_nowhere_is_drawn_tight_and_scrolled() -> None:
    rules = find_rules("mnk:26,26,5")

    assert fitting_plan(rules, 60, 10).scale == SCALES[-2]
    assert fitting_plan(rules, 10, 10).scale == SCALES[-1]


def test_small_boards_are_parted_by_walls() -> None:
    assert lines_of(plan_of(find_rules("ultimate"), SCALES[-1])) == [
        "  ABC DEF GHI",
        "1    ┃   ┃",
        "2    ┃   ┃",
        "3    ┃   ┃",
        "  ━━━╋━━━╋━━━",
        "4    ┃   ┃",
        "5    ┃   ┃",
        "6    ┃   ┃",
        "  ━━━╋━━━╋━━━",
        "7    ┃   ┃",
        "8    ┃   ┃",
        "9    ┃   ┃",
    ]


def test_layers_lie_side_by_side_each_below_its_number() -> None:
    assert lines_of(plan_of(find_rules("qubic"), SCALES[-2])) == [
        "     1         2         3         4",
        "  A B C D   A B C D   A B C D   A B C D",
        *(f"{row}         ┃         ┃         ┃" for row in range(1, 5)),
    ]


@pytest.mark.parametrize("variant", ["qubic", "score-four", "notakto-6"])
def test_the_widest_games_have_lines_between_their_cells_at_80_columns(variant: str) -> None:
    assert fitting_plan(find_rules(variant), 80, 18).scale.lined
    assert fitting_plan(find_rules(variant), 60, 14).scale.width == 2


def test_columns_are_numbered_below_under_gravity_and_two_digits_stand_above_each_other() -> None:
    rules = find_rules("mnk:11,1,4,gravity")

    assert lines_of(plan_of(rules, SCALES[-2])) == [
        "  A B C D E F G H I J K",
        "1",
        "                    1 1",
        "  1 2 3 4 5 6 7 8 9 0 1",
    ]


@pytest.mark.parametrize("lines", [3, 5, 7, 9])
def test_the_pictures_of_the_marks_fill_their_square_alike_from_all_sides(lines: int) -> None:
    for mark in Mark:
        picture = glyph(mark, lines)

        assert [len(line) for line in picture] == [2 * lines] * lines
        assert [line[::-1] for line in picture] == list(picture)
        upside_down = str.maketrans("▀▄", "▄▀")
        assert [line.translate(upside_down) for line in picture[::-1]] == list(picture)
        assert {*picture[0], *picture[-1]} != {" "}
        assert "█" not in "".join(glyph(mark, lines, pale=True))
    assert glyph(Mark.CROSS, lines) != glyph(Mark.NAUGHT, lines)
    assert glyph(Mark.CROSS, lines, pale=True) != glyph(Mark.NAUGHT, lines, pale=True)
