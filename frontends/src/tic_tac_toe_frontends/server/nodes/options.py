"""Options for the place of the games: a file, or a database whose address may contain a password.

Everybody on the machine can see a password in a command line, so an address can also be read from a
file or from the environment. No part of a refused address is shown, because it may be part of the
password.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
from collections.abc import Callable
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

from ...program.extras import NODES, ONLINE_PLAY, missing_text, require_online
from ...program.folders import user_folder
from ...program.options import Parser
from ...program.process import Refused, print_error, reason_of
from ...words.foreign import escaped
from ..storage.data_files import is_public
from . import Nodes

if TYPE_CHECKING:
    from ..storage.store import Store

#: The environment variables of addresses that are not on the command line.
DATABASE_VARIABLE, REDIS_VARIABLE = "TICTACTOE_DATABASE", "TICTACTOE_REDIS"

# Drivers quote the parts of an address that they do not accept. So they never get an address that
# could be split differently, with a part of the password in another place.
_USER = r"(?:[^:@/?#\[\]\s]*(?::[^:@/?#\[\]\s]*)?@)?"
_HOST = r"(?:\[[0-9A-Fa-f:.%]+\]|[^:@/?#\[\],\s]*)(?::[0-9]{1,5})?"
_QUERY = r"(?:\?[^@?#\s]*)?"
_POSTGRES = re.compile(rf"postgres(?:ql)?://{_USER}{_HOST}(?:,{_HOST})*(?:/[^:@/?#\s]*)?{_QUERY}")
_REDIS = re.compile(rf"rediss?://{_USER}{_HOST}(?:/[0-9]*)?{_QUERY}|unix://{_USER}/[^@?#]*{_QUERY}")
#: A percent sign that is no escape, and not before the zone of an IPv6 address.
_BROKEN = re.compile(r"%(?![0-9A-Fa-f]{2})(?![^\[]*\])")
_EXAMPLES = {
    _POSTGRES: "postgresql://user:password@host:5432/games",
    _REDIS: "redis://user:password@host:6379/0",
}


class Secret(str):
    """A text that no list of options and no traceback shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'…'"


def data_file() -> Path:
    """Return the default file of games."""
    return user_folder("data", "tic-tac-toe") / "games.sqlite"


def add_database(parser: Parser, meaning: str) -> None:
    """Add ``--database``, whose value is a `Secret`."""
    kind = _address_reader(_POSTGRES, parser.language)
    parser.add_value("--database", "URL", _or_file(meaning, DATABASE_VARIABLE, parser), kind)


def add_redis(parser: Parser, meaning: str) -> None:
    """Add ``--redis``, whose value is a `Secret`."""
    kind = _address_reader(_REDIS, parser.language)
    parser.add_value("--redis", "URL", _or_file(meaning, REDIS_VARIABLE, parser), kind)


def complete_options(parser: Parser, options: argparse.Namespace) -> None:
    """Read missing addresses from the environment, and refuse two places for the games."""
    _ = parser.language.gettext
    if options.database is None and options.data is None:
        options.database = _from_environment(DATABASE_VARIABLE, _POSTGRES, parser)
    if options.database and options.data is not None:
        parser.error(_("games are kept in --data or in --database, not in both"))
    if "redis" in options:
        if options.redis and not options.database:
            parser.error(_("--redis is for several servers on one --database"))
        if options.redis is None and options.database:
            options.redis = _from_environment(REDIS_VARIABLE, _REDIS, parser)
        options.redis = options.redis or ""
    options.database = options.database or ""
    if not options.database:
        options.data = options.data or data_file()


def store_at(
    data: Path | None, database: str, language: NullTranslations, synchronous: str = "full"
) -> Store:
    """Return the store, not opened yet.

    Args:
        data: the file, if the games are not in a database.
    """
    if data is not None and not database:
        require_online(language, ["filelock", "platformdirs"])
        from ..storage.sqlite_store import SqliteStore

        return SqliteStore(data, synchronous=synchronous.upper())
    require_online(language, ["psycopg"], NODES)
    try:
        from .postgres_store import PostgresStore
    except ImportError:  # psycopg is installed without libpq
        raise Refused(missing_text(language, ONLINE_PLAY, NODES)) from None
    return PostgresStore(database)


def nodes_at(database: str, redis: str, language: NullTranslations) -> Nodes:
    """Return the other servers on a database, and what tells them of news, not opened yet."""
    if not database:
        return Nodes()
    require_online(language, ["psycopg", "redis"] if redis else ["psycopg"], NODES)
    name = secrets.token_hex(4)
    if not redis:
        return Nodes(name)
    from .redis_nodes import RedisNodes

    try:
        return RedisNodes(redis, name)
    except ValueError:  # its text may contain a part of the password
        message = language.gettext("the address of Redis cannot be read")
        raise Refused(message) from None


def _or_file(meaning: str, variable: str, parser: Parser) -> str:
    other = parser.language.gettext(
        "@FILE: the address is in a file; else it is that in {variable}"
    )
    return f"{meaning} ({other.format(variable=variable)})"


def _address_reader(pattern: re.Pattern[str], language: NullTranslations) -> Callable[[str], str]:
    """Return the type of an option whose value is an address, or ``@`` and a file with one."""

    def read(text: str) -> str:
        _ = language.gettext
        if text.startswith("@"):
            file = Path(text[1:])
            try:
                text = file.read_text(encoding="utf-8").strip()
            except (OSError, ValueError) as error:
                message = _("cannot read {file}: {reason}")
                is_refused = isinstance(error, OSError)
                reason = reason_of(error, language) if is_refused else type(error).__name__
                message = message.format(file=file, reason=reason)
                raise argparse.ArgumentTypeError(message) from None
            if is_public(file):
                message = _("everybody on this machine can read {file}").format(file=file)
                print_error(escaped(message))
        if not pattern.fullmatch(text) or _BROKEN.search(text):
            message = _(
                "an address such as {example} is needed, with special characters written as in %40"
            )
            raise argparse.ArgumentTypeError(message.format(example=_EXAMPLES[pattern]))
        return Secret(text)

    return read


def _from_environment(variable: str, pattern: re.Pattern[str], parser: Parser) -> str:
    text = os.environ.get(variable, "")
    if not text:
        return ""
    try:
        return _address_reader(pattern, parser.language)(text)
    except argparse.ArgumentTypeError as error:
        parser.error(f"{variable}: {error}")
