"""Runs the server, from start to shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket as socket_module
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, socket

from .admin.commands import Operator
from .admin.endpoint import AdminSocket
from .game_server import GameServer
from .logs import log
from .supervision import READY, STOPPING, tell_manager
from .web.app import App
from .wire.connection_limiter import listen, most_sockets
from .wire.hosts import Proxies
from .wire.http import Edge, HttpProtocol

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


class Server:
    """Opens a game server before it listens, and closes it before it ends.

    Args:
        app: what is served.
        ready: called with the port.
        admin: the path of the operator's socket; ``None`` for none.
        most: connections at a time; unless given, as many as the process may have open files.
        proxies: the addresses of proxies that are trusted to name the addresses of clients.
        protocol: the class of connections.
    """

    def __init__(
        self,
        app: App,
        ready: Callable[[int], None],
        *,
        admin: Path | None = None,
        most: int | None = None,
        proxies: Sequence[str] = (),
        protocol: type[HttpProtocol] = HttpProtocol,
    ) -> None:
        self.games = app.games
        self.ready = ready
        self.admin = None if admin is None else AdminSocket(admin, Operator(app.games))
        self.edge = Edge(app, app.greet, app.games.limiter, Proxies(proxies))
        self.most = most
        self.protocol = protocol
        self._is_asked = asyncio.Event()
        self._cause: str | None = None

    def ask_to_end(self, cause: str | None = None) -> None:
        """End `serve` in order, for the first cause that is given."""
        self._cause = self._cause or cause
        self._is_asked.set()

    async def serve(self, sockets: Sequence[socket]) -> None:
        """Serve until this is asked to end.

        Raises:
            StorageError: the store cannot be opened.
            AdminError: the operator's socket cannot be opened.
        """
        await self.games.open()
        if self.admin is not None:
            await self.admin.open()
        limiter = self.games.limiter
        limiter.is_proxy = self.edge.proxies.__contains__
        limiter.most = most_sockets() if self.most is None else self.most
        limiter.refused = partial(self.games.connection_log.log, "connection refused")
        gc.collect()
        gc.freeze()
        protocol_for = partial(self.protocol, self.edge)
        for listener in sockets:
            _prepare_listener(listener)
        listening = [
            asyncio.create_task(listen(listener, limiter, protocol_for)) for listener in sockets
        ]
        self.ready(sockets[0].getsockname()[1])
        tell_manager(READY)
        await self._is_asked.wait()
        log("stopping", cause=self._cause)
        tell_manager(STOPPING)
        if self.admin is not None:
            await self.admin.close()
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        for listener in sockets:
            listener.close()
        await self.games.stop()
        await self.edge.stop(PATIENCE)


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
    serving = _run(App(games, origins, hosts), sockets, ready, proxies, admin)
    try:
        import uvloop
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


async def _run(
    app: App,
    sockets: Sequence[socket],
    ready: Callable[[int], None],
    proxies: Sequence[str],
    admin: Path | None,
) -> None:
    """Serve until a signal; then end the process at once if a thread hangs in the storage."""
    server = Server(app, ready, admin=admin, proxies=proxies)
    loop = asyncio.get_running_loop()

    def end(number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(server.ask_to_end, signal.Signals(number).name)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    await server.serve(sockets)
    if app.games.is_stuck:
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
