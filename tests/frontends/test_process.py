"""What a program does when it is told to end at an awkward moment."""

import os
import signal
from pathlib import Path

import pytest

from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe_frontends.console.cli import main
from tic_tac_toe_frontends.program.process import postponed_signals


def test_a_signal_waits_for_the_end_of_what_must_not_be_half_done() -> None:
    steps = []

    def save_and_go_on() -> None:
        with postponed_signals() as arrived:
            signal.raise_signal(signal.SIGINT)
            assert arrived == [signal.SIGINT]
            steps.append("saved")
        steps.append("went on")

    with pytest.raises(KeyboardInterrupt):
        save_and_go_on()
    assert steps == ["saved"]


def test_a_signal_while_a_record_is_saved_does_not_lose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, fsync = tmp_path / "games.txt", os.fsync

    def interrupted_fsync(file: int) -> None:
        signal.raise_signal(signal.SIGTERM)
        fsync(file)

    monkeypatch.setattr(os, "fsync", interrupted_fsync)
    played = ["-X", "random", "-O", "human", "--delay", "0", "--record", str(path)]

    assert main(played) == 128 + signal.SIGTERM
    (record,) = parse_records(path.read_text(encoding="utf-8"))
    assert len(record.moves) == 1
