"""Files of games are read within bounds, and written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.frontends.desk import played
from tic_tac_toe.logic.record_json import records_from_json, records_to_json
from tic_tac_toe.logic.records import Record, parse_records
from tic_tac_toe_frontends.program.process import Refused
from tic_tac_toe_frontends.program.record_files import MAXIMUM_BYTES, RecordFiles
from tic_tac_toe_frontends.words.translation import load

FILES = RecordFiles(load("en", {}))
GAME = Record(moves=(4, 0), tags=(("X", "Ann"),))
ANOTHER = Record(moves=(0,))


@pytest.mark.parametrize("name", ["games.txt", "games", "games.json", "GAMES.JSONL"])
def test_games_are_added_one_after_the_other(name: str, tmp_path: Path) -> None:
    path = tmp_path / name

    for game in (GAME, ANOTHER, GAME):
        FILES.append(path, game)

    assert FILES.read(str(path)) == (GAME, ANOTHER, GAME)
    assert path.read_text(encoding="utf-8").startswith("{") == ("json" in name.lower())
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_a_file_keeps_its_form_whatever_its_name(tmp_path: Path) -> None:
    text, json = tmp_path / "games.json", tmp_path / "games.txt"
    text.write_text("1. B2 *", encoding="utf-8-sig")
    json.write_text(records_to_json([GAME]), encoding="utf-8")

    for path in (text, json):
        FILES.append(path, ANOTHER)

    assert parse_records(text.read_text(encoding="utf-8")) == (Record(moves=(4,)), ANOTHER)
    assert records_from_json(json.read_text(encoding="utf-8")) == (GAME, ANOTHER)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("é".encode() * MAXIMUM_BYTES, f"larger than {MAXIMUM_BYTES:,} bytes"),
        (b'{"format": ' + b"[" * 100_000, "line 1: "),
    ],
)
def test_what_is_too_large_or_too_deep_is_refused_in_one_line(
    content: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").write_bytes(content)

    with pytest.raises(Refused) as refusal:
        FILES.read("games")

    assert str(refusal.value).startswith(f"cannot read games: {reason}")
    assert str(refusal.value).isprintable()


def test_a_full_disk_is_told_and_leaves_the_file_as_it_was(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = tmp_path / "games.txt"
    FILES.append(path, GAME)
    request.getfixturevalue("full_disk")

    with pytest.raises(Refused, match=r"^cannot write .*games\.txt: No space left on device$"):
        FILES.append(path, ANOTHER)

    assert FILES.read(path) == (GAME,)


def test_a_folder_without_the_right_to_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    with pytest.raises(Refused, match=r"Permission denied$"):
        FILES.check(tmp_path / "games")


@pytest.mark.parametrize(
    ("typed", "result"),
    [("A1\nresign\n", "O"), ("A1\nquit\n", "*"), ("A1\n", "*"), ("A1\nB1\nC1\n", "X")],
)
def test_a_game_is_recorded_wherever_it_ends(typed: str, result: str, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"

    # O, as random as it is, leaves the first row alone.
    played("--record", str(path), "-O", "random", "--seed", "3", typed=typed)

    (record,) = FILES.read(str(path))
    assert record.result == result
    assert record.tags == (("X", "human"), ("O", "random"))


def test_a_game_that_was_never_begun_is_not_recorded(tmp_path: Path) -> None:
    played("--record", str(tmp_path / "games.txt"), typed="help\nquit\n")

    assert list(tmp_path.iterdir()) == []
