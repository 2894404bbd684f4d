"""The coach: what it objects to, when the computer waits for it, and what people can do then."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.frontends.desk import Desk as Console
from tests.frontends.desk import Later
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.console.session import Session
from tic_tac_toe_frontends.table.commands import Desk, primary_command, title_of
from tic_tac_toe_frontends.table.driver import Driver, LongThought
from tic_tac_toe_frontends.table.looking_back import LookingBack
from tic_tac_toe_frontends.table.queries import ChooseMove, ExplainMove, ask_here
from tic_tac_toe_frontends.table.study import Study
from tic_tac_toe_frontends.table.table import Setup, Table
from tic_tac_toe_frontends.table.telling import hint_text, status_text
from tic_tac_toe_frontends.words.rules_text import HUMAN
from tic_tac_toe_frontends.words.translation import load

ENGLISH = load("en", {})
#: X has A1 and O B2; then C3 and B1 keep the draw, and after O C1 the move A2 loses.
START = play_moves(GameState.new(), "A1 B2 B1 C1")
LOSING, KEEPING = 3, 6
TOLD = [
    "X loses with A2.",
    "O completes C1-A3 with A3.",
    "X could draw with A3.",
]


class Sitting(Later):
    """A desk with a coach, at which a person plays X against a computer."""

    def __init__(
        self, state: GameState = START, *, later: bool = False, is_on: bool = True
    ) -> None:
        super().__init__()
        self.shown = 0
        self.table = Table(Setup(state.rules, HUMAN, "easy"), state=state)
        self.table.coach.is_on = is_on
        ask = self.ask if later else ask_here
        driver = Driver(self.table, self._show, ask)
        past = LookingBack(self.table, ask, lambda: None, lambda _step: None)
        study, thought = Study(self.table, ask_here, lambda: None), LongThought(driver)
        self.desk = Desk(self.table, driver, past, thought, lambda _reason: None, study)
        driver.start()

    def _show(self) -> None:
        self.shown += 1

    @property
    def told(self) -> list[str]:
        return hint_text(self.desk.advice, self.table.state, ENGLISH)

    @property
    def kinds(self) -> list[type]:
        return [type(query) for query, _ in self.asked]


def test_a_move_that_throws_something_away_is_told_before_the_computer_answers() -> None:
    sitting = Sitting()

    sitting.desk.play_cell(LOSING)

    assert (sitting.table.match.ply, sitting.told) == (1, TOLD)
    assert status_text(sitting.table, ENGLISH).startswith("Look at this move again")
    assert sitting.desk.may("go-on")
    assert primary_command(sitting.desk) == "undo"
    assert title_of("undo", sitting.desk, ENGLISH) == "Try another move"


@pytest.mark.parametrize(("cell", "is_on"), [(KEEPING, True), (LOSING, False)])
def test_the_computer_answers_a_good_move_and_every_move_without_a_coach(
    cell: int, is_on: bool
) -> None:
    sitting = Sitting(is_on=is_on)

    sitting.desk.play_cell(cell)

    assert (sitting.table.match.ply, sitting.told) == (2, [])


def test_after_another_move_the_coach_judges_again() -> None:
    sitting = Sitting()
    for _ in range(2):
        sitting.desk.play_cell(LOSING)
        assert sitting.told == TOLD
        sitting.desk.do("undo")
        assert (sitting.table.match.ply, sitting.told) == (0, [])

    sitting.desk.play_cell(KEEPING)

    assert sitting.table.match.ply == 2


def test_the_computer_answers_when_the_person_goes_on() -> None:
    sitting = Sitting()
    sitting.desk.play_cell(LOSING)

    sitting.desk.do("go-on")

    assert (sitting.table.match.ply, sitting.told) == (2, [])
    assert not sitting.desk.may("go-on")


def test_the_computer_answers_when_the_coach_is_switched_off() -> None:
    sitting = Sitting()
    sitting.desk.play_cell(LOSING)

    sitting.desk.do("coach")

    assert (sitting.table.coach.is_on, sitting.table.match.ply) == (False, 2)


def test_a_late_answer_about_a_move_that_was_taken_back_objects_to_nothing() -> None:
    sitting = Sitting(later=True)
    sitting.desk.play_cell(LOSING)
    sitting.desk.do("undo")
    sitting.answer()
    assert (sitting.told, sitting.kinds) == ([], [ExplainMove])

    sitting.desk.play_cell(LOSING)
    shown = sitting.shown
    sitting.answer()

    assert (sitting.told, sitting.shown) == (TOLD, shown + 1)
    sitting.desk.do("go-on")
    assert sitting.kinds == [ExplainMove, ExplainMove, ChooseMove]


def test_the_screens_that_redraw_by_counters_see_an_objection() -> None:
    sitting = Sitting(later=True)
    sitting.desk.play_cell(LOSING)
    before = sitting.desk.advice.changes
    sitting.answer()
    assert sitting.desk.advice.changes > before


def test_what_is_not_proved_is_no_reason_to_object() -> None:
    sitting = Sitting(GameState.new(find_rules("gomoku")), later=True)
    sitting.desk.play_cell(0)
    sitting.answer()
    assert sitting.kinds == [ExplainMove, ChooseMove]


def test_the_computer_answers_a_move_that_the_coach_cannot_judge() -> None:
    sitting = Sitting(later=True)
    sitting.desk.play_cell(LOSING)

    sitting.desk.driver.go_on_without_coach()

    assert sitting.kinds == [ExplainMove, ChooseMove]


def test_while_people_look_back_the_objection_waits() -> None:
    sitting = Sitting()
    sitting.desk.play_cell(LOSING)
    sitting.desk.do("replay-back")
    assert sitting.told == []
    sitting.desk.do("replay-last")
    assert sitting.told == TOLD


def test_there_is_no_coach_for_two_people_and_none_for_two_computers() -> None:
    sitting = Sitting(later=True)
    sitting.table.new_game(Setup(x=HUMAN, o=HUMAN), state=START)
    sitting.desk.play_cell(LOSING)
    sitting.table.new_game(Setup(x="easy", o="easy"), state=START)
    assert ExplainMove not in sitting.kinds
    assert not sitting.desk.may("coach")


def test_a_resigned_game_ends_the_objection() -> None:
    sitting = Sitting()
    sitting.desk.play_cell(LOSING)
    sitting.desk.do("resign")
    assert (sitting.told, sitting.table.match.over) == ([], True)


def console(*lines: str, cells: Iterable[int]) -> str:
    """Return what is said to lines, where only the computer's moves are asked for elsewhere."""
    answers, desk = iter(cells), Console(*lines)
    table = Table(Setup(o="random"), state=START)

    def ask(query: Any, done: Callable[[Any], object]) -> None:
        done(next(answers) if isinstance(query, ChooseMove) else query())

    session = Session(table, desk.renderer, ask)
    with pytest.raises(SystemExit):
        session.play()
    return desk.said


def test_on_the_console_the_coach_is_switched_and_answered_by_words() -> None:
    said = console("coach", "A2", "A3", "undo", "A2", "go", "go", "coach", "quit", cells=[7])

    parts = [*TOLD, "To try another move, type undo; to go on, type go.", "It's the other player's"]
    at = 0
    for part in ["The coach is on.", *parts, "Taken back: X A2.", *parts[:4], "O plays B3."]:
        at = said.index(part, at)
    assert said.count("undo or go:\n") == 3
    assert said.count("The coach objects to nothing.") == 1
    assert said.index("The coach is off.") > at
