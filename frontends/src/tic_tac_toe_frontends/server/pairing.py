"""Pairs players who want to play now with open games of the same kind."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.judge import close, pair_up

from .session import GameSession, Sessions
from .storage.game_rows import GameRow, Transaction
from .storage.store import StorageError
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
        self._wanted: dict[str, bool] = {}  # seekers that are matched: whether they are once more

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
                event = close(session.game, seat, self._core.now())
                self._core.tasks.start(session.write(event))

    def _match_all(self, wish: Wish) -> None:
        for address in [each for each, wanted in self._seekers.items() if wanted == wish]:
            self._match_soon(address)

    def _match_soon(self, address: str) -> None:
        """Look for an opponent, or look again if that is being done."""
        is_looking = address in self._wanted
        self._wanted[address] = True
        if not is_looking:
            self._core.tasks.start(self._match(address))

    async def _match(self, address: str) -> None:
        try:
            while self._wanted[address]:
                self._wanted[address] = False
                session, wish = self._sessions.get(address), self._seekers.get(address)
                if session is not None and wish is not None and self._is_ready(session):
                    with suppress(StorageError):  # tried again when an open game changes
                        await self._find_opponent(session, wish)
        finally:
            del self._wanted[address]

    async def _find_opponent(self, session: GameSession, wish: Wish) -> None:
        open_games = {**self._stored.get(wish, {}), **self._here.get(wish, {})}
        for other in sorted(open_games.values()):
            if other.game == session.address or not self._is_offered(other):
                continue
            host = self._sessions[other.game]
            if host.game is None and not host.is_at_work:
                host.read_log()  # `update_game` is called once it is loaded
            elif host.game is not None and await self._pair(session, host, other):
                return

    def _is_ready(self, session: GameSession) -> bool:
        """Whether the creator of a game waits in it, and is connected to this server."""
        game = session.game
        if game is None or not self._is_known_to_wait(session):
            return False
        return self._core.presence.is_here(session.address, _creator(game))

    def _is_offered(self, waiting: Waiting) -> bool:
        """Whether everybody may see an open game, and its creator is connected."""
        if waiting.game in self._core.moderation.hidden:
            return False
        if self._core.presence.is_connected(waiting.game, waiting.creator):
            return True
        is_new = self._core.now() - waiting.time < NEW_MILLISECONDS
        return self._core.is_shared and is_new and waiting.game not in self._sessions

    async def _pair(self, guest: GameSession, host: GameSession, waiting: Waiting) -> bool:
        """Pair two players if it is still possible; return whether the search is over."""
        first, second = sorted((guest, host), key=lambda session: session.address)
        async with first.turn, second.turn:
            await self._core.blocks.load(_key_of(guest.game))
            if not self._is_ready(guest):
                return True
            if not (self._is_known_to_wait(host) and self._is_offered(waiting)):
                return False
            assert guest.game is not None
            assert host.game is not None
            if host.game.setup.pairing and host.game.time > guest.game.time:
                guest, host = host, guest  # the creator of the newer game joins the older game
            is_over = await self._write(guest, host)
        if not (host.is_known or self._core.writer.failed):  # another server was faster
            guest.read_log()
            host.read_log()
        return is_over

    def _is_known_to_wait(self, session: GameSession) -> bool:
        is_here = self._sessions.get(session.address) is session
        is_written = is_here and session.is_known and not self._core.writer.failed
        return is_written and session.game is not None and session.game.waiting

    async def _write(self, guest: GameSession, host: GameSession) -> bool:
        """Commit the end of one game and a seat taken in another, both or neither."""
        core, quotas = self._core, self._core.quotas
        leaves, joins = guest.game, host.game
        assert leaves is not None
        assert joins is not None
        if core.blocks.are_blocked(_key_of(leaves), _key_of(joins)):
            return False
        events = pair_up(leaves, joins, core.now())
        if events is None:
            return False
        closed, joined = events
        old, new = (guest.address, closed.seat), (host.address, joined.seat)
        if not quotas.may_be_paired(old, (host.address, _creator(joins))):
            return False
        self.count += 1
        quotas.move_player(old, new)
        left, taken = guest.prepare(closed), host.prepare(joined)
        events_of_both = left.transaction.events + taken.transaction.events
        rows = left.transaction.rows + taken.transaction.rows
        result = await core.writer.write(Transaction(events_of_both, rows))
        host.settle(taken, result)
        guest.settle(left, result)
        if result is not CommitResult.WRITTEN and host.game is not None:
            quotas.undo_move(host.game, joined.seat)
        return True


def _key_of(game: OnlineGame | None) -> str:
    """Return the hash of the waiting player's token; of none where nobody waits any more."""
    player = game.player(_creator(game)) if game is not None and game.waiting else None
    return "" if player is None else player.key


def _creator(game: OnlineGame) -> str:
    return SEATS[1 - SIDES[game.free_seat]]
