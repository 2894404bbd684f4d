"""What each address holds of the games that are not over, so that none takes the others' share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tic_tac_toe.protocols.online.events import SEATS, SIDES
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.requests import PERSON, Create, Pair

from .budgets import AddressBudget, Budgets, SeatUsage
from .player_presence import PlayerPresence
from .storage.game_rows import GameRow

#: Open games of one address that may wait while their creators are gone, and games of players who
#: want to play now: these numbers of times its places in the lobby.
AWAY, PAIRING = 4, 8
#: Games of one address that wait for a first move or for a stranger's before it: this number of
#: times those that may wait for its own. Else who joins games and does nothing would shut it out.
REPLYING = 4


class SeatOwner(NamedTuple):
    """Whose a seat is: an address, and the connection that took it."""

    budget: AddressBudget
    connection: SeatUsage

    @property
    def usages(self) -> tuple[SeatUsage, SeatUsage]:
        """What is counted for both."""
        return self.budget.usage, self.connection


class Quotas:
    """Knows which address holds which seats of games that are not over, as long as it runs.

    A seat stays with the address that took it, wherever its player comes from later.
    """

    def __init__(self, budgets: Budgets, attendance: PlayerPresence) -> None:
        self._budgets = budgets
        self._attendance = attendance
        self._seats: dict[str, dict[str, SeatOwner]] = {}

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def games(self) -> list[str]:
        """The addresses of the games that are held."""
        return [*self._seats]

    # -- what happens --------------------------------------------------------------------------

    def add_seat(
        self, game: OnlineGame, seat: str, budget: AddressBudget, connection: SeatUsage
    ) -> None:
        """Note that a player has come to his seat; if it is somebody's already, it stays so."""
        if game.end is None:
            self._add(game.address, seat, SeatOwner(budget, connection))
            self.update_game(game)

    def expect_seat(self, game: str, seat: str, budget: AddressBudget) -> None:
        """Note that a player has a seat of a game that begins, a rematch, before he comes there."""
        self._add(game, seat, SeatOwner(budget, SeatUsage()))

    def update_game(self, game: OnlineGame) -> None:
        """Take note of a game as it is now."""
        seats = self._seats.get(game.address)
        if seats is None:
            return
        if game.end is not None:
            self.forget_game(game.address)
            return
        for seat, owner in seats.items():
            holds_up = self._delays_stranger(game, seat)
            was_here_first = game.setup.players[SIDES[seat]] is not None
            replies = holds_up and was_here_first and game.turn != seat
            for usage in owner.usages:
                for held, has in ((usage.unmoved, holds_up), (usage.to_reply, replies)):
                    (held.add if has else held.discard)((game.address, seat))
                if game.waiting and game.setup.is_open and seat != game.free_seat:
                    waiting = seat, game.setup.pairing, game.time
                    usage.waiting.setdefault(game.address, waiting)
                else:
                    usage.waiting.pop(game.address, None)

    def forget_game(self, game: str) -> None:
        """Forget a game, for it is over or gone."""
        for seat in tuple(self._seats.get(game, ())):
            self._release(game, seat)

    def _add(self, game: str, seat: str, owner: SeatOwner) -> None:
        seats = self._seats.setdefault(game, {})
        if seat not in seats:
            seats[seat] = owner
            for usage in owner.usages:
                usage.seats.add((game, seat))

    def _release(self, game: str, seat: str) -> None:
        seats = self._seats.get(game, {})
        owner = seats.pop(seat, None)
        if not seats:
            self._seats.pop(game, None)
        for usage in owner.usages if owner is not None else ():
            usage.forget((game, seat))

    def _delays_stranger(self, game: OnlineGame, seat: str) -> bool:
        """Whether a stranger may have to wait for a first move, in an open game or after coming.

        No stranger is who plays from the same address, such as another pupil of a class.
        """
        other = SEATS[1 - SIDES[seat]]
        has_come = game.setup.is_open or game.setup.players[SIDES[seat]] is None
        if not has_come or not game.turn or game.has_computer or seat in game.movers:
            return False
        return not self._have_one_address((game.address, seat), (game.address, other))

    def _have_one_address(self, one: tuple[str, str], other: tuple[str, str]) -> bool:
        """Whether two seats are held by the same address."""
        owners = [self._seats.get(game, {}).get(seat) for game, seat in (one, other)]
        budgets = [None if owner is None else owner.budget for owner in owners]
        return budgets[0] is not None and budgets[0] is budgets[1]

    # -- what may be done ----------------------------------------------------------------------

    def refuses_game(self, budget: AddressBudget) -> str:
        """Return why an address may have no further game now; empty if it may."""
        usage = budget.usage
        is_full = len(usage.seats) + len(usage.coming) >= self._budgets.unfinished
        return "too_many_games" if is_full else ""

    def refuses_creation(
        self, request: Create | Pair, budget: AddressBudget, own: SeatUsage
    ) -> str:
        """Return why a game may not be created now; empty if it may."""
        is_pairing = isinstance(request, Pair)
        refused = ""
        if isinstance(request, Pair) or (request.open and request.opponent == PERSON):
            refused = self._refuses_waiting(budget.usage, pairing=is_pairing)
            refused = refused or self.refuses_join(budget, own)
        return refused or self.refuses_game(budget)

    def _refuses_waiting(self, usage: SeatUsage, *, pairing: bool) -> str:
        """Return whether an address has too many open games that wait; empty if not."""
        most = self._budgets.open_games
        alike = [
            (game, seat)
            for game, (seat, is_pairing, _) in usage.waiting.items()
            if is_pairing is pairing
        ]
        coming = sum(kind is pairing for kind in usage.coming.values())
        if pairing:
            is_full = len(alike) + coming >= PAIRING * most
        else:
            around = sum(self._attendance.is_around(game, seat) for game, seat in alike)
            is_full = around + coming >= most or len(alike) + coming >= AWAY * most
        return "too_many_open" if is_full else ""

    def refuses_join(self, budget: AddressBudget, own: SeatUsage) -> str:
        """Return why nobody from here may come to another player now; empty if somebody may."""
        is_full = any(
            usage.held - len(usage.to_reply) >= most or usage.held >= REPLYING * most
            for usage, most in self._limits(budget, own)
        )
        return "first_moves" if is_full else ""

    def _limits(
        self, budget: AddressBudget, own: SeatUsage
    ) -> tuple[tuple[SeatUsage, int], tuple[SeatUsage, int]]:
        """Return how many strangers may wait for an address, and for a connection."""
        budgets = self._budgets
        return (budget.usage, budgets.unmoved), (own, budgets.own_unmoved)

    # -- players who are taken to each other ---------------------------------------------------

    def may_meet(self, one: tuple[str, str], other: tuple[str, str]) -> bool:
        """Whether two who wait may be brought together: both at one address, or at no limit."""
        if self._have_one_address(one, other):
            return True
        owners = (self._seats.get(game, {}).get(seat) for game, seat in (one, other))
        limits = (limit for owner in owners if owner for limit in self._limits(*owner))
        return all(usage.held < most for usage, most in limits)

    def move_player(self, guest: tuple[str, str], host: tuple[str, str]) -> None:
        """Note that a player is being taken from his seat to the free seat of another game."""
        owner = self._seats.get(guest[0], {}).get(guest[1])
        if owner is not None:
            self._add(*host, owner)
        for seat, each in self._seats.get(host[0], {}).items():
            other = host[0], SEATS[1 - SIDES[seat]]
            if not self._have_one_address((host[0], seat), other):
                for usage in each.usages:
                    usage.unmoved.add((host[0], seat))

    def undo_move(self, host: OnlineGame, seat: str) -> None:
        """Note that a player was not taken to a game after all."""
        if host.free_seat == seat:
            self._release(host.address, seat)
        self.update_game(host)

    # -- what is shown -------------------------------------------------------------------------

    def shown_in_lobby(self, rows: Iterable[GameRow]) -> Iterator[GameRow]:
        """Yield the open games that have a place in the lobby, of these, the newest first."""
        places: Counter[AddressBudget] = Counter()
        for row in rows:
            owner = self._seats.get(row.game, {}).get(row.creator)
            if owner is not None:
                places[owner.budget] += 1
                if places[owner.budget] > self._budgets.open_games:
                    continue
            yield row

    def is_shown_in_lobby(self, game: str) -> bool:
        """Whether the lobby shows an open game that waits here, as far as its address goes."""
        for owner in self._seats.get(game, {}).values():
            waiting = owner.budget.usage.waiting
            there = [
                (time, each)
                for each, (seat, _, time) in waiting.items()
                if self._attendance.is_around(each, seat)
            ]
            newest = sorted(there, reverse=True)[: self._budgets.open_games]
            return game not in waiting or any(game == each for _, each in newest)
        return True
