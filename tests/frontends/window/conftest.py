"""A virtual display for all tests of the window that run in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from tests.machine import reason_to_skip
from tools.virtual_display import virtual_display

if TYPE_CHECKING:  # where Tkinter is missing the tests are skipped, and not this file
    from tests.frontends.window.display import Open


class WithoutTkinter(pytest.Module):
    """A module of tests that cannot even be imported."""

    def collect(self) -> NoReturn:
        pytest.skip(reason_to_skip(["tkinter"]))


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    if reason_to_skip(["tkinter"]):
        return WithoutTkinter.from_parent(parent, path=module_path)
    return None


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """Return the name of a display."""
    with virtual_display() as name:
        yield name


@pytest.fixture
def open_window(display: str) -> Iterator[Open]:
    """Return what opens windows; they are closed when the test ends."""
    from tests.frontends.window.display import Stage

    with ExitStack() as stages:
        yield lambda *args, **options: stages.enter_context(Stage(display, *args, **options))
