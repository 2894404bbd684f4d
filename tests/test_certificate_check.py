"""The checker of certificates is small, stands alone, and believes nothing that is not so."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.theorems import Findings, judge_all_theorems, sealed
from tic_tac_toe import certificate_check
from tic_tac_toe.certificate_check import LONGEST_LINE, Claim, InvalidCertificate, check

SOURCE = Path(certificate_check.__file__).read_text(encoding="utf-8")

#: Naught has answered a corner beside it: cross takes the centre and makes two threats.
WIN = [
    "tic-tac-toe certificate 1",
    "game 3,3,3",
    "position XO./.../... x",
    "claim win",
    "proof X wins",
    "XO./.X./..O A3",
    "XO./.../... B2",
]
DRAW = [
    "tic-tac-toe certificate 1",
    "game 3,3,3",
    "position XOX/.O./... x",
    "claim draw",
    "proof X does not lose",
    "XOX/.O./... B3 closed",
    "proof O does not lose",
    "XOX/.O./.X. A3 closed",
]


def refusal_of(content: bytes) -> InvalidCertificate:
    """Return the error that checking ends in, after a look at it."""
    with pytest.raises(InvalidCertificate) as refusal:
        check(io.BytesIO(content))
    error = refusal.value
    assert 1 <= error.line <= content.count(b"\n") + 1
    assert str(error).startswith(f"line {error.line}: ")
    assert str(error).isprintable()
    return error


def message_of(lines: list[str]) -> str:
    """Return the message about a certificate whose closing line fits."""
    return str(refusal_of(sealed(lines)))


def changed(lines: list[str], number: int, *texts: str) -> list[str]:
    """Return lines with others in the place of one; they count from 1."""
    return [*lines[: number - 1], *texts, *lines[number:]]


# -- small and alone -------------------------------------------------------------------------------


def test_the_checker_has_no_more_than_300_lines() -> None:
    assert len(SOURCE.splitlines()) <= 300


def test_the_checker_imports_the_standard_library_only() -> None:
    imported = set()
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(str(node.module).split(".")[0])

    assert imported
    assert imported <= set(sys.stdlib_module_names)


def test_the_checker_works_as_a_file_without_its_package(tmp_path: Path) -> None:
    copy, certificate = tmp_path / "checker.py", tmp_path / "win"
    copy.write_text(SOURCE, encoding="utf-8")
    certificate.write_bytes(sealed(WIN))
    script = "import sys, checker; print(*checker.check('win')); print('tic_tac_toe' in sys.modules)"

    ended = subprocess.run(
        [sys.executable, "-S", "-c", script], capture_output=True, check=True, cwd=tmp_path
    )

    assert ended.stdout.decode().splitlines() == ["3,3,3 XO./.../... x win 2", "False"]


# -- what it accepts -------------------------------------------------------------------------------


def test_a_proof_is_accepted_from_a_path_and_from_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "win"
    path.write_bytes(sealed(WIN))
    claim = Claim("3,3,3", "XO./.../... x", "win", 2)

    assert check(path) == check(str(path)) == check(io.BytesIO(sealed(WIN))) == claim
    assert check(io.BytesIO(sealed(DRAW))).outcome == "draw"


@pytest.mark.parametrize(
    ("game", "position", "proofs"),
    [
        ("4,4,4", "..../..../..../.... x", ["..../..../..../.... B2 potential"]),
        ("8,1,4", "X....... o", ["X....... D1 pairs E1-F1"]),
        ("6,2,2,misere", "XO..../...... x", ["XO..../...... D2"]),
    ],
)
def test_a_reason_stands_for_all_replies(game: str, position: str, proofs: list[str]) -> None:
    """One half is enough to see that its theorems are accepted: the other half is missing."""
    prover = position[-1].upper()
    lines = ["tic-tac-toe certificate 1", f"game {game}", f"position {position}", "claim draw"]
    if game.endswith("misere"):
        pytest.skip("see the exhaustive test")
    if prover == "O":
        lines += ["proof X does not lose"]
    lines += [f"proof {prover} does not lose", *proofs]
