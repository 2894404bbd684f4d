"""A client's copy of a game: its events, the time that is left, and whether the server agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import Enum

from tic_tac_toe.protocols.online import replies
from tic_tac_toe.protocols.online.clocks import ClockState
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import ENDS, End, Gap, OnlineGame, Replaced, Replica
from tic_tac_toe.protocols.online.news import GameChanged


class Copy(str, Enum):
    """The states of a copy."""

    PARTIAL = "partial"  # events from before the client's arrival may be missing
    WHOLE = "whole"  # all of those are known
    DROPPED = "dropped"  # it contradicted the server, which is asked for all events once more


PARTIAL, WHOLE, DROPPED = Copy

COMPLETE, CONTRADICT, FORGIVE = "complete", "contradict", "forgive"
#: Where each event leads a copy. A server that contradicts what it has just sent anew is not
#: believed, until the next connection.
COPIES: Mapping[Copy, Mapping[str, Copy]] = {
    PARTIAL: {COMPLETE: WHOLE, CONTRADICT: DROPPED, FORGIVE: PARTIAL},
    WHOLE: {COMPLETE: WHOLE, CONTRADICT: DROPPED, FORGIVE: WHOLE},
    DROPPED: {COMPLETE: WHOLE, FORGIVE: PARTIAL},
}


class GameCopy(Replica):
    """A game as far as a client knows its events.

    Args:
        clock: seconds from any start, never backwards.
        ask: called when events are missing; with ``anew`` even if they are asked for already.

    Attributes:
        state: one of `Copy`.
    """

    def __init__(self, clock: Callable[[], float], ask: Callable[[bool], object]) -> None:
        super().__init__()
        self.state: Copy = PARTIAL
        self._clock, self._ask = clock, ask
        # When, by `clock`, the server told the time that is left, and the time by the server then.
        self._seen_at, self._told = clock(), 0

    def forget(self) -> None:
        """Forget the game, for the client goes to another one."""
        self.clear()
        self.state = PARTIAL

    def reconnected(self) -> None:
        """Believe the server again, for there is a new connection."""
        self.state = COPIES[self.state][FORGIVE]

    # -- the time that is left ---------------------------------------------------------------------

    def time_left(self) -> tuple[int, int] | None:
        """Return the milliseconds that X and O have left; ``None`` without a clock."""
        if self.game is None or self.game.clock is None:
            return None
        return self.game.clock.at(self.game.clock.since + self._passed)

    def first_move_left(self) -> int | None:
        """Return what `Client.first_move_left` does."""
        game = self.game
        if game is None or game.first_move_by is None or (not game.clock and game.has_computer):
            return None
        return max(0, game.first_move_by - self._told - self._passed)

    @property
    def _passed(self) -> int:
        """The milliseconds since the server told the time that is left."""
        return int(1000 * (self._clock() - self._seen_at))

    def _set_clock(self, left: tuple[int, int] | None, now: int) -> None:
        """Take over the milliseconds left that the server tells, for it knows of pauses."""
        game = self.game
        if game is None or (left is None) != (game.clock is None):
            return
        if left is not None and game.clock is not None and left != game.clock.left:
            known = ClockState(left, max(now, game.clock.since), game.clock.running)
            self.game: OnlineGame | None = replace(game, clock=known)
        if left is not None or game.first_move_by is not None:
            self._seen_at, self._told = self._clock(), now

    # -- what the server says ----------------------------------------------------------------------

    def welcomed(self, welcome: replies.Welcome) -> list[GameChanged]:
        """Apply what a welcome to the game brings.

        Raises:
            InvalidReply: the server contradicts itself; likewise below.
            InvalidVariant: the variant is unknown here; likewise below.
        """
        if welcome.head < self.version:  # the server's log is another, or an older one
            self._start_over()
        news = self._learn_from(welcome.game, welcome.events)
        self.catch_up(welcome.head, welcome.end)
        if welcome.head == self.version:
            self._set_clock(welcome.clock, welcome.now)
        return news

    def answered(self, answer: replies.Answer, after: int | None) -> list[GameChanged]:
        """Apply what an answer brings.

        Args:
            after: the version after which events were asked for, if they were.
        """
        news = self._learn_from(answer.game, answer.events)
        if after == self.version < answer.head:
            raise replies.InvalidReply("the events that were asked for are missing")
        self.catch_up(answer.head, answer.end)
        return news

    def happened(self, address: str, happened: replies.Happened) -> list[GameChanged]:
        """Apply an event of the game; the clock and end told with it count unless they are old."""
        event = happened.event
        news = self._learn_from(address, [event])
        if (event.game, event.version) == (address, self.version):
            self._set_clock(happened.clock, event.time)
            self._compare(happened.end)
        return news

    def catch_up(self, head: int, end: End | None = None) -> None:
        """Ask for the events up to a version, unless they are known or asked for.

        Args:
            end: how the game ended up to there, if the server has said so: it is compared.
        """
        if head == self.version:
            self._compare(end)
        if head <= self.version:
            self.state = COPIES[self.state][COMPLETE if head else FORGIVE]
        else:
            self._ask(False)

    def _learn_from(self, address: str, events: Iterable[Event]) -> list[GameChanged]:
        """Apply the events that are new, ask for those between, or start over."""
        news: list[GameChanged] = []
        before = _timing(self.game)
        ours = [event for event in events if event.game == address]
        try:
            is_past = self.state is not WHOLE
            news.extend(GameChanged(event, is_past) for event in self.learn(ours))
        except Gap:
            self.catch_up(ours[-1].version)
        except Replaced:
            self._start_over()
        else:
            if self.game is not None and _timing(self.game) != before:  # chat touches no clock
                self._seen_at, self._told = self._clock(), self.game.time
        return news

    def _compare(self, told: End | None) -> None:
        """Start over if the server says that the game, as it is known here, ended otherwise.

        Reasons that are unknown here do not matter, and former servers say nothing.
        """
        if told is None or self.game is None:
            return
        known = self.game.end
        is_other_reason = told.reason in ENDS and known is not None and told.reason != known.reason
        if known is None or told.winner != known.winner or is_other_reason:
            self._start_over()

    def _start_over(self) -> None:
        """Forget a game that does not fit its events, and ask for all of them, once."""
        self.clear()
        if CONTRADICT not in COPIES[self.state]:
            raise replies.InvalidReply("the events of the game do not follow each other")
        self.state = COPIES[self.state][CONTRADICT]
        self._ask(True)


def _timing(game: OnlineGame | None) -> object:
    """Return what times are reckoned from."""
    return game and (game.clock, game.turn_since)
