"""The buttons that step through the moves and mistakes of the game on this device."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from typing import Any

from ...table.looking_back import STEP_SECONDS, LookingBack
from ...table.table import Table
from .dom import by_id, is_chord, on, on_click, set_text, window
from .served_values import ServedValues
from .worker import Worker

#: Media query: the list of moves is beside the board.
TWO_COLUMNS = "(min-width: 56rem) and (min-height: 35.01rem)"
#: The step of each key, of `looking_back.STEPS`.
STEP_KEYS = {"Home": "first", "ArrowLeft": "back", "ArrowRight": "on", "End": "last"}
#: Elements with their own arrow keys.
OWN_ARROWS = "#cells, input, select, [tabindex='0']:not(button)"


class ReplayBar:
    """Above the list of moves, or below the board if the list is hidden.

    A review has its own worker, so that an analysis does not end it.

    Args:
        show: called after every step.
        refuse: called with the reason why a review failed.
        values_url: see `ServedValues`.

    Attributes:
        past: the reader's steps through the game.
    """

    def __init__(
        self,
        table: Table,
        show: Callable[[], object],
        refuse: Callable[[str], object],
        values_url: Callable[[], str],
    ) -> None:
        worker = Worker(lambda _query, reason: self._stop(reason))
        served = ServedValues(worker.ask, values_url)
        self.past = past = LookingBack(table, served.ask, show, _later)
        self._table, self._refuse = table, refuse
        self._bar = by_id("replay")
        self._is_wide = window.matchMedia(TWO_COLUMNS)
        on(self._is_wide, "change", lambda _event: self._place())
        on_click("review-start", self._review)
        on_click("film", past.film.toggle)
        on_click("fault-back", partial(past.step_to_fault, -1))
        on_click("fault-on", partial(past.step_to_fault, 1))
        on_click("play-on", past.play_on)
        self._place()

    def show(self, language: NullTranslations) -> None:
        """Enable the possible steps."""
        table, past, possible = self._table, self.past, self.past.possible
        is_idle = not table.match.over and table.replay.ply is None
        self._bar.toggleAttribute("data-idle", is_idle)
        may_play_on = table.match.over and possible["play-on"]
        for name in ("fault-back", "fault-on", "play-on"):
            button = by_id(name)
            is_useful = past.review.signs or (name == "play-on" and may_play_on)
            button.hidden, button.disabled = not is_useful, not possible[name]
        _ = language.gettext
        film = by_id("film")
        film.disabled = not possible["film"]
        film.setAttribute("aria-pressed", "true" if past.film.is_running else "false")
        title = _("Try another move") if past.has_persons_fault else _("Play on from here")
        set_text(by_id("play-on"), title)

    def handle_key(self, event: Any) -> None:
        """Step by the arrow keys, and after the end of a game by Home and End."""
        name = STEP_KEYS.get(event.key)
        if name is None or is_chord(event) or event.target.closest(OWN_ARROWS):
            return
        is_for_steps = name in ("back", "on") or not self._bar.hasAttribute("data-idle")
        if is_for_steps and self.past.possible[name]:
            event.preventDefault()
            self.past.step(name)

    def _place(self) -> None:
        by_id("moves" if self._is_wide.matches else "score").before(self._bar)

    def _review(self) -> None:
        """Start the review, or go to the next mistake, after the last one to the first."""
        past = self.past
        if not past.review.is_on:
            past.start_review()
        elif past.possible["fault-on"]:
            past.step_to_fault(1)
        elif past.review.signs:
            past.show_ply(min(past.review.signs))

    def _stop(self, reason: str) -> None:
        self.past.review.stop()
        self._refuse(reason)


def _later(step: Callable[[], object]) -> None:
    asyncio.get_running_loop().call_later(STEP_SECONDS, step)
