"""Line games and ultimate: what they refuse, how they end, and the slow oracle beside them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from tests import oracles
from tests.theorems import stones_of
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.models import GameState, Grid
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.search.census import walk_census
from tic_tac_toe.logic.search.table import solve_table
from tic_tac_toe.logic.search.verdict import find_verdict
from tic_tac_toe.logic.shapes import Shape

ULTIMATE = Ultimate()


def position(cells: str, turn: int = 0) -> Position:
    return Position(stones_of(cells), turn)


# -- reachability ----------------------------------------------------------------------------------


def every_position(shape: Shape) -> list[Position]:
    """Return every way to strew marks over a board, for either side to move."""
    grids = ("".join(signs) for signs in product(" XO", repeat=shape.cells))
    return [position(grid, turn) for grid in grids for turn in (0, 1)]


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "mnk:3,3,3,misere",
        "mnk:4,2,2",
        "mnk:4,2,3,exact",
        "mnk:2,4,2,exact",
        "mnk:3,3,2,torus",
    ],
)
@pytest.mark.once
def test_validation_accepts_just_what_games_reach(name: str) -> None:
    rules = find_rules(name)
    reached = {*solve_table(rules), *solve_table(rules, Position(turn=1))}
    for candidate in every_position(rules.shape):
        try:
            rules.validate(candidate)
        except InvalidGameState:
            assert candidate not in reached
        else:
            assert candidate in reached


@pytest.mark.parametrize("name", ["mnk:3,3,3,gravity", "mnk:2,4,2,gravity", "mnk:4,2,2,gravity"])
def test_validation_under_gravity_accepts_all_that_games_reach(name: str) -> None:
    rules = find_rules(name)
    for reached in {*solve_table(rules), *solve_table(rules, Position(turn=1))}:
        rules.validate(reached)


@pytest.mark.parametrize(
    ("rules", "bad", "message"),
    [
        (TIC_TAC_TOE, Position((1, 1), 0), "Marks overlap or lie outside the board"),
        (TIC_TAC_TOE, Position((1 << 9, 0), 1), "Marks overlap or lie outside the board"),
        (TIC_TAC_TOE, Position((-1, 0), 1), "Marks overlap or lie outside the board"),
        (TIC_TAC_TOE, Position(turn=2), "The turn is 0 or 1"),
        (TIC_TAC_TOE, Position(memory=1), "Nothing is remembered in this game"),
        (TIC_TAC_TOE, position("XXX      ", 1), "Wrong number of Xs and Os"),
        (TIC_TAC_TOE, position("X        ", 0), "Wrong starting mark"),
        (TIC_TAC_TOE, position("XXXOO O  ", 0), "Wrong number of Xs"),
        (TIC_TAC_TOE, position("OOOXX X X", 1), "Wrong number of Os"),
        (TIC_TAC_TOE, position("XXXOOO   ", 0), "Both players own a line"),
        (find_rules("4x4x3"), position("XXX./OO.O/XXX./OO..", 1), "The game went on after a line"),
        (CONNECT_FOUR, position("." * 28 + "X......" + "." * 7, 1), "A mark floats above"),
        (ULTIMATE, Position((1, 1), 0), "Marks overlap or lie outside the board"),
        (ULTIMATE, Position((1, 0), 1, 5), "No last move leads to this choice of boards"),
        (ULTIMATE, Position((1, 0), 1, 0), "No last move leads to this choice of boards"),
        (ULTIMATE, Position(memory=1), "No last move leads to this choice of boards"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(
    rules: Rules, bad: Position, message: str
) -> None:
    with pytest.raises(InvalidGameState, match=message):
        rules.validate(bad)


def test_a_line_under_gravity_must_end_with_a_mark_that_lies_on_top() -> None:
    rules = LineRules(Shape(4, 4), 3, gravity=True)
    # Each stone of X's row is covered, so that none of them can have been the last.
    with pytest.raises(InvalidGameState, match="The game went on after a line"):
        rules.validate(position("..../..../OOX./XXXO", 1))


def test_a_wrongly_typed_shape_harms_nobody_else() -> None:
    assert list(LineRules((7, 8), 4).moves(Position())) == list(range(56))  # type: ignore[arg-type]
    assert find_rules("mnk:8,7,4").shape == Shape(7, 8)
    for shape, length, part in (((3, 3), 3.0, "line length"), ((True, 3), 3, "rows")):
        with pytest.raises(InvalidVariant, match=f"{part} must be a whole number"):
            LineRules(shape, length)  # type: ignore[arg-type]  # what is tested


def test_what_derives_from_line_rules_is_solved_by_its_own_rules() -> None:
    class NoCentreOpening(LineRules):
        def moves(self, position: Position) -> Sequence[int]:
            cells = LineRules.moves(self, position)
            return cells if position.marks else [cell for cell in cells if cell != 4]

    rules = NoCentreOpening()
    assert 4 not in find_verdict(rules, Position()).best
    assert Misere(rules).moves(Position()) == rules.moves(Position())


def test_a_state_of_another_shape_than_its_rules_is_refused() -> None:
    with pytest.raises(InvalidGameState, match="another shape"):
        GameState(Grid(), rules=VARIANTS["4x4"])


# -- how games end ---------------------------------------------------------------------------------


def test_a_line_longer_than_needed_is_shown_whole() -> None:
    rules = find_rules("mnk:7,1,3")
    assert rules.outcome(position("XXXXXOO", 0)) == Outcome(0, (0, 1, 2, 3, 4))


def test_misere_exchanges_the_winner_and_nothing_else() -> None:
    for plain in (TIC_TAC_TOE, CONNECT_FOUR, ULTIMATE):
        turned, rng = Misere(plain), random.Random(1)
        for _ in range(20):
            here = Position()
            while cells := plain.moves(here):
                assert list(turned.moves(here)) == list(cells)
                move = rng.choice(list(cells))
                assert turned.play(here, move) == plain.play(here, move)
                here = plain.play(here, move)
            plainly, misere = plain.outcome(here), turned.outcome(here)
            assert plainly is not None
            assert misere is not None
            assert misere.cells == plainly.cells
            assert misere.winner == {0: 1, 1: 0, None: None}[plainly.winner]


def test_symmetric_positions_share_a_representative_that_keeps_the_score() -> None:
    for name in ("tic-tac-toe", "misere-tic-tac-toe", "mnk:4,2,2", "mnk:3,3,3,gravity"):
        rules = find_rules(name)
        table = solve_table(rules)
        for here, entry in table.items():
            representative = rules.canonical(here) if isinstance(rules, LineRules) else here
            if representative in table:
                assert table[representative][0] == entry[0]
    assert sum(c.classes for c in walk_census(TIC_TAC_TOE)) == 765


# -- gravity ---------------------------------------------------------------------------------------


def test_marks_fall_to_the_lowest_empty_cell() -> None:
    state = GameState.new(CONNECT_FOUR)
    assert state.legal_cells == tuple(range(35, 42))
    state = state.make_move_to(38).after_state
    assert state.legal_cells == (31, 35, 36, 37, 39, 40, 41)
    with pytest.raises(InvalidMove, match="A mark falls to the lowest empty cell of its column"):
        state.make_move_to(3)


# -- ultimate, against a plain retelling -----------------------------------------------------------


class PlainUltimate:
    """Ultimate as one would tell it: nine lists of nine signs, and the board one is sent to."""

    def __init__(self) -> None:
        self.boards = [[" "] * 9 for _ in range(9)]
        self.sent_to: int | None = None
        self.to_move = "X"

    def owner(self, signs: list[str]) -> str:
        for a, b, c in oracles.LINES:
            if signs[a] == signs[b] == signs[c] != " ":
                return signs[a]
        return " "

    def closed(self, board: int) -> bool:
        return self.owner(self.boards[board]) != " " or " " not in self.boards[board]

    def winner(self) -> str:
        return self.owner([self.owner(board) for board in self.boards])

    def legal(self) -> set[int]:
        if self.winner() != " ":
            return set()
        boards = [b for b in range(9) if not self.closed(b)]
        if self.sent_to is not None:
            boards = [self.sent_to]
        return {
            (board // 3 * 3 + cell // 3) * 9 + board % 3 * 3 + cell % 3
            for board in boards
            for cell in range(9)
            if self.boards[board][cell] == " "
        }

    def play(self, whole_cell: int) -> None:
        row, column = divmod(whole_cell, 9)
        board, cell = row // 3 * 3 + column // 3, row % 3 * 3 + column % 3
        self.boards[board][cell] = self.to_move
        self.sent_to = None if self.closed(cell) else cell
        self.to_move = "O" if self.to_move == "X" else "X"


def test_ultimate_agrees_with_its_plain_retelling_over_whole_games() -> None:
    rng = random.Random(3)
    ends = set()
    for _ in range(150):
        plain, here = PlainUltimate(), Position()
        while cells := ULTIMATE.moves(here):
            assert set(cells) == plain.legal()
            assert here.memory == (0 if plain.sent_to is None else plain.sent_to + 1)
            assert ULTIMATE.outcome(here) is None
            move = rng.choice(cells)
            here = ULTIMATE.play(here, move)
            plain.play(move)
            ULTIMATE.validate(here)
        assert not plain.legal()
        outcome = ULTIMATE.outcome(here)
        assert outcome is not None
        assert {None: " ", 0: "X", 1: "O"}[outcome.winner] == plain.winner()
        assert len(outcome.cells) in ((0,) if outcome.winner is None else (9,))
        ends.add(outcome.winner)
    assert ends == {None, 0, 1}


def test_ultimate_refuses_moves_with_the_reason() -> None:
    state = GameState.new(ULTIMATE).make_move_to(40).after_state  # sends O to the middle board
    for cell, reason in ((40, "Cell is not empty"), (0, "The last move asks for another board")):
        with pytest.raises(InvalidMove, match=reason):
            state.make_move_to(cell)


def test_ultimate_says_that_a_board_is_closed() -> None:
    rng = random.Random(5)
    for _ in range(200):
        here = Position()
        while cells := ULTIMATE.moves(here):
            free = set(range(81)) - set(cells)
            if here.memory == 0 and here.marks:
                empty = [cell for cell in free if not here.occupied >> cell & 1]
                if empty:
                    with pytest.raises(InvalidMove, match="That board is closed"):
                        ULTIMATE.play(here, empty[0])
                    return
            here = ULTIMATE.play(here, rng.choice(cells))
    raise AssertionError("no game came to a free choice beside a closed board")


def test_ultimate_on_boards_of_two_by_two_is_a_game_as_well() -> None:
    rules = Ultimate(LineRules(Shape(2, 2), 2))
    assert rules.shape == Shape(4, 4)
    assert rules.moves(Position()) == list(range(16))


def test_states_of_the_largest_board_need_no_long_decimals() -> None:
    rules = find_rules("mnk:26,26,5")
    state = GameState.new(rules).make_move_to(675).after_state
    assert state.grid.cells == " " * 675 + "X"
    assert GameState(state.grid, rules=rules).position == state.position


def test_lists_that_a_state_hands_out_are_the_callers_own() -> None:
    state = GameState(Grid("XXXOO    "))
    state.winning_cells.clear()
    assert state.winning_cells == [0, 1, 2]
    fresh = GameState.new()
    fresh.possible_moves.clear()
    assert len(fresh.possible_moves) == 9


def test_grids_of_no_possible_shape_are_refused() -> None:
    for shape in (Shape(0, 0), Shape(-1, -1), Shape(10**6, 10**6)):
        with pytest.raises(ValueError, match="1 to 26 rows and columns"):
            Grid("", shape=shape)
