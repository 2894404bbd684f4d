"""Servers with one promise broken each, which the tests must find out."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.online import thoughts
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.replies import Answer, Welcome
from tic_tac_toe.protocols.online.requests import Join
from tic_tac_toe_frontends.server import computers, processes
from tic_tac_toe_frontends.server.admin import endpoint as admin_socket
from tic_tac_toe_frontends.server.admin import place as admin_place
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.loaded_game import LoadedGame
from tic_tac_toe_frontends.server.net.web_socket import WebSocket
from tic_tac_toe_frontends.server.referee import Referee
from tic_tac_toe_frontends.server.session import GameSession
from tic_tac_toe_frontends.server.storage.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.writer import CommitResult, Writer

SOMETIMES = 20  #: one answer of this number, counted, so that it happens for sure


class Change(NamedTuple):
    """What a variant of the server does otherwise.

    Attributes:
        owner, name: the class or module, and the function of it that is replaced.
        broken: returns the function in its place, made of the honest one.
    """

    owner: object
    name: str
    broken: Callable[[Any], Any]


def sabotage(variant: str, put: Callable[[Any, str, Any], None] = setattr) -> None:
    """Turn the server of this process into one of `VARIANTS`, before it starts.

    Args:
        put: sets an attribute, as `setattr` does.
    """
    for owner, name, broken in VARIANTS[variant]:
        put(owner, name, broken(getattr(owner, name)))


def acknowledge_early(honest: Any) -> Any:
    """Acknowledge before anything is committed, and commit a moment later."""

    def write(self: Writer, transaction: Any, then: Callable[[CommitResult], None]) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(then, CommitResult.WRITTEN)
        loop.call_later(0.03, honest, self, transaction, lambda result: None)

    return write


def forget_what_was_done(honest: Any) -> Any:
    """Do what has been done already, if it is asked for again."""

    def done_before(self: Referee, request: Any, pending: Any) -> Any:
        return honest(self, request, pending) if isinstance(request, Join) else None

    return done_before


def write_again(honest: Any) -> Any:
    """Write the event of a message a second time, by another id."""

    def write(self: GameSession, event: Event, pending: Any) -> None:
        again = self.loaded.version_of(event.seat, event.id) if event.id else None
        honest(self, replace(event, id=f"{event.id}-again") if again else event, pending)

    return write


def change_answers(honest: Any, times: int) -> Any:
    """Send some answers a number of times."""
    count = itertools.count(1)

    def send(self: Connection, reply: Any, started: float) -> None:
        chosen = isinstance(reply, Answer) and next(count) % SOMETIMES == 0
        for _ in range(times if chosen else 1):
            honest(self, reply, started)

    return send


def tell_twice(honest: Any) -> Any:
    """Send every event to everybody twice."""

    def tell(self: GameSession, event: Event) -> None:
        honest(self, event)
        honest(self, event)

    return tell


def tell_not(honest: Any) -> Any:
    """Tell nobody of every tenth event."""

    def tell(self: GameSession, event: Event) -> None:
        if event.version % 10:
            honest(self, event)

    return tell


def read_anything(_: Any) -> Any:
    """Take every message for a text, whatever it is."""

    def pass_on(self: WebSocket) -> None:
        data, self.frames = b"".join(self.frames), []
        if self.listener is not None:
            self.listener.text(data.decode(errors="replace"))

    return pass_on


def claim_everything(honest: Any) -> Any:
    """Say of everything that it was written, even where another node was first."""

    def commit(self: PostgresStore, transactions: Any) -> list[bool]:
        honest(self, transactions)
        return [True] * len(transactions)

    return commit


def ask_before_writing(honest: Any) -> Any:
    """Ask whether a version is free and then write it, as if nobody could come between."""

    def commit(self: PostgresStore, transactions: Any) -> list[bool]:
        firsts = [transaction.events[0] for transaction in transactions]
        free = [first.version > self.heads([first.game]).get(first.game, 0) for first in firsts]
        honest(self, list(itertools.compress(transactions, free)))
        return free

    return commit


def seat_by_message(honest: Any) -> Any:
    """Let whoever moves sit on the seat whose turn it is."""

    def judged(self: Referee, game: Any, pending: Any) -> Any:
        return honest(self, game, replace(pending, seat=game.turn))

    return judged


def resume_with_a_gap(honest: Any) -> Any:
    """Leave out the first of the events that somebody has missed."""

    def welcome(self: LoadedGame, *arguments: Any) -> Welcome:
        reply: Welcome = honest(self, *arguments)
        return replace(reply, events=reply.events[1:])

    return welcome


def stay(*_: object) -> None:
    """Do not look whether the parent is there."""


#: Thinks with the strategies of `thoughts`, some of which find no end.
THINK_WITHOUT_END = Change(computers, "choose", lambda _: thoughts.choose)
VARIANTS: Mapping[str, tuple[Change, ...]] = MappingProxyType(
    {
        "acknowledges-early": (Change(Writer, "write", acknowledge_early),),
        "writes-again": (
            Change(Referee, "done_before", forget_what_was_done),
            Change(GameSession, "write", write_again),
        ),
        "drops-answers": (Change(Connection, "send", partial(change_answers, times=0)),),
        "answers-twice": (Change(Connection, "send", partial(change_answers, times=2)),),
        "tells-twice": (Change(GameSession, "tell", tell_twice),),
        "tells-not": (Change(GameSession, "tell", tell_not),),
        "reads-anything": (Change(WebSocket, "send_receive_event_to_app", read_anything),),
        "claims-everything": (Change(PostgresStore, "commit", claim_everything),),
        "asks-before-it-writes": (Change(PostgresStore, "commit", ask_before_writing),),
        "seats-by-message": (Change(Referee, "judged", seat_by_message),),
        "resumes-with-a-gap": (Change(LoadedGame, "welcome", resume_with_a_gap),),
        "thinks-without-end": (THINK_WITHOUT_END,),
        "lets-everybody-operate": (
            Change(admin_place, "FOLDER_MODE", lambda _: 0o755),
            Change(admin_place, "SOCKET_MODE", lambda _: 0o666),
            Change(admin_place, "check_folder", lambda _: lambda folder: None),
            Change(admin_socket, "is_operator", lambda _: lambda writer: True),
        ),
        "stays-behind": (THINK_WITHOUT_END, Change(processes, "begin", lambda _: stay)),
    }
)
