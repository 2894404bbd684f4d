"""The short ways to a random game end as the rules do, move by move."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.search.playout import random_playout, walk_randomly
from tic_tac_toe.logic.shapes import Shape


@pytest.mark.parametrize(
    "rules",
    [
        Ultimate(),
        Ultimate(stays_open=True),
        Misere(Ultimate()),
        Ultimate(LineRules(Shape(2, 3), 2)),
    ],
    ids=["ordinary", "open", "misère", "oblong"],
)
def test_the_short_way_through_ultimate_plays_the_same_game_of_the_same_dice(rules: Rules) -> None:
    start = Position()
    for seed in range(60):
        winner = walk_randomly(rules, start, Random(seed))
        assert random_playout(rules, start, Random(seed)) == winner
        # The next game begins where this one has come to by then.
        moves = rules.moves(start)
        start = rules.play(start, Random(seed).choice(moves)) if moves else Position()


def test_a_side_that_can_win_ultimate_at_once_does_so_where_it_is_asked_to() -> None:
    rules, rng, seen = Ultimate(), Random(3), 0
    for _ in range(40):
        position = Position()
        while moves := rules.moves(position):
            children = [rules.play(position, move) for move in moves]
            outcomes = [rules.outcome(child) for child in children]
            if any(outcome and outcome.winner == position.turn for outcome in outcomes):
                seen += 1
                assert random_playout(rules, position, rng, decisive=True) == position.turn
            position = rng.choice(children)
    assert seen > 40


@pytest.mark.parametrize("name", ["wild", "order-and-chaos:3,3,3"])
@pytest.mark.once
def test_shuffled_letters_and_letters_move_by_move_have_the_same_odds(name: str) -> None:
    rules, games = find_rules(name), 2_000
    for start in (Position(), Position((1, 16), 1)):
        one, other = Random(1), Random(2)
        shuffled = Counter(random_playout(rules, start, one) for _ in range(games))
        walked = Counter(walk_randomly(rules, start, other) for _ in range(games))
        for winner in (0, 1, None):
            # Five standard deviations of the difference of two such counts are less than 160.
            assert abs(shuffled[winner] - walked[winner]) < 160


@pytest.mark.parametrize("name", ["wild", "ultimate", "order-and-chaos:3,3,3"])
def test_a_random_game_from_the_end_is_its_result(name: str) -> None:
    rules, rng = find_rules(name), Random(name)
    for _ in range(20):
        position = Position()
        while moves := rules.moves(position):
            position = rules.play(position, rng.choice(moves))
        outcome = rules.outcome(position)
        assert outcome is not None
        assert random_playout(rules, position, rng) == outcome.winner
