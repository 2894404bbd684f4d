"""What every rule owes, a table for each promise: validity, values, symmetry, and being a value.

The games of the catalogue are also asked in `tests/conformance`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Any

import pytest

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
from tic_tac_toe.logic.exceptions import InvalidGameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.order_and_chaos import CHAOS, ORDER, OrderAndChaos
from tic_tac_toe.logic.rules.pie import TAKEN, Pie
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.rules.topology import TORUS, Layers
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.vanishing import Vanishing
from tic_tac_toe.logic.rules.wild import Wild
from tic_tac_toe.logic.search.census import walk_census
from tic_tac_toe.logic.search.table import Table, solve_table
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
def test_impossible_positions_are_refused_with_the_reason(
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
@pytest.mark.once
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
def test_every_position_has_the_value_and_distance_of_the_oracle(case: Solved) -> None:
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
