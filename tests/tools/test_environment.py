"""What the commands of the Makefile install, and what they do without."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools import environment


def test_a_solver_that_cannot_be_installed_is_told_in_one_line_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands, statuses = list[list[str]](), [1, 0]

    def run(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(
            command, statuses[len(commands) - 1], "", "ERROR: a\nERROR: b\nc\n"
        )

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(environment, "ENVIRONMENT", tmp_path)
    said = []
    for _ in range(3):
        environment.install_solver()
        said.append(capsys.readouterr().err)

    assert said == ["The compiled solver cannot be installed: b\n", "", ""]
    assert len(commands) == 2
    assert "./library[fast]" in commands[0]
