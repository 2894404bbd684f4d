"""How much work an answer may take, while a person waits."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from tic_tac_toe.engines.progress import Progress, Tell

#: The shares of a thinking time that go into solving, and into keeping what was proved by then.
SOLVE_SHARE, KEEP_SHARE = 0.45, 0.1
#: With more plies left than this, the fast solver rarely finds the best moves while a person waits;
#: it gets this part of its time there, so that the engine answers soon.
EARLY_PLIES, EARLY_PART = 34, 0.2
#: From this number of seconds on the fast solver gets a larger table.
LONG_SECONDS = 4.0
LARGE_MEMORY = 640 << 20


@dataclass(frozen=True)
class Effort:
    """How much work an answer may take: by default less than a second.

    The seconds are those of an ordinary machine: searches count how many positions they look at in
    that time, so that the same state gets the same answer on every machine. Only a clock, where
    there is one, ends them earlier.

    Args:
        solve_seconds: to find the best moves of a position exactly.
        keep_seconds: to find moves that keep what was proved by then, with the fast solver.
        early_part: of both of these, what is spent with more than `EARLY_PLIES` left.
        think_seconds: the budget of the engine that thinks where nothing is solved; see `Budget`.
        fast_memory: the bytes of the fast solver's table; a larger one finds no more in that time.
        stop_solving, stop: asked now and then, end the solving and the thinking when true.
        tell: is told now and then how far the answer has come.
        elapsed: which part of the time is over, from 0 to 1, where a clock ends the thinking.
    """

    solve_seconds: float = 0.45
    keep_seconds: float = 0.1
    early_part: float = EARLY_PART
    think_seconds: float = 0.4
    fast_memory: int = 80 << 20
    stop_solving: Callable[[], bool] | None = None
    stop: Callable[[], bool] | None = None
    tell: Tell | None = None
    elapsed: Callable[[], float] | None = None

    def watched(self, stop: Callable[[], bool], tell: Tell) -> Effort:
        """Return the same effort that somebody else can end, too, and is told about.

        Args:
            stop: asked now and then, ends the solving and the thinking when true.
            tell: see `Effort`.
        """
        ends, solving_ends = self.stop, self.stop_solving
        return replace(
            self,
            stop=lambda: stop() or (ends is not None and ends()),
            stop_solving=lambda: stop() or (solving_ends is not None and solving_ends()),
            tell=tell,
        )

    def telling(self, begin: float, end: float) -> Tell | None:
        """Return who is told about a part of the work, which lasts from one share to another."""
        tell = self.tell
        if tell is None or self.elapsed is not None:  # a clock goes on from part to part
            return tell
        return lambda now: tell(now._replace(share=begin + (end - begin) * now.share))

    def keeping(self, moves: Collection[int]) -> Effort:
        """Return an effort whose listener is told of no best move but these, if there are any."""
        tell = self.tell
        if tell is None or not moves:
            return self

        def told(now: Progress) -> None:
            tell(now if now.best in moves else now._replace(best=next(iter(moves))))

        return replace(self, tell=told)

    def solving(self, plies_left: int | None) -> Effort:
        """Return the effort for the fast solver, which is less where many plies are left."""
        if plies_left is None or plies_left <= EARLY_PLIES:
            return self
        return replace(
            self,
            solve_seconds=self.solve_seconds * self.early_part,
            keep_seconds=self.keep_seconds * self.early_part,
        )

    def share(self, part: float) -> Effort:
        """Return an effort that takes a part of this one's seconds."""
        return replace(
            self,
            solve_seconds=self.solve_seconds * part,
            keep_seconds=self.keep_seconds * part,
            think_seconds=self.think_seconds * part,
        )


#: In a browser Python takes about two and a half times as long.
BROWSER_SHARE = 0.5
#: What a person who plays is willing to wait for: an answer within a second, in a browser within
#: two.
MOMENT = Effort().share(BROWSER_SHARE if sys.platform == "emscripten" else 1.0)
#: What a person who asks for an analysis is willing to wait for: some seconds.
STUDY = Effort(solve_seconds=3.0, keep_seconds=0.5, early_part=1.0, think_seconds=2.0)


def effort_lasting(seconds: float, clock: Callable[[], float] = time.monotonic) -> Effort:
    """Return the effort of an answer that begins now and is given after ``seconds`` by the clock.

    Where the answer is exact it comes as soon as it is found.
    """
    start = clock()
    solved, end = start + SOLVE_SHARE * seconds, start + seconds
    return Effort(
        solve_seconds=math.inf,
        keep_seconds=KEEP_SHARE * seconds,
        early_part=1.0,
        think_seconds=math.inf,
        fast_memory=Effort.fast_memory if seconds < LONG_SECONDS else LARGE_MEMORY,
        stop_solving=lambda: clock() >= solved,
        stop=lambda: clock() >= end,
        elapsed=lambda: (clock() - start) / seconds if seconds else 1.0,
    )
