"""Games without edges and in space: gravity, what is refused, and who wins."""

from __future__ import annotations

import pickle
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.family_oracles import (
    escapes,
    line_game,
    lines_in_space,
    lines_on_torus,
    solve,
    wins_within,
)
from tests.logic.exact_values import value_of
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import lines
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.topology import PLANE, TORUS, Layers, Topology
from tic_tac_toe.logic.rules.traits import Digits, traits_of
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.table import solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import check_rules

CUBE_OF_3, CUBE_OF_4 = Layers(Shape(3, 3)), Layers(Shape(4, 4))
SPACE = LineRules(Shape(3, 9), 3, topology=CUBE_OF_3)
QUBIC = LineRules(Shape(4, 16), 4, topology=CUBE_OF_4)
SCORE_FOUR = LineRules(Shape(4, 16), 4, gravity=True, topology=CUBE_OF_4)
SMALL_TORUS = LineRules(Shape(3, 3), 3, topology=TORUS)
GAMES = [
    SPACE,
    QUBIC,
    SCORE_FOUR,
    LineRules(Shape(2, 6), 3, gravity=True, topology=Layers(Shape(2, 2))),
    SMALL_TORUS,
    LineRules(Shape(4, 5), 4, exact=True, topology=TORUS),
    Misere(SMALL_TORUS),
]


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_the_rules_keep_their_promises(rules: LineRules) -> None:
    check_rules(rules, games=2)


# -- gravity ---------------------------------------------------------------------------------------


def test_marks_fall_through_the_layers_to_the_lowest() -> None:
    assert list(SCORE_FOUR.moves(Position())) == [
        row * 16 + column for row in range(4) for column in range(4)
    ]
    after = SCORE_FOUR.play(Position(), 0)
    assert list(SCORE_FOUR.moves(after))[:4] == [1, 2, 3, 4]
    with pytest.raises(InvalidMove, match="A mark falls to the lowest empty cell"):
        SCORE_FOUR.play(after, 8)
    with pytest.raises(InvalidGameState, match="A mark floats above an empty cell"):
        SCORE_FOUR.validate(Position((1 << 4, 0), 1))


@pytest.mark.parametrize(
    ("topology", "shape"),
    [(PLANE, Shape(3, 4)), (PLANE, Shape(1, 4)), (PLANE, Shape(4, 1)), (CUBE_OF_3, Shape(3, 9)),
     (Layers(Shape(2, 3)), Shape(2, 12)), (Layers(Shape(3, 3)), Shape(3, 3))],
)  # fmt: skip
@given(dice=st.randoms(use_true_random=False))
def test_supported_cells_lie_on_the_floor_or_on_a_taken_cell(
    topology: Topology, shape: Shape, dice: st.DataObject
) -> None:
    occupied = dice.getrandbits(shape.cells)  # type: ignore[attr-defined]  # a random.Random
    supported = lines(shape, 1, topology=topology).supported(occupied)
    stacks = topology.stacks(shape)
    assert stacks is not None
    for stack in stacks:
        for below, cell in zip((None, *stack), stack):
            carried = below is None or occupied >> below & 1
            assert supported >> cell & 1 == carried


def test_traits_tell_screens_of_layers_and_stacks() -> None:
    traits = traits_of(SCORE_FOUR)
    assert (traits.blocks, traits.layered, traits.torus) == (Shape(4, 4), True, False)
    assert traits.stacks is not None
    assert traits.stacks[0] == (0, 4, 8, 12)
    assert traits.digits is Digits.NOTHING
    assert traits_of(SPACE).stacks is None
    assert traits_of(LineRules(Shape(3, 3), topology=TORUS)).flags == ("torus",)
    assert traits_of(LineRules(Shape(3, 4), gravity=True)).stacks == (
        (8, 4, 0),
        (9, 5, 1),
        (10, 6, 2),
        (11, 7, 3),
    )


# -- what is refused -------------------------------------------------------------------------------


def test_a_torus_has_no_floor() -> None:
    assert lines(Shape(3, 3), 3, topology=TORUS).supported(0) == 0b111_111_111
    with pytest.raises(InvalidVariant, match="a torus has no floor") as refusal:
        LineRules(Shape(4, 4), 3, gravity=True, topology=TORUS)
    assert refusal.value.code == "no_floor"


@pytest.mark.parametrize("layer", [Shape(3, 3), Shape(4, 5), Shape(4, 0), Shape(2, 3)])
def test_layers_that_do_not_make_up_the_board_are_refused(layer: Shape) -> None:
    with pytest.raises(InvalidVariant, match="do not lie side by side on this board") as refusal:
        LineRules(Shape(4, 12), 3, topology=Layers(layer))
    assert refusal.value.code == "wrong_layers"


