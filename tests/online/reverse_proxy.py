"""A real nginx in front of real servers, as docs/online.md says to set it up."""

from __future__ import annotations

import re
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.machine import find

from .processes import PATIENCE, free_port, get, wait_until_ready

PAGE = Path(__file__).parents[2] / "docs" / "online.md"


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
    certificate, key = _certificate(folder)
    port = free_port()
    text = documented_config()
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
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
    command = [program, "-e", f"{folder}/nginx.log", "-p", str(folder), "-c", str(config)]
    process = subprocess.Popen(command)
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


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for the loopback, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
    command += f" -addext subjectAltName=IP:127.0.0.1 -keyout {key} -out {certificate}"
    subprocess.run(command.split(), check=True, capture_output=True)
    return certificate, key
