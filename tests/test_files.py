"""Files are replaced whole or not at all, and journals go on after their last whole line."""

import os
import stat
from pathlib import Path

import pytest

from tic_tac_toe.files import Journal, atomic_write


def fill(descriptor: int) -> None:
    raise OSError(28, "No space left on device")


def permissions(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def write(path: Path, content: bytes, mode: int | None = None) -> None:
    with atomic_write(path, mode=mode) as file:
        file.write(content)


@pytest.mark.parametrize("mode", [None, 0o600])
def test_a_new_file_appears_whole_with_its_permissions(tmp_path: Path, mode: int | None) -> None:
    path, usual = tmp_path / "file", tmp_path / "usual"
    usual.touch()

    with atomic_write(path, mode=mode) as file:
        file.write(b"new")
        assert not path.exists()
        (unfinished,) = tmp_path.glob(".new-*")
        assert permissions(unfinished) in {permissions(usual), mode}

    assert path.read_bytes() == b"new"
    assert permissions(path) == (mode or permissions(usual))
    assert set(tmp_path.iterdir()) == {path, usual}


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fill)

    with pytest.raises(OSError, match="No space left"):
        write(path, b"new")

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_writer_removes_the_unfinished_file(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), atomic_write(tmp_path / "file"):
        raise KeyboardInterrupt

    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link_and_permissions_stay_what_they_were(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.touch()
    target.chmod(0o646)  # more than the umask leaves to a new file
    link.symlink_to(target)

    write(link, b"new")

    assert link.is_symlink()
    assert (target.read_bytes(), permissions(target)) == (b"new", 0o646)


def test_a_link_to_itself_is_an_error_of_the_system(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)

    with pytest.raises(OSError, match=r"[Ss]ymbolic links"):
        write(link, b"new")

    assert list(tmp_path.iterdir()) == [link]


@pytest.mark.parametrize("name", ["missing/file", "file/below", ""])
def test_a_place_where_no_file_can_be_is_refused_before_the_block(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(OSError, match="directory"), atomic_write(tmp_path / name):
        pytest.fail("there is nothing to write to")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_device_is_written_to_and_never_replaced() -> None:
    with pytest.raises(OSError, match="No space left on device"):
        write(Path("/dev/full"), b"new")

    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


# -- journals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", ["", "he", "head", "head\n", "head\none\n", "head\none\ntw"])
def test_a_journal_goes_on_after_its_last_whole_line(tmp_path: Path, left: str) -> None:
    path = tmp_path / "journal"
    path.write_text(left)

    with Journal(path, "head") as journal:
        assert journal.read()
        whole = journal.text
        assert path.read_text() == left
        journal.resume()
        journal.append("next")

    assert whole == left[: left.rfind("\n") + 1]
    assert path.read_text() == (whole or "head\n") + "next\n"


def test_the_beginning_of_something_else_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_text("her")

    with Journal(path, "head") as journal:
        assert not journal.read()

    assert path.read_text() == "her"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_a_journal_is_written_by_one_at_a_time(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", "head") as first:
        assert first.read()
        with Journal(tmp_path / "journal", "head") as second, pytest.raises(BlockingIOError):
            second.read()
    with Journal(tmp_path / "journal", "head") as third:
        assert third.read()
