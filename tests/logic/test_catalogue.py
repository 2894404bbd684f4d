"""Names of games, what rules say of themselves, and what their moves place."""

from __future__ import annotations

import pydoc
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any, cast

import pytest
from hypothesis import given

from docs.examples.notakto import Notakto as OwnNotakto
from tests.game.test_strategies import QUICK
from tests.logic.played_games import mnk_rules, refusal
from tests.own_games import Drop
from tests.own_games import Vanishing as OwnVanishing
from tic_tac_toe.game.evaluate import evaluate
from tic_tac_toe.game.tree import tree
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    InvalidVariant,
    SearchLimitReached,
)
from tic_tac_toe.logic.minimax import find_best_move
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move
from tic_tac_toe.logic.notation import (
    clickable_cells,
    format_state,
    landing_cell,
    move_name,
    parse_state,
    play_moves,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import (
    ALIASES,
    CONNECT_FOUR,
    FLAGS,
    TIC_TAC_TOE,
    VARIANTS,
    WELL_KNOWN,
    find_rules,
    variant_name,
)
from tic_tac_toe.logic.rules.letters import OrderAndChaos, Wild
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE, TORUS, Layers, Topology
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.rules.traits import (
    Digits,
    Placement,
    Traits,
    count_moves,
    move_to,
    placement,
    plies_left,
    special_move,
    special_name,
    traits_of,
)
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.vanishing import Vanishing
from tic_tac_toe.logic.rules.wrappers import Misere, Pie
from tic_tac_toe.logic.search.deepening import DECIDED, look_ahead
from tic_tac_toe.logic.search.exact import AlphaBeta, negamax
from tic_tac_toe.logic.search.tables import perft, solve_table, walk_census
from tic_tac_toe.logic.shapes import Shape


@given(mnk_rules())
def test_every_line_game_has_a_name_that_finds_it(rules: Rules) -> None:
    assert find_rules(variant_name(rules)) == rules


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("mnk:7,6,4", LineRules(Shape(6, 7), 4)),
        ("mnk:7,6,4,gravity", LineRules(Shape(6, 7), 4, gravity=True)),
        ("mnk:4,3,3,misere", Misere(LineRules(Shape(3, 4), 3))),
        ("mnk:15,15,5,exact", LineRules(Shape(15, 15), 5, exact=True)),
        ("MNK: 3, 3, 3", LineRules()),
        ("mnk:26,26,5,misere,gravity,exact", Misere(LineRules(Shape(26, 26), 5, True, True))),
        ("mnk:1,1,1", LineRules(Shape(1, 1), 1)),
        ("Tic Tac Toe", LineRules()),
        ("misère", Misere(LineRules())),
        ("connect_four", LineRules(Shape(6, 7), 4, gravity=True)),
        ("gomoku", LineRules(Shape(15, 15), 5)),
        ("gomoku-standard", LineRules(Shape(15, 15), 5, exact=True)),
        ("connect-four-5x4", LineRules(Shape(rows=4, columns=5), 4, gravity=True)),
        ("misere-connect-four", Misere(LineRules(Shape(6, 7), 4, gravity=True))),
        ("ultimate", Ultimate()),
        ("tic-tac-toe,wild", VARIANTS["wild"]),
        ("wild,misere", VARIANTS["misere-wild"]),
        ("qubic,gravity", VARIANTS["score-four"]),
        ("gomoku,exact", VARIANTS["gomoku-standard"]),
        ("connect-four,pie", Pie(VARIANTS["connect-four"])),
        ("7x6x4 gravity pie", Pie(VARIANTS["connect-four"])),
        ("connect-four,pie,misere", Pie(Misere(VARIANTS["connect-four"]))),
        ("mnk:5,5,4,torus", LineRules(Shape(5, 5), 4, topology=TORUS)),
        ("mnk:4,4,4,misere,wild", Misere(Wild(LineRules(Shape(4, 4), 4)))),
        ("order-and-chaos:4,5,3,exact", OrderAndChaos(LineRules(Shape(5, 4), 3, exact=True))),
        ("order-and-chaos:5x5x4", OrderAndChaos(LineRules(Shape(5, 5), 4))),
        ("ultimate,misere", Misere(Ultimate())),
        *(("caro", Caro()), ("notakto-1", Notakto())),
        *((alias, VARIANTS[name]) for alias, name in ALIASES.items()),
    ],
)
def test_a_name_is_that_of_a_game_or_columns_rows_length_and_flags(name: str, rules: Rules) -> None:
    assert find_rules(name) == rules


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mnk:27,3,3", "columns must be from 1 to 26, not 27"),
        ("mnk:3,0,3", "rows must be from 1 to 26, not 0"),
        ("mnk:3,3,4", "no line of 4 fits 3 columns and 3 rows, so every game would be a draw"),
        ("mnk:3,3,0", "line length must be 1 or more, not 0"),
        ("mnk:x,3,3", 'columns must be a whole number, not "x"'),
        ("mnk:3,3.5,3", 'rows must be a whole number, not "3.5"'),
        ("mnk:3,3,-3", 'line length must be a whole number, not "-3"'),
        ("mnk:3,3,٣", "line length must be a whole number"),
        ("mnk:3,3", "a board needs columns, rows and line length, like 7x6x4; 2 given"),
        ("mnk:", "a board needs columns, rows and line length, like 7x6x4; 0 given"),
        ("mnk:3,3,3,big", '"big" is not a flag; the flags are gravity, exact, torus, wild, misere'),
        ("mnk:3,3,3,exact,exact", "the flag exact is given twice"),
        ("mnk:3,3,3," + "exact," * 10_000, "is not a flag|given twice"),
        ("5x5", "a board needs columns, rows and line length, like 7x6x4; 2 given"),
        ("7x7x4x", 'line length must be a whole number, not "4x"'),
        ("connect-four,gravity", "^this game has the rule gravity already$"),
        ("misere,misere", "^this game has the rule misere already$"),
        ("mnk:5,5,4,pie,wild", "^the flag pie does not go with wild here$"),
        (
            "mnk:5,5,4,torus,gravity",
            "^a torus has no floor .*so torus and gravity do not go together$",
        ),
        ("notakto-2,pie", "^this game takes no flags: leave out pie$"),
        ("ultimate,pie", "^this game does not take the flag pie; it takes misere$"),
        ("qubic,torus", "the flag torus; it takes gravity, wild, misere, pie$"),
        ("tic-tac-toe,big", '^"big" is not a flag'),
        ("order-and-chaos:3,3", "columns, rows and line length, like 7x6x4; 2 given"),
        ("order-and-chaos:3,3,4", "no line of 4 fits"),
        ("notakto-0", "boards"),
        ("notakto-27", "boards"),
        ("chess,pie", 'no variant is called "chess,pie"'),
        ("gomuko", 'no variant is called "gomuko"; did you mean gomoku\\? Else choose from tic-'),
        ("Conect Four", 'called "Conect Four"; did you mean connect-four\\?'),
        ("chess", 'no variant is called "chess"; choose from tic-tac-toe, '),
        ("", 'no variant is called ""'),
        ("\x1b[31m" * 1000, r'no variant is called "\\x1b\[31m'),
    ],
)
def test_a_bad_name_is_refused_with_the_bad_part_named(name: str, message: str) -> None:
    with pytest.raises(InvalidVariant, match=message) as refused:
        find_rules(name)
    assert len(str(refused.value)) < 500
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *((typed, "mnk:7,7,4") for typed in ("7x7x4", "7,7,4", "7 7 4", "7×7×4", "mnk:7x7x4")),
        ("mnk: 7, 7, 4, exact", "mnk:7,7,4,exact"),
        ("8x7x4 gravity misere", "mnk:8,7,4,gravity,misere"),
        ("7X6X4,gravity", "connect-four"),
        ("15x15x5", "gomoku"),
        ("score-four,misere,pie", "score-four,misere,pie"),
        ("3x3x3,wild,gravity", "3x3x3,gravity,wild"),
        ("5x5x4,misere,torus,exact", "mnk:5,5,4,exact,torus,misere"),
        ("order-and-chaos:6,6,5", "order-and-chaos"),
        ("gomoku,pie", "gomoku,pie"),
    ],
)
def test_games_are_found_as_people_type_them_and_get_short_names(typed: str, name: str) -> None:
    assert find_rules(typed) == find_rules(name)
    assert variant_name(find_rules(typed)) == name


