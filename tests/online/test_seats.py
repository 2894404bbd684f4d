"""Nobody sits in another's seat, and nobody learns what it is claimed with."""

from __future__ import annotations

import io
import logging
import random
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.online.halls import Guest, opened, play, rest, seated
from tic_tac_toe.protocols.online.addresses import hash_of_token, new_token
from tic_tac_toe.protocols.online.events import REMATCH, details_of
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import Answer, Welcome
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
from tic_tac_toe_frontends.server.app import App
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.logs import configure
from tic_tac_toe_frontends.server.pending import PendingRequest
from tic_tac_toe_frontends.server.session import GameSession

FILE = "games.sqlite"
NOWHERE = "AAAAAAAAAAAAAAAAAAAAAA"


async def check_strangers(tmp_path: Path) -> None:
    """Try to get at a seat with another token, and without one."""
    async with opened(tmp_path / FILE) as hall:
        ann, bob, game = await seated(hall)
        stranger = Guest(hall)
        forged = await stranger.hello(game, stranger.token)
        missing = await stranger.hello(NOWHERE, stranger.token)
        assert isinstance(forged, Answer)
        assert isinstance(missing, Answer)
        same = ("status", "reason", "text", "version", "game", "events", "head")
        assert [getattr(forged, name) for name in same] == [getattr(missing, name) for name in same]
        assert stranger.connection.place is None
        welcome = await stranger.hello(game)
        assert isinstance(welcome, Welcome)
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
        assert len(hall.store.events(game)) == 2
        assert (await bob.ask(Move("m", 2, 4))).reason == "not_your_turn"
        assert (await ann.ask(Move("m", 2, 4))).status == "ok"


class Trusting(OnlineGame):
    """Believes that every token claims the first seat."""

    def seat_of(self, key: str) -> str:
        return "X"


def test_a_wrong_token_is_as_good_as_an_unknown_game_and_watchers_cannot_act(
    tmp_path: Path,
) -> None:
    play(check_strangers(tmp_path))


def test_a_server_that_believes_every_token_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OnlineGame, "seat_of", Trusting.seat_of)
    with pytest.raises(AssertionError):
        play(check_strangers(tmp_path))


def test_no_request_can_name_a_seat() -> None:
    for text in (
        '{"type":"move","id":"m","version":2,"cell":4,"seat":"X"}',
        '{"type":"resign","id":"m","seat":"O"}',
        '{"type":"move","id":"m","version":2,"cell":4,"token":"AAAAAAAAAAAAAAAAAAAAAA"}',
    ):
        with pytest.raises(ValueError, match="is no field of it"):
            read_request(text)


async def check_racing_joins(tmp_path: Path) -> None:
    """Let many join at the same moment."""
    async with opened(tmp_path / FILE) as hall:
        for _ in range(20):
            ann = Guest(hall)
            game = await ann.create()
            racers = [Guest(hall) for _ in range(5)]
            for racer in racers:
                racer.send(Join("j", game, racer.token))
            await rest(hall)
            answers = [racer.answers("j")[0] for racer in racers]
            seats = Counter(a.seat for a in answers if isinstance(a, Answer) and a.seat)
            assert seats == {"O": 1}
            assert Counter(a.reason for a in answers if isinstance(a, Answer)) == {
                "": 1,
                "seat_taken": 4,
            }
            events = hall.store.events(game)
            assert [event.kind for event in events] == ["create", "join"]
            (winner,) = (racer for racer in racers if racer.connection.seat)
            assert details_of(events[1])["key"] == hash_of_token(winner.token)


class Hasty(GameSession):
    """Deals with requests while others are being written."""

    def proceed(self) -> None:
        self._busy = False
        super().proceed()

    def write(self, event: Any, pending: PendingRequest | None) -> None:
        super().write(event, None)
        if pending is not None:
            pending.answer(self.loaded.done(pending.request, "ok", event.version))


def test_of_many_who_join_at_once_one_is_seated(tmp_path: Path) -> None:
    play(check_racing_joins(tmp_path))


def test_a_server_that_seats_two_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tic_tac_toe_frontends.server.session.GameSession", Hasty)
    with pytest.raises(AssertionError):
        play(check_racing_joins(tmp_path))


