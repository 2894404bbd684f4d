"""Plain HTTP takes little from those who play, and whatever connections come, others get in."""

from __future__ import annotations

import asyncio
import errno
import json
import pwd
import resource
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import h11
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.typing import Origin

from tests.online.processes import free_port, wait_until_ready, web_socket
from tests.online.visitors import Visitor, build, figure, status_of
from tests.online.world import World, limited, until
from tic_tac_toe.protocols.online.messages import PROTOCOL
from tic_tac_toe.protocols.online.requests import Events, Hello, write_request
from tic_tac_toe_frontends.program.page_files import find_page
from tic_tac_toe_frontends.server.args import parse_args
from tic_tac_toe_frontends.server.budgets import Budget, ClientLimits
from tic_tac_toe_frontends.server.web import request_limiter
from tic_tac_toe_frontends.server.wire import connection_limiter
from tic_tac_toe_frontends.server.wire.connection_limiter import ConnectionLimiter
from tic_tac_toe_frontends.server.wire.hosts import ANY, is_allowed_origin, origin_of
from tic_tac_toe_frontends.server.wire.http import HttpProtocol
from tic_tac_toe_frontends.server.wire.read_scheduler import SLICE

pytestmark = pytest.mark.anyio

REQUEST = "GET /health HTTP/1.1\r\nHost: play.example\r\n\r\n"
#: 40 requests and connections at once, and one more in each second; no request is delayed.
FEW = limited(requests=(40, 1), arrivals=(40, 1), prompt=(1e6, 1e6))


# -- requests --------------------------------------------------------------------------------------


async def test_an_address_that_asks_for_too_much_is_told_so_and_its_connection_closed(
    world: World,
) -> None:
    server, url = await world.listen(limits=FEW, still=True)
    statuses = await (await Visitor(url).send(REQUEST * 100)).read_all()
    assert statuses == [200] * 40 + [429]
    assert (await (await Visitor(url).send(REQUEST)).read_all())[:1] in ([429], [])
    assert await status_of(url, "/health", "127.0.0.2") == 200
    assert figure(server, "http_responses_total", status="2xx") == 40 + 1
    assert figure(server, "turned_away_total", reason="requests") == 2
    world.seconds = 2.0
    assert await status_of(url, "/health") == 200


async def test_an_address_opens_a_limited_number_of_connections_in_a_time(world: World) -> None:
    server, url = await world.listen(limits=FEW, still=True)
    for _ in range(40):
        (await Visitor(url).send("")).leave()
    assert (await (await Visitor(url).send(REQUEST)).read_all())[:1] in ([503], [])
    assert figure(server, "turned_away_total", reason="arrivals") == 1
    assert await status_of(url, "/health", "127.0.0.2") == 200


async def test_behind_a_proxy_one_client_takes_nothing_from_another(world: World) -> None:
    ann, bob = ("X-Forwarded-For: 192.0.2.1\r\n", "X-Forwarded-For: 192.0.2.2\r\n")
    _, url = await world.listen(limits=FEW, proxies=["127.0.0.1"], still=True)
    proxy = Visitor(url)
    statuses = []
    for _ in range(40 + 3):
        await proxy.ask("/plain.css", ann)
        statuses.append(await proxy.status())
    assert statuses == [200] * 40 + [429] * 3
    await proxy.ask("/health", bob)
    assert await proxy.status() == 200
    proxy.leave()


