"""The full screen in a terminal that changes its size."""

from __future__ import annotations

import random
from functools import partial
from typing import NamedTuple

import pytest
from textual.geometry import Offset, Size

from tests.frontends.tui.stage import SIZE, Stage, perform
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.tui.app import GameApp
from tic_tac_toe_frontends.words.players import HUMAN

SMALL = (30, 10)
SIZES = [(12, 4), SMALL, (71, 20), (120, 40)]
GAMES = ["ultimate", "mnk:15,15,5"]


class View(NamedTuple):
    """What a size of the terminal decides."""

    board: str
    title: str
    shown: list[tuple[str, Size, Offset]]


def view(stage: Stage) -> View:
    widgets = stage.app.screen_stack[0].query("#field, #panel, #line, #keys, #board")
    shown = [
        (str(each.id), each.outer_size, each.region.offset) for each in widgets if each.display
    ]
    return View(stage.drawing, stage.text("title"), shown)


def has_size(stage: Stage, size: tuple[int, int]) -> bool:
    return stage.app.size == size


def app_of(variant: str) -> GameApp:
    return GameApp(Setup(find_rules(variant), HUMAN, HUMAN), rng=random.Random(1), delay=0)


async def compare(stage: Stage, variant: str, *keys: str) -> None:
    """Wait until a screen looks as one that has had its size from the start."""
    fresh = app_of(variant)
    async with fresh.run_test(size=stage.app.size) as pilot:
        expected = Stage(fresh, pilot)
        await expected.press(*keys)
        await stage.until(lambda: view(stage) == view(expected))
        await stage.until(stage.sees_cursor)


def test_one_step_back_to_a_large_terminal_is_enough() -> None:
    async def scene(stage: Stage) -> None:
        for size in (SMALL, SIZE):
            await stage.pilot.resize_terminal(*size)
            await stage.until(partial(has_size, stage, size))
            await compare(stage, "tic-tac-toe")

    perform(scene)


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.parametrize("variant", GAMES)
def test_after_any_walk_of_sizes_the_screen_looks_as_after_a_fresh_start(variant: str) -> None:
    rng = random.Random(variant)

    async def scene(stage: Stage) -> None:
        for size in SIZES:
            for step in (*rng.choices(SIZES, k=2), size):
                await stage.pilot.resize_terminal(*step)
            await stage.until(partial(has_size, stage, size))
            await compare(stage, variant)

    perform(scene, variant)


@pytest.mark.parametrize("key", ["g", "t"])
def test_a_terminal_that_is_resized_while_a_dialog_is_open_counts_as_well(key: str) -> None:
    async def scene(stage: Stage) -> None:
        await stage.press(key)
        for size in (SMALL, SIZE, SMALL):
            await stage.pilot.resize_terminal(*size)
        await stage.until(lambda: has_size(stage, SMALL))
        await compare(stage, "tic-tac-toe", key)

    perform(scene)
