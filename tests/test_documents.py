"""What the README and the pages in docs/ show at a Python prompt is what Python answers."""

import doctest
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


@pytest.mark.medium
@pytest.mark.parametrize(
    "page",
    [README, *sorted(ROOT.glob("docs/**/*.md"))],
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
