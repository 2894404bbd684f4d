"""What clocks show, and how they are set, in the reader's language."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.protocols.online.clocks import Clock

from .rules_text import side_title


def describe_clocks(left: tuple[int, int] | None, rules: Rules, language: NullTranslations) -> str:
    """Return what the clocks show, from the milliseconds that X and O have left."""
    if left is None:
        return ""
    return language.gettext("Time left: {x} {crosses}, {o} {naughts}.").format(
        x=side_title(rules, Mark.CROSS, language),
        crosses=clock_face(left[0]),
        o=side_title(rules, Mark.NAUGHT, language),
        naughts=clock_face(left[1]),
    )


def clock_face(milliseconds: int) -> str:
    """Return a time as clocks show it: hours if there are any, minutes and seconds."""
    seconds = max(0, milliseconds + 999) // 1000
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clock_setting(clock: Clock | None, language: NullTranslations) -> str:
    """Return how long each side has, and what a move adds."""
    _ = language.gettext
    if clock is None:
        return _("no clock")
    each = duration(clock.seconds, language)
    if not clock.increment:
        return _("{time} for each side").format(time=each)
    return _("{time} for each side, plus {more} for every move").format(
        time=each, more=duration(clock.increment, language)
    )


def duration(seconds: int, language: NullTranslations) -> str:
    """Return a span of time in words, as in “1 day” or “2 minutes 30 seconds”."""
    ngettext = language.ngettext
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    parts = (
        (days, ngettext("{count} day", "{count} days", days)),
        (hours, ngettext("{count} hour", "{count} hours", hours)),
        (minutes, ngettext("{count} minute", "{count} minutes", minutes)),
        (seconds, ngettext("{count} second", "{count} seconds", seconds)),
    )
    return " ".join(message.format(count=number) for number, message in parts if number)
