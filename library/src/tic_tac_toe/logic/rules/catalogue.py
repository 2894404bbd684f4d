"""Every game by name: the only registry of variants."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tic_tac_toe.logic.exceptions import InvalidVariant, Message, message, quoted
from tic_tac_toe.logic.registry import Registry
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import COLUMNS, LINE_LENGTH, ROWS, LineRules
from tic_tac_toe.logic.rules.misere import Misere, without_misere
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.shapes import Shape

TIC_TAC_TOE = LineRules()
CONNECT_FOUR = LineRules(Shape(6, 7), 4, gravity=True)

VARIANTS: Mapping[str, Rules] = Registry(
    "The games by name; `find_rules` knows other names for them, and every m,n,k game.",
    {
        "tic-tac-toe": TIC_TAC_TOE,
        "misere-tic-tac-toe": Misere(TIC_TAC_TOE),
        "4x4": LineRules(Shape(4, 4), 4),
        "4x4x3": LineRules(Shape(4, 4), 3),
        "5x5x4": LineRules(Shape(5, 5), 4),
        "6x6x5": LineRules(Shape(6, 6), 5),
        "gomoku": LineRules(Shape(15, 15), 5),
        "gomoku-standard": LineRules(Shape(15, 15), 5, exact=True),
        "connect-four": CONNECT_FOUR,
        "connect-four-5x4": LineRules(Shape(4, 5), 4, gravity=True),
        "misere-connect-four": Misere(CONNECT_FOUR),
        "ultimate": Ultimate(TIC_TAC_TOE),
    },
    describe=repr,
)

#: Other names for games of the catalogue.
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "3x3": "tic-tac-toe",
        "misere": "misere-tic-tac-toe",
        "4x4x4": "4x4",
        "gomoku-free": "gomoku",
        "connect-four-7x6": "connect-four",
    }
)

_MNK = "mnk:"
_FLAGS = ("gravity", "exact", "misere")
_TIMES = re.compile(r"(?<=[0-9])\s*[x×*]\s*(?=[0-9])")
_COMMA_OR_BLANKS = re.compile(r"\s*,\s*|\s+")
_NUMBERS = re.compile(r"[0-9]+(\s*[x×*,]\s*|\s+)[0-9]")
#: A longer text is cut before it is compared with names.
_LONGEST_NAME = 40


def find_rules(name: str) -> Rules:
    """Return the rules of a catalogue name, or of ``mnk:COLUMNS,ROWS,LENGTH[,FLAG...]``.

    The flags are ``gravity``, ``exact`` and ``misere``: ``mnk:7,6,4,gravity`` is Connect Four. The
    prefix may be left out, and the numbers may be separated by ``x`` or blanks: ``7x6x4 gravity``.

    Raises:
        InvalidVariant: the message quotes the wrong part and says what was expected.
    """
    plain = name.strip().lower().replace("è", "e")
    known = re.sub(r"[\s_]+", "-", plain)
    known = ALIASES.get(known, known)
    if known in VARIANTS:
        return VARIANTS[known]
    if plain.startswith(_MNK):
        return _parse_mnk(plain[len(_MNK) :])
    if _NUMBERS.match(plain):
        return _parse_mnk(plain)
    choices = message(
        "choose from {names}, or mnk:COLUMNS,ROWS,LENGTH with the flags gravity, exact and misere",
        "variants",
        names=", ".join(VARIANTS),
    )
    if close := _closest(known, (*VARIANTS, *ALIASES)):
        raise InvalidVariant(
            "no variant is called {text}; did you mean {close}? Else {choices}",
            "misspelt_variant",
            text=quoted(name),
            close=close,
            choices=choices,
        )
    raise InvalidVariant(
        "no variant is called {text}; {choices}",
        "unknown_variant",
        text=quoted(name),
        choices=choices,
    )


def variant_name(rules: Rules) -> str:
    """Return the name of the catalogue, or of the mnk family, that finds these rules.

    Raises:
        InvalidVariant: the rules are a user's own, and so have no name.
    """
    for name, known in VARIANTS.items():
        if known == rules:
            return name
    inner = without_misere(rules)
    if type(inner) is not LineRules:
        raise InvalidVariant(
            "{kind} rules of one's own have no variant name",
            "no_variant_name",
            kind=type(rules).__name__,
        )
    parts = [str(inner.shape.columns), str(inner.shape.rows), str(inner.length)]
    return _MNK + ",".join([*parts, *traits_of(rules).flags])


def _parse_mnk(text: str) -> Rules:
    numbers_and_flags = _TIMES.sub(",", text.strip())
    parts = _COMMA_OR_BLANKS.split(numbers_and_flags, 3 + len(_FLAGS))
    if len(parts) < 3:
        raise InvalidVariant(
            "a board needs columns, rows and line length, like 7x6x4; {count} given",
            "missing_numbers",
            count=len([part for part in parts if part]),
        )
    columns, rows, length = (
        _parse_number(part, name) for part, name in zip(parts, (COLUMNS, ROWS, LINE_LENGTH))
    )
    flags = parts[3:]
    for flag in flags:
        if flag not in _FLAGS:
            raise InvalidVariant(
                "{text} is not a flag; the flags are {flags}",
                "unknown_flag",
                text=quoted(flag),
                flags=", ".join(_FLAGS),
            )
        if flags.count(flag) > 1:
            raise InvalidVariant("the flag {flag} is given twice", "repeated_flag", flag=flag)
    rules = LineRules(
        Shape(rows, columns), length, gravity="gravity" in flags, exact="exact" in flags
    )
    return Misere(rules) if "misere" in flags else rules


def _parse_number(text: str, name: Message) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise InvalidVariant(
            "{what} must be a whole number, not {text}", "number_kind", what=name, text=quoted(text)
        )
    return int(text)


def _closest(text: str, names: Sequence[str]) -> str | None:
    """Return the name that is most like the text, if one is similar."""
    from difflib import get_close_matches  # only where something went wrong

    return next(iter(get_close_matches(text[:_LONGEST_NAME], names, n=1)), None)
