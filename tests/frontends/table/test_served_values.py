"""The values of moves travel from a server to a page, and nothing else is taken for them."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

import pytest

from tic_tac_toe.game.signs import sign_of
from tic_tac_toe.logic.exceptions import GameError, InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe_frontends.table.queries import AnalyseMoves, MoveValues
from tic_tac_toe_frontends.table.served_values import answer, asked_state, query_of, read, write

LATE = parse_moves(GameState.new(find_rules("connect-four-5x4")), "3 3 3 3 1 1 1 1 5 5 2")


def worth(values: MoveValues) -> list[tuple[int, str, str]]:
    return [(move.cell, move.outcome, sign_of(move)) for move in values.moves]


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
    state = parse_moves(GameState.new(find_rules("connect-four")), "4 4 4 4 4 4")
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
    state = parse_moves(GameState.new(), "A1 B1 A2 B2 A3")

    assert json.loads(answer(state)) == {"moves": None}
