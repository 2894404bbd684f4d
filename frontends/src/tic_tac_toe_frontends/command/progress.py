"""The live line of a long command: how far it has got, on a terminal."""

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
from ..words.foreign import harmless
from ..words.translation import N_

if TYPE_CHECKING:
    from rich.live import Live

#: The interval at which the progress line is drawn, and the time before it is drawn first.
TICK_SECONDS, QUIET_SECONDS = 0.1, 0.4
PROGRESS_LINE = N_("the live progress line")
#: Seconds until a command without a live line first says how far it has got. Each further pause is
#: twice as long as the one before.
FIRST_LINE_SECONDS = 60.0
#: The same where a person waits at a screen.
FIRST_LINE_ON_SCREEN = 2.0


class ProgressLine:
    """A line on standard error that is drawn again and again, and erased at the end.

    It is drawn by `rich`. Where `rich` is missing, a hint is printed. There, and where standard
    output or error is not a terminal, lines that stay are printed, fewer and fewer.

    Args:
        clock: returns seconds.

    Attributes:
        active: whether a person sees the line.
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
        """Show the parts that fit into the line, in their order; the first in any case."""
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
        """Print the parts on a line that stays, if the time for it has come."""
        if (now := self._clock()) >= self._due:
            print_error(harmless("; ".join(parts)))
            self._pause *= 2
            self._due = now + self._pause

    def hide(self) -> None:
        """Take the line away, for other output or for good."""
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
    """Return what is told the number of positions searched so far, and shows it now and then."""
    next_show = time.monotonic() + QUIET_SECONDS

    def tell(nodes: int) -> None:
        nonlocal next_show
        now = time.monotonic()
        if now >= next_show:
            next_show = now + TICK_SECONDS
            count = language.gettext("{count} nodes").format(count=f"{nodes:,}")
            line.show([language.gettext("Solving …"), count])

    return tell


def fitting(parts: Sequence[str], width: int) -> str:
    """Return as many parts as there is room for, and the first in any case."""
    line, *others = map(harmless, parts)
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
