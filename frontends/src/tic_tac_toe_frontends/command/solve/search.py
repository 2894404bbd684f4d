"""The search of ``tic-tac-toe solve``, in its own thread, and its solver."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack, suppress
from errno import ENOTDIR
from gettext import NullTranslations
from os import strerror
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, NoReturn, TypeVar

from tic_tac_toe import solver as fast
from tic_tac_toe.extras import CLUSTER, missing
from tic_tac_toe.limits import MEBIBYTE, Limits, Progress
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.statuses import status_of
from tic_tac_toe.logic.search.evaluation import UNKNOWN, Evaluation, MoveEvaluation
from tic_tac_toe.logic.search.exact import Solver
from tic_tac_toe.solver.answers import is_for_plain_python, solver_for, with_pie_and_book
from tic_tac_toe.solver.support import refusal, searched_game

from ...program.extras import CLUSTER_SOLVER, SOLVE, missing_text
from ...program.files import writing
from ...program.options import arguments_of
from ...program.process import INTERRUPTED, Refused, print_error, reason_of
from ...program.terminal import unbroken
from ...words.foreign import escaped, truncated
from ...words.rules_text import variant_title
from ...words.translation import localise
from ..progress import QUIET_SECONDS, TICK_SECONDS, ProgressLine
from ..verdicts import Found, find, find_move, find_outcome, result_text
from .args import SolveArgs

if TYPE_CHECKING:
    from tic_tac_toe.solver import Checkpoint, FastSolver
    from tic_tac_toe.solver.cluster import ClusterSolver

T = TypeVar("T")

#: The stack of the thread in bytes: Numba's compiler needs more than the default of some systems.
STACK_BYTES = 1 << 26


def run_in_thread(function: Callable[[], T], future: Future[T]) -> None:
    """Run a function in a daemon thread with a large stack; the future gets its result."""

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    before = threading.stack_size(STACK_BYTES)
    try:
        threading.Thread(target=run, daemon=True).start()
    finally:
        threading.stack_size(before)


def exit_now(interruption: BaseException) -> NoReturn:
    """End the process without waiting for its threads: the compiler cannot be interrupted."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    code = interruption.code if isinstance(interruption, SystemExit) else INTERRUPTED
    os._exit(code if isinstance(code, int) else INTERRUPTED)


#: Most games solve positions with fewer empty cells in reasonable time.
VAST = 40


def check_game(state: GameState, language: NullTranslations) -> None:
    """Refuse games that the fast solver does not support, or all if it is not installed."""
    if reason := refusal(state.rules):
        raise Refused(localise(language, reason), reason.code)
    if not fast.is_installed():
        message = language.gettext("{missing}; what is found without them: {command}")
        missing = missing_text(language, fast.FAST_SOLVER, SOLVE)
        command = unbroken(f"tic-tac-toe analyse {arguments_of(state)}")
        raise Refused(message.format(missing=missing, command=command), "missing_packages")


def needs_plain_python(args: SolveArgs) -> bool:
    """Return whether the game is a small one that the fast solver does not know, as one's own are.

    Proofs, checkpoints and clusters are the fast solver's.
    """
    is_plain = args.certificate is None and args.checkpoint is None and args.scheduler is None
    return is_plain and is_for_plain_python(args.position.rules, Position())


def warn_of_size(args: SolveArgs, state: GameState) -> None:
    """Warn before a search without a limit that it may not end, unless it is known to end.

    Published values of a game do not help: they were found by other programs.
    """
    known = status_of(state.rules)
    is_proved = known.outcome is not None and not known.source
    empty = state.rules.shape.cells - state.position.marks
    has_limit = args.time_limit is not None or args.node_limit is not None
    if is_proved or empty < VAST or has_limit or state.game_over:
        return
    message = args.language.gettext(
        "solving {variant}: no search of this program is known to have solved it, so that this one "
        "may never end; stop it with Ctrl-C, or give --time-limit"
    )
    print_error(message.format(variant=variant_title(state.rules, args.language)))


def make_solver(
    args: SolveArgs,
    closing: ExitStack,
    *,
    cancelled: Callable[[], bool],
    progress: Callable[[Progress], None],
    notice: Callable[[Message], None],
    failed: Callable[[OSError], None],
) -> FastSolver | ClusterSolver:
    """Return the solver of the command line, for all states without the pie rule.

    Args:
        closing: gets the functions that release the solver.
        cancelled, progress: as in `Limits`.
        notice, failed: as in `Checkpoint`.

    Raises:
        Refused: the solver cannot be made.
    """
    _, rules = args.language.gettext, searched_game(args.position.rules)
    limits = Limits(
        args.time_limit, args.node_limit, args.memory, args.threads, cancelled, progress
    )
    try:
        if args.scheduler is not None:
            return _on_cluster(args.scheduler, args, limits, closing)
        from tic_tac_toe.solver import FastSolver

        checkpoint = None
        if args.checkpoint is not None:
            checkpoint = _open_checkpoint(args.checkpoint, args, notice, failed)
        _warm_up(rules)
        return FastSolver(rules, limits, checkpoint=checkpoint)
    except OSError as error:  # the compiler's cache: the disk may be full
        message = _("the solver cannot get ready: {reason}")
        raise Refused(message.format(reason=reason_of(error, args.language))) from None
    except MemoryError:
        raise Refused(_("there is not enough memory: see --memory")) from None


