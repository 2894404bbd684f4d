"""``tic-tac-toe serve``: a game server, its backups and their verification."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str], prog: str) -> int:
    """Serve games, back them up or verify them, and return the exit status of the process."""
    if arguments and arguments[0] in ("backup", "verify"):
        from ..server.backup_cli import main as keep

        return keep(arguments, prog)

    from ..server.cli import main as serve

    return serve(arguments, prog)
