"""docs/reference/protocol.md, its AsyncAPI document, the library and what is sent say the same."""

from __future__ import annotations

import gzip
import inspect
import itertools
import json
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pytest
from jsonschema import Draft7Validator

from tests.online.endings import ENDINGS, SLOW
from tests.online.mutations import REPLIES as WRITTEN_REPLIES
from tests.online.mutations import REQUESTS, mutate
from tests.online.world import (
    GENEROUS,
    FakeSocket,
    Guest,
    agree_on_rematch,
    begun,
    limited,
    opened,
    rest,
    seated,
)
from tic_tac_toe.protocols.online import replies, requests
from tic_tac_toe.protocols.online.events import (
    DRAW,
    KEEP_CHAT,
    KINDS,
    OFFERS,
    TAKE_BACK,
    Event,
)
from tic_tac_toe.protocols.online.game import ENDS, RESIGNED, End, replay
from tic_tac_toe.protocols.online.messages import PROTOCOL, SUBPROTOCOL
from tic_tac_toe.protocols.online.replies import (
    REASONS,
    Answer,
    Happened,
    Reply,
    Welcome,
    read_reply,
    write_reply,
)
from tic_tac_toe.protocols.online.requests import (
    Block,
    Create,
    Decline,
    Events,
    Hello,
    InvalidRequest,
    Lobby,
    Mine,
    Move,
    Pair,
    Report,
    Talk,
    read_request,
    write_request,
)
from tic_tac_toe_frontends.server.budgets import ClientLimits
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.web.http import LIMITS, offer_of, routes
from tic_tac_toe_frontends.server.wire import web_socket
from tools import protocol
from tools.protocol import FILE, PAGE, section, session

pytestmark = pytest.mark.anyio

DOCUMENT: Any = json.loads(FILE.read_text(encoding="utf-8"))
META_SCHEMA = Path(__file__).resolve().parents[1] / "data" / "asyncapi" / "3.0.0.json.gz"
#: The codes with which libraries close by themselves: websockets what is no frame, and uvicorn what
#: answers no ping.
BY_ITSELF = {1002, 1011}


def table(text: str, heading: str) -> list[list[str]]:
    """Return the rows of the table whose first column has this heading."""
    below = text.partition(f"\n| {heading} |")[2].splitlines()[2:]
    rows = itertools.takewhile(lambda line: line.startswith("|"), below)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def names(rows: list[list[str]]) -> list[str]:
    """Return the code in the first column."""
    return [row[0].strip("`") for row in rows]


GAMES, REPLIES, CLOSING, BESIDE = map(
    section, ("Games are their events", "Replies", "Codes of closing", "Beside the WebSocket")
)
OFFER = json.loads(offer_of("/ws", (), ClientLimits()))


# -- the page --------------------------------------------------------------------------------------


def test_the_tables_of_messages_are_those_of_the_types() -> None:
    assert protocol.page() == PAGE, "python -m tools.protocol --write writes it anew"


@pytest.mark.parametrize(
    ("part", "heading", "listed"),
    [
        (REPLIES, "status", replies.STATUSES),
        (GAMES, "what", OFFERS),
        (GAMES, "reason of an end", ENDS),
        (BESIDE, "field", OFFER),
    ],
)
def test_a_table_lists_what_there_is(part: str, heading: str, listed: Iterable[str]) -> None:
    assert names(table(part, heading)) == list(listed)


def test_every_type_has_its_part() -> None:
    for title, types in (("Requests", requests.TYPES), ("Replies", replies.TYPES)):
        assert re.findall(r"^### `(\w+)`$", section(title), re.MULTILINE) == list(types)
    for name, kind in replies.TYPES.items():
        assert type(read_reply(json.dumps({"type": name}))) is kind


def test_every_reason_to_be_busy_is_explained() -> None:
    of_busy = names(table(section("Reasons").partition("\n### ")[2], "reason"))
    assert {*of_busy} == {*[*REASONS][-8:]}


def test_every_limit_stands_in_the_table_with_its_name_in_the_offer() -> None:
    rows = table(section("Limits"), "limit")
    assert {row[2].strip("`"): row[1] for row in rows} == {
        name: " to ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in LIMITS.items()
    }
    assert len({row[0] for row in rows}) == len(LIMITS)
    assert f"`{SUBPROTOCOL}`" in PAGE
    assert f"version of the protocol stays {PROTOCOL}" in PAGE


