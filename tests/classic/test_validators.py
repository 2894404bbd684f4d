"""What the classic promises of its validators, checked on all 3**9 grids with either starter."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from tests import oracles
from tests.classic.scripts import ScriptedPlayer
from tic_tac_toe.logic.exceptions import InvalidGameState
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.validators import (
    validate_game_state,
    validate_grid,
    validate_number_of_marks,
    validate_players,
    validate_starting_mark,
    validate_winner,
)

PAIRS = tuple(itertools.product(oracles.all_grids(), "XO"))
WRONG_CELLS = "Must contain 9 cells of: X, O, or space"


class UncheckedGrid(Grid):
    """A grid that is built without being looked at."""

    def __post_init__(self) -> None:
        """Accept anything."""


class UncheckedGameState(GameState):
    """A state that is built without being looked at."""

    def __post_init__(self) -> None:
        """Accept anything."""


def refusal(check: Callable[..., object], *values: object, **named: object) -> str | None:
    """Return the message of the `InvalidGameState` that the check raises, or None."""
    try:
        check(*values, **named)
    except InvalidGameState as error:
        return str(error)
    return None


def build(cells: str, starter: str) -> str | None:
    """Return the message with which the state is refused, or None."""
    return refusal(GameState, grid=Grid(cells), starting_mark=Mark(starter))


@pytest.fixture(scope="module")
def messages() -> dict[tuple[str, str], str | None]:
    """Return what building a state of each grid and starter ends with."""
    return {(cells, starter): build(cells, starter) for cells, starter in PAIRS}


# Grids


def test_every_word_of_nine_crosses_naughts_and_spaces_is_a_grid() -> None:
    for cells in oracles.all_grids():
        validate_grid(Grid(cells))


@pytest.mark.parametrize("length", [0, 1, 8, 10, 18, 10_000])
def test_a_grid_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=rf"^{WRONG_CELLS}$"):
        Grid(" " * length)


@pytest.mark.parametrize("cell", range(9))
def test_any_other_ascii_character_is_refused_in_any_cell(cell: int) -> None:
    for character in set(map(chr, range(128))) - set("XO "):
        with pytest.raises(ValueError, match=rf"^{WRONG_CELLS}$"):
            Grid(oracles.put("XXO O X O", cell, character))


@pytest.mark.parametrize(
    "character",
    ["\u00a0", "\u2003", "\u3000", "\u200b", "Х", "О", "×", "○", "\ud800", "\U0001f600"],
)
def test_spaces_and_letters_of_other_alphabets_are_refused(character: str) -> None:
    with pytest.raises(ValueError, match=rf"^{WRONG_CELLS}$"):
        Grid(f"XXO O X {character}")


@pytest.mark.parametrize("cells", ["", "XXO O X", "xxo o x o", "XXO\tO X O", "XXO O X O\n"])
def test_the_validator_refuses_what_the_constructor_refuses(cells: str) -> None:
    for refuse in (Grid, lambda cells: validate_grid(UncheckedGrid(cells))):
        with pytest.raises(ValueError, match=rf"^{WRONG_CELLS}$"):
            refuse(cells)


# States


def test_exactly_the_states_that_a_game_can_reach_are_accepted(
    messages: dict[tuple[str, str], str | None],
) -> None:
    accepted = {pair for pair, message in messages.items() if message is None}

    assert accepted == {(cells, mark) for mark in "XO" for cells in oracles.reachable(mark)}
    assert len(accepted) == oracles.published()["classic_3x3"]["valid_grid_starter_pairs"]


def test_every_other_state_is_refused_with_the_message_of_the_classic(
    messages: dict[tuple[str, str], str | None],
) -> None:
    seen = set()
    for (cells, starter), message in messages.items():
        # A grid on which both sides own a line has a test of its own, below.
        if len(oracles.owners(cells)) < 2:
            seen.add(message)
            assert message == oracles.classic_refusal(cells, starter), (cells, starter)
    assert seen == {
        None,
        "Wrong number of Xs and Os",
        "Wrong starting mark",
        "Wrong number of Xs",
        "Wrong number of Os",
    }


def test_of_lines_on_both_sides_the_numbers_and_the_starting_mark_are_judged_first(
    messages: dict[tuple[str, str], str | None],
) -> None:
    for (cells, starter), message in messages.items():
        if len(oracles.owners(cells)) == 2:
            classic = oracles.classic_refusal(cells, starter)
            if classic in {"Wrong number of Xs and Os", "Wrong starting mark"}:
                assert message == classic, (cells, starter)
            else:
                assert message not in {None, "Wrong number of Xs and Os", "Wrong starting mark"}


@pytest.mark.parametrize(
    ("cells", "starter", "message"),
    [
        ("XX       ", "X", "Wrong number of Xs and Os"),
        ("XX       ", "O", "Wrong number of Xs and Os"),  # before the starting mark is looked at
        ("XXXXXXXXX", "X", "Wrong number of Xs and Os"),  # and before the winner is
        ("X        ", "O", "Wrong starting mark"),
        ("O        ", "X", "Wrong starting mark"),
        ("XXXOO    ", "O", "Wrong starting mark"),
        ("XXXOO O  ", "X", "Wrong number of Xs"),
        ("OOOXX X  ", "O", "Wrong number of Os"),
        ("OOOXX XX ", "X", "Wrong number of Os"),
        ("XXXOO OO ", "O", "Wrong number of Xs"),
    ],
)
def test_a_state_that_no_game_reaches_is_refused_with_its_reason(
    cells: str, starter: str, message: str
) -> None:
    assert build(cells, starter) == message


def test_the_validator_of_states_refuses_what_the_constructor_refuses() -> None:
    for cells, starter in PAIRS[::41]:
        state = UncheckedGameState(Grid(cells), Mark(starter))
        assert refusal(validate_game_state, state) == build(cells, starter)


def test_the_validator_of_numbers_looks_at_nothing_else() -> None:
    for cells in oracles.all_grids():
        grid = Grid(cells)
        fair = abs(cells.count("X") - cells.count("O")) <= 1
        message = refusal(validate_number_of_marks, grid=grid)
        assert message == (None if fair else "Wrong number of Xs and Os"), cells


def test_the_validator_of_starting_marks_wants_the_more_frequent_mark_to_start() -> None:
    for cells, starter in PAIRS:
        grid, mark = Grid(cells), Mark(starter)
        lead = cells.count("X") - cells.count("O")
        if abs(lead) <= 1:
            fair = lead == 0 or (lead > 0) == (starter == "X")
            message = refusal(validate_starting_mark, grid=grid, starting_mark=mark)
            assert message == (None if fair else "Wrong starting mark"), (cells, starter)


@pytest.mark.medium
def test_the_validator_of_winners_wants_the_winner_to_have_moved_last() -> None:
    seen = set()
    for cells, starter in PAIRS:
        lead = cells.count("X") - cells.count("O")
        if len(oracles.owners(cells)) < 2 and abs(lead) <= 1:
            letter = oracles.winner(cells)
            # The lead of crosses after a move by cross, and after one by naught.
            after_cross, after_naught = (1, 0) if starter == "X" else (0, -1)
            fair = {"X": lead == after_cross, "O": lead == after_naught, None: True}[letter]
            message = refusal(
                validate_winner,
                grid=Grid(cells),
                starting_mark=Mark(starter),
                winner=Mark(letter) if letter else None,
            )
            seen.add(message)
            assert message == (None if fair else f"Wrong number of {letter}s"), (cells, starter)
    assert seen == {None, "Wrong number of Xs", "Wrong number of Os"}


# Players


@pytest.mark.parametrize("mark", list(Mark))
def test_two_players_must_have_different_marks(mark: Mark) -> None:
    validate_players(ScriptedPlayer(mark), ScriptedPlayer(mark.other))
    with pytest.raises(ValueError, match=r"^Players must use different marks$"):
        validate_players(player1=ScriptedPlayer(mark), player2=ScriptedPlayer(mark))
