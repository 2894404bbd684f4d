"""A server that stops finishes what was begun, and rare mishaps harm nobody."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.online import thoughts
from tests.online.bots import Caller
from tests.online.logs import opened as opened_store
from tests.online.processes import Server, is_running
from tests.online.world import (
    GENEROUS,
    Guest,
    World,
    any_token,
    begun,
    limited,
    rest,
    seated,
    turn_clock,
    until,
)
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import REMATCH, Event
from tic_tac_toe.protocols.online.replies import Closing, write_reply
from tic_tac_toe.protocols.online.requests import Chat, Create, Hello, Move, write_request
from tic_tac_toe_frontends.server import run, tasks
from tic_tac_toe_frontends.server.game_server import CLOSE_SECONDS, FINISH_SECONDS, GameServer
from tic_tac_toe_frontends.server.logs import LOGGER
from tic_tac_toe_frontends.server.nodes.redis_nodes import RedisNodes
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.tasks import Tasks
from tic_tac_toe_frontends.server.wire.web_socket import MOST_BYTES

pytestmark = pytest.mark.anyio

#: The seconds that a server may take to stop on a machine that has nothing else to do.
PROMISED = 5.0


def processes_of(number: int) -> list[int]:
    """Return the processes that a process has begun, and those that these have."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            child, _, rest = path.read_text().rpartition(")")
            parents.setdefault(int(rest.split()[1]), []).append(int(child.split()[0]))
    found = [number]
    for parent in found:
        found += parents.get(parent, [])
    return found[1:]


def log_of(folder: Path, game: str) -> list[Event]:
    """Return what a server has left of a game."""
    with opened_store(SqliteStore(folder / "games.sqlite")) as store:
        return store.events(game)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "lacks"), [(signal.SIGTERM, ()), (signal.SIGINT, ()), (signal.SIGTERM, ("uvloop",))]
)
async def test_a_server_that_is_asked_to_stop_finishes_says_so_and_loses_nothing(
    how: signal.Signals, lacks: Sequence[str], tmp_path: Path
) -> None:
    token = any_token()
    server = Server(tmp_path, lacks=lacks)
    with server.running():
        assert server.get("/ready")[0] == 200
        callers = [await Caller.at(server) for _ in range(3)]
        player, watcher, _ = callers
        game = (await player.ask(Create("c", token, "tic-tac-toe", seat="X")))["game"]
        await watcher.ask(Hello("h", 1, game))
        chats = [Chat(f"c{number}", f"line {number}") for number in range(30)]
        for chat in chats:
            await player.socket.send(write_request(chat))
        assert await asyncio.to_thread(server.end, how) == 0
        for caller in callers:
            await caller.reading
            assert caller.socket.close_code == 1012
            (closing,) = [values for values in caller.heard if values["type"] == "closing"]
            assert closing["reason"] == "restart"
    answers = {values["id"]: values for values in player.heard if values["type"] == "answer"}
    done = {key: values for key, values in answers.items() if values["status"] == "ok"}
    for values in answers.values():
        assert values["status"] == "ok" or values["reason"] == "stopping"
    assert "Traceback" not in server.said()
    log = {event.id: event for event in log_of(tmp_path, game)}
    for key, values in done.items():
        assert log[key].version == values["version"]
    for event in (values for values in watcher.heard if values["type"] == "event"):
        assert event["version"] in {each.version for each in log.values()}

    with server.running():
        player = await Caller.at(server)
        ids = tuple(chat.id for chat in chats)
        welcome = await player.ask(Hello("h", 1, game, token, 0, ids))
        assert welcome["seat"] == "X"
        fates = {fate["id"]: fate for fate in welcome["fates"]}
        assert {key for key in fates if fates[key]["status"] == "ok"} == set(log) & set(ids)
        assert set(done) <= set(log)
        assert await asyncio.to_thread(server.stop) == 0
        await player.reading


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_processes_that_think_go_with_the_server(how: signal.Signals, tmp_path: Path) -> None:
    server = Server(tmp_path, thinks_without_end=True, options=("--thinkers", "2"))
    with server.running():
        player = await Caller.at(server)
        create = Create("c", any_token(), "gomoku", seat="X", opponent=thoughts.ENDLESS)
        game = (await player.ask(create))["game"]
        await player.ask(Move("m", 1, 112))
        await until(lambda: thoughts.BEGUN in server.said(), "a process thinks")
        children = processes_of(server.number)
        status = await asyncio.to_thread(server.end, how)
        assert status == (0 if how is signal.SIGTERM else -signal.SIGKILL)
        await player.reading
        try:
            await until(lambda: not any(map(is_running, children)), "none is left behind", 20)
        finally:
            for number in filter(is_running, children):
                os.kill(number, signal.SIGKILL)
    assert "Traceback" not in server.said()
    assert [event.id for event in log_of(tmp_path, game)] == ["c", "m"]


# -- in the test's own process ---------------------------------------------------------------------


