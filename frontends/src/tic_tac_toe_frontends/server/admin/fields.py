"""The fields of an operator's commands, as JSON and as arguments of the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import AsyncIterator, Callable, Mapping
from gettext import NullTranslations
from inspect import signature
from typing import Annotated, Any, NamedTuple, get_type_hints

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.strict_json import read_text
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.messages import CHAT_LENGTH, NAME_LENGTH, Text, read_count

from ...program.options import Parser
from ...words.translation import N_
from ..moderation import network_named
from ..storage.statements import OVER, PLAYING, WAITING

#: Games and reports that are listed by default, and at most.
LISTED, MOST_LISTED = 20, 1_000
#: The longest ban and drain, in seconds.
LONGEST = 10 * 366 * 86_400
#: The beginning of a game's address, alone and in a URL.
_BEGINNING = re.compile(r"([A-Za-z0-9_-]{1,22})")
_IN_URL = re.compile(r"(?:/games/|[#?&]game=)([A-Za-z0-9_-]{1,22})(?![A-Za-z0-9_-])")
_TIME = re.compile(r"([0-9]{1,6})([smhd]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}

#: A line of an answer, and all of them.
Line = Mapping[str, Any]
Lines = AsyncIterator[Line]
#: Returns the value of a field in JSON; the path says in messages where it stands.
Reader = Callable[[object, str], object]


class Field(NamedTuple):
    """A field of a command.

    Args:
        usage: how it is written on the command line, such as ``GAME``, ``--for TIME`` or ``--off``.
        about: its help.
        read: reads its value in JSON; raises `InvalidNotation`.
        typed: returns the value of an argument; raises `ValueError`.
        problem: what is said then; ``{text}`` stands for the argument.
        most: the largest number, if the argument is one.
        choices: the only values, if they are few.
        is_logged: whether the log tells it.
        is_needed: whether it may not be missing; `fields_of` knows.
    """

    usage: str
    about: str
    read: Reader
    typed: Callable[[str], object] = str
    problem: str = ""
    most: int = 0
    choices: tuple[str, ...] | None = None
    is_logged: bool = True
    is_needed: bool = True


class Command(NamedTuple):
    """A command of the operator.

    Args:
        run: yields the lines of its answer, given the operator and the fields; raises `Refusal`.
            Its docstring is what docs/how-to/server.md says.
        fields: by their names in JSON.
        purpose: what it does, as the help says.
        shown: a line of its answer for people: a function, or a message with the line's values;
            empty if the answer is for programs only.
        heading, if_empty: the text before the lines, and the text of an answer without lines.
        is_either: whether only one of its options may be given.
    """

    run: Callable[..., Lines]
    fields: Mapping[str, Field]
    purpose: str
    shown: str | Callable[[Line, NullTranslations], str]
    heading: str = ""
    if_empty: str = ""
    is_either: bool = False

    @property
    def usage(self) -> list[str]:
        """How its fields are written on the command line."""
        fields = self.fields.values()
        return [field.usage if field.is_needed else f"[{field.usage}]" for field in fields]

    def add_arguments(self, parser: Parser) -> None:
        """Add its fields to the arguments of a parser."""
        options: argparse._ActionsContainer = parser.options
        if self.is_either:
            options = parser.options.add_mutually_exclusive_group()
        for name, field in self.fields.items():
            about = parser.language.gettext(field.about).format(number=LISTED)
            written, _, value = field.usage.partition(" ")
            if field.read is _read_flag:
                options.add_argument(written, dest=name, action="store_true", help=about)
                continue
            shared: dict[str, Any] = {
                "type": parser.number(1, field.most) if field.most else _kind(field, parser),
                "choices": field.choices,
                "help": about,
            }
            if value:
                shown = None if field.choices else value
                options.add_argument(
                    written, dest=name, metavar=shown, required=field.is_needed, **shared
                )
            else:
                nargs = None if field.is_needed else "?"
                parser.arguments.add_argument(name, metavar=written, nargs=nargs, **shared)

    def describe(self, line: Line, language: NullTranslations) -> str:
        """Return a line of its answer as text."""
        if callable(self.shown):
            return self.shown(line, language)
        return language.gettext(self.shown).format_map(line)


def fields_of(run: Callable[..., object]) -> Mapping[str, Field]:
    """Return the fields that a method's parameters are annotated with."""
    hints = get_type_hints(run, include_extras=True)
    return {
        each.name: hints[each.name].__metadata__[0]._replace(is_needed=each.default is each.empty)
        for each in [*signature(run).parameters.values()][1:]
    }


