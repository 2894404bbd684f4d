"""Why a position needs no search: strategies that a few lines of arithmetic can see.

A reason is looked for where the prover has just moved and the opponent is to reply. It is found as
`tic_tac_toe.certificate_check` reads it; there it says, too, why each is a proof, and from whom it
is. Sets of cells are bit boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.shapes import Layout, layout
from tic_tac_toe.solver.certificates.plans import signs_of
from tic_tac_toe.solver.theory import find_pairs


class Board:
    """A game of lines and what reasons and proofs ask of it.

    Args:
        rules: without misère play, and without lines of an exact length.
        misere: whether who completes a line loses.
    """

    def __init__(self, rules: LineRules, misere: bool) -> None:
        columns = rules.shape.columns
        self.rules: LineRules = rules
        self.misere: bool = misere
        self.gravity: bool = rules.gravity
        self.layout: Layout = layout(rules.shape)
        self.full: int = self.layout.full
        self.lines: tuple[int, ...] = tuple(dict.fromkeys(line.mask for line in rules.lines.places))
        self._floor = self.full & ~(self.full >> columns) if rules.gravity else self.full
        column = self.full // ((1 << columns) - 1)
        self._columns = [column << i for i in range(columns)]

    @property
    def name(self) -> str:
        """The game as a certificate has it: columns, rows, length and flags."""
        rows, columns = self.rules.shape
        flags = ",gravity" * self.gravity + ",misere" * self.misere
        return f"{columns},{rows},{self.rules.length}{flags}"

    def text(self, stones: tuple[int, int]) -> str:
        """Return crosses and naughts as rows from the top."""
        rows, columns = self.rules.shape
        signs = [
            ".XO"[(stones[0] >> i & 1) + 2 * (stones[1] >> i & 1)] for i in range(rows * columns)
        ]
        return "/".join("".join(signs[i : i + columns]) for i in range(0, len(signs), columns))

    def plan(self, stones: tuple[int, int], order: Sequence[int]) -> str:
        """Return a position and a plan, with as few signs as it takes.

        Args:
            order: the empty cells, the one that is wanted most first.
        """
        signs = signs_of(order)
        text = iter(self.text(stones).replace("/", ""))
        columns = self.rules.shape.columns
        marks = [signs.get(cell, mark) for cell, mark in enumerate(text)]
        return "/".join("".join(marks[i : i + columns]) for i in range(0, len(marks), columns))

    def canonical(self, own: int, other: int) -> tuple[int, int]:
        """Return one position for all that are the same but for a turn or a mirror."""
        return self.rules.canonical(Position((own, other))).stones

    def playable(self, occupied: int) -> int:
        """Return the cells that a mark may enter."""
        return (self._floor | occupied >> self.rules.shape.columns) & ~occupied

    def completing(self, stones: int, playable: int) -> int:
        """Return the playable cells where one more mark completes a line."""
        cells = 0
        for line in self.lines:
            missing = line & ~stones
            if missing & playable == missing and not missing & (missing - 1):
                cells |= missing
        return cells

    def weight(self, stones: int, enemies: int) -> int:
        """Return the weight of one side's open lines; a complete one weighs 2 ** length."""
        return sum(1 << (line & stones).bit_count() for line in self.lines if not line & enemies)

    def reason(self, own: int, other: int, must_win: bool) -> str | None:
        """Return a reason that is quickly seen, if there is one; `pairs` takes longer.

        Args:
            own: the marks of the prover, who has just moved and completed no line.
            other: those of the opponent, who is to move.
            must_win: whether the prover is to win; else he is not to lose.
        """
        if not must_win and self._is_closed(own, other):
            return "closed"
        if self.misere:
            return None
        if self.gravity:
            return self._follow(own, other, must_win)
        return "potential" if not must_win and self.is_light(own, other) else None

    def pairs(self, own: int, other: int) -> str | None:
        """Return the reason ``pairs``, if such pairs are found; the prover is not to lose."""
        if self.gravity:
            return None
        owner, rival = (own, other) if self.misere else (other, own)
        found = find_pairs(line & ~owner for line in self.lines if not line & rival)
        return None if found is None else self._named("pairs", found)

    def is_light(self, own: int, other: int) -> bool:
        """Return whether the opponent's lines weigh less than a complete one after each reply."""
        total, through = 0, dict.fromkeys(self.layout.cells(self.full & ~(own | other)), 0)
        for line in self.lines:
            if not line & own:
                weight = 1 << (line & other).bit_count()
                total += weight
                for cell in self.layout.cells(line & ~other):
                    through[cell] += weight
        return total + max(through.values(), default=0) < 1 << self.rules.length

    def _is_closed(self, own: int, other: int) -> bool:
        """Return whether the lines that matter, in misère play the prover's, stay incomplete."""
        owner, rival = (own, other) if self.misere else (other, own)
        empty = (self.full & ~(own | other)).bit_count()
        moves = (empty + (not self.misere)) // 2  # that the owner has left
        return not any(
            not line & rival and (line & ~owner).bit_count() <= moves for line in self.lines
        )

    def _follow(self, own: int, other: int, must_win: bool) -> str | None:
        empty = self.full & ~(own | other)
        if empty.bit_count() % 2:
            return None
        upper = lowest = 0
        for column in self._columns:
            cells = self.layout.cells(column & empty)  # ascending: from the top
            if len(cells) % 2:
                lowest |= 1 << cells.pop()
            upper |= sum(1 << cell for cell in cells[::2])
        sure = own | upper
        if must_win and not any(line & sure == line for line in self.lines):
            return None
        found = find_pairs(line & lowest for line in self.lines if not line & sure)
        if found is None:
            return None
        left = self.layout.cells(lowest & ~sum(found))
        found += [1 << one | 1 << two for one, two in zip(left[::2], left[1::2])]
        return self._named("follow", found)

    def _named(self, reason: str, pairs: Iterable[int]) -> str:
        """Return a reason with its pairs, as A1-B2."""
        shape = self.rules.shape
        names = ("-".join(cell_name(shape, one) for one in self.layout.cells(two)) for two in pairs)
        return " ".join([reason, *names])
