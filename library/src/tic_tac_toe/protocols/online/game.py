"""A game played online, made of its events: the same for everybody who has the same events."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import Record, first_state, play_legal, rules_named
from tic_tac_toe.logic.repetition import is_repeated
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.strict_json import As
from tic_tac_toe.protocols.online.clocks import ClockState, Pauses
from tic_tac_toe.protocols.online.events import (
    ABORT,
    AFTERWARDS,
    DRAW,
    IDLE,
    KEEP_CHAT,
    KINDS,
    LEFT,
    OFFERS,
    OPERATOR,
    REMATCH,
    SEAT,
    SEATS,
    SIDES,
    TAKE_BACK,
    Accepted,
    Closed,
    Created,
    Declined,
    Event,
    Expired,
    GameSetup,
    Joined,
    Moved,
    Offered,
    Player,
    Resigned,
    Said,
    TimedOut,
    Unknown,
    Withdrawn,
    other_seat,
)
from tic_tac_toe.protocols.online.messages import one_of

#: Why games end: on the board, by a player's word, by agreement, by the clock, `LEFT`; or without a
#: result: closed before it began, aborted before both had moved, or forgotten.
ON_BOARD, RESIGNED, AGREED, ON_TIME = "board", "resign", "agreed", "time"
CLOSED, ABORTED, EXPIRED = "closed", "aborted", "expired"
ENDS = (ON_BOARD, RESIGNED, AGREED, ON_TIME, LEFT, CLOSED, ABORTED, EXPIRED)
#: The ends of games that the server ends, by the reasons of `Expired`.
_EXPIRIES = {ABORT: ABORTED, IDLE: ABORTED, LEFT: LEFT, OPERATOR: ABORTED}
#: The ends without a result.
WITHOUT_RESULT = (CLOSED, ABORTED, EXPIRED)


@dataclass(frozen=True)
class End:
    """How a game ended."""

    winner: Annotated[str, SEAT, As(always=False), "who won; missing if nobody did"]
    reason: Annotated[str, one_of(*ENDS), "why the game ended, see below"]


@dataclass(frozen=True)
class OnlineGame:
    """A game after its events up to ``version``; `apply` gives it after one more.

    Attributes:
        address: by which the game is found.
        setup: the variant, the players and the clock.
        version: the number of the last event.
        changed: the number of the last event that changed the board, the players or the end: a
            request made since then was made in view of the present board.
        players: at X and at O; ``None`` where the seat is free.
        moves: the moves played and not taken back, in order, as the rules number them.
        earlier: the positions before each of them, where positions can come back in the game.
        position: the position after those moves.
        offers: the offers that wait for an answer, as pairs of a seat and one of `OFFERS`.
        end: how the game ended, if it has.
        clock: the time left, if the game is played with a clock and both players are there.
        follower: the address of the rematch, if there is one, or of the game that the creator was
            taken to from here.
        movers: the seats that have moved, even if the move was taken back.
        chats: the number of lines of chat.
        chat_kept: the event up to which both players want everybody to read their chat, by its
            number; 0 until they agree on that.
        time: of the last event, in milliseconds since 1970.
        turn_since: when the turn of the side to move began, likewise.
    """

    address: str
    setup: GameSetup
    version: int
    changed: int
    players: tuple[Player | None, Player | None]
    position: Position
    time: int
    moves: tuple[int, ...] = ()
    offers: frozenset[tuple[str, str]] = frozenset()
    end: End | None = None
    clock: ClockState | None = None
    follower: str = ""
    movers: frozenset[str] = frozenset()
    chats: int = 0
    chat_kept: int = 0
    turn_since: int = 0
    earlier: tuple[Position, ...] = field(default=(), repr=False, compare=False)
    rules: Rules = field(repr=False, compare=False, kw_only=True)
    _tried: tuple[int, Position] | None = field(
        default=None, init=False, repr=False, compare=False, kw_only=True
    )

    @property
    def starting_mark(self) -> Mark:
        """The mark that moved first."""
        return Mark(self.setup.starting)

    @property
    def waiting(self) -> bool:
        """Whether a seat is free."""
        return self.end is None and None in self.players

    @property
    def has_computer(self) -> bool:
        """Whether a computer plays."""
        return any(player is not None and player.strategy for player in self.players)

    @property
    def free_seat(self) -> str:
        """The seat that can be taken; empty if none can."""
        return SEATS[self.players.index(None)] if self.waiting else ""

    @property
    def turn(self) -> str:
        """The seat whose move it is; empty while a seat is free and once the game is over."""
        return "" if self.end is not None or None in self.players else SEATS[self.position.turn]

    @property
    def can_be_aborted(self) -> bool:
        """Whether the game is played, and a side has not made its first move yet."""
        return bool(self.turn) and len(self.movers) < len(SEATS)

    @property
    def first_move_by(self) -> int | None:
        """When the side to move must have made its first move, in ms since 1970, unless it pauses.

        ``None`` if it has made it, or if there is no such limit.
        """
        if not self.setup.first_move or not self.turn or self.turn in self.movers:
            return None
        since = self.turn_since if self.clock is None else self.clock.since
        return since + 1000 * self.setup.first_move

    @property
    def deadline(self) -> int | None:
        """When the time of the side to move runs out, in ms since 1970, unless it pauses."""
        first_move_by = self.first_move_by
        if first_move_by is not None or self.clock is None:
            return first_move_by
        return self.clock.runs_out()

    @cached_property
    def state(self) -> GameState:
        """The board as people hold it."""
        state = GameState.at(self.rules, self.position, self.starting_mark)
        is_drawn = self.end is not None and self.end.reason == ON_BOARD and not state.game_over
        return state.as_drawn() if is_drawn else state

    @property
    def has_chat_to_keep(self) -> bool:
        """Whether the players have chatted, and have not agreed to keep that."""
        return self.chats > 0 and not self.chat_kept

    def player(self, seat: str) -> Player | None:
        """Return the player at a seat."""
        return self.players[SIDES[seat]]

    def seat_of(self, key: str) -> str:
        """Return the seat that a token's hash claims; empty if none. Only a server knows hashes.

        Both seats are compared, in constant time.
        """
        found = ""
        for seat, player in zip(SEATS, self.players):
            kept = player.key if player is not None else ""
            if hmac.compare_digest(kept, key) and kept:
                found = seat
        return found

    @property
    def record(self) -> Record:
        """The game so far as it is written to files."""
        tags = [
            (seat, player.name)
            for seat, player in zip(SEATS, self.players)
            if player is not None and player.name
        ]
        resigned = None
        ended_otherwise = self.end is not None and self.end.reason not in (ON_BOARD, RESIGNED)
        if self.end is not None and self.end.reason == RESIGNED:
            resigned = Mark(self.end.winner).other
        if self.end is not None and ended_otherwise:
            tags.append(("Ended", f"{self.end.reason} {self.end.winner}".strip()))
        first = first_state(self.rules, self.starting_mark)
        return Record.from_moves(first, self.moves, tags=tuple(tags), resigned=resigned)

    @property
    def digest(self) -> str:
        """A hash of the whole game: equal where two replays agree."""
        fields = (
            self.address,
            self.setup,
            self.version,
            self.changed,
            self.players,
            self.position,
            self.time,
            self.moves,
            sorted(self.offers),
            self.end,
            self.clock,
            self.follower,
            sorted(self.movers),
            self.chats,
            self.chat_kept,
        )
        return hashlib.sha256(repr(fields).encode()).hexdigest()

    def ply_before_last_move_of(self, seat: str) -> int | None:
        """Return the number of moves before the last one of a seat; ``None`` if it has none."""
        first = SIDES[self.setup.starting]
        for ply in range(len(self.moves) - 1, -1, -1):
            if (first + ply) % 2 == SIDES[seat]:
                return ply
        return None

    def position_after(self, cell: int) -> Position:
        """Return the position after a move here.

        The last one is kept, because a move is looked at before it is made.

        Raises:
            InvalidMove: the move is not legal.
        """
        if self._tried is None or self._tried[0] != cell:
            tried = cell, play_legal(self.rules, self.position, cell)
            object.__setattr__(self, "_tried", tried)
            return tried[1]
        return self._tried[1]

    def apply(self, event: Event, pauses: Pauses = ()) -> OnlineGame:
        """Return the game after one more event.

        Args:
            pauses: the times in which no clock runs.

        Raises:
            InvalidGameState: the event is not the next one, or cannot follow.
        """
        if event.game != self.address or event.version != self.version + 1:
            raise InvalidGameState(
                "event {version} of a game that is at version {known_version}",
                "event_number",
                version=event.version,
                known_version=self.version,
            )
        self._check_kind(event)
        if not self._can_follow(event):
            raise InvalidGameState(
                "event {version}: a {kind} cannot follow here",
                "event_order",
                version=event.version,
                kind=repr(event.kind),
            )
        step = self._with(version=event.version, time=event.time)
        match event:
            case Moved():
                return step._moved(event, pauses)
            case Said():
                return step._with(chats=self.chats + 1)
            case Joined():
                return step._joined(event)
            case Offered() | Declined() | Withdrawn():
                return step._with(offers=self._offers_after(event))
            case Accepted():
                return step._accepted(event, pauses)
            case Closed(follower=follower):
                return step._with(follower=follower)._ended(_end_by(event), pauses)
            case _:
                return step._ended(_end_by(event), pauses)

    def _with(self, **changes: Any) -> OnlineGame:
        """Return the game with some fields changed.

        It is what `dataclasses.replace` does, in a fifth of its time: every move needs it twice.
        """
        game = object.__new__(OnlineGame)
        game.__dict__.update(self.__dict__, **changes)
        game.__dict__.pop("state", None)  # which is kept once it has been asked for
        if "position" in changes:
            game.__dict__["_tried"] = None
        return game

    def _check_kind(self, event: Event) -> None:
        if isinstance(event, Unknown) and event.kind not in KINDS:
            raise InvalidGameState(
                "event {version} is a {kind}, which is unknown here",
                "event_kind",
                version=event.version,
                kind=repr(event.kind),
            )

    def _can_follow(self, event: Event) -> bool:
        """Whether an event may be the next one; whether a move is legal is seen when it is made."""
        seat = event.seat
        if isinstance(event, Expired):
            return self.end is None
        if seat not in SEATS:
            return False
        match event:
            case Moved():
                return seat == self.turn
            case Joined():
                return seat == self.free_seat
            case Closed():
                return self.waiting
            case Resigned() | TimedOut():
                return bool(self.turn)
            case Offered(what=what):
                return self._can_be_offered(seat, what)
            case Accepted(what=what, follower=follower):
                is_rematch = what == REMATCH
                return (other_seat(seat), what) in self.offers and bool(follower) == is_rematch
            case Declined() | Withdrawn():
                return self._offers_after(event) != self.offers
        return isinstance(event, Said)

    def _offers_after(self, event: Offered | Declined | Withdrawn) -> frozenset[tuple[str, str]]:
        """Return what is offered after an event, in which nothing is accepted."""
        if isinstance(event, Offered):
            return self.offers | {(event.seat, event.what)}
        seat = other_seat(event.seat) if isinstance(event, Declined) else event.seat
        return self.offers - {(seat, event.what)}

    def _can_be_offered(self, seat: str, what: str) -> bool:
        if what in AFTERWARDS:
            is_possible = not self.follower if what == REMATCH else self.has_chat_to_keep
            return self.end is not None and None not in self.players and is_possible
        if what == TAKE_BACK:
            return bool(self.turn) and self.ply_before_last_move_of(seat) is not None
        return bool(self.turn) and what in OFFERS

    def _moved(self, event: Moved, pauses: Pauses) -> OnlineGame:
        try:
            position = self.position_after(event.cell)
        except InvalidMove as error:
            raise InvalidGameState(
                "event {version}: {reason}",
                "event_move",
                version=event.version,
                reason=error.message,
            ) from error
        is_endless = traits_of(self.rules).longest is None
        outcome = self.rules.outcome(position)
        if outcome is None and is_repeated(self.rules, position, self.earlier):
            outcome = Outcome(None)
        movers = self.movers | {event.seat}
        clock = self.clock
        if clock is not None and self.setup.clock is not None:
            running = self._running(position.turn, movers) if outcome is None else None
            clock = clock.turned(
                event.time, running, pauses, bonus=1000 * self.setup.clock.increment
            )
        end = self.end
        if outcome is not None:
            winner = "" if outcome.winner is None else SEATS[outcome.winner]
            end = End(winner, ON_BOARD)
        return self._with(
            position=position,
            moves=(*self.moves, event.cell),
            earlier=(*self.earlier, self.position) if is_endless else (),
            changed=event.version,
            offers=frozenset(),
            movers=movers,
            clock=clock,
            turn_since=event.time,
            end=end,
        )

    def _running(self, side: int, movers: frozenset[str]) -> int | None:
        """Return the side to move if its clock runs; ``None`` before its first move, if it is free.

        Args:
            movers: the seats that have moved.
        """
        is_free = bool(self.setup.first_move) and SEATS[side] not in movers
        return None if is_free else side

    def _joined(self, event: Joined) -> OnlineGame:
        players = list(self.players)
        players[SIDES[event.seat]] = Player(event.name, event.key)
        joined = self._with(players=(players[0], players[1]), changed=event.version)
        return joined._begun()

    def _begun(self) -> OnlineGame:
        """Return the game with a turn that begins now, if both players are there."""
        if None in self.players:
            return self
        if self.setup.clock is None:
            return self._with(turn_since=self.time)
        each = 1000 * self.setup.clock.seconds
        running = self._running(self.position.turn, self.movers)
        clock = ClockState((each, each), self.time, running)
        return self._with(clock=clock, turn_since=self.time)

    def _accepted(self, event: Accepted, pauses: Pauses) -> OnlineGame:
        if event.what == DRAW:
            return self._ended(End("", AGREED), pauses)
        if event.what in AFTERWARDS:
            others = frozenset(offer for offer in self.offers if event.what not in offer)
            if event.what == KEEP_CHAT:
                return self._with(offers=others, chat_kept=self.version)
            return self._with(offers=others, follower=event.follower)
        return self._taken_back(other_seat(event.seat), pauses)

    def _taken_back(self, seat: str, pauses: Pauses) -> OnlineGame:
        """Return the game before the last move of a seat; its clock is not turned back."""
        moves = self.moves[: self.ply_before_last_move_of(seat)]
        position = first_state(self.rules, self.starting_mark).position
        for cell in moves:
            position = self.rules.play(position, cell)
        running = self._running(position.turn, self.movers)
        clock = self.clock and self.clock.turned(self.time, running, pauses)
        return self._with(
            moves=moves,
            position=position,
            earlier=self.earlier[: len(moves)],
            changed=self.version,
            offers=frozenset(),
            clock=clock,
            turn_since=self.time,
        )

    def _ended(self, end: End, pauses: Pauses) -> OnlineGame:
        clock = self.clock and self.clock.turned(self.time, None, pauses)
        return self._with(end=end, offers=frozenset(), clock=clock, changed=self.version)


def begin(event: Event) -> OnlineGame:
    """Return a game after its first event, by which it was created.

    Raises:
        InvalidGameState: the event does not create a game.
        InvalidVariant: the variant is unknown here.
    """
    if not isinstance(event, Created) or event.version != 1:
        raise InvalidGameState(
            "a game begins with the event that creates it, which is version 1", "event_first"
        )
    setup = event.setup
    rules = rules_named(setup.variant)
    first = first_state(rules, Mark(setup.starting))
    game = OnlineGame(
        event.game, setup, 1, 1, setup.players, first.position, event.time, rules=rules
    )
    return game._begun()


def replay(events: Iterable[Event], pauses: Pauses = ()) -> OnlineGame | None:
    """Return the game that these events make, from the first on; ``None`` if there are none.

    Raises:
        InvalidGameState: they do not follow each other.
    """
    game: OnlineGame | None = None
    for event in events:
        game = begin(event) if game is None else game.apply(event, pauses)
    return game


def rematch_of(game: OnlineGame, follower: str, time: int) -> Created:
    """Return the event that creates the rematch of a game: the same players, colours swapped."""
    crosses, naughts = game.players
    setup = replace(
        game.setup,
        players=(naughts, crosses),
        previous=game.address,
        is_open=False,
        pairing=False,
    )
    return Created(follower, 1, "", time, setup=setup)


class Gap(Exception):
    """Events between the last known one and the one given are missing."""


class Replaced(Exception):
    """The events contradict the known ones: the log was replaced, such as by a backup."""


class Replica:
    """A game as far as its events are known.

    Attributes:
        game: after the known events; ``None`` without any.
        events: the known events, in order.
    """

    def __init__(self) -> None:
        self.game: OnlineGame | None = None
        self.events: list[Event] = []

    @property
    def version(self) -> int:
        """The version of the last known event; 0 without any."""
        return len(self.events)

    def clear(self) -> None:
        """Forget the game, to start over from its first event."""
        self.game = None
        self.events = []

    def after(self, event: Event, pauses: Pauses = ()) -> OnlineGame:
        """Return the game after the next event, which is not added yet.

        Raises:
            InvalidGameState: the event cannot follow.
            InvalidVariant: the variant is unknown here.
        """
        return begin(event) if self.game is None else self.game.apply(event, pauses)

    def add(self, event: Event, game: OnlineGame) -> None:
        """Add the next event, with the game that `after` has returned for it."""
        self.game = game
        self.events.append(event)

    def learn(self, events: Iterable[Event], pauses: Pauses = ()) -> Iterator[Event]:
        """Add the events that come next, pass over known ones, and yield those added.

        Raises:
            Gap: an event is missing before the next one.
            Replaced: a known event is another now, or an event cannot follow.
            InvalidVariant: the variant is unknown here.
        """
        for event in events:
            if 0 < event.version <= self.version:
                if event != self.events[event.version - 1]:
                    raise Replaced
                continue
            if event.version > self.version + 1:
                raise Gap
            try:
                self.add(event, self.after(event, pauses))
            except InvalidGameState as error:
                raise Replaced(str(error)) from error
            yield event


def _end_by(event: Event) -> End:
    """Return how the game ends by an event after which nobody moves any more."""
    if isinstance(event, Resigned):
        return End(other_seat(event.seat), RESIGNED)
    if isinstance(event, TimedOut):
        return End(other_seat(event.seat), LEFT if event.what == LEFT else ON_TIME)
    if isinstance(event, Closed):
        return End("", CLOSED)
    return End("", _EXPIRIES.get(getattr(event, "what", ""), EXPIRED))