def test_every_field_of_the_offer_is_explained() -> None:
    rows = table(BESIDE, "field of a variant")
    listed = re.findall(r"`(\w+)`", " ".join(row[0] for row in rows))
    assert all(list(variant) == listed for variant in OFFER["variants"])
    assert all({*family} <= {*listed, "length"} for family in OFFER["families"])
    (rates,) = (row[1] for row in table(BESIDE, "field") if row[0] == "`rates`")
    assert all(f"`{name}`" in rates for name in OFFER["rates"])


def test_every_code_that_closes_or_refuses_a_connection_is_explained() -> None:
    codes = {int(code) for code in re.findall(r"\b10[01]\d\b", inspect.getsource(web_socket))}
    assert [int(row[0]) for row in table(CLOSING, "code")] == sorted(codes | BY_ITSELF)
    listed = re.findall(r"\d+", " ".join(names(table(CLOSING, "status"))))
    assert len(listed) == len(set(listed)) > 3


def test_every_path_is_explained(tmp_path: Path) -> None:
    server = GameServer(SqliteStore(tmp_path / "games.sqlite"))
    paths = {route.path.replace("{address}", "ADDRESS") for route in routes(server, None)}
    assert {*names(table(BESIDE, "path"))} == paths - {"/{path:path}"}


# -- the session -----------------------------------------------------------------------------------


def test_the_session_is_made_of_messages_that_both_sides_understand() -> None:
    assert len(session()) > 20
    for direction, text in session():
        if direction == ">":
            request = read_request(text)
            assert read_request(write_request(request)) == request
        else:
            reply = read_reply(text)
            assert reply is not None
            assert json.loads(write_reply(reply)) == json.loads(text)


def test_every_request_of_the_session_is_answered_or_resumed() -> None:
    asked = [json.loads(text)["id"] for direction, text in session() if direction == ">"]
    told: list[Reply | None] = [read_reply(text) for way, text in session() if way == "<"]
    answered = [reply.id for reply in told if isinstance(reply, Answer | Welcome)]
    resumed = [fate.id for reply in told if isinstance(reply, Welcome) for fate in reply.fates]

    assert sorted(answered + resumed) == sorted(asked)


def test_the_events_of_the_session_make_a_game() -> None:
    events: dict[int, Event] = {}
    for direction, text in session():
        reply = read_reply(text) if direction == "<" else None
        if isinstance(reply, Happened):
            events[reply.event.version] = reply.event
        elif isinstance(reply, Answer | Welcome):
            events |= {event.version: event for event in reply.events}
    game = replay(events[version] for version in sorted(events))

    assert game is not None
    assert game.moves == (4, 0)
    last = read_reply(session()[-1][1])
    assert isinstance(last, Happened)
    assert last.end == game.end == End("X", RESIGNED)


# -- what is sent ----------------------------------------------------------------------------------


