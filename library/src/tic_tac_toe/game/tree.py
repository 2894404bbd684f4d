"""Game trees: what every move leads to, how a search finds out, and each of its steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

from tic_tac_toe.engines.choice import is_ready
from tic_tac_toe.limits import MOMENT
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import NoSymmetry, symmetry_of
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.evaluation import (
    MATE,
    Evaluation,
    check_end,
    final_score,
    too_many_positions,
)
from tic_tac_toe.logic.search.exact import Solver
from tic_tac_toe.logic.search.mcts import Node, each_playout
from tic_tac_toe.pictures.tree import ENGLISH, OPEN, TreeNode, TreeWords, lifted, lowered
from tic_tac_toe.pictures.tree_svg import draw, write_dot
from tic_tac_toe.solver.answers import Solving, solving

#: The number of boards that a picture can have at most and still be looked at.
MAX_NODES = 400
#: The number of playouts of a Monte Carlo tree.
ITERATIONS = 100
#: The worst and the best score for X of a game that is not over: the next move ends it.
LOWEST, HIGHEST = 1 - MATE, MATE - 1

Search = Literal["minimax", "alphabeta"]


class Step(NamedTuple):
    """One step of a search that is watched.

    Attributes:
        kind: ``visit`` where the search comes to a position, ``value`` where it leaves it and knows
            as much of it as it will, ``cut`` for a move that it passes over.
        depth: how many plies the position is below the first one.
        node: the position, with what is known of it by then.
    """

    kind: Literal["visit", "value", "cut"]
    depth: int
    node: TreeNode


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game tree and its pictures; `tree` makes it.

    Trees are equal where all their nodes say the same, though a node is equal only to itself.

    Attributes:
        root: the first node; all others hang from it.
        search: what grew the tree.
    """

    root: TreeNode
    search: Search | Literal["mcts"] = "minimax"

    @cached_property
    def nodes(self) -> tuple[TreeNode, ...]:
        """Every node, parents first."""
        return tuple(self.root.walk())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameTree):
            return NotImplemented
        return self.search == other.search and self._contents == other._contents

    def __hash__(self) -> int:
        return hash((self.search, self._contents))

    @cached_property
    def _contents(self) -> tuple[tuple[object, ...], ...]:
        """What each node says; another node that it goes on at is told by its number."""
        numbers = {node: number for number, node in enumerate(self.nodes)}
        return tuple(
            (
                *(node.state, node.move, node.twins, node.low, node.high, node.window, node.cut),
                *(node.visits, node.mean, len(node.children)),
                None if node.like is None else numbers[node.like],
            )
            for node in self.nodes
        )

    @cached_property
    def line(self) -> tuple[TreeNode, ...]:
        """The chosen line, the root first; see `TreeNode.line`."""
        return tuple(self.root.line())

    def svg(self, *, words: TreeWords = ENGLISH, styled: bool = True) -> str:
        """Return a picture as one ``<svg>`` element that needs nothing else.

        Args:
            words: what is written in it.
            styled: whether the picture brings its style; a page that has it already needs no more.
        """
        return draw(self.root, words.of(self.root.state.rules), styled=styled)

    def dot(self, *, words: TreeWords = ENGLISH) -> str:
        """Return the tree as text for Graphviz, whose program ``dot`` draws it."""
        return write_dot(self.root, words.of(self.root.state.rules))

    def _repr_svg_(self) -> str:
        return self.svg()


def tree(
    state: StateLike,
    depth: int | None = None,
    *,
    search: Search | Literal["mcts"] = "minimax",
    fold: bool = True,
    window: tuple[int, int] = (-OPEN, OPEN),
    max_nodes: int = MAX_NODES,
    solver: Solver | None = None,
    iterations: int = ITERATIONS,
    rng: Random | None = None,
) -> GameTree:
    """Return the game tree below a state, with what each node is worth.

    Args:
        depth: how many plies to draw; to the end of every game unless given. Positions at the limit
            get their exact score if it can be found in a moment, else none.
        search: ``"minimax"`` looks at every move, ``"alphabeta"`` passes over those that cannot
            matter and keeps them as nodes that are cut, ``"mcts"`` plays random games and keeps the
            positions that it visited.
        fold: whether positions that are the same but for symmetry are drawn once.
        window: what alpha-beta begins with: scores for X that X and O are sure of elsewhere. A
            window of no width, such as ``(-1, 0)``, asks a question: is the score more than -1?
        max_nodes: how many nodes the tree may have.
        solver: scores the positions at the depth limit, instead of the quickest one for the game.
        iterations: how many playouts a Monte Carlo search makes, unless it proves the result.
        rng: where its chance comes from; always the same unless given.

    Raises:
        SearchLimitReached: the tree has more than ``max_nodes`` nodes, so that fewer plies should
            be drawn; or no depth is given for a game in which positions can come back.
        ValueError: the depth is less than one ply, or the search is unknown.
    """
    steps = watch(
        state,
        depth,
        search=search,
        fold=fold,
        window=window,
        max_nodes=max_nodes,
        solver=solver,
        iterations=iterations,
        rng=rng,
    )
    return GameTree(deque(steps, maxlen=1).pop().node, search)


