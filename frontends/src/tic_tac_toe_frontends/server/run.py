"""The server from its first sign of life to its last."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket as socket_module
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from signal import Signals
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from types import FrameType

import uvicorn
from uvicorn.middleware.proxy_headers import _TrustedHosts

from tic_tac_toe.protocols.online.messages import FRAME_BYTES

from .admin.commands import Admin
from .admin.endpoint import AdminSocket
from .game_server import GameServer
from .logs import say
from .net.crowd import listen, most_sockets
from .net.http_protocol import HttpProtocol
from .net.web_socket import WebSocket
from .rate_limits import Account
from .web.app import App

#: How long, in seconds, unanswered requests for pages may keep the server from its end.
PATIENCE = 2
#: The number of connections that may wait to be accepted: after a restart all come at once.
BACKLOG = 4_096
#: Bytes that the system takes for a client beyond those that are on their way to it: without a
#: limit, it takes megabytes for each that does not read.
UNSENT = 64 * 1024
TCP_NOTSENT_LOWAT: int | None = getattr(socket_module, "TCP_NOTSENT_LOWAT", None)
#: Threads take turns at this interval, in seconds, so that the one that commits does not wait long.
SWITCH_SECONDS = 0.0005


class Server(uvicorn.Server):
    """Uvicorn, which opens the game server before it listens and closes it before it ends.

    Args:
        ready: called with the port.
        most: connections at once; as many as the process may have open files unless given.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        games: GameServer,
        ready: Callable[[int], None],
        admin: Path | None = None,
        most: int | None = None,
    ) -> None:
        super().__init__(config)
        self.games = games
        self.ready = ready
        self.admin = None if admin is None else AdminSocket(admin, Admin(games))
        self.most = most
        self._listening: list[asyncio.Task[None]] = []
        self._cause: str | None = None

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Open the server, listen, and say so."""
        await self.games.open()
        if self.admin is not None:
            await self.admin.open()
        await super().startup([])  # which listens nowhere
        crowd = self.games.crowd
        crowd.is_proxy = _TrustedHosts(self.config.forwarded_allow_ips or []).__contains__
        crowd.most = most_sockets() if self.most is None else self.most
        crowd.refused = partial(self.games.visits.say, "connection refused")

        def protocol_for(account: Account | None) -> asyncio.BaseProtocol:
            state = {"crowd": crowd, "account": account}
            return self.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn calls it
                config=self.config, server_state=self.server_state, app_state=state
            )

        gc.collect()
        gc.freeze()
        assert sockets
        for listener in sockets:
            _prepare(listener)
            task = asyncio.create_task(listen(listener, crowd, protocol_for))
            self._listening.append(task)
        self.ready(sockets[0].getsockname()[1])

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Answer pending requests, tell all clients, and end."""
        say("stopping", cause=self._cause)
        if self.admin is not None:
            await self.admin.close()
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        for listener in sockets or ():
            listener.close()
        await self.games.stop()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in order at the first request to end and at any further one, with exit status 0."""
        self._cause = self._cause or Signals(sig).name
        self.should_exit = True


def _prepare(listener: socket) -> None:
    """Listen, and set what accepted connections inherit.

    Small frames leave at once. The event loop would see to that only where a socket says that it
    is TCP, and without it a second frame waits until the client has acknowledged the first, often
    40 ms. And the system keeps little for clients that do not read.
    """
    listener.setblocking(False)
    listener.listen(BACKLOG)
    listener.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    if TCP_NOTSENT_LOWAT is not None:
        with contextlib.suppress(OSError):
            listener.setsockopt(IPPROTO_TCP, TCP_NOTSENT_LOWAT, UNSENT)


def serve(
    games: GameServer,
    sockets: Sequence[socket],
    ready: Callable[[int], None],
    proxies: Sequence[str] = (),
    admin: Path | None = None,
    origins: Sequence[str] = (),
) -> None:
    """Serve until the process is asked to end.

    Args:
        sockets: where to listen, bound.
        ready: called with the port once everything is ready.
        proxies: the addresses whose word about client addresses is believed.
        admin: the path of the socket that the operator reaches; ``None`` for none.
        origins: the pages of other servers that may play here.

    Raises:
        StorageError: the store cannot be opened.
        AdminError: the operator's socket cannot be opened.
    """
    raise_file_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(50_000, 20, 50)
    server = Server(configuration(games, proxies, origins), games, ready, admin)
    asyncio.run(run(server, list(sockets)))


def configuration(
    games: GameServer, proxies: Sequence[str] = (), origins: Sequence[str] = ()
) -> uvicorn.Config:
    """Return how uvicorn serves; see `serve` for the arguments."""
    return uvicorn.Config(
        App(games, origins),
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
