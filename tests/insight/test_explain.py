"""Explanations say what is proved, in few words, and nothing else."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import pytest

from tic_tac_toe import (
    Explanation,
    GameState,
    InvalidMove,
    InvalidNotation,
    evaluate_moves,
    explain,
    play_moves,
)
from tic_tac_toe.certificate_check import check
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation


def unfinished(game: str) -> Iterator[GameState]:
    """Yield each position of a small game that is not over."""
    todo, seen = [GameState.new(game)], set[object]()
    while todo:
        state = todo.pop()
        if state.position not in seen and not state.game_over:
            seen.add(state.position)
            yield state
            todo += [state.make_move_to(move).after_state for move in state.legal_moves]


@lru_cache(maxsize=1)
def every_move_of_3x3() -> tuple[Explanation, ...]:
    """Return the explanation of each move in each position."""
    return tuple(
        explain(state, move, values=values)
        for state in unfinished("tic-tac-toe")
        for values in [evaluate_moves(state)]
        for move in state.legal_moves
    )


#: For each code a move and the whole explanation: the texts of the documentation and of the tests.
SAID = {
    "wins": (
        "XO./.X./..O",
        "A3",
        "X wins with A3. With A3, X can complete a line at C1 or A2; O can stop only one.",
    ),
    "draws": ("X../.../...", "B2", "O keeps the draw with B2. Any other move loses."),
    "is_lost": (".../..O/.XX", "A1", "O is lost already. X completes A3-C3 with A3."),
    "loses": (
        ".../O.X/.X.",
        "A3",
        "O loses with A3. With A1, X can force a line against every reply. "
        "O could draw with C1 or C3.",
    ),
    "drops_win": (
        ".../.../.OX",
        "A1",
        "X throws the win away. X could win with C1. "
        "X wins with threats that O must answer: X C1, O C2, X A1.",
    ),
    "turns_win": (
        ".../.../O.X",
        "B3",
        "X turns a win into a loss. O wins with threats that X must answer: O A1, X A2, O C1. "
        "X could win with A1.",
    ),
    "completes": (".../..X/OOX", "C1", "X completes C1-C3 with C1."),
    "two_ways": (
        ".../.XO/OXX",
        "A1",
        "O is lost already. X can complete a line at A1 or B1; O can stop only one.",
    ),
    "must_stop": (
        ".../.../OX.",
        "B2",
        "X keeps the draw with B2. With B2, X makes O stop at B1. "
        "With A1, X leaves O no line to complete.",
    ),
    "pair": (
        ".XO/.../.OX",
        "A2",
        "X keeps the draw with A2. With A2, X leaves O only lines through both B2 and A3, "
        "and takes one of them.",
    ),
    "pairs": (
        ".../.X./..O",
        "A1",
        "X keeps the draw with A1. With A1, X leaves O only lines through A3 and B3, or C1 and C2, "
        "and takes one of each.",
    ),
    "answers": (
        ".../.../.XO",
        "A1",
        "X keeps the draw with A1. With A1, X answers C1 with C2 and any other reply with C1, "
        "and can then stop every line.",
    ),
    "must": (
        ".../.X./.XO",
        "B1",
        "O keeps the draw with B1. X was about to complete B1-B3. "
        "After any other move, X completes a line at once.",
    ),
    "only_win": (
        ".../..X/O..",
        "C3",
        "X wins with threats that O must answer: X C3, O C1, X B2. No other move wins.",
    ),
    "stops_fork": (
        ".../O.X/.X.",
        "C1",
        "O keeps the draw with C1. X was about to get two ways to complete a line.",
    ),
}


@pytest.mark.parametrize("code", SAID)
def test_an_explanation_says(code: str) -> None:
    state, move, text = SAID[code]
    explanation = explain(state, move)

    assert str(explanation.message()) == text
    assert code in {fact.code for fact, _ in explanation.facts}


def test_a_board_shows_both_cells_of_a_pair_alike() -> None:
    state, move, _ = SAID["pairs"]
    written = explain(state, move).marks().written

    assert sorted(sign for _, sign in written) == [*"aabb"]


def test_a_board_shows_nothing_of_a_reason_that_is_not_told() -> None:
    explanation = explain("XX./.O./...", "C1")

    assert {fact.code for fact, _ in explanation.facts} > {"pairs", "stops"}
    assert "pairs" not in {each.code for each in explanation.sentences()}
    assert explanation.marks().written == ()


def test_the_best_move_is_explained_unless_one_is_given() -> None:
    assert explain("XX./OO./...").move == 2


@pytest.mark.parametrize(("state", "move"), [("XX./OO./...", "A1"), ("XX./OO./...", "D4")])
def test_a_move_that_is_not_legal_is_refused(state: str, move: str) -> None:
    with pytest.raises((InvalidMove, InvalidNotation)):
        explain(state, move)


def test_99_of_100_moves_of_3x3_have_a_reason() -> None:
    by = Counter(each.by for each in every_move_of_3x3())

    assert sum(by.values()) == 16_167
    assert by["values"] + by[""] <= 161


def test_nine_of_ten_explanations_of_3x3_have_25_words_at_most() -> None:
    words = sorted(len(str(each.message()).split()) for each in every_move_of_3x3())

    assert words[len(words) * 9 // 10] <= 25


def test_each_reason_of_3x3_has_a_certificate_that_the_checker_accepts() -> None:
    for explanation in every_move_of_3x3()[::7]:
        for certificate in explanation.proof():
            check(io.BytesIO(certificate.encode()))


def test_where_nothing_is_proved_nothing_is_said() -> None:
    state = GameState.new("connect-four")
    judged = [MoveEvaluation(move, Evaluation.judged((), 0.5)) for move in state.legal_moves]

    assert explain(state, "4", values=judged).sentences() == ()


def test_columns_are_named_as_columns_and_cells_by_their_rows_from_the_bottom() -> None:
    state = play_moves("connect-four", "44335")
    values = [MoveEvaluation.solved(move, "loss", 2) for move in state.legal_moves]

    assert str(explain(state, "7", values=values).message()) == (
        "O is lost already. X can complete a line at column 2 or column 6; O can stop only one."
    )
