"""Decides what a request to a game leads to: an answer, or an event to be written first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeGuard

from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.events import (
    REMATCH,
    SEATS,
    TAKE_BACK,
    Accepted,
    Event,
    Joined,
    Offered,
)
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.judge import (
    Illegal,
    Judged,
    Stale,
    flag,
    has_begun,
    has_led_to,
    illegal,
    judge,
)
from tic_tac_toe.protocols.online.replies import DUPLICATE, STALE, Answer, Welcome
from tic_tac_toe.protocols.online.requests import (
    Accept,
    Block,
    Claim,
    Create,
    Events,
    Hello,
    Join,
    Mine,
    Offer,
    Pair,
    Report,
    Request,
    Talk,
)
from tic_tac_toe.protocols.online.requests import Lobby as LobbyRequest

from .core import ServerCore
from .loaded_game import LoadedGame, size_of
from .lobby import Lobby
from .pending import FULL_RETRY, PendingRequest, busy, refusal, too_fast


def _is_approach(event: Event | Request) -> TypeGuard[Offered | Accepted | Offer | Accept]:
    """Whether a player asks the other for what a blocked player is refused."""
    if isinstance(event, Offered | Offer):
        return event.what in (REMATCH, TAKE_BACK)
    return isinstance(event, Accepted | Accept) and event.what == REMATCH


@dataclass
class Referee:
    """Decides about the requests to one game.

    Args:
        core: knows the time, and whether the log can be written.
        lobby: knows whether there may be more games.
        claimable_at: returns when the player at a seat can claim the game; ``None``: they cannot.
    """

    core: ServerCore
    lobby: Lobby
    loaded: LoadedGame
    claimable_at: Callable[[str], int | None]

    def key_to_know(self, pending: PendingRequest) -> str:
        """Return whose blocks a decision needs: the hash of their token; empty for nobody's."""
        request, game = pending.request, self.loaded.game
        if isinstance(request, Join):
            return hash_of_token(request.token)
        player = game.player(pending.seat) if game is not None and pending.seat else None
        return player.key if player is not None and _is_approach(request) else ""

    def needs_fresh_log(self, pending: PendingRequest) -> bool:
        """Whether an event of another server could change the outcome of a request."""
        game, request = self.loaded.game, pending.request
        if game is None or not isinstance(request, Judged):
            return True
        if not pending.seat and not isinstance(request, Join):
            return False  # a watcher can do nothing there, whatever has happened
        return not isinstance(self.judged(game, pending), Event)

    def decide(self, pending: PendingRequest) -> Answer | Welcome | Event:
        """Return the answer to a request, or the event that it leads to.

        If a player has run out of time, that is the event, and the request has to be decided again.
        """
        game, request, core = self.loaded.game, pending.request, self.core
        if game is None or self._is_hidden_from(pending):
            return refusal(request.id, illegal("unknown_game"))
        match request:
            case Hello():
                seat = self.loaded.seat_of(request.token)
                if request.token and not seat:
                    return refusal(request.id, illegal("unknown_game"))
                return self.loaded.welcome(game, request, seat, core.now(), core.uptime.pauses)
            case Create() | Pair():
                if not (self.loaded.seat_of(request.token) and has_begun(game.setup, request)):
                    return refusal(request.id, illegal("id_used"))
                return self.loaded.done_answer(request, DUPLICATE, 1)
            case Events():
                return self.loaded.events_answer(request)
            case LobbyRequest() | Talk() | Mine() | Report() | Block():
                raise AssertionError("it is not about the log of a game")
        if (known := self.done_before(request, pending)) is not None:
            return known
        flagged = flag(game, core.now(), core.uptime.pauses)
        if flagged is None:
            return self._decide(game, pending)
        can_judge = not (core.writer.failed or core.uptime.has_slept)
        return flagged if can_judge else busy(request.id, "storage")

    def _is_hidden_from(self, pending: PendingRequest) -> bool:
        if self.loaded.address not in self.core.moderation.hidden:
            return False
        token = getattr(pending.request, "token", "")
        return not (pending.seat or self.loaded.seat_of(token))

    def _decide(self, game: OnlineGame, pending: PendingRequest) -> Answer | Event:
        decision, request = self.judged(game, pending), pending.request
        if isinstance(decision, Stale):
            return Answer(request.id, STALE, game.version)
        if isinstance(decision, Illegal):
            return refusal(request.id, decision, game.version)
        if closed := self._blocked_reason(decision, game):
            return refusal(request.id, illegal(closed), game.version)
        if self.core.writer.failed:
            return busy(request.id, "storage")
        return self._refused(decision, pending) or decision

    def _refused(self, event: Event, pending: PendingRequest) -> Answer | None:
        if pending.budget is None:
            return None
        if (refused := self._refused_rematch(event, pending)) is not None:
            return refused
        wait = pending.budget.stored.spend(self.core.clock(), size_of(event))
        return too_fast(pending.request.id, wait) if wait else None

    def _blocked_reason(self, event: Event, game: OnlineGame) -> str:
        """Return the reason why a blocked player may not approach the other; empty if they may.

        Refused are joining their open game, a rematch, and asking them to take a move back. There
        is also no rematch with a player whose seat was removed.
        """
        are_apart = self.core.blocks.are_blocked
        people = [each for each in game.players if each is not None and not each.strategy]
        if isinstance(event, Joined):
            is_apart = any(are_apart(event.key, each.key) for each in people)
            return "not_for_you" if game.setup.is_open and is_apart else ""
        if not _is_approach(event) or len(people) < len(SEATS):
            return ""
        one, other = (each.key for each in people)
        if event.what == REMATCH and not (one and other):
            return "left_for_good"
        return "not_taken" if are_apart(one, other) else ""

    def _refused_rematch(self, event: Event, pending: PendingRequest) -> Answer | None:
        """Return the refusal if there can be no rematch now; it counts as a game of the offerer."""
        is_rematch = isinstance(event, Offered | Accepted) and event.what == REMATCH
        if not is_rematch or pending.budget is None:
            return None
        if self.core.moderation.is_draining and isinstance(event, Offered):
            return busy(pending.request.id, "draining", FULL_RETRY)
        if refused := self.core.quotas.refuses_game(pending.budget):
            return busy(pending.request.id, refused, FULL_RETRY)
        if isinstance(event, Accepted):
            return None
        if self.lobby.is_full:
            return busy(pending.request.id, "full", FULL_RETRY)
        wait = pending.budget.games.spend(self.core.clock())
        return too_fast(pending.request.id, wait) if wait else None

    def judged(self, game: OnlineGame, pending: PendingRequest) -> Event | Stale | Illegal:
        """Return what a request leads to now."""
        assert isinstance(pending.request, Judged)
        now, pauses = self.core.now(), self.core.uptime.pauses
        is_claim = isinstance(pending.request, Claim) and not self.core.uptime.has_slept
        claimable_at = self.claimable_at(pending.seat) if is_claim else None
        player = game.player(pending.seat) if pending.seat else None
        is_removed = player is not None and not (player.key or player.strategy)
        seat = "" if is_removed else pending.seat  # the operator may have removed it meanwhile
        return judge(game, seat, pending.request, now, pauses, claimable_at)

    def done_before(self, request: Judged, pending: PendingRequest) -> Answer | None:
        """Return the answer to a request whose id has been used: it is repeated, or a mistake."""
        seat = self.loaded.seat_of(request.token) if isinstance(request, Join) else pending.seat
        version = self.loaded.version_of(seat, request.id)
        if version is None:
            return None
        if not has_led_to(request, self.loaded.events[version - 1]):
            return refusal(request.id, illegal("id_used"), self.loaded.version)
        return self.loaded.done_answer(request, DUPLICATE, version)
