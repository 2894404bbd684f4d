"""A drawn game tree: its nodes, and what is written at them, in English or another language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, takewhile

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state, move_name
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.evaluation import MATE, back_up, plies_of, push_down
from tic_tac_toe.logic.search.mcts import MoveStatistics, best_of
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE

#: An end of a window that nothing has narrowed yet: beyond every score.
OPEN = 2 * MATE


@dataclass(frozen=True, eq=False, repr=False)
class TreeNode:
    """A position in a game tree; a node is equal only to itself.

    Scores are for X, whichever side is to move, as textbooks draw them: on the scale of
    `logic.search.evaluation`, ``MATE - n`` where X wins in *n* plies from here, 0 for a draw and
    ``n - MATE`` where O wins. So X looks for the highest score and O for the lowest.

    Attributes:
        state: the position.
        move: the number of the move that led here, ``None`` at the root.
        twins: other moves of the same side to the same position but for symmetry, folded onto this.
        low, high: X gets at least and at most this score; it is known where they are equal.
        children: the moves from here, those first that end the game, then by number. None where the
            game is over, at the depth limit, and where the tree goes on at another node.
        window: alpha and beta when an alpha-beta search came here, the scores that X and O could
            already be sure of; beyond ``-OPEN`` and ``OPEN`` there is nothing. Else ``None``.
        like: the earlier node that is the same position but for symmetry, and where the tree goes
            on. ``None`` where it goes on here.
        cut: whether alpha-beta never looked here, since a move before it was good enough.
        visits: in a Monte Carlo tree how many playouts went through the position, else ``None``.
        mean: what X got from each of them on average: 1 for a win, 1/2 for a draw.
    """

    state: GameState
    move: int | None = None
    twins: tuple[int, ...] = ()
    low: int = -MATE
    high: int = MATE
    children: tuple[TreeNode, ...] = ()
    window: tuple[int, int] | None = None
    like: TreeNode | None = None
    cut: bool = False
    visits: int | None = None
    mean: float | None = None

    def __repr__(self) -> str:
        return f"<TreeNode {self.state.grid.cells!r}, {self.low} to {self.high}>"

    @property
    def score(self) -> int | None:
        """The exact score for X, or ``None`` where it is not known."""
        return self.low if self.low == self.high else None

    @cached_property
    def best(self) -> TreeNode | None:
        """The first of the best moves: the shortest win, else a draw, else the longest loss.

        Where alpha-beta has cut, it is the move that was good enough, and in a Monte Carlo tree the
        one that `best_of` chooses. ``None`` where the game is over, and where what is known does
        not tell.
        """
        if self.visits is not None:
            chosen = best_of(tuple(map(self._statistics, self.children)))
            return next((child for child in self.children if child.move in chosen), None)
        looked_at = [child for child in self.children if not child.cut]
        if self.score is None and len(looked_at) == len(self.children):
            return None
        if self.state.position.turn == 0:
            return next((child for child in looked_at if lifted(child.low) == self.low), None)
        return next((child for child in looked_at if lifted(child.high) == self.high), None)

    def _statistics(self, child: TreeNode) -> MoveStatistics:
        """Return what playouts said of a move, for the side that makes it."""
        assert child.move is not None, "a node with a parent has a move"
        assert child.visits is not None, "all of the tree is Monte Carlo"
        assert child.mean is not None
        sign = 1 if self.state.position.turn == 0 else -1
        mean = child.mean if sign > 0 else 1 - child.mean
        bound = child.low if child.low >= 0 else child.high if child.high <= 0 else None
        proven = None if bound is None else sign * lifted(bound)
        return MoveStatistics(child.move, child.visits, mean, proven)

    def walk(self) -> Iterator[TreeNode]:
        """Yield this node and all that are drawn below it, parents first, from the left."""
        yield self
        for child in self.children:
            yield from child.walk()

    def line(self) -> Iterator[TreeNode]:
        """Yield this node and the chosen line from here: both sides take their `best`.

        Where the tree goes on at another node, that one follows. The line ends where the
        best move is unknown, at the end of the game at the latest.
        """
        node: TreeNode | None = self
        while node is not None:
            yield node
            node = node.like or node.best


def lifted(score: int) -> int:
    """Return what a score is worth one move before: a win or a loss is one ply farther away."""
    return -back_up(score)


def lowered(bound: int) -> int:
    """Return the score after a move that `lifted` turns into this bound."""
    return bound if abs(bound) == OPEN else -push_down(bound)


ALPHA, BETA = "\N{GREEK SMALL LETTER ALPHA}", "\N{GREEK SMALL LETTER BETA}"
MINUS, INFINITY = "\N{MINUS SIGN}", "\N{INFINITY}"
AT_LEAST, AT_MOST = "\N{GREATER-THAN OR EQUAL TO}", "\N{LESS-THAN OR EQUAL TO}"
#: Stands where nothing is known.
UNKNOWN = "\N{HORIZONTAL ELLIPSIS}"
TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True)
class TreeWords:
    """The texts of a picture, with places in braces for what is filled in.

    A front end that speaks another language passes its own.
    """

    title: str = "Game tree from {position}"
    the_start: str = "the empty board"
    to_move: str = "{mark} to move"
    takes_best: str = "takes what is best for {mark}"
    the_end: str = "the end"
    wins: str = "{mark} wins"
    wins_in: str = "{mark} wins in {plies}"
    draw: str = "draw"
    cut: str = "cut off"
    like: str = "like {number}"
    unknown: str = "unknown"
    #: The legend; only what occurs in the picture is explained.
    about_plies: str = "“X wins in 3”: on the third move from there, if both sides play their best."
    about_line: str = "Framed: best play from here on. A thicker line leads to a best move."
    about_twins: str = "“×4”: four moves that are the same, turned or mirrored, drawn once."
    about_like: str = "“like 2”: the same as position 2, turned or mirrored, and goes on like it."
    about_arrows: str = "Dotted arrows: the same position, turned or mirrored; it goes on there."
    about_unknown: str = "“…”: too much to work out here."
    about_bounds: str = "≥ and ≤: at least and at most that good for X."
    about_window: str = "{alpha}, {beta}: what X and O are sure of when the search comes there."
    about_cut: str = "Dashed: cut off. The search never looked there; a move before it is enough."
    about_visits: str = (
        "“n = 12”: twelve random games went through here. “0.75”: what X got from each on average, "
        "1 for a win and 0.5 for a draw."
    )
    counts: str = "{searched} positions looked at, {cut} moves cut off."
    moves_told: str = "The moves: {moves}."
    line_told: str = "Best play: {moves}."
    #: What the players are called, and how the reader's language says those names.
    sides: tuple[str, str] = ("X", "O")
    side_names: tuple[tuple[str, str], ...] = ()

    def of(self, rules: Rules) -> TreeWords:
        """Return the same texts for the players of a game."""
        names = dict(self.side_names)
        first, second = (names.get(side, side) for side in traits_of(rules).sides)
        return replace(self, sides=(first, second))

    def score(self, score: int) -> str:
        """Return what a score for X means."""
        if score == 0:
            return self.draw
        mark = self.sides[score < 0]
        plies = plies_of(score)
        # A bound that no game is long enough for means a win at any time.
        if 0 < plies <= MAXIMUM_SIDE**2:
            return self.wins_in.format(mark=mark, plies=plies)
        return self.wins.format(mark=mark)

    def value(self, node: TreeNode) -> str:
        """Return what is known of a node."""
        if node.cut:
            return self.cut
        if node.score is not None:
            return self.score(node.score)
        bounds = []
        if _tells_at_least(node):
            bounds.append(f"{AT_LEAST} {self.score(node.low)}")
        if _tells_at_most(node):
            bounds.append(f"{AT_MOST} {self.score(node.high)}")
        return ", ".join(bounds) or (UNKNOWN if node.mean is None else f"{node.mean:.2f}")

    def details(self, node: TreeNode) -> tuple[str, ...]:
        """Return alpha and beta of a node, as far as the search had any use for them; or visits."""
        if node.visits is not None:
            return (f"n = {node.visits}",)
        if node.window is None or not (node.children or node.like):
            return ()
        return tuple(
            f"{name} {self._bound(bound)}" for name, bound in zip((ALPHA, BETA), node.window)
        )

    def way(self, parent: GameState, node: TreeNode) -> str:
        """Return the move to a node, and how many are folded into it."""
        assert node.move is not None, "a node with a parent has a move"
        name = move_name(parent, node.move)
        return f"{name} {TIMES}{1 + len(node.twins)}" if node.twins else name

    def mover(self, state: GameState) -> str:
        """Return whose turn it is."""
        return self.to_move.format(mark=self.sides[state.current_mark.side])

    def side(self, states: Sequence[GameState]) -> tuple[str, ...]:
        """Return what is told beside a layer: whose turn it is, and what that side looks for."""
        going_on = next((state for state in states if not state.game_over), None)
        if going_on is None:
            return (self.the_end,)
        side = going_on.current_mark.side
        return (self.mover(going_on), self.takes_best.format(mark=self.sides[side]))

    def heading(self, root: TreeNode) -> str:
        """Return the title of a picture."""
        state = root.state
        position = self.the_start if state.game_not_started else format_state(state)
        return self.title.format(position=position)

    def describe(self, root: TreeNode) -> str:
        """Return a tree in words: its root, each first move, the best play, and its legend."""
        state = root.state
        parts = [f"{self._spoken(root)}."]
        if root.children:
            parts = [f"{self.mover(state)}: {parts[0]}"]
            moves = [f"{self.way(state, child)}: {self._spoken(child)}" for child in root.children]
            parts.append(self.moves_told.format(moves="; ".join(moves)))
        line = list(takewhile(lambda node: node.like is None, root.line()))
        if len(line) > 1:
            names = [move_name(one.state, other.move or 0) for one, other in pairwise(line)]
            parts.append(self.line_told.format(moves=" ".join(names)))
        return " ".join([*parts, *self.legend(root)])

    def legend(self, root: TreeNode, *, arrows: bool = False) -> list[str]:
        """Return what a reader has to be told; only what occurs in the tree is explained.

        Args:
            arrows: whether the picture has arrows instead of numbers to where the tree goes on.
        """
        nodes = list(root.walk())
        bounded = [node for node in nodes if node.score is None and not node.cut]
        occurring = {
            self.about_line: root.best is not None,
            self.about_plies: any(node.score and not node.state.game_over for node in nodes),
            self.about_twins: any(node.twins for node in nodes),
            self.about_arrows if arrows else self.about_like: any(node.like for node in nodes),
            self.about_unknown: any(_is_unknown(node) for node in bounded),
            self.about_bounds: any(_tells_at_least(one) or _tells_at_most(one) for one in bounded),
            self.about_window.format(alpha=ALPHA, beta=BETA): any(
                node.visits is None and self.details(node) for node in nodes
            ),
            self.about_cut: any(node.cut for node in nodes),
            self.about_visits: root.visits is not None,
        }
        told = [text for text, occurs in occurring.items() if occurs]
        if root.window is not None:
            searched = sum(not node.cut and node.like is None for node in nodes)
            cut = sum(1 + len(node.twins) for node in nodes if node.cut)
            told.append(self.counts.format(searched=searched, cut=cut))
        return told

    def _spoken(self, node: TreeNode) -> str:
        return self.unknown if _is_unknown(node) else self.value(node)

    def _bound(self, score: int) -> str:
        if abs(score) >= MATE:  # nothing from here on can be better, or worse
            return f"{MINUS if score < 0 else ''}{INFINITY}"
        return self.score(score)


def _tells_at_least(node: TreeNode) -> bool:
    """Return whether the lower bound says who may win, or why alpha-beta turned back."""
    return node.low >= 0 or (node.window is not None and node.low >= node.window[1])


def _tells_at_most(node: TreeNode) -> bool:
    return node.high <= 0 or (node.window is not None and node.high <= node.window[0])


def _is_unknown(node: TreeNode) -> bool:
    """Return whether nothing worth telling is known of a node that was looked at."""
    known = node.cut or node.score is not None or node.mean is not None
    return not (known or _tells_at_least(node) or _tells_at_most(node))


ENGLISH = TreeWords()
