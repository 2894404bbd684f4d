"""JSON Schemas of requests, made of their dataclasses and readers, and of docs/protocol.md.

The types decide what there is, and the page says what it means: a field that one of them lacks is a
fault, and named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from tic_tac_toe.protocols.online import messages
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.requests import TYPES
from tools.protocol_page import Undescribed, meanings, part, said

Schema = dict[str, Any]


def pair(first: Schema, second: Schema) -> Schema:
    """Return the schema of a list of two."""
    return {"type": "array", "items": [first, second], "minItems": 2, "maxItems": 2}


def whole(least: int, most: int) -> Schema:
    """Return the schema of a whole number."""
    return {"type": "integer", "minimum": least, "maximum": most}


def _line(length: int) -> Schema:
    # Halves of characters are refused as well; patterns cannot say so in all languages alike.
    pattern = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
    return {"type": "string", "maxLength": length, "pattern": pattern, "examples": ["Ann"]}


_GAME = "VakKTmPgF-G8D3pKbh5M_Q"
ID: Schema = {
    "type": "string",
    "pattern": f"^[A-Za-z0-9_-]{{1,{messages.ID_LENGTH}}}$",
    "examples": ["ann-1"],
}
ADDRESS: Schema = {
    "type": "string",
    "pattern": "^[A-Za-z0-9_-]{21}[AQgw]$",
    "examples": [_GAME],
}
COUNT: Schema = {**whole(0, 10**messages.NUMBER_DIGITS - 1), "examples": [4]}
VARIANT: Schema = {
    "type": "string",
    "minLength": 1,
    "examples": ["tic-tac-toe", "connect-four,pie", "mnk:5,5,4,torus"],
}
CLOCK: Schema = {
    **pair(whole(*messages.CLOCK_SECONDS), whole(*messages.INCREMENT_SECONDS)),
    "examples": [[300, 5]],
}

#: What the readers of `protocols.online.messages` take.
READERS: Mapping[Callable[[object, str], Any], Schema] = {
    messages.MESSAGE_ID: ID,
    messages.ADDRESS: ADDRESS,
    messages.ADDRESS_OR_NONE: {**ADDRESS, "pattern": "^([A-Za-z0-9_-]{21}[AQgw])?$"},
    messages.read_count: COUNT,
    messages.Text(messages.CHAT_LENGTH, may_be_blank=False): {
        **_line(messages.CHAT_LENGTH),
        "allOf": [{"pattern": r"\S"}],
        "examples": ["Well played"],
    },
    messages.OPPONENT: {
        "type": "string",
        "pattern": f"^{messages.OPPONENT_NAME.pattern}$",
        "examples": ["person", "medium"],
    },
    messages.read_variant: VARIANT,
    messages.read_pending: {
        "type": "array",
        "items": ID,
        "maxItems": messages.PENDING,
        "examples": [["ann-3"]],
    },
}


def request_schema(name: str) -> Schema:
    """Return the schema of the requests of a type.

    Raises:
        Undescribed: a field has a reader that is unknown here, or stands nowhere on the page.
    """
    kind = TYPES[name]
    hints = get_type_hints(kind, include_extras=True)
    words = {
        "id": "made up by the sender, a new one for each request",
        **meanings(part("Requests", name), "field"),
    }
    properties: dict[str, Schema] = {"type": {"const": name}}
    required = ["type"]
    for each in fields(kind):
        where = f"the field {each.name} of the request {name}"
        schema = _schema_of(hints[each.name], where)
        properties[each.name] = {"description": said(words, each.name, where), **schema}
        if each.default is MISSING:
            required.append(each.name)
        else:
            is_list = isinstance(each.default, tuple)
            properties[each.name]["default"] = list(each.default) if is_list else each.default
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _schema_of(hint: Any, where: str) -> Schema:
    """Return what a field takes that is annotated in one way."""
    if get_origin(hint) is Annotated:
        return _schema_of_reader(next(each for each in get_args(hint)[1:] if callable(each)), where)
    if hint is bool:
        return {"type": "boolean"}
    if hint is Clock:
        return dict(CLOCK)
    if get_origin(hint) in (Union, UnionType):
        (inner,) = (each for each in get_args(hint) if each is not NoneType)
        schema = _schema_of(inner, where)
        return {**schema, "type": [schema["type"], "null"]}
    raise Undescribed(f"{where} has the type {hint}, which tools/request_schemas.py does not know")


def _schema_of_reader(reader: Any, where: str) -> Schema:
    if isinstance(reader, messages.OneOf):
        return {"type": "string", "enum": list(reader.names)}
    if isinstance(reader, messages.Text) and reader not in READERS:
        return _line(reader.length)
    if reader not in READERS:
        name = getattr(reader, "__name__", repr(reader))
        raise Undescribed(f"{where} is read by {name}: add it to READERS in request_schemas.py")
    return dict(READERS[reader])
