"""What the full screen looks like: pictures that somebody has looked at and found good.

They lie in ``__snapshots__`` beside this file. After a change that is meant, take them anew and
look at them::

    .venv/bin/python -m pytest tests/screens/test_snapshots.py --snapshot-update
"""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.frontends.programs import PATIENCE
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.table import Setup
from tic_tac_toe_frontends.tui.app import GameApp
from tic_tac_toe_frontends.tui.board import Board
from tic_tac_toe_frontends.words.rules_text import HUMAN

pytestmark = [pytest.mark.medium, pytest.mark.xdist_group("snapshots")]

#: Compares an app, after something was done in it, with its picture.
Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what the developer's own terminal is like out of the pictures."""
    monkeypatch.delenv("NO_COLOR", raising=False)


def app_of(variant: str, o: str = HUMAN, theme: str | None = None) -> GameApp:
    setup = Setup(find_rules(variant), HUMAN, o)
    return GameApp(setup, rng=random.Random(1), delay=0, theme=theme)


def after(app: GameApp, keys: str, sign: str) -> Callable[..., Awaitable[None]]:
    """Return what presses keys, each for a move or a command, and waits for a sign or words."""

    def seen() -> str:
        screen = app.screen_stack[0]
        board = screen.query_one(Board)
        lines = [board.render_line(y).text for y in range(board.plan.height)]
        return "\n".join([str(screen.query_one("#words", Static).render()), *lines])

    async def act(pilot: Pilot[None]) -> None:
        async def until(condition: Callable[[], bool]) -> None:
            deadline = time.monotonic() + PATIENCE
            while not condition():
                assert time.monotonic() < deadline, seen()
                await pilot.pause(0.01)

        await until(lambda: "move." in seen() or "turn" in seen())
        for key in keys.split():
            await pilot.press(key)
            await until(lambda: not (app.table.thinker or app.advice.is_seeking_hint))
        await until(lambda: sign in seen())

    return act


def test_a_hint_in_a_game_of_tic_tac_toe(snap_compare: Compare) -> None:
    app = app_of("tic-tac-toe", o="minimax")

    assert snap_compare(app, run_before=after(app, "5 2 h h h", "Best for you"))


def test_a_won_game_of_connect_four_in_light_colours(snap_compare: Compare) -> None:
    app = app_of("connect-four-5x4", theme="textual-light")

    assert snap_compare(app, run_before=after(app, "3 2 3 2 3 2 3", "X wins"))


def test_analysis_on_a_narrow_screen(snap_compare: Compare) -> None:
    app = app_of("misere-tic-tac-toe", theme="high-contrast")
    moves = "enter left enter a"

    assert snap_compare(app, terminal_size=(44, 14), run_before=after(app, moves, "-"))


def test_ultimate_with_a_forced_board_on_a_large_screen(snap_compare: Compare) -> None:
    app = app_of("ultimate", theme="nord")

    assert snap_compare(
        app, terminal_size=(120, 40), run_before=after(app, "enter right enter", "Play in the")
    )


def test_the_dialog_of_a_new_game(snap_compare: Compare) -> None:
    app = app_of("tic-tac-toe")

    assert snap_compare(app, run_before=after(app, "5 g down right", "O to move."))
