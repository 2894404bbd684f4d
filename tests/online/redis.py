"""A Redis of the tests' own, at a socket in a temporary folder."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 60.0


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
        from redis import Redis
        from redis.exceptions import ConnectionError as NotConnected

        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                ["redis-server", "--port", "0", "--unixsocket", str(self._folder / "socket"),
                 "--save", "", "--appendonly", "no", "--dir", str(self._folder)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + PATIENCE
        with Redis.from_url(self.url) as client:
            while True:
                try:
                    client.ping()
                    return
                except NotConnected:
                    if self._process.poll() is not None or time.monotonic() > until:
                        said = (self._folder / "log").read_text()
                        raise RuntimeError(f"redis-server does not answer: {said}") from None
                    time.sleep(0.02)

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
