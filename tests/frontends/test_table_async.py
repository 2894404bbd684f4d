"""The game loop on a table, where screens have an event loop of their own."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable

import pytest

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.testing import RecordingRenderer
from tic_tac_toe_frontends.table.table import HUMAN, Setup, Table
from tic_tac_toe_frontends.table.table_async import Think, play_on, think_in_thread
from tic_tac_toe_frontends.table.thinking import in_thread

WAIT_SECONDS = 60


async def until(condition: Callable[[], bool]) -> None:
    async def wait() -> None:
        while not condition():
            await asyncio.sleep(0.001)

    await asyncio.wait_for(wait(), WAIT_SECONDS)


class Shown(RecordingRenderer):
    """What a table's screen has shown."""

    async def follows(self, table: Table) -> None:
        """Wait until the screen shows what is on the table: the loop does so in its turn."""
        await until(lambda: bool(self.states) and self.states[-1] is table.state)


def played(
    table: Table, script: Callable[[Shown], Awaitable[None]], think: Think = think_in_thread
) -> Shown:
    """Run a script beside the loop, and return what was shown."""
    shown = Shown()

    async def main() -> None:
        loop = asyncio.ensure_future(play_on(table, shown, think))
        people = asyncio.ensure_future(script(shown))
        await asyncio.wait({loop, people}, return_when=asyncio.FIRST_COMPLETED)
        if loop.done():
            people.cancel()
            loop.result()
        await people
        loop.cancel()
        with pytest.raises(asyncio.CancelledError):
            await loop

    asyncio.run(main())
    return shown


def test_a_person_and_a_computer_play_to_the_end_and_then_again() -> None:
    table = Table(Setup(o="minimax"))

    async def script(shown: Shown) -> None:
        for games in (1, 2):
            while not table.match.over:
                table.place(table.state.legal_cells[0])
                await until(lambda: table.thinker is None)
            await shown.follows(table)
            assert table.score.total() == games
            table.begin()

    shown = played(table, script)

    assert sum(state.game_over for state in shown.states) == 2


def test_two_computers_play_by_themselves() -> None:
    table = Table(Setup(x="random", o="minimax"), random.Random(3))

    async def script(_shown: Shown) -> None:
        await until(lambda: table.match.over)

    shown = played(table, script)

    assert [state.position.marks for state in shown.states][:3] == [0, 1, 2]


def test_taking_back_and_a_new_game_drop_what_is_being_thought() -> None:
    table = Table(Setup(o="easy"))
    asked: list[GameState] = []
    release: list[asyncio.Future[int]] = []

    async def think(state: GameState, _name: str, _rng: random.Random) -> int:
        asked.append(state)
        release.append(asyncio.get_running_loop().create_future())
        return await release[-1]

    async def script(_shown: Shown) -> None:
        table.place(4)
        await until(lambda: len(asked) == 1)
        table.take_back()
        await until(release[0].cancelled)
        table.place(0)
        await until(lambda: len(asked) == 2)
        table.begin()
        await until(release[1].cancelled)
        assert table.match.ply == 0

    played(table, script, think)


def test_an_undo_after_the_end_goes_on_with_the_game() -> None:
    table = Table(Setup(x=HUMAN, o=HUMAN))

    async def script(shown: Shown) -> None:
        for cell in (0, 3, 1, 4, 2):
            table.place(cell)
        await shown.follows(table)
        table.take_back()
        await shown.follows(table)
        table.place(8)
        await shown.follows(table)

    shown = played(table, script)

    assert shown.states[-1].grid.cells == "XX OO   X"


def test_resigning_is_shown_and_leaves_nobody_to_move() -> None:
    table = Table(Setup(o="minimax"))

    async def script(shown: Shown) -> None:
        table.resign()
        await until(lambda: len(shown.states) == 2)
        table.begin()
        table.place(4)
        await until(lambda: table.match.ply == 2)

    shown = played(table, script)

    assert [state.position.marks for state in shown.states[:2]] == [0, 0]


def test_what_goes_wrong_in_a_thought_is_not_lost() -> None:
    async def think(_state: GameState, _name: str, _rng: random.Random) -> int:
        raise MemoryError("too much thought")

    async def script(_shown: Shown) -> None:
        await asyncio.sleep(WAIT_SECONDS)

    with pytest.raises(MemoryError, match="too much thought"):
        played(Table(Setup(x="easy")), script, think)


def test_the_screen_is_asked_to_wait_before_a_computers_move() -> None:
    table = Table(Setup(x="easy", o=HUMAN))
    pauses: list[int] = []

    async def pause() -> None:
        pauses.append(table.match.ply)

    async def main() -> None:
        loop = asyncio.ensure_future(play_on(table, RecordingRenderer(), pause=pause))
        await until(lambda: table.match.ply == 1)
        loop.cancel()

    asyncio.run(main())

    assert pauses == [0]


def test_a_cancelled_thought_in_a_thread_holds_up_nobody() -> None:
    let_go = threading.Event()

    async def main() -> None:
        task = asyncio.ensure_future(in_thread(let_go.wait))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    let_go.set()


def test_what_a_thread_raises_is_raised_where_it_is_awaited() -> None:
    def fail() -> int:
        raise ZeroDivisionError("in the thread")

    with pytest.raises(ZeroDivisionError, match="in the thread"):
        asyncio.run(in_thread(fail))


@pytest.mark.parametrize("turns", range(6))
def test_leaving_the_table_ends_the_loop_and_the_thought_whenever_it_comes(turns: int) -> None:
    table = Table()
    thoughts: list[asyncio.Task[int] | None] = []

    async def think(state: GameState, name: str, rng: random.Random) -> int:
        thoughts.append(asyncio.current_task())
        await asyncio.sleep(WAIT_SECONDS)
        return state.legal_cells[0]

    async def main() -> None:
        loop = asyncio.ensure_future(play_on(table, RecordingRenderer(), think))
        table.place(4)
        await until(lambda: bool(thoughts))

        table.take_back()  # the loop is about to cancel the thought itself
        for _ in range(turns):
            await asyncio.sleep(0)
        loop.cancel()
        await asyncio.wait({loop}, timeout=WAIT_SECONDS)

        assert loop.cancelled()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())

    assert table.match.ply == 0
