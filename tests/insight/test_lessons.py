"""Each exercise of the lessons has right moves and wrong ones, and says why."""

from __future__ import annotations

import pytest

from tic_tac_toe.insight.lessons import LESSONS, Exercise, Lesson

EXERCISES = [exercise for lesson in LESSONS for exercise in lesson.exercises]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.board)
def test_an_exercise_has_a_right_move_and_a_wrong_one(exercise: Exercise) -> None:
    right = [move for move in exercise.state.legal_moves if exercise.is_right(move)]

    assert 0 < len(right) < len(exercise.state.legal_moves)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.board)
def test_each_answer_to_an_exercise_is_explained(exercise: Exercise) -> None:
    for move in exercise.state.legal_moves:
        assert exercise.explain(move).sentences()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda each: each.name)
def test_a_lesson_has_three_exercises_at_least(lesson: Lesson) -> None:
    assert len(lesson.exercises) >= 3
