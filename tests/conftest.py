"""Set up what all tests share."""

from __future__ import annotations

import gc
import logging
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.machine import (
    CRASH,
    HEAVY,
    PROGRAMS,
    WITHOUT,
    hide_programs,
    is_complete,
    needs_of,
    path_without,
    reason_to_skip,
    tell_skips,
)
from tic_tac_toe.engines.choice import CODE_VARIABLE, PLAIN

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.chromium import Browsers

# A loaded machine is no bug, and a test passes or fails the same everywhere.
settings.register_profile("project", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("project"), max_examples=20)
settings.load_profile("project")
#: Rooms of tests that do not count for the coverage of the library.
NOT_COUNTED = {"docs", "frontends", "online", "screens", "tools"}
#: Where folders of the PATH are replaced that hold more programs than a test names.
FOLDER = pytest.StashKey[Path]()


@pytest.fixture(scope="session")
def browsers(pytestconfig: pytest.Config) -> Iterator[Browsers]:
    from tests.chromium import Browsers

    browsers = Browsers()
    pytestconfig.pluginmanager.register(browsers)
    yield browsers
    browsers.stop()


@pytest.fixture
def chromium(browsers: Browsers) -> Browser:
    return browsers.chromium


@pytest.fixture
def loggers_as_before() -> Iterator[None]:
    """Undo what a test does to the loggers: a server configures those of the whole process."""
    names = ("tictactoe.server", "asyncio")
    loggers = [logging.getLogger(name) for name in names]
    before = [(logger.handlers[:], logger.propagate, logger.level) for logger in loggers]
    last_resort = logging.lastResort
    yield
    logging.lastResort = last_resort
    for logger, (handlers, propagate, level) in zip(loggers, before, strict=True):
        logger.handlers[:], logger.propagate = handlers, propagate
        logger.setLevel(level)


def pytest_configure(config: pytest.Config) -> None:
    # A shell without job control starts background jobs with Ctrl-C ignored, and programs that
    # tests start would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Else computer players would be others once the code is compiled, in the midst of the tests.
    os.environ[CODE_VARIABLE] = PLAIN
    folder = TemporaryDirectory(prefix="programs-")
    config.add_cleanup(folder.cleanup)
    config.stash[FOLDER] = Path(folder.name)
    hide_programs(config.stash[FOLDER])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what heavy programs make slow; the slow come first, so that workers end together."""
    for item in items:
        if not HEAVY.isdisjoint(needs_of(item)):
            item.add_marker(pytest.mark.slow)
        if "chromium" in needs_of(item):
            item.add_marker(pytest.mark.flaky(reruns=2, only_rerun=CRASH))
        # The library is covered by its own quick tests: the others would run twice as long for it.
        if not is_counted(item) and item.config.pluginmanager.hasplugin("_cov"):
            item.add_marker("no_cover")
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def is_counted(item: pytest.Item) -> bool:
    """Return whether a test counts for the coverage of the library."""
    is_slow = item.get_closest_marker("slow") and not item.get_closest_marker("cluster")
    return NOT_COUNTED.isdisjoint(item.path.parts) and not is_slow


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than there are cores, for many tests wait for other processes."""
    return (os.cpu_count() or 1) + 2


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name long texts by their argument: workers send the ids of all tests to each other."""
    return argname if isinstance(val, str | bytes) and len(val) > 100 else None


def pytest_collection_finish() -> None:
    """Spare each collection of garbage a visit to all that collecting the tests has made."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Where every test has to run, hide from each the programs that it does not name."""
    if not is_complete():
        return (yield)
    hidden = tuple(sorted(PROGRAMS.keys() - needs_of(item)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path_without(hidden, item.config.stash[FOLDER]))
        patch.setenv(WITHOUT, " ".join(hidden))
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if reason := reason_to_skip(needs_of(item)):
        pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell all skipped tests in one line."""
    if skipped := terminalreporter.stats.get("skipped"):
        terminalreporter.write_line(tell_skips(report.longrepr[2] for report in skipped))
