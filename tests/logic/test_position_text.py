"""The one-line text of positions, which every state is read back from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.logic.played_games import (
    REFUSALS,
    after,
    message_of,
    mnk_rules,
    play_at_random,
    refusal,
    started_games,
)
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidNotation, quoted
from tic_tac_toe.logic.models import MARKS, GameState, Grid, Mark
from tic_tac_toe.logic.notation import format_state, parse_state, play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.shapes import Shape

CROSS, NAUGHT = MARKS
ULTIMATE = VARIANTS["ultimate"]


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (GameState.new(), ".../.../... x"),
        (GameState.new(TIC_TAC_TOE, Mark.NAUGHT), ".../.../... o"),
        (GameState(Grid("XXOO X O ")), "XXO/O.X/.O. x"),
        (GameState(Grid("XXOO X O "), Mark.NAUGHT), "XXO/O.X/.O. o"),
        (after("tic-tac-toe", "A1 B1 A2 B2 A3"), "XO./XO./X.. o"),
        (after("connect-four-5x4", "335"), "...../...../..O../..X.X o"),
        (after("mnk:3,1,3", "B1"), ".X. o"),
        (after("ultimate", ""), "/".join(["." * 9] * 9) + " x -"),
        (
            after("ultimate", "A5"),
            "/".join(["." * 9] * 4 + ["X........"] + ["." * 9] * 4) + " o A2",
        ),
    ],
)
def test_a_position_is_its_rows_side_to_move_and_memory(state: GameState, text: str) -> None:
    assert format_state(state) == text
    assert parse_state(text, state.rules) == state


def assert_every_state_is_read_back(state: GameState, moves: Sequence[int]) -> None:
    for move in [None, *moves]:
        if move is not None:
            state = state.make_move_to(move).after_state
        text = format_state(state)
        assert text.isascii()
        assert text.isprintable()
        tells_starter = traits_of(state.rules).tells_starter
        again = parse_state(text, state.rules, None if tells_starter else state.starting_mark)
        assert again == state
        assert again.position == state.position
        assert again.outcome == state.outcome


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("starting_mark", MARKS)
def test_every_state_of_a_game_of_every_variant_is_read_back(
    name: str, starting_mark: Mark
) -> None:
    start = first_state(VARIANTS[name], starting_mark)
    for seed in range(2):
        assert_every_state_is_read_back(start, play_at_random(start, 1000, seed))


@given(started_games(), st.integers(0, 30), st.integers())
def test_every_state_of_every_board_is_read_back(start: GameState, plies: int, seed: int) -> None:
    assert_every_state_is_read_back(start, play_at_random(start, plies, seed))


PLAIN = ("XXO/O.X/.O.", "XXOO.X.O.", "xxo/o_x/_o_", "XXO/O X/ O ", "XXOO X O ", "XxOo_X.O ")


@pytest.mark.parametrize(
    ("text", "told", "cells", "starter", "mover"),
    [
        *(
            (text, told, "XXOO X O ", told or CROSS, None)
            for text in PLAIN
            for told in (None, NAUGHT)
        ),
        # Nothing is stripped that could be an empty cell.
        *((" " * 9, None, " " * 9, CROSS, CROSS), (" " * 9 + " o", None, " " * 9, NAUGHT, NAUGHT)),
        *(
            ("   XX OO ", None, "   XX OO ", CROSS, CROSS),
            ("X" + " " * 8, None, "X        ", CROSS, NAUGHT),
        ),
        # The side to move tells who started; else X did unless told otherwise.
        *((f"XO./.../... {sign}", None, "XO       ", CROSS, CROSS) for sign in "xX"),
        *((f"O../.../... {sign}", None, "O        ", NAUGHT, CROSS) for sign in "xX"),
        *(
            ("X........", None, "X        ", CROSS, NAUGHT),
            ("O........", NAUGHT, "O        ", NAUGHT, CROSS),
        ),
    ],
)
def test_plain_forms_of_a_position_are_read_with_who_started(
    text: str, told: Mark | None, cells: str, starter: Mark, mover: Mark | None
) -> None:
    state = parse_state(text, starting_mark=told)
    assert (state.grid.cells, state.starting_mark) == (cells, starter)
    assert mover in (None, state.current_mark)


@pytest.mark.parametrize("name", ["vanishing", "4x4,pie"])
def test_where_marks_do_not_tell_who_started_x_did_unless_told_otherwise(name: str) -> None:
    rules = find_rules(name)
    text = format_state(GameState.new(rules, NAUGHT))
    assert parse_state(text, rules).starting_mark is CROSS
    assert parse_state(text, rules).current_mark is NAUGHT
    assert parse_state(text, rules, NAUGHT) == GameState.new(rules, NAUGHT)


def test_a_mark_that_was_taken_over_is_remembered() -> None:
    state = after("4x4,pie", "B2 swap")
    assert format_state(state) == "..../.O../..../.... x 1"
    assert parse_state(format_state(state), state.rules) == state


SIGN = "expected X, O, or for an empty cell a dot, underscore or space"
MOVER = "after the last cell: expected x or o, who moves"
NUMBER = "after the side to move: expected a number, if any"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 9 cells, got 0"),
        ("XO", "expected 9 cells, got 2"),
        ("XO./...", "expected 3 rows, got 2"),
        ("/", "row 1: expected 3 cells, got 0"),
        ("XO./..../...", "row 2: expected 3 cells, got 4"),
        ("XO./.../..", "row 3: expected 3 cells, got 2"),
        (".../.../.../...", "expected 3 rows, got 4"),
        ("....../...", "row 1: expected 3 cells, got 6"),
        ("XO?......", f'"?" in row 1, column 3: {SIGN}'),
        ("XO./.\t./...", rf'"\t" in row 2, column 2: {SIGN}'),
        ("XO.\n...\n...", rf'"\n" in row 2, column 1: {SIGN}'),
        ("\u0425........", f'"\u0425" in row 1, column 1: {SIGN}'),
        ("XO.......\n", rf'"\n" {MOVER}'),
        ("XO./.../...\n", rf'"\n" {MOVER}'),
        ("XO........", f'"." {MOVER}'),
        (" " * 10, f'" " {MOVER}'),
        ("XO....... z", f'" z" {MOVER}'),
        ("XO.......x", f'"x" {MOVER}'),
        ("XO.......  x", f'"  x" {MOVER}'),
        ("XO....... x ", f'"" {NUMBER}'),
        ("XO....... x\n", rf'" x\n" {MOVER}'),
        ("XO....... x B2", f'"B2" {NUMBER}'),
        ("XO....... x 0 0", f'" x 0 0" {MOVER}'),
        ("XO....... x \u0663", f'"\u0663" {NUMBER}'),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_state(text)
    assert message_of(error) == message


def test_a_side_to_move_that_contradicts_the_starter_is_refused() -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_state("XO./.../... x", starting_mark=NAUGHT)
    assert message_of(error) == "x to move means that X has started here, not O"
    with pytest.raises(InvalidGameState, match="Wrong starting mark"):
        parse_state("O........")


def test_a_position_that_no_game_reaches_is_a_state_error() -> None:
    with pytest.raises(InvalidGameState, match=r"^Both players own a line$"):
        parse_state("XXX/OOO/... x")
    with pytest.raises(InvalidGameState, match=r"^No last move leads to this choice of boards$"):
        parse_state("." * 81 + " x B2", ULTIMATE)


def test_ultimate_asks_for_the_board_unless_the_grid_is_empty() -> None:
    grid = "X" + "." * 80
    assert parse_state("." * 81, ULTIMATE) == GameState.new(ULTIMATE)
    assert parse_state("." * 81 + " o", ULTIMATE) == GameState.new(ULTIMATE, NAUGHT)
    for text in (grid, f"{grid} o"):
        with pytest.raises(InvalidNotation) as error:
            parse_state(text, ULTIMATE)
        assert message_of(error) == (
            "add the side to move and the board to play in, A1 to C3, or - for any, like: x A1"
        )
    assert parse_state(f"{grid} o A1", ULTIMATE) == after("ultimate", "A1")
    assert parse_state(f"{grid} o 1a", ULTIMATE) == after("ultimate", "A1")


@pytest.mark.parametrize("board", ["D1", "A4", "5", "--", "", "\0"])
def test_a_board_that_ultimate_has_not_is_refused(board: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_state("X" + "." * 80 + f" o {board}", ULTIMATE)
    assert message_of(error).endswith(
        " after the side to move: expected the board to play in, A1 to C3, or - for any"
    )


@dataclass(frozen=True)
class NoSecondCorner:
    """A game of one's own that remembers a large number: which side has taken more corners."""

    shape: Shape = Shape(2, 3)
    weight: int = 10**30

    def moves(self, position: Position) -> Sequence[int]:
        return [cell for cell in range(6) if not position.occupied >> cell & 1]

    def play(self, position: Position, move: int) -> Position:
        sides = list(position.stones)
        sides[position.turn] |= 1 << move
        memory = position.memory + self.weight * (move in (0, 2, 3, 5)) * (1 - 2 * position.turn)
        return Position((sides[0], sides[1]), 1 - position.turn, memory)

    def outcome(self, position: Position) -> Outcome | None:
        return None if position.marks < 6 else Outcome(None)

    def validate(self, position: Position) -> None:
        pass


