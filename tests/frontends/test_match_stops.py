"""A match that is stopped, killed or given a wrong file loses nothing and goes on."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.solving import Command
from tic_tac_toe.contest.plan import Plan
from tic_tac_toe_frontends.command.match.journal_file import JournalFile
from tic_tac_toe_frontends.command.match.workers import WorkerLost, play_all

ENGLISH = NullTranslations()
SMALL = ("match", "easy", "random", "--seed", "5")
COMMAND = [sys.executable, "-m", "tic_tac_toe_frontends.command"]
#: Seconds within which a process has to start and to play some games, on a loaded machine.
PATIENCE = 60


def without_seconds(journal: Path) -> list[dict[str, Any]]:
    """Return the lines of a journal in their order, without what differs from run to run."""
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    for line in lines[1:]:
        for game in line["games"]:
            del game["longest"]
    return [lines[0], *sorted(lines[1:], key=lambda line: int(line["pair"]))]


def test_several_processes_play_the_same_match(in_process: Command, tmp_path: Path) -> None:
    for name, processes in (("one", "1"), ("two", "2")):
        out = ("--out", str(tmp_path / name), "--concurrency", processes)
        assert in_process(*SMALL, "--pairs", "9", *out).status == 0

    assert without_seconds(tmp_path / "one") == without_seconds(tmp_path / "two")


def test_a_match_goes_on_where_it_was_and_plays_nothing_twice(
    in_process: Command, tmp_path: Path
) -> None:
    part, whole = tmp_path / "part", tmp_path / "whole"
    in_process(*SMALL, "--pairs", "3", "--out", str(part))
    before = part.read_text()
    part.write_text(before + '{"pair": 3, "sid')
    in_process(*SMALL, "--pairs", "8", "--out", str(part))
    in_process(*SMALL, "--pairs", "8", "--out", str(whole))

    assert part.read_text().startswith(before)
    assert without_seconds(part) == without_seconds(whole)
    again = in_process(*SMALL, "--pairs", "8", "--out", str(part), "--json")
    assert again.answers[0]["pairs"] == 8
    fewer = in_process(*SMALL, "--pairs", "4", "--out", str(part), "--json")
    assert fewer.answers[0]["pairs"] == 4


def test_a_killed_match_loses_no_finished_pair(in_process: Command, tmp_path: Path) -> None:
    out, whole = tmp_path / "killed", tmp_path / "whole"
    command = [*COMMAND, *SMALL, "--pairs", "100000", "--concurrency", "2", "--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        wait_for_lines(out, 4)
        children = children_of(process.pid)
        process.kill()
    assert len(children) >= 2 or not Path("/proc").exists()
    wait_until(lambda: not any(map(is_running, children)))
    pairs = str(len(out.read_text().splitlines()) + 2)
    in_process(*SMALL, "--pairs", pairs, "--out", str(out))
    in_process(*SMALL, "--pairs", pairs, "--out", str(whole))

    assert without_seconds(out) == without_seconds(whole)


@pytest.mark.slow
@pytest.mark.parametrize("kept", [True, False])
def test_ctrl_c_ends_a_match_and_says_how_to_go_on(kept: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [*COMMAND, *SMALL, "--pairs", "2000", "--concurrency", "2"]
    with subprocess.Popen(
        [*command, "--out", str(out)] if kept else command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the first line about the progress
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=PATIENCE)[1]

    assert process.returncode == 130
    assert "tic-tac-toe: stopped after pair " in err
    told = "the same command goes on from there" if kept else "with --out they would be kept"
    assert err.endswith(f" of 2000; {told}\n")


def children_of(process: int) -> list[int]:
    """Return the processes that a process has started."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for path in tasks for child in path.read_text().split()]


def is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_for_lines(path: Path, count: int) -> None:
    wait_until(lambda: path.exists() and path.read_text().count("\n") >= count)


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_process_that_is_killed_from_outside_ends_the_match() -> None:
    plan = Plan("tic-tac-toe", ("random", "random"))
    playing = play_all(plan.pairs(100_000), 2)
    next(playing)
    children = multiprocessing.active_children()
    children[0].kill()

    with pytest.raises(WorkerLost):
        for _ in playing:
            pass
    assert not any(child.is_alive() for child in children)


def test_another_match_or_another_file_is_not_written_over(
    in_process: Command, tmp_path: Path
) -> None:
    out, letter = tmp_path / "out", tmp_path / "letter"
    in_process(*SMALL, "--pairs", "1", "--out", str(out))
    letter.write_text("Dear Ann")
    before = out.read_text()
    other = in_process("match", "easy", "random", "--seed", "6", "--out", str(out))
    wrong = in_process(*SMALL, "--out", str(letter))

    assert other.status == wrong.status == 1
    assert "another match: seed is 5 there, and 6 now" in other.err
    assert "the file holds something else than a match" in wrong.err
    assert (out.read_text(), letter.read_text()) == (before, "Dear Ann")


def test_two_processes_do_not_play_the_match_of_one_file(
    in_process: Command, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with JournalFile(str(out), Plan("tic-tac-toe", ("a", "b")), ENGLISH):
        ended = in_process(*SMALL, "--out", str(out))

    assert (ended.status, ended.out) == (1, "")
    assert ended.err.endswith(": another process plays the match of this file\n")


def test_a_full_disk_ends_the_match_in_one_line(
    in_process: Command, full_disk: None, tmp_path: Path
) -> None:
    ended = in_process(*SMALL, "--out", str(tmp_path / "out"))

    assert (ended.status, ended.out) == (1, "")
    assert ended.err.count("\n") == 1
    assert "No space left on device" in ended.err
