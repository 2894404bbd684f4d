"""What lies over the board's picture: the piece that a move would place, there where it lands."""

from __future__ import annotations

import re

import pytest

from tests.logic.played_games import after
from tic_tac_toe.game.looks import Look, look_of
from tic_tac_toe_frontends.browser.page.views import LANE, Overlay, Plan, draw_overlay


def pieces(name: str, moves: str, overlay: Overlay, *, small: bool = False) -> list[str]:
    """Return the kind of each element that is drawn, and of the piece in it."""
    state = after(name, moves)
    plan = Plan(state.rules, is_small=small)
    drawn = draw_overlay(state, plan, look_of(state.rules), overlay)
    found = re.findall(
        r'<(?:svg class="ttt (\w+)"[^>]*><\w+ class="([\w-]+)|div class="(\w+)")', drawn
    )
    return [" ".join(filter(None, parts)) for parts in found]


def test_nothing_is_drawn_where_nobody_points() -> None:
    assert pieces("tic-tac-toe", "", Overlay()) == []


@pytest.mark.parametrize(
    ("name", "moves", "drawn"),
    [
        ("tic-tac-toe", "", ["ghost ttt-x"]),
        ("tic-tac-toe", "A1", ["ghost ttt-o"]),
        ("notakto", "A1", ["ghost ttt-x"]),
        ("gomoku", "A1", ["ghost ttt-stone-o"]),
        ("connect-four", "1", ["band", "waiting ttt-disc-o", "ghost ttt-disc-o"]),
        ("score-four", "A1", ["ghost ttt-o"]),
    ],
)
def test_the_ghost_is_the_piece_of_the_side_to_move(
    name: str, moves: str, drawn: list[str]
) -> None:
    assert pieces(name, moves, Overlay(pointed=4)) == drawn


def test_where_people_choose_the_letter_the_ghost_is_the_chosen_one() -> None:
    assert pieces("wild", "", Overlay(pointed=4, letter="O")) == ["ghost ttt-o"]
    assert pieces("wild", "", Overlay(pointed=4)) == []


def test_a_disc_waits_above_its_column_and_its_ghost_is_where_it_lands() -> None:
    state = after("connect-four", "3 3")
    plan = Plan(state.rules, is_small=False)

    drawn = draw_overlay(state, plan, Look.DISCS, Overlay(pointed=2))

    top, landing = plan.boxes[2], plan.boxes[23]
    assert plan.place(top._replace(y=top.y - LANE)) in drawn
    assert plan.place(landing) in drawn


def test_a_small_screen_has_no_room_above_the_columns() -> None:
    drawn = pieces("connect-four", "", Overlay(pointed=2), small=True)

    assert drawn == ["band", "ghost ttt-disc-x"]


def test_a_ghost_hides_no_value() -> None:
    assert pieces("tic-tac-toe", "", Overlay(pointed=4, valued={4})) == []
    assert pieces("connect-four", "", Overlay(pointed=4, valued={39})) == [
        "band",
        "waiting ttt-disc-x",
    ]


def test_lines_cross_in_a_selected_cell() -> None:
    drawn = pieces("gomoku", "H8", Overlay(pointed=4, selected=4))

    assert drawn == ["hair", "hair", "ghost ttt-stone-o"]


def test_a_move_on_its_way_is_shown_where_it_lands() -> None:
    assert pieces("connect-four", "4", Overlay(pending=31)) == ["pending ttt-disc-o"]
    assert pieces("wild", "XA1", Overlay(pending=9 + 4)) == ["pending ttt-o"]
