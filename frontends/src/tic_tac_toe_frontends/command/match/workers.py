"""Plays the pairs of a match, in this process or in several."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any

from tic_tac_toe.contest.plan import CLOCKS, PlannedPair, PlayedPair, play_pair
from tic_tac_toe.contest.players import Roster

from ...program.process import end_with_parent

#: Seconds in which a process may end its players before it is killed.
PATIENCE_SECONDS = 3.0


class WorkerLost(Exception):
    """A worker process ended unexpectedly: a player or the system killed it."""


def play_all(pairs: Iterable[PlannedPair], processes: int) -> Generator[PlayedPair, None, None]:
    """Yield finished pairs, with one process in their order.

    Both games of a pair are played in one process. When the caller stops, all processes and their
    players are ended.

    Raises:
        WorkerLost: a process ended unexpectedly.
        InvalidStrategy, InvalidMove: raised by `play_pair`.
    """
    if processes == 1:
        with ExitStack() as ending:
            yield from map(_player_of_pairs(ending), pairs)
        return
    waiting = iter(pairs)
    workers: dict[Connection, Any] = {}
    try:
        for pair in islice(waiting, processes):
            connection, process = _start()
            workers[connection] = process
            _send(connection, pair)
        while workers:
            for ready in wait([*workers]):
                assert isinstance(ready, Connection)
                yield _received(ready)
                following = next(waiting, None)
                if following is None:
                    _end({ready: workers.pop(ready)})
                else:
                    _send(ready, following)
    finally:
        _end(workers)


def _start() -> tuple[Connection, Any]:
    # Spawn on every system: a fork would copy locks of threads and compiled code.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, os.getpid()), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _send(connection: Connection, pair: PlannedPair) -> None:
    try:
        connection.send(pair)
    except OSError:
        raise WorkerLost from None


def _received(connection: Connection) -> PlayedPair:
    try:
        answer = connection.recv()
    except (EOFError, OSError):
        raise WorkerLost from None
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, PlayedPair)
    return answer


def _work(connection: Connection, parent: int) -> None:
    """Play the received pairs until the end of the connection."""
    end_with_parent(parent)
    # Ctrl-C reaches every process of the terminal; the main process ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # ends the players
    with suppress(EOFError, OSError), ExitStack() as ending:
        play = _player_of_pairs(ending)
        while True:
            pair = connection.recv()
            try:
                answer: PlayedPair | Exception = play(pair)
            except Exception as error:
                answer = error
            connection.send(answer)


def _player_of_pairs(ending: ExitStack) -> Callable[[PlannedPair], PlayedPair]:
    """Return a function that plays pairs with players that live as long as the stack."""
    rosters: list[Roster] = []

    def play(pair: PlannedPair) -> PlayedPair:
        if not rosters:
            rosters.append(ending.enter_context(pair.plan.roster))
        return play_pair(pair, rosters[0], CLOCKS[pair.plan.clock])

    return play


def _end(workers: dict[Connection, Any]) -> None:
    for connection, process in workers.items():
        connection.close()
        process.terminate()
    deadline = time.monotonic() + PATIENCE_SECONDS
    for process in workers.values():
        process.join(max(0.0, deadline - time.monotonic()))
        if process.exitcode is None:
            process.kill()
            process.join()
