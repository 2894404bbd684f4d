"""The pie rule: taking over the first mark, and every value held against an oracle."""

from __future__ import annotations

import pickle
from itertools import combinations, product

import pytest

from tests.family_oracles import Sides, line_game, solve
from tests.logic.exact_values import value_of
from tests.oracles import LINES
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.pie import TAKEN, Pie
from tic_tac_toe.logic.rules.traits import SWAP, traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.vanishing import Vanishing
from tic_tac_toe.logic.rules.wild import Wild
from tic_tac_toe.logic.search.census import walk_census
from tic_tac_toe.logic.search.table import Entry, solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import check_rules

PIE = Pie(TIC_TAC_TOE)
SWAP_MOVE = 9
NOBODY: Sides = (frozenset(), frozenset())


@pytest.mark.parametrize(
    "rules", [PIE, Pie(CONNECT_FOUR), Pie(Misere(TIC_TAC_TOE)), Misere(PIE)], ids=repr
)
def test_the_rules_keep_their_promises(rules: Rules) -> None:
    check_rules(rules, games=5)


# -- taking over -----------------------------------------------------------------------------------


@pytest.mark.parametrize("starter", [0, 1])
def test_the_second_move_can_take_over_the_mark_where_it_is(starter: int) -> None:
    first = PIE.play(Position(turn=starter), 4)
    assert list(PIE.moves(first)) == [0, 1, 2, 3, 5, 6, 7, 8, SWAP_MOVE]
    taken = PIE.play(first, SWAP_MOVE)
    stones = (0, 1 << 4) if starter == 0 else (1 << 4, 0)
    assert taken == Position(stones, starter, TAKEN)
    PIE.validate(taken)


def test_nobody_takes_over_before_the_second_move_or_after_it_or_twice() -> None:
    first = PIE.play(Position(), 4)
    taken = PIE.play(first, SWAP_MOVE)
    for position in (Position(), taken, PIE.play(first, 0), PIE.play(taken, 0)):
        assert SWAP_MOVE not in PIE.moves(position)
        with pytest.raises(InvalidMove, match="Only the second player's first move can take over"):
            PIE.play(position, SWAP_MOVE)


def test_what_was_taken_over_is_remembered_until_the_next_move_only() -> None:
    taken = PIE.play(PIE.play(Position(), 4), SWAP_MOVE)
    assert PIE.play(taken, 0) == Position((1, 1 << 4), 1)


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


# -- every value -----------------------------------------------------------------------------------


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


def test_after_the_second_move_the_values_are_those_without_the_rule() -> None:
    found, plain = solve_table(PIE), dict[Position, Entry]()
    for turn in (0, 1):
        plain.update(solve_table(TIC_TAC_TOE, Position(turn=turn)))
    for position, entry in found.items():
        if position.marks > 1:
            assert entry == plain[position]


def test_the_census_counts_every_position_once_although_many_are_alike() -> None:
    counts = [census.positions for census in walk_census(PIE)]
    assert counts == [census.positions for census in walk_census(PIE, symmetric=False)]
    assert len(counts) == 11


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (Position(memory=TAKEN), "A mark can have been taken over only while it is the only one"),
        (
            Position((1, 2), 0, TAKEN),
            "A mark can have been taken over only while it is the only one",
        ),
        (Position((1, 0), 1, 2), "Nothing is remembered in this game"),
        (Position((1, 0), 1, True), "Nothing is remembered in this game"),
        (Position((1, 0), 0, TAKEN), "Wrong starting mark"),
        (Position((1, 1), 0), "Marks overlap"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(bad: Position, message: str) -> None:
    with pytest.raises(InvalidGameState, match=message):
        PIE.validate(bad)


def test_validation_accepts_just_what_games_reach() -> None:
    rules = Pie(LineRules(Shape(2, 3), 2))
    reached = {*solve_table(rules), *solve_table(rules, Position(turn=1))}
    for crosses, naughts, turn, memory in product(range(64), range(64), (0, 1), (0, TAKEN)):
        candidate = Position((crosses, naughts), turn, memory)
        try:
            rules.validate(candidate)
        except InvalidGameState:
            assert candidate not in reached
        else:
            assert candidate in reached


@pytest.mark.parametrize("rules", [PIE, Wild(), Notakto(), Vanishing(), Ultimate(), Misere(PIE)])
def test_the_pie_rule_needs_a_game_of_ones_own_marks_that_stay(rules: Rules) -> None:
    with pytest.raises(InvalidVariant, match="the pie rule needs a game in which") as refusal:
        Pie(rules)
    assert refusal.value.code == "no_pie"


def test_the_pie_rule_needs_rules() -> None:
    with pytest.raises(InvalidVariant, match="the pie rule needs the rules of a game, not int"):
        Pie(3)  # type: ignore[arg-type]  # wrong on purpose


# -- as a state and a value ------------------------------------------------------------------------


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


def test_the_rules_are_a_value() -> None:
    assert pickle.loads(pickle.dumps(PIE)) == PIE == Pie(TIC_TAC_TOE) != Pie(CONNECT_FOUR)
    traits = traits_of(PIE)
    assert (traits.specials, traits.longest, traits.tells_starter) == ((SWAP,), 10, False)
    assert traits_of(Misere(PIE)).flags == ("misere", "pie")
