"""What watchers say reaches watchers, and the players only after the game."""

from __future__ import annotations

import json

import pytest

from tests.online.world import Guest, begun, rest
from tic_tac_toe.protocols.online.limits import TALK_LINES
from tic_tac_toe.protocols.online.replies import TalkLine, WatchersTalk
from tic_tac_toe.protocols.online.requests import Talk
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.hints import TALK, Hint
from tic_tac_toe_frontends.server.presence import Followers

pytestmark = pytest.mark.anyio


async def watching(server: GameServer, game: str) -> Guest:
    guest = Guest(server)
    await guest.hello(game)
    return guest


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
        eve = await watching(server, game)
        assert (await eve.ask(Talk("t", f"line {number}"))).status == "ok"
        eve.leave()
    late = await watching(server, game)
    expected = [f"line {number}" for number in range(5, TALK_LINES + 5)]
    assert await late.until(lambda: texts(late)) == expected


async def test_a_watcher_who_talks_too_fast_is_told_to_wait(server: GameServer) -> None:
    _, _, game = await begun(server)
    eve, bill = await watching(server, game), await watching(server, game)
    now = server.clock()
    server.clock = lambda: now
    answers = [await eve.ask(Talk(f"t{number}", "spam")) for number in range(8)]
    assert [answer.status for answer in answers] == ["ok"] * 5 + ["busy"] * 3
    assert answers[-1].reason == "too_fast"
    assert (await bill.ask(Talk("t", "hush"))).status == "ok"
    assert len(texts(bill)) == 6


async def test_nobody_talks_where_there_is_no_game(server: GameServer) -> None:
    assert (await Guest(server).ask(Talk("t", "hello?"))).reason == "no_game"


async def test_lines_of_another_server_are_shown_and_nonsense_is_not(server: GameServer) -> None:
    _, _, game = await begun(server)
    eve = await watching(server, game)
    lines = [{"number": 7, "text": "from afar", "time": 5}]
    told = json.dumps({"type": "talk", "game": game, "lines": lines})
    for text in ("", "null", '{"type": "closing"}', told.replace(game, "A" * 22), told):
        server.hinted(Hint(TALK, game, "other", "", 0, text))
    assert heard(eve) == [TalkLine(7, "", "from afar", 5)]
