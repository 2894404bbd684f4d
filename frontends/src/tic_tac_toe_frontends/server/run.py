"""The server from its first sign of life to its last."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from socket import socket
from types import FrameType

import uvicorn

from tic_tac_toe.protocols.online.limits import FRAME_BYTES

from .app import App
from .admin import Admin
from .admin_socket import AdminSocket
from .game_server import GameServer
from .http_protocol import HttpProtocol
from .web_socket import WebSocket

#: How long, in seconds, unanswered requests for pages may keep the server from its end.
PATIENCE = 2
#: The number of connections that may wait to be accepted: after a restart all come at once.
BACKLOG = 4_096
#: Threads take turns at this interval, in seconds, so that the one that commits does not wait long.
SWITCH_SECONDS = 0.0005


class Server(uvicorn.Server):
    """Uvicorn, which opens the game server before it listens and closes it before it ends."""

    def __init__(
        self,
        config: uvicorn.Config,
        games: GameServer,
        ready: Callable[[int], None],
        admin: Path | None = None,
    ) -> None:
        super().__init__(config)
        self.games = games
        self.ready = ready
        self.admin = None if admin is None else AdminSocket(admin, Admin(games))

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Open the server, listen, and say so."""
        await self.games.open()
        if self.admin is not None:
            await self.admin.open()
        await super().startup(sockets)
        gc.collect()
        gc.freeze()
        self.ready(self.servers[0].sockets[0].getsockname()[1])

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Answer pending requests, tell all clients, and end."""
        for server in self.servers:
            server.close()
        if self.admin is not None:
            await self.admin.close()
        await self.games.stop()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in order at the first request to end and at any further one, with exit status 0."""
        self.should_exit = True


def serve(
    games: GameServer,
    sockets: Sequence[socket],
    ready: Callable[[int], None],
    proxies: Sequence[str] = (),
    admin: Path | None = None,
) -> None:
    """Serve until the process is asked to end.

    Args:
        sockets: where to listen, bound.
        ready: called with the port once everything is ready.
        proxies: the addresses whose word about client addresses is believed.
        admin: the path of the socket that the operator reaches; ``None`` for none.

    Raises:
        StorageError: the store cannot be opened.
        AdminError: the operator's socket cannot be opened.
    """
    raise_file_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(50_000, 20, 50)
    server = Server(configuration(games, proxies), games, ready, admin)
    asyncio.run(run(server, list(sockets)))


def configuration(games: GameServer, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """Return how uvicorn serves; see `serve` for the arguments."""
    return uvicorn.Config(
        App(games),
        ws=WebSocket,
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        http=HttpProtocol,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=BACKLOG,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_graceful_shutdown=PATIENCE,
    )


async def run(server: Server, sockets: list[socket]) -> None:
    """Serve, and end the process at once if a thread of it hangs in the storage."""
    await server.serve(sockets)
    if server.games.is_stuck:
        logging.shutdown()
        sys.stdout.flush()
        os._exit(1)


def raise_file_limit() -> None:
    """Let the process have as many open files as the system allows it, for each socket is one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
