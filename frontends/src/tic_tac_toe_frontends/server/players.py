"""What is known of players: presence, blocks, reports, and the seats that an address holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from tic_tac_toe.protocols.online.events import SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.requests import PERSON, Create, Pair

from .budgets import Budget, ClientLimits, HeldSeat, SeatUsage
from .loaded_game import Readers
from .storage.game_rows import GameRow
from .storage.store import Store

#: Seconds for which a player counts as connected after a message or record of another server.
ELSEWHERE_SECONDS = 15.0
#: Seconds for which an open game is still shown and offered after its creator has disconnected.
AWAY_SECONDS = 30.0
#: Players whose blocks are cached.
MOST_KNOWN = 10_000
#: Seconds until they are read again, if other servers write blocks, too.
FRESH_SECONDS = 10.0
#: The number of reports that are remembered, the newest ones.
MOST_REPORTS = 10_000


class PlayerPresence:
    """The presence of players, by game and seat.

    Args:
        clock: seconds since any start.

    Attributes:
        read_at: when this server last read the records of the other servers, by the clock.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.away_seconds = AWAY_SECONDS
        self.read_at = float("-inf")
        self._clock = clock
        self._here: Counter[tuple[str, str]] = Counter()
        self._elsewhere: dict[tuple[str, str], float] = {}
        self._left: dict[tuple[str, str], float] = {}
        self._started_at = clock()

    def add(self, game: str, seat: str) -> None:
        """Count a connection of a player to this server."""
        self._here[game, seat] += 1

    def remove(self, game: str, seat: str) -> None:
        """Count a connection no longer, and remember when the player left."""
        self._here[game, seat] -= 1
        if not self._here[game, seat]:
            del self._here[game, seat]
        self._left[game, seat] = self._clock()

    def seen_elsewhere(self, game: str, seat: str) -> None:
        """Record that a player is connected to another server."""
        self._elsewhere[game, seat] = self._clock()

    def is_here(self, game: str, seat: str) -> bool:
        """Whether a player is connected to this server."""
        return (game, seat) in self._here

    def is_connected(self, game: str, seat: str) -> bool:
        """Whether a player is connected to any server, as far as this one knows."""
        return self.is_here(game, seat) or self.is_elsewhere(game, seat)

    def is_elsewhere(self, game: str, seat: str) -> bool:
        """Whether a player is connected to another server, as of the last `ELSEWHERE_SECONDS`."""
        seen_at = self._elsewhere.get((game, seat))
        return seen_at is not None and self._clock() - seen_at <= ELSEWHERE_SECONDS

    def is_around(self, game: str, seat: str) -> bool:
        """Whether a player is connected, or was a moment ago and may come back.

        Right after the start of the server this is true of everybody.
        """
        latest = max(
            self._elsewhere.get((game, seat), self._started_at), self._left.get((game, seat), 0.0)
        )
        return self.is_here(game, seat) or self._clock() - latest <= self.away_seconds

    @property
    def is_fresh(self) -> bool:
        """Whether this server has read the records of the others lately."""
        return self._clock() - self.read_at <= ELSEWHERE_SECONDS

    def forget(self) -> None:
        """Forget the players who left long ago."""
        recent = self._clock() - max(self.away_seconds, ELSEWHERE_SECONDS)
        for known in (self._elsewhere, self._left):
            for place in [place for place, at in known.items() if at < recent]:
                del known[place]


class Blocks:
    """Caches whom a player has blocked and by whom they are blocked, for players who are here.

    Players are identified by the hashes of their tokens.

    Args:
        is_shared: whether other servers use the same store.
        clock: seconds since any start.
    """

    def __init__(
        self, store: Store, readers: Readers, is_shared: bool, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._readers = readers
        self._is_shared = is_shared
        self._clock = clock
        self._known: dict[str, tuple[frozenset[str], float]] = {}  # the oldest entry first
        self._changes = 0

    def is_known(self, key: str) -> bool:
        """Whether the blocks of a player are in memory."""
        known = self._known.get(key)
        if known is None:
            return False
        return not self._is_shared or self._clock() - known[1] < FRESH_SECONDS

    def are_blocked(self, one: str, other: str) -> bool:
        """Whether one of two players has blocked the other; one of them has to be in memory."""
        return any(
            theirs in self._known[key][0]
            for key, theirs in ((one, other), (other, one))
            if key in self._known
        )

    async def load(self, key: str) -> None:
        """Load the blocks of a player, unless they are in memory.

        Raises:
            StorageError: they cannot be read.
        """
        while not self.is_known(key):
            changes = self._changes
            found = await self._readers.run(self._store.blocked_keys, key)
            if changes == self._changes:  # a change during the read makes it stale
                self._known[key] = found, self._clock()
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]

    def forget(self, one: str, other: str) -> None:
        """Drop what is known of two players, because it has changed."""
        self._changes += 1
        for key in (one, other):
            self._known.pop(key, None)


