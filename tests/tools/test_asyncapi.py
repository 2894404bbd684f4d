"""docs/protocol.asyncapi.json is what the message types and docs/protocol.md say."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import pytest
from jsonschema import Draft7Validator

from tic_tac_toe.protocols.online import replies, requests
from tools import asyncapi, protocol_page
from tools.protocol_page import Undescribed
from tools.reply_schemas import ReplySchemas, made
from tools.request_schemas import request_schema

pytestmark = pytest.mark.tooling

DATA = Path(__file__).resolve().parents[1] / "data" / "asyncapi"
DOCUMENT: Any = json.loads(asyncapi.FILE.read_text(encoding="utf-8"))


def meta_schema() -> Draft7Validator:
    """Return what AsyncAPI 3.0 says that a document must be."""
    return Draft7Validator(json.loads(gzip.decompress((DATA / "3.0.0.json.gz").read_bytes())))


def test_the_file_is_up_to_date() -> None:
    kept = asyncapi.FILE.read_text(encoding="utf-8")
    assert kept == asyncapi.text(), "python -m tools.asyncapi --write writes it anew"


def test_the_document_is_one_of_asyncapi_3() -> None:
    meta_schema().validate(DOCUMENT)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda document: document.pop("info"),
        lambda document: document["operations"]["receiveMove"].update(action="ask"),
        lambda document: document["operations"]["receiveMove"].update(messages="all"),
        lambda document: document["components"]["schemas"]["MoveRequest"].update(required="id"),
    ],
)
def test_a_document_that_is_spoilt_is_found_out(spoil: Callable[[Any], object]) -> None:
    document = copy.deepcopy(DOCUMENT)
    spoil(document)
    assert not meta_schema().is_valid(document)


def test_every_reference_leads_somewhere() -> None:
    def follow(value: Any) -> None:
        if isinstance(value, list):
            for entry in value:
                follow(entry)
        elif isinstance(value, dict):
            if isinstance(target := value.get("$ref"), str):
                found = DOCUMENT
                for name in target.removeprefix("#/").split("/"):
                    found = found[name]
            for entry in value.values():
                follow(entry)

    follow(DOCUMENT)


def test_every_type_has_an_operation_and_an_example_that_its_schema_allows() -> None:
    operations = DOCUMENT["operations"]
    told = [name for name in replies.TYPES if name not in asyncapi.ANSWERS]
    assert [*operations] == [
        *(f"receive{name.capitalize()}" for name in requests.TYPES),
        *(f"send{name.capitalize()}" for name in told),
    ]
    messages = DOCUMENT["components"]["messages"]
    assert len(messages) == len(requests.TYPES) + len(replies.TYPES)
    for message in messages.values():
        for example in message["examples"]:
            schema = {**DOCUMENT, **message["payload"]}
            Draft7Validator(schema).validate(example["payload"])


# -- types that lack something ---------------------------------------------------------------------


def read_colour(value: object, path: str) -> str:
    return f"{path} {value}"


@dataclass(frozen=True)
class Paint:
    """A request that the page does not describe."""

    id: requests._Id
    colour: Annotated[str, read_colour]


@dataclass(frozen=True)
class Weather:
    """A reply that the page does not describe."""

    rain: int
    places: tuple[requests.Move, ...] = ()


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Lets the page say something more in a section."""

    def describe(title: str, text: str) -> None:
        page = protocol_page.PAGE.replace(f"\n## {title}\n", f"\n## {title}\n{text}\n")
        monkeypatch.setattr(protocol_page, "PAGE", page)

    return describe


def test_a_request_that_the_page_or_the_tables_lack_is_named(
    monkeypatch: pytest.MonkeyPatch, described: Callable[[str, str], None]
) -> None:
    types = MappingProxyType({**requests.TYPES, "paint": Paint})
    monkeypatch.setattr("tools.request_schemas.TYPES", types)
    with pytest.raises(Undescribed, match="no ### `paint` below ## Requests"):
        request_schema("paint")
    described("Requests", "\n### `paint`\n\nPaints.\n\n| field | kind |\n|---|---|\n| `x` | y |\n")
    with pytest.raises(Undescribed, match="colour of the request paint is read by read_colour"):
        request_schema("paint")
    monkeypatch.setitem(Paint.__annotations__, "colour", requests._Name)
    with pytest.raises(Undescribed, match="says nothing of the field colour of the request paint"):
        request_schema("paint")


def test_a_reply_that_the_page_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, described: Callable[[str, str], None]
) -> None:
    types = MappingProxyType({**replies.TYPES, "weather": Weather})
    monkeypatch.setattr(replies, "TYPES", types)
    monkeypatch.setattr(replies, "write_reply", lambda reply: json.dumps(vars(reply), default=vars))
    schemas = ReplySchemas()
    with pytest.raises(Undescribed, match="no ### `weather` below ## Replies"):
        schemas.of_reply("weather")
    table = "\n### `weather`\n\n| field | kind |\n|---|---|\n| `rain` | mm |\n"
    described("Replies", table)
    with pytest.raises(Undescribed, match=r"no table `field of \.\.\.` with: id, version, cell"):
        schemas.of_reply("weather")
    part = "\n| field of a place | kind |\n|---|---|\n| `id` | a |\n| `version` | b |\n"
    described("Replies", f"{part}| `cell` | c |\n")
    with pytest.raises(Undescribed, match="nothing of the field places of the reply weather"):
        schemas.of_reply("weather")


def test_a_type_that_cannot_be_written_is_named() -> None:
    with pytest.raises(Undescribed, match="complex"):
        made(complex, 1)
