"""The site of the pages, built once and served as any web host would."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Some path that the site is under, as on a host with several projects.
PREFIX = "project"


class Handler(SimpleHTTPRequestHandler):
    """Serves files, and says nothing about it."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    target = folder / PREFIX
    options = ["--quiet", "--keep-going", "-d", str(folder / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(target)]
    subprocess.run(command, cwd=ROOT, check=True)
    return target


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Return where the site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=site.parent)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{PREFIX}"
        server.shutdown()
