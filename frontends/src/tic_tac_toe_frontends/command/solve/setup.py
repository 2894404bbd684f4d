"""Making ready what solves for ``tic-tac-toe solve``: here or on a cluster, with its checkpoint."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
from collections.abc import Callable
from errno import ENOTDIR
from gettext import NullTranslations
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.solver.limits import MEBIBYTE, Limits, Progress

from ...program.process import Refused, reason_of
from ...program.terminal import harmless, shortened
from ...words.messages import localise
from .questions import CountingSolver

if TYPE_CHECKING:
    from tic_tac_toe.solver.session import FastSolver

    from .checkpoint import SteadyCheckpoint


class Setup(NamedTuple):
    """What solves, and what has to be thought of at its end.

    Attributes:
        fast: the same solver, if it works here.
        close: to be called at the end.
    """

    solver: CountingSolver
    fast: FastSolver | None = None
    checkpoint: SteadyCheckpoint | None = None
    close: Callable[[], object] | None = None


class Watcher(NamedTuple):
    """Whom a search listens and speaks to.

    Attributes:
        cancelled, progress: as in `Limits`.
        notice: called with what the checkpoint has to say.
        failed: called with what keeps the checkpoint from saving.
    """

    cancelled: Callable[[], bool]
    progress: Callable[[Progress], None]
    notice: Callable[[str], None]
    failed: Callable[[OSError], None]


def make_ready(
    options: argparse.Namespace, language: NullTranslations, state: GameState, watcher: Watcher
) -> Setup:
    """Return what the options ask for, to solve states of the same game.

    Raises:
        Refused: there can be none, with the reason.
    """
    memory = options.memory and options.memory * MEBIBYTE
    limits = Limits(
        options.time_limit,
        options.node_limit,
        memory,
        options.threads,
        watcher.cancelled,
        watcher.progress,
    )
    try:
        if options.scheduler is not None:
            return _on_cluster(options.scheduler, language, state, limits)
        return _here(options.checkpoint, language, state, limits, watcher)
    except OSError as error:  # the compiler keeps its work on the disk, which may be full
        message = language.gettext("the solver cannot get ready: {reason}")
        raise Refused(message.format(reason=reason_of(error))) from None
    except MemoryError:
        message = language.gettext("there is not enough memory: see --memory")
        raise Refused(message) from None


def unwritable(path: str, error: Exception, language: NullTranslations) -> Refused:
    """Return the refusal for a file or folder that cannot be written."""
    message = language.gettext("cannot write {file}: {reason}")
    return Refused(harmless(message.format(file=shortened(path), reason=reason_of(error))))


def _here(
    folder: str | None,
    language: NullTranslations,
    state: GameState,
    limits: Limits,
    watcher: Watcher,
) -> Setup:
    from tic_tac_toe.solver import FastSolver

    checkpoint = None
    if folder is not None:
        from .checkpoint import SteadyCheckpoint

        try:
            checkpoint = SteadyCheckpoint(folder, watcher.notice, watcher.failed)
        except FileExistsError:
            error = NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR))
            raise unwritable(folder, error, language) from None
        except (OSError, ValueError) as error:
            raise unwritable(folder, error, language) from None
    _warm_up(state)
    solver = FastSolver(state.rules, limits, checkpoint=checkpoint)
    return Setup(solver, solver, checkpoint)


def _on_cluster(
    address: str, language: NullTranslations, state: GameState, limits: Limits
) -> Setup:
    from tic_tac_toe.solver.cluster import ClusterSolver, connect

    # What Dask has to say of its failures follows as an error, in one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = connect(address)
    except (ModuleNotFoundError, ConnectionError) as error:
        raise Refused(harmless(localise(language, error))) from None
    return Setup(ClusterSolver(state.rules, client, limits), close=client.close)


def _warm_up(state: GameState) -> None:
    """Let the compiler do its work before a time limit begins to count."""
    from tic_tac_toe.solver import FastSolver

    with contextlib.suppress(SearchLimitReached):
        limits = Limits(node_limit=1, memory=MEBIBYTE, threads=1)
        FastSolver(state.rules, limits).score(state.position)
