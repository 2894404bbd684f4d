"""How good a state and its moves are, and how good those of a game were.

This is the one place that decides which searches answer, and what they may spend.

Theory is asked first, then the table of a small game, the opening book and a solver, and where the
work does not suffice for them an engine, which looks for threats and then judges::

    >>> from tic_tac_toe import GameState, find_rules, play_moves
    >>> evaluate(play_moves(GameState.new(find_rules("connect-four-5x4")), "3324"))
    Evaluation(loss in 16, best=(7,), line=(7,), source='solver')
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from random import Random
from typing import NamedTuple

from tic_tac_toe.engines.choice import engine_for, is_ready
from tic_tac_toe.extras import FAST, install_command
from tic_tac_toe.limits import MOMENT, Limits, Progress, require_limits
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached, message
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import cell_of
from tic_tac_toe.logic.search.evaluation import (
    MATE,
    UNKNOWN,
    Evaluation,
    MoveEvaluation,
    best_of_moves,
    bounded,
    final_score,
    push_down,
)
from tic_tac_toe.logic.search.exact import (
    each_best_move,
    evaluate_move,
    plies_to_draw,
    principal_variation,
    source_of,
)
from tic_tac_toe.logic.search.tables import Table
from tic_tac_toe.logic.search.threats import win_by_fours
from tic_tac_toe.solver.answers import (
    KEEP_PART,
    SOLVE_PART,
    Solving,
    book_of,
    plain_python_solves,
    solving,
    stage,
)
from tic_tac_toe.solver.support import is_fast, supports
from tic_tac_toe.solver.theory import foretell

#: What an analysis may cost, and each position of a review.
STUDY, REVIEW = MOMENT.share(5.0), MOMENT.share(1.4)
#: The part of its work that an engine gets where plain Python has tried in vain to solve.
AFTER_SOLVING = 0.25
#: The part that is not used where no solver is asked, so that slow machines answer in time, too;
#: in a page there is much to do beside.
UNUSED_PART = SOLVE_PART + KEEP_PART if sys.platform == "emscripten" else 0.4
#: With more legal moves than this, not every one is judged: that would take too long.
MOST_JUDGED = 12
#: Only moves are followed for this number of plies where an engine does not judge them.
MOST_FORCED = 3
#: What is expected where nothing is known.
LEVEL = 0.5
#: Of ever longer answers each has this many times the work of the one before.
LONGER = 4.0
#: A move that costs this much of what its side could expect is a mistake, or even a blunder. From a
#: win to a draw, or from a draw to a loss, it is a half.
MISTAKE, BLUNDER = 0.25, 0.75


def evaluate(
    state: StateLike,
    limits: Limits = MOMENT,
    rng: Random | None = None,
    *,
    known: Evaluation = UNKNOWN,
    full: bool = False,
) -> Evaluation:
    """Return how good a state is for the side to move, with at least one of the best moves.

    What is proved is proved, and the best moves keep it; the rest is an engine's judgement. The
    same work gives the same answer.

    Args:
        limits: what it may cost.
        rng: where the chance of engines that need it comes from; always the same unless given.
        known: what has been found out about the state before; the answer is never worse.
        full: find every best move and the line of best play, as far as the work allows.
    """
    state = state if isinstance(state, GameState) else state_of(state)
    require_limits(limits)
    if state.outcome is not None:
        return _at_once(state)
    if known.is_exact and known.best and not full:
        return known
    limits = limits.begun()
    found = _at_once(state).narrowed(known.low, known.high)
    if known.is_proved and not found.best:
        found = found._replace(best=known.best, line=known.line, source=known.source)
    with solving(state.rules, state.position, limits, is_ready) as asked:
        if asked is not None:
            found = _solve(state, asked, found, full=full)
    is_found = found.is_exact and found.source != "theory"  # which does not tell moves apart
    if found.best and (is_found or len(found.best) == 1):
        return found
    begin = UNUSED_PART if asked is None else SOLVE_PART + KEEP_PART
    return _judge(state, stage(limits, begin, 1.0), found, rng or Random(0), MOST_FORCED)


def evaluate_moves(
    state: StateLike, limits: Limits = STUDY, *, known: Sequence[MoveEvaluation] = ()
) -> tuple[MoveEvaluation, ...]:
    """Return how good each legal move is for the side that makes it, ascending.

    Where there are very many moves, nothing is known of most of those that are not solved.

    Args:
        limits: what all of it may cost.
        known: what this has returned before; no answer is worse.
    """
    state = state_of(state)
    require_limits(limits)
    rules, position, limits = state.rules, state.position, limits.begun()
    moves = state.legal_moves
    children = {move: state.make_move_to(move).after_state for move in moves}
    found = {move: _at_once(child).before_move() for move, child in children.items()}
    for move, before in known:
        found[move] = before.narrowed(found[move].low, found[move].high)
    with suppress(SearchLimitReached), solving(rules, position, limits, is_ready) as asked:
        for move in moves if asked is not None else ():
            if asked is not None and not found[move].is_exact:
                found[move] = evaluate_move(rules, position, move, asked.solver).evaluation
    left: Sequence[int] = [move for move in moves if not found[move].is_exact]
    if left and len(moves) > MOST_JUDGED:
        best = evaluate(state, limits.share(1 - SOLVE_PART)).best
        left = [move for move in best if move in left]
    for move in left:
        part = limits.share((1 - SOLVE_PART) / len(left))
        there = evaluate(children[move], part)
        if there.outcome == "open" and there.chance is None:  # with one answer that keeps the most
            rest = stage(part, SOLVE_PART + KEEP_PART, 1.0)
            there = _judge(children[move], rest, there._replace(best=()), Random(0), MOST_FORCED)
        found[move] = there.before_move().narrowed(found[move].low, found[move].high)
    return tuple(MoveEvaluation(move, found[move]) for move in moves)


def is_solved(rules: Rules, *, here: bool = True) -> bool:
    """Return whether `evaluate` finds the exact score of every position of a game in a moment.

    Args:
        here: on this machine; else on any.
    """
    if plain_python_solves(rules, Position()):
        return True
    return here and book_of(rules) is not None and is_fast(rules) and is_ready(rules)


def caveat(name: str, rules: Rules) -> Message | None:
    """Return what a strategy cannot do on a board, as a sentence, or ``None`` if it can do all."""
    searches = name in ("minimax", "hard", "trickster")
    if not searches or is_solved(rules):
        return None
    # Browsers do not compile.
    if sys.platform != "emscripten" and supports(rules) and not is_fast(rules):
        return message(
            "On this board {strategy} looks some moves ahead until it can solve the rest of the "
            "game. With “{command}” it solves much more.",
            "large_board_without_solver",
            strategy=name,
            command=install_command(FAST),
        )
    return message(
        "On this board {strategy} looks some moves ahead until it can solve the rest of the game.",
        "large_board",
        strategy=name,
    )


class Fault(str, Enum):
    """What is wrong with a move."""

    #: It wins later or less surely, or loses sooner, than it has to; the result is the same as far
    #: as is known.
    SLOWER = "slower"
    #: It gives half a point away: a draw for a win, or a loss for a draw.
    MISTAKE = "mistake"
    #: It gives a win away for a loss.
    BLUNDER = "blunder"


class ReviewedMove(NamedTuple):
    """How good a move was for the side that made it.

    Attributes:
        state: the state before the move.
        number: the move, as its rules number it.
        before: what could be had in that state.
        after: what the move has left of it.
        fault: what is wrong with the move, ``None`` if nothing is, or if it cannot be judged.
        better: the best moves instead, ascending; empty without a fault.
        line: how the game goes on after the first of them with best play, or as an engine expects.
    """

    state: GameState
    number: int
    before: Evaluation
    after: Evaluation
    fault: Fault | None = None
    better: tuple[int, ...] = ()
    line: tuple[int, ...] = ()

    @property
    def is_turning_point(self) -> bool:
        """Whether the move changed what its side could expect."""
        return self.fault in (Fault.MISTAKE, Fault.BLUNDER)

    @property
    def is_proved(self) -> bool:
        """Whether the outcomes before and after the move are proved, so that nothing is guessed."""
        return "open" not in (self.before.outcome, self.after.outcome)


def review(
    start: StateLike | Record, moves: str | Iterable[int | str | Move] = (), limits: Limits = REVIEW
) -> Iterator[ReviewedMove]:
    """Yield what each move of a game was worth, the last move first.

    A position is valued by itself: that it came before in the game, as it can in games in which
    positions come back, counts only where the game ended by it.

        >>> for move in review("tic-tac-toe", "A1 B1 B2"):
        ...     print(move.state.move(move.number), move.before.outcome, move.after.outcome)
        B2 win win
        B1 draw loss
        A1 draw draw

    The end of a game is cheapest to solve, and what is known of it helps with the moves before.
    The same work gives the same answers.

    Args:
        start: the game as a record, or where it began: a state, or the rules or name of the game.
        moves: the numbers or names of its moves, or a text of names; a record has its own.
        limits: what each position may cost.

    Raises:
        InvalidMove, InvalidNotation: a move is illegal; the message gives its number and name.
    """
    game = start if isinstance(start, Record) else Record.from_moves(start, moves)
    states = game.states
    value = evaluate(states[-1], limits)
    for state, number in zip(reversed(states[:-1]), reversed(game.moves)):
        reviewed = review_move(state, number, value, limits)
        yield reviewed
        value = reviewed.before


def review_move(
    state: GameState, number: int, there: Evaluation, limits: Limits = REVIEW
) -> ReviewedMove:
    """Return how good a move was.

    A move is judged where it and what could be had are both proved, or are both estimates of the
    positions after a move. Else no fault is found with it.

    Args:
        there: of the state after the move, for the side that is to move there.
        limits: what the state may cost.
    """
    before, after = evaluate(state, limits), there.before_move()
    if there.source != "end":  # a repetition ends a game that goes on by itself
        after = after.narrowed(-MATE, before.high)  # no move is worth more than the position
    if before.outcome == "open":
        before = _by_moves(state, number, before, after, limits)
    fault = None if number in before.best else _fault(before, after)
    if fault is None:
        return ReviewedMove(state, number, before, after)
    if before.is_exact:
        before = evaluate(state, limits, full=True)
    if number in before.best:
        return ReviewedMove(state, number, before, after)
    return ReviewedMove(
        state, number, before, after, fault, before.best, before.line or before.best[:1]
    )


def review_by_moves(
    state: GameState, number: int, moves: Iterable[MoveEvaluation]
) -> ReviewedMove | None:
    """Return how good a move was where every legal move is solved, else ``None``."""
    known = {move.move: move.evaluation for move in moves}
    if not known or not all(evaluation.is_exact for evaluation in known.values()):
        return None
    before = best_of_moves(MoveEvaluation(*move) for move in known.items())
    after = known[number]
    fault = None if number in before.best else _fault(before, after)
    better = before.best if fault else ()
    return ReviewedMove(state, number, before, after, fault, better, better[:1])


def agreeing(move: ReviewedMove, earlier: ReviewedMove) -> ReviewedMove:
    """Return a move, judged by what the review of the move before it has proved of its state.

    Reviews come last move first, and where a server answers, a later answer may prove what an
    earlier one had to estimate. No better move is known by that.
    """
    proved = earlier.after
    before = move.before.narrowed(push_down(proved.high), push_down(proved.low))
    if before.outcome == move.before.outcome:
        return move
    before = before._replace(best=(), line=())
    after = move.after.narrowed(-MATE, before.high)
    return ReviewedMove(move.state, move.number, before, after, _fault(before, after))


def _at_once(state: GameState) -> Evaluation:
    """Return what is known of a state without a search."""
    if state.outcome is None:
        return foretell(state.rules, state.position)
    score = final_score(state.outcome, state.position.turn)  # a repetition is not on the board
    return Evaluation.exact(score, length=0, source="end")


def _solve(state: GameState, asked: Solving, found: Evaluation, *, full: bool) -> Evaluation:
    """Return what a solver proves of a state, and moves that keep it."""
    rules, position, solver = state.rules, state.position, asked.solver
    try:
        score = solver.score(position)
    except SearchLimitReached as limit:
        low, high = limit.bounds or (-MATE, MATE)
        if not found.source and (low, high) != (-MATE, MATE):
            found = found._replace(source="solver")
        return _keep(state, asked, found.narrowed(low, high))
    best, line, length = list[int](), list[int](), None
    with suppress(SearchLimitReached):
        for move in each_best_move(rules, position, score, solver):
            best.append(move)
            if not full and not isinstance(solver, Table):
                break
        if score == 0:
            length = plies_to_draw(rules, position, solver)
        if full:
            for move in principal_variation(rules, position, score, tuple(best), solver):
                line.append(move)
    source, book = source_of(rules, position, solver), book_of(rules)
    if source == "solver" and book is not None and position.marks <= book.plies:
        source = "book"
    moves = tuple(line) or tuple(best[:1])
    exact = Evaluation.exact(score, tuple(best), moves, length, source)
    return exact if best else _keep(state, asked, exact)


def _keep(state: GameState, asked: Solving, found: Evaluation) -> Evaluation:
    """Return an evaluation with moves that keep its lower bound, as far as they can be found."""
    rules, position, low = state.rules, state.position, found.low
    if found.best or low == -MATE:
        return found
    asked.go_on()
    kept = list[int]()
    with suppress(SearchLimitReached):
        # What a book knows of a swap costs no search, and so comes first.
        for move in sorted(
            rules.moves(position), key=lambda move: cell_of(rules, move) is not None
        ):
            if not asked.solver.reaches(rules.play(position, move), push_down(low) + 1):
                kept.append(move)
                if low > 0:  # one win is enough, and draws are better chosen among
                    break
    return found._replace(best=tuple(sorted(kept)))


def _judge(
    state: GameState, limits: Limits, found: Evaluation, rng: Random, forced: int
) -> Evaluation:
    """Return what an engine says, of the moves that keep what is known by now."""
    rules, position, kept = state.rules, state.position, found.best
    if plain_python_solves(rules, position) and not (is_fast(rules) and is_ready(rules)):
        limits = limits.share(AFTER_SOLVING)
    if (tell := limits.progress) is not None and kept:
        limits = replace(limits, progress=lambda now: tell(_keeping(now, kept)))
    thought = engine_for(rules).think(position, limits, rng)
    if kept:
        best = tuple(move for move in thought.best if move in kept) or kept
        chance = thought.chance if found.outcome == "open" else None
        return found._replace(best=best, line=best[:1], depth=thought.depth, chance=chance)
    if thought.source == "fours" and (won := win_by_fours(rules, position)):  # the shortest, whole
        score = MATE - won.plies
        thought = Evaluation.proved(score, won.line[:1], "fours", line=won.line)
    if thought.outcome == "open" and thought.chance is None and forced:  # of an only move
        after = state.make_move_to(thought.best[0]).after_state
        there = _at_once(after)
        if after.outcome is None:
            there = _judge(after, limits, there, rng, forced - 1)
        backed = there.before_move()
        if len(state.legal_moves) > 1:  # another move may be better
            if backed.high <= 0:
                backed = backed._replace(chance=bounded(backed.expectation), source="engine")
            backed = backed._replace(high=MATE)
        thought = backed._replace(best=thought.best, line=(*thought.best[:1], *there.line))
    if found.outcome in ("win", "draw"):  # it is not known whether the move keeps that
        chance = LEVEL if thought.chance is None else thought.chance
        return found._replace(best=thought.best, line=thought.line, chance=chance)
    thought = thought.narrowed(found.low, found.high)
    is_lost = thought.outcome == "loss"  # every move keeps that
    return thought._replace(chance=None, source=found.source or "engine") if is_lost else thought


def _keeping(now: Progress, kept: Sequence[int]) -> Progress:
    """Return progress that names no other best move than those that are kept."""
    return now if now.best in kept else now._replace(best=kept[0])


def _by_moves(
    state: GameState, number: int, before: Evaluation, after: Evaluation, limits: Limits
) -> Evaluation:
    """Return what is known of a state by the move that was made and the one that looks best.

    So both are judged by what comes after them.
    """
    other = before.best[0]
    if number in before.best:
        return after._replace(best=(number,), line=(number,), high=MATE)
    instead = evaluate(state.make_move_to(other).after_state, limits).before_move()
    moves = MoveEvaluation(number, after), MoveEvaluation(other, instead)
    found = best_of_moves(moves)
    line = before.line if found.best[0] == other else found.line
    return found._replace(high=MATE, line=line)


def _fault(before: Evaluation, after: Evaluation) -> Fault | None:
    proved = [value.outcome != "open" for value in (before, after)]
    if any(proved) and not all(proved):
        return None  # an estimate says nothing about what is proved
    if not (before.is_judged and after.is_judged):
        return None
    lost = before.expectation - after.expectation
    if lost >= MISTAKE:
        return Fault.BLUNDER if lost >= BLUNDER else Fault.MISTAKE
    distances = before.plies, after.plies
    if None in distances or before.outcome != after.outcome or distances[0] == distances[1]:
        return None
    return Fault.SLOWER
