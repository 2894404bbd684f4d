"""The game of the docs page "Write your own game": proof that the core is general."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from docs.examples.notakto import Notakto
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.players import MinimaxComputerPlayer
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import InvalidGameState
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.negamax import negamax
from tic_tac_toe.logic.search.table import solve_table
from tic_tac_toe.solver import analyse, verdict
from tic_tac_toe.testing import check_rules
from tic_tac_toe_frontends.console.players import ConsolePlayer
from tic_tac_toe_frontends.console.renderers import ConsoleRenderer

DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_the_page_shows_the_very_file_and_it_is_short() -> None:
    source = (DOCS / "examples" / "notakto.py").read_text("utf-8")
    assert f"```python\n{source}```" in (DOCS / "write-your-own-game.md").read_text("utf-8")
    assert len(source.splitlines()) < 60


def test_notakto_keeps_the_promises_of_rules() -> None:
    check_rules(Notakto(), games=50)


def test_the_first_player_wins_notakto_by_the_centre_alone() -> None:
    start = GameState.new(Notakto())
    assert (verdict(start).outcome, verdict(start).best) == ("win", (4,))
    assert {move.cell: move.outcome for move in analyse(start)} == {
        cell: "win" if cell == 4 else "loss" for cell in range(9)
    }


def test_all_searches_agree_on_notakto() -> None:
    rules = Notakto()
    table, alpha_beta = solve_table(rules), AlphaBeta(rules)
    for position, entry in table.items():
        assert alpha_beta.score(position) == entry[0]
        if position.marks >= 3:
            assert negamax(rules, position) == entry[0]


def test_impossible_positions_of_notakto_are_refused() -> None:
    for position in (Position((1, 2)), Position((0b111111, 0)), Position((1, 0), 1, 7)):
        with pytest.raises(InvalidGameState):
            GameState.at(Notakto(), position)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_plays_notakto(strategy: str) -> None:
    state = GameState.new(Notakto())
    while not state.game_over:
        move = STRATEGIES[strategy](state)
        assert move is not None
        state = move.after_state
    assert state.winner is not None


def test_notakto_is_played_on_the_console(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("A1\nB2\nhint\nC3\nA3\nC1\nB1\nB3\nA2\nC2\n"))
    players = ConsolePlayer(Mark.CROSS), MinimaxComputerPlayer(Mark.NAUGHT, 0)
    end = TicTacToe(*players, ConsoleRenderer()).play(state=GameState.new(Notakto()))
    assert end.winner is Mark.NAUGHT  # a corner is no good opening against the perfect player
    assert "O wins" in capsys.readouterr().out
