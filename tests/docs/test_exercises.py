"""Each exercise of the pages tells its start from its solution."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docs._ext.blocks import EXERCISES, load_exercise, read_blocks
from docs._ext.session import Job, Session
from tests.docs.conftest import ROOT

PAGES = {
    block.exercise: blocks[: number + 1]
    for path in sorted(ROOT.glob("docs/**/*.md"))
    for blocks in [read_blocks(path.read_text("utf-8"))]
    for number, block in enumerate(blocks)
    if block.exercise
}


def test_each_exercise_stands_on_a_page() -> None:
    assert {path.stem for path in EXERCISES.glob("*.py")} == PAGES.keys()


@pytest.mark.medium
@pytest.mark.parametrize("name", PAGES)
def test_the_start_is_given_a_hint_and_the_solution_is_right(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    news: list[dict[str, Any]] = []
    session = Session(news.append)
    above = [block.job() for block in PAGES[name] if not block.exercise]
    check = (EXERCISES / f"{name}.py").read_text("utf-8")
    states = []
    for answer in (PAGES[name][-1].text, load_exercise(name).SOLUTION):
        session.run([*above, {"sources": [answer], "raises": []}], check)
        states.append(news[-1]["state"])
        assert news[-1]["reason"]
    assert states == ["wrong", "right"]


def test_what_an_answer_prints_in_its_check_is_told_before_the_verdict() -> None:
    news: list[dict[str, Any]] = []
    answer = Job(sources=["def f(): print('seen')"], raises=[])
    Session(news.append).run([answer], "def check(names):\n    names['f']()\n    return 'Good.'")
    assert (news[-2]["text"], news[-1]["state"]) == ("seen\n", "right")
