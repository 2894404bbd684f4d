"""Strong play in plain Python: some moves ahead, or Monte Carlo, for any rules.

On large boards of lines forced wins come first, then a short search.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from random import Random
from typing import Final, NamedTuple, TypeAlias

from tic_tac_toe.limits import Kept, Limits, Reporter
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.deepening import DECIDED, look_ahead
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation, Source, bounded, chance_of
from tic_tac_toe.logic.search.line_board import ODDS_UNIT, LineBoard, cells_of
from tic_tac_toe.logic.search.mcts import MoveStatistics, best_of, monte_carlo
from tic_tac_toe.logic.search.threats import Proof, ThreatSearch

#: How many positions plain Python looks at between two questions whether to stop.
BETWEEN_STOPS = 64
#: Positions that plain Python looks at in a second of an ordinary machine, about.
NODES_A_SECOND = 15_000
#: The difference of `static_evaluation` that multiplies the odds of winning by 2.7, by a logistic
#: regression over 4,274 positions of 272 games of Connect Four that this engine played against
#: itself with 300 to 1,500 nodes a move, one move in ten at random.
UNIT = 160


class LookingAhead:
    """Alpha-beta to a depth, deepened ply by ply, with `static_evaluation` at its leaves.

    Args:
        rules: the game.
        nodes_a_second: see `NODES_A_SECOND`.
    """

    def __init__(self, rules: Rules, nodes_a_second: int = NODES_A_SECOND) -> None:
        self.rules = rules
        self.nodes_a_second = nodes_a_second

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return the moves that look best; see `Engine`. It takes no chance."""
        limits = limits.begun()
        nodes = limits.cost(self.nodes_a_second)
        limit = None if math.isinf(nodes) else int(nodes)
        reporter = Reporter(limits, nodes)
        asked = count(BETWEEN_STOPS, BETWEEN_STOPS)
        found = look_ahead(
            self.rules,
            position,
            node_limit=limit,
            stop=lambda: reporter.stop(next(asked)),
            deepened=lambda ahead: reporter.found(ahead.best[0], ahead.nodes, ahead.depth),
        )
        # A loss is not proved: on wide boards it has not tried every move.
        depth, nodes, best = found.depth, found.nodes, found.best
        if found.all_replies and found.value >= DECIDED:
            score = found.value - DECIDED
            return Evaluation.proved(score, best, "engine", depth=depth, nodes=nodes)
        return Evaluation.judged(best, chance_of(found.value, UNIT), depth=depth, nodes=nodes)


#: The microseconds that an ordinary machine takes for a playout: for itself, for each move that is
#: looked at, and for each empty cell.
PLAYOUT, MOVE, EMPTY_CELL = 50, 5, 1.5


class PlainPlayouts:
    """The Monte Carlo search of `logic.search.mcts`, which looks for wins in one.

    Args:
        rules: the game.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return the move of most playouts, unless others are proved to be better.

        See `Engine.think`.
        """
        limits = limits.begun()
        cost = limits.cost(1e6 / self._cost(position))
        playouts = int(cost) if math.isfinite(cost) else 1 << 62
        moves = play_out(self._rules, position, limits, rng, playouts, decisive=True)
        best = best_of(moves)
        proven = [move.proven for move in moves]
        score = max((one for one in proven if one is not None), default=None)
        visits = sum(move.visits for move in moves)
        if score is None or (score <= 0 and None in proven):
            chance = bounded(max(move.mean for move in moves if move.move in best))
            return Evaluation.judged(best, chance, line=best[:1], nodes=visits)
        return Evaluation.proved(score, best, "engine", line=best[:1], nodes=visits)

    def _cost(self, position: Position) -> float:
        """Return what a playout takes, about, in microseconds."""
        moves, traits = len(self._rules.moves(position)), traits_of(self._rules)
        if traits.memory == "block" and traits.blocks is not None:
            moves = min(moves, traits.blocks.cells)  # any block may be played in now and then only
        return PLAYOUT + MOVE * moves + EMPTY_CELL * (self._rules.shape.cells - position.marks)


