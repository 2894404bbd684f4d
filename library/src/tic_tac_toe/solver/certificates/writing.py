"""Writes proof certificates.

A file depends on the position only and not on the solver: any exact one leads to the same.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator
from typing import BinaryIO, NamedTuple

from tic_tac_toe.atomic_file import atomic_write
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere, without_misere
from tic_tac_toe.logic.rules.topology import PLANE
from tic_tac_toe.logic.search.scores import Result
from tic_tac_toe.logic.search.verdict import Solver
from tic_tac_toe.solver.certificates.reasons import Board

TITLE = "tic-tac-toe certificate 1"

#: The answers tried, unless none of them reaches the goal; the best is the one that leaves the
#: fewest positions to prove.
ANSWERS_TRIED = 8

Key = tuple[int, int]


class Written(NamedTuple):
    """What a certificate says, for the side to move, and how many theorems and bytes it has."""

    outcome: Result
    theorems: int
    size: int


def write_certificate(
    rules: Rules, position: Position, solver: Solver, target: str | os.PathLike[str] | BinaryIO
) -> Written:
    """Write a proof of what a position is worth.

    Args:
        rules: a line game or its misère play, without lines of an exact length.
        solver: an exact one for these rules. It is asked for outcomes only, never for distances.
        target: a path, where the file appears whole or not at all, or a stream of bytes.

    Raises:
        InvalidVariant: there are no certificates for these rules.
        InvalidGameState: no game by them comes to the position.
        SearchLimitReached: the solver has a limit and it was reached.
        OSError: the file cannot be written.
    """
    board = _board(rules)
    rules.validate(position)
    if isinstance(target, (str, os.PathLike)):
        with atomic_write(target) as stream:
            return _write(board, position, solver, stream)
    return _write(board, position, solver, target)


def _write(board: Board, position: Position, solver: Solver, stream: BinaryIO) -> Written:
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
        for theorem in _Proof(board, solver, prover, outcome != "draw").theorems(position):
            put(theorem)
            theorems += 1
    put(f"end {theorems} sha256 {digest.hexdigest()}")
    return Written(outcome, theorems, size)


def _board(rules: Rules) -> Board:
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


class _Proof:
    """The way of one side to one goal, from wherever the opponent's replies lead.

    Args:
        prover: 0 for cross, 1 for naught.
        must_win: whether the goal is to win; else it is not to lose.
    """

    def __init__(self, board: Board, solver: Solver, prover: int, must_win: bool) -> None:
        self._board, self._solver = board, solver
        self._prover, self._must_win = prover, must_win
        self._planned: set[Key] = set()

    def theorems(self, position: Position) -> Iterator[str]:
        """Yield the theorems, each after those that it rests on (depth first, in post-order)."""
        own, other = self._sides(position.stones)
        if self._board.rules.outcome(position) is not None:
            return
        if position.turn == self._prover:
            needed = {self._board.canonical(own, other)}
        else:
            needed = self._needed(own, other)
        self._planned = set(needed)
        written: set[Key] = set()
        stack: list[tuple[Key, str]] = [(key, "") for key in sorted(needed)]
        while stack:
            key, theorem = stack.pop()
            if theorem:
                yield theorem
                written.add(key)
            elif key not in written:
                theorem, needed = self._theorem(*key)
                self._planned |= needed
                stack.append((key, theorem))
                stack += [(next_key, "") for next_key in sorted(needed - written)]

    def _theorem(self, own: int, other: int) -> tuple[str, set[Key]]:
        """Return what to answer in a position, and the positions that this leaves to prove."""
        board = self._board
        best: tuple[int, int, set[Key]] | None = None
        for tried, cell in enumerate(self._answers(own, other)):
            if best is not None and tried >= ANSWERS_TRIED:
                break
            after = own | 1 << cell
            if board.rules.has_line(after):
                return self._line(own, other, cell), set()
            reason = board.reason(after, other, self._must_win)
            if reason is None and not self._reaches_goal(after, other):
                continue
            if reason is None and not self._must_win:
                reason = board.pairs(after, other)
            if reason is not None:
                return self._line(own, other, cell, reason), set()
            needed = self._needed(after, other)
            more = len(needed - self._planned)
            if best is None or more < best[0]:
                best = more, cell, needed
            if not more:
                break
        if best is None:
            raise RuntimeError("the solver contradicts itself")
        return self._line(own, other, best[1]), best[2]

    def _answers(self, own: int, other: int) -> Collection[int]:
        """Return the cells worth trying, the likely best first."""
        board = self._board
        playable = board.playable(own | other)
        cells = board.layout.cells(playable)
        if board.misere:
            safe = [cell for cell in cells if not board.rules.has_line(own | 1 << cell)]
            return sorted(safe, key=lambda cell: self._promise(own | 1 << cell, other))
        if urgent := board.completing(own, playable) or board.completing(other, playable):
            return board.layout.cells(urgent)
        return sorted(cells, key=lambda cell: self._promise(own | 1 << cell, other))

    def _promise(self, own: int, other: int) -> tuple[bool, int]:
        """Return how little an answer promises, from the position after it; the least comes first.

        What weighs is the lines that must not be completed, and to win those that must be.
        """
        board = self._board
        bad, good = (own, other) if board.misere else (other, own)
        if not self._must_win:
            return False, 100 * board.weight(bad, good) - board.weight(good, bad)
        threat = not board.misere and board.completing(own, board.playable(own | other))
        return not threat, 3 * board.weight(bad, good) - 10 * board.weight(good, bad)

    def _reaches_goal(self, own: int, other: int) -> bool:
        """Return what the solver says where the opponent is to move."""
        position = Position(self._sides((own, other)), 1 - self._prover)
        return not self._solver.reaches(position, 0 if self._must_win else 1)

    def _needed(self, own: int, other: int) -> set[Key]:
        """Return the positions after each reply, but for those that need no theorem."""
        board, needed = self._board, set()
        for cell in board.layout.cells(board.playable(own | other)):
            after = other | 1 << cell
            if board.rules.has_line(after):
                if not board.misere:
                    raise RuntimeError("the solver contradicts itself")
                continue
            playable = board.playable(own | after)
            if playable and (board.misere or not board.completing(own, playable)):
                needed.add(board.canonical(own, after))
        return needed

    def _line(self, own: int, other: int, answer: int, reason: str = "") -> str:
        board = self._board
        words = board.text(self._sides((own, other))), cell_name(board.rules.shape, answer), reason
        return " ".join(filter(None, words))

    def _sides(self, stones: Key) -> Key:
        """Return crosses and naughts from the prover's marks and the other's, or the reverse."""
        return (stones[1], stones[0]) if self._prover else stones
