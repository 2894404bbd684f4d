"""Nobody sits in another's seat, and nobody learns what it is claimed with."""

from __future__ import annotations

import io
import logging
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.online.world import ask_async
from tests.online.world import Guest, agree_on_rematch, any_token, opened, rest, seated, until
from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.events import details_of
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import Answer, Presence, Welcome
from tic_tac_toe.protocols.online.requests import (
    Accept,
    Chat,
    Create,
    Hello,
    Join,
    Leave,
    Move,
    Offer,
    Request,
    Resign,
    read_request,
    write_request,
)
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.logs import configure
from tic_tac_toe_frontends.server.pending import PendingRequest
from tic_tac_toe_frontends.server.session import GameSession
from tic_tac_toe_frontends.server.web.app import App

pytestmark = pytest.mark.anyio

NOWHERE = "AAAAAAAAAAAAAAAAAAAAAA"


async def test_a_wrong_token_is_as_good_as_an_unknown_game_and_watchers_cannot_act(
    server: GameServer,
) -> None:
    ann, bob, game = await seated(server)
    stranger = Guest(server)
    forged = await stranger.ask(stranger.greeting(game, stranger.token))
    missing = await stranger.ask(stranger.greeting(NOWHERE, stranger.token))
    assert forged == replace(missing, id=forged.id)
    assert stranger.connection.place is None
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


async def test_of_many_players_who_join_at_once_one_is_seated(server: GameServer) -> None:
    for _ in range(20):
        ann = Guest(server)
        game = await ann.create()
        racers = [Guest(server) for _ in range(5)]
        for racer in racers:
            racer.send(Join("j", game, racer.token))
        answers = []
        for racer in racers:
            await until(partial(racer.answers, "j"), "an answer to each")
            answers += racer.answers("j")
        assert [answer.seat for answer in answers if answer.seat] == ["O"]
        assert Counter(answer.reason for answer in answers) == {"": 1, "seat_taken": 4}
        events = server.store.events(game)
        assert [event.kind for event in events] == ["create", "join"]
        (winner,) = (racer for racer in racers if racer.connection.seat)
        assert details_of(events[1])["key"] == hash_of_token(winner.token)


class Hasty(GameSession):
    """Deals with requests while others are being written."""

    def proceed(self) -> None:
        self.copy.is_busy = False
        super().proceed()

    def write(self, event: Any, pending: PendingRequest | None) -> None:
        super().write(event, None)
        if pending is not None:
            pending.answer(self.loaded.done(pending.request, "ok", event.version))


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
    assert guest.connection.place is server.sessions[quick]
    assert not server.sessions[slow].followers


async def test_tokens_are_nowhere_to_be_read(world: World, tmp_path: Path) -> None:
    """Neither in what is sent, written, logged or shown; the database has their hashes."""
    stream = io.StringIO()
    configure(stream, as_json=True, level=logging.DEBUG)
    try:
        server = await world.open()
        ann, bob, game = await seated(server, open=True, name="Ann")
        watcher = Guest(server)
        await watcher.hello(game)
        await watcher.ask(watcher.greeting(game, any_token()))
        await ann.say()
        await agree_on_rematch(ann, bob)
        server.sessions[game].copy.learn([replace(server.store.events(game)[0], time=0)])
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
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        for token, digest in zip(secrets, hashes, strict=True):
            assert not [text for text in everything if token in text]
            assert token.encode() not in kept
            assert digest.encode() in kept
    finally:
        configure(io.StringIO(), as_json=True)
