"""Exact search for games too large to table: alpha-beta with a transposition table and symmetry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch

from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import NoSymmetry, Rules, symmetry_of
from tic_tac_toe.logic.rules.letters import LetterRules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.wrappers import Misere, Pie
from tic_tac_toe.logic.search.scores import (
    MATE,
    back_up,
    check_end,
    final_score,
    push_down,
    too_many_positions,
)

#: On larger boards mirrored positions are too rare to pay for the look.
SYMMETRY_CELLS = 36
#: Up to this many moves of a position, the replies to each are kept until they are needed. More
#: would take gigabytes on a large board, where many such lists are open one below the other.
KEPT_REPLIES = 64
#: The number of positions looked at between two calls of ``stop``.
STOP_NODES = 1_000


@singledispatch
def cell_weights(rules: Rules) -> tuple[int, ...]:
    """Return for each cell how early a mark there is worth trying; the higher, the earlier."""
    return (0,) * rules.shape.cells


@cell_weights.register
def _(rules: LineRules) -> tuple[int, ...]:
    return rules.lines.through


@cell_weights.register
def _(rules: LetterRules) -> tuple[int, ...]:
    return rules.line.lines.through


@cell_weights.register
def _(rules: Pie) -> tuple[int, ...]:
    return cell_weights(rules.rules)


@cell_weights.register
def _(rules: Misere) -> tuple[int, ...]:
    return tuple(-weight for weight in cell_weights(rules.rules))


def move_weights(rules: Rules) -> tuple[int, ...]:
    """Return for each move the weight of its cell; 0 for a move that places nothing."""
    traits = traits_of(rules)
    return cell_weights(rules) * len(traits.choices or (0,)) + (0,) * len(traits.specials)


class AlphaBeta:
    """Exact scores by alpha-beta search (Alexander Brudno, 1963; Knuth and Moore, 1975).

    The table (Greenblatt, 1967) keeps for each symmetry class the bounds proved so far and outlives
    each question, so that asking about one position after another is cheap. The search is
    fail-soft: what it proves may lie outside the window that was asked about.

    Args:
        rules: the game.
        node_limit: how many positions may be looked at in all, or ``None`` for no end.
        stop: is given the number of positions looked at, every `STOP_NODES` positions; where it
            returns a reason, the search ends with it.

    Attributes:
        nodes: the positions looked at so far.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        node_limit: int | None = None,
        stop: Callable[[int], Message | str | None] | None = None,
    ) -> None:
        self.rules = rules
        self.nodes: int = 0
        self._node_limit = MATE**4 if node_limit is None else node_limit
        self._stop = stop
        self._next_look = self._node_limit if stop is None else 0
        small = rules.shape.cells <= SYMMETRY_CELLS
        self._key = (symmetry_of(rules) if small else NoSymmetry()).canonical
        self._bounds: dict[Position, tuple[int, int]] = {}
        self._weight = move_weights(rules).__getitem__

    def score(self, position: Position) -> int:
        """Return the exact score of a position.

        The winner is settled first, then the distance, from the shortest up: the question "within
        n plies?" is answered without looking deeper than n plies.

        Raises:
            SearchLimitReached: the limit came first; what was proved until then is kept. Or
                positions can come back in this game, which this search cannot solve.
        """
        low, high = -MATE, MATE
        bound = 1
        while low < high:
            found = self._ask(position, bound)
            if found >= bound:
                low = found
            else:
                high = found
            bound = high if low > 0 else low + 1 if high < 0 else 0
        return low

    def go_on(self, nodes: int) -> None:
        """Look at so many positions more and at no other limit, whatever has ended the search."""
        self._node_limit, self._stop, self._next_look = self.nodes + nodes, None, 0

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``.

        Raises:
            SearchLimitReached: the limit came first.
        """
        return self._ask(position, bound) >= bound

    def _ask(self, position: Position, bound: int) -> int:
        """Return at least ``bound`` if the score reaches it, else a lower bound on that side."""
        check_end(self.rules)
        try:
            return self._search(position, bound - 1, bound, self.rules.moves(position))
        except RecursionError:
            raise SearchLimitReached(
                "the game is too long for the interpreter's stack", "stack_limit"
            ) from None

    def _search(
        self, position: Position, alpha: int, beta: int, moves: Sequence[int] | None
    ) -> int:
        """Return the score where it lies between alpha and beta, else a bound on that side."""
        if moves is None:
            moves = self.rules.moves(position)
        if not moves:
            outcome = self.rules.outcome(position)
            assert outcome is not None, "a position without moves is the end of the game"
            return final_score(outcome, position.turn)
        # Nothing is quicker than a win, or a loss, with the very next move.
        if alpha >= MATE - 1:
            return MATE - 1
        if beta <= 1 - MATE:
            return 1 - MATE
        key = self._key(position)
        low, high = self._bounds.get(key, (1 - MATE, MATE - 1))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        self.nodes += len(moves)
        if self.nodes > self._next_look:
            self._look_at_limits()
        best = -MATE
        for child, replies in self._children(position, moves):
            floor = max(alpha, best)
            there = self._search(child, push_down(beta), push_down(floor), replies)
            best = max(best, back_up(there))
            if best >= beta:
                break
        self._bounds[key] = (
            max(low, best) if best > alpha else low,
            min(high, best) if best < beta else high,
        )
        return best

    def _look_at_limits(self) -> None:
        """Raise `SearchLimitReached` if a limit has come, else say when to look again."""
        if self.nodes > self._node_limit:
            raise SearchLimitReached(too_many_positions(self._node_limit))
        if self._stop is not None and (reason := self._stop(self.nodes)):
            raise SearchLimitReached(reason)
        self._next_look = min(self._node_limit, self.nodes + STOP_NODES)

    def _children(
        self, position: Position, moves: Sequence[int]
    ) -> list[tuple[Position, Sequence[int] | None]]:
        """Return the positions after each move with the replies there, the likely best first.

        The end of the game comes before all, for it costs nothing to look at. Where there are too
        many replies to keep, ``None`` stands for them.
        """
        rules, keeps = self.rules, len(moves) <= KEPT_REPLIES
        children = list[tuple[Position, Sequence[int] | None]]()
        for move in sorted(moves, key=self._weight, reverse=True):
            child = rules.play(position, move)
            replies = rules.moves(child)
            children.append((child, replies if keeps or not replies else None))
        children.sort(key=_goes_on)
        return children


def _goes_on(child: tuple[Position, Sequence[int] | None]) -> bool:
    return child[1] is None or bool(child[1])
