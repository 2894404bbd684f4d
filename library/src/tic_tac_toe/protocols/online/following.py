"""How a client follows one game: it applies events, asks for missing ones, and keeps the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from tic_tac_toe.protocols.online.clocks import ClockState
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.news import GameChanged, News
from tic_tac_toe.protocols.online.outbox import Outbox
from tic_tac_toe.protocols.online.replica import Gap, Replaced, Replica
from tic_tac_toe.protocols.online.replies import InvalidReply
from tic_tac_toe.protocols.online.requests import Events
from tic_tac_toe.protocols.online.standing import ENDS, End


class Following:
    """The game that a client is at, as far as its events are known.

    Args:
        address: of the game; empty for none.
        outbox: sends the requests for missing events.
        clock: seconds from any start.

    Attributes:
        replica: the game and its known events.
        is_asking: whether missing events were asked for, and have not come yet.
    """

    def __init__(self, address: str, outbox: Outbox, clock: Callable[[], float]) -> None:
        self.address: str = address
        self.replica: Replica = Replica()
        self._outbox = outbox
        self._clock = clock
        self._events_id = ""  # of the request for missing events
        self._has_started_over = False
        self._is_whole = False  # once all events that there were at the arrival are known
        self._clock_seen_at = clock()
        self._clock_told = 0  # the server's time then

    @property
    def version(self) -> int:
        """The version of the last known event."""
        return self.replica.version

    @property
    def is_asking(self) -> bool:
        """Whether missing events were asked for, and have not come yet."""
        return bool(self._events_id)

    def go_to(self, address: str) -> None:
        """Follow this game from now on."""
        if address != self.address:
            self.replica.clear()
            self._has_started_over = self._is_whole = False
        self.address = address
        self._events_id = ""

    def reconnected(self) -> None:
        """Begin a new conversation about the same game."""
        self._events_id = ""
        self._has_started_over = False

    def learn(self, events: Iterable[Event]) -> list[News]:
        """Apply the events that are new, ask for those between, or start over."""
        news: list[News] = []
        before = _timing(self.replica.game)
        ours = [event for event in events if event.game == self.address]
        try:
            is_past = not self._is_whole
            news.extend(GameChanged(event, is_past) for event in self.replica.learn(ours))
        except Gap:
            self.catch_up(ours[-1].version)
        except Replaced:
            self.start_over()
        else:
            game = self.replica.game
            if game is not None and _timing(game) != before:  # chat touches no clock
                self._clock_seen_at, self._clock_told = self._clock(), game.time
        return news

    def tell(self, event: Event, clock: tuple[int, int] | None, end: End | None) -> list[News]:
        """Apply an event as it happens; its clock and end count if nothing newer is known."""
        news = self.learn([event])
        if (event.game, event.version) == (self.address, self.version):
            self.set_clock(clock, event.time)
            self.compare(end)
        return news

    def compare(self, told: End | None) -> None:
        """Start over if the server says that the game, as it is known here, ended otherwise.

        Reasons that are unknown here do not matter, and former servers say nothing.

        Raises:
            InvalidReply: as by `start_over`.
        """
        if told is None or self.replica.game is None:
            return
        known = self.replica.game.end
        is_other_reason = told.reason in ENDS and known is not None and told.reason != known.reason
        if known is None or told.winner != known.winner or is_other_reason:
            self.start_over()

    def answered(self, message_id: str) -> None:
        """Wait no longer for missing events, if this is the answer to the request for them."""
        if message_id == self._events_id:
            self._events_id = ""

    def catch_up(self, head: int, end: End | None = None) -> None:
        """Ask for the events up to a version, unless they are known or asked for.

        Args:
            end: how the game ended up to there, if the server has said so: it is compared.
        """
        if head == self.version:
            self.compare(end)
        if head <= self.version:
            self._has_started_over = False  # it was of use: the game is whole
            self._is_whole = self._is_whole or head > 0
        elif not self._events_id:
            self.ask_for_events()

    def ask_for_events(self) -> None:
        """Ask for the events after the last known one."""
        request = Events(self._outbox.new_id(), self.version)
        self._events_id = request.id
        self._outbox.ask_aside(request)

    def start_over(self) -> None:
        """Forget a game that does not fit its events, and ask for all of them.

        Raises:
            InvalidReply: it has been done before on this connection, and was of no use.
        """
        self.replica.clear()
        self._is_whole = False
        if self._has_started_over:
            raise InvalidReply("the events of the game do not follow each other")
        self._has_started_over = True
        self.ask_for_events()

    def set_clock(self, left: tuple[int, int] | None, now: int) -> None:
        """Take over the milliseconds left that the server tells, for it knows of pauses."""
        game = self.replica.game
        if game is None or (left is None) != (game.clock is None):
            return
        if left is not None and game.clock is not None and left != game.clock.left:
            known = ClockState(left, max(now, game.clock.since), game.clock.running)
            self.replica.game = replace(game, clock=known)
        if left is not None or game.first_move_by is not None:
            self._clock_seen_at, self._clock_told = self._clock(), now

    def time_left(self) -> tuple[int, int] | None:
        """Return the milliseconds that X and O have left; ``None`` without a clock."""
        game = self.replica.game
        if game is None or game.clock is None:
            return None
        return game.clock.at(game.clock.since + self._passed)

    def first_move_left(self) -> int | None:
        """Return the milliseconds that the side to move has for its first move, if it is limited.

        The server may allow more, for it knows of pauses. ``None`` also without a clock against a
        computer, which does not mind.
        """
        game = self.replica.game
        if game is None or game.first_move_by is None:
            return None
        if game.clock is None and game.has_computer:
            return None
        return max(0, game.first_move_by - self._clock_told - self._passed)

    @property
    def _passed(self) -> int:
        """The milliseconds since the server last told of the clock."""
        return int(1000 * (self._clock() - self._clock_seen_at))


def _timing(game: OnlineGame | None) -> object:
    """Return what times are reckoned from."""
    return game and (game.clock, game.turn_since)
