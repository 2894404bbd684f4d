"""The server that is measured: a process of its own, on a core of its own."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: What strangers may ask for is less.
GENEROUS = (
    *("--messages", "100000", "--connections", "100000"),
    *("--games", "1000000", "--most-games", "1000000"),
)
PATIENCE = 60.0


#: The cores that this process may use; the first is the server's and the last that of the load.
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def use(cores: Iterable[int]) -> None:
    """Keep this process, and those that it starts from now on, on some cores."""
    if CORES:
        os.sched_setaffinity(0, cores)


def raise_limits() -> None:
    """Let this process and its children have as many files open as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if hard != resource.RLIM_INFINITY else 1 << 20
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (1 << 20, max(most, 1 << 20)))
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Serving:
    """A server on a data file of its own.

    Args:
        folder: where the file is.

    Attributes:
        port: where it listens, also after it has been started anew.
    """

    def __init__(self, folder: Path) -> None:
        self.data = folder / "games.sqlite"
        self.log = folder / "server.log"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]

    def start(self) -> None:
        """Return once it listens."""
        command = [sys.executable, "-m", "tic_tac_toe_frontends.command", "serve"]
        command += ["--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        with self.log.open("ab") as log:
            use(CORES[:1])
            self.process = subprocess.Popen([*command, *GENEROUS], stdout=log, stderr=log)
            use(CORES[-1:])
        end = time.monotonic() + PATIENCE
        while not self._listens():
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"no server:\n{self.log.read_text()}")
            time.sleep(0.01)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop it, and wait until it has stopped."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End it without a warning."""
        self.stop(signal.SIGKILL)

    @property
    def seconds(self) -> float:
        """The CPU time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def kibibytes(self) -> int:
        """The memory that it holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(
            next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]
        )


@contextmanager
def serving() -> Iterator[Serving]:
    """Run a server in a folder that goes with it, and this process on another core."""
    raise_limits()
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder))
        try:
            server.start()
            yield server
        finally:
            use(CORES)
            if server.process.poll() is None:
                server.stop()
