"""The programs run without what belongs to Unix: signals, locks of files, forks, Unix sockets."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.frontends.programs import ROOT, command, environment, finish

pytestmark = pytest.mark.slow
#: A command, as on Windows: takes arguments and what is typed, and returns what it has written.
Run = Callable[..., str]


@pytest.fixture
def windows(tmp_path: Path) -> dict[str, str]:
    path = os.pathsep.join(
        [str(ROOT / "tests" / "like_windows"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    )
    return environment(PYTHONPATH=path, XDG_DATA_HOME=str(tmp_path), PYTHONWARNINGS="error")


@pytest.fixture
def run(tmp_path: Path, windows: dict[str, str]) -> Run:
    def run(*arguments: str, typed: str = "", status: int = 0) -> str:
        done = finish(command(*arguments), typed, windows, tmp_path)
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return run


def test_people_play_save_and_replay(run: Run) -> None:
    typed = "B2\nsave game.txt\nquit\n"

    assert "Saved to game.txt" in run("-O", "easy", "--seed", "1", typed=typed)
    assert "B2" in run("replay", "game.txt")


def test_a_match_in_two_processes_goes_on_from_its_file(run: Run) -> None:
    match = ("match", "easy", "random", "--concurrency", "2", "--out", "match.txt")

    run(*match, "--pairs", "1")
    assert "Games won by X" in run(*match, "--pairs", "3")


def test_a_position_is_solved_and_its_certificate_holds(run: Run) -> None:
    run("solve", "--variant", "4x4x3", "--certificate", "proof.txt")

    assert "x: win" in run("check", "proof.txt")


def test_a_server_serves_and_ends_by_ctrl_c_and_its_operator_is_told_what_the_system_lacks(
    run: Run, windows: dict[str, str], tmp_path: Path
) -> None:
    words = command("serve", "--port", "0", "--data", "games.sqlite")
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env=windows, cwd=tmp_path
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            with urlopen(found[0]) as answer:
                assert answer.status == 200
        finally:
            server.send_signal(signal.SIGINT)
        server.communicate()

    assert server.returncode == 0
    assert "every replay matches" in run("serve", "verify", "games.sqlite")
    assert "no sockets that only one user reaches" in run("serve", "admin", "status", status=1)
