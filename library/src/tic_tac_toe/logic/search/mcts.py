"""Monte Carlo tree search with proven results backed up, and the random games that it plays."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate
from operator import or_
from random import Random
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.letters import LetterRules
from tic_tac_toe.logic.rules.line import TABLED_CELLS, LineRules
from tic_tac_toe.logic.rules.renju import Renju, is_forbidden
from tic_tac_toe.logic.rules.traits import cell_of, traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import without_misere
from tic_tac_toe.logic.search.deepening import candidates
from tic_tac_toe.logic.search.evaluation import MATE, back_up, final_score
from tic_tac_toe.logic.shapes import blocks, layout

#: The weight of exploration in UCB1 for rewards between 0 and 1.
EXPLORATION = math.sqrt(2)
#: The number of playouts between two looks at what they say.
LOOK = 32
#: With more moves a decisive search need not try them all before its limits end it: each
#: move costs a look at all replies, which takes minutes on 26 x 26.
MOST_TRIED = 128
#: There, how many playouts each move near a mark has on average before a move far away is tried.
FAR = 32
#: A random game in which positions can come back is broken off after this number of plies.
ENDLESS_PLIES = 200


class MoveStatistics(NamedTuple):
    """What the search learned of a move.

    Attributes:
        move: the move.
        visits: how many playouts went through it.
        mean: the average reward for the side that makes it: 1 a win, 1/2 a draw, 0 a loss.
        proven: the score for that side where play to the end proved who wins, else ``None``. The
            winner is certain; the distance is that of the lines seen, not always the shortest.
    """

    move: int
    visits: int
    mean: float
    proven: int | None


def monte_carlo(
    rules: Rules | str,
    position: Position,
    rng: Random,
    *,
    iterations: int,
    stop: Callable[[], bool] | None = None,
    decisive: bool = False,
    look: Callable[[tuple[MoveStatistics, ...]], object] | None = None,
) -> tuple[MoveStatistics, ...]:
    """Return what playouts say of the legal moves, by ascending cell.

    UCT (Kocsis and Szepesvári, 2006) with the solver of Winands, Björnsson and Saito (2008): a
    game that ends inside the tree is worth its result and not an average, and results are passed
    up as soon as they are certain. Once the result of the position itself is, the search ends, and
    moves that it has not tried are not in the answer; until then every legal move is tried at least
    once whatever the limits, so that a win in one is always found. With ``decisive`` and more than
    `MOST_TRIED` moves the limits come first, once a move is tried that is not proved to lose, and
    moves near a mark are tried before the others.

    Args:
        iterations: how many playouts, at least the number of legal moves.
        stop: asked before each further playout, ends the search when true.
        decisive: look for a win in one in each new position (Teytaud and Teytaud, 2010), which is
            then proved at once; and see `random_playout`.
        look: shown every `LOOK` playouts what they say of the moves that were tried by then.

    Raises:
        ValueError: the game is over.
    """
    rules = rules_of(rules)
    root = Node(rules, position, rng)
    if not root.untried:
        raise ValueError("The game is over")
    if decisive:
        root.look_for_win(rules)
    is_wide = decisive and len(root.untried) > MOST_TRIED
    if is_wide:
        root.order(rules)
    count = 0
    while root.proven is None:
        may_end = root.keeps_a_chance if is_wide else not root.untried
        if may_end and (count >= iterations or (stop is not None and stop())):
            break
        if look is not None and count and count % LOOK == 0:
            look(_statistics(root))
        _iterate(rules, root, rng, decisive)
        count += 1
    return _statistics(root)


def best_of(statistics: tuple[MoveStatistics, ...]) -> tuple[int, ...]:
    """Return the moves to choose from, ascending: the shortest proved win, else the most visited.

    A proved draw, which is visited no more, is preferred to open moves that have won less than
    half. Moves proved to lose are taken only when there are no others, the longest defence first.
    """
    proven = max((move.proven for move in statistics if move.proven), default=0)
    if proven > 0:
        return tuple(move.move for move in statistics if move.proven == proven)
    most = max((move.visits for move in statistics if move.proven is None), default=0)
    visited = [move for move in statistics if move.proven is None and move.visits == most]
    draws = [move for move in statistics if move.proven == 0]
    if draws and all(move.mean < 0.5 for move in visited):
        return tuple(move.move for move in draws)
    losses = (move for move in statistics if move.proven == proven)
    return tuple(move.move for move in visited or losses)


class Node:
    """A position in the tree of a Monte Carlo search.

    Attributes:
        move: the number of the move that led here, ``None`` at the root.
        visits: how many playouts went through it.
        reward: what the side that moved here got from them: 1 for a win, 1/2 for a draw.
        children: the positions after the moves that were tried, by move.
        untried: the other moves.
        far: how many of them, the first, wait until the others are known better.
        proven: the score for the side to move where play to the end proved who wins, else ``None``.
    """

    __slots__ = ("children", "far", "move", "position", "proven", "reward", "untried", "visits")

    def __init__(
        self, rules: Rules, position: Position, rng: Random, move: int | None = None
    ) -> None:
        self.position: Position = position
        self.move: int | None = move
        self.visits: int = 0
        self.reward: float = 0.0
        self.children: dict[int, Node] = {}
        self.untried: list[int] = list(rules.moves(position))
        self.far: int = 0
        self.proven: int | None = None
        if self.untried:
            rng.shuffle(self.untried)
        else:
            outcome = rules.outcome(position)
            assert outcome is not None, "a position without moves is the end of the game"
            self.proven = final_score(outcome, position.turn)

    def look_for_win(self, rules: Rules) -> bool:
        """Leave out all moves but those that win at once, if there are any; return whether so."""
        position, wins = self.position, list[int]()
        for cell in self.untried:
            outcome = rules.outcome(rules.play(position, cell))
            if outcome is not None and outcome.winner == position.turn:
                wins.append(cell)
        self.untried = wins or self.untried
        return bool(wins)

    def order(self, rules: Rules) -> None:
        """Let the moves come first that mark a cell with which the other side would win.

        Then come those near a mark; those far away wait.
        """
        other = 1 - self.position.turn
        passed, wins = self.position._replace(turn=other), set[int | None]()
        for move in rules.moves(passed):
            outcome = rules.outcome(rules.play(passed, move))
            if outcome is not None and outcome.winner == other:
                wins.add(cell_of(rules, move))
        near = {*candidates(rules, self.position, sorted(self.untried))}
        near |= {move for move in self.untried if cell_of(rules, move) in wins}
        # the last of the list is tried first
        self.untried.sort(key=lambda move: (cell_of(rules, move) in wins, move in near))
        self.far = len(self.untried) - len(near.intersection(self.untried))

    @property
    def expands(self) -> bool:
        """Whether a playout goes to a move that was not tried yet."""
        if not self.untried:
            return False
        is_far = len(self.untried) <= self.far
        waits = is_far and any(child.proven is None for child in self.children.values())
        return not waits or self.visits >= FAR * len(self.children)

    @property
    def keeps_a_chance(self) -> bool:
        """Whether a move was tried that is not proved to lose."""
        return any(child.proven is None or child.proven <= 0 for child in self.children.values())

    def most_urgent(self) -> Node:
        """Return the child to visit by UCB1, among those whose result is not proved yet."""
        log_visits = math.log(self.visits)

        def urgency(child: Node) -> float:
            mean = child.reward / child.visits
            return mean + EXPLORATION * math.sqrt(log_visits / child.visits)

        return max((child for child in self.children.values() if child.proven is None), key=urgency)

    def prove(self) -> None:
        """Settle the node if a reply is proved to win, or if every reply is proved."""
        scores = [child.proven for child in self.children.values()]
        proven = [back_up(score) for score in scores if score is not None]
        best = max(proven, default=0)
        if best > 0 or (not self.untried and len(proven) == len(scores)):
            self.proven = best


def each_playout(
    rules: Rules, position: Position, rng: Random, *, iterations: int
) -> Iterator[list[Node]]:
    """Yield for each playout of `monte_carlo` the nodes that it went through, the root first.

    The last of them is new, or its result is proved. The search ends when that of the root is.
    """
    root = Node(rules, position, rng)
    for _ in range(iterations):
        if root.proven is not None:
            return
        yield _iterate(rules, root, rng, decisive=False)


def _statistics(root: Node) -> tuple[MoveStatistics, ...]:
    return tuple(
        MoveStatistics(
            cell,
            node.visits,
            node.reward / node.visits,
            None if node.proven is None else back_up(node.proven),
        )
        for cell, node in sorted(root.children.items())
    )


def _iterate(rules: Rules, root: Node, rng: Random, decisive: bool) -> list[Node]:
    """Run one playout, select, expand, simulate, back up, and return the nodes on its way."""
    path = [root]
    node = root
    while node.proven is None and not node.expands:
        node = node.most_urgent()
        path.append(node)
    if node.proven is None:
        cell = node.untried.pop()
        node.children[cell] = node = Node(rules, rules.play(node.position, cell), rng, cell)
        path.append(node)
        if decisive and node.proven is None and node.look_for_win(rules):
            node.proven = MATE - 1
    if node.proven is None:
        winner = random_playout(rules, node.position, rng, decisive=decisive)
    else:
        loser_moves = node.proven < 0
        winner = None if node.proven == 0 else node.position.turn ^ loser_moves
    for passed in reversed(path):
        if passed.proven is None and passed.children:
            passed.prove()
        passed.visits += 1
        mover = 1 - passed.position.turn
        passed.reward += 0.5 if winner is None else float(winner == mover)
    return path


def random_playout(
    rules: Rules, position: Position, rng: Random, *, decisive: bool = False
) -> int | None:
    """Return who wins when both sides move evenly at random: 0, 1, or ``None`` for a draw.

    On boards without gravity every order of the empty cells is equally likely, and a line once
    made stays; so one shuffle is the whole game, and where it ended is found by bisection.

    Args:
        decisive: in ultimate a side that can win the game with one move does so; in other games
            this changes nothing.
    """
    inner = without_misere(rules)
    if type(inner) is LineRules and not inner.gravity and not inner.exact:
        winner = _first_line(inner, position, rng)
    elif isinstance(inner, LetterRules) and not inner.line.gravity and not inner.line.exact:
        winner = _first_line_of_letter(inner, position, rng)
    elif type(inner) is Ultimate and is_tabled(inner):
        if ended := inner.outcome(position):
            winner = ended.winner
        else:
            winner = play_ultimate(inner, position, rng, decisive=decisive and inner is rules)
    elif type(inner) is Renju:
        winner = _play_renju(inner, position, rng)
    else:
        return walk_randomly(rules, position, rng)
    return winner if winner is None or inner is rules else 1 - winner


def walk_randomly(rules: Rules, position: Position, rng: Random) -> int | None:
    """Return what `random_playout` does, move by move, for any rules.

    Where positions can come back, a game that has not ended after `ENDLESS_PLIES` is a draw.
    """
    moves, play, random = rules.moves, rules.play, rng.random
    plies = 0
    while cells := moves(position):
        position = play(position, cells[int(random() * len(cells))])
        plies += 1
        if plies == ENDLESS_PLIES and traits_of(rules).longest is None:
            return None
    outcome = rules.outcome(position)
    assert outcome is not None, "a position without moves is the end of the game"
    return outcome.winner


def _play_renju(rules: Renju, position: Position, rng: Random) -> int | None:
    """Return who wins when legal moves are drawn; only drawn cells are asked whether they are."""
    stones, turn = [*position.stones], position.turn
    if (ended := rules.outcome(position)) is not None:
        return ended.winner
    cells = [*rules.open_cells(position.occupied)]
    while True:
        drawn = len(cells)  # from here on lie the cells that are drawn and forbidden
        while drawn:
            at = int(rng.random() * drawn)
            drawn -= 1
            cells[at], cells[drawn] = cells[drawn], cells[at]
            if turn or not is_forbidden(rules.shape, stones[0], stones[1], cells[drawn]):
                break
        else:
            return None
        stones[turn] |= 1 << cells.pop(drawn)
        if rules.winning_line((stones[0], stones[1]), turn):
            return turn
        turn = 1 - turn


def _first_line(rules: LineRules, position: Position, rng: Random) -> int | None:
    """Return who first owns a line when the empty cells are filled in random order."""
    turn, has_line = position.turn, rules.has_line
    order = _shuffled(rules, position, rng)
    mover = tuple(accumulate(order[0::2], or_, initial=position.stones[turn]))
    other = tuple(accumulate(order[1::2], or_, initial=position.stones[1 - turn]))

    def ended(ply: int) -> bool:
        return has_line(mover[(ply + 1) // 2]) or has_line(other[ply // 2])

    ply = bisect_left(range(len(order) + 1), True, key=ended)
    if ply > len(order):
        return None
    return turn if ply % 2 else 1 - turn


def _first_line_of_letter(rules: LetterRules, position: Position, rng: Random) -> int | None:
    """Return who wins when random letters fill the empty cells in random order."""
    has_line = rules.line.has_line
    order = _shuffled(rules.line, position, rng)
    letters = rng.getrandbits(len(order) + 1)
    chosen = [(letters >> ply & 1, cell) for ply, cell in enumerate(order)]
    crosses, naughts = (
        tuple(accumulate((cell * (one == letter) for one, cell in chosen), or_, initial=stones))
        for letter, stones in enumerate(position.stones)
    )

    def ended(ply: int) -> bool:
        return has_line(crosses[ply]) or has_line(naughts[ply])

    ply = bisect_left(range(len(order) + 1), True, key=ended)
    last = min(ply, len(order))
    return rules.winner((position.turn + last) % 2, ply == last)


def _shuffled(rules: LineRules, position: Position, rng: Random) -> list[int]:
    """Return the empty cells in random order, each as a bit board."""
    table = layout(rules.shape)
    cells = table.cells(table.full & ~position.occupied)
    return [1 << cell for cell in sorted(cells, key=lambda _: rng.random())]


def play_ultimate(
    rules: Ultimate, position: Position, rng: Random, *, decisive: bool = False
) -> int | None:
    """Return who wins a random game from a position that is not over: 0, 1, or ``None``.

    Every legal move is equally likely. With the same `rng` it is the game of `walk_randomly`.

    Args:
        rules: with boards that are `is_tabled`.
        decisive: a side that can win the game with one move does so.
    """
    empty, lined, completing, cells, places = _tables(rules.local)
    stays_open, random = rules.stays_open, rng.random
    boards = range(len(empty[0]))
    everything = (1 << len(boards)) - 1
    turn = position.turn
    owned = list(rules.won(position))
    own, other = (list(rules.side(position.stones[side]).boards) for side in (turn, 1 - turn))
    own_won, other_won = owned[turn], owned[1 - turn]
    closed = 0 if stays_open else own_won | other_won
    closed |= sum(1 << board for board in boards if own[board] | other[board] == everything)
    forced = position.memory % (len(boards) + 1)
    while closed != everything:
        if decisive and (goal := completing[own_won] & ~own_won & ~other_won):
            goal &= 1 << forced - 1 if forced else ~closed
            if any(
                goal >> board & 1 and completing[own[board]] & ~(own[board] | other[board])
                for board in boards
            ):
                return turn
        if forced:
            board = forced - 1
            choices = empty[own[board] | other[board]]
            cell = choices[int(random() * len(choices))]
        else:
            anywhere = sorted(
                cells[board][cell]
                for board in boards
                if not closed >> board & 1
                for cell in empty[own[board] | other[board]]
            )
            board, cell = places[anywhere[int(random() * len(anywhere))]]
        stones = own[board] | 1 << cell
        own[board] = stones
        here = 1 << board
        if lined[stones] and not (own_won | other_won) & here:
            own_won |= here
            if lined[own_won]:
                return turn
            if not stays_open:
                closed |= here
        if stones | other[board] == everything:
            closed |= here
        forced = 0 if closed >> cell & 1 else cell + 1
        own, other, own_won, other_won, turn = other, own, other_won, own_won, 1 - turn
    return None


def is_tabled(rules: Ultimate) -> bool:
    """Return whether small boards are small enough for tables, and stay won once they are."""
    return rules.local.shape.cells <= TABLED_CELLS and not can_be_lost_again(rules)


def can_be_lost_again(rules: Ultimate) -> bool:
    """Return whether a small board that is won can be played in until its row is too long."""
    return rules.stays_open and rules.local.exact


class _Tables(NamedTuple):
    """What a game on boards of one kind looks up; bit boards are those of a small board.

    Attributes:
        empty: the empty cells by the taken ones.
        lined: whether stones have a line.
        completing: the cells that would complete a line of the stones, taken or not.
        cells: of each small board, the cells of the whole board.
        places: of each cell of the whole board, its small board and its cell there.
    """

    empty: tuple[tuple[int, ...], ...]
    lined: tuple[bool, ...]
    completing: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, int], ...]


@lru_cache(maxsize=16)
def _tables(local: LineRules) -> _Tables:
    count = local.shape.cells
    lined = tuple(map(bool, local.line_table))
    completing = tuple(
        sum(1 << cell for cell in range(count) if lined[stones | 1 << cell])
        for stones in range(1 << count)
    )
    whole = blocks(Ultimate(local).shape, local.shape)
    cells = tuple(tuple(whole.cell(board, cell) for cell in range(count)) for board in range(count))
    return _Tables(local.open_table, lined, completing, cells, tuple(whole.places))
