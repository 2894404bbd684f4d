"""Advice at a table: asked for beside the game, shown while the state stands there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontends.desk import Later
from tic_tac_toe.game.worth import MoveEstimate
from tic_tac_toe.logic.search.verdict import MoveVerdict
from tic_tac_toe_frontends.table.advice import Advice
from tic_tac_toe_frontends.table.queries import MoveValues
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.table.telling import tell_analysis, tell_below, tell_hint, tell_picture
from tic_tac_toe_frontends.words.players import HUMAN
from tic_tac_toe_frontends.words.translation import load

ENGLISH = load("en", {})
SOLVED = "Solved by the server."
ESTIMATED = "Percentages are estimated chances of the side to move, a draw counted as half."


class Sitting(Later):
    """A table with advice whose questions are answered when the test says so."""

    def __init__(self, x: str = HUMAN, o: str = HUMAN, *, for_watchers: bool = False) -> None:
        super().__init__()
        self.table = Table(Setup(x=x, o=o))
        self.changes = 0
        self.advice = Advice(self.table, self.ask, self._changed, for_watchers=for_watchers)

    def _changed(self) -> None:
        self.changes += 1

    def analyse(self) -> None:
        self.advice.analyse(not self.advice.analysing)

    @property
    def told(self) -> list[str]:
        state = self.table.replay.state(self.table.match)
        return [
            *tell_hint(self.advice, state, ENGLISH),
            *tell_analysis(self.advice, ENGLISH, "+ wins"),
        ]


def test_a_hint_is_looked_for_once_and_told_when_it_is_found() -> None:
    sitting = Sitting()

    sitting.advice.ask_hint()
    sitting.advice.ask_hint()
    assert (len(sitting.asked), sitting.told) == (1, ["Looking for a hint …"])
    changes = sitting.changes
    sitting.answer()

    assert sitting.advice.best == tuple(range(9))
    assert sitting.told[0] == "Best for X: A1, B1, C1, A2, B2, C2, A3, B3, C3."
    assert sitting.changes == changes + 1


@pytest.mark.parametrize("moves_on", [lambda sitting: sitting.table.place(4), Sitting.analyse])
def test_a_hint_about_another_state_is_dropped_and_one_about_this_state_is_not(
    moves_on: Callable[[Sitting], object],
) -> None:
    sitting = Sitting()
    sitting.advice.ask_hint()

    moves_on(sitting)
    sitting.advice.look()
    sitting.answer(0)

    assert bool(sitting.advice.best) == (sitting.table.match.ply == 0)


def test_a_hint_is_forgotten_when_the_game_moves_on_and_when_people_say_so() -> None:
    sitting = Sitting()
    sitting.advice.ask_hint()
    sitting.answer()

    sitting.table.place(4)
    assert sitting.advice.hint is None
    sitting.advice.look()
    sitting.table.take_back()
    assert sitting.advice.hint is None
    sitting.advice.ask_hint()
    sitting.advice.forget()
    sitting.answer()

    assert (sitting.advice.hint, sitting.told) == (None, [])


def test_an_analysis_follows_the_game_until_it_is_switched_off() -> None:
    sitting = Sitting()
    sitting.analyse()
    assert sitting.told == ["Analysing …"]
    sitting.answer()
    assert (len(sitting.advice.values), sitting.told) == (9, ["+ wins"])

    sitting.table.place(4)
    sitting.advice.look()
    sitting.advice.look()
    assert (len(sitting.asked), sitting.told) == (2, ["Analysing …"])
    sitting.answer()
    assert len(sitting.advice.values) == 8
    sitting.analyse()

    assert not sitting.advice.values
    assert sitting.told == []
    sitting.analyse()
    assert len(sitting.advice.values) == 8
    assert len(sitting.asked) == 2


def test_a_game_that_is_too_large_is_said_to_be() -> None:
    sitting = Sitting()
    sitting.analyse()

    sitting.asked[-1][1](None)

    assert sitting.told == ["The game is too large from here to be solved in a moment."]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (MoveValues((MoveVerdict(0, "win", 3),)), ["+ wins"]),
        (MoveValues((MoveVerdict(0, "draw", 0),)), ["+ wins", "∞: play goes on for ever."]),
        (MoveValues((MoveVerdict(0, "win", 3),), by_server=True), ["+ wins", SOLVED]),
        (MoveValues((MoveEstimate(0, 0.5),), by_server=True), [ESTIMATED]),
        (MoveValues((MoveEstimate(0, 0.5), MoveVerdict(1, "win", 3))), ["+ wins", ESTIMATED]),
    ],
)
def test_it_is_told_how_the_values_of_moves_are_known(values: MoveValues, told: list[str]) -> None:
    sitting = Sitting()
    sitting.analyse()

    sitting.asked[-1][1](values)

    assert sitting.told == told


def test_what_a_screen_cannot_find_is_told_instead_until_the_game_moves_on() -> None:
    sitting = Sitting()
    sitting.analyse()
    sitting.advice.ask_hint()

    sitting.advice.fail(sitting.table.state, "no worker")
    assert sitting.told == ["no worker"]
    sitting.table.place(4)
    sitting.advice.look()

    assert sitting.told == ["Analysing …"]


def test_there_is_no_advice_at_a_computers_turn_after_the_end_or_while_looking_back() -> None:
    sitting = Sitting(o="easy")
    sitting.table.place(4)
    assert not sitting.advice.useful
    sitting.table.answer(sitting.table.state, 0)
    assert sitting.advice.useful
    sitting.advice.ask_hint()
    sitting.answer()
    sitting.table.replay.show(sitting.table.match, 1)
    assert (sitting.advice.useful, sitting.advice.best) == (False, ())
    sitting.table.replay.leave()
    assert sitting.advice.best
    sitting.table.resign()
    sitting.advice.ask_hint()

    assert not sitting.advice.useful
    assert len(sitting.asked) == 1


@pytest.mark.parametrize("for_watchers", [False, True])
def test_people_who_watch_computers_are_advised_where_the_screen_says_so(
    for_watchers: bool,
) -> None:
    sitting = Sitting("easy", "easy", for_watchers=for_watchers)

    sitting.analyse()

    assert bool(sitting.asked) is sitting.advice.useful is for_watchers


def test_below_the_status_a_refusal_comes_first_and_the_analysis_last() -> None:
    sitting = Sitting()
    sitting.table.place(4)
    sitting.analyse()
    sitting.answer()
    sitting.advice.ask_hint()
    sitting.answer()

    told = tell_below(sitting.table, sitting.advice, ENGLISH, "+ wins", "Taken.")

    assert told == [
        "Taken.",
        "Best for O: A1, C1, A3, C3.",
        "With best play on both sides nobody wins.",
        "X plays B2.",
        "+ wins",
    ]
    assert tell_picture(sitting.advice, sitting.table.state, ENGLISH) == [
        *told[1:3],
        "In the cells: + wins, = draws, − loses, each with the number of moves to the end of the "
        "game.",
    ]
