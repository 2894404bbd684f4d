"""A server that is asked to stop finishes what was begun, says so, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.online import thoughts
from tests.online.guests import Guest, any_token, opened, seated, turn_clock
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.limits import SUBPROTOCOL
from tic_tac_toe.protocols.online.replies import Answer, Closing
from tic_tac_toe.protocols.online.requests import Chat, Create, Hello, Move, Request, write_request
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.logs import LOGGER
from tic_tac_toe_frontends.server.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.store import Transaction

pytestmark = pytest.mark.anyio

CHECKOUT = Path(__file__).parents[2]
PATIENCE = 90.0
FILE = "games.sqlite"
#: How long a server may take to stop, in seconds, and what a busy machine adds to it.
PROMISED, SLACK = 5.0, 5.0


class Process:
    """A server of its own, from the command line."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self.port = port
        self.said = b""

    async def talk(self) -> ClientConnection:
        """Open a WebSocket."""
        return await connect(
            f"ws://127.0.0.1:{self.port}/ws",
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            proxy=None,
        )

    async def get(self, path: str) -> int:
        """Return the status of a page; 0 if nobody listens."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return 0
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            line = await asyncio.wait_for(reader.readline(), PATIENCE)
            return int(line.split()[1]) if line else 0
        except OSError:
            return 0
        finally:
            writer.close()

    def children(self) -> list[int]:
        """Return the processes that this one has begun, and those that these have."""
        parents: dict[int, list[int]] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                number, _, rest = path.read_text().rpartition(")")
                parents.setdefault(int(rest.split()[1]), []).append(int(number.split()[0]))
        found = [self.process.pid]
        for parent in found:
            found += parents.get(parent, [])
        return found[1:]

    async def ended(self) -> int:
        """Return the exit status as soon as there is one."""
        assert self.process.stdout is not None
        self.said += await asyncio.wait_for(self.process.stdout.read(), PATIENCE)
        return await asyncio.wait_for(self.process.wait(), PATIENCE)


@asynccontextmanager
async def running(folder: Path, *options: str, change: str = "") -> AsyncIterator[Process]:
    """Start a server, and kill it in the end if it still runs.

    Args:
        change: the name of a function of `thoughts` that changes the server before it starts.
    """
    program = ["-m", "tic_tac_toe_frontends.command"]
    if change:
        program = ["-c", f"from tests.online import thoughts; thoughts.{change}()"]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *(*program, "serve"),
        *("--port", "0", "--data", str(folder / FILE), *options),
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    said = b""
    try:
        while not (found := re.search(rb"http://127\.0\.0\.1:([0-9]+)", said)):
            line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
            assert line, said.decode()
            said += line
        server = Process(process, int(found[1]))
        server.said = said
        yield server
    finally:
        if process.returncode is None:
            process.kill()
        await asyncio.wait_for(process.communicate(), PATIENCE)


async def ask(client: ClientConnection, request: Request) -> dict[str, Any]:
    """Send a request, and return its answer."""
    await client.send(write_request(request))
    while True:
        values = json.loads(await asyncio.wait_for(client.recv(), PATIENCE))
        if values.get("id") == request.id:
            return dict(values)


async def heard(client: ClientConnection) -> list[dict[str, Any]]:
    """Return everything that comes until the connection is closed."""
    found: list[dict[str, Any]] = []
    with suppress(ConnectionClosed):
        while True:
            found.append(json.loads(await asyncio.wait_for(client.recv(), PATIENCE)))
    return found


def log_of(folder: Path, game: str) -> list[Event]:
    """Return what a server has left of a game."""
    store = SqliteStore(folder / FILE)
    store.open()
    try:
        return store.events(game)
    finally:
        store.close()


def token() -> str:
    """Return a new token."""

    return any_token()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_server_that_is_asked_to_stop_finishes_says_so_and_loses_nothing(
    how: signal.Signals, tmp_path: Path
) -> None:
    ann = token()
    async with running(tmp_path) as server:
        assert await server.get("/ready") == 200
        player, watcher, idle = [await server.talk() for _ in range(3)]
        answer = await ask(player, Create("c", ann, "tic-tac-toe", seat="X"))
        game = answer["game"]
        await ask(watcher, Hello("h", 1, game))
        chats = [Chat(f"c{number}", f"line {number}") for number in range(30)]
        for chat in chats:
            await player.send(write_request(chat))
        started = time.monotonic()
        server.process.send_signal(how)
        news, watched, idled = await asyncio.gather(*map(heard, (player, watcher, idle)))
        status = await server.ended()
        took = time.monotonic() - started
        assert status == 0
        assert took < PROMISED + SLACK
        for client, came in ((player, news), (watcher, watched), (idle, idled)):
            assert client.close_code == 1012
            (closing,) = [values for values in came if values["type"] == "closing"]
            assert closing["reason"] == "restart"
        assert await server.get("/ready") == 0
        answers = {values["id"]: values for values in news if values["type"] == "answer"}
        done = {key: values for key, values in answers.items() if values["status"] == "ok"}
        for values in answers.values():
            assert values["status"] == "ok" or values["reason"] == "stopping"
    assert b"Traceback" not in server.said
    log = {event.id: event for event in log_of(tmp_path, game)}
    for key, values in done.items():
        assert log[key].version == values["version"]
    for event in (values for values in watched if values["type"] == "event"):
        assert event["version"] in {each.version for each in log.values()}

    async with running(tmp_path) as server:
        player = await server.talk()
        ids = tuple(chat.id for chat in chats)
        welcome = await ask(player, Hello("h", 1, game, ann, 0, ids))
        assert welcome["seat"] == "X"
        fates = {fate["id"]: fate for fate in welcome["fates"]}
        assert {key for key in fates if fates[key]["status"] == "ok"} == set(log) & set(ids)
        assert set(done) <= set(log)
        server.process.terminate()
        await heard(player)
        assert await server.ended() == 0


async def check_no_orphans(
    tmp_path: Path, how: signal.Signals, change: str, patience: float = 20.0
) -> None:
    """End a server that thinks of a move without an end, and look for its processes."""
    async with running(tmp_path, "--thinkers", "2", change=change) as server:
        player = await server.talk()
        request = Create("c", token(), "gomoku", seat="X", opponent=thoughts.ENDLESS)
        answer = await ask(player, request)
        await ask(player, Move("m", 1, 112))
        end = time.monotonic() + PATIENCE
        while len(children := server.children()) < 2:
            assert time.monotonic() < end
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)  # until they think
        started = time.monotonic()
        server.process.send_signal(how)
        await heard(player)
        try:
            end = time.monotonic() + PATIENCE
            while is_there(server.process.pid):
                assert time.monotonic() < end
                await asyncio.sleep(0.02)
            if how is signal.SIGTERM:
                assert time.monotonic() - started < PROMISED + SLACK
            end = time.monotonic() + patience
            while left := [number for number in children if is_there(number)]:
                assert time.monotonic() < end, f"{left} are left behind"
                await asyncio.sleep(0.05)
        finally:
            for number in filter(is_there, children):
                os.kill(number, signal.SIGKILL)
        assert await server.ended() == (0 if how is signal.SIGTERM else -signal.SIGKILL)
        assert b"Traceback" not in server.said
    assert [event.id for event in log_of(tmp_path, answer["game"])] == ["c", "m"]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_processes_that_think_go_with_the_server(how: signal.Signals, tmp_path: Path) -> None:
    await check_no_orphans(tmp_path, how, "think_without_end")


@pytest.mark.slow
async def test_processes_that_stay_behind_are_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="left behind"):
        await check_no_orphans(tmp_path, signal.SIGKILL, "stay_behind", 5)


def is_there(number: int) -> bool:
    """Whether a process runs."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


