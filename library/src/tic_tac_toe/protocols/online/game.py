"""A game played online, as its events made it: the same for everybody who has the same events."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import Record, first_state, play_legal, rules_named
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.protocols.online.clocks import ClockState, Pauses
from tic_tac_toe.protocols.online.events import (
    ACCEPT,
    CHAT,
    CLOSE,
    CREATE,
    DECLINE,
    DRAW,
    EXPIRE,
    FLAG,
    JOIN,
    KINDS,
    MOVE,
    OFFER,
    OFFERS,
    REMATCH,
    RESIGN,
    SEATS,
    SIDES,
    TAKE_BACK,
    Event,
    GameSetup,
    Player,
)

#: Why games end: on the board, by a player's word, by agreement, by the clock, or without a player.
ON_BOARD, RESIGNED, AGREED, ON_TIME, CLOSED, EXPIRED = (
    "board",
    "resign",
    "agreed",
    "time",
    "closed",
    "expired",
)
ENDS = (ON_BOARD, RESIGNED, AGREED, ON_TIME, CLOSED, EXPIRED)


@dataclass(frozen=True)
class End:
    """How a game ended: who won, X or O, empty if nobody did, and why, of `ENDS`."""

    winner: str
    reason: str


@dataclass(frozen=True)
class OnlineGame:
    """A game after so many of its events; `apply` gives it after one more.

    Attributes:
        address: where the game is.
        setup: what it is.
        version: the number of its last event.
        changed: the number of the last event that changed whose turn it is: to a move that was
            made up since then, nothing has happened.
        players: who sits at X and O.
        moves: the cells played and not taken back, in order.
        position: where they led.
        offers: which seat has offered what, and waits for an answer.
        end: how it ended, if it has.
        clock: what is left of the time, if it is played with a clock and both players are there.
        follower: the address of the rematch, if there is one.
        chats: how many lines of chat there have been.
        time: when the last event was.
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
    chats: int = 0
    rules: Rules = field(repr=False, compare=False, kw_only=True)

    @property
    def starting_mark(self) -> Mark:
        """Who moved first."""
        return Mark(self.setup.starting)

    @property
    def waiting(self) -> bool:
        """Whether a seat is free."""
        return self.end is None and None in self.players

    @property
    def free_seat(self) -> str:
        """The seat that can be taken; empty if none can."""
        return SEATS[self.players.index(None)] if self.waiting else ""

    @property
    def turn(self) -> str:
        """The seat whose move it is; empty while a seat is free and once the game is over."""
        return "" if self.end is not None or None in self.players else SEATS[self.position.turn]

    @property
    def state(self) -> GameState:
        """The board as people hold it."""
        state = first_state(self.rules, self.starting_mark)
        for cell in self.moves:
            state = state.make_move_to(cell).after_state
        return state

    def player(self, seat: str) -> Player | None:
        """Return who sits on a seat."""
        return self.players[SIDES[seat]]

    def seat_of(self, key: str) -> str:
        """Return the seat that a token's hash claims; empty if none. Only a server knows hashes.

        Both are compared, and in a time that tells nothing.
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
        """A hash of all that the events made: equal where two replays agree."""
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
            self.chats,
        )
        return hashlib.sha256(repr(fields).encode()).hexdigest()

    def apply(self, event: Event, pauses: Pauses = ()) -> OnlineGame:
        """Return the game after one more event.

        Args:
            pauses: what no clock is charged for.

        Raises:
            InvalidGameState: the event is not the next one, or cannot follow.
        """
        if event.game != self.address or event.version != self.version + 1:
            raise InvalidGameState(
                f"event {event.version} of a game that is at version {self.version}"
            )
        if not self._can_follow(event):
            raise InvalidGameState(f"event {event.version}: a {event.kind!r} cannot follow here")
        step = replace(self, version=event.version, time=event.time)
        kind = event.kind
        if kind == MOVE:
            return step._moved(event, pauses)
        if kind == CHAT:
            return replace(step, chats=self.chats + 1)
        if kind == JOIN:
            return step._joined(event, pauses)
        if kind == OFFER:
            return replace(step, offers=self.offers | {(event.seat, event.text)})
        if kind == DECLINE:
            return replace(step, offers=self.offers - {(_other(event.seat), event.text)})
        if kind == ACCEPT:
            return step._accepted(event, pauses)
        if kind == RESIGN:
            return step._ended(End(_other(event.seat), RESIGNED), pauses)
        if kind == FLAG:
            return step._ended(End(_other(event.seat), ON_TIME), pauses)
        if kind == CLOSE:
            return step._ended(End("", CLOSED), pauses)
        return step._ended(End("", EXPIRED), pauses)

    def _can_follow(self, event: Event) -> bool:
        """Whether an event may be the next one; whether a move is legal is seen when it is made."""
        kind, seat, what = event.kind, event.seat, event.text
        if kind not in KINDS:
            raise InvalidGameState(f"event {event.version} is a {kind!r}, which is unknown here")
        if kind == EXPIRE:
            return self.end is None
        if seat not in SEATS:
            return False
        if kind == JOIN:
            return seat == self.free_seat
        if kind == CLOSE:
            return self.waiting
        if kind == MOVE:
            return seat == self.turn
        if kind in (RESIGN, FLAG):
            return bool(self.turn)
        if kind == OFFER:
            return self._can_be_offered(seat, what)
        if kind in (ACCEPT, DECLINE):
            needs_follower = kind == ACCEPT and what == REMATCH
            return (_other(seat), what) in self.offers and bool(event.follower) == needs_follower
        return kind == CHAT

    def _can_be_offered(self, seat: str, what: str) -> bool:
        if what == REMATCH:
            return self.end is not None and None not in self.players and not self.follower
        if what == TAKE_BACK:
            return bool(self.turn) and self.ply_before_last_move_of(seat) is not None
        return bool(self.turn) and what in OFFERS

    def _moved(self, event: Event, pauses: Pauses) -> OnlineGame:
        try:
            cell = -1 if event.cell is None else event.cell
            position = play_legal(self.rules, self.position, cell)
        except InvalidMove as error:
            raise InvalidGameState(f"event {event.version}: {error}") from error
        outcome = self.rules.outcome(position)
        clock = self.clock
        if clock is not None and self.setup.clock is not None:
            running = position.turn if outcome is None else None
            clock = clock.turned(
                event.time, running, pauses, bonus=1000 * self.setup.clock.increment
            )
        end = self.end
        if outcome is not None:
            winner = "" if outcome.winner is None else SEATS[outcome.winner]
            end = End(winner, ON_BOARD)
        return replace(
            self,
            position=position,
            moves=(*self.moves, cell),
            changed=event.version,
            offers=frozenset(),
            clock=clock,
            end=end,
        )

    def _joined(self, event: Event, pauses: Pauses) -> OnlineGame:
        players = list(self.players)
        players[SIDES[event.seat]] = Player(event.text, event.key)
        joined = replace(self, players=(players[0], players[1]), changed=event.version)
        return joined._begun()

    def _begun(self) -> OnlineGame:
        """Return the game with its clock running, if it has one and everybody is there."""
        if self.setup.clock is None or None in self.players:
            return self
        each = 1000 * self.setup.clock.seconds
        return replace(self, clock=ClockState((each, each), self.time, self.position.turn))

    def _accepted(self, event: Event, pauses: Pauses) -> OnlineGame:
        if event.text == DRAW:
            return self._ended(End("", AGREED), pauses)
        if event.text == REMATCH:
            return replace(self, follower=event.follower, offers=frozenset())
        return self._taken_back(_other(event.seat), pauses)

    def _taken_back(self, seat: str, pauses: Pauses) -> OnlineGame:
        """Return the game before the last move of who asked; its clock is not turned back."""
        moves = self.moves[: self.ply_before_last_move_of(seat)]
        position = first_state(self.rules, self.starting_mark).position
        for cell in moves:
            position = self.rules.play(position, cell)
        clock = self.clock and self.clock.turned(self.time, position.turn, pauses)
        return replace(
            self,
            moves=moves,
            position=position,
            changed=self.version,
            offers=frozenset(),
            clock=clock,
        )

    def ply_before_last_move_of(self, seat: str) -> int | None:
        """Return how many moves had been made when a seat last moved; ``None`` if it has not."""
        first = SIDES[self.setup.starting]
        for ply in range(len(self.moves) - 1, -1, -1):
            if (first + ply) % 2 == SIDES[seat]:
                return ply
        return None

    def _ended(self, end: End, pauses: Pauses) -> OnlineGame:
        clock = self.clock and self.clock.turned(self.time, None, pauses)
        return replace(self, end=end, offers=frozenset(), clock=clock, changed=self.version)


def begin(event: Event) -> OnlineGame:
    """Return a game after its first event, by which it was created.

    Raises:
        InvalidGameState: this is no such event.
        InvalidVariant: its variant is unknown here.
    """
    setup = event.setup
    if event.kind != CREATE or event.version != 1 or setup is None:
        raise InvalidGameState("a game begins with the event that creates it, which is version 1")
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


def rematch_of(game: OnlineGame, follower: str, time: int) -> Event:
    """Return the event that creates the rematch of a game: the same players, colours swapped."""
    crosses, naughts = game.players
    setup = replace(game.setup, players=(naughts, crosses), previous=game.address, is_open=False)
    return Event(follower, 1, CREATE, "", time, setup=setup)


def _other(seat: str) -> str:
    return SEATS[1 - SIDES[seat]]
