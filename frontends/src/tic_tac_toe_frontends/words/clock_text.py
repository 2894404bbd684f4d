"""Texts about clocks: the time left and the settings."""

from __future__ import annotations

import re
from gettext import NullTranslations

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.messages import read_clock

from .rules_text import side_title

_TYPED = re.compile(r"([0-9]{1,6})(?:\+([0-9]{1,6}))?")


def describe_clocks(left: tuple[int, int] | None, rules: Rules, language: NullTranslations) -> str:
    """Return the time left of both sides, from milliseconds of X and O."""
    if left is None:
        return ""
    return language.gettext("Time left: {x} {crosses}, {o} {naughts}.").format(
        x=side_title(rules, Mark.CROSS, language),
        crosses=clock_face(left[0]),
        o=side_title(rules, Mark.NAUGHT, language),
        naughts=clock_face(left[1]),
    )


def time_left(milliseconds: int, language: NullTranslations) -> str:
    """Return the time left on a clock: like a clock face, from one hour on in words."""
    minutes = max(0, milliseconds) // 60_000
    if minutes < 60:
        return clock_face(milliseconds)
    _ = language.gettext
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return _("{days} d {hours} h").format(days=days, hours=hours)
    return _("{hours} h {minutes} min").format(hours=hours, minutes=minutes)


def clock_face(milliseconds: int) -> str:
    """Return a time as minutes and seconds, with hours if there are any."""
    seconds = max(0, milliseconds + 999) // 1000
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clock_setting(clock: Clock | None, language: NullTranslations) -> str:
    """Return the time of each side and the increment of a move."""
    _ = language.gettext
    if clock is None:
        return _("no clock")
    each = duration(clock.seconds, language)
    if not clock.increment:
        return _("{time} for each side").format(time=each)
    return _("{time} for each side, plus {more} for every move").format(
        time=each, more=duration(clock.increment, language)
    )


def clock_brief(clock: Clock | None, language: NullTranslations) -> str:
    """Return a clock's settings for tables, as “3 min + 2 s”."""
    _ = language.gettext
    if clock is None:
        return _("no clock")
    minutes, seconds = divmod(clock.seconds, 60)
    if minutes >= 60 or seconds:
        each = duration(clock.seconds, language)
    else:
        each = _("{count} min").format(count=minutes)
    if not clock.increment:
        return each
    return _("{time} + {count} s").format(time=each, count=clock.increment)


def parse_clock(text: str) -> Clock | None:
    """Return the clock typed as minutes and seconds, as “5+3”; ``None`` for any other text.

    Raises:
        InvalidNotation: the times are out of range.
    """
    found = _TYPED.fullmatch(text)
    if found is None:
        return None
    minutes, increment = found.groups(default="0")
    return read_clock([60 * int(minutes), int(increment)], text)


def duration(seconds: int, language: NullTranslations) -> str:
    """Return a duration in words, as “1 day” or “2 minutes 30 seconds”."""
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
