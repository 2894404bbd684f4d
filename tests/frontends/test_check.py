"""``tic-tac-toe check`` tells what certificates prove, or in one line what is wrong with them."""

from __future__ import annotations

import ast
import io
import sys
from pathlib import Path
from string import Formatter

import pytest

from tests.frontends.programs import run
from tests.test_certificate_check import DRAW, WIN, changed
from tests.theorems import sealed
from tic_tac_toe import certificate_check
from tic_tac_toe.certificate_check import InvalidCertificate
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.table import small_table
from tic_tac_toe.solver.certificates import write_certificate
from tic_tac_toe_frontends.command.check import main
from tic_tac_toe_frontends.words.library_messages import TEMPLATES
from tic_tac_toe_frontends.words.messages import localise
from tic_tac_toe_frontends.words.translation import load


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("win").write_bytes(sealed(WIN))
    Path("draw").write_bytes(sealed(DRAW))
    Path("false").write_bytes(sealed(changed(WIN, 6)))
    Path("cut").write_bytes(sealed(WIN)[:-20])


def checked(capsys: pytest.CaptureFixture[str], *names: str) -> tuple[int, str, str]:
    status = main(names, "tic-tac-toe check")
    out, err = capsys.readouterr()
    return status, out, err


def test_each_file_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(capsys, "win", "draw") == (
        0,
        "win: Tic-tac-toe, XO./.../... x: win, proved by 2 theorems\n"
        "draw: Tic-tac-toe, XOX/.O./... x: draw, proved by 2 theorems\n",
        "",
    )


def test_what_is_wrong_is_told_in_a_line_and_the_other_files_are_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert checked(capsys, "false", "win", "cut", "missing", ".") == (
        1,
        "win: Tic-tac-toe, XO./.../... x: win, proved by 2 theorems\n",
        "tic-tac-toe: false proves nothing: line 6: nothing answers the reply C3\n"
        "tic-tac-toe: cut proves nothing: line 8: the file ends before its closing line\n"
        "tic-tac-toe: cannot read missing: No such file or directory\n"
        "tic-tac-toe: cannot read .: Is a directory\n",
    )


def test_a_file_is_named_harmlessly(capsys: pytest.CaptureFixture[str]) -> None:
    name = "\x1b[31m\u202e"
    Path(name).write_bytes(sealed(WIN))

    status, out, _ = checked(capsys, name)

    assert status == 0
    assert out.startswith("\\x1b[31m\\u202e: Tic-tac-toe, ")


def test_without_a_standard_input_nothing_is_proved(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)

    assert checked(capsys, "-") == (
        1,
        "",
        "tic-tac-toe: - proves nothing: line 1: the file ends before its closing line\n",
    )


def test_the_program_reads_standard_input(tmp_path: Path) -> None:
    stream = io.BytesIO()
    rules = VARIANTS["misere-tic-tac-toe"]
    write_certificate(rules, Position(), small_table(rules), stream)

    proved = run("check", "-", typed=stream.getvalue().decode())
    refused = run("check", "-", "win", typed="\x00", cwd=tmp_path)

    assert proved.returncode == 0
    assert proved.stdout == ("-: Misère tic-tac-toe, .../.../... x: draw, proved by 64 theorems\n")
    assert refused.returncode == 1
    assert refused.stderr == "tic-tac-toe: - proves nothing: line 1: no plain text\n"
    assert refused.stdout.startswith("win: ")


def test_without_a_file_it_is_wrong_usage() -> None:
    ended = run("check")

    assert ended.returncode == 2
    assert "FILE" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_every_message_of_the_checker_can_be_translated() -> None:
    """What the checker refuses with is a template of the front ends, with the same parts."""

    def nameless(template: str) -> str:
        return "".join(
            literal + ("" if name is None else "{}")
            for literal, name, *_ in Formatter().parse(template)
        )

    def text_of(node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.JoinedStr(values=parts):
                return "".join(text_of(part) or "{}" for part in parts)
        return ""

    tree = ast.parse(Path(certificate_check.__file__).read_text(encoding="utf-8"))
    texts = {
        text_of(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "InvalidCertificate"
    } - {""}

    assert len(texts) >= 19
    assert texts - {nameless(template) for template in TEMPLATES} == set()


def test_messages_are_found_again_with_their_lines() -> None:
    error = InvalidCertificate("X cannot answer there", 6)

    assert localise(load("en", {}), error) == "line 6: X cannot answer there"