def test_a_token_holds_one_seat(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann = Guest(hall)
            game = await ann.create()
            answer = await ann.join(game)
            assert (answer.status, answer.reason) == ("illegal", "same_player")
            twin = Guest(hall)
            twin.token = ann.token
            assert (await twin.join(game)).reason == "same_player"
            assert ann.connection.seat == "X"

    play(run())


def test_to_create_twice_creates_one_game(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, twin = Guest(hall), Guest(hall)
            request = Create("c", ann.token, "tic-tac-toe", seat="random")
            for guest in (ann, twin, ann, twin):
                guest.send(request)
            await rest(hall)
            answers = [*ann.answers("c"), *twin.answers("c")]
            assert len(answers) == 4
            assert len({(a.game, a.seat) for a in answers if isinstance(a, Answer)}) == 1
            assert len(list(hall.store.all_games())) == 1
            assert ann.connection.seat == twin.connection.seat != ""

    play(run())


def test_a_seat_can_be_taken_from_two_connections_which_see_the_same(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, game = await seated(hall)
            again = Guest(hall)
            welcome = await again.hello(game, ann.token)
            assert isinstance(welcome, Welcome)
            assert welcome.seat == "X"
            assert (await again.move(4)).status == "ok"
            for guest in (ann, bob, again):
                await guest.until(partial(guest.heard, "move"))
            assert hall.sessions[game].followers.here() == (("X", "O"), 0)

    play(run())


def test_who_greets_two_games_at_once_is_at_the_second_whichever_is_answered_first(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            _, _, slow = await seated(hall)
            _, _, quick = await seated(hall)
            hall.sessions.pop(slow)  # so that the log has to be read first
            guest = Guest(hall)
            first = guest.send(Hello(guest.new_id(), 1, slow))
            second = guest.send(Hello(guest.new_id(), 1, quick))
            for message_id in (second, first):
                assert isinstance(await guest.answer(message_id), Welcome)
            assert guest.connection.place is hall.sessions[quick]
            assert not hall.sessions[slow].followers

    play(run())


def test_in_a_rematch_the_same_tokens_hold_the_swapped_seats(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, game = await seated(hall)
            await ann.ask(Resign("r"))
            await ann.ask(Offer("o", ann.version, REMATCH))
            await bob.ask(Accept("a", bob.version, REMATCH))
            (news,) = await ann.until(lambda: ann.heard("accept"))
            follower = news.event.follower
            seats = {}
            for name, guest in (("ann", ann), ("bob", bob)):
                welcome = await guest.hello(follower, guest.token)
                assert isinstance(welcome, Welcome)
                seats[name] = welcome.seat
            assert seats == {"ann": "O", "bob": "X"}
            assert isinstance(await Guest(hall).hello(follower, NOWHERE), Answer)
            assert hall.store.events(follower)[0].setup.previous == game  # type: ignore[union-attr]
            assert (await bob.move(4)).status == "ok"

    play(run())


def test_tokens_are_nowhere_to_be_read(tmp_path: Path) -> None:
    """Neither in what is sent, written, logged or shown; the database has their hashes."""

    async def run() -> None:
        stream = io.StringIO()
        configure(stream, as_json=True, level=logging.DEBUG)
        try:
            async with opened(tmp_path / FILE) as hall:
                ann, bob, game = await seated(hall, open=True, name="Ann")
                watcher = Guest(hall)
                await watcher.hello(game)
                await watcher.hello(game, new_token(random.SystemRandom()))
                await ann.ask(Chat("c", "hello"))
                await ann.ask(Resign("r"))
                await ann.ask(Offer("o", ann.version, REMATCH))
                await bob.ask(Accept("a", bob.version, REMATCH))
                hall.sessions[game].learn([replace(hall.store.events(game)[0], time=0)])
                await rest(hall)
                everything = [
                    stream.getvalue(),
                    repr(hall),
                    repr(hall.sessions),
                    repr(list(hall.connections)),
                    repr(hall.store.events(game)),
                    repr(hall.store.row(game)),
                    *(text for guest in (ann, bob, watcher) for text in guest.socket.texts),
                    *await pages(hall, game),
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
                hashes = [hash_of_token(token) for token in secrets]
                assert not [digest for digest in hashes if digest in sent]
            kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
            for token, digest in zip(secrets, hashes, strict=True):
                assert not [text for text in everything if token in text]
                assert token.encode() not in kept
                assert digest.encode() in kept
        finally:
            configure(io.StringIO(), as_json=True)

    play(run())


async def pages(hall: GameServer, game: str) -> list[str]:
    """Return what plain HTTP tells of a game."""
    paths = ["/games", f"/games/{game}", "/metrics", "/ready", f"/games/{game}/record.json"]
    paths.append(f"/games/{game}/record.txt")
    return [await page(App(hall), path) for path in paths]


async def page(app: App, path: str) -> str:
    """Return everything that the application sends for a path."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "headers": [(b"host", b"localhost")],
        "server": ("localhost", 80),
        "client": ("192.0.2.1", 1),
    }
    await app(scope, receive, send)
    assert sent[0]["status"] == 200
    return repr(sent) + b"".join(message.get("body", b"") for message in sent).decode()


def test_new_tokens_are_all_different_and_their_hashes_too() -> None:
    rng = random.SystemRandom()
    tokens = {new_token(rng) for _ in range(1000)}
    assert len({hash_of_token(token) for token in tokens}) == len(tokens) == 1000
