"""The compiled engine for lines on large boards: gomoku, exact five, Caro and Renju."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.lines.position import (
    ALPHA,
    ATTACKER,
    BEST_MOVE,
    BETA,
    CUT,
    DECIDED,
    DEPTH,
    EMPTY,
    FOURS,
    FOURS_FRAME,
    FRAMES,
    INFINITE,
    LENGTH,
    LIMIT,
    MAXIMUM_PLY,
    NODES,
    PLY,
    SIDE,
    STAGE,
    STOPPED,
    VARIATION,
    WIN,
    Arrays,
    begin_position,
    new_table,
    supports,
)
from tic_tac_toe.engines.lines.search import ANSWER, FIRST, TRIED, search_fours, search_position
from tic_tac_toe.engines.lines.shapes import MAKES_FIVE, WINNING_FOUR
from tic_tac_toe.engines.lines.values import ODDS_UNIT
from tic_tac_toe.limits import Kept, Limits, Reporter
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation, Source, chance_of
from tic_tac_toe.logic.search.threats import win_by_fours
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.solver.kernels.compiling import Compiled, stop_cell

#: The positions that an ordinary machine searches in a second.
NODES_PER_SECOND = 295_000
#: Bytes of the transposition table.
MEMORY = 64 << 20
#: How many fours are tried at the root.
_FOURS_AT_ROOT = 20_000
#: First threats are searched, with a part of all nodes.
_THREATS_FIRST = 8
#: After each search of all moves they are searched again, with a tenth of the nodes so far ...
_THREATS_PART = 10
#: ... but with this number of nodes at least, or a tenth of the work if that is less ...
_LEAST_THREATS = 2000
#: ... and to fewer than this number of plies.
_DEEPEST_THREATS = 24
_MOST_NODES = 1 << 62
#: In Caro, what plain Python tries at most instead, and how many nodes of the kernel each costs.
_PLAIN_FOURS, _PLAIN_COST = 1_000, 30
_ASPIRATION = 60
#: With this number of empty cells or fewer, X might soon have no legal move in Renju.
_FEW_EMPTY = 40


class Code(NamedTuple):
    """The functions of the engine, as machine code or as they stand."""

    begin: Callable[..., Any]
    search: Callable[..., int]
    fours: Callable[..., int]


PLAIN = Code(begin_position, search_position, search_fours)
_SOURCES = Path(__file__).parent
MACHINE_CODE = Code(*(Compiled(one, None, f"lines-{one.__name__}", _SOURCES) for one in PLAIN))


class CompiledLines:
    """Thinks about games of lines on large boards by principal variation search.

    First continuous fours and continuous threats are looked for, which prove a win. Else a search
    of ever more plies over the most promising moves says what looks best.

    Args:
        rules: see `supports`.
        memory: bytes of the transposition table, rounded down to a power of two.
        code: the kernels, compiled unless given.
        rows: the evaluation, see `values.packed`; that of the library unless given.

    Raises:
        ValueError: the engine cannot play the game.
    """

    def __init__(
        self,
        rules: Rules,
        memory: int = MEMORY,
        *,
        code: Code = MACHINE_CODE,
        rows: NDArray[np.int16] | None = None,
    ) -> None:
        if not supports(rules):
            raise ValueError(f"The engine for lines cannot play {rules!r}")
        self.rules = rules
        self._new_table = partial(new_table, memory)
        self._code = code
        self._rows = rows

    def is_ready(self) -> bool:
        """Return whether thinking begins at once, and needs no compiler first."""
        return all(not isinstance(one, Compiled) or one.is_ready() for one in self._code)

    def prepare(self) -> None:
        """Compile what is not compiled yet, which takes some seconds."""
        # The code is the same for all games, and this one calls all of it.
        gomoku = CompiledLines(LineRules(Shape(5, 5), 5), 1, code=self._code)
        gomoku.think(Position((1 << 12, 0), 1), Limits(work=0), Random(0))

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return what looks best within the limits; see `Engine.think`.

        Raises:
            ValueError: the game is over.
        """
        if self.rules.outcome(position) is not None:
            raise ValueError("The game is over")
        legal = self.rules.moves(position)
        if not position.occupied or len(legal) == 1:
            return Evaluation.judged((_most_central(self.rules, legal),))
        limits = limits.begun()
        seconds = limits.cost(NODES_PER_SECOND)
        limit = _MOST_NODES if seconds >= _MOST_NODES else max(1, int(seconds))
        reporter = Reporter(limits, seconds)
        kept = limits.kept or Kept()
        with kept.going_on(self, position, self._new_table) as table:
            arrays = Arrays(self.rules, table, self._rows)

            def stopped() -> bool:
                return reporter.stop(int(arrays.words[NODES]))

            with stop_cell(stopped if limits.is_watched else None) as stop:
                thinking = _Thinking(arrays, self._code, position, legal, stop, limit, reporter)
                thought = thinking.answer()
        return _without_doubt(self.rules, position, thought)


