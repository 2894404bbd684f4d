"""Which solver answers about a game, behind its theory of the first moves and its opening book."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.limits import MOMENT, Limits, Progress, Reporter
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Foretelling, Rules
from tic_tac_toe.logic.rules.traits import plies_left
from tic_tac_toe.logic.rules.wrappers import Pie, without_pie
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.pie import with_pie
from tic_tac_toe.logic.search.table import SMALL_CELLS, is_small
from tic_tac_toe.logic.search.verdict import Solver, default_solver
from tic_tac_toe.solver.book import Book, book_for, with_book
from tic_tac_toe.solver.meter import Meter
from tic_tac_toe.solver.support import is_fast

if TYPE_CHECKING:
    from distributed import Client

    from tic_tac_toe.solver import FastSolver

#: The parts of the work that go into solving, and into keeping what was proved by then; the rest is
#: for the engine.
SOLVE_PART, KEEP_PART = 0.5, 0.1
#: The legal moves of positions that plain Python looks at in a second of an ordinary machine.
PLAIN_NODES_A_SECOND = 500_000
#: With more plies left than this, a solver rarely finds the best moves while a person waits; it
#: gets this part of its work there, so that the engine answers soon.
EARLY_PLIES, EARLY_PART = 34, 0.2
#: With its opening book a game is solved from every position on: a solver takes this many times its
#: work there if need be, and keeps a table of this number of bytes from one position to the next.
BOOK_FACTOR, BOOK_MEMORY = 8.0, 256 << 20
#: The positions that are looked at for a move which keeps what is proved, even if the end has come:
#: by the fast solver and in plain Python. They take some milliseconds.
FAST_LAST, PLAIN_LAST = 1 << 15, 1 << 12
#: The bytes of a solver's table else; more find nothing more in the time. Without an end of the
#: work, and from this number of seconds on, there is a larger one.
MEMORY, LONG_SECONDS, LARGE_MEMORY = 80 << 20, 4.0, 640 << 20
#: Plain Python tries to solve positions from which a game takes at most this number of plies ...
SOLVE_PLIES = 16
#: ... or, where a theory tells who wins and only the distance is open, this number ...
FORETOLD_PLIES = 14
#: ... or a few more where there are few legal moves, as under gravity.
SOLVE_PLIES_NARROW, NARROW_MOVES = 20, 7


def solver_for(
    rules: Rules,
    position: Position,
    limits: Limits,
    *,
    fast: Solver | None = None,
    plain: bool = False,
    use_book: bool = True,
    client: Client | None = None,
) -> Solver:
    """Return the best solver for a game.

    That is the table of a small game, else the fast solver where it is installed and knows the
    game, else alpha-beta in plain Python, or retrograde analysis where positions can come back.

    Args:
        limits: of all that it is asked.
        fast: a solver of the game without its pie rule, to go on with.
        plain: take plain Python in any case.
        use_book: ask the opening book first, where there is one.
        client: of a Dask cluster, whose workers search then.

    Raises:
        SearchLimitReached: positions can come back, and there are too many of them.
    """
    game = without_pie(rules)
    if client is not None:
        from tic_tac_toe.solver.cluster import ClusterSolver

        found: Solver = ClusterSolver(game, client, limits)
    elif fast is not None:
        found = fast
    elif plain or is_small(rules) or not is_fast(rules):
        found = _plain_solver(rules, position, limits)
    else:
        from tic_tac_toe.solver.session import FastSolver

        found = FastSolver(game, limits)
    return with_pie_and_book(rules, found) if use_book else with_pie(rules, found)


class Solving(NamedTuple):
    """A solver within limits.

    Attributes:
        solver: raises `SearchLimitReached` in the midst of a question when they are reached.
        go_on: gives it some more work, to keep what was proved by then, even if the end has come.
    """

    solver: Solver
    go_on: Callable[[], object]


@contextmanager
def solving(
    rules: Rules, position: Position, limits: Limits, is_ready: Callable[[Rules], bool]
) -> Iterator[Solving | None]:
    """Yield what solves a game from a position on, if that can be expected.

    Args:
        limits: of a whole answer; solving takes its part of them. With less work than that of
            `MOMENT` no opening book is asked, which is how weaker players play.
        is_ready: whether the machine code of a game is there; else only long answers wait for it,
            and none that a clock ends, such as that of a player.
    """
    limits, least = limits.begun(), MOMENT.work or 0.0
    is_whole = limits.work is None or limits.work >= least
    book = book_of(rules) if is_whole else None
    has_end = limits.work is not None or limits.time_limit is not None
    waits_for_compiler = not has_end or (limits.work is not None and limits.work > least)
    if not is_small(rules) and is_fast(rules) and (is_ready(rules) or waits_for_compiler):
        with _fast_solver(rules, position, limits, keep=book is not None) as (fast, go_on):
            yield Solving(solver_for(rules, position, limits, fast=fast, use_book=is_whole), go_on)
    elif plain_python_solves(rules, position) or (book and position.marks < book.plies):
        part = stage(limits, 0.0, SOLVE_PART)
        reporter = Reporter(part, part.cost(PLAIN_NODES_A_SECOND))
        part = replace(
            part,
            time_limit=None,
            cancelled=part.is_over if part.is_watched else None,
            progress=lambda now: reporter.spent(now.nodes),
        )
        found = None
        with suppress(SearchLimitReached):  # positions can come back, and are too many
            plain = _plain_solver(rules, position, part)
            solver = solver_for(rules, position, part, fast=plain, use_book=is_whole)
            found = Solving(solver, lambda: None)
            if isinstance(plain, AlphaBeta):
                found = Solving(solver, partial(plain.go_on, PLAIN_LAST))
        yield found
    else:
        yield None


@contextmanager
def _fast_solver(
    rules: Rules, position: Position, limits: Limits, *, keep: bool
) -> Iterator[tuple[FastSolver, Callable[[], object]]]:
    """Yield the fast solver of a game, and what gives it some more work.

    Args:
        keep: go on with the solver of the last question about the game, if nobody asks it now.
    """
    from tic_tac_toe.solver import FastSolver
    from tic_tac_toe.solver.readiness import SolverCode

    game, speed = without_pie(rules), SolverCode(rules).nodes_a_second
    is_early = (plies_left(rules, position) or 0) > EARLY_PLIES
    speed *= BOOK_FACTOR if keep else EARLY_PART if is_early else 1.0
    is_long = limits.work is None and limits.seconds >= LONG_SECONDS
    memory = BOOK_MEMORY if keep else LARGE_MEMORY if is_long else MEMORY

    def within(begin: float, end: float, nodes: int) -> Limits:
        part = stage(limits, begin, end)
        reporter, cost = Reporter(part, math.inf), part.cost(speed)
        # One thread, so that the same state gets the same answer.
        return Limits(
            node_limit=None if math.isinf(cost) else nodes + int(cost),
            memory=memory,
            threads=1,
            cancelled=(lambda: reporter.stop(0)) if part.is_watched else None,
        )

    kept, first = _kept(game), within(0.0, SOLVE_PART, 0)
    try:
        fast = kept.pop() if keep else FastSolver(game, first)
    except IndexError:
        fast = FastSolver(game, first)
    fast.renew(within(0.0, SOLVE_PART, fast.nodes))

    def go_on() -> None:
        least, more = fast.nodes + FAST_LAST, within(SOLVE_PART, SOLVE_PART + KEEP_PART, fast.nodes)
        is_over = more.cancelled
        fast.renew(
            replace(
                more,
                node_limit=None if more.node_limit is None else max(least, more.node_limit),
                cancelled=None if is_over is None else lambda: fast.nodes >= least and is_over(),
            )
        )

    try:
        yield fast, go_on
    finally:
        if keep and not kept:
            fast.known.clear()
            kept.append(fast)


@lru_cache(maxsize=2)
def _kept(game: Rules) -> list[FastSolver]:
    """Return the solver of a game that nobody asks now, if there is one, in a list."""
    return []


def plain_python_solves(rules: Rules, position: Position) -> bool:
    """Return whether plain Python solves a position in a few seconds, as a rule."""
    plies = plies_left(rules, position)
    if plies is None:
        return rules.shape.cells <= SMALL_CELLS
    if is_small(rules):
        return True
    moves = len(rules.moves(position))
    most = FORETOLD_PLIES if isinstance(rules, Foretelling) else SOLVE_PLIES
    # Where the mover chooses what to place, there are more moves than plies.
    if plies <= most and (moves <= SOLVE_PLIES or plies <= SOLVE_PLIES // 2):
        return True
    return plies <= SOLVE_PLIES_NARROW and moves <= NARROW_MOVES


def stage(limits: Limits, begin: float, end: float) -> Limits:
    """Return the limits of a part of the work, which is told as this part of it."""
    tell, seconds, work = limits.progress, limits.time_limit, limits.work

    def told(now: Progress) -> None:
        assert tell is not None, "nobody else calls this"
        share = end * now.share if seconds else begin + (end - begin) * now.share
        tell(now._replace(share=share))

    return replace(
        limits,
        work=None if work is None else work * (end - begin),
        time_limit=None if seconds is None else seconds * end,
        progress=None if tell is None else told,
    )


def book_of(rules: Rules) -> Book | None:
    """Return the opening book of a game without its pie rule, if there is one."""
    return book_for(without_pie(rules))


def searched_game(rules: Rules) -> Rules:
    """Return the game that a fast solver of some rules searches: that without the pie rule."""
    return without_pie(rules)


def with_pie_and_book(rules: Rules, plain: Solver) -> Solver:
    """Return a solver of a game, behind its book where there is one.

    Args:
        plain: a solver of the game without its pie rule.
    """
    return with_pie(rules, with_book(without_pie(rules), plain))


def _plain_solver(rules: Rules, position: Position, limits: Limits) -> Solver:
    meter = Meter(limits)
    most = min(limits.cost(PLAIN_NODES_A_SECOND), limits.node_limit or 1 << 62)
    nodes = None if limits.work is None and limits.node_limit is None else int(most)
    if isinstance(rules, Pie):  # after a swap no table has the position
        return AlphaBeta(rules.rules, node_limit=nodes, stop=meter.look)
    return default_solver(rules, position, nodes, stop=meter.look)