def _game_named(text: str) -> str:
    found = _IN_URL.search(text) or _BEGINNING.fullmatch(text.strip())
    if found is None:
        raise ValueError("no address of a game")
    return found[1]


def _network_text(text: str) -> str:
    return str(network_named(text))


def _seconds(text: str) -> int:
    found = _TIME.fullmatch(text)
    if found is None or not (seconds := int(found[1]) * _SECONDS[found[2]]):
        raise ValueError("no time")
    return seconds


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("a blank line")
    return text


def _kind(field: Field, parser: Parser) -> Callable[[str], object]:
    """Return the type of an argument."""

    def read(text: str) -> object:
        try:
            return field.typed(text)
        except ValueError:
            message = parser.language.gettext(field.problem).format(text=repr(text))
            raise argparse.ArgumentTypeError(message) from None

    return read


def _address(convert: Callable[[str], str]) -> Reader:
    def read(value: object, path: str) -> str:
        try:
            return convert(read_text(value, path))
        except ValueError:
            raise InvalidNotation("{path}: no address", "address", path=path) from None

    return read


def _one_of(*words: str) -> Reader:
    def read(value: object, path: str) -> object:
        if value not in words:
            raise InvalidNotation("{path}: unexpected", "unexpected", path=path)
        return value

    return read


def _up_to(most: int) -> Reader:
    def read(value: object, path: str) -> int:
        number = read_count(value, path)
        if not 0 < number <= most:
            raise InvalidNotation("{path}: out of range", "range", path=path)
        return number

    return read


def _read_flag(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidNotation("{path}: expected true or false", "flag", path=path)
    return value


# -- the fields ------------------------------------------------------------------------------------

_LINE, _NAME = Text(CHAT_LENGTH), Text(NAME_LENGTH)
_STATES = (WAITING, PLAYING, OVER)
_NETWORK = Field(
    "ADDRESS",
    N_("an address, or a network such as 192.0.2.0/24"),
    _address(_network_text),
    _network_text,
    N_("an address or a network such as 192.0.2.0/24 is needed"),
)
_TIME_OF_BAN = Field(
    "--for TIME",
    N_("how long, such as 90s, 30m, 2h or 7d"),
    _up_to(LONGEST),
    _seconds,
    N_("a time such as 90s, 30m, 2h or 7d is needed"),
)
_FOLLOWED_FROM = N_("games that are followed from this address or network now")
_UNTIL_ENDED = N_("how long, such as 90s, 30m, 2h or 7d (until it is ended unless given)")

Network = Annotated[str, _NETWORK]
From = Annotated[str, _NETWORK._replace(usage="--from ADDRESS", about=_FOLLOWED_FROM)]
TimeOfBan = Annotated[int, _TIME_OF_BAN]
TimeOfDrain = Annotated[int, _TIME_OF_BAN._replace(about=_UNTIL_ENDED)]
Game = Annotated[
    str,
    Field(
        "GAME",
        N_("the address of the game, the beginning of it, or its URL"),
        _address(_game_named),
        _game_named,
        N_("{text} is neither a game's address nor its URL"),
    ),
]
Words = Annotated[
    str,
    Field(
        "TEXT",
        N_("one line"),
        Text(CHAT_LENGTH, may_be_blank=False),
        _not_blank,
        N_("a line that says something is needed"),
        is_logged=False,
    ),
]
_VERSION = N_("the number of the event, as “show” lists it")
_LIMIT = N_("how many to list at most ({number} unless given)")
_WHY = N_("why: a note that only operators see")
Version = Annotated[int, Field("VERSION", _VERSION, read_count, most=10_000)]
Limit = Annotated[int, Field("--limit NUMBER", _LIMIT, _up_to(MOST_LISTED), most=MOST_LISTED)]
Seat = Annotated[
    str, Field("SEAT", N_("the seat of the player"), _one_of(*SEATS), str.upper, choices=SEATS)
]
State = Annotated[
    str, Field("--state STATE", N_("games in this state"), _one_of(*_STATES), choices=_STATES)
]
Report = Annotated[str, Field("REPORT", N_("the report, as “reports” names it"), _NAME)]
Players = Annotated[
    str, Field("--name TEXT", N_("games of players with this in their name"), _NAME)
]
NewName = Annotated[str, Field("NAME", N_("the name"), _NAME, is_logged=False)]
Reason = Annotated[
    str, Field("--reason TEXT", N_("what the players are told"), _LINE, is_logged=False)
]
Why = Annotated[str, Field("--why TEXT", _WHY, _LINE, is_logged=False)]
Off = Annotated[bool, Field("--off", N_("begin new games again"), _read_flag)]
