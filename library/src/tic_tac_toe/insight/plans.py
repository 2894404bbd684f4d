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
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tic_tac_toe.solver.certificates.plans import cells_by, ranks_of
from tic_tac_toe.solver.certificates.proving import Board

#: How much of a start order is left to chance, in rows; and the changes to an order until the
#: search starts again.
NOISE, STEPS = 0.35, 60
#: How often a change is made to an earlier turn than the last one, and to a place at random.
EARLIER, ANYWHERE = 0.25, 0.1
#: The most positions that a plan may lead through. Longer ones are seldom found.
LONGEST_PLAN = 5_000
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
        >>> rules = find_rules("mnk:4,4,4,gravity")
        >>> assert isinstance(rules, LineRules)
        >>> plan = find_plan(board := Board(rules, False), 0, 0, False, 1000)
        >>> board.plan((0, 0), plan or ())
        'aaaa/bbbb/aaaa/bbbb'
    """
    if not board.gravity or board.misere:
        raise ValueError("plans need gravity, and no misère play")
    return _Search(_Play(board, own, other, must_win), effort, first).run()


def describe(
    board: Board, own: int, other: int, must_win: bool, plan: Sequence[int]
) -> Zugzwang | Parity | None:
    """Return what can be said in one sentence of a plan that holds, or of how to do without it.

    Args:
        own, other: the marks of the prover, who is to move, and of the opponent.
        must_win: what the plan reaches: a win, or else no loss.
        plan: as from `find_plan`; its first cell is the one that the prover takes now.
    """
    play = _Play(board, own, other, must_win)
    first, *rest = (1 << cell for cell in plan)
    turns: list[_Turn] = []
    play.out([first, *rest], first, turns=turns)
    cells = board.layout.cells(_under(turns, play.columns))
    if must_win and 1 <= len(cells) <= 2:
        return Zugzwang(tuple(cells))
    for odd in (True, False):
        rows = sum(cell for cell in rest if play.is_odd(cell) == odd)
        if play.out([first, rows, sum(rest) ^ rows], first).failure is None:
            return Parity(odd)
    return None


class _Turn(NamedTuple):
    """A turn of the opponent: the replies that lose no later than others, and where they lose."""

    replies: int
    wins: int


def _under(turns: Sequence[_Turn], columns: int) -> int:
    """Return the cells under which the opponent has to play in the end; 0 if it ends otherwise."""
    cells = 0
    for replies, wins in turns:
        threats = wins & replies
        if threats & (threats - 1):
            return 0
        above = replies >> columns
        if above & wins == above and above << columns == replies:
            cells |= above
    return cells


class _Side(NamedTuple):
    """The lines that are open to one side at the beginning.

    Attributes:
        now: the cells that complete a line.
        soon: for each cell those that complete a line as soon as it is taken.
        later: for each cell the other empty cells of longer lines.
    """

    now: int
    soon: dict[int, int]
    later: dict[int, list[int]]


def _side(board: Board, marks: int, enemies: int) -> _Side:
    empty = board.full & ~(marks | enemies)
    cells = [1 << cell for cell in board.layout.cells(empty)]
    side = _Side(0, dict.fromkeys(cells, 0), {cell: [] for cell in cells})
    now = 0
    for line in {line & ~marks for line in board.lines if not line & enemies}:
        if not line & (line - 1):
            now |= line
            continue
        for cell in cells:
            if rest := line & cell and line ^ cell:
                if rest & (rest - 1):
                    side.later[cell].append(rest)
                else:
                    side.soon[cell] |= rest
    return side._replace(now=now)


#: A position with the prover to move: the marks of the prover and of the opponent, the cells that
#: may be entered, and those that complete a line of the prover and of the opponent.
_Node = tuple[int, int, int, int, int]


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
        self.own, self.other = _side(board, own, other), _side(board, other, own)
        self.root: _Node = (
            own, other, board.playable(own | other), self.own.now, self.other.now,
        )  # fmt: skip

    def is_odd(self, cell: int) -> bool:
        """Return whether a cell is in row 1, 3, 5 ... from the bottom."""
        return (self.rows - (cell.bit_length() - 1) // self.columns) % 2 == 1

    def out(
        self,
        order: Sequence[int],
        answers: int = 0,
        root: _Node | None = None,
        turns: list[_Turn] | None = None,
    ) -> _Outcome:
        """Play a plan out against every reply, until it fails or has reached the goal everywhere.

        Args:
            order: the cells, most wanted first. An item may be several cells: then each of them
                that may be entered has to reach the goal.
            answers: the cell that the prover takes first, whatever the plan wants.
            root: where to begin, if not where all plays begin.
            turns: gets each turn of the opponent.
        """
        columns, must_win = self.columns, self.must_win
        _, own_soon, own_later = self.own
        _, other_soon, other_later = self.other
        wanted: dict[int, int] = {}
        node = root or self.root
        own, other, playable, wins, losses = node
        if wins & playable and not answers:
            return _Outcome(0, None)
        # The nodes that have been played through, each with the one before it.
        before: dict[tuple[int, int], _Node | None] = {(own, other): None}
        # Turns of the opponent, each with the cells that may be entered and the replies to try; and
        # nodes with other answers to try.
        replying: list[tuple[_Node, int, int, int, int]] = []
        answering: list[tuple[_Node, int]] = []
        while True:
            own, other, playable, wins, losses = node
            if not answers:
                answers = losses & playable
                if not answers:
                    safe = playable & ~(losses << columns)
                    answers = wanted.get(safe, 0)
                    if not answers:
                        answers = next((cells & safe for cells in order if cells & safe), 0)
                        wanted[safe] = answers
                elif answers & (answers - 1):
                    break
            answer = answers & -answers
            if answers != answer:
                answering.append((node, answers ^ answer))
            answers = 0
            replies = playable ^ answer | answer >> columns
            if not answer or replies & losses or (must_win and not replies):
                break
            own |= answer
            wins |= own_soon[answer]
            for rest in own_later[answer]:
                missing = rest & ~own
                if not missing & (missing - 1):
                    wins |= missing
            threats = wins & replies
            left = threats or replies
            if turns is not None:
                turns.append(_Turn(left, wins))
            if left and not threats & (threats - 1):
                replying.append((node, own, wins, replies, left))
            while replying:
                last, own, wins, replies, left = replying.pop()
                reply = left & -left
                if left != reply:
                    replying.append((last, own, wins, replies, left ^ reply))
                above = reply >> columns
                other = last[1] | reply
                if wins & above or (own, other) in before:
                    continue
                before[own, other] = last
                playable = replies ^ reply | above
                losses = last[4] | other_soon[reply]
                for rest in other_later[reply]:
                    missing = rest & ~other
                    if not missing & (missing - 1):
                        losses |= missing
                node = own, other, playable, wins, losses
                if playable or must_win:
                    break
            else:
                if not answering:
                    return _Outcome(len(before), None)
                node, answers = answering.pop()
            if len(before) > LONGEST_PLAN:
                return _Outcome(len(before), [])
        failure = [node]
        while (earlier := before[node[0], node[1]]) is not None:
            failure.append(node := earlier)
        return _Outcome(len(before), failure)


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
        outcome = self._play.out(order, first, root)
        self._left -= outcome.positions
        return outcome

    def _faults(self, order: Sequence[int], failure: Sequence[_Node]) -> list[tuple[int, int]]:
        """Return turns of a failing path, the last one first: what may be right, what was playable.

        It ends with the first turn at which it is found out what is right. None means that there is
        no plan.
        """
        columns, turns = self._play.columns, list[tuple[int, int]]()
        for node in failure[: -1 if self._first else None]:
            own, other, playable, _, losses = node
            safe = 0 if losses & playable else playable & ~(losses << columns)
            made = next((cell for cell in order if cell & safe), 0)
            others = [cell for cell in order if cell & safe & ~made and not self._is_lost(node, cell)]
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
        at = 0
        while at + 1 < len(turns) and rng.random() < EARLIER:
            at += 1
        right, playable = turns[at]
        chosen = rng.choice([cell for cell in order if cell & right])
        to = next(i for i, cell in enumerate(order) if cell & playable)
        if rng.random() < ANYWHERE:
            to = rng.randrange(len(order))
        rest = [cell for cell in order if cell != chosen]
        return [*rest[:to], chosen, *rest[to:]]

    def _merged(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Return a plan like this with fewer ranks, as `ranks_of` counts them, so easier to read."""
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
