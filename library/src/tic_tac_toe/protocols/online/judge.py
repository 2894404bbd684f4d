"""The authority: what a request leads to in a game. It decides, and changes nothing itself."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.records import play_legal
from tic_tac_toe.protocols.online.addresses import address_of_rematch, hash_of_token
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import (
    ACCEPT,
    CHAT,
    CLOSE,
    DECLINE,
    EXPIRE,
    FLAG,
    JOIN,
    MOVE,
    OFFER,
    REMATCH,
    RESIGN,
    SEATS,
    SIDES,
    TAKE_BACK,
    Event,
)
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.limits import CHAT_IN_GAME, EVENTS_IN_GAME
from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.requests import (
    Accept,
    Chat,
    Decline,
    Join,
    Leave,
    Move,
    Offer,
    Resign,
)

#: What `judge` decides about.
Judged = Join | Move | Offer | Accept | Decline | Resign | Chat | Leave


class Stale(NamedTuple):
    """The game has moved on since the sender looked: nothing has happened."""


class Illegal(NamedTuple):
    """The request is refused, by a name of `REASONS` and a sentence: nothing has happened."""

    reason: str
    text: str


def illegal(reason: str) -> Illegal:
    """Return a refusal with the usual sentence."""
    return Illegal(reason, REASONS[reason])


def judge(
    game: OnlineGame, seat: str, request: Judged, now: int, pauses: Pauses = ()
) -> Event | Stale | Illegal:
    """Return what a request makes happen next in a game, or why nothing does.

    Args:
        game: as it is.
        seat: where the sender sits, X or O; empty for who only watches. It comes from the
            connection, never from the message.
        now: the time, in milliseconds since 1970.
        pauses: what no clock is charged for.
    """
    if isinstance(request, Join):
        return _join(game, request, now)
    if not seat:
        return illegal("not_seated")
    if game.version >= EVENTS_IN_GAME and not isinstance(request, Resign):
        return illegal("too_many_events")
    if isinstance(request, Move):
        return _move(game, seat, request, now, pauses)
    if isinstance(request, Chat):
        if game.chats >= CHAT_IN_GAME:
            return illegal("too_much_chat")
        return _event(game, CHAT, seat, now, request.id, request.text)
    if isinstance(request, Leave):
        if not game.waiting:
            return illegal("begun" if game.end is None else "game_over")
        return _event(game, CLOSE, seat, now, request.id)
    if isinstance(request, Resign):
        if refusal := _not_going_on(game):
            return refusal
        return _event(game, RESIGN, seat, now, request.id)
    if request.version < game.changed or request.version > game.version:
        return Stale()
    if isinstance(request, Offer):
        return _offer(game, seat, request, now)
    return _answer(game, seat, request, now)


def flag(game: OnlineGame, now: int, pauses: Pauses = ()) -> Event | None:
    """Return the event that ends a game for want of time, if the time has run out."""
    if game.clock is None or game.clock.running is None or game.end is not None:
        return None
    if game.clock.at(now, pauses)[game.clock.running] > 0:
        return None
    return _event(game, FLAG, SEATS[game.clock.running], now)


def expire(game: OnlineGame, now: int) -> Event:
    """Return the event that ends a game which nobody has touched for long."""
    return _event(game, EXPIRE, "", now)


def _event(
    game: OnlineGame, kind: str, seat: str, now: int, message_id: str = "", text: str = ""
) -> Event:
    # Time never runs backwards in a log, whatever the clock of the machine does.
    return Event(
        game.address, game.version + 1, kind, seat, max(now, game.time), message_id, text=text
    )


def _not_going_on(game: OnlineGame) -> Illegal | None:
    if game.end is not None:
        return illegal("game_over")
    return illegal("waiting") if game.waiting else None


def _join(game: OnlineGame, request: Join, now: int) -> Event | Illegal:
    key = hash_of_token(request.token)
    if game.seat_of(key):
        return illegal("same_player")
    if not game.free_seat:
        return illegal("seat_taken")
    time = max(now, game.time)
    return Event(
        game.address,
        game.version + 1,
        JOIN,
        game.free_seat,
        time,
        request.id,
        text=request.name,
        key=key,
    )


def _move(
    game: OnlineGame, seat: str, request: Move, now: int, pauses: Pauses
) -> Event | Stale | Illegal:
    if refusal := _not_going_on(game):
        return refusal
    if request.version < game.changed or request.version > game.version:
        return Stale()
    if game.turn != seat:
        return illegal("not_your_turn")
    if game.clock is not None and game.clock.at(max(now, game.time), pauses)[SIDES[seat]] == 0:
        return illegal("out_of_time")
    try:
        play_legal(game.rules, game.position, request.cell)
    except InvalidMove as error:
        return Illegal("move", str(error))
    return Event(
        game.address,
        game.version + 1,
        MOVE,
        seat,
        max(now, game.time),
        request.id,
        cell=request.cell,
    )


def _offer(game: OnlineGame, seat: str, request: Offer, now: int) -> Event | Illegal:
    what = request.what
    if refusal := _cannot_offer(game, seat, what):
        return refusal
    if (seat, what) in game.offers:
        return illegal("offered")
    return _event(game, OFFER, seat, now, request.id, what)


def _cannot_offer(game: OnlineGame, seat: str, what: str) -> Illegal | None:
    if what == REMATCH:
        if game.end is None:
            return illegal("not_over")
        if None in game.players:
            return illegal("game_over")
        return illegal("rematch_exists") if game.follower else None
    if refusal := _not_going_on(game):
        return refusal
    if what == TAKE_BACK and game.ply_before_last_move_of(seat) is None:
        return illegal("nothing_to_take_back")
    return None


def _answer(game: OnlineGame, seat: str, request: Accept | Decline, now: int) -> Event | Illegal:
    other = SEATS[1 - SIDES[seat]]
    if (other, request.what) not in game.offers:
        return illegal("no_offer")
    if isinstance(request, Decline):
        return _event(game, DECLINE, seat, now, request.id, request.what)
    version, time = game.version + 1, max(now, game.time)
    follower = address_of_rematch(game.address, version) if request.what == REMATCH else ""
    return Event(
        game.address,
        version,
        ACCEPT,
        seat,
        time,
        request.id,
        text=request.what,
        follower=follower,
    )
