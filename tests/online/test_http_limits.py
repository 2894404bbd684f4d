"""Plain HTTP takes little from those who play: what an address may ask for is limited."""

from __future__ import annotations

import asyncio
import pwd
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tests.online.processes import web_socket
from tests.online.test_bounds import listening
from tests.online.visitors import Visitor, figure, status_of
from tic_tac_toe_frontends.server import rate_limits
from tic_tac_toe_frontends.server.args import parse_args
from tic_tac_toe_frontends.server.net.origins import ANY, is_welcome, origin_of
from tic_tac_toe_frontends.server.rate_limits import AT_ONCE, Allowance, Bucket
from tic_tac_toe_frontends.server.web import gate

pytestmark = pytest.mark.anyio

REQUEST = "GET /health HTTP/1.1\r\nHost: play.example\r\n\r\n"
FEW = Allowance(requests=1)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no request wait for its turn."""
    monkeypatch.setattr(rate_limits, "PROMPT", 1e6)


# -- requests --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("at_once")
async def test_an_address_that_asks_for_too_much_is_told_so_and_its_connection_closed(
    world: World,
) -> None:
    server, url = await world.listen(allowance=FEW)
    server.clock = server.limits.clock = lambda: 0.0
    statuses = await (await Visitor(url).send(REQUEST * 100)).read_all()
    assert statuses == [200] * AT_ONCE + [429]
    assert (await (await Visitor(url).send(REQUEST)).read_all())[:1] in ([429], [])
    assert await status_of(url, "/health", "127.0.0.2") == 200
    assert figure(server, "http_responses_total", status="2xx") == AT_ONCE + 1
    assert figure(server, "turned_away_total", reason="requests") == 2
    server.clock = server.limits.clock = lambda: 2.0
    assert await status_of(url, "/health") == 200


@pytest.mark.usefixtures("at_once")
async def test_an_address_opens_a_limited_number_of_connections_in_a_time(world: World) -> None:
    server, url = await world.listen(allowance=FEW)
    server.clock = server.limits.clock = lambda: 0.0
    for _ in range(AT_ONCE):
        (await Visitor(url).send("")).leave()
    assert (await (await Visitor(url).send(REQUEST)).read_all())[:1] in ([503], [])
    assert figure(server, "turned_away_total", reason="arrivals") == 1
    assert await status_of(url, "/health", "127.0.0.2") == 200


@pytest.mark.usefixtures("at_once")
async def test_behind_a_proxy_one_client_takes_nothing_from_another(world: World) -> None:
    ann, bob = ("X-Forwarded-For: 192.0.2.1\r\n", "X-Forwarded-For: 192.0.2.2\r\n")
    server, url = await world.listen(allowance=FEW, proxies=["127.0.0.1"])
    server.clock = server.limits.clock = lambda: 0.0
    proxy = Visitor(url)
    statuses = []
    for _ in range(AT_ONCE + 3):
        await proxy.ask("/plain.css", ann)
        statuses.append(await proxy.status())
    assert statuses == [200] * AT_ONCE + [429] * 3
    await proxy.ask("/health", bob)
    assert await proxy.status() == 200
    proxy.leave()


async def test_requests_beyond_a_number_in_a_second_wait_for_their_turn(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    server, url = await world.listen(allowance=Allowance(requests=5))
    server.clock = server.limits.clock = lambda: 0.0
    monkeypatch.setattr(gate, "sleep", sleep)
    last = REQUEST.replace("Host", "Connection: close\r\nHost")
    await (await Visitor(url).send(REQUEST * 40 + last)).read_all()
    assert waits == pytest.approx([number / 30 for number in range(1, 12)])


async def test_a_school_class_behind_one_address_gets_the_page_at_once(world: World) -> None:
    async def browser(url: str) -> list[int]:
        """Load five files over a connection, one after the other."""
        visitor, statuses = Visitor(url), []
        for _ in range(5):
            await visitor.ask("/plain.css")
            statuses.append(await visitor.status())
        visitor.leave()
        return statuses

    _, url = await world.listen(allowance=Allowance())
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
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_request_with_a_body_is_refused_and_nothing_after_it_read(
    world: World, method: str, fields: str, body: str, status: int
) -> None:
    _, url = await world.listen()
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
    for stranger in (
        "https://evil.example",
        "null",
        "http://friend.example",
        "http://127.0.0.1",
    ):
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
    assert is_welcome(headers, ()) is is_own
    assert is_welcome(headers, (ANY,))
    assert not is_welcome([*headers, (b"origin", b"https://evil.example")], ())


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
