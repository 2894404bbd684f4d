"""Runs each scenario of the contract on every screen that has it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

import pytest

from tests.frontends.programs import PATIENCE
from tests.machine import needs, reason_to_skip
from tests.screens.screen import SCREENS, Sit
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import GameState, Move
from tools.virtual_display import virtual_display

if TYPE_CHECKING:  # where Tkinter is missing the tests are skipped, and not this file
    from tests.screens import full_screen
    from tests.screens.window import Desktop, Open


class WithoutTkinter(pytest.Module):
    """A module of tests that cannot even be imported."""

    def collect(self) -> NoReturn:
        pytest.skip(reason_to_skip(["tkinter"]))


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    if module_path.name.startswith("test_window") and reason_to_skip(["tkinter"]):
        return WithoutTkinter.from_parent(parent, path=module_path)
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a scenario on the screens that its module's table does not except."""
    if "sit" in metafunc.fixturenames:
        lacking = metafunc.module.LACKING.get(metafunc.function.__name__, {})
        params = [
            pytest.param(name, marks=[needs(*place.needs), *place.marks])
            for name, place in SCREENS.items()
            if name not in lacking
        ]
        metafunc.parametrize("sit", params, indirect=True)


@pytest.fixture
def sit(request: pytest.FixtureRequest) -> Sit:
    """Return what begins games on a screen."""
    found: Sit = request.getfixturevalue(f"sit_at_{request.param}")
    return found


@pytest.fixture
def sit_at_console() -> Iterator[Sit]:
    from tests.screens import console

    with console.sitting() as sit:
        yield sit


@pytest.fixture
def sit_at_full_screen() -> Iterator[Sit]:
    from tests.screens import full_screen

    with full_screen.sitting() as sit:
        yield sit


@pytest.fixture
def open_full_screen() -> Iterator[full_screen.Open]:
    """Return what opens full screens whose computers are not waited for."""
    from tests.screens.full_screen import FullScreen

    with ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(
            closing(FullScreen(*args, held=True, **options))
        )


@pytest.fixture
def sit_at_notebook(caplog: pytest.LogCaptureFixture) -> Iterator[Sit]:
    from tests.screens import notebook

    with notebook.sitting() as sit:
        yield sit
    # Widgets write to their log only, unseen, that a message ended in an error.
    assert [record.getMessage() for record in caplog.get_records("call")] == []


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """Return the name of a display."""
    with virtual_display() as name:
        yield name


@pytest.fixture(scope="session")
def desktop(display: str) -> Desktop:
    """Return the desktop on which windows are opened."""
    from tests.screens.window import Desktop

    return Desktop(display)


@pytest.fixture
def open_window(desktop: Desktop) -> Iterator[Open]:
    """Return what opens windows for real clicks and keys; they are closed when the test ends."""
    from tests.screens import window

    with window.sitting(desktop, window.RealWindow) as sit:
        yield cast("Open", sit)


@pytest.fixture
def sit_at_window(desktop: Desktop) -> Iterator[Sit]:
    from tests.screens import window

    with window.sitting(desktop) as sit:
        yield sit


class Slow:
    """A strategy that thinks until it is let go; then it takes the last cell."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go = threading.Event()

    def __call__(self, state: GameState, *_args: object, **_effort: object) -> Move | None:
        self.asked.set()
        assert self.go.wait(PATIENCE)
        return state.make_move_to(state.legal_cells[-1])


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    """Let the perfect player be slow."""
    slow = Slow()
    strategies = {**STRATEGIES, "minimax": slow}
    monkeypatch.setattr("tic_tac_toe.game.strategies.STRATEGIES", strategies)
    yield slow
    slow.go.set()
