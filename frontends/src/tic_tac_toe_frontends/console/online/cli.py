"""The program of online play at the console."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence

from tic_tac_toe.protocols.online.client import Client

from ...program.extras import require_online
from ...program.process import DONE, INTERRUPTED, run
from .args import OnlineArgs, parse_args
from .seats import SeatFile
from .terminal import OnlineTerminal

#: The packages of online play.
PACKAGES = ("filelock", "platformdirs", "websockets")
#: Seconds to wait for the last answers after the end of the input.
PATIENCE = 10.0


def main(argv: Sequence[str] | None = None, prog: str = "tic-tac-toe online") -> int:
    """Play online and return the exit status of the process."""
    return run(lambda: _connect_and_play(parse_args(argv, prog)))


def _connect_and_play(args: OnlineArgs) -> int:
    require_online(args.language, PACKAGES)
    return asyncio.run(play(args, OnlineTerminal(sys.stdin, sys.stdout, plain=args.plain)))


async def play(args: OnlineArgs, terminal: OnlineTerminal) -> int:
    """Play until the person quits; return the exit status.

    Raises:
        Refused: the server cannot be reached, there is no such game, or seats cannot be stored.
    """
    from .link import Link, until_one_ends
    from .session import OnlineSession

    client = Client(random.SystemRandom(), time.monotonic)
    seats = SeatFile(args.seat_file, args.language)
    session = OnlineSession(args, terminal, client, seats)
    link = Link(session)

    async def run_commands() -> None:
        await session.run_commands()
        await link.wait_for_answers(PATIENCE)

    with terminal.reading(), _signals(terminal) as stopped:
        session.start()
        terminal.wait_for_line()
        try:
            await until_one_ends(link.run(), run_commands(), asyncio.shield(stopped))
        finally:
            terminal.stop()
        session.say_goodbye()
        return stopped.result() if stopped.done() else DONE


@contextlib.contextmanager
def _signals(terminal: OnlineTerminal) -> Iterator[asyncio.Future[int]]:
    """Yield a future with the exit status after Ctrl-C or another signal.

    Event loops without signal handlers, as on Windows, leave them to Python.
    """
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[int] = loop.create_future()

    def stop(status: int) -> None:
        if not stopped.done():
            stopped.set_result(status)

    with contextlib.ExitStack() as taken:
        # Windows lacks some of these signals, and its event loop has no signal handlers.
        with contextlib.suppress(NotImplementedError, AttributeError):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                status = INTERRUPTED if number == signal.SIGINT else 128 + number
                loop.add_signal_handler(number, stop, status)
                taken.callback(loop.remove_signal_handler, number)
            loop.add_signal_handler(signal.SIGCONT, terminal.resume)
            taken.callback(loop.remove_signal_handler, signal.SIGCONT)
        yield stopped
