"""Exact answers about game states, from the best solver that there is for their game.

Nothing here loads NumPy or Numba before it is needed, so that this can be imported anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.extras import FAST, install_command
from tic_tac_toe.limits import (
    LEAST_MEMORY,
    MAXIMUM_CELLS,
    MOMENT,
    Limits,
    Meter,
    Progress,
    Reporter,
    require_limits,
)
from tic_tac_toe.logic.analysis import Analysis, StateEvaluation
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Foretelling, Rules, rules_of
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import plies_left, traits_of
from tic_tac_toe.logic.rules.wrappers import Misere, Pie, without_misere
from tic_tac_toe.logic.search.evaluation import Result
from tic_tac_toe.logic.search.exact import (
    AlphaBeta,
    Solver,
    analyse_moves,
    default_solver,
    find_verdict,
    with_pie,
)
from tic_tac_toe.logic.search.tables import SMALL_CELLS, Census, is_small, walk_census
from tic_tac_toe.solver.book import Book, book_for, with_book
from tic_tac_toe.solver.support import (
    check_support,
    is_fast,
    is_installed,
    require_packages,
    searched_game,
    supports,
)

if TYPE_CHECKING:
    from distributed import Client

    from tic_tac_toe.solver.checkpoint import Checkpoint
    from tic_tac_toe.solver.session import FastSolver

#: How many positions `verdict` and `analyse` look at unless told otherwise: in plain Python half a
#: minute's worth, and all moves of the empty 4x4 need two thirds of it; by the fast solver some
#: minutes' worth, three times what the empty board of Connect Four takes. Plain Python keeps about
#: 300 bytes for each position in which it has looked at the moves, so that `NODE_LIMIT` bounds its
#: memory as well: measured at 17 MB on 26 x 26 and 420 MB on 3 x 26 with gravity, 600 MB at most.
NODE_LIMIT, FAST_NODE_LIMIT = 2_000_000, 1_000_000_000
#: The parts of the work for solving, and for finding moves that keep a proved bound; the engine
#: gets the rest.
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


def verdict(
    state: StateLike, limits: Limits | None = None, *, client: Client | None = None
) -> StateEvaluation:
    """Return the exact evaluation of a state, with every best move and the line of best play.

    The answer comes from the table of a small game, else from the opening book and the fast solver
    where they are installed and know the game, else from alpha-beta in plain Python::

        >>> from tic_tac_toe import GameState, find_rules
        >>> from tic_tac_toe.solver import verdict
        >>> found = verdict(GameState.new(find_rules("connect-four-5x4")))
        >>> found.outcome, found.plies, found.best
        ('draw', 20, (16, 17, 18))

    Args:
        limits: of the answer; unless given, `NODE_LIMIT` positions in plain Python and
            `FAST_NODE_LIMIT` by the fast solver. Plain Python uses one thread, and its memory is
            bounded by the positions: about 300 bytes for each that is looked into.
        client: of a Dask cluster, whose workers search then; see `solver.cluster.connect`.

    Raises:
        SearchLimitReached: a limit came first; the exception tells what was proved. Its code is the
            limit's, ``time_limit``, ``node_limit`` or ``cancelled``; where the usual number of
            positions ended the search it is ``default_limit``, in plain Python for a game that the
            fast solver knows ``default_limit_of_plain_python``, and the message says what goes
            further.
        ConnectionError: the cluster fails.
        InvalidVariant: a cluster is asked about a game that the fast solver does not solve.
    """
    state = state_of(state)
    with _asking(state, limits, client) as solver:
        return StateEvaluation.on(state, find_verdict(state.rules, state.position, solver))


def analyse(
    state: StateLike, limits: Limits | None = None, *, client: Client | None = None
) -> Analysis:
    """Return the exact evaluation of each legal move, by ascending cell.

    Example::

        >>> from tic_tac_toe import GameState
        >>> from tic_tac_toe.solver import analyse
        >>> after = GameState.new().make_move_to(0).after_state
        >>> [move.outcome for move in analyse(after)]
        ['loss', 'loss', 'loss', 'draw', 'loss', 'loss', 'loss', 'loss']

    Args:
        limits, client: see `verdict`.

    Raises:
        SearchLimitReached, ConnectionError, InvalidVariant: see `verdict`.
    """
    state = state_of(state)
    with _asking(state, limits, client) as solver:
        return Analysis.on(state, analyse_moves(state.rules, state.position, solver))


def solve(
    state: StateLike,
    limits: Limits | None = None,
    *,
    checkpoint: Checkpoint | None = None,
    client: Client | None = None,
) -> StateEvaluation:
    """Return the same as `verdict`, by the fast solver, and without an end of its own.

    Plain Python solves small games that the fast solver does not know, such as one's own. Positions
    that the opening book holds are not searched::

        >>> from tic_tac_toe import GameState, find_rules
        >>> from tic_tac_toe.solver import solve
        >>> found = solve(GameState.new(find_rules("connect-four")))
        >>> found.outcome, found.plies, found.best
        ('win', 41, (38,))

    Args:
        limits: of the answer.
        checkpoint: where to save the state, now and then and at the end, and to go on from.
        client: of a Dask cluster, whose workers search then; see `solver.cluster.connect`.

    Raises:
        SearchLimitReached: a limit came first; the exception tells what was proved.
        ConnectionError: the cluster fails.
        InvalidVariant: the fast solver does not know this game, and it is not small.
        InvalidCheckpoint: the checkpoint is damaged, or of something else.
        ModuleNotFoundError: a package is missing; the message tells how to install it.
        OSError: the checkpoint cannot be written.
        ValueError: a checkpoint is wanted of a cluster.
    """
    state = state_of(state)
    limits = Limits() if limits is None else require_limits(limits)
    rules, position = state.rules, state.position
    if client is not None:
        if checkpoint is not None:
            raise ValueError("a checkpoint saves the search of one process, not that of a cluster")
        cluster = solver_for(rules, position, limits, client=client)
        return StateEvaluation.on(state, find_verdict(rules, position, cluster))
    if checkpoint is None and is_for_plain_python(rules, position):
        plain = solver_for(rules, position, limits, plain=True)
        return StateEvaluation.on(state, find_verdict(rules, position, plain))
    fast = _fast_solver_of(rules, limits, checkpoint)
    try:
        found = find_verdict(rules, position, with_pie_and_book(rules, fast))
        return StateEvaluation.on(state, found)
    finally:
        fast.save_news()


def solve_outcome(state: StateLike, limits: Limits | None = None) -> Result:
    """Return the outcome for the side to move and nothing more; faster than `solve`, see there.

    Example::

        >>> from tic_tac_toe import GameState, find_rules
        >>> from tic_tac_toe.solver import solve_outcome
        >>> solve_outcome(GameState.new(find_rules("mnk:5,5,4")))
        'draw'
    """
    state = state_of(state)
    limits = Limits() if limits is None else require_limits(limits)
    fast = _fast_solver_of(state.rules, limits)
    solver = with_pie_and_book(state.rules, fast)
    if solver.reaches(state.position, 1):
        return "win"
    return "draw" if solver.reaches(state.position, 0) else "loss"


def take_census(
    rules: Rules | str,
    start: Position = Position(),
    *,
    symmetric: bool = True,
    values: bool = False,
) -> Iterator[Census]:
    """Yield what the game holds, ply by ply from the start to the longest game.

    Games that `enumerate_game` takes are counted by it, from the empty board: 4,4,4 takes seconds
    and some 500 MB. Small games, and all others, are walked through in plain Python, which begins
    to yield at once and can be stopped after some plies::

        >>> from tic_tac_toe import find_rules
        >>> from tic_tac_toe.solver import take_census
        >>> plies = [*take_census(find_rules("tic-tac-toe"))]
        >>> [ply.positions for ply in plies], sum(ply.games for ply in plies[9:])
        ([1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78], 127872)

    Args:
        symmetric: count the classes under the rules' symmetry; else each position is a class.
        values: count the positions by who wins under best play as well.
    """
    rules = rules_of(rules)
    traits = traits_of(rules)
    is_flat = not (traits.torus or traits.layered or traits.specials)
    can_enumerate = start == Position() and rules.shape.cells <= MAXIMUM_CELLS and is_flat
    if can_enumerate and not is_small(rules) and is_fast(rules):
        from tic_tac_toe.solver.enumeration import enumerate_plies

        yield from enumerate_plies(rules, symmetric=symmetric, values=values)
    else:
        yield from walk_census(rules, start, symmetric=symmetric, values=values)


@contextmanager
def _asking(state: GameState, limits: Limits | None, client: Client | None) -> Iterator[Solver]:
    """Yield the best solver, and say how to search further where its usual limit ends it."""
    rules = state.rules
    if limits is not None:
        yield solver_for(rules, state.position, require_limits(limits), client=client)
        return
    plain = client is None and _is_for_plain_python(rules)
    usual = Limits(node_limit=NODE_LIMIT if plain else FAST_NODE_LIMIT)
    try:
        yield solver_for(rules, state.position, usual, plain=plain, client=client)
    except SearchLimitReached as limit:
        if limit.code != "node_limit":
            raise
        if supports(rules) and not is_installed():
            raise SearchLimitReached(
                "{reason}; the fast solver goes further ({command}), "
                "and limits=Limits() sets no limit; "
                "find_best_move always answers",
                "default_limit_of_plain_python",
                bounds=limit.bounds,
                reason=limit.message,
                command=install_command(FAST),
            ) from None
        raise SearchLimitReached(
            "{reason}; limits=Limits() sets no limit; find_best_move always answers",
            "default_limit",
            bounds=limit.bounds,
            reason=limit.message,
        ) from None


def _fast_solver_of(
    rules: Rules, limits: Limits, checkpoint: Checkpoint | None = None
) -> FastSolver:
    """Return the fast solver of a game without its pie rule."""
    check_support(rules)
    require_packages()
    from tic_tac_toe.solver.session import FastSolver

    return FastSolver(searched_game(rules), limits, checkpoint=checkpoint)


def solver_for(
    rules: Rules,
    position: Position,
    limits: Limits,
    *,
    fast: Solver | None = None,
    plain: bool | None = None,
    use_book: bool = True,
    client: Client | None = None,
) -> Solver:
    """Return the best solver for a game.

    That is the table of a small game, else the fast solver where it is installed and knows the
    game, else alpha-beta in plain Python, or retrograde analysis where positions can come back.

    Args:
        limits: of all that it is asked.
        fast: a solver of the game without its pie rule, to go on with.
        plain: take plain Python, or do not; unless given, as it suits the game.
        use_book: ask the opening book first, where there is one.
        client: of a Dask cluster, whose workers search then.

    Raises:
        SearchLimitReached: positions can come back, and there are too many of them.
    """
    if client is not None:
        from tic_tac_toe.solver.cluster import ClusterSolver

        found: Solver = ClusterSolver(searched_game(rules), client, limits)
    elif fast is not None:
        found = fast
    elif _is_for_plain_python(rules) if plain is None else plain:
        found = _plain_solver(rules, position, limits)
    else:
        found = _fast_solver_of(rules, limits)
    return with_pie_and_book(rules, found) if use_book else with_pie(rules, found)


def _is_for_plain_python(rules: Rules) -> bool:
    return is_small(rules) or not is_fast(rules)


class Solving(NamedTuple):
    """A solver within limits.

    Attributes:
        solver: raises `SearchLimitReached` in the midst of a question when they are reached.
        go_on: gives it some more work for a move that keeps a proved bound, even after the end.
    """

    solver: Solver
    go_on: Callable[[], object]


@contextmanager
def solving(
    rules: Rules, position: Position, limits: Limits, is_ready: Callable[[Rules], bool]
) -> Iterator[Solving | None]:
    """Yield a solver for a position, or ``None`` where an answer within the limits is unlikely.

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
    """Yield the fast solver of a game, and a function that gives it some more work.

    Args:
        keep: go on with the solver of the last question about the game, unless it is in use.
    """
    from tic_tac_toe.solver import FastSolver

    game, speed = searched_game(rules), SolverCode(rules).nodes_a_second
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
    """Return a list with the solver of a game that is not in use, if there is one."""
    return []


