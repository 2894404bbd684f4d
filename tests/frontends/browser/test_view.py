"""The view of the page as a value: what is seen and can be done before, in and after a game."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any, NamedTuple

import pytest

from tests.frontends.desk import PEOPLE
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.browser.page.settings import Settings
from tic_tac_toe_frontends.browser.page.view import BUTTONS, View, view
from tic_tac_toe_frontends.table.commands import Desk
from tic_tac_toe_frontends.table.driver import Driver, LongThought
from tic_tac_toe_frontends.table.looking_back import LookingBack
from tic_tac_toe_frontends.table.queries import ChooseMove, ask_here
from tic_tac_toe_frontends.table.study import Study
from tic_tac_toe_frontends.table.table import Setup, Table

ENGLISH = NullTranslations()
EASY = Setup(x="human", o="easy")
#: Moves 2, 3 and 5 are mistakes, and O wins.
LOST = (8, 2, 5, 0, 4, 1)
WON = (0, 3, 1, 4, 2)
DRAWN = (4, 0, 1, 7, 6, 2, 5, 3, 8)


class Seen(NamedTuple):
    """A desk, and the settings with which it is seen."""

    desk: Desk
    settings: Settings

    def view(self, **options: int) -> View:
        """Return what is seen now."""
        board = self.settings.of_board(self.desk.table.state.rules)
        return view(self.desk, board, ENGLISH, **options)  # type: ignore[arg-type]


def seen(*cells: int, setup: Setup = PEOPLE) -> Seen:
    """Return a desk after moves into cells."""
    table = Table(setup)
    table.new_game(moves=cells, counts=True)
    driver = Driver(table, lambda: None, lambda _query, _done: None)
    past = LookingBack(table, ask_here, lambda: None, lambda _step: None)
    study = Study(table, ask_here, lambda: None)
    desk = Desk(table, driver, past, LongThought(driver), lambda _reason: None, study)
    return Seen(desk, Settings(dict[str, str]().get, lambda _name, _value: None))


def shown(found: View) -> set[str]:
    """Return the buttons that are there and have an effect."""
    return {name for name, button in found.buttons if button.is_shown and button.is_enabled}


def primary(found: View) -> list[str]:
    """Return the titles of the buttons that stand out."""
    return [button.title for _, button in found.buttons if button.is_primary and button.is_shown]


# -- before and in a game --------------------------------------------------------------------------


def test_before_the_first_move_little_can_be_done() -> None:
    found = seen(setup=EASY).view()

    assert (found.is_idle, found.status, found.result) == (True, "Your turn: you are X.", "")
    assert (found.score, found.draws, found.note) == ("You against", "", "")
    assert shown(found) == {"hint", "give-up", "restart"}
    assert primary(found) == []
    assert (found.moves.moves, found.graph, found.way) == ((), None, "computer")


def test_in_a_game_moves_are_listed_and_taken_back() -> None:
    found = seen(4, 0).view()

    assert (found.is_idle, found.is_past, found.status) == (False, False, "X to move.")
    assert shown(found) == {"hint", "explain", "give-up", "restart", "undo", "film"}
    assert [move.name for move in found.moves.moves] == ["X B2", "O A1"]
    assert (found.moves.moment, found.moves.place) == (2, "Move 2 of 2")
    assert (found.way, found.score, found.board.last) == ("friend", "", 0)


def test_a_move_that_was_taken_back_can_be_played_again() -> None:
    sitting = seen(4)
    sitting.desk.do("undo")
    found = sitting.view()

    assert (found.is_idle, found.moves.moves) == (False, ())
    assert "redo" in shown(found)


def test_a_way_is_pressed_only_while_this_game_is_seen() -> None:
    assert seen(setup=EASY).view(is_shown=False).way == ""


def test_a_move_that_is_refused_is_explained_until_the_next_action() -> None:
    sitting = seen(4)
    sitting.desk.table.remark = "This cell is taken."
    assert sitting.view().refusal == "This cell is taken."

    sitting.desk.do("undo")
    assert sitting.view().refusal == ""


# -- why -------------------------------------------------------------------------------------------


def answering(*cells: int, setup: Setup = EASY) -> Seen:
    """Return a desk after moves into cells, at which all questions but for moves are answered."""
    table = Table(setup)
    table.new_game(moves=cells)

    def ask(query: Any, done: Callable[[Any], object]) -> None:
        if not isinstance(query, ChooseMove):
            done(query())

    driver = Driver(table, lambda: None, ask)
    past = LookingBack(table, ask, lambda: None, lambda _step: None)
    study = Study(table, ask, lambda: None)
    desk = Desk(table, driver, past, LongThought(driver), lambda _reason: None, study)
    driver.start()
    return Seen(desk, Settings(dict[str, str]().get, lambda _name, _value: None))


#: X has A1 and B1, O has B2 and C1 and will complete C1-A3.
DANGER = (0, 4, 1, 2)


def test_the_reason_of_the_last_move_is_told_and_drawn_on_a_board_with_names() -> None:
    sitting = answering(*DANGER, 3, setup=PEOPLE)
    assert (sitting.view().board.names, sitting.view().board.written) == (False, ())

    sitting.desk.do("explain")
    found = sitting.view()

    assert found.note.startswith("X loses with A2. O completes C1-A3 with A3.")
    assert (found.board.written, found.board.names, found.is_explained) == (((6, "!"),), True, True)


def test_in_the_past_the_reason_of_the_shown_move_is_told_and_drawn() -> None:
    sitting = answering(*DANGER, 3, 6, setup=PEOPLE)
    assert "explain-past" in shown(sitting.view())
    sitting.desk.do("replay-back")
    sitting.desk.do("explain")

    assert sitting.view().board.written == ((6, "!"),)
    sitting.desk.do("replay-back")
    assert (sitting.view().board.written, sitting.view().is_explained) == ((), False)


def test_what_the_coach_objects_to_is_taken_back_or_left() -> None:
    sitting = answering(*DANGER)
    sitting.desk.do("coach")
    sitting.desk.play_cell(3)
    found = sitting.view()

    assert found.note.startswith("X loses with A2.")
    assert found.board.written == ((6, "!"),)
    assert primary(found) == ["Try another move"]
    assert {"undo", "go-on"} <= shown(found)
    assert shown(found).isdisjoint({"hint", "explain"})
    sitting.desk.do("replay-back")
    assert "X loses" not in sitting.view().note
    sitting.desk.do("replay-last")
    sitting.desk.do("go-on")
    assert "go-on" not in shown(sitting.view())


def test_the_question_why_is_about_any_move_while_values_are_shown() -> None:
    sitting = answering(0, 4)
    sitting.desk.do("analysis")
    sitting.desk.do("explain")

    found = sitting.view()
    assert (found.is_choosing, found.note[:13]) == (True, "Choose a move")
    sitting.desk.explain(3)
    assert "A2" in sitting.view().note


# -- after a game ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "cells", "result", "title"),
    [
        (EASY, WON, "win", "Play the next level: Medium"),
        (EASY, LOST, "loss", "Try again"),
        (EASY._replace(o="minimax"), WON, "win", "Play again"),
        (EASY, DRAWN, "draw", "Play again"),
        (PEOPLE, WON, "over", "Play again"),
    ],
)
def test_after_a_game_one_button_stands_out(
    setup: Setup, cells: tuple[int, ...], result: str, title: str
) -> None:
    found = seen(*cells, setup=setup).view()

    assert (found.result, primary(found)) == (result, [title])
    assert {"new-game", "review-start", "share-result"} <= shown(found)
    assert shown(found).isdisjoint({"hint", "give-up", "restart", "easier-level", "play-on"})


def test_the_score_is_counted_beside_the_opponent_and_draws_after_it() -> None:
    sitting = seen(setup=PEOPLE)
    for cells in (WON, LOST, DRAWN):
        sitting.desk.table.new_game()
        for cell in cells:
            sitting.desk.table.play_cell(cell)
    found = sitting.view()

    assert (found.score, found.draws) == ("X 1 : 1 O", "1 draw")


def test_wins_in_a_row_are_told_from_the_second_on() -> None:
    sitting = seen(*WON, setup=EASY)

    assert "in a row" not in sitting.view(wins=1).note
    assert sitting.view(wins=3).note.startswith("3 wins in a row!")


def test_in_the_past_nothing_stands_out_and_the_game_can_go_on_from_there() -> None:
    sitting = seen(*WON)
    sitting.desk.do("replay-back")
    found = sitting.view()

    assert (found.is_past, found.result, primary(found)) == (True, "", [])
    assert found.status == "Looking back: after move 4 of 5."
    assert "play-on" in shown(found)
    assert found.moves.moment == 4


def test_a_review_marks_mistakes_and_draws_the_course_of_the_game() -> None:
    sitting = seen(*LOST)
    assert sitting.view().graph is None
    sitting.desk.do("review")
    found = sitting.view()

    assert [move.ply for move in found.moves.moves if move.sign] == [2, 3, 5]
    assert {"fault-back", "fault-on"} & shown(found)
    assert found.graph is not None
    assert (found.graph.total, len(found.graph.points)) == (6, 7)
    assert {point.ply for point in found.graph.points if point.is_fault} == {2, 3, 5}
    assert all(0 <= point.share <= 1 for point in found.graph.points)


# -- choices ---------------------------------------------------------------------------------------


def test_settings_change_the_board_and_the_names_of_its_cells() -> None:
    sitting = seen(4, 0)
    before = sitting.view()
    sitting.settings.numbers = sitting.settings.from_bottom = sitting.settings.names = True
    after = sitting.view()

    assert (before.board.numbers, before.board.names) == ((), False)
    assert [move.number for move in after.board.numbers] == [4, 0]
    assert (after.board.names, after.board.from_bottom) == (True, True)
    assert [move.name for move in before.moves.moves] == ["X B2", "O A1"]
    assert [move.name for move in after.moves.moves] == ["X B2", "O A3"]
    assert after.buttons == before.buttons


def test_what_is_said_names_cells_as_the_board_does() -> None:
    sitting = seen(setup=Setup(find_rules("gomoku"), "human", "human"))
    sitting.settings.from_bottom = True
    sitting.desk.attempt(lambda: sitting.desk.table.play_cell(0))
    sitting.desk.table.remark = "There is a mark on A1."

    assert sitting.view().refusal == "There is a mark on A15."


def test_a_board_of_boards_is_counted_from_the_top_alone() -> None:
    sitting = seen(40, setup=Setup(find_rules("ultimate"), "human", "human"))
    before = sitting.view()
    sitting.settings.from_bottom = True

    assert sitting.view().status == before.status
    assert sitting.view().moves == before.moves


def test_two_computers_are_an_entry_only_while_they_play() -> None:
    alone, watched = (
        seen(setup=Setup(find_rules("connect-four"), x, "easy")).view().game
        for x in ("human", "easy")
    )

    assert alone.opponents[0][0] == alone.opponent == "easy"
    assert watched.opponents[-1][0] == watched.opponent != alone.opponents[-1][0]
    assert [name for name, _ in alone.opponents[:4]] == ["easy", "medium", "hard", "minimax"]


def test_a_view_without_a_change_is_the_same_value() -> None:
    sitting = seen(4, 0)

    assert sitting.view() == sitting.view()
    assert {name for name, _ in sitting.view().buttons} == {*BUTTONS, "share-result"}
