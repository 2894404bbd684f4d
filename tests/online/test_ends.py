"""Clients are told how a game ended, so that they need not know its rules."""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from typing import Any

import pytest

from tests.online.endings import ENDINGS, fill_board
from tests.online.guests import Guest, seated
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.replies import Answer, InvalidReply, Welcome
from tic_tac_toe.protocols.online.requests import Events
from tic_tac_toe.protocols.online.standing import ENDS, End
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.loaded_game import LoadedGame

pytestmark = pytest.mark.anyio


def test_there_is_a_game_for_each_reason() -> None:
    assert {ending.end.reason for ending in ENDINGS.values()} == set(ENDS)


@pytest.mark.parametrize("name", ENDINGS)
async def test_the_last_event_a_welcome_and_an_answer_with_events_say_how_the_game_ended(
    name: str, server: GameServer
) -> None:
    play, end, kind = ENDINGS[name]
    ann, game = await play(server)
    await ann.until(lambda: ann.heard(kind))
    assert [(news.event.kind, news.end) for news in ann.happened if news.end] == [(kind, end)]
    told = [json.loads(text) for text in ann.socket.texts]
    expected = {"reason": end.reason, **({"winner": end.winner} if end.winner else {})}
    assert [entry["end"] for entry in told if "end" in entry] == [expected]

    late = Guest(server)
    assert (await late.hello(game)).end == end
    assert (await late.ask(Events(late.new_id(), 0))).end == end
    assert (await late.hello()).end is None


async def test_lines_after_the_end_and_answers_about_it_do_not_end_the_game_again(
    server: GameServer,
) -> None:
    ann, _ = await fill_board(server)
    await ann.say()
    await ann.offer("rematch")
    await ann.until(lambda: ann.heard("offer"))
    assert [news.event.kind for news in ann.happened if news.end] == ["move"]
    assert all(reply.end is None for reply in ann.socket.replies if isinstance(reply, Answer))


async def test_a_game_that_goes_on_has_no_end(server: GameServer) -> None:
    ann, bob, game = await seated(server)
    await ann.move(4)
    await bob.until(lambda: bob.heard("move"))
    assert (await bob.hello(game, bob.token)).end is None
    assert not [text for guest in (ann, bob) for text in guest.socket.texts if '"end"' in text]


async def watch(server: GameServer, game: str) -> Client:
    """Let a client of the library look at a game."""
    client, guest = Client(random.SystemRandom(), time.monotonic, game=game), Guest(server)
    client.connected()
    for _ in range(10):
        for text in client.take_outgoing():
            guest.connection.text(text)
        await guest.until(lambda: guest.socket.texts)
        client.received(guest.socket.texts.pop(0))
        if client.game is not None:
            return client
    raise AssertionError("the client asks without end")


@pytest.mark.parametrize("end", [End("X", "board"), End("", "resign")])
async def test_a_server_that_tells_another_end_than_the_events_is_found_out(
    end: End, server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, game = await fill_board(server)
    assert (await watch(server, game)).game is not None

    honest = LoadedGame.welcome

    def welcome(self: LoadedGame, *arguments: Any) -> Welcome:
        return replace(honest(self, *arguments), end=end)

    monkeypatch.setattr(LoadedGame, "welcome", welcome)
    monkeypatch.setattr(LoadedGame, "end", end)
    with pytest.raises(InvalidReply, match="do not follow"):
        await watch(server, game)
