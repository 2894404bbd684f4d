"""Explanations of misère play, judged by strings of nine signs that know nothing of the library."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

import pytest

from tests.insight.test_explain import unfinished
from tic_tac_toe import (
    Explanation,
    GameState,
    evaluate_moves,
    explain,
    find_rules,
    format_state,
    parse_state,
)
from tic_tac_toe.certificate_check import check
from tic_tac_toe.insight.facts import Fact

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
HALF_TURN = (8, 7, 6, 5, 4, 3, 2, 1, 0)
REFLECTIONS = (
    (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    (8, 5, 2, 7, 4, 1, 6, 3, 0),
)


@lru_cache(maxsize=1)
def every_move() -> tuple[Explanation, ...]:
    """Return the explanation of each move in each position of misère 3x3."""
    return tuple(
        explain(state, move, values=values)
        for state in unfinished("misere-tic-tac-toe")
        for values in [evaluate_moves(state)]
        for move in state.legal_moves
    )


# -- the game, by strings --------------------------------------------------------------------------


def put(board: str, cell: int, mark: str) -> str:
    """Return a board with one more mark."""
    assert board[cell] == "."
    return board[:cell] + mark + board[cell + 1 :]


def has_line(board: str, mark: str) -> bool:
    return any(all(board[cell] == mark for cell in line) for line in LINES)


def is_kept(moves: tuple[int, ...], drawing: set[int]) -> bool:
    """Return whether moves are all that draw, or one where these are more than three."""
    return {*moves} == drawing or (len(moves) == 1 and {*moves} < drawing and len(drawing) > 3)


def free(board: str) -> list[int]:
    return [cell for cell, sign in enumerate(board) if sign == "."]


def safe(board: str, mark: str) -> list[int]:
    return [cell for cell in free(board) if not has_line(put(board, cell, mark), mark)]


def rival(mark: str) -> str:
    return "O" if mark == "X" else "X"


@cache
def value(board: str, mark: str) -> tuple[int, int]:
    """Return 1, 0 or -1 for the side to move, and the plies to the end."""
    if has_line(board, rival(mark)):
        return 1, 0
    if "." not in board:
        return 0, 0
    found = [value(put(board, cell, mark), rival(mark)) for cell in free(board)]
    best = max(-result for result, _ in found)
    plies = [each for result, each in found if -result == best]
    return best, 1 + (min(plies) if best > 0 else max(plies))


@cache
def forced(board: str, mark: str, count: int) -> bool:
    """Return whether a side, to move, completes a line within some moves, whatever it does."""
    if "." not in board:
        return False
    for cell in safe(board, mark):
        if count == 1:
            return False
        after, other = put(board, cell, mark), rival(mark)
        if not any(forced(put(after, one, other), mark, count - 1) for one in safe(after, other)):
            return False
    return True


@cache
def ever_completes(board: str, turn: str, mark: str) -> bool:
    """Return whether some play leads to a line of a side."""
    if has_line(board, mark):
        return True
    if has_line(board, rival(mark)):
        return False
    return any(ever_completes(put(board, cell, turn), rival(turn), mark) for cell in free(board))


def copies(board: str, mark: str, image: tuple[int, ...]) -> bool:
    """Return whether a side that copies each move always can, and never completes a line first."""
    other = rival(mark)
    for cell in safe(board, other):
        after = put(board, cell, other)
        if after[image[cell]] != ".":
            return False
        copied = put(after, image[cell], mark)
        if has_line(copied, mark) or not copies(copied, mark, image):
            return False
    return True


def avoids(board: str, turn: str, mark: str, pairs: tuple[tuple[int, int], ...]) -> bool:
    """Return whether a side can take no pair of cells, whatever the other side does."""
    if any(board[one] == board[two] == mark for one, two in pairs):
        return False
    if has_line(board, rival(mark)) or "." not in board:
        return True
    found = (avoids(put(board, cell, turn), rival(turn), mark, pairs) for cell in free(board))
    return any(found) if turn == mark else all(found)


# -- facts -----------------------------------------------------------------------------------------


def holds(board: str, mark: str) -> bool:
    """Return whether a side, that has just moved, completed no line and need not do so."""
    return not has_line(board, mark) and value(board, rival(mark))[0] <= 0


def answered(fact: Fact, board: str, mark: str) -> bool:
    """Return whether the answers that a fact names hold."""
    other = rival(mark)
    answer, usual, replies = fact.cells[0], fact.cells[-1], fact.cells[1:-1]
    if len(fact.cells) == 1 and answer in safe(board, other):
        return False
    for cell in safe(board, other):
        to = answer if cell in replies else usual
        after = put(board, cell, other)
        if after[to] != "." or not holds(put(after, to, mark), mark):
            return False
    return set(replies) <= set(safe(board, other))


def paired(fact: Fact, board: str, mark: str) -> bool:
    """Return whether each line left to a side needs a pair, and the side can take one of each."""
    pairs = tuple(zip(fact.cells[::2], fact.cells[1::2]))
    left = [line for line in LINES if all(board[cell] != rival(mark) for cell in line)]
    return (
        all(board[cell] == "." for cell in fact.cells)
        and all(any(set(pair) <= set(line) for pair in pairs) for line in left)
        and avoids(board, rival(mark), mark, pairs)
    )


def others(fact: Fact, board: str, mark: str) -> Iterator[tuple[int, str]]:
    """Yield every other move, with the board after it."""
    for cell in free(board):
        if cell != fact.moves[0]:
            yield cell, put(board, cell, mark)


def soon(fact: Fact, board: str, mark: str) -> bool:
    """Return whether every other move completes a line, or lets the other side force one."""
    other = rival(mark)
    return all(
        has_line(after, mark)
        or any(forced(put(after, cell, other), mark, fact.count) for cell in safe(after, other))
        for _, after in others(fact, board, mark)
    )


def result_of(board: str, mark: str, cell: int) -> int:
    return -value(put(board, cell, mark), rival(mark))[0]


#: Facts about the board before the first move of their side.
BEFORE: dict[str, Callable[[Fact, str, str], bool]] = {
    "wins": lambda f, b, m: result_of(b, m, f.moves[0]) == 1,
    "draws": lambda f, b, m: result_of(b, m, f.moves[0]) == value(b, m)[0] == 0,
    "is_lost": lambda f, b, m: value(b, m)[0] == -1,
    "drops_win": lambda f, b, m: result_of(b, m, f.moves[0]) == 0 < value(b, m)[0],
    "turns_win": lambda f, b, m: result_of(b, m, f.moves[0]) == -1 and value(b, m)[0] == 1,
    "loses": lambda f, b, m: result_of(b, m, f.moves[0]) == -1 and value(b, m)[0] == 0,
    "missed": lambda f, b, m: result_of(b, m, f.moves[0]) == 1,
    "kept": lambda f, b, m: is_kept(f.moves, {c for c in free(b) if result_of(b, m, c) == 0}),
    "only": lambda f, b, m: all(result_of(b, m, cell) < 0 for cell, _ in others(f, b, m)),
    "only_win": lambda f, b, m: all(result_of(b, m, cell) < 1 for cell, _ in others(f, b, m)),
    "sooner": lambda f, b, m: (
        result_of(b, m, f.moves[0]) == 1
        and value(put(b, f.moves[0], m), rival(m))[1] + 1 == value(b, m)[1]
    ),
    "poison": lambda f, b, m: (
        f.moves[0] in f.lines[0]
        and f.lines[0] in LINES
        and all((b[cell] == m) == (cell != f.moves[0]) for cell in f.lines[0])
    ),
    "must_poison": lambda f, b, m: all(has_line(after, m) for _, after in others(f, b, m)),
    "must_soon": soon,
    "trap": lambda f, b, m: (
        len(f.moves) == 1
        and [*f.moves] == [cell for cell in free(b) if result_of(b, m, cell) == 0]
        and len(free(b)) >= 3
        and value(b, m)[0] == 0
    ),
    "trap_many": lambda f, b, m: (
        1 < len(f.moves) == sum(result_of(b, m, cell) == 0 for cell in free(b))
        and f.count == len(free(b)) >= 3 * len(f.moves)
        and value(b, m)[0] == 0
    ),
}
#: Facts about the board after that move.
AFTER: dict[str, Callable[[Fact, str, str], bool]] = {
    "no_safe_cell": lambda f, b, m: not has_line(b, m) and forced(b, rival(m), 1),
    "no_safe_soon": lambda f, b, m: (
        not has_line(b, m) and forced(b, rival(m), f.count) and not forced(b, rival(m), f.count - 1)
    ),
    "own_closed": lambda f, b, m: not ever_completes(b, rival(m), m),
    "opposite": lambda f, b, m: copies(b, m, HALF_TURN),
    "mirror": lambda f, b, m: any(copies(b, m, image) for image in REFLECTIONS),
    "own_pair": lambda f, b, m: len(f.cells) == 2 and paired(f, b, m),
    "own_pairs": lambda f, b, m: len(f.cells) == 4 and paired(f, b, m),
    "safe_answer": lambda f, b, m: len(f.cells) == 1 and answered(f, b, m),
    "safe_answers": lambda f, b, m: len(f.cells) > 2 and answered(f, b, m),
}


def is_true(fact: Fact, state: GameState) -> bool:
    """Return whether a fact holds where its side is to move."""
    rows, turn = format_state(state).split(" ")[:2]
    board, mark = rows.replace("/", ""), turn.upper()
    if "XO"[fact.side] != mark:
        return False
    if fact.code in BEFORE:
        return BEFORE[fact.code](fact, board, mark)
    return AFTER[fact.code](fact, put(board, fact.moves[0], mark), mark)


@pytest.mark.medium
def test_every_fact_about_misere_3x3_is_true_by_strings() -> None:
    codes = Counter[str]()
    for explanation in every_move():
        for fact, state in explanation.facts:
            assert is_true(fact, state), (format_state(state), fact)
            codes[fact.code] += 1

    assert len(codes) >= 24, codes


@pytest.mark.medium
def test_a_fact_with_another_cell_is_false_as_a_rule() -> None:
    verdicts = Counter[bool]()
    for explanation in every_move()[::5]:
        for fact, state in explanation.facts:
            cells = [cell for cell in state.legal_moves if cell not in (*fact.moves, *fact.cells)]
            if fact.code in AFTER and cells:
                changed = Fact(
                    fact.code, fact.side, (cells[0],), fact.cells, fact.lines, fact.count
                )
                verdicts[is_true(changed, state)] += 1

    assert verdicts[False] > verdicts[True] > 0


@pytest.mark.medium
def test_95_of_100_moves_of_misere_3x3_have_a_reason() -> None:
    by = Counter(each.by for each in every_move())

    assert sum(by.values()) == 16_167
    assert by["values"] + by[""] <= 808


@pytest.mark.medium
def test_nine_of_ten_explanations_of_misere_3x3_have_25_words_at_most() -> None:
    words = sorted(len(str(each.message()).split()) for each in every_move())

    assert words[len(words) * 9 // 10] <= 25


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.slow)])
def test_each_reason_of_misere_3x3_has_a_certificate_that_the_checker_accepts(step: int) -> None:
    claims = 0
    for explanation in every_move()[::step]:
        for certificate in explanation.proof():
            check(io.BytesIO(certificate.encode()))
            claims += 1
        if explanation.by == "proof":
            assert explanation.proof()
    assert claims > 15_000 / step


#: For each code a game, a move and the whole explanation.
SAID = {
    "poison": (
        "misere-tic-tac-toe",
        "OX./O../.X.",
        "B2",
        "X completes B1-B3 with B2, and that loses. X could win with C1.",
    ),
    "no_safe_cell": (
        "misere-tic-tac-toe",
        ".../.XX/OOX o",
        "B1",
        "O wins with B1. With B1, O leaves X only cells that complete a line of X.",
    ),
    "no_safe_soon": (
        "misere-tic-tac-toe",
        "OXO/.../XX. o",
        "C2",
        "O wins with C2. With C2, O can make X complete a line of its own within 2 moves.",
    ),
    "own_closed": (
        "misere-tic-tac-toe",
        "OX./X.O/.OX",
        "C1",
        "X keeps the draw with C1. With C1, X can no longer complete a line of its own.",
    ),
    "opposite": (
        "misere-tic-tac-toe",
        ".../.../...",
        "B2",
        "X keeps the draw with B2. With B2, X copies each move of O on the opposite side, and "
        "never completes a line first.",
    ),
    "mirror": (
        "misere-tic-tac-toe",
        "OOX/.X./OX.",
        "C3",
        "X keeps the draw with C3. With C3, X copies each move of O as in a mirror, and never "
        "completes a line first.",
    ),
    "own_pair": (
        "mnk:4,2,3,misere",
        "X.../OX.. o",
        "C1",
        "O keeps the draw with C1. With C1, O needs both B1 and D1 for a line, and never has to "
        "take both.",
    ),
    "own_pairs": (
        "mnk:4,2,3,misere",
        "...X/...O",
        "C2",
        "X keeps the draw with C2. With C2, X needs A2 and B2, or B1 and C1, for a line, and "
        "never has to take both.",
    ),
    "safe_answer": (
        "misere-tic-tac-toe",
        "XXO/O../.XO",
        "A3",
        "X keeps the draw with A3. With A3, X can take C2 next, where O would complete a line, and "
        "never has to complete one.",
    ),
    "safe_answers": (
        "misere-tic-tac-toe",
        ".../.OX/XXO o",
        "C1",
        "O keeps the draw with C1. With C1, O answers B1 with A2, any other safe reply with B1, "
        "and never has to complete a line.",
    ),
    "must_poison": (
        "mnk:4,2,3,misere",
        "O.XX/.XOO",
        "A2",
        "X keeps the draw with A2. With A2, X can no longer complete a line of its own. Any other "
        "move completes a line.",
    ),
    "must_soon": (
        "misere-tic-tac-toe",
        ".OX/X../O..",
        "A1",
        "X keeps the draw with A1. Any other move completes a line of X, or O can force one within "
        "2 moves.",
    ),
    "trap": (
        "tic-tac-toe",
        ".../.../...",
        "A1",
        "X keeps the draw with A1. O has only one good reply, B2.",
    ),
    "trap_many": (
        "wild",
        "O../.X./..X o",
        "OB3",
        "Player 2 keeps the draw with OB3. Player 1 has 2 good replies of 10.",
    ),
    "must_end": (
        "wild",
        "OX./XXO/.O.",
        "XC3",
        "Player 1 keeps the draw with XC3. After any other move, Player 2 has won or wins at once.",
    ),
    "must_not": (
        "misere-wild",
        "X.X/XXO/OXO",
        "OB1",
        "Player 1 keeps the draw with OB1. Any other move loses at once.",
    ),
    "no_safe": (
        "notakto",
        ".X./..X/...",
        "C1",
        "Player 1 is lost already. With B2, Player 2 leaves Player 1 only replies that lose at "
        "once.",
    ),
}


@pytest.mark.parametrize("code", SAID)
def test_an_explanation_says(code: str) -> None:
    game, state, move, text = SAID[code]
    explanation = explain(parse_state(state, find_rules(game)), move)

    assert str(explanation.message()) == text
    assert code in {fact.code for fact, _ in explanation.facts}
