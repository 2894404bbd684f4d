"""The clients that follow one game, the presence they are sent, and the talk of its watchers."""

from __future__ import annotations

import asyncio
from collections import deque

from tic_tac_toe.protocols.online.clocks import claim_seconds
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.judge import illegal
from tic_tac_toe.protocols.online.messages import TALK_LINES
from tic_tac_toe.protocols.online.replies import (
    DUPLICATE,
    OK,
    Answer,
    InvalidReply,
    Presence,
    TalkLine,
    WatchersTalk,
    read_reply,
    write_reply,
)
from tic_tac_toe.protocols.online.requests import Talk

from .budgets import Budget
from .core import ServerCore
from .loaded_game import LoadedGame
from .nodes import PRESENCE, TALK, NodeMessage
from .pending import refusal, too_fast
from .wire.web_socket import WebSocket, frame_of

#: Seconds for which the followers that another server has published count as connected.
PRESENCE_SECONDS = 15.0


class Followers:
    """The clients that follow a game."""

    def __init__(self, core: ServerCore, loaded: LoadedGame) -> None:
        self._core = core
        self._loaded = loaded
        self._seats: dict[WebSocket, str] = {}
        self._elsewhere: dict[str, tuple[NodeMessage, float]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._alone, self._alone_since = "", 0  # the only connected player, and since when
        self._last_sent: tuple[object, ...] = ()  # the presence that was sent last
        self._newcomers: set[WebSocket] = set()  # clients that have come since

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._loaded.game is not None and self._loaded.game.end is not None

    def add(self, follower: WebSocket, seat: str) -> None:
        """Add a follower, at a seat or as a watcher."""
        self._seats[follower] = seat
        self._newcomers.add(follower)
        if seat:
            self._core.presence.add(self._loaded.address, seat)
        self._changed()

    def remove(self, follower: WebSocket) -> None:
        """Remove a follower."""
        seat = self._seats.pop(follower, None)
        self._newcomers.discard(follower)
        if seat:
            self._core.presence.remove(self._loaded.address, seat)
        if seat is not None:
            self._changed()

    def receive(self, message: NodeMessage) -> None:
        """Record which followers another server has published."""
        self._elsewhere[message.node] = message, self._core.clock()
        self.update_presence()

    def send(self, frame: bytes) -> None:
        """Send a frame to all followers here."""
        for follower in tuple(self._seats):
            follower.send_frame(frame)

    def send_to_players(self, frame: bytes) -> None:
        """Send a frame to the players here."""
        self._send_to(frame, players=True)

    def send_to_watchers(self, frame: bytes) -> None:
        """Send a frame to the followers here without a seat."""
        self._send_to(frame, players=False)

    def _send_to(self, frame: bytes, *, players: bool) -> None:
        for follower, seat in tuple(self._seats.items()):
            if bool(seat) == players:
                follower.send_frame(frame)

    def close(self, code: int, reason: str) -> None:
        """Close the connections of all followers here."""
        for follower in tuple(self._seats):
            follower.close(code, reason)

    def close_at(self, seat: str, code: int, reason: str, frame: bytes = b"") -> None:
        """Close the connections at a seat (empty: of the watchers), after sending a frame."""
        for follower, theirs in tuple(self._seats.items()):
            if theirs == seat:
                if frame:
                    follower.send_frame(frame)
                follower.close(code, reason)

    def here(self) -> tuple[str, int]:
        """Return the seats that are connected to this server, and the number of watchers here."""
        seats = set(self._seats.values())
        watchers = sum(not seat for seat in self._seats.values())
        return "".join(seat for seat in SEATS if seat in seats), watchers

    @property
    def presence(self) -> Presence:
        """The clients of this server, and of others as they were published lately."""
        seats, watchers = self.here()
        present = set(seats)
        recent = self._core.clock() - PRESENCE_SECONDS
        published = [
            message for message, received_at in self._elsewhere.values() if received_at >= recent
        ]
        for message in published:
            present.update(message.seats)
            watchers += message.watchers
        if not published:
            present.update(self._seats_elsewhere)
        if (game := self._loaded.game) is not None:
            present.update(
                seat for seat in SEATS if (player := game.player(seat)) and player.strategy
            )
        claimable_at = self.claimable_at(self._alone) if self._alone else None
        claim_in = None if claimable_at is None else max(0, claimable_at - self._core.now())
        connected = tuple(seat for seat in SEATS if seat in present)
        return Presence(self._loaded.address, connected, watchers, claim_in)

    def claimable_at(self, seat: str) -> int | None:
        """Return when a player can claim the game, in ms since 1970; ``None``: they cannot.

        Only time counts in which this player was connected, the other was not, and the server was
        running.
        """
        game = self._loaded.game
        seconds = None if game is None else claim_seconds(game.setup.clock)
        if seconds is None or not seat or seat != self._alone:
            return None
        if self._core.is_shared and not self._core.presence.is_fresh:
            return None
        return max(self._alone_since, self._core.uptime.woke_at) + 1000 * seconds

    def update_presence(self) -> None:
        """Work out who is connected now, and send it to the clients here if it has changed."""
        alone = self._only_player()
        if alone != self._alone:
            self._alone, self._alone_since = alone, self._core.now()
        if self._newcomers or self._presence_state() != self._last_sent:
            self._send_presence_soon()

    def _only_player(self) -> str:
        game = self._loaded.game
        if game is None or not game.turn or game.has_computer:
            return ""
        present = {*self.presence.seats, *self._seats_elsewhere}
        return present.pop() if len(present) == 1 else ""

    @property
    def _seats_elsewhere(self) -> set[str]:
        """The seats whose players are at another server, according to the store."""
        players = self._core.presence
        return {seat for seat in SEATS if players.is_elsewhere(self._loaded.address, seat)}

    def seat_for_nodes(self) -> str:
        """Return the seat here that the other servers must know; empty if there is none.

        That is the seat of a player whose opponent may be elsewhere, or who waits for one.
        """
        game, (seats, _) = self._loaded.game, self.here()
        if game is None or len(seats) != 1 or game.end is not None:
            return ""
        if not game.waiting:
            return seats
        is_shown = self._core.quotas.is_shown_in_lobby(self._loaded.address)
        return seats if game.setup.is_open and is_shown else ""

    def publish_presence(self) -> None:
        """Tell the other servers which clients follow here."""
        seats, watchers = self.here()
        if not self._core.quotas.is_shown_in_lobby(self._loaded.address):
            seats = ""  # so that the other servers do not show it either
        self._core.nodes.publish(PRESENCE, self._loaded.address, seats, watchers)

    def _changed(self) -> None:
        self.publish_presence()
        self.update_presence()

    def _presence_state(self) -> tuple[object, ...]:
        presence = self.presence
        return presence.seats, presence.watchers, self.claimable_at(self._alone)

    def _send_presence_soon(self) -> None:
        if self._timer is None and self._seats:
            delay = 0.05 + len(self._seats) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._send_presence)

    def _send_presence(self) -> None:
        """Send the presence: to all if it has changed, else to the newcomers."""
        self._timer = None
        state, frame = self._presence_state(), frame_of(self.presence)
        for follower in tuple(self._seats if state != self._last_sent else self._newcomers):
            follower.send_frame(frame)
        self._last_sent = state
        self._newcomers.clear()


