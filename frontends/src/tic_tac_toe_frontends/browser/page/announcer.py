"""Notices what has happened in the game on this device: for ears, hands, and screen readers."""

from __future__ import annotations

from gettext import NullTranslations
from typing import cast

from tic_tac_toe.game.match import Match

from ...table.table import Table
from ...table.telling import tell_status
from ...words.game_text import describe_last_move
from .dom import by_id, write
from .signals import Result, Signals


class Announcer:
    """Gives a signal for each move and each end, and says a computer's move once.

    Args:
        table: where the game is played.
        signals: sound, vibration and notifications.
    """

    def __init__(self, table: Table, signals: Signals) -> None:
        self._table, self._signals = table, signals
        self._match: Match | None = None
        self._ply = 0
        self._was_over = False

    def notice(self, language: NullTranslations) -> None:
        """Compare the game with what it was; a game that has just been opened gives no signal."""
        table, match = self._table, self._table.match
        is_by_computer = bool(match.history) and match.history[-1].mark not in table.people
        told = is_by_computer and table.replay.ply is None and match.resigned is None
        write(by_id("announced"), " ".join(describe_last_move(match, language) if told else []))
        is_known, has_moved = match is self._match, match.ply > self._ply
        has_ended = match.over and not self._was_over
        self._match, self._ply, self._was_over = match, match.ply, match.over
        if not is_known:
            return
        if has_ended:
            self._signals.ended(result_at(table), tell_status(table, language))
        elif has_moved and is_by_computer and table.thinker is None:
            self._signals.turn(tell_status(table, language))
        elif has_moved:
            self._signals.moved()


def result_at(table: Table) -> Result:
    """Return how a finished game ended for the one person who played a computer, else ``over``."""
    return cast(Result, table.outcome or "over")