def is_for_plain_python(rules: Rules, position: Position) -> bool:
    """Return whether only plain Python solves a position, as a rule in a few seconds."""
    return not supports(rules) and plain_python_solves(rules, position)


def plain_python_solves(rules: Rules, position: Position) -> bool:
    """Return whether plain Python solves a position in a few seconds, as a rule."""
    longest = traits_of(rules).longest
    if longest is None:
        return rules.shape.cells <= SMALL_CELLS
    if is_small(rules):
        return True
    plies, moves = longest - position.marks, len(rules.moves(position))
    most = FORETOLD_PLIES if isinstance(rules, Foretelling) else SOLVE_PLIES
    # Where the mover chooses what to place, there are more moves than plies.
    if plies <= most and (moves <= SOLVE_PLIES or plies <= SOLVE_PLIES // 2):
        return True
    return plies <= SOLVE_PLIES_NARROW and moves <= NARROW_MOVES


def stage(limits: Limits, begin: float, end: float) -> Limits:
    """Return the limits of a part of the work; its progress is reported as that of the whole."""
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
    return book_for(searched_game(rules))


def with_pie_and_book(rules: Rules, plain: Solver) -> Solver:
    """Return a solver of a game, behind its book where there is one.

    Args:
        plain: a solver of the game without its pie rule.
    """
    game = searched_game(rules)
    solver = with_book(game, plain)
    return solver if game is rules else with_pie(rules, solver)


def _plain_solver(rules: Rules, position: Position, limits: Limits) -> Solver:
    meter = Meter(limits)
    most = min(limits.cost(PLAIN_NODES_A_SECOND), limits.node_limit or 1 << 62)
    nodes = None if limits.work is None and limits.node_limit is None else int(most)
    if isinstance(rules, Pie):  # after a swap no table has the position
        return AlphaBeta(rules.rules, node_limit=nodes, stop=meter.look)
    return default_solver(rules, position, nodes, stop=meter.look)


@dataclass(frozen=True)
class SolverCode:
    """The machine code that solves a game which the fast solver supports."""

    rules: Rules

    @property
    def nodes_a_second(self) -> float:
        """How many positions it looks at in a second of an ordinary machine, at least about."""
        game = searched_game(self.rules)
        inner = without_misere(game)
        assert isinstance(inner, LineRules), "nothing else is supported"
        if inner.gravity or isinstance(game, Misere):
            return 5_000_000
        return 60_000_000 / max(20, len(inner.lines.places))

    def is_ready(self) -> bool:
        """Return whether it is there."""
        from tic_tac_toe.solver.kernel import kernel_type
        from tic_tac_toe.solver.kernels.compiling import Compiled

        code = kernel_type(searched_game(self.rules)).machine_code
        parts = (code.begin, code.narrow)
        return all(part.is_ready() for part in parts if isinstance(part, Compiled))

    def prepare(self) -> None:
        """Make it; this takes some seconds."""
        limits = Limits(node_limit=1, memory=LEAST_MEMORY, threads=1)
        with suppress(SearchLimitReached):
            _fast_solver_of(self.rules, limits).score(Position())
