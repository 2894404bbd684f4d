"""What a program does when it is told to end at an awkward moment."""

import contextlib
import os
import signal
from pathlib import Path

import pytest

from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe_frontends.console import cli
from tic_tac_toe_frontends.program.process import postponed_signals


def test_a_signal_waits_for_the_end_of_what_must_not_be_half_done() -> None:
    steps = []

    def save_and_go_on() -> None:
        with postponed_signals():
            signal.raise_signal(signal.SIGINT)
            steps.append("saved")
        steps.append("went on")

    with pytest.raises(KeyboardInterrupt):
        save_and_go_on()
    assert steps == ["saved"]


def play_and_hang_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the exit status of a game whose terminal goes twice: the input, then a signal."""
    fsync = os.fsync

    def interrupted_fsync(file: int) -> None:
        signal.raise_signal(signal.SIGTERM)
        fsync(file)

    monkeypatch.setattr(os, "fsync", interrupted_fsync)
    return cli.main(["-X", "random", "-O", "human", "--delay", "0", "--record", str(path)])


def test_a_signal_while_a_record_is_saved_does_not_lose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.txt"
    assert play_and_hang_up(path, monkeypatch) == 128 + signal.SIGTERM
    (record,) = parse_records(path.read_text(encoding="utf-8"))
    assert len(record.moves) == 1


def test_the_record_would_be_lost_if_signals_were_not_postponed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.txt"
    monkeypatch.setattr(cli, "postponed_signals", contextlib.nullcontext)
    assert play_and_hang_up(path, monkeypatch) == 128 + signal.SIGTERM
    assert not path.exists()


def test_who_can_hurry_up_is_told_which_signals_wait() -> None:
    def hurry() -> None:
        with postponed_signals() as arrived:
            signal.raise_signal(signal.SIGINT)
            assert arrived == [signal.SIGINT]

    with pytest.raises(KeyboardInterrupt):
        hurry()
