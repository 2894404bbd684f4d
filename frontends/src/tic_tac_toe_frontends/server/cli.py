"""The game server from the command line until it is stopped."""

from __future__ import annotations

from collections.abc import Sequence

from ..program.extras import require_online
from ..program.process import run
from .args import ServeArgs, parse_args

#: What a server needs beside the standard library.
PACKAGES = (
    *("filelock", "markupsafe", "pebble", "platformdirs", "prometheus_client", "starlette"),
    *("uvicorn", "websockets"),
)


def main(arguments: Sequence[str] | None = None, prog: str = "python -m server") -> int:
    """Serve games and return the exit status of the process."""
    return run(lambda: _serve(parse_args(arguments, prog)))


def _serve(args: ServeArgs) -> int:
    require_online(args.language, PACKAGES)

    from .service import serve_games

    return serve_games(args)
