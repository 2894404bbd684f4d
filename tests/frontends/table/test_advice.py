"""Hints, analyses and reviews at a table, found here or by a server."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.frontends.desk import Later, table_after
from tic_tac_toe.game.evaluate import Fault, ReviewedMove, evaluate, review_move
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import GameError, InvalidNotation
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import parse_moves, play_moves
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.search.evaluation import UNKNOWN, Evaluation, MoveEvaluation
from tic_tac_toe.pictures.board import sign_of
from tic_tac_toe_frontends.table.advice import Advice
from tic_tac_toe_frontends.table.looking_back import (
    LookingBack,
    Progress,
    Review,
    ValuePoint,
    play_on,
    value_graph,
)
from tic_tac_toe_frontends.table.queries import (
    AnalyseMoves,
    ExplainMove,
    MoveValues,
    ReviewMove,
    ask_here,
)
from tic_tac_toe_frontends.table.served_values import answer, asked_state, query_of, read, write
from tic_tac_toe_frontends.table.table import Setup, Table
from tic_tac_toe_frontends.table.telling import analysis_text, hint_text, picture_text, text_below
from tic_tac_toe_frontends.words.review_text import (
    describe_certainty,
    describe_fault,
    describe_line,
    describe_review,
)
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
            *hint_text(self.advice, state, ENGLISH),
            *analysis_text(self.advice, ENGLISH, "+ wins"),
        ]


def test_a_hint_is_looked_for_once_and_names_one_move_and_when_asked_again_all_best_ones() -> None:
    sitting = Sitting()

    sitting.advice.ask_hint()
    sitting.advice.ask_hint()
    assert (len(sitting.asked), sitting.told) == (1, ["Looking for a hint …"])
    sitting.answer()
    assert (len(sitting.asked), sitting.told) == (2, ["Looking for a hint …"])
    changes = sitting.changes
    sitting.answer()

    assert sitting.told[0] == "Best for X: A1."
    assert sitting.changes == changes + 1
    for _ in range(2):
        sitting.advice.ask_hint()
    sitting.answer()

    assert sitting.advice.best == tuple(range(9))
    assert sitting.told[0] == "Best for X: A1, B1, C1, A2, B2, C2, A3, B3, C3."
    assert len(sitting.asked) == 3


def test_a_hint_tells_the_theme_then_where_then_the_move_and_why_and_then_all_best_moves() -> None:
    sitting = Sitting()
    for cell in (0, 4, 1):
        sitting.table.place(cell)
    told = list[tuple[list[str], tuple[int, ...], dict[int, str]]]()

    for _ in range(4):
        sitting.advice.ask_hint()
        while len(sitting.asked) < 3 and sitting.advice.is_seeking_hint:
            sitting.answer()
        told.append((sitting.told, sitting.advice.best, sitting.advice.written))
    sitting.answer()

    assert told[:2] == [(["Stop a line."], (), {}), (["Look at the corners."], (), {})]
    assert told[2] == (
        [
            "Best for O: C1.",
            "With best play on both sides nobody wins.",
            "X was about to complete A1-C1.",
            "After any other move, X completes a line at once.",
        ],
        (2,),
        {},
    )
    assert sitting.told == told[2][0][:2]
    assert (len(sitting.asked), sitting.advice.written) == (3, {})


def test_a_hint_tells_the_move_at_once_beside_the_values_of_all_moves() -> None:
    sitting = Sitting()
    for cell in (0, 4, 1):
        sitting.table.place(cell)
    sitting.analyse()
    sitting.answer()

    sitting.advice.ask_hint()
    sitting.answer()

    assert (sitting.told[0], sitting.advice.best) == ("Best for O: C1.", (2,))


def test_it_is_told_why_a_move_is_worth_what_it_is_and_why_the_last_move_was() -> None:
    sitting = Sitting()
    for cell in (0, 1):
        sitting.table.place(cell)
    sitting.analyse()
    sitting.answer()

    sitting.advice.explain(4)
    assert sitting.told == ["Looking for the reason …", "+ wins"]
    sitting.answer()
    assert sitting.told[0].startswith("X wins with threats that O must answer: X B2, ")
    sitting.advice.explain()
    sitting.answer()

    assert sitting.told[0] == "O loses with B1."
    sitting.table.place(4)
    assert not any("loses" in text for text in sitting.told)


def test_a_chosen_move_and_the_threat_against_it_have_signs_in_empty_cells() -> None:
    sitting = Sitting()
    for cell in (0, 4, 1, 2):
        sitting.table.place(cell)
    sitting.advice.explain(3)
    sitting.answer()
    assert sitting.advice.written == {3: "*", 6: "!"}

    sitting.table.place(3)
    assert sitting.advice.written == {}
    sitting.advice.explain()
    sitting.answer()
    assert sitting.advice.written == {6: "!"}


def choosing() -> Sitting:
    """Return a table with values and the question which move to explain."""
    sitting = Sitting()
    sitting.table.place(0)
    sitting.analyse()
    sitting.answer()
    sitting.advice.ask_why()
    assert sitting.told[0].startswith("Choose a move")
    return sitting


@pytest.mark.parametrize(
    "action",
    [
        lambda sitting: sitting.advice.ask_hint(),
        lambda sitting: sitting.advice.explain(4),
        lambda sitting: sitting.advice.ask_why(),
        lambda sitting: sitting.advice.analyse(wanted=False),
        lambda sitting: sitting.advice.reset(),
        lambda sitting: sitting.table.place(4),
        lambda sitting: sitting.table.replay.show(sitting.table.match, 0),
    ],
    ids=["hint", "choice", "last", "no values", "reset", "move", "past"],
)
def test_no_move_is_chosen_any_more_after(action: Callable[[Sitting], object]) -> None:
    sitting = choosing()

    action(sitting)

    assert not sitting.advice.is_choosing


def test_without_values_the_last_move_is_explained_at_once() -> None:
    sitting = Sitting()
    sitting.table.place(0)

    sitting.advice.ask_why()
    sitting.answer()

    assert not sitting.advice.is_choosing
    assert sitting.told[0] == "X keeps the draw with A1."


def test_nothing_is_claimed_of_a_move_that_nothing_is_proved_of() -> None:
    sitting = Sitting()
    sitting.table.new_game(Setup(find_rules("gomoku"), HUMAN, HUMAN))
    sitting.advice.explain()
    assert sitting.asked == []
    sitting.advice.explain(112)
    sitting.answer()

    assert sitting.told == ["Nothing about this move can be proved in a sentence."]


@pytest.mark.parametrize("moves_on", [lambda sitting: sitting.table.place(4), Sitting.analyse])
def test_a_hint_about_another_state_is_dropped_and_one_about_this_state_is_not(
    moves_on: Callable[[Sitting], object],
) -> None:
    sitting = Sitting()
    sitting.advice.ask_hint()

    moves_on(sitting)
    sitting.advice.refresh()
    sitting.answer(0)
    if isinstance(sitting.asked[-1][0], ExplainMove):
        sitting.answer()

    assert bool(sitting.advice.best) == (sitting.table.match.ply == 0)


def test_a_hint_is_forgotten_when_the_game_moves_on_and_when_people_say_so() -> None:
    sitting = Sitting()
    sitting.advice.ask_hint()
    sitting.answer()

    sitting.table.place(4)
    assert sitting.advice.hint is None
    sitting.advice.refresh()
    sitting.table.take_back()
    assert sitting.advice.hint is None
    sitting.advice.ask_hint()
    sitting.advice.reset()
    sitting.answer()

    assert (sitting.advice.hint, sitting.told) == (None, [])


def test_an_analysis_follows_the_game_until_it_is_switched_off() -> None:
    sitting = Sitting()
    sitting.analyse()
    assert sitting.told == ["Analysing …"]
    sitting.answer()
    assert (len(sitting.advice.values), sitting.told) == (9, ["+ wins"])

    sitting.table.place(4)
    sitting.advice.refresh()
    sitting.advice.refresh()
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

    for found in (
        valued(GOOD, POOR, DRAW),
        valued(WON, POOR, GOOD),
        valued(POOR, WIN, POOR),
        valued(WIN, WIN, WIN),
    ):
        sitting.asked[-1][1](found)
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
    assert (query.callback.stopped, sitting.told) == (True, [])

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

    sitting.table.replay.return_to_present()
    sitting.advice.refresh()

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
    sitting.advice.refresh()

    assert sitting.told == ["Analysing …"]


def test_there_is_no_advice_at_a_computers_turn_after_the_end_or_while_looking_back() -> None:
    sitting = Sitting(o="easy")
    sitting.table.place(4)
    assert not sitting.advice.is_useful
    sitting.table.answer(sitting.table.state, 0)
    assert sitting.advice.is_useful
    sitting.advice.ask_hint()
    sitting.answer()
    sitting.answer()
    sitting.table.replay.show(sitting.table.match, 1)
    assert (sitting.advice.is_useful, sitting.advice.hint) == (False, None)
    sitting.table.replay.return_to_present()
    assert sitting.advice.hint
    sitting.table.resign()
    sitting.advice.ask_hint()

    assert not sitting.advice.is_useful
    assert len(sitting.asked) == 2


@pytest.mark.parametrize("for_watchers", [False, True])
def test_people_who_watch_computers_are_advised_where_the_screen_says_so(
    for_watchers: bool,
) -> None:
    sitting = Sitting("easy", "easy", for_watchers=for_watchers)

    sitting.analyse()

    assert bool(sitting.asked) is sitting.advice.is_useful is for_watchers


def test_below_the_status_a_refusal_comes_first_and_the_analysis_last() -> None:
    sitting = Sitting()
    sitting.table.place(4)
    sitting.analyse()
    sitting.answer()
    sitting.advice.ask_hint()
    sitting.answer()

    told = text_below(sitting.table, sitting.advice, ENGLISH, "+ wins", "Taken.")

    assert told == [
        "Taken.",
        "Best for O: A1.",
        "With best play on both sides nobody wins.",
        "X plays B2.",
        "+ wins",
    ]
    assert picture_text(sitting.advice, sitting.table.state, ENGLISH) == [
        *told[1:3],
        "In the cells: + wins, = draws, − loses; the number counts the winner's moves.",
    ]


# -- values that a server has ----------------------------------------------------------------------

LATE = play_moves(GameState.new(find_rules("connect-four-5x4")), "3 3 3 3 1 1 1 1 5 5 2")


def worth(values: MoveValues) -> list[tuple[int, str, str]]:
    return [(move.move, move.outcome, sign_of(move)) for move in values.moves]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_query_names_the_state_that_it_is_about(name: str) -> None:
    state = GameState.new(find_rules(name))
    state = state.make_move_to(state.legal_moves[0]).after_state

    asked = asked_state(dict(parse_qsl(query_of(state))))

    assert (asked.rules, asked.position) == (state.rules, state.position)


def test_an_answer_says_what_the_moves_are_worth_and_that_a_server_has_found_it() -> None:
    found = AnalyseMoves(LATE)()
    served = read(answer(LATE), LATE)

    assert served is not None
    assert (found.by_server, served.by_server) == (False, True)
    assert worth(served) == worth(found)
    assert served.is_exact


def test_estimates_are_told_in_percent_and_what_is_proved_stays_proved() -> None:
    state = play_moves(GameState.new(find_rules("connect-four")), "4 4 4 4 4 4")
    known = (
        Evaluation(chance=0.5),
        Evaluation.proved(990, (), "threats"),
        Evaluation.proved(-990, (), "engine"),
        Evaluation.exact(0, length=4),
        Evaluation.exact(0, length=0),
        Evaluation.exact(993),
    )
    moves = MoveValues(tuple(map(MoveEvaluation, state.legal_moves, known)))
    served = read(write(moves.moves), state)

    assert served is not None
    assert worth(served) == worth(moves)


def test_a_server_leaves_games_to_the_page_that_its_solver_does_not_solve() -> None:
    state = GameState.new(find_rules("ultimate"))

    assert read(answer(state), state) is None


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"game": "connect-four"},
        {"game": "no-such-game", "state": "XXO/O.X/.O. x"},
        {"game": "tic-tac-toe", "state": "XXX/XXX/XXX x"},
        {"game": "tic-tac-toe", "state": "?"},
        {"game": "tic-tac-toe", "state": "." * 1_001},
        {"game": "mnk:7,6,4" * 200, "state": "..."},
    ],
)
def test_a_query_about_no_state_is_refused(parameters: dict[str, str]) -> None:
    with pytest.raises(GameError):
        asked_state(parameters)


@pytest.mark.parametrize(
    "change",
    [
        {"move": 99},
        {"outcome": "victory"},
        {"plies": None},
        {"plies": -1},
        {"percent": 50},
        {"outcome": "open"},
        {"plies": None, "percent": 101},
        {"plies": True},
        {"more": 1},
    ],
)
def test_what_is_no_answer_about_the_state_is_refused(change: dict[str, object]) -> None:
    found = json.loads(answer(LATE))
    found["moves"][0] |= change

    with pytest.raises(InvalidNotation):
        read(json.dumps(found), LATE)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"moves": []}', '{"moves": {}}', "<html>"])
def test_another_text_is_no_answer(text: str) -> None:
    with pytest.raises(InvalidNotation):
        read(text, LATE)


def test_a_game_that_is_over_has_no_values() -> None:
    state = play_moves(GameState.new(), "A1 B1 A2 B2 A3")

    assert json.loads(answer(state)) == {"moves": None}


# -- reviews ---------------------------------------------------------------------------------------

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
    for move in parse_moves(match.state, text):
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


def test_turning_points_and_signs_stand_by_their_moves() -> None:
    review = reviewed(table_after(*CELLS))
    assert [*review.points] == [2, 3]
    assert review.signs == {2: "?", 3: "??", 5: "?!"}


def test_the_graph_of_a_game_has_the_chance_of_the_first_side_at_each_position() -> None:
    table = table_after(*CELLS)
    points = value_graph(reviewed(table), table.match)
    assert [point.ply for point in points] == [*range(7)]
    assert [point.share for point in points] == [0.5, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0]
    assert all(point.is_exact for point in points)
    assert [point.ply for point in points if point.is_fault] == [2, 3, 5]


def test_the_graph_grows_with_the_review_and_tells_estimates_from_proofs() -> None:
    reading = Reading(*CELLS)
    assert value_graph(reading.review, reading.table.match) == ()
    reading.review.start()
    reading.answer()
    assert value_graph(reading.review, reading.table.match) == (ValuePoint(6, 0.0, True, False),)
    review = Review(reading.table, answered_at_once)
    review.start()
    assert not any(point.is_exact for point in value_graph(review, reading.table.match))


def test_a_move_agrees_with_what_a_later_answer_proves_of_the_position_before_it() -> None:
    def ask(query: Any, done: Any) -> None:
        match query:
            case ReviewMove(state, number, after) if state.grid.cells.count(" ") == 7:
                done(ReviewedMove(state, number, UNKNOWN, after.before_move()))
            case ReviewMove(state, number):
                done(review_move(state, number, evaluate(state.make_move_to(number).after_state)))
            case _:
                done(query())

    table = table_after(*CELLS)
    review = Review(table, ask)
    review.start()

    assert review.signs == reviewed(table).signs
    assert review.moves[3].better == ()
    points, proved = (value_graph(each, table.match) for each in (review, reviewed(table)))
    assert points == proved


@pytest.mark.parametrize(("people", "ply"), [("XO", 2), ("X", 3), ("O", 2), ("", 2)])
def test_the_first_fault_is_a_persons_own_and_grave_one(people: str, ply: int) -> None:
    table = table_after(*CELLS)
    names = {mark: HUMAN if mark in people else "easy" for mark in "XO"}
    table.setup = table.setup._replace(x=names["X"], o=names["O"])
    assert reviewed(table).first_fault == ply


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
    assert value_graph(review, table.match)[2].share == 1.0


def test_another_game_ends_the_review_and_late_answers_are_dropped() -> None:
    reading = Reading(*CELLS)
    reading.review.start()
    reading.table.new_game()
    reading.review.refresh()
    reading.answer()
    assert not reading.review.is_on
    assert reading.review.moves == {}


def test_a_move_taken_back_ends_the_review() -> None:
    table = table_after(*CELLS)
    review = reviewed(table)
    table.take_back()
    review.refresh()
    assert not review.is_on


def test_a_review_that_is_begun_again_asks_nothing_twice() -> None:
    reading = Reading(*CELLS)
    reading.review.start()
    reading.review.start()
    assert len(reading.asked) == 1


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


def test_the_reason_of_a_mistake_is_told_when_it_is_shown_and_of_any_move_when_asked() -> None:
    later = Later()
    table = table_after(*CELLS)
    past = LookingBack(table, later.ask, lambda: None, lambda _step: None)
    past.start_review()
    while not past.review.is_complete:
        assert not past.may_explain
        later.answer()
    assert table.replay.ply == 2
    assert len(past.describe(ENGLISH)[0].split(". ")) == 2
    later.answer()

    assert past.describe(ENGLISH)[0] == (
        "Move 2, O C1, threw away the draw. X wins with threats that O must answer: X A1, O B2, "
        "X A3. With B2 it was a draw."
    )
    assert past.written == {0: "2", 4: "3", 6: "4"}
    asked = len(later.asked)
    past.show_ply(1)
    assert len(later.asked) == asked
    past.explain()
    assert past.describe(ENGLISH) == ["Looking for the reason …"]
    later.answer()
    assert past.describe(ENGLISH)[0] == "X keeps the draw with C3."
    past.show_ply(2)
    assert len(later.asked) == asked + 1
    table.new_game()
    table.place(8)
    assert (past.describe(ENGLISH), past.written) == ([], {})


def test_the_reason_of_a_missed_win_stands_after_the_move_that_would_have_won() -> None:
    table = table_after(0, 1, 4, 8, 5)
    table.resign()
    move = reviewed(table).moves[5]
    why = ExplainMove(move.state, move.number)()
    assert describe_fault(5, move, ENGLISH, why=why).startswith(
        "Move 5, X C2, threw away the win. With A2 it was a win in 2 moves. With A2, X can "
    )


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
