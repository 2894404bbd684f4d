"""Rules say what they are, and what follows from it in notation and searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

import pytest

from docs.examples.notakto import Notakto
from tests.game.test_strategies import QUICK
from tests.own_games import Drop, Vanishing
from tic_tac_toe.game.evaluate import evaluate
from tic_tac_toe.game.tree import tree
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, SearchLimitReached
from tic_tac_toe.logic.minimax import find_best_move
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.notation import (
    clickable_cells,
    format_state,
    landing_cell,
    move_name,
    parse_moves,
    parse_state,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.topology import PLANE
from tic_tac_toe.logic.rules.traits import Digits, Traits, plies_left, traits_of
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.census import perft, walk_census
from tic_tac_toe.logic.search.deepening import DECIDED, look_ahead
from tic_tac_toe.logic.search.negamax import Negamax
from tic_tac_toe.logic.search.table import solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import check_rules

DROP, VANISHING = Drop(), Vanishing()
CLASSIC = Traits(3, digits=Digits.NUMBER_PAD, longest=9)

NESTED = Traits(
    3, misere=True, blocks=Shape(3, 3), memory="block", digits=Digits.NOTHING, longest=81
)


class UpAndDown(Vanishing):
    """One side puts a mark down, the other takes it up again."""

    def moves(self, position: Position) -> Sequence[int]:
        return (0,)

    def play(self, position: Position, move: int) -> Position:
        return Position((1 - position.stones[0], 0), 1 - position.turn)


@pytest.mark.parametrize(
    ("rules", "traits", "flags"),
    [
        (find_rules("3x3"), CLASSIC, ()),
        (
            find_rules("mnk:4,5,3,gravity,exact,misere"),
            Traits(
                3,
                gravity=True,
                exact=True,
                misere=True,
                stacks=PLANE.stacks(Shape(5, 4)),
                digits=Digits.COLUMNS,
                longest=20,
            ),
            ("gravity", "exact", "misere"),
        ),
        (Misere(find_rules("ultimate")), NESTED, ("ultimate", "misere")),
        (Notakto(), Traits(choices=(0,), digits=Digits.NUMBER_PAD, longest=9), ()),
        (Notakto(Shape(3, 4)), Traits(choices=(0,), digits=Digits.NOTHING, longest=12), ()),
        (
            DROP,
            Traits(
                3,
                gravity=True,
                stacks=((6, 3, 0), (7, 4, 1), (8, 5, 2)),
                digits=Digits.COLUMNS,
                longest=9,
            ),
            ("gravity",),
        ),
        (VANISHING, Traits(3, digits=Digits.NUMBER_PAD, longest=None), ()),
    ],
)
def test_traits_are_what_rules_state_and_else_those_of_a_plain_game(
    rules: Rules, traits: Traits, flags: tuple[str, ...]
) -> None:
    assert traits_of(rules) == traits
    assert traits_of(rules).flags == flags
    assert traits_of(Misere(rules)).misere is not traits.misere
    assert plies_left(rules, Position((1, 2))) == (traits.longest and traits.longest - 2)


def test_ultimate_and_its_misere_play_tell_the_owners_of_blocks() -> None:
    won = Position((0b111, 1 << 30), 1, memory=1)
    for rules in (find_rules("ultimate"), Misere(find_rules("ultimate"))):
        owners = traits_of(rules).owners
        assert owners is not None
        assert owners(won) == [0, *[None] * 8]


def test_a_game_of_ones_own_with_gravity_names_columns_and_lets_marks_fall() -> None:
    check_rules(DROP)
    state = parse_moves(GameState.new(DROP), "221")
    assert state.grid.cells == " " * 4 + "O" + " " + "XX "
    assert move_name(state, 3) == "1"
    assert landing_cell(state, 1) == 1
    assert landing_cell(state, 2) == 8
    assert clickable_cells(state) == list(range(9))
    with pytest.raises(InvalidMove, match=r"^Column 2 is full$"):
        landing_cell(parse_moves(state, "2"), 1)


# -- games in which positions come back ----------------------------------------------------------


def position_after(*cells: int) -> Position:
    position = Position()
    for cell in cells:
        position = VANISHING.play(position, cell)
    return position


#: Six marks and no line; each side then puts its oldest mark back where it was.
BEGUN = (0, 1, 5, 2, 6, 3)


def test_a_game_whose_marks_vanish_is_checked_and_played() -> None:
    check_rules(VANISHING)
    state = GameState.new(VANISHING)
    for cell in (*BEGUN, 4, 0):
        state = state.make_move_to(cell).after_state
    assert state.position.marks == 6
    assert find_best_move(GameState.at(VANISHING, position_after(0, 3, 1, 4))) is not None
    for strategy in ("random", "easy", "rules", "medium", "minimax", "trickster"):
        move = QUICK[strategy](state)
        assert move is not None
        assert move.cell_index in state.legal_cells


def test_turns_are_stated_and_states_with_different_turns_differ() -> None:
    even = GameState.at(VANISHING, position_after(*BEGUN), Mark.CROSS)
    odd = GameState.at(VANISHING, position_after(*BEGUN, 4), Mark.CROSS)
    assert (even.current_mark, odd.current_mark) == (Mark.CROSS, Mark.NAUGHT)
    for state in (even, odd):
        assert state.starting_mark is Mark.CROSS
        text = format_state(state)
        assert parse_state(text, VANISHING, Mark.CROSS) == state
    assert repr(odd).endswith(", turn=<Mark.NAUGHT: 'O'>)")
    assert "turn" not in repr(even)
    counted = GameState(odd.grid, odd.starting_mark, rules=VANISHING, memory=odd.memory)
    assert counted.current_mark is Mark.CROSS
    assert counted != odd


def test_where_marks_stay_a_turn_that_they_contradict_is_refused() -> None:
    assert GameState(Grid("X        "), turn=Mark.NAUGHT) == GameState(Grid("X        "))
    with pytest.raises(InvalidGameState, match=r"^Wrong starting mark$"):
        GameState(Grid(), turn=Mark.NAUGHT)
    with pytest.raises(InvalidGameState, match=r"^Wrong starting mark$"):
        GameState.at(find_rules("3x3"), Position(), Mark.NAUGHT)


@pytest.mark.parametrize(
    "ask",
    [
        solve_table,
        lambda rules: AlphaBeta(rules).score(Position()),
        lambda rules: AlphaBeta(rules).reaches(Position(), 1),
        lambda rules: Negamax(rules).score(Position()),
        lambda rules: next(walk_census(rules)),
        lambda rules: tree(GameState.new(rules)),
    ],
    ids=["table", "alphabeta", "question", "negamax", "census", "tree"],
)
@pytest.mark.parametrize("rules", [VANISHING, Misere(VANISHING)], ids=["itself", "misere"])
def test_searches_to_the_end_refuse_a_game_without_a_longest_one(
    ask: Callable[[Rules], object], rules: Rules
) -> None:
    with pytest.raises(SearchLimitReached, match=r"^positions can come back in this game"):
        ask(rules)


def test_a_table_notices_that_a_position_comes_back_though_nobody_said_so() -> None:
    with pytest.raises(SearchLimitReached, match=r"^a position comes back in this game"):
        solve_table(UpAndDown(traits=Traits()))


def test_limited_searches_answer_in_a_game_without_a_longest_one() -> None:
    start = GameState.new(VANISHING)
    two_in_a_row = position_after(0, 3, 1, 4)
    found = look_ahead(VANISHING, two_in_a_row, node_limit=500)
    assert found.best == (2,)
    assert found.value > DECIDED
    assert evaluate(start, Limits(work=0.0333)).outcome == "open"
    assert [perft(VANISHING, depth) for depth in range(4)] == [1, 9, 72, 504]
    assert len(list(islice(tree(start, 1, fold=False).nodes, 20))) == 10
