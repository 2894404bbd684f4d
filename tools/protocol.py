"""What is made of the message types of online play: tables of the protocol's page, and schemas.

``python -m tools.protocol`` compares the tables of docs/reference/protocol.md, which stand between
``<!-- begin NAME -->`` and ``<!-- end -->``, and docs/reference/protocol.asyncapi.json, a document
of AsyncAPI 3.0, with the types; ``python -m tools.protocol --write`` writes both anew.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, is_dataclass
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from tic_tac_toe.logic.strict_json import Bound, Written, written_fields
from tic_tac_toe.protocols.online import replies, requests
from tic_tac_toe.protocols.online.events import KINDS, Event, GameSetup, Player, Unknown
from tic_tac_toe.protocols.online.game import End
from tic_tac_toe.protocols.online.messages import (
    COUNT,
    FRAME_BYTES,
    FRAME_DEPTH,
    PROTOCOL,
    SUBPROTOCOL,
)
from tic_tac_toe.protocols.online.replies import REASONS, Happened

Schema = dict[str, Any]

PATH = Path(__file__).resolve().parents[1] / "docs" / "reference" / "protocol.md"
PAGE = PATH.read_text(encoding="utf-8")
FILE = PATH.with_name("protocol.asyncapi.json")
#: What is inside replies, by the names that the page has for it.
PARTS: Mapping[str, type] = {
    "a setup": GameSetup,
    "a player": Player,
    "an end": End,
    "an own game": replies.OwnGame,
    "a fate": replies.RequestStatus,
    "a line": replies.TalkLine,
    "an open game": replies.OpenGame,
}
#: What answers requests; all other replies come unasked.
ANSWERS = ("answer", "welcome")
#: A column lists at most as many names as this.
MOST_NAMES = 5
_SCHEMAS = "#/components/schemas/"
_SOCKET = {"channel": {"$ref": "#/channels/socket"}}
_MARKED = re.compile(r"(<!-- begin (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


# -- declarations ----------------------------------------------------------------------------------


def told_fields(kind: type) -> list[Written]:
    """Return the fields of a dataclass that messages have.

    Raises:
        LookupError: one of them has no sentence.
    """
    found = [each for each in written_fields(kind) if not each.way.inline]
    for each in found:
        if not each.about and each.name != "kind":
            raise LookupError(f"the field {each.name} of {kind.__name__} has no sentence")
    return found


def details(kind: type) -> list[Written]:
    """Return the fields that the events of a kind have beside those of all events."""
    entry = {each.name for each in written_fields(Unknown)}
    return [each for each in told_fields(kind) if each.name not in entry]


def _split(hint: Any) -> tuple[Any, Schema]:
    """Return an annotation without its marks, and what its bound says."""
    marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    return marks[0], dict(next((mark.schema for mark in marks if isinstance(mark, Bound)), {}))


def _without_null(hint: Any) -> Any:
    """Return the X of ``X | None``, and other annotations as they are."""
    is_optional = get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)
    return get_args(hint)[0] if is_optional else hint


def sentence_of(kind: type) -> str:
    """Return the first paragraph of what a type says of itself, for the page."""
    text = " ".join((inspect.getdoc(kind) or "").partition("\n\n")[0].split())
    return text.replace("``", "`")


# -- the page --------------------------------------------------------------------------------------


def tables() -> dict[str, str]:
    """Return the tables of the page, by the names in its marks."""
    sentences = {
        "move": 'says itself what is wrong with the move, such as "Cell is not empty"',
        **{name: str(sentence) for name, sentence in REASONS.items()},
    }
    return {
        "events": _table(("kind", "what happened", "its own fields"), map(_kind_row, KINDS)),
        **{
            f"request {name}": _table(("field", "kind", "default", "what it is"), rows)
            for name, kind in requests.TYPES.items()
            if (rows := [*map(_request_row, told_fields(kind)[1:])])
        },
        **{
            f"reply {name}": _table(
                ("field", "kind", "what it is"),
                map(_row, told_fields(Unknown) * (kind is Happened) + told_fields(kind)),
            )
            for name, kind in replies.TYPES.items()
        },
        **{
            name: _table((f"field of {name}", "kind", "what it is"), map(_row, told_fields(kind)))
            for name, kind in PARTS.items()
        },
        "reasons": _table(("reason", "sentence"), sentences.items()),
    }


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    lines += [f"| `{first}` | {' | '.join(rest)} |" for first, *rest in rows]
    return "\n".join(lines).replace("|  |", "| |")


def _row(each: Written) -> tuple[str, str, str]:
    about = each.about or "one of the [kinds of events](#games-are-their-events)"
    return each.json_name, _called(each.hint), about


def _request_row(each: Written) -> tuple[str, str, str, str]:
    called = _called(each.hint) + " or null" * (each.default is None)
    default = "" if each.default is MISSING else f"`{json.dumps(each.default)}`"
    return each.json_name, called, default, each.about


def _kind_row(name: str) -> tuple[str, str, str]:
    rows = map(_row, details(KINDS[name]))
    own = "; ".join(f"`{field}` ({called}), {about}" for field, called, about in rows)
    return name, sentence_of(KINDS[name]).rstrip("."), own


def _called(hint: Any) -> str:
    """Return what a table calls the values of an annotation."""
    hint, bound = _split(hint)
    if len(names := bound.get("enum", ())) in range(1, MOST_NAMES + 1):
        return ", ".join(f"`{name}`" for name in names if name) + ' or `""`' * ("" in names)
    if title := bound.get("title"):
        may_be_empty = re.fullmatch(bound.get("pattern", "."), "") is not None
        return str(title) + ' or `""`' * may_be_empty
    if (inner := _without_null(hint)) is not hint:
        return _called(inner)
    if get_origin(hint) is tuple:
        inner, *others = get_args(hint)
        called = _called(inner).removeprefix("an ").removeprefix("a ")
        return f"list of {called}{'' if called[0] == '`' else 's'}" if ... in others else "`[X, O]`"
    known: dict[Any, str] = {kind: name for name, kind in PARTS.items()}
    return {**known, int: "number", str: "text", bool: "true, false", Event: "event"}[hint]


def page() -> str:
    """Return the page with its tables as they should be.

    Raises:
        LookupError: a field has no sentence, or the page no place for a table.
    """
    made = tables()
    named = [name for _, name, _ in _MARKED.findall(PAGE)]
    if sorted(named) != sorted(made):
        wrong = ", ".join(sorted({*named} ^ {*made}))
        raise LookupError(
            f"docs/reference/protocol.md lacks the marks of a table, or has others: {wrong}"
        )
    return _MARKED.sub(lambda found: f"{found[1]}\n{made[found[2]]}\n\n{found[3]}", PAGE)


def session() -> list[tuple[str, str]]:
    """Return the messages of the session on the page: ``>`` or ``<``, and the text."""
    return re.findall(r"^(?:Ann|Bob) ([<>]) (\{.*\})$", PAGE, re.MULTILINE)


def section(title: str) -> str:
    """Return what stands below a heading of the second level of the page, up to the next."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


