"""A server beside a small model of what it must do: the same requests, the same answers.

Two players, somebody who watches and a stranger ask for all sorts of things in random order: late,
twice, out of turn, after the end. They come and go, and now and then the server crashes.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.online.world import GENEROUS, Guest, kill
from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.events import Accepted, Event, details_of
from tic_tac_toe.protocols.online.messages import PROTOCOL
from tic_tac_toe.protocols.online.replies import Answer, Welcome
from tic_tac_toe.protocols.online.requests import (
    Abort,
    Accept,
    Chat,
    Decline,
    Hello,
    Join,
    Move,
    Offer,
    Resign,
)
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
OTHER = {"X": "O", "O": "X"}
OFFERS = ("draw", "takeback", "rematch", "keepchat")
#: Those that are offered once the game is over.
AFTERWARDS = ("rematch", "keepchat")
#: A game with more events than this is left for a new one.
LONG = 120


class Disagreement(AssertionError):
    """The server does not do what the model does."""


@dataclass
class Model:
    """One game of tic-tac-toe, X first, as the protocol tells it; written without the library.

    Attributes:
        log: what happened: kind, seat, and the cell or the text.
        marks: who is where, in the order of moving.
        movers: the seats that have moved.
        changed: the version that the position has been there since.
        done: the versions of messages, by seat and id.
    """

    log: list[tuple[str, str, Any]] = field(default_factory=list)
    marks: list[tuple[str, int]] = field(default_factory=list)
    offers: set[tuple[str, str]] = field(default_factory=set)
    done: dict[tuple[str, str], int] = field(default_factory=dict)
    movers: set[str] = field(default_factory=set)
    changed: int = 0
    is_over: bool = False
    has_rematch: bool = False
    keeps_chat: bool = False

    @property
    def turn(self) -> str:
        """Whose move it is."""
        return "XO"[len(self.marks) % 2]

    def ask(self, seat: str, request: Any) -> tuple[str, int, str]:
        """Return the status, version and reason of the answer, and do what is asked for."""
        version = self.done.get((seat, request.id)) if seat else None
        if version is not None:
            return "duplicate", version, ""
        refusal = self._refusal(seat, request)
        if refusal == "stale":
            return "stale", len(self.log), ""
        if refusal:
            return "illegal", len(self.log), refusal
        self._do(seat, request)
        self.done[seat, request.id] = len(self.log)
        return "ok", len(self.log), ""

    def _refusal(self, seat: str, request: Any) -> str:
        if not seat:
            return "not_seated"
        over = "game_over" if self.is_over else ""
        if isinstance(request, Chat):
            return ""
        if isinstance(request, Resign) or (isinstance(request, Move) and over):
            return over
        if isinstance(request, Abort):
            return over or ("both_moved" if len(self.movers) == 2 else "")
        is_afterwards = getattr(request, "what", "") in AFTERWARDS
        if not is_afterwards and not self.changed <= request.version <= len(self.log):
            return "stale"
        if isinstance(request, Move):
            if self.turn != seat:
                return "not_your_turn"
            free = request.cell < 9 and request.cell not in [cell for _, cell in self.marks]
            return "" if free else "move"
        return self._refused_offer(seat, request, over)

    def _refused_offer(self, seat: str, request: Any, over: str) -> str:
        what = request.what
        if not isinstance(request, Offer):
            own = isinstance(request, Decline) and (seat, what) in self.offers
            return "" if own or (OTHER[seat], what) in self.offers else "no_offer"
        if what in AFTERWARDS and not self.is_over:
            return "not_over"
        if what == "rematch" and self.has_rematch:
            return "rematch_exists"
        if what == "keepchat":
            has_chat = any(kind == "chat" for kind, _seat, _text in self.log)
            if not has_chat or self.keeps_chat:
                return "no_chat"
        elif over and what not in AFTERWARDS:
            return over
        elif what == "takeback" and seat not in [mover for mover, _ in self.marks]:
            return "nothing_to_take_back"
        return "offered" if (seat, what) in self.offers else ""

    def _do(self, seat: str, request: Any) -> None:
        what = getattr(request, "what", "")
        if isinstance(request, Offer) and what in AFTERWARDS and (OTHER[seat], what) in self.offers:
            request = Accept(request.id, request.version, request.what)
        kind, detail = _entry(request, is_own=(OTHER[seat], what) not in self.offers)
        self.log.append((kind, seat, detail))
        if isinstance(request, Move):
            self.marks.append((seat, request.cell))
            self.movers.add(seat)
            self._change()
            mine = {str(cell) for mover, cell in self.marks if mover == seat}
            self.is_over = len(self.marks) == 9 or any(mine.issuperset(line) for line in LINES)
        elif isinstance(request, Resign | Abort):
            self.is_over = True
            self._change()
        elif isinstance(request, Offer):
            self.offers.add((seat, request.what))
        elif isinstance(request, Decline):
            self.offers.discard((OTHER[seat] if kind == "decline" else seat, request.what))
        elif isinstance(request, Accept):
            if request.what == "draw":
                self.is_over = True
            elif request.what in AFTERWARDS:
                self.has_rematch |= request.what == "rematch"
                self.keeps_chat |= request.what == "keepchat"
                self.offers = {offer for offer in self.offers if request.what not in offer}
                return
            else:
                while self.marks.pop()[0] != OTHER[seat]:
                    pass
            self._change()

    def _change(self) -> None:
        self.changed = len(self.log)
        self.offers.clear()


def _entry(request: Any, *, is_own: bool) -> tuple[str, Any]:
    """Return the kind of the event that a request leads to, and the cell or the text.

    Args:
        is_own: whether an offer is declined that the sender has made.
    """
    if isinstance(request, Decline) and is_own:
        return "withdraw", request.what
    if isinstance(request, Abort):
        return "expire", "abort"
    detail = getattr(request, "cell", getattr(request, "what", getattr(request, "text", "")))
    return type(request).__name__.lower(), detail


class Walk:
    """Random steps of a server and a model, compared at every one.

    Args:
        path: of the data file.

    Attributes:
        steps, crashes, games: their numbers so far.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rng = random.Random(1)
        self.steps = self.crashes = self.games = 0
        self.count = 0
        self.sent: list[tuple[int, Any]] = []

    async def run(self, steps: int) -> None:
        """Make a number of steps.

        Raises:
            Disagreement: the server did something else than the model.
        """
        await self._open()
        await self._new_game()
        try:
            while self.steps < steps:
                self.steps += 1
                await self._step()
            self._compare_log()
        finally:
            await self.server.stop()

    async def _open(self) -> None:
        self.server = GameServer(SqliteStore(self.path, synchronous="NORMAL"), allowance=GENEROUS)
        self.server.writer.gather = 0.0
        await self.server.open()

    async def _new_game(self) -> None:
        """Let two sit down at a new game, and one watch."""
        self.games += 1
        self.guests = [Guest(self.server) for _ in range(3)]
        self.tokens = [guest.token for guest in self.guests[:2]] + [""]
        self.seats = ["X", "O", ""]
        self.address = await self.guests[0].create("tic-tac-toe")
        await self.guests[1].join(self.address)
        await self.guests[2].hello(self.address)
        self._begin_model([("create", "", ""), ("join", "O", "Bob")])

    def _begin_model(self, log: list[tuple[str, str, Any]]) -> None:
        self.model = Model(log=log, changed=len(log))
        self.sent = []
        self.seen = [len(log)] * 3

    async def _step(self) -> None:
        model, rng = self.model, self.rng
        if len(model.log) > LONG or (model.is_over and rng.random() < 0.1):
            self._compare_log()
            if model.has_rematch:
                await self._follow()
            else:
                for guest in self.guests:
                    guest.leave()
                await self._new_game()
            return
        dice = rng.random()
        if dice < 0.01:
            await self._crash()
        elif dice < 0.06:
            await self._reconnect(rng.randrange(3))
        elif dice < 0.08:
            await self._intrude()
        elif dice < 0.18 and self.sent:
            await self._ask(*rng.choice(self.sent))
        else:
            await self._ask(rng.choice((0, 0, 0, 1, 1, 1, 2)), self._request())

    def _new_id(self) -> str:
        self.count += 1
        return f"m{self.count}"

    def _request(self) -> Any:
        rng, head = self.rng, len(self.model.log)
        version = head if rng.random() < 0.8 else rng.randrange(head + 3)
        kinds: tuple[Any, ...] = (Move, Chat, Offer, Accept, Decline, Resign, Abort)
        kind = rng.choices(kinds, (60, 8, 12, 14, 4, 1, 1))[0]
        if kind is Move:
            free = sorted(set(range(9)) - {cell for _, cell in self.model.marks})
            cell = rng.choice(free) if free and rng.random() < 0.8 else rng.randrange(12)
            return Move(self._new_id(), version, cell)
        if kind is Chat:
            return Chat(self._new_id(), f"line {rng.randrange(1000)}")
        if kind in (Resign, Abort):
            return kind(self._new_id())
        what = rng.choice(OFFERS)
        if kind is not Offer and self.model.offers and rng.random() < 0.8:
            what = rng.choice(sorted(self.model.offers))[1]
        return kind(self._new_id(), version, what)

    async def _ask(self, who: int, request: Any) -> None:
        guest, seat = self.guests[who], self.seats[who]
        expected = self.model.ask(seat, request)
        self.sent.append((who, request))
        before = len(guest.answers(request.id))
        guest.send(request)
        await guest.until(lambda: len(guest.answers(request.id)) > before)
        answers = guest.answers(request.id)
        answer = answers[-1]
        got = (answer.status, answer.version, answer.reason) if isinstance(answer, Answer) else None
        if got != expected or len(answers) != before + 1:
            raise Disagreement(f"{request} from seat {seat!r}: expected {expected}, came {answers}")
        self._compare_news()

    def _compare_news(self) -> None:
        """Everybody has been told of everything, in order and once."""
        head = len(self.model.log)
        for who, guest in enumerate(self.guests):
            told = [
                news.event.version for news in guest.happened if news.event.game == self.address
            ]
            expected = list(range(self.seen[who] + 1, head + 1))
            if [version for version in told if version > self.seen[who]] != expected:
                raise Disagreement(
                    f"guest {who} was told of {told}, expected {expected} at the end"
                )
            self.seen[who] = head

    async def _intrude(self) -> None:
        """Let a stranger try to sit down."""
        stranger = Guest(self.server)
        answer = await stranger.ask(stranger.greeting(self.address, new_token(self.rng)))
        if answer.reason != "unknown_game":
            raise Disagreement(f"a stranger was welcome: {answer}")
        answer = await stranger.ask(Join("j", self.address, stranger.token))
        if answer.status != "illegal" or answer.reason not in ("seat_taken", "game_over"):
            raise Disagreement(f"a stranger could join: {answer}")
        move = Move("m", len(self.model.log), self.rng.randrange(9))
        if (await stranger.ask(move)).status != "illegal":
            raise Disagreement("a stranger could move")
        stranger.leave()

    async def _reconnect(self, who: int, *, leave: bool = True) -> Welcome:
        """Let somebody come back, and compare what is told then with the model."""
        if leave:
            self.guests[who].leave()
        guest = self.guests[who] = Guest(self.server)
        head, last = len(self.model.log), self.rng.randrange(len(self.model.log) + 1)
        mine = [request.id for sender, request in self.sent if sender == who][-20:]
        pending = tuple(dict.fromkeys([*mine, "never-sent"]))
        hello = Hello(self._new_id(), PROTOCOL, self.address, self.tokens[who], last, pending)
        welcome = await guest.answer(guest.send(hello))
        if not isinstance(welcome, Welcome) or welcome.seat != self.seats[who]:
            raise Disagreement(f"guest {who} came back as {welcome}")
        for fate in welcome.fates:
            known = self.model.done.get((self.seats[who], fate.id))
            if (fate.status, fate.version) != (("ok", known) if known else ("unknown", 0)):
                raise Disagreement(f"the fate of {fate.id} is {fate}, expected {known}")
        told = [event.version for event in welcome.events]
        if welcome.head != head or told != list(range(last + 1, head + 1))[:100]:
            raise Disagreement(f"after {last} of {head} came {told}")
        self.seen[who] = head
        return welcome

    async def _crash(self) -> None:
        """Forget everything but the log, perhaps while something is being written."""
        self.crashes += 1
        who = self.rng.randrange(2)
        request = self._request() if self.rng.random() < 0.7 else None
        if request is not None:
            self.guests[who].send(request)
            for _ in range(self.rng.randrange(4)):
                await asyncio.sleep(0)
        acknowledged = request is not None and self.guests[who].answers(request.id)
        for guest in self.guests:
            guest.leave()
        await kill(self.server)
        await self._open()
        if request is not None:
            self._learn(self.seats[who], request, bool(acknowledged))
        for each in range(3):
            await self._reconnect(each, leave=False)

    def _learn(self, seat: str, request: Any, acknowledged: bool) -> None:
        """Let the model do what the log says was done; it must be there if it was acknowledged."""
        events = self.server.store.events(self.address)
        there = f"{seat}:{request.id}" in {event.unique_id for event in events}
        if acknowledged or there:
            status, version, _ = self.model.ask(seat, request)
            if there != (status == "ok") or len(self._log()) != len(self.model.log):
                raise Disagreement(f"{request} was {status} at {version}, in the log: {there}")

    async def _follow(self) -> None:
        """Go to the rematch, where the colours are swapped."""
        log = self.server.store.events(self.address)
        follower = next(e.follower for e in log if isinstance(e, Accepted) and e.follower)
        self.games += 1
        self.address = follower
        self.tokens[:2] = self.tokens[1::-1]
        self._begin_model([("create", "", "")])
        for who in range(3):
            await self._reconnect(who)

    def _log(self) -> list[tuple[str, str, Any]]:
        return [
            (event.kind, event.seat, _content(event))
            for event in self.server.store.events(self.address)
        ]

    def _compare_log(self) -> None:
        if self._log() != self.model.log:
            raise Disagreement(f"the log is {self._log()}, expected {self.model.log}")


def _content(event: Event) -> object:
    """Return the cell or the text of an event."""
    details = details_of(event)
    return details.get("cell", details.get("text", ""))


@pytest.mark.anyio
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(1_500, marks=pytest.mark.medium),
        pytest.param(100_000, marks=pytest.mark.nightly),
    ],
)
async def test_server_and_model_agree(tmp_path: Path, steps: int) -> None:
    walk = Walk(tmp_path / "games.sqlite")
    await walk.run(steps)
    assert walk.crashes > 5
    assert walk.games > 10
