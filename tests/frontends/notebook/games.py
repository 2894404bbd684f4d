"""Games in notebooks for tests: messages as a kernel delivers them, and event loops."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

from tests.frontends.programs import PATIENCE
from tic_tac_toe_frontends.notebook import Game

Given = ParamSpec("Given")


def send(game: Game, content: object) -> None:
    """Let a message arrive as a kernel would deliver it."""
    data = {"method": "custom", "content": content}
    game._handle_msg({"content": {"data": data}, "buffers": []})


def two_people(**options: Any) -> Game:
    return Game(x="human", o="human", **options)


async def until(condition: Callable[[], bool]) -> None:
    async def wait() -> None:
        while not condition():
            await asyncio.sleep(0.001)

    await asyncio.wait_for(wait(), PATIENCE)


def in_a_notebook(script: Callable[Given, Coroutine[Any, Any, None]]) -> Callable[Given, None]:
    """Run a test where an event loop runs, and see that nothing is left of it."""

    async def run(*given: Given.args, **named: Given.kwargs) -> None:
        await script(*given, **named)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=PATIENCE)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    @functools.wraps(script)
    def test(*given: Given.args, **named: Given.kwargs) -> None:
        asyncio.run(run(*given, **named))

    return test


NEW = {"variant": "4x4", "x": "human", "o": "human", "starting": "X"}
#: What no page would send: values of every kind, and messages that are nearly right.
OTHER_THINGS: tuple[object, ...] = (None, 1.0, True, "0", "<script>", [], {}, ["undo"])
NONSENSE: list[object] = [
    *(*OTHER_THINGS, 0, "place", [1], {"place": 0}, {"ply": 0}),
    *({"place": cell, "ply": 0} for cell in OTHER_THINGS),
    *({"place": 0, "ply": ply} for ply in OTHER_THINGS),
    {"place": 0, "ply": 0, "more": 1},
    *({"press": name} for name in (*OTHER_THINGS, 0, "", "UNDO", "close", "__class__")),
    {"press": "undo", "more": 1},
    *({"letter": letter} for letter in (*OTHER_THINGS, 0, "", "x", "O")),
    *({"special": name, "ply": 0} for name in (*OTHER_THINGS, 0, "", "swap")),
    *({"special": "swap", "ply": ply} for ply in OTHER_THINGS),
    *({"analyse": wanted} for wanted in OTHER_THINGS if wanted is not True),
    *({"new": new} for new in (*OTHER_THINGS, 0, "4x4", {"variant": "4x4"})),
    *({"new": {**NEW, "variant": name}} for name in (*OTHER_THINGS, 0, "chess", "mnk:3,3,3")),
    *({"new": {**NEW, "x": name}} for name in (*OTHER_THINGS, 0, "", "ann")),
    *({"new": {**NEW, "o": name}} for name in (*OTHER_THINGS, 0, "", "ann")),
    *({"new": {**NEW, "starting": name}} for name in (*OTHER_THINGS, 0, "", "x")),
    {"new": {**NEW, "more": 1}},
    {"new": NEW, "more": 1},
    {"kind": "anywidget-command"},
    {"place": 10**400, "ply": 10**400, "x": "y" * 1_000_000},
]
