"""The authority: returns the event that a request leads to, or a refusal, and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidMove, Message
from tic_tac_toe.protocols.online.addresses import address_of_rematch, hash_of_token
from tic_tac_toe.protocols.online.clocks import Pauses, elapsed
from tic_tac_toe.protocols.online.events import (
    ABORT,
    AFTERWARDS,
    IDLE,
    LEFT,
    REMATCH,
    SIDES,
    TAKE_BACK,
    Accepted,
    Closed,
    Declined,
    Event,
    Expired,
    GameSetup,
    Joined,
    Moved,
    Offered,
    Resigned,
    Said,
    TimedOut,
    Withdrawn,
    other_seat,
)
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.messages import CHAT_IN_GAME, EVENTS_IN_GAME
from tic_tac_toe.protocols.online.replies import REASONS
from tic_tac_toe.protocols.online.requests import (
    PERSON,
    WIN,
    Abort,
    Accept,
    Chat,
    Claim,
    Create,
    Decline,
    Join,
    Leave,
    Move,
    Offer,
    Pair,
    Resign,
)

#: What `judge` decides about.
Judged = Join | Move | Offer | Accept | Decline | Resign | Abort | Claim | Chat | Leave


class Stale(NamedTuple):
    """The game has moved on since the sender looked: nothing has happened."""


class Illegal(NamedTuple):
    """The request is refused, with a name of `REASONS`, or ``move``: nothing has happened."""

    reason: str
    text: Message


def illegal(reason: str) -> Illegal:
    """Return a refusal with the usual sentence."""
    return Illegal(reason, REASONS[reason])


def judge(
    game: OnlineGame,
    seat: str,
    request: Judged,
    now: int,
    pauses: Pauses = (),
    claimable_at: int | None = None,
) -> Event | Stale | Illegal:
    """Return the event that a request adds to a game, or why it is refused.

    Args:
        game: as it is.
        seat: the sender's seat, X or O; empty for a watcher. It comes from the connection, never
            from the message.
        now: the time, in milliseconds since 1970.
        pauses: the times in which no clock runs.
        claimable_at: the time from which the sender can claim the game, because the other player
            is gone; ``None`` while the other player is present.
    """
    if isinstance(request, Join):
        return _join(game, request, now)
    if not seat:
        return illegal("not_seated")
    if game.version >= EVENTS_IN_GAME and not isinstance(request, Resign | Abort | Claim):
        return illegal("too_many_events")
    if isinstance(request, Claim):
        return _claim(game, seat, request, now, claimable_at)
    return _judge_player(game, seat, request, now, pauses)


def _judge_player(
    game: OnlineGame,
    seat: str,
    request: Move | Offer | Accept | Decline | Resign | Abort | Chat | Leave,
    now: int,
    pauses: Pauses,
) -> Event | Stale | Illegal:
    entry = (*_next(game, seat, now), request.id)
    match request:
        case Move():
            return _move(game, seat, request, now, pauses)
        case Chat(text=text):
            is_full = game.chats >= CHAT_IN_GAME
            return illegal("too_much_chat") if is_full else Said(*entry, text=text)
        case Leave():
            return Closed(*entry) if game.waiting else _not_waiting(game)
        case Resign():
            return _not_going_on(game) or Resigned(*entry)
        case Abort():
            return _cannot_abort(game) or Expired(*entry, what=ABORT)
        # What is offered afterwards does not depend on the board that its sender has seen.
        case _ if request.what not in AFTERWARDS and _is_stale(game, request.version):
            return Stale()
        case Offer(what=what) if refusal := _cannot_offer(game, seat, what):
            return refusal
        case Offer(what=what) if (
            what not in AFTERWARDS or (other_seat(seat), what) not in game.offers
        ):
            return Offered(*entry, what=what)
        case Offer(what=what):  # both want the same
            return _answer(game, seat, Accept(request.id, request.version, what), now)
        case _:
            return _answer(game, seat, request, now)


def has_led_to(request: Judged, event: Event) -> bool:
    """Return whether an event says what a request with its id asks; if not, the id is used twice.

    A line that the operator has removed cannot be compared any more.
    """
    match request, event:
        case Move(cell=cell), Moved():
            return event.cell == cell
        case Chat(text=text), Said():
            return event.removed or event.text == text
        case (
            (Offer(what=what) | Accept(what=what) | Decline(what=what)),
            (Offered() | Accepted() | Declined() | Withdrawn()),
        ):
            is_kind = isinstance(event, _ANSWERED_BY[type(request)])
            return is_kind and event.what == what
        case Claim(what=what), (TimedOut() | Expired()):
            return event.what == LEFT and isinstance(event, TimedOut) == (what == WIN)
        case (Resign(), Resigned()) | (Leave(), Closed()):
            return True
        case Abort(), Expired():
            return event.what == ABORT
        case Join(token=token, name=name), Joined():
            return event.name == name and event.key in ("", hash_of_token(token))
    return False


def has_begun(setup: GameSetup, request: Create | Pair) -> bool:
    """Return whether a game is the one that a request with its address asks for."""
    is_pair = isinstance(request, Pair)
    if (setup.variant, setup.clock, setup.pairing) != (request.variant, request.clock, is_pair):
        return False
    if isinstance(request, Pair):
        return True
    strategies = [each.strategy for each in setup.players if each is not None and each.strategy]
    opponents = [] if request.opponent == PERSON else [request.opponent]
    return (setup.is_open, strategies) == (request.open, opponents)


#: What offers, and answers to them, become.
_ANSWERED_BY: Mapping[type, tuple[type[Event], ...]] = MappingProxyType(
    {Offer: (Offered, Accepted), Accept: (Accepted,), Decline: (Declined, Withdrawn)}
)


def objection(game: OnlineGame, seat: str, cell: int) -> Illegal | None:
    """Return why a move would be refused whatever the clock says; ``None`` if it would not."""
    if game.end is not None:
        return illegal("game_over")
    if not seat:
        return illegal("not_seated")
    if game.waiting:
        return illegal("waiting")
    if game.turn != seat:
        return illegal("not_your_turn")
    try:
        game.position_after(cell)
    except InvalidMove as error:
        return Illegal("move", error.message)
    return None


def time_left(game: OnlineGame, now: int, pauses: Pauses = ()) -> int | None:
    """Return the milliseconds that the side to move has for its move; ``None`` without a limit."""
    if not game.turn:
        return None
    if (first_move_by := game.first_move_by) is not None:
        limit = 1000 * game.setup.first_move
        return max(0, limit - elapsed(first_move_by - limit, now, pauses))
    return None if game.clock is None else game.clock.at(now, pauses)[SIDES[game.turn]]


def flag(game: OnlineGame, now: int, pauses: Pauses = ()) -> TimedOut | Expired | None:
    """Return the event that ends a game whose time has run out; ``None`` while some is left.

    A first move that is not made in time aborts the game; nobody loses it.
    """
    if time_left(game, now, pauses) != 0:
        return None
    entry = _next(game, game.turn, now)
    return TimedOut(*entry) if game.first_move_by is None else Expired(*entry, what=IDLE)


def expire(game: OnlineGame, now: int) -> Expired:
    """Return the event that ends a game in which nothing has happened for long."""
    return Expired(*_next(game, "", now))


def close(game: OnlineGame, seat: str, now: int) -> Closed:
    """Return the event that closes a game which waits for a player, for its creator at a seat."""
    return Closed(*_next(game, seat, now))


def pair_up(guest: OnlineGame, host: OnlineGame, now: int) -> tuple[Closed, Joined] | None:
    """Return the events that take the creator of one waiting game to another one that waits.

    ``None`` if the guest did not ask to play now, if one of them does not wait, or if they are
    different games.
    """
    seat = other_seat(guest.free_seat) if guest.waiting else ""
    player = guest.player(seat) if seat else None
    if player is None or not guest.setup.pairing or not host.waiting or not host.setup.is_open:
        return None
    is_same = (guest.setup.variant, guest.setup.clock) == (host.setup.variant, host.setup.clock)
    if not is_same or host.seat_of(player.key):
        return None
    closed = Closed(*_next(guest, seat, now), follower=host.address)
    joined = Joined(*_next(host, host.free_seat, now), name=player.name, key=player.key)
    return closed, joined


def _next(game: OnlineGame, seat: str, now: int) -> tuple[str, int, str, int]:
    """Return the game, version, seat and time of the next event."""
    # Time never runs backwards in a log, whatever the clock of the machine does.
    return game.address, game.version + 1, seat, max(now, game.time)


def _is_stale(game: OnlineGame, version: int) -> bool:
    """Whether the board was another at the version that a sender had seen."""
    return not game.changed <= version <= game.version


def _not_going_on(game: OnlineGame) -> Illegal | None:
    if game.end is not None:
        return illegal("game_over")
    return illegal("waiting") if game.waiting else None


def _not_waiting(game: OnlineGame) -> Illegal:
    return illegal("begun" if game.end is None else "game_over")


def _join(game: OnlineGame, request: Join, now: int) -> Event | Illegal:
    key = hash_of_token(request.token)
    if game.seat_of(key):
        return illegal("same_player")
    if not game.free_seat:
        return illegal("seat_taken")
    entry = _next(game, game.free_seat, now)
    return Joined(*entry, request.id, name=request.name, key=key)


def _move(
    game: OnlineGame, seat: str, request: Move, now: int, pauses: Pauses
) -> Event | Stale | Illegal:
    if refusal := _not_going_on(game):
        return refusal
    if _is_stale(game, request.version):
        return Stale()
    if game.turn == seat and time_left(game, max(now, game.time), pauses) == 0:
        return illegal("out_of_time")
    if refusal := objection(game, seat, request.cell):
        return refusal
    return Moved(*_next(game, seat, now), request.id, cell=request.cell)


def _cannot_abort(game: OnlineGame) -> Illegal | None:
    return _not_going_on(game) or (None if game.can_be_aborted else illegal("both_moved"))


def _claim(
    game: OnlineGame, seat: str, request: Claim, now: int, claimable_at: int | None
) -> Event | Stale | Illegal:
    if refusal := _not_going_on(game):
        return refusal
    if _is_stale(game, request.version):
        return Stale()
    if game.can_be_aborted or claimable_at is None or now < claimable_at:
        return illegal("not_gone")
    if request.what == WIN:
        return TimedOut(*_next(game, other_seat(seat), now), request.id, what=LEFT)
    return Expired(*_next(game, seat, now), request.id, what=LEFT)


def _cannot_offer(game: OnlineGame, seat: str, what: str) -> Illegal | None:
    if what in AFTERWARDS:
        if game.end is None:
            return illegal("not_over")
        if None in game.players:
            return illegal("game_over")
        if what == REMATCH and game.follower:
            return illegal("rematch_exists")
        if what != REMATCH and not game.has_chat_to_keep:
            return illegal("no_chat")
    elif refusal := _not_going_on(game):
        return refusal
    elif what == TAKE_BACK and game.ply_before_last_move_of(seat) is None:
        return illegal("nothing_to_take_back")
    return illegal("offered") if (seat, what) in game.offers else None


def _answer(game: OnlineGame, seat: str, request: Accept | Decline, now: int) -> Event | Illegal:
    other, what = other_seat(seat), request.what
    entry = (*_next(game, seat, now), request.id)
    if (other, what) not in game.offers:
        is_own = isinstance(request, Decline) and (seat, what) in game.offers
        return Withdrawn(*entry, what=what) if is_own else illegal("no_offer")
    if isinstance(request, Decline):
        return Declined(*entry, what=what)
    is_rematch = what == REMATCH
    follower = address_of_rematch(game.address, game.version + 1) if is_rematch else ""
    return Accepted(*entry, what=what, follower=follower)