def closed(schema: Any) -> Any:
    """Return a schema that takes no fields that it does not name, as what servers say is meant."""
    if isinstance(schema, list):
        return [closed(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(entry) for name, entry in schema.items()}
    is_object = isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema
    return {**inner, "additionalProperties": False} if is_object else inner


COMPONENTS = {"components": {"schemas": closed(DOCUMENT["components"]["schemas"])}}


def validator(name: str, what: str) -> Draft7Validator:
    """Return what checks the messages of a type."""
    reference = DOCUMENT["components"]["messages"][f"{name.capitalize()}{what}"]["payload"]
    return Draft7Validator({**COMPONENTS, **reference})


OF_REQUESTS = {name: validator(name, "Request") for name in requests.TYPES}
OF_REPLIES = {name: validator(name, "Reply") for name in replies.TYPES}


def allows(validators: dict[str, Draft7Validator], value: Any) -> bool:
    """Return whether the document allows a message."""
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind in validators and validators[kind].is_valid(value)


# -- recorded traffic ------------------------------------------------------------------------------


class Traffic(NamedTuple):
    """The texts that were sent, in both directions."""

    asked: list[str]
    told: list[str]


@pytest.fixture
def traffic(monkeypatch: pytest.MonkeyPatch) -> Traffic:
    """Records what clients and servers in this process say to each other."""
    recorded = Traffic([], [])
    take, say = Connection.receive, FakeSocket.send_frame

    def text(self: Connection, text: str) -> None:
        recorded.asked.append(text)
        take(self, text)

    def told(self: FakeSocket, frame: bytes) -> None:
        before = len(self.texts)
        say(self, frame)
        recorded.told.extend(self.texts[before:])

    monkeypatch.setattr(Connection, "receive", text)
    monkeypatch.setattr(FakeSocket, "send_frame", told)
    return recorded


async def say_everything(server: GameServer) -> None:
    """Ask for everything that can be asked for, and some things twice, too late or in vain."""
    for ending in ENDINGS.values():
        ann, game = await ending.play(server)
        await rest(server)
        assert ann.heard(ending.kind)
        await Guest(server).hello(game)
    eve = Guest(server)
    await eve.hello()
    await eve.ask(Lobby(eve.new_id(), True))
    await eve.create(open=True, clock=SLOW, name="Eve")
    await eve.ask(Pair(eve.new_id(), eve.token, "gomoku", "Eve", SLOW))
    rob = Guest(server)
    await rob.ask(Pair(rob.new_id(), rob.token, "gomoku", "Rob", SLOW))
    await rob.until(lambda: rob.heard("close") or eve.heard("close") or eve.heard("join"))
    await _talk(server)
    await _report(server)
    await _offer(server)
    await _ask_in_vain(server)


async def _talk(server: GameServer) -> None:
    ann, _, game = await seated(server)
    watcher = Guest(server)
    await watcher.hello(game)
    await watcher.ask(Talk(watcher.new_id(), "who wins?", "Eve"))
    await ann.say("hello, 你好 ☺")
    await ann.say("well\u00a0played")
    await Guest(server).hello(game)


async def _report(server: GameServer) -> None:
    ann, bob, game = await seated(server, clock=SLOW)
    await bob.say("something rude")
    await ann.ask(Report(ann.new_id(), "chat", line=bob.version, text="look at that"))
    await ann.ask(Block(ann.new_id()))
    mine = await ann.ask(Mine(ann.new_id(), ann.token))
    assert [known.game for known in mine.games] == [game]
    server.announce("There will be a restart at noon")
    await ann.offer(DRAW)
    await ann.ask(Decline(ann.new_id(), ann.version, DRAW))


async def _offer(server: GameServer) -> None:
    ann, bob, _ = await begun(server)
    await ann.offer(TAKE_BACK)
    await bob.accept(TAKE_BACK)
    await ann.offer(DRAW)
    await bob.ask(Decline(bob.new_id(), bob.version, DRAW))
    ann, bob, _ = await begun(server)
    await ann.say()
    follower = await agree_on_rematch(ann, bob)
    await bob.offer(KEEP_CHAT)
    await bob.hello(follower, bob.token)
    ann, bob, game = await begun(server, opponent="person", clock=SLOW)
    move = Move(ann.new_id(), ann.version, 8)
    assert (await ann.ask(move)).status == "ok"
    assert (await ann.ask(move)).status == "duplicate"
    back = Guest(server)
    hello = back.greeting(game, ann.token, last_seen_version=2, pending=(move.id, "unknown-1"))
    await back.answer(back.send(hello))
    bob.leave()
    await back.until(lambda: back.last(replies.Presence))


async def _ask_in_vain(server: GameServer) -> None:
    ann, bob, _ = await begun(server)
    assert (await bob.move(1)).reason == "not_your_turn"
    assert (await ann.move(1, version=1)).status == "stale"
    assert (await ann.move(4)).reason == "move"
    assert (await ann.ask(Create("c", ann.token, "gomoku", opponent="nobody"))).status == "illegal"
    ann.send(Hello("old", PROTOCOL + 1))
    ann.connection.receive("nonsense")
    ann.connection.receive('{"type":"fly","id":"f"}')
    await ann.ask(Events(ann.new_id(), 0))
    many = [Events(ann.new_id(), 0) for _ in range(100)]
    for request in many:
        ann.send(request)
    await ann.answer(many[-1].id)


def kinds_of(texts: Iterable[str]) -> set[str]:
    """Return the types of messages."""
    found = set()
    for text in texts:
        try:
            found.add(json.loads(text)["type"])
        except (ValueError, KeyError):
            continue
    return found


@pytest.mark.medium
async def test_everything_that_was_said_is_as_the_document_describes_it(
    tmp_path: Path, traffic: Traffic
) -> None:
    async with opened(tmp_path / "games.sqlite") as server:
        await say_everything(server)
    async with opened(
        tmp_path / "more.sqlite", limits=limited(GENEROUS, games=(1, 0.01))
    ) as server:
        ann = Guest(server)
        await ann.create()
        busy = await ann.ask(Create(ann.new_id(), ann.token, "gomoku"))
        assert (busy.status, busy.reason) == ("busy", "too_fast")

    asked = [text for text in traffic.asked if is_understood(text)]
    assert len(asked) == len(traffic.asked) - 2
    for text in asked:
        OF_REQUESTS[json.loads(text)["type"]].validate(json.loads(text))
    for text in traffic.told:
        OF_REPLIES[json.loads(text)["type"]].validate(json.loads(text))

    # A type that is missing here is to be asked for, or provoked, in `say_everything`.
    assert kinds_of(asked) == {*requests.TYPES}
    assert kinds_of(traffic.told) == {*replies.TYPES}
    told = [json.loads(text) for text in traffic.told]
    assert {event["kind"] for event in told if event["type"] == "event"} == {*KINDS} - {"create"}
    assert {answer["status"] for answer in told if answer["type"] == "answer"} == {
        *replies.STATUSES
    }


def is_understood(text: str) -> bool:
    """Return whether the server can read a request."""
    try:
        read_request(text)
    except InvalidRequest:
        return False
    return True


# -- mutated messages ------------------------------------------------------------------------------


def test_what_the_server_reads_is_allowed_and_what_it_refuses_mostly_is_not() -> None:
    rng = random.Random(5)
    read = refused = missed = 0
    for _ in range(4_000):
        text = mutate(rng, REQUESTS)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if is_understood(text):
            read += 1
            assert allows(OF_REQUESTS, value), text
        else:
            refused += 1
            missed += allows(OF_REQUESTS, value)
    assert read > 50
    assert refused > 500
    # Names given twice, halves of characters, and names of games are beyond a schema.
    assert missed < refused / 10, (missed, refused)


@pytest.mark.parametrize("name", requests.TYPES)
def test_a_request_without_a_field_or_with_another_is_not_allowed(name: str) -> None:
    value = next(value for text in REQUESTS if (value := json.loads(text))["type"] == name)
    assert allows(OF_REQUESTS, value)
    assert not allows(OF_REQUESTS, {**value, "colour": 1})
    schema = DOCUMENT["components"]["schemas"][f"{name.capitalize()}Request"]
    for field in schema["required"]:
        assert not allows(OF_REQUESTS, {key: value[key] for key in value if key != field})
        assert not allows(OF_REQUESTS, {**value, field: None})


def test_replies_of_the_page_are_allowed_and_spoilt_ones_are_not() -> None:
    for text in WRITTEN_REPLIES:
        value = json.loads(text)
        assert allows(OF_REPLIES, value), text
        assert not allows(OF_REPLIES, {**value, "colour": 1})
        for field in ("game", "seat", "end", "clock", "status", "lines", "games"):
            if field in value:
                assert not allows(OF_REPLIES, {**value, field: {"reason": "applause"}}), field


# -- the document ----------------------------------------------------------------------------------


def test_the_file_is_up_to_date() -> None:
    kept = FILE.read_text(encoding="utf-8")
    assert kept == protocol.text(), "python -m tools.protocol --write writes it anew"


def test_the_document_is_one_of_asyncapi_3() -> None:
    """The file in tests/data is what AsyncAPI 3.0 says that a document must be."""
    Draft7Validator(json.loads(gzip.decompress(META_SCHEMA.read_bytes()))).validate(DOCUMENT)


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
    told = [name for name in replies.TYPES if name not in protocol.ANSWERS]
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


@dataclass(frozen=True)
class Paint:
    """Paints the board."""

    colour: Annotated[str, "of the paint"]
    wet: bool = False


def test_a_field_without_a_sentence_and_a_type_without_a_place_on_the_page_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(protocol, "PARTS", {**protocol.PARTS, "paint": Paint})
    with pytest.raises(LookupError, match="the field wet of Paint has no sentence"):
        protocol.page()
    monkeypatch.setitem(Paint.__annotations__, "wet", 'Annotated[bool, "whether it is wet"]')
    with pytest.raises(LookupError, match="lacks the marks of a table, or has others: paint"):
        protocol.page()