def _open_checkpoint(
    folder: str,
    args: SolveArgs,
    notice: Callable[[Message], None],
    failed: Callable[[OSError], None],
) -> Checkpoint:
    from tic_tac_toe.solver import Checkpoint
    from tic_tac_toe.solver.checkpoint import INTERVAL_SECONDS

    interval = INTERVAL_SECONDS if args.save_interval is None else args.save_interval
    with writing(folder, args.language):
        try:
            return Checkpoint(folder, notice=notice, failed=failed, interval=interval)
        except FileExistsError:
            raise NotADirectoryError(ENOTDIR, strerror(ENOTDIR)) from None


def _on_cluster(
    address: str, args: SolveArgs, limits: Limits, closing: ExitStack
) -> FastSolver | ClusterSolver:
    from tic_tac_toe.solver.cluster import ClusterSolver, connect

    # Dask's own messages are suppressed: its failures are printed as errors of one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = connect(address)
    except ModuleNotFoundError:
        message = missing(Message(CLUSTER_SOLVER, "part"), CLUSTER)
        raise Refused(localise(args.language, message)) from None
    except ConnectionError as error:
        raise Refused(escaped(localise(args.language, error))) from None
    closing.callback(client.close)
    return ClusterSolver(searched_game(args.position.rules), client, limits)


def _warm_up(rules: Rules) -> None:
    """Compile before the time limit starts."""
    from tic_tac_toe.solver import FastSolver

    with suppress(SearchLimitReached):
        limits = Limits(node_limit=1, memory=MEBIBYTE, threads=1)
        FastSolver(rules, limits).score(Position())


#: Seconds in which an interrupted search may end before the process does. A search ends within a
#: few hundredths of a second unless the compiler runs; closing and deleting files takes longer.
GRACE_SECONDS, GRACE_WITH_FILES = 0.05, 1.0


