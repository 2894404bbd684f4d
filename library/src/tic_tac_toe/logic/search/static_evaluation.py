"""Judging positions that cannot be searched to the end: the balance of open lines."""

from __future__ import annotations

from functools import singledispatch

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Foretelling, Rules
from tic_tac_toe.logic.rules.letters import ORDER, OrderAndChaos
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import Lines
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Misere, Pie

#: The factor by which each further stone raises the worth of an open line.
GROWTH = 6
#: A won small board in ultimate counts like this many single open lines inside one.
BOARD_WORTH = 40


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
