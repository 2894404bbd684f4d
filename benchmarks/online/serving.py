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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
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


@dataclass
class Setting:
    """What a server is started with.

    Attributes:
        folder: where its data file and its log are.
        options: more for its command line.
        environment: more for its environment.
        most_files: that it may have open; 0: as many as the system allows.
        database: where its games are, if not in a data file.
    """

    folder: Path
    options: Sequence[str] = GENEROUS
    environment: dict[str, str] = field(default_factory=dict)
    most_files: int = 0
    database: str = ""

    @property
    def data(self) -> Path:
        """Its data file."""
        return self.folder / "games.sqlite"

    @property
    def command(self) -> list[str]:
        """What starts it, all but the port."""
        command = [sys.executable, "-m", "tic_tac_toe_frontends.command", "serve"]
        place = ["--database", self.database] if self.database else ["--data", str(self.data)]
        return [*command, "--host", "127.0.0.1", *place, *self.options]


class Serving:
    """A server on a data file of its own.

    Attributes:
        port: where it listens, also after it has been started anew.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.log = setting.folder / "server.log"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]

    def start(self) -> None:
        """Return once it listens."""
        setting = self.setting
        command = [*setting.command, "--port", str(self.port)]
        if setting.most_files:
            command = ["prlimit", f"--nofile={setting.most_files}:{setting.most_files}", *command]
        environment = {**os.environ, **setting.environment}
        with self.log.open("ab") as log:
            use(CORES[:1])
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
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
        return self._status("VmRSS")

    @property
    def peak_kibibytes(self) -> int:
        """The most memory that it has held since `forget_peak`."""
        return self._status("VmHWM")

    def forget_peak(self) -> None:
        """Begin anew to look for the most memory that it holds."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def _status(self, name: str) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith(name)).split()[1])


@contextmanager
def serving(
    prepare: Callable[[Setting], None] = lambda setting: None, kind: type[Setting] = Setting
) -> Iterator[Serving]:
    """Run a server in a folder that goes with it, and this process on another core.

    Args:
        prepare: changes what it is started with.
        kind: of its setting: what it is.
    """
    raise_limits()
    with tempfile.TemporaryDirectory() as folder:
        setting = kind(Path(folder))
        prepare(setting)
        server = Serving(setting)
        try:
            server.start()
            yield server
        finally:
            use(CORES)
            if server.process.poll() is None:
                server.stop()