#: The games of which every flag and every pair of flags is asked; the others differ in size alone.
FLAGGED = [
    *(name for name in VARIANTS if not re.fullmatch("notakto-.|vanishing-.*|[4-6]x.*", name)),
    *("mnk:5,4,3", "order-and-chaos:4,4,3"),
]


@pytest.mark.parametrize("name", FLAGGED)
def test_every_flag_and_pair_of_flags_makes_a_game_with_a_name_or_is_refused(name: str) -> None:
    for flags in (*((flag,) for flag in FLAGS), *combinations(FLAGS, 2)):
        typed = ",".join((name, *flags))
        if (refused := refusal((InvalidVariant,), find_rules, typed)) is not None:
            assert any(flag in refused for flag in flags)
            continue
        rules = find_rules(typed)
        assert find_rules(variant_name(rules)) == rules
        assert rules == find_rules(",".join((name, *reversed(flags))))
        assert set(flags) <= set(traits_of(rules).flags)


def test_an_unknown_name_is_told_some_names_and_where_all_are() -> None:
    with pytest.raises(InvalidVariant) as refused:
        find_rules("chess")
    assert set(WELL_KNOWN) <= set(VARIANTS)
    assert str(refused.value) == (
        f'no variant is called "chess"; choose from {", ".join(WELL_KNOWN)}, '
        "the others that “tic-tac-toe variants” lists, or mnk:COLUMNS,ROWS,LENGTH; "
        f"flags follow after commas: {', '.join(FLAGS)}"
    )


