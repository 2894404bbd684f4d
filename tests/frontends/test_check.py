"""``tic-tac-toe check`` tells what certificates prove, or in one line what is wrong with them."""

from __future__ import annotations

import io
import lzma
from pathlib import Path

import pytest

from tests.frontends.solving import Command
from tests.test_certificate_check import DRAW, WIN, changed
from tests.theorems import sealed
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.table import small_table
from tic_tac_toe.solver.certificates import write_certificate
from tic_tac_toe_frontends.command.check import MOST_BYTES

#: A file that takes 256 MiB to be read.
HUNGRY = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 256 << 20}]


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("win").write_bytes(sealed(WIN))
    Path("draw").write_bytes(sealed(DRAW))
    Path("false").write_bytes(sealed(changed(WIN, 6)))
    Path("cut").write_bytes(sealed(WIN)[:-20])
    Path("\x1b[31m\u202e").write_bytes(sealed(WIN))


def test_each_file_is_told_in_a_line_by_its_harmless_name(in_process: Command) -> None:
    assert in_process("check", "win", "draw", "\x1b[31m\u202e") == (
        0,
        "win: Tic-tac-toe, XO./.../... x: win, proved by 2 theorems\n"
        "draw: Tic-tac-toe, XOX/.O./... x: draw, proved by 2 theorems\n"
        "\\x1b[31m\\u202e: Tic-tac-toe, XO./.../... x: win, proved by 2 theorems\n",
        "",
    )


def test_what_is_wrong_is_told_in_a_line_and_the_other_files_are_checked(
    in_process: Command,
) -> None:
    assert in_process("check", "false", "win", "cut", "missing", ".", "-", typed=b"\0") == (
        1,
        "win: Tic-tac-toe, XO./.../... x: win, proved by 2 theorems\n",
        "tic-tac-toe: false proves nothing: line 6: nothing answers the reply C3\n"
        "tic-tac-toe: cut proves nothing: line 8: the file ends before its closing line\n"
        "tic-tac-toe: cannot read missing: No such file or directory\n"
        "tic-tac-toe: cannot read .: It is a folder\n"
        "tic-tac-toe: - proves nothing: line 1: no plain text\n",
    )


def test_standard_input_is_read_and_may_be_closed(in_process: Command) -> None:
    stream, rules = io.BytesIO(), VARIANTS["misere-tic-tac-toe"]
    write_certificate(rules, Position(), small_table(rules), stream)

    proved = in_process("check", "-", typed=stream.getvalue())
    closed = in_process("check", "-", typed=None)

    assert proved.out == "-: Misère tic-tac-toe, .../.../... x: draw, proved by 64 theorems\n"
    assert closed.err == (
        "tic-tac-toe: - proves nothing: line 1: the file ends before its closing line\n"
    )


def test_a_compressed_file_is_read_within_bounds(in_process: Command) -> None:
    whole = lzma.compress(sealed(WIN))
    Path("win.xz").write_bytes(whole)
    Path("cut.xz").write_bytes(whole[:-30])
    Path("plain.xz").write_bytes(sealed(WIN))
    Path("zeros.xz").write_bytes(lzma.compress(bytes(MOST_BYTES + 1), preset=0))
    Path("hungry.xz").write_bytes(lzma.compress(sealed(WIN), filters=HUNGRY))

    assert in_process("check", "win.xz", "cut.xz", "plain.xz", "zeros.xz", "hungry.xz") == (
        1,
        "win.xz: Tic-tac-toe, XO./.../... x: win, proved by 2 theorems\n",
        "tic-tac-toe: cannot read cut.xz: no xz file, or damaged\n"
        "tic-tac-toe: cannot read plain.xz: no xz file, or damaged\n"
        "tic-tac-toe: cannot read zeros.xz: larger than 64,000,000 bytes\n"
        "tic-tac-toe: cannot read hungry.xz: no xz file, or damaged\n",
    )
