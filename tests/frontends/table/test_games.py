"""The games to choose from: every one has its place and its picture, and so has every size."""

from __future__ import annotations

from dataclasses import replace
from gettext import NullTranslations
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe import LineRules, Shape
from tic_tac_toe.logic.rules.catalogue import FLAGS, VARIANTS, find_rules
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe_frontends.table.games import (
    DRAWN_ON,
    LEAST,
    MOST,
    MOVES,
    SHOWN_BY,
    Size,
    game_of,
    is_possible,
    picture_of,
    possible_flags,
    rules_of_size,
    size_of,
    tiles,
    within_limits,
)
from tic_tac_toe_frontends.words.rules_text import FAMILIES
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

ENGLISH = NullTranslations()
NUMBERS = st.integers(-3, 40)
SIZES = st.builds(Size, NUMBERS, NUMBERS, NUMBERS, st.frozensets(st.sampled_from(FLAGS)))


def test_every_game_of_the_catalogue_is_in_one_tile() -> None:
    names = [game.name for tile in tiles(ENGLISH) for game in tile.games]

    assert sorted(names) == sorted(VARIANTS)


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_two_tiles_and_no_two_games_have_one_title(code: str) -> None:
    found = tiles(load(code, {}))
    titles = [game.title for tile in found for game in tile.games]

    assert len({tile.title for tile in found}) == len(found) == len(FAMILIES)
    assert len({*titles}) == len(titles)


def test_the_best_known_games_come_first() -> None:
    assert [tile.games[0].name for tile in tiles(ENGLISH)][:4] == [
        "tic-tac-toe",
        "connect-four",
        "gomoku",
        "ultimate",
    ]


def test_no_two_tiles_have_one_picture_and_none_is_empty() -> None:
    pictures = [svg(tile.picture, label="", names=False) for tile in tiles(ENGLISH)]

    assert len({*pictures}) == len(pictures)
    assert not any(tile.picture.game_not_started for tile in tiles(ENGLISH))


@pytest.mark.parametrize("name", VARIANTS)
def test_a_picture_shows_the_board_of_the_game_or_one_that_stands_for_it(name: str) -> None:
    assert picture_of(name).rules == find_rules(DRAWN_ON.get(name, name))


def test_pictures_are_of_games_of_the_catalogue() -> None:
    assert {*MOVES, *DRAWN_ON, *SHOWN_BY, *SHOWN_BY.values()} <= {*VARIANTS}


def test_a_game_is_told_by_its_title_and_its_rules() -> None:
    game = game_of(find_rules("misere-connect-four"), ENGLISH)

    assert game.title == "Misère Connect Four"
    assert game.about.startswith("7 × 6, four in a row; ")
    assert game.about.endswith(".")


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("tic-tac-toe", Size(3, 3, 3)),
        ("connect-four", Size(7, 6, 4, frozenset({"gravity"}))),
        ("misere-wild", Size(3, 3, 3, frozenset({"misere", "wild"}))),
        ("mnk:9,5,4,torus,exact,pie", Size(9, 5, 4, frozenset({"exact", "pie", "torus"}))),
        *((name, None) for name in ("ultimate", "qubic", "renju", "notakto", "order-and-chaos")),
        *((name, None) for name in ("vanishing", "gomoku-caro", "mnk:1,5,1")),
    ],
)
def test_a_size_gives_rules_and_rules_their_size(name: str, size: Size | None) -> None:
    rules = find_rules(name)

    assert size_of(rules) == size
    assert size is None or rules_of_size(size) == rules


def test_a_game_of_ones_own_has_no_size() -> None:
    class Own(LineRules):
        """Not what any size gives."""

    assert size_of(Own(Shape(4, 4), 3)) is None


@given(SIZES)
def test_limits_leave_a_board_for_whatever_is_typed(typed: Size) -> None:
    size = within_limits(typed)

    assert all(LEAST <= each <= MOST for each in (size.columns, size.rows))
    assert LEAST <= size.length <= max(size.columns, size.rows)
    assert within_limits(size) == size
    assert is_possible(replace(size, flags=frozenset()))


@given(SIZES)
def test_flags_that_can_be_chosen_one_after_the_other_are_possible_together(typed: Size) -> None:
    size = replace(within_limits(typed), flags=frozenset())
    for flag in typed.flags:
        if flag in possible_flags(size):
            size = replace(size, flags=size.flags | {flag})

    assert is_possible(size)
    assert size.flags <= possible_flags(size)
    assert size_of(rules_of_size(size)) == size


@pytest.mark.parametrize("flags", [("gravity", "torus"), ("wild", "pie")])
def test_contrary_flags_exclude_each_other(flags: tuple[str, str]) -> None:
    for first, second in product(flags, flags):
        possible = possible_flags(Size(flags=frozenset({first})))

        assert (second in possible) == (first == second)
