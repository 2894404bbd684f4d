"""The review of a finished game: asked for move by move, and told in sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.frontends.desk import Later, table_after
from tic_tac_toe.game.match import Match
from tic_tac_toe.game.review import Fault, ReviewedMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import read_moves
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe_frontends.table.queries import ReviewMove, ask_here
from tic_tac_toe_frontends.table.review import Progress, Review, play_on
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.words.review_text import (
    describe_certainty,
    describe_fault,
    describe_line,
    describe_review,
)
from tic_tac_toe_frontends.words.rules_text import HUMAN
from tic_tac_toe_frontends.words.translation import load

ENGLISH = load("en", {})
#: O gives the draw away with the second move, X the win with the third, and O wins.
CELLS = (8, 2, 5, 0, 4, 1)


class Reading(Later):
    """A table with a review whose queries are answered when the test says so."""

    def __init__(self, *cells: int) -> None:
        super().__init__()
        self.table = table_after(*cells)
        self.changes = 0
        self.review = Review(self.table, self.ask, self._changed)

    def _changed(self) -> None:
        self.changes += 1


def answered_at_once(query: Any, done: Callable[[Any], object]) -> None:
    """Answer that nothing is known."""
    value = Evaluation()
    is_move = isinstance(query, ReviewMove)
    done(ReviewedMove(query.state, query.number, value, value) if is_move else value)


def played(variant: str, text: str) -> Match:
    match = Match(GameState.new(find_rules(variant)))
    for move in read_moves(match.state, text):
        match.submit(match.state.current_mark, move.number)
    return match


def reviewed(table: Table) -> Review:
    review = Review(table, ask_here, lambda: None)
    review.start()
    return review


def test_the_last_move_is_reviewed_first_and_each_answer_is_shown() -> None:
    reading = Reading(*CELLS)
    reading.review.start()
    assert reading.review.progress == Progress(0, 6)
    shown = []
    while not reading.review.is_complete:
        reading.answer()
        shown.append([*reading.review.moves])
    assert shown == [[6, 5, 4, 3, 2, 1][:count] for count in range(7)]
    assert reading.changes == 8


def test_turning_points_signs_and_chances_stand_by_their_moves() -> None:
    review = reviewed(table_after(*CELLS))
    assert [*review.points] == [2, 3]
    assert review.signs == {2: "?", 3: "??", 5: "?!"}
    assert [review.chances[ply] for ply in range(7)] == [0.5, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0]


def test_a_game_in_progress_and_one_without_a_move_are_not_reviewed() -> None:
    reading = Reading(4)
    reading.review.start()
    resigned = Reading()
    resigned.table.resign()
    resigned.review.start()
    assert not reading.review.possible
    assert not resigned.review.possible
    assert (reading.asked, resigned.asked) == ([], [])


def test_a_resigned_game_is_reviewed_from_the_position_in_which_it_was_resigned() -> None:
    table = table_after(4, 1)
    table.resign()
    review = reviewed(table)
    assert [*review.points] == [2]
    assert review.chances[2] == 1.0


def test_another_game_ends_the_review_and_late_answers_are_dropped() -> None:
    reading = Reading(*CELLS)
    reading.review.start()
    reading.table.begin()
    reading.review.look()
    reading.answer()
    assert not reading.review.is_on
    assert reading.review.moves == {}


def test_a_move_taken_back_ends_the_review() -> None:
    table = table_after(*CELLS)
    review = reviewed(table)
    table.take_back()
    review.look()
    assert not review.is_on


def test_a_review_that_is_begun_again_asks_nothing_twice() -> None:
    reading = Reading(*CELLS)
    reading.review.start()
    reading.review.start()
    assert len(reading.asked) == 1


def test_a_query_that_was_dropped_is_asked_again_and_answered_once() -> None:
    reading = Reading(*CELLS)
    reading.review.start()
    reading.review.ask_again()
    assert len(reading.asked) == 2
    reading.answer(0)
    assert reading.review.chances == {}
    reading.answer(1)
    assert [*reading.review.chances] == [6]


def test_long_games_are_reviewed_where_every_answer_comes_at_once() -> None:
    table = Table(Setup(find_rules("mnk:26,26,26"), HUMAN, HUMAN))
    for number in range(300):
        table.place(number)
    table.resign()
    review = Review(table, answered_at_once, lambda: None)
    review.start()
    assert review.is_complete


@pytest.mark.parametrize("ply", [0, 3, 6])
def test_a_new_game_goes_on_from_any_position(ply: int) -> None:
    table = table_after(*CELLS)
    match = table.match
    play_on(table, match, ply)
    assert table.match is not match
    assert [move.number for move in table.match.history] == [*CELLS[:ply]]
    assert match.ply == 6


def test_a_game_that_was_played_elsewhere_goes_on_at_a_table_of_another_game() -> None:
    match = played("connect-four", "4 4 3")
    table = Table(Setup(x=HUMAN, o="easy"))
    play_on(table, match, 2)
    assert table.setup.rules == match.start.rules
    assert table.match.ply == 2
    assert table.setup.o == "easy"


def sentences(variant: str, text: str, person: Mark | None = None) -> list[str]:
    match = played(variant, text)
    table = Table(Setup(match.start.rules, HUMAN, HUMAN))
    play_on(table, match, match.ply)
    if not table.match.over:
        table.resign()
    review = reviewed(table)
    return [
        describe_fault(ply, move, ENGLISH, person)
        for ply, move in sorted(review.moves.items())
        if move.fault
    ]


def test_the_person_is_told_what_the_move_gave_away_and_what_was_better() -> None:
    told = sentences("3x3", "C3 C1 C2 A1 B2 B1", Mark.CROSS)
    assert told == [
        "Move 2, O C1, threw away the draw. With B2 it was a draw.",
        "Your move 3, C2, turned a win into a loss. With A1 it was a win in 3 moves.",
        "Your move 5, B2, loses sooner than it has to. With B1 the game takes longest.",
    ]


def test_columns_are_called_columns() -> None:
    told = sentences("mnk:4,4,3,gravity", "1 2 1 2 3")
    assert any("column" in sentence for sentence in told)


def test_what_is_said_of_a_whole_game() -> None:
    turned = reviewed(table_after(*CELLS)).moves
    even = reviewed(table_after(4, 0, 8, 2, 1, 7, 3, 5, 6)).moves
    assert (
        describe_review(turned, ENGLISH)
        == "The game turned at moves 2\xa0(O\xa0C1), 3\xa0(X\xa0C2)."
    )
    assert describe_review(even, ENGLISH) == "No move threw away a win or a draw."
    assert describe_certainty(even.values(), ENGLISH) == "All of this is exact."


def test_the_best_line_is_written_as_players_write_moves() -> None:
    move = reviewed(table_after(*CELLS)).moves[3]
    assert move.fault is Fault.BLUNDER
    assert describe_line(move, ENGLISH) == "Best play: A1, B2, A3, B1, A2"
