"""What a client is told beside its game: who is there, what watchers say, and the open games."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.protocols.online.events import SEATS, SIDES, Said
from tic_tac_toe.protocols.online.limits import TALK_LINES
from tic_tac_toe.protocols.online.news import LobbyChanged, News, PresenceChanged, TalkChanged
from tic_tac_toe.protocols.online.replies import (
    OpenGame,
    OpenGames,
    OwnGame,
    Presence,
    TalkLine,
    WatchersTalk,
)

#: Who has said a line, beside the seats.
WATCHERS = "watchers"


def speaker_of(line: Said | TalkLine) -> str:
    """Return who has said a line: the seat of a player, or `WATCHERS`."""
    return line.seat if isinstance(line, Said) else WATCHERS


class Surroundings:
    """What the server has told last.

    Args:
        clock: seconds from any start.

    Attributes:
        presence: the clients at the game.
        talk: what its watchers have said.
        open_games: the games of the lobby.
        own_games: the games of the player, as they were when they were asked for.
        blocked: whether the player has asked never to meet the other one again.
        muted: whose lines are not shown, of `speaker_of`; the server is not told of it.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.presence: Presence | None = None
        self.talk: tuple[TalkLine, ...] = ()
        self.open_games: tuple[OpenGame, ...] = ()
        self.own_games: tuple[OwnGame, ...] = ()
        self.muted: frozenset[str] = frozenset()
        self.blocked: bool = False
        self._clock = clock
        self._presence_at = clock()

    def told(self, reply: Presence | WatchersTalk | OpenGames, address: str) -> list[News]:
        """Take what the server tells a client that is at a game."""
        match reply:
            case OpenGames(games):
                self.open_games = games
                return [LobbyChanged()]
            case Presence(game) if game == address:
                self.presence, self._presence_at = reply, self._clock()
                return [PresenceChanged()]
            case WatchersTalk(game, lines) if game == address:
                known = {*self.talk}  # what is kept comes again with each connection
                new = (line for line in lines if line not in known)
                self.talk = (*self.talk, *new)[-TALK_LINES:]
                return [TalkChanged()]
        return []

    def leave_game(self) -> None:
        """Forget what was told of the game."""
        self.presence, self.talk = None, ()
        self.muted, self.blocked = frozenset(), False

    def block(self, others: set[str], on: bool) -> None:
        """Take note that the player wants to meet the other one no more, or again."""
        self.blocked = on
        self.muted = self.muted | others if on else self.muted - others

    def change_seats(self, muted: frozenset[str]) -> None:
        """Hear as little in a rematch, where the players have changed their seats, as before it."""
        self.muted = frozenset(SEATS[1 - SIDES[who]] if who in SIDES else who for who in muted)

    def claim_left(self, seat: str) -> int | None:
        """Return the milliseconds until the player at a seat can claim the game, if ever."""
        presence = self.presence
        if presence is None or presence.claim_in is None or seat not in presence.seats:
            return None
        return max(0, presence.claim_in - int(1000 * (self._clock() - self._presence_at)))
