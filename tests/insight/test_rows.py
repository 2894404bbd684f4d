"""Explanations on large boards of lines, judged by strings that know nothing of the library."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from tests.insight.five_by_strings import (
    DIRECTIONS,
    FEW_FOURS,
    MOST_FOURS,
    SIZE,
    answers,
    empty_in,
    fives,
    has_won_by_fours,
    has_won_by_threats,
    line_through,
    may_play,
    put,
    rival,
    run,
    why_barred,
    wins,
    wins_by_fours,
)
from tic_tac_toe import Explanation, GameState, explain, find_rules, format_state, parse_state
from tic_tac_toe.certificate_check import check
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.insight.facts import Fact
from tic_tac_toe.insight.lessons import LESSONS, Exercise
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.notation import parse_cell
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe.logic.search.line_board import cells_of

#: What it may cost to evaluate a position.
WORK = Limits(work=0.02)

# -- facts -----------------------------------------------------------------------------------------


def is_row(cells: tuple[int, ...], size: int) -> bool:
    """Return whether cells follow each other in a row."""
    return len(cells) == size and any(
        {*cells} == {*line[at : at + size]}
        for direction in DIRECTIONS
        for line in [line_through(cells[0], direction)]
        for at in range(len(line) - size + 1)
    )


def is_line(board: str, cell: int, mark: str, line: tuple[int, ...]) -> bool:
    """Return whether a mark in a cell fills five cells in a row."""
    after = put(board, cell, mark)
    return cell in line and is_row(line, 5) and all(after[one] == mark for one in line)


def leaves_fork(game: str, board: str, mark: str, cells: tuple[int, ...]) -> bool:
    """Return whether these are the cells in which a side wins, and a mark stops one at most."""
    other = rival(mark)
    return (
        len(cells) > 1
        and wins(game, board, mark) == tuple(sorted(cells))
        and not wins(game, board, other)
        and all(
            len(wins(game, put(board, cell, other), mark)) >= len(cells) - 1
            for cell in (cells if game != "gomoku-caro" else beside(board, cells))
        )
    )


def is_open_four(game: str, board: str, cell: int, mark: str) -> tuple[int, ...]:
    """Return the ends of four marks in a row through a cell, if both are empty and win."""
    for direction in DIRECTIONS:
        marks, ends = run(board, cell, direction)
        if len(marks) == 4 and ends == "..":
            cells = line_through(cell, direction)
            first = cells.index(marks[0])
            found = cells[first - 1], cells[first + 4]
            if {*found} <= {*wins(game, board, mark)}:
                return found
    return ()


def groups(board: str, mark: str, cell: int, empty: int) -> set[frozenset[int]]:
    """Return the fours through a cell that lack an empty one."""
    return {
        frozenset(places) - {empty}
        for places in fives(board, mark, 4, 0)
        if cell in places and empty in places
    }


def beside(board: str, cells: tuple[int, ...]) -> set[int]:
    """Return the empty cells in a row with others, five cells away at most."""
    rows = [(cell, line_through(cell, direction)) for cell in cells for direction in DIRECTIONS]
    near = {one for cell, row in rows for one in row if abs(row.index(one) - row.index(cell)) <= 5}
    return {cell for cell in near if board[cell] == "."}


def fork(game: str, board: str, mark: str, fact: Fact) -> bool:
    return leaves_fork(game, put(board, fact.moves[0], mark), mark, fact.cells)


def open_four(game: str, board: str, mark: str, fact: Fact) -> bool:
    after = put(board, fact.moves[0], mark)
    ends = is_open_four(game, after, fact.moves[0], mark)
    return {*ends} == {*fact.cells} and fork(game, board, mark, fact)


def double_four(game: str, board: str, mark: str, fact: Fact) -> bool:
    after = put(board, fact.moves[0], mark)
    one, two = (groups(after, mark, fact.moves[0], cell) for cell in fact.cells)
    return bool(one and two) and len(one | two) > 1 and fork(game, board, mark, fact)


def no_answer(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, (cell,) = put(board, fact.moves[0], mark), fact.cells
    return (
        wins(game, after, mark) == (cell,)
        and not wins(game, after, rival(mark))
        and not may_play(game, after, cell, rival(mark))
    )


def no_stop(game: str, board: str, mark: str, fact: Fact) -> bool:
    return (
        wins(game, board, rival(mark)) == fact.cells
        and not wins(game, board, mark)
        and not answers(game, board, mark)
    )


def four_three(game: str, board: str, mark: str, fact: Fact) -> bool:
    move, answer, rest = fact.moves
    after, other = put(board, move, mark), rival(mark)
    if wins(game, after, other) or answers(game, after, other) != (answer,):
        return False
    last = put(put(after, answer, other), rest, mark)
    in_row = any(move in run(last, rest, each)[0] for each in DIRECTIONS)
    ends = is_open_four(game, last, rest, mark)
    return in_row and bool(ends) and not wins(game, last, other) and fact.cells == (answer, rest)


def by_fours(game: str, board: str, mark: str, fact: Fact) -> bool:
    """Return whether each move of a line makes a four, with the answers named alone."""
    other = rival(mark)
    for at in range(0, len(fact.moves), 2):
        board = put(board, fact.moves[at], mark)
        if not wins(game, board, mark) or wins(game, board, other):
            return False
        if answers(game, board, other) != fact.moves[at + 1 : at + 2]:
            return False
        if at + 1 < len(fact.moves):
            board = put(board, fact.moves[at + 1], other)
    return fact.code != "fours" or 2 * fact.count - 1 == len(fact.moves)


def double_three(game: str, board: str, mark: str, fact: Fact) -> bool:
    move = fact.moves[0]
    after = put(board, move, mark)
    made = [
        three
        for three in fact.lines
        if move in three
        and all(after[cell] == mark for cell in three)
        and any(
            {*three, cell} == {*run(put(after, cell, mark), cell, direction)[0]}
            and is_open_four(game, put(after, cell, mark), cell, mark)
            and may_play(game, after, cell, mark)
            for cell in fact.cells
            for direction in DIRECTIONS
        )
    ]
    return len(made) == len(fact.lines) == 2 and not is_row(tuple({*made[0], *made[1]}), 5)


def two_ways(game: str, board: str, mark: str, fact: Fact) -> bool:
    return not wins(game, board, mark) and leaves_fork(game, board, rival(mark), fact.cells)


def stops(game: str, board: str, mark: str, fact: Fact) -> bool:
    move, other = fact.moves[0], rival(mark)
    return (
        wins(game, board, other) == (move,)
        and is_line(board, move, other, fact.lines[0])
        and not wins(game, put(board, move, mark), other)
    )


def makes_fork(game: str, board: str, mark: str) -> bool:
    """Return whether a side, were it to move, could get two ways to win that nothing stops."""
    return any(
        len(wins(game, after, mark)) > 1
        and not wins(game, after, rival(mark))
        and not answers(game, after, rival(mark))
        for cell in empty_in(board, mark, 3)
        if may_play(game, board, cell, mark)
        for after in [put(board, cell, mark)]
    )


def stops_fork(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, other = put(board, fact.moves[0], mark), rival(mark)
    return makes_fork(game, board, other) and not makes_fork(game, after, other)


def stops_fours(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, other = put(board, fact.moves[0], mark), rival(mark)
    return any(wins_by_fours(game, board, other, depth) for depth in range(MOST_FOURS)) and (
        not wins_by_fours(game, after, other, FEW_FOURS)
    )


def four(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, other = put(board, fact.moves[0], mark), rival(mark)
    lacking = [cell for cell in fact.lines[0] if after[cell] == "."]
    return (
        len(lacking) == 1
        and fact.moves[0] in fact.lines[0]
        and is_line(after, lacking[0], mark, fact.lines[0])
        and lacking[0] in wins(game, after, mark)
        and not wins(game, after, other)
        and fact.cells == answers(game, after, other) != ()
    )


def open_three(game: str, board: str, mark: str, fact: Fact) -> bool:
    move = fact.moves[0]
    after = put(board, move, mark)
    rows = [run(after, move, direction) for direction in DIRECTIONS]
    return any(len(marks) == 3 and ends == ".." for marks, ends in rows) and all(
        may_play(game, after, cell, mark)
        and is_open_four(game, put(after, cell, mark), cell, mark)
        and any(move in run(put(after, cell, mark), cell, each)[0] for each in DIRECTIONS)
        for cell in fact.cells
    )


def three(game: str, board: str, mark: str, fact: Fact) -> bool:
    after, (cell,) = put(board, fact.moves[0], mark), fact.cells
    then = put(after, cell, mark)
    return (
        not wins(game, after, mark)
        and not wins(game, after, rival(mark))
        and not wins_by_fours(game, board, mark, FEW_FOURS)
        and may_play(game, after, cell, mark)
        and bool(wins(game, then, mark))
        and any(has_won_by_fours(game, then, mark, depth) for depth in range(MOST_FOURS))
    )


def closes_three(game: str, board: str, mark: str, fact: Fact) -> bool:
    (line,), other = fact.lines, rival(mark)
    rows = [run(board, line[0], direction) for direction in DIRECTIONS]
    return any({*marks} == {*line} and ends == ".." for marks, ends in rows) and (
        board[line[0]] == other and is_row((*line, fact.moves[0]), 4)
    )


def completes(game: str, board: str, mark: str, fact: Fact) -> bool:
    move = fact.moves[0]
    return move in wins(game, board, mark) and is_line(board, move, mark, fact.lines[0])


def must(game: str, board: str, mark: str, fact: Fact) -> bool:
    return not wins(game, board, mark) and answers(game, board, mark) == fact.moves


def barred(game: str, board: str, mark: str, fact: Fact) -> bool:
    return game == "renju" and mark == "X" and why_barred(board, fact.cells[0]) == fact.code


JUDGES: dict[str, Callable[[str, str, str, Fact], bool]] = {
    **{judge.__name__: judge for judge in (fork, open_four, double_four, no_answer, no_stop)},
    **{judge.__name__: judge for judge in (four_three, double_three, two_ways, stops, stops_fork)},
    **{judge.__name__: judge for judge in (stops_fours, four, open_three, three, closes_three)},
    **{judge.__name__: judge for judge in (completes, must)},
    **dict.fromkeys(("forces", "fours"), by_fours),
    **dict.fromkeys(("barred_three", "barred_four", "barred_overline"), barred),
}
#: Facts that are told of what others prove, or that a search proves; see the test of threats.
OTHERS = {"wins", "loses", "is_lost", "turns_win", "missed", "threats"}


def signs(state: GameState) -> str:
    """Return the signs of all cells."""
    return format_state(state).split(" ")[0].replace("/", "")


def judge(game: str, explanation: Explanation) -> Iterator[str]:
    """Yield the codes of the facts of an explanation, each found to be true."""
    for fact, state in explanation.facts:
        board, mark = signs(state), "XO"[fact.side]
        if fact.code not in OTHERS:
            assert JUDGES[fact.code](game, board, mark, fact), (fact, format_state(state))
        yield fact.code


# -- positions -------------------------------------------------------------------------------------

FIVE_IN_A_ROW = ("gomoku", "gomoku-standard", "gomoku-caro", "renju")


def explained(state: GameState, move: int | str) -> Explanation:
    """Return the explanation where nothing is known of any move but that the game is level."""
    values = [MoveEvaluation(each, Evaluation.judged((), 0.5)) for each in state.legal_moves]
    return explain(state, move, values=values)


def position(game: str, crosses: str, naughts: str) -> GameState:
    """Return the state with marks in these cells."""
    rules = find_rules(game)
    own, other = (
        [parse_cell(rules.shape, name) for name in side.split()] for side in (crosses, naughts)
    )
    stones = sum(1 << cell for cell in own), sum(1 << cell for cell in other)
    return GameState.at(rules, Position(stones, len(own) - len(other)))


def played(game: str, seed: str, players: tuple[str, ...]) -> Iterator[GameState]:
    """Yield the positions of a game that begins near the middle."""
    rng, state = Random(seed), GameState.new(game)
    state = state.make_move_to(16 * rng.randrange(5, 10)).after_state
    for turn in range(40):
        yield state
        move = STRATEGIES[players[turn % 2]](state, rng)
        assert move is not None
        state = move.after_state
        if state.game_over:
            return


def near_marks(state: GameState) -> list[int]:
    """Return the legal moves beside a mark."""
    occupied = [divmod(cell, SIZE) for cell in cells_of(state.position.occupied)]
    return [
        move
        for move in state.legal_moves
        for row, column in [divmod(move, SIZE)]
        if any(abs(row - one) < 2 and abs(column - two) < 2 for one, two in occupied)
    ]


# -- tests -----------------------------------------------------------------------------------------

#: For each code the game, the marks of X and of O, a move, and what is said of it.
SAID = {
    "open_four": (
        *("gomoku", "H8 I8 J8", "A1 A3 A5", "K8"),
        "X wins with K8. With K8, X makes an open four and can complete a line at G8 or L8; "
        "O can stop only one.",
    ),
    "double_four": (
        *("gomoku", "E8 F8 G8 H5 H6 H7", "D8 H4 A1 A3 A5 C1", "H8"),
        "X wins with H8. With H8, X makes two fours and can complete a line at I8 or H9; "
        "O can stop only one.",
    ),
    "fork": (
        *("gomoku", "D8 F8 G8 H8 J8 A1", "C1 C3 A5 C5 E1 E3", "B1"),
        "X wins with B1. With B1, X can complete a line at E8 or I8; O can stop only one.",
    ),
    "four_three": (
        *("gomoku", "E8 F8 G8 H9 H10", "D8 A1 A3 A5 C1", "H8"),
        "X wins with H8. With H8, X makes a four and a three; after O stops at I8, X gets an open "
        "four with H7.",
    ),
    "no_answer": (
        *("renju", "F8 G8 H9 H10 M3", "I7 J6 K5 A15", "L4"),
        "O wins with L4. With L4, O can complete a line at H8, where X may not play. "
        "X may not play H8, which would make two threes.",
    ),
    "no_stop": (
        *("renju", "F8 G8 H9 H10 M3", "I7 J6 K5 L4 A15", "A1"),
        "X loses with A1. O can complete a line at H8, where X may not play. "
        "X may not play H8, which would make two threes.",
    ),
    "barred_four": (
        *("renju", "E8 F8 G8 H5 H6 H7 M3", "D8 H4 I7 J6 K5 A15", "L4"),
        "O wins with L4. With L4, O can complete a line at H8, where X may not play. "
        "X may not play H8, which would make two fours.",
    ),
    "barred_overline": (
        *("renju", "E8 F8 G8 I8 J8 M3", "A1 A15 I7 J6 K5", "L4"),
        "O wins with L4. With L4, O can complete a line at H8, where X may not play. "
        "X may not play H8, which would make more than five in a row.",
    ),
    "double_three": (
        *("gomoku", "F8 G8 H9 H10", "A1 A3 A5 C1", "H8"),
        "With H8, X makes two threes at once, and wins against every reply.",
    ),
    "threats": (
        *("gomoku", "F6 E7 E8 F8", "F7 G7 I9", "D8"),
        "O loses with D8. With E6, X wins by threats against every reply.",
    ),
    "stops_fours": (
        "gomoku",
        "F6 E7 G8 H8 E9 H9 I9 J9 J10 K11",
        "H6 F7 G7 H7 F8 I8 F9 G9 K9 L12",
        "I7",
        "O was about to win by fours.",
    ),
    "four": (
        *("gomoku", "E8 F8 G8", "D8 A1 A3", "H8"),
        "With H8, X threatens to complete E8-I8; O must stop it at I8.",
    ),
    "open_three": (
        *("gomoku", "H8 I8", "A1 A3", "J8"),
        "With J8, X makes an open three; X makes it an open four with G8 or K8.",
    ),
    "three": (
        *("gomoku-standard", "H8 I8", "A1 A3", "K8"),
        "With K8, X threatens to win by fours from J8.",
    ),
    "closes_three": (
        *("gomoku", "H8 I8 J8", "F8 L8", "G8"),
        "With G8, O closes one end of H8-J8, three marks of X in a row.",
    ),
}


@pytest.mark.parametrize("code", SAID)
def test_an_explanation_says(code: str) -> None:
    game, crosses, naughts, move, text = SAID[code]
    explanation = explained(position(game, crosses, naughts), move)

    assert str(explanation.message()) == text
    assert code in judge(game, explanation)


def test_a_win_by_many_fours_is_told_by_their_number_and_written_on_the_board() -> None:
    board = (
        "...............|.....O.........|.....OOXO......|...O.XXO.......|....XOOXX......|"
        "..OX.XXOX......|.....X.........|....O.........." + "|..............." * 7
    )
    state = parse_state(board.replace("|", "/"), "gomoku")
    explanation = explained(state, "I4")

    assert str(explanation.message()) == (
        "With I4, X wins by 7 fours in a row, each of which O must answer."
    )
    assert [*judge("gomoku", explanation)] == ["wins", "fours"]
    assert {sign for _, sign in explanation.marks().written} == {*map(str, range(2, 14))}
    (certificate,) = explanation.proof()
    assert check(io.BytesIO(certificate.encode())).theorems == 7


@pytest.mark.parametrize("game", FIVE_IN_A_ROW)
@pytest.mark.parametrize(
    ("count", "players"),
    [
        pytest.param(1, ("rules", "easy"), marks=pytest.mark.medium),
        pytest.param(12, ("medium", "rules"), marks=pytest.mark.slow),
    ],
)
def test_each_fact_is_true_and_each_certificate_is_accepted(
    game: str, count: int, players: tuple[str, ...]
) -> None:
    rng, told, proved = Random(game), Counter[str](), 0
    for number in range(count):
        for state in played(game, f"{game} {number}", players):
            moves = near_marks(state)
            for move in rng.sample(moves, min(3, len(moves))):
                explanation = explained(state, move)
                told.update(judge(game, explanation))
                assert (explanation.by == "proof") == bool(explanation.proof())
                if proved < 4 * count:
                    for certificate in explanation.proof():
                        check(io.BytesIO(certificate.encode()))
                        proved += 1

    assert len(told) > 5
    assert (proved > 0) == (game == "gomoku")


@pytest.mark.parametrize("game", FIVE_IN_A_ROW)
@pytest.mark.slow
def test_a_win_by_threats_is_found_by_a_search_that_tries_every_reply(game: str) -> None:
    rng, found = Random(game), 0
    for number in range(100):
        for state in played(game, f"threats {number}", ("easy", "medium")):
            explanation = explained(state, rng.choice(near_marks(state)))
            for fact, there in explanation.facts:
                if fact.code in ("threats", "double_three"):
                    mark = "XO"[fact.side]
                    after = put(signs(there), fact.moves[0], mark)
                    assert any(has_won_by_threats(game, after, mark, depth) for depth in range(4))
                    assert explanation.by == "search"
                    found += 1
            if found == 2:
                return
    pytest.fail("no win by threats has been found")


@pytest.mark.parametrize("exercise", LESSONS[-1].exercises, ids=lambda each: each.board)
def test_what_is_told_of_each_move_of_a_lesson_is_true(exercise: Exercise) -> None:
    told = [judge("gomoku", exercise.explain(move)) for move in exercise.state.legal_moves]

    assert {code for codes in told for code in codes} & {*exercise.codes}


def test_a_four_of_an_earlier_move_is_not_told_of_another_one() -> None:
    state = position("gomoku", "F6 G7 H8 J10", "E5 A3 A5 A7")

    assert explained(state, "A1").sentences() == ()


def test_what_has_no_value_is_told_without_a_result() -> None:
    explanation = explained(position("gomoku", "H8 I8", "A1 A3"), "J8")

    assert explanation.result is None
    assert (explanation.by, explanation.reasons) == ("", ())
    assert [fact.code for fact in explanation.context] == ["open_three"]


def test_a_forbidden_cell_of_a_refutation_is_told_where_its_side_is_to_move() -> None:
    state = position("renju", "F8 G8 G9 H9 H10", "I7 J6 K5 A15 A1")
    explanation = explained(state, "M3")
    ((barred, there),) = [each for each in explanation.facts if each[0].code == "barred_three"]

    assert str(explanation.message()) == (
        "X loses with M3. With L4, O can complete a line at H8, where X may not play. "
        "X may not play H8, which would make two threes."
    )
    assert there.position.turn == barred.side == 0
    assert there.position.marks == state.position.marks + 2


@pytest.mark.parametrize("game", [*FIVE_IN_A_ROW, "qubic"])
def test_a_move_on_an_empty_board_is_passed_over_in_silence(game: str) -> None:
    assert explained(GameState.new(game), 0).sentences() == ()


def test_split_fours_and_threes_are_not_called_open() -> None:
    one_four = explained(position("gomoku", "D8 F8 G8", "A1 A3 A5"), "H8")
    two_fours = explained(position("gomoku", "D8 F8 G8 J8", "A1 A3 A5 C1"), "H8")
    split_three = explained(position("gomoku", "F8 G8", "A1 A3"), "I8")

    assert str(one_four.sentences()[0]) == (
        "With H8, X threatens to complete D8-H8; O must stop it at E8."
    )
    assert str(two_fours.sentences()[1]) == (
        "With H8, X makes two fours and can complete a line at E8 or I8; O can stop only one."
    )
    assert str(split_three.message()) == "With I8, X threatens to win by fours from H8."


@pytest.mark.parametrize("game", FIVE_IN_A_ROW)
@pytest.mark.slow
def test_most_of_the_best_moves_whose_result_is_proved_have_a_reason(game: str) -> None:
    by = Counter[str]()
    for number in range(4):
        for state in played(game, f"best {number}", ("medium", "rules")):
            if state.position.marks >= 7:
                by[explain(state).by] += 1

    proved = by.total() - by[""]
    assert by["proof"] + by["search"] >= 0.6 * proved > 0


def test_on_a_large_board_not_every_move_is_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        pytest.fail("all moves were to be evaluated")

    monkeypatch.setattr("tic_tac_toe.insight.explain.evaluate_moves", refuse)
    state = position("gomoku", "H8 I8 J8", "A1 A3 A5")
    best, other = explain(state, limits=WORK), explain(state, "A2", limits=WORK)

    assert best.result is not None
    assert (best.result.code, best.before.outcome, best.by) == ("wins", "win", "proof")
    assert (other.before.outcome, other.after.outcome) == ("win", "open")


def test_of_the_only_legal_move_nothing_is_said_about_others() -> None:
    explanation = explain(parse_state(".OX/OOX/XXO x", "mnk:3,3,3,pie"))

    assert explanation.result == Fact("draws", 0, (0,))
    assert "other move" not in str(explanation.message())
