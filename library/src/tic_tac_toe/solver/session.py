"""The fast solver: asks a kernel, in slices, within limits, on several threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.limits import MEBIBYTE, Limits, Meter, Progress
from tic_tac_toe.logic.exceptions import InvalidVariant, Message, SearchLimitReached, message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import state_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation, final_score, result_of
from tic_tac_toe.solver.checkpoint import (
    Arrays,
    Checkpoint,
    InvalidCheckpoint,
    Known,
    Question,
    SavedState,
    identity,
    pack,
    restore_worker,
    unpack,
)
from tic_tac_toe.solver.kernel import WORD_BYTES, Kernel, Worker, kernel_for
from tic_tac_toe.solver.kernels.control import (
    ALPHA,
    ASKING,
    DEPTH,
    FINISHED,
    GROWTH_BITS,
    HIGH,
    LOW,
    NEXT,
    NODES,
)
from tic_tac_toe.solver.support import Scale, check_searched

#: The nodes after which other threads join in a search: short searches are over before.
NODES_ALONE = 1 << 17
#: How many words of the table are looked at to tell how full it is.
TABLE_SAMPLE = 1 << 14
#: The nodes that a helper looks at before it learns what others have found: some milliseconds.
HELPING_NODES = 1 << 15
#: The most seconds from the end of one save to the next, however long saving takes.
LONGEST_PAUSE = 55.0
#: The seconds that saving a byte takes until it is measured.
GUESSED_SECONDS_A_BYTE = 1 / (200 * MEBIBYTE)
#: Saving may take this many times what the last save took, and these seconds.
MARGIN, LEAST_SECONDS = 1.25, 0.05


class FastSolver:
    """Exact scores from compiled search: a `Solver` for `find_verdict` and `analyse_moves`.

    What it has learnt stays in its table, so that asking about one position after another of the
    same game is cheap. One call at a time: a solver is not to be shared by threads of the caller.
    It is asked about positions and answers in scores: 1000 less the plies to a win, 0 for a draw,
    the plies to a loss less 1000::

        >>> from tic_tac_toe import GameState, find_rules
        >>> from tic_tac_toe.solver import FastSolver, Limits
        >>> rules = find_rules("mnk:5,5,4,gravity")
        >>> solver = FastSolver(rules, Limits(memory=1 << 24, threads=1))
        >>> solver.score(GameState.new(rules).position)
        0

    Args:
        rules: a game that `supports` says yes to.
        limits: for all questions together.
        checkpoint: where to save the state now and then, and to go on from.
        kernel: the compiled search, that of the game unless given.
        nodes_alone: the nodes after which other threads join in a search.

    Attributes:
        known: by position, the proved bounds of its score in marks (see `kernels.control`).
        saving: when the state is saved, where there is a checkpoint.

    Raises:
        InvalidVariant: the fast solver does not solve this game.
        InvalidCheckpoint: the checkpoint's folder holds no state of this search. Its table is read
            and checked when something is searched for.
    """

    def __init__(
        self,
        rules: Rules | str,
        limits: Limits | None = None,
        *,
        checkpoint: Checkpoint | None = None,
        kernel: Kernel | None = None,
        nodes_alone: int = NODES_ALONE,
    ) -> None:
        self.rules: Rules = rules_of(rules)
        check_searched(self.rules)
        self.limits: Limits = limits or Limits()
        self._first_limits = self.limits  # which the size of the table follows
        self._meter = Meter(self.limits)
        self._kernel = kernel
        self._nodes_alone = nodes_alone
        self._workers: list[Worker] = []
        self._earlier_nodes = 0  # of a process before this one
        self._has_code = False  # known when something is searched for
        self.known: Known = {}
        self._unfinished: Position | None = None  # at which a limit stopped the first worker
        self.saving: Saving | None = None if checkpoint is None else Saving(checkpoint, self)

    def __repr__(self) -> str:
        return f"FastSolver({self.rules!r}, nodes={self.nodes:,})"

    @property
    def nodes(self) -> int:
        """How many positions have been looked at so far."""
        return self._earlier_nodes + sum(int(one.control[NODES]) for one in self._workers)

    @property
    def kernel(self) -> Kernel:
        """The compiled search, made when something is searched for: a book may know it all."""
        if self._kernel is None:
            self._kernel = kernel_for(self.rules, self._first_limits.table_bytes)
        return self._kernel

    @property
    def lead(self) -> Worker:
        """The first worker, in the thread of the caller."""
        if not self._workers:
            self._workers.append(self.kernel.worker())
        return self._workers[0]

    @property
    def seconds(self) -> float:
        """How long ago the solver was made, without the time in which machine code was made."""
        return self._meter.seconds

    @property
    def table(self) -> NDArray[Any]:
        """The table, of which those parts are zeros that no search has used."""
        return self.kernel.table

    def renew(self, limits: Limits) -> None:
        """Go on under other limits, with all that is known; the time counts from now.

        The size of the table stays as it is; a node limit counts from the very start.
        """
        self.limits = limits
        self._meter = Meter(limits)

    def score(self, position: Position) -> int:
        """Return the exact score of a position, on the scale of `logic.search.evaluation`.

        Raises:
            SearchLimitReached: a limit came first; the exception tells the bounds.
        """
        low, high = self.bounds(position, -MATE, MATE)
        assert low == high, "a range without limits narrows to one score"
        return low

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``.

        Raises:
            SearchLimitReached: a limit came first.
        """
        return self.bounds(position, bound - 1, bound)[0] >= bound

    def bounds(self, position: Position, low: int, high: int) -> tuple[int, int]:
        """Return bounds on the score that settle all between ``low`` and ``high``.

        Either both are equal, and that is the exact score; or both are at most ``low``, or both at
        least ``high``.

        Raises:
            SearchLimitReached: a limit came first; the exception tells the bounds.
        """
        outcome = self.rules.outcome(position)
        if outcome is not None:
            score = final_score(outcome, position.turn)
            return score, score
        scale = Scale.of(self.rules, position)
        least, most = -scale.top, scale.top
        floor = max(least, scale.to_marks(low + 1) - 1) if low > -MATE else least
        ceiling = min(most, scale.to_marks(high)) if high < MATE else most
        known_low, known_high = self.known.get(position, (least, most))
        if known_low < known_high and known_low < ceiling and known_high > floor:
            floor, ceiling = max(floor, known_low), min(ceiling, known_high)
            limit = self._narrow(position, floor, ceiling)
            control = self._workers[0].control
            found_low, found_high = int(control[LOW]), int(control[HIGH])
            # A range that ends where the question ended, or beyond, proves nothing on that side.
            known_low = found_low if found_low > floor else known_low
            known_high = found_high if found_high < ceiling else known_high
            self.known[position] = known_low, known_high
            if limit is not None:
                raise limit_error(limit, scale, known_low, known_high)
        return scale.to_bounds(known_low, known_high)

    def save_news(self) -> None:
        """Save the state, if there is a checkpoint and something has been searched since.

        Raises:
            OSError: it cannot be written; the checkpoint is unchanged.
        """
        if self.saving is not None:
            self.saving.save_news()

    def dump(self, question: Question | None) -> tuple[dict[str, Any], Arrays]:
        """Return the state of the search for a checkpoint: something for JSON, and arrays.

        Args:
            question: the one that is being asked; else the one that a limit has ended, if any.
        """
        lead = self.lead
        if question is None and self._unfinished is not None:
            question = self._unfinished, int(lead.control[LOW]), int(lead.control[HIGH])
        return pack(lead, self.nodes, self.known, question)

    def restore(self, saved: SavedState) -> Question | None:
        """Take over a saved state; return the question that it was saved in the middle of.

        The table is to be read into `table` before anything is searched.

        Raises:
            ValueError, TypeError, LookupError, ArithmeticError: not a state of such a solver, which
                is unchanged.
        """
        lead, known, earlier_nodes, question = unpack(saved, self.rules, self.lead)
        self._kernel, self._workers = lead.kernel, [lead]
        self._earlier_nodes = earlier_nodes
        self.known.update(known)
        return question

    def _narrow(self, position: Position, floor: int, ceiling: int) -> Message | None:
        """Let the first worker's range become one score, or return which limit came first."""
        question = position, floor, ceiling
        if limit := self._read_table(floor, ceiling):
            return limit
        lead = self.lead
        self._unfinished = None
        lead.control[LOW], lead.control[HIGH] = floor, ceiling
        self._begin(lead, question)
        self._meter.start_slices()
        gather_at = self.nodes + self._nodes_alone
        with ExitStack() as stack:
            team: Team | None = None
            while lead.control[LOW] < lead.control[HIGH]:
                self._keep_time_to_save()
                if self.limits.workers > 1 and self.nodes >= gather_at:
                    stack.close()  # a table that is searched in does not grow
                    team, gather_at = self._gather(position)
                    stack.enter_context(team)
                if limit := self._limit_reached():
                    self._unfinished = position
                    return limit
                nodes = self._meter.next_slice(self.nodes)
                if team is not None:
                    nodes = team.take(nodes)
                lead.narrow(int(lead.control[NODES]) + nodes)
                if team is not None:
                    team.share(lead)
                self._tell(lead, position)
                if self.saving is not None and self._may_save(self.saving):
                    stack.close()  # a table that is written to is not saved
                    self.saving.save_in_passing(question)
                    if team is not None:
                        stack.enter_context(team)
        return None

    def _begin(self, lead: Worker, question: Question) -> None:
        """Set the first worker to a question, or to where its search was saved."""
        if self._has_code or self.kernel.has_code:
            lead.begin(question[0])
        else:
            with self._meter.stopped():
                lead.begin(question[0])
                lead.narrow(int(lead.control[NODES]))  # for not one node more
        self._has_code = True
        if self.saving is not None:  # begun first: a worker may note more than its arrays
            self.saving.resume(question)

    def _read_table(self, floor: int, ceiling: int) -> Message | None:
        """Read the table of a saved state, or return which limit came first."""
        if self.saving is None or not (limit := self.saving.read_table(self._limit_reached)):
            return None
        self.lead.control[[LOW, HIGH]] = floor, ceiling
        needed = self._seconds_to_save()
        if self._meter.seconds_left <= needed:
            notice = message(
                "the time limit leaves no time to search: saving takes {count} seconds",
                "no_time_left",
                count=round(needed),
            )
            self.saving.checkpoint.tell(notice)
        return limit

    def _limit_reached(self) -> Message | None:
        """Return the limit that has been reached; the time to save counts as used."""
        return self._meter.limit_reached(self.nodes, self._seconds_to_save())

    def _seconds_to_save(self, growth: int = 0) -> float:
        """Return how many seconds saving takes once the table has doubled ``growth`` times."""
        if self.saving is None:
            return 0.0
        words = self.kernel.words_in_use(self.lead)
        return self.saving.seconds_to_save(WORD_BYTES * words << growth)

    def _keep_time_to_save(self) -> None:
        """Let the table grow no more where a larger one could not be saved within the time."""
        if self.saving and self._meter.seconds_left < self._seconds_to_save(GROWTH_BITS):
            self.kernel.stay_as_large(self.lead)

    def _may_save(self, saving: Saving) -> bool:
        """Return whether the state is to be saved now; shortly before the end it is not."""
        return saving.is_due() and self._meter.seconds_left > 2 * self._seconds_to_save()

    def _gather(self, position: Position) -> tuple[Team, int]:
        """Return the team of all workers, set to the position, and when to gather again."""
        lead, limit = self.lead, self.limits.node_limit
        self._workers += map(self.kernel.worker, range(len(self._workers), self.limits.workers))
        again = max(self._earlier_nodes + self.kernel.gather(self._workers), self.nodes + 1)
        for worker in self._workers[1:]:
            worker.control[LOW], worker.control[HIGH] = lead.control[LOW], lead.control[HIGH]
            worker.begin(position)
        nodes = None if limit is None else limit - self.nodes
        return Team(lead, self._workers[1:], nodes), again

    def _tell(self, lead: Worker, position: Position) -> None:
        """Report the progress if the last report is a while ago."""
        if self.limits.progress is None or not self._meter.may_tell():
            return
        low, high = Scale.of(self.rules, position).to_bounds(*map(int, lead.control[[LOW, HIGH]]))
        used = self.kernel.table[: min(TABLE_SAMPLE, self.kernel.words_in_use(lead))]
        fill = np.count_nonzero(used) / used.size
        self.limits.progress(Progress(self.nodes, self.seconds, low, high, fill))


