"""The fast solver: asks a kernel, in slices, within limits, on several threads."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.limits import Limits, Progress
from tic_tac_toe.logic.exceptions import Message, message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.evaluation import MATE, final_score
from tic_tac_toe.solver.checkpoint import Arrays, Checkpoint, SavedState
from tic_tac_toe.solver.kernel_factory import kernel_for
from tic_tac_toe.solver.kernels.control import GROWTH_BITS, HIGH, LOW, NODES
from tic_tac_toe.solver.kernels.kernel import WORD_BYTES, Kernel, Worker
from tic_tac_toe.solver.meter import Meter, limit_error
from tic_tac_toe.solver.saving import Known, Question, Saving, pack, take_arrays, unpack
from tic_tac_toe.solver.scale import Scale
from tic_tac_toe.solver.team import Team

#: The nodes after which other threads join in a search: short searches are over before.
NODES_ALONE = 1 << 17
#: How many words of the table are looked at to tell how full it is.
TABLE_SAMPLE = 1 << 14


class FastSolver:
    """Exact scores from compiled search: a `Solver` for `find_verdict` and `analyse_moves`.

    What it has learnt stays in its table, so that asking about one position after another of the
    same game is cheap. One call at a time: a solver is not to be shared by threads of the caller.

    Args:
        rules: a game that `supports` says yes to.
        limits: for all questions together.
        checkpoint: where to save the state now and then, and to go on from.
        kernel: the compiled search, that of the game unless given.
        nodes_alone: the nodes after which other threads join in a search.

    Attributes:
        known: by position, what is proved of its score in marks (see `kernels.control`).
        saving: when the state is saved, where there is a checkpoint.

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
        kernel: Kernel | None = None,
        nodes_alone: int = NODES_ALONE,
    ) -> None:
        self.rules = rules
        self.limits: Limits = limits or Limits()
        self._meter = Meter(self.limits)
        self.kernel: Kernel = kernel or kernel_for(rules, self.limits.table_bytes)
        self._nodes_alone = nodes_alone
        self._workers: list[Worker] = [self.kernel.worker()]
        self._earlier_nodes = 0  # of a process before this one
        self._has_code = self.kernel.has_code
        self.known: Known = {}
        self._unfinished: Position | None = None  # what the first worker was stopped at by a limit
        self.saving: Saving | None = None if checkpoint is None else Saving(checkpoint, self)

    def __repr__(self) -> str:
        return f"FastSolver({self.rules!r}, nodes={self.nodes:,})"

    @property
    def nodes(self) -> int:
        """How many positions have been looked at so far."""
        return self._earlier_nodes + sum(int(one.control[NODES]) for one in self._workers)

    @property
    def lead(self) -> Worker:
        """The first worker, in the thread of the caller."""
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
            control = self.lead.control
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
            OSError: it cannot be written; what the checkpoint holds is unchanged.
        """
        if self.saving is not None:
            self.saving.save_news()

    def give_state(self, question: Question | None) -> tuple[dict[str, Any], Arrays]:
        """Return what a checkpoint saves: something for JSON, and arrays.

        Args:
            question: the one that is being asked; else the one that a limit has ended, if any.
        """
        lead = self.lead
        if question is None and self._unfinished is not None:
            question = self._unfinished, int(lead.control[LOW]), int(lead.control[HIGH])
        return pack(self.kernel, lead, self.nodes, self.known, question)

    def take_state(self, saved: SavedState) -> Question | None:
        """Take over a saved state; return the question that it was saved in the middle of.

        The table is to be read into `table` before anything is searched.

        Raises:
            ValueError, TypeError, LookupError, ArithmeticError: not a state of such a solver, which
                is unchanged.
        """
        restored = unpack(saved, self.rules, self.kernel, self._workers)
        self.kernel, self._workers = restored.kernel, restored.workers
        self._earlier_nodes = restored.earlier_nodes
        self.known.update(restored.known)
        return restored.question

    def take_search(self, arrays: Arrays) -> None:
        """Set the first worker to where it was when its arrays were saved."""
        take_arrays(self.lead, arrays)

    def _narrow(self, position: Position, floor: int, ceiling: int) -> Message | None:
        """Let the first worker's range become one score, or return which limit came first."""
        question = position, floor, ceiling
        if limit := self._read_table(floor, ceiling):
            return limit
        lead = self.lead
        self._unfinished = None
        lead.control[LOW], lead.control[HIGH] = floor, ceiling
        self._begin(question)
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

    def _begin(self, question: Question) -> None:
        """Set the first worker to a question, or to where its search was saved."""
        if self._has_code:
            self.lead.begin(question[0])
        else:
            with self._meter.stopped():
                self.lead.begin(question[0])
                self.lead.narrow(int(self.lead.control[NODES]))  # for not one node more
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
        """Return the limit that has been reached; saving what is known is within the time."""
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
