"""The tree of a Monte Carlo search in one array, and the compiled search that grows it.

It is the search of `logic.search.mcts`: UCT (Kocsis and Szepesvári, 2006) with the solver of
Winands, Björnsson and Saito (2008). It differs in three things. A node gets all its children at
once, in random order, when it is visited for the second time. Each child starts with `PRIOR_VISITS`
visits that have not happened, whose mean is what the game expects of the move (Gelly and Silver,
2007), so that a bad move among many need not be tried. And the game looks at a node before it gets
children (Teytaud and Teytaud, 2010): a win in one proves it, and moves that do not stop one are
left out.

A game is three functions on arrays of int64. The entry `TURN` of the state is the side to move,
and `PLIES` is the number of moves made since the search began::

    play(state, tables, move) -> a result: the winner 0 or 1, DRAW or GOES_ON
    survey(state, tables, moves, control) -> the score that is seen at once, else UNKNOWN
    simulate(state, tables, dice) -> the result of a random game from here on

``survey`` writes the moves that have to be looked at into ``moves``, at index 2 * i, and after each
what is expected of it in hundredths of a win; it writes their number to ``control[COUNT]``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.solver.kernels.bits import Word, Words, called, inlined

TURN, PLIES = 0, 1

DRAW, GOES_ON = 2, 3

# The fields of a node, an int32 each. Node 0 is the root.
MOVE = 0
FIRST = 1  # the node of the first child; 0 while there are none
CHILDREN = 2
VISITS = 3
REWARD = 4  # for the side that moved here: 2 for each win, 1 for each draw
PROVEN = 5  # the score for the side to move, or UNKNOWN
FIELDS = 6

#: Not a score.
UNKNOWN = 2 * MATE

# The control words, int64 each.
NODES = 0  # in the tree so far
DONE = 1  # playouts so far
COUNT = 2  # of the moves that the last survey has written
SPENT = 3  # the nanoseconds that this took, by the costs that follow
PLAYOUT_COST = 4  # of a playout, apart from
PLY_COST = 5  # of a move
PASSED = 6  # where the numbers of the nodes on the current path begin
CONTROLS = PASSED + MATE

#: The weight of exploration in UCB1, for rewards between 0 and 1.
EXPLORATION = 0.6
#: How many visits a child is said to have had when it is made.
PRIOR_VISITS = 4
#: The nanoseconds of looking at one child.
CHILD_COST = 5
#: The visits after which a node gets children.
EXPAND_AT = 1


class GameParts(NamedTuple):
    """The functions of a game, as the docstring of the module describes them.

    Attributes:
        name: for the file of the machine code.
    """

    name: str
    play: Callable[..., Word]
    survey: Callable[..., Word]
    simulate: Callable[..., Word]


class Game(ABC):
    """One game: the functions of its kind, and the tables that they use.

    Attributes:
        parts: the functions.
        tables: what they need to know of the rules.
        most_moves: the most legal moves of a position.
        ply_cost: the nanoseconds that an ordinary machine takes for a move of a random game.
    """

    parts: GameParts
    tables: NDArray[np.int64]
    most_moves: int
    ply_cost: int

    @abstractmethod
    def state(self, position: Position) -> NDArray[np.int64]:
        """Return the words of a position that is not over."""

    def move_of(self, code: int) -> int:
        """Return the move of the rules that a move of the functions is."""
        return code


# Random numbers come from the generator xorshift64 (George Marsaglia, 2003). It has one word of
# state, an array of one uint64 that is not zero, and needs no arithmetic that NumPy would refuse
# where kernels run uncompiled.
_LEFT, _RIGHT, _LEFT_AGAIN = map(np.uint64, (13, 7, 17))
#: The number is made of the upper 31 bits, which are the most random.
_UNUSED, _USED = map(np.uint64, (33, 31))


@inlined
def below(dice: Words, count: Word) -> Word:
    """Return a number from 0 to ``count`` - 1, each as likely as the others, and go on."""
    state = dice[0]
    state ^= state << _LEFT
    state ^= state >> _RIGHT
    state ^= state << _LEFT_AGAIN
    dice[0] = state
    return np.int64(((state >> _UNUSED) * np.uint64(count)) >> _USED)


@inlined
def final_score_of(result: Word, turn: Word) -> Word:
    """Return the score of a game that is over, for the side that would be to move."""
    if result == DRAW:
        return np.int64(0)
    return np.int64(MATE if result == turn else -MATE)


@inlined
def backed_up(score: Word) -> Word:
    """Return what a move is worth, from the score after it; see `evaluation.back_up`."""
    if score > 0:
        return 1 - score
    return -1 - score if score < 0 else score


def subtree(tree: NDArray[np.int32], node: int, size: int) -> tuple[NDArray[np.int32], int]:
    """Return a node with all below it as a tree of its own, and how many nodes that has.

    Args:
        tree: the nodes, one after the other.
        size: of the new tree, in nodes; it is large enough.
    """
    old = tree.reshape(-1, FIELDS)
    # Zeros cost nothing until they are touched.
    new: NDArray[np.int32] = np.zeros((size, FIELDS), np.int32)
    level, begin, count = np.array([node]), 0, 1
    while level.size:
        rows = old[level]
        counts = np.where(rows[:, FIRST] > 0, rows[:, CHILDREN], 0)
        ends = np.cumsum(counts)
        within = np.arange(int(ends[-1])) - np.repeat(ends - counts, counts)
        below = np.repeat(rows[:, FIRST], counts) + within
        rows[:, FIRST] = np.where(counts > 0, count + ends - counts, 0)
        new[begin : begin + level.size] = rows
        level, begin, count = below, begin + level.size, count + below.size
    return new.reshape(-1), begin


@called
def choose_child(tree: Words, node: Word) -> Word:
    """Return the child to visit by UCB1 among those whose result is not proved; at least one is."""
    at = node * FIELDS
    first = np.int64(tree[at + FIRST])
    log_visits = math.log(np.float64(tree[at + VISITS] + 1))
    chosen, highest = first, -1.0
    for child in range(first, first + np.int64(tree[at + CHILDREN])):
        entry = child * FIELDS
        if tree[entry + PROVEN] == UNKNOWN:
            visits = np.float64(tree[entry + VISITS])
            mean = np.float64(tree[entry + REWARD]) / (2.0 * visits)
            urgency = mean + EXPLORATION * math.sqrt(log_visits / visits)
            if urgency > highest:
                chosen, highest = child, urgency
    return chosen


@called
def prove(tree: Words, node: Word) -> Word:
    """Return the score of a node by its children, UNKNOWN if it does not follow from them."""
    at = node * FIELDS
    first = np.int64(tree[at + FIRST])
    best, is_open = np.int64(-UNKNOWN), False
    for child in range(first, first + np.int64(tree[at + CHILDREN])):
        proven = np.int64(tree[child * FIELDS + PROVEN])
        if proven == UNKNOWN:
            is_open = True
        else:
            best = max(best, backed_up(proven))
    return np.int64(UNKNOWN) if is_open and best <= 0 else best


@called
def add_children(tree: Words, node: Word, moves: Words, control: Words, dice: Words) -> None:
    """Make children of a node of the moves of a survey, in random order, if there is room."""
    count, first = control[COUNT], control[NODES]
    if (first + count) * FIELDS > tree.size:
        return
    for index in range(count - 1, 0, -1):
        other = below(dice, index + 1)
        for part in range(2):
            kept = moves[2 * index + part]
            moves[2 * index + part] = moves[2 * other + part]
            moves[2 * other + part] = kept
    for index in range(count):
        entry = (first + index) * FIELDS
        tree[entry + MOVE] = moves[2 * index]
        tree[entry + FIRST] = tree[entry + CHILDREN] = 0
        tree[entry + VISITS] = PRIOR_VISITS
        # Hundredths of a win a visit, and a win counts 2.
        tree[entry + REWARD] = moves[2 * index + 1] * PRIOR_VISITS // 50
        tree[entry + PROVEN] = UNKNOWN
    tree[node * FIELDS + FIRST] = first
    tree[node * FIELDS + CHILDREN] = count
    control[NODES] = first + count


@called
def pass_up(tree: Words, depth: Word, result: Word, turn: Word, control: Words) -> None:
    """Count a result at all nodes of a path, and prove those that a proved last node proves.

    Args:
        depth: the plies of the path.
        turn: the side to move at its end.
    """
    proves = True
    for index in range(depth, -1, -1):
        node = control[PASSED + index]
        at = node * FIELDS
        if proves and index < depth:
            tree[at + PROVEN] = prove(tree, node)
        proves = tree[at + PROVEN] != UNKNOWN
        tree[at + VISITS] += 1
        if result == DRAW:
            tree[at + REWARD] += 1
        elif result != turn:
            tree[at + REWARD] += 2
        turn = 1 - turn


def descent_with(game: GameParts) -> Callable[..., Word]:
    """Return the function that walks down the tree of a game and adds to it."""
    play, survey = game.play, game.survey

    @called
    def descend(
        tree: Words, tables: Words, state: Words, moves: Words, control: Words, dice: Words
    ) -> Word:
        """Walk from the root to a node without children or with a result; return the depth.

        The state is that of the node in the end.
        """
        node = depth = np.int64(0)
        control[PASSED] = 0
        while True:
            at = node * FIELDS
            if tree[at + FIRST] == 0:
                if tree[at + VISITS] < EXPAND_AT + (PRIOR_VISITS if depth > 0 else 0):
                    return depth
                seen = survey(state, tables, moves, control)
                tree[at + PROVEN] = seen
                if seen != UNKNOWN:
                    return depth
                add_children(tree, node, moves, control, dice)
                if tree[at + FIRST] == 0:
                    return depth
            control[SPENT] += CHILD_COST * np.int64(tree[at + CHILDREN])
            node = choose_child(tree, node)
            result = play(state, tables, np.int64(tree[node * FIELDS + MOVE]))
            depth += 1
            control[PASSED + depth] = node
            if result != GOES_ON:
                tree[node * FIELDS + PROVEN] = final_score_of(result, state[TURN])
                return depth

    return descend


def search_with(game: GameParts) -> Callable[..., Word]:
    """Return the search of a game, which can be compiled and also runs as it stands."""
    descend, simulate = descent_with(game), game.simulate

    @called
    def search(
        tree: Words,
        tables: Words,
        root: Words,
        state: Words,
        moves: Words,
        dice: Words,
        control: Words,
        stop: Words,
        least: Word,
        until: Word,
    ) -> Word:
        """Run playouts until the root is proved, ``stop`` is set, or they have cost enough.

        Args:
            least: how many playouts there are in all, whatever they cost.
            until: the nanoseconds that all may cost.
        """
        while tree[PROVEN] == UNKNOWN and stop[0] == 0:
            if control[DONE] >= least and control[SPENT] >= until:
                break
            for index in range(root.size):
                state[index] = root[index]
            depth = descend(tree, tables, state, moves, control, dice)
            turn = state[TURN]
            proven = np.int64(tree[control[PASSED + depth] * FIELDS + PROVEN])
            if proven == UNKNOWN:
                result = simulate(state, tables, dice)
            elif proven == 0:
                result = np.int64(DRAW)
            else:
                result = turn if proven > 0 else 1 - turn
            pass_up(tree, depth, result, turn, control)
            control[SPENT] += control[PLAYOUT_COST] + state[PLIES] * control[PLY_COST]
            control[DONE] += 1
        return control[DONE]

    return search
