"""Rare mishaps: a log that lost its end, a machine that slept, storage that hangs, and others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.online.world import GENEROUS, Guest, begun, opened, rest, seated, turn_clock, until
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import REMATCH
from tic_tac_toe.protocols.online.replies import write_reply
from tic_tac_toe.protocols.online.requests import Hello
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.net.web_socket import MOST_BYTES
from tic_tac_toe_frontends.server.rate_limits import Allowance
from tic_tac_toe_frontends.server.redis_hints import RedisHints
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore

pytestmark = pytest.mark.anyio

FILE = "games.sqlite"


# -- the log ---------------------------------------------------------------------------------------


class Forgetful(SqliteStore):
    """A store that can lose the end of its log."""

    lost = 0

    def heads(self, games: object) -> dict[str, int]:
        """Return the heads of a log that has lost some events."""
        found = super().heads(games)  # type: ignore[arg-type]
        return {game: head - self.lost for game, head in found.items()}

    def events(self, game: str, after: int = 0) -> list:  # type: ignore[type-arg]
        """Return what is left."""
        events = super().events(game)
        return [event for event in events[: len(events) - self.lost] if event.version > after]


async def test_a_server_believes_a_log_that_has_lost_its_end(world: World, tmp_path: Path) -> None:
    """Let a log lose its last event while the server is away from it."""
    store = Forgetful(tmp_path / FILE)
    server = await world.open(store)
    ann, _bob, game = await seated(server)
    assert (await ann.move(4)).status == "ok"
    store.lost = 1
    await server.come_back()
    assert ann.socket.closed is not None, "a player is not sent to look again"
    again = Guest(server)
    welcome = await again.hello(game, ann.token)
    assert (welcome.head, len(welcome.events)) == (2, 2)


class Refusing(SqliteStore):
    """A store in which something else has every version, and that never shows what."""

    refuses = False

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        """Write nothing if it is to refuse."""
        return [False] * len(units) if self.refuses else super().commit(units)


async def test_a_client_that_the_log_always_refuses_is_told_to_ask_again(world: World, tmp_path: Path) -> None:
    store = Refusing(tmp_path / FILE)
    server = await world.open(store)
    ann, _, _ = await seated(server)
    store.refuses = True
    answer = await ann.move(4)
    assert (answer.status, answer.reason) == ("busy", "storage")
    store.refuses = False
    assert (await ann.move(4)).status == "ok"
    assert server.metrics.unanswered == 0


# -- time ------------------------------------------------------------------------------------------


async def test_time_in_which_the_machine_slept_is_charged_to_nobody(server: GameServer) -> None:
    """Let a machine sleep for an hour while a clock of five seconds runs."""
    ann, _bob, game = await begun(server, clock=Clock(5, 0))
    await server.writer.run(server.store.beat, server.now())
    awake_at = server.uptime.awake_at
    turn_clock(server, 3600)
    server.uptime.awake_at = awake_at
    server.sessions[game].check_flag()
    while (answer := await ann.move(8)).status == "busy":
        await asyncio.sleep(answer.retry / 1000)
    assert answer.status == "ok", answer
    assert not ann.heard("flag")


# -- who comes and goes ----------------------------------------------------------------------------


async def test_a_client_gone_before_the_answer_enters_no_game(server: GameServer) -> None:
    ann, bob, game = await seated(server)
    for guest in (ann, bob):
        guest.leave()
    server.sessions.pop(game)
    late = Guest(server)
    late.send(Hello("h", 1, game, ann.token))
    late.server.disconnect(late.connection)
    await rest(server)
    assert not server.sessions[game].followers, "a client that is gone sits there"


# -- too much --------------------------------------------------------------------------------------


async def test_what_finds_no_place_is_considered_again_once(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = Guest(server)
    game = await guest.create(opponent="rules")
    considered: list[str] = []
    server.computers.again = 0.05
    monkeypatch.setattr(
        server.computers, "consider", lambda _sessions, game: considered.append(game.address)
    )
    for _ in range(10):
        server.computers.try_again(server.sessions, game)
    await until(lambda: considered, "the game is considered")
    assert considered == [game]
    server.computers.try_again(server.sessions, game)
    await until(lambda: considered == [game, game], "the game is considered again")


async def test_no_answer_is_larger_than_what_may_lie_unread(server: GameServer) -> None:
    ann, _, game = await seated(server)
    for _ in range(90):
        assert (await ann.say("😀" * 200)).status == "ok"
    late = Guest(server)
    welcome = await late.hello(game)
    assert welcome.head == 92
    assert 0 < len(welcome.events) < 92
    assert len(write_reply(welcome)) < MOST_BYTES


async def test_a_client_that_may_create_no_more_games_can_offer_no_rematch_either(
    world: World,
) -> None:
    allowance = Allowance(GENEROUS.messages, 100, GENEROUS.address_messages, games=1)
    server = await world.open(allowance=allowance)
    ann, bob, _ = await seated(server)
    assert (await ann.resign()).status == "ok"
    answer = await ann.offer(REMATCH)
    assert (answer.status, answer.reason) == ("busy", "too_fast")
    assert not bob.heard("offer")


# -- hints -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "junk",
    [
        b"1",
        b"",
        b"null",
        b"[" * 100_000,
        b'["news", "a"]',
        b'["news", 1, "other", "", 0]',
        b'["presence", "a", "other", "X", "many"]',
        b'["presence", "a", "other", ["X"], 1]',
        b"\xff\xfe",
    ],
)
def test_foreign_messages_among_the_hints_do_nothing(junk: bytes) -> None:
    def hinted(*hint: object) -> None:
        raise AssertionError(hint)

    RedisHints("redis://localhost", "here").heard(junk, hinted)
