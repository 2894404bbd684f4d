"""The benchmark of the page runs from end to end; nothing here looks at a time."""

from __future__ import annotations

import pytest

from benchmarks import browser
from benchmarks.measurement import Effort
from tests.machine import needs
from tic_tac_toe_frontends.browser.packages import Missing

pytestmark = pytest.mark.xdist_group("browser")


@needs("chromium", "node", "npm")
@pytest.mark.slow
def test_both_pages_are_visited_and_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "LATER", 2)

    first, later, _, weight = browser.measure(Effort(rounds=1))

    for section in (first, later, weight):
        assert list(section.runs.samples) == [browser.OURS, browser.BARE]
        assert section.runs.absent == {}
    (ours,) = weight.runs.samples[browser.OURS]
    (bare,) = weight.runs.samples[browser.BARE]
    assert 0 < ours.megabytes < bare.megabytes


def test_without_npm_the_rows_say_why_they_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_arguments: object) -> None:
        raise Missing("npm")

    monkeypatch.setattr(browser, "build", missing)
    monkeypatch.setattr(browser, "bare_site", missing)

    sections = browser.measure(Effort(rounds=1))

    assert all(section.runs.samples == {} for section in sections)
    assert set(sections[-1].runs.absent.values()) == {"cannot be built: npm"}
