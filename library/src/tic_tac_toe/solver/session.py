"""The fast solver: asks a kernel, in slices, within limits, on several threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.search.scores import MATE, final_score, result_of
from tic_tac_toe.solver.checkpoint import Checkpoint, Question
from tic_tac_toe.solver.checkpoint_file import SavedState
from tic_tac_toe.solver.kernel_factory import kernel_for
from tic_tac_toe.solver.kernels.control import (
    DEPTH,
    GROW_AT,
    GROWTH_BITS,
    HIGH,
    LOW,
    NEVER,
    NODES,
    TABLE_BITS,
    TABLE_LIMIT,
)
from tic_tac_toe.solver.kernels.kernel import WORD_BYTES, Kernel, Worker
from tic_tac_toe.solver.limits import Limits, Progress
from tic_tac_toe.solver.meter import Meter
from tic_tac_toe.solver.scale import Scale
from tic_tac_toe.solver.team import Team

#: Other threads join in a search that has taken so many nodes: short ones are over before.
NODES_ALONE = 1 << 17
#: How much of the table is looked at to tell how full it is, in words.
TABLE_SAMPLE = 1 << 14
#: log2 of more buckets than any table has.
MOST_TABLE_BITS = 48

Array = NDArray[Any]


class FastSolver:
    """Exact scores from compiled search: a `Solver` for `find_verdict` and `analyse_moves`.

    What it has learnt stays in its table, so that asking about one position after another of the
    same game is cheap. One call at a time: a solver is not to be shared by threads of the caller.

    Args:
        rules: a game that `supports` says yes to.
        limits: for all questions together.
        checkpoint: where to save the state now and then, and to go on from.
        clock: tells the seconds.

    Raises:
        InvalidVariant: the fast solver does not solve this game.
        InvalidCheckpoint: what the checkpoint's folder holds is no state of this search. Its table
            is read, and checked, when something is searched for.
    """

    def __init__(
        self,
        rules: Rules,
        limits: Limits | None = None,
        *,
        checkpoint: Checkpoint | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rules = rules
        self.limits: Limits = limits or Limits()
        self._clock = clock
        self._meter = Meter(self.limits, clock)
        self._kernel: Kernel = kernel_for(rules, self.limits.table_bytes)
        self._workers: list[Worker] = [self._kernel.worker()]
        self._earlier_nodes = 0  # of a process before this one
        self._known: dict[Position, tuple[int, int]] = {}
        self._has_code = False
        self._unfinished: Position | None = None  # what the first worker was stopped at by a limit
        self._checkpoint = checkpoint
        if checkpoint is not None:
            checkpoint.restore(self)

    def __repr__(self) -> str:
        return f"FastSolver({self.rules!r}, nodes={self.nodes:,})"

    @property
    def nodes(self) -> int:
        """How many positions have been looked at so far."""
        return self._earlier_nodes + sum(int(one.control[NODES]) for one in self._workers)

    @property
    def seconds(self) -> float:
        """How long ago the solver was made, without the time in which machine code was made."""
        return self._meter.seconds

    @property
    def table(self) -> Array:
        """The table, of which those parts are zeros that no search has used."""
        return self._kernel.table

    def renew(self, limits: Limits) -> None:
        """Go on under other limits, with all that is known; the time counts from now.

        The size of the table stays as it is; a node limit counts from the very start.
        """
        self.limits = limits
        self._meter = Meter(limits, self._clock)

    def score(self, position: Position) -> int:
        """Return the exact score of a position, on the scale of `logic.search.scores`.

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
        scale = self._scale(position)
        least, most = -scale.top, scale.top
        floor = max(least, scale.to_marks(low + 1) - 1) if low > -MATE else least
        ceiling = min(most, scale.to_marks(high)) if high < MATE else most
        known_low, known_high = self._known.get(position, (least, most))
        if known_low < known_high and known_low < ceiling and known_high > floor:
            floor, ceiling = max(floor, known_low), min(ceiling, known_high)
            limit = self._narrow(position, floor, ceiling)
            control = self._workers[0].control
            found = int(control[LOW]), int(control[HIGH])
            known_low, known_high = learnt(known_low, known_high, found, floor, ceiling)
            self._known[position] = known_low, known_high
            if limit is not None:
                raise limit_error(limit, scale, known_low, known_high)
        return scale.to_bounds(known_low, known_high)

    def give_state(self, question: Question | None) -> tuple[dict[str, Any], dict[str, Array]]:
        """Return what a checkpoint saves: something for JSON, and arrays.

        Args:
            question: the one that is being asked; else the one that a limit has ended, if any.
        """
        lead = self._workers[0]
        if question is None and self._unfinished is not None:
            question = self._unfinished, int(lead.control[LOW]), int(lead.control[HIGH])
        state = {
            "nodes": self.nodes,
            "question": question and [*question[0].stones, question[0].turn, *question[1:]],
        }
        known = self._known.items()
        stones = np.array([position.stones for position, _ in known], np.uint64)
        values = np.array([(position.turn, *seen) for position, seen in known], np.int64)
        used = self._kernel.table[: self._kernel.words_in_use(lead)]
        arrays = {"known stones": stones.ravel(), "known values": values.ravel()}
        return state, {**arrays, **lead.arrays(), "table": used}

    def take_state(self, saved: SavedState) -> Question | None:
        """Take over a saved state; return the question that it was saved in the middle of.

        The table is to be read into `table` before anything is searched.

        Raises:
            ValueError: (or its like) this is no state of such a solver, which is as it was.
        """
        state, arrays = saved.header["state"], saved.arrays
        kernel, workers, size = self._kernel, self._workers, saved.table_size
        if kernel.table.size < size:  # what was learnt is worth more than the memory
            kernel = kernel_for(self.rules, WORD_BYTES * size)
            workers = [kernel.worker()]
        lead, control, nodes = workers[0], arrays["control"], int(state["nodes"])
        if saved.table_dtype != kernel.table.dtype:
            raise TypeError
        if any(arrays[name].dtype != array.dtype for name, array in lead.arrays().items()):
            raise TypeError
        if any(arrays[name].shape != array.shape for name, array in lead.arrays().items()):
            raise ValueError
        inside = 0 <= control[DEPTH] < self.rules.shape.cells + 2
        if not inside or not 0 <= control[TABLE_BITS] <= MOST_TABLE_BITS:
            raise ValueError
        stones = arrays["known stones"].reshape(-1, 2).tolist()
        values = arrays["known values"].reshape(-1, 3).tolist()
        known = [
            (Position((crosses, naughts), turn), (low, high))
            for (crosses, naughts), (turn, low, high) in zip(stones, values, strict=True)
        ]
        question = None
        if state["question"] is not None:
            crosses, naughts, turn, floor, ceiling = state["question"]
            question = Position((crosses, naughts), turn), floor, ceiling
        before = lead.control.copy()
        take_control(lead, control)
        if size != kernel.words_in_use(lead) or size > kernel.table.size:
            lead.control[:] = before
            raise ValueError
        self._kernel, self._workers = kernel, workers
        self._earlier_nodes = nodes - int(control[NODES])
        self._known.update(known)
        return question

    def take_search(self, arrays: Mapping[str, Array]) -> None:
        """Set the first worker to where it was when its arrays were saved."""
        lead = self._workers[0]
        take_control(lead, arrays["control"])
        for name, array in lead.arrays().items():
            if array is not lead.control:
                array[:] = arrays[name]

    def _scale(self, position: Position) -> Scale:
        return Scale(self.rules.shape.cells, position.marks, isinstance(self.rules, Misere))

    def _narrow(self, position: Position, floor: int, ceiling: int) -> str | None:
        """Let the first worker's range become one score, or return which limit came first."""
        question = position, floor, ceiling
        if self._checkpoint is not None and (
            limit := self._checkpoint.load(self, self._limit_reached)
        ):
            self._workers[0].control[[LOW, HIGH]] = floor, ceiling
            needed = self._seconds_to_save(self._workers[0])
            if self._meter.seconds_left <= needed:
                self._checkpoint.tell(
                    f"the time limit leaves no time to search: saving takes {needed:.0f} seconds"
                )
            return limit
        lead = self._workers[0]
        self._unfinished = None
        lead.control[LOW], lead.control[HIGH] = floor, ceiling
        with self._meter.stopped() if not self._has_code else nullcontext():
            lead.begin(position)
            if not self._has_code:
                lead.narrow(int(lead.control[NODES]))  # for no node more than there are
                self._has_code = True
        if self._checkpoint is not None:  # begun first: a worker may note more than its arrays
            self._checkpoint.resume(self, question)
        self._meter.start_slices()
        gather_at = self.nodes + NODES_ALONE
        with ExitStack() as stack:
            team: Team | None = None
            while lead.control[LOW] < lead.control[HIGH]:
                self._keep_time_to_save(lead)
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
                if self._checkpoint is not None and self._may_save(lead):
                    if team is not None:
                        stack.close()  # a table that is written to is not saved
                    self._checkpoint.save_in_passing(self, question)
                    if team is not None:
                        stack.enter_context(team)
        return None

    def _limit_reached(self) -> str | None:
        """Return the limit that has been reached; saving what is known is within the time."""
        return self._meter.limit_reached(self.nodes, self._seconds_to_save(self._workers[0]))

    def _seconds_to_save(self, lead: Worker, growth: int = 0) -> float:
        """Return how many seconds saving takes once the table has doubled ``growth`` times."""
        if self._checkpoint is None:
            return 0.0
        size = WORD_BYTES * self._kernel.words_in_use(lead) << growth
        return self._checkpoint.seconds_to_save(size)

    def _keep_time_to_save(self, lead: Worker) -> None:
        """Let the table grow no more where a larger one could not be saved within the time."""
        if self._checkpoint is None or self.limits.time_limit is None:
            return
        if self._meter.seconds_left < self._seconds_to_save(lead, GROWTH_BITS):
            self._kernel.stay_as_large(lead)

    def _may_save(self, lead: Worker) -> bool:
        """Return whether the state is to be saved now; shortly before the end it is not."""
        assert self._checkpoint is not None, "there is somewhere to save"
        if not self._checkpoint.is_due():
            return False
        return self._meter.seconds_left > 2 * self._seconds_to_save(lead)

    def _gather(self, position: Position) -> tuple[Team, int]:
        """Return the team of all workers, set to the position, and when to gather again."""
        lead, limit = self._workers[0], self.limits.node_limit
        while len(self._workers) < self.limits.workers:
            self._workers.append(self._kernel.worker(len(self._workers)))
        again = max(self._earlier_nodes + self._kernel.gather(self._workers), self.nodes + 1)
        for worker in self._workers[1:]:
            worker.control[LOW], worker.control[HIGH] = lead.control[LOW], lead.control[HIGH]
            worker.begin(position)
        nodes = None if limit is None else limit - self.nodes
        return Team(lead, self._workers[1:], nodes), again

    def _tell(self, lead: Worker, position: Position) -> None:
        """Report the progress if the last report is a while ago."""
        if self.limits.progress is None or not self._meter.may_tell():
            return
        low, high = self._scale(position).to_bounds(*map(int, lead.control[[LOW, HIGH]]))
        used = self._kernel.table[: min(TABLE_SAMPLE, self._kernel.words_in_use(lead))]
        fill = np.count_nonzero(used) / used.size
        self.limits.progress(Progress(self.nodes, self.seconds, low, high, fill))


