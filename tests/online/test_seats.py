"""Every request gets one answer, no seat is another's, and watchers talk among themselves."""

from __future__ import annotations

import io
import json
import logging
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.online.world import (
    Guest,
    World,
    agree_on_rematch,
    any_token,
    ask_async,
    begun,
    rest,
    seated,
    watching,
)
from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK, details_of
from tic_tac_toe.protocols.online.messages import TALK_LINES
from tic_tac_toe.protocols.online.replies import Answer, Presence, TalkLine, WatchersTalk, Welcome
from tic_tac_toe.protocols.online.requests import (
    PERSON,
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
    Pair,
    Report,
    Request,
    Resign,
    Talk,
    read_request,
    write_request,
)
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.logs import configure
from tic_tac_toe_frontends.server.nodes import TALK, NodeMessage
from tic_tac_toe_frontends.server.pending import PendingRequest
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.store import StorageError
from tic_tac_toe_frontends.server.web.app import App
from tic_tac_toe_frontends.server.wire.web_socket import RESTART

pytestmark = pytest.mark.anyio

NOWHERE = "AAAAAAAAAAAAAAAAAAAAAA"
#: What a guest may be in the midst of.
SITUATIONS = (
    *("nowhere", "waiting", "playing", "watching", "over", "on time", "against a computer"),
    *("stopping", "without storage"),
)


def requests_of(guest: Guest) -> list[Request]:
    """Return requests of every type, sensible ones and others."""
    i, token = guest.new_id, guest.token
    here = guest.connection.session.address if guest.connection.session else NOWHERE
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


async def guest_in(situation: str, server: GameServer) -> Guest:
    """Return somebody in a situation."""
    if situation == "nowhere":
        return Guest(server)
    if situation in ("waiting", "against a computer"):
        guest = Guest(server)
        await guest.create(opponent="rules" if situation == "against a computer" else PERSON)
        return guest
    ann, bob, game = await seated(server, clock=(5, 0) if situation == "on time" else None)
    if situation == "watching":
        return await watching(server, game)
    if situation == "over":
        await bob.resign()
    elif situation == "stopping":
        server.is_stopping = True
    elif situation == "without storage":

        def fail(transactions: Sequence[Transaction]) -> list[bool]:
            raise StorageError("the disk is gone")

        server.writer.reopen_after = 3600
        server.store.commit = fail  # type: ignore[method-assign]
    return ann


async def check_answered(server: GameServer, guest: Guest, requests: Sequence[Request]) -> None:
    """Send requests, and check that each gets exactly one answer each time that it is sent."""
    sent = Counter(guest.send(request) for request in requests)
    await rest(server)
    assert {request: len(guest.answers(request.id)) for request in requests} == {
        request: sent[request.id] for request in requests
    }
    assert server.metrics.unanswered == 0


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("is_shuffled", [False, True])
async def test_every_request_gets_one_answer_each_time_that_it_is_sent(
    situation: str, is_shuffled: bool, server: GameServer
) -> None:
    guest = await guest_in(situation, server)
    requests = requests_of(guest)
    if is_shuffled:
        requests *= 2
        random.Random(5).shuffle(requests)
    await check_answered(server, guest, requests)


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
    guest = await guest_in("playing", server)
    before = len(guest.socket.replies)
    for _, text in texts:
        guest.connection.receive(text)
    answers = guest.socket.replies[before:]
    assert [
        (answer.id, answer.status, answer.reason)
        for answer in answers
        if isinstance(answer, Answer)
    ] == [(message_id, "illegal", "invalid") for message_id, _ in texts]
    assert server.metrics.unanswered == 0


async def test_a_game_that_is_asked_more_than_it_can_keep_says_so(server: GameServer) -> None:
    guest = await guest_in("playing", server)
    requests = [Chat(guest.new_id(), "more") for _ in range(300)]
    await check_answered(server, guest, requests)
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
    with_restart: bool, world: World
) -> None:
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
    if with_restart:
        server = await world.open()
    guest = Guest(server)
    answer = await guest.ask(join)
    assert (answer.status, answer.seat, answer.version) == ("duplicate", "O", 2)
    assert guest.connection.seat == "O"
    assert (await guest.say("here I am")).status == "ok"
    await guest.until(lambda: guest.heard("chat"))


async def ask_again(guest: Guest, request: Request) -> Any:
    """Send a request whose id has been answered before, and return the new answer."""
    before = len(guest.answers(request.id))
    guest.send(request)
    await guest.until(lambda: len(guest.answers(request.id)) > before)
    return guest.answers(request.id)[-1]


