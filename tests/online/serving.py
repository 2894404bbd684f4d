"""What a server process of the tests does; Python forks each from one that has imported this.

A fork is there in some milliseconds, where a new interpreter takes a second to import everything.
It is the same program with the same arguments, and dies of the same signals.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.online import thoughts
from tic_tac_toe_frontends.command.cli import main
from tic_tac_toe_frontends.server import computers

# Everything that the subcommand imports in its own time is here before the first fork.
for module in ("run", "web.app", "nodes.postgres_store", "nodes.redis_nodes", "web.pages"):
    import_module(f"tic_tac_toe_frontends.server.{module}")


def serve(
    arguments: Sequence[str], log: Path, thinks_without_end: bool, lacks: Sequence[str]
) -> None:
    """Serve until the end of the process.

    Args:
        thinks_without_end: whether its computer players are those of `thoughts`.
        lacks: modules that count as not installed.
    """
    sys.modules.update(dict.fromkeys(lacks))  # type: ignore[arg-type]
    faulthandler.register(signal.SIGUSR1)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(file, 1)
    os.dup2(file, 2)
    if thinks_without_end:
        computers.choose = thoughts.choose  # type: ignore[assignment]
    sys.exit(main(["serve", *arguments]))
