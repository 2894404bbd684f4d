"""The menu of how long the computer thinks about a move, in the page."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from ...words.translation import N_
from .dom import by_id, fill, load_item, on, save_item
from .links import read_seconds

#: Seconds that the menu offers; a link may ask for others.
CHOICES = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
USUAL, SECONDS = N_("As usual"), N_("{seconds} s")


class ThinkingTime:
    """Shows how many seconds computers think, and remembers what is chosen.

    Args:
        changed: called when another number is chosen.

    Attributes:
        seconds: ``None``: as each strategy is made for.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        self.seconds = read_seconds(load_item("think") or "")
        self._changed = changed
        self._menu = by_id("think")
        on(self._menu, "change", lambda _event: self._choose())

    def show(self, language: NullTranslations) -> None:
        """Fill the menu in a language."""
        _ = language.gettext
        seconds = self.seconds
        offered = sorted({*CHOICES, *([] if seconds is None else [seconds])})
        entries = [(f"{each:g}", _(SECONDS).format(seconds=f"{each:g}")) for each in offered]
        chosen = "" if seconds is None else f"{seconds:g}"
        fill(self._menu, [("", _(USUAL)), *entries], chosen)

    def set_seconds(self, seconds: float) -> None:
        """Take over the number of seconds that a link names."""
        self.seconds = seconds
        self._changed()

    def _choose(self) -> None:
        save_item("think", self._menu.value)
        self.seconds = read_seconds(self._menu.value)
        self._changed()