def take_control(worker: Worker, control: Array) -> None:
    """Set the control words to saved ones; how large the table may become is the worker's own."""
    limit = int(worker.control[TABLE_LIMIT])
    worker.control[:] = control
    worker.control[TABLE_LIMIT] = limit
    if worker.control[GROW_AT] == NEVER:  # there was no room, or a team, which grows otherwise
        worker.control[GROW_AT] = worker.control[NODES]


def learnt(
    low: int, high: int, found: tuple[int, int], floor: int, ceiling: int
) -> tuple[int, int]:
    """Return bounds with what a search within floor and ceiling has found.

    A range that ends at, or beyond, where the question ended proves nothing on that side.
    """
    return found[0] if found[0] > floor else low, found[1] if found[1] < ceiling else high


def limit_error(reason: str, scale: Scale, low: int, high: int) -> SearchLimitReached:
    """Return the exception that says what was proved before the limit."""
    at_least, at_most = result_of(low), result_of(high)
    if at_least == at_most:
        known = "a win, but not how soon" if low > 0 else "a loss, but not how late"
    elif at_least == "draw":
        known = "at least a draw"
    elif at_most == "draw":
        known = "at most a draw"
    else:
        known = "the outcome is open"
    return SearchLimitReached(f"{reason}; {known}", bounds=scale.to_bounds(low, high))
