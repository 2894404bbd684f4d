"""What happens in a game, numbered: the lines of its log, of which every board is a replay."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from tic_tac_toe.logic.models import MARKS, Mark
from tic_tac_toe.protocols.online.clocks import Clock

#: A seat is called by the mark that is played from it.
SEATS = tuple(mark.value for mark in MARKS)
#: The side of each seat: 0 or 1.
SIDES = MappingProxyType({seat: side for side, seat in enumerate(SEATS)})

CREATE, JOIN, CLOSE, EXPIRE = "create", "join", "close", "expire"
MOVE, RESIGN, FLAG, CHAT = "move", "resign", "flag", "chat"
OFFER, ACCEPT, DECLINE = "offer", "accept", "decline"
#: Everything that can happen, by the names that the log and the protocol use:
KINDS = (
    CREATE,  # a game is there, with its rules and who sits already; always version 1
    JOIN,  # somebody takes the free seat, and the game begins
    CLOSE,  # who created it takes it back before it has begun
    EXPIRE,  # the server ends it, for nobody came or nobody moved
    MOVE,
    RESIGN,
    FLAG,  # the time of the side named by `seat` has run out
    CHAT,
    OFFER,  # of what `text` names: one of OFFERS
    ACCEPT,
    DECLINE,
)

DRAW, TAKE_BACK, REMATCH = "draw", "takeback", "rematch"
#: What one side can offer, or ask for, and the other accept or decline.
OFFERS = (DRAW, TAKE_BACK, REMATCH)


@dataclass(frozen=True)
class Player:
    """Who sits on a seat.

    Args:
        name: what others see.
        key: the hash of the token that claims the seat; empty for computers, and for clients,
            who are never told.
        strategy: the name of the strategy, if a computer plays.
    """

    name: str
    key: str = ""
    strategy: str = ""


@dataclass(frozen=True)
class GameSetup:
    """What a game is, from its first event on.

    Args:
        variant: the name of the rules.
        starting: who moves first, X or O.
        players: who sits at X and at O; ``None`` where the seat is free.
        is_open: whether the lobby shows it while a seat is free.
        clock: the time for each side, if it is played with a clock.
        previous: the address of the game that this is the rematch of.
    """

    variant: str
    starting: str = Mark.CROSS.value
    players: tuple[Player | None, Player | None] = (None, None)
    is_open: bool = False
    clock: Clock | None = None
    previous: str = ""


@dataclass(frozen=True)
class Event:
    """One line of a game's log.

    Args:
        game: the game's address.
        version: 1 for the first, and one more for each.
        kind: of `KINDS`.
        seat: whose doing it was, X or O; for `FLAG` whose time ran out; empty if nobody's.
        time: when, in milliseconds since 1970.
        id: the id of the message that asked for it; empty if none did.
        cell: of a `MOVE`, where the mark went.
        text: the line of a `CHAT`, what an `OFFER` and its answers are about, the name of who
            joins; of an accepted rematch `follower` says where it is.
        key: of a `JOIN`, the hash of the token that claims the seat. Clients are never told.
        setup: of `CREATE`, what the game is.
        follower: of an accepted `REMATCH`, the address of the next game.
    """

    game: str
    version: int
    kind: str
    seat: str
    time: int
    id: str = ""
    cell: int | None = None
    text: str = ""
    key: str = ""
    setup: GameSetup | None = None
    follower: str = ""

    @property
    def unique_id(self) -> str | None:
        """The message id with the seat before it: no two events of a game have the same."""
        return f"{self.seat}:{self.id}" if self.id else None
