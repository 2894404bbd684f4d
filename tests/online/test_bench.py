"""The benchmark of the server runs from end to end, small; nothing here looks at a time."""

from pathlib import Path

import pytest

from benchmarks.online.__main__ import BEGIN, END, main, rewrite


@pytest.mark.slow
def test_every_group_measures_something(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--small"])
    table = capsys.readouterr().out
    for figure in ("idle sockets", "durable moves", "watchers of one game", "60 with the same"):
        assert figure in table


def test_what_was_measured_replaces_only_what_was_measured_before(tmp_path: Path) -> None:
    page = tmp_path / "RESULTS.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    rewrite(page, "new")
    assert page.read_text(encoding="utf-8") == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"


def test_a_page_without_marks_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "RESULTS.md"
    page.write_text("nothing", encoding="utf-8")
    with pytest.raises(ValueError, match="needs"):
        rewrite(page, "new")


def test_writing_half_of_the_table_is_refused() -> None:
    with pytest.raises(SystemExit):
        main(["idle", "--write"])