async def test_requests_beyond_a_number_in_a_second_wait_for_their_turn(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    _, url = await world.listen(limits=ClientLimits.of(requests=5), still=True)
    monkeypatch.setattr(request_limiter, "sleep", sleep)
    last = REQUEST.replace("Host", "Connection: close\r\nHost")
    await (await Visitor(url).send(REQUEST * 40 + last)).read_all()
    assert waits == pytest.approx([number / 30 for number in range(1, 12)])


@pytest.mark.slow
async def test_a_school_class_behind_one_address_gets_the_page_at_once(world: World) -> None:
    async def browser(url: str) -> list[int]:
        """Load five files over a connection, one after the other."""
        visitor, statuses = Visitor(url), []
        for _ in range(5):
            await visitor.ask("/plain.css")
            statuses.append(await visitor.status())
        visitor.leave()
        return statuses

    _, url = await world.listen(limits=ClientLimits())
    found = await asyncio.gather(*[browser(url) for _ in range(30 * 6)])
    assert {status for statuses in found for status in statuses} == {200}


# -- bodies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "body", "status"),
    [
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n", 400),
        ("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", "0\r\n\r\n", 400),
        ("Transfer-Encoding: chunked\r\n", "0\r\n\r\n", 413),
        ("Content-Length: 4\r\n", "body", 413),
        ("Content-Length: 4000000000\r\n", "body", 413),
        ("Content-Length: 3\r\nContent-Length: 4\r\n", "body", 400),
        ("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n", 501),
    ],
)
async def test_a_request_with_a_body_is_refused_and_nothing_after_it_read(
    world: World, fields: str, body: str, status: int
) -> None:
    _, url = await world.listen()
    for method in ("GET", "POST"):
        request = f"{method} /health HTTP/1.1\r\nHost: play.example\r\n{fields}\r\n{body}"
        statuses = await (await Visitor(url).send(request + REQUEST)).read_all()
        assert statuses in ([status], [400] if status == 501 else [])


async def test_a_request_that_says_that_it_has_no_body_is_answered(world: World) -> None:
    _, url = await world.listen()
    assert await status_of(url, "/health", headers="Content-Length: 0\r\n") == 200


@pytest.mark.parametrize(
    "fields",
    [
        "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n",
        f"X-Long: {'x' * 9000}\r\n",
        "X: y\r\n" * 200,
    ],
)
async def test_a_handshake_that_is_not_understood_is_refused_at_once(
    world: World, fields: str
) -> None:
    handshake = (
        "GET /ws HTTP/1.1\r\nHost: play.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    )
    _, url = await world.listen()
    statuses = await (await Visitor(url).send(f"{handshake}{fields}\r\n0\r\n\r\n")).read_all()
    assert 101 not in statuses


# -- origins ---------------------------------------------------------------------------------------


async def greet(url: str, origin: str | None) -> int:
    """Return the status of a handshake from a page of an origin; ``None`` for no page."""
    try:
        async with web_socket(url, origin=None if origin is None else Origin(origin)) as client:
            assert client.response is not None
            return client.response.status_code
    except InvalidStatus as error:
        return error.response.status_code


async def test_pages_of_other_servers_cannot_play_unless_the_operator_lets_them(
    world: World,
) -> None:
    server, url = await world.listen(origins=["https://friend.example"])
    own = url.removeprefix("ws://").removesuffix("/ws")
    for welcome in (None, f"http://{own}", f"https://{own}", "https://friend.example"):
        assert await greet(url, welcome) == 101
    for stranger in ("https://evil.example", "null", "http://friend.example", "http://127.0.0.1"):
        assert await greet(url, stranger) == 403
    assert figure(server, "turned_away_total", reason="origin") == 4


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        ("https://play.example", "play.example", True),
        ("https://play.example", "PLAY.example:443", True),
        ("http://play.example", "play.example:80", True),
        ("http://play.example:8765", "play.example:8765", True),
        ("http://[::1]:8765", "[::1]:8765", True),
        ("https://play.example", "play.example:80", False),
        ("https://play.example", "play.example:8765", False),
        ("https://play.example.evil", "play.example", False),
        ("https://play.example@evil.example", "play.example", False),
        ("https://evil.example/play.example", "play.example", False),
        ("file://play.example", "play.example", False),
        ("https://play.example:99999", "play.example", False),
        ("https://", "", False),
        ("", "", False),
    ],
)
def test_an_origin_is_the_servers_own_if_its_host_is(origin: str, host: str, is_own: bool) -> None:
    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    assert is_allowed_origin(headers, ()) is is_own
    assert is_allowed_origin(headers, (ANY,))
    assert not is_allowed_origin([*headers, (b"origin", b"https://evil.example")], ())


