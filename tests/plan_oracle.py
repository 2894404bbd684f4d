"""A second checker of plans, apart from the first: cells in a dictionary, and every game played.

It shares no line with `certificate_check`: it takes no short cuts where the opponent is threatened,
and finds lines by walking over the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Cell = tuple[int, int]  # row from the top, column
Board = Mapping[Cell, str]


class PlanOracle:
    """A game as certificates name it, without misère play."""

    def __init__(self, game: str) -> None:
        columns, rows, length, *flags = game.split(",")
        self.columns, self.rows, self.length = int(columns), int(rows), int(length)
        self.gravity = "gravity" in flags

    def read(self, text: str) -> tuple[dict[Cell, str], list[Cell]]:
        """Return the marks of a plan as a certificate has it, and the other cells in its order."""
        signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWYZ0123456789"
        marks: dict[Cell, str] = {}
        wanted: list[tuple[int, Cell]] = []
        for row, line in enumerate(text.split("/")):
            for column, sign in enumerate(line):
                if sign in "XO":
                    marks[row, column] = sign
                else:
                    wanted.append((signs.index(sign), (row, column)))
        return marks, [cell for _, cell in sorted(wanted)]

    def holds(self, text: str, prover: str, *, must_win: bool) -> bool:
        """Return whether the prover, to move, reaches the goal by a plan in every game."""
        marks, wanted = self.read(text)
        seen: set[frozenset[tuple[Cell, str]]] = set()
        todo = [marks]
        while todo:
            board = todo.pop()
            if (key := frozenset(board.items())) in seen:
                continue
            seen.add(key)
            playable = [*self._playable(board)]
            if not playable:
                if must_win:
                    return False
                continue
            answer = self._answer(board, playable, wanted, prover)
            if answer is None:
                return False
            after = {**board, answer: prover}
            if self._has_line(after, answer):
                continue
            replies = [*self._playable(after)]
            if not replies and must_win:
                return False
            for reply in replies:
                then = {**after, reply: _other(prover)}
                if self._has_line(then, reply):
                    return False
                todo.append(then)
        return True

    def _answer(
        self, board: Board, playable: Sequence[Cell], wanted: Sequence[Cell], prover: str
    ) -> Cell | None:
        for mark in (prover, _other(prover)):
            for cell in playable:
                if self._has_line({**board, cell: mark}, cell):
                    return cell
        for cell in wanted:
            above = cell[0] - 1, cell[1]
            poisoned = (
                self.gravity
                and above[0] >= 0
                and self._has_line({**board, above: _other(prover)}, above)
            )
            if cell in playable and not poisoned:
                return cell
        return None

    def _playable(self, board: Board) -> Iterator[Cell]:
        for row in range(self.rows):
            for column in range(self.columns):
                below = row + 1, column
                if (row, column) not in board and (
                    not self.gravity or row == self.rows - 1 or below in board
                ):
                    yield row, column

    def _has_line(self, board: Board, cell: Cell) -> bool:
        """Return whether the mark in a cell is part of a line."""
        mark = board[cell]
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            count = 1
            for sign in (1, -1):
                row, column = cell[0] + sign * down, cell[1] + sign * right
                while board.get((row, column)) == mark:
                    count += 1
                    row, column = row + sign * down, column + sign * right
            if count >= self.length:
                return True
        return False


def _other(mark: str) -> str:
    return "O" if mark == "X" else "X"
