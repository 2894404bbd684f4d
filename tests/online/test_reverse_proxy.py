"""What docs/online.md says of a reverse proxy and of several servers holds with a real nginx."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tests.machine import needs

from .bots import Table
from .processes import PATIENCE, Server, closing_code, web_socket
from .races import two_nodes
from .redis import RedisServer
from .reverse_proxy import Proxy, running_proxy

pytestmark = [
    pytest.mark.slow,
    needs("nginx", "openssl"),
]
BEHIND = ("--behind-proxy", "127.0.0.1")


def figure(server: Server, name: str) -> float:
    """Return one of a server's figures, asked for without the proxy."""
    lines = server.get("/metrics")[1].splitlines()
    (value,) = [line.split()[1] for line in lines if line.startswith(f"{name} ")]
    return float(value)


async def crowd(url: str, **options: Any) -> list[ClientConnection]:
    """Open three connections that claim to come from three addresses."""
    return [
        await web_socket(url, additional_headers={"X-Forwarded-For": f"192.0.2.{n}"}, **options)
        for n in range(3)
    ]


@needs("postgres", "redis-server")
def test_players_behind_the_proxy_go_on_at_another_server_when_theirs_is_killed(
    tmp_path: Path,
    postgres_url: str,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with two_nodes(tmp_path, postgres_url, redis_server.url, options=BEHIND) as nodes:
        steps = [(20, step) for node in nodes for step in (node.kill, node.start)]
        with running_proxy(tmp_path, [node.port for node in nodes]) as proxy:
            monkeypatch.setenv("SSL_CERT_FILE", str(proxy.certificate))
            table = Table([proxy.socket], random.Random(5))
            asyncio.run(table.play(*steps))
            status, page = proxy.get(f"/games/{table.address}")
            assert status == 200
            assert "Ann (" in page
            assert proxy.get("/metrics")[0] == 404
        assert [figure(node, "tictactoe_unanswered") for node in nodes] == [0, 0]

    assert table.faults == []
    assert sum(bot.connections for bot in table.bots) > len(table.bots)


@pytest.mark.parametrize("is_told_of_proxy", [True, False])
def test_nobody_behind_the_proxy_can_claim_another_address(
    tmp_path: Path, is_told_of_proxy: bool
) -> None:
    options = ("--connections", "2", *(BEHIND if is_told_of_proxy else ()))
    server = Server(tmp_path, options=options)

    async def code_of_the_third(proxy: Proxy) -> int | None:
        sockets = await crowd(proxy.socket, ssl=proxy.trust)
        code = await closing_code(sockets[-1])
        for socket in sockets:
            await socket.close()
        return code

    with server.running(), running_proxy(tmp_path, [server.port]) as proxy:
        assert asyncio.run(code_of_the_third(proxy)) == 1013


def test_a_proxy_that_adds_to_what_clients_claim_would_be_noticed(tmp_path: Path) -> None:
    server = Server(tmp_path, options=("--connections", "2", *BEHIND))

    async def is_the_third_welcome() -> bool:
        sockets = await crowd(server.url)
        await sockets[-1].send('{"type":"hello","id":"a","protocol":1}')
        text = await asyncio.wait_for(sockets[-1].recv(), PATIENCE)
        for socket in sockets:
            await socket.close()
        return "welcome" in str(text)

    with server.running():
        assert asyncio.run(is_the_third_welcome())  # who talks as the proxy can say what it likes


def test_behind_the_proxy_the_own_page_plays_and_no_other(tmp_path: Path) -> None:
    server = Server(tmp_path, options=BEHIND)

    async def status(proxy: Proxy, origin: str) -> int:
        try:
            async with web_socket(proxy.socket, ssl=proxy.trust, origin=Origin(origin)) as client:
                assert client.response is not None
                return client.response.status_code
        except InvalidStatus as error:
            return error.response.status_code

    with server.running(), running_proxy(tmp_path, [server.port]) as proxy:
        assert asyncio.run(status(proxy, f"https://127.0.0.1:{proxy.port}")) == 101
        assert asyncio.run(status(proxy, "https://evil.example")) == 403
