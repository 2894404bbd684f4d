"""Renju and Caro: who wins, what is refused and why. X moves first in diagrams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from renju.check_forbid import ForbidChecker, get_foul_type

from tests.logic.renju_boards import (
    FIVE,
    Board,
    Cell,
    at_random,
    caro_winners,
    constructed,
    empty_cells,
    forbidden,
    made,
    position_of,
)
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.renju import Caro, Renju, forbidden_cells
from tic_tac_toe.logic.search.deepening import look_ahead
from tic_tac_toe.logic.search.exact import AlphaBeta, negamax
from tic_tac_toe.logic.search.mcts import best_of, monte_carlo
from tic_tac_toe.logic.search.tables import solve_table
from tic_tac_toe.logic.shapes import Shape

#: X may not play in the cell "*".
FORBIDDEN = {
    "double_three": "......./...X.../...X.../.XX*.../......./......./O.O.O.O",
    "double_four": "O..X.../...X.../...X.../XXX*.O./......./......./O.O.O.O",
    "double_four in one row": "......./X.X*X.X/......./O.O.O.O/......./......./.......",
    "overline": "......./XX*XXX./......./O.O.O.O/......./.O...../.......",
}
#: X may play in the cell "*": a four with a three, and a three with a closed one.
ALLOWED = [
    "......./...X.../...X.../XXX*.../......./......./O.O.OOO",
    "...O.../...X.../...X.../.XX*.../......./......./O.O.O.O",
]
#: A five in the column: with it, six in the row, or two fours, are allowed.
FIVES = [
    "O.X.O.O/..X...O/XX*XXX./..X...O/..X..../O...O../O.O....",
    "X.X.O.O/.XX...O/XX*X.../..XX..O/..X...O/O...O../O.O..O.",
]


def rules_of(board: Board) -> Renju:
    return Renju(Shape(len(board), len(board[0])))


def starred(diagram: str) -> tuple[Renju, Position, int]:
    """Return the rules, the position, and the cell with the star."""
    board = tuple(diagram.split("/"))
    return rules_of(board), position_of(board), "".join(board).index("*")


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_forbidden_move_of_x_is_refused_with_the_reason(name: str) -> None:
    rules, position, cell = starred(FORBIDDEN[name])
    assert cell not in rules.moves(position)
    with pytest.raises(InvalidMove) as caught:
        rules.play(position, cell)
    assert caught.value.code == name.split()[0]
    assert cell in rules.moves(position._replace(turn=1))
    assert rules.play(position._replace(turn=1), cell).stones[1] >> cell & 1


@pytest.mark.parametrize("diagram", [*ALLOWED, *FIVES])
def test_other_threes_and_fours_are_allowed_and_a_five_comes_before_all_else(diagram: str) -> None:
    rules, position, cell = starred(diagram)
    assert cell in rules.moves(position)
    if diagram in FIVES:
        after = rules.play(position, cell)
        assert rules.outcome(after) == Outcome(0, (2, 9, 16, 23, 30))
        assert rules.moves(after) == ()
        rules.validate(after)


def test_five_win_for_either_side_and_six_only_for_o() -> None:
    rules = Renju(Shape(3, 7))
    five, six = ("XXXXX..", ".......", "O.OO.O."), ("X.X.XX.", ".......", "OOOOOO.")
    assert rules.outcome(position_of(five, 1)) == Outcome(0, (0, 1, 2, 3, 4))
    assert rules.outcome(position_of(six)) == Outcome(1, (14, 15, 16, 17, 18, 19))


def test_the_game_is_drawn_where_x_has_nothing_but_forbidden_cells_left_and_o_may_play() -> None:
    rules, position = Renju(Shape(1, 11)), position_of(("OXXX.XXOOOO",))
    assert rules.moves(position) == []
    assert rules.outcome(position) == Outcome(None)
    rules.validate(position)
    state = GameState.at(rules, position)
    assert state.tie
    with pytest.raises(InvalidMove) as caught:
        state.make_move_to(4)
    assert caught.value.code == "game_over"
    position = position._replace(turn=1)
    assert rules.moves(position) == [4]
    assert rules.outcome(position) is None
    assert rules.outcome(rules.play(position, 4)) == Outcome(None)


def test_moves_are_forbidden_to_x_although_o_has_started() -> None:
    diagram = FORBIDDEN["double_three"].replace("O.O.O.O", "O.O.OOO")
    rules, position, cell = starred(diagram)
    state = GameState.at(rules, position)
    assert state.starting_mark is Mark.NAUGHT
    assert cell not in state.legal_cells


def test_moves_and_play_agree_with_the_forbidden_cells_on_random_boards() -> None:
    rng = Random(0)
    for _ in range(200):
        board = at_random(rng)
        rules, position = rules_of(board), position_of(board)
        if rules.winning_line(position.stones, 1):
            assert rules.moves(position) == ()
            continue
        barred = forbidden_cells(rules.shape, *position.stones)
        empty = {cell for cell, sign in enumerate("".join(board)) if sign == "."}
        assert set(rules.moves(position)) == empty - set(barred)
        for cell, reason in barred.items():
            with pytest.raises(InvalidMove) as caught:
                rules.play(position, cell)
            assert caught.value.code == reason.replace(" ", "_")


def test_alpha_beta_agrees_with_negamax_on_late_positions_with_forbidden_cells() -> None:
    rules, rng, decided = Renju(Shape(5, 7)), Random(0), 0
    for position in late_positions(rules, rng, 20):
        score = negamax(rules, position)
        assert AlphaBeta(rules).score(position) == score
        decided += score != 0
    assert decided >= 3


def late_positions(rules: Renju, rng: Random, count: int) -> Iterator[Position]:
    """Yield positions with five or six empty cells, in which X may not play somewhere."""
    found = 0
    while found < count:
        empty, turn = rng.choice((5, 6)), rng.randrange(2)
        marks = rules.shape.cells - empty
        crosses = marks // 2 if turn == 0 else (marks + 1) // 2
        signs = "X" * crosses + "O" * (marks - crosses) + "." * empty
        board = ("".join(rng.sample(signs, len(signs))),)
        position = position_of(board, turn)
        barred = forbidden_cells(rules.shape, *position.stones)
        if barred and not any(map(rules.lines.found_in, position.stones)):
            rules.validate(position)
            found += 1
            yield position


def test_searches_choose_legal_moves_only() -> None:
    rules, position, _ = starred(FORBIDDEN["double_four"])
    legal = rules.moves(position)
    assert set(look_ahead(rules, position, node_limit=500).best) <= set(legal)
    statistics = monte_carlo(rules, position, Random(0), iterations=60)
    assert [move.move for move in statistics] == legal


# -- forbidden -------------------------------------------------------------------------------------


#: What the referee calls its fouls.
FOULS = {0: None, 1: "double three", 2: "double four", 3: "overline"}


def ours(board: Board) -> dict[Cell, str]:
    """Return the forbidden cells as this project finds them."""
    shape = Shape(len(board), len(board[0]))
    found = forbidden_cells(shape, *position_of(board).stones)
    return {divmod(cell, shape.columns): reason for cell, reason in found.items()}


def numbers(board: Board) -> list[list[int]]:
    """Return a board as the referee wants it."""
    return [[".XO".index(sign) for sign in row] for row in board]


def referees(board: Board) -> dict[Cell, str]:
    """Return the forbidden cells as the referee finds them."""
    referee = ForbidChecker(numbers(board), 0, 0)
    fouls = {cell: FOULS[referee.foulr(*cell, 0)] for cell in empty_cells(board)}
    return {cell: foul for cell, foul in fouls.items() if foul}


# Two threes meet in the middle; that of the row becomes a straight four only in this column.
@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (".......", "double three"),
        (".XX....", "double three"),  # a straight four and a three
        ("XXX...O", None),  # a straight four and a four
        ("XXX.X.O", None),  # a five
        ("XXX.XX.", None),  # an overline
    ],
)
def test_a_three_counts_only_if_its_extension_is_allowed_and_makes_no_five(
    column: str, reason: str | None
) -> None:
    rows = (".......", "...X...", "...X...", ".XX....", ".......", ".......", ".......")
    board = tuple(row[:4] + sign + row[5:] for row, sign in zip(rows, column))
    assert ours(board).get((3, 3)) == made(board, (3, 3)) == referees(board).get((3, 3)) == reason


@pytest.mark.parametrize(
    ("seed", "count"),
    [
        pytest.param(0, 100, marks=pytest.mark.medium),
        pytest.param(1, 500, marks=pytest.mark.slow),
        *(pytest.param(seed, 10_000, marks=pytest.mark.nightly) for seed in range(2, 12)),
    ],
)
def test_the_referee_agrees_on_random_positions(seed: int, count: int) -> None:
    rng, reasons = Random(seed), Counter[str]()
    for _ in range(count):
        board = at_random(rng)
        found = ours(board)
        assert found == referees(board), board
        reasons.update(found.values())
    assert min(reasons[name] for name in FOULS.values() if name) > count / 10


@pytest.mark.parametrize(
    "whole",
    [pytest.param(False, marks=pytest.mark.medium), pytest.param(True, marks=pytest.mark.nightly)],
)
def test_the_referee_agrees_on_1_000_constructed_positions(whole: bool) -> None:
    rng = Random(0)
    for _ in range(1000):
        board, cell = constructed(rng)
        found = ours(board)
        assert found.get(cell) == FOULS[get_foul_type(numbers(board), *cell)], board
        assert not whole or found == referees(board), board


@pytest.mark.slow
def test_the_definitions_agree_on_the_middle_of_1_000_constructed_positions() -> None:
    rng, reasons, spared = Random(0), Counter[str | None](), 0
    for _ in range(1000):
        board, cell = constructed(rng)
        reason = made(board, cell)
        assert ours(board).get(cell) == (None if reason == FIVE else reason), board
        reasons[reason] += 1
        spared += reason is None and made(board, cell, lawful=False) is not None
    assert min(reasons.values()) >= 25
    assert len(reasons) == 5  # the three faults, a five, and nothing
    assert spared >= 50  # double threes on paper, in which a straight four would be forbidden


@pytest.mark.parametrize(
    ("seed", "count"),
    [
        pytest.param(0, 20, marks=pytest.mark.medium),
        pytest.param(1, 60, marks=pytest.mark.slow),
        pytest.param(2, 1_000, marks=pytest.mark.nightly),
    ],
)
def test_the_definitions_agree_on_random_positions(seed: int, count: int) -> None:
    rng = Random(seed)
    for _ in range(count):
        board = at_random(rng)
        assert ours(board) == forbidden(board), board


@pytest.mark.medium
def test_the_definitions_agree_on_every_row_of_ten_cells_without_naughts() -> None:
    for signs in product("X.", repeat=10):
        board = ("".join(signs),)
        assert ours(board) == forbidden(board), board


# -- caro ------------------------------------------------------------------------------------------


def caro_of(board: Board) -> Caro:
    return Caro(Shape(len(board), len(board[0])))


def winners(board: Board) -> set[str]:
    """Return the letters that own a winning row, whether a game can come to that or not."""
    rules, stones = caro_of(board), position_of(board).stones
    return {letter for side, letter in enumerate("XO") if rules.winning_line(stones, side)}


@pytest.mark.parametrize(
    ("row", "wins"),
    [
        ("..XXXXX..", True),
        (".OXXXXX..", True),
        (".OXXXXXO.", False),
        ("XXXXX....", True),
        ("XXXXXO...", True),  # the edge closes no end
        ("...OXXXXX", True),
        ("XXXXX", True),
        (".XXXXXX..", False),
        ("OXXXXXX..", False),
        ("XXXXX.X..", True),
        ("OXXXXXOX.", False),
        ("X.XXXXXO.", True),
    ],
)
def test_a_row_of_exactly_five_wins_unless_it_is_closed_at_both_ends(row: str, wins: bool) -> None:
    board = (row, "." * len(row))
    assert (winners(board) == {"X"}) is wins
    exchanged = (row.translate(str.maketrans("XO", "OX")), board[1])
    assert (winners(exchanged) == {"O"}) is wins


@pytest.mark.parametrize("length", [5, 6, 7])
def test_the_oracle_agrees_on_every_row(length: int) -> None:
    for signs in product("XO.", repeat=length):
        board = ("".join(signs),)
        assert winners(board) == caro_winners(board), board


@pytest.mark.medium
def test_the_oracle_agrees_on_random_boards() -> None:
    rng, found = Random(0), set[frozenset[str]]()
    for _ in range(400):
        size, crosses = rng.choice((7, 8, 9, 15)), rng.choice((30, 45, 60))
        signs = "X" * crosses + "O" * (90 - crosses) + "." * 10
        board = tuple("".join(rng.choices(signs, k=size)) for _ in range(size))
        assert winners(board) == caro_winners(board), board
        found.add(frozenset(winners(board)))
    assert len(found) == 4  # nobody, X, O and both


def test_the_oracle_agrees_on_random_games() -> None:
    rng, rules, ends = Random(0), Caro(Shape(7, 7)), set[int | None]()
    for _ in range(30):
        position = Position(turn=rng.randrange(2))
        while moves := rules.moves(position):
            assert rules.outcome(position) is None
            position = rules.play(position, rng.choice(list(moves)))
        outcome = rules.outcome(position)
        assert outcome is not None
        cells = GameState.at(rules, position).grid.cells.replace(" ", ".")
        winner = set() if outcome.winner is None else {"XO"[outcome.winner]}
        assert caro_winners(tuple(cells[at : at + 7] for at in range(0, 49, 7))) == winner
        ends.add(outcome.winner)
    assert ends == {0, 1, None}


def test_the_outcome_names_the_five_and_not_the_closed_one() -> None:
    board = ("OXXXXXO..", ".........", "..XXXXX..", "O.O.O.O.O", ".O.O.....")
    assert caro_of(board).outcome(position_of(board, 1)) == Outcome(0, (20, 21, 22, 23, 24))


def test_the_game_goes_on_after_a_closed_five_and_after_six() -> None:
    for board in (("OXXXXXO..", "OO.O.....", "........."), (".XXXXXX..", "OO.OO.OO.", ".........")):
        rules, position = caro_of(board), position_of(board)
        assert rules.outcome(position) is None
        assert len(rules.moves(position)) == 27 - position.marks


@pytest.mark.medium
@pytest.mark.parametrize("rules", [Caro(Shape(1, 8), 3), Caro(Shape(3, 3), 3)])
def test_all_searches_agree_on_small_boards(rules: Caro) -> None:
    alpha_beta = AlphaBeta(rules)
    table = solve_table(rules)
    for position, entry in table.items():
        assert alpha_beta.score(position) == entry[0]
        if rules.shape.cells - position.marks <= 4:
            assert negamax(rules, position) == entry[0]


def test_playouts_know_that_a_closed_row_wins_nothing() -> None:
    rules, position = Caro(Shape(1, 6), 3), position_of(("OXX.O.",), 0)
    statistics = monte_carlo(rules, position, Random(0), iterations=50)
    assert best_of(statistics) == (3, 5)
    assert {move.proven for move in statistics} <= {0, None}
