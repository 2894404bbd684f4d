"""Runs the server that a command line asks for, from start to shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from errno import EADDRINUSE
from functools import partial
from gettext import NullTranslations
from logging import WARNING
from pathlib import Path

import tic_tac_toe

from ..program.extras import about_solver
from ..program.page_files import find_page
from ..program.process import DONE, Refused, reason_of
from ..program.terminal import Terminal
from ..words.foreign import escaped, truncated
from .admin.commands import Operator
from .admin.endpoint import AdminError, AdminSocket, admin_path
from .args import ServeArgs
from .computers import LONGEST_THOUGHT, Computers
from .game_server import GameServer
from .housekeeping import READY, STOPPING, KeepDays, tell_manager
from .logs import configure, log
from .nodes.options import nodes_at, store_at
from .storage.data_files import is_public
from .storage.store import StorageError, Store
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
TCP_NOTSENT_LOWAT: int | None = getattr(socket, "TCP_NOTSENT_LOWAT", None)
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

    async def serve(self, sockets: Sequence[socket.socket]) -> None:
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


def _prepare_listener(listener: socket.socket) -> None:
    """Listen, with the options that accepted connections inherit.

    TCP_NODELAY: small frames leave at once. Without it a second frame waits until the client has
    acknowledged the first, often 40 ms; the event loop would set it only on sockets that say they
    are TCP.
    TCP_NOTSENT_LOWAT: the system buffers little for clients that do not read.
    """
    listener.setblocking(False)
    listener.listen(BACKLOG)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if TCP_NOTSENT_LOWAT is not None:
        with contextlib.suppress(OSError):
            listener.setsockopt(socket.IPPROTO_TCP, TCP_NOTSENT_LOWAT, UNSENT)


def serve(
    games: GameServer,
    sockets: Sequence[socket.socket],
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
    sockets: Sequence[socket.socket],
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


def serve_games(args: ServeArgs) -> int:
    """Serve until the process is asked to end; return its exit status.

    Raises:
        Refused: it cannot be done, with the reason.
    """
    language = args.language
    _ = language.gettext
    nodes = nodes_at(args.database, args.redis, language)
    configure(as_json={"auto": None, "json": True, "plain": False}[args.log])
    games = GameServer(
        _store(args),
        limits=args.limits,
        nodes=nodes,
        keep=KeepDays(args.keep_finished, args.keep_unplayed, args.keep_chat),
        backups=args.backups,
        log_addresses=args.log_addresses,
        computers=Computers(
            args.thinkers,
            LONGEST_THOUGHT + (args.think or 0),
            think_seconds=args.think,
            programs=dict(args.brain),
        ),
    )
    listener = _listener(args.host, args.port, language)
    host = f"[{args.host}]" if ":" in args.host else args.host

    def ready(port: int) -> None:
        terminal = Terminal.standard()
        url = f"http://{host}:{port}"
        terminal.show_entry(_("Serving games at {url} (Ctrl-C ends it).").format(url=url))
        terminal.show_entry(_storage_line(games, language))
        if find_page() is None:
            terminal.show_entry(
                _("The page to play in has not been built; to build it: {command}").format(
                    command="tic-tac-toe browser build"
                )
            )
        elif advice := about_solver(language):
            terminal.show_entry(advice)
        log(
            "ready",
            address=url,
            node=nodes.name or None,
            data=games.store.place,
            new=games.store.is_new,
            games=games.kept,
            version=tic_tac_toe.__version__,
        )

    try:
        serve(
            games,
            [listener],
            ready,
            proxies=args.behind_proxy,
            admin=admin_path(args),
            origins=args.origin,
            hosts=args.host_name,
        )
    except AdminError as error:
        message = _("no operator could reach this server: {reason}")
        raise Refused(message.format(reason=escaped(str(error)))) from None
    except StorageError as error:
        raise Refused(escaped(str(error))) from None
    finally:
        listener.close()
    log("stopped")
    return DONE


def _storage_line(games: GameServer, language: NullTranslations) -> str:
    """Return where the games are, and how many: a new file may mean a wrong path."""
    place, version = games.store.place, tic_tac_toe.__version__
    if not games.store.is_new:
        message = language.gettext("Version {version}; games in {place}: {count}")
        return message.format(version=version, place=place, count=games.kept)
    if "://" in place:
        message = language.gettext("Version {version}. A new database, without games: {place}")
    else:
        message = language.gettext("Version {version}. A new file, without games: {place}")
    return message.format(version=version, place=place)


def _store(args: ServeArgs) -> Store:
    if args.data is not None:
        try:
            args.data.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = args.language.gettext("cannot make the folder {folder}: {reason}")
            folder, reason = args.data.parent, reason_of(error, args.language)
            raise Refused(message.format(folder=folder, reason=reason)) from None
        if is_public(args.data):
            log("everybody on this machine can read the games", level=WARNING, file=str(args.data))
    return store_at(args.data, args.database, args.language, args.synchronous)


def _listener(host: str, port: int, language: NullTranslations) -> socket.socket:
    try:
        family, *_rest, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(where[:2], family=family)
    except (OSError, UnicodeError) as error:
        message = language.gettext("cannot listen at {host}, port {port}: {reason}")
        if isinstance(error, OSError) and error.errno == EADDRINUSE:
            message = language.gettext(
                "another program listens at {host}, port {port}; name another port with --port"
            )
        reason = reason_of(error, language).partition(" (while ")[0]  # Python adds the rest
        raise Refused(
            message.format(host=escaped(truncated(host)), port=port, reason=reason)
        ) from None
