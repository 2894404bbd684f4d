"""The checker of certificates is small, stands alone, and believes nothing that is not so."""

from __future__ import annotations

import ast
import io
import itertools
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.theorems import judge_all_theorems, sealed
from tic_tac_toe import certificate_check
from tic_tac_toe.certificate_check import LONGEST_LINE, Claim, InvalidCertificate, check

SOURCE = Path(certificate_check.__file__)

#: Tic-tac-toe after a corner and the centre is a draw; written by hand.
DRAW = [
    "tic-tac-toe certificate 1",
    "game 3,3,3",
    "position XOX/OO./.X. x",
    "claim draw",
    "proof X does not lose",
    "XOX/OO./.X. C2 closed",
    "proof O does not lose",
    "XOX/OOX/.X. C3",
    "XOX/OO./XX. C3",
    "XOX/OO./.XX A3 closed",
]


def refusal_of(content: bytes) -> InvalidCertificate:
    """Return the error that checking ends in, after a look at it."""
    with pytest.raises(InvalidCertificate) as refusal:
        check(io.BytesIO(content))
    error = refusal.value
    assert 1 <= error.line <= content.count(b"\n") + 1
    assert str(error).startswith(f"line {error.line}: ")
    assert str(error).isprintable()
    assert len(str(error)) < 900
    return error


def message_of(lines: list[str]) -> str:
    """Return the message about a certificate whose closing line fits."""
    return str(refusal_of(sealed(lines)))


def with_line(number: int, text: str) -> list[str]:
    """Return the draw with a line changed; lines count from 1."""
    return [text if i == number else line for i, line in enumerate(DRAW, start=1)]
