"""A Redis of the tests' own, at a socket in a temporary folder."""

from __future__ import annotations

import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.online.processes import wait_until_ready


class RedisServer:
    """A Redis that keeps nothing.

    Args:
        folder: where its socket is.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"unix://{self._folder}/socket"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        log = self._folder / "log"
        with log.open("wb") as file:
            self._process = process = subprocess.Popen(
                ["redis-server", "--port", "0", "--unixsocket", str(self._folder / "socket"),
                 "--save", "", "--appendonly", "no", "--dir", str(self._folder)],
                stdin=subprocess.DEVNULL, stdout=file, stderr=file,
            )  # fmt: skip
        with socket.socket(socket.AF_UNIX) as probe:
            wait_until_ready(
                lambda: probe.connect(str(self._folder / "socket")),
                lambda: process.poll() is None,
                log.read_text,
            )

    def stop(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def running_redis() -> Iterator[RedisServer]:
    """Run a Redis for a while."""
    with tempfile.TemporaryDirectory(prefix="games-redis-", ignore_cleanup_errors=True) as name:
        server = RedisServer(Path(name))
        server.start()
        try:
            yield server
        finally:
            server.stop()
