"""What is said about moves is read back from the English, and is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from tests.insight.reading import READERS, move_in
from tests.insight.sentences import judge
from tests.insight.signs import Board, Move
from tests.insight.tables import Table, board_of, moves_of, name_of, table, text_of

EMPTY, CORNER, TWO_EACH = ".../.../... x", "X../.../... o", "XX./OO./... x"
COLUMNS, LATE_COLUMNS = "...../...../...../..... x", "...../X.X.O/O.O.X/XOX.O x"
#: A lie of each kind: the game, the position, the move and the sentence.
LIES = {
    "wins": ("tic-tac-toe", EMPTY, "A1", "X wins with A1."),
    "draws": ("tic-tac-toe", CORNER, "B1", "O keeps the draw with B1."),
    "is_lost": ("tic-tac-toe", EMPTY, "A1", "X is lost already."),
    "drops_win": ("tic-tac-toe", EMPTY, "A1", "X throws the win away."),
    "turns_win": ("tic-tac-toe", EMPTY, "A1", "X turns a win into a loss."),
    "loses": ("tic-tac-toe", EMPTY, "A1", "X loses with A1."),
    "completes": ("tic-tac-toe", TWO_EACH, "C1", "X completes C1-C3 with C1."),
    "fork": (
        "tic-tac-toe",
        "XO./.../... x",
        "B2",
        "With B2, X can complete a line at A2 or C3; O can stop only one.",
    ),
    "stacked": (
        "mnk:5,4,4,gravity",
        COLUMNS,
        "column 1",
        "With column 1, X can complete a line at column 2 or right above it; O can stop only one.",
    ),
    "forces": (
        "tic-tac-toe",
        "XO./.../... x",
        "A2",
        "X wins with threats that O must answer: X A2, O C3, X B2.",
    ),
    "quiet": ("tic-tac-toe", EMPTY, "A1", "With A1, X can force a line against every reply."),
    "follow_win": (
        "mnk:5,4,4,gravity",
        COLUMNS,
        "column 1",
        "With column 1, X can always play right above O, and so completes a line of 4.",
    ),
    "wins_now": ("tic-tac-toe", EMPTY, "A1", "X wins at once with A1."),
    "loses_now": ("tic-tac-toe", TWO_EACH, "C1", "X loses at once with C1."),
    "no_safe": (
        "mnk:3,3,3,misere",
        EMPTY,
        "A1",
        "With A1, X leaves O only replies that lose at once.",
    ),
    "no_defence": ("wild", EMPTY, "XA1", "With XA1, X wins at once after every reply."),
    "closed": ("tic-tac-toe", EMPTY, "B2", "With B2, X leaves O no line to complete."),
    "pair": (
        "tic-tac-toe",
        EMPTY,
        "B2",
        "With B2, X leaves O only lines through both A1 and B1, and takes one of them.",
    ),
    "pairs": (
        "tic-tac-toe",
        EMPTY,
        "B2",
        "With B2, X leaves O only lines through A1 and B1, or A3 and C3, and takes one of each.",
    ),
    "follow": (
        "mnk:5,4,4,gravity",
        COLUMNS,
        "column 1",
        "With column 1, X can always play right above O, who gets no line.",
    ),
    "must_stop": ("tic-tac-toe", EMPTY, "A1", "With A1, X makes O stop at B1."),
    "answers": (
        "tic-tac-toe",
        CORNER,
        "B1",
        "With B1, O answers B2 with C3 and any other reply with B2, and can then stop every line.",
    ),
    "missed": ("tic-tac-toe", EMPTY, "A1", "X could win with B2."),
    "at_once": ("tic-tac-toe", TWO_EACH, "A3", "Quicker: C3 wins at once."),
    "kept": ("tic-tac-toe", CORNER, "B1", "O could draw with B2 or C3."),
    "stops": ("tic-tac-toe", TWO_EACH, "C2", "O was about to complete C1-C3."),
    "stops_fork": (
        "tic-tac-toe",
        CORNER,
        "B2",
        "X was about to get two ways to complete a line.",
    ),
    "two_ways": (
        "tic-tac-toe",
        TWO_EACH,
        "A3",
        "O can complete a line at C2 or C3; X can stop only one.",
    ),
    "must": ("tic-tac-toe", CORNER, "B2", "After any other move, X completes a line at once."),
    "only": ("tic-tac-toe", EMPTY, "B2", "Any other move loses."),
    "only_win": ("tic-tac-toe", EMPTY, "B2", "No other move wins."),
    "sooner": ("tic-tac-toe", TWO_EACH, "C1", "X could win sooner with C2."),
    "zugzwang": (
        "mnk:5,4,4,gravity",
        COLUMNS,
        "column 1",
        "With column 1, X makes O play under row 2 from the bottom of column 3 in the end.",
    ),
    "rows_win": (
        "mnk:5,4,4,gravity",
        LATE_COLUMNS,
        "column 2",
        "With column 2, X wins in the odd rows from the bottom: it stops lines and "
        "never plays right under one.",
    ),
    "plan_win": (
        "mnk:5,4,4,gravity",
        LATE_COLUMNS,
        "column 2",
        "With column 2, X wins by the plan on the board.",
    ),
    "plans_win": (
        "mnk:5,4,4,gravity",
        LATE_COLUMNS,
        "column 2",
        "With column 2, X has a plan to win against every reply.",
    ),
    "no_safe_cell": (
        "mnk:3,3,3,misere",
        EMPTY,
        "A1",
        "With A1, X leaves O only cells that complete a line of O.",
    ),
    "no_safe_soon": (
        "mnk:3,3,3,misere",
        EMPTY,
        "B2",
        "With B2, X can make O complete a line of its own within 4 moves.",
    ),
    "poison": ("mnk:3,3,3,misere", TWO_EACH, "C2", "X completes A1-C1 with C2, and that loses."),
    "rows_hold": (
        "mnk:5,4,4,gravity",
        ".X.../.X.../.XOO./OOXXO x",
        "column 1",
        "With column 1, X stops every line in the even rows from the bottom, and "
        "never plays right under one.",
    ),
    "plan_hold": (
        "mnk:5,4,4,gravity",
        ".X.../.X.../.OO../XXOO. x",
        "column 1",
        "With column 1, X stops every line by the plan on the board.",
    ),
    "plans_hold": (
        "mnk:5,4,4,gravity",
        ".X.../.X.../.OO../XXOO. x",
        "column 1",
        "With column 1, X has a plan against every reply, and does not lose.",
    ),
    "own_closed": (
        "mnk:3,3,3,misere",
        EMPTY,
        "B2",
        "With B2, X can no longer complete a line of its own.",
    ),
    "opposite": (
        "mnk:3,3,3,misere",
        EMPTY,
        "A1",
        "With A1, X copies each move of O on the opposite side, and never completes a line first.",
    ),
    "mirror": (
        "mnk:3,3,3,misere",
        EMPTY,
        "A1",
        "With A1, X copies each move of O as in a mirror, and never completes a line first.",
    ),
    "own_pair": (
        "mnk:3,3,3,misere",
        EMPTY,
        "B2",
        "With B2, X needs both A1 and C3 for a line, and never has to take both.",
    ),
    "own_pairs": (
        "mnk:3,3,3,misere",
        EMPTY,
        "B2",
        "With B2, X needs A1 and C3, or A3 and C1, for a line, and never has to take both.",
    ),
    "safe_answer": (
        "mnk:3,3,3,misere",
        EMPTY,
        "B2",
        "With B2, X can take A1 next, where O would complete a line, "
        "and never has to complete one.",
    ),
    "safe_answers": (
        "mnk:3,3,3,misere",
        EMPTY,
        "A1",
        "With A1, X answers B2 with A2, any other safe reply with B2, "
        "and never has to complete a line.",
    ),
    "must_end": (
        "tic-tac-toe",
        CORNER,
        "B2",
        "After any other move, X has won or wins at once.",
    ),
    "must_not": ("mnk:3,3,3,misere", TWO_EACH, "A3", "Any other move loses at once."),
    "must_poison": ("mnk:3,3,3,misere", TWO_EACH, "A3", "Any other move completes a line."),
    "must_soon": (
        "mnk:3,3,3,misere",
        EMPTY,
        "B2",
        "Any other move completes a line of X, or O can force one within 2 moves.",
    ),
    "trap": ("tic-tac-toe", EMPTY, "A1", "O has only one good reply, C3."),
    "trap_many": ("tic-tac-toe", EMPTY, "A1", "O has 2 good replies of 8."),
}


def test_a_lie_of_each_kind_is_refused() -> None:
    assert LIES.keys() == {reader.__name__ for _, reader in READERS}
    for kind, (name, position, move, text) in LIES.items():
        board = board_of(table(name), position)
        [judged] = judge(board, move_in(board, move), table(name).values, text)
        assert judged.kind == kind
        assert judged.fault


def test_a_sentence_that_is_not_known_is_a_fault() -> None:
    board = board_of(table("tic-tac-toe"), EMPTY)
    text = "X keeps the draw with A1. X likes corners."
    judged = list(judge(board, move_in(board, "A1"), table("tic-tac-toe").values, text))
    assert [each.fault for each in judged] == ["", "not read"]


def faults_in(place: Table, moves: Iterable[tuple[Board, Move]]) -> tuple[list[str], Counter[str]]:
    """Return the sentences that are not true or not read, and the number of sentences by kind."""
    faults, kinds = list[str](), Counter[str]()
    for board, move in moves:
        text = str(place.explain(board, move).message())
        for each in place.read(board, move, text):
            kinds[each.kind] += 1
            if each.fault:
                where = f"{place.name} | {text_of(board)} | {name_of(board, move)}"
                faults.append(f"{where} | {each.sentence} | {each.fault} | {text}")
    return faults, kinds


@pytest.mark.medium
@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize(("name", "least"), [("tic-tac-toe", 20), ("mnk:3,3,3,misere", 10)])
def test_every_sentence_about_every_move_of_3x3_is_true(name: str, least: int, turn: int) -> None:
    place = table(name)
    boards = [board for board in place.positions() if board.turn == turn]
    faults, kinds = faults_in(place, ((board, move) for board in boards for move in board.moves))
    assert faults == []
    assert len(kinds) >= least


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "opening", "count"),
    [
        ("mnk:4,4,3", 0, 600),
        ("wild", 0, 600),
        ("mnk:5,4,4,gravity", 10, 400),
        ("connect-four", 22, 300),
    ],
)
def test_sentences_about_played_positions_are_true(name: str, opening: int, count: int) -> None:
    place = table(name)
    faults, kinds = faults_in(place, moves_of(place.played(Random(1), opening), count))
    assert faults == []
    assert kinds.total() > count


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "opening", "count"),
    [("mnk:4,4,3", 0, 50_000), ("wild", 0, 40_000), ("connect-four", 14, 10_000)],
)
def test_sentences_about_very_many_played_positions_are_true(
    name: str, opening: int, count: int
) -> None:
    place = table(name)
    faults, kinds = faults_in(place, moves_of(place.played(Random(2), opening), count))
    assert faults == []
    assert kinds.total() > count