class Search:
    """Asks one solver about positions, in a thread, while the main thread waits for Ctrl-C.

    Attributes:
        seconds: the total time of all questions, without the making of the solver.
        unsaved: whether saving at the end failed.
    """

    def __init__(self, args: SolveArgs, line: ProgressLine) -> None:
        self._args, self._language, self._line = args, args.language, line
        self.seconds = 0.0
        self.unsaved = False
        self._solver: FastSolver | ClusterSolver | None = None
        self._closing = ExitStack()
        self._interrupted = threading.Event()
        self._notices: SimpleQueue[str] = SimpleQueue()
        self._known: str | None = None  # the live line shows it instead of bounds
        self._journal: Path | None = None  # the number of findings for a proof
        self._progress: Progress | None = None
        self._began, self._nodes_before, self._searched = 0.0, 0, False

    @property
    def nodes(self) -> int:
        """The number of searched positions."""
        return 0 if self._solver is None else self._solver.nodes

    def find(self, state: GameState) -> Found:
        """Return the evaluation of a position, without its moves, or only its outcome."""

        def search(solver: Solver) -> Found:
            if self._args.outcome:
                return find_outcome(state, solver)
            found = Found(UNKNOWN)
            for found in find(state, solver):
                self._known = result_text(state, found.evaluation, self._language)
            return found

        return self._wait(state, search)

    def moves(self, state: GameState, found: Evaluation) -> list[MoveEvaluation]:
        """Return the evaluation of each move, after `find`, within the same limits."""
        legal = state.legal_moves
        if not found.best:
            return [MoveEvaluation(move, UNKNOWN) for move in legal]

        def search(solver: Solver) -> list[MoveEvaluation]:
            text = self._language.gettext("{told}; move {number} of {count}")
            described = result_text(state, found, self._language)
            moves = list[MoveEvaluation]()
            for number, move in enumerate(legal, start=1):
                self._known = text.format(told=described, number=number, count=len(legal))
                moves.append(find_move(state, move, solver, found)[0])
            return moves

        return self._wait(state, search)

    def certify(self, state: GameState, path: str) -> tuple[int, int]:
        """Write a proof of the outcome to a file; return its number of theorems and bytes.

        Raises:
            Refused: no proof was found, or the file cannot be written.
        """

        def write(solver: Solver) -> tuple[int, int]:
            from tic_tac_toe.solver.certificates import journal_beside, write_certificate
            from tic_tac_toe.solver.certificates.plan_search import plans_for

            _, rules = self._language.gettext, state.rules
            self._known = _("writing the proof")
            limits = Limits(
                self._seconds_left(),
                threads=self._args.threads,
                cancelled=self._interrupted.is_set,
            )
            journal = journal_beside(path)
            if journal is not None and journal.exists():
                self._notices.put(_("going on from {file}").format(file=truncated(str(journal))))
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
                        progress=self._print_findings,
                    )
                except SearchLimitReached as limit:
                    raise Refused(self._kept_text(limit.reason)) from None
                except ValueError as error:
                    message = _("no proof is written: {reason}")
                    raise Refused(message.format(reason=localise(self._language, error))) from None
            return written.theorems, written.size

        return self._wait(state, write)

    def save(self) -> None:
        """Save the state if there is a checkpoint and something new."""
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
            print_error(str(refusal))
        finally:
            self._line.hide()

    def close(self) -> None:
        """Disconnect from the cluster, if any."""
        self._closing.close()

    def _wait(self, state: GameState, question: Callable[[Solver], T]) -> T:
        """Return the answer of the other thread; handle Ctrl-C meanwhile."""
        self._known = self._progress = None
        answer: Future[T] = Future()
        try:
            run_in_thread(lambda: self._answer(question), answer)
            started = time.monotonic()
            while not wait([answer], TICK_SECONDS).done:
                self._print_notices()
                if time.monotonic() - started > QUIET_SECONDS:
                    self._line.show([*self._parts(state)])
        except (KeyboardInterrupt, SystemExit) as interruption:
            self._line.hide()
            if self._journal is not None and self._journal.exists():
                print_error(self._kept_text(Message("the search was cancelled")))
            self._end_early(answer, interruption)
            raise
        finally:
            self._line.hide()
        self._print_notices()
        return answer.result()

    def _end_early(self, answer: Future[T], interruption: BaseException) -> None:
        """End the search, so that its state can be saved; if it does not end, end the process."""
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
        exit_now(interruption)

    def _print_notices(self) -> None:
        while not self._notices.empty():
            self._line.hide()
            print_error(self._notices.get())

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
            yield result_text(state, proved, self._language)
        if progress is not None:
            seconds = time.monotonic() - self._began
            speed = (progress.nodes - self._nodes_before) / seconds if seconds else 0.0
            yield _("{count} nodes").format(count=f"{progress.nodes:,}")
            yield _("{count} a second").format(count=f"{speed:,.0f}")
            if self._args.scheduler is None:  # the workers of a cluster do not report any
                yield _("table {part} full").format(part=f"{100 * progress.table_fill:.0f}%")

    def _answer(self, question: Callable[[Solver], T]) -> T:
        from tic_tac_toe.solver import InvalidCheckpoint

        self._began = 0.0
        try:
            rules = self._args.position.rules
            if needs_plain_python(self._args):
                limits = Limits(
                    self._args.time_limit,
                    self._args.node_limit,
                    cancelled=self._interrupted.is_set,
                )
                return question(solver_for(rules, Position(), limits, plain=True))
            if self._solver is None:
                self._solver = make_solver(
                    self._args,
                    self._closing,
                    cancelled=self._interrupted.is_set,
                    progress=self._note_progress,
                    notice=self._add_notice,
                    failed=self._note_failure,
                )
            self._nodes_before, self._began = self._solver.nodes, time.monotonic()
            try:
                return question(with_pie_and_book(rules, self._solver))
            finally:
                self.seconds += time.monotonic() - self._began
        except ConnectionError as error:  # error of the cluster
            raise Refused(escaped(localise(self._language, error))) from None
        except InvalidCheckpoint as error:
            message = self._language.gettext("cannot go on from {folder}: {reason}")
            folder, reason = str(self._args.checkpoint), localise(self._language, error)
            text = message.format(folder=truncated(folder), reason=reason)
            raise Refused(escaped(text)) from None

    def _kept_text(self, reason: object) -> str:
        _, described = self._language.gettext, localise(self._language, reason)
        if self._journal is None:
            return _("no proof is written: {reason}").format(reason=described)
        text = _(
            "no proof is written: {reason}; what is found is in {file}, and the same command goes "
            "on"
        )
        return text.format(reason=described, file=truncated(str(self._journal)))

    def _print_findings(self, count: int) -> None:
        text = self._language.gettext("writing the proof: {count} positions")
        self._known = text.format(count=f"{count:,}")

    def _seconds_left(self) -> float | None:
        if self._args.time_limit is None:
            return None
        return max(0.0, self._args.time_limit - self.seconds)

    def _note_progress(self, progress: Progress) -> None:
        self._searched = True
        self._progress = progress

    def _add_notice(self, notice: Message) -> None:
        self._notices.put(localise(self._language, notice))

    def _note_failure(self, error: OSError) -> None:
        message = self._language.gettext("cannot save the search, which goes on: {reason}")
        self._notices.put(message.format(reason=reason_of(error, self._language)))
