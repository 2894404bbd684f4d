"""Every game has the look that people know it by, and can be drawn in others that fit it."""

from __future__ import annotations

import pytest

from tests.own_games import Drop, ThreeInARow
from tic_tac_toe.game.looks import Look, fitting_look, look_of, looks_for, star_points
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules


def test_connect_four_and_its_kin_are_discs_large_boards_of_lines_stones_and_others_marks() -> None:
    unusual = {
        name: look_of(rules) for name, rules in VARIANTS.items() if look_of(rules) is not Look.MARKS
    }

    assert unusual == {
        "connect-four": Look.DISCS,
        "connect-four-5x4": Look.DISCS,
        "misere-connect-four": Look.DISCS,
        "gomoku": Look.STONES,
        "gomoku-standard": Look.STONES,
        "gomoku-caro": Look.STONES,
        "renju": Look.STONES,
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_every_game_can_be_drawn_with_marks_and_the_usual_look_comes_first(name: str) -> None:
    looks = looks_for(VARIANTS[name])

    assert Look.MARKS in looks
    assert looks[0] is look_of(VARIANTS[name])
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize(
    ("name", "looks"),
    [
        ("mnk:9,9,5", [Look.STONES, Look.MARKS]),
        ("mnk:8,9,5", [Look.MARKS, Look.STONES]),
        ("mnk:10,10,5,torus", [Look.STONES, Look.MARKS]),
        ("mnk:12,12,5,wild", [Look.MARKS]),
        ("mnk:12,12,5,gravity", [Look.DISCS, Look.MARKS]),
        ("mnk:7,6,4,gravity,wild", [Look.DISCS, Look.MARKS]),
        ("connect-four,pie", [Look.DISCS, Look.MARKS]),
        ("vanishing", [Look.MARKS, Look.STONES]),
        ("score-four", [Look.MARKS]),
        ("ultimate", [Look.MARKS]),
        ("notakto", [Look.MARKS]),
        ("order-and-chaos", [Look.MARKS]),
    ],
)
def test_the_looks_of_a_game_follow_from_its_rules(name: str, looks: list[Look]) -> None:
    assert list(looks_for(find_rules(name))) == looks


def test_games_of_a_users_own_have_the_looks_that_their_traits_allow() -> None:
    assert looks_for(Drop()) == (Look.DISCS, Look.MARKS)
    assert looks_for(ThreeInARow()) == (Look.MARKS,)


def test_looks_are_named_as_people_write_them() -> None:
    assert [look.value for look in Look] == ["marks", "discs", "stones"]
    assert Look("stones") is Look.STONES


@pytest.mark.parametrize(
    ("wanted", "look"),
    [("marks", Look.MARKS), ("discs", Look.DISCS), ("stones", Look.DISCS), (None, Look.DISCS)],
)
def test_a_look_that_does_not_fit_a_game_gives_way_to_the_usual_one(
    wanted: str | None, look: Look
) -> None:
    assert fitting_look(VARIANTS["connect-four"], wanted) is look


@pytest.mark.parametrize(
    ("name", "stars"),
    [
        ("mnk:9,9,5", "C3 G3 E5 C7 G7"),
        ("gomoku", "D4 L4 H8 D12 L12"),
        ("mnk:19,19,5", "D4 J4 P4 D10 J10 P10 D16 J16 P16"),
        ("mnk:10,10,5", ""),
        ("mnk:15,13,5", ""),
        ("mnk:21,21,5", ""),
        ("tic-tac-toe", ""),
    ],
)
def test_star_points_are_those_of_go_boards(name: str, stars: str) -> None:
    rules = find_rules(name)

    names = [cell_name(rules.shape, cell) for cell in star_points(rules)]

    assert names == stars.split()
