"""Plans under gravity, found in plain Python, and what can be said of one in a sentence.

A plan is an order of the empty cells; `tic_tac_toe.certificate_check` has the rules that the prover
plays by. The search begins with every other row (see `solver.certificates.plan_search`, which is
compiled and asks an exact solver). Here a plan that fails is mended without a solver: on the path
to the failure, from its end, it finds a turn at which another answer followed by the same plan
reaches the goal, and puts that answer right before the cells that were wanted more. That may spoil
other lines of play, which fail and are mended in turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tic_tac_toe.solver.certificates.plans import cells_by, ranks_of
from tic_tac_toe.solver.certificates.proving import Board

#: How much of a start order is left to chance, in rows; and the changes to an order until the
#: search starts again.
NOISE, STEPS = 0.35, 60
#: How often a cell moves to a place at random.
ANYWHERE = 0.1
#: The most positions that a plan may lead through. Longer ones are seldom found.
LONGEST_PLAN = 5_000
#: The same where rows are played out, of which the prover may take any cell.
LONGEST_BY_ROWS = 1_000
#: How many positions it takes as long to play out as to change an order.
CHANGE = 20


class Zugzwang(NamedTuple):
    """The opponent has to play under one of these cells, where the prover then completes a line.

    So ends every line of play in which the opponent stops each line as long as that is possible,
    and does not play under a completing cell as long as there is something else to play.
    """

    cells: tuple[int, ...]


class Parity(NamedTuple):
    """The prover reaches the goal with any cell of every other row, as long as there is one.

    Besides, the prover completes and stops lines, and does not play under a completing cell of the
    opponent; where the rows have no such cell, any other one will do.

    Attributes:
        odd: whether they are the rows 1, 3, 5 ... from the bottom; else 2, 4, 6 ...
    """

    odd: bool


def find_plan(
    board: Board, own: int, other: int, must_win: bool, effort: int, first: int | None = None
) -> tuple[int, ...] | None:
    """Return a plan as the empty cells, most wanted first; ``None`` if none is found.

    The same arguments have the same answer. ``certificate_check`` accepts it as `Board.plan`
    writes it.

    Args:
        board: a game with gravity, without misère play.
        own, other: the marks of the prover, who is to move, and of the opponent.
        must_win: whether the prover is to win; else not to lose.
        effort: the most positions to play out.
        first: the cell that the prover is to take now; by default whichever the plan wants.

    Raises:
        ValueError: the game has no plans.

    Example:
        >>> from tic_tac_toe.logic.rules.catalogue import find_rules
        >>> from tic_tac_toe.logic.rules.line import LineRules
        >>> rules = find_rules("mnk:4,3,3,gravity")
        >>> assert isinstance(rules, LineRules)
        >>> board = Board(rules, misere=False)
        >>> plan = find_plan(board, 0, 0, must_win=True, effort=1_000)
        >>> board.plan((0, 0), plan or ())
        'bbbb/baab/baaa'
    """
    if not board.gravity or board.misere:
        raise ValueError("plans need gravity, and no misère play")
    return _Search(_Play(board, own, other, must_win), effort, first).run()


def describe(
    board: Board, own: int, other: int, must_win: bool, plan: Sequence[int]
) -> Zugzwang | Parity | None:
    """Return what can be said in one sentence of a plan, or of rows that do without it.

    Args:
        plan: as `find_plan` returns it. What is said is about the answer that it begins with.

    Returns:
        ``None`` if there is nothing that is true in every line of play, if the prover has a line to
        complete now, or if the plan leads through too many positions to look at all.
    """
    play = _Play(board, own, other, must_win)
    order = [1 << cell for cell in plan]
    played = _Played(play, order, play.root)
    if played.failure is not None or not played.turns:
        return None
    cells = board.layout.cells(_under(played.turns, play.columns))
    if must_win and 1 <= len(cells) <= 2:
        return Zugzwang(tuple(cells))
    answer = played.answers(play.root)
    for odd in (True, False):
        rows = sum(cell for cell in order if play.is_odd(cell) == odd)
        by_rows = [rows, sum(order) ^ rows]
        if _Played(play, by_rows, play.root, answer, LONGEST_BY_ROWS).failure is None:
            return Parity(odd)
    return None


#: A position with the prover to move: the marks of the prover and of the opponent, the cells that
#: may be entered, and those that complete a line of the prover and of the opponent.
_Node = tuple[int, int, int, int, int]


def _under(turns: Iterable[tuple[int, int]], columns: int) -> int:
    """Return the cells under which the opponent has to play in the end; 0 if it ends otherwise."""
    cells = 0
    for replies, wins in turns:
        if not replies:
            return 0
        above = replies >> columns
        if above & wins == above and above << columns == replies:
            cells |= above
    return cells


class _Side:
    """The lines that are open to one side at the beginning.

    Attributes:
        now: the cells that complete one.
    """

    def __init__(self, board: Board, marks: int, enemies: int) -> None:
        lacking = {line & ~marks for line in board.lines if not line & enemies}
        self.now: int = sum(cells for cells in lacking if not cells & (cells - 1))
        #: For each cell the others that each of its lines lacks.
        self._rests: dict[int, list[int]] = {}
        for cells in lacking:
            for cell in board.layout.cells(cells):
                self._rests.setdefault(1 << cell, []).append(cells ^ 1 << cell)

    def after(self, completing: int, marks: int, cell: int) -> int:
        """Return the cells that complete a line, taken or not, from those before a cell was taken.

        Args:
            marks: of this side, with the cell.
        """
        for rest in self._rests.get(cell, ()):
            missing = rest & ~marks
            if not missing & (missing - 1):
                completing |= missing
        return completing


class _Play:
    """Where plans of one prover are played out: a position, and the lines that are open there."""

    def __init__(self, board: Board, own: int, other: int, must_win: bool) -> None:
        self.rows, self.columns = board.rules.shape
        self.must_win: bool = must_win
        self.cells: list[int] = [1 << i for i in board.layout.cells(board.full & ~(own | other))]
        self.own, self.other = _Side(board, own, other), _Side(board, other, own)
        playable = board.playable(own | other)
        self.root: _Node = own, other, playable, self.own.now, self.other.now

    def is_odd(self, cell: int) -> bool:
        """Return whether a cell is in row 1, 3, 5 ... from the bottom."""
        return (self.rows - (cell.bit_length() - 1) // self.columns) % 2 == 1


class _Played:
    """A plan that is played out against every reply, until it fails or has reached the goal.

    Args:
        order: the cells, most wanted first. An item may be several cells: then each of them that
            may be entered has to reach the goal.
        root: where to begin.
        answer: the cell that the prover takes first, whatever the plan wants.
        longest: the most positions.

    Attributes:
        positions: how many it was played through.
        turns: those of the opponent: the replies, and the cells that complete a line of the prover.
            The replies are those that stop a line if there is one to stop, else all; none if there
            are several lines to stop, or the board is full.
        failure: where it failed and the nodes that led there, the last one first; empty if there
            were too many positions; ``None`` if it holds.
    """

    def __init__(
        self,
        play: _Play,
        order: Sequence[int],
        root: _Node,
        answer: int = 0,
        longest: int = LONGEST_PLAN,
    ) -> None:
        self._order, self._longest, self._columns = order, longest, play.columns
        self._must_win, self._own, self._other = play.must_win, play.own, play.other
        self._seen = set[tuple[int, int]]()
        self._wanted: dict[int, int] = {}
        self.turns: list[tuple[int, int]] = []
        self.failure: list[_Node] | None = None
        if not root[3] & (answer or root[2]):
            self._seen.add(root[:2])
            self.failure = self._failure(root, answer)
        self.positions: int = len(self._seen)

    def answers(self, node: _Node) -> int:
        """Return the cells with which the prover may answer by the plan; none if it fails."""
        _, _, playable, _, losses = node
        if forced := losses & playable:
            return 0 if forced & (forced - 1) else forced
        safe = playable & ~(losses << self._columns)
        if safe not in self._wanted:
            self._wanted[safe] = next((cells & safe for cells in self._order if cells & safe), 0)
        return self._wanted[safe]

    def _failure(self, node: _Node, answers: int) -> list[_Node] | None:
        if len(self._seen) > self._longest:
            return []
        seen, columns = self._seen, self._columns
        before, other, empty, wins, losses = node
        answers = answers or self.answers(node)
        while True:
            answer = answers & -answers
            answers ^= answer
            playable = empty ^ answer | answer >> columns
            if not answer or playable & losses or (self._must_win and not playable):
                return [node]
            own = before | answer
            ways = self._own.after(wins, own, answer)
            threats = ways & playable
            replies = 0 if threats & (threats - 1) else threats or playable
            self.turns.append((replies, ways))
            while replies:
                reply = replies & -replies
                replies ^= reply
                above, after = reply >> columns, other | reply
                if ways & above or (own, after) in seen:
                    continue
                seen.add((own, after))
                entered = playable ^ reply | above
                if entered or self._must_win:
                    dangers = self._other.after(losses, after, reply)
                    path = self._failure((own, after, entered, ways, dangers), 0)
                    if path is not None:
                        return path and [*path, node]
            if not answers:
                return None


class _Search:
    """Looks for a plan until its effort is used up."""

    def __init__(self, play: _Play, effort: int, first: int | None) -> None:
        self._play, self._left = play, effort
        self._first = 0 if first is None else 1 << first
        own, other, *_ = play.root
        self._rng = random.Random(own << play.rows * play.columns | other)
        self._begins = (own | other).bit_count() % 2 == 0
        #: The positions in which the prover does not reach the goal, whatever the plan.
        self._lost: set[tuple[int, int]] = set()

    def run(self) -> tuple[int, ...] | None:
        """Return a plan, or ``None``."""
        order, root = self._start(0.0), self._play.root
        while self._left > 0:
            for _ in range(STEPS):
                failure = self._try(order, root, self._first).failure
                if failure is None:
                    return self._merged([cell.bit_length() - 1 for cell in order])
                self._left -= CHANGE
                if not failure or self._left <= 0:
                    break
                turns = self._faults(order, failure)
                if not turns:
                    return None
                order = self._changed(order, turns)
            order = self._start(NOISE)
        return None

    def _start(self, noise: float) -> list[int]:
        """Return an order to begin with: every other row first, from the top left."""
        rng, is_odd = self._rng, self._play.is_odd
        keys = {
            cell: (cell != self._first, (is_odd(cell) != self._begins) + rng.gauss(0, noise))
            for cell in self._play.cells
        }
        return sorted(keys, key=keys.__getitem__)

    def _try(self, order: Sequence[int], root: _Node, answer: int) -> _Played:
        played = _Played(self._play, order, root, answer, min(LONGEST_PLAN, max(0, self._left)))
        self._left -= played.positions
        return played

    def _faults(self, order: Sequence[int], failure: Sequence[_Node]) -> list[tuple[int, int]]:
        """Return turns of a failing path: the cells that may be right there, and all safe ones.

        That is the last turn at which another answer is found to be right; where there is none, all
        turns, the last one first. If there are no turns at all there is no plan.
        """
        columns, turns = self._play.columns, list[tuple[int, int]]()
        for node in failure[: -1 if self._first else None]:
            own, other, playable, _, losses = node
            safe = 0 if losses & playable else playable & ~(losses << columns)
            made = next((cell for cell in order if cell & safe), 0)
            others = [
                cell for cell in order if cell & safe & ~made and not self._is_lost(node, cell)
            ]
            right = sum(cell for cell in others if self._try(order, node, cell).failure is None)
            if others:
                turns.append((right or sum(others), safe))
            elif not turns:
                self._lost.add((own, other))
            if right:
                return turns[-1:]
        return turns

    def _is_lost(self, node: _Node, answer: int) -> bool:
        """Return whether a reply to an answer is known to be too good for the prover."""
        own, other, playable, _, losses = node
        above = answer >> self._play.columns
        own |= answer
        replies = playable ^ answer | above
        if above & losses:
            return True
        while replies:
            reply = replies & -replies
            replies ^= reply
            if (own, other | reply) in self._lost:
                return True
        return False

    def _changed(self, order: Sequence[int], turns: Sequence[tuple[int, int]]) -> list[int]:
        """Return an order in which a cell that may be right at a turn is wanted more."""
        rng = self._rng
        right, safe = rng.choice(turns)
        chosen = rng.choice([cell for cell in order if cell & right])
        to = next(i for i, cell in enumerate(order) if cell & safe)
        if rng.random() < ANYWHERE:
            to = rng.randrange(1 if self._first else 0, len(order))
        rest = [cell for cell in order if cell != chosen]
        return [*rest[:to], chosen, *rest[to:]]

    def _merged(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Return a plan like this with fewer ranks (see `ranks_of`), which is easier to read."""
        ranks, rank = ranks_of(cells), 0
        while rank < max(ranks.values(), default=0) and self._left > 0:
            merged = {cell: each - (each > rank) for cell, each in ranks.items()}
            order = [1 << cell for cell in cells_by(merged)]
            keeps_first = not self._first or order[0] == self._first
            if keeps_first and self._try(order, self._play.root, self._first).failure is None:
                ranks = merged
            else:
                rank += 1
        return cells_by(ranks)
