"""Advice at a table: asked for beside the game, shown while the state stands there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontends.desk import Later
from tic_tac_toe.game.signs import sign_of
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe_frontends.table.advice import Advice
from tic_tac_toe_frontends.table.queries import MoveValues
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.table.telling import tell_analysis, tell_below, tell_hint, tell_picture
from tic_tac_toe_frontends.words.rules_text import HUMAN
from tic_tac_toe_frontends.words.translation import load

ENGLISH = load("en", {})
SOLVED = "Solved by the server."
ESTIMATED = "Percentages are estimated chances of the side to move, a draw counted as half."
WIN, DRAW = Evaluation.exact(997), Evaluation.exact(0, length=5)
GOOD, POOR = Evaluation(chance=0.7), Evaluation(chance=0.3)
WON = Evaluation.proved(995, (2,), "threats", line=(2, 3))


def valued(*evaluations: Evaluation, by_server: bool = False) -> MoveValues:
    """Return how good the first moves are."""
    return MoveValues(tuple(map(MoveEvaluation, range(9), evaluations)), by_server)


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


def test_a_hint_is_looked_for_once_and_names_one_move_and_when_asked_again_all_best_ones() -> None:
    sitting = Sitting()

    sitting.advice.ask_hint()
    sitting.advice.ask_hint()
    assert (len(sitting.asked), sitting.told) == (1, ["Looking for a hint …"])
    changes = sitting.changes
    sitting.answer()

    assert sitting.told[0] == "Best for X: A1."
    assert sitting.changes == changes + 1
    for _ in range(2):
        sitting.advice.ask_hint()
    sitting.answer()

    assert sitting.advice.best == tuple(range(9))
    assert sitting.told[0] == "Best for X: A1, B1, C1, A2, B2, C2, A3, B3, C3."
    assert len(sitting.asked) == 2


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


def test_values_get_better_and_never_worse_until_all_are_exact() -> None:
    sitting = Sitting()
    sitting.analyse()
    shown = []

    for answer in (
        valued(GOOD, POOR, DRAW),
        valued(WON, POOR, GOOD),
        valued(POOR, WIN, POOR),
        valued(WIN, WIN, WIN),
    ):
        sitting.asked[-1][1](answer)
        shown.append([sign_of(value) for value in sitting.advice.values])

    assert shown == [["70%", "30%", "="], ["+", "30%", "="], ["+", "+2", "="], ["+2", "+2", "="]]
    assert [query.step for query, _ in sitting.asked] == [0, 1, 2, 3]
    assert [sign_of(value) for value in sitting.asked[-1][0].known] == shown[-2]


def test_an_analysis_that_is_switched_off_is_stopped_and_one_that_is_solved_asks_no_more() -> None:
    sitting = Sitting()
    sitting.analyse()
    sitting.asked[-1][1](valued(GOOD))
    query, late = sitting.asked[-1]
    sitting.analyse()
    late(valued(POOR))
    assert (query.watch.stopped, sitting.told) == (True, [])

    sitting.analyse()
    assert sitting.told == [ESTIMATED]
    sitting.asked[-1][1](valued(WIN, by_server=True))
    asked = len(sitting.asked)
    late(valued(POOR))

    assert sitting.told == ["+ wins", SOLVED]
    assert len(sitting.asked) == asked


def test_values_go_on_getting_better_after_people_have_looked_back() -> None:
    sitting = Sitting()
    sitting.table.place(4)
    sitting.analyse()
    sitting.table.replay.show(sitting.table.match, 0)
    sitting.asked[-1][1](valued(GOOD))
    assert len(sitting.asked) == 1

    sitting.table.replay.leave()
    sitting.advice.look()

    assert len(sitting.asked) == 2


@pytest.mark.parametrize(
    ("hint", "shown", "best", "outcome"),
    [
        (GOOD._replace(best=(1,)), valued(GOOD, POOR), (0,), "open"),
        (GOOD._replace(best=(1,)), valued(POOR, WIN), (1,), "win"),
        (GOOD._replace(best=(1,)), valued(Evaluation.exact(-990), Evaluation()), (1,), "open"),
        (WON, valued(GOOD, POOR, POOR), (2,), "win"),
        (WON, valued(Evaluation.exact(999), POOR, POOR), (0,), "win"),
        (DRAW._replace(best=(2,)), valued(GOOD, POOR, DRAW), (2,), "draw"),
    ],
)
def test_a_hint_is_never_worse_than_the_best_value_beside_it(
    hint: Evaluation, shown: MoveValues, best: tuple[int, ...], outcome: str
) -> None:
    sitting = Sitting()
    sitting.advice.ask_hint()
    sitting.asked[-1][1](hint)
    sitting.analyse()
    sitting.asked[-1][1](shown)

    assert sitting.advice.hint is not None
    assert (sitting.advice.best, sitting.advice.hint.outcome) == (best, outcome)


def test_the_move_that_a_hint_names_has_a_value_where_the_analysis_has_judged_another_one() -> None:
    sitting = Sitting()
    sitting.advice.ask_hint()
    sitting.asked[-1][1](GOOD._replace(best=(1,)))
    sitting.analyse()
    sitting.asked[-1][1](valued(POOR, Evaluation(), Evaluation()))

    assert [sign_of(value) for value in sitting.advice.values] == ["30%", "70%"]
    assert sitting.advice.best == (1,)


def test_a_game_that_is_too_large_is_said_to_be() -> None:
    sitting = Sitting()
    sitting.analyse()

    sitting.asked[-1][1](valued(Evaluation()))

    assert sitting.told == ["From here the game could not be solved in a moment."]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (valued(WIN), ["+ wins"]),
        (valued(DRAW._replace(length=0)), ["+ wins", "∞: play goes on for ever."]),
        (valued(WIN, by_server=True), ["+ wins", SOLVED]),
        (valued(WON, by_server=True), ["+ wins"]),
        (valued(GOOD, by_server=True), [ESTIMATED]),
        (valued(GOOD, WIN), ["+ wins", ESTIMATED]),
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
        "Best for O: A1.",
        "With best play on both sides nobody wins.",
        "X plays B2.",
        "+ wins",
    ]
    assert tell_picture(sitting.advice, sitting.table.state, ENGLISH) == [
        *told[1:3],
        "In the cells: + wins, = draws, − loses; the number counts the winner's moves.",
    ]
