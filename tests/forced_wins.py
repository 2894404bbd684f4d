"""A slow oracle for forced wins, which asks the rules alone; and the set of positions made with it.

`data/forced-positions.txt.gz` is written by ``python -m tools.forced_positions``. Each line is::

    VARIANT KIND MOVES ANSWERS

A cell is two letters, its row and its column, each counted from ``a``. Moves are in order, X first.
The kinds are ``win`` (win in one), ``four`` (stop a win in one), ``three`` (stop an open three) and
``fours`` (win by continuous fours in at most nine plies). The answers are all that are right: of
``win`` all that win, of ``four`` and ``three`` all but those that lose to fours, of ``fours`` all
that begin a win by fours.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS

FILE = Path(__file__).parent / "data" / "forced-positions.txt.gz"


class Puzzle(NamedTuple):
    """A position with all right answers."""

    variant: str
    kind: str
    cells: tuple[int, ...]
    answers: tuple[int, ...]

    @property
    def rules(self) -> Rules:
        return VARIANTS[self.variant]

    @property
    def position(self) -> Position:
        return played(self.rules, self.cells)

    @property
    def line(self) -> str:
        """The text of the file."""
        columns = self.rules.shape.columns
        texts = (_letters(cells, columns) for cells in (self.cells, self.answers))
        return " ".join([self.variant, self.kind, *texts])


def puzzles() -> list[Puzzle]:
    """Return all positions of the file."""
    found = []
    for line in gzip.decompress(FILE.read_bytes()).decode("ascii").splitlines():
        variant, kind, *texts = line.split()
        columns = VARIANTS[variant].shape.columns
        cells, answers = (_cells(text, columns) for text in texts)
        found.append(Puzzle(variant, kind, cells, answers))
    return found


def played(rules: Rules, cells: tuple[int, ...]) -> Position:
    position = Position()
    for cell in cells:
        position = rules.play(position, cell)
    return position


def wins_in_one(rules: Rules, position: Position) -> list[int]:
    """Return the moves with which the side to move completes a line."""
    return [move for move in rules.moves(position) if _wins(rules, position, move)]


def stops_in_one(rules: Rules, position: Position) -> list[int]:
    """Return the moves after which the other side cannot complete a line at once.

    A mark gives the other side no new cell to win with, so that only those are tried again.
    """
    hopes = wins_in_one(rules, position._replace(turn=1 - position.turn))
    after = {move: rules.play(position, move) for move in rules.moves(position)}
    return [
        move
        for move, here in after.items()
        if not any(hope != move and _wins(rules, here, hope) for hope in hopes)
    ]


def is_won(
    rules: Rules,
    position: Position,
    plies: int,
    choose: Callable[[Rules, Position], int | None],
) -> bool:
    """Return whether a way to choose moves wins in so many plies, against every defence."""
    move = choose(rules, position)
    if move is None or plies < 1:
        return False
    if _wins(rules, position, move):
        return True
    after = rules.play(position, move)
    answers = rules.moves(after)
    if not answers:
        return False
    passed = after._replace(turn=position.turn)
    hopes = wins_in_one(rules, passed)
    for answer in answers:
        if _wins(rules, after, answer):
            return False
        here = rules.play(after, answer)
        if plies > 2 and any(hope != answer and _wins(rules, here, hope) for hope in hopes):
            continue
        if not is_won(rules, here, plies - 2, choose):
            return False
    return True


def _wins(rules: Rules, position: Position, move: int) -> bool:
    outcome = rules.outcome(rules.play(position, move))
    return outcome is not None and outcome.winner == position.turn


def _letters(cells: tuple[int, ...], columns: int) -> str:
    return "".join(chr(97 + cell // columns) + chr(97 + cell % columns) for cell in cells)


def _cells(text: str, columns: int) -> tuple[int, ...]:
    return tuple(
        (ord(row) - 97) * columns + ord(column) - 97 for row, column in zip(text[::2], text[1::2])
    )
