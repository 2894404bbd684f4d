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
from collections.abc import Iterable, Mapping, Sequence
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
        ``None`` if there is nothing that is true in every line of play, or if the prover has a line
        to complete now.
    """
    play = _Play(board, own, other, must_win)
    order, turns = [1 << cell for cell in plan], list[_Turn]()
    play.out(order, turns=turns)
    if not turns:
        return None
    cells = board.layout.cells(_under(turns, play.columns))
    if must_win and 1 <= len(cells) <= 2:
        return Zugzwang(tuple(cells))
    answer = play.answers(play.root, order, {})
    for odd in (True, False):
        rows = sum(cell for cell in order if play.is_odd(cell) == odd)
        order_of_rows = [rows, sum(order) ^ rows]
        if play.out(order_of_rows, answer, longest=LONGEST_BY_ROWS).failure is None:
            return Parity(odd)
    return None


class _Turn(NamedTuple):
    """A turn of the opponent.

    Attributes:
        replies: those that stop a line if there is one to stop, else all; none if there are several
            lines to stop, or the board is full.
        wins: the cells that complete a line of the prover.
    """

    replies: int
    wins: int


def _under(turns: Iterable[_Turn], columns: int) -> int:
    """Return the cells under which the opponent has to play in the end; 0 if it ends otherwise."""
    cells = 0
    for replies, wins in turns:
        if not replies:
            return 0
        above = replies >> columns
        if above & wins == above and above << columns == replies:
            cells |= above
    return cells


#: A position with the prover to move: the marks of the prover and of the opponent, the cells that
#: may be entered, and those that complete a line of the prover and of the opponent.
_Node = tuple[int, int, int, int, int]
#: A turn of the opponent with replies left to try: the node before it, the prover's marks now and
#: the cells that complete their lines, the cells that may be entered, and the replies.
_Replies = tuple[_Node, int, int, int, int]


class _Side:
    """The lines that are open to one side at the beginning.

    Attributes:
        now: the cells that complete one.
    """

    def __init__(self, board: Board, marks: int, enemies: int) -> None:
        cells = [1 << cell for cell in board.layout.cells(board.full & ~(marks | enemies))]
        self.now: int = 0
        # For each cell the cells that complete a line once it is taken, and the other empty cells
        # of longer lines.
        self._soon = dict.fromkeys(cells, 0)
        self._later: dict[int, list[int]] = {cell: [] for cell in cells}
        for line in {line & ~marks for line in board.lines if not line & enemies}:
            for cell in cells:
                if line & cell:
                    self._enter(cell, line ^ cell)

    def _enter(self, cell: int, rest: int) -> None:
        if not rest:
            self.now |= cell
        elif rest & (rest - 1):
            self._later[cell].append(rest)
        else:
            self._soon[cell] |= rest

    def after(self, completing: int, marks: int, cell: int) -> int:
        """Return the cells that complete a line, taken or not, from those before a cell was taken.

        Args:
            marks: of this side, with the cell.
        """
        completing |= self._soon[cell]
        for rest in self._later[cell]:
            missing = rest & ~marks
            if not missing & (missing - 1):
                completing |= missing
        return completing


class _Outcome(NamedTuple):
    """What comes of a plan.

    Attributes:
        positions: how many it was played through.
        failure: where it failed and the nodes that led there, the last one first; empty if there
            were too many positions; ``None`` if it holds.
    """

    positions: int
    failure: list[_Node] | None


class _Play:
    """Plays plans of one prover out, from one position on."""

    def __init__(self, board: Board, own: int, other: int, must_win: bool) -> None:
        self.rows, self.columns = board.rules.shape
        self.must_win: bool = must_win
        self.cells: list[int] = [1 << i for i in board.layout.cells(board.full & ~(own | other))]
        self._own, self._other = _Side(board, own, other), _Side(board, other, own)
        playable = board.playable(own | other)
        self.root: _Node = own, other, playable, self._own.now, self._other.now

    def is_odd(self, cell: int) -> bool:
        """Return whether a cell is in row 1, 3, 5 ... from the bottom."""
        return (self.rows - (cell.bit_length() - 1) // self.columns) % 2 == 1

    def out(
        self,
        order: Sequence[int],
        answers: int = 0,
        root: _Node | None = None,
        turns: list[_Turn] | None = None,
        longest: int = LONGEST_PLAN,
    ) -> _Outcome:
        """Play a plan out against every reply, until it fails or has reached the goal everywhere.

        Args:
            order: the cells, most wanted first. An item may be several cells: then each of them
                that may be entered has to reach the goal.
            answers: the cell that the prover takes first, whatever the plan wants.
            root: where to begin, if not where all plays begin.
            turns: gets each turn of the opponent.
            longest: the most positions.
        """
        node = root or self.root
        if node[3] & (answers or node[2]):
            return _Outcome(0, None)
        before: dict[tuple[int, int], _Node | None] = {node[:2]: None}
        wanted: dict[int, int] = {}
        replying: list[_Replies] = []
        answering: list[tuple[_Node, int]] = []
        while len(before) <= longest:
            answers = answers or self.answers(node, order, wanted)
            answer = answers & -answers
            if answers != answer:
                answering.append((node, answers ^ answer))
            replies = self._answered(node, answer)
            if replies is None:
                return _Outcome(len(before), _path(node, before))
            if turns is not None:
                turns.append(_Turn(replies[4], replies[2]))
            if replies[4]:
                replying.append(replies)
            answers = 0
            found = self._replied(replying, before)
            if found is None:
                if not answering:
                    return _Outcome(len(before), None)
                found, answers = answering.pop()
            node = found
        return _Outcome(len(before), [])

    def answers(self, node: _Node, order: Sequence[int], wanted: dict[int, int]) -> int:
        """Return the cells with which the prover may answer by a plan; none if it fails.

        Args:
            wanted: for each set of safe cells the most wanted ones; it gets those that it lacks.
        """
        _, _, playable, _, losses = node
        if forced := losses & playable:
            return 0 if forced & (forced - 1) else forced
        safe = playable & ~(losses << self.columns)
        if safe not in wanted:
            wanted[safe] = next((cells & safe for cells in order if cells & safe), 0)
        return wanted[safe]

    def _answered(self, node: _Node, answer: int) -> _Replies | None:
        """Return the opponent's turn after an answer; ``None`` if that misses the goal.

        For its replies see `_Turn`.
        """
        own, _, playable, wins, losses = node
        playable = playable ^ answer | answer >> self.columns
        if not answer or playable & losses or (self.must_win and not playable):
            return None
        own |= answer
        wins = self._own.after(wins, own, answer)
        threats = wins & playable
        left = 0 if threats & (threats - 1) else threats or playable
        return node, own, wins, playable, left

    def _replied(
        self, replying: list[_Replies], before: dict[tuple[int, int], _Node | None]
    ) -> _Node | None:
        """Return a node after the next reply to which the prover has to find an answer, if any.

        Args:
            before: the nodes so far, each with the one before it; gets the new ones.
        """
        while replying:
            last, own, wins, playable, left = replying.pop()
            reply = left & -left
            if left != reply:
                replying.append((last, own, wins, playable, left ^ reply))
            above = reply >> self.columns
            other = last[1] | reply
            if wins & above or (own, other) in before:
                continue
            before[own, other] = last
            playable = playable ^ reply | above
            if playable or self.must_win:
                return own, other, playable, wins, self._other.after(last[4], other, reply)
        return None


def _path(node: _Node, before: Mapping[tuple[int, int], _Node | None]) -> list[_Node]:
    """Return a node, the one before it, and so on."""
    path = [node]
    while (earlier := before[path[-1][:2]]) is not None:
        path.append(earlier)
    return path


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
        order = self._start(0.0)
        while self._left > 0:
            for _ in range(STEPS):
                outcome = self._try(order)
                if outcome.failure is None:
                    return self._merged([cell.bit_length() - 1 for cell in order])
                self._left -= CHANGE
                if not outcome.failure or self._left <= 0:
                    break
                turns = self._faults(order, outcome.failure)
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

    def _try(self, order: Sequence[int], answer: int = 0, root: _Node | None = None) -> _Outcome:
        first = self._first if root is None else answer
        longest = min(LONGEST_PLAN, max(0, self._left))
        outcome = self._play.out(order, first, root, longest=longest)
        self._left -= outcome.positions
        return outcome

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
            right = sum(cell for cell in others if self._try(order, cell, node).failure is None)
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
            if keeps_first and self._try(order).failure is None:
                ranks = merged
            else:
                rank += 1
        return cells_by(ranks)
