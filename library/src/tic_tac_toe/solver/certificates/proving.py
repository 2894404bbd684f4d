"""The theorems of a proof: what to answer in each position that the opponent's replies lead to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from tic_tac_toe.logic.notation import cell_name, parse_cell
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.exact import Solver
from tic_tac_toe.solver.certificates.journal import LEAF, NODE, NONE, Journal
from tic_tac_toe.solver.certificates.reasons import Board

#: The answers tried, unless none of them reaches the goal; the best is the one that leaves the
#: fewest positions to prove.
ANSWERS_TRIED = 8
#: The same where plans are looked for, which takes longer; and how many positions with a plan
#: weigh as much as one without.
ANSWERS_TRIED_WITH_PLANS, WEIGHT = 3, 100

#: A position with the prover to move: the marks of the prover, and of the opponent.
Key = tuple[int, int]


class Goal(NamedTuple):
    """What is to be proved.

    Attributes:
        prover: 0 for cross, 1 for naught.
        must_win: whether the prover is to win; else not to lose.
    """

    prover: int
    must_win: bool


class PlanFinder(Protocol):
    """Looks for plans, the same ones whenever it is asked."""

    def find(self, goal: Goal, keys: Sequence[Key]) -> Sequence[Sequence[int] | None]:
        """Return a plan for each position, as the empty cells, most wanted first, if it is found.

        Args:
            keys: positions in which the prover reaches the goal.
        """
        ...


class Proof:
    """The way of one side to one goal, from wherever the opponent's replies lead.

    Args:
        solver: an exact one.
        plans: what looks for plans; without, each theorem is about one position.
        journal: what has been found before, and what is found.
    """

    def __init__(
        self,
        board: Board,
        solver: Solver,
        goal: Goal,
        plans: PlanFinder | None = None,
        journal: Journal | None = None,
    ) -> None:
        self._board, self._solver, self._goal, self._plans = board, solver, goal, plans
        self._journal = Journal() if journal is None else journal
        self._prover, self._must_win = goal
        self._mark = "XO"[goal.prover]
        self._tried = ANSWERS_TRIED if plans is None else ANSWERS_TRIED_WITH_PLANS
        self._wanted: set[Key] = set()

    def theorems(self, position: Position) -> Iterator[str]:
        """Yield the theorems, each after those that it rests on (depth first, in post-order)."""
        own, other = self._sides(position.stones)
        if self._board.rules.outcome(position) is not None:
            return
        if position.turn == self._prover:
            needed = {self._board.canonical(own, other)}
        else:
            needed = self._needed(own, other)
        self._wanted = set(needed)
        written: set[Key] = set()
        stack: list[tuple[Key, str]] = [(key, "") for key in sorted(needed)]
        while stack:
            key, theorem = stack.pop()
            if theorem:
                yield theorem
                written.add(key)
            elif key not in written:
                theorem, needed = self._theorem(*key)
                self._wanted |= needed
                stack.append((key, theorem))
                stack += [(next_key, "") for next_key in sorted(needed - written)]

    def _theorem(self, own: int, other: int) -> tuple[str, set[Key]]:
        """Return a theorem about a position, and the positions that this leaves to prove."""
        text = self._text(own, other)
        if known := self._journal.leaf(self._mark, text):
            return known, set()
        if known := self._journal.node(self._mark, text):
            answer = parse_cell(self._board.rules.shape, known.split(" ")[1])
            return known, self._needed(own | 1 << answer, other)
        if self._plans is not None and (leaf := self._leaves({(own, other)})[own, other]):
            return leaf, set()
        theorem, needed = self._best(own, other)
        self._journal.note(f"{self._mark} {NODE if needed else LEAF} {theorem}")
        return theorem, needed

    def _best(self, own: int, other: int) -> tuple[str, set[Key]]:
        """Return the theorem with the answer that leaves the least to prove, and what it leaves."""
        board = self._board
        best: tuple[int, int, set[Key]] | None = None
        for tried, cell in enumerate(self._answers(own, other)):
            if best is not None and tried >= self._tried:
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
            more = self._effort(needed - self._wanted)
            if best is None or more < best[0]:
                best = more, cell, needed
            if not more:
                break
        if best is None:
            raise RuntimeError("the solver contradicts itself")
        return self._line(own, other, best[1]), best[2]

    def _effort(self, keys: set[Key]) -> int:
        """Return how much it takes to prove these positions."""
        if self._plans is None:
            return len(keys)
        return sum(1 if leaf else WEIGHT for leaf in self._leaves(keys).values())

    def _leaves(self, keys: Iterable[Key]) -> dict[Key, str]:
        """Return the theorems about positions that rest on no other ones; empty where none is."""
        assert self._plans is not None
        leaves: dict[Key, str] = {}
        for key in sorted(keys):
            known = self._journal.leaf(self._mark, self._text(*key))
            leaves[key] = self._with_reason(*key) if known is None else known
        rest = [
            key
            for key, leaf in leaves.items()
            if not leaf and self._journal.leaf(self._mark, self._text(*key)) is None
        ]
        for key, order in zip(rest, self._plans.find(self._goal, rest)):
            if order is not None:
                leaves[key] = self._board.plan(self._sides(key), order)
        for key in rest:
            word, text = (LEAF, leaves[key]) if leaves[key] else (NONE, self._text(*key))
            self._journal.note(f"{self._mark} {word} {text}")
        return leaves

    def _with_reason(self, own: int, other: int) -> str:
        """Return a theorem with a reason that is quickly seen, if there is one; else nothing."""
        for cell in self._answers(own, other):
            reason = self._board.reason(own | 1 << cell, other, self._must_win)
            if reason is not None:
                return self._line(own, other, cell, reason)
        return ""

    def _text(self, own: int, other: int) -> str:
        return self._board.text(self._sides((own, other)))

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