def play_out(
    rules: Rules,
    position: Position,
    limits: Limits,
    rng: Random,
    playouts: int,
    *,
    decisive: bool = False,
) -> tuple[MoveStatistics, ...]:
    """Return what `monte_carlo` says of each move; it ends with the limits and reports to them."""
    reporter = Reporter(limits, playouts)

    def look(tried: tuple[MoveStatistics, ...]) -> None:
        best = best_of(tried)
        liked = max((move for move in tried if move.move in best), key=lambda move: move.mean)
        reporter.found(liked.move, sum(move.visits for move in tried))

    return monte_carlo(
        rules,
        position,
        rng,
        iterations=playouts,
        stop=limits.is_over,
        decisive=decisive,
        look=None if limits.progress is None else look,
    )


#: Values beyond this are games that the search holds for won: ``WON - n`` in n plies.
WON: Final = 1_000_000
#: How many moves are tried in a position.
_WIDTH: Final = 9
#: How many plies forced answers are followed beyond the depth.
_BEYOND: Final = 8
#: The plies after which deepening ends, and the depth from which late moves are searched less deep.
_DEEPEST, _REDUCED = 30, 3
#: A look for fours at the end of a line: how many positions it takes, how many fours, and from how
#: many cells on that make a four it is always worth it.
_FOURS_NODES, _SHORT_FOURS, _MANY_FOURS = 30, 4, 4
#: What it is worth to be the side to move, as `line_board` counts.
_TEMPO: Final = 99


class Stopped(Exception):
    """The work came to its end; the board is left as it was then."""


class _Known(NamedTuple):
    """What is kept of a position: a value, whether it is a bound, and the best move."""

    depth: int
    kind: int  # -1: at most this value; 0: this value; 1: at least this value
    value: int
    move: int


#: By the stones of both sides what is known of positions.
_Table: TypeAlias = dict[tuple[int, int], _Known]


