"""Runs the server, from start to shutdown."""

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
from .budgets import Budget
from .game_server import GameServer
from .logs import log
from .net.connection_limiter import listen, most_sockets
from .net.http_protocol import HttpProtocol
from .net.web_socket import WebSocket
from .supervision import READY, STOPPING, tell_manager
from .web.app import App

#: Seconds that shutdown waits for unanswered HTTP requests.
PATIENCE = 2
#: Connections that may wait to be accepted: after a restart all clients come at the same time.
BACKLOG = 4_096
#: Bytes that the system buffers for a client beside those on the wire: without a limit, it buffers
#: megabytes for each client that does not read.
UNSENT = 64 * 1024
TCP_NOTSENT_LOWAT: int | None = getattr(socket_module, "TCP_NOTSENT_LOWAT", None)
#: Seconds after which Python switches threads, so that the committing thread does not wait long.
SWITCH_SECONDS = 0.0005


class Server(uvicorn.Server):
    """Uvicorn, which opens the game server before it listens and closes it before it ends.

    Args:
        ready: called with the port.
        most: connections at a time; unless given, as many as the process may have open files.
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
        """Open the server, listen, and call `ready`."""
        await self.games.open()
        if self.admin is not None:
            await self.admin.open()
        await super().startup([])  # which listens nowhere
        limiter = self.games.limiter
        limiter.is_proxy = _TrustedHosts(self.config.forwarded_allow_ips or []).__contains__
        limiter.most = most_sockets() if self.most is None else self.most
        limiter.refused = partial(self.games.connection_log.log, "connection refused")

        def protocol_for(budget: Budget | None) -> asyncio.BaseProtocol:
            state = {"limiter": limiter, "budget": budget}
            return self.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn calls it
                config=self.config, server_state=self.server_state, app_state=state
            )

        gc.collect()
        gc.freeze()
        assert sockets
        for listener in sockets:
            _prepare_listener(listener)
            task = asyncio.create_task(listen(listener, limiter, protocol_for))
            self._listening.append(task)
        self.ready(sockets[0].getsockname()[1])
        tell_manager(READY)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Answer pending requests, tell all clients, and close everything."""
        log("stopping", cause=self._cause)
        tell_manager(STOPPING)
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
        """Shut down in order, with exit status 0, whatever signals come."""
        self._cause = self._cause or Signals(sig).name
        self.should_exit = True


def _prepare_listener(listener: socket) -> None:
    """Listen, with the options that accepted connections inherit.

    TCP_NODELAY: small frames leave at once. Without it a second frame waits until the client has
    acknowledged the first, often 40 ms; the event loop would set it only on sockets that say they
    are TCP.
    TCP_NOTSENT_LOWAT: the system buffers little for clients that do not read.
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
    hosts: Sequence[str] = (),
) -> None:
    """Serve until the process is asked to end.

    Args:
        sockets: where to listen, bound.
        ready: called with the port once everything is ready.
        proxies: the addresses of proxies that are trusted to name the addresses of clients.
        admin: the path of the operator's socket; ``None`` for none.
        origins: the pages of other servers that may play here.
        hosts: the names by which clients may ask for this server; empty for any.

    Raises:
        StorageError: the store cannot be opened.
        AdminError: the operator's socket cannot be opened.
    """
    raise_file_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(50_000, 20, 50)
    server = Server(configuration(games, proxies, origins, hosts), games, ready, admin)
    asyncio.run(run(server, list(sockets)))


def configuration(
    games: GameServer,
    proxies: Sequence[str] = (),
    origins: Sequence[str] = (),
    hosts: Sequence[str] = (),
) -> uvicorn.Config:
    """Return uvicorn's configuration; see `serve` for the arguments."""
    return uvicorn.Config(
        App(games, origins, hosts),
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
    """Serve; then end the process at once if one of its threads hangs in the storage."""
    await server.serve(sockets)
    if server.games.is_stuck:
        logging.shutdown()
        sys.stdout.flush()
        os._exit(1)


def raise_file_limit() -> None:
    """Raise the limit of open files as far as the system allows; each connection is one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
