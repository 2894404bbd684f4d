"""Games of either letter: wild, misère wild, Order and Chaos, and the oracle beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from itertools import product

import pytest

from tests.family_oracles import misere_wild, order_and_chaos, owned, solve, wild
from tests.logic.exact_values import value_of
from tests.oracles import EMPTY, LINES
from tests.theorems import stones_of
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE
from tic_tac_toe.logic.rules.letters import LetterRules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.order_and_chaos import CHAOS, ORDER, OrderAndChaos
from tic_tac_toe.logic.rules.topology import TORUS
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.wild import Wild
from tic_tac_toe.logic.search.census import walk_census
from tic_tac_toe.logic.search.table import Table, solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import check_rules

WILD, MISERE_WILD = Wild(), Misere(Wild())
SMALL_ORDER = OrderAndChaos(TIC_TAC_TOE)
GAMES = [
    WILD,
    MISERE_WILD,
    Wild(CONNECT_FOUR),
    Wild(LineRules(Shape(3, 4), 3, topology=TORUS)),
    SMALL_ORDER,
    OrderAndChaos(),
    OrderAndChaos(LineRules(Shape(6, 6), 5, exact=True)),
]
Game = Callable[[str], Collection[str] | int]


@cache
def table(rules: Rules) -> Table:
    return solve_table(rules)


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_the_rules_keep_their_promises(rules: Rules) -> None:
    check_rules(rules, games=3)


# -- every value -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "game"), [(WILD, wild), (MISERE_WILD, misere_wild)])
def test_every_value_and_distance_is_that_of_the_oracle(rules: Rules, game: Game) -> None:
    values = solve(game, EMPTY)
    found = {position.stones: value_of(entry[0]) for position, entry in table(rules).items()}
    assert found == {stones_of(grid): value for grid, value in values.items()}
    assert len(found) == 18_753


def test_wild_is_won_in_seven_plies_by_either_letter_in_the_centre_alone() -> None:
    entry = table(WILD)[Position()]
    assert value_of(entry[0]) == (1, 7)
    assert entry[1] == (4, 13)


def test_misere_wild_is_a_draw_by_either_letter_in_the_centre_alone() -> None:
    entry = table(MISERE_WILD)[Position()]
    assert value_of(entry[0]) == (0, 0)
    assert entry[1] == (4, 13)


@pytest.mark.parametrize("starter", [ORDER, CHAOS])
def test_order_and_chaos_3x3_has_every_value_and_distance_that_the_oracle_says(
    starter: int,
) -> None:
    values = solve(order_and_chaos(LINES), (EMPTY, starter == ORDER))
    found = solve_table(SMALL_ORDER, Position(turn=starter))
    assert {position: value_of(entry[0]) for position, entry in found.items()} == {
        Position(stones_of(grid), ORDER if order_moves else CHAOS): value
        for (grid, order_moves), value in values.items()
    }


def test_order_wins_3x3_in_five_plies_from_corners_and_centre_and_in_six_after_chaos() -> None:
    order, chaos = table(SMALL_ORDER), solve_table(SMALL_ORDER, Position(turn=CHAOS))
    assert value_of(order[Position()][0]) == (1, 5)
    assert order[Position()][1] == (0, 2, 4, 6, 8, 9, 11, 13, 15, 17)
    assert value_of(chaos[Position(turn=CHAOS)][0]) == (-1, 6)


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
def test_a_move_of_either_letter_into_a_taken_cell_or_of_no_letter_is_refused(
    move: int, message: str
) -> None:
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


def test_no_order_of_turns_and_letters_is_wrong_but_what_play_forbids_is() -> None:
    for position in table(WILD):
        WILD.validate(position)
    reached = {(*position.stones, position.turn) for position in table(WILD)}
    reached |= {(*stones[:2], 1 - stones[2]) for stones in reached}  # where side 1 begins
    for signs in product(" XO", repeat=9):
        crosses, naughts = stones_of("".join(signs))
        for turn in (0, 1):
            try:
                WILD.validate(Position((crosses, naughts), turn))
            except InvalidGameState:
                assert (crosses, naughts, turn) not in reached
            else:
                assert (crosses, naughts, turn) in reached


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (Position((1, 1)), "Marks overlap or lie outside the board"),
        (Position((1 << 9, 0)), "Marks overlap or lie outside the board"),
        (Position(turn=2), "The turn is 0 or 1"),
        (Position(memory=1), "Nothing is remembered in this game"),
        (Position(stones_of("XXXOOO   ")), "The game went on after a line"),
        (Position(stones_of("XXXO  XXX")), "The game went on after a line"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(bad: Position, message: str) -> None:
    with pytest.raises(InvalidGameState, match=message):
        WILD.validate(bad)


def test_one_mark_may_complete_two_lines_of_its_letter() -> None:
    WILD.validate(Position(stones_of("XXXX  X  "), 1))


# -- who wins --------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("grid", ["OOO      ", "XXXO O O ", "XO XO  O "])
def test_who_completed_a_line_has_won_wild_whatever_the_letter(grid: str, turn: int) -> None:
    cells = next(line for line in LINES if owned(grid, [line]))
    position = Position(stones_of(grid), turn)
    assert WILD.outcome(position) == Outcome(1 - turn, cells)
    assert MISERE_WILD.outcome(position) == Outcome(turn, cells)
    assert SMALL_ORDER.outcome(position) == Outcome(ORDER, cells)
    for rules in (WILD, MISERE_WILD, SMALL_ORDER):
        assert list(rules.moves(position)) == []


@pytest.mark.parametrize("turn", [0, 1])
def test_a_full_board_without_a_line_is_a_draw_in_wild_and_won_by_chaos(turn: int) -> None:
    position = Position(stones_of("XOXXOOOXX"), turn)
    assert WILD.outcome(position) == MISERE_WILD.outcome(position) == Outcome(None)
    assert SMALL_ORDER.outcome(position) == Outcome(CHAOS)


def test_a_line_of_order_that_must_be_exact_has_no_mark_of_its_letter_beside_it() -> None:
    exact = OrderAndChaos(LineRules(Shape(6, 6), 5, exact=True))
    six, five = (Position(((1 << length) - 1, 0)) for length in (6, 5))
    assert OrderAndChaos().outcome(six) == Outcome(ORDER, (0, 1, 2, 3, 4, 5))
    assert exact.outcome(six) is None
    assert exact.outcome(five) == Outcome(ORDER, (0, 1, 2, 3, 4))
    assert exact.outcome(Position((five.stones[0], 1 << 5))) == Outcome(ORDER, (0, 1, 2, 3, 4))


# -- symmetry and what the games say of themselves -------------------------------------------------


@pytest.mark.parametrize("rules", [WILD, SMALL_ORDER])
def test_positions_that_differ_by_letters_or_symmetry_have_one_representative(
    rules: LetterRules,
) -> None:
    one = rules.canonical(Position(stones_of("X O      "), 1))
    for grid in ("O X      ", "  X     O", "O     X  "):
        assert rules.canonical(Position(stones_of(grid), 1)) == one
    assert rules.canonical(Position(stones_of("X   O    "), 1)) != one
    assert rules.canonical(Position(stones_of("X O      "), 0)).turn == 0


@pytest.mark.parametrize("rules", [WILD, MISERE_WILD])
def test_a_representative_has_the_value_of_all_that_it_stands_for(rules: Misere | Wild) -> None:
    values = {(*position.stones,): entry[0] for position, entry in table(rules).items()}
    for position, entry in table(rules).items():
        assert values[rules.canonical(position).stones] == entry[0]


@pytest.mark.parametrize("rules", [WILD, SMALL_ORDER])
def test_the_census_counts_every_position_once_although_letters_are_alike(
    rules: LetterRules,
) -> None:
    counts = [census.positions for census in walk_census(rules)]
    assert counts == [census.positions for census in walk_census(rules, symmetric=False)]
    assert sum(counts) == 18_753


def test_sides_have_names_of_their_own() -> None:
    assert traits_of(OrderAndChaos()).sides == ("Order", "Chaos")
    assert traits_of(WILD).sides == ("Player 1", "Player 2")
    assert traits_of(MISERE_WILD).misere
    assert traits_of(MISERE_WILD).flags == ("wild", "misere")


def test_letters_need_the_rules_of_lines() -> None:
    with pytest.raises(
        InvalidVariant, match="players choose the letter needs line rules, not Wild"
    ):
        Wild(WILD)  # type: ignore[arg-type]  # wrong on purpose
