"""What the README and the pages in docs/ show at a Python prompt is what Python answers."""

import doctest
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]


def read_examples(page: str, text: str) -> doctest.DocTest:
    """Return a page's examples, in one namespace, as ``python -m doctest`` reads them."""
    return doctest.DocTestParser().get_doctest(text, {}, page, page, 0)


def run_examples(examples: doctest.DocTest) -> tuple[int, str]:
    """Run the examples; return how many there were, and what doctest says of those that failed."""
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    result = runner.run(examples, out=report.append)
    return result.attempted, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_example_on_the_page_does_what_the_page_says_and_leaves_no_file(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    working, temporary = tmp_path / "working", tmp_path / "temporary"
    for folder in (working, temporary):
        folder.mkdir()
    monkeypatch.chdir(working)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    _, report = run_examples(read_examples(page.name, page.read_text(encoding="utf-8")))

    assert not report, report
    assert [*working.iterdir(), *temporary.iterdir()] == []


def test_the_readme_has_examples() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert read_examples("README.md", text).examples


def test_a_false_example_is_found_at_its_line() -> None:
    examples = read_examples("page.md", "Sums:\n\n```python\n>>> 1 + 1\n3\n\n```\n")

    attempted, report = run_examples(examples)

    assert attempted == 1
    assert 'File "page.md", line 4' in report
    assert "Expected:\n    3\nGot:\n    2\n" in report