def test_the_catalogue_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        cast("Any", VARIANTS)["chess"] = LineRules()


def test_help_on_the_catalogue_lists_every_game_and_its_rules() -> None:
    text = pydoc.plain(pydoc.render_doc(VARIANTS))
    for name, rules in VARIANTS.items():
        assert name in text
        assert repr(rules) in text


def test_rules_of_ones_own_have_no_name() -> None:
    with pytest.raises(InvalidVariant, match="Ultimate rules of one's own have no variant name"):
        variant_name(Ultimate(LineRules(Shape(2, 2), 2)))


def test_misere_of_misere_is_the_original() -> None:
    for rules in VARIANTS.values():
        assert Misere(Misere(rules)) == rules


LONGEST: list[tuple[Shape, Topology, int]] = [
    (Shape(3, 9), Layers(Shape(3, 3)), 3),
    (Shape(2, 16), Layers(Shape(2, 2)), 8),
    (Shape(3, 4), TORUS, 4),
]
NO_RULES = (5, "tic-tac-toe", None, LineRules)
NO_LINES = (Misere(LineRules()), Ultimate(), 3)
NO_PIE = (Pie(LineRules()), Wild(), Notakto(), Vanishing(), Ultimate(), Misere(Pie(LineRules())))


@pytest.mark.parametrize(
    ("kind", "inner", "message"),
    [
        *((Misere, value, "misère play needs the rules of a game, not") for value in NO_RULES),
        *((Ultimate, value, "the boards of ultimate need line rules, not") for value in NO_LINES),
        (Ultimate, LineRules(gravity=True), "ultimate"),
        (Ultimate, LineRules(Shape(6, 6), 4), "ultimate"),
        *((Pie, value, "pie rule needs a game in which.* \\[no_pie\\]$") for value in NO_PIE),
        (Pie, 3, "the pie rule needs the rules of a game, not int"),
        (Wild, Wild(), "players choose the letter needs line rules, not Wild"),
        *((Notakto, n, "Notakto has from 1 to 6 boards, not") for n in (0, 7, True, 2.0, "2")),
        *((kind, Shape(4, 4), "") for kind in (Caro, Renju)),
        (partial(LineRules, length=cast("int", 3.0)), (3, 3), "line length must be a whole number"),
        (LineRules, (True, 3), "rows must be a whole number"),
        (
            partial(LineRules, topology=TORUS, gravity=True),
            Shape(4, 4),
            r"has no floor.*\[no_floor",
        ),
        *(
            (
                partial(LineRules, length=3, topology=Layers(layer)),
                Shape(4, 12),
                r"do not lie side by side.*\[wrong_layers\]",
            )
            for layer in (Shape(3, 3), Shape(4, 5), Shape(4, 0), Shape(2, 3))
        ),
        *(
            (partial(LineRules, shape, topology=topology), most + 1, f"must be from 1 to {most} ")
            for shape, topology, most in LONGEST
        ),
    ],
)
def test_games_that_cannot_be_made_are_refused(
    kind: Callable[[Any], object], inner: object, message: str
) -> None:
    with pytest.raises(InvalidVariant) as refusal:
        kind(inner)
    assert re.search(message, f"{refusal.value} [{refusal.value.code}]")


