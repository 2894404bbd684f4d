"""What a move places: numbers, letters and cells, and the states that make moves."""

from __future__ import annotations

import pytest

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.notakto import Notakto
from tic_tac_toe.logic.rules.order_and_chaos import OrderAndChaos
from tic_tac_toe.logic.rules.pie import Pie
from tic_tac_toe.logic.rules.placements import (
    Placement,
    count_moves,
    move_to,
    placement,
    special_move,
    special_name,
)
from tic_tac_toe.logic.rules.vanishing import Vanishing
from tic_tac_toe.logic.rules.wild import Wild

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
@pytest.mark.parametrize("rules", [TIC_TAC_TOE, Vanishing(), PIE])
def test_a_plain_move_places_the_movers_own_mark(rules: Rules, turn: int) -> None:
    assert placement(rules, turn, 4) == Placement(4, turn)
    assert move_to(rules, 4) == 4


@pytest.mark.parametrize("turn", [0, 1])
def test_a_move_of_either_letter_names_its_letter_whoever_moves(turn: int) -> None:
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


def test_a_swap_that_is_not_allowed_is_refused_with_the_reason() -> None:
    with pytest.raises(InvalidMove, match="Only the second player's first move"):
        GameState.new(PIE).make_move_to(9)


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