# -- schemas ---------------------------------------------------------------------------------------


def schemas() -> dict[str, Schema]:
    """Return the schemas of messages and of what is in them."""
    return {
        **{_name(name, "Request"): _request(name) for name in requests.TYPES},
        **{
            _name(name, "Reply"): _object(told_fields(kind), {"type": {"const": name}})
            for name, kind in replies.TYPES.items()
        },
        "EventReply": {"type": "object", "oneOf": [_event(name, True) for name in KINDS]},
        "Event": {"oneOf": [_event(name) for name in KINDS]},
        **{kind.__name__: _object(told_fields(kind)) for kind in PARTS.values()},
    }


def _name(name: str, what: str) -> str:
    """Return how a type of messages is called in the document: ``move`` is ``MoveRequest``."""
    return f"{name.capitalize()}{what}"


def _request(name: str) -> Schema:
    own = told_fields(requests.TYPES[name])
    schema = _object(own, {"type": {"const": name}})
    for each in own:
        field = schema["properties"][each.json_name]
        if each.default is not MISSING:
            field["default"] = json.loads(json.dumps(each.default))
            if each.default is None:
                field["type"] = [field["type"], "null"]
    return {**schema, "additionalProperties": False}


def _event(name: str, is_message: bool = False) -> Schema:
    """Return the schema of the events of a kind, also as messages with what is beside them."""
    entry = [each for each in told_fields(Unknown) if is_message or each.name != "game"]
    own = [*entry, *details(KINDS[name]), *told_fields(Happened) * is_message]
    schema = _object(own, {"type": {"const": "event"}} if is_message else {})
    schema["properties"]["kind"] = {"const": name}
    return {"title": name, "description": sentence_of(KINDS[name]), **schema}


def _object(own: list[Written], begin: Mapping[str, Schema] = MappingProxyType({})) -> Schema:
    """Return the schema of an object that begins with some properties, and has these fields."""
    properties = {**begin, **{each.json_name: _field(each) for each in own}}
    needed = [each.json_name for each in own if each.left_out is MISSING]
    return {"type": "object", "properties": properties, "required": [*begin, *needed]}


def _field(each: Written) -> Schema:
    hint, bound = _split(each.hint)
    schema = _schema(_without_null(hint))
    about = {"description": each.about}
    return {**about, "allOf": [schema]} if "$ref" in schema else {**about, **schema, **bound}


def _schema(hint: Any) -> Schema:
    """Return the schema of an annotation."""
    hint, bound = _split(hint)
    if hint == Event or is_dataclass(hint):
        return {"$ref": f"{_SCHEMAS}{getattr(hint, '__name__', 'Event')}"}
    if (inner := _without_null(hint)) is not hint:
        return {"oneOf": [_schema(inner), {"type": "null"}]}
    if get_origin(hint) is tuple:
        first, second = get_args(hint)
        if second is ...:
            return {"type": "array", "items": _schema(first)}
        pair = [_schema(first), _schema(second)]
        return {"type": "array", "items": pair, "minItems": 2, "maxItems": 2}
    plain = {int: {"type": "integer", **COUNT.schema}, bool: {"type": "boolean"}}
    return {**plain.get(hint, {"type": "string"}), **bound}