def solve_many(states: Iterable[GameState], limits: Limits | None = None) -> list[Evaluation]:
    """Return the exact evaluation of each state, all from one compiled call on one thread.

    Example::

        >>> from tic_tac_toe import GameState, find_rules
        >>> from tic_tac_toe.solver import solve_many
        >>> start = GameState.new(find_rules("connect-four-5x4"))
        >>> after = [start.make_move_to(cell).after_state for cell in start.legal_moves]
        >>> [found.outcome for found in solve_many(after)]
        ['win', 'draw', 'draw', 'draw', 'win']

    Args:
        states: of the same game; some of them may be over.
        limits: for all together.

    Raises:
        SearchLimitReached: a limit came first.
        InvalidVariant: the states are of several games, or of one that is not supported.
    """
    games = [state_of(state) for state in states]
    if len({state.rules for state in games}) > 1:
        raise InvalidVariant("all states of a batch must be of the same game", "mixed_batch")
    limits = limits or Limits()
    values: list[Evaluation | None] = [None] * len(games)
    open_games = []
    for index, state in enumerate(games):
        if state.outcome is None:
            open_games.append(index)
        else:
            score = final_score(state.outcome, state.position.turn)
            values[index] = Evaluation.exact(score, length=0, source="end")
    if open_games:
        rules, positions = games[0].rules, [games[index].position for index in open_games]
        for index, marks, position in zip(open_games, _scores(rules, positions, limits), positions):
            score = Scale.of(rules, position).to_score(marks)
            left = rules.shape.cells - position.marks
            values[index] = Evaluation.exact(score, length=left)
    return [value for value in values if value is not None]


