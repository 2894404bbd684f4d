"""Clocks charge what is due, flags fall by themselves, and a server that is away costs nobody."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import pytest

from tests.online.halls import Guest, kill, opened, play, rest, seated, turn_clock
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import REMATCH, TAKE_BACK
from tic_tac_toe.protocols.online.replies import Welcome, write_reply
from tic_tac_toe.protocols.online.requests import (
    Accept,
    Chat,
    Move,
    Offer,
    Request,
    Resign,
    read_request,
)
from tic_tac_toe_frontends.server.flags import FlagTimer
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.session import GameSession
from tic_tac_toe_frontends.server.sqlite_store import SqliteStore

FILE = "games.sqlite"
#: What the machine may take for what takes no time, in milliseconds.
SLACK = 2_500


async def left_after(guest: Guest, version: int) -> tuple[int, int]:
    """Return what the clocks showed after an event."""
    (news,) = await guest.until(
        lambda: [news for news in guest.happened if news.event.version == version]
    )
    assert news.clock is not None
    return news.clock  # type: ignore[no-any-return]


def about(left: int, seconds: float) -> bool:
    """Whether so much is left, or a little less."""
    return 1000 * seconds - SLACK <= left <= 1000 * seconds


def test_who_has_the_move_is_charged_and_given_the_increment(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, _ = await seated(hall, clock=Clock(60, 3))
            turn_clock(hall, 20)
            assert (await ann.move(4)).status == "ok"
            crosses, naughts = await left_after(bob, 3)
            assert about(crosses, 43)
            assert naughts == 60_000
            turn_clock(hall, 10)
            await ann.ask(Chat("c", "your move"))
            after_chat = await left_after(bob, 4)
            assert after_chat[0] == crosses
            assert about(after_chat[1], 50)
            assert (await bob.move(0)).status == "ok"
            later, naughts = await left_after(bob, 5)
            assert later == crosses
            assert about(naughts, 53)

    play(run())


def test_no_time_runs_before_somebody_joins_and_after_the_end(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob = Guest(hall), Guest(hall)
            game = await ann.create(clock=Clock(60, 0))
            turn_clock(hall, 3600)
            assert (await bob.join(game)).status == "ok"
            assert await left_after(ann, 2) == (60_000, 60_000)
            await bob.ask(Resign("r"))
            ended = await left_after(ann, 3)
            turn_clock(hall, 3600)
            await ann.ask(Chat("c", "well"))
            assert await left_after(bob, 4) == ended
            assert not ann.heard("flag")

    play(run())


async def check_flag(tmp_path: Path) -> None:
    """Let a second pass in which nobody asks for anything."""
    async with opened(tmp_path / FILE) as hall:
        ann, bob, game = await seated(hall, clock=Clock(1, 0))
        begun = hall.store.events(game)[-1].time
        end = time.monotonic() + 8
        (news,) = await bob.until(lambda: bob.heard("flag") or (time.monotonic() > end and [None]))
        assert news is not None, "no flag has fallen"
        assert news.event.seat == "X"
        assert news.clock == (0, 1000)
        assert 1000 <= news.event.time - begun <= 1000 + SLACK
        answer = await ann.ask(Move("m", 2, 4))
        assert (answer.status, answer.reason) in (
            ("illegal", "out_of_time"),
            ("illegal", "game_over"),
        )
        await rest(hall)
        assert [event.kind for event in hall.store.events(game)] == ["create", "join", "flag"]
        row = hall.store.row(game)
        assert row is not None
        assert (row.stage, row.result, row.deadline) == ("over", "O", None)


class Sleepy(GameSession):
    """Looks at the clock only when something is asked."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.flag_timer = FlagTimer(lambda: None)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games be played in a second."""
    monkeypatch.setattr("tic_tac_toe.protocols.online.fields.CLOCK_SECONDS", (1, 3600))


