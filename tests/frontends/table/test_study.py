"""Puzzles and lessons at a table: judging, refuting, hints, the next one, and what is kept."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.frontends.desk import PEOPLE, Later
from tic_tac_toe.insight.collection import GAMES, game_of_day, number_of_day, shipped
from tic_tac_toe.insight.explain import explain
from tic_tac_toe.insight.lessons import LESSONS
from tic_tac_toe.insight.puzzles import Puzzle
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe_frontends.table.commands import (
    COMMANDS,
    Desk,
    primary_command,
    title_of,
)
from tic_tac_toe_frontends.table.driver import Driver, LongThought
from tic_tac_toe_frontends.table.looking_back import LookingBack
from tic_tac_toe_frontends.table.queries import FindRest, JudgeMove, ask_here
from tic_tac_toe_frontends.table.results import (
    MOST_CHARACTERS,
    Results,
    Store,
    key_of,
    memory,
    read_results,
)
from tic_tac_toe_frontends.table.study import Study
from tic_tac_toe_frontends.table.table import Setup, Table
from tic_tac_toe_frontends.table.task import LEVELS, Choice, Task
from tic_tac_toe_frontends.table.telling import hint_text, status_text
from tic_tac_toe_frontends.words.translation import load

ENGLISH = load("en", {})
#: A day whose puzzle is one of tic-tac-toe.
DAY = next(
    day
    for day in map(date.fromordinal, range(739_000, 739_100))
    if not day.toordinal() % len(GAMES)
)
WEEK = len(GAMES)


class Sitting(Later):
    """A desk with a game against a computer, at which puzzles are solved."""

    def __init__(
        self, store: Store | None = None, *, day: date = DAY, later: bool = False, seed: int = 1
    ) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.day = day
        self.table = Table(Setup())
        self.table.rng.seed(seed)
        ask = self.ask if later else ask_here
        driver = Driver(self.table, lambda: None, ask)
        past = LookingBack(self.table, ask, lambda: None, lambda _step: None)
        self.study = Study(self.table, ask, lambda: None, store, today=lambda: self.day)
        thought = LongThought(driver)
        own = dict.fromkeys(COMMANDS, lambda: None)
        self.desk = Desk(self.table, driver, past, thought, self._refuse, self.study, own)
        driver.start()

    def _refuse(self, reason: Exception) -> None:
        self.refused.append(str(reason))

    def open(self, **chosen: object) -> Task:
        self.study.open(Choice(**chosen))  # type: ignore[arg-type]
        return self.task

    @property
    def task(self) -> Task:
        assert self.table.task is not None
        return self.table.task

    @property
    def told(self) -> str:
        lines = hint_text(self.desk.advice, self.table.state, ENGLISH)
        return " ".join([status_text(self.table, ENGLISH), *lines])

    @property
    def possible(self) -> set[str]:
        return {name for name in COMMANDS if self.desk.may(name)}

    def solve(self) -> None:
        while not self.task.is_over:
            self.desk.place(FindRest(self.task.aim, self.task.moves)()[0])


def _is_right(task: Task, move: int) -> bool:
    return JudgeMove(task.aim, (*task.moves, move))().verdict in ("right", "solved")


def wrong_move(sitting: Sitting) -> int:
    return next(m for m in sitting.table.state.legal_moves if not _is_right(sitting.task, m))


def test_a_right_move_is_answered_on_the_board_until_the_puzzle_is_solved() -> None:
    sitting = Sitting()
    sitting.open(game="tic-tac-toe")
    while len(getattr(sitting.task.aim, "turns", ())) < 2:
        sitting.desk.do("next-level")
    before = sitting.table.match.ply
    sitting.desk.place(
        next(m for m in sitting.table.state.legal_moves if _is_right(sitting.task, m))
    )
    assert sitting.table.match.ply == before + 2
    assert sitting.told.startswith("Right. ")
    sitting.solve()
    assert sitting.told.startswith("Solved! ")
    assert primary_command(sitting.desk) == "next-level"
    assert title_of("next-level", sitting.desk, ENGLISH) == "Next one"


def test_a_wrong_move_is_refuted_and_taken_back_without_the_solution_being_told() -> None:
    sitting = Sitting()
    sitting.open(game="tic-tac-toe")
    state, ply = sitting.table.state, sitting.table.match.ply
    sitting.desk.place(wrong_move(sitting))
    assert sitting.told.startswith("Not this move. ")
    assert "could" not in sitting.told
    assert sitting.table.match.ply == ply + 2
    assert primary_command(sitting.desk) == "undo"
    sitting.desk.place(sitting.table.state.legal_moves[0])
    assert sitting.refused == ["Take the move back first."]
    sitting.desk.do("undo")
    assert sitting.table.state.position == state.position
    assert sitting.task.is_open
    sitting.solve()
    assert [*sitting.study.results.puzzles.values()] == [False]


def test_an_illegal_move_leaves_the_puzzle_as_it_is() -> None:
    sitting = Sitting()
    task = sitting.open(game="tic-tac-toe")
    sitting.desk.place(_taken(sitting))
    assert len(sitting.refused) == 1
    assert sitting.task is task


def _taken(sitting: Sitting) -> int:
    return next(cell for cell in range(9) if cell not in sitting.table.state.legal_moves)


def test_hints_tell_more_at_each_request_and_the_move_only_late() -> None:
    sitting = Sitting()
    sitting.open(game="tic-tac-toe")
    while explain(sitting.table.state).theme != "Two threats at once":
        sitting.desk.do("next-level")
    told = []
    for _stage in range(4):
        sitting.desk.do("hint")
        told.append(sitting.told)
    assert "Two threats at once" in told[0]
    assert "Look at" in told[1]
    assert "Play" in told[2]
    assert [bool(sitting.task.best)] == [True]
    assert len({*told}) == 4
    sitting.solve()
    assert [*sitting.study.results.puzzles.values()] == [False]


def test_the_solution_is_shown_and_counts_for_nothing() -> None:
    sitting = Sitting()
    sitting.open(game="misere-tic-tac-toe")
    sitting.desk.do("solution")
    assert sitting.task.is_over
    assert sitting.told.startswith("This is the solution.")
    assert not sitting.study.results.puzzles


def test_each_lesson_is_learnt_to_its_end_and_kept() -> None:
    for lesson in LESSONS:
        sitting = Sitting()
        sitting.open(lesson=lesson.name)
        for number in range(len(lesson.exercises)):
            assert sitting.task.choice.number == number
            sitting.solve()
            assert sitting.desk.may("next-level") == (number + 1 < len(lesson.exercises))
            sitting.desk.do("next-level")
        assert sitting.study.results.lessons == {lesson.name: tuple(range(len(lesson.exercises)))}


def test_a_computers_game_goes_on_after_the_puzzle_as_it_was_set_up() -> None:
    sitting = Sitting()
    sitting.table.place(4)
    setup, score = sitting.table.setup, sitting.table.score
    sitting.open(game="tic-tac-toe")
    assert sitting.table.thinker is None
    sitting.solve()
    assert not any(score.values())
    sitting.desk.do("new-game")
    assert sitting.table.task is None
    assert sitting.table.setup == setup


def test_nothing_advises_during_a_puzzle_but_its_own_hints() -> None:
    sitting = Sitting()
    sitting.desk.do("analysis")
    sitting.open(game="tic-tac-toe")
    assert not sitting.desk.advice.values
    assert sitting.possible & {"analysis", "review", "explain", "coach", "resign", "undo"} == set()
    sitting.desk.do("analysis")
    assert not sitting.desk.advice.values
    assert {"hint", "solution", "next-level", "new-game"} <= sitting.possible


def test_a_late_answer_about_a_puzzle_that_was_left_is_dropped() -> None:
    sitting = Sitting(later=True)
    sitting.open(game="tic-tac-toe")
    sitting.desk.place(wrong_move(sitting))
    sitting.desk.do("new-game")
    changes = sitting.table.changes
    sitting.answer()
    assert (sitting.table.task, sitting.table.changes) == (None, changes)


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_another_one_on_the_next_day() -> None:
    day = DAY.toordinal()
    assert Sitting(seed=1).open().aim == Sitting(seed=2).open().aim
    assert game_of_day(day) == game_of_day(day + WEEK) != game_of_day(day + 1)
    for count in (6, 31, 3_200):
        assert len({number_of_day(day + WEEK * week, count) for week in range(count)}) == count


def test_days_in_a_row_are_counted_and_a_missed_day_ends_them() -> None:
    store = memory()
    results = Results()
    for ahead in (0, 1, 2):
        results = results.with_day(DAY.toordinal() + ahead)
    store.save(results.text())
    sitting = Sitting(store, day=DAY + timedelta(days=3))
    assert (sitting.study.streak, sitting.study.is_daily_solved) == (3, False)
    sitting.day = DAY + timedelta(days=4)
    assert sitting.study.streak == 0
    sitting.day = DAY + timedelta(days=WEEK)
    sitting.open()
    sitting.solve()
    assert (sitting.study.streak, sitting.study.is_daily_solved) == (1, True)


def test_a_next_puzzle_is_of_the_same_kind_and_unsolved_while_there_is_one() -> None:
    puzzles = shipped("notakto")
    sitting = Sitting()
    sitting.open(game="notakto")
    keys = set[str]()
    for _number in puzzles:
        keys.add(sitting.task.key)
        sitting.solve()
        sitting.desk.do("next-level")
    assert len(keys) == len(puzzles)
    assert {*sitting.study.results.puzzles} == keys == {key_of(puzzle) for puzzle in puzzles}


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_a_third_of_the_puzzles_of_a_game(level: str) -> None:
    for seed in range(5):
        assert Sitting(seed=seed).open(game="wild", level=level).level == level


def test_a_theme_without_puzzles_is_told() -> None:
    sitting = Sitting()
    with pytest.raises(InvalidMove, match="no such puzzle"):
        sitting.study.open(Choice("tic-tac-toe", theme="Nothing"))
    assert sitting.table.task is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        '{"puzzles": [1], "lessons": {"fork": 1}, "day": "1", "days": true}',
        '{"puzzles": {"a": 1}, "lessons": {"fork": [true]}, "day": 3, "days": 4}',
        '{"day": -1, "days": -2}',
        '{"day": 9e99, "days": 1}',
        '{"puzzles": {}' + " " * MOST_CHARACTERS + "}",
    ],
)
def test_a_stored_text_that_others_wrote_counts_for_nothing(text: str) -> None:
    found = read_results(text)
    assert (found.puzzles, found.day, found.days) == ({}, 0, 0)
    assert not any(found.lessons.values())


def test_results_are_read_as_they_were_written() -> None:
    results = Results().with_puzzle("abc", is_first_try=True).with_exercise("fork", 2).with_day(7)
    assert read_results(results.text()) == results
    assert results.with_puzzle("abc", is_first_try=False) == results


def test_people_may_solve_puzzles_after_a_game_of_two() -> None:
    sitting = Sitting()
    sitting.table.new_game(PEOPLE)
    sitting.open(game="tic-tac-toe")
    sitting.desk.do("new-game")
    assert sitting.table.setup == PEOPLE


def test_a_win_by_fours_is_hinted_at_in_stages_and_its_later_moves_are_told_at_the_end() -> None:
    sitting = Sitting()
    sitting.open(game="gomoku", level="easy")
    hints = list[str]()
    while not sitting.task.best:
        sitting.desk.do("hint")
        hints.append(sitting.told.split("find the win. ")[1])
    assert isinstance(sitting.task.aim, Puzzle)
    assert hints[0] == f"{sitting.task.aim.theme}."
    assert hints[-1].startswith("Play ")
    told = list[str]()
    while not sitting.task.is_over:
        sitting.desk.place(FindRest(sitting.task.aim, sitting.task.moves)()[0])
        assert sitting.task.reason is not None
        assert sitting.task.reason.result is not None
        told.append(sitting.told)
    assert all(text.startswith("Right. ") and " wins " in text for text in told[:-1])
    assert not any("threats that" in text or "after" in text for text in told[:-1])
    assert told[-1].startswith("Solved! ")


def test_a_wrong_move_against_a_row_of_three_is_refuted_and_told_why() -> None:
    sitting = Sitting()
    sitting.open(lesson="fours-and-threes", number=1)
    sitting.desk.place(sitting.task.aim.state.move("L8").number)
    assert sitting.told.startswith("Not this move. X loses with L8. With G8, O makes an open four")
    assert sitting.table.match.history[-1].name == "G8"


def test_of_an_exercise_nothing_is_told_but_what_is_proved() -> None:
    sitting = Sitting()
    sitting.open(lesson="fours-and-threes")
    sitting.desk.place(sitting.task.aim.state.move("A1").number)
    assert sitting.told == "Not this move. Fours and threes, 1 of 5."


def test_of_a_wrong_move_in_a_puzzle_of_fours_it_is_told_that_no_win_is_left() -> None:
    sitting = Sitting()
    sitting.open(game="gomoku", level="easy")
    task, puzzle = sitting.task, sitting.task.aim
    for move in puzzle.state.legal_moves:
        answer = JudgeMove(puzzle, (move,))()
        if (answer.verdict, answer.left) == ("wrong", "open"):
            break
    sitting.desk.place(move)
    assert task.is_open
    assert sitting.told.startswith("Not this move. No win by threats is left after it.")


@pytest.mark.parametrize("chosen", [{"game": "gomoku"}, {"lesson": "fork", "number": 1}, {}])
def test_a_task_is_begun_again_from_a_text_with_its_right_moves(chosen: dict[str, object]) -> None:
    sitting, again = Sitting(), Sitting()
    sitting.open(**chosen)
    sitting.desk.do("hint")
    state = sitting.table.state

    again.study.reopen(sitting.study.kept)

    assert (again.table.state, again.task.aim) == (state, sitting.task.aim)
    assert (again.task.choice, again.task.is_clean) == (sitting.task.choice, False)
    assert again.told.startswith(status_text(sitting.table, ENGLISH))
    again.solve()
    assert again.task.is_over


def test_the_reason_of_a_wrong_move_writes_no_sign_over_the_reply() -> None:
    sitting = Sitting()
    sitting.open(lesson="fork")
    sitting.desk.play_cell(1)
    history, state = sitting.table.match.history, sitting.table.state
    reason = sitting.task.reason
    assert reason is not None
    assert history[-1].number in dict(reason.marks().written)

    written = sitting.desk.advice.written

    assert written
    assert {state.grid.cells[cell] for cell in written} == {" "}


def test_right_moves_are_kept_and_wrong_ones_are_not() -> None:
    sitting, again = Sitting(), Sitting()
    task = sitting.open(game="connect-four", level="hard")
    sitting.desk.play_cell(task.aim.solution[0])
    right = sitting.table.state
    sitting.desk.play_cell(wrong_move(sitting))

    again.study.reopen(sitting.study.kept)

    assert (again.table.state, again.task.is_wrong) == (right, False)


def test_a_solved_task_begins_anew_and_a_game_is_no_task() -> None:
    sitting, again = Sitting(), Sitting()
    assert sitting.study.kept == ""
    task = sitting.open(lesson="fork")
    sitting.solve()

    again.study.reopen(sitting.study.kept)

    assert (again.table.state, again.task.is_over) == (task.aim.state, False)


@pytest.mark.parametrize(
    ("old", "new"), [("{", "["), ("fork", "spoon"), ('"number": 0', '"number": 99'), ("[]", "[99]")]
)
def test_from_a_text_that_others_wrote_nothing_begins(old: str, new: str) -> None:
    sitting = Sitting()
    sitting.open(lesson="fork")
    text = sitting.study.kept
    assert old in text
    again = Sitting()

    again.study.reopen(text.replace(old, new))

    assert again.table.task is None
