"""Servers with one promise broken each, which the tests must find out.

A variant changes one thing in the server of this process, and is applied before it starts.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.replies import Answer
from tic_tac_toe.protocols.online.requests import Join

SOMETIMES = 20  #: one answer of this number, counted, so that it happens for sure


def acknowledge_early() -> None:
    """Acknowledge before anything is committed, and commit a moment later."""
    from tic_tac_toe_frontends.server.writer import CommitResult, Writer

    honest = Writer.write

    def write(self: Writer, transaction: Any, then: Callable[[CommitResult], None]) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(then, CommitResult.WRITTEN)
        loop.call_later(0.03, honest, self, transaction, lambda result: None)

    Writer.write = write  # type: ignore[method-assign]


def write_again() -> None:
    """Do what has been done already, if it is asked for again."""
    from tic_tac_toe_frontends.server.referee import Referee
    from tic_tac_toe_frontends.server.session import GameSession

    known, honest = Referee.done_before, GameSession.write

    def know(self: Referee, request: Any, pending: Any) -> Any:
        return known(self, request, pending) if isinstance(request, Join) else None

    def write(self: GameSession, event: Event, pending: Any) -> None:
        again = self.loaded.version_of(event.seat, event.id) if event.id else None
        honest(self, replace(event, id=f"{event.id}-again") if again else event, pending)

    Referee.done_before = know  # type: ignore[method-assign]
    GameSession.write = write  # type: ignore[method-assign]


def drop_answers() -> None:
    """Let some answers go astray in silence."""
    _change_answers(0)


def answer_twice() -> None:
    """Send some answers a second time."""
    _change_answers(2)


def _change_answers(times: int) -> None:
    from tic_tac_toe_frontends.server.connection import Connection

    honest = Connection.send
    count = itertools.count(1)

    def send(self: Connection, reply: Any, started: float) -> None:
        chosen = isinstance(reply, Answer) and next(count) % SOMETIMES == 0
        for _ in range(times if chosen else 1):
            honest(self, reply, started)

    Connection.send = send  # type: ignore[method-assign]


def tell_twice() -> None:
    """Send every event to everybody twice."""
    from tic_tac_toe_frontends.server.session import GameSession

    honest = GameSession.tell

    def tell(self: GameSession, event: Event) -> None:
        honest(self, event)
        honest(self, event)

    GameSession.tell = tell  # type: ignore[method-assign]


def read_anything() -> None:
    """Take every message for a text, whatever it is."""
    from tic_tac_toe_frontends.server.web_socket import WebSocket

    def pass_on(self: WebSocket) -> None:
        data, self.frames = b"".join(self.frames), []
        if self.listener is not None:
            self.listener.text(data.decode(errors="replace"))

    WebSocket.send_receive_event_to_app = pass_on  # type: ignore[method-assign]


def claim_everything() -> None:
    """Say of everything that it was written, even where another node was first."""
    from tic_tac_toe_frontends.server.postgres_store import PostgresStore

    honest = PostgresStore.commit

    def commit(self: PostgresStore, transactions: Any) -> list[bool]:
        honest(self, transactions)
        return [True] * len(transactions)

    PostgresStore.commit = commit  # type: ignore[method-assign]


def think_without_end() -> None:
    """Think with the strategies of `thoughts`, some of which find no end."""
    from tests.online import thoughts
    from tic_tac_toe_frontends.server import computers

    computers.choose = thoughts.choose


def stay_behind() -> None:
    """Do the same, in processes that do not look whether their parent is there."""
    from tic_tac_toe_frontends.server import computers

    think_without_end()
    computers.end_with_parent = stay


def stay(parent: int) -> None:
    """Do not look whether the parent is there."""


VARIANTS: Mapping[str, Callable[[], None]] = MappingProxyType(
    {
        "acknowledges-early": acknowledge_early,
        "writes-again": write_again,
        "drops-answers": drop_answers,
        "answers-twice": answer_twice,
        "tells-twice": tell_twice,
        "reads-anything": read_anything,
        "claims-everything": claim_everything,
        "thinks-without-end": think_without_end,
        "stays-behind": stay_behind,
    }
)