async def test_an_id_that_is_used_for_something_else_is_refused(server: GameServer) -> None:
    ann, bob, _ = await seated(server)
    assert (await ann.ask(Move("a", ann.version, 4))).status == "ok"
    assert (await ann.ask(Chat("b", "hello"))).status == "ok"
    assert (await ann.ask(Offer("c", ann.version, "draw"))).status == "ok"
    for same in (Move("a", 1, 4), Chat("b", "hello"), Offer("c", 1, "draw")):
        assert (await ask_again(ann, same)).status == "duplicate"
    for other in (
        *(Move("a", ann.version, 8), Chat("a", "4"), Resign("a"), Chat("b", "bye")),
        *(Offer("c", ann.version, "takeback"), Decline("c", ann.version, "draw")),
    ):
        assert (await ask_again(ann, other)).reason == "id_used"
    assert (await bob.ask(Accept("c", bob.version, "draw"))).status == "ok"


async def test_an_id_of_a_created_game_begins_no_other(server: GameServer) -> None:
    ann = Guest(server)
    create = Create("c", ann.token, "gomoku", opponent="easy")
    assert (await ann.ask(create)).status == "ok"
    assert (await ask_again(ann, create)).status == "duplicate"
    for other in (
        *(replace(create, variant="wild"), replace(create, opponent="person")),
        *(replace(create, clock=Clock(60, 0)), Pair("c", ann.token, "gomoku")),
    ):
        assert (await ask_again(ann, other)).reason == "id_used"


async def test_an_id_of_the_other_seat_is_another_id(server: GameServer) -> None:
    ann, bob, game = await seated(server)
    assert (await ann.ask(Move("same", ann.version, 4))).status == "ok"
    answer = await bob.ask(Move("same", bob.version, 0))
    assert (answer.status, answer.version) == ("ok", 4)
    watcher = Guest(server)
    welcome = await watcher.hello(game, pending=("same", ann.socket.replies[0].id))  # type: ignore[union-attr]
    assert {fate.status for fate in welcome.fates} == {"unknown"}


async def test_a_game_with_a_fault_starts_over_and_takes_no_answer_from_others(
    server: GameServer,
) -> None:
    """Requests of many games are committed together; each is answered by itself."""

    pairs = [await seated(server) for _ in range(3)]
    room = server.sessions[pairs[0][2]]

    def fail(*_: object) -> None:
        raise RuntimeError("a fault in one game")

    room.send_event = fail  # type: ignore[assignment,method-assign]
    for ann, _, _ in pairs:
        ann.send(Move("m", 2, 4))
    await rest(server)
    for ann, _, _ in pairs[1:]:
        assert [answer.status for answer in ann.answers("m")] == ["ok"]
    ann, bob, game = pairs[0]
    assert ann.socket.closed == bob.socket.closed == (RESTART, "the game failed")
    for guest in (ann, bob):
        guest.leave()
    server.sessions.drop(room)
    assert (await Guest(server).hello(game, bob.token)).head == 3


async def test_ids_and_texts_are_answered_as_json_of_one_line(server: GameServer) -> None:
    guest = await guest_in("playing", server)
    await guest.say("a “line” of <b>text</b>")
    await guest.until(lambda: guest.heard("chat"))
    for text in guest.socket.texts:
        assert text.isascii()
        assert "\n" not in text
        assert isinstance(json.loads(text), dict)


# -- seats -------------------------------------------------------------------------------------


async def test_a_wrong_token_is_as_good_as_an_unknown_game_and_watchers_cannot_act(
    server: GameServer,
) -> None:
    ann, bob, game = await seated(server)
    stranger = Guest(server)
    forged = await stranger.ask(stranger.greeting(game, stranger.token))
    missing = await stranger.ask(stranger.greeting(NOWHERE, stranger.token))
    assert forged == replace(missing, id=forged.id)
    assert stranger.connection.session is None
    welcome = await stranger.hello(game)
    assert welcome.seat == ""
    tries: list[Request] = [
        Move("m", 2, 4),
        Resign("r"),
        Chat("c", "psst"),
        Offer("o", 2, "draw"),
        Accept("a", 2, "draw"),
        Leave("l"),
    ]
    for request in tries:
        answer = await stranger.ask(request)
        assert (answer.status, answer.reason) == ("illegal", "not_seated")
    assert len(server.store.events(game)) == 2
    assert (await bob.ask(Move("m", 2, 4))).reason == "not_your_turn"
    assert (await ann.ask(Move("m", 2, 4))).status == "ok"


