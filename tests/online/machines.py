"""Servers that tests start for themselves: PostgreSQL, Redis, and nginx in front of ours."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.machine import find
from tests.online.processes import PATIENCE, free_port, get, wait_until_ready

#: Who runs it where the tests are run by root, which PostgreSQL refuses.
USER = "postgres"

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
            timeout=3 * PATIENCE,
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


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "server.md"


def documented_config() -> str:
    """Return the page's configuration for several servers."""
    site, upstream = re.findall(r"```nginx\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    several, count = re.subn(r"upstream tic-tac-toe \{.*?\}\n", upstream, site, flags=re.DOTALL)
    assert count == 1
    return several


@dataclass(frozen=True)
class Proxy:
    """An nginx that runs.

    Attributes:
        port: where it listens, with TLS.
        certificate: what to believe it by.
    """

    port: int
    certificate: Path

    @property
    def socket(self) -> str:
        """Where WebSockets are."""
        return f"wss://127.0.0.1:{self.port}/ws"

    @property
    def trust(self) -> ssl.SSLContext:
        """What believes this proxy, and nobody else."""
        return ssl.create_default_context(cafile=str(self.certificate))

    def get(self, path: str) -> tuple[int, str]:
        """Return the status and the text of an answer."""
        return get(f"https://127.0.0.1:{self.port}{path}", self.trust)


@contextmanager
def running_proxy(folder: Path, ports: Sequence[int]) -> Iterator[Proxy]:
    """Let nginx run in front of the servers at these ports of the loopback."""
    program = find("nginx")
    assert program is not None
    certificate, key, port = folder / "certificate.pem", folder / "key.pem", free_port()
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
    command += f" -addext subjectAltName=IP:127.0.0.1 -keyout {key} -out {certificate}"
    subprocess.run(command.split(), check=True, capture_output=True)
    text = documented_config()
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = text.replace("/etc/ssl/play.example.org.pem", str(certificate))
    text = text.replace("/etc/ssl/play.example.org.key", str(key))
    servers = "".join(
        f"    server 127.0.0.1:{number} max_fails=1 fail_timeout=2s;\n" for number in ports
    )
    text = re.sub(r"(    server 127\.0\.0\.1:\d+ .*\n)+", servers, text)
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log;\n"
        "worker_processes 1;\nevents { worker_connections 512; }\n"
        f"http {{\n    access_log off;\n{temporary}{text}}}\n",
        encoding="utf-8",
    )
    process = subprocess.Popen(
        [program, "-e", f"{folder}/nginx.log", "-p", str(folder), "-c", str(config)]
    )
    proxy = Proxy(port, certificate)
    try:
        wait_until_ready(
            lambda: proxy.get("/ready"),
            lambda: process.poll() is None,
            (folder / "nginx.log").read_text,
        )
        yield proxy
    finally:
        process.terminate()
        process.wait(PATIENCE)
