"""Makes the solver of ``tic-tac-toe solve``: in this process or on a cluster, with a checkpoint."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack, suppress
from errno import ENOTDIR
from gettext import NullTranslations
from os import strerror
from typing import TYPE_CHECKING

from tic_tac_toe import solver as fast
from tic_tac_toe.extras import CLUSTER, missing
from tic_tac_toe.limits import MEBIBYTE, Limits, Progress
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.statuses import status_of
from tic_tac_toe.solver.choice import searched_game
from tic_tac_toe.solver.support import refusal

from ...program.extras import CLUSTER_SOLVER, SOLVE, missing_text
from ...program.files import writing
from ...program.options import arguments_of
from ...program.process import Refused, complain, reason_of
from ...program.terminal import unbroken
from ...words.foreign import harmless
from ...words.rules_text import variant_title
from ...words.translation import localise

if TYPE_CHECKING:
    from tic_tac_toe.solver import Checkpoint, FastSolver
    from tic_tac_toe.solver.cluster import ClusterSolver

    from .args import SolveArgs


#: Positions with fewer empty cells are solved in most games.
VAST = 40


def check_game(state: GameState, language: NullTranslations) -> None:
    """Refuse a game that the fast solver does not support, and any if it is not installed."""
    if reason := refusal(state.rules):
        raise Refused(localise(language, reason), reason.code)
    if not fast.is_installed():
        message = language.gettext("{missing}; what is found without them: {command}")
        missing = missing_text(language, fast.FAST_SOLVER, SOLVE)
        command = unbroken(f"tic-tac-toe analyse {arguments_of(state)}")
        raise Refused(message.format(missing=missing, command=command), "missing_packages")


def tell_of_size(args: SolveArgs, state: GameState) -> None:
    """Say before a search without a limit that it may not end, where this program knows no better.

    Values that others have published are no help: they took other means.
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
    complain(message.format(variant=variant_title(state.rules, args.language)))


def make_solver(
    args: SolveArgs,
    closing: ExitStack,
    *,
    cancelled: Callable[[], bool],
    progress: Callable[[Progress], None],
    notice: Callable[[Message], None],
    failed: Callable[[OSError], None],
) -> FastSolver | ClusterSolver:
    """Return the solver that the command line asks for, for all states without the pie rule.

    Args:
        closing: is given what there is to do once the solver is not needed any more.
        cancelled, progress: as in `Limits`.
        notice, failed: as in `Checkpoint`.

    Raises:
        Refused: it cannot be made, with the reason.
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
    except OSError as error:  # the compiler keeps its work on the disk, which may be full
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

    # What Dask has to say of its failures follows as an error, in one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = connect(address)
    except ModuleNotFoundError:
        message = missing(Message(CLUSTER_SOLVER, "part"), CLUSTER)
        raise Refused(localise(args.language, message)) from None
    except ConnectionError as error:
        raise Refused(harmless(localise(args.language, error))) from None
    closing.callback(client.close)
    return ClusterSolver(searched_game(args.position.rules), client, limits)


def _warm_up(rules: Rules) -> None:
    """Let the compiler do its work before a time limit begins to count."""
    from tic_tac_toe.solver import FastSolver

    with suppress(SearchLimitReached):
        limits = Limits(node_limit=1, memory=MEBIBYTE, threads=1)
        FastSolver(rules, limits).score(Position())
