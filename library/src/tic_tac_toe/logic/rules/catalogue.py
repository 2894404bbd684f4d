"""Every game by name, and the flags that make one game of another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeVar

from tic_tac_toe.logic.exceptions import InvalidVariant, Message, message, quoted, require
from tic_tac_toe.logic.registry import Registry, closest
from tic_tac_toe.logic.rules import Rules, require_rules, rules_of
from tic_tac_toe.logic.rules.letters import OrderAndChaos, Wild
from tic_tac_toe.logic.rules.line import COLUMNS, LINE_LENGTH, ROWS, LineRules
from tic_tac_toe.logic.rules.lines import PLANE, TORUS, Layers
from tic_tac_toe.logic.rules.notakto import MOST_BOARDS, Notakto
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.vanishing import Departure, Vanishing
from tic_tac_toe.logic.rules.wrappers import Misere, Pie
from tic_tac_toe.logic.shapes import Shape

#: Flags that change the board or what a line is.
LINE_FLAGS: Final = ("gravity", "exact", "torus")
#: All of them, in the order in which they are applied and named.
FLAGS: Final = (*LINE_FLAGS, "wild", "misere", "pie")


def with_flags(rules: Rules, flags: Sequence[str]) -> Rules:
    """Return a game with flags added, given in any order.

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
    """Return the error of a flag that does not fit a game with earlier flags."""
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


TIC_TAC_TOE = LineRules()
CONNECT_FOUR = LineRules(Shape(6, 7), 4, gravity=True)
_CUBE = Layers(Shape(4, 4))

VARIANTS: Mapping[str, Rules] = Registry(
    "The games by name; `find_rules` knows other names for them, and every m,n,k game.",
    {
        "tic-tac-toe": TIC_TAC_TOE,
        "misere-tic-tac-toe": Misere(TIC_TAC_TOE),
        "wild": Wild(TIC_TAC_TOE),
        "misere-wild": Misere(Wild(TIC_TAC_TOE)),
        "vanishing": Vanishing(),
        "vanishing-reuse": Vanishing(Departure.REUSED),
        "vanishing-late": Vanishing(Departure.LATE),
        "notakto": Notakto(),
        **{f"notakto-{boards}": Notakto(boards) for boards in range(2, MOST_BOARDS + 1)},
        "4x4": LineRules(Shape(4, 4), 4),
        "4x4x3": LineRules(Shape(4, 4), 3),
        "5x5x4": LineRules(Shape(5, 5), 4),
        "6x6x5": LineRules(Shape(6, 6), 5),
        "order-and-chaos": OrderAndChaos(),
        "gomoku": LineRules(Shape(15, 15), 5),
        "gomoku-standard": LineRules(Shape(15, 15), 5, exact=True),
        "gomoku-caro": Caro(),
        "renju": Renju(),
        "connect-four": CONNECT_FOUR,
        "connect-four-5x4": LineRules(Shape(4, 5), 4, gravity=True),
        "misere-connect-four": Misere(CONNECT_FOUR),
        "3x3x3": LineRules(Shape(3, 9), 3, topology=Layers(Shape(3, 3))),
        "qubic": LineRules(Shape(4, 16), 4, topology=_CUBE),
        "score-four": LineRules(Shape(4, 16), 4, gravity=True, topology=_CUBE),
        "ultimate": Ultimate(TIC_TAC_TOE),
        "ultimate-open": Ultimate(TIC_TAC_TOE, stays_open=True),
    },
    describe=repr,
)

#: Other names for games of the catalogue.
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "3x3": "tic-tac-toe",
        "misere": "misere-tic-tac-toe",
        "notakto-1": "notakto",
        "gomoku-free": "gomoku",
        "caro": "gomoku-caro",
        "connect-four-7x6": "connect-four",
    }
)

#: The names of the catalogue that an error lists, one or two of each kind.
WELL_KNOWN = (
    *("tic-tac-toe", "wild", "vanishing", "notakto", "order-and-chaos", "gomoku", "renju"),
    *("connect-four", "3x3x3", "qubic", "ultimate"),
)