@pytest.mark.usefixtures("short")
def test_a_flag_falls_on_time_though_nobody_asks_for_anything(tmp_path: Path) -> None:
    play(check_flag(tmp_path))


@pytest.mark.usefixtures("short")
def test_a_flag_that_waits_for_somebody_to_ask_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe_frontends.server.session.GameSession", Sleepy)
    with pytest.raises(AssertionError):
        play(check_flag(tmp_path))


def test_a_move_that_comes_too_late_loses_the_game_and_is_not_played(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, game = await seated(hall, clock=Clock(60, 30))
            turn_clock(hall, 61)
            requests: list[Request] = [Move("m", 2, 4), Move("n", 2, 5), Chat("c", "wait")]
            for request in requests:
                ann.send(request)
            hall.sessions[game].check_flag()
            await rest(hall)
            for request in requests[:2]:
                (answer,) = ann.answers(request.id)
                assert answer.status == "illegal"  # type: ignore[union-attr]
                assert answer.reason in ("out_of_time", "game_over")  # type: ignore[union-attr]
            kinds = [event.kind for event in hall.store.events(game)]
            assert kinds == ["create", "join", "flag", "chat"]
            assert len(bob.heard("flag")) == 1

    play(run())


@pytest.mark.usefixtures("short")
def test_the_flag_of_a_rematch_falls_though_nobody_went_there(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, _ = await seated(hall, clock=Clock(1, 0))
            await ann.ask(Resign("r"))
            await ann.ask(Offer("o", ann.version, REMATCH))
            await bob.ask(Accept("a", bob.version, REMATCH))
            (news,) = await ann.until(lambda: ann.heard("accept"))
            for guest in (ann, bob):
                guest.leave()
            end = time.monotonic() + 20
            while len(events := hall.store.events(news.event.follower)) < 2:
                assert time.monotonic() < end
                await asyncio.sleep(0.05)
            assert [event.kind for event in events] == ["create", "flag"]

    play(run())


# -- restarts --------------------------------------------------------------------------------------


async def check_restart(
    tmp_path: Path, *, killed: bool, grace: int = 0, away: float = 3600.0
) -> None:
    """Stop or kill the server under a game with a clock, and start it after an hour."""
    async with opened(tmp_path / FILE) as hall:
        ann, bob, game = await seated(hall, clock=Clock(60, 0))
        turn_clock(hall, 20)
        await hall.writer.run(hall.store.beat, hall.now())
        assert (await ann.move(4)).status == "ok"
        before = await left_after(bob, 3)
        if killed:
            await kill(hall)
    store = SqliteStore(tmp_path / FILE)

    class Later(GameServer):
        def now(self) -> int:
            return super().now() + int(1000 * (20 + away))

    async with opened(store, Later, grace=grace) as hall:
        again = Guest(hall)
        welcome = await again.hello(game, bob.token)
        assert isinstance(welcome, Welcome)
        assert welcome.clock is not None
        assert welcome.head == 3, "a flag has fallen"
        assert welcome.clock[0] >= before[0]
        assert before[1] - SLACK <= welcome.clock[1] <= before[1]

        client = Client(random.Random(1), lambda: 0.0, game=game, token=bob.token)
        client.connected()
        (hello,) = client.take_outgoing()
        told = await again.ask_any(read_request(hello))
        client.received(write_reply(told))
        shown = client.time_left()
        assert shown is not None
        assert before[1] - SLACK <= shown[1] <= before[1]

        assert (await again.move(0)).status == "ok"
        _, naughts = await left_after(again, 4)
        assert before[1] - SLACK <= naughts <= before[1]


@pytest.mark.parametrize("killed", [False, True])
def test_nobody_is_charged_for_the_time_in_which_no_server_was_there(
    killed: bool, tmp_path: Path
) -> None:
    play(check_restart(tmp_path, killed=killed))


@pytest.mark.parametrize("killed", [False, True])
def test_a_server_that_charges_for_being_away_is_found(killed: bool, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        play(check_restart(tmp_path, killed=killed, grace=10**9))


@pytest.mark.usefixtures("short")
def test_flags_fall_after_a_restart_too(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            _, _, game = await seated(hall, clock=Clock(1, 0))
            await kill(hall)
        async with opened(tmp_path / FILE) as hall:
            end = time.monotonic() + 20
            while len(events := hall.store.events(game)) < 3:
                assert time.monotonic() < end
                await asyncio.sleep(0.05)
            assert events[-1].kind == "flag"

    play(run())


class Eager(GameServer):
    """Looks often for what is overdue."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.housekeeper.tidy_seconds = 0.5


class Selfish(Eager):
    """Looks at the clocks only that it has in memory."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.housekeeper.take_up_overdue_games = _nothing  # type: ignore[method-assign]


async def _nothing() -> None:
    pass


async def check_overdue(tmp_path: Path, kind: type[GameServer], patience: float) -> None:
    """Let a game be in the memory of a server that is no longer there, though another is."""
    async with opened(tmp_path / FILE, kind) as hall:
        _, _, game = await seated(hall, clock=Clock(1, 0))
        hall.sessions.pop(game).flag_timer.cancel()
        end = time.monotonic() + patience
        while len(events := hall.store.events(game)) < 3:
            assert time.monotonic() < end, "no flag has fallen"
            await asyncio.sleep(0.05)
        assert events[-1].kind == "flag"


@pytest.mark.usefixtures("short")
def test_a_flag_falls_though_the_server_that_watched_the_clock_is_gone(tmp_path: Path) -> None:
    play(check_overdue(tmp_path, Eager, 60))


@pytest.mark.usefixtures("short")
def test_a_server_that_looks_at_its_own_clocks_only_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="no flag has fallen"):
        play(check_overdue(tmp_path, Selfish, 4))


# -- what else touches clocks ----------------------------------------------------------------------


def test_to_take_a_move_back_gives_no_time_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, _ = await seated(hall, clock=Clock(60, 0))
            turn_clock(hall, 20)
            assert (await ann.move(4)).status == "ok"
            turn_clock(hall, 5)
            await ann.ask(Offer("o", ann.version, TAKE_BACK))
            turn_clock(hall, 5)
            await bob.ask(Accept("a", bob.version, TAKE_BACK))
            crosses, naughts = await left_after(bob, 5)
            assert about(crosses, 40)
            assert about(naughts, 50)
            turn_clock(hall, 10)
            assert (await ann.move(0)).status == "ok"
            crosses, naughts = await left_after(bob, 6)
            assert about(crosses, 30)
            assert about(naughts, 50)

    play(run())


def test_a_clock_of_the_machine_that_goes_back_gives_and_takes_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, game = await seated(hall, clock=Clock(60, 0))
            turn_clock(hall, 20)
            assert (await ann.move(4)).status == "ok"
            turn_clock(hall, -3600)
            assert (await bob.move(0)).status == "ok"
            assert (await ann.ask(Chat("c", "hello"))).status == "ok"
            crosses, naughts = await left_after(bob, 4)
            assert about(crosses, 40)
            assert naughts == 60_000
            times = [event.time for event in hall.store.events(game)]
            assert times == sorted(times)
            welcome = await Guest(hall).hello(game)
            assert isinstance(welcome, Welcome)
            assert welcome.clock == (crosses, naughts)

    play(run())


def test_a_game_with_a_clock_stays_in_memory_while_it_runs(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, game = await seated(hall, clock=Clock(60, 0))
            for guest in (ann, bob):
                guest.leave()
            await rest(hall)
            hall.sessions.drop(hall.sessions[game])
            assert game in hall.sessions
            hall.sessions[game].distrust()
            hall.sessions.drop(hall.sessions[game])
            assert game in hall.sessions

    play(run())
