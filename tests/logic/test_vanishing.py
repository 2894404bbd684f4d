"""Vanishing tic-tac-toe in its three forms: solved whole, and held against a slow oracle."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations, product

import pytest

from tests.family_oracles import Ages, ordered_cells, solve, vanishing
from tests.logic.exact_values import value_of
from tests.oracles import SYMMETRIES
from tests.own_games import Vanishing as OwnVanishing
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, SearchLimitReached
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.traits import plies_left, traits_of
from tic_tac_toe.logic.rules.vanishing import Departure, Vanishing
from tic_tac_toe.logic.search.retrograde import Graph, solve_graph
from tic_tac_toe.logic.search.scores import back_up
from tic_tac_toe.logic.search.table import solve_table
from tic_tac_toe.testing import check_rules

DEPARTURES = pytest.mark.parametrize("departure", list(Departure))
START: Ages = ((), ())


@cache
def values_of(departure: Departure) -> dict[Ages, tuple[int, int]]:
    """Return what the oracle says of every position, the cells of the side to move first."""
    return solve(vanishing(departure.value), START)


@cache
def graph_of(departure: Departure) -> Graph:
    return solve_graph(Vanishing(departure))


def shown(position: Ages, turn: int = 0) -> Position:
    """Return a position of the oracle as the library holds it, with this side to move."""
    crosses, naughts = position[::-1] if turn else position
    stones = tuple(sum(1 << cell for cell in cells) for cells in (crosses, naughts))
    newest = ["".join(str(cell + 1) for cell in cells[-3:]) for cells in (crosses, naughts)]
    return Position((stones[0], stones[1]), turn, int(newest[0] + newest[1].zfill(3) or 0))


def images(position: Ages) -> list[Ages]:
    """Return a position as the eight symmetries show it."""
    own, other = position
    return [
        (tuple(image[cell] for cell in own), tuple(image[cell] for cell in other))
        for image in SYMMETRIES
    ]


def best_of(departure: Departure) -> list[int]:
    rules, graph = Vanishing(departure), graph_of(departure)
    scores = [back_up(graph.score(rules.play(Position(), move))) for move in range(9)]
    return [move for move in range(9) if scores[move] == graph.score(Position())]


@DEPARTURES
def test_the_rules_keep_their_promises(departure: Departure) -> None:
    check_rules(Vanishing(departure))


# -- every value -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("departure", "count"),
    [(Departure.BARRED, 73_450), (Departure.REUSED, 73_450), (Departure.LATE, 121_402)],
)
@pytest.mark.slow
def test_every_position_has_the_value_and_distance_of_the_oracle(
    departure: Departure, count: int
) -> None:
    values, graph = values_of(departure), graph_of(departure)
    assert len(values) == count
    assert len(graph) == len({min(images(position)) for position in values})
    for turn in (0, 1):
        for position, value in values.items():
            assert value_of(graph.score(shown(position, turn))) == value


@pytest.mark.parametrize(
    ("departure", "value", "best"),
    [
        (Departure.BARRED, (1, 13), [1, 3, 5, 7]),
        (Departure.REUSED, (0, 0), [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (Departure.LATE, (1, 9), [4]),
    ],
)
def test_the_start_is_won_by_a_side_or_the_centre_or_goes_on_for_ever(
    departure: Departure, value: tuple[int, int], best: list[int]
) -> None:
    assert value_of(graph_of(departure).score(Position())) == value
    assert best_of(departure) == best


@DEPARTURES
def test_the_graph_keeps_one_position_for_each_class(departure: Departure) -> None:
    graph = graph_of(departure)
    assert Position() in graph
    assert Position((1, 0)) not in graph
    assert graph.reaches(Position(), graph.score(Position()))
    assert not graph.reaches(Position(), graph.score(Position()) + 1)
    assert len(graph) == {"barred": 9_190, "reused": 9_190, "late": 15_184}[departure.value]


# -- which mark leaves, and when -------------------------------------------------------------------


def played(departure: Departure, *moves: int) -> Position:
    rules, position = Vanishing(departure), Position()
    for move in moves:
        position = rules.play(position, move)
    return position


SIX = (0, 4, 1, 8, 5, 3)  # X: 0, 1, 5 and O: 4, 8, 3, in this order


def test_the_oldest_mark_leaves_with_the_fourth_and_its_cell_is_barred_for_this_move() -> None:
    position, rules = played(Departure.BARRED, *SIX), Vanishing()
    assert list(rules.moves(position)) == [2, 6, 7]
    assert rules.leaving(position) == (0, 4)
    with pytest.raises(InvalidMove, match="Cell is not empty"):
        rules.play(position, 0)
    after = rules.play(position, 6)
    assert after == shown(((1, 5, 6), (4, 8, 3)), 0)._replace(turn=1)
    assert list(rules.moves(after)) == [0, 2, 7]


def test_the_oldest_mark_may_move_to_its_own_cell_where_that_is_reused() -> None:
    position, rules = played(Departure.REUSED, *SIX), Vanishing(Departure.REUSED)
    assert list(rules.moves(position)) == [0, 2, 6, 7]
    after = rules.play(position, 0)
    assert after.stones == position.stones
    assert after == shown(((1, 5, 0), (4, 8, 3)), 0)._replace(turn=1)
    assert after.memory == 261_594
    with pytest.raises(InvalidMove, match="Cell is not empty"):
        rules.play(position, 1)


def test_the_oldest_mark_counts_for_a_line_where_it_leaves_late() -> None:
    moves = (0, 4, 1, 8, 5, 3, 2)
    late, barred = (played(departure, *moves) for departure in (Departure.LATE, Departure.BARRED))
    assert Vanishing(Departure.LATE).outcome(late) == Outcome(0, (0, 1, 2))
    assert late.stones[0].bit_count() == 4
    assert Vanishing(Departure.LATE).leaving(late) == ()
    Vanishing(Departure.LATE).validate(late)
    assert Vanishing().outcome(barred) is None
    with pytest.raises(InvalidGameState, match="A side has more than three marks"):
        Vanishing().validate(late)


def test_memory_holds_the_cells_of_either_side_by_age() -> None:
    assert played(Departure.BARRED, 4, 2, 0, 6).memory == 51_037


def test_nothing_leaves_before_a_side_has_three_marks() -> None:
    assert Vanishing().leaving(played(Departure.BARRED, *SIX[:4])) == ()
    assert Vanishing().leaving(played(Departure.BARRED, *SIX[:5])) == (0,)


# -- what is refused -------------------------------------------------------------------------------


@DEPARTURES
@pytest.mark.slow
def test_validation_accepts_just_what_games_reach(departure: Departure) -> None:
    reached = {shown(position, turn) for position in values_of(departure) for turn in (0, 1)}
    rules, orders = Vanishing(departure), list(ordered_cells())
    for position in reached:
        rules.validate(position)
    dice, fours = random.Random(3), list(permutations(range(9), 4))
    pairs = [
        *product(orders, orders),
        *zip(dice.choices(orders, k=20_000), dice.choices(fours, k=20_000)),
    ]
    for own, other in pairs:
        if not {*own} & {*other}:
            for turn in (0, 1):
                candidate = shown((own, other), turn)
                try:
                    rules.validate(candidate)
                except InvalidGameState:
                    assert candidate not in reached
                else:
                    assert candidate in reached


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (Position((1, 1), 0, 1_001), "Marks overlap"),
        (Position((1, 0), 1), "The marks have another order in memory"),
        (Position((1, 0), 1, 2_000), "The marks have another order in memory"),
        (Position((1, 0), 1, 11_000), "The memory does not hold the order of the marks"),
        (Position((1, 0), 1, 101_000), "The memory does not hold the order of the marks"),
        (Position((1, 0), 1, -1), "The memory does not hold the order of the marks"),
        (Position((0, 0), 0, 1_000_000), "The memory does not hold the order of the marks"),
        (Position((3, 0), 1, 12_000), "Wrong number of Xs and Os"),
        (Position((7, 0b11000), 0, 123_045), "The game went on after a line"),
        (Position((15, 0b1110000), 1, 234_567), "A side has more than three marks"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(bad: Position, message: str) -> None:
    with pytest.raises(InvalidGameState, match=message):
        Vanishing().validate(bad)


# -- symmetry and what the game says of itself -----------------------------------------------------


@DEPARTURES
def test_images_and_exchanged_colours_have_one_representative(departure: Departure) -> None:
    rules, dice, orders = Vanishing(departure), random.Random(2), list(ordered_cells())
    for _ in range(300):
        own, other = dice.sample(orders, 2)
        if not {*own} & {*other}:
            representative = rules.canonical(shown((own, other)))
            for image, turn in product(images((own, other)), (0, 1)):
                assert rules.canonical(shown(image, turn)) == representative
            assert rules.orbit(shown((own, other))) == len({*images((own, other))})


def test_positions_come_back_so_that_no_longest_game_is_known() -> None:
    for departure in Departure:
        traits = traits_of(Vanishing(departure))
        assert traits.longest is None
        assert traits.words == ("vanishing", f"vanishing {departure.value}")
    assert plies_left(Vanishing(), Position()) is None


def test_a_state_says_whose_turn_it_is_whatever_the_number_of_marks() -> None:
    naught = Mark.NAUGHT
    state = GameState.new(Vanishing(), naught)
    for move in SIX:
        state = state.make_move_to(move).after_state
    again = GameState(
        state.grid, Mark.NAUGHT, rules=Vanishing(), memory=state.memory, turn=state.turn
    )
    assert again == state
    assert state.current_mark is naught
    seventh = state.make_move_to(6).after_state
    assert seventh.current_mark == "X"
    assert seventh.grid.cells == " O XXOO X"


# -- retrograde analysis ---------------------------------------------------------------------------


def test_retrograde_analysis_agrees_with_the_table_where_games_end() -> None:
    for rules in (TIC_TAC_TOE, Misere(TIC_TAC_TOE)):
        graph = solve_graph(rules)
        for position, entry in solve_table(rules).items():
            assert graph.score(position) == entry[0]


@pytest.mark.slow
def test_misere_play_of_an_endless_game_is_solved_too() -> None:
    def game(position: Ages) -> list[Ages] | int:
        after = vanishing("barred")(position)
        return -after if isinstance(after, int) else after

    values, graph = solve(game, START), solve_graph(Misere(Vanishing()))
    assert value_of(graph.score(Position())) == values[START]


@pytest.mark.slow
def test_a_users_own_endless_game_is_solved_without_symmetry() -> None:
    graph, values = solve_graph(OwnVanishing()), values_of(Departure.BARRED)
    assert value_of(graph.score(Position())) == values[START]


def test_retrograde_analysis_stops_at_its_limit() -> None:
    with pytest.raises(SearchLimitReached, match="the game has more than 1,000 positions"):
        solve_graph(Vanishing(), position_limit=1_000)


def test_a_graph_starts_anywhere_and_knows_nothing_of_what_came_before() -> None:
    end = played(Departure.BARRED, 0, 3, 1, 4, 2)
    graph = solve_graph(Vanishing(), end)
    assert len(graph) == 1
    assert value_of(graph.score(end)) == (-1, 0)