def _most_central(rules: LineRules, legal: Sequence[int]) -> int:
    rows, columns = rules.shape
    middle = complex((rows - 1) / 2, (columns - 1) / 2)
    most: int = min(legal, key=lambda cell: (abs(complex(*divmod(cell, columns)) - middle), cell))
    return most


def _without_doubt(rules: LineRules, position: Position, thought: Evaluation) -> Evaluation:
    """Return an evaluation without a win of O in Renju that X could escape by having no move.

    That is a draw, for which the kernels do not look. It takes a board that is nearly full.
    """
    score = thought.bound or 0
    o_wins = score < 0 if position.turn == 0 else 0 < score < MATE - 1
    empty = rules.shape.cells - position.marks
    if isinstance(rules, Renju) and o_wins and empty <= _FEW_EMPTY:
        return thought._replace(low=-MATE, high=MATE, source="engine")
    return thought


def _won(
    line: Sequence[int], plies: int, source: Source, nodes: int, depth: int | None = None
) -> Evaluation:
    """Return that the moves of a line win in a number of plies."""
    return Evaluation.proved(
        MATE - plies,
        tuple(line[:1]),
        source,
        line=tuple(line),
        depth=plies if depth is None else depth,
        nodes=nodes,
    )


@dataclass
class _Thinking:
    """One position that is being thought about."""

    arrays: Arrays
    code: Code
    position: Position
    legal: Any
    stop: Any
    limit: int
    reporter: Reporter

    def __post_init__(self) -> None:
        self.state, self.words = self.arrays.state, self.arrays.words
        self.arguments = self.arrays.load(self.position, self.legal, self.stop)

    def answer(self) -> Evaluation:
        """Return what was found out."""
        self.code.begin(*self.arguments)
        first = self.limit // _THREATS_FIRST
        won = self._seen() or self._fours() or self._threats(first)
        return won or self._only() or self._deepen()

    def _seen(self) -> Evaluation | None:
        """Return what the next stone decides: a five, the answer to one, or an open four."""
        side = self.position.turn
        own, other = (self.arrays.cells_of(one, MAKES_FIVE) for one in (side, 1 - side))
        if own:
            return _won(own[:1], 1, "fours", 1)
        if not other and (fours := self.arrays.cells_of(side, WINNING_FOUR)):
            return _won(fours[:1], 3, "fours", 1)
        if not other or self.arrays.closing:
            return None
        stops = self._stops()
        if len(other) == 1 and stops:
            return None
        best = stops[0] if stops else self.legal[0]
        return Evaluation.proved(2 - MATE, (best,), "fours", line=(best,), depth=2, nodes=1)

    def _stops(self) -> list[int]:
        """Return where the other side would make five, as far as the side to move may go there."""
        fives = self.arrays.cells_of(1 - self.position.turn, MAKES_FIVE)
        return [cell for cell in fives if cell in self.legal]

    def _only(self) -> Evaluation | None:
        """Return the one move that stops a five, of which nothing is proved."""
        only = () if self.arrays.closing else tuple(self._stops())
        nodes = int(self.words[NODES])
        return Evaluation.judged(only, line=only, depth=1, nodes=nodes) if only else None

    def _fours(self) -> Evaluation | None:
        """Return a win by continuous fours."""
        if self.arrays.closing:
            return self._closing_fours()
        self.state[FRAMES + SIDE] = self.position.turn
        plies = self.code.fours(*self.arguments, min(_FOURS_AT_ROOT, self.limit // 2))
        if not plies:
            return None
        line = []
        for level in range((plies - 1) // 2):
            at = FOURS + level * FOURS_FRAME
            tried = int(self.state[at + TRIED])
            if not tried:
                break
            line += [self.state[at + FIRST + tried - 1], self.state[at + ANSWER]]
        cells = tuple(self.arrays.cell_of(int(place)) for place in line)
        return _won(cells, plies, "fours", int(self.words[NODES]))

    def _closing_fours(self) -> Evaluation | None:
        """Return the same where a five may be closed, which the kernel does not look for."""
        nodes = min(_PLAIN_FOURS, self.limit // _PLAIN_COST)
        won = win_by_fours(self.arrays.rules, self.position, node_limit=nodes)
        if won is None:
            return None
        return _won(won.line, won.plies, "fours", nodes)

    def _ask(self, depth: int, alpha: int, beta: int) -> int:
        frame = FRAMES
        self.state[frame + SIDE] = self.position.turn
        self.state[frame + DEPTH] = depth
        self.state[frame + ALPHA], self.state[frame + BETA] = alpha, beta
        self.state[frame + BEST_MOVE], self.state[frame + STAGE] = 0, 0
        self.state[frame + LENGTH] = 0
        return int(self.code.search(*self.arguments))

    def _line(self) -> tuple[int, ...]:
        length = int(self.state[FRAMES + LENGTH])
        places = self.state[FRAMES + VARIATION : FRAMES + VARIATION + length]
        return tuple(self.arrays.cell_of(int(place)) for place in places)

    def _threats(self, limit: int) -> Evaluation | None:
        """Return a win by continuous threats, looked for with a number of nodes."""
        spent = int(self.words[NODES])
        self.state[ATTACKER] = self.position.turn
        self.words[LIMIT] = min(self.limit, spent + limit)
        found = None
        for plies in range(2, _DEEPEST_THREATS):
            self.state[CUT] = 0
            value = self._ask(plies * PLY, 0, 1)
            if not self.words[STOPPED] and value >= DECIDED:
                nodes = int(self.words[NODES])
                found = _won(self._line(), WIN - value, "threats", nodes, plies)
            if found or self.words[STOPPED] or not self.state[CUT]:
                break
        self.state[ATTACKER] = -1
        self.words[STOPPED] = 0
        self.words[LIMIT] = max(self.limit, self.words[NODES] + 1)
        return found

    def _first_choice(self) -> int:
        """Return the move that ranks highest of those that stop what the other side would win with.

        That is a five, or a four that no stone stops; where no move stops it, all are considered.
        """
        side, arrays = self.position.turn, self.arrays
        ranked = arrays.ranked(side, self.legal)
        for kind in (MAKES_FIVE, WINNING_FOUR):
            if arrays.count(1 - side, kind):
                stop = next((cell for cell in ranked if not self._leaves(kind, cell)), ranked[0])
                self.code.begin(*self.arguments)
                return stop
        return ranked[0]

    def _leaves(self, kind: int, cell: int) -> bool:
        """Return whether the other side would make such a stone after a move, too."""
        side = self.position.turn
        self.arrays.put(cell, side + 1)
        self.code.begin(*self.arguments)
        self.arrays.put(cell, EMPTY)
        return self.arrays.count(1 - side, kind) > 0

    def _deepen(self) -> Evaluation:
        """Return what the search of all moves likes best, unless threats win."""
        line: tuple[int, ...] = (self._first_choice(),)
        depth, chance = 0, None
        self.reporter.found(line[0], int(self.words[NODES]))
        for value, plies in self._iterations():
            line, depth = self._line() or line, plies
            self.reporter.found(line[0], int(self.words[NODES]), depth)
            chance = chance_of(value, ODDS_UNIT)
            if abs(value) >= DECIDED and plies > WIN - abs(value):
                break
            spent, least = int(self.words[NODES]), min(_LEAST_THREATS, self.limit // _THREATS_PART)
            if won := self._threats(max(least, spent // _THREATS_PART)):
                return won
        nodes = int(self.words[NODES])
        return Evaluation.judged(line[:1], chance, line=line, depth=depth, nodes=nodes)

    def _iterations(self) -> Iterator[tuple[int, int]]:
        """Yield value and depth of each search, the last perhaps unfinished."""
        value = 0
        for plies in range(1, MAXIMUM_PLY // 2):
            alpha, beta = -INFINITE, INFINITE
            if plies > 2:
                alpha, beta = value - _ASPIRATION, value + _ASPIRATION
            found = self._ask(plies * PLY, alpha, beta)
            if not self.words[STOPPED] and not alpha < found < beta:
                alpha, beta = -INFINITE, INFINITE
                found = self._ask(plies * PLY, alpha, beta)
            if self.words[STOPPED]:
                if self.state[FRAMES + ALPHA] > alpha:  # else there are bounds only
                    yield value, plies - 1
                return
            value = found
            yield value, plies
