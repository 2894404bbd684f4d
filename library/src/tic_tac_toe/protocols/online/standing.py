"""How a game that is played online stands after some of its events."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from functools import cached_property

from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import Record, first_state
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.protocols.online.clocks import ClockState
from tic_tac_toe.protocols.online.events import LEFT, SEATS, SIDES, GameSetup, Player

#: Why games end: on the board, by a player's word, by agreement, by the clock, `LEFT`; or without a
#: result: closed before it began, aborted before both had moved, or forgotten.
ON_BOARD, RESIGNED, AGREED, ON_TIME, CLOSED, ABORTED, EXPIRED = (
    "board",
    "resign",
    "agreed",
    "time",
    "closed",
    "aborted",
    "expired",
)
ENDS = (ON_BOARD, RESIGNED, AGREED, ON_TIME, LEFT, CLOSED, ABORTED, EXPIRED)
#: The ends of games that count for nobody.
WITHOUT_RESULT = (CLOSED, ABORTED, EXPIRED)


@dataclass(frozen=True)
class End:
    """How a game ended: the winner, X or O, empty if nobody won, and the reason, of `ENDS`."""

    winner: str
    reason: str


@dataclass(frozen=True)
class Standing:
    """How a game stands after its events up to ``version``.

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
        return self.first_move_since + self.first_move_limit

    @property
    def first_move_since(self) -> int:
        """From when on the time for the first move of the side to move runs."""
        return self.turn_since if self.clock is None else self.clock.since

    @property
    def first_move_limit(self) -> int:
        """The milliseconds that each side has for its first move; 0 without a limit."""
        return 1000 * self.setup.first_move

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
