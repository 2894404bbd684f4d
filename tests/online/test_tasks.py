"""The server's tasks end when it stops, whatever they do with a cancellation."""

import asyncio

import pytest

from tic_tac_toe_frontends.server import tasks
from tic_tac_toe_frontends.server.tasks import Tasks


def test_a_task_that_loses_a_cancellation_is_cancelled_again() -> None:
    ended = []

    async def lose_the_first() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(60)
        finally:
            ended.append("forgetful")

    async def obey() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("obedient")

    async def use() -> int:
        running = Tasks()
        running.start(lose_the_first())
        running.start(obey())
        await asyncio.sleep(0)
        await running.end()
        return len(running)

    assert asyncio.run(use()) == 0
    assert sorted(ended) == ["forgetful", "obedient"]


def test_a_job_that_must_go_on_is_begun_again_when_it_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "RESTART_SECONDS", 0.0)
    begun = 0

    async def fail_twice() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise ZeroDivisionError
        await asyncio.sleep(60)

    async def use() -> Tasks:
        running = Tasks()
        running.keep(fail_twice)
        while begun < 3:
            await asyncio.sleep(0)
        await running.end()
        return running

    running = asyncio.run(use())
    assert (begun, running.failures, len(running)) == (3, 2, 0)
