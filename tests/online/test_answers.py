"""Every request gets exactly one answer, whatever the situation."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from tests.online.broken import sabotage
from tests.online.world import Guest, any_token, opened, rest, seated
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK
from tic_tac_toe.protocols.online.replies import Answer
from tic_tac_toe.protocols.online.requests import (
    Accept,
    Block,
    Chat,
    Create,
    Decline,
    Events,
    Hello,
    Join,
    Leave,
    Lobby,
    Mine,
    Move,
    Offer,
    Report,
    Request,
    Resign,
)
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.store import StorageError

pytestmark = pytest.mark.anyio

NOWHERE = "AAAAAAAAAAAAAAAAAAAAAA"
Situation = Callable[[GameServer], Awaitable[Guest]]


def requests_of(guest: Guest) -> list[Request]:
    """Return requests of every type, sensible ones and others."""
    i, token = guest.new_id, guest.token
    here = guest.connection.place.address if guest.connection.place else NOWHERE
    requests: list[Request] = [
        Chat(i(), "hello"),
        Events(i(), 0),
        Events(i(), 99),
        Lobby(i(), True),
        Lobby(i(), False),
        Move(i(), guest.version, 0),
        Move(i(), guest.version, 0),
        Move(i(), 0, 8),
        Move(i(), 999, 8),
        Move(i(), guest.version, 999),
    ]
    for what in (TAKE_BACK, DRAW, REMATCH):
        requests += [Offer(i(), guest.version, what), Accept(i(), guest.version, what)]
        requests += [Decline(i(), guest.version, what), Offer(i(), 0, what)]
    requests += [
        Join(i(), here, any_token()),
        Join(i(), here, token),
        Join(i(), NOWHERE, token),
        Create(i(), token, "tic-tac-toe"),
        Mine(i(), token),
        Report(i(), "name", seat="X"),
        Report(i(), "chat", 99),
        Block(i()),
        Block(i(), False),
        Leave(i()),
        Resign(i()),
        Hello(i(), 1, here, token),
        Hello(i(), 1, here, any_token()),
        Hello(i(), 1, here),
        Hello(i(), 1, NOWHERE),
        Hello(i(), 99),
        Hello(i(), 1),
    ]
    return requests


async def nowhere(server: GameServer) -> Guest:
    return Guest(server)


async def waiting(server: GameServer) -> Guest:
    guest = Guest(server)
    await guest.create()
    return guest


async def playing(server: GameServer) -> Guest:
    return (await seated(server))[0]


async def watching(server: GameServer) -> Guest:
    _, _, game = await seated(server)
    guest = Guest(server)
    await guest.hello(game)
    return guest


async def over(server: GameServer) -> Guest:
    ann, bob, _ = await seated(server)
    await bob.resign()
    return ann


async def on_time(server: GameServer) -> Guest:
    ann, _, _ = await seated(server, clock=(5, 0))
    return ann


async def against_a_computer(server: GameServer) -> Guest:
    guest = Guest(server)
    await guest.create(opponent="rules")
    return guest


async def stopping(server: GameServer) -> Guest:
    guest = await playing(server)
    server.is_stopping = True
    return guest


async def without_storage(server: GameServer) -> Guest:
    guest = await playing(server)

    def fail(transactions: Sequence[Transaction]) -> list[bool]:
        raise StorageError("the disk is gone")

    server.writer.reopen_after = 3600
    server.store.commit = fail  # type: ignore[method-assign]
    return guest


SITUATIONS = (
    *(nowhere, waiting, playing, watching, over, on_time, against_a_computer),
    *(stopping, without_storage),
)


async def find_unanswered(
    server: GameServer, guest: Guest, requests: Sequence[Request]
) -> list[str]:
    """Return which requests have not got exactly one answer, in a sentence each."""
    sent = Counter(guest.send(request) for request in requests)
    await rest(server)
    faults = []
    for request in requests:
        count = len(guest.answers(request.id))
        if count != sent[request.id]:
            faults.append(f"{request}: sent {sent[request.id]} times, {count} answers")
    if server.metrics.unanswered:
        faults.append(f"{server.metrics.unanswered} messages unanswered at rest")
    return faults


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("is_shuffled", [False, True])
async def test_every_request_gets_one_answer_each_time_that_it_is_sent(
    situation: Situation, is_shuffled: bool, server: GameServer
) -> None:
    guest = await situation(server)
    requests = requests_of(guest)
    if is_shuffled:
        requests *= 2
        random.Random(5).shuffle(requests)
    assert await find_unanswered(server, guest, requests) == []


async def test_texts_that_are_no_requests_are_answered_with_the_id_that_they_have(
    server: GameServer,
) -> None:
    texts = [
        ("", "{"),
        ("", "[]"),
        ("", '{"type":"move"}'),
        ("a", '{"type":"move","id":"a"}'),
        ("b", '{"type":"fly","id":"b"}'),
        ("", '{"type":"leave","id":"two words"}'),
        ("", '{"type":"leave","id":7}'),
        ("c", '{"type":"leave","id":"c","seat":"X"}'),
        ("d", '{"type":"move","id":"d","version":1,"cell":-1}'),
        ("e", '{"type":"move","id":"e","version":1,"cell":1.5}'),
        ("", '{"type":"chat","id":"f","text":"' + "x" * 5000 + '"}'),
    ]
    guest = await playing(server)
    before = len(guest.socket.replies)
    for _, text in texts:
        guest.connection.text(text)
    answers = guest.socket.replies[before:]
    assert [
        (answer.id, answer.status, answer.reason)
        for answer in answers
        if isinstance(answer, Answer)
    ] == [(message_id, "illegal", "invalid") for message_id, _ in texts]
    assert server.metrics.unanswered == 0


async def test_a_game_that_is_asked_more_than_it_can_keep_says_so(server: GameServer) -> None:
    guest = await playing(server)
    requests = [Chat(guest.new_id(), "more") for _ in range(300)]
    assert await find_unanswered(server, guest, requests) == []
    statuses = Counter(guest.answers(request.id)[0].status for request in requests)
    assert statuses["ok"] > 0 < statuses["busy"]


async def test_a_player_who_goes_while_a_move_is_written_leaves_nothing_unanswered(
    server: GameServer,
) -> None:
    ann, bob, game = await seated(server)
    ann.send(Move("last-word", ann.version, 4))
    ann.leave()
    await rest(server)
    assert server.metrics.unanswered == 0
    await bob.until(lambda: bob.heard("move"))
    assert server.sessions[game].followers.here() == ("O", 0)
    again = Guest(server)
    welcome = await again.hello(game, ann.token, pending=("last-word", "never-sent"))
    assert [(fate.id, fate.status, fate.version) for fate in welcome.fates] == [
        ("last-word", "ok", 3),
        ("never-sent", "unknown", 0),
    ]


@pytest.mark.parametrize("kind", ["create", "join"])
async def test_a_client_gone_before_it_is_seated_is_not_thought_to_be_there(
    kind: str, server: GameServer
) -> None:
    ann, guest = Guest(server), Guest(server)
    game = await ann.create()
    join, create = Join("j", game, guest.token), Create("c", guest.token, "tic-tac-toe")
    guest.send(join if kind == "join" else create)
    guest.leave()
    await rest(server)
    assert not any(
        room.followers.here()[0][1:] or room.followers.here()[1]
        for room in server.sessions.values()
    )
    assert server.metrics.unanswered == 0


@pytest.mark.parametrize("with_restart", [False, True])
async def test_a_player_who_joins_again_after_a_lost_answer_sits_there(
    with_restart: bool, world: World, tmp_path: Path
) -> None:
    async def check_joined(server: GameServer, join: Join) -> None:
        guest = Guest(server)
        answer = await guest.ask(join)
        assert (answer.status, answer.seat, answer.version) == ("duplicate", "O", 2)
        assert guest.connection.seat == "O"
        said = await guest.say("here I am")
        assert said.status == "ok"
        await guest.until(lambda: guest.heard("chat"))

    path = tmp_path / "games.sqlite"
    server = await world.open()
    ann, bob, game = await seated(server)
    await ann.move(4)
    bob.send(Join("again", game, bob.token))
    join = Join("j", game, any_token())
    assert (await Guest(server).ask(join)).reason == "seat_taken"
    server = await world.open()
    carl, dora = Guest(server), Guest(server)
    game = await carl.create()
    join = Join("j", game, dora.token, "Dora")
    dora.send(join)
    dora.leave()
    await rest(server)
    if not with_restart:
        await check_joined(server, join)
    if with_restart:
        server = await world.open()
        await check_joined(server, join)


async def test_an_id_of_the_other_seat_is_another_id(server: GameServer) -> None:
    ann, bob, game = await seated(server)
    assert (await ann.ask(Move("same", ann.version, 4))).status == "ok"
    answer = await bob.ask(Move("same", bob.version, 0))
    assert (answer.status, answer.version) == ("ok", 4)
    watcher = Guest(server)
    welcome = await watcher.hello(game, pending=("same", ann.socket.replies[0].id))  # type: ignore[union-attr]
    assert {fate.status for fate in welcome.fates} == {"unknown"}


async def test_one_faulty_callback_takes_no_answer_from_others(server: GameServer) -> None:
    """Requests of many games are committed together; each is answered by itself."""

    pairs = [await seated(server) for _ in range(3)]
    room = server.sessions[pairs[0][2]]

    def fail(*_: object) -> None:
        raise RuntimeError("a fault in one game")

    room.tell = fail  # type: ignore[assignment,method-assign]
    for ann, _, _ in pairs:
        ann.send(Move("m", 2, 4))
    await rest(server)
    for ann, _, _ in pairs[1:]:
        assert [answer.status for answer in ann.answers("m")] == ["ok"]


async def test_ids_and_texts_are_answered_as_json_of_one_line(server: GameServer) -> None:
    guest = await playing(server)
    await guest.say("a “line” of <b>text</b>")
    await guest.until(lambda: guest.heard("chat"))
    for text in guest.socket.texts:
        assert text.isascii()
        assert "\n" not in text
        assert isinstance(json.loads(text), dict)
