"""Notakto and games of either letter, beside slow oracles."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain, combinations_with_replacement, product

import pytest

from tests.family_oracles import (
    kinds_of_boards,
    notakto,
    notakto_elements,
    owned,
    solve,
    wins_notakto,
)
from tests.logic.played_games import value_of
from tests.oracles import EMPTY, LINES, put
from tests.theorems import stones_of
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import parse_records
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.letters import CHAOS, ORDER, OrderAndChaos, Wild
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.traits import Digits, traits_of
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.logic.shapes import Shape

DEAD = "XXX      "


def empty(count: int) -> tuple[str, ...]:
    """Return ``count`` empty boards."""
    return (EMPTY,) * count


def laid_out(boards: Sequence[str], turn: int = 0) -> Position:
    """Return the position that shows these boards side by side."""
    rows = ["".join(board[3 * row : 3 * row + 3] for board in boards) for row in range(3)]
    return Position((sum(1 << i for i, sign in enumerate("".join(rows)) if sign == "X"), 0), turn)


def filled(boards: Sequence[str], count: int) -> list[str]:
    """Return the boards, and dead ones up to this number."""
    return [*boards, *[DEAD] * (count - len(boards))]


def sums(most: int) -> chain[tuple[str, ...]]:
    """Return every set of at most ``most`` boards without a line, up to symmetry."""
    boards = sorted(kinds_of_boards())
    return chain.from_iterable(
        combinations_with_replacement(boards, count) for count in range(most + 1)
    )


@pytest.mark.slow
def test_every_position_of_two_boards_has_the_value_and_distance_of_the_oracle() -> None:
    rules = Notakto(2)
    values, search = solve(notakto, empty(2)), AlphaBeta(rules)
    assert len(values) == 1_128
    for living, value in values.items():
        assert value_of(search.score(laid_out(filled(living, 2)))) == value


@pytest.mark.parametrize(
    ("boards", "value"),
    [
        *((1, (1, 6)), (2, (-1, 11)), pytest.param(3, (1, 14), marks=pytest.mark.medium)),
        *(pytest.param(boards, None, marks=pytest.mark.slow) for boards in (4, 5)),
    ],
)
def test_the_first_player_wins_on_an_odd_number_of_boards_and_the_second_on_an_even_one(
    boards: int, value: tuple[int, int] | None
) -> None:
    start = (EMPTY,) * boards
    assert value is None or solve(notakto, start)[start] == value
    assert wins_notakto(start) == (boards % 2 == 1)
    assert Notakto(boards).foretell(Position()) == 1 - boards % 2


# -- the misère quotient ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("boards", "turn", "sums_there"),
    [(2, 0, 1_128), (2, 1, 1_128), pytest.param(3, 0, 18_424, marks=pytest.mark.slow)],
)
def test_the_product_of_the_boards_foretells_every_position_of_up_to_three_boards(
    boards: int, turn: int, sums_there: int
) -> None:
    rules, count = Notakto(boards), 0
    for living in sums(boards):
        count += 1
        winner = turn if wins_notakto(living) else 1 - turn
        assert rules.foretell(laid_out(filled(living, boards), turn)) == winner
    assert count == sums_there


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


@pytest.mark.parametrize("boards", [1, 3])
def test_a_game_takes_at_most_seven_plies_for_each_board(boards: int) -> None:
    traits = traits_of(Notakto(boards))
    assert traits.longest == 7 * boards
    assert traits.sides == ("Player 1", "Player 2")
    assert traits.digits is (Digits.NUMBER_PAD if boards == 1 else Digits.NOTHING)
    assert traits.choices == (0,)


WILD, MISERE_WILD = Wild(), Misere(Wild())
SMALL_ORDER = OrderAndChaos(TIC_TAC_TOE)


def test_order_begins_except_in_records_of_games_that_chaos_began() -> None:
    order, chaos = MARKS[ORDER], MARKS[CHAOS]
    for rules in (SMALL_ORDER, OrderAndChaos(LineRules(Shape(6, 6), 5, exact=True))):
        assert GameState.new(rules).current_mark is order
        with pytest.raises(InvalidGameState) as caught:
            GameState.new(rules, chaos)
        assert str(caught.value) == "Order begins, so O cannot be the starting mark"
        assert caught.value.code == "wrong_beginner"
    old = '[Variant "order-and-chaos"]\n[Starting "O"]\n[Result "*"]\n\n1. XA1 OB2 *\n'
    (record,) = parse_records(old)
    assert (record.initial_state.current_mark, record.final_state.current_mark) == (chaos, chaos)


# -- moves -----------------------------------------------------------------------------------------


def test_the_first_half_of_the_numbers_places_an_x_and_the_second_an_o() -> None:
    assert list(WILD.moves(Position())) == list(range(18))
    assert WILD.play(Position(), 4) == Position((1 << 4, 0), 1)
    assert WILD.play(Position(), 13) == Position((0, 1 << 4), 1)
    assert list(WILD.moves(Position((1, 2), 0))) == [*range(2, 9), *range(11, 18)]


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (0, "Cell is not empty"),
        (9, "Cell is not empty"),
        (18, "There is no such move"),
        (-1, "There is no such move"),
    ],
)
def test_a_move_into_a_taken_cell_or_of_no_letter_is_refused(move: int, message: str) -> None:
    with pytest.raises(InvalidMove, match=message):
        WILD.play(Position((1, 0), 1), move)


def test_either_letter_falls_to_the_lowest_empty_cell() -> None:
    rules = Wild(LineRules(Shape(2, 3), 2, gravity=True))
    assert list(rules.moves(Position())) == [3, 4, 5, 9, 10, 11]
    after = rules.play(Position(), 10)
    assert list(rules.moves(after)) == [1, 3, 5, 7, 9, 11]
    with pytest.raises(InvalidMove, match="A mark falls to the lowest empty cell"):
        rules.play(after, 8)
    with pytest.raises(InvalidGameState, match="A mark floats"):
        rules.validate(Position((1, 0), 1))


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("grid", ["OOO      ", "XXXO O O ", "XO XO  O ", "XOXXOOOXX"])
def test_a_line_of_either_letter_wins_for_who_made_it_or_for_order(grid: str, turn: int) -> None:
    cells = next((line for line in LINES if owned(grid, [line])), ())
    position = Position(stones_of(grid), turn)
    # Chaos wins on a full board without a line.
    assert WILD.outcome(position) == Outcome(1 - turn if cells else None, cells)
    assert MISERE_WILD.outcome(position) == Outcome(turn if cells else None, cells)
    assert SMALL_ORDER.outcome(position) == Outcome(ORDER if cells else CHAOS, cells)
    for rules in (WILD, MISERE_WILD, SMALL_ORDER):
        assert list(rules.moves(position)) == []


def test_a_line_of_order_that_must_be_exact_has_no_mark_of_its_letter_beside_it() -> None:
    exact = OrderAndChaos(LineRules(Shape(6, 6), 5, exact=True))
    six, five = (Position(((1 << length) - 1, 0)) for length in (6, 5))
    assert OrderAndChaos().outcome(six) == Outcome(ORDER, (0, 1, 2, 3, 4, 5))
    assert exact.outcome(six) is None
    assert exact.outcome(five) == Outcome(ORDER, (0, 1, 2, 3, 4))
    assert exact.outcome(Position((five.stones[0], 1 << 5))) == Outcome(ORDER, (0, 1, 2, 3, 4))


def test_sides_have_names_of_their_own() -> None:
    assert traits_of(OrderAndChaos()).sides == ("Order", "Chaos")
    assert traits_of(WILD).sides == ("Player 1", "Player 2")
    assert traits_of(MISERE_WILD).misere
    assert traits_of(MISERE_WILD).flags == ("wild", "misere")