#: The names of games that take three numbers: columns, rows and line length.
MNK, ORDER_AND_CHAOS = "mnk", "order-and-chaos"
_TIMES = re.compile(r"(?<=[0-9])\s*[x×*]\s*(?=[0-9])")
_COMMA_OR_BLANKS = re.compile(r"\s*,\s*|\s+")
_NUMBERS = re.compile(r"[0-9]+(\s*[x×*,]\s*|\s+)[0-9]")
_BOARDS = re.compile(r"notakto-([0-9]{1,3})")
_OBJECT = re.compile(r"([A-Za-z_][\w.]*|[^,]+\.py):[A-Za-z_]\w*")
_OWN_NAME = re.compile("[A-Za-z][A-Za-z0-9_.-]{0,79}(:[A-Za-z][A-Za-z0-9_.]{0,79})?")

#: The games that `register` has named in this process.
_OWN: dict[str, Rules] = {}


def find_rules(name: str) -> Rules:
    """Return the rules of ``BASE[,FLAG...]``.

    The base is a name of the catalogue or of `register`, ``mnk:COLUMNS,ROWS,LENGTH`` or
    ``order-and-chaos:COLUMNS,ROWS,LENGTH``. The flags are ``gravity``, ``exact``, ``torus``,
    ``wild``, ``misere`` and ``pie``: ``mnk:7,6,4,gravity`` is Connect Four. The prefix ``mnk:`` may
    be left out, and the numbers may be separated by ``x`` or blanks: ``7x6x4 gravity``.

        >>> find_rules("7x6x4 gravity") == find_rules("connect-four")
        True

    Raises:
        InvalidVariant: the message quotes the wrong part and says what was expected.
    """
    require(name, str, "the name of a game, such as 'connect-four'")
    plain = name.strip().lower().replace("è", "e")
    base, flags = _base_and_flags(plain)
    if (own := _OWN.get(name.partition(",")[0].strip())) is not None:
        return with_flags(own, flags)
    prefix, colon, numbers = plain.partition(":")
    if (rules := _catalogued(plain)) is not None:
        return rules
    if colon and prefix in (MNK, ORDER_AND_CHAOS):
        return _parse_numbers(numbers, prefix)
    if flags and (rules := _catalogued(base)) is not None:
        return with_flags(rules, flags)
    if _NUMBERS.match(plain):
        rules = _parse_numbers(plain, MNK)
        shape, length = rules.shape, traits_of(rules).length
        if not flags and shape.rows == shape.columns == length:
            raise InvalidVariant(
                "{text} can be read as a flat board and as a cube: {flat} is the board; the cubes "
                "are 3x3x3 and qubic",
                "board_or_cube",
                text=quoted(name),
                flat=f"{MNK}:{length},{length},{length}",
            )
        return rules
    raise _unknown(name, plain)


def names_object(text: str) -> bool:
    """Return whether a text has the form ``module:name`` or ``path/to/file.py:name``."""
    return _OBJECT.fullmatch(text) is not None


def _unknown(name: str, plain: str) -> InvalidVariant:
    """Return the error of a name that no game has, with the one that may be meant."""
    if names_object(name.partition(",")[0].strip()):
        return InvalidVariant(
            "{text} is a game of one's own that is not loaded here: name it with --variant, or "
            "register it in Python",
            "own_variant",
            text=quoted(name),
        )
    choices = message(
        "choose from {names}, the others that “tic-tac-toe variants” lists, "
        "or mnk:COLUMNS,ROWS,LENGTH; flags follow after commas: {flags}",
        "variants",
        names=", ".join(WELL_KNOWN),
        flags=", ".join(FLAGS),
    )
    if close := closest(_known_name(plain), (*VARIANTS, *ALIASES)):
        return InvalidVariant(
            "no variant is called {text}; did you mean {close}? Else {choices}",
            "misspelt_variant",
            text=quoted(name),
            close=close,
            choices=choices,
        )
    return InvalidVariant(
        "no variant is called {text}; {choices}",
        "unknown_variant",
        text=quoted(name),
        choices=choices,
    )


R = TypeVar("R", bound=Rules)


def register(name: str, rules: R) -> R:
    """Give a game of one's own a name in this process, and return its rules.

    `find_rules`, records, matches and screens know it from then on; flags such as ``,misere``
    follow the name where the rules allow them::

        >>> from tic_tac_toe import GameState, LineRules, Shape
        >>> tall = register("tall", LineRules(Shape(9, 3), 3))
        >>> find_rules("tall") is tall, GameState.new("tall").rules.shape
        (True, Shape(rows=9, columns=3))

    To register a game wherever its package is installed, declare an entry point of the group
    ``tic_tac_toe.games``; see `tic_tac_toe.find_game`.

    Raises:
        InvalidVariant: the name is not of the form that names have, or is another game's.
    """
    require_rules(rules)
    require(name, str, "a name for the game, such as 'dots'")
    if not _OWN_NAME.fullmatch(name):
        raise InvalidVariant(
            "{text} cannot name a game: letters, digits, hyphens and dots, a letter first",
            "variant_form",
            text=quoted(name),
        )
    if any(known not in (None, rules) for known in (_OWN.get(name), _catalogued(name.lower()))):
        raise InvalidVariant(
            "another game is called {text} already", "variant_taken", text=quoted(name)
        )
    _OWN[name] = rules
    return rules


