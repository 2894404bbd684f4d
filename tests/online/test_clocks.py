"""Clocks charge what is due, flags fall by themselves, and a server that is away costs nobody."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from tests.online.guests import (
    Guest,
    agree_on_rematch,
    begun,
    kill,
    opened,
    play_moves,
    rest,
    seated,
    turn_clock,
    until,
)
from tests.online.processes import PATIENCE
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.replies import write_reply
from tic_tac_toe.protocols.online.requests import Chat, Move, Request, read_request
from tic_tac_toe_frontends.server.flags import FlagTimer
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.housekeeping import Housekeeper
from tic_tac_toe_frontends.server.session import GameSession
from tic_tac_toe_frontends.server.storage.backup import verify

pytestmark = pytest.mark.anyio

FILE = "games.sqlite"


class Still(GameServer):
    """A server whose clock stands still unless it is turned."""

    def now(self) -> int:
        return 1_800_000_000_000


class Later(Still):
    """The same server an hour after it was turned on by 20 seconds."""

    def now(self) -> int:
        return super().now() + 1000 * (20 + 3600)


async def left_after(guest: Guest, version: int) -> tuple[int, int]:
    """Return what the clocks showed after an event."""
    (news,) = await guest.until(
        lambda: [news for news in guest.happened if news.event.version == version]
    )
    assert news.clock is not None
    return news.clock  # type: ignore[no-any-return]


async def test_the_player_to_move_is_charged_and_given_the_increment(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE, Still) as server:
        ann, bob, _ = await begun(server, clock=Clock(60, 3))
        turn_clock(server, 20)
        assert (await ann.move(8)).status == "ok"
        assert await left_after(bob, 5) == (43_000, 60_000)
        turn_clock(server, 10)
        await ann.say("your move")
        assert await left_after(bob, 6) == (43_000, 50_000)
        assert (await bob.move(1)).status == "ok"
        assert await left_after(bob, 7) == (43_000, 53_000)


async def test_what_is_kept_beside_the_events_keeps_up_with_the_clock(server: GameServer) -> None:
    ann, bob, game = await begun(server, clock=Clock(60, 3))
    for player, cell in ((ann, 8), (bob, 1)):
        turn_clock(server, 10)
        assert (await player.move(cell)).status == "ok"
        row = server.store.row(game)
        assert row is not None
        assert row == server.sessions[game].loaded.row
        assert server.store.running_clocks(row.deadline or 0) == [game]
        assert verify(server.store).problems == ()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games be played in a second."""
    monkeypatch.setattr("tic_tac_toe.protocols.online.fields.CLOCK_SECONDS", (1, 3600))


async def check_flag(server: GameServer, patience: float = PATIENCE) -> None:
    """Let a clock run out while nobody asks for anything."""
    ann, bob, game = await begun(server, clock=Clock(1, 0))
    began = server.store.events(game)[-1].time
    await until(lambda: bob.heard("flag"), "a flag falls", patience)
    (news,) = bob.heard("flag")
    assert news.event.seat == "X"
    assert news.clock == (0, 1000)
    assert news.event.time - began >= 1000
    answer = await ann.ask(Move("m", 4, 8))
    assert answer.status == "illegal"
    assert answer.reason in ("out_of_time", "game_over")
    await rest(server)
    assert [event.kind for event in server.store.events(game)][4:] == ["flag"]
    row = server.store.row(game)
    assert row is not None
    assert (row.stage, row.result, row.deadline) == ("over", "O", None)


@pytest.mark.usefixtures("short")
async def test_a_flag_falls_though_nobody_asks_for_anything(server: GameServer) -> None:
    await check_flag(server)


class Sleepy(GameSession):
    """Looks at the clock only when something is asked."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.flag_timer = FlagTimer(lambda: None)


@pytest.mark.usefixtures("short")
async def test_a_flag_that_waits_for_somebody_to_ask_is_found(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe_frontends.server.sessions.GameSession", Sleepy)
    with pytest.raises(AssertionError, match="a flag falls"):
        await check_flag(server, 2)


async def test_a_move_that_comes_too_late_loses_the_game_and_is_not_played(
    server: GameServer,
) -> None:
    ann, bob, game = await begun(server, clock=Clock(60, 30))
    turn_clock(server, 61)
    requests: list[Request] = [Move("m", 4, 8), Move("n", 4, 5), Chat("c", "wait")]
    for request in requests:
        ann.send(request)
    server.sessions[game].check_flag()
    await rest(server)
    for request in requests[:2]:
        (answer,) = ann.answers(request.id)
        assert answer.status == "illegal"
        assert answer.reason in ("out_of_time", "game_over")
    kinds = [event.kind for event in server.store.events(game)][4:]
    assert kinds == ["flag", "chat"]
    assert len(bob.heard("flag")) == 1


# -- the first moves -------------------------------------------------------------------------------


async def test_no_clock_runs_before_its_side_has_made_its_first_move(server: GameServer) -> None:
    ann, bob, _ = await seated(server, clock=Clock(60, 3))
    turn_clock(server, 40)
    assert (await ann.move(4)).status == "ok"
    turn_clock(server, 40)
    assert (await bob.move(0)).status == "ok"
    assert await left_after(bob, 4) == (60_000, 60_000)


@pytest.mark.parametrize("first", [0, 1])
async def test_a_game_without_a_first_move_in_time_is_aborted_and_nobody_loses(
    first: int, server: GameServer
) -> None:
    ann, bob, game = await seated(server, clock=Clock(60, 0))
    await play_moves(*[(ann, 4)][:first])
    turn_clock(server, 61)
    server.sessions[game].check_flag()
    (news,) = await bob.until(lambda: bob.heard("expire"))
    assert (news.event.seat, news.event.what) == ("XO"[first], "idle")
    await rest(server)
    row = server.store.row(game)
    assert row is not None
    assert (row.stage, row.result, row.deadline) == ("over", "", None)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let first moves be due in a second."""
    monkeypatch.setattr("tic_tac_toe.protocols.online.clocks.FIRST_MOVE_SECONDS", 1)


