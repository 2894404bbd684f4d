"""Threads that answer queries: their number is limited, and what they raise is not lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tic_tac_toe_frontends.table.background import Background, Outcome, in_background, on_loop


@dataclass(frozen=True)
class Question:
    """A query that is answered by its own number."""

    number: int

    def __call__(self) -> int:
        return self.number


class Other(Question):
    """A query of another kind."""


class Threads:
    """Starts queries, and ends them in their order when the test says so."""

    def __init__(self) -> None:
        self.running: list[tuple[Callable[[], Any], Callable[[Outcome], object]]] = []

    def start(self, call: Callable[[], Any], ended: Callable[[Outcome], object]) -> None:
        self.running.append((call, ended))

    def end(self) -> None:
        call, ended = self.running.pop(0)
        ended(call)


def test_of_the_queries_that_come_while_enough_run_only_the_newest_of_a_kind_waits() -> None:
    threads, answers = Threads(), list[int]()
    background = Background(threads.start, most=2)

    for number in range(5):
        background.ask(Question(number), answers.append)
    background.ask(Other(9), answers.append)
    assert len(threads.running) == 3
    while threads.running:
        threads.end()

    assert answers == [0, 1, 9, 4]


def test_a_query_that_fails_makes_room_for_the_next() -> None:
    def fail() -> int:
        raise ZeroDivisionError("in the thread")

    threads, answers = Threads(), list[int]()
    background = Background(threads.start, most=1)
    background.ask(fail, answers.append)
    background.ask(lambda: 7, answers.append)

    with pytest.raises(ZeroDivisionError, match="in the thread"):
        threads.end()
    threads.end()

    assert answers == [7]


def test_an_event_loop_gets_what_a_thread_returns_or_raises() -> None:
    def fail() -> int:
        raise ZeroDivisionError("in the thread")

    async def main() -> None:
        tasks: list[asyncio.Task[None]] = []
        answers: list[int] = []
        background = Background(on_loop(lambda work: tasks.append(asyncio.create_task(work))))
        background.ask(Question(7), answers.append)
        background.ask(fail, answers.append)
        good, bad = await asyncio.gather(*tasks, return_exceptions=True)
        assert (answers, good) == ([7], None)
        assert isinstance(bad, ZeroDivisionError)

    asyncio.run(main())


def test_a_cancelled_query_and_a_closed_loop_wait_for_no_thread() -> None:
    let_go, has_ended = threading.Event(), threading.Event()

    def wait() -> None:
        let_go.wait()

    async def main() -> None:
        tasks: list[asyncio.Task[None]] = []
        background = Background(on_loop(lambda work: tasks.append(asyncio.create_task(work))))
        background.ask(wait, lambda _: None)
        await asyncio.sleep(0)
        tasks[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await tasks[0]

    asyncio.run(main())
    let_go.set()
    in_background(lambda: None, lambda _outcome: has_ended.set())

    assert has_ended.wait(60)
