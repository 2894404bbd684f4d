"""What a request to a game leads to: an answer at once, or an event that is to be written first."""

from __future__ import annotations

from tic_tac_toe.protocols.online.events import REMATCH, Event, Offered
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.judge import Illegal, Judged, Stale, flag, illegal, judge
from tic_tac_toe.protocols.online.replies import DUPLICATE, STALE, Answer, Welcome
from tic_tac_toe.protocols.online.requests import Create, Events, Hello, Join, Lobby

from .house import House
from .loaded_game import LoadedGame
from .pending import FULL_RETRY, PendingRequest, Place, busy, refusal, too_fast


class Referee:
    """Decides about the requests to one game.

    Args:
        house: knows the time, and whether the log can be written.
        loaded: the game.
    """

    def __init__(self, house: House, loaded: LoadedGame) -> None:
        self.house = house
        self.loaded = loaded

    def needs_news(self, pending: PendingRequest) -> bool:
        """Whether another server may have written what makes this request come out otherwise."""
        game = self.loaded.game
        if game is None or not isinstance(pending.request, Judged):
            return True
        return not isinstance(self.judged(game, pending), Event)

    def decide(self, place: Place, pending: PendingRequest) -> Answer | Welcome | Event:
        """Return the answer to a request, or the event that it leads to.

        Where a time has run out, that is the event, and the request is to be decided after it.

        Args:
            place: where its sender is from now on, if it takes a seat or comes back.
        """
        game, request = self.loaded.game, pending.request
        if game is None:
            return refusal(request.id, illegal("unknown_game"))
        match request:
            case Hello():
                return self.welcome(place, game, request, pending)
            case Create():
                return self._created_before(place, request, pending)
            case Events():
                return self.loaded.told(request)
            case Lobby():
                raise AssertionError("the lobby is not a game")
        if (known := self.done_before(place, request, pending)) is not None:
            return known
        flagged = flag(game, self.house.now(), self.house.pauses)
        if flagged is None:
            return self._decide(game, pending)
        can_write = not (self.house.writer.failed or self.house.has_slept)
        return flagged if can_write else busy(request.id, "storage")

    def _decide(self, game: OnlineGame, pending: PendingRequest) -> Answer | Event:
        decision, request = self.judged(game, pending), pending.request
        if isinstance(decision, Stale):
            return Answer(request.id, STALE, game.version)
        if isinstance(decision, Illegal):
            return refusal(request.id, decision, game.version)
        if self.house.writer.failed:
            return busy(request.id, "storage")
        return self._refused_rematch(decision, pending) or decision

    def _refused_rematch(self, event: Event, pending: PendingRequest) -> Answer | None:
        """Return why there can be no further game now; it counts as one that the offerer made."""
        is_rematch = isinstance(event, Offered) and event.what == REMATCH
        if not is_rematch or pending.sender is None:
            return None
        if self.house.is_full:
            return busy(pending.request.id, "full", FULL_RETRY)
        wait = pending.sender.account.games.spend(self.house.clock())
        return too_fast(pending.request.id, wait) if wait else None

    def judged(self, game: OnlineGame, pending: PendingRequest) -> Event | Stale | Illegal:
        """Return what a request leads to now."""
        assert isinstance(pending.request, Judged)
        return judge(game, pending.seat, pending.request, self.house.now(), self.house.pauses)

    def done_before(self, place: Place, request: Judged, pending: PendingRequest) -> Answer | None:
        """Return the same answer again to a request that has been done already."""
        is_join = isinstance(request, Join)
        seat = self.loaded.seat_of(request.token) if isinstance(request, Join) else pending.seat
        version = self.loaded.version_of(seat, request.id)
        if version is None:
            return None
        if is_join:
            return self.seat(place, pending, DUPLICATE, version, seat)
        return Answer(request.id, DUPLICATE, version)

    def _created_before(self, place: Place, request: Create, pending: PendingRequest) -> Answer:
        """Return the answer to a client that has created the game before."""
        seat = self.loaded.seat_of(request.token)
        if not seat:
            return refusal(request.id, illegal("id_used"))
        return self.seat(place, pending, DUPLICATE, 1, seat)

    def seat(
        self, place: Place, pending: PendingRequest, status: str, version: int, seat: str
    ) -> Answer:
        """Let a client take a seat, and return the answer."""
        if pending.sender is not None:
            pending.sender.take_place(place, seat, pending.request.id)
        return self.loaded.arrived(pending.request.id, status, version, seat)

    def welcome(
        self, place: Place, game: OnlineGame, hello: Hello, pending: PendingRequest
    ) -> Answer | Welcome:
        """Let a client come, or come back, and return the answer."""
        seat = self.loaded.seat_of(hello.token)
        if hello.token and not seat:
            return refusal(hello.id, illegal("unknown_game"))
        if pending.sender is not None:
            pending.sender.take_place(place, seat, hello.id)
        return self.loaded.welcome(game, hello, seat, self.house.now(), self.house.pauses)
