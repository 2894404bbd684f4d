"""Real server processes for tests: started, killed and stopped on one data file and one port."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.online.serving import serve
from tic_tac_toe.protocols.online.messages import SUBPROTOCOL

#: Forks servers from a process that has imported all that they need.
FORK_SERVER = multiprocessing.get_context("forkserver")
FORK_SERVER.set_forkserver_preload(["tests.online.serving"])
#: The seconds that anything here may take on a slow machine that does other work.
PATIENCE = 90.0
#: What tests from one address ask for is more than a stranger may.
GENEROUS = (
    *("--messages", "100000", "--connections", "100000"),
    *("--games", "1000000", "--most-games", "1000000"),
    *("--requests", "100000"),
)


def web_socket(url: str, **options: Any) -> connect:
    """Return a connection to a server's WebSocket, which is opened when it is awaited or entered.

    Args:
        options: more for `websockets.asyncio.client.connect`.
    """
    return connect(
        url,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        ping_interval=None,
        open_timeout=PATIENCE,
        close_timeout=1,
        proxy=None,
        **options,
    )


async def closing_code(client: ClientConnection) -> int | None:
    """Return the code with which the server closes a connection."""
    await asyncio.wait_for(client.wait_closed(), PATIENCE)
    return client.close_code


def get(url: str, context: ssl.SSLContext | None = None) -> tuple[int, str]:
    """Return the status and the text of a page."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE, context=context) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def is_running(number: int) -> bool:
    """Whether a process is there and does not only wait for its parent to learn of its end."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


def wait_until_ready(
    ask: Callable[[], object], is_there: Callable[[], bool], said: Callable[[], str]
) -> None:
    """Return as soon as a program answers that has just been started.

    Args:
        ask: asks it for something; raises an `OSError` as long as it does not answer.
        is_there: whether it still runs.
        said: what it has written.

    Raises:
        RuntimeError: it has ended, or has not answered within `PATIENCE`.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and is_there():
        with suppress(OSError):
            ask()
            return
        time.sleep(0.005)
    raise RuntimeError(f"the program does not answer; it said:\n{said()}")


def free_port() -> int:
    """Return a port of the loopback on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A server on one data file and one port, which comes and goes.

    Args:
        folder: where its data file and what it says are.
        thinks_without_end: whether its computer players think as `thoughts.choose` does.
        options: more for its command line.
        database: where the data is, in place of a file in the folder.
        lacks: modules that count as not installed.

    Attributes:
        address, url: where its pages and its WebSocket are.
    """

    def __init__(
        self,
        folder: Path,
        *,
        thinks_without_end: bool = False,
        options: Sequence[str] = (),
        database: Sequence[str] = (),
        lacks: Sequence[str] = (),
    ) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.url = f"ws://127.0.0.1:{self.port}/ws"
        self.data = folder / "games.sqlite"
        self.log = folder / f"server-{self.port}.log"
        self.thinks_without_end, self.lacks = thinks_without_end, lacks
        self.arguments = (
            *("--host", "127.0.0.1", "--port", str(self.port)),
            *(database or ("--data", str(self.data))),
            *GENEROUS,
            *options,
        )
        self.process: ForkServerProcess | None = None

    @property
    def number(self) -> int:
        """The number of its process; 0 if it does not run."""
        return 0 if self.process is None else self.process.pid or 0

    def launch(self) -> None:
        """Start it, and do not wait until it listens."""
        assert not self.number, "it runs already"
        arguments = self.arguments, self.log, self.thinks_without_end, self.lacks
        process = FORK_SERVER.Process(target=serve, args=arguments)
        process.start()
        self.process = process

    def start(self) -> None:
        """Start it, and return as soon as it listens."""
        self.launch()
        address = "127.0.0.1", self.port
        wait_until_ready(
            lambda: socket.create_connection(address, 1).close(),
            lambda: is_running(self.number),
            self.said,
        )

    @contextmanager
    def running(self) -> Iterator[Server]:
        """Run it for a while; a test that stops it meanwhile may have started it again."""
        try:
            self.start()
            yield self
        finally:
            if self.number:
                self.stop()

    def get(self, path: str) -> tuple[int, str]:
        """Return the status and the text of a page."""
        return get(self.address + path)

    def kill(self) -> None:
        """Kill it at once and without a warning."""
        self.end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop, and return its exit status."""
        return self.end(signal.SIGTERM)

    def end(self, how: signal.Signals) -> int:
        """Send it a signal that ends it, and return its exit status."""
        process, self.process = self.process, None
        assert process is not None
        assert process.pid
        os.kill(process.pid, how)
        process.join(PATIENCE)
        assert process.exitcode is not None, "the server does not stop"
        return process.exitcode

    def said(self) -> str:
        """Return what it has printed and logged."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""
