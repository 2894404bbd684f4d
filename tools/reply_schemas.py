"""JSON Schemas of replies and events, made of their dataclasses and of docs/protocol.md.

Which fields a message always has is seen from one whose fields are empty, as it is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tic_tac_toe.logic.strict_json import written_fields
from tic_tac_toe.protocols.online import replies
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import (
    KINDS,
    OFFERS,
    SEATS,
    Event,
    Moved,
    Player,
    write_event,
)
from tic_tac_toe.protocols.online.game import ENDS, End
from tic_tac_toe.protocols.online.replies import REASONS
from tools.protocol_page import Undescribed, meanings, part, part_meanings, said
from tools.request_schemas import ADDRESS, CLOCK, COUNT, ID, VARIANT, Schema, pair

#: Where the schemas stand in the document.
SCHEMAS = "#/components/schemas/"


def _names(*names: str) -> Schema:
    return {"type": "string", "enum": list(names)}


_TEXT: Schema = {"type": "string", "examples": ["Ann"]}
#: What texts are, by the names of their fields, or by type and field where they differ; others are
#: any text.
TEXTS: Mapping[str, Schema] = {
    "id": ID,
    **dict.fromkeys(("game", "follower", "previous"), ADDRESS),
    **dict.fromkeys(("seat", "seats", "winner", "starting"), _names(*SEATS)),
    **dict.fromkeys(("text", "name"), _TEXT),
    **dict.fromkeys(("Offered.text", "Accepted.text", "Declined.text"), _names(*OFFERS)),
    "strategy": {"type": "string", "examples": ["medium"]},
    "opponents": {"type": "string", "examples": ["wine"]},
    "variant": VARIANT,
    "Answer.status": _names(*replies.STATUSES),
    "Answer.reason": _names("move", *REASONS),
    "RequestStatus.status": _names(replies.OK, replies.UNKNOWN),
    "End.reason": _names(*ENDS),
    "Closing.reason": {"type": "string", "examples": ["restart"]},
}
#: Of the fields that are always there, those that are empty now and then: the id of a message that
#: could not be read, and the seat of what the server does.
OFTEN_EMPTY = {"id", "seat"}


#: What the fields of things inside replies mean that have no table on the page.
WORDS: Mapping[type, dict[str, str]] = {
    Player: {"name": "what others see", "strategy": "of a computer: the name of its strategy"},
    replies.RequestStatus: {
        "id": "of the pending request",
        "status": "`ok`, or `unknown`: it was not carried out",
        "version": "of the event that it led to",
    },
    End: {"winner": "who won, if anybody did", "reason": "why the game ended"},
}

#: Returns something as it is written, with its fields filled in to a depth, and empty below.
Writer = Callable[[int], Mapping[str, Any]]
#: More than the depth of any message.
FULL = 9


def made(hint: Any, depth: int) -> Any:
    """Return a value of a type with its fields filled in to a depth; at depth 0 they are empty."""
    arguments, is_full = get_args(hint), depth > 0
    if hint in (int, bool):
        return hint(is_full)
    if hint is str:
        return "A" if is_full else ""
    if hint is Clock:
        return Clock(int(is_full), int(is_full))
    if hint == Event:
        return Moved("", 1, "", 1, cell=1)
    if get_origin(hint) in (Union, UnionType):
        inner = next(each for each in arguments if each is not NoneType)
        return _inside(inner, depth) if is_full else None
    if get_origin(hint) is tuple and arguments[-1] is ...:
        return (_inside(arguments[0], depth),) if is_full else ()
    if get_origin(hint) is tuple:
        return tuple(_inside(each, depth) for each in arguments)
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        return hint(**{each.name: _inside(hints[each.name], depth) for each in fields(hint)})
    raise Undescribed(f"the type {hint} is one that tools/reply_schemas.py does not know")


def _inside(hint: Any, depth: int) -> Any:
    """Return a value inside another: what has fields of its own is a level deeper."""
    return made(hint, depth - 1 if is_dataclass(hint) else depth)


class ReplySchemas:
    """The schemas of replies.

    Attributes:
        parts: those of what is inside replies, by name, as far as replies were asked for.
    """

    def __init__(self) -> None:
        self.parts: dict[str, Schema] = {}

    def of_reply(self, name: str) -> Schema:
        """Return the schema of the replies of a type.

        Raises:
            Undescribed: a field is unknown here, or stands nowhere on the page.
        """
        kind = replies.TYPES[name]
        words = meanings(part("Replies", name), "field")
        if kind is replies.Happened:
            return self._of_happened(words)

        def write(depth: int) -> Mapping[str, Any]:
            values: dict[str, Any] = json.loads(replies.write_reply(made(kind, depth)))
            return values

        schema = self._of_object(kind, write, words, f"the reply {name}")
        schema["properties"] = {"type": {"const": name}, **schema["properties"]}
        return schema

    def _of_happened(self, words: dict[str, str]) -> Schema:
        """Return the schema of an event as a message: one for each kind, with what is beside it."""

        def write(depth: int) -> Mapping[str, Any]:
            happened = made(replies.Happened, depth)
            values: dict[str, Any] = json.loads(replies.write_reply(happened))
            return values

        hints = {**get_type_hints(replies.Happened), "game": str}
        beside = {
            name: self._of_field(hints[name], f"Happened.{name}", write, words, "the reply event")
            for name in ("game", "clock", "end")
        }
        kinds = []
        for name in KINDS:
            event = self._of_event(name)
            properties = {"type": {"const": "event"}, **beside, **event["properties"]}
            required = ["type", "game", *event["required"]]
            kinds.append({**event, "properties": properties, "required": required})
        return {"type": "object", "oneOf": kinds}

    def _of_event(self, name: str) -> Schema:
        """Return the schema of the events of a kind."""
        kind = KINDS[name]
        words = meanings(part("Replies", "event"), "field")

        def write(depth: int) -> Mapping[str, Any]:
            return write_event(made(kind, depth))

        aliases = {each.json_name: each.name for each in written_fields(kind)}
        schema = self._of_object(kind, write, words, f"the event {name}", aliases)
        return {"title": name, **schema}

    def _of_object(
        self,
        kind: Any,
        write: Writer,
        words: dict[str, str],
        where: str,
        aliases: Mapping[str, str] | None = None,
    ) -> Schema:
        """Return the schema of a dataclass as it is written.

        Args:
            words: what the fields mean.
            aliases: the names of fields by those that are written, where they differ.
        """
        hints = get_type_hints(kind)
        full, empty = write(FULL), write(0)
        properties = {}
        for name in full:
            field = (aliases or {}).get(name, name)
            field = field if field in hints else f"is_{field}"
            if name == "kind":
                properties[name] = {"const": kind.kind}
            elif name != "type":
                if field not in hints:
                    raise Undescribed(f"{where} is written with {name}, which is no field of it")
                path = f"{kind.__name__}.{name}"
                schema = self._of_field(hints[field], path, write, words, where)
                is_often_empty = name in OFTEN_EMPTY & {*empty}
                properties[name] = _or_empty(schema) if is_often_empty else schema
        return {"type": "object", "properties": properties, "required": [*empty]}

    def _of_field(
        self, hint: Any, path: str, write: Writer, words: dict[str, str], where: str
    ) -> Schema:
        """Return the schema of a field, whose path is ``Type.field``."""
        name = path.partition(".")[2]
        where = f"the field {name} of {where}"

        def write_inner(depth: int) -> Mapping[str, Any]:
            value = write(depth + 1)[name]
            inner: Mapping[str, Any] = value[0] if isinstance(value, list) else value
            return inner

        schema = self._of_type(hint, path, write_inner, where)
        about = {"description": said(words, name, where)}
        return {**about, "allOf": [schema]} if "$ref" in schema else {**about, **schema}

    def _of_type(self, hint: Any, path: str, write: Writer, where: str) -> Schema:
        """Return what a type is in JSON.

        Args:
            write: writes what it is, if that is an object or a list of objects.
        """
        arguments = get_args(hint)
        if hint == Event:
            return self._reference("Event", lambda: {"oneOf": [*map(self._of_event, KINDS)]})
        if hint in (int, bool):
            return dict(COUNT) if hint is int else {"type": "boolean"}
        if hint is str:
            return dict(TEXTS.get(path, TEXTS.get(path.partition(".")[2], {"type": "string"})))
        if hint is Clock:
            return dict(CLOCK)
        if get_origin(hint) in (Union, UnionType):
            (inner,) = (each for each in arguments if each is not NoneType)
            return self._of_type(inner, path, write, where)
        if get_origin(hint) is tuple and arguments[-1] is ...:
            return {"type": "array", "items": self._of_type(arguments[0], path, write, where)}
        if get_origin(hint) is tuple:
            first, second = (self._of_type(each, path, write, where) for each in arguments)
            is_open = NoneType in get_args(arguments[0])
            return pair(*map(_or_null, (first, second))) if is_open else pair(first, second)
        return self._reference(hint.__name__, lambda: self._of_part(hint, write))

    def _of_part(self, kind: Any, write: Writer) -> Schema:
        """Return the schema of a dataclass inside a reply."""
        words = WORDS.get(kind) or part_meanings("Replies", {*write(FULL)})
        if not words:
            known = ", ".join(write(FULL))
            raise Undescribed(f"docs/protocol.md has no table `field of ...` with: {known}")
        return self._of_object(kind, write, words, f"a {kind.__name__}")

    def _reference(self, name: str, make: Callable[[], Schema]) -> Schema:
        """Return a reference to the schema of something inside replies, and keep that."""
        if name not in self.parts:
            self.parts[name] = make()
        return {"$ref": f"{SCHEMAS}{name}"}


def _or_null(schema: Schema) -> Schema:
    return {"oneOf": [schema, {"type": "null"}]}


def _or_empty(schema: Schema) -> Schema:
    """Let a field that is always there be empty."""
    about = {"description": schema.pop("description")} if "description" in schema else {}
    return {**about, "anyOf": [schema, {"const": ""}]}
