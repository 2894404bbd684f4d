"""A PostgreSQL of the tests' own: a cluster in a temporary folder, and fresh databases in it."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.machine import find

#: Who runs it where the tests are run by root, which PostgreSQL refuses.
USER = "postgres"
PATIENCE = 120.0

_numbers = itertools.count(1)


class Cluster:
    """A running PostgreSQL; it listens at a socket in its folder and at no port.

    Args:
        folder: where its data are and its socket is.
        programs: where PostgreSQL is installed.
    """

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self._programs = programs

    def create(self) -> None:
        """Make the cluster."""
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER, USER)
        self._run("initdb", "--auth=trust", "--username=tests", "--encoding=UTF8", "--no-sync",
                  "--locale=C.UTF-8", f"--pgdata={self.folder}/data")  # fmt: skip

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-c listen_addresses='' -k {self.folder} -c max_connections=200 -c fsync=off"
        self._run("pg_ctl", "start", "--wait", f"--timeout={PATIENCE:.0f}", f"--options={options}",
                  f"--pgdata={self.folder}/data", f"--log={self.folder}/log")  # fmt: skip

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast``, or ``immediate``, which is a crash."""
        self._run("pg_ctl", "stop", f"--mode={mode}", "--wait", f"--pgdata={self.folder}/data")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all its processes for a while, so that it keeps its connections and says nothing."""
        main = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        os.kill(main, signal.SIGSTOP)  # first, so that it gets no more children
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        processes = [main, *map(int, children)]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def new_database(self) -> str:
        """Return the address of a new database."""
        name = f"games{os.getpid()}_{next(_numbers)}"
        self._run("createdb", f"--host={self.folder}", "--username=tests", name)
        return f"postgresql://tests@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", USER, "--", *command]
        done = subprocess.run(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT if program != "pg_ctl" else subprocess.DEVNULL,
            timeout=2 * PATIENCE,
            check=False,
        )
        if done.returncode:
            log = self.folder / "log"
            said = log.read_text() if program == "pg_ctl" and log.exists() else done.stdout
            raise RuntimeError(f"{program} ended with {done.returncode}: {said!r}")


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Run a cluster for a while. Its folder has a short name, as that of a socket must have."""
    program = find("postgres")
    if program is None:
        raise RuntimeError("PostgreSQL not found: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="games-pg-", ignore_cleanup_errors=True) as name:
        cluster = Cluster(Path(name), Path(program).resolve().parent)
        cluster.create()
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("immediate")
