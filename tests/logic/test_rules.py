"""What rules owe: validity, values, symmetry, how games end; and what is one game's own."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Any, NamedTuple

import pytest

from tests import oracles
from tests.family_oracles import (
    line_game,
    lines_on_torus,
    misere_wild,
    notakto,
    order_and_chaos,
    owned,
    solve,
    wild,
)
from tests.logic.played_games import value_of
from tests.oracles import EMPTY, LINES, canonical
from tests.own_games import Drop
from tests.own_games import Vanishing as OwnVanishing
from tests.theorems import rows_of, stones_of
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Grid
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.letters import CHAOS, ORDER, OrderAndChaos, Wild
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import TORUS, Layers
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.vanishing import Vanishing
from tic_tac_toe.logic.rules.wrappers import TAKEN, Misere, Pie
from tic_tac_toe.logic.search.exact import find_verdict
from tic_tac_toe.logic.search.tables import Table, perft, solve_table, walk_census
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import check_rules

ULTIMATE, PIE, WILD, MISERE_WILD = Ultimate(), Pie(TIC_TAC_TOE), Wild(), Misere(Wild())
SMALL_ORDER = OrderAndChaos(TIC_TAC_TOE)
SMALL_TORUS = LineRules(Shape(3, 3), 3, topology=TORUS)
SMALL_LAYERS = LineRules(Shape(2, 6), 2, topology=Layers(Shape(2, 2)))


def at(rows: str, turn: int = 0, memory: int = 0) -> Position:
    """Return the position that rows of signs show."""
    return Position(stones_of(rows), turn, memory)


@cache
def table_of(rules: Rules, turn: int = 0) -> Table:
    return solve_table(rules, Position(turn=turn))


#: Mixes that are not in the catalogue.
MIXES: list[Rules] = [
    PIE,
    Pie(CONNECT_FOUR),
    Pie(Misere(TIC_TAC_TOE)),
    Misere(PIE),
    Wild(CONNECT_FOUR),
    Wild(LineRules(Shape(3, 4), 3, topology=TORUS)),
    SMALL_ORDER,
    OrderAndChaos(LineRules(Shape(6, 6), 5, exact=True)),
    SMALL_TORUS,
    Misere(SMALL_TORUS),
    LineRules(Shape(4, 5), 4, exact=True, topology=TORUS),
    LineRules(Shape(2, 6), 3, gravity=True, topology=Layers(Shape(2, 2))),
    Caro(Shape(7, 7)),
    Caro(Shape(3, 3), 3),
    Renju(Shape(9, 9)),
    Renju(Shape(5, 5)),
    Renju(Shape(6, 9)),
    Drop(),
    OwnVanishing(),
]


@pytest.mark.medium
@pytest.mark.parametrize("rules", MIXES, ids=repr)
def test_mixed_rules_keep_their_promises_and_are_values(rules: Rules) -> None:
    check_rules(rules, games=1 if rules.shape.cells > 40 else 2)
    for twin in (pickle.loads(pickle.dumps(rules)), deepcopy(rules)):
        assert twin == rules
        assert hash(twin) == hash(rules)
    assert [rules == other for other in MIXES].count(True) == 1


@pytest.mark.parametrize(
    "rules",
    [
        *(rules for rules in (*MIXES, *VARIANTS.values()) if type(rules) is LineRules),
        *(Caro(Shape(9, 10), 4), Renju(Shape(9, 10))),
    ],
    ids=repr,
)
def test_the_text_of_line_rules_makes_the_same_rules(rules: LineRules) -> None:
    names = {"Layers": Layers, "Torus": type(TORUS), "Shape": Shape}
    assert eval(repr(rules), names | {type(rules).__name__: type(rules)}) == rules
    plain = LineRules(rules.shape, rules.length, rules.gravity, rules.exact)
    assert (rules == plain) == ("topology" not in repr(rules) and type(rules) is LineRules)


OVERLAP, WENT_ON = "Marks overlap or lie outside the board", "The game went on after a line"
NUMBERS, NOTHING = "Wrong number of Xs and Os", "Nothing is remembered in this game"
TAKEN_EARLIER = "A mark can have been taken over only while it is the only one"
NO_LAST_MOVE = "No last move leads to this choice of boards"
ORDER_OF_MARKS, NO_ORDER = (
    "The marks have another order in memory",
    "The memory does not hold the order of the marks",
)
IMPOSSIBLE: dict[Rules, list[tuple[Position, str]]] = {
    TIC_TAC_TOE: [
        *((Position((1, 1), 0), OVERLAP), (Position((1 << 9, 0), 1), OVERLAP)),
        *((Position((-1, 0), 1), OVERLAP), (Position(turn=2), "The turn is 0 or 1")),
        *((Position(memory=1), NOTHING), (at("XXX......", 1), NUMBERS)),
        (at("X........", 0), "Wrong starting mark"),
        (at("XXXOO.O..", 0), "Wrong number of Xs"),
        (at("OOOXX.X.X", 1), "Wrong number of Os"),
        (at("XXXOOO...", 0), "Both players own a line"),
    ],
    find_rules("4x4x3"): [(at("XXX./OO.O/XXX./OO..", 1), WENT_ON)],
    CONNECT_FOUR: [(at("." * 28 + "X......" + "." * 7, 1), "A mark floats above")],
    # Each stone of X's row is covered, so that none of them can have been the last.
    LineRules(Shape(4, 4), 3, gravity=True): [(at("..../..../OOX./XXXO", 1), WENT_ON)],
    ULTIMATE: [
        (Position((1, 1), 0), OVERLAP),
        *((Position((1, 0), 1, memory), NO_LAST_MOVE) for memory in (0, 5)),
        (Position(memory=1), NO_LAST_MOVE),
    ],
    PIE: [
        *((Position(memory=TAKEN), TAKEN_EARLIER), (Position((1, 2), 0, TAKEN), TAKEN_EARLIER)),
        *((Position((1, 0), 1, 2), NOTHING), (Position((1, 0), 1, True), NOTHING)),
        (Position((1, 0), 0, TAKEN), "Wrong starting mark"),
        (Position((1, 1), 0), "Marks overlap"),
    ],
    Vanishing(): [
        (Position((1, 1), 0, 1_001), "Marks overlap"),
        *((Position((1, 0), 1, memory), ORDER_OF_MARKS) for memory in (0, 2_000)),
        *((Position((1, 0), 1, memory), NO_ORDER) for memory in (11_000, 101_000, -1)),
        (Position((0, 0), 0, 1_000_000), NO_ORDER),
        (Position((3, 0), 1, 12_000), NUMBERS),
        (Position((7, 0b11000), 0, 123_045), WENT_ON),
        (Position((15, 0b1110000), 1, 234_567), "A side has more than three marks"),
    ],
    Notakto(2): [
        (Position((0, 1)), "There are only crosses in this game"),
        *((Position(memory=1), NOTHING), (Position((1 << 18, 0)), OVERLAP)),
        *((at("XXX.../....../XXX..."), WENT_ON), (at("...XXX/...XXX/......"), WENT_ON)),
    ],
    WILD: [
        *((Position((1, 1)), OVERLAP), (Position((1 << 9, 0)), OVERLAP)),
        *((Position(turn=2), "The turn is 0 or 1"), (Position(memory=1), NOTHING)),
        *((at("XXXOOO..."), WENT_ON), (at("XXXO..XXX"), WENT_ON)),
    ],
    Caro(Shape(4, 8)): [(at("XXXXX.../XXXXX.../OOOO.OOO/.O.O....", 1), "[moves_after_end]")],
    Caro(Shape(3, 8)): [
        (at("XXXXX.../......../OO.OO.O."), "[wrong_number]"),
        (at("XXXXX.../......../OOOOO..."), "[two_winners]"),
    ],
    # The last mark of X closed the five of O: that had won before.
    Caro(Shape(5, 8)): [
        (at("X...X..O/X..X...O/X.X...../XX.....O/XOOOOOXO", 1), "[moves_after_end]")
    ],
    Renju(Shape(3, 8)): [
        (at("XXXXXX../......../OO.OO.O.", 1), "[overline]"),  # nobody has won
        (at("XXXXXX../......../OO.OO.OO"), "[overline]"),
        (at("XXXXX.../......../OO.OO.O."), "[wrong_number]"),
        (at("XXXXX.../......../OOOOO..."), "[two_winners]"),
    ],
    # X had made six, or a five, when it made the five.
    Renju(Shape(4, 8)): [
        (at(f"{row}/OO.OO.OO/XXXXX..O/{last}", 1), "[moves_after_end]")
        for row, last in (("XXXXXX..", ".O.O..O."), ("XXXXX...", ".O.O...."))
    ],
}


@pytest.mark.parametrize(
    ("rules", "bad", "reason"),
    [(rules, *row) for rules, rows in IMPOSSIBLE.items() for row in rows],
)
def test_impossible_positions_are_refused_with_why(
    rules: Rules, bad: Position, reason: str
) -> None:
    with pytest.raises(InvalidGameState) as refusal:
        rules.validate(bad)
    assert reason in f"{refusal.value} [{refusal.value.code}]"


def reached(rules: Rules) -> set[Position]:
    """Return every position that games reach, whichever side begins."""
    found, waiting = set[Position](), [Position(), Position(turn=1)]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found.add(position)
            waiting += [rules.play(position, move) for move in rules.moves(position)]
    return found


def strewn(shape: Shape, memories: Sequence[int]) -> Iterator[Position]:
    """Yield every way to strew marks over a board, for either side to move."""
    for signs in product(".XO", repeat=shape.cells):
        stones = stones_of("".join(signs))
        for turn, memory in product((0, 1), memories):
            yield Position(stones, turn, memory)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("rules", "memories"),
    [
        *(
            (find_rules(name), (0,))
            for name in ("tic-tac-toe", "mnk:3,3,3,misere", "mnk:4,2,2", "mnk:4,2,3,exact")
        ),
        *((find_rules(name), (0,)) for name in ("mnk:2,4,2,exact", "mnk:3,3,2,torus")),
        (Pie(LineRules(Shape(2, 3), 2)), (0, TAKEN)),
        (Notakto(), (0,)),
        (WILD, (0,)),
    ],
    ids=repr,
)
def test_validation_accepts_just_what_games_reach(rules: Rules, memories: Sequence[int]) -> None:
    possible = reached(rules)
    for candidate in strewn(rules.shape, memories):
        try:
            rules.validate(candidate)
        except InvalidGameState:
            assert candidate not in possible
        else:
            assert candidate in possible


@pytest.mark.parametrize("name", ["mnk:3,3,3,gravity", "mnk:2,4,2,gravity", "mnk:4,2,2,gravity"])
def test_validation_under_gravity_accepts_all_that_games_reach(name: str) -> None:
    for position in reached(find_rules(name)):
        find_rules(name).validate(position)


@dataclass(frozen=True)
class Solved:
    """A game that an oracle has solved.

    Attributes:
        key: what the oracle calls a position.
        value: that of the start, with the plies to it.
        best: the moves that keep it.
    """

    rules: Rules
    game: Callable[[Any], Collection[Any] | int]
    start: Any
    key: Callable[[Position], Any]
    value: tuple[int, int]
    best: tuple[int, ...]
    turn: int = 0


def grid_of(position: Position) -> str:
    return rows_of(Shape(1, 9), position.stones).replace(".", " ")


def grid_for_order(position: Position) -> tuple[str, bool]:
    return grid_of(position), position.turn == ORDER


def living_boards(position: Position) -> tuple[str, ...]:
    board = canonical(grid_of(position))
    return () if owned(board) else (board,)


def cells_of_sides(position: Position) -> tuple[frozenset[int], ...]:
    sides = [
        frozenset(cell for cell in range(9) if stones >> cell & 1) for stones in position.stones
    ]
    return tuple(sides[::-1] if position.turn else sides)


ORDER_GAME = order_and_chaos(LINES)
TORUS_GAME = line_game(lines_on_torus(3, 3, 3), 9)
NOBODY = (frozenset[int](), frozenset[int]())
EVEN = (0, 2, 4, 6, 8, 9, 11, 13, 15, 17)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            Solved(WILD, wild, EMPTY, grid_of, (1, 7), (4, 13)),
            marks=pytest.mark.medium,
        ),
        pytest.param(
            Solved(MISERE_WILD, misere_wild, EMPTY, grid_of, (0, 0), (4, 13)),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            Solved(SMALL_ORDER, ORDER_GAME, (EMPTY, True), grid_for_order, (1, 5), EVEN),
            marks=pytest.mark.medium,
        ),
        pytest.param(
            Solved(SMALL_ORDER, ORDER_GAME, (EMPTY, False), grid_for_order, (-1, 6), (), CHAOS),
            marks=pytest.mark.slow,
        ),
        Solved(Notakto(), notakto, (EMPTY,), living_boards, (1, 6), (4,)),
        Solved(SMALL_TORUS, TORUS_GAME, NOBODY, cells_of_sides, (1, 7), (*range(9),)),
    ],
    ids=lambda case: repr(case.rules),
)
def test_every_position_has_the_value_of_the_oracle(case: Solved) -> None:
    values, found = solve(case.game, case.start), table_of(case.rules, case.turn)
    for position, entry in found.items():
        assert value_of(entry[0]) == values[case.key(position)]
    assert {case.key(position) for position in found} == {*values}
    score, best = found[Position(turn=case.turn)]
    assert value_of(score) == case.value
    assert best == case.best or not case.best


CARO = "OXXXX../......./..OOOX./......./...O.../......./......."
RENJU = "......./...X.../...X.../XXX..../......./......./O.O.OOO"


def turned(rows: str) -> str:
    return "/".join("".join(column)[::-1] for column in zip(*rows.split("/")))


@pytest.mark.parametrize(
    ("rules", "alike", "orbit", "unlike"),
    [
        *(
            (
                rules,
                [at(grid, 1) for grid in ("X.O......", "O.X......", "..X.....O", "O.....X..")],
                8,
                [at("X...O....", 1), at("X.O......", 0)],
            )
            for rules in (WILD, SMALL_ORDER)
        ),
        (
            Notakto(3),
            [
                *(at("X..X...../....X..../.......X."), at("..X..X.../....X...X/.........")),
                *(at("X.....X../.X......./....X...."), at("...X..X../..X....X./.........")),
            ],
            6 * 4 * 4 * 4,
            [at("X..X...../....X..../......X..")],
        ),
        (
            Caro(Shape(7, 7)),
            [at(CARO), at(turned(CARO)), Position(stones_of(CARO)[::-1], 1)],
            8,
            [at(CARO, 1)],
        ),
        (
            Renju(Shape(7, 7)),
            [at(RENJU), at(turned(RENJU))],
            8,
            [Position(stones_of(RENJU)[::-1], 1)],
        ),
    ],
)
def test_positions_that_are_alike_have_one_representative(
    rules: Rules, alike: list[Position], orbit: int, unlike: list[Position]
) -> None:
    symmetry = symmetry_of(rules)
    representative = symmetry.canonical(alike[0])
    assert {symmetry.canonical(one) for one in alike} == {representative}
    assert [symmetry.orbit(one) for one in alike] == [orbit] * len(alike)
    assert representative not in [symmetry.canonical(one) for one in unlike]


@pytest.mark.medium
@pytest.mark.parametrize(
    "rules",
    [
        *(find_rules(name) for name in ("tic-tac-toe", "misere", "mnk:4,2,2", "mnk:3,3,3,gravity")),
        *(WILD, MISERE_WILD),
    ],
    ids=repr,
)
def test_a_representative_has_the_value_of_all_that_it_stands_for(rules: Rules) -> None:
    table = {**table_of(rules), **({} if rules in (WILD, MISERE_WILD) else table_of(rules, 1))}
    for position, entry in table.items():
        assert table[symmetry_of(rules).canonical(position)][0] == entry[0]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("rules", "plies", "positions"),
    [
        (TIC_TAC_TOE, None, 5_478),
        *(
            (VARIANTS["misere-tic-tac-toe"], None, 5_478),
            (find_rules("mnk:3,4,3,gravity"), None, 0),
        ),
        *((PIE, None, 0), (WILD, None, 18_753), (SMALL_ORDER, None, 18_753)),
        *((Notakto(), 6, 0), (Notakto(2), 6, 0), (SMALL_TORUS, 6, 0), (SMALL_LAYERS, 6, 0)),
    ],
    ids=repr,
)
def test_the_census_counts_every_position_once_although_many_are_alike(
    rules: Rules, plies: int | None, positions: int
) -> None:
    has_values = plies is None and isinstance(rules, LineRules | Misere)
    walks = (
        [*islice(walk_census(rules, symmetric=symmetric, values=has_values), plies)]
        for symmetric in (True, False)
    )
    counted = 0
    for one, other in zip(*walks, strict=True):
        assert one == other._replace(classes=one.classes, final_classes=one.final_classes)
        assert other.final_classes == other.final
        counted += one.positions
    assert counted == positions or not positions


# -- lines and ultimate ----------------------------------------------------------------------------


ULTIMATE, OPEN = Ultimate(), Ultimate(stays_open=True)


def test_a_wrongly_typed_shape_harms_nobody_else() -> None:
    assert list(LineRules((7, 8), 4).moves(Position())) == list(range(56))  # type: ignore[arg-type]
    assert find_rules("mnk:8,7,4").shape == Shape(7, 8)


def test_what_derives_from_line_rules_is_solved_by_its_own_rules() -> None:
    class NoCentreOpening(LineRules):
        def moves(self, at: Position) -> Sequence[int]:
            cells = LineRules.moves(self, at)
            return cells if at.marks else [cell for cell in cells if cell != 4]

    rules = NoCentreOpening()
    assert 4 not in find_verdict(rules, Position()).best
    assert Misere(rules).moves(Position()) == rules.moves(Position())


def test_a_state_of_another_shape_than_its_rules_is_refused() -> None:
    with pytest.raises(InvalidGameState, match="another shape"):
        GameState(Grid(), rules=VARIANTS["4x4"])


def test_a_line_longer_than_needed_is_shown_whole() -> None:
    rules = find_rules("mnk:7,1,3")
    assert rules.outcome(at("XXXXXOO", 0)) == Outcome(0, (0, 1, 2, 3, 4))


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


def test_marks_fall_to_the_lowest_empty_cell() -> None:
    state = GameState.new(CONNECT_FOUR)
    assert state.legal_cells == tuple(range(35, 42))
    state = state.make_move_to(38).after_state
    assert state.legal_cells == (31, 35, 36, 37, 39, 40, 41)
    with pytest.raises(InvalidMove, match="A mark falls to the lowest empty cell of its column"):
        state.make_move_to(3)


# -- ultimate, against a plain retelling -----------------------------------------------------------


class Naive(NamedTuple):
    """Ultimate as one would tell it: nine grids, who first had a line in each, where to play."""

    stays_open: bool
    grids: tuple[str, ...] = (" " * 9,) * 9
    owners: str = " " * 9
    mover: str = "X"
    forced: int | None = None

    def moves(self) -> list[tuple[int, int]]:
        """Return the boards and the cells in them that can be played."""
        if oracles.winner(self.owners):
            return []
        boards = range(9) if self.forced is None else [self.forced]
        return [(board, cell) for board in boards for cell in range(9) if self.is_free(board, cell)]

    def is_free(self, board: int, cell: int) -> bool:
        return self.grids[board][cell] == " " and (self.stays_open or self.owners[board] == " ")

    def after(self, board: int, cell: int) -> Naive:
        """Return what a move leads to."""
        grid = oracles.put(self.grids[board], cell, self.mover)
        grids = (*self.grids[:board], grid, *self.grids[board + 1 :])
        owners = self.owners
        if owners[board] == " " and self.mover in oracles.owners(grid):
            owners = oracles.put(owners, board, self.mover)
        other = oracles.other(self.mover)
        after = Naive(self.stays_open, grids, owners, other, cell)
        return (
            after
            if any(after.is_free(cell, at) for at in range(9))
            else after._replace(forced=None)
        )

    def perft(self, depth: int) -> int:
        """Return the number of ways to make ``depth`` moves."""
        if depth == 0:
            return 1
        return sum(self.after(*move).perft(depth - 1) for move in self.moves())


def number_of(board: int, cell: int) -> int:
    """Return the number of a cell of the whole board, counted by its rows."""
    row, column = board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3
    return row * 9 + column


@pytest.mark.medium
@pytest.mark.parametrize("rules", [ULTIMATE, OPEN], ids=["closed", "open"])
def test_whole_games_of_ultimate_have_the_moves_and_the_end_of_the_oracle(rules: Ultimate) -> None:
    ends = set()
    for seed in range(60):
        rng, naive, at = random.Random(seed), Naive(rules is OPEN), Position()
        while moves := naive.moves():
            by_number = {number_of(*move): move for move in moves}
            assert list(rules.moves(at)) == sorted(by_number)
            expected = 0 if naive.forced is None else naive.forced + 1
            assert rules is OPEN or at.memory == expected
            assert rules.outcome(at) is None
            number = rng.choice(sorted(by_number))
            naive, at = naive.after(*by_number[number]), rules.play(at, number)
            rules.validate(at)
        outcome = rules.outcome(at)
        assert outcome is not None
        assert list(rules.moves(at)) == []
        assert outcome.winner == {"X": 0, "O": 1, None: None}[oracles.winner(naive.owners)]
        assert len(outcome.cells) in ((0,) if outcome.winner is None else (9, 10, 11, 12))
        ends.add(outcome.winner)
    assert ends == {None, 0, 1}


@pytest.mark.parametrize("plies", [0, 9, 20, 30, 40, 50])
def test_perft_of_open_ultimate_is_that_of_the_oracle_early_and_late(plies: int) -> None:
    rng, naive, at = random.Random(plies), Naive(True), Position()
    for _ in range(plies):
        if moves := naive.moves():
            move = rng.choice(moves)
            naive, at = naive.after(*move), OPEN.play(at, number_of(*move))
    for depth in range(4 if plies > 9 else 3):
        assert perft(OPEN, depth, at) == naive.perft(depth)


def test_a_won_board_stays_playable_only_where_the_name_says_so() -> None:
    # X takes the middle row of the first board, and the last answer sends X back to it.
    moves = [number_of(*move) for move in ((0, 3), (3, 0), (0, 4), (4, 0), (0, 5), (5, 0))]
    opened = closed = Position()
    for number in moves:
        opened, closed = OPEN.play(opened, number), ULTIMATE.play(closed, number)
    assert set(OPEN.moves(opened)) == {number_of(0, cell) for cell in (0, 1, 2, 6, 7, 8)}
    assert set(ULTIMATE.moves(closed)).isdisjoint(OPEN.moves(opened))


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
