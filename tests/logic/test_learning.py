"""Actions, symmetries, planes and lines, for every game of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from random import Random

import numpy as np
import pytest

from tests.oracles import LINES, SYMMETRIES
from tic_tac_toe import GameState, InvalidMove, Mark, Position, Rules, find_rules
from tic_tac_toe.rules import (
    VARIANTS,
    LineRules,
    Traits,
    actions,
    completing_cells,
    lines_of,
    planes,
    symmetries,
    traits_of,
)
from tic_tac_toe.testing import check_rules

GAMES = (*VARIANTS, "connect-four,pie", "mnk:4,4,3,torus", "mnk:4,4,3,gravity,wild")
SMALL = ("tic-tac-toe", "wild", "vanishing", "vanishing-late", "notakto-2", "mnk:3,3,3,pie")
SMALL_AND_LARGE = (*SMALL, "ultimate", "ultimate-open", "renju", "order-and-chaos", "score-four")


def positions_of(rules: Rules, games: int, seed: int = 0) -> list[Position]:
    """Return the positions of random games, cut where they would not end."""
    rng, found = Random(seed), list[Position]()
    for _ in range(games):
        position = Position()
        for _ in range(60):
            found.append(position)
            if not (moves := rules.moves(position)):
                break
            position = rules.play(position, rng.choice(list(moves)))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_each_move_is_one_action_and_the_lowest_free_one_of_a_column(name: str) -> None:
    rules, found = find_rules(name), actions(name)
    for position in positions_of(rules, 2):
        moves = list(rules.moves(position))
        assert sorted(found.move(position, action) for action in found.legal(position)) == moves
        assert all(found.action(move) in found.legal(position) for move in moves)
        mask = found.mask(position)
        assert [action for action, legal in enumerate(mask) if legal] == [*found.legal(position)]
        assert len(mask) == len(found)


def test_connect_four_has_seven_actions_and_wild_two_a_cell() -> None:
    assert [len(actions(name)) for name in ("connect-four", "score-four", "wild", "ultimate")] == [
        7,
        16,
        18,
        81,
    ]
    assert [actions("connect-four,pie").name(action) for action in (0, 6, 7)] == ["1", "7", "swap"]
    full = GameState.new("connect-four")
    for _ in range(6):
        full = full.play("1")
    with pytest.raises(InvalidMove) as error:
        actions("connect-four").move(full, 0)
    assert error.value.code == "action_full"
    with pytest.raises(InvalidMove, match="from 0 to 6"):
        actions("connect-four").move(full, 7)
    assert actions("connect-four").move(full, np.int64(1)) == 36


@pytest.mark.medium
@pytest.mark.parametrize("name", GAMES)
def test_the_symmetries_of_every_game_keep_its_rules(name: str) -> None:
    check_rules(find_rules(name), games=1)


def test_the_numbers_of_symmetries_are_those_that_are_known() -> None:
    known = {
        "tic-tac-toe": 8,
        "misere-tic-tac-toe": 8,
        "wild": 16,
        "vanishing": 8,
        "notakto-2": 128,
        "notakto-4": 192,
        "connect-four": 2,
        "connect-four,pie": 2,
        "mnk:3,3,3,torus": 72,
        "mnk:4,3,3": 4,
        "3x3x3": 48,
        "score-four": 8,
        "ultimate": 8,
        "renju": 8,
    }
    assert {name: len(symmetries(name)) for name in known} == known
    assert {image.cells for image in symmetries("tic-tac-toe")} == {*map(tuple, SYMMETRIES)}


@pytest.mark.parametrize("name", ["tic-tac-toe", "wild", "vanishing", "notakto-2", "4x4x3"])
def test_the_images_of_a_position_are_as_many_as_its_orbit(name: str) -> None:
    rules = find_rules(name)
    for position in positions_of(rules, 3):
        images = {image(position) for image in symmetries(name)}
        assert len(images) == rules.orbit(position)  # type: ignore[attr-defined]
        stands_for = {rules.canonical(image) for image in images}  # type: ignore[attr-defined]
        assert len(stands_for) == 1


def test_a_policy_is_turned_by_the_same_numbers_as_the_board() -> None:
    for name in ("connect-four", "wild", "ultimate"):
        rules, found = find_rules(name), actions(name)
        for position, image in product(positions_of(rules, 1), symmetries(name)):
            turned = {image.actions[action] for action in found.legal(position)}
            assert turned == {*found.legal(image(position))}


def test_a_symmetry_that_is_none_breaks_a_promise() -> None:
    @dataclass(frozen=True)
    class Crooked(LineRules):
        @property
        def traits(self) -> Traits:
            shift = (0, 1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 0, 3, 4, 5, 6, 7, 8)
            return replace(traits_of(LineRules()), symmetries=lambda: shift)

    with pytest.raises(AssertionError, match=r"symmetries keep|in any order"):
        check_rules(Crooked())


@pytest.mark.parametrize("name", SMALL_AND_LARGE)
def test_planes_tell_different_positions_apart(name: str) -> None:
    rules, seen = find_rules(name), dict[object, Position]()
    for position in positions_of(rules, 12):
        state = GameState.at(rules, position)
        found = planes(state)
        assert {len(plane) for plane in found.values()} == {rules.shape.cells}
        assert seen.setdefault(tuple(found.items()), position) == position
        legal = [cell for cell, one in enumerate(found["playable"]) if one]
        assert legal == [*state.legal_cells]


def test_lines_are_those_of_the_board_and_completing_cells_those_that_end_the_game() -> None:
    assert {frozenset(line) for line in lines_of("tic-tac-toe")} == {*map(frozenset, LINES)}
    assert len(lines_of("ultimate")) == 72
    assert len(lines_of("notakto-3")) == 24
    assert len(lines_of("wild")) == 8
    rules = find_rules("tic-tac-toe")
    for position in positions_of(rules, 20):
        state = GameState.at(rules, position)
        for mark in Mark:
            own = {cell for cell in range(9) if position.stones[mark.side] >> cell & 1}
            empty = {*state.legal_cells}
            rest = (set(line) - own for line in lines_of(rules))
            wanted = {cell for cells in rest if len(cells) == 1 for cell in cells & empty}
            assert {*completing_cells(state, mark)} == wanted
