"""An oracle for games in which both players place either letter; it knows nothing of the project.

It is told a number of plies and answers whether a win can be forced within them. Boards are pairs
of numbers, a bit for each cell: the crosses and the naughts.
"""

from __future__ import annotations

from collections.abc import Iterator

Board = tuple[int, int]


class LetterGame:
    """A board of cells, and what is a line on it.

    Args:
        misere: who makes a line loses.
    """

    def __init__(self, columns: int, rows: int, length: int, *, misere: bool = False) -> None:
        self.cells = columns * rows
        self.misere = misere
        self.lines = []
        for row in range(rows):
            for column in range(columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    steps = [(row + down * n, column + right * n) for n in range(length)]
                    if all(0 <= r < rows and 0 <= c < columns for r, c in steps):
                        self.lines.append(sum(1 << r * columns + c for r, c in steps))
        places = [divmod(cell, columns) for cell in range(self.cells)]
        images = []
        for down in (False, True):
            for right in (False, True):
                turned = [
                    (rows - 1 - r if down else r, columns - 1 - c if right else c)
                    for r, c in places
                ]
                images.append([r * columns + c for r, c in turned])
                if rows == columns:
                    images.append([c * columns + r for r, c in turned])
        self._tables = [_bytewise(image) for image in images]
        self._order: dict[Board, tuple[int, int]] = {}
        self._wins: dict[Board, tuple[int, int]] = {}
        self._losses: dict[Board, tuple[int, int]] = {}

    def order_wins(self, plies: int, board: Board = (0, 0)) -> bool:
        """Return whether Order, who began, can force a line of either player within some plies."""
        empty = self._empty(board)
        if plies <= 0 or not empty:
            return False
        is_order = (self.cells - empty.bit_count()) % 2 == 0
        first, second = self._completing(board)
        threats = first | second
        if is_order and (threats or plies < 3):
            return bool(threats)
        if not is_order and (first & second or threats & (threats - 1)):
            return plies >= 2 or empty == first & second
        key = self._key(board)
        low, high = self._order.get(key, (0, 1 << 9))  # disproved up to, proved from
        if plies <= low or plies >= high:
            return plies >= high
        # Chaos has to fill a cell that completes a line, with the other letter.
        among = empty if is_order or not threats else threats
        children = list(self._children(board, among))
        if is_order:
            children.sort(key=self._weight, reverse=True)
            found = any(self.order_wins(plies - 1, child) for child in children)
        else:
            quiet = (child for child in children if not self._has_line(child))
            found = all(self.order_wins(plies - 1, child) for child in quiet)
        self._order[key] = (low, plies) if found else (plies, high)
        return found

    def mover_wins(self, plies: int, board: Board = (0, 0)) -> bool:
        """Return whether the player to move can force a win of the wild game."""
        return self._ask(board, plies, self._wins, wants_win=True)

    def mover_loses(self, plies: int, board: Board = (0, 0)) -> bool:
        """Return whether the other player can force a win of the wild game."""
        return self._ask(board, plies, self._losses, wants_win=False)

    def _ask(
        self, board: Board, plies: int, known: dict[Board, tuple[int, int]], *, wants_win: bool
    ) -> bool:
        empty = self._empty(board)
        if plies <= 0 or not empty:
            return False
        first, second = self._completing(board)
        if not self.misere and first | second:
            return wants_win  # the player to move completes a line
        key = self._key(board)
        low, high = known.get(key, (0, 1 << 9))
        if plies <= low or plies >= high:
            return plies >= high
        quiet = (one for one in self._children(board, empty) if not self._has_line(one))
        if wants_win:
            found = any(self.mover_loses(plies - 1, child) for child in quiet)
        else:
            found = all(self.mover_wins(plies - 1, child) for child in quiet)
        known[key] = (low, plies) if found else (plies, high)
        return found

    def _empty(self, board: Board) -> int:
        return (1 << self.cells) - 1 & ~(board[0] | board[1])

    def _completing(self, board: Board) -> tuple[int, int]:
        """Return the cells in which a cross, and those in which a naught, completes a line."""
        found = [0, 0]
        for letter in (0, 1):
            own, other = board[letter], board[1 - letter]
            for line in self.lines:
                missing = line & ~own
                if not missing & (missing - 1) and not missing & other:
                    found[letter] |= missing
        return found[0], found[1]

    def _has_line(self, board: Board) -> bool:
        return any(line & board[0] == line or line & board[1] == line for line in self.lines)

    def _weight(self, board: Board) -> int:
        """Return a guess of how good a board is for who wants a line."""
        pairs = ((board[0], board[1]), (board[1], board[0]))
        return sum(
            1 << 2 * (line & own).bit_count()
            for line in self.lines
            for own, other in pairs
            if not line & other
        )

    def _children(self, board: Board, among: int) -> Iterator[Board]:
        for cell in range(self.cells):
            if among >> cell & 1:
                yield board[0] | 1 << cell, board[1]
                yield board[0], board[1] | 1 << cell

    def _key(self, board: Board) -> Board:
        """Return the smallest board that symmetry, or the exchange of letters, makes of one."""
        images = []
        for table in self._tables:
            crosses, naughts = (_moved(bits, table) for bits in board)
            images += [(crosses, naughts), (naughts, crosses)]
        return min(images)


def _bytewise(image: list[int]) -> list[list[int]]:
    """Return for each byte of a board the cells that its bits go to."""
    parts = [image[start : start + 8] for start in range(0, len(image), 8)]
    return [
        [sum(1 << cell for bit, cell in enumerate(part) if byte >> bit & 1) for byte in range(256)]
        for part in parts
    ]


def _moved(bits: int, table: list[list[int]]) -> int:
    return sum(part[bits >> 8 * number & 255] for number, part in enumerate(table))
