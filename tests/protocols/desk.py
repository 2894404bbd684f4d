"""A client of online play, and somebody who reads what it sends and answers by hand."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.protocols.games import START, happening
from tests.protocols.linked import Time
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import REMATCH, Event, GameSetup, Player
from tic_tac_toe.protocols.online.messages import PROTOCOL
from tic_tac_toe.protocols.online.replies import BUSY, OK, Answer, Reply, Welcome, write_reply
from tic_tac_toe.protocols.online.requests import Events, Hello, Request, read_request

HERE, THERE = "H" * 21 + "A", "T" * 21 + "A"
TOKEN = "K" * 21 + "A"
BOTH = (Player("Ann"), Player("Bob"))
WON = (0, 3, 1, 4, 2)


class Desk:
    """A client, and somebody who reads what it sends and answers by hand."""

    def __init__(self, **where: str) -> None:
        self.time = Time()
        self.client = Client(random.Random(3), self.time, **where)

    def sent(self) -> list[Request]:
        return [read_request(text) for text in self.client.take_outgoing()]

    def hear(self, *replies: Reply) -> list[object]:
        return [news for reply in replies for news in self.client.received(write_reply(reply))]

    def wait(self, seconds: float) -> list[Request]:
        """Let time pass; return what the client then sends."""
        self.time.seconds += seconds
        self.client.wake()
        return self.sent()

    def hello(self) -> Hello:
        """Return the greeting that the client has sent last."""
        hello = self.sent()[-1]
        assert isinstance(hello, Hello)
        return hello

    def come_back(self) -> Hello:
        """Lose the connection and open another; return the greeting."""
        self.client.disconnected()
        self.client.connected()
        return self.hello()

    def welcome(
        self, *events: Event, to: Hello | None = None, head: int | None = None, **more: object
    ) -> list[object]:
        """Welcome the client to where it wants to be: at X, if it has a token."""
        hello = to or self.hello()
        seat = "X" if hello.token else ""
        version = len(events) if head is None else head
        welcome = Welcome(hello.id, PROTOCOL, hello.game, seat, version, events)
        return self.hear(replace(welcome, **more))  # type: ignore[arg-type]

    def sit(self, *events: Event, **more: object) -> list[object]:
        self.client.connected()
        return self.welcome(*events, **more)  # type: ignore[arg-type]

    def put_off(self, request: Request, retry: int, reason: str = "too_fast") -> list[object]:
        return self.hear(Answer(request.id, BUSY, reason=reason, retry=retry))

    def asked_for_events(self, after: int = 0) -> Events:
        """Return the one request that the client has sent, for the events after a version."""
        (asked,) = self.sent()
        assert isinstance(asked, Events)
        assert asked.after == after
        return asked

    def bring(self, asked: Request, *events: Event, **more: object) -> list[object]:
        """Answer a request for events, up to the last of them."""
        answer = Answer(asked.id, OK, game=HERE, events=events, head=events[-1].version)
        return self.hear(replace(answer, **more))  # type: ignore[arg-type]


def log(*cells: int, game: str = HERE, clock: Clock | None = None) -> list[Event]:
    """Return the events of a game that both play from the start, a second apart."""
    setup = GameSetup("tic-tac-toe", players=BOTH, clock=clock)
    events = [happening(game, 1, "create", "", START, setup=setup)]
    for number, cell in enumerate(cells):
        time = START + 1_000 * (number + 1)
        events.append(happening(game, number + 2, "move", "XO"[number % 2], time, cell=cell))
    return events


def said(version: int, text: str = "", seat: str = "X", **more: object) -> Event:
    return happening(HERE, version, "chat", seat, START + 1_000 * version, text=text, **more)  # type: ignore[arg-type]


#: A rematch of `WON` that O offers and X accepts.
OFFERED = happening(HERE, 7, "offer", "O", START + 9_000, text=REMATCH)
ACCEPTED = happening(HERE, 8, "accept", "X", START + 9_000, text=REMATCH, follower=THERE)


def greeting() -> Desk:
    """Return a client that has a connection and no welcome yet."""
    desk = Desk(game=HERE, token=TOKEN)
    desk.client.connected()
    return desk


def seated(*cells: int, clock: Clock | None = None) -> Desk:
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(*log(*cells, clock=clock))
    return desk


def nowhere() -> Desk:
    """Return a client that is welcome and at no game."""
    desk = Desk()
    desk.sit()
    return desk


def alone() -> Desk:
    """Return a client at X in a game that nobody has joined."""
    desk = Desk(game=HERE, token=TOKEN)
    setup = GameSetup("tic-tac-toe", players=(Player("Ann"), None))
    desk.sit(happening(HERE, 1, "create", "", START, setup=setup))
    return desk
