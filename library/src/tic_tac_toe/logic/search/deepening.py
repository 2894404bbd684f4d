"""Looking ahead as far as a limit allows: alpha-beta to a depth, deepened ply by ply.

The positions at the depth are judged by the balance of open lines, `static_evaluation`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Foretelling, Rules, rules_of
from tic_tac_toe.logic.rules.letters import ORDER, OrderAndChaos
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import Lines
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Misere, Pie
from tic_tac_toe.logic.search.evaluation import MATE, back_up, push_down
from tic_tac_toe.logic.search.exact import move_weights
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE, layout

#: Values beyond this are decided games: ``DECIDED + MATE - n`` is a win in n plies.
DECIDED = 10**12
#: On larger boards only cells near a mark are tried.
WIDE_CELLS = 49
#: The factor by which each further stone raises the worth of an open line.
GROWTH = 6
#: A won small board in ultimate counts like this many single open lines inside one.
BOARD_WORTH = 40


class Lookahead(NamedTuple):
    """What a limited search found.

    Attributes:
        best: the moves that look best at the last finished depth, ascending; at least one.
        value: how good they look for the side to move: an evaluation, or beyond ``DECIDED`` where
            the game is decided within the depth.
        depth: the plies of the last finished depth.
        nodes: the positions looked at.
        all_replies: whether every reply was tried, so that a value beyond ``DECIDED`` is proved.
    """

    best: tuple[int, ...]
    value: int
    depth: int
    nodes: int
    all_replies: bool


def look_ahead(
    rules: Rules | str,
    position: Position,
    *,
    depth_limit: int | None = None,
    node_limit: int | None = None,
    stop: Callable[[], bool] | None = None,
    deepened: Callable[[Lookahead], object] | None = None,
) -> Lookahead:
    """Return the moves that look best after searching deeper and deeper until a limit.

    Iterative deepening (Slate and Atkin, 1977): each depth orders the moves of the next, and the
    last finished one gives the answer. The first ply is finished whatever the limits, so that a
    win in one is never missed. If a limit ends the second ply, the answer is a move that does not
    lose to the next one, if there is such a move.

    Args:
        depth_limit: how many plies to look ahead at most; to the end of the game unless given, or
            as far as the longest game of the family where positions can come back.
        node_limit: how many positions to look at, about; the same limit gives the same answer.
        stop: asked every 64 positions, ends the search when true: a clock or a cancel button.
        deepened: told what each finished depth has found.

    Raises:
        ValueError: the game is over, or the depth is less than one ply.
    """
    rules = rules_of(rules)
    cells = rules.moves(position)
    if not cells:
        raise ValueError("The game is over")
    if depth_limit is None:
        depth_limit = traits_of(rules).longest or MAXIMUM_SIDE**2
    if depth_limit < 1:
        raise ValueError("The depth must be one ply at least")
    search = _Search(rules, node_limit, stop)
    order = search.ordered(position, candidates(rules, position, cells))
    found = None
    for depth in range(1, depth_limit + 1):
        try:
            values = search.root(position, order, depth, limited=depth > 1)
        except _Stopped:
            if found is not None and found.depth == 1:
                found = found._replace(best=(search.safest(position, order),))
            break
        value = max(values.values())
        best = tuple(sorted(move for move in order if values[move] == value))
        found = Lookahead(best, value, depth, search.nodes, search.all_replies)
        order.sort(key=lambda move: -values[move])
        if deepened is not None:
            deepened(found)
        if abs(value) >= DECIDED or not search.cut_off:
            break
    assert found is not None, "the first ply is never stopped"
    return found._replace(nodes=search.nodes)


@singledispatch
def candidates(rules: Rules, position: Position, cells: Sequence[int]) -> Sequence[int]:
    """Return the moves worth trying: on wide boards those within two cells of a mark, else all."""
    return cells


@candidates.register
def _(rules: LineRules, position: Position, cells: Sequence[int]) -> Sequence[int]:
    if rules.gravity or rules.shape.cells <= WIDE_CELLS or not rules.lines.is_plane:
        return cells
    table, near = layout(rules.shape), position.occupied
    if not near:
        return [rules.shape.middle]
    for _ring in range(2):
        near = table.spread(near)
    return [cell for cell in cells if near >> cell & 1] or cells


@candidates.register
def _(rules: Pie, position: Position, cells: Sequence[int]) -> Sequence[int]:
    swap = cells[-1:] if cells[-1] == rules.shape.cells else ()
    plain = cells[: len(cells) - len(swap)]
    return [*candidates(rules.rules, position._replace(memory=0), plain), *swap]


@candidates.register
def _(rules: Misere, position: Position, cells: Sequence[int]) -> Sequence[int]:
    return candidates(rules.rules, position, cells)


@singledispatch
def static_evaluation(rules: Rules, position: Position) -> int:
    """Return how good a position looks for the side to move; 0 is level.

    A line is open to a side while the other has no stone in it; an open line with *n* stones
    counts ``GROWTH ** (n - 1)``. This is the evaluation of Shannon's and Samuel's kind that
    textbooks give for tic-tac-toe (Nilsson, 1971), weighted by how far each line has got. A user's
    own games are level, or as their theory says (`Foretelling`), until a function for their rules
    is registered::

        @static_evaluation.register
        def _(rules: MyRules, position: Position) -> int: ...

    Whatever it returns, searches rank a game that is won above one that looks good.
    """
    if not isinstance(rules, Foretelling):
        return 0
    winner = rules.foretell(position)
    if winner is None:
        return 0
    return 1 if winner == position.turn else -1


@static_evaluation.register
def _(rules: LineRules, position: Position) -> int:
    own, other = position.stones[position.turn], position.stones[1 - position.turn]
    return open_lines(rules.lines, own, other) - open_lines(rules.lines, other, own)


@static_evaluation.register
def _(rules: Misere, position: Position) -> int:
    return -static_evaluation(rules.rules, position)


@static_evaluation.register
def _(rules: Pie, position: Position) -> int:
    plain = static_evaluation(rules.rules, position._replace(memory=0))
    # The second player takes over a first mark that is worth more than an answer to it.
    return abs(plain) if rules.can_swap(position) else plain


@static_evaluation.register
def _(rules: OrderAndChaos, position: Position) -> int:
    crosses, naughts = position.stones
    lines = rules.line.lines
    hopes = open_lines(lines, crosses, naughts) + open_lines(lines, naughts, crosses)
    return hopes if position.turn == ORDER else -hopes


@static_evaluation.register
def _(rules: Ultimate, position: Position) -> int:
    own, other = (rules.side(stones) for stones in position.stones)
    if position.turn:
        own, other = other, own
    lines, won = rules.local.lines, rules.won(position)
    ours_won, theirs_won = won[position.turn], won[1 - position.turn]
    score = BOARD_WORTH * (
        open_lines(lines, ours_won, theirs_won) - open_lines(lines, theirs_won, ours_won)
    )
    decided = ours_won | theirs_won
    for board, (ours, theirs) in enumerate(zip(own.boards, other.boards)):
        if not decided >> board & 1:
            score += open_lines(lines, ours, theirs) - open_lines(lines, theirs, ours)
    return score


def can_evaluate(rules: Rules) -> bool:
    """Return whether `static_evaluation` says more of a game than that every position is level."""
    inner = rules.rules if isinstance(rules, (Misere, Pie)) else rules
    is_registered = static_evaluation.dispatch(type(inner)) is not static_evaluation.dispatch(
        object
    )
    return is_registered or isinstance(inner, Foretelling)


def open_lines(lines: Lines, own: int, other: int) -> int:
    """Return the weighted number of places for a line that ``other`` has not entered.

    All places of one direction are counted at once: bit *i* of ``ones``, ``twos`` and ``fours`` is
    a binary counter of the stones in the line that starts at cell *i*, stones being added by
    shifting the board along the line.
    """
    total = 0
    for mask, _ in lines.bent:
        if own & mask and not other & mask:
            total += GROWTH ** ((own & mask).bit_count() - 1)
    for step, starts in lines.windows:
        taken = ones = twos = fours = eights = sixteens = 0
        for shift in (step * place for place in range(lines.length)):
            taken |= other >> shift
            carry = own >> shift
            ones, carry = ones ^ carry, ones & carry
            if carry:
                twos, carry = twos ^ carry, twos & carry
                fours, carry = fours ^ carry, fours & carry
                eights, carry = eights ^ carry, eights & carry
                sixteens ^= carry
        open_starts = starts & ~taken
        if not open_starts & (ones | twos | fours | eights | sixteens):
            continue
        counters = (ones, twos, fours, eights, sixteens)
        for stones in range(1, lines.length + 1):
            found = open_starts
            for place, counter in enumerate(counters):
                found &= counter if stones >> place & 1 else ~counter
            total += found.bit_count() * GROWTH ** (stones - 1)
    return total


class _Known(NamedTuple):
    """What the table keeps of a position: the bounds proved at a depth, and by which move."""

    depth: int
    low: int
    high: int
    move: int


class _Stopped(Exception):
    """The limit came in the middle of a depth."""


class _Search:
    """One depth-limited search: what is known, what it has cost, and what it has left out."""

    def __init__(
        self, rules: Rules, node_limit: int | None, stop: Callable[[], bool] | None
    ) -> None:
        self.rules = rules
        self.nodes = 0
        self.cut_off = False
        self.all_replies = True
        self._limited = False
        self._node_limit = node_limit
        self._stop = stop
        self._table: dict[Position, _Known] = {}
        self._weights = move_weights(rules)

    def ordered(self, position: Position, cells: Sequence[int]) -> list[int]:
        """Return the moves with the likely best first: as known from before, then by weight."""
        known = self._table.get(position)
        first = known.move if known else -1
        return sorted(cells, key=lambda cell: (cell != first, -self._weights[cell], cell))

    def root(
        self, position: Position, order: list[int], depth: int, *, limited: bool
    ) -> dict[int, int]:
        """Return a value for each move: exact for the best ones, for the others an upper bound."""
        self.cut_off, self._limited = False, limited
        values: dict[int, int] = {}
        alpha = -DECIDED - MATE
        for move in order:
            child = self.rules.play(position, move)
            # The window leaves room for a tie with the best: all equally good moves are wanted.
            there = self._value(child, depth - 1, -DECIDED - MATE, push_down(alpha - 1, DECIDED))
            values[move] = back_up(there, DECIDED)
            alpha = max(alpha, values[move])
        return values

    def safest(self, position: Position, order: list[int]) -> int:
        """Return the first of some moves that does not lose within two plies, else the first.

        A reply that wins after one move is the first to be tried after the others.
        """
        refuting = list[int]()
        for move in order:
            child = self.rules.play(position, move)
            replies = self.rules.moves(child)
            if not replies and self._final_value(child) > 0:
                continue
            known = [reply for reply in refuting if reply in replies]
            for reply in (*known, *replies):
                self.nodes += 1
                outcome = self.rules.outcome(self.rules.play(child, reply))
                if outcome is not None and outcome.winner == child.turn:
                    refuting.append(reply)
                    break
            else:
                return move
        return order[0]

    def _look_at_limits(self) -> None:
        """Raise `_Stopped` if a limit has come."""
        if self._node_limit is not None and self.nodes > self._node_limit:
            raise _Stopped
        if self._stop is not None and self.nodes % 64 == 0 and self._stop():
            raise _Stopped

    def _final_value(self, position: Position) -> int:
        outcome = self.rules.outcome(position)
        if outcome is None or outcome.winner is None:
            return 0
        return DECIDED + MATE if outcome.winner == position.turn else -DECIDED - MATE

    def _value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        rules = self.rules
        self.nodes += 1
        if self._limited:
            self._look_at_limits()
        cells = rules.moves(position)
        if not cells:
            return self._final_value(position)
        if depth == 0:
            self.cut_off = True
            # However good it looks, it is not won yet.
            return max(1 - DECIDED, min(DECIDED - 1, static_evaluation(rules, position)))
        known = self._table.get(position)
        if known and known.depth == depth:
            if known.low >= beta or known.low == known.high:
                return known.low
            if known.high <= alpha:
                return known.high
        best, choice = -DECIDED - MATE, -1
        tried = candidates(rules, position, cells)
        self.all_replies = self.all_replies and len(tried) == len(cells)
        for move in self.ordered(position, tried):
            floor = max(alpha, best)
            child = rules.play(position, move)
            window = push_down(beta, DECIDED), push_down(floor, DECIDED)
            there = back_up(self._value(child, depth - 1, *window), DECIDED)
            if there > best or choice < 0:
                best, choice = there, move
            if best >= beta:
                break
        low = best if best > alpha else -DECIDED - MATE
        high = best if best < beta else DECIDED + MATE
        self._table[position] = _Known(depth, low, high, choice)
        return best
