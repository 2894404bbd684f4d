"""The server's tasks end when it stops, whatever they do with a cancellation."""

import asyncio

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
