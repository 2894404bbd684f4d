"""What the watchers of a game say to each other: kept in memory only, and not shown to its players.

Players see it once the game is over.
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

from .core import ServerCore
from .hints import TALK, Hint
from .net.web_socket import WebSocket, frame_of
from .pending import refusal, too_fast
from .presence import Followers
from .rate_limits import Bucket

#: Lines that a watcher may say at once, and per second after that.
LINES_AT_ONCE, LINES_PER_SECOND = 5.0, 0.5


class WatcherTalk:
    """The talk of the watchers of one game; lines that came through another server are in it, too.

    Attributes:
        lines: what is kept, `TALK_LINES` at most.
    """

    def __init__(self, core: ServerCore, address: str, followers: Followers) -> None:
        self.lines: deque[TalkLine] = deque(maxlen=TALK_LINES)
        self._core = core
        self._address = address
        self._followers = followers
        # A request that is sent again on another connection is known by all that it says.
        self._said: deque[Talk] = deque(maxlen=TALK_LINES)
        self._speakers: dict[WebSocket, tuple[int, Bucket]] = {}
        self._last_number = 0

    def say(self, speaker: WebSocket, seat: str, request: Talk) -> Answer:
        """Tell the watchers a line of one of them, and return the answer to the speaker."""
        if seat:
            return refusal(request.id, illegal("not_watching"))
        if request in self._said:
            return Answer(request.id, DUPLICATE)
        now = self._core.clock()
        if speaker not in self._speakers:
            self._last_number += 1
            bucket = Bucket(LINES_AT_ONCE, LINES_PER_SECOND, now)
            self._speakers[speaker] = self._last_number, bucket
        number, bucket = self._speakers[speaker]
        if wait := bucket.spend(now):
            return too_fast(request.id, wait)
        self._said.append(request)
        told = WatchersTalk(
            self._address, (TalkLine(number, request.name, request.text, self._core.now()),)
        )
        self._core.hints.tell(TALK, self._address, text=write_reply(told))
        self._take(told)
        return Answer(request.id, OK)

    def heard(self, hint: Hint) -> None:
        """Take the lines that another server has told of."""
        try:
            told = read_reply(hint.text)
        except InvalidReply:
            return
        if isinstance(told, WatchersTalk) and told.game == self._address:
            self._take(told)

    def show(self, follower: WebSocket, seat: str) -> None:
        """Tell somebody who has come what has been said; not a player whose game goes on."""
        if self.lines and (not seat or self._followers.is_over):
            follower.say(frame_of(WatchersTalk(self._address, tuple(self.lines))))

    def reveal(self) -> None:
        """Tell the players, because the game is over."""
        if self.lines:
            self._followers.say_to_players(frame_of(WatchersTalk(self._address, tuple(self.lines))))

    def forget(self, speaker: WebSocket) -> None:
        """Take note that somebody has gone."""
        self._speakers.pop(speaker, None)

    def _take(self, told: WatchersTalk) -> None:
        self.lines.extend(told.lines)
        frame = frame_of(told)
        self._followers.say_to_watchers(frame)
        if self._followers.is_over:
            self._followers.say_to_players(frame)