@pytest.mark.parametrize(("shape", "topology", "most"), LONGEST)
def test_lines_may_be_as_long_as_the_long_side(shape: Shape, topology: Topology, most: int) -> None:
    assert LineRules(shape, most, topology=topology).length == most


DROP, VANISHING = Drop(), OwnVanishing()
CLASSIC = Traits(3, digits=Digits.NUMBER_PAD, longest=9)

NESTED = Traits(
    3, misere=True, blocks=Shape(3, 3), memory="block", digits=Digits.NOTHING, longest=81
)


class UpAndDown(OwnVanishing):
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
        (OwnNotakto(), Traits(choices=(0,), digits=Digits.NUMBER_PAD, longest=9), ()),
        (OwnNotakto(Shape(3, 4)), Traits(choices=(0,), digits=Digits.NOTHING, longest=12), ()),
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
    state = play_moves(GameState.new(DROP), "221")
    assert state.grid.cells == " " * 4 + "O" + " " + "XX "
    assert move_name(state, 3) == "1"
    assert landing_cell(state, 1) == 1
    assert landing_cell(state, 2) == 8
    assert clickable_cells(state) == list(range(9))
    with pytest.raises(InvalidMove, match=r"^Column 2 is full$"):
        landing_cell(play_moves(state, "2"), 1)


# -- games in which positions come back ----------------------------------------------------------


def position_after(*cells: int) -> Position:
    position = Position()
    for cell in cells:
        position = VANISHING.play(position, cell)
    return position


#: Six marks and no line; each side then puts its oldest mark back where it was.
BEGUN = (0, 1, 5, 2, 6, 3)


@pytest.mark.parametrize(
    "strategies",
    [
        ("random", "easy", "rules"),
        pytest.param(("medium", "minimax", "trickster"), marks=pytest.mark.slow),
    ],
)
def test_a_game_whose_marks_vanish_is_played(strategies: Sequence[str]) -> None:
    state = GameState.new(VANISHING)
    for cell in (*BEGUN, 4, 0):
        state = state.make_move_to(cell).after_state
    assert state.position.marks == 6
    for strategy in strategies:
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
    assert ", turn=" not in repr(even)
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
        lambda rules: negamax(rules, Position()),
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


@pytest.mark.slow
def test_a_game_without_a_longest_one_has_best_moves_and_trees_of_some_plies() -> None:
    assert find_best_move(GameState.at(VANISHING, position_after(0, 3, 1, 4))) is not None
    assert len(tree(GameState.new(VANISHING), 1, fold=False).nodes) == 10


# -- placements ------------------------------------------------------------------------------------


