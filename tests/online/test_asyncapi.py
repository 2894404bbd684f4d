"""What is said between clients and the server is what docs/protocol.asyncapi.json describes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft7Validator

from tests.online.endings import ENDINGS, SLOW
from tests.online.guests import (
    GENEROUS,
    FakeSocket,
    Guest,
    agree_on_rematch,
    begun,
    opened,
    rest,
    seated,
)
from tests.online.mutations import REPLIES as WRITTEN_REPLIES
from tests.online.mutations import REQUESTS, mutate
from tic_tac_toe.protocols.online import replies, requests
from tic_tac_toe.protocols.online.events import DRAW, KEEP_CHAT, KINDS, TAKE_BACK
from tic_tac_toe.protocols.online.limits import PROTOCOL
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
)
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.game_server import GameServer
from tools.asyncapi import FILE

pytestmark = pytest.mark.anyio

DOCUMENT: Any = json.loads(FILE.read_text(encoding="utf-8"))


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
    take, say = Connection.text, FakeSocket.say

    def text(self: Connection, text: str) -> None:
        recorded.asked.append(text)
        take(self, text)

    def told(self: FakeSocket, frame: bytes) -> None:
        before = len(self.texts)
        say(self, frame)
        recorded.told.extend(self.texts[before:])

    monkeypatch.setattr(Connection, "text", text)
    monkeypatch.setattr(FakeSocket, "say", told)
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
    ann.connection.text("nonsense")
    ann.connection.text('{"type":"fly","id":"f"}')
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


async def test_everything_that_was_said_is_as_the_document_describes_it(
    tmp_path: Path, traffic: Traffic
) -> None:
    async with opened(tmp_path / "games.sqlite") as server:
        await say_everything(server)
    async with opened(tmp_path / "more.sqlite", allowance=replace(GENEROUS, games=1)) as server:
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
    for _ in range(8_000):
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
    assert read > 100
    assert refused > 1_000
    # Names given twice, halves of characters, and names of games are beyond a schema.
    assert missed < refused / 10, (missed, refused)


@pytest.mark.parametrize("name", requests.TYPES)
def test_a_request_without_a_field_or_with_another_is_not_allowed(name: str) -> None:
    value = next(value for text in REQUESTS if (value := json.loads(text))["type"] == name)
    assert allows(OF_REQUESTS, value)
    assert not allows(OF_REQUESTS, {**value, "colour": 1})
    for field in OF_REQUESTS[name].schema["components"]["schemas"][f"{name.capitalize()}Request"][
        "required"
    ]:
        assert not allows(OF_REQUESTS, {key: value[key] for key in value if key != field})
        assert not allows(OF_REQUESTS, {**value, field: None})


def test_replies_of_the_page_are_allowed_and_spoilt_ones_are_not() -> None:
    for text in WRITTEN_REPLIES:
        value = json.loads(text)
        if value["type"] == "event" and "seat" not in value:
            continue  # shortened: no server sends it so
        assert allows(OF_REPLIES, value), text
        assert not allows(OF_REPLIES, {**value, "colour": 1})
        for field in ("game", "seat", "end", "clock", "status", "lines", "games"):
            if field in value:
                assert not allows(OF_REPLIES, {**value, field: {"reason": "applause"}}), field
