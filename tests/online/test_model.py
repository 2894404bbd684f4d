"""The server does what a small model does, whatever is asked of it, and broken ones do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.online.model import Disagreement, walk
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import Welcome
from tic_tac_toe_frontends.server.loaded_game import LoadedGame
from tic_tac_toe_frontends.server.referee import Referee
from tic_tac_toe_frontends.server.session import GameSession
from tic_tac_toe_frontends.server.writer import CommitResult, Writer


def test_server_and_model_agree_in_1500_steps(tmp_path: Path) -> None:
    done = walk(tmp_path / "games.sqlite", 1_500)
    assert done.crashes > 5
    assert done.games > 10


def _seat_by_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever moves sit on the seat whose turn it is."""
    honest = Referee.judged

    def judged(self: Referee, game: OnlineGame, pending: Any) -> Any:
        return honest(self, game, replace(pending, seat=game.turn))

    monkeypatch.setattr(Referee, "judged", judged)


def _forget_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Referee, "done_before", lambda *_: None)


def _acknowledge_early(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Writer.write

    def write(self: Writer, unit: Any, then: Any) -> None:
        honest(self, unit, lambda result: None)
        then(CommitResult.WRITTEN)

    monkeypatch.setattr(Writer, "write", write)


def _tell_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell nobody of every tenth event."""
    honest = GameSession.tell

    def tell(self: GameSession, event: Event) -> None:
        if event.version % 10:
            honest(self, event)

    monkeypatch.setattr(GameSession, "tell", tell)


def _resume_with_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the first of the events that somebody has missed."""
    honest = LoadedGame.welcome

    def welcome(self: LoadedGame, *arguments: Any) -> Welcome:
        reply = honest(self, *arguments)
        return replace(reply, events=reply.events[1:])

    monkeypatch.setattr(LoadedGame, "welcome", welcome)


@pytest.mark.parametrize(
    "sabotage",
    [_seat_by_message, _forget_what_was_done, _acknowledge_early, _tell_not, _resume_with_a_gap],
)
def test_a_broken_server_disagrees_with_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sabotage: Any
) -> None:
    sabotage(monkeypatch)
    with pytest.raises(Disagreement):
        walk(tmp_path / "games.sqlite", 1_500, patience=5.0)