def _scores(rules: Rules, positions: Sequence[Position], limits: Limits) -> list[int]:
    """Return the scores of positions, none of them over, in marks."""
    top = rules.shape.cells  # more than any score
    lows, highs = np.full(len(positions), -top), np.full(len(positions), top)
    batch = kernel_for(rules, limits.table_bytes).batch(positions, lows, highs)
    meter = Meter(limits)
    with meter.stopped():
        status = batch.narrow(0)  # this makes the machine code, or loads it
    while status != FINISHED:
        nodes = int(batch.control[NODES])
        if limit := meter.limit_reached(nodes):
            raise SearchLimitReached(
                "{reason}; {solved} of {count} are solved",
                limit.code,
                reason=limit,
                solved=int(batch.control[NEXT]),
                count=len(positions),
            )
        status = batch.narrow(nodes + meter.next_slice(nodes))
    return [int(low) for low in lows]


class Team:
    """Helpers that search while the team is entered, beside a lead that its caller lets search.

    No thread waits for another: one that sleeps and wakes all the time is moved between cores,
    which costs more than the work that two threads do twice.

    Args:
        lead: set to a position and a range.
        helpers: set to the same, on the same table.
        nodes: how many all may look at from now on; ``None`` for any number.
        helping_nodes: how many a helper looks at before it learns what others have found.
    """

    def __init__(
        self,
        lead: Worker,
        helpers: Sequence[Worker],
        nodes: int | None = None,
        *,
        helping_nodes: int = HELPING_NODES,
    ) -> None:
        self._helpers = helpers
        self._low, self._high = int(lead.control[LOW]), int(lead.control[HIGH])
        self._nodes_left = nodes
        self._helping_nodes = helping_nodes
        self._lock = Lock()
        self._stopped = False
        self._pool: ThreadPoolExecutor | None = None
        self._helping: list[Future[None]] = []

    def __enter__(self) -> Team:
        self._stopped = False
        self._pool = ThreadPoolExecutor(max(1, len(self._helpers)))
        self._helping = [self._pool.submit(self._help, one) for one in self._helpers]
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the helpers and wait for them; entered again, they go on."""
        self._stopped = True
        if self._pool is not None:
            self._pool.shutdown()
        for future in self._helping:
            future.result()

    def take(self, nodes: int) -> int:
        """Return how many of ``nodes`` may be looked at, and count them as looked at."""
        with self._lock:
            if self._nodes_left is None:
                return nodes
            taken = min(nodes, self._nodes_left)
            self._nodes_left -= taken
            return taken

    def share(self, worker: Worker) -> None:
        """Give a worker the range that all have proved together, and a new question for an old."""
        control = worker.control
        with self._lock:
            self._low = low = max(self._low, int(control[LOW]))
            self._high = high = min(self._high, int(control[HIGH]))
        control[LOW], control[HIGH] = low, high
        if control[ASKING] and not low <= control[ALPHA] < high:
            control[ASKING] = control[DEPTH] = 0

    def _help(self, worker: Worker) -> None:
        while not self._stopped and worker.control[LOW] < worker.control[HIGH]:
            nodes = self.take(self._helping_nodes)
            if nodes == 0:
                return
            worker.narrow(int(worker.control[NODES]) + nodes)
            self.share(worker)


def limit_error(reason: Message, scale: Scale, low: int, high: int) -> SearchLimitReached:
    """Return an exception with the limit, its code, and the bounds that were proved."""
    return SearchLimitReached(
        "{reason}; {known}",
        reason.code,
        bounds=scale.to_bounds(low, high),
        reason=reason,
        known=_proved(low, high),
    )


def _proved(low: int, high: int) -> Message:
    """Return a sentence about bounds on a score."""
    at_least, at_most = result_of(low), result_of(high)
    if at_least == at_most == "win":
        return message("a win, but not how soon", "known_win")
    if at_least == at_most:
        return message("a loss, but not how late", "known_loss")
    if at_least == "draw":
        return message("at least a draw", "known_at_least_draw")
    if at_most == "draw":
        return message("at most a draw", "known_at_most_draw")
    return message("the outcome is open", "known_nothing")


class Saving:
    """Saves the state of a solver now and then, and gives a new solver the newest.

    Args:
        checkpoint: where to.
        solver: a new one. It is given the state of the last one, without the table.

    Raises:
        InvalidCheckpoint: the checkpoint has states, and none can be used.
    """

    def __init__(self, checkpoint: Checkpoint, solver: FastSolver) -> None:
        self.checkpoint: Checkpoint = checkpoint
        self._solver = solver
        self._clock = checkpoint.clock
        self._saved = self._clock()
        self._pause = checkpoint.interval
        self._generation = 0
        self._nodes = 0  # of the state that was read or saved last
        self._seconds_a_byte = GUESSED_SECONDS_A_BYTE
        self._told: int | None = None  # the number of the error that was told last
        self._pending: tuple[Question, Arrays] | None = None
        #: The newest first; empty once the table is read.
        self._states, self._errors = checkpoint.load(identity(solver.rules))
        self._take_newest()

    def _take_newest(self) -> None:
        """Give the solver the newest state that is left; the table is still to be read."""
        while self._states:
            saved = self._states[0]
            try:
                seconds_a_byte = saved.seconds_a_byte(self.checkpoint.large_bytes)
                question = self._solver.restore(saved)
            except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError):
                self._errors.append(
                    InvalidCheckpoint(
                        "{file} holds what no search has saved",
                        "checkpoint_state",
                        file=saved.path.name,
                    )
                )
                self._states.pop(0)
                continue
            self._generation, self._nodes = saved.generation, self._solver.nodes
            self._seconds_a_byte = seconds_a_byte or GUESSED_SECONDS_A_BYTE
            self._pending = None if question is None else (question, saved.arrays)
            break
        if self._errors and not self._states:
            raise self._errors[0]
        for damage in self._errors:
            self.checkpoint.tell(
                message("{reason}; the older state is used", "older_state", reason=damage.message)
            )
        self._errors.clear()

    def read_table(
        self, limit_reached: Callable[[], Message | None] = lambda: None
    ) -> Message | None:
        """Read the table of the state that the solver was given, unless it is read already.

        This may take seconds, so it is done in pieces, and only when something is searched for:
        known bounds need no table. Until it is read nothing is searched or saved.

        Args:
            limit_reached: asked after each piece; a limit ends the reading.

        Returns:
            The limit, if one was reached.

        Raises:
            InvalidCheckpoint: the table is damaged, and so is the older generation.
        """
        limit: Message | None = None

        def stop() -> bool:
            nonlocal limit
            limit = limit_reached()
            return limit is not None

        while self._states and limit is None:
            newest = self._states[0]
            try:
                if self.checkpoint.read_table(newest, self._solver.table, stop):
                    self._states.clear()
            except InvalidCheckpoint as error:  # the older state has another table
                self._errors.append(error)
                self._states.pop(0)
                self._take_newest()
        return limit

    def seconds_to_save(self, size: int) -> float:
        """Return how many seconds saving ``size`` bytes may take, judged by the last save."""
        return LEAST_SECONDS + MARGIN * self._seconds_a_byte * size

    def resume(self, question: Question) -> bool:
        """Set the solver's search to where it was saved, if this is the question it was saved at.

        Only the first question can be: any other one changes the table that the search relies on.
        """
        pending, self._pending = self._pending, None
        if pending is None or pending[0] != question:
            return False
        restore_worker(self._solver.lead, pending[1])
        return True

    def is_due(self) -> bool:
        """Return whether it is time to save the state in the middle of a search."""
        return self._clock() - self._saved >= self._pause

    def save_in_passing(self, question: Question) -> None:
        """Save the state in the middle of a question; the next time is due a while later.

        Raises:
            OSError: it cannot be saved, and the checkpoint has no ``failed`` to call.
        """
        before = self._clock()
        self._saved = before  # should it fail, the next time is no sooner than otherwise
        try:
            self.save(question)
        except OSError as error:
            if self.checkpoint.failed is None:
                raise
            if error.errno != self._told:
                self.checkpoint.failed(error)
            self._told = error.errno
            return
        self._saved = self._clock()
        self._pause = min(self.checkpoint.interval + 3 * (self._saved - before), LONGEST_PAUSE)

    def save_news(self) -> None:
        """Save the state at the end, unless nothing has been searched since it was read or saved.

        Raises:
            OSError: it cannot be written; both generations are unchanged.
        """
        if self._solver.nodes != self._nodes:
            self.save()

    def save(self, question: Question | None = None) -> None:
        """Save the state, in the middle of a question or of the one that a limit has ended.

        Raises:
            OSError: it cannot be written; both generations are unchanged.
        """
        self.read_table()
        began = self._clock()
        state, arrays = self._solver.dump(question)
        generation = self._generation + 1
        self.checkpoint.save(identity(self._solver.rules), generation, state, arrays)
        self._generation = generation  # now, and not before: the newest is never written over
        self._nodes, self._told = self._solver.nodes, None
        if (size := arrays["table"].nbytes) >= self.checkpoint.large_bytes:
            self._seconds_a_byte = (self._clock() - began) / size
