"""What clients ask, as values, and the texts they send it as.

A request is one JSON object in one text frame, with its ``type``, an ``id`` that its sender has
made up, and the fields of that type; fields with a default may be missing::

    {"type": "move", "id": "k3v9-7", "version": 4, "cell": 8}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import MappingProxyType

from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import InvalidNotation, InvalidVariant, quoted
from tic_tac_toe.logic.records import check_comment
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.strict_json import (
    parse,
    read_list,
    read_object,
    read_text,
    read_whole,
)
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import OFFERS, SEATS
from tic_tac_toe.protocols.online.limits import (
    CHAT_LENGTH,
    CLOCK_SECONDS,
    FRAME_BYTES,
    FRAME_DEPTH,
    ID_LENGTH,
    INCREMENT_SECONDS,
    NAME_LENGTH,
    NUMBER_DIGITS,
    PENDING,
)

#: Against whom a game can be created: a person who joins, or a strategy.
PERSON = "person"
#: Which seat who creates a game can ask for.
RANDOM_SEAT = "random"


@dataclass(frozen=True)
class Hello:
    """Open the conversation, and take one's seat, or a place to watch.

    Args:
        protocol: the version of the protocol.
        game: the game that this connection is about from now on; empty for none.
        token: claims a seat of it; empty for who watches.
        last_seen_version: which events the client has.
        pending: the ids of messages whose fate it does not know.
    """

    id: str
    protocol: int
    game: str = ""
    token: str = field(default="", repr=False)  # a secret
    last_seen_version: int = 0
    pending: tuple[str, ...] = ()


@dataclass(frozen=True)
class Create:
    """Create a game and sit down.

    Args:
        token: claims the seat from now on; the game's address follows from it and from the id.
        variant: the name of a variant of the catalogue.
        name: what others see.
        seat: X, O or random.
        starting: who moves first, X or O.
        opponent: `PERSON`, or the name of a strategy.
        open: whether the lobby shows it.
        clock: seconds for each side and seconds added by each move, or ``None``.
    """

    id: str
    token: str = field(repr=False)  # a secret
    variant: str
    name: str = ""
    seat: str = RANDOM_SEAT
    starting: str = "X"
    opponent: str = PERSON
    open: bool = False
    clock: Clock | None = None


@dataclass(frozen=True)
class Join:
    """Take the free seat of a game."""

    id: str
    game: str
    token: str = field(repr=False)  # a secret
    name: str = ""


@dataclass(frozen=True)
class Move:
    """Play a cell; ``version`` is the last event that its sender had seen."""

    id: str
    version: int
    cell: int


@dataclass(frozen=True)
class Offer:
    """Offer a draw or a rematch, or ask to take a move back."""

    id: str
    version: int
    what: str


@dataclass(frozen=True)
class Accept:
    """Agree to what the other side has offered."""

    id: str
    version: int
    what: str


@dataclass(frozen=True)
class Decline:
    """Refuse what the other side has offered, or withdraw nothing: the game goes on."""

    id: str
    version: int
    what: str


@dataclass(frozen=True)
class Resign:
    """Give up."""

    id: str


@dataclass(frozen=True)
class Chat:
    """Say a line to everybody at the game."""

    id: str
    text: str


@dataclass(frozen=True)
class Leave:
    """Stop following the game; a game that has not begun is closed by who created it."""

    id: str


@dataclass(frozen=True)
class Events:
    """Ask for the events after a version."""

    id: str
    after: int


@dataclass(frozen=True)
class Lobby:
    """Begin, or cease, to be told of the open games."""

    id: str
    on: bool


Request = (
    Hello | Create | Join | Move | Offer | Accept | Decline | Resign | Chat | Leave | Events | Lobby
)
#: What a request is called on the wire.
TYPES: Mapping[str, type[Request]] = MappingProxyType(
    {
        kind.__name__.lower(): kind
        for kind in (
            Hello,
            Create,
            Join,
            Move,
            Offer,
            Accept,
            Decline,
            Resign,
            Chat,
            Leave,
            Events,
            Lobby,
        )
    }
)


class InvalidRequest(ValueError):
    """A text that is no request; ``id`` is that of the message if it had one, else empty."""

    def __init__(self, message: str, message_id: str = "") -> None:
        self.id = message_id
        super().__init__(message)


def read_request(text: str) -> Request:
    """Return the request that a text is.

    Its size, depth and numbers are looked at before anything is made of them.

    Raises:
        InvalidRequest: it is none; the message says why.
    """
    message_id = ""
    try:
        check_frame(text)
        values = read_object(parse(text), "the message")
        if "id" in values:
            message_id = _id(values["id"], "id")
        kind = read_text(values.pop("type", None), "type")
        if kind not in TYPES:
            raise InvalidNotation(f"type: {quoted(kind)} is unknown here")
        return _read(TYPES[kind], values)
    except (InvalidNotation, InvalidVariant) as error:
        raise InvalidRequest(str(error), message_id) from None


def write_request(request: Request) -> str:
    """Return the text that `read_request` makes the same request of."""
    kind = type(request)
    values: dict[str, object] = {"type": kind.__name__.lower()}
    for name, default in _FIELDS[kind].items():
        value = getattr(request, name)
        if default is MISSING or value != default:
            values[name] = value
    return json.dumps(values, separators=(",", ":"))


def check_frame(text: str) -> None:
    """Raise `InvalidNotation` for a text that is too long, or nested too deeply, to be read."""
    if len(text) > FRAME_BYTES or (not text.isascii() and _bytes(text) > FRAME_BYTES):
        raise InvalidNotation(f"a message has at most {FRAME_BYTES} bytes")
    if text.count("{") + text.count("[") > FRAME_DEPTH and _depth(text) > FRAME_DEPTH:
        raise InvalidNotation("lists or objects are nested too deeply")
    if _LONG_NUMBER.search(text) and _LONG_NUMBER.search(_STRING.sub('""', text)):
        raise InvalidNotation(f"a number has at most {NUMBER_DIGITS} digits")


_LONG_NUMBER = re.compile(f"[0-9]{{{NUMBER_DIGITS + 1}}}")
# A string without an end goes on to the end of the text: were it none, each of its escaped quotes
# would be tried as the beginning of another.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_NOT_IN_LINES = re.compile("[\t\n\u2028\u2029]")
_MESSAGE_ID = re.compile(f"[A-Za-z0-9_-]{{1,{ID_LENGTH}}}")


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _depth(text: str) -> int:
    depth = deepest = 0
    for sign in _STRING.sub('""', text):
        if sign in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "}]":
            depth -= 1
    return deepest


# -- fields ----------------------------------------------------------------------------------------


def _id(value: object, path: str) -> str:
    text = read_text(value, path)
    if not _MESSAGE_ID.fullmatch(text):
        raise InvalidNotation(
            f"{path}: expected 1 to {ID_LENGTH} letters, digits, hyphens and underscores"
        )
    return text


def _address(value: object, path: str) -> str:
    text = read_text(value, path)
    if not is_address(text):
        raise InvalidNotation(f"{path}: expected 22 signs of base64url")
    return text


def _address_or_none(value: object, path: str) -> str:
    return "" if value == "" else _address(value, path)


def _count(value: object, path: str) -> int:
    number = read_whole(value, path)
    if number < 0:
        raise InvalidNotation(f"{path}: expected no number below 0")
    return number


def _pending(value: object, path: str) -> tuple[str, ...]:
    ids = read_list(value, path)
    if len(ids) > PENDING:
        raise InvalidNotation(f"{path}: at most {PENDING} can wait for an answer")
    return tuple(_id(entry, f"{path}[{i}]") for i, entry in enumerate(ids))


def _line(length: int) -> Callable[[object, str], str]:
    """Return what reads one line of text of at most so many characters."""

    def read(value: object, path: str) -> str:
        text = read_text(value, path)
        check_comment(text, path)
        if len(text) > length or _NOT_IN_LINES.search(text):
            raise InvalidNotation(f"{path}: expected one line of at most {length} characters")
        return text.strip()

    return read


def _one_of(*names: str) -> Callable[[object, str], str]:
    """Return what reads one of these texts."""

    def read(value: object, path: str) -> str:
        text = read_text(value, path)
        if text not in names:
            raise InvalidNotation(f"{path}: expected one of {', '.join(names)}")
        return text

    return read


def _boolean(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidNotation(f"{path}: expected true or false")
    return value


def _clock(value: object, path: str) -> Clock | None:
    if value is None:
        return None
    numbers = read_list(value, path)
    if len(numbers) != 2:
        raise InvalidNotation(f"{path}: expected the seconds for each side and those of a move")
    seconds, increment = (read_whole(entry, f"{path}[{i}]") for i, entry in enumerate(numbers))
    _check_range(seconds, *CLOCK_SECONDS, f"{path}[0]")
    _check_range(increment, *INCREMENT_SECONDS, f"{path}[1]")
    return Clock(seconds, increment)


def _check_range(number: int, least: int, most: int, path: str) -> None:
    if not least <= number <= most:
        raise InvalidNotation(f"{path}: expected {least} to {most}")


def _chat(value: object, path: str) -> str:
    text = _line(CHAT_LENGTH)(value, path)
    if not text:
        raise InvalidNotation(f"{path}: expected a line that says something")
    return text


_READERS: Mapping[str, Callable[[object, str], object]] = MappingProxyType(
    {
        "id": _id,
        "protocol": _count,
        "game": _address,
        "token": _address,
        "last_seen_version": _count,
        "pending": _pending,
        "variant": _one_of(*VARIANTS),
        "name": _line(NAME_LENGTH),
        "seat": _one_of(*SEATS, RANDOM_SEAT),
        "starting": _one_of(*SEATS),
        "opponent": _one_of(PERSON, *STRATEGIES),
        "open": _boolean,
        "clock": _clock,
        "version": _count,
        "cell": _count,
        "what": _one_of(*OFFERS),
        "text": _chat,
        "after": _count,
        "on": _boolean,
    }
)
#: The fields of each type and their defaults.
_FIELDS: Mapping[type, Mapping[str, object]] = MappingProxyType(
    {kind: {entry.name: entry.default for entry in fields(kind)} for kind in TYPES.values()}
)
#: Where an empty text stands for nothing.
_MAY_BE_EMPTY = (Hello,)


def _read(kind: type[Request], values: dict[str, object]) -> Request:
    expected = _FIELDS[kind]
    for name in values:
        if name not in expected:
            raise InvalidNotation(f"{kind.__name__.lower()}: {quoted(name)} is no field of it")
    arguments: dict[str, object] = {}
    for name, default in expected.items():
        if name in values:
            reader = _READERS[name]
            if reader is _address and kind in _MAY_BE_EMPTY:
                reader = _address_or_none
            arguments[name] = reader(values[name], name)
        elif default is MISSING:
            raise InvalidNotation(f"{kind.__name__.lower()}: the field {name} is missing")
    return kind(**arguments)  # type: ignore[arg-type]  # each was read by the reader of its name
