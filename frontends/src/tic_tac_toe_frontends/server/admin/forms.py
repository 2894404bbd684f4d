"""The commands of an operator as they are sent: which fields each has, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.strict_json import parse, read_object, read_text
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.messages import CHAT_LENGTH, NAME_LENGTH, Text, read_count

from ..moderation import network_named
from ..storage.statements import OVER, PLAYING, WAITING

#: Bytes of a command at most.
MOST_BYTES = 4_096
#: Games and reports that are listed unless more are asked for, and at most.
LISTED, MOST_LISTED = 20, 1_000
#: The beginning of a game's address, and such an address in the URL of the game.
_BEGINNING = re.compile(r"([A-Za-z0-9_-]{1,22})")
_IN_URL = re.compile(r"(?:/games/|[#?&]game=)([A-Za-z0-9_-]{1,22})(?![A-Za-z0-9_-])")
#: The longest ban and drain, in seconds.
LONGEST = 10 * 366 * 86_400


class Unreadable(Exception):
    """What was asked is no command."""


def _one_of(*words: str) -> Callable[[object, str], str]:
    def read(value: object, path: str) -> str:
        if value not in words:
            raise InvalidNotation("{path}: unexpected", "unexpected", path=path)
        return str(value)

    return read


def _read_network(value: object, path: str) -> str:
    try:
        return str(network_named(read_text(value, path)))
    except ValueError:
        raise InvalidNotation("{path}: no address", "address", path=path) from None


def game_named(text: str) -> str:
    """Return the address of a game, or its beginning, from itself or from the URL of the game.

    Raises:
        ValueError: the text names no game.
    """
    found = _IN_URL.search(text) or _BEGINNING.fullmatch(text.strip())
    if found is None:
        raise ValueError("no address of a game")
    return found[1]


def _read_game(value: object, path: str) -> str:
    try:
        return game_named(read_text(value, path))
    except ValueError:
        raise InvalidNotation("{path}: no address", "address", path=path) from None


def _up_to(most: int) -> Callable[[object, str], int]:
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


class Form(NamedTuple):
    """The fields that a command has to have, and those that it may have, with their readers."""

    needed: Mapping[str, Callable[[object, str], object]] = MappingProxyType({})
    optional: Mapping[str, Callable[[object, str], object]] = MappingProxyType({})


_LINE, _NAME = Text(CHAT_LENGTH), Text(NAME_LENGTH)
_GAME = {"game": _read_game}
_SEAT = {**_GAME, "seat": _one_of(*SEATS)}
_BAN = {"network": _read_network, "seconds": _up_to(LONGEST)}
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "status": Form(),
        "games": Form(
            optional={
                "name": _NAME,
                "state": _one_of(WAITING, PLAYING, OVER),
                "game": _read_game,
                "address": _read_network,
                "limit": _up_to(MOST_LISTED),
            }
        ),
        **dict.fromkeys(("show", "hide", "unhide", "delete"), Form(_GAME)),
        "end": Form(_GAME, {"reason": _LINE}),
        "line": Form({**_GAME, "version": read_count}),
        "rename": Form({**_SEAT, "name": _NAME}),
        **dict.fromkeys(("forget", "export"), Form(_SEAT)),
        "ban": Form(_BAN, {"why": _LINE}),
        "unban": Form({"network": _read_network}),
        "bans": Form(),
        "reports": Form(optional={"limit": _up_to(MOST_LISTED)}),
        "dismiss": Form({"report": _NAME}),
        "announce": Form({"text": Text(CHAT_LENGTH, may_be_blank=False)}),
        "drain": Form(optional={"seconds": _up_to(LONGEST), "off": _read_flag}),
    }
)


def read_command(text: str) -> tuple[str, dict[str, object]]:
    """Return a command and its fields.

    Raises:
        Unreadable: it is none.
    """
    try:
        values = read_object(parse(text), "the command")
        name = read_text(values.pop("command", None), "command")
        form = FORMS.get(name)
        if form is None:
            raise Unreadable(f"unknown command: {name}")
        readers = {**form.needed, **form.optional}
        if not form.needed.keys() <= values.keys() <= readers.keys():
            raise Unreadable(f"{name} takes other fields")
        return name, {field: readers[field](value, field) for field, value in values.items()}
    except InvalidNotation as error:
        raise Unreadable(str(error)) from None
