"""Whose thought is next: the addresses take turns, so that nobody waits for the games of another.

Only the order is decided here; `computers` runs the searches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .budgets import AddressBudget

#: Seconds of thinking that a search costs its owner at least that is stopped before its end, for
#: its process ends with it; and seconds for which no other one of the owner begins.
STOPPED_SECONDS = 1.0


@dataclass(eq=False)
class Thought:
    """A move that a computer has to find.

    Args:
        game: the address of the game.
        version: the last event that changed it: a later one makes the thought needless.
        owner: what the address may do that has asked for the move; ``None``: nobody who is there.
        asked: when it was asked for, in seconds of the server's clock.
        begin: begins the search, and returns what stops it.

    Attributes:
        begun: when the search began, likewise; ``None`` while it waits.
    """

    game: str
    version: int
    owner: AddressBudget | None
    asked_at: float
    run: Callable[[Thought], Callable[[], object]]
    started_at: float | None = field(default=None, init=False)
    _stop: Callable[[], object] = field(default=lambda: None, init=False)

    def start(self, now: float) -> None:
        """Begin the search."""
        self.started_at = now
        self._stop = self.run(self)

    def stop(self) -> None:
        """Stop the search; it may begin anew."""
        self.started_at = None
        self._stop()


class SearchQueue:
    """The thoughts of one kind of computer, one a game: some run, and the others wait.

    An owner after the other takes a turn. First come those who have thinking seconds left and have
    no search running, then those who have one, then those without seconds, then the games that
    nobody has asked for. The search of an owner with more than a fair share gives way.

    Args:
        slots: searches that run at once.
        clock: seconds from any start.
    """

    def __init__(self, slots: int, clock: Callable[[], float]) -> None:
        self.slots = slots
        self.running: dict[str, Thought] = {}
        self._clock = clock
        self._waiting: dict[AddressBudget | None, dict[str, Thought]] = {}
        self._owners: dict[str, AddressBudget | None] = {}  # of those that wait, by game
        self._paused: dict[AddressBudget | None, float] = {}

    def __len__(self) -> int:
        return len(self.running) + self.waiting

    @property
    def waiting(self) -> int:
        """The number of thoughts that wait."""
        return len(self._owners)

    def find(self, game: str) -> Thought | None:
        """Return the thought of a game."""
        if game in self._owners:
            return self._waiting[self._owners[game]][game]
        return self.running.get(game)

    def add(self, thought: Thought) -> None:
        """Let a thought wait for its turn; its game has no other one."""
        self._owners[thought.game] = thought.owner
        self._waiting.setdefault(thought.owner, {})[thought.game] = thought

    def drop(self, game: str) -> None:
        """Forget the thought of a game, if there is one, and stop its search."""
        if game in self._owners:
            self._remove(game)
        elif (thought := self.running.pop(game, None)) is not None:
            self._charge(thought, STOPPED_SECONDS)
            self._paused[thought.owner] = self._clock() + STOPPED_SECONDS
            thought.stop()

    def clear(self) -> None:
        """Forget all thoughts, and stop all searches."""
        for game in (*self._owners, *self.running):
            self.drop(game)

    def finish(self, thought: Thought) -> bool:
        """Take note that a search has ended; return whether it was wanted still."""
        if self.running.get(thought.game) is not thought:
            return False
        del self.running[thought.game]
        self._charge(thought, 0.0)
        return True

    def start_next(self) -> Thought | None:
        """Begin the search whose turn it is, and return it; ``None`` if none can begin now."""
        thought = self._next()
        if thought is None or (len(self.running) >= self.slots and not self._make_room(thought)):
            return None
        owner = thought.owner
        self._remove(thought.game)
        if owner in self._waiting:  # its turn comes again after those of the others
            self._waiting[owner] = self._waiting.pop(owner)
        self.running[thought.game] = thought
        thought.start(self._clock())
        return thought

    def pause(self) -> float | None:
        """Return the seconds until an owner with a search that was stopped has a turn again."""
        ends = [end for owner, end in self._paused.items() if owner in self._waiting]
        return max(0.0, min(ends) - self._clock()) if ends else None

    # -- whose turn it is ----------------------------------------------------------------------

    def _next(self) -> Thought | None:
        """Return the thought whose turn it is, whether there is room for it or not."""
        now, best, first = self._clock(), 4, None
        if self._paused:
            self._paused = {owner: end for owner, end in self._paused.items() if end > now}
        for owner, thoughts in self._waiting.items():
            rank = 4 if owner in self._paused else self._rank(owner, now)
            if rank < best:
                best, first = rank, next(iter(thoughts.values()))
            if rank == 0:
                break
        return first

    def _rank(self, owner: AddressBudget | None, now: float) -> int:
        """Return how soon an owner has a turn: 0 is first."""
        if owner is None:
            return 3
        if not owner.thinking.has(now):
            return 2
        return int(self._searches_of(owner) > 0)

    def _searches_of(self, owner: AddressBudget | None) -> int:
        return sum(thought.owner is owner for thought in self.running.values())

    def _make_room(self, newcomer: Thought) -> bool:
        """Stop a search of an owner with more than a fair share, if there is one.

        It waits for its turn again. Of several the last one to begin is stopped.
        """
        now = self._clock()
        if self._rank(newcomer.owner, now) > 0:
            return False
        for thought in reversed(self.running.values()):
            owner = thought.owner
            if self._rank(owner, now) > 1 or self._searches_of(owner) > 1:
                self._charge(thought, 0.0)
                del self.running[thought.game]
                thought.stop()
                # Another object: the end of this search is not that of the next one.
                self.add(replace(thought))
                return True
        return False

    def _remove(self, game: str) -> Thought:
        owner = self._owners.pop(game)
        thoughts = self._waiting[owner]
        thought = thoughts.pop(game)
        if not thoughts:
            del self._waiting[owner]
        return thought

    def _charge(self, thought: Thought, least: float) -> None:
        now = self._clock()
        if thought.owner is not None and thought.started_at is not None:
            thought.owner.thinking.charge(now, max(least, now - thought.started_at))
