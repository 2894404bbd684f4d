"""The command line of the game server and its subcommands."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..program.extras import require_online
from ..program.options import Parser
from ..program.process import run
from .admin.cli import COMMANDS as ADMIN_COMMANDS
from .admin.cli import main as administer
from .args import ADMIN, ServeArgs, parse_args
from .backup_cli import COMMANDS
from .backup_cli import main as run_storage_command

#: The packages that a server needs.
PACKAGES = (
    *("filelock", "h11", "jinja2", "markupsafe", "pebble", "platformdirs", "prometheus_client"),
    *("starlette", "websockets"),
)


def main(arguments: Sequence[str] | None = None, prog: str = "python -m server") -> int:
    """Serve games or run a subcommand, and return the exit status of the process."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] == ADMIN:
        return administer(given[1:], f"{prog} {ADMIN}")
    if given and given[0] in COMMANDS:
        return run_storage_command(given, prog)
    if given and not given[0].startswith("-"):
        return run(lambda: _refuse(given, prog))
    return run(lambda: _serve(parse_args(given, prog)))


def _refuse(given: Sequence[str], prog: str) -> int:
    name = given[0]
    parser = Parser(prog, given, "")
    message = parser.language.gettext("no command is called {name}; choose from {names}")
    names = [f"{ADMIN} {name}"] if name in ADMIN_COMMANDS else [ADMIN, *COMMANDS]
    parser.error(message.format(name=repr(name[:40]), names=", ".join(names)))


def _serve(args: ServeArgs) -> int:
    require_online(args.language, PACKAGES)

    from .service import serve_games

    return serve_games(args)
