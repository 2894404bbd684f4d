"""Announces moves and results of the game on this device: sound, vibration, screen readers."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import Move

from ...table.table import Table
from ...words.game_text import describe_last_move
from ...words.translation import join_sentences
from .dom import by_id, document, set_text
from .signals import Signals


class Announcer:
    """Signals each move and each end, and has screen readers say moves outside the focused cell.

    Args:
        finished: called with the table when its game has ended.
    """

    def __init__(self, table: Table, signals: Signals, finished: Callable[[Table], object]) -> None:
        self._table, self._signals, self._finished = table, signals, finished
        self._match: Match | None = None
        self._ply = 0
        self._was_over = False

    def notice(self, status: str, language: NullTranslations) -> None:
        """Signal the difference to the game seen last; a game that was just opened gives no signal.

        Args:
            status: whose turn it is, or how the game ended.
        """
        table, match = self._table, self._table.match
        is_by_computer = bool(match.history) and match.history[-1].mark not in table.people
        is_unseen = is_by_computer or (bool(match.history) and not _has_focus(match.history[-1]))
        is_told = is_unseen and table.replay.ply is None and match.resigned is None
        sentences = describe_last_move(match, language) if is_told else []
        set_text(by_id("announced"), join_sentences(sentences, language))
        is_known, has_moved = match is self._match, match.ply > self._ply
        has_ended = match.over and not self._was_over
        self._match, self._ply, self._was_over = match, match.ply, match.over
        if not is_known:
            return
        if has_ended:
            self._finished(table)
            self._signals.ended(table.outcome or "over", status)
        elif has_moved and is_by_computer and table.thinker is None:
            self._signals.own_turn(status)
        elif has_moved:
            self._signals.moved()


def _has_focus(move: Move) -> bool:
    """Return whether the move's cell has the focus; the screen reader then reads its new label."""
    return bool(document.activeElement.getAttribute("data-cell") == str(move.cell_index))
