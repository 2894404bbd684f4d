"""Monte Carlo tree search in machine code: ultimate, boards with gravity, games of letters.

Importing it needs NumPy; machine code that is not in the cache needs Numba.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.playouts.boards import BoardGame
from tic_tac_toe.engines.playouts.drops import DropGame
from tic_tac_toe.engines.playouts.tree import (
    CHILDREN,
    CONTROLS,
    COUNT,
    DONE,
    EXPAND_AT,
    FIELDS,
    FIRST,
    MOVE,
    NODES,
    PLAYOUT_COST,
    PLY_COST,
    PRIOR_VISITS,
    PROVEN,
    REWARD,
    SPENT,
    UNKNOWN,
    VISITS,
    Game,
    GameParts,
    search_with,
    subtree,
)
from tic_tac_toe.engines.playouts.ultimate import BOARD_SHIFT, UltimateGame
from tic_tac_toe.limits import Kept, Limits, Reporter
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.letters import LetterRules, OrderAndChaos, Wild
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Caro
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Misere, without_misere
from tic_tac_toe.logic.search.evaluation import Evaluation, back_up, bounded
from tic_tac_toe.logic.search.mcts import MoveStatistics, best_of, can_be_lost_again
from tic_tac_toe.solver.kernels.compiling import Compiled, stop_cell

#: The most that a tree may take, in bytes, unless the engine is told otherwise.
MEMORY = 256 << 20
NANOSECONDS = 10**9
#: The nanoseconds of one call of compiled code, between which Python may be interrupted.
CHUNK = NANOSECONDS // 20
NEVER = 1 << 62
#: The nanoseconds of a playout apart from its moves: for itself, and for each word of the state.
PLAYOUT, WORD = 400, 1
#: The playouts a move that there are in any case.
LEAST_VISITS = 2
_WORD_BYTES = 4


class CompiledPlayouts:
    """Monte Carlo tree search in machine code, with proven results backed up.

    Args:
        rules: the game; `supports` tells which.
        memory: the most that the tree may take, in bytes; when it is full, it grows no more.
        search: the search of the game's kind, machine code unless given.

    Raises:
        ValueError: these rules are not supported.
    """

    def __init__(
        self, rules: Rules, memory: int = MEMORY, search: Compiled | Any | None = None
    ) -> None:
        game = game_of(rules)
        if game is None:
            raise ValueError(f"No compiled playouts of {rules!r}")
        self._rules = rules
        self._game = game
        self._memory = memory
        self._search = search or machine_code(game.parts)

    @staticmethod
    def supports(rules: Rules) -> bool:
        """Return whether there is compiled code for a game."""
        return game_of(rules) is not None

    def is_ready(self) -> bool:
        """Return whether thinking begins at once, and needs no compiler first."""
        return machine_code(self._game.parts).is_ready()

    def prepare(self) -> None:
        """Compile the search, or load its machine code, if that was not done yet."""
        self._new_search(Position(), Random(0)).run(0, 0, np.zeros(1, np.int64))

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return the move of most playouts, unless others are proved to be better.

        An only move is not thought about for long. See `Engine.think`.
        """
        moves = self._rules.moves(position)
        if not moves:
            raise ValueError("The game is over")
        least = LEAST_VISITS * len(moves) + 1
        limits = limits.begun()
        until = NEVER if limits.work is None else int(limits.cost(NANOSECONDS))
        if len(moves) == 1:
            until = 0
        search, kept = self._new_search(position, rng), limits.kept or Kept()
        with kept.going_on(self, position, list[_Search]) as last:
            if last:
                search.grow_from(last.pop(), self._rules)
            search.run(least, 0, np.zeros(1, np.int64))
            while not search.has_looked():
                least += 1
                search.run(least, 0, np.zeros(1, np.int64))
            reporter = Reporter(limits, until)
            with stop_cell(limits.is_over if limits.is_watched else None) as stop:
                while search.goes_on(until) and not stop[0]:
                    if limits.progress is not None:
                        reporter.found(search.thought().best[0], search.done, cost=search.spent)
                    search.run(least, min(until, search.spent + CHUNK), stop)
            last.append(search)
        return search.thought()

    def _new_search(self, position: Position, rng: Random) -> _Search:
        nodes = self._memory // (_WORD_BYTES * FIELDS)
        return _Search(self._game, self._search, position, rng, nodes)


