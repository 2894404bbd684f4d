"""What a player passes on to its engine from move to move of a game."""

from __future__ import annotations

from random import Random

import pytest

from tic_tac_toe.contest.players import Roster
from tic_tac_toe.game import evaluate as evaluation
from tic_tac_toe.game.strategies import minimax
from tic_tac_toe.limits import Kept, Limits
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.opponents import Opponents
from tic_tac_toe_frontends.command.brain import think_by_clock

GAME = GameState.new("gomoku")


class Spy:
    """An engine that plays the first free cell, and notes its limits."""

    def __init__(self) -> None:
        self.limits = list[Limits]()

    def think(self, position: Position, limits: Limits, _rng: Random) -> Evaluation:
        self.limits.append(limits)
        return Evaluation.judged((GAME.rules.moves(position)[0],), 0.5)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    spy = Spy()
    monkeypatch.setattr(evaluation, "engine_for", lambda _rules: spy)
    return spy


def test_a_player_of_a_screen_keeps_until_it_leaves_its_seat(spy: Spy) -> None:
    opponents = Opponents()
    for seated in (("minimax",), ("minimax",), (), ()):
        opponents.strategy("minimax")(GAME, Random(0))
        opponents.keep(seated)

    kept = [limits.kept for limits in spy.limits]
    assert kept[0] is kept[1] is kept[2] is not None
    assert kept[3] is not kept[0]


def test_each_player_of_a_match_keeps_its_own_and_goes_by_the_clock_of_the_match(spy: Spy) -> None:
    def clock() -> float:
        return 7.0

    with Roster(("minimax", "minimax"), 0.5, clock) as roster:
        for place in (0, 1, 0):
            roster[place](GAME, Random(0))

    first, other, again = spy.limits
    assert first.kept is again.kept is not None
    assert first.kept is not other.kept is not None
    assert first.clock is clock


def test_a_brain_keeps_and_a_strategy_that_is_called_alone_does_not(spy: Spy) -> None:
    kept = Kept()
    think_by_clock(GAME, 0.1, lambda: False, kept=kept)
    minimax(GAME, Random(0))

    assert [limits.kept for limits in spy.limits] == [kept, None]
