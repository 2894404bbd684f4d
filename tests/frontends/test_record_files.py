"""Files of games are read within bounds, and written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.frontends.desk import played
from tic_tac_toe.logic.record_json import records_from_json, records_to_json
from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe.logic.records import Record
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
        (b"\xff", "byte 1 is no UTF-8 text"),
        (b"1. B2 B2 *", 'line 1: move 2 "B2": Cell is not empty'),
        (b"\n\n\x00", 'line 3: unexpected control character "\\x00"'),
        ("é".encode() * MAXIMUM_BYTES, f"larger than {MAXIMUM_BYTES:,} bytes"),
        (b'{"format": ' + b"[" * 100_000, "line 1: "),
    ],
)
def test_other_content_is_refused_in_one_line(
    content: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").write_bytes(content)

    with pytest.raises(Refused) as refusal:
        FILES.read("games")

    assert str(refusal.value).startswith(f"cannot read games: {reason}")
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"Piskvorky 20x20, 7:7, 0\r\n10,10,456\r\npr\xe1ce.exe\r\n", "a file of Piskvorky"),
        (b"(;FF[4]GM[4]SZ[15]PB[\xc4\xe3]RE[B+];B[hh];W[hg])", "an SGF file"),
        (b"\xef\xbb\xbf\n( ;GM[4];B[hh])", "an SGF file"),
        (b'<?xml version="1.0"?>\n<database/>', "XML, such as a file of RIF"),
        (b"\xffRenLib\xff\x03\x00", "a file of RenLib"),
        (b'{\n  "configuration": {"rows": 6},\n  "steps": []\n}', "JSON of another program"),
        (b'[{"steps": [[1, 2]]}]', "JSON of another program"),
    ],
)
def test_a_file_of_another_program_is_named(content: bytes, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(content)

    with pytest.raises(Refused) as refusal:
        FILES.read(path)

    assert str(refusal.value).endswith(f"game: this is {kind}; such files are not supported yet")


def test_a_list_of_moves_without_a_game_is_told_what_it_was_taken_for(tmp_path: Path) -> None:
    path = tmp_path / "moves.txt"
    path.write_text("1. h8 h9 2. g7 *", encoding="utf-8")

    with pytest.raises(Refused, match=r"without a tag such as .* a game is tic-tac-toe$"):
        FILES.read(path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing", "No such file or directory"),
        (".", "It is a folder"),
        ("\x1b[31m", "No such file or directory"),
        ("a\0b", ""),
    ],
)
def test_a_file_that_cannot_be_read_is_told_by_its_harmless_name(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(Refused, match=rf"^cannot read .*{reason}$") as refusal:
        FILES.read(name)

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


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere/games", "cannot write nowhere/games: No such file or directory"),
        (".", "cannot write .: It is a folder"),
        ("diary", "cannot read diary: line 1: "),
    ],
)
def test_a_file_that_no_game_can_be_added_to_is_refused_before_the_game(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("diary").write_text("Dear diary!", encoding="utf-8")

    with pytest.raises(Refused) as refusal:
        played("--record", name, typed="B2\n")

    assert str(refusal.value).startswith(reason)
    assert Path("diary").read_text(encoding="utf-8") == "Dear diary!"


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
