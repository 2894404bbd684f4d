"""The live progress line of a long command."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from gettext import NullTranslations
from typing import TYPE_CHECKING

from tic_tac_toe.extras import missing_packages

from ..program.extras import SOLVE, missing_text
from ..program.process import print_error
from ..program.terminal import columns_of, has_escapes
from ..words.foreign import escaped
from ..words.translation import N_

if TYPE_CHECKING:
    from rich.live import Live

#: The interval of the live line, and the delay of the first one, in seconds.
TICK_SECONDS, QUIET_SECONDS = 0.1, 0.4
PROGRESS_LINE = N_("the live progress line")
#: Seconds until the first progress line of a command without a live line. Each further pause is
#: twice as long.
FIRST_LINE_SECONDS = 60.0
#: The same if a person waits at a terminal.
FIRST_LINE_ON_SCREEN = 2.0


class ProgressLine:
    """A line on standard error that is redrawn, and erased at the end.

    `rich` draws it. Without `rich`, of which a hint reminds, or without a terminal at standard
    output and error, permanent lines are printed at growing intervals.

    Args:
        clock: returns seconds.

    Attributes:
        active: whether the line is drawn live.
    """

    def __init__(
        self, language: NullTranslations, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._language = language
        self._clock = clock
        self._pause = FIRST_LINE_SECONDS
        self._due = clock() + self._pause
        self._live: Live | None = None
        self.active = _on_screen()

    def show(self, parts: Sequence[str]) -> None:
        """Show the first parts that fit into the line, at least one."""
        if not self.active:
            self._print_line(parts)
            return
        if missing_packages(["rich"]):
            self.active, self._pause = False, FIRST_LINE_ON_SCREEN
            self._due = self._clock() + self._pause
            print_error(missing_text(self._language, PROGRESS_LINE, SOLVE))
            return
        from rich.text import Text

        live = self._live = self._live or self._start_live()
        text = Text(fitting(parts, live.console.width - 1), no_wrap=True, overflow="crop", end="")
        live.update(text, refresh=True)

    def _print_line(self, parts: Sequence[str]) -> None:
        """Print the parts on a permanent line if it is due."""
        if (now := self._clock()) >= self._due:
            print_error(escaped("; ".join(parts)))
            self._pause *= 2
            self._due = now + self._pause

    def hide(self) -> None:
        """Erase the line, for other output or for good."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _start_live(self) -> Live:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True, highlight=False, emoji=False, markup=False)
        live = Live(
            console=console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        live.start()
        return live


def counting(line: ProgressLine, language: NullTranslations) -> Callable[[int], None]:
    """Return a function that shows its argument, the number of searched positions, now and then."""
    next_show = time.monotonic() + QUIET_SECONDS

    def report(nodes: int) -> None:
        nonlocal next_show
        now = time.monotonic()
        if now >= next_show:
            next_show = now + TICK_SECONDS
            count = language.gettext("{count} nodes").format(count=f"{nodes:,}")
            line.show([language.gettext("Solving …"), count])

    return report


def fitting(parts: Sequence[str], width: int) -> str:
    """Return the first parts that fit a width, at least one."""
    line, *others = map(escaped, parts)
    for part in others:
        longer = f"{line}; {part}"
        if columns_of(longer) > width:
            break
        line = longer
    return line


def _on_screen() -> bool:
    streams = (sys.stdout, sys.stderr)
    on_screen = all(stream is not None and stream.isatty() for stream in streams)
    return on_screen and has_escapes(os.environ)
