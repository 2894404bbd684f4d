"""Copying in misère play, judged apart from the checker: boards of signs, and every game played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

Cell = tuple[int, int]  # row from the top, column
Board = Mapping[Cell, str]
Image = Callable[[Cell], Cell]


class CopyOracle:
    """A flat board on which a side that completes a line loses.

    Attributes:
        images: the half turn, the reflections, and the quarter turns of a square.
    """

    def __init__(self, columns: int, rows: int, length: int) -> None:
        self.cells: list[Cell] = [(row, column) for row in range(rows) for column in range(columns)]
        self.columns, self.length = columns, length
        last, end = rows - 1, columns - 1
        self.images: list[Image] = [
            lambda at: (last - at[0], end - at[1]),
            lambda at: (at[0], end - at[1]),
            lambda at: (last - at[0], at[1]),
        ]
        if rows == columns:
            self.images += [
                lambda at: (at[1], at[0]),
                lambda at: (end - at[1], end - at[0]),
                lambda at: (at[1], end - at[0]),
                lambda at: (end - at[1], at[0]),
            ]

    def copied_boards(self) -> Iterator[tuple[int, dict[Cell, str]]]:
        """Yield boards on which the crosses are the images of the naughts, with the image's number.

        Cells that are their own images have marks of either side. No side has a line.
        """
        for number, image in enumerate(self.images):
            orbits = sorted({tuple(sorted({cell, image(cell)})) for cell in self.cells})
            if any(image(image(cell)) != cell for cell in self.cells):
                continue
            choices = [("XO", "OX", "..") if len(orbit) == 2 else ("X", "O") for orbit in orbits]
            for chosen in product(*choices):
                board = {
                    cell: mark
                    for orbit, marks in zip(orbits, chosen)
                    for cell, mark in zip(orbit, marks)
                }
                if "X" in board.values() and not any(self.loses(board, at) for at in self.cells):
                    yield number, board

    def never_loses(self, board: Board, image: Image) -> bool:
        """Return whether X, which answers each naught in its image, never completes a line first.

        False as well if the image of a free cell is not free, or the cell itself.
        """
        seen = set[str]()
        todo = [dict(board)]
        while todo:
            current = todo.pop()
            if (text := self.text(current)) in seen:
                continue
            seen.add(text)
            for cell in self.cells:
                if current[cell] != ".":
                    continue
                after = {**current, cell: "O"}
                if self.loses(after, cell):
                    continue
                if after[image(cell)] != ".":
                    return False
                after[image(cell)] = "X"
                if self.loses(after, image(cell)):
                    return False
                todo.append(after)
        return True

    def loses(self, board: Board, cell: Cell) -> bool:
        """Return whether the mark in a cell is part of a line."""
        mark = board[cell]
        if mark == ".":
            return False
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

    def text(self, board: Board) -> str:
        """Return a board as a certificate has it."""
        signs = "".join(board[cell] for cell in self.cells)
        return "/".join(signs[i : i + self.columns] for i in range(0, len(signs), self.columns))

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""
        return f"{chr(65 + cell[1])}{cell[0] + 1}"