def variant_name(rules: Rules | str) -> str:
    """Return the name that finds these rules: catalogued, by numbers, or one's own.

    A name that every program knows comes before one that `register` has given.

        >>> variant_name(LineRules(Shape(3, 4), 3, gravity=True))
        'mnk:4,3,3,gravity'

    Raises:
        InvalidVariant: the rules are a user's own, and `register` gave them no name.
    """
    rules = rules_of(rules)
    for name, known in VARIANTS.items():
        if known == rules:
            return name
    if isinstance(rules, Pie):
        return f"{variant_name(rules.rules)},pie"
    if isinstance(rules, Misere):
        return f"{_name_with_numbers(rules.rules)},misere"
    if type(rules) is Wild:
        return f"{_name_with_numbers(rules.line)},wild"
    if type(rules) is OrderAndChaos:
        return f"{ORDER_AND_CHAOS}:{_numbers_of(rules.line)}"
    return _name_with_numbers(rules, or_of_catalogue=False)


def _name_with_numbers(rules: Rules, *, or_of_catalogue: bool = True) -> str:
    """Return the name of a flat board by its numbers, of other games as in `variant_name`."""
    if type(rules) is LineRules and rules.topology in (PLANE, TORUS):
        return f"{MNK}:{_numbers_of(rules)}"
    if or_of_catalogue:
        return variant_name(rules)
    if type(rules) is LineRules and rules.gravity:  # through layers that have a name without it
        return f"{variant_name(replace(rules, gravity=False))},gravity"
    for name, known in _OWN.items():
        if known == rules:
            return name
    raise InvalidVariant(
        "{kind} rules of one's own have no variant name until register(name, rules) gives them one",
        "no_variant_name",
        kind=type(rules).__name__,
    )


def _numbers_of(line: LineRules) -> str:
    """Return columns, rows, line length and the flags of a board of lines."""
    numbers = (str(number) for number in (line.shape.columns, line.shape.rows, line.length))
    return ",".join([*numbers, *(flag for flag in traits_of(line).flags if flag in LINE_FLAGS)])


def _base_and_flags(plain: str) -> tuple[str, list[str]]:
    """Return the base of a name and its flags, which follow after commas or blanks."""
    base, comma, more = plain.partition(",")
    if comma:
        return base, _COMMA_OR_BLANKS.split(more.strip(), len(FLAGS))
    name, *words = plain.split(None, len(FLAGS)) or [plain]
    return (name, words) if words and set(words) <= set(FLAGS) else (plain, [])


def _known_name(plain: str) -> str:
    known = re.sub(r"[\s_]+", "-", plain.strip())
    return ALIASES.get(known, known)


def _catalogued(plain: str) -> Rules | None:
    """Return the rules that the catalogue, or the family of Notakto, calls so."""
    known = _known_name(plain)
    if match := _BOARDS.fullmatch(known):
        return Notakto(int(match[1]))
    return VARIANTS.get(known)


def _parse_numbers(text: str, family: str) -> Rules:
    parts = _COMMA_OR_BLANKS.split(_TIMES.sub(",", text.strip()), 3 + len(FLAGS))
    if len(parts) < 3:
        raise InvalidVariant(
            "a board needs columns, rows and line length, like 7x6x4; {count} given",
            "missing_numbers",
            count=len([part for part in parts if part]),
        )
    columns, rows, length = (
        _parse_number(part, name) for part, name in zip(parts, (COLUMNS, ROWS, LINE_LENGTH))
    )
    line = LineRules(Shape(rows, columns), length)
    return with_flags(line if family == MNK else OrderAndChaos(line), parts[3:])


def _parse_number(text: str, name: Message) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise InvalidVariant(
            "{what} must be a whole number, not {text}", "number_kind", what=name, text=quoted(text)
        )
    return int(text)
