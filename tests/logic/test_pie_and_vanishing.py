"""The pie rule and vanishing marks: every value held against a slow oracle."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, permutations, product

import pytest

from tests.family_oracles import Ages, Sides, line_game, ordered_cells, solve, vanishing
from tests.logic.played_games import value_of
from tests.oracles import LINES, SYMMETRIES
from tests.own_games import Vanishing as OwnVanishing
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    SearchLimitReached,
)
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.repetition import REPETITIONS, is_repeated, settle
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import SWAP, plies_left, traits_of
from tic_tac_toe.logic.rules.vanishing import Departure, Vanishing
from tic_tac_toe.logic.rules.wrappers import TAKEN, Misere, Pie
from tic_tac_toe.logic.search.evaluation import back_up
from tic_tac_toe.logic.search.tables import Entry, Graph, solve_graph, solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import RecordingRenderer, ScriptedPlayer

PIE = Pie(TIC_TAC_TOE)
SWAP_MOVE = 9
NOBODY: Sides = (frozenset(), frozenset())


# -- taking over -----------------------------------------------------------------------------------


@pytest.mark.parametrize("starter", [0, 1])
def test_the_second_move_can_take_over_the_mark_where_it_is(starter: int) -> None:
    first = PIE.play(Position(turn=starter), 4)
    assert list(PIE.moves(first)) == [0, 1, 2, 3, 5, 6, 7, 8, SWAP_MOVE]
    taken = PIE.play(first, SWAP_MOVE)
    stones = (0, 1 << 4) if starter == 0 else (1 << 4, 0)
    assert taken == Position(stones, starter, TAKEN)
    PIE.validate(taken)
    assert PIE.play(taken, 0).memory == 0  # it is remembered until the next move


def test_nobody_takes_over_before_the_second_move_or_after_it_or_twice() -> None:
    first = PIE.play(Position(), 4)
    taken = PIE.play(first, SWAP_MOVE)
    for position in (Position(), taken, PIE.play(first, 0), PIE.play(taken, 0)):
        assert SWAP_MOVE not in PIE.moves(position)
        with pytest.raises(InvalidMove, match="Only the second player's first move can take over"):
            PIE.play(position, SWAP_MOVE)


def test_nobody_takes_over_a_mark_that_has_won() -> None:
    rules = Pie(LineRules(Shape(1, 2), 1))
    won = rules.play(Position(), 0)
    assert list(rules.moves(won)) == []
    assert rules.outcome(won) == Outcome(0, (0,))
    with pytest.raises(InvalidGameState):
        rules.validate(Position((0, 1), 0, TAKEN))


def test_the_winner_is_the_owner_of_the_line_after_a_swap_too() -> None:
    end = PIE.play(PIE.play(Position(), 0), SWAP_MOVE)
    for move in (3, 1, 4, 2):
        end = PIE.play(end, move)
    assert PIE.outcome(end) == Outcome(1, (0, 1, 2))
    assert (
        Misere(PIE).outcome(end) == Pie(Misere(TIC_TAC_TOE)).outcome(end) == Outcome(0, (0, 1, 2))
    )
    assert PIE.outcome(Position((0, 1), 0, TAKEN)) is None


@pytest.mark.medium
@pytest.mark.parametrize(
    ("rows", "columns", "length", "misere"),
    [(3, 3, 3, False), (3, 3, 3, True), (3, 3, 2, False), (2, 4, 2, False), (1, 6, 2, True)],
)
def test_every_first_move_is_worth_the_worse_of_its_two_sides(
    rows: int, columns: int, length: int, misere: bool
) -> None:
    plain = LineRules(Shape(rows, columns), length)
    inner = Misere(plain) if misere else plain
    cells = rows * columns
    places = LINES if length == 3 else _pairs(rows, columns)

    def game(sides: Sides) -> list[Sides] | int:
        after = line_game(places, cells)(sides)
        return -after if misere and isinstance(after, int) else after

    values, found = solve(game, NOBODY), solve_table(Pie(inner))
    openings = []
    for cell in range(cells):
        # The second player has what they have without the rule, or moves on as the opponent.
        kept, plies = values[frozenset(), frozenset({cell})]
        options = [(kept, plies)]
        if not isinstance(game((frozenset(), frozenset({cell}))), int):
            options.append((-kept, plies + 1 if kept else 0))
        better = max(options)
        first = Position((1 << cell, 0), 1)
        assert value_of(found[first][0]) == better
        openings.append((-better[0], better[1] + 1 if better[0] else 0))
    outcome = max(openings)[0]
    distances = [plies for won, plies in openings if won == outcome]
    plies = min(distances) if outcome > 0 else max(distances)
    assert value_of(found[Position()][0]) == (outcome, plies)


def _pairs(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """Return the lines of two: all cells that touch."""
    cells = [*product(range(rows), range(columns))]
    return tuple(
        (one[0] * columns + one[1], two[0] * columns + two[1])
        for one, two in combinations(cells, 2)
        if max(abs(one[0] - two[0]), abs(one[1] - two[1])) == 1
    )


@pytest.mark.medium
def test_after_the_second_move_the_values_are_those_without_the_rule() -> None:
    found, plain = solve_table(PIE), dict[Position, Entry]()
    for turn in (0, 1):
        plain.update(solve_table(TIC_TAC_TOE, Position(turn=turn)))
    for position, entry in found.items():
        if position.marks > 1:
            assert entry == plain[position]


@pytest.mark.parametrize("starter", list(Mark))
def test_a_state_knows_the_swap_as_a_move_and_is_rebuilt_from_its_parts(starter: Mark) -> None:
    start = GameState.new(PIE, starter)
    first = start.make_move_to(4).after_state
    swap = first.make_move_to(SWAP_MOVE)
    assert (swap.number, swap.player, swap.mark) == (SWAP_MOVE, starter.other, starter.other)
    assert swap.cell_index == 4
    state = swap.after_state
    assert state.grid.cells[4] == starter.other
    assert state.current_mark is starter
    assert state.legal_cells == state.legal_moves == (0, 1, 2, 3, 5, 6, 7, 8)
    assert first.legal_cells == (0, 1, 2, 3, 5, 6, 7, 8)
    assert SWAP_MOVE in first.legal_moves
    again = GameState(state.grid, starter, rules=PIE, memory=state.memory, turn=state.turn)
    assert again == state
    with pytest.raises(InvalidMove, match="Only the second player's first move"):
        state.make_move_to(SWAP_MOVE)


def test_the_rules_say_what_they_are() -> None:
    traits = traits_of(PIE)
    assert (traits.specials, traits.longest, traits.tells_starter) == ((SWAP,), 10, False)
    assert traits_of(Misere(PIE)).flags == ("misere", "pie")


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


@pytest.mark.parametrize(
    ("departure", "count"),
    [(Departure.BARRED, 73_450), (Departure.REUSED, 73_450), (Departure.LATE, 121_402)],
)
@pytest.mark.slow
def test_every_position_has_the_value_of_the_oracle(departure: Departure, count: int) -> None:
    values, graph = values_of(departure), graph_of(departure)
    assert len(values) == count
    assert len(graph) == len({min(images(position)) for position in values})
    for turn in (0, 1):
        for position, value in values.items():
            assert value_of(graph.score(shown(position, turn))) == value


@pytest.mark.medium
@pytest.mark.parametrize(
    ("departure", "value", "best", "classes"),
    [
        (Departure.BARRED, (1, 13), [1, 3, 5, 7], 9_190),
        (Departure.REUSED, (0, 0), [0, 1, 2, 3, 4, 5, 6, 7, 8], 9_190),
        (Departure.LATE, (1, 9), [4], 15_184),
    ],
)
def test_the_graph_keeps_one_position_for_each_class_and_knows_the_best_openings(
    departure: Departure, value: tuple[int, int], best: list[int], classes: int
) -> None:
    rules, graph = Vanishing(departure), graph_of(departure)
    start = graph.score(Position())
    assert value_of(start) == value
    scores = [back_up(graph.score(rules.play(Position(), move))) for move in range(9)]
    assert [move for move in range(9) if scores[move] == start] == best
    assert graph.reaches(Position(), start)
    assert not graph.reaches(Position(), start + 1)
    assert Position((1, 0)) not in graph
    assert len(graph) == classes


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


def test_memory_holds_cells_by_age_and_nothing_leaves_before_a_side_has_three_marks() -> None:
    assert played(Departure.BARRED, 4, 2, 0, 6).memory == 51_037
    assert Vanishing().leaving(played(Departure.BARRED, *SIX[:4])) == ()
    assert Vanishing().leaving(played(Departure.BARRED, *SIX[:5])) == (0,)


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


# -- repetition ------------------------------------------------------------------------------------


RULES = Vanishing(Departure.REUSED)
#: Three marks each, and then each oldest mark in turn to its own cell, until all are as before; the
#: position after the first round has come for the third time.
DRAWN = SIX * REPETITIONS


def match_after(moves: tuple[int, ...]) -> Match:
    match = Match(GameState.new(RULES))
    for move in moves:
        assert match.turn is not None
        match.submit(match.turn, move)
    return match


def test_a_match_is_a_draw_when_a_position_comes_for_the_third_time() -> None:
    match = match_after(DRAWN[:-1])
    assert not match.over
    match.submit(Mark.NAUGHT, DRAWN[-1])
    assert match.over
    assert (match.winner, match.turn) == (None, None)
    assert match.state.tie
    assert match.state.drawn
    with pytest.raises(InvalidMove, match="The game is over"):
        match.submit(Mark.CROSS, 0)


def test_a_match_goes_on_when_the_last_move_of_a_draw_is_taken_back() -> None:
    match = match_after(DRAWN)
    match.undo()
    assert not match.over
    match.submit(Mark.NAUGHT, 2)
    assert not match.over
    match.undo()
    match.submit(Mark.NAUGHT, DRAWN[-1])
    assert match.over


def test_the_same_marks_in_another_order_are_another_position() -> None:
    match = match_after(DRAWN[:-1])
    stones = [move.after_state.position.stones for move in match.history]
    assert max(map(stones.count, stones)) > REPETITIONS


@pytest.mark.parametrize("count", [6, 12, 17, 18])
def test_a_record_ends_as_its_match_did(count: int) -> None:
    match = match_after(DRAWN[:count])
    record = match.record()
    assert record.final_state == match.state
    assert [*record.states] == [match.start, *(move.after_state for move in match.history)]
    assert record.result == ("draw" if count == len(DRAWN) else "*")


def test_nobody_plays_on_or_resigns_after_the_draw() -> None:
    Record(RULES, moves=DRAWN[:-1], resigned=Mark.CROSS)
    with pytest.raises(InvalidGameState, match="Nobody resigns once the game is over"):
        Record(RULES, moves=DRAWN, resigned=Mark.CROSS)
    with pytest.raises(InvalidMove, match=r"19.*The game is over"):
        Record(RULES, moves=(*DRAWN, 0))


def test_a_record_from_a_later_position_counts_from_there() -> None:
    start = match_after(SIX).state
    record = Record.from_moves(start, SIX * 2)
    assert record.result == "draw"
    assert Record.from_moves(start, SIX).result == "*"
    with pytest.raises(InvalidMove, match="The game is over"):
        Record.from_moves(record.final_state, (0,))


def test_the_engine_ends_the_game_as_a_draw() -> None:
    renderer = RecordingRenderer()
    cross = ScriptedPlayer(Mark.CROSS, [*DRAWN[::2], 0])
    naught = ScriptedPlayer(Mark.NAUGHT, DRAWN[1::2])
    end = TicTacToe(cross, naught, renderer).play(state=GameState.new(RULES))
    assert end.drawn
    assert end == match_after(DRAWN).state
    assert renderer.states[-1] == end


def test_a_position_repeats_with_two_before_unless_the_game_ends_by_itself() -> None:
    assert is_repeated(RULES, Position(), [Position(), Position((1, 0), 1, 1_000), Position()])
    assert not is_repeated(RULES, Position(), [Position()])
    assert not is_repeated(RULES, Position(), [Position(turn=1)] * 5)
    assert not is_repeated(TIC_TAC_TOE, Position(), [Position()] * 5)
    won = match_after((0, 3, 1, 4, 2)).state
    assert won.winner is Mark.CROSS
    for state in (GameState.new(), won):
        assert settle(state, [state] * 5) is state
