"""Puzzles are found again by the same command, be it stopped in between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tic_tac_toe.insight.collection import parse_collection
from tic_tac_toe.logic.rules.catalogue import find_rules
from tools.puzzles import main

NAME = "connect-four.jsonl.gz"


@pytest.mark.medium
def test_a_command_that_was_stopped_finds_the_same_puzzles(tmp_path: Path) -> None:
    journal, cut = tmp_path / "whole", tmp_path / "cut"
    _find(journal, tmp_path, count=3)
    whole = (tmp_path / NAME).read_bytes()
    lines = journal.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:1])

    _find(cut, tmp_path, count=3)

    assert (tmp_path / NAME).read_bytes() == whole
    assert cut.read_bytes() == journal.read_bytes()
    assert len(parse_collection(find_rules("connect-four"), whole)) == 3


def test_the_journal_of_another_task_is_left_alone(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    content = json.dumps({"task": "another"}) + "\n"
    journal.write_text(content, encoding="utf-8")

    with pytest.raises(SystemExit, match="another task"):
        _find(journal, tmp_path, count=1)

    assert journal.read_text(encoding="utf-8") == content


def test_a_small_game_needs_no_journal(tmp_path: Path) -> None:
    main(["notakto", "--folder", str(tmp_path)])

    assert (
        len(parse_collection(find_rules("notakto"), (tmp_path / "notakto.jsonl.gz").read_bytes()))
        == 6
    )


def _find(journal: Path, folder: Path, count: int) -> None:
    files = ["--journal", str(journal), "--folder", str(folder)]
    main(["connect-four", "--count", str(count), *files])