def sample(schema: Schema, known: Mapping[str, Schema]) -> Any:
    """Return a value that a schema allows, with all its fields.

    Args:
        known: the schemas that it refers to, by their names.
    """
    if "$ref" in schema:
        return sample(known[schema["$ref"].removeprefix(_SCHEMAS)], known)
    if "const" in schema:
        return schema["const"]
    if choice := schema.get("examples", schema.get("enum")):
        return next(filter(None, choice))
    if parts := schema.get("oneOf", schema.get("allOf")):
        return sample(parts[0], known)
    if schema["type"] == "array":
        items = schema["items"]
        return [sample(each, known) for each in (items if isinstance(items, list) else [items])]
    if schema["type"] == "object":
        return {name: sample(each, known) for name, each in schema["properties"].items()}
    return {"boolean": True, "string": "Ann", "integer": 4}[schema["type"]]


# -- the document ----------------------------------------------------------------------------------


def document() -> dict[str, Any]:
    """Return the whole document."""
    known = schemas()
    messages = {
        _name(name, what): _message(name, kind, what, known)
        for what, types in (("Request", requests.TYPES), ("Reply", replies.TYPES))
        for name, kind in types.items()
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Online play of tic-tac-toe and its relatives",
            "version": str(PROTOCOL),
            "description": (
                "What a game server and its clients say to each other, made of the message types "
                "by tools/protocol.py. What they mean, and how a client comes back after the loss "
                "of its connection, stands in docs/reference/protocol.md. The document is that of "
                "the server: it receives requests, and sends replies."
            ),
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {
                "host": "127.0.0.1:8765",
                "protocol": "ws",
                "description": "A server of one's own, started by tic-tac-toe serve.",
            }
        },
        "channels": {"socket": _channel(messages)},
        "operations": _operations(),
        "components": {"messages": messages, "schemas": known},
    }


def _channel(messages: Mapping[str, object]) -> dict[str, Any]:
    return {
        "address": "/ws",
        "title": "The WebSocket",
        "description": (
            f"One JSON object in each text frame; the subprotocol is {SUBPROTOCOL}. A request has "
            f"at most {FRAME_BYTES} bytes, and lists and objects in it are nested at most "
            f"{FRAME_DEPTH} deep. Servers refuse fields that they do not know; clients pass over "
            "them, and over types and values that they do not know.\n\n"
            f"{section('Codes of closing').strip()}"
        ),
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
        "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
    }


def _operations() -> dict[str, Any]:
    """Return what a server does: it receives requests, and sends other replies than answers."""
    found = {}
    for name, kind in requests.TYPES.items():
        answers = [_in_socket(each, "Reply") for each in ANSWERS]
        reply = {**_SOCKET, "messages": answers[: 1 + (kind is requests.Hello)]}
        receive = {"action": "receive", **_SOCKET, "title": name, "reply": reply}
        found[f"receive{name.capitalize()}"] = receive | {"messages": [_in_socket(name, "Request")]}
    for name in [name for name in replies.TYPES if name not in ANSWERS]:
        send = {"action": "send", **_SOCKET, "title": name}
        found[f"send{name.capitalize()}"] = send | {"messages": [_in_socket(name, "Reply")]}
    return found


def _in_socket(name: str, what: str) -> dict[str, str]:
    return {"$ref": f"#/channels/socket/messages/{_name(name, what)}"}


def _message(name: str, kind: type, what: str, known: Mapping[str, Schema]) -> dict[str, Any]:
    way = ">" if what == "Request" else "<"
    spoken = [json.loads(text) for direction, text in session() if direction == way]
    examples = [payload for payload in spoken if payload["type"] == name]
    has_id = what == "Request" or name in ANSWERS
    return {
        "name": name,
        "title": f"{name}, a {what.lower()}",
        "summary": sentence_of(kind),
        **({"correlationId": {"location": "$message.payload#/id"}} if has_id else {}),
        "payload": {"$ref": f"{_SCHEMAS}{_name(name, what)}"},
        "examples": [{"payload": (examples or [sample(known[_name(name, what)], known)])[0]}],
    }


def text() -> str:
    """Return the content of the document's file."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Compare or write page and document, and return the exit status."""
    is_written = "--write" in sys.argv[1:]
    made = {PATH: page(), FILE: text()}
    old = [path for path in made if path.read_text(encoding="utf-8") != made[path]]
    for path in old:
        print(f"{path.name} {'is written' if is_written else 'has to be written'} anew")
        if is_written:
            path.write_text(made[path], encoding="utf-8")
    return bool(old) and not is_written


if __name__ == "__main__":
    sys.exit(main())
