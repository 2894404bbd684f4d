"""The menu of the computer's thinking time."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from ...words.translation import N_
from .dom import by_id, fill, load_item, on, save_item
from .links import read_seconds

#: The entries in seconds; a link may add another one.
CHOICES = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
USUAL, SECONDS = N_("As usual"), N_("{seconds} s")


class ThinkingTime:
    """Shows and stores the thinking time.

    Attributes:
        seconds: of each move; ``None`` for each strategy's own time.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        self.seconds = read_seconds(load_item("think") or "")
        self._changed = changed
        self._menu = by_id("think")
        on(self._menu, "change", lambda _event: self._choose())

    def show(self, language: NullTranslations) -> None:
        """Fill the menu."""
        _ = language.gettext
        seconds = self.seconds
        offered = sorted({*CHOICES, *([] if seconds is None else [seconds])})
        entries = [(f"{each:g}", _(SECONDS).format(seconds=f"{each:g}")) for each in offered]
        chosen = "" if seconds is None else f"{seconds:g}"
        fill(self._menu, [("", _(USUAL)), *entries], chosen)

    def set_seconds(self, seconds: float) -> None:
        """Set the number of seconds of a link."""
        self.seconds = seconds
        self._changed()

    def _choose(self) -> None:
        save_item("think", self._menu.value)
        self.seconds = read_seconds(self._menu.value)
        self._changed()
