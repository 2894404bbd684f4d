"""Exact answers: scores by minimax and by alpha-beta, and with them best moves and best play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import NoSymmetry, Rules, rules_of, symmetry_of
from tic_tac_toe.logic.rules.alternation import starter_of
from tic_tac_toe.logic.rules.letters import LetterRules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.wrappers import Misere, Pie, without_misere, without_pie
from tic_tac_toe.logic.search.evaluation import (
    MATE,
    UNKNOWN,
    Evaluation,
    MoveEvaluation,
    Source,
    back_up,
    check_end,
    final_score,
    plies_of,
    push_down,
    too_many_positions,
)
from tic_tac_toe.logic.search.tables import (
    Table,
    is_small,
    small_graph,
    small_table,
    solve_graph,
)


def negamax(rules: Rules, position: Position) -> int:
    """Return the exact score of a position by playing every game from it to its end.

    Minimax (John von Neumann, 1928; Claude Shannon, 1950) written from the side to move. It takes
    no short cut, and so is for small or late positions: 3x3 from the empty grid visits 549,946.

    Raises:
        SearchLimitReached: positions can come back in this game.
    """
    check_end(rules)
    return _negamax(rules, position)


def _negamax(rules: Rules, position: Position) -> int:
    outcome = rules.outcome(position)
    if outcome is not None:
        return final_score(outcome, position.turn)
    return max(
        back_up(_negamax(rules, rules.play(position, move))) for move in rules.moves(position)
    )


#: On larger boards mirrored positions are too rare to pay for the look.
SYMMETRY_CELLS = 36
#: Up to this many moves of a position, the replies to each are kept until they are needed. More
#: would take gigabytes on a large board, where many such lists are open one below the other.
KEPT_REPLIES = 64
#: The number of positions looked at between two calls of ``stop``.
STOP_NODES = 1_000


def cell_weights(rules: Rules) -> tuple[int, ...]:
    """Return for each cell how early a mark there is worth trying; the higher, the earlier."""
    if isinstance(rules, LineRules):
        return rules.lines.through
    if isinstance(rules, LetterRules):
        return rules.line.lines.through
    if isinstance(rules, Pie):
        return cell_weights(rules.rules)
    if isinstance(rules, Misere):
        return tuple(-weight for weight in cell_weights(rules.rules))
    return (0,) * rules.shape.cells


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
        rules: Rules | str,
        *,
        node_limit: int | None = None,
        stop: Callable[[int], Message | str | None] | None = None,
    ) -> None:
        rules = rules_of(rules)
        self.rules: Rules = rules
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
        """Allow this number of positions more, and drop all other limits."""
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
        children.sort(key=lambda child: child[1] is None or bool(child[1]))
        return children


class Solver(Protocol):
    """A source of exact scores: a table, alpha-beta, a compiled kernel."""

    def score(self, position: Position) -> int:
        """Return the exact score of a position."""
        ...

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        ...


def find_verdict(
    rules: Rules | str, position: Position, solver: Solver | None = None
) -> Evaluation:
    """Return the exact evaluation of a position, with every best move and the line of best play.

    Best are the shortest wins, else the draws, else the longest losses. On the line both sides take
    the first of their best moves; it ends where a position comes back.

    Args:
        solver: the source of scores; unless given, the table of a small game, else alpha-beta.

    Raises:
        SearchLimitReached: the solver has a limit and it was reached.
    """
    rules = rules_of(rules)
    *_, found = each_verdict(rules, position, solver or default_solver(rules, position))
    return found


def each_verdict(
    rules: Rules, position: Position, solver: Solver, known: Evaluation = UNKNOWN
) -> Iterator[Evaluation]:
    """Yield ever more of `find_verdict`: the score, then every best move, then the line.

    Args:
        known: what is proved of the position by now, which is not asked for again.

    Raises:
        SearchLimitReached: see `find_verdict`; what has been yielded by then is exact.
    """
    score = _find_score(position, solver, known)
    source = source_of(rules, position, solver)
    found = Evaluation.exact(score, length=length_of_draw(rules, position), source=source)
    yield found
    found = found._replace(best=best_moves(rules, position, score, solver))
    yield found
    line = tuple(principal_variation(rules, position, score, found.best, solver))
    length = len(line) if score or traits_of(rules).longest else 0
    yield Evaluation.exact(score, found.best, line, length, source)


def _find_score(position: Position, solver: Solver, known: Evaluation) -> int:
    """Return the exact score; where the winner is known, from the shortest distance up."""
    bound = known.bound
    if bound is None:
        return solver.score(position)
    if not known.is_exact:
        for plies in range(1, plies_of(bound)):
            nearest = MATE - plies
            if bound > 0 and solver.reaches(position, nearest):
                return nearest
            if bound < 0 and not solver.reaches(position, 1 - nearest):
                return -nearest
    return bound


def source_of(rules: Rules, position: Position, solver: Solver) -> Source:
    """Return where the answers of a solver come from."""
    if not rules.moves(position):
        return "end"
    return "table" if isinstance(solver, Table) else "solver"


def analyse_moves(
    rules: Rules | str,
    position: Position,
    solver: Solver | None = None,
    moves: Sequence[int] | None = None,
) -> tuple[MoveEvaluation, ...]:
    """Return the exact evaluation of each move, by ascending cell; see `find_verdict`.

    Args:
        moves: all legal moves unless given.
    """
    rules = rules_of(rules)
    solver = solver or default_solver(rules, position)
    chosen = rules.moves(position) if moves is None else moves
    return tuple(evaluate_move(rules, position, move, solver) for move in chosen)


def evaluate_move(rules: Rules, position: Position, move: int, solver: Solver) -> MoveEvaluation:
    """Return the exact evaluation of one move."""
    child = rules.play(position, move)
    score = back_up(solver.score(child))
    length = None
    if score == 0:
        length = 1 + plies_to_draw(rules, child, solver) if traits_of(rules).longest else 0
    source = source_of(rules, child, solver)
    return MoveEvaluation(move, Evaluation.exact(score, length=length, source=source))


def best_moves(rules: Rules, position: Position, score: int, solver: Solver) -> tuple[int, ...]:
    """Return every move that keeps the score of the position, ascending."""
    return tuple(each_best_move(rules, position, score, solver))


def each_best_move(rules: Rules, position: Position, score: int, solver: Solver) -> Iterator[int]:
    """Yield the moves of `best_moves`, each as soon as it is found."""
    if isinstance(solver, Table):
        yield from solver[position][1]
        return
    # A move falls short where the opponent gets more than what this score leaves.
    more = push_down(score) + 1
    for move in rules.moves(position):
        if not solver.reaches(rules.play(position, move), more):
            yield move


def default_solver(
    rules: Rules | str,
    position: Position,
    node_limit: int | None = None,
    *,
    stop: Callable[[int], Message | str | None] | None = None,
) -> Solver:
    """Return the table where the game is small and the position is in it, else alpha-beta.

    Games in which positions come back are solved whole, by retrograde analysis.

    Args:
        node_limit, stop: see `AlphaBeta`; a table needs neither.
    """
    rules = rules_of(rules)
    if traits_of(rules).longest is None:
        graph = small_graph(rules, starter_of(position), node_limit)
        if position in graph:
            return graph
        return solve_graph(rules, position, position_limit=node_limit)
    if is_small(rules):
        table = small_table(rules, starter_of(position))
        if position in table:
            return table
    return AlphaBeta(rules, node_limit=node_limit, stop=stop)


def length_of_draw(rules: Rules, position: Position, move: int | None = None) -> int | None:
    """Return how many plies every draw takes, 0 for ever, ``None`` where that depends on the play.

    Args:
        move: begin with this one.
    """
    if traits_of(rules).longest is None:
        return 0
    # Where taking over the first mark leads to a draw, leaving it does, too.
    game = rules if type(rules) is LineRules else without_misere(without_pie(rules))
    if type(game) is not LineRules:  # a subclass may have other draws
        return None
    if move is not None:  # a swap is a ply and no mark
        return 1 + rules.shape.cells - rules.play(position, move).marks
    return rules.shape.cells - position.marks  # nothing but a full board is a draw


def plies_to_draw(rules: Rules, position: Position, solver: Solver) -> int:
    """Return how many moves a game that is drawn under best play still takes; 0 for ever."""
    if (length := length_of_draw(rules, position)) is not None:
        return length
    best = best_moves(rules, position, 0, solver)
    return sum(1 for _ in principal_variation(rules, position, 0, best, solver))


def principal_variation(
    rules: Rules, position: Position, score: int, best: tuple[int, ...], solver: Solver
) -> Iterator[int]:
    """Yield the principal variation from a position whose score and best moves are known."""
    seen = set[Position]()
    while best and position not in seen:
        seen.add(position)
        yield best[0]
        position, score = rules.play(position, best[0]), push_down(score)
        best = best_moves(rules, position, score, solver)


class PieSolver:
    """Exact scores of a game with the pie rule: only its first two moves differ.

    Args:
        rules: the game.
        plain: a solver of the game without the pie rule.
    """

    def __init__(self, rules: Pie, plain: Solver) -> None:
        self.rules = rules
        self._plain = plain

    def score(self, position: Position) -> int:
        """Return the exact score of a position."""
        moves = self.rules.moves(position)
        if not moves or position.marks > 1:
            return self._plain.score(position._replace(memory=0))
        try:
            if not position.marks:
                return max(back_up(self.score(self.rules.play(position, move))) for move in moves)
            score = self._plain.score(position._replace(memory=0))
            if not self.rules.can_swap(position):
                return score
            taken = self.rules.play(position, moves[-1])
            return max(score, back_up(self._plain.score(taken._replace(memory=0))))
        except SearchLimitReached as limit:  # its bounds are those of another position
            raise SearchLimitReached(limit.reason) from None

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        if position.marks > 1:
            return self._plain.reaches(position, bound)
        return self.score(position) >= bound


def with_pie(rules: Rules, plain: Solver) -> Solver:
    """Return a solver of a game, given one of the game without the pie rule."""
    return PieSolver(rules, plain) if isinstance(rules, Pie) else plain