@pytest.mark.medium
async def test_of_many_players_who_join_at_once_one_is_seated(server: GameServer) -> None:
    for _ in range(20):
        ann = Guest(server)
        game = await ann.create()
        racers = [Guest(server) for _ in range(5)]
        for racer in racers:
            racer.send(Join("j", game, racer.token))
        answers = [await racer.answer("j") for racer in racers]
        assert [answer.seat for answer in answers if answer.seat] == ["O"]
        assert Counter(answer.reason for answer in answers) == {"": 1, "seat_taken": 4}
        events = server.store.events(game)
        assert [event.kind for event in events] == ["create", "join"]
        (winner,) = (racer for racer in racers if racer.connection.seat)
        assert details_of(events[1])["key"] == hash_of_token(winner.token)


async def test_a_token_holds_one_seat(server: GameServer) -> None:
    ann = Guest(server)
    game = await ann.create()
    answer = await ann.join(game)
    assert (answer.status, answer.reason) == ("illegal", "same_player")
    twin = Guest(server)
    twin.token = ann.token
    assert (await twin.join(game)).reason == "same_player"
    assert ann.connection.seat == "X"


async def test_to_create_twice_creates_one_game(server: GameServer) -> None:
    ann, twin = Guest(server), Guest(server)
    request = Create("c", ann.token, "tic-tac-toe", seat="random")
    for guest in (ann, twin, ann, twin):
        guest.send(request)
    await rest(server)
    answers = [*ann.answers("c"), *twin.answers("c")]
    assert len(answers) == 4
    assert len({(answer.game, answer.seat) for answer in answers}) == 1
    assert len(list(server.store.all_games())) == 1
    assert ann.connection.seat == twin.connection.seat != ""


async def test_a_creator_learns_of_the_game_from_the_answer_alone(server: GameServer) -> None:
    ann = Guest(server)
    await ann.create()
    answer, presence = await ann.until(lambda: ann.socket.replies[1:] and ann.socket.replies)
    assert isinstance(answer, Answer)
    assert isinstance(presence, Presence)


async def test_a_seat_can_be_taken_from_two_connections_which_see_the_same(
    server: GameServer,
) -> None:
    ann, bob, game = await seated(server)
    again = Guest(server)
    welcome = await again.hello(game, ann.token)
    assert welcome.seat == "X"
    assert (await again.move(4)).status == "ok"
    for guest in (ann, bob, again):
        await guest.until(partial(guest.heard, "move"))
    assert server.sessions[game].followers.here() == ("XO", 0)


async def test_a_client_that_greets_two_games_at_once_is_at_the_second_whichever_is_answered_first(
    server: GameServer,
) -> None:
    _, _, slow = await seated(server)
    _, _, quick = await seated(server)
    server.sessions.pop(slow)  # so that the log has to be read first
    guest = Guest(server)
    first = guest.send(guest.greeting(slow))
    second = guest.send(guest.greeting(quick))
    for message_id in (second, first):
        assert isinstance(await guest.answer(message_id), Welcome)
    assert guest.connection.session is server.sessions[quick]
    assert not server.sessions[slow].followers


async def test_tokens_are_nowhere_to_be_read(world: World) -> None:
    """Neither in what is sent, written, logged or shown; the database has their hashes."""
    stream = io.StringIO()
    configure(stream, as_json=True, level=logging.DEBUG)
    server = await world.open()
    ann, bob, game = await seated(server, open=True, name="Ann")
    watcher = Guest(server)
    await watcher.hello(game)
    await watcher.ask(watcher.greeting(game, any_token()))
    await ann.say()
    await agree_on_rematch(ann, bob)
    server.sessions[game].apply([replace(server.store.events(game)[0], time=0)])
    await rest(server)
    of_game = [f"/games/{game}{part}" for part in ("", "/record.json", "/record.txt")]
    paths = ["/games", "/metrics", "/ready", *of_game]
    pages = [await ask_async(App(server), path) for path in paths]
    assert {page.status for page in pages} == {200}
    everything = [
        stream.getvalue(),
        repr(server),
        repr(server.sessions),
        repr(list(server.connections)),
        repr(server.store.events(game)),
        repr(server.store.row(game)),
        *(text for guest in (ann, bob, watcher) for text in guest.socket.texts),
        *map(repr, pages),
    ]
    for request in (
        Create("c", ann.token, "tic-tac-toe"),
        Join("j", game, ann.token),
        Hello("h", 1, game, ann.token),
    ):
        everything.append(repr(request))
        everything.append(repr(PendingRequest(request, "", print)))
        assert read_request(write_request(request)) == request
    secrets = [ann.token, bob.token]
    sent = "".join(text for guest in (ann, bob, watcher) for text in guest.socket.texts)
    sent += "".join(page.text for page in pages)
    hashes = [hash_of_token(token) for token in secrets]
    assert not [digest for digest in hashes if digest in sent]
    await world.close()
    kept = b"".join(path.read_bytes() for path in world.path.parent.iterdir())
    for token, digest in zip(secrets, hashes, strict=True):
        assert not [text for text in everything if token in text]
        assert token.encode() not in kept
        assert digest.encode() in kept


