"""Whatever is clicked and pressed, in whatever order, nothing breaks and every game stays legal."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.message import Message

from tests.frontends.desk import answer_soon
from tests.frontends.tui.stage import Stage, perform
from tic_tac_toe_frontends.tui.app import GameApp

pytestmark = pytest.mark.slow

EVENTS, BATCH = 10_000, 40
KEYS = (
    *("left", "right", "up", "down", "enter", "space", "tab", "shift+tab", "escape", "pageup"),
    *("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "n", "u", "u", "r", "h", "a", "m"),
    *("v", "v", "v", "v", "k", "p", "f", "f", "b", "c", "comma", "full_stop", "plus"),
    *("left_square_bracket", "right_square_bracket"),
    *("home", "end", "delete", "backspace", "f1", "f12", "ctrl+a", "ctrl+z", "ctrl+p", "alt+x"),
    *("x", "o", "s", ",", "\x00", "é", "中", "🎉", "[", "\u202e", "\u200b"),
)
#: Open dialogs, in which the rest goes astray for a while.
SELDOM = ("g", "t", "l", "w", "question_mark")
SIZES = [(80, 24), (40, 12), (20, 6), (1, 1), (100, 30)]


def ask(query: Any, done: Callable[[Any], object]) -> None:
    asyncio.get_running_loop().call_soon(done, answer_soon(query))


async def stay(_app: GameApp) -> None:
    """Do not quit: the monkey finds that key sooner or later."""


def key(name: str) -> events.Key:
    return events.Key(name, name if len(name) == 1 else None)


def click(x: int, y: int) -> list[Message]:
    """Return what a terminal sends of a click."""
    return [
        kind(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y)
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp)
    ]


def anything(rng: random.Random, size: tuple[int, int]) -> list[Message]:
    """Return what a monkey does next."""
    dice = rng.random()
    if dice < 0.45:
        return click(rng.randrange(size[0]), rng.randrange(size[1]))
    return [key(rng.choice(SELDOM if dice > 0.992 else KEYS))]


def check(stage: Stage) -> None:
    """Check that the game is one that the rules know."""
    table = stage.app.table
    table.state.rules.validate(table.state.position)
    assert table.record.final_position == table.state.position
    assert len(stage.app.screen_stack) <= 2
    assert stage.app.return_code is None


@pytest.mark.parametrize("variant", ["tic-tac-toe", "connect-four-5x4", "wild", "mnk:3,3,3,pie"])
def test_thousands_of_random_clicks_and_keys_break_nothing(
    variant: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # for the games that it saves
    monkeypatch.setattr(GameApp, "action_quit", stay)
    rng = random.Random(len(variant))
    seen: Counter[str] = Counter()

    async def scene(stage: Stage) -> None:
        size, first = SIZES[0], stage.app.table.setup
        for number in range(EVENTS // 2 // BATCH):
            if number % 10 == 9:
                size = rng.choice(SIZES)
                stage.app.table.begin(first)  # the monkey has a liking for endless games
                await stage.pilot.resize_terminal(*size)
            for _ in range(BATCH):
                for event in anything(rng, size):
                    stage.app.post_message(event)
            await stage.pilot.pause()
            check(stage)
            seen[type(stage.app.screen).__name__] += 1
            seen["reviews"] += stage.app.past.review.is_on
            seen["plies"] += stage.app.table.match.ply
            seen["games"] = max(seen["games"], stage.app.table.score.total())
        await stage.press("escape", "escape")
        await stage.until(lambda: len(stage.app.screen_stack) == 1)

    perform(scene, variant, ask=ask)

    assert seen["SetupScreen"] + seen["ThemeScreen"] + seen["HelpScreen"] > 0
    assert seen["reviews"] > 0
    assert seen["plies"] > 0
    assert seen["games"] > 0
