"""A test that needs a program and does not say so fails the check, here on small ones."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine import COMPLETE, PROGRAMS, WITHOUT, path_without, tell_skips

ROOT = Path(__file__).resolve().parents[2]
FILE = """
import subprocess

import pytest

from tests.machine import needs


@pytest.mark.parametrize("time", [1, 2])
{mark}
def test_that_needs_two_programs(time):
    subprocess.run(["dot"], check=True)
    subprocess.run(["xdotool"], check=True)
"""
BOTH, ONE, NONE = '@needs("dot", "xdotool")', '@needs("dot")', ""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of the PATH that holds two programs, which do nothing."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("dot", "xdotool"):
        (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.delenv(COMPLETE, raising=False)
    monkeypatch.delenv(WITHOUT, raising=False)
    return folder


def sample(folder: Path, mark: str) -> Path:
    """Return a folder with a test of two cases."""
    tests = folder / "tests"
    tests.mkdir()
    (tests / "test_sample.py").write_text(FILE.format(mark=mark), encoding="utf-8")
    # As conftest.py of all tests, which is no parent of this folder.
    (tests / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf-8")
    return tests


@pytest.mark.slow
@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize(
    ("variable", "value", "mark", "end"),
    [
        (COMPLETE, "1", BOTH, " 2 passed in "),
        (COMPLETE, "1", ONE, " 2 failed in "),
        (COMPLETE, "1", NONE, " 2 failed in "),
        (WITHOUT, "xdotool", ONE, " 2 failed in "),
        (WITHOUT, "xdotool", BOTH, " 2 skipped in "),
    ],
)
def test_a_test_is_shown_only_what_it_names_and_the_skipped_are_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, mark: str, end: str
) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv(variable, value)
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, sample(tmp_path, mark)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    *_, before, last = done.stdout.splitlines()

    assert end in last
    told = "skipped tests: 2 for want of programs (xdotool: 2; apt-get install xdotool)"
    assert (before == told) == ("skipped" in end)


def test_all_reasons_share_a_line() -> None:
    lacks = "Skipped: this machine lacks "
    reasons = [f"{lacks}node npm", f"{lacks}node npm", f"{lacks}tkinter", "Skipped: it is Monday"]

    assert tell_skips(reasons) == (
        "skipped tests: 3 for want of programs (node: 2, npm: 2, tkinter: 1; "
        "apt-get install nodejs npm; apt-get install python3-tk); 1 because it is Monday"
    )


def test_a_path_without_a_program_has_all_others(programs: Path, tmp_path: Path) -> None:
    path = path_without(("dot",), tmp_path / "links").split(os.pathsep)

    assert str(programs) not in path
    assert [entry.name for entry in Path(path[0]).iterdir()] == ["xdotool"]


def test_ci_installs_all_that_tests_look_for() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

    for package in [*PROGRAMS.values(), "python3-tk"]:
        assert re.search(rf"\b{package}\b", script), package


def test_the_dev_container_has_what_ci_installs() -> None:
    steps = (ROOT / ".devcontainer" / "Dockerfile").read_text(encoding="utf-8")

    assert "COPY .ci/run /checkout/.ci/run\nRUN bash /checkout/.ci/run machine" in steps


def test_the_hosted_checks_are_those_of_make_check() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    hosted = (ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8")
    (checks,) = re.findall(r"(?m)^CHECKS := (.+)$", makefile)

    assert f"check: [{checks.replace(' ', ', ')}]\n" in hosted
