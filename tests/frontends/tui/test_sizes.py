"""The full screen in a terminal that changes its size."""

from __future__ import annotations

import random

import pytest

from tests.frontends.tui.stage import SIZE, Stage, app_of, on_stage, perform

SMALL = (30, 10)
SIZES = [(12, 4), SMALL, (71, 20), (120, 40)]
GAMES = ["ultimate", "mnk:15,15,5"]


def view(stage: Stage) -> tuple[object, ...]:
    """Return what a size of the terminal decides: the board, the title, and where parts lie."""
    widgets = stage.app.screen_stack[0].query("#field, #panel, #line, #keys, #board")
    shown = [(each.id, each.outer_size, each.region.offset) for each in widgets if each.display]
    return stage.drawing, stage.text("title"), shown


async def compare(stage: Stage, variant: str, *keys: str) -> None:
    """Wait until a screen looks as one that has had its size from the start."""
    fresh = app_of(variant)
    async with fresh.run_test(size=stage.app.size) as pilot:
        expected = Stage(fresh, pilot)
        await expected.press(*keys)
        await stage.until(lambda: view(stage) == view(expected))
        await stage.until(stage.sees_cursor)


@on_stage()
async def test_one_step_back_to_a_large_terminal_is_enough(stage: Stage) -> None:
    for size in (SMALL, SIZE):
        await stage.resize(size)
        await compare(stage, "tic-tac-toe")


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.parametrize("variant", GAMES)
def test_after_any_walk_of_sizes_the_screen_looks_as_after_a_fresh_start(variant: str) -> None:
    rng = random.Random(variant)

    async def scene(stage: Stage) -> None:
        for size in SIZES:
            await stage.resize(*rng.choices(SIZES, k=2), size)
            await compare(stage, variant)

    perform(scene, variant)


@pytest.mark.parametrize("key", ["g", "t"])
@on_stage()
async def test_a_terminal_that_is_resized_while_a_dialog_is_open_counts_as_well(
    stage: Stage, key: str
) -> None:
    await stage.press(key)
    await stage.resize(SMALL, SIZE, SMALL)
    await compare(stage, "tic-tac-toe", key)
