"""The program serves the page until it is told to end, and ends cleanly."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.frontends.programs import FRONTENDS, environment
from tests.machine import needs

pytestmark = [needs("node", "npm"), pytest.mark.once, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_bare_checkout_serves_the_page_until_it_is_interrupted(
    site: Path, ending: signal.Signals
) -> None:
    command = [sys.executable, "-m", "browser", "--no-open", "--port", "0", "--lang", "en"]
    with subprocess.Popen(
        [*command, "-O", "hard"],
        cwd=FRONTENDS,
        env=environment(PYTHONUNBUFFERED="1"),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\S*", line)
        assert found is not None, line + process.stderr.read()
        with urllib.request.urlopen(found[0].split("?")[0], timeout=60) as response:
            page = response.read()
        process.send_signal(ending)
        _, errors = process.communicate(timeout=60)

    assert found[0].endswith("/?lang=en#o=hard")
    assert page == (site / "index.html").read_bytes()
    assert errors == ""
    assert process.returncode == (0 if ending is signal.SIGINT else 128 + ending)
