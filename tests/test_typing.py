"""What type checkers look at really runs."""

from tests.typed_client import FirstCell, games, play
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.solver import verdict


def test_the_typed_client_runs() -> None:
    assert play() == "('ultimate', 7, 7, True, True, 5478, None)"


def test_rules_of_ones_own_are_solved_like_any_others() -> None:
    assert verdict(GameState.new(FirstCell())).outcome == "win"
    assert all(GameState.new(rules).legal_cells for rules in games())
