"""Makes the solver of ``tic-tac-toe solve``: in this process or on a cluster, with a checkpoint."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from errno import ENOTDIR
from gettext import NullTranslations
from os import strerror
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.solver.limits import MEBIBYTE, Limits, Progress

from ...program.extras import CLUSTER_SOLVER, missing_text
from ...program.files import unwritable
from ...program.process import Refused, reason_of
from ...program.terminal import harmless
from ...words.messages import localise
from .questions import CountingSolver

if TYPE_CHECKING:
    from tic_tac_toe.solver.session import FastSolver

    from .args import SolveArgs


class Setup(NamedTuple):
    """A solver and what goes with it.

    Attributes:
        fast: the same solver, where it works in this process.
        close: called at the end.
    """

    solver: CountingSolver
    fast: FastSolver | None = None
    close: Callable[[], object] | None = None


class Watcher(NamedTuple):
    """The callbacks of a search.

    Attributes:
        cancelled, progress: as in `Limits`.
        notice: called with each message of the checkpoint.
        failed: called with the error that keeps the checkpoint from saving.
    """

    cancelled: Callable[[], bool]
    progress: Callable[[Progress], None]
    notice: Callable[[str], None]
    failed: Callable[[OSError], None]


def make_ready(args: SolveArgs, state: GameState, watcher: Watcher) -> Setup:
    """Return the solver that the command line asks for, for states of the same game.

    Raises:
        Refused: it cannot be made, with the reason.
    """
    language = args.language
    limits = Limits(
        args.time_limit,
        args.node_limit,
        args.memory,
        args.threads,
        watcher.cancelled,
        watcher.progress,
    )
    try:
        if args.scheduler is not None:
            return _on_cluster(args.scheduler, language, state, limits)
        return _here(args, state, limits, watcher)
    except OSError as error:  # the compiler keeps its work on the disk, which may be full
        message = language.gettext("the solver cannot get ready: {reason}")
        raise Refused(message.format(reason=reason_of(error))) from None
    except MemoryError:
        message = language.gettext("there is not enough memory: see --memory")
        raise Refused(message) from None


def _here(args: SolveArgs, state: GameState, limits: Limits, watcher: Watcher) -> Setup:
    from tic_tac_toe.solver import Checkpoint, FastSolver
    from tic_tac_toe.solver.checkpoint import INTERVAL_SECONDS

    checkpoint, folder, language = None, args.checkpoint, args.language
    if folder is not None:
        interval = INTERVAL_SECONDS if args.save_interval is None else args.save_interval
        try:
            checkpoint = Checkpoint(
                folder, notice=watcher.notice, failed=watcher.failed, interval=interval
            )
        except FileExistsError:
            error = NotADirectoryError(ENOTDIR, strerror(ENOTDIR))
            raise unwritable(folder, error, language) from None
        except (OSError, ValueError) as error:
            raise unwritable(folder, error, language) from None
    _warm_up(state)
    solver = FastSolver(state.rules, limits, checkpoint=checkpoint)
    return Setup(solver, solver)


def _on_cluster(
    address: str, language: NullTranslations, state: GameState, limits: Limits
) -> Setup:
    from tic_tac_toe.solver.cluster import ClusterSolver, connect

    # What Dask has to say of its failures follows as an error, in one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = connect(address)
    except ModuleNotFoundError:
        raise Refused(missing_text(language, CLUSTER_SOLVER, ["distributed"])) from None
    except ConnectionError as error:
        raise Refused(harmless(localise(language, error))) from None
    return Setup(ClusterSolver(state.rules, client, limits), close=client.close)


def _warm_up(state: GameState) -> None:
    """Let the compiler do its work before a time limit begins to count."""
    from tic_tac_toe.solver import FastSolver

    with contextlib.suppress(SearchLimitReached):
        limits = Limits(node_limit=1, memory=MEBIBYTE, threads=1)
        FastSolver(state.rules, limits).score(state.position)