# -- what watchers say -------------------------------------------------------------------------


def heard(guest: Guest) -> list[TalkLine]:
    """Return the lines that have come to a guest."""
    told = [reply for reply in guest.socket.replies if isinstance(reply, WatchersTalk)]
    return [line for reply in told for line in reply.lines]


def texts(guest: Guest) -> list[str]:
    return [line.text for line in heard(guest)]


async def test_players_hear_what_watchers_say_once_the_game_is_over(server: GameServer) -> None:
    ann, bob, game = await begun(server)
    one, two = await watching(server, game), await watching(server, game)
    assert (await one.ask(Talk("t", "O wins", "Eve"))).status == "ok"
    assert (await two.ask(Talk("t", "I doubt it"))).status == "ok"
    for guest in (one, two):
        assert [(line.number, line.name) for line in heard(guest)] == [(1, "Eve"), (2, "")]
    again = Guest(server)
    await again.hello(game, ann.token)
    assert texts(ann) == texts(bob) == texts(again) == []

    assert (await bob.resign()).status == "ok"
    await rest(server)
    for guest in (ann, bob, again):
        assert texts(guest) == ["O wins", "I doubt it"]
    assert (await one.ask(Talk("u", "I told you"))).status == "ok"
    assert texts(ann)[-1] == "I told you"
    assert not [event for event in server.store.events(game) if event.kind == "chat"]


async def test_only_watchers_talk_so_and_each_line_is_said_once(server: GameServer) -> None:
    ann, _, game = await begun(server)
    eve = await watching(server, game)
    assert (await ann.ask(Talk("t", "psst"))).reason == "not_watching"
    assert (await eve.ask(Talk("t", "psst"))).status == "ok"
    assert (await eve.ask(Talk("t", "psst"))).status == "duplicate"
    assert texts(eve) == ["psst"]


async def test_the_last_lines_are_kept_and_shown_to_who_comes_later(server: GameServer) -> None:
    _, _, game = await begun(server)
    for number in range(TALK_LINES + 5):
        eve = await watching(server, game, f"192.0.2.{number}")
        assert (await eve.ask(Talk("t", f"line {number}"))).status == "ok"
        eve.leave()
    late = await watching(server, game)
    expected = [f"line {number}" for number in range(5, TALK_LINES + 5)]
    assert await late.until(lambda: texts(late)) == expected


async def test_a_watcher_who_leaves_and_comes_again_may_say_no_more(world: World) -> None:
    server = await world.open(still=True)
    _, _, game = await begun(server)
    said = list[str]()
    for number in range(20):
        eve = await watching(server, game)
        said.append((await eve.ask(Talk("t", f"line {number}"))).status)
        eve.leave()
    assert said == ["ok"] * 10 + ["busy"] * 10
    cid = await watching(server, game, "192.0.2.9")
    assert (await cid.ask(Talk("t", "hello"))).status == "ok"


async def test_nobody_talks_where_there_is_no_game(server: GameServer) -> None:
    assert (await Guest(server).ask(Talk("t", "hello?"))).reason == "no_game"


async def test_lines_of_another_server_are_shown_and_nonsense_is_not(server: GameServer) -> None:
    _, _, game = await begun(server)
    eve = await watching(server, game)
    lines = [{"number": 7, "text": "from afar", "time": 5}]
    told = json.dumps({"type": "talk", "game": game, "lines": lines})
    for text in ("", "null", '{"type": "closing"}', told.replace(game, "A" * 22), told):
        server.receive(NodeMessage(TALK, game, "other", "", 0, text))
    assert heard(eve) == [TalkLine(7, "", "from afar", 5)]
