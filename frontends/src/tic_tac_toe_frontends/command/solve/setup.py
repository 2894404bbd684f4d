"""Makes the solver of ``tic-tac-toe solve``: in this process or on a cluster, with a checkpoint."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack, suppress
from errno import ENOTDIR
from gettext import NullTranslations
from os import strerror
from typing import TYPE_CHECKING

from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.solver.limits import MEBIBYTE, Limits

from ...program.extras import CLUSTER_SOLVER, missing_text
from ...program.files import writing
from ...program.process import Refused, reason_of
from ...words.foreign import harmless
from ...words.messages import localise
from .questions import CountingSolver

if TYPE_CHECKING:
    from tic_tac_toe.solver import Checkpoint

    from .args import SolveArgs


def make_solver(
    args: SolveArgs,
    state: GameState,
    limits: Limits,
    closing: ExitStack,
    *,
    notice: Callable[[Message], None],
    failed: Callable[[OSError], None],
) -> CountingSolver:
    """Return the solver that the command line asks for, for states of the same game.

    Args:
        closing: is given what there is to do once the solver is not needed any more.
        notice, failed: as in `Checkpoint`.

    Raises:
        Refused: it cannot be made, with the reason.
    """
    _ = args.language.gettext
    try:
        if args.scheduler is not None:
            return _on_cluster(args.scheduler, args.language, state, limits, closing)
        from tic_tac_toe.solver import FastSolver

        checkpoint = None
        if args.checkpoint is not None:
            checkpoint = _open_checkpoint(args.checkpoint, args, notice, failed)
        _warm_up(state)
        return FastSolver(state.rules, limits, checkpoint=checkpoint)
    except OSError as error:  # the compiler keeps its work on the disk, which may be full
        message = _("the solver cannot get ready: {reason}")
        raise Refused(message.format(reason=reason_of(error))) from None
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
    address: str, language: NullTranslations, state: GameState, limits: Limits, closing: ExitStack
) -> CountingSolver:
    from tic_tac_toe.solver.cluster import ClusterSolver, connect

    # What Dask has to say of its failures follows as an error, in one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = connect(address)
    except ModuleNotFoundError:
        raise Refused(missing_text(language, CLUSTER_SOLVER, ["distributed"])) from None
    except ConnectionError as error:
        raise Refused(harmless(localise(language, error))) from None
    closing.callback(client.close)
    return ClusterSolver(state.rules, client, limits)


def _warm_up(state: GameState) -> None:
    """Let the compiler do its work before a time limit begins to count."""
    from tic_tac_toe.solver import FastSolver

    with suppress(SearchLimitReached):
        limits = Limits(node_limit=1, memory=MEBIBYTE, threads=1)
        FastSolver(state.rules, limits).score(state.position)
