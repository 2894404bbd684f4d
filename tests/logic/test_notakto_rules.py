"""Notakto on one board and several: the misère quotient is held against plain search."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations_with_replacement, permutations, product

import pytest

from tests.family_oracles import kinds_of_boards, notakto, notakto_elements, solve, wins_notakto
from tests.logic.exact_values import value_of
from tests.oracles import EMPTY, canonical, put
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.notakto import MOST_BOARDS, Notakto
from tic_tac_toe.logic.rules.traits import Digits, traits_of
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.census import walk_census
from tic_tac_toe.logic.search.table import solve_table
from tic_tac_toe.testing import check_rules

DEAD = "XXX      "


def empty(count: int) -> tuple[str, ...]:
    """Return so many empty boards."""
    return (EMPTY,) * count


def laid_out(boards: Sequence[str], turn: int = 0) -> Position:
    """Return the position that shows these boards side by side."""
    rows = ["".join(board[3 * row : 3 * row + 3] for board in boards) for row in range(3)]
    return Position((sum(1 << i for i, sign in enumerate("".join(rows)) if sign == "X"), 0), turn)


def filled(boards: Sequence[str], count: int) -> list[str]:
    """Return the boards, and dead ones up to this number."""
    return [*boards, *[DEAD] * (count - len(boards))]


def sums(most: int) -> chain[tuple[str, ...]]:
    """Return up to so many boards without a line in every way, up to symmetry."""
    boards = sorted(kinds_of_boards())
    return chain.from_iterable(
        combinations_with_replacement(boards, count) for count in range(most + 1)
    )


@pytest.mark.parametrize("boards", range(1, MOST_BOARDS + 1))
def test_the_rules_keep_their_promises(boards: int) -> None:
    check_rules(Notakto(boards), games=3)


# -- every value -----------------------------------------------------------------------------------


def test_every_position_of_one_board_has_the_value_and_distance_of_the_oracle() -> None:
    values = solve(notakto, empty(1))
    for position, entry in solve_table(Notakto()).items():
        board = "".join("X" if position.stones[0] >> i & 1 else " " for i in range(9))
        living = (canonical(board),)
        assert value_of(entry[0]) == values.get(living, (1, 0))


def test_every_position_of_two_boards_has_the_value_and_distance_of_the_oracle() -> None:
    rules = Notakto(2)
    values, search = solve(notakto, empty(2)), AlphaBeta(rules)
    assert len(values) == 1_128
    for living, value in values.items():
        assert value_of(search.score(laid_out(filled(living, 2)))) == value


@pytest.mark.parametrize(("boards", "outcome", "plies"), [(1, 1, 6), (2, -1, 11), (3, 1, 14)])
def test_the_second_player_wins_on_two_boards_and_the_first_on_one_and_three(
    boards: int, outcome: int, plies: int
) -> None:
    start = (EMPTY,) * boards
    assert solve(notakto, start)[start] == (outcome, plies)
    assert Notakto(boards).foretell(Position()) == (0 if outcome > 0 else 1)


def test_the_only_move_that_wins_on_one_board_is_the_centre() -> None:
    assert solve_table(Notakto())[Position()][1] == (4,)


@pytest.mark.parametrize(("boards", "wins"), [(4, False), (5, True)])
@pytest.mark.slow
def test_the_second_player_wins_on_four_boards_and_the_first_on_five(
    boards: int, wins: bool
) -> None:
    assert wins_notakto((EMPTY,) * boards) == wins
    assert Notakto(boards).foretell(Position()) == (0 if wins else 1)


# -- the misère quotient ---------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 1])
def test_the_product_of_the_boards_foretells_every_position_of_up_to_two_boards(turn: int) -> None:
    rules = Notakto(2)
    for living in sums(2):
        winner = turn if wins_notakto(living) else 1 - turn
        assert rules.foretell(laid_out(filled(living, 2), turn)) == winner


@pytest.mark.slow
def test_the_product_of_the_boards_foretells_every_position_of_three_boards() -> None:
    rules, count = Notakto(3), 0
    for living in sums(3):
        count += 1
        assert (rules.foretell(laid_out(filled(living, 3))) == 0) == wins_notakto(living)
    assert count == 18_424


def test_the_product_foretells_random_positions_of_six_boards_with_many_marks() -> None:
    dice, rules = random.Random(0), Notakto(6)
    boards = [board for board in kinds_of_boards() if board.count("X") > 3]
    for _ in range(100):
        living = tuple(sorted(dice.choices(boards, k=6)))
        assert (rules.foretell(laid_out(living)) == 0) == wins_notakto(living)


@pytest.mark.slow
def test_search_finds_the_18_elements_of_the_quotient_and_the_four_that_are_lost() -> None:
    elements = notakto_elements().values()
    assert len(elements) == 18
    assert [wins_notakto(boards) for boards in elements].count(False) == 4
    # An element is a sum of up to two boards, so that no product of three has more than six.
    rules = Notakto(6)
    for three in combinations_with_replacement(elements, 3):
        boards = tuple(sorted(chain.from_iterable(three)))
        if boards.count(EMPTY) < 3:  # with more the search takes too long
            assert (rules.foretell(laid_out(filled(boards, 6))) == 0) == wins_notakto(boards)


@pytest.mark.slow
def test_each_board_stands_for_one_of_the_elements_whatever_it_is_played_with() -> None:
    rules = Notakto(5)
    elements = notakto_elements().values()
    for board, one, two in product(kinds_of_boards(), elements, elements):
        boards = tuple(sorted((board, *one, *two)))
        if boards.count(EMPTY) < 3:
            assert (rules.foretell(laid_out(filled(boards, 5))) == 0) == wins_notakto(boards)


# -- moves, ends and what is refused ---------------------------------------------------------------


def test_crosses_go_to_any_board_without_a_line() -> None:
    position = laid_out([DEAD, put(EMPTY, 4, "X")])
    rules = Notakto(2)
    assert list(rules.moves(position)) == [3, 4, 5, 9, 11, 15, 16, 17]
    with pytest.raises(InvalidMove, match="That board has a line"):
        rules.play(position, 6)
    with pytest.raises(InvalidMove, match="Cell is not empty"):
        rules.play(position, 10)
    for move in (-1, 18):
        with pytest.raises(InvalidMove, match="There is no such move"):
            rules.play(position, move)


@pytest.mark.parametrize("turn", [0, 1])
def test_who_makes_the_last_line_loses(turn: int) -> None:
    rules = Notakto(2)
    assert rules.outcome(laid_out([DEAD, EMPTY], turn)) is None
    end = laid_out([DEAD, "X  X  X  "], turn)
    assert rules.outcome(end) == Outcome(turn, (0, 1, 2, 3, 9, 15))
    assert list(rules.moves(end)) == []


def test_both_players_place_crosses() -> None:
    state = GameState.new(Notakto())
    after = state.make_move_to(4).after_state.make_move_to(0).after_state
    assert after.grid.cells == "X   X    "
    assert [move.mark for move in after.possible_moves] == ["X"] * 7


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (Position((0, 1)), "There are only crosses in this game"),
        (Position(memory=1), "Nothing is remembered in this game"),
        (Position((1 << 18, 0)), "Marks overlap or lie outside the board"),
        (laid_out(["XXX   XXX", EMPTY]), "The game went on after a line"),
        (laid_out([EMPTY, "XXXXXX   "]), "The game went on after a line"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(bad: Position, message: str) -> None:
    with pytest.raises(InvalidGameState, match=message):
        Notakto(2).validate(bad)


def test_validation_of_one_board_accepts_just_what_games_reach() -> None:
    reached = {position.stones[0] for position in solve_table(Notakto())}
    for crosses, turn in product(range(1 << 9), (0, 1)):
        try:
            Notakto().validate(Position((crosses, 0), turn))
        except InvalidGameState:
            assert crosses not in reached
        else:
            assert crosses in reached


@pytest.mark.parametrize("boards", [0, 7, True, 2.0, "2"])
def test_other_numbers_of_boards_are_refused(boards: int) -> None:
    with pytest.raises(InvalidVariant, match="Notakto has from 1 to 6 boards, not"):
        Notakto(boards)


# -- symmetry and what the game says of itself -----------------------------------------------------


def test_boards_in_any_order_and_turned_have_one_representative() -> None:
    rules = Notakto(3)
    boards = ["X        ", "X   X    ", "       X "]
    turned = ["  X      ", "  X X    ", "     X   "]
    assert rules.canonical(laid_out(boards)) == rules.canonical(laid_out(turned))
    for order in permutations(boards):
        assert rules.canonical(laid_out(order)) == rules.canonical(laid_out(boards))
    assert rules.orbit(laid_out(boards)) == 6 * 4 * 4 * 4


@cache
def widths(boards: int, symmetric: bool) -> list[int]:
    walk = walk_census(Notakto(boards), symmetric=symmetric)
    return [census.positions for _, census in zip(range(6), walk)]


@pytest.mark.parametrize("boards", [1, 2])
def test_the_census_counts_every_position_once_although_boards_are_alike(boards: int) -> None:
    assert widths(boards, True) == widths(boards, False)


@pytest.mark.parametrize("boards", [1, 3])
def test_a_game_takes_at_most_seven_plies_for_each_board(boards: int) -> None:
    traits = traits_of(Notakto(boards))
    assert traits.longest == 7 * boards
    assert traits.sides == ("Player 1", "Player 2")
    assert traits.digits is (Digits.NUMBER_PAD if boards == 1 else Digits.NOTHING)
    assert traits.choices == (0,)
