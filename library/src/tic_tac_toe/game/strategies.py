"""Functions that choose a move, by name: the computer players of every front end; and Swap2."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Protocol

from tic_tac_toe.engines.choice import is_ready
from tic_tac_toe.engines.plain import play_out
from tic_tac_toe.game.evaluate import evaluate
from tic_tac_toe.limits import MOMENT, Limits
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.registry import Registry
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import cell_of
from tic_tac_toe.logic.search.deepening import candidates, look_ahead
from tic_tac_toe.logic.search.exact import Solver, best_moves
from tic_tac_toe.logic.search.mcts import best_of
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.solver.answers import plain_python_solves, solving


class Strategy(Protocol):
    """A function that chooses a move for the side to move.

    The second argument is where all chance comes from: the same state and a generator seeded
    alike give the same move. Without one, each call makes its own.
    """

    def __call__(self, state: GameState, rng: random.Random | None = None, /) -> Move | None:
        """Return a move, or ``None`` once the game is over."""


#: The number of games that `mcts` plays out before each move, and that on boards of more cells.
PLAYOUTS, WIDE_PLAYOUTS, WIDE_CELLS = 2_000, 500, 100
#: The probability with which each beatable level moves by its better strategy, not at random.
EASY_CARE, MEDIUM_CARE, HARD_CARE = 0.4, 0.8, 0.9
#: The strategies that think for as long as they are told.
TIMED = ("hard", "mcts", "minimax", "trickster")
#: What `medium` and `hard` spend on a move where the game is too large to be solved at the start.
MEDIUM_LIMITS = MOMENT.share(0.04)
HARD_SHARE = 0.2
HARD_LIMITS = MOMENT.share(HARD_SHARE)
#: The least part of its work that `hard` spends there: it differs by chance, and so do its games.
LEAST_PART = 0.4


def play_randomly(state: GameState, rng: random.Random | None = None, /) -> Move | None:
    """Move evenly at random."""
    return state.make_random_move(rng)


def play_by_rules(state: GameState, rng: random.Random | None = None, /) -> Move | None:
    """Win if you can, block if you must, else take a corner, the centre, a side.

    On wide boards it moves near another mark instead. Where finishing a line loses, as in misère
    play, it steers clear of that while it can.
    """
    if state.game_over:
        return None
    rules, position, mover = state.rules, state.position, state.position.turn
    wins = _ending_in(rules, position, mover)
    if wins:
        return _choose(state, wins, rng)
    threats = _ending_in(rules, position._replace(turn=1 - mover), 1 - mover)
    blunders = _ending_in(rules, position, 1 - mover)
    moves = [move for move in state.legal_moves if move not in blunders]
    threatened = {cell_of(rules, move) for move in threats}
    if blocks := [move for move in moves if cell_of(rules, move) in threatened]:
        return _choose(state, blocks, rng)
    if len(near := candidates(rules, position, moves)) < len(moves):
        return _choose(state, near, rng)
    for group in corners_and_centre(rules.shape):
        if free := [move for move in moves if cell_of(rules, move) in group]:
            return _choose(state, free, rng)
    return _choose(state, moves or state.legal_moves, rng)


def minimax(
    state: GameState, rng: random.Random | None = None, /, *, limits: Limits = MOMENT
) -> Move | None:
    """Play perfectly: the shortest win, else a draw, else the longest defence.

    Of equally good moves it takes the first, but for a random one on the empty grid. Where the
    work does not suffice to solve the position it is played by the strongest engine for the game
    (`engines.choice`); `caveat` says so. A win or a draw that is proved is kept even if the work
    ends before the best move is found.
    """
    if state.game_over:
        return None
    best = evaluate(state, limits, rng).best
    return _choose(state, best, rng) if state.game_not_started else state.make_move_to(best[0])


def mcts(
    state: GameState,
    rng: random.Random | None = None,
    /,
    *,
    playouts: int | None = None,
    limits: Limits | None = None,
) -> Move | None:
    """Play the move that came out best in thousands of random games.

    Args:
        playouts: the number of games: `PLAYOUTS` unless given, `WIDE_PLAYOUTS` on large boards.
        limits: end the games sooner.
    """
    if state.game_over:
        return None
    dice = rng or random.Random()
    if playouts is None:
        playouts = WIDE_PLAYOUTS if state.rules.shape.cells > WIDE_CELLS else PLAYOUTS
    limits = (limits or Limits()).begun()
    statistics = play_out(state.rules, state.position, limits, dice, playouts)
    return _choose(state, best_of(statistics), dice)


def trickster(
    state: GameState, rng: random.Random | None = None, /, *, limits: Limits = MOMENT
) -> Move | None:
    """Play perfectly, and of equally good moves the one that is hardest to answer well.

    That is the move after which the largest share of the replies gives something away. Where the
    game is too large to solve it plays like `minimax`.
    """
    rules, position = state.rules, state.position
    if not state.game_over and plain_python_solves(rules, position):
        with suppress(SearchLimitReached), solving(rules, position, limits, is_ready) as found:
            if found is not None:
                best = _best_moves(state, found.solver)
                shares = {cell: _share_of_mistakes(state, cell, found.solver) for cell in best}
                most = max(shares.values())
                return _choose(state, [cell for cell in best if shares[cell] == most], rng)
    return minimax(state, rng, limits=limits)


def easy(state: GameState, rng: random.Random | None = None, /) -> Move | None:
    """Move at random more often than not, else by simple rules."""
    return _now_and_then(play_by_rules, EASY_CARE, state, rng)


def medium(
    state: GameState, rng: random.Random | None = None, /, *, limits: Limits = MEDIUM_LIMITS
) -> Move | None:
    """Mostly move by simple rules, on large boards after a short thought, else at random."""
    is_solved = plain_python_solves(state.rules, Position())
    better = play_by_rules if is_solved else partial(minimax, limits=limits)
    return _now_and_then(better, MEDIUM_CARE, state, rng)


def hard(
    state: GameState, rng: random.Random | None = None, /, *, limits: Limits | None = None
) -> Move | None:
    """Play perfectly but for one move in ten; on large boards like minimax in a fifth of its time.

    Args:
        limits: `MOMENT`, and on large boards `HARD_LIMITS`, unless given.
    """
    limits = limits or hard_limits(state.rules)
    if plain_python_solves(state.rules, Position()):
        return _now_and_then(partial(minimax, limits=limits), HARD_CARE, state, rng)
    dice = rng or random.Random()
    part = dice.uniform(LEAST_PART, 1.0)
    return minimax(state, dice, limits=limits.share(part))


def hard_limits(rules: Rules) -> Limits:
    """Return what `hard` spends on a move of a game unless it is told otherwise."""
    return MOMENT if plain_python_solves(rules, Position()) else HARD_LIMITS


STRATEGIES: Mapping[str, Strategy] = Registry(
    "The strategies by the names that players choose them by.",
    {
        "random": play_randomly,
        "easy": easy,
        "rules": play_by_rules,
        "medium": medium,
        "hard": hard,
        "mcts": mcts,
        "minimax": minimax,
        "trickster": trickster,
    },
    describe=lambda strategy: (strategy.__doc__ or "").partition("\n")[0],
)


def within(name: str, limits: Limits) -> Strategy:
    """Return the strategy of a name with other limits, if it searches.

    It moves as the strategy does, unless its time is over or it is cancelled: then it makes the
    move that looks best by then. With a time it takes all of that, but for what it solves sooner;
    ``hard`` takes its share.

    Args:
        limits: without an end they are those of the strategy.

    Raises:
        KeyError: no strategy has that name.
    """
    strategy, is_timed = STRATEGIES[name], limits.time_limit is not None
    if name not in TIMED and (is_timed or name != "medium"):
        return strategy
    search: Callable[..., Move | None] = strategy

    def think(state: GameState, rng: random.Random | None = None, /) -> Move | None:
        if name == "mcts":
            return mcts(state, rng, playouts=sys.maxsize if is_timed else None, limits=limits)
        if is_timed:
            own = limits.share(HARD_SHARE if name == "hard" else 1.0)
        else:
            usual = {"hard": hard_limits(state.rules), "medium": MEDIUM_LIMITS}.get(name, MOMENT)
            own = replace(limits, work=usual.work)
        return search(state, rng, limits=own)

    return think


def corners_and_centre(shape: Shape) -> tuple[frozenset[int], frozenset[int]]:
    """Return the corner cells, and the one, two or four cells in the middle of a board."""
    rows, columns = shape

    def cells(rows_of: Sequence[int], columns_of: Sequence[int]) -> frozenset[int]:
        return frozenset(row * columns + column for row in rows_of for column in columns_of)

    corners = cells((0, rows - 1), (0, columns - 1))
    return corners, cells((rows - 1 >> 1, rows >> 1), (columns - 1 >> 1, columns >> 1))


def _best_moves(state: GameState, solver: Solver) -> tuple[int, ...]:
    rules, position = state.rules, state.position
    return best_moves(rules, position, solver.score(position), solver)


def _share_of_mistakes(state: GameState, cell: int, solver: Solver) -> float:
    """Return which part of the replies is not among the best; none where the game is over."""
    there = state.make_move_to(cell).after_state
    if there.game_over:
        return 0.0
    return 1 - len(_best_moves(there, solver)) / len(there.legal_moves)


def _ending_in(rules: Rules, position: Position, winner: int) -> list[int]:
    """Return the moves that end the game at once with this winner."""
    return [
        move
        for move in rules.moves(position)
        if (outcome := rules.outcome(rules.play(position, move))) and outcome.winner == winner
    ]


def _choose(state: GameState, moves: Sequence[int], rng: random.Random | None) -> Move:
    return state.make_move_to((rng or random.Random()).choice(moves))


def _now_and_then(
    strategy: Strategy, care: float, state: GameState, rng: random.Random | None = None, /
) -> Move | None:
    """Move by a strategy with probability ``care``, else at random, on wide boards near a mark."""
    dice = rng or random.Random()
    if state.game_over or dice.random() < care:
        return strategy(state, dice)
    return _choose(state, candidates(state.rules, state.position, state.legal_moves), dice)


#: The stones of openings that neither side is known to win by: rows and columns from the middle.
OPENINGS = (
    ((0, 0), (0, 1), (2, 2)),
    ((0, 0), (1, 1), (-1, 2)),
    ((0, 0), (2, 1), (-1, -2)),
    ((-2, -2), (0, 1), (2, -1)),
)
#: A position is level where its value for the side to move is at most this: less than what an open
#: row of two is worth.
LEVEL = 6.0
#: The plies of the two searches whose mean is the value of a position: what it is worth to be on
#: move is counted for one side by even depths, and for the other side by odd ones.
_DEPTHS = (2, 3)


def answer_swap2(state: GameState, stop: Callable[[], bool] | None = None) -> tuple[int, ...]:
    """Return what the side to move does in the opening Swap2 after 0, 3 or 5 stones.

    One player places two stones of X and one of O. The other takes X, or stays with O and moves, or
    places one stone of each side and lets the first player choose a colour.

    Args:
        state: of a game of five in a row.
        stop: ends the search when true; see `look_ahead`.

    Returns:
        three cells on the empty board; else none to take the other colour, one to move, or, after
        three stones, two to let the other player choose.

    Raises:
        ValueError: the game is over.
    """
    if state.game_not_started:
        openings = [_placed(state, stones) for stones in OPENINGS]
        values = [abs(_value(_after(state, cells), stop)) for cells in openings]
        return openings[values.index(min(values))]
    value = _value(state, stop)
    has_choice = state.position.marks == len(OPENINGS[0])
    if has_choice and abs(value) <= LEVEL:
        own = _best(state, stop)
        other = _best(_after(state, (own,)), stop)
        return own, other
    return (_best(state, stop),) if value >= 0 else ()


def _placed(state: GameState, stones: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    shape = state.rules.shape
    row, column = divmod(shape.middle, shape.columns)
    return tuple((row + down) * shape.columns + column + right for down, right in stones)


def _after(state: GameState, cells: tuple[int, ...]) -> GameState:
    for cell in cells:
        state = state.make_move_to(cell).after_state
    return state


def _value(state: GameState, stop: Callable[[], bool] | None) -> float:
    """Return how good a position looks for the side to move; 0 is level."""
    found = (
        look_ahead(state.rules, state.position, depth_limit=depth, stop=stop) for depth in _DEPTHS
    )
    return sum(each.value for each in found) / len(_DEPTHS)


def _best(state: GameState, stop: Callable[[], bool] | None) -> int:
    return look_ahead(state.rules, state.position, depth_limit=_DEPTHS[0], stop=stop).best[0]
