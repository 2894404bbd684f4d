"""A connection to PostgreSQL on which nothing is waited for without end."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any, TypeVar

from psycopg import Connection, OperationalError

#: How long an answer is waited for, in seconds: longer than PostgreSQL itself gives a statement.
PATIENCE = 15.0

Result = TypeVar("Result")


class TimedConnection(Connection[tuple[Any, ...]]):
    """A connection that is given up when nothing comes from the other side.

    What PostgreSQL and TCP themselves watch is of no use where the machine goes on and the database
    on it has stopped: the one does not come to it, and the other sees all packets received.
    """

    def wait(
        self, gen: Generator[Any, Any, Result], *arguments: Any, **settings: Any
    ) -> Result:  # which settings there are depends on the version
        """Drive a conversation with the database to its end.

        Raises:
            OperationalError: it takes too long.
        """
        return super().wait(_limited(gen, time.monotonic() + PATIENCE), *arguments, **settings)


def _limited(gen: Generator[Any, Any, Result], end: float) -> Generator[Any, Any, Result]:
    """Yield what a generator does, which is asked several times a second, until its time is up."""
    ready = None
    while True:
        try:
            state = gen.send(ready)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # `Result`, as `gen` says
        ready = yield state
        if not ready and time.monotonic() >= end:
            gen.close()
            raise OperationalError(f"it has said nothing for {PATIENCE:g} seconds")