class WatcherTalk:
    """The talk of one game's watchers, on all servers.

    Attributes:
        lines: the last `TALK_LINES` lines.
    """

    def __init__(self, core: ServerCore, address: str, followers: Followers) -> None:
        self.lines: deque[TalkLine] = deque(maxlen=TALK_LINES)
        self._core = core
        self._address = address
        self._followers = followers
        # A request that is repeated on another connection is recognised by all its fields.
        self._said: deque[Talk] = deque(maxlen=TALK_LINES)
        self._numbers: dict[WebSocket, int] = {}
        self._last_number = 0

    def post(self, speaker: WebSocket, seat: str, request: Talk, budget: Budget) -> Answer:
        """Send a watcher's line to all watchers, and return the answer to the speaker.

        The line costs the speaker's address, so that leaving and coming again gains nothing.
        """
        if seat:
            return refusal(request.id, illegal("not_watching"))
        if request in self._said:
            return Answer(request.id, DUPLICATE)
        if wait := budget.talk.spend(self._core.clock()):
            return too_fast(request.id, wait)
        if speaker not in self._numbers:
            self._last_number += 1
            self._numbers[speaker] = self._last_number
        number = self._numbers[speaker]
        self._said.append(request)
        talk = WatchersTalk(
            self._address, (TalkLine(number, request.name, request.text, self._core.now()),)
        )
        self._core.nodes.publish(TALK, self._address, text=write_reply(talk))
        self._add(talk)
        return Answer(request.id, OK)

    def receive(self, message: NodeMessage) -> None:
        """Add the lines that another server has published."""
        try:
            talk = read_reply(message.text)
        except InvalidReply:
            return
        if isinstance(talk, WatchersTalk) and talk.game == self._address:
            self._add(talk)

    def send_lines(self, follower: WebSocket, seat: str) -> None:
        """Send all lines to a new follower, unless they are a player in a running game."""
        if self.lines and (not seat or self._followers.is_over):
            follower.send_frame(frame_of(WatchersTalk(self._address, tuple(self.lines))))

    def send_to_players(self) -> None:
        """Send all lines to the players, when the game is over."""
        if self.lines:
            self._followers.send_to_players(
                frame_of(WatchersTalk(self._address, tuple(self.lines)))
            )

    def remove_speaker(self, speaker: WebSocket) -> None:
        """Forget a speaker who has gone."""
        self._numbers.pop(speaker, None)

    def _add(self, talk: WatchersTalk) -> None:
        self.lines.extend(talk.lines)
        frame = frame_of(talk)
        self._followers.send_to_watchers(frame)
        if self._followers.is_over:
            self._followers.send_to_players(frame)
