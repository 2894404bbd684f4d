"""Every game of the catalogue has openings that leave a fair game to play."""

from __future__ import annotations

import pytest

from tic_tac_toe.contest.openings import (
    EMPTY_BOARD,
    check_opening,
    opening_set,
    openings_of,
    position_after,
)
from tic_tac_toe.game.evaluate import evaluate
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules

EVERY_VARIANT = pytest.mark.parametrize(("name", "rules"), list(VARIANTS.items()))
#: Solved in an instant, so that the values of their openings can be looked at again.
SMALL = ("tic-tac-toe", "misere-tic-tac-toe", "wild", "misere-wild", "connect-four-5x4")


@EVERY_VARIANT
def test_the_openings_of_a_game_are_legal_and_differ_up_to_symmetry(
    name: str, rules: Rules
) -> None:
    found = opening_set(rules)
    assert found is not None
    canonical = symmetry_of(rules).canonical

    for opening in found.openings:
        check_opening(rules, opening)
    images = {canonical(position_after(rules, opening)) for opening in found.openings}
    assert len(images) == len(found.openings) >= 1
    assert found.variant == name
    assert found.command.startswith(f"python -m tools.make_openings {name} ")


@EVERY_VARIANT
def test_after_an_opening_nobody_wins_with_the_next_move(name: str, rules: Rules) -> None:
    for opening in openings_of(rules):
        position = position_after(rules, opening)
        for side in (0, 1):
            moved = position._replace(turn=side)
            outcomes = [rules.outcome(rules.play(moved, move)) for move in rules.moves(moved)]
            assert side not in [outcome.winner for outcome in outcomes if outcome]


@pytest.mark.parametrize("name", SMALL)
def test_openings_called_exact_are_draws(name: str) -> None:
    found = opening_set(find_rules(name))
    assert found is not None
    assert found.method == "exact"

    for opening in found.openings[:10]:
        position = position_after(find_rules(name), opening)
        assert evaluate(GameState.at(find_rules(name), position)).outcome == "draw"


def test_other_games_begin_from_the_empty_board() -> None:
    assert openings_of(find_rules("connect-four,pie")) == EMPTY_BOARD
    assert openings_of(find_rules("mnk:8,7,4")) == EMPTY_BOARD


@pytest.mark.parametrize("opening", [(0, 0), (0, 3, 1, 4, 2), (-1,)])
def test_moves_that_leave_no_game_are_no_opening(opening: tuple[int, ...]) -> None:
    with pytest.raises(InvalidMove):
        check_opening(find_rules("tic-tac-toe"), opening)
