"""The flags that make one game of another: ``gravity``, ``exact``, ``torus`` and so on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from tic_tac_toe.logic.exceptions import InvalidVariant, quoted
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.order_and_chaos import OrderAndChaos
from tic_tac_toe.logic.rules.pie import Pie
from tic_tac_toe.logic.rules.topology import PLANE, TORUS
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wild import Wild

#: Flags that change the board or what a line is.
LINE_FLAGS: Final = ("gravity", "exact", "torus")
#: All of them, in the order in which they are applied and named.
FLAGS: Final = (*LINE_FLAGS, "wild", "misere", "pie")


def with_flags(rules: Rules, flags: Sequence[str]) -> Rules:
    """Return the game that flags make of another, whatever their order.

    Raises:
        InvalidVariant: a flag is unknown, given twice, or does not go with the game or another
            flag; the message names it.
    """
    for flag in flags:
        if flag not in FLAGS:
            raise InvalidVariant(
                "{text} is not a flag; the flags are {flags}",
                "unknown_flag",
                text=quoted(flag),
                flags=", ".join(FLAGS),
            )
        if flags.count(flag) > 1:
            raise InvalidVariant("the flag {flag} is given twice", "repeated_flag", flag=flag)
    for flag in sorted(flags, key=FLAGS.index):
        fitting = fitting_flags(rules)
        if flag not in fitting:
            given = sorted(flags, key=FLAGS.index)
            raise _unfitting(rules, flag, given[: given.index(flag)], fitting)
        rules = _with_flag(rules, flag)
    return rules


def fitting_flags(rules: Rules) -> tuple[str, ...]:
    """Return the flags that make another sensible game of this one."""
    if isinstance(rules, Misere):
        inner = fitting_flags(rules.rules)
        return tuple(flag for flag in inner if flag != "misere")
    if isinstance(rules, Ultimate):
        return ("misere",)
    if isinstance(rules, Caro):
        return ("misere", "pie")
    possible: Iterable[str] = ()
    if type(rules) is LineRules:
        possible = (*_line_flags(rules), "wild", "misere", "pie")
    elif isinstance(rules, Wild):
        possible = (*_line_flags(rules.line), "misere")
    elif isinstance(rules, OrderAndChaos):
        possible = _line_flags(rules.line)
    return tuple(flag for flag in possible if flag not in traits_of(rules).flags)


def _line_flags(line: LineRules) -> tuple[str, ...]:
    """Return the flags of a board; through layers no row is longer than a line, and none wraps."""
    return LINE_FLAGS if line.topology in (PLANE, TORUS) else ("gravity",)


def _unfitting(
    rules: Rules, flag: str, earlier: Sequence[str], fitting: Sequence[str]
) -> InvalidVariant:
    """Return why a flag does not fit a game that has been given earlier ones."""
    if flag in traits_of(rules).flags:
        return InvalidVariant("this game has the rule {flag} already", "present_flag", flag=flag)
    if earlier:
        return InvalidVariant(
            "the flag {flag} does not go with {others} here",
            "contrary_flags",
            flag=flag,
            others=", ".join(earlier),
        )
    if not fitting:
        return InvalidVariant("this game takes no flags: leave out {flag}", "no_flags", flag=flag)
    return InvalidVariant(
        "this game does not take the flag {flag}; it takes {flags}",
        "unfitting_flag",
        flag=flag,
        flags=", ".join(fitting),
    )


def _with_flag(rules: Rules, flag: str) -> Rules:
    if isinstance(rules, Misere) and flag != "pie":
        return Misere(_with_flag(rules.rules, flag))
    if isinstance(rules, (Wild, OrderAndChaos)) and flag in LINE_FLAGS:
        return replace(rules, line=_with_line_flag(rules.line, flag))
    if flag == "misere":
        return Misere(rules)
    if flag == "pie":
        return Pie(rules)
    assert isinstance(rules, LineRules), "no other game has such flags"
    return Wild(rules) if flag == "wild" else _with_line_flag(rules, flag)


def _with_line_flag(line: LineRules, flag: str) -> LineRules:
    if flag == "torus":
        return replace(line, topology=TORUS)
    return replace(line, gravity=True) if flag == "gravity" else replace(line, exact=True)