class ReportSenders:
    """Remembers reports by id and sender."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, object], None] = {}

    def add(self, report: str, sender: object) -> bool:
        """Remember a report; return whether it is new."""
        if (report, sender) in self._known:
            return False
        self._known[report, sender] = None
        if len(self._known) > MOST_REPORTS:
            del self._known[next(iter(self._known))]
        return True

    def drop(self, report: str, sender: object) -> None:
        """Forget a report that could not be stored."""
        self._known.pop((report, sender), None)


#: Open games of one address whose creators may be away, and games of players who want to play now:
#: in multiples of its places in the lobby.
AWAY, PAIRING = 4, 8
#: Games of one address that may wait for a first move of any side: in multiples of those that may
#: wait for its own. A tighter limit would let strangers who join and never move shut it out.
REPLYING = 4


class Quotas:
    """The seats of unfinished games by the addresses that hold them, while this server runs.

    A seat stays with the address that took it, wherever its player connects from later.
    """

    def __init__(self, limits: ClientLimits, presence: PlayerPresence) -> None:
        self._limits = limits
        self._presence = presence
        self._seats: dict[str, dict[str, HeldSeat]] = {}

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def games(self) -> list[str]:
        """The addresses of the games with seats held here."""
        return [*self._seats]

    def add_seat(self, game: OnlineGame, seat: str, budget: Budget, connection: SeatUsage) -> None:
        """Count a seat for a player who has taken it, unless it is held already."""
        if game.end is None:
            self._add(game.address, seat, budget, connection)
            self.update_game(game)

    def expect_seat(self, game: str, seat: str, budget: Budget) -> None:
        """Count a seat in a rematch for a player who has not come there yet."""
        self._add(game, seat, budget, SeatUsage(self._limits.own_unmoved.number))

    def update_game(self, game: OnlineGame) -> None:
        """Update what is counted for a game that has changed."""
        if game.end is not None:
            self.forget_game(game.address)
            return
        for seat, held in self._seats.get(game.address, {}).items():
            opened_here = game.setup.players[SIDES[seat]] is not None
            held.delays = self._delays_stranger(game, seat)
            held.replies = held.delays and opened_here and game.turn != seat
            held.is_pairing = game.setup.pairing
            if not (game.waiting and game.setup.is_open and seat != game.free_seat):
                held.waits_since = None
            elif held.waits_since is None:
                held.waits_since = game.time

    def forget_game(self, game: str) -> None:
        """Release all seats of a game that is over or deleted."""
        for seat in tuple(self._seats.get(game, ())):
            self._release(game, seat)

    def _add(self, game: str, seat: str, budget: Budget, connection: SeatUsage) -> None:
        seats = self._seats.setdefault(game, {})
        if seat not in seats:
            seats[seat] = held = HeldSeat(game, seat, budget, connection)
            budget.usage.seats[game, seat] = connection.seats[game, seat] = held

    def _release(self, game: str, seat: str) -> None:
        seats = self._seats.get(game, {})
        held = seats.pop(seat, None)
        if not seats:
            self._seats.pop(game, None)
        if held is not None:
            for usage in held.usages:
                usage.seats.pop((game, seat), None)

    def _delays_stranger(self, game: OnlineGame, seat: str) -> bool:
        """Whether a stranger waits, or may have to wait, for the first move from a seat.

        A player from the same address is no stranger, such as another pupil of a school class.
        """
        other = SEATS[1 - SIDES[seat]]
        may_be_strangers = game.setup.is_open or game.setup.players[SIDES[seat]] is None
        if not may_be_strangers or not game.turn or game.has_computer or seat in game.movers:
            return False
        return not self._have_one_address((game.address, seat), (game.address, other))

    def _held(self, game: str, seat: str) -> HeldSeat | None:
        return self._seats.get(game, {}).get(seat)

    def _have_one_address(self, one: tuple[str, str], other: tuple[str, str]) -> bool:
        first, second = self._held(*one), self._held(*other)
        return first is not None and second is not None and first.budget is second.budget

    def refuses_game(self, budget: Budget) -> str:
        """Return the reason why an address may have no more games now; empty if it may."""
        usage = budget.usage
        is_full = len(usage.seats) + len(usage.creating) >= self._limits.unfinished.number
        return "too_many_games" if is_full else ""

    def refuses_creation(self, request: Create | Pair, budget: Budget, own: SeatUsage) -> str:
        """Return the reason why a game may not be created now; empty if it may."""
        is_pairing = isinstance(request, Pair)
        refused = ""
        if isinstance(request, Pair) or (request.open and request.opponent == PERSON):
            refused = self._refuses_waiting(budget.usage, pairing=is_pairing)
            refused = refused or self.refuses_join(budget, own)
        return refused or self.refuses_game(budget)

    def _refuses_waiting(self, usage: SeatUsage, *, pairing: bool) -> str:
        most = self._limits.open_games.number
        alike = [held for held in usage.waiting if held.is_pairing is pairing]
        creating = sum(kind is pairing for kind in usage.creating.values())
        if pairing:
            is_full = len(alike) + creating >= PAIRING * most
        else:
            present = sum(self._presence.is_around(held.game, held.seat) for held in alike)
            is_full = present + creating >= most or len(alike) + creating >= AWAY * most
        return "too_many_open" if is_full else ""

    def refuses_join(self, budget: Budget, own: SeatUsage) -> str:
        """Return the reason why an address may join no other player now; empty if it may."""
        is_full = any(
            usage.delayed - usage.replying >= usage.most or usage.delayed >= REPLYING * usage.most
            for usage in (budget.usage, own)
        )
        return "first_moves" if is_full else ""

    def may_be_paired(self, one: tuple[str, str], other: tuple[str, str]) -> bool:
        """Whether two waiting players may be paired: at one address, or both within limits."""
        if self._have_one_address(one, other):
            return True
        seats = filter(None, (self._held(*place) for place in (one, other)))
        return all(usage.delayed < usage.most for held in seats for usage in held.usages)

    def move_player(self, guest: tuple[str, str], host: tuple[str, str]) -> None:
        """Count that a player is being moved from their game to the free seat of another."""
        held = self._held(*guest)
        if held is not None:
            self._add(*host, held.budget, held.connection)
        for seat, each in self._seats.get(host[0], {}).items():
            other = host[0], SEATS[1 - SIDES[seat]]
            each.delays = each.delays or not self._have_one_address((host[0], seat), other)

    def undo_move(self, host: OnlineGame, seat: str) -> None:
        """Undo `move_player`, because the player was not moved after all."""
        if host.free_seat == seat:
            self._release(host.address, seat)
        self.update_game(host)

    def shown_in_lobby(self, rows: Iterable[GameRow]) -> Iterator[GameRow]:
        """Yield the open games that the lobby shows; of one address, the first ones given."""
        places: Counter[Budget] = Counter()
        for row in rows:
            held = self._held(row.game, row.creator)
            if held is not None:
                places[held.budget] += 1
                if places[held.budget] > self._limits.open_games.number:
                    continue
            yield row

    def is_shown_in_lobby(self, game: str) -> bool:
        """Whether the lobby may show an open game that waits here, by the limit of its address."""
        for held in self._seats.get(game, {}).values():
            if held.waits_since is not None:
                there = [
                    (each.waits_since, each.game)
                    for each in held.budget.usage.waiting
                    if self._presence.is_around(each.game, each.seat)
                ]
                newest = sorted(there, reverse=True)[: self._limits.open_games.number]
                return any(game == address for _, address in newest)
        return True