@pytest.mark.parametrize(
    ("shape", "topology", "most"),
    [(Shape(3, 9), CUBE_OF_3, 3), (Shape(2, 16), Layers(Shape(2, 2)), 8), (Shape(3, 4), TORUS, 4)],
)
def test_lines_longer_than_the_longest_side_are_refused(
    shape: Shape, topology: Topology, most: int
) -> None:
    LineRules(shape, most, topology=topology)
    with pytest.raises(InvalidVariant, match=f"line length must be from 1 to {most}"):
        LineRules(shape, most + 1, topology=topology)


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", GAMES[:-1], ids=repr)
def test_rules_are_pickled_copied_compared_and_shown_with_their_topology(rules: LineRules) -> None:
    for twin in (pickle.loads(pickle.dumps(rules)), deepcopy(rules), eval(repr(rules), _NAMES)):
        assert twin == rules
        assert hash(twin) == hash(rules)
    assert rules != LineRules(rules.shape, rules.length, rules.gravity, rules.exact)


_NAMES = {"Layers": Layers, "Torus": type(TORUS), "LineRules": LineRules, "Shape": Shape}


def test_the_plane_is_not_shown() -> None:
    assert repr(LineRules()) == (
        "LineRules(shape=Shape(rows=3, columns=3), length=3, gravity=False, exact=False)"
    )


# -- who wins --------------------------------------------------------------------------------------


def test_the_first_player_wins_3x3x3_in_seven_plies_and_not_sooner() -> None:
    in_space, nobody = lines_in_space(3, 3, 3, 3), frozenset[int]()
    assert not wins_within(in_space, 27, nobody, nobody, 5)
    assert wins_within(in_space, 27, nobody, nobody, 7)
    assert value_of(AlphaBeta(SPACE).score(Position())) == (1, 7)


def test_the_second_player_wins_3x3x3_in_nine_plies_unless_the_first_begins_in_the_centre() -> None:
    in_space, search = lines_in_space(3, 3, 3, 3), AlphaBeta(SPACE)
    centre = 13
    for opening in range(27):
        value = value_of(search.score(Position((1 << opening, 0), 1)))
        assert value == ((-1, 6) if opening == centre else (1, 9))
    for opening in (0, 1, 4):  # a corner, an edge and a face of the cube
        cross, nobody = frozenset({opening}), frozenset[int]()
        assert wins_within(in_space, 27, nobody, cross, 9)
        assert not wins_within(in_space, 27, nobody, cross, 7)
    assert not escapes(in_space, 27, frozenset({centre}), frozenset(), 6)


def test_every_position_of_the_small_torus_has_the_value_and_distance_of_the_oracle() -> None:
    nobody = frozenset[int]()
    values = solve(line_game(lines_on_torus(3, 3, 3), 9), (nobody, nobody))
    found = solve_table(SMALL_TORUS)
    assert len(found) == len(values)
    for position, entry in found.items():
        crosses, naughts = (
            frozenset(cell for cell in range(9) if stones >> cell & 1) for stones in position.stones
        )
        sides = (naughts, crosses) if position.turn else (crosses, naughts)
        assert value_of(entry[0]) == values[sides]
    assert (value_of(found[Position()][0]), found[Position()][1]) == ((1, 7), (*range(9),))


@pytest.mark.parametrize(
    ("columns", "rows", "length", "misere", "value"),
    [
        (3, 3, 3, False, (1, 7)),
        (3, 3, 3, True, (1, 8)),
        (4, 3, 3, False, (1, 5)),
        (4, 3, 3, True, (-1, 9)),
        (4, 4, 3, False, (1, 5)),
        (6, 2, 4, False, (0, 0)),
    ],
)
def test_small_tori_have_the_values_that_search_has_proved(
    columns: int, rows: int, length: int, misere: bool, value: tuple[int, int]
) -> None:
    plain = LineRules(Shape(rows, columns), length, topology=TORUS)
    rules = Misere(plain) if misere else plain
    assert value_of(AlphaBeta(rules).score(Position())) == value


def test_a_state_of_a_game_in_space_is_rebuilt_from_its_grid() -> None:
    state = GameState.new(SPACE)
    for cell in (4, 0, 13, 1):
        state = state.make_move_to(cell).after_state
    assert GameState(state.grid, rules=SPACE) == state
