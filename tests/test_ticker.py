"""The screen of the docs page "How it is built": proof that a screen is a few lines."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from docs.examples.ticker import main

HINT = "Your turn: you are X. Best for you: A1. You can win in 2 moves."
DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_the_page_shows_the_very_file_and_it_is_short() -> None:
    source = (DOCS / "examples" / "ticker.py").read_text("utf-8")
    assert f"```python\n{source}```" in (DOCS / "how-it-is-built.md").read_text("utf-8")
    assert len(source.splitlines()) < 60


def test_the_ticker_tells_each_change_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("hint\nZ9\nA1\nundo\n"))
    assert main(["--variant", "mnk:2,2,2", "-O", "rules", "--seed", "1", "--lang", "en"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Your turn: you are X.",
        HINT,
        '"Z9": there is no column Z: columns go from A to B',
        "The computer is thinking … X plays A1.",
        "Your turn. O plays B1.",
        "Your turn: you are X.",
    ]