PIE = Pie(TIC_TAC_TOE)


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        (TIC_TAC_TOE, 9),
        (CONNECT_FOUR, 42),
        (Wild(), 18),
        (Misere(Wild()), 18),
        (OrderAndChaos(), 72),
        (Notakto(2), 18),
        (Vanishing(), 9),
        (PIE, 10),
        (Misere(PIE), 10),
    ],
)
def test_every_game_knows_how_many_moves_it_numbers(rules: Rules, count: int) -> None:
    assert count_moves(rules) == count
    special = [move for move in range(count) if special_name(rules, move) is not None]
    assert special == [move for move in range(count) if placement(rules, 0, move) is None]


@pytest.mark.parametrize("turn", [0, 1])
def test_a_move_places_the_movers_own_mark_or_the_letter_that_it_names(turn: int) -> None:
    for rules in (TIC_TAC_TOE, Vanishing(), PIE):
        assert placement(rules, turn, 4) == Placement(4, turn)
        assert move_to(rules, 4) == 4
    assert placement(Wild(), turn, 4) == Placement(4, 0)
    assert placement(Wild(), turn, 13) == Placement(4, 1)
    assert move_to(Wild(), 4, choice=1) == 13
    assert placement(Notakto(2), turn, 17) == Placement(17, 0)


def test_the_swap_places_nothing_and_comes_after_all_cells() -> None:
    assert special_move(PIE, "swap") == 9
    assert special_name(PIE, 9) == "swap"
    assert special_name(PIE, 8) is None
    assert placement(PIE, 1, 9) is None
    with pytest.raises(ValueError, match="not in tuple"):
        special_move(TIC_TAC_TOE, "swap")


# -- states and their moves ------------------------------------------------------------------------


def test_a_state_of_either_letter_has_twice_as_many_moves_as_cells() -> None:
    state = GameState.new(Wild()).make_move_to(13).after_state
    assert state.legal_cells == (0, 1, 2, 3, 5, 6, 7, 8)
    assert state.legal_moves == (*state.legal_cells, *(cell + 9 for cell in state.legal_cells))
    assert [move.number for move in state.possible_moves] == list(state.legal_moves)


def test_a_move_tells_the_letter_from_the_player_and_the_number_from_the_cell() -> None:
    state = GameState.new(Wild(), Mark.NAUGHT)
    move = state.make_move_to(4)
    assert (move.mark, move.player, move.cell_index, move.number) == ("X", "O", 4, 4)
    move = move.after_state.make_move_to(9)
    assert (move.mark, move.player, move.cell_index, move.number) == ("O", "X", 0, 9)
    assert move.after_state.grid.cells == "O   X    "


def test_a_plain_move_is_numbered_by_its_cell_and_shown_and_compared_as_ever() -> None:
    state = GameState.new()
    made = state.make_move_to(4)
    by_hand = Move(Mark.CROSS, 4, state, made.after_state)
    assert made == by_hand
    assert (by_hand.number, by_hand.player) == (4, Mark.CROSS)
    assert "number" not in repr(made)


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, Wild(), Notakto(2), PIE, Vanishing()])
def test_numbers_beyond_the_last_move_are_refused_with_the_last(rules: Rules) -> None:
    state, last = GameState.new(rules), count_moves(rules) - 1
    for number in (-1, last + 1):
        with pytest.raises(InvalidMove, match=f"Cell must be from 0 to {last}"):
            state.make_move_to(number)


def test_a_drawn_state_has_no_moves_and_is_over_although_the_board_goes_on() -> None:
    state = GameState.new(Vanishing())
    drawn = state.as_drawn()
    assert (drawn.game_over, drawn.tie, drawn.winner) == (True, True, None)
    assert drawn.legal_moves == drawn.legal_cells == ()
    assert drawn.possible_moves == []
    assert drawn != state
    assert drawn.position == state.position
    assert drawn.make_random_move() is None
    assert GameState(state.grid, rules=Vanishing(), drawn=True) == drawn
    with pytest.raises(InvalidMove, match="The game is over"):
        drawn.make_move_to(0)
    assert repr(drawn).endswith(", drawn=True)")
