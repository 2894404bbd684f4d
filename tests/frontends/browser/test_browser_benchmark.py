"""The benchmark of the page runs from end to end; nothing here looks at a time."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest

from benchmarks import browser
from benchmarks.browser import OURS, PLAIN, PYSCRIPT
from benchmarks.measurement import Effort
from benchmarks.wire import relayed
from tests.machine import needs
from tic_tac_toe_frontends.browser.packages import Missing
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.program.page_files import INDEX, Manifest, PageFiles

pytestmark = pytest.mark.xdist_group("browser")


@needs("chromium", "node", "npm")
@pytest.mark.slow
def test_all_pages_are_visited_and_weighed() -> None:
    sections = browser.measure(Effort(rounds=1))

    visits, (answer, reply), (sent, sent_later, held) = sections[:4], sections[4:6], sections[6:]
    for section in (*visits, held):
        assert list(section.runs.samples) == [OURS, PYSCRIPT, PLAIN]
        assert section.runs.absent == {}
    for section in (answer, reply):
        assert list(section.runs.samples) == [*browser.VISITS]
        assert all(sample.seconds > 0 for (sample,) in section.runs.samples.values())
    for first, second in ((OURS, PYSCRIPT), (PLAIN, OURS)):
        (less,), (more,) = sent.runs.samples[first], sent.runs.samples[second]
        assert 0 < less.megabytes < more.megabytes
    assert sent_later.runs.samples[OURS][0].megabytes < 0.1


def test_without_npm_the_rows_say_why_they_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_folder: Path) -> None:
        raise Missing("npm")

    monkeypatch.setattr(browser, "SITES", dict.fromkeys(browser.SITES, missing))

    sections = browser.measure(Effort(rounds=1))

    assert all(section.runs.samples == {} for section in sections)
    for section in sections:
        assert set(section.runs.absent.values()) <= {"cannot be built: npm", "no Chromium"}


def test_what_a_server_sends_is_counted_on_its_way(tmp_path: Path) -> None:
    content = b"x" * 100_000
    (tmp_path / INDEX).write_bytes(content)
    files = PageFiles(tmp_path, Manifest.of({INDEX: content}, "one page"))

    with (
        Server(files, 0) as server,
        server.answering(),
        relayed(server.server_port) as relay,
        urllib.request.urlopen(relay.url) as answer,
    ):
        received = answer.read()

    assert received == content
    assert len(content) < relay.sent < len(content) + 2_000
