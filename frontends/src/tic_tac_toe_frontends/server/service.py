"""Runs the service that a command line asks for."""

from __future__ import annotations

import socket
from errno import EADDRINUSE
from gettext import NullTranslations
from logging import WARNING

import tic_tac_toe

from ..program.extras import about_solver
from ..program.page_files import find_page
from ..program.process import DONE, Refused, reason_of
from ..program.terminal import Terminal
from ..words.foreign import escaped, truncated
from .admin.endpoint import AdminError, admin_path
from .args import ServeArgs
from .computers import LONGEST_THOUGHT, Computers
from .game_server import GameServer
from .logs import configure, log
from .nodes.options import nodes_at, store_at
from .retention import KeepDays
from .run import serve
from .storage.data_files import is_public
from .storage.store import StorageError, Store


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