def watch(
    state: StateLike,
    depth: int | None = None,
    *,
    search: Search | Literal["mcts"] = "minimax",
    fold: bool = False,
    window: tuple[int, int] = (-OPEN, OPEN),
    max_nodes: int | None = None,
    solver: Solver | None = None,
    iterations: int = ITERATIONS,
    rng: Random | None = None,
) -> Iterator[Step]:
    """Yield each step of a search, for lessons that show how it works.

        >>> from tic_tac_toe import parse_state
        >>> for step in watch(parse_state("XOX/OXO/.XO"), search="alphabeta"):
        ...     print("  " * step.depth, step.kind, step.node.move, step.node.score)
         visit None None
           visit 6 None
           value 6 1000
         value None 999

    In a Monte Carlo search each playout visits the positions on its way from the first one down,
    and on the way back their values are what it has changed them to.

    Args:
        max_nodes: with a number the last step holds the whole tree, which may have as many nodes;
            else nothing is kept, and a search may be as large as one likes.

    For the other arguments, and for what is raised with the first step, see `tree`.
    """
    state = state_of(state)
    if depth is not None and depth < 1:
        raise ValueError("The depth must be one ply at least")
    if search not in ("minimax", "alphabeta", "mcts"):
        raise ValueError("A tree is searched by minimax, alphabeta or mcts")
    plies = depth or traits_of(state.rules).longest or 0
    try:
        if search == "mcts" and state.outcome is None:
            yield from _play_out(state, plies or MATE, iterations, rng or Random(0), max_nodes)
            return
        if depth is None:
            check_end(state.rules)
        with _asked(state, solver) as score:
            textbook = _Textbook(score, fold=fold, max_nodes=max_nodes)
            root = TreeNode(state, window=window if search == "alphabeta" else None)
            yield from textbook.steps(root, plies)
    except SearchLimitReached as limit:
        if limit.code == "tree_limit" and depth != 1:
            raise SearchLimitReached(
                "{reason}; draw fewer plies, for instance depth={depth}, or raise max_nodes",
                limit.code,
                reason=limit.message,
                depth=2 if depth is None else depth - 1,
            ) from None
        if depth is not None:
            raise
        raise SearchLimitReached(
            "{reason}; limit it, for instance depth=2", limit.code, reason=limit.message
        ) from None


class _Textbook:
    """Minimax and alpha-beta as textbooks have them, which tell each step; one object, one tree.

    Minimax (John von Neumann, 1928; Claude Shannon, 1950), with a window alpha-beta (Alexander
    Brudno, 1963; Knuth and Moore, 1975) in its fail-soft form. Each node has the bounds that were
    proved of it, so that unsolved positions and moves that were cut off are treated alike.

    Args:
        score: tells the exact score of a position at the depth limit, for the side to move; or
            raises `SearchLimitReached`.
        fold: whether positions that are the same but for symmetry are searched once.
        max_nodes: how many nodes the tree may have; ``None`` to search without keeping a tree.
    """

    def __init__(
        self, score: Callable[[Position], int], *, fold: bool, max_nodes: int | None
    ) -> None:
        self._score = score
        self._fold = fold
        self._max_nodes = max_nodes
        self._count = 1
        self._known: dict[Position, TreeNode] = {}

    def steps(self, here: TreeNode, plies: int, depth: int = 0) -> Generator[Step, None, TreeNode]:
        """Yield the steps of a search so many plies below a node, and return it with its value."""
        yield Step("visit", depth, here)
        state = here.state
        if state.outcome is not None:
            score = final_score(state.outcome, 0)
            node = replace(here, low=score, high=score)
        elif plies == 0:
            low, high = self._ask(state.position)
            node = replace(here, low=low, high=high)
        elif (known := self._known.get(self._key(state))) and _settles(known, here.window):
            node = replace(here, low=known.low, high=known.high, like=known)
        else:
            node = yield from self._expand(here, plies, depth)
            if self._fold:
                self._known[self._key(state)] = node
        yield Step("value", depth, node)
        return node

    def _expand(self, here: TreeNode, plies: int, depth: int) -> Generator[Step, None, TreeNode]:
        x_moves, window = here.state.position.turn == 0, here.window
        alpha, beta = window or (0, 0)
        low, high = (-MATE, -MATE) if x_moves else (MATE, MATE)
        choose = max if x_moves else min
        enough, children = False, list[TreeNode]()
        for move, *others in self._moves(here.state):
            twins = tuple(other.number for other in others)
            if enough:
                children.append(TreeNode(move.after_state, move.number, twins, cut=True))
                yield Step("cut", depth + 1, children[-1])
                continue
            next_window = window and (lowered(alpha), lowered(beta))
            below = TreeNode(move.after_state, move.number, twins, window=next_window)
            child = yield from self.steps(below, plies - 1, depth + 1)
            children.append(child)
            low, high = choose(low, lifted(child.low)), choose(high, lifted(child.high))
            if window is None:
                continue
            # Nothing is better than to win at once, whatever the window.
            if x_moves:
                alpha = max(alpha, low)
                enough = low >= min(beta, HIGHEST)
            else:
                beta = min(beta, high)
                enough = high <= max(alpha, LOWEST)
        if children[-1].cut:  # what was not looked at may be better still
            low, high = (low, HIGHEST) if x_moves else (LOWEST, high)
        kept = () if self._max_nodes is None else tuple(children)
        return replace(here, low=low, high=high, children=kept)

    def _moves(self, state: GameState) -> list[list[Move]]:
        """Return the legal moves, those first that end the game; symmetric ones in one list."""
        moves = sorted(state.possible_moves, key=lambda move: not move.after_state.game_over)
        groups: dict[object, list[Move]] = {}
        for move in moves:
            key = self._key(move.after_state) if self._fold else move.number
            groups.setdefault(key, []).append(move)
        self._count += len(groups)
        _check_size(self._count, self._max_nodes)
        return list(groups.values())

    def _key(self, state: GameState) -> Position:
        symmetry = symmetry_of(state.rules) if self._fold else NoSymmetry()
        return symmetry.canonical(state.position)

    def _ask(self, position: Position) -> tuple[int, int]:
        """Return the bounds that a solver proves of a position at the depth limit, for X."""
        try:
            low = high = self._score(position)
        except SearchLimitReached as limit:
            low, high = limit.bounds or (LOWEST, HIGHEST)
        return (low, high) if position.turn == 0 else (-high, -low)


