"""The buttons that step through the moves and the mistakes of the game on this device."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from gettext import NullTranslations

from ...table.looking_back import LookingBack
from ...table.table import Table
from .dom import by_id, on, on_click, window, write
from .worker import Worker

#: The screens on which the list of moves stands beside the board.
TWO_COLUMNS = "(min-width: 56rem) and (min-height: 35.01rem)"


class ReplayBar:
    """Stands above the list of moves, or below the board where that list is out of sight.

    A review has a worker of its own, so that an analysis in between does not end it.

    Args:
        show: shows the table after every step.
        refuse: says why a review ended.

    Attributes:
        past: what people do with the moves of the game at the table.
    """

    def __init__(
        self, table: Table, show: Callable[[], object], refuse: Callable[[str], object]
    ) -> None:
        worker = Worker(lambda _query, reason: self._stop(reason))
        self.past = past = LookingBack(table, worker.ask, show, lambda _step: None)
        self._table, self._refuse = table, refuse
        self._bar = by_id("replay")
        self._is_wide = window.matchMedia(TWO_COLUMNS)
        on(self._is_wide, "change", lambda _event: self._place())
        on_click("review-start", self._review)
        on_click("fault-back", partial(past.step_to_fault, -1))
        on_click("fault-on", partial(past.step_to_fault, 1))
        on_click("play-on", past.play_on)
        self._place()

    def show(self, language: NullTranslations) -> None:
        """Show what can be stepped to now."""
        table, past, possible = self._table, self.past, self.past.possible
        is_idle = not table.match.over and table.replay.ply is None
        self._bar.toggleAttribute("data-idle", is_idle)
        for name in ("fault-back", "fault-on", "play-on"):
            button = by_id(name)
            button.hidden, button.disabled = not past.review.signs, not possible[name]
        _ = language.gettext
        title = _("Try another move") if past.has_fault else _("Play on from here")
        write(by_id("play-on"), title)

    def _place(self) -> None:
        by_id("moves" if self._is_wide.matches else "score").before(self._bar)

    def _review(self) -> None:
        """Start the review, or go to the next mistake that it has found, at last to the first."""
        past = self.past
        if not past.review.is_on:
            past.review.start()
        elif past.possible["fault-on"]:
            past.step_to_fault(1)
        elif past.review.signs:
            past.look(min(past.review.signs))

    def _stop(self, reason: str) -> None:
        self.past.review.stop()
        self._refuse(reason)
