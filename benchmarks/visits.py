"""Visits of a page in Chromium with an empty profile, and what each of them takes."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.measurement import Unavailable, load, require
from tools.chromium import FLAGS, PATIENCE, find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

#: The time after a visit in which the browser keeps what it has loaded and compiled, in ms.
REST = 1_500
#: How long a page may take on a slow line, in ms.
SLOW_PATIENCE = 180_000
#: Marks the moments when a board is drawn and when its first move has been answered. The move is
#: made at once, as soon as the script of the page listens.
WATCH = """(() => {
  const mark = (name) => requestAnimationFrame(() => performance.mark(name));
  const answers = () => document.querySelectorAll("#picture :is(.ttt-x, .ttt-o)").length;
  new MutationObserver((_, observer) => {
    if (answers() !== 2) return;
    observer.disconnect();
    mark("answer");
  }).observe(document, { childList: true, subtree: true });
  const listens = new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));
  const look = () => {
    const cell = document.querySelector("[data-cell='4']");
    if (!cell?.offsetWidth) return void requestAnimationFrame(look);
    mark("board"); // what this frame draws is on the screen when the next one begins
    listens.then(() => document.querySelector("[data-cell='4']").click());
  };
  requestAnimationFrame(look);
})();"""
#: Makes the next move and returns the milliseconds until the answer is on the screen.
MOVE = """() => new Promise((resolve) => {
  const begin = performance.now();
  new MutationObserver((_, observer) => {
    if (document.querySelectorAll("#moves button").length !== 4) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - begin));
  }).observe(document.getElementById("moves"), { childList: true });
  document.querySelector("#cells [aria-disabled='false']").click();
})"""


class Visit(NamedTuple):
    """What a visit takes, in seconds from the request, and megabytes.

    Attributes:
        board: until a board is on the screen.
        ready: until the page says that it can be played.
        answer: until the computer has answered the first move, which is made once there is a board.
        reply: from the click of the second move until its answer.
        memory: what all processes of the browser hold afterwards, shared pages by their share; 0
            where the system does not tell.
    """

    board: float
    ready: float
    answer: float
    reply: float
    memory: float


class Line(NamedTuple):
    """A network: bytes a second in each direction, and the milliseconds of a request on its way."""

    speed: float
    latency: float

    @property
    def conditions(self) -> dict[str, float | bool]:
        """These as Chromium takes them."""
        speeds = dict.fromkeys(("downloadThroughput", "uploadThroughput"), self.speed)
        return {"offline": False, "latency": self.latency, **speeds}


class Browser:
    """Chromium, which keeps from visit to visit what a browser keeps."""

    def __init__(self, context: BrowserContext, profile: str) -> None:
        self._context, self._profile = context, profile

    def visit(self, address: str, *, plays: bool, line: Line | None = None) -> Visit:
        """Load a page in a new tab, and stay until it has kept itself.

        Args:
            plays: whether moves are answered.
            line: the network in between, by default none.
        """
        page = self._context.new_page()
        page.set_default_timeout(PATIENCE if line is None else SLOW_PATIENCE)
        if line is not None:
            session = self._context.new_cdp_session(page)
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", line.conditions)
        page.add_init_script(WATCH)
        page.goto(address)
        page.wait_for_selector("html[data-ready]", state="attached")
        answer = _moment(page, "answer") if plays else 0.0
        reply = page.evaluate(MOVE) / 1_000 if plays else 0.0
        page.evaluate(
            "navigator.serviceWorker.getRegistration().then("
            "found => found && navigator.serviceWorker.ready.then(() => true))"
        )
        page.wait_for_timeout(REST)
        memory = memory_of(self._profile)
        visit = Visit(_moment(page, "board"), _moment(page, "ready"), answer, reply, memory)
        page.close()
        return visit


def require_browser() -> None:
    """Raise `Unavailable` unless there are Chromium and Playwright."""
    require("playwright")
    if find_chromium() is None:
        raise Unavailable("no Chromium")


@contextlib.contextmanager
def new_browser() -> Iterator[Browser]:
    """Start Chromium with an empty profile."""
    sync_playwright = load("playwright.sync_api").sync_playwright
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=find_chromium(), args=list(FLAGS), timeout=PATIENCE
        )
        try:
            yield Browser(context, profile)
        finally:
            context.close()


def memory_of(profile: str) -> float:
    """Return the megabytes that a browser holds with all that it has started."""
    parents: dict[int, int] = {}
    family: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            number = int(folder.name)
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[number] = int(status[1])
            if profile in (folder / "cmdline").read_text():
                family.add(number)
    while more := {each for each, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(map(_share, family)) / 1e6


def _share(number: int) -> int:
    """Return the bytes of a process: those that it shares with others by its share of them."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _moment(page: Page, name: str) -> float:
    """Return the seconds from the request to a mark of the page, once it is there."""
    page.wait_for_function("name => performance.getEntriesByName(name).length", arg=name)
    moment: float = page.evaluate("name => performance.getEntriesByName(name)[0].startTime", name)
    return moment / 1_000
