"""Proof certificates: files that show an outcome to readers who do not trust the search.

`tic_tac_toe.certificate_check` reads them, says what each line means, and why it proves something.
A file depends on the position only and not on the solver: any exact one leads to the same.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, NamedTuple

from tic_tac_toe.certificate_check import TITLE, InvalidCertificate, check
from tic_tac_toe.files import atomic_write
from tic_tac_toe.logic.exceptions import InvalidVariant, Message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE
from tic_tac_toe.logic.rules.wrappers import Misere, without_misere
from tic_tac_toe.logic.search.evaluation import Result
from tic_tac_toe.logic.search.exact import Solver
from tic_tac_toe.solver.certificates.proving import (
    Board,
    Findings,
    Goal,
    InvalidJournal,
    PlanFinder,
    Proof,
    open_findings,
)

__all__ = ["InvalidJournal", "Written", "check_provable", "journal_beside", "write_certificate"]


class Written(NamedTuple):
    """What a certificate says, for the side to move, and how many theorems and bytes it has."""

    outcome: Result
    theorems: int
    size: int


def write_certificate(
    rules: Rules,
    position: Position,
    solver: Solver,
    target: str | os.PathLike[str] | BinaryIO,
    *,
    plans: PlanFinder | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Written:
    """Write a proof of the outcome of a position.

    Args:
        rules: a line game or its misère play, without lines of an exact length.
        solver: an exact one for these rules. It is asked for outcomes only, never for distances.
        target: a path, where the file appears whole or not at all, or a stream of bytes.
        plans: finds plans; without it each theorem is about one position.
        journal: a file for the findings so far. A proof goes on from the one that a killed process
            has left; it is removed at the end. With a journal the proof is checked before the
            target is written.
        progress: is called with the count of findings after each one.

    Raises:
        InvalidVariant: there are no certificates for these rules.
        InvalidGameState: no game by them comes to the position.
        InvalidJournal: the journal is of another proof, or something else, or damaged.
        SearchLimitReached: the solver or `plans` has a limit and it was reached.
        OSError: a file cannot be written.
    """
    board = board_for(rules)
    rules.validate(position)
    if journal is not None:
        buffer = io.BytesIO()
        with open_findings(Path(journal), _subject(board, position), progress) as findings:
            written = _write(board, position, solver, buffer, plans, findings)
            buffer.seek(0)
            try:
                check(buffer)
            except InvalidCertificate as error:
                raise InvalidJournal(
                    "what {path} holds proves nothing ({reason}): move the file away to begin anew",
                    "false_journal",
                    path=Path(journal).name,
                    reason=Message(error.template, "certificate", tuple(error.params.items())),
                ) from None
            with _opened(target) as stream:
                stream.write(buffer.getbuffer())
        Path(journal).unlink(missing_ok=True)
        return written
    with _opened(target) as stream:
        return _write(board, position, solver, stream, plans, Findings(progress=progress))


def check_provable(
    rules: Rules, position: Position, journal: str | os.PathLike[str] | None = None
) -> None:
    """Find out whether there can be a certificate, before something long is done for it.

    Raises:
        InvalidVariant, InvalidGameState, InvalidJournal, OSError: `write_certificate` would.
    """
    board = board_for(rules)
    rules.validate(position)
    if journal is not None and Path(journal).exists():
        with open_findings(Path(journal), _subject(board, position)):
            pass


def journal_beside(path: str | os.PathLike[str]) -> Path | None:
    """Return where a certificate has its journal; ``None`` beside a device or a pipe."""
    target = Path(path)
    if target.exists() and not target.is_file():
        return None
    return target.with_name(f"{target.name}.part")


def _opened(target: str | os.PathLike[str] | BinaryIO) -> AbstractContextManager[BinaryIO]:
    if isinstance(target, (str, os.PathLike)):
        return atomic_write(target)
    return nullcontext(target)


def _subject(board: Board, position: Position) -> str:
    return f"{board.name} {board.text(position.stones)} {'xo'[position.turn]}"


def _write(
    board: Board,
    position: Position,
    solver: Solver,
    stream: BinaryIO,
    plans: PlanFinder | None,
    findings: Findings,
) -> Written:
    digest, size, theorems = hashlib.sha256(), 0, 0

    def put(text: str) -> None:
        nonlocal size
        line = f"{text}\n".encode("ascii")
        digest.update(line)
        size += stream.write(line)

    put(TITLE)
    put(f"game {board.name}")
    put(f"position {board.text(position.stones)} {'xo'[position.turn]}")
    outcome: Result = "win" if solver.reaches(position, 1) else "loss"
    if outcome == "loss" and solver.reaches(position, 0):
        outcome = "draw"
    put(f"claim {outcome}")
    provers = {"win": [position.turn], "draw": [0, 1], "loss": [1 - position.turn]}[outcome]
    for prover in provers:
        put(f"proof {'XO'[prover]} {'does not lose' if outcome == 'draw' else 'wins'}")
        goal = Goal(prover, outcome != "draw")
        for theorem in Proof(board, solver, goal, plans, findings).theorems(position):
            put(theorem)
            theorems += 1
    put(f"end {theorems} sha256 {digest.hexdigest()}")
    return Written(outcome, theorems, size)


def board_for(rules: Rules) -> Board:
    """Return a game as bit boards.

    Raises:
        InvalidVariant: there are no certificates for these rules.
    """
    inner = without_misere(rules)
    if type(inner) is not LineRules:
        raise InvalidVariant(
            "{kind} rules have no certificates",
            "certificate_rules",
            kind=type(inner).__name__,
        )
    if inner.exact:
        raise InvalidVariant("lines of an exact length have no certificates", "certificate_exact")
    if inner.topology != PLANE:
        raise InvalidVariant("only games on flat boards have certificates", "certificate_topology")
    return Board(inner, isinstance(rules, Misere))