@given(st.integers(0, 81), st.integers())
def test_what_rules_of_ones_own_and_ultimate_remember_is_read_back(plies: int, seed: int) -> None:
    for rules in (NoSecondCorner(), Misere(NoSecondCorner()), Misere(ULTIMATE)):
        start = GameState.new(rules, NAUGHT)
        assert_every_state_is_read_back(start, play_at_random(start, plies, seed))


def test_a_number_stands_for_a_memory_that_is_not_zero() -> None:
    rules = NoSecondCorner(weight=7)
    assert format_state(play_moves(GameState.new(rules), "A1")) == "X../... o 7"
    assert format_state(play_moves(GameState.new(rules, NAUGHT), "A1")) == "O../... x -7"
    assert format_state(play_moves(GameState.new(rules), "B1")) == ".X./... o"
    for digits in ("", "-", "1e3", "0x7", "+7", "9" * 641, "9" * 10**5):
        with pytest.raises(InvalidNotation, match=r"expected a number, if any$"):
            parse_state(f"X../... o {digits}", rules)


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, CONNECT_FOUR, ULTIMATE])
@pytest.mark.parametrize("sign", [".", "/", " ", "X", "\0", "\ud800", "X/", " x"])
def test_many_signs_are_no_position(rules: Rules, sign: str) -> None:
    with pytest.raises(REFUSALS) as error:
        parse_state(sign * 10**5, rules)
    message_of(error)


@given(
    mnk_rules(),
    st.text(st.sampled_from("XO. xo/_-1\n\0\ud800")),
    st.none() | st.sampled_from(MARKS),
)
def test_any_text_is_a_position_or_is_refused(
    rules: Rules, text: str, starting_mark: Mark | None
) -> None:
    if refusal(REFUSALS, parse_state, text, rules, starting_mark) is None:
        state = parse_state(text, rules, starting_mark)
        assert starting_mark in (None, state.starting_mark)
        assert parse_state(format_state(state), rules) == state


@given(st.text(st.characters(codec=None)))
def test_a_quoted_text_is_short_and_harmless(text: str) -> None:
    assert quoted(text).isprintable()
    assert quoted("B2") == '"B2"'
    assert len(quoted(text)) <= 2 + 10 * 40
