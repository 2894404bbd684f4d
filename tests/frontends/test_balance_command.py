"""The balance of a game: its first moves by value, and which of them are fair."""

from __future__ import annotations

from typing import Any

import pytest

from tests.frontends.solving import Command
from tic_tac_toe import GameState, find_rules, verdict
from tic_tac_toe.logic.rules.statuses import OPEN, STATUSES, Status
from tic_tac_toe_frontends.words.rules_text import describe_status
from tic_tac_toe_frontends.words.translation import load


def test_the_first_moves_of_connect_four_are_told_from_the_book(in_process: Command) -> None:
    assert in_process("balance", "--variant", "connect-four").out.splitlines() == [
        "First moves of Connect Four:",
        "  win in 21 moves: 4",
        "  draw: 3, 5",
        "  loss in 21 moves: 2, 6",
        "  loss in 20 moves: 1, 7",
        "Fair first moves, which give neither side a win: 3, 5",
        "With the pie rule the game is a draw.",
    ]


def test_without_draws_the_moves_with_the_longest_games_are_nearest(in_process: Command) -> None:
    assert in_process("balance", "--variant", "4x4x3").out.splitlines() == [
        "First moves of 4x4x3:",
        "  win in 3 moves: B2, C2, B3, C3",
        "  win in 4 moves: B1 and 7 more",
        "  win in 6 moves: A1, D1, A4, D4",
        "No first move is fair; the nearest are those after which the game takes",
        "  longest: A1, D1, A4, D4",
        "With the pie rule the second player wins.",
    ]


def test_a_game_that_takes_no_pie_rule_is_told_without_it(in_process: Command) -> None:
    assert in_process("balance", "--variant", "wild").out.splitlines() == [
        "First moves of Wild tic-tac-toe:",
        "  win in 4 moves: XB2, OB2",
        "  draw: XA1 and 7 more, XB1 and 7 more",
        "Fair first moves, which give neither side a win: XA1 and 7 more, XB1 and 7 more",
    ]


def test_the_balance_as_json_names_every_move_once(in_process: Command) -> None:
    (printed,) = in_process("balance", "--variant", "mnk:4,3,3", "--json").answers

    moves: list[int] = [move for opening in printed["openings"] for move in opening["moves"]]
    assert sorted(moves) == list(range(12))
    assert (printed["variant"], printed["pie"]) == ("mnk:4,3,3", "loss")
    assert printed["openings"][0] == {
        "moves": [1, 2, 9, 10],
        "names": ["B1", "C1", "B3", "C3"],
        "outcome": "win",
        "plies": 7,
        "fair": False,
    }


def test_the_flag_pie_asks_about_the_same_moves(in_process: Command) -> None:
    plain, pie = (
        in_process("balance", "--variant", f"mnk:4,4,4,gravity{flag}").out for flag in ("", ",pie")
    )
    assert plain == pie


@pytest.mark.parametrize(
    "name", ["mnk:3,3,3", "mnk:4,3,3", "4x4x3", "4x4", "mnk:3,3,1", "mnk:3,2,2,torus", "3x3x3"]
)
def test_the_pie_rule_is_worth_what_the_game_with_it_is(name: str, in_process: Command) -> None:
    (printed,) = in_process("balance", "--variant", name, "--json").answers

    assert printed["pie"] == verdict(GameState.new(find_rules(f"{name},pie"))).outcome


def test_a_game_that_is_too_large_is_refused(in_process: Command) -> None:
    ended = in_process("balance", "--variant", "gomoku", "--limit", "1000")

    assert ended.status == 1
    assert "not all is solved: no answer after 1,000 positions (see --limit)" in ended.err


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (OPEN, "open (not solved)"),
        (STATUSES["4x4"], "solved: draw (by this program)"),
        (STATUSES["vanishing"], "solved: first player wins in 7 moves (by this program)"),
        (
            STATUSES["vanishing-reuse"],
            "solved: draw, the game goes on for ever (by this program)",
        ),
        (STATUSES["notakto-2"], "solved: second player wins in 5 moves (by this program)"),
        (STATUSES["qubic"], "solved: first player wins (Oren Patashnik, 1980)"),
        (Status("loss", source="Ann"), "solved: second player wins (Ann)"),
    ],
)
def test_a_status_says_who_wins_and_who_says_so(status: Any, text: str) -> None:
    assert describe_status(status, load("en", {})) == text
