"""A test is run again, in a new browser, if Chromium drops its page, and for nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine import needs

pytestmark = [needs("chromium"), pytest.mark.once, pytest.mark.xdist_group("browser")]

ROOT = Path(__file__).parents[1]
FILE = """
from contextlib import suppress

from playwright.sync_api import Error

from tests.chromium import CRASH
from tests.machine import needs

browsers_seen = []


@needs("chromium")
def test_page(chromium):
    browsers_seen.append(chromium)
    page = chromium.new_page()
    if len(browsers_seen) <= {crashes}:
        with page.expect_event("crash"), suppress(Error):
            page.goto("chrome://crash")
        page.evaluate("1")
    assert len(set(map(id, browsers_seen))) == {crashes} + 1
    assert {holds}
"""


def run(folder: Path, crashes: int, holds: bool = True) -> str:
    """Return how pytest ends for a test whose page is dropped some times before it is shown."""
    path = folder / "test_file.py"
    path.write_text(FILE.format(crashes=crashes, holds=holds), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml")]
    options = ["-m", "", "-p", "tests.conftest", "-p", "no:cacheprovider", str(path)]
    done = subprocess.run(
        [*command, *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("crashes", "end"),
    [(0, " 1 passed in "), (2, " 1 passed, 2 rerun in "), (3, " 1 failed, 2 rerun in ")],
)
def test_a_page_that_chromium_drops_is_tried_again_twice(
    tmp_path: Path, crashes: int, end: str
) -> None:
    assert end in run(tmp_path, crashes)


def test_what_fails_by_itself_is_not_tried_again(tmp_path: Path) -> None:
    assert " 1 failed in " in run(tmp_path, crashes=0, holds=False)