class _Search:
    """One search: its arrays, and what they say.

    Args:
        nodes: the most that the tree may have.
    """

    def __init__(
        self, game: Game, search: Any, position: Position, rng: Random, nodes: int
    ) -> None:
        self._game = game
        self._search = search
        self._position = position
        # Zeros cost nothing until they are touched.
        self._tree: NDArray[np.int32] = np.zeros(nodes * FIELDS, np.int32)
        self._tree[PROVEN], self._tree[VISITS] = UNKNOWN, 1
        self._root = game.state(position)
        self._state = self._root.copy()
        self._moves: NDArray[np.int64] = np.zeros(2 * game.most_moves, np.int64)
        self._dice = np.array([rng.getrandbits(64) | 1], np.uint64)
        self._control: NDArray[np.int64] = np.zeros(CONTROLS, np.int64)
        self._control[NODES] = 1
        self._control[PLAYOUT_COST] = PLAYOUT + WORD * self._root.size
        self._control[PLY_COST] = game.ply_cost

    def grow_from(self, earlier: _Search, rules: Rules) -> None:
        """Begin with what a search two plies before this one knows of the position.

        Where that is no more than a proof, its moves are not known, and it is soon found again.
        """
        for own in earlier._children(0):
            between = rules.play(earlier._position, earlier._move_to(own))
            for other in earlier._children(own):
                if not earlier._field(other, FIRST):
                    continue
                if rules.play(between, earlier._move_to(other)) == self._position:
                    size = self._tree.size // FIELDS
                    self._tree, self._control[NODES] = subtree(earlier._tree, other, size)
                    return

    @property
    def done(self) -> int:
        """How many playouts there were."""
        return int(self._control[DONE])

    @property
    def spent(self) -> int:
        """The nanoseconds that they have cost, by the engine's count."""
        return int(self._control[SPENT])

    def goes_on(self, until: int) -> bool:
        """Return whether more playouts can change the answer, and may be afforded."""
        return self.spent < until and self._tree[PROVEN] == UNKNOWN

    def has_looked(self) -> bool:
        """Return whether the game has looked at the position after the move that looks best.

        Else that move might lose to the next one although another does not.
        """
        if self._tree[PROVEN] != UNKNOWN or not self._tree[FIRST]:
            return True
        best = self._best_children(0)[0]
        looked = self._field(best, VISITS) > PRIOR_VISITS + EXPAND_AT
        return looked or self._field(best, PROVEN) != UNKNOWN

    def run(self, least: int, until: int, stop: NDArray[np.int64]) -> None:
        """Run playouts; see `tree.search_with`."""
        arrays = self._tree, self._game.tables, self._root, self._state, self._moves, self._dice
        self._search(*arrays, self._control, stop, least, until)

    def thought(self) -> Evaluation:
        """Return what the tree says."""
        proven = int(self._tree[PROVEN])
        if not self._tree[FIRST]:
            codes = self._moves[: 2 * int(self._control[COUNT]) : 2].tolist()
            best = tuple(sorted(map(self._game.move_of, codes)))
            return self._answer(proven, best, best[:1], None)
        chosen = self._best_children(0)
        best = tuple(sorted(self._move_to(child) for child in chosen))
        line, node = list[int](), chosen[0]
        while True:
            line.append(self._move_to(node))
            if not self._field(node, FIRST):
                break
            node = self._best_children(node)[0]
            if self._field(node, VISITS) <= PRIOR_VISITS:
                break
        return self._answer(proven, best, tuple(line), bounded(self._statistics(chosen[0]).mean))

    def _answer(
        self, proven: int, best: tuple[int, ...], line: tuple[int, ...], chance: float | None
    ) -> Evaluation:
        if proven == UNKNOWN:
            return Evaluation.judged(best, chance, line=line, nodes=self.done)
        return Evaluation.proved(proven, best, "engine", line=line, nodes=self.done)

    def _best_children(self, node: int) -> tuple[int, ...]:
        """Return the children to choose from."""
        return best_of(tuple(map(self._statistics, self._children(node))))

    def _children(self, node: int) -> range:
        first = self._field(node, FIRST)
        return range(first, first + self._field(node, CHILDREN)) if first else range(0)

    def _statistics(self, node: int) -> MoveStatistics:
        """Return what the tree says of the move to a node, with its number for the move."""
        visits, proven = self._field(node, VISITS), self._field(node, PROVEN)
        mean = self._field(node, REWARD) / (2 * visits)
        return MoveStatistics(node, visits, mean, None if proven == UNKNOWN else back_up(proven))

    def _move_to(self, node: int) -> int:
        return self._game.move_of(self._field(node, MOVE))

    def _field(self, node: int, field: int) -> int:
        return int(self._tree[node * FIELDS + field])


@cache
def machine_code(parts: GameParts) -> Compiled:
    """Return the search of a kind of games, which is compiled or loaded when it is called."""
    return Compiled(search_with(parts), None, parts.name, Path(__file__).parent)


def game_of(rules: Rules) -> Game | None:
    """Return the game of rules that the compiled search knows, else ``None``."""
    inner = without_misere(rules)
    # A small board of ultimate has at most 16 cells.
    if type(inner) is Ultimate and inner.local.shape.cells <= 1 << BOARD_SHIFT:
        if can_be_lost_again(inner):
            return None
        return UltimateGame(inner, misere=isinstance(rules, Misere))
    line = inner.line if isinstance(inner, LetterRules) else inner
    # A subclass may have any rules.
    is_known = type(inner) in (LineRules, Caro, Wild, OrderAndChaos)
    if not (isinstance(line, LineRules) and is_known and type(line) in (LineRules, Caro)):
        return None
    if type(rules) is LineRules and DropGame.supports(rules):
        return DropGame(rules)
    return BoardGame(line, rules) if line.length > 1 else None
