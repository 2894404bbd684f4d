"""Files of games are read within bounds, and written whole or not at all."""

from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.frontends.desk import played
from tic_tac_toe.logic.record_json import records_from_json
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
    path = tmp_path / "games.json"
    path.write_text("1. B2 *", encoding="utf-8")

    FILES.append(path, GAME)

    assert parse_records(path.read_text(encoding="utf-8"))[1] == GAME


def test_json_is_told_by_how_it_begins(tmp_path: Path) -> None:
    FILES.append(tmp_path / "a.json", GAME)
    (tmp_path / "a.json").rename(tmp_path / "a.txt")

    FILES.append(tmp_path / "a.txt", ANOTHER)

    assert records_from_json((tmp_path / "a.txt").read_text(encoding="utf-8")) == (GAME, ANOTHER)


def test_a_byte_order_mark_is_no_part_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("1. B2 *", encoding="utf-8-sig")

    assert FILES.read(str(path)) == (Record(moves=(4,)),)


def test_standard_input_is_read_as_minus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1. B2 *")))

    assert FILES.read("-") == (Record(moves=(4,)),)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff", "byte 1 is no UTF-8 text"),
        (b"1. B2 B2 *", 'line 1: move 2 "B2": Cell is not empty'),
        (b"\n\n\x00", 'line 3: unexpected control character "\\x00"'),
        (b"x" * (MAXIMUM_BYTES + 1), f"larger than {MAXIMUM_BYTES:,} bytes"),
        ("é".encode() * MAXIMUM_BYTES, f"larger than {MAXIMUM_BYTES:,} bytes"),
        (b'{"format": ' + b"[" * 100_000, "line 1: "),
    ],
)
def test_what_is_no_record_is_refused_in_one_line(
    content: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").write_bytes(content)

    with pytest.raises(Refused) as refusal:
        FILES.read("games")

    assert str(refusal.value).startswith(f"cannot read games: {reason}")
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing", "No such file or directory"),
        (".", "Is a directory"),
        ("\x1b[31m", "No such file or directory"),
        ("a\0b", ""),
    ],
)
def test_a_file_that_cannot_be_read_is_told_by_its_harmless_name(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(Refused) as refusal:
        FILES.read(name)

    assert str(refusal.value).startswith("cannot read ")
    assert str(refusal.value).endswith(reason)
    assert str(refusal.value).isprintable()


def test_a_full_disk_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.txt"
    FILES.append(path, GAME)
    before = path.read_bytes()

    def fill(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(Refused, match=r"cannot write .*games\.txt: No space left on device$"):
        FILES.append(path, ANOTHER)

    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_device_is_written_to_and_never_replaced() -> None:
    with pytest.raises(Refused, match=r"^cannot write /dev/full: No space left on device$"):
        FILES.append(Path("/dev/full"), GAME)

    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_a_link_stays_a_link_and_rights_stay_what_they_were(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    FILES.append(target, GAME)
    target.chmod(0o640)
    link.symlink_to(target)

    FILES.append(link, ANOTHER)

    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert FILES.read(str(target)) == (GAME, ANOTHER)


def test_new_files_have_the_rights_that_the_process_gives(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        FILES.append(tmp_path / "games", GAME)
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "games").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere/games", "cannot write nowhere/games: No such file or directory"),
        (".", "cannot write .: Is a directory"),
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