def _settles(known: TreeNode, window: tuple[int, int] | None) -> bool:
    """Return whether what is known of a node answers a search that comes with another window."""
    if window is None or known.score is not None:
        return True
    alpha, beta = window
    return known.low >= beta or known.high <= alpha


@contextmanager
def _asked(state: GameState, solver: Solver | None) -> Iterator[Callable[[Position], int]]:
    """Yield what scores the positions below a state, or raises `SearchLimitReached` soon.

    The solver is made when the first position is asked about, because a tree that is refused needs
    none. In games that need not end it explores everything that follows from the state.
    """
    explores = traits_of(state.rules).longest is None
    with ExitStack() as stack:
        asked: Solving | None = None

        def score(position: Position) -> int:
            nonlocal asked
            if solver is not None:
                return solver.score(position)
            if asked is None:
                first = state.position if explores else position
                asked = stack.enter_context(solving(state.rules, first, MOMENT, is_ready))
            if asked is None:
                raise SearchLimitReached(too_many_positions(0))
            return asked.solver.score(position)

        yield score


def _play_out(
    state: GameState, plies: int, iterations: int, rng: Random, max_nodes: int | None
) -> Iterator[Step]:
    """Yield the steps of a Monte Carlo search; the last is its tree, ``plies`` deep, if kept."""
    states = dict[Node, GameState]()
    path = list[Node]()
    for path in each_playout(state.rules, state.position, rng, iterations=max(1, iterations)):
        states[path[0]] = state
        for above, node in pairwise(path):
            if node not in states:
                assert node.move is not None, "a node with a parent has a move"
                states[node] = states[above].make_move_to(node.move).after_state
        steps = [(depth, _seen(node, states[node])) for depth, node in enumerate(path)]
        yield from (Step("visit", *step) for step in steps)
        yield from (Step("value", *step) for step in reversed(steps))
    if max_nodes is None:
        return
    count = 0

    def kept(node: Node, plies: int) -> TreeNode:
        nonlocal count
        count += 1
        _check_size(count, max_nodes)
        children = [node.children[move] for move in sorted(node.children)] if plies else []
        return replace(
            _seen(node, states[node]), children=tuple(kept(child, plies - 1) for child in children)
        )

    yield Step("value", 0, kept(path[0], plies))


def _seen(node: Node, state: GameState) -> TreeNode:
    """Return what a Monte Carlo search knows of a position by now."""
    low, high = -MATE, MATE
    if state.outcome is not None:
        low = high = final_score(state.outcome, state.position.turn)
    elif node.proven is not None:
        low, high, *_ = Evaluation.proved(node.proven, (), "")
    mean = node.reward / node.visits
    if state.position.turn == 0:  # O has moved here
        return TreeNode(state, node.move, (), low, high, visits=node.visits, mean=1 - mean)
    return TreeNode(state, node.move, (), -high, -low, visits=node.visits, mean=mean)


def _check_size(count: int, max_nodes: int | None) -> None:
    if max_nodes is not None and count > max_nodes:
        raise SearchLimitReached(
            "the tree has more than {count:,} nodes", "tree_limit", count=max_nodes
        )
