"""Each exercise of the lessons has right moves and wrong ones, and says why."""

from __future__ import annotations

import pytest

from tic_tac_toe.insight.lessons import LESSONS, Exercise, Lesson, rest_of

EXERCISES = [exercise for lesson in LESSONS for exercise in lesson.exercises]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.board)
def test_an_exercise_has_a_right_move_and_a_wrong_one(exercise: Exercise) -> None:
    right = {exercise.is_right(move) for move in exercise.state.legal_moves}

    assert right == {True, False}


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.board)
def test_each_answer_is_explained_and_a_loss_is_shown_by_a_reply_where_that_is_proved(
    exercise: Exercise,
) -> None:
    for move in exercise.state.legal_moves:
        answer, told = exercise.answer(move), exercise.explain(move)
        is_wrong, before = answer.verdict == "wrong", told.before.outcome
        assert told.sentences() or (is_wrong and answer.left == "open")
        is_thrown = is_wrong and answer.left != before and not told.after_state.game_over
        assert (answer.reply is not None) == is_thrown


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.board)
def test_the_solution_of_an_exercise_is_right(exercise: Exercise) -> None:
    (move,) = rest_of(exercise)

    assert exercise.is_right(move)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda each: each.name)
def test_a_lesson_has_three_exercises_at_least(lesson: Lesson) -> None:
    assert len(lesson.exercises) >= 3


def test_the_lessons_are_the_eight_ideas_in_the_order_of_learning() -> None:
    assert [lesson.name for lesson in LESSONS] == [
        *("win-and-stop", "fork", "stop-a-fork", "centre-and-corners", "draw"),
        *("never-under", "odd-and-even", "fours-and-threes"),
    ]


def test_a_four_that_can_be_answered_is_refused_and_told_where_an_open_one_is_asked_for() -> None:
    exercise = LESSONS[-1].exercises[0]
    told = [str(exercise.explain(move).message()) for move in ("K8", "A1")]

    assert not exercise.is_right("K8")
    assert told == ["With K8, X threatens to complete G8-K8; O must stop it at G8.", ""]
