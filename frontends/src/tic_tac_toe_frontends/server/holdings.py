"""What each address holds of the games that are not over, so that none takes the others' share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tic_tac_toe.protocols.online.events import SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.requests import PERSON, Create, Pair

from .attendance import Attendance
from .rate_limits import Account, Allowance, Share
from .storage.game_rows import GameRow

#: Open games of one address that may wait while their creators are gone, and games of players who
#: want to play now: these numbers of times its places in the lobby.
AWAY, PAIRING = 4, 8
#: Games of one address that wait for a first move or for a stranger's before it: this number of
#: times those that may wait for its own. Else who joins games and does nothing would shut it out.
REPLYING = 4


class Holder(NamedTuple):
    """Whose a seat is: an address, and the connection that took it."""

    account: Account
    connection: Share

    @property
    def shares(self) -> tuple[Share, Share]:
        """What is counted for both."""
        return self.account.share, self.connection


class Holdings:
    """Knows which address holds which seats of games that are not over, as long as it runs.

    A seat stays with the address that took it, wherever its player comes from later.
    """

    def __init__(self, allowance: Allowance, attendance: Attendance) -> None:
        self._allowance = allowance
        self._attendance = attendance
        self._seats: dict[str, dict[str, Holder]] = {}

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def games(self) -> list[str]:
        """The addresses of the games that are held."""
        return [*self._seats]

    # -- what happens --------------------------------------------------------------------------

    def take(self, game: OnlineGame, seat: str, account: Account, connection: Share) -> None:
        """Note that a player has come to his seat; if it is somebody's already, it stays so."""
        if game.end is None:
            self._give(game.address, seat, Holder(account, connection))
            self.settled(game)

    def expect(self, game: str, seat: str, account: Account) -> None:
        """Note that a player has a seat of a game that begins, a rematch, before he comes there."""
        self._give(game, seat, Holder(account, Share()))

    def settled(self, game: OnlineGame) -> None:
        """Take note of a game as it is now."""
        seats = self._seats.get(game.address)
        if seats is None:
            return
        if game.end is not None:
            self.free(game.address)
            return
        for seat, holder in seats.items():
            holds_up = self._holds_up(game, seat)
            was_here_first = game.setup.players[SIDES[seat]] is not None
            replies = holds_up and was_here_first and game.turn != seat
            for share in holder.shares:
                for held, has in ((share.unmoved, holds_up), (share.to_reply, replies)):
                    (held.add if has else held.discard)((game.address, seat))
                if game.waiting and game.setup.is_open and seat != game.free_seat:
                    waiting = seat, game.setup.pairing, game.time
                    share.waiting.setdefault(game.address, waiting)
                else:
                    share.waiting.pop(game.address, None)

    def free(self, game: str) -> None:
        """Forget a game, for it is over or gone."""
        for seat in tuple(self._seats.get(game, ())):
            self._release(game, seat)

    def _give(self, game: str, seat: str, holder: Holder) -> None:
        seats = self._seats.setdefault(game, {})
        if seat not in seats:
            seats[seat] = holder
            for share in holder.shares:
                share.seats.add((game, seat))

    def _release(self, game: str, seat: str) -> None:
        seats = self._seats.get(game, {})
        holder = seats.pop(seat, None)
        if not seats:
            self._seats.pop(game, None)
        for share in holder.shares if holder is not None else ():
            share.forget((game, seat))

    def _holds_up(self, game: OnlineGame, seat: str) -> bool:
        """Whether a stranger may have to wait for a first move, in an open game or after coming.

        No stranger is who plays from the same address, such as another pupil of a class.
        """
        other = SEATS[1 - SIDES[seat]]
        has_come = game.setup.is_open or game.setup.players[SIDES[seat]] is None
        if not has_come or not game.turn or game.has_computer or seat in game.movers:
            return False
        return not self._are_together((game.address, seat), (game.address, other))

    def _are_together(self, one: tuple[str, str], other: tuple[str, str]) -> bool:
        """Whether two seats are held by the same address."""
        holders = [self._seats.get(game, {}).get(seat) for game, seat in (one, other)]
        accounts = [None if holder is None else holder.account for holder in holders]
        return accounts[0] is not None and accounts[0] is accounts[1]

    # -- what may be done ----------------------------------------------------------------------

    def refuses_game(self, account: Account) -> str:
        """Return why an address may have no further game now; empty if it may."""
        share = account.share
        is_full = len(share.seats) + len(share.coming) >= self._allowance.unfinished
        return "too_many_games" if is_full else ""

    def refuses_creation(self, request: Create | Pair, account: Account, own: Share) -> str:
        """Return why a game may not be created now; empty if it may."""
        is_pairing = isinstance(request, Pair)
        refused = ""
        if isinstance(request, Pair) or (request.open and request.opponent == PERSON):
            refused = self._refuses_waiting(account.share, pairing=is_pairing)
            refused = refused or self.refuses_join(account, own)
        return refused or self.refuses_game(account)

    def _refuses_waiting(self, share: Share, *, pairing: bool) -> str:
        """Return whether an address has too many open games that wait; empty if not."""
        most = self._allowance.open_games
        alike = [
            (game, seat)
            for game, (seat, is_pairing, _) in share.waiting.items()
            if is_pairing is pairing
        ]
        coming = sum(kind is pairing for kind in share.coming.values())
        if pairing:
            is_full = len(alike) + coming >= PAIRING * most
        else:
            around = sum(self._attendance.is_around(game, seat) for game, seat in alike)
            is_full = around + coming >= most or len(alike) + coming >= AWAY * most
        return "too_many_open" if is_full else ""

    def refuses_join(self, account: Account, own: Share) -> str:
        """Return why nobody from here may come to another player now; empty if somebody may."""
        is_full = any(
            share.held - len(share.to_reply) >= most or share.held >= REPLYING * most
            for share, most in self._limits(account, own)
        )
        return "first_moves" if is_full else ""

    def _limits(self, account: Account, own: Share) -> tuple[tuple[Share, int], tuple[Share, int]]:
        """Return how many strangers may wait for an address, and for a connection."""
        allowance = self._allowance
        return (account.share, allowance.unmoved), (own, allowance.own_unmoved)

    # -- players who are taken to each other ---------------------------------------------------

    def may_meet(self, one: tuple[str, str], other: tuple[str, str]) -> bool:
        """Whether two who wait may be brought together: both at one address, or at no limit."""
        if self._are_together(one, other):
            return True
        holders = (self._seats.get(game, {}).get(seat) for game, seat in (one, other))
        limits = (limit for holder in holders if holder for limit in self._limits(*holder))
        return all(share.held < most for share, most in limits)

    def bring(self, guest: tuple[str, str], host: tuple[str, str]) -> None:
        """Note that a player is being taken from his seat to the free seat of another game."""
        holder = self._seats.get(guest[0], {}).get(guest[1])
        if holder is not None:
            self._give(*host, holder)
        for seat, each in self._seats.get(host[0], {}).items():
            other = host[0], SEATS[1 - SIDES[seat]]
            if not self._are_together((host[0], seat), other):
                for share in each.shares:
                    share.unmoved.add((host[0], seat))

    def take_back(self, host: OnlineGame, seat: str) -> None:
        """Note that a player was not taken to a game after all."""
        if host.free_seat == seat:
            self._release(host.address, seat)
        self.settled(host)

    # -- what is shown -------------------------------------------------------------------------

    def with_a_place(self, rows: Iterable[GameRow]) -> Iterator[GameRow]:
        """Yield the open games that have a place in the lobby, of these, the newest first."""
        places: Counter[Account] = Counter()
        for row in rows:
            holder = self._seats.get(row.game, {}).get(row.creator)
            if holder is not None:
                places[holder.account] += 1
                if places[holder.account] > self._allowance.open_games:
                    continue
            yield row

    def has_a_place(self, game: str) -> bool:
        """Whether the lobby shows an open game that waits here, as far as its address goes."""
        for holder in self._seats.get(game, {}).values():
            waiting = holder.account.share.waiting
            there = [
                (time, each)
                for each, (seat, _, time) in waiting.items()
                if self._attendance.is_around(each, seat)
            ]
            newest = sorted(there, reverse=True)[: self._allowance.open_games]
            return game not in waiting or any(game == each for _, each in newest)
        return True
