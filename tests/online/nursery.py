"""A process that has imported the server and forks one whenever it is asked to.

A fork is there in some milliseconds, where a new interpreter takes a second to import everything.
It is the same program with the same arguments, and dies of the same signals.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

Program = Callable[[Sequence[str]], int]


def main() -> None:
    """Obey the orders that come in, one JSON object a line, until there are no more.

    ``{"start": [...], "broken": NAME, "log": PATH}`` forks a server and tells its number;
    ``{"wait": NUMBER}`` waits until a server has ended and tells how.
    """
    serve = _program()
    orders = os.fdopen(os.dup(0))  # nothing is read from the standard input that servers get
    for line in orders:
        order = json.loads(line)
        if "start" in order:
            number = os.fork()
            if number == 0:
                _be_a_server(order, serve)
            print(number, flush=True)
        else:
            _, status = os.waitpid(order["wait"], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)


def _program() -> Program:
    # Everything that the subcommand imports in its own time is here before the first fork.
    for module in ("service", "app", "postgres_store", "redis_hints", "pages"):
        import_module(f"tic_tac_toe_frontends.server.{module}")
    for module in ("uvicorn.lifespan.on", "uvicorn.loops.auto", "websockets.asyncio.server"):
        import_module(module)
    program: Program = import_module("tic_tac_toe_frontends.command.cli").main
    return program


def _be_a_server(order: dict[str, Any], serve: Program) -> None:
    """Serve until the end of the process."""
    code = 70
    faulthandler.register(signal.SIGUSR1)
    try:
        log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        sys.stdin = os.fdopen(0)  # the old one has been read from
        if order.get("broken"):
            import_module("tests.online.broken").sabotage(order["broken"])
        code = serve(["serve", *order["start"]]) or 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