async def test_what_was_begun_is_finished_and_what_comes_later_refused(
    server: GameServer, tmp_path: Path
) -> None:
    tables = [await seated(server) for _ in range(5)]
    for ann, _, _ in tables:
        ann.send(Move("m", 2, 4))
    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0)
    late, new = tables[0][1], Guest(server)
    late.send(Chat("late", "one more thing"))
    new.send(Create("create", new.token, "tic-tac-toe"))
    new.send(Hello("hello", 1))
    assert not server.is_ready
    await stopping
    assert server.metrics.unanswered == 0
    for refused in (*late.answers("late"), *new.answers("create"), *new.answers("hello")):
        assert (refused.status, refused.reason) == ("busy", "stopping")
        assert refused.retry > 0
    for ann, bob, _ in tables:
        for guest in (ann, bob):
            assert guest.last(Closing) == Closing("restart", 1000)
            assert guest.socket.closed is not None
            assert guest.socket.closed[0] == 1012
        assert [answer.status for answer in ann.answers("m")] == ["ok"]
    for _, _, game in tables:
        assert [event.kind for event in log_of(tmp_path, game)] == ["create", "join", "move"]


class SlowReads(SqliteStore):
    """A store from which to read takes a moment."""

    def events(self, game: str, after: int = 0) -> list[Event]:
        time.sleep(0.1)
        return super().events(game, after)


async def test_a_client_that_waits_for_the_log_is_answered_before_the_server_stops(
    world: World,
) -> None:
    server = await world.open(SlowReads(world.path))
    ann, bob, game = await seated(server)
    server.sessions[game].is_known = False
    ann.send(Move("m", 2, 4))
    await server.stop()
    assert [answer.status for answer in ann.answers("m")] == ["ok"]
    assert bob.heard("move")
    assert server.metrics.unanswered == 0


class Hanging(SqliteStore):
    """A store whose commits can be held up."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.gate, self.is_waiting = threading.Event(), threading.Event()
        self.gate.set()

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        if not self.gate.is_set():
            self.is_waiting.set()
        self.gate.wait(60)
        return super().commit(units)


def test_all_that_a_server_waits_for_when_it_stops_is_what_it_promises() -> None:
    assert FINISH_SECONDS + 2 * CLOSE_SECONDS + run.PATIENCE <= PROMISED


@pytest.mark.medium
async def test_a_server_whose_disk_hangs_tells_everybody_and_stops(world: World) -> None:
    store = Hanging(world.path)
    server = await world.open(store)
    server.finish_seconds = 0.1
    ann, bob, _ = await seated(server)
    store.gate.clear()
    ann.send(Move("m", 2, 4))
    await until(store.is_waiting.is_set, "the commit hangs")
    await server.stop()
    assert bob.socket.closed
    assert server.is_stuck
    assert not ann.answers("m"), "what is not written is not acknowledged"
    store.gate.set()


@pytest.mark.medium
async def test_nothing_is_written_once_the_server_has_stopped(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[object] = []
    ann, _, game = await seated(server, clock=(5, 0))
    room = server.sessions[game]
    await server.stop()
    monkeypatch.setattr(server.store, "commit", written.append)
    turn_clock(server, 60)
    room.check_flag()
    room.is_known = False
    room.read_log()
    ann.connection.receive(write_request(Chat("c", "anybody?")))
    await asyncio.sleep(0.3)
    assert written == []
    assert server.metrics.unanswered == 0


@pytest.mark.medium
async def test_what_is_done_now_and_then_ends_with_the_server(
    server: GameServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LOGGER, "propagate", True)
    await Guest(server).create(open=True)
    await server.stop()
    server.lobby.publish_and_refresh()
    await asyncio.sleep(0.3)
    assert len(server.tasks) == 0
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


# -- tasks -----------------------------------------------------------------------------------------


async def test_a_task_that_loses_a_cancellation_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "AGAIN", 0.01)
    ended = []

    async def lose_the_first() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(60)
        finally:
            ended.append("forgetful")

    async def obey() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("obedient")

    running = Tasks()
    running.start(lose_the_first())
    running.start(obey())
    await asyncio.sleep(0)
    await running.end()
    assert len(running) == 0
    assert sorted(ended) == ["forgetful", "obedient"]


async def test_a_job_that_must_go_on_is_begun_again_when_it_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "RESTART_SECONDS", 0.0)
    begun = 0

    async def fail_twice() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise ZeroDivisionError
        await asyncio.sleep(60)

    running = Tasks()
    running.run_forever(fail_twice)
    while begun < 3:
        await asyncio.sleep(0)
    await running.end()
    assert (begun, running.failures, len(running)) == (3, 2, 0)


# -- mishaps: a log that lost its end, a machine that slept, storage that refuses, and others ------


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


async def test_a_server_believes_a_log_that_has_lost_its_end(world: World) -> None:
    """Let a log lose its last event while the server is away from it."""
    store = Forgetful(world.path)
    server = await world.open(store)
    ann, _bob, game = await seated(server)
    assert (await ann.move(4)).status == "ok"
    store.lost = 1
    await server.reload_after_failure()
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


async def test_a_client_that_the_log_always_refuses_is_told_to_ask_again(world: World) -> None:
    store = Refusing(world.path)
    server = await world.open(store)
    ann, _, _ = await seated(server)
    store.refuses = True
    answer = await ann.move(4)
    assert (answer.status, answer.reason) == ("busy", "storage")
    store.refuses = False
    assert (await ann.move(4)).status == "ok"
    assert server.metrics.unanswered == 0


@pytest.mark.medium
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


@pytest.mark.medium
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
    server = await world.open(limits=limited(GENEROUS, games=(1, 0.01)))
    ann, bob, _ = await seated(server)
    assert (await ann.resign()).status == "ok"
    answer = await ann.offer(REMATCH)
    assert (answer.status, answer.reason) == ("busy", "too_fast")
    assert not bob.heard("offer")


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

    RedisNodes("redis://localhost", "here").receive(junk, hinted)
