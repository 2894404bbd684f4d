"""Rare mishaps: a log that lost its end, a machine that slept, storage that hangs, and others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.online.halls import GENEROUS, Guest, opened, play, rest, seated, turn_clock
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import REMATCH
from tic_tac_toe.protocols.online.replies import Welcome, write_reply
from tic_tac_toe.protocols.online.requests import Chat, Hello, Offer, Resign
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.rate_limits import Allowance
from tic_tac_toe_frontends.server.redis_hints import RedisHints
from tic_tac_toe_frontends.server.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.store import Transaction
from tic_tac_toe_frontends.server.web_socket import MOST_BYTES

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


async def check_shorter_log(tmp_path: Path) -> None:
    """Let a log lose its last event while the server is away from it."""
    store = Forgetful(tmp_path / FILE)
    async with opened(store) as hall:
        ann, _bob, game = await seated(hall)
        assert (await ann.move(4)).status == "ok"
        store.lost = 1
        await hall.come_back()
        assert ann.socket.closed is not None, "who plays is not sent to look again"
        again = Guest(hall)
        welcome = await again.hello(game, ann.token)
        assert isinstance(welcome, Welcome)
        assert (welcome.head, len(welcome.events)) == (2, 2)


def test_a_server_believes_a_log_that_has_lost_its_end(tmp_path: Path) -> None:
    play(check_shorter_log(tmp_path))


def test_a_server_that_believes_its_memory_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def come_back(hall: GameServer) -> None:
        hall.uptime.arrive_now()

    monkeypatch.setattr(GameServer, "come_back", come_back)
    with pytest.raises(AssertionError):
        play(check_shorter_log(tmp_path))


class Refusing(SqliteStore):
    """A store in which something else has every version, and that never shows what."""

    refuses = False

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        """Write nothing if it is to refuse."""
        return [False] * len(units) if self.refuses else super().commit(units)


def test_who_is_refused_by_the_log_for_ever_is_told_to_ask_again(tmp_path: Path) -> None:
    async def run() -> None:
        store = Refusing(tmp_path / FILE)
        async with opened(store) as hall:
            ann, _, _ = await seated(hall)
            store.refuses = True
            answer = await ann.move(4)
            assert (answer.status, answer.reason) == ("busy", "storage")
            store.refuses = False
            assert (await ann.move(4)).status == "ok"
            assert hall.metrics.unanswered == 0

    play(run())


# -- time ------------------------------------------------------------------------------------------


async def check_sleep(tmp_path: Path) -> None:
    """Let a machine sleep for an hour while a clock of five seconds runs."""
    async with opened(tmp_path / FILE) as hall:
        ann, _bob, game = await seated(hall, clock=Clock(5, 0))
        await hall.writer.run(hall.store.beat, hall.now())
        awake_at = hall.uptime.awake_at
        turn_clock(hall, 3600)
        hall.uptime.awake_at = awake_at
        hall.sessions[game].check_flag()
        while (answer := await ann.move(4)).status == "busy":
            await asyncio.sleep(0.1)
        assert answer.status == "ok", answer
        assert not ann.heard("flag")


def test_time_in_which_the_machine_slept_is_charged_to_nobody(tmp_path: Path) -> None:
    play(check_sleep(tmp_path))


def test_a_server_that_does_not_know_that_it_slept_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe_frontends.server.uptime.SLEEP_SECONDS", 1e9)
    with pytest.raises(AssertionError):
        play(check_sleep(tmp_path))


class Hanging(SqliteStore):
    """A store whose commits wait until they are let go."""

    gate = threading.Event()

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        """Wait first."""
        self.gate.wait(60)
        return super().commit(units)


def test_a_server_stops_though_its_storage_hangs(tmp_path: Path) -> None:
    async def run() -> None:
        store = Hanging(tmp_path / FILE)
        store.gate.set()
        async with opened(store) as hall:
            ann, _, _ = await seated(hall)
            store.gate.clear()
            ann.send(Chat("c", "are you there?"))
            await asyncio.sleep(0.05)
            await hall.stop()
            assert hall.is_stuck
            assert not ann.answers("c"), "what is not written is not acknowledged"
            store.gate.set()

    play(run())


# -- who comes and goes ----------------------------------------------------------------------------


async def check_ghost(tmp_path: Path) -> None:
    """Let somebody be gone before the log has told what they asked for."""
    async with opened(tmp_path / FILE) as hall:
        ann, bob, game = await seated(hall)
        for guest in (ann, bob):
            guest.leave()
        hall.sessions.pop(game)
        late = Guest(hall)
        late.send(Hello("h", 1, game, ann.token))
        late.hall.disconnect(late.connection)
        await rest(hall)
        assert not hall.sessions[game].followers, "somebody sits there who is gone"


def test_who_is_gone_before_the_answer_enters_no_game(tmp_path: Path) -> None:
    play(check_ghost(tmp_path))


def test_a_server_that_lets_in_who_is_gone_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Connection.gone

    def forget_only(self: Connection) -> None:
        gone(self)
        self._is_gone = False

    monkeypatch.setattr(Connection, "gone", forget_only)
    with pytest.raises(AssertionError, match="who is gone"):
        play(check_ghost(tmp_path))


# -- too much --------------------------------------------------------------------------------------


def test_what_finds_no_place_is_considered_again_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = Guest(hall)
            game = await guest.create(opponent="rules")
            considered: list[str] = []
            hall.computers.again = 0.05
            monkeypatch.setattr(
                hall.computers,
                "consider",
                lambda _sessions, _game, seat, _strategy: considered.append(seat),
            )
            for _ in range(10):
                hall.computers.try_again(hall.sessions, game, "O", "rules")
            await asyncio.sleep(0.5)
            assert considered == ["O"]
            hall.computers.try_again(hall.sessions, game, "O", "rules")
            await asyncio.sleep(0.5)
            assert considered == ["O", "O"]

    play(run())


def test_no_answer_is_larger_than_what_may_lie_unread(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, _, game = await seated(hall)
            for number in range(90):
                assert (await ann.ask(Chat(f"c{number}", "😀" * 200))).status == "ok"
            late = Guest(hall)
            welcome = await late.hello(game)
            assert isinstance(welcome, Welcome)
            assert welcome.head == 92
            assert 0 < len(welcome.events) < 92
            assert len(write_reply(welcome)) < MOST_BYTES

    play(run())


def test_who_may_create_no_more_games_can_offer_no_rematch_either(tmp_path: Path) -> None:
    async def run() -> None:
        allowance = Allowance(GENEROUS.messages, 100, GENEROUS.address_messages, games=1)
        async with opened(tmp_path / FILE, allowance=allowance) as hall:
            ann, bob, _ = await seated(hall)
            assert (await ann.ask(Resign("r"))).status == "ok"
            answer = await ann.ask(Offer("o", ann.version, REMATCH))
            assert (answer.status, answer.reason) == ("busy", "too_fast")
            assert not bob.heard("offer")

    play(run())


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
