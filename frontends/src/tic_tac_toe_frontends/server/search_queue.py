"""The order of searches: addresses take turns, so that nobody waits for the games of another.

This module decides the order only; `computers` runs the searches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .budgets import Budget

#: Seconds that a stopped search costs its owner at least, because a new process has to be started;
#: and seconds for which no other search of that owner starts.
STOPPED_SECONDS = 1.0


@dataclass(eq=False)
class MoveSearch:
    """A search for the move of a computer player.

    Args:
        game: the address of the game.
        version: the event after which the search was asked for; later events make it needless.
        owner: the budget that pays for it; ``None``: nobody who is connected asked for it.
        asked_at: when it was asked for, in seconds of the server's clock.
        run: starts the search, and returns what stops it.

    Attributes:
        started_at: when the search started, likewise; ``None`` while it waits.
    """

    game: str
    version: int
    owner: Budget | None
    asked_at: float
    run: Callable[[MoveSearch], Callable[[], object]]
    started_at: float | None = field(default=None, init=False)
    _stop: Callable[[], object] = field(default=lambda: None, init=False)

    def start(self, now: float) -> None:
        """Start the search."""
        self.started_at = now
        self._stop = self.run(self)

    def stop(self) -> None:
        """Stop the search; it may start again later."""
        self.started_at = None
        self._stop()


class SearchQueue:
    """The searches of one pool, at most one for each game: some run, and the others wait.

    Owners take turns. Ranks, first to last: owners with thinking seconds left and no running
    search,
    owners with a running search, owners without seconds left, games that nobody connected asked
    for.
    A search of an owner with more than a fair share is stopped for one of rank 0.

    Args:
        slots: searches that run at the same time.
        clock: seconds since any start.
    """

    def __init__(self, slots: int, clock: Callable[[], float]) -> None:
        self.slots = slots
        self.running: dict[str, MoveSearch] = {}
        self._clock = clock
        self._waiting: dict[Budget | None, dict[str, MoveSearch]] = {}
        self._owners: dict[str, Budget | None] = {}  # of the waiting searches, by game
        self._paused: dict[Budget | None, float] = {}

    def __len__(self) -> int:
        return len(self.running) + self.waiting

    @property
    def waiting(self) -> int:
        """The number of searches that wait."""
        return len(self._owners)

    def find(self, game: str) -> MoveSearch | None:
        """Return the search of a game."""
        if game in self._owners:
            return self._waiting[self._owners[game]][game]
        return self.running.get(game)

    def add(self, search: MoveSearch) -> None:
        """Queue a search; its game has no other."""
        self._owners[search.game] = search.owner
        self._waiting.setdefault(search.owner, {})[search.game] = search

    def drop(self, game: str) -> None:
        """Remove the search of a game, if there is one, and stop it if it runs."""
        if game in self._owners:
            self._remove(game)
        elif (search := self.running.pop(game, None)) is not None:
            self._charge(search, STOPPED_SECONDS)
            self._paused[search.owner] = self._clock() + STOPPED_SECONDS
            search.stop()

    def clear(self) -> None:
        """Remove all searches, and stop those that run."""
        for game in (*self._owners, *self.running):
            self.drop(game)

    def finish(self, search: MoveSearch) -> bool:
        """Remove a search that has ended; return whether its result is still wanted."""
        if self.running.get(search.game) is not search:
            return False
        del self.running[search.game]
        self._charge(search, 0.0)
        return True

    def start_next(self) -> MoveSearch | None:
        """Start the next search, and return it; ``None`` if none can start now."""
        search = self._next()
        if search is None or (len(self.running) >= self.slots and not self._make_room(search)):
            return None
        owner = search.owner
        self._remove(search.game)
        if owner in self._waiting:  # to the end of the row: owners take turns
            self._waiting[owner] = self._waiting.pop(owner)
        self.running[search.game] = search
        search.start(self._clock())
        return search

    def pause(self) -> float | None:
        """Return the seconds until an owner whose search was stopped has a turn again."""
        ends = [end for owner, end in self._paused.items() if owner in self._waiting]
        return max(0.0, min(ends) - self._clock()) if ends else None

    def _next(self) -> MoveSearch | None:
        now, best, first = self._clock(), 4, None
        if self._paused:
            self._paused = {owner: end for owner, end in self._paused.items() if end > now}
        for owner, searches in self._waiting.items():
            rank = 4 if owner in self._paused else self._rank(owner, now)
            if rank < best:
                best, first = rank, next(iter(searches.values()))
            if rank == 0:
                break
        return first

    def _rank(self, owner: Budget | None, now: float) -> int:
        """Return the rank of an owner: 0 is first, 3 last."""
        if owner is None:
            return 3
        if not owner.thinking.has(now):
            return 2
        return int(self._searches_of(owner) > 0)

    def _searches_of(self, owner: Budget | None) -> int:
        return sum(search.owner is owner for search in self.running.values())

    def _make_room(self, newcomer: MoveSearch) -> bool:
        """Stop the last started search of an owner with more than a fair share, if there is one.

        It goes back into the queue.
        """
        now = self._clock()
        if self._rank(newcomer.owner, now) > 0:
            return False
        for search in reversed(self.running.values()):
            owner = search.owner
            if self._rank(owner, now) > 1 or self._searches_of(owner) > 1:
                self._charge(search, 0.0)
                del self.running[search.game]
                search.stop()
                # A copy: the late end of the stopped search must not end the new one.
                self.add(replace(search))
                return True
        return False

    def _remove(self, game: str) -> MoveSearch:
        owner = self._owners.pop(game)
        searches = self._waiting[owner]
        search = searches.pop(game)
        if not searches:
            del self._waiting[owner]
        return search

    def _charge(self, search: MoveSearch, least: float) -> None:
        now = self._clock()
        if search.owner is not None and search.started_at is not None:
            search.owner.thinking.charge(now, max(least, now - search.started_at))
