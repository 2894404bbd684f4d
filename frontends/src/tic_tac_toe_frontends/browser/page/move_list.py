"""The list of moves, and the buttons that step through them."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from html import escape
from typing import Any

from tic_tac_toe.game.match import Match

from ...table.move_list import list_of_moves
from ...table.review import Review
from ...table.table import Replay
from ...words.review_text import fault_title
from .dom import by_id, on, set_text


class MoveList:
    """Lists the moves as buttons.

    Args:
        look_back: called with the ply of a clicked move.
        prefix: the prefix of its elements' ids.
    """

    def __init__(self, look_back: Callable[[int], object], prefix: str = "") -> None:
        self._look_back = look_back
        self._list, self._place = by_id(f"{prefix}moves"), by_id(f"{prefix}replay-place")
        self._steps = [by_id(f"{prefix}replay-{name}") for name in ("first", "back", "on", "last")]
        self._shown = ""
        for place in (self._list, *self._steps):
            on(place, "click", self._click)

    def show(
        self,
        match: Match,
        replay: Replay,
        language: NullTranslations,
        review: Review | None = None,
    ) -> None:
        """Show a game's moves, and mark the last move before the shown position.

        Args:
            review: adds the signs of faults.
        """
        moment, count = replay.moment(match), match.ply
        items = []
        for move in list_of_moves(match.history, moment):
            current = ' aria-current="step"' if move.current else ""
            items.append(
                f'<li><button type="button" data-ply="{move.ply}"{current}>'
                f"<small>{move.ply}.</small>{escape(str(move))}"
                f"{_sign(review, move.ply, language)}</button></li>"
            )
        shown = "".join(items)
        if shown != self._shown:
            self._shown = shown
            held = self._list.contains(self._list.ownerDocument.activeElement)
            self._list.innerHTML = shown  # numbers, marks and names of cells
            current_button = self._list.querySelector("[aria-current]")
            if current_button:
                self._list.scrollTop = current_button.offsetTop - self._list.offsetTop - 60
                if held:
                    current_button.focus()
        for button, ply in zip(self._steps, (0, moment - 1, moment + 1, count)):
            button.dataset.ply = ply
            button.disabled = ply == moment or not 0 <= ply <= count
        message = language.gettext("Move {count} of {total}")
        set_text(self._place, message.format(count=moment, total=count))

    def _click(self, event: Any) -> None:
        button = event.target.closest("button")
        if button:
            self._look_back(int(button.dataset.ply))


def _sign(review: Review | None, ply: int, language: NullTranslations) -> str:
    if review is None or ply not in review.signs:
        return ""
    fault = review.moves[ply].fault
    name = escape(fault_title(fault, language)) if fault else ""
    return f' <b aria-hidden="true">{review.signs[ply]}</b><span class="unseen">{name}</span>'
