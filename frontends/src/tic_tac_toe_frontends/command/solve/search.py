"""The search of ``tic-tac-toe solve``: in a thread, so that Ctrl-C is received at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from tic_tac_toe.limits import Limits, Progress
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe.logic.search.verdict import UNKNOWN, Solver
from tic_tac_toe.solver.choice import with_pie_and_book

from ...program.files import writing
from ...program.process import Refused, complain, reason_of
from ...words.foreign import harmless, shortened
from ...words.translation import localise
from ..progress import QUIET_SECONDS, TICK_SECONDS, ProgressLine
from ..questions import Found, find, find_move, find_outcome
from ..verdicts import tell
from .args import SolveArgs
from .setup import make_solver
from .task import leave, run_in_thread

if TYPE_CHECKING:
    from tic_tac_toe.solver import FastSolver
    from tic_tac_toe.solver.cluster import ClusterSolver

T = TypeVar("T")

#: How long an interrupted search may take to end before the process ends. A search ends within a
#: few hundredths of a second unless the compiler runs; files need time to be closed and removed.
GRACE_SECONDS, GRACE_WITH_FILES = 0.05, 1.0


class Search:
    """Asks one solver about positions of a game, while the main thread watches.

    Attributes:
        seconds: the time of all questions together, without that for making the solver.
        unsaved: whether the state could not be saved at the end.
    """

    def __init__(self, args: SolveArgs, line: ProgressLine) -> None:
        self._args, self._language, self._line = args, args.language, line
        self.seconds = 0.0
        self.unsaved = False
        self._solver: FastSolver | ClusterSolver | None = None
        self._closing = ExitStack()
        self._interrupted = threading.Event()
        self._notices: SimpleQueue[str] = SimpleQueue()
        self._known: str | None = None  # shown by the live line instead of bounds
        self._journal: Path | None = None  # what has been found for a proof
        self._progress: Progress | None = None
        self._began, self._nodes_before, self._searched = 0.0, 0, False

    @property
    def nodes(self) -> int:
        """The number of positions that have been searched."""
        return 0 if self._solver is None else self._solver.nodes

    def find(self, state: GameState) -> Found:
        """Return everything about a position but the values of its moves, or its outcome only."""

        def search(solver: Solver) -> Found:
            if self._args.outcome:
                return find_outcome(state, solver)
            found = Found(UNKNOWN)
            for found in find(state, solver):
                self._known = tell(state, found.evaluation, self._language)
            return found

        return self._wait(state, search)

    def moves(self, state: GameState, found: Evaluation) -> list[MoveEvaluation]:
        """Return what is known of each move, after the position, within the same limits."""
        legal = state.legal_moves
        if not found.best:
            return [MoveEvaluation(move, UNKNOWN) for move in legal]

        def search(solver: Solver) -> list[MoveEvaluation]:
            text = self._language.gettext("{told}; move {number} of {count}")
            told = tell(state, found, self._language)
            moves = list[MoveEvaluation]()
            for number, move in enumerate(legal, start=1):
                self._known = text.format(told=told, number=number, count=len(legal))
                moves.append(find_move(state, move, solver, found)[0])
            return moves

        return self._wait(state, search)

    def certify(self, state: GameState, path: str) -> tuple[int, int]:
        """Write a proof of the outcome to a file; return how many theorems and bytes it has.

        Raises:
            Refused: no proof has been found, or the file cannot be written.
        """

        def write(solver: Solver) -> tuple[int, int]:
            from tic_tac_toe.solver.certificates import journal_beside, write_certificate
            from tic_tac_toe.solver.certificates.plan_threads import plans_for

            _, rules = self._language.gettext, state.rules
            self._known = _("writing the proof")
            limits = Limits(
                self._seconds_left(),
                threads=self._args.threads,
                cancelled=self._interrupted.is_set,
            )
            journal = journal_beside(path)
            if journal is not None and journal.exists():
                self._notices.put(_("going on from {file}").format(file=shortened(str(journal))))
            self._journal = journal
            with writing(path, self._language):
                try:
                    written = write_certificate(
                        rules,
                        state.position,
                        solver,
                        path,
                        plans=plans_for(rules, limits),
                        journal=journal,
                        progress=self._tell_findings,
                    )
                except SearchLimitReached as limit:
                    raise Refused(self._kept_text(limit.reason)) from None
                except ValueError as error:
                    message = _("no proof is written: {reason}")
                    raise Refused(message.format(reason=localise(self._language, error))) from None
            return written.theorems, written.size

        return self._wait(state, write)

    def save(self) -> None:
        """Save the state, where there is a checkpoint and something new."""
        if self._args.checkpoint is None or self._solver is None:
            return
        from tic_tac_toe.solver import FastSolver

        assert isinstance(self._solver, FastSolver), "a cluster has no checkpoint"
        self._line.show([self._language.gettext("saving the search")])
        try:
            with writing(self._args.checkpoint, self._language):
                self._solver.save_news()
        except Refused as refusal:
            self.unsaved = True
            self._line.hide()
            complain(str(refusal))
        finally:
            self._line.hide()

    def close(self) -> None:
        """Disconnect from the cluster, if there is one."""
        self._closing.close()

    # -- in the main thread ------------------------------------------------------------------------

    def _wait(self, state: GameState, question: Callable[[Solver], T]) -> T:
        """Return the answer to a question, asked in another thread while Ctrl-C is watched for."""
        self._known = self._progress = None
        answer: Future[T] = Future()
        try:
            run_in_thread(lambda: self._answer(question), answer)
            started = time.monotonic()
            while not wait([answer], TICK_SECONDS).done:
                self._tell_notices()
                if time.monotonic() - started > QUIET_SECONDS:
                    self._line.show([*self._parts(state)])
        except (KeyboardInterrupt, SystemExit) as interruption:
            self._line.hide()
            if self._journal is not None and self._journal.exists():
                complain(self._kept_text(Message("the search was cancelled")))
            self._end_early(answer, interruption)
            raise
        finally:
            self._line.hide()
        self._tell_notices()
        return answer.result()

    def _end_early(self, answer: Future[T], interruption: BaseException) -> None:
        """End the search, so that its state may be saved, or else the process."""
        self._interrupted.set()
        try:
            saves = self._args.checkpoint is not None
            with_files = self._args.certificate is not None or (saves and self._searched)
            wait([answer], GRACE_WITH_FILES if with_files else GRACE_SECONDS)
            if saves and self._searched:
                wait([answer])
            if answer.done():
                return
        except KeyboardInterrupt:
            pass
        leave(interruption)

    def _tell_notices(self) -> None:
        while not self._notices.empty():
            self._line.hide()
            complain(self._notices.get())

    def _parts(self, state: GameState) -> Iterator[str]:
        """Yield the parts of the live line, the most important first."""
        _, progress = self._language.gettext, self._progress
        if not self._began:
            yield _("getting the solver ready")
            yield _("the first time takes half a minute")
            return
        if self._known is not None:
            yield self._known
        else:
            proved = UNKNOWN if progress is None else Evaluation(progress.low, progress.high)
            yield tell(state, proved, self._language)
        if progress is not None:
            seconds = time.monotonic() - self._began
            speed = (progress.nodes - self._nodes_before) / seconds if seconds else 0.0
            yield _("{count} nodes").format(count=f"{progress.nodes:,}")
            yield _("{count} a second").format(count=f"{speed:,.0f}")
            if self._args.scheduler is None:  # those of a cluster's workers do not tell
                yield _("table {part} full").format(part=f"{100 * progress.table_fill:.0f}%")

    # -- in the other thread -----------------------------------------------------------------------

    def _answer(self, question: Callable[[Solver], T]) -> T:
        from tic_tac_toe.solver import InvalidCheckpoint

        self._began = 0.0
        try:
            if self._solver is None:
                self._solver = make_solver(
                    self._args,
                    self._closing,
                    cancelled=self._interrupted.is_set,
                    progress=self._note_progress,
                    notice=self._note,
                    failed=self._note_failure,
                )
            self._nodes_before, self._began = self._solver.nodes, time.monotonic()
            try:
                return question(with_pie_and_book(self._args.position.rules, self._solver))
            finally:
                self.seconds += time.monotonic() - self._began
        except ConnectionError as error:  # of the cluster
            raise Refused(harmless(localise(self._language, error))) from None
        except InvalidCheckpoint as error:
            message = self._language.gettext("cannot go on from {folder}: {reason}")
            folder, reason = str(self._args.checkpoint), localise(self._language, error)
            text = message.format(folder=shortened(folder), reason=reason)
            raise Refused(harmless(text)) from None

    def _kept_text(self, reason: object) -> str:
        """Return why there is no proof, and where the findings for it are."""
        _, told = self._language.gettext, localise(self._language, reason)
        if self._journal is None:
            return _("no proof is written: {reason}").format(reason=told)
        text = _(
            "no proof is written: {reason}; what is found is in {file}, and the same command goes "
            "on"
        )
        return text.format(reason=told, file=shortened(str(self._journal)))

    def _tell_findings(self, count: int) -> None:
        text = self._language.gettext("writing the proof: {count} positions")
        self._known = text.format(count=f"{count:,}")

    def _seconds_left(self) -> float | None:
        """Return what is left of the time limit, if there is one."""
        if self._args.time_limit is None:
            return None
        return max(0.0, self._args.time_limit - self.seconds)

    def _note_progress(self, progress: Progress) -> None:
        self._searched = True
        self._progress = progress

    def _note(self, notice: Message) -> None:
        self._notices.put(localise(self._language, notice))

    def _note_failure(self, error: OSError) -> None:
        message = self._language.gettext("cannot save the search, which goes on: {reason}")
        self._notices.put(message.format(reason=reason_of(error, self._language)))
