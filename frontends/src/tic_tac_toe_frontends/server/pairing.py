"""Pairs players who want to play now with open games of the same kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import SEATS, SIDES, Event
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.judge import close, pair_up

from .session import GameSession
from .sessions import Sessions
from .storage.game_rows import GameRow, Transaction
from .writer import CommitResult

#: Milliseconds for which the creator of a new open game counts as connected to another server: its
#: message may still be under way.
NEW_MILLISECONDS = 10_000


class Wish(NamedTuple):
    """What two players have to agree about."""

    variant: str
    clock: Clock | None


class Waiting(NamedTuple):
    """An open game; these sort in the order in which they are offered, the oldest first."""

    time: int
    game: str
    creator: str


class Matchmaker:
    """Pairs waiting players.

    A player who wants to play now waits in an open game of their own. They are moved from there to
    the oldest other open game of the same kind whose creator is connected. One transaction closes
    the one game and joins the other, so that each player gets at most one opponent, whatever this
    and other servers try at the same time.
    """

    def __init__(self, sessions: Sessions) -> None:
        self.count = 0
        self._sessions = sessions
        self._core = sessions.core
        self._here: dict[Wish, dict[str, Waiting]] = {}  # the games in memory
        self._stored: dict[Wish, dict[str, Waiting]] = {}  # as last read from the store
        self._seekers: dict[str, Wish] = {}  # games of players who want to play now

    def update_game(self, game: OnlineGame) -> None:
        """Record a game in memory as it is now, and pair its creator if they wait."""
        wish = Wish(game.setup.variant, game.setup.clock)
        here = self._here.setdefault(wish, {})
        here.pop(game.address, None)
        self._seekers.pop(game.address, None)
        if not game.waiting or not game.setup.is_open:
            self._stored.get(wish, {}).pop(game.address, None)
            if not here:
                del self._here[wish]
            return
        here[game.address] = Waiting(game.time, game.address, _creator(game))
        if game.setup.pairing:
            self._seekers[game.address] = wish
        self._match_all(wish)

    def set_open_games(self, rows: Iterable[GameRow]) -> None:
        """Record the open games of all servers, and pair the players who wait here."""
        self._stored = {}
        for row in rows:
            there = self._stored.setdefault(Wish(row.variant, row.clock), {})
            there[row.game] = Waiting(row.time, row.game, row.creator)
        for wish in {*self._seekers.values()}:
            self._match_all(wish)

    def tidy(self) -> None:
        """Close the games of players who wanted to play now and have gone; forget old entries."""
        for there in self._here.values():
            for address in [each for each in there if each not in self._sessions]:
                del there[address]
        for address in tuple(self._seekers):
            session = self._sessions.get(address)
            if session is None or session.game is None or not session.game.waiting:
                del self._seekers[address]
                continue
            seat = _creator(session.game)
            if not self._core.presence.is_around(address, seat) and session.is_free:
                session.write(close(session.game, seat, self._core.now()), None)

    def _match_all(self, wish: Wish) -> None:
        for address in [each for each, wanted in self._seekers.items() if wanted == wish]:
            self._match(address, wish)

    def _match(self, address: str, wish: Wish) -> None:
        session = self._sessions.get(address)
        if session is None or not self._is_ready(session):
            return
        open_games = {**self._stored.get(wish, {}), **self._here.get(wish, {})}
        key = _key_of(session.game)
        if not self._core.blocks.is_known(key):
            self._core.blocks.load(
                key, lambda is_known: self._blocks_loaded(is_known, address, wish)
            )
            return
        for other in sorted(open_games.values()):
            is_hidden = self._core.moderation.is_hidden(other.game)
            if other.game != address and not is_hidden and self._is_connected(other):
                host = self._sessions[other.game]
                if host.game is None and not host.is_at_work:
                    host.read_log()  # `update_game` is called once it is loaded
                elif host.is_free and self._pair(session, host):
                    return

    def _blocks_loaded(self, is_known: bool, address: str, wish: Wish) -> None:
        if is_known and address in self._seekers:
            self._match(address, wish)

    def _is_ready(self, session: GameSession) -> bool:
        game = session.game
        if game is None or not game.waiting or not session.is_free:
            return False
        return self._core.presence.is_here(session.address, _creator(game))

    def _is_connected(self, waiting: Waiting) -> bool:
        if self._core.presence.is_connected(waiting.game, waiting.creator):
            return True
        is_new = self._core.now() - waiting.time < NEW_MILLISECONDS
        return self._core.is_shared and is_new and waiting.game not in self._sessions

    def _pair(self, guest: GameSession, host: GameSession) -> bool:
        assert guest.game is not None
        assert host.game is not None
        if not host.game.waiting:  # the stored list of open games is older than the game
            return False
        if host.game.setup.pairing and host.game.time > guest.game.time:
            guest, host = host, guest  # the creator of the newer game joins the older game
        if guest.game is None or host.game is None:
            return False
        if self._core.blocks.are_blocked(_key_of(guest.game), _key_of(host.game)):
            return False
        events = pair_up(guest.game, host.game, self._core.now())
        if events is None:
            return False
        closed, joined = events
        old, new = (guest.address, closed.seat), (host.address, joined.seat)
        quotas = self._core.quotas
        if not quotas.may_be_paired(old, (host.address, _creator(host.game))):
            return False
        self.count += 1
        quotas.move_player(old, new)
        write_together(guest, closed, host, joined)
        return True


def write_together(session: GameSession, event: Event, other: GameSession, others: Event) -> None:
    """Commit an event of one game and one of another, both or neither."""
    transaction, committed = session.prepare_write(event, None)
    others_transaction, others_committed = other.prepare_write(others, None)

    def both_committed(result: CommitResult) -> None:
        others_committed(result)
        committed(result)
        if result is not CommitResult.WRITTEN and other.game is not None:
            session.core.quotas.undo_move(other.game, others.seat)
        if result is CommitResult.TAKEN:  # another server was faster
            session.read_log()
            other.read_log()

    events = transaction.events + others_transaction.events
    rows = transaction.rows + others_transaction.rows
    session.core.writer.write(Transaction(events, rows), both_committed)


def _key_of(game: OnlineGame | None) -> str:
    """Return the hash of the waiting player's token."""
    player = None if game is None else game.player(_creator(game))
    return "" if player is None else player.key


def _creator(game: OnlineGame) -> str:
    return SEATS[1 - SIDES[game.free_seat]]