async def test_requests_for_other_names_are_refused_if_the_operator_names_the_server(
    world: World,
) -> None:
    server, url = await world.listen(hosts=["play.example"])
    port = url.removesuffix("/ws").rpartition(":")[2]

    async def status(host: str, *more: str) -> str:
        """Return the status of a request with this ``Host``."""
        path = "/ws" if more else "/online.json"
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        head = "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *more, "", ""])
        writer.write(head.encode())
        line = await reader.readline()
        writer.close()
        return line.split()[1].decode()

    upgrade = (
        *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )
    for own in ("play.example", "PLAY.example:8765", f"127.0.0.1:{port}", "localhost"):
        assert await status(own) == "200"
    for foreign in ("evil.example", "play.example.evil", "evil@play.example", "10.0.0.1", "[::1"):
        assert await status(foreign) == "421"
    assert await status("evil.example", *upgrade) == "421"
    assert figure(server, "turned_away_total", reason="host") == 6


def test_the_operator_names_hosts_without_a_port() -> None:
    assert parse_args(["--host-name", "Play.example"], "serve").host_name == ["play.example"]
    for wrong in ("play.example:80", "https://play.example", "a b", ""):
        with pytest.raises(SystemExit):
            parse_args(["--host-name", wrong], "serve")


def test_an_origin_has_no_path_and_no_usual_port() -> None:
    assert origin_of("HTTPS://Play.Example:443/games?x#y") == "https://play.example"
    assert origin_of("http://play.example:443") == "http://play.example:443"
    assert origin_of("play.example") == ""


def test_the_operator_names_origins_by_any_address_of_their_pages() -> None:
    args = parse_args(["--origin", "https://Friend.example/games", "--origin", ANY], "serve")
    assert args.origin == ["https://friend.example", ANY]
    with pytest.raises(SystemExit):
        parse_args(["--origin", "friend.example"], "serve")


