"""The tests see faults: sources with one promise broken each, and tests that must fail on them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nightly.sabotages import SABOTAGES, Sabotage

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [ROOT / project / "src" for project in ("library", "frontends")]
OPTIONS = ("--exitfirst", "--quiet", "-m", "", "-p", "no:cacheprovider")
FAILED = pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda sabotage: sabotage.promise)
def test_a_broken_promise_makes_a_test_fail(sabotage: Sabotage, tmp_path: Path) -> None:
    for source in SOURCES:
        shutil.copytree(
            source, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for path, pieces in sabotage.changes.items():
        changed = tmp_path / path
        text = changed.read_text(encoding="utf-8")
        for old, new in pieces.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        changed.write_text(text, encoding="utf-8")

    # The path precedes that of editable installs, and processes that tests start inherit it.
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *sabotage.tests],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == FAILED, done.stdout + done.stderr
