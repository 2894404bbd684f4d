"""The pages in docs/ do what they show, and so does the screen in docs/examples/ticker.py."""

from __future__ import annotations

import doctest
import io
import sys
import tempfile
from pathlib import Path

import pytest

from docs.examples.ticker import main

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


@pytest.mark.medium
@pytest.mark.parametrize(
    "page",
    [README, ROOT / "library" / "README.md", *sorted(ROOT.glob("docs/**/*.md"))],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_every_example_on_the_page_does_what_the_page_says_and_leaves_no_file(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    working, temporary = tmp_path / "working", tmp_path / "temporary"
    for folder in (working, temporary):
        folder.mkdir()
    monkeypatch.chdir(working)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")

    assert result.failed == 0  # what failed is printed
    assert result.attempted or page != README
    assert [*working.iterdir(), *temporary.iterdir()] == []


HINT = "Your turn: you are X. Two threats at once."


def test_the_ticker_is_as_short_as_the_page_says() -> None:
    source = (ROOT / "docs" / "examples" / "ticker.py").read_text("utf-8")
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