def test_a_proxy_that_is_no_address_is_refused_when_the_server_starts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = ["--behind-proxy", "127.0.0.1", "--behind-proxy", "10.0.0.7/8", "--behind-proxy", "::1"]
    assert parse_args(given, "serve").behind_proxy == ["127.0.0.1", "10.0.0.0/8", "::1"]
    with pytest.raises(SystemExit):
        parse_args(["--behind-proxy", "foo", "--lang", "en"], "serve")
    assert "an address or a network such as" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("home", "shown"),
    [
        ("/home/ann", "~/.local/share/tic-tac-toe/games.sqlite"),
        ("/", "~/.local/share/tic-tac-toe/games.sqlite"),
        (None, "{here}/tic-tac-toe/games.sqlite"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="data lie elsewhere on other systems")
def test_the_help_says_where_games_are_kept_with_and_without_a_home(
    home: str | None,
    shown: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def unknown(user: int) -> NoReturn:
        raise KeyError(user)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("HOME", home)
    with pytest.raises(SystemExit) as ended:
        parse_args(["--help", "--lang", "en"], "serve")

    said = "".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    assert f"gamesarekept({shown.format(here=Path.cwd())}unlessgiven)" in said


# -- connections -------------------------------------------------------------------------------

HALF = "GET /health HTTP/1.1\r\nHos"
LARGE = bytes(range(256)) * 16 * 1024  # 4 MiB
#: Bytes that may be kept for a client that does not read.
MOST_UNREAD = 100 * 1024


@asynccontextmanager
async def sockets(url: str, host: str, count: int) -> AsyncIterator[list[ClientConnection]]:
    """Open WebSockets from an address of the loopback."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(web_socket(url, local_addr=(host, 0)))
            for _ in range(count)
        ]


async def halves(url: str, host: str, count: int) -> list[Visitor]:
    """Return visitors who have sent half a request each, one after the other."""
    visitors = []
    for _ in range(count):
        visitors.append(await Visitor(url, host).send(HALF))
        await asyncio.sleep(0.01)
    return visitors


# -- slow readers ----------------------------------------------------------------------------------


class Watched(HttpProtocol):
    """HTTP whose connections can be looked at."""

    watched: list[HttpProtocol]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.watched.append(self)


@pytest.mark.medium
async def test_little_is_kept_for_a_client_that_does_not_read(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, monkeypatch, large=LARGE)
    Watched.watched = []
    _, url = await world.listen(door=Watched)
    visitors = [Visitor(url, unread=4096) for _ in range(20)]
    for visitor in visitors:
        await visitor.ask("/large.js", "Connection: close\r\n")

    def unread() -> list[int]:
        return [each.transport.get_write_buffer_size() for each in Watched.watched]

    await until(lambda: len(unread()) == 20 and all(unread()), "answers have begun")
    for _ in range(20):
        await asyncio.sleep(0.01)
    assert max(unread()) <= MOST_UNREAD
    await visitors[7].read_all()
    for visitor in visitors:
        visitor.leave()
    assert visitors[7].came.endswith(LARGE)


def test_all_answers_share_the_bytes_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, monkeypatch, large=LARGE)
    page = find_page()
    assert page is not None
    first, second = page.respond("/large.js"), page.respond("large.js")

    assert first is not None
    assert second is not None
    assert first.body is second.body


async def test_what_is_sent_to_a_client_waits_for_no_acknowledgement(world: World) -> None:
    Watched.watched = []
    _, url = await world.listen(door=Watched)
    async with web_socket(url):
        (connection,) = (each.transport.get_extra_info("socket") for each in Watched.watched)

        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


class Hasty(Watched):
    """Gives up an answer of which nothing is read in a tenth of a second."""

    patience = 0.1 / 6


@pytest.mark.medium
async def test_a_client_that_reads_slowly_gets_the_whole_and_one_that_reads_nothing_is_sent_away(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, monkeypatch, large=LARGE)
    Hasty.watched = []
    _, url = await world.listen(door=Hasty)
    visitor = Visitor(url, unread=4096)
    await visitor.ask("/large.js", "Connection: close\r\n")
    await visitor.read_all()
    deaf = await Visitor(url, unread=4096).ask("/large.js")
    await until(lambda: len(Hasty.watched) == 2, "it is connected")
    await until(lambda: Hasty.watched[1].transport.is_closing(), "it is sent away")
    deaf.leave()

    assert visitor.came.endswith(LARGE)


# -- the connections of one address ----------------------------------------------------------------


async def test_an_address_has_a_limited_number_of_connections_of_any_kind(world: World) -> None:
    server, url = await world.listen(limits=limited(sockets=(3, 0)))
    async with sockets(url, "127.0.0.1", 2), sockets(url, "127.0.0.1", 1):
        refused = await Visitor(url).ask("/health")
        assert (await refused.read_all())[:1] in ([503], [])
        assert figure(server, "sockets") == 3
        assert figure(server, "turned_away_total", reason="sockets") == 1
        assert await status_of(url, "/health", "127.0.0.2") == 200
    await until(lambda: figure(server, "sockets") == 0, "all are gone")
    assert await status_of(url, "/health") == 200


@pytest.mark.medium
async def test_of_the_idle_connections_of_an_address_the_oldest_make_room(world: World) -> None:
    server, url = await world.listen(limits=limited(sockets=(3, 0)))
    elsewhere = (await halves(url, "127.0.0.2", 1))[0]
    visitors = await halves(url, "127.0.0.1", 6)
    assert [await each.is_closed() for each in visitors] == [True] * 3 + [False] * 3
    assert not await elsewhere.is_closed()
    assert await status_of(url, "/health") == 200
    assert figure(server, "turned_away_total", reason="sockets") == 0
    for each in (elsewhere, *visitors):
        each.leave()


async def test_connections_of_a_proxy_are_those_of_many(world: World) -> None:
    _, url = await world.listen(
        limits=limited(sockets=(2, 0), connections=(3, 0)), proxies=["127.0.0.1"]
    )
    async with AsyncExitStack() as stack:
        for number in range(6):
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            await stack.enter_async_context(web_socket(url, additional_headers=headers))
        assert await status_of(url, "/health") == 200


async def test_behind_a_proxy_the_answers_under_way_for_an_address_are_limited(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, monkeypatch, large=LARGE)
    ann, bob = ("X-Forwarded-For: 192.0.2.1\r\n", "X-Forwarded-For: 192.0.2.2\r\n")
    server, url = await world.listen(limits=limited(sockets=(2, 0)), proxies=["127.0.0.1"])
    readers = [await Visitor(url, unread=4096).ask("/large.js", ann) for _ in range(2)]
    budget = server.addresses.budget_of("192.0.2.1")
    await until(lambda: budget.under_way == 2, "they are answered")
    assert await status_of(url, "/health", headers=ann) == 429
    assert await status_of(url, "/health", headers=bob) == 200
    for reader in readers:
        reader.leave()
    await until(lambda: budget.under_way == 0, "they are gone")
    assert await status_of(url, "/health", headers=ann) == 200


# -- the connections of all addresses --------------------------------------------------------------


@pytest.mark.medium
async def test_half_requests_of_many_addresses_keep_nobody_out(world: World) -> None:
    server, url = await world.listen(most=8)
    visitors = []
    for number in range(2, 8):
        visitors += await halves(url, f"127.0.0.{number}", 4)
        assert figure(server, "sockets") <= 8
        assert await status_of(url, "/health", "127.0.0.9") == 200
        async with web_socket(url, local_addr=("127.0.0.9", 0)) as client:
            await client.send(write_request(Events("e", 0)))
            assert json.loads(await client.recv())["status"] == "ok"
    for each in visitors:
        each.leave()


async def test_where_nobody_is_idle_whoever_comes_is_sent_away_at_once(world: World) -> None:
    server, url = await world.listen(most=4)
    async with sockets(url, "127.0.0.2", 2), sockets(url, "127.0.0.3", 2) as last:
        late = await Visitor(url, "127.0.0.9").ask("/health")
        assert (await late.read_all())[:1] in ([503], [])
        assert figure(server, "turned_away_total", reason="full") == 1
        await last[0].close()
        await until(lambda: figure(server, "sockets") == 3, "one is gone")
        assert await status_of(url, "/health", "127.0.0.9") == 200


async def test_an_address_never_takes_more_than_half_of_all_connections(world: World) -> None:
    _, url = await world.listen(most=4)
    async with sockets(url, "127.0.0.2", 2):
        refused = await Visitor(url, "127.0.0.2").ask("/health")
        assert (await refused.read_all())[:1] in ([503], [])
        assert await status_of(url, "/health", "127.0.0.3") == 200


@pytest.mark.slow
async def test_with_few_open_files_others_get_in_and_the_log_stays_small_and_json(
    tmp_path: Path,
) -> None:
    port = free_port()
    command = [sys.executable, "-m", "tic_tac_toe_frontends.command", "serve", "--log", "json"]
    command += ["--port", str(port), "--data", str(tmp_path / "games.sqlite")]
    log, url = tmp_path / "log", f"ws://127.0.0.1:{port}/ws"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            stderr=file,
            stdout=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)),
        )
    try:
        await asyncio.to_thread(
            wait_until_ready,
            lambda: socket.create_connection(("127.0.0.1", port), 1).close(),
            lambda: process.poll() is None,
            log.read_text,
        )
        visitors = []
        for _ in range(3):
            for number in range(2, 7):
                visitors += [Visitor(url, f"127.0.0.{number}") for _ in range(80)]
            for visitor in visitors[-400:]:
                with suppress(ConnectionError):
                    await visitor.send(HALF)
            assert await status_of(url, "/ready", "127.0.0.9") == 200
            async with web_socket(url, local_addr=("127.0.0.9", 0)) as client:
                await client.send(write_request(Events("e", 0)))
                assert json.loads(await client.recv())["status"] == "ok"
        for visitor in visitors:
            visitor.leave()
    finally:
        process.terminate()
        assert process.wait(30) == 0
    lines = log.read_text().splitlines()
    assert len(lines) < 20
    assert all(json.loads(line)["event"] for line in lines)


async def test_a_server_that_has_no_file_left_goes_on_as_soon_as_it_has(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loop, failures = asyncio.get_running_loop(), [OSError(errno.EMFILE, "Too many open files")] * 5
    accept = loop.sock_accept

    async def sock_accept(listener: socket.socket) -> tuple[socket.socket, Any]:
        if failures:
            raise failures.pop()
        return await accept(listener)

    monkeypatch.setattr(connection_limiter, "PAUSE", 0.01)
    monkeypatch.setattr(loop, "sock_accept", sock_accept)
    _, url = await world.listen()
    assert await status_of(url, "/health") == 200
    assert caplog.messages == ["no connection can be accepted"] * 5


async def test_a_connection_that_cannot_begin_keeps_no_other_from_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, faults = ConnectionLimiter.budget_of, [ValueError("a fault")]

    def account_of(self: ConnectionLimiter, address: str) -> Budget | None:
        if faults:
            raise faults.pop()
        return honest(self, address)

    monkeypatch.setattr(ConnectionLimiter, "budget_of", account_of)
    _, url = await world.listen()
    assert await status_of(url, "/health") == 0
    assert await status_of(url, "/health") == 200


class Patient(HttpProtocol):
    """Is checked by hand."""

    patience = 54_321.0


async def test_a_connection_that_is_used_outlives_its_checks(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks: list[Callable[[], object]] = []
    loop = asyncio.get_running_loop()
    call_later = loop.call_later

    def later(delay: float, check: Callable[..., object], *values: Any) -> asyncio.TimerHandle:
        if delay == Patient.patience:
            checks.append(check)
        return call_later(delay, check, *values)

    monkeypatch.setattr(loop, "call_later", later)
    _, url = await world.listen(door=Patient)
    visitor = Visitor(url)
    for _ in range(4):
        await visitor.ask("/health")
        assert await visitor.status() == 200
        checks.pop()()
    checks.pop()()
    assert await visitor.is_closed()


@pytest.mark.parametrize(
    ("request_text", "statuses"),
    [
        (b"GET /health HTTP/1.0\r\n\r\n\r\n", [200]),
        (b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n\r\nmore", [200]),
        (b"GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n", [413]),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"a: b\r\n" * 4_000 + b"\r\n", [431]),
    ],
)
async def test_whatever_follows_a_request_it_is_answered(
    world: World, request_text: bytes, statuses: list[int]
) -> None:
    _, url = await world.listen()
    visitor = Visitor(url)
    await visitor.send(request_text)
    assert await visitor.read_all() == statuses


async def test_a_request_is_parsed_in_slices_and_others_are_answered_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = 0
    receive = h11.Connection.receive_data

    def counted(connection: h11.Connection, data: bytes) -> None:
        nonlocal longest
        longest = max(longest, len(data))
        receive(connection, data)

    monkeypatch.setattr(h11.Connection, "receive_data", counted)
    _, url = await world.listen()
    visitor = Visitor(url)
    await visitor.send(
        b"POST /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"1\r\na\r\n" * 20_000
    )
    assert await status_of(url, "/health") == 200
    assert 0 < longest <= SLICE
    visitor.leave()


async def test_a_websocket_behind_a_request_is_heard(world: World) -> None:
    _, url = await world.listen()
    visitor = Visitor(url)
    await visitor.send(
        b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        b"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: xxxxxxxxxxxxxxxxxxxxxx==\r\n\r\n"
    )
    await until_read(visitor, b"101 Switching")
    texts = [write_request(Hello(f"h{number}", PROTOCOL)) for number in range(12)]
    hellos = [Frame(Opcode.TEXT, text.encode()) for text in texts]
    closing = Frame(Opcode.CLOSE, b"\x03\xe8")
    await visitor.send(b"".join(each.serialize(mask=True) for each in [*hellos, closing]))
    await until_read(visitor, b"\x88\x02\x03\xe8")
    assert visitor.came.count(b'"type":"welcome"') == 12
    assert visitor.came.endswith(b"\x88\x02\x03\xe8")
    visitor.leave()


async def until_read(visitor: Visitor, what: bytes) -> None:
    """Read until something has come."""
    while what not in visitor.came:
        assert await visitor.read()
