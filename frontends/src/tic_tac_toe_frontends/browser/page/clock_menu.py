"""The clocks that the page offers for online games."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.protocols.online.clocks import Clock

from ...words.clock_text import clock_brief

#: What most people play with who want to play now.
QUICK = Clock(180, 2)
#: The clocks to choose from.
CLOCKS = (Clock(60), QUICK, Clock(300), Clock(600, 5), Clock(1800), Clock(24 * 3600))
#: The entry of the menu for a game without a clock.
NO_CLOCK = ""


def clock_menu(language: NullTranslations) -> list[tuple[str, str]]:
    """Return the clocks to choose from: entries, each with its title."""
    clocks = [(entry_of(clock), clock_brief(clock, language)) for clock in CLOCKS]
    return [(NO_CLOCK, language.gettext("No clock")), *clocks]


def entry_of(clock: Clock) -> str:
    """Return the entry of the menu for one of `CLOCKS`."""
    return f"{clock.seconds}+{clock.increment}"


def clock_named(entry: str) -> Clock | None:
    """Return the clock that an entry of the menu stands for; ``None`` for no clock."""
    seconds, _, increment = entry.partition("+")
    return Clock(int(seconds), int(increment)) if seconds else None