@pytest.mark.usefixtures("short", "hasty")
async def test_a_rematch_to_which_nobody_went_is_aborted_by_itself(server: GameServer) -> None:
    ann, bob, _ = await seated(server, clock=Clock(1, 0))
    follower = await agree_on_rematch(ann, bob)
    for guest in (ann, bob):
        guest.leave()
    await until(lambda: len(server.store.events(follower)) == 2, "the game is aborted")
    assert server.store.events(follower)[-1].kind == "expire"


@pytest.mark.usefixtures("short", "hasty")
async def test_a_first_move_is_waited_for_after_a_restart_and_not_for_ever(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as server:
        _, _, game = await seated(server, clock=Clock(1, 0))
        await kill(server)
    async with opened(tmp_path / FILE) as server:
        await until(lambda: len(server.store.events(game)) == 3, "the game is aborted")
        assert server.store.events(game)[-1].kind == "expire"


# -- restarts --------------------------------------------------------------------------------------


async def check_restart(tmp_path: Path, *, killed: bool, grace: int = 0) -> None:
    """Stop or kill the server under a game with a clock, and start it after an hour."""
    async with opened(tmp_path / FILE, Still) as server:
        ann, bob, game = await begun(server, clock=Clock(60, 0))
        turn_clock(server, 20)
        await server.writer.run(server.store.beat, server.now())
        assert (await ann.move(8)).status == "ok"
        before = await left_after(bob, 5)
        if killed:
            await kill(server)

    async with opened(tmp_path / FILE, Later, grace=grace) as server:
        again = Guest(server)
        welcome = await again.hello(game, bob.token)
        assert welcome.clock is not None
        assert welcome.head == 5, "a flag has fallen"
        assert welcome.clock == before

        client = Client(random.Random(1), lambda: 0.0, game=game, token=bob.token)
        client.connected()
        (hello,) = client.take_outgoing()
        client.received(write_reply(await again.answer(again.send(read_request(hello)))))
        shown = client.time_left()
        assert shown == before

        assert (await again.move(1)).status == "ok"
        assert await left_after(again, 6) == before


@pytest.mark.parametrize("killed", [False, True])
async def test_nobody_is_charged_for_the_time_in_which_no_server_was_there(
    killed: bool, tmp_path: Path
) -> None:
    await check_restart(tmp_path, killed=killed)


@pytest.mark.parametrize("killed", [False, True])
async def test_a_server_that_charges_for_being_away_is_found(killed: bool, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        await check_restart(tmp_path, killed=killed, grace=10**9)


@pytest.mark.usefixtures("short")
async def test_flags_fall_after_a_restart_too(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as server:
        _, _, game = await begun(server, clock=Clock(1, 0))
        await kill(server)
    async with opened(tmp_path / FILE) as server:
        await until(lambda: len(server.store.events(game)) == 5, "a flag falls")
        assert server.store.events(game)[-1].kind == "flag"


async def check_overdue(tmp_path: Path, patience: float) -> None:
    """Let a game be in the memory of a server that is no longer there, though another is."""
    async with opened(tmp_path / FILE, tidy=0.5) as server:
        _, _, game = await begun(server, clock=Clock(1, 0))
        server.sessions.pop(game).flag_timer.cancel()
        await until(lambda: len(server.store.events(game)) == 5, "a flag falls", patience)
        assert server.store.events(game)[-1].kind == "flag"


@pytest.mark.usefixtures("short")
async def test_a_flag_falls_though_the_server_that_watched_the_clock_is_gone(
    tmp_path: Path,
) -> None:
    await check_overdue(tmp_path, 60)


@pytest.mark.usefixtures("short")
async def test_a_server_that_looks_at_its_own_clocks_only_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Housekeeper, "take_up_overdue_games", AsyncMock())
    with pytest.raises(AssertionError, match="a flag falls"):
        await check_overdue(tmp_path, 4)


# -- what else touches clocks ----------------------------------------------------------------------


async def test_a_game_with_a_clock_stays_in_memory_while_it_runs(server: GameServer) -> None:
    ann, bob, game = await seated(server, clock=Clock(60, 0))
    for guest in (ann, bob):
        guest.leave()
    await rest(server)
    server.sessions.drop(server.sessions[game])
    assert game in server.sessions
    server.sessions[game].copy.distrust()
    server.sessions.drop(server.sessions[game])
    assert game in server.sessions