class LineSearch:
    """Principal variation search over few moves, with forced answers, within a number of positions.

    Args:
        stop: asked every 64 positions, ends the search when true.
        table: what is known, and becomes known, of positions.

    Attributes:
        nodes: the positions looked at so far.
        value: of the line that `deepened` yielded last, for the side that begins it.
        better: a move that was found to be better in the depth that is not ended, and its value.
    """

    def __init__(
        self, board: LineBoard, node_limit: float, stop: Callable[[], bool] | None, table: _Table
    ) -> None:
        self.board: LineBoard = board
        self.nodes: int = 0
        self.value: int = 0
        self.better: tuple[int, int] | None = None
        self._node_limit = node_limit
        self._stop = stop
        self._table = table
        self._killers: dict[int, int] = {}
        self._attacks = [ThreatSearch(board, side, 0) for side in (0, 1)]

    def deepened(self, moves: list[int], side: int) -> Iterator[tuple[int, ...]]:
        """Yield for each depth from 1 the line expected, which begins with the best move.

        Args:
            moves: those to choose from. They are sorted during the search. If the caller removes
                the move that looked best, the same depth is searched again without it.

        Raises:
            Stopped: the work ended within a depth.
        """
        depth = 1
        while moves and depth <= _DEEPEST:
            best = -WON
            for number, move in enumerate(moves):
                value = self._tried(move, side, depth, best, WON, 0, number)
                if value > best:
                    best = value
                    moves.insert(0, moves.pop(number))
                    if number > 0:
                        self.better = move, best
            chosen, self.value, self.better = moves[0], best, None
            yield (chosen, *self._expected(chosen, side))
            if moves and moves[0] == chosen:
                if abs(best) > WON // 2:
                    return
                depth += 1

    def _expected(self, move: int, side: int) -> list[int]:
        """Return the moves that the table expects after a move."""
        line, board = [], self.board
        board.toggle(move, side)
        played = [move]
        while (known := self._table.get((board.stones[0], board.stones[1]))) and known.move >= 0:
            side = 1 - side
            board.toggle(known.move, side)
            line.append(known.move)
            played.append(known.move)
            if board.threats().wins[side] or len(line) > _DEEPEST:
                break
        for back in reversed(played):
            board.toggle(back, board.stones[1] >> back & 1)
        return line

    def _tried(
        self, move: int, side: int, depth: int, alpha: int, beta: int, ply: int, number: int
    ) -> int:
        """Return the value of a move: exact between the bounds, else a bound."""
        self.board.toggle(move, side)
        if number == 0:
            value = -self._value(1 - side, depth - 1, -beta, -alpha, ply + 1)
        else:
            less = 1 if depth >= _REDUCED and number > 3 else 0
            value = -self._value(1 - side, depth - 1 - less, -alpha - 1, -alpha, ply + 1)
            if value > alpha and (less or value < beta):
                value = -self._value(1 - side, depth - 1, -beta, -alpha, ply + 1)
        self.board.toggle(move, side)
        return value

    def _value(self, side: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        self._count()
        board = self.board
        threats = board.threats()
        if threats.wins[side]:
            return WON - ply - 1
        if against := threats.wins[1 - side]:
            moves = cells_of(self._allowed(board.stops(1 - side, against), side))
            if not moves:
                return ply + 2 - WON
            if len(moves) == 1 and depth > 0:
                depth += 1
        else:
            moves = []
            open_fours, threes = board.threes()
            if not board.gravity:
                if self._allowed(open_fours[side], side):
                    return WON - ply - 3
                if open_fours[1 - side]:
                    answers = threats.fours[0] | threats.fours[1]
                    moves = board.by_worth(self._allowed(answers, side), side)
            if depth <= 0 and self._wins_by_fours(side, threats.fours[side], threes[side]):
                return WON - ply - 5
        if depth <= 0 and (not moves or depth < -_BEYOND):
            return (-board.worth if side else board.worth) + _TEMPO
        return self._best(side, depth, alpha, beta, ply, moves)

    def _count(self) -> None:
        """Count a position, or raise `Stopped`."""
        self.nodes += 1
        if self.nodes >= self._node_limit or (self._stop and self.nodes % 64 == 0 and self._stop()):
            raise Stopped

    def _allowed(self, cells: int, side: int) -> int:
        """Return the cells that are not forbidden to a side."""
        return cells & ~self.board.barred(side) if cells else 0

    def _wins_by_fours(self, side: int, fours: int, threes: int) -> bool:
        """Return whether a short look finds a win by fours; only where it is likely."""
        if not fours & threes and fours.bit_count() <= _MANY_FOURS:
            return False
        attack = self._attacks[side]
        before = attack.nodes
        attack.node_limit = before + _FOURS_NODES
        found = attack.by_fours(_SHORT_FOURS)
        self.nodes += (attack.nodes - before) // 2
        return found is not None

    def _best(
        self, side: int, depth: int, alpha: int, beta: int, ply: int, moves: list[int]
    ) -> int:
        board = self.board
        key = board.stones[0], board.stones[1]
        known = self._table.get(key)
        if known and known.depth >= depth:
            value = _to_table(known.value, -ply)
            bound = value >= beta if known.kind > 0 else value <= alpha
            if known.kind == 0 or bound:
                return value
        moves = (
            moves or board.best_cells(side, _WIDTH) or cells_of(self._allowed(board.playable, side))
        )
        if not moves:
            return 0
        for first in (self._killers.get(ply, -1), known.move if known else -1):
            if first in moves:
                moves.remove(first)
                moves.insert(0, first)
        best, choice, floor = -WON, moves[0], alpha
        for number, move in enumerate(moves):
            value = self._tried(move, side, depth, floor, beta, ply, number)
            if value > best:
                best, choice = value, move
                floor = max(floor, best)
                if best >= beta:
                    self._killers[ply] = move
                    break
        kind = 1 if best >= beta else -1 if best <= alpha else 0
        self._table[key] = _Known(depth, kind, _to_table(best, ply), choice)
        return best


def _to_table(value: int, ply: int) -> int:
    """Return a value as seen from the position itself, where it stands ``ply`` plies deep."""
    if abs(value) <= WON // 2:
        return value
    return value + ply if value > 0 else value - ply


#: The positions that an ordinary machine looks at in a second on a board of so many cells; larger
#: boards take longer. In Caro and Renju more depends on the other side's marks.
NODES_PER_SECOND, NODES_PER_SECOND_OF_CARO, _USUAL_CELLS = 28_000, 15_000, 225
#: The parts of the work for wins by threats: those of the side to move, and of the other side; and
#: the least number of positions that a look for them may take.
_ATTACK_PART, _DEFENCE_PART, _LEAST_NODES = 0.2, 0.15, 1_000
#: How many threats a win by threats may take before fours win.
_MOST_THREATS = 5
#: The moves that are tried at the root.
_ROOT_MOVES = 16
#: How many positions are looked at to see whether a move lets the other side win by fours; five
#: times as many are for threats, which are looked for after the moves that look best only.
_CHECK_NODES, _CHECKED_MOVES = 60, 12
#: How many positions are looked at to refute the move that looks best, as a part of those searched.
_REFUTATION_PART = 0.3


class PlainLines:
    """An engine for every game of lines, after the rules of threats and a search of some plies.

    In order it looks for a win in one, a win in one of the other side to stop it, a win by fours, a
    win by threats, and a win by threats of the other side. What remains is searched deeper and
    deeper.

    Args:
        rules: the game; positions may be those of the same game with the pie rule.
    """

    def __init__(self, rules: LineRules) -> None:
        self.rules: LineRules = rules

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return what looks best within the limits; see `Engine.think`. Nothing is left to chance.

        Raises:
            ValueError: the game is over.
        """
        position = position._replace(memory=0)
        moves = self.rules.moves(position)
        if not moves:
            raise ValueError("The game is over")
        if not position.occupied and self.rules.length > 1:
            return Evaluation.judged(_first_moves(self.rules))
        limits, kept = limits.begun(), limits.kept or Kept()
        with kept.going_on(self, position, dict) as table:
            x, o = position.stones
            for stones in [one for one in table if one[0] & x != x or one[1] & o != o]:
                del table[stones]  # it cannot come up any more
            return _Thinking(self.rules, position, limits, table).answer(moves)


class _Thinking:
    """One question: the board, what is to be stopped, and what it has cost."""

    def __init__(self, rules: LineRules, position: Position, limits: Limits, table: _Table) -> None:
        self.board = LineBoard(rules, position)
        self.table = table
        self.side = position.turn
        is_slow = self.board.is_renju or self.board.ends_count
        speed = NODES_PER_SECOND_OF_CARO if is_slow else NODES_PER_SECOND
        self.limit = limits.cost(speed) * min(1.0, _USUAL_CELLS / rules.shape.cells)
        self.nodes = 0
        self._search: LineSearch | None = None
        self._reporter = Reporter(limits, self.limit)
        #: With how many nodes moves were looked at for a refutation.
        self.checked: dict[int, float] = {}

    def stop(self) -> bool:
        """Return whether to stop, and tell how much has been spent."""
        return self._reporter.stop(self.nodes + (self._search.nodes if self._search else 0))

    def answer(self, moves: Sequence[int]) -> Evaluation:
        board, side = self.board, self.side
        threats = board.threats()
        if wins := threats.wins[side]:
            found = tuple(cells_of(wins))
            return Evaluation.proved(MATE - 1, found, "fours", line=found[:1], depth=1, nodes=1)
        free = board.playable & ~board.barred(side)
        against = threats.wins[1 - side]
        stops = cells_of(board.stops(1 - side, against) & free) if against else []
        if against and not stops:
            lost = tuple(cells_of(against & free)) or tuple(moves)
            return Evaluation.proved(2 - MATE, lost, "fours", depth=2, nodes=1)
        if len(stops) > 1:
            return self._searched(stops)
        if proof := self._by_fours(side):
            return self._won(proof, "fours")
        if proof := self._by_threats(side, _ATTACK_PART):
            return self._won(proof, "threats")
        if stops:
            return Evaluation.judged((stops[0],), depth=1, nodes=self.nodes)
        return self._searched(self._candidates(free))

    def _won(self, proof: Proof, kind: Source) -> Evaluation:
        score, depth = MATE - proof.plies, proof.plies
        return Evaluation.proved(
            score, proof.line[:1], kind, line=proof.line, depth=depth, nodes=self.nodes
        )

    def _attack(self, side: int, part: float) -> ThreatSearch:
        share = part * self.limit if self.limit < math.inf else 20_000
        return ThreatSearch(self.board, side, max(share, _LEAST_NODES), self.stop)

    def _by_fours(self, side: int) -> Proof | None:
        attack = self._attack(side, _ATTACK_PART)
        proof = attack.shortest_by_fours()
        self.nodes += attack.nodes
        return proof

    def _by_threats(self, side: int, part: float) -> Proof | None:
        attack = self._attack(side, part)
        proof = _by_more_threats(attack)
        self.nodes += attack.nodes
        return proof

    def _candidates(self, free: int) -> list[int]:
        """Return the moves to try, without those that lose to fours if others are left.

        Where the other side threatens to win, those that lose to threats are left out, too.
        """
        board, side = self.board, self.side
        threat = self._attack(1 - side, _DEFENCE_PART)
        proof = threat.by_fours(1) or threat.by_fours()
        proof = proof or self._by_threats(1 - side, _DEFENCE_PART)
        self.nodes += threat.nodes
        if proof:
            own_fours = board.threats().fours[side]
            moves = board.by_worth((threat.disturbing(proof) | own_fours) & free, side)
        else:
            moves = board.best_cells(side, _ROOT_MOVES) or cells_of(free)
        good = [move for move in moves if not self._loses(move, 0, _CHECK_NODES)]
        others = moves if proof else cells_of(free)
        good = good or [move for move in others if not self._loses(move, None)] or moves
        if proof:
            few = good[:_CHECKED_MOVES]
            good = [move for move in few if not self._loses(move, 2, 5 * _CHECK_NODES)] or good
        return good

    def _loses(self, move: int, threats: int | None, node_limit: float = math.inf) -> bool:
        """Return whether a short look finds a win of the other side after a move.

        Args:
            threats: see `ThreatSearch.by_threats`; ``None`` to look for a win by one four only.
        """
        board, side = self.board, self.side
        board.toggle(move, side)
        answer = ThreatSearch(board, 1 - side, node_limit, self.stop)
        proof = answer.by_fours(1)
        if proof is None and threats is not None:
            proof = answer.by_threats(threats)
        board.toggle(move, side)
        self.nodes += answer.nodes
        return proof is not None

    def _searched(self, moves: list[int]) -> Evaluation:
        """Return the best of the moves after looking deeper and deeper until the limits end it.

        A move that looks best is dropped if the other side then wins by threats. What the last
        depth found to be better counts, although that is not ended.
        """
        lines: list[tuple[tuple[int, ...], float | None]] = [(tuple(moves[:1]), None)]
        better: list[tuple[tuple[int, ...], float | None]] = []
        if len(moves) > 1:
            left = [*moves]
            search = LineSearch(self.board, self.limit - self.nodes, self.stop, self.table)
            self._search = search
            self._reporter.found(moves[0], self.nodes)
            with suppress(Stopped):
                for line in search.deepened(left, self.side):
                    self._reporter.found(line[0], self.nodes + search.nodes, len(lines))
                    lines.append((line, chance_of(search.value, ODDS_UNIT)))
                    if len(left) > 1 and self._is_refuted(line[0], search):
                        left.remove(line[0])
            if search.better:
                move, value = search.better
                better = [((move,), chance_of(value, ODDS_UNIT))]
            self.nodes, self._search = self.nodes + search.nodes, None
            lines = [entry for entry in lines if entry[0][0] in left] or [(tuple(left[:1]), None)]
        line, chance = [*lines, *better][-1]
        return Evaluation.judged(
            line[:1], chance, line=line, depth=len(lines) - 1, nodes=self.nodes
        )

    def _is_refuted(self, move: int, search: LineSearch) -> bool:
        """Return whether the other side wins by threats after a move, and count what that takes."""
        limit = search.nodes * _REFUTATION_PART
        if limit < max(_CHECK_NODES, 2 * self.checked.get(move, 0)):
            return False
        self.checked[move] = limit
        self.board.toggle(move, self.side)
        answer = ThreatSearch(self.board, 1 - self.side, limit, self.stop)
        proof = _by_more_threats(answer)
        self.board.toggle(move, self.side)
        search.nodes += answer.nodes
        return proof is not None


def _by_more_threats(attack: ThreatSearch) -> Proof | None:
    """Return a win by as few threats as the search finds within its limit."""
    for depth in range(1, _MOST_THREATS + 1):
        proof = attack.by_threats(depth)
        if proof or attack.nodes >= attack.node_limit:
            return proof
    return None


def _first_moves(rules: LineRules) -> tuple[int, ...]:
    """Return the cells of an empty board through which most lines run: the middle if it is one."""
    through = rules.lines.through
    moves = rules.moves(Position())
    most = max(through[move] for move in moves)
    found = tuple(move for move in moves if through[move] == most)
    return (rules.shape.middle,) if rules.shape.middle in found else found
