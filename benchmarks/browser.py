"""What the page takes until there is a board and until it plays, what is sent, and what it holds.

Beside it stand a page of PyScript and a page of plain HTML, each with a board and nothing else. All
are visited by turns, in one run on one machine, by browsers with empty profiles. Seconds are those
of a clock, on all cores; on a busy machine only their ratio tells something.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from benchmarks.bare_pages import html_site, pyscript_site
from benchmarks.measurement import Effort, Runs, Sample, Unavailable, require
from benchmarks.report import SECONDS, AtLeast, AtMost, Section, Unit
from benchmarks.solver import all_cores
from benchmarks.visits import Line, Visit, new_browser, require_browser
from benchmarks.wire import relayed
from tic_tac_toe_frontends.browser.build import build
from tic_tac_toe_frontends.browser.packages import BuildFailed, Missing
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.program.page_files import PageFiles

OURS = "this page"
ONLINE = "this page, from the game server"
PYSCRIPT = "a bare page of PyScript"
PLAIN = "a bare page of HTML"
SiteMaker: TypeAlias = Callable[[Path], PageFiles]
Serving: TypeAlias = Callable[[], contextlib.AbstractContextManager[int]]
#: What makes each page in a folder of its own.
SITES: Mapping[str, SiteMaker] = {
    OURS: lambda _folder: build(),
    PYSCRIPT: pyscript_site,
    PLAIN: html_site,
}
VISITS = ("first visit", "second visit")
#: A first visit may send this much, and a later one take this long; in megabytes and seconds.
MOST_SENT, LONGEST = 4.5, 1.5
#: A slow telephone, and the seconds in which a first move has to be answered there.
SLOW, LONGEST_REPLY = Line(1.6e6 / 8, 150), 2.0
SENT = Unit(lambda sample: sample.megabytes, lambda value: _show_sent(value))
HELD = Unit(lambda sample: sample.megabytes, lambda value: f"{value:,.0f} MB")


@dataclass
class Journeys:
    """By page, the visits of each browser that has been there, and why others were not visited."""

    made: dict[str, list[list[Visit]]] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def runs(self, number: int, read: Callable[[Visit], Sample]) -> Runs:
        """Return what all pages took at the first visit of each browser, or a later one."""
        found = {
            name: [read(visits[number]) for visits in journeys]
            for name, journeys in self.made.items()
        }
        return Runs(found, self.absent)

    def own(self, read: Callable[[Visit], Sample]) -> Runs:
        """Return what this page took, by which visit it was."""
        return Runs(
            {
                kind: [read(visits[number]) for visits in self.made[OURS]]
                for number, kind in enumerate(VISITS)
                if OURS in self.made
            },
            {} if OURS in self.made else dict.fromkeys(VISITS, self.absent[OURS]),
        )


def measure(effort: Effort) -> list[Section]:
    """Return all figures of the page."""
    with tempfile.TemporaryDirectory() as folder, all_cores():
        sites, absent = _make_sites(Path(folder))
        journeys = Journeys({name: [] for name in sites}, absent)
        for _ in range(min(effort.rounds, 5)):
            for name, files in sites.items():
                journeys.made[name].append(_visit(files, plays=name == OURS))
        slow = _visit_slowly(sites, absent)
        sent = _weigh(sites, absent)
    sections = []
    for number, kind in enumerate(VISITS):
        board = journeys.runs(number, lambda visit: Sample(visit.board))
        sections.append(
            Section(f"{kind}, until a board is drawn", board, SECONDS, reference=PYSCRIPT)
        )
        ready = journeys.runs(number, lambda visit: Sample(visit.ready))
        goal = AtMost(LONGEST) if number else AtLeast(round(1 / 1.15, 2))
        sections.append(
            Section(f"{kind}, until it can be played", ready, SECONDS, PYSCRIPT, {OURS: goal})
        )
    answer = journeys.own(lambda visit: Sample(visit.answer))
    reply = journeys.own(lambda visit: Sample(visit.reply))
    held = journeys.runs(0, lambda visit: Sample(0, visit.memory))
    goals = dict.fromkeys((OURS, ONLINE), AtMost(MOST_SENT))
    return [
        *sections,
        *slow,
        Section("from the request to the answer to a first move, made at once", answer, SECONDS),
        Section("from the click of a second move to its answer", reply, SECONDS),
        Section("sent by the server, first visit", sent[0], SENT, goals=goals),
        Section("sent by the server, second visit", sent[1], SENT),
        Section("memory of Chromium after the first visit", held, HELD),
    ]


def _show_sent(megabytes: float) -> str:
    return f"{megabytes:.2f} MB" if megabytes >= 0.1 else f"{megabytes * 1e3:.1f} kB"


def _make_sites(folder: Path) -> tuple[dict[str, PageFiles], dict[str, str]]:
    """Return the pages by their names, and why others are missing."""
    sites, absent = {}, {}
    if reason := _reason_against(require_browser):
        return {}, dict.fromkeys(SITES, reason)
    for number, (name, make) in enumerate(SITES.items()):
        made = _made(make, folder / f"bare-{number}")
        if isinstance(made, str):
            absent[name] = made
        else:
            sites[name] = made
    return sites, absent


def _made(make: SiteMaker, folder: Path) -> PageFiles | str:
    """Return the page, or the reason as a text if it cannot be built."""
    try:
        return make(folder)
    except (Missing, BuildFailed) as error:
        return f"cannot be built: {error}"


def _visit(files: PageFiles, *, plays: bool) -> list[Visit]:
    """Return the visits of a new browser."""
    with Server(files, 0) as server, server.answering(), new_browser() as browser:
        return [browser.visit(server.url, plays=plays) for _ in VISITS]


def _visit_slowly(sites: Mapping[str, PageFiles], absent: Mapping[str, str]) -> list[Section]:
    """Return what a first visit takes on a slow line; a bare page of HTML only shows a board."""
    boards, answers = Runs({}, dict(absent)), Runs({}, dict(absent))
    for name, files in sites.items():
        if name == PYSCRIPT:
            continue
        with Server(files, 0) as server, server.answering(), new_browser() as browser:
            visit = browser.visit(server.url, plays=name == OURS, line=SLOW)
        boards.samples[name] = [Sample(visit.board)]
        answers.samples[name] = [Sample(visit.answer or visit.ready)]
    line = "first visit at 1.6 Mbit/s and 150 ms"
    goals = {OURS: AtMost(LONGEST_REPLY)}
    return [
        Section(f"{line}, until a board is drawn", boards, SECONDS, reference=PLAIN),
        Section(f"{line}, until a first move is answered", answers, SECONDS, PLAIN, goals),
    ]


def _weigh(sites: Mapping[str, PageFiles], absent: Mapping[str, str]) -> list[Runs]:
    """Return for each visit what the servers send to a browser, with the heads of all answers."""
    runs = [Runs({}, dict(absent)) for _ in VISITS]
    servers: dict[str, Serving] = {
        name: partial(_page_server, files) for name, files in sites.items()
    }
    reason = absent.get(OURS) or _reason_against(_require_game_server)
    if reason:
        for each in runs:
            each.absent[ONLINE] = reason
    else:
        servers = {OURS: servers.pop(OURS), ONLINE: _game_server, **servers}
    for name, serving in servers.items():
        with serving() as port, relayed(port) as relay, new_browser() as browser:
            for each in runs:
                before = relay.sent
                browser.visit(relay.url, plays=name in (OURS, ONLINE))
                each.samples[name] = [Sample(0, (relay.sent - before) / 1e6)]
    return runs


@contextlib.contextmanager
def _page_server(files: PageFiles) -> Iterator[int]:
    with Server(files, 0) as server, server.answering():
        yield server.server_port


def _require_game_server() -> None:
    for package in ("starlette", "h11", "websockets"):
        require(package)


def _reason_against(check: Callable[[], None]) -> str:
    """Return why something cannot take part; an empty text where it can."""
    try:
        check()
    except Unavailable as reason:
        return str(reason)
    return ""


@contextlib.contextmanager
def _game_server() -> Iterator[int]:
    from benchmarks.online.serving import serving

    with serving() as server:
        yield server.port
