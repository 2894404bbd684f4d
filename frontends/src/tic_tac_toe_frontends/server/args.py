"""The command line of the game server."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from gettext import NullTranslations
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import InvalidStrategy
from tic_tac_toe.opponents import find_brain
from tic_tac_toe.protocols.online.messages import OPPONENT_NAME
from tic_tac_toe.protocols.online.requests import PERSON

from ..program.options import Parser, from_options
from ..words.translation import N_, localise
from .budgets import ClientLimits
from .nodes.options import add_database, add_redis, complete_options, data_file
from .wire.hosts import ANY, host_of, origin_of

#: The default address and port.
HOST, PORT = "127.0.0.1", 8765
#: The subcommands beside serving.
ADMIN, BACKUP, RESTORE = "admin", "backup", "restore"
VERIFY, UPGRADE = "verify", "upgrade"
#: Days that games without a result are kept by default, and the largest number of days.
UNPLAYED_DAYS, MOST_DAYS = 7, 36_500
#: The largest value of a limit.
MOST = 10_000_000


class ServeArgs(NamedTuple):
    """The options of a server; their help says what each means.

    Attributes:
        data: the file of games; ``None`` with a ``database``.
        database, redis: the addresses of PostgreSQL and Redis; empty without them.
        behind_proxy, origin, host_name: addresses of proxies, URLs, and names; see `App`.
        think: seconds of each computer's search; ``None``: the strategy decides.
        brain: names of computer players, each with the path of the program that plays.
        keep_finished, keep_unplayed, keep_chat: days, see `KeepDays`; ``None`` for ever.
    """

    language: NullTranslations
    host: str
    port: int
    data: Path | None
    synchronous: str
    database: str
    redis: str
    behind_proxy: list[str]
    origin: list[str]
    host_name: list[str]
    limits: ClientLimits
    thinkers: int
    think: float | None
    brain: list[tuple[str, str]]
    log: str
    log_addresses: bool
    admin: Path | None
    backups: Path | None
    keep_finished: int | None
    keep_unplayed: int | None
    keep_chat: int | None


def parse_args(arguments: Sequence[str] | None, prog: str) -> ServeArgs:
    """Return the options of a command line; exit with status 2 if they are wrong."""
    parser = make_parser(arguments, prog)
    options = parser.read()
    complete_options(parser, options)
    numbers = {name: getattr(options, name) for name in ClientLimits().options}
    limits = ClientLimits.of(**numbers)
    return from_options(ServeArgs, options, language=parser.language, limits=limits)


def make_parser(arguments: Sequence[str] | None, prog: str) -> Parser:
    """Return the parser of the server's command line."""
    parser = Parser(prog, arguments, N_("Let people anywhere play each other: a game server."))
    _ = parser.language.gettext
    parser.epilog = _("See also: {commands}").format(
        commands=", ".join(f"{prog} {name}" for name in (ADMIN, BACKUP, RESTORE, VERIFY, UPGRADE))
    )

    def add_list(
        name: str, metavar: str, read: Callable[[str], object], about: str, needed: str
    ) -> None:
        def kind(text: str) -> object:
            if found := read(text):
                return found
            raise argparse.ArgumentTypeError(needed)

        options = parser.options
        options.add_argument(
            name, metavar=metavar, type=kind, action="append", default=[], help=about
        )

    def add_number(
        name: str, metavar: str, least: int, most: int, usual: int | None, meaning: str
    ) -> None:
        about = meaning.format(number=usual)
        parser.add_value(name, metavar, about, parser.number(least, most), usual=usual)

    parser.add_value(
        "--host",
        "ADDRESS",
        _("where to listen ({host} unless given: this machine only; 0.0.0.0: all)").format(
            host=HOST
        ),
        usual=HOST,
    )
    parser.add_port(_("the port ({port} unless given; 0 for any)").format(port=PORT), usual=PORT)
    about_data = _("where games are kept ({file} unless given)").format(file=_short(data_file()))
    parser.add_value("--data", "FILE", about_data, Path)
    parser.add_choice(
        "--synchronous",
        ("full", "normal"),
        _(
            "full: what was acknowledged survives a loss of power; normal: quicker, but a loss of "
            "power may take the last acknowledged moves"
        ),
        usual="full",
    )
    add_database(
        parser, _("keep games in PostgreSQL instead, so that several servers can share them")
    )
    add_redis(
        parser,
        _("tell the other servers of news through Redis; without it they look once a second"),
    )
    add_list(
        "--behind-proxy",
        "ADDRESS",
        _proxy,
        _("believe this proxy about where clients come from; may be given more than once"),
        _("an address or a network such as 192.0.2.0/24 is needed"),
    )
    add_list(
        "--origin",
        "URL",
        lambda text: text if text == ANY else origin_of(text),
        _("let a page of another server play here, too; * for any; may be given more than once"),
        _("an address such as https://play.example.org is needed"),
    )
    add_list(
        "--host-name",
        "NAME",
        _host_name,
        _(
            "answer only requests for this name, such as play.example.org, or for this machine; "
            "may be given more than once"
        ),
        _("a name such as play.example.org is needed, without a port"),
    )
    for name, limit in ClientLimits().options.items():
        option = f"--{name.replace('_', '-')}"
        add_number(option, "NUMBER", 1, MOST, limit.number, _(limit.help))
    cores = os.cpu_count() or 2
    about_thinkers = _("processes that think for computer players (all cores but one unless given)")
    add_number("--thinkers", "NUMBER", 1, 1_000, max(1, cores - 1), about_thinkers)
    parser.add_think()
    add_list(
        "--brain",
        "NAME=PATH",
        lambda text: _program(text, parser.language),
        _(
            "let a program that speaks Gomocup's protocol play under this name; may be given more "
            "than once"
        ),
        _("a name of letters and digits that no other player has, = and a path are needed"),
    )
    parser.add_choice(
        "--log",
        ("auto", "json", "plain"),
        _("how the log is written: auto is plain on a terminal and JSON elsewhere"),
        usual="auto",
    )
    parser.add_flag("--log-addresses", _("let the log name the addresses of clients"))
    add_admin(parser, _("the socket for “serve admin” (in a folder beside the games unless given)"))
    parser.add_value(
        "--backups",
        "FOLDER",
        _("tell in metrics and status how old the last backup in it is"),
        Path,
    )
    for name, usual, meaning in (
        (
            "--keep-finished",
            None,
            _("delete games with a result so many days after their end (never unless given)"),
        ),
        (
            "--keep-unplayed",
            UNPLAYED_DAYS,
            _("delete games without a result so many days after their end ({number} unless given)"),
        ),
        (
            "--keep-chat",
            None,
            _("remove the chat of a game so many days after its end (never unless given)"),
        ),
    ):
        add_number(name, "DAYS", 0, MOST_DAYS, usual, meaning)
    parser.add_language()
    return parser


def add_admin(parser: Parser, meaning: str) -> None:
    """Add ``--admin``, the path of the operator's socket."""
    parser.add_value("--admin", "PATH", meaning, Path)


def _host_name(text: str) -> str:
    found = host_of(text)
    return found if found == text.strip().lower() else ""  # it is written with a port


def _short(path: Path) -> str:
    """Return a path for people: relative to ``~`` if it is below the user's home."""
    with suppress(RuntimeError, ValueError):
        return str("~" / path.relative_to(Path.home()))
    return str(path)


def _proxy(text: str) -> str:
    with suppress(ValueError):
        if text == ANY:
            return text
        text = text.strip()
        return str(ip_network(text, strict=False) if "/" in text else ip_address(text))
    return ""


def _program(text: str, language: NullTranslations) -> tuple[str, str] | None:
    name, equals, path = text.partition("=")
    if not equals or not OPPONENT_NAME.fullmatch(name) or name in (PERSON, *STRATEGIES):
        return None
    try:
        find_brain(path)
    except InvalidStrategy as error:
        raise argparse.ArgumentTypeError(localise(language, error)) from None
    return name, path
