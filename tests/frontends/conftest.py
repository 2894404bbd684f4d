"""What the tests of the commands share."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys

import pytest

from tests.frontends.solving import Command, Ended
from tic_tac_toe import solver as fast
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.command.cli import main


@pytest.fixture
def in_process(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, loggers_as_before: None
) -> Command:
    """Return the command, run in this process: between pipes, or as if on a screen."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("LANGUAGE", raising=False)

    def call(*arguments: str, typed: bytes | None = b"", on_screen: bool = False) -> Ended:
        stdin = None if typed is None else io.TextIOWrapper(io.BytesIO(typed))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", stdin)
            for stream in (sys.stdin, sys.stdout, sys.stderr) if on_screen else ():
                patch.setattr(stream, "isatty", lambda: True)
            status = main(arguments)
        out, err = capsys.readouterr()
        return Ended(status, out, err)

    return call


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile what these tests need before the clock of any of them runs."""
    for name in ("connect-four-5x4", "connect-four"):
        rules = find_rules(name)
        limits = fast.Limits(node_limit=20_000, memory=1 << 20, threads=1)
        with contextlib.suppress(SearchLimitReached):
            fast.FastSolver(rules, limits).score(GameState.new(rules).position)
