"""Only interpreters that really run are found, and each version once."""

import os
import sys
from pathlib import Path

import pytest

from tools.pythons import ask_version, find_pythons

pytestmark = pytest.mark.tooling
THIS = sys.version_info[:2]


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is the whole PATH of a machine without pyenv."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "no-pyenv"))
    return tmp_path


def write_program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("script", "version"),
    [
        ("echo 'not selected' >&2; exit 127", None),
        ("echo 3 9 prefix", None),  # not supported
        ("echo 3 13 prefix", (3, 13)),  # known by its answer and not by its name
    ],
)
def test_a_name_on_the_path_stands_for_the_version_that_it_answers(
    script: str, version: tuple[int, int] | None, bare_machine: Path
) -> None:
    program = write_program(bare_machine / "python3.10", script)
    found = {} if version is None else {version: program}

    assert find_pythons() == found | {THIS: Path(sys.executable)}


def test_a_working_python_behind_a_broken_one_is_found(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_program(bare_machine / "broken" / "python3.10", "exit 1")
    working = write_program(bare_machine / "working" / "python3.10", "echo 3 10 prefix")
    folders = [bare_machine / "broken", bare_machine / "working"]
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))

    assert find_pythons()[3, 10] == (Path(sys.executable) if THIS == (3, 10) else working)


def test_the_versions_of_pyenv_are_found(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = write_program(bare_machine / "versions" / "3.12.1" / "bin" / "python", "echo 3 12 p")
    monkeypatch.setenv("PYENV_ROOT", str(bare_machine))

    assert find_pythons()[3, 12] == (Path(sys.executable) if THIS == (3, 12) else python)


@pytest.mark.parametrize("answer", ["", "Python 3.10", "3"])
def test_a_program_that_answers_anything_else_is_no_python(tmp_path: Path, answer: str) -> None:
    assert ask_version(write_program(tmp_path / "python3.10", f"echo '{answer}'")) is None


def test_a_file_that_cannot_be_started_is_no_python(tmp_path: Path) -> None:
    assert ask_version(tmp_path / "missing") is None
