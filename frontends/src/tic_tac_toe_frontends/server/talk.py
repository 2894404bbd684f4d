"""The talk of a game's watchers, which is kept in memory only.

The players see it once the game is over.
"""

from __future__ import annotations

from collections import deque

from tic_tac_toe.protocols.online.judge import illegal
from tic_tac_toe.protocols.online.messages import TALK_LINES
from tic_tac_toe.protocols.online.replies import (
    DUPLICATE,
    OK,
    Answer,
    InvalidReply,
    TalkLine,
    WatchersTalk,
    read_reply,
    write_reply,
)
from tic_tac_toe.protocols.online.requests import Talk

from .budgets import Budget
from .core import ServerCore
from .followers import Followers
from .nodes import TALK, NodeMessage
from .pending import refusal, too_fast
from .wire.web_socket import WebSocket, frame_of


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