# -- in the test's own process ---------------------------------------------------------------------


async def test_what_was_begun_is_finished_and_what_comes_later_refused(
    server: GameServer, tmp_path: Path
) -> None:
    tables = [await seated(server) for _ in range(5)]
    for ann, _, _ in tables:
        ann.send(Move("m", 2, 4))
    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0)
    late = tables[0][1]
    late.send(Chat("late", "one more thing"))
    assert not server.is_ready
    await stopping
    assert server.metrics.unanswered == 0
    refused = late.last(Answer)
    assert refused is not None
    assert refused.id == "late"
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


async def test_a_server_that_stops_too_soon_is_found(server: GameServer, tmp_path: Path) -> None:
    server.finish_seconds = 0.0
    with pytest.raises(AssertionError):
        await test_what_was_begun_is_finished_and_what_comes_later_refused(server, tmp_path)


class SlowReads(SqliteStore):
    """A store from which to read takes a moment."""

    def events(self, game: str, after: int = 0) -> list[Event]:
        time.sleep(0.4)
        return super().events(game, after)


async def test_who_waits_for_the_log_to_be_read_is_answered_before_the_server_stops(
    tmp_path: Path,
) -> None:
    async with opened(SlowReads(tmp_path / FILE)) as server:
        ann, bob, game = await seated(server)
        server.sessions[game].distrust()
        ann.send(Move("m", 2, 4))
        await server.stop()
        assert [answer.status for answer in ann.answers("m")] == ["ok"]
        assert bob.heard("move")
        assert server.metrics.unanswered == 0


class Stuck(SqliteStore):
    """A store whose commits take for ever, or nearly so."""

    seconds = 0.0

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        time.sleep(self.seconds)
        return super().commit(units)


async def test_a_disk_that_hangs_keeps_nobody_waiting_for_the_news(tmp_path: Path) -> None:
    store = Stuck(tmp_path / FILE)
    async with opened(store) as server:
        ann, bob, _ = await seated(server)
        store.seconds = 8.0
        ann.send(Move("m", 2, 4))
        await asyncio.sleep(0.1)
        started = time.monotonic()
        stopping = asyncio.create_task(server.stop())
        await bob.until(lambda: bob.socket.closed)
        assert time.monotonic() - started < PROMISED
        await stopping


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
    room.distrust()
    room.look_for_news()
    ann.connection.text(write_request(Chat("c", "anybody?")))
    await asyncio.sleep(0.5)
    assert written == []
    assert server.metrics.unanswered == 0


async def test_what_is_done_now_and_then_ends_with_the_server(
    server: GameServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LOGGER, "propagate", True)
    await Guest(server).create(open=True)
    await server.stop()
    server.lobby.spread()
    await asyncio.sleep(0.3)
    assert len(server.tasks) == 0
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_nobody_new_is_let_in_while_the_server_stops(server: GameServer) -> None:
    guest = Guest(server)
    server.is_stopping = True
    for request in (Create("c", guest.token, "tic-tac-toe"), Hello("h", 1)):
        assert (await guest.ask(request)).reason == "stopping"
    assert list(server.store.all_games()) == []
    server.is_stopping = False
