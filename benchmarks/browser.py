"""How long the page takes until it plays, beside a page of PyScript that does nothing.

Both come from one machine and one run, by turns: the bare page has the same PyScript and the same
Pyodide as npm brings them. Seconds are those of a clock, from the request to the moment when Python
in the page says that it is ready; on a busy machine only their ratio tells something.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from benchmarks.measurement import (
    Contestant,
    Effort,
    Runs,
    Sample,
    Sampler,
    Unavailable,
    alternate,
    load,
)
from benchmarks.report import SECONDS, AtLeast, AtMost, Section, Unit
from tic_tac_toe_frontends.browser.build import build
from tic_tac_toe_frontends.browser.contents import PYODIDE_FILES
from tic_tac_toe_frontends.browser.packages import PYODIDE, PYSCRIPT, BuildFailed, Missing, fetch
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.program.page_files import PageFiles, cache_folder
from tic_tac_toe_frontends.program.page_manifest import Manifest
from tools.chromium import FLAGS, find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: A visit that takes longer has failed, in milliseconds.
PATIENCE = 120_000
#: Which visit counts as a later one: by then a browser has kept what it has compiled.
LATER = 3

BARE_PAGE = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Bare</title><link rel="icon" href="data:,">
<script type="module" src="pyscript/core.js"></script></head>
<body><script type="py" config='{"interpreter": "./pyodide/pyodide.mjs"}'>
from js import document, performance
document.documentElement.dataset.ready = "1"
performance.mark("ready")
</script></body>
</html>
"""

SiteMaker: TypeAlias = Callable[[], PageFiles]

OURS, BARE = "this page", "a bare page of PyScript"
MEGABYTES = Unit(lambda sample: sample.megabytes, lambda value: f"{value:.2f} MB")


def measure(effort: Effort) -> list[Section]:
    """Return the figures of the page: seconds until it plays, and what it weighs."""
    rounds = min(effort.rounds, 5)
    with tempfile.TemporaryDirectory() as folder:
        prepare: dict[str, SiteMaker] = {
            OURS: build,
            BARE: partial(bare_site, Path(folder, "bare")),
        }
        visits = {"first": 1, "later": LATER}
        runs = {
            kind: alternate(
                [
                    Contestant(name, partial(_sampler, site, number))
                    for name, site in prepare.items()
                ],
                rounds,
            )
            for kind, number in visits.items()
        }
        weights = alternate(
            [Contestant(name, partial(_weigher, site)) for name, site in prepare.items()], 1
        )
    beside_bare = [
        Section(
            f"page ready, {kind} visit, by the clock",
            each,
            SECONDS,
            reference=BARE,
            goals={OURS: AtLeast(round(1 / 1.15, 2))},
        )
        for kind, each in runs.items()
    ]
    own = {f"{kind} visit": runs[kind].samples.get(OURS) for kind in visits}
    by_visit = Runs({kind: samples for kind, samples in own.items() if samples is not None})
    return [
        *beside_bare,
        Section(
            "this page, later visit beside the first",
            by_visit,
            SECONDS,
            reference="first visit",
            goals={"later visit": AtLeast(2)},
        ),
        Section("the page, compressed", weights, MEGABYTES, goals={OURS: AtMost(6.5)}),
    ]


def bare_site(folder: Path) -> PageFiles:
    """Return a page that has everything of PyScript and Pyodide, and only says that it is ready."""
    if not folder.is_dir():
        pyodide, pyscript = fetch(PYODIDE, cache_folder()), fetch(PYSCRIPT, cache_folder())
        (folder / "pyodide").mkdir(parents=True)
        for name in (*PYODIDE_FILES, "python_stdlib.zip", "pyodide-lock.json"):
            shutil.copy(pyodide / name, folder / "pyodide" / name)
        (folder / "pyscript").mkdir()
        for path in (pyscript / "dist").glob("*.js"):
            shutil.copy(path, folder / "pyscript" / path.name)
        (folder / "index.html").write_text(BARE_PAGE, encoding="utf-8")
    contents = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    return PageFiles(folder, Manifest.of(contents, "bare"))


def _sampler(make: SiteMaker, visit: int) -> Sampler:
    """Return what visits a page ``visit`` times with a new browser, and times the last visit."""
    sync_playwright = load("playwright.sync_api").sync_playwright
    program = find_chromium()
    if program is None:
        raise Unavailable("no Chromium")
    files = _made(make)

    def sample() -> Sample:
        with (
            Server(files, 0) as server,
            server.answering(),
            tempfile.TemporaryDirectory() as profile,
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch_persistent_context(
                profile, executable_path=program, args=list(FLAGS), timeout=PATIENCE
            )
            page = browser.new_page()
            times = [_visit(page, server.url) for _ in range(visit)]
            browser.close()
        return Sample(times[-1])

    return sample


def _weigher(make: SiteMaker) -> Sampler:
    files = _made(make)
    return lambda: Sample(0.0, files.manifest.least / 1e6)


def _made(make: SiteMaker) -> PageFiles:
    try:
        return make()
    except (Missing, BuildFailed) as reason:
        raise Unavailable(f"cannot be built: {reason}") from None


def _visit(page: Page, address: str) -> float:
    """Load a page and return the seconds until it is ready; stay until it has kept itself."""
    page.goto(address)
    page.wait_for_selector("html[data-ready]", state="attached", timeout=PATIENCE)
    milliseconds: float = page.evaluate("performance.getEntriesByName('ready')[0].startTime")
    page.evaluate(
        "navigator.serviceWorker.getRegistration().then("
        "found => found && navigator.serviceWorker.ready.then(() => true))"
    )
    page.wait_for_timeout(1_500)
    return milliseconds / 1_000
