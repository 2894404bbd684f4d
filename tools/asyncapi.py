"""The protocol of online play as a document of AsyncAPI 3.0: docs/protocol.asyncapi.json.

``python -m tools.asyncapi`` compares the file with the message types and with docs/protocol.md;
``python -m tools.asyncapi --write`` writes it anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from tic_tac_toe.protocols.online import replies, requests
from tic_tac_toe.protocols.online.messages import FRAME_BYTES, FRAME_DEPTH, PROTOCOL, SUBPROTOCOL
from tools.protocol_page import (
    PATH,
    Undescribed,
    first_paragraph,
    meanings,
    part,
    section,
    session,
)
from tools.reply_schemas import SCHEMAS, ReplySchemas
from tools.request_schemas import Schema, request_schema

FILE = PATH.with_name("protocol.asyncapi.json")

#: What answers requests; all other replies come unasked.
ANSWERS = ("answer", "welcome")
_SOCKET = "#/channels/socket"


def document() -> dict[str, Any]:
    """Return the whole document.

    Raises:
        Undescribed: a type of messages lacks something; the text says what.
    """
    made = ReplySchemas()
    asked = {_name(name, "Request"): request_schema(name) for name in requests.TYPES}
    told = {_name(name, "Reply"): made.of_reply(name) for name in replies.TYPES}
    schemas = {**asked, **told, **made.parts}
    messages = {
        **{
            _name(name, "Request"): _message(name, "Request", ">", schemas)
            for name in requests.TYPES
        },
        **{_name(name, "Reply"): _message(name, "Reply", "<", schemas) for name in replies.TYPES},
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Online play of tic-tac-toe and its relatives",
            "version": str(PROTOCOL),
            "description": (
                "What a game server and its clients say to each other, made of the message types "
                "by tools/asyncapi.py. What they mean, and how a client comes back after the loss "
                "of its connection, stands in docs/protocol.md. The document is that of the "
                "server: it receives requests, and sends replies."
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
        "components": {"messages": messages, "schemas": schemas},
    }


def _name(name: str, what: str) -> str:
    """Return how a type of messages is called in the document: ``move`` is ``MoveRequest``."""
    return f"{name.capitalize()}{what}"


def _channel(messages: Mapping[str, object]) -> dict[str, Any]:
    refused = meanings(section("Codes of closing"), "status")
    closed = meanings(section("Codes of closing"), "code")
    return {
        "address": "/ws",
        "title": "The WebSocket",
        "description": (
            f"One JSON object in each text frame; the subprotocol is {SUBPROTOCOL}. A request has "
            f"at most {FRAME_BYTES} bytes, and lists and objects in it are nested at most "
            f"{FRAME_DEPTH} deep. Servers refuse fields that they do not know; clients pass over "
            "them, and over types and values that they do not know.\n\n"
            f"Before the WebSocket is open: {_listed(refused)}.\n\n"
            f"The server closes with {_listed(closed)}."
        ),
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
        "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
        "x-close-codes": closed,
        "x-refusals": refused,
    }


def _listed(meanings_of: Mapping[str, str]) -> str:
    return "; ".join(f"{code}: {text}" for code, text in meanings_of.items())


def _operations() -> dict[str, Any]:
    asked = {
        f"receive{name.capitalize()}": {
            "action": "receive",
            "channel": {"$ref": _SOCKET},
            "title": name,
            "messages": [{"$ref": f"{_SOCKET}/messages/{_name(name, 'Request')}"}],
            "reply": {
                "channel": {"$ref": _SOCKET},
                "messages": [
                    {"$ref": f"{_SOCKET}/messages/{_name(answer, 'Reply')}"}
                    for answer in ANSWERS
                    if answer != "welcome" or kind is requests.Hello
                ],
            },
        }
        for name, kind in requests.TYPES.items()
    }
    told = {
        f"send{name.capitalize()}": {
            "action": "send",
            "channel": {"$ref": _SOCKET},
            "title": name,
            "messages": [{"$ref": f"{_SOCKET}/messages/{_name(name, 'Reply')}"}],
        }
        for name in replies.TYPES
        if name not in ANSWERS
    }
    return {**asked, **told}


def _message(name: str, what: str, way: str, schemas: Mapping[str, Schema]) -> dict[str, Any]:
    key = _name(name, what)
    title = "Requests" if what == "Request" else "Replies"
    summary = first_paragraph(part(title, name))
    has_id = what == "Request" or name in ANSWERS
    examples = [
        payload
        for direction, text in session()
        if direction == way and (payload := json.loads(text))["type"] == name
    ]
    return {
        "name": name,
        "title": f"{name}, a {what.lower()}",
        # A part that begins with its table says nothing else.
        **({} if summary.startswith("|") else {"summary": summary}),
        **({"correlationId": {"location": "$message.payload#/id"}} if has_id else {}),
        "payload": {"$ref": f"{SCHEMAS}{key}"},
        "examples": [{"payload": (examples or [sample(schemas[key], schemas)])[0]}],
    }


def sample(schema: Schema, schemas: Mapping[str, Schema]) -> Any:
    """Return a value that a schema allows."""
    if "$ref" in schema:
        return sample(schemas[schema["$ref"].removeprefix(SCHEMAS)], schemas)
    if "const" in schema:
        return schema["const"]
    for name in ("enum", "examples"):
        if name in schema:
            return schema[name][0]
    for name in ("oneOf", "anyOf", "allOf"):
        if name in schema:
            return sample(schema[name][0], schemas)
    match schema.get("type"):
        case "boolean":
            return True
        case "string":
            return "text"
        case "array":
            items = schema["items"]
            return [sample(each, schemas) for each in (items if type(items) is list else [items])]
    return {name: sample(each, schemas) for name, each in schema["properties"].items()}


def text() -> str:
    """Return the content of the file."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Compare or write the file, and return the exit status."""
    try:
        content = text()
    except Undescribed as error:
        print(error)
        return 1
    if "--write" in sys.argv[1:]:
        FILE.write_text(content, encoding="utf-8")
        return 0
    is_new = FILE.exists() and FILE.read_text(encoding="utf-8") == content
    print(f"{FILE.name} is up to date" if is_new else f"{FILE.name} differs: write it anew")
    return not is_new


if __name__ == "__main__":
    sys.exit(main())
