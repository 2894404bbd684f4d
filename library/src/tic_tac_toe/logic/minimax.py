"""The classic doors to the perfect player."""

from __future__ import annotations

from functools import partial

from tic_tac_toe.logic.models import Mark, Move
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.search.evaluation import check_end
from tic_tac_toe.logic.search.tables import is_small, small_table


def minimax(move: Move, maximizer: Mark, choose_highest_score: bool = False) -> int:
    """Return 1, 0 or -1: the result of a move for the maximizer under best play.

    The textbook recursion over game states, kept literally as the reference; it does not know the
    shorter win from the longer one. `find_best_move` does.

    Raises:
        SearchLimitReached: positions can come back in this game.
    """
    check_end(move.after_state.rules)
    return _minimax(move, maximizer, choose_highest_score)


def _minimax(move: Move, maximizer: Mark, choose_highest_score: bool) -> int:
    if move.after_state.game_over:
        return move.after_state.evaluate_score(maximizer)
    choose = max if choose_highest_score else min
    follow = partial(_minimax, maximizer=maximizer, choose_highest_score=not choose_highest_score)
    return choose(map(follow, move.after_state.possible_moves))


def find_best_move(game_state: StateLike) -> Move | None:
    """Return the first of the best moves, or ``None`` once the game is over.

    Best is the shortest win, else a draw, else the longest loss: proved on boards of up to 9 cells,
    and elsewhere where that takes a few seconds at most. Where it takes longer this is the move
    that looks best some moves ahead, as for the strategy ``minimax``; `verdict` tells what is
    proved, or raises `SearchLimitReached`.
    """
    game_state = state_of(game_state)
    if is_small(game_state.rules):
        entry = small_table(game_state.rules, game_state.starting_mark.side).get(
            game_state.position
        )
        if entry is not None:
            _, best = entry
            return game_state.trusted_move(best[0]) if best else None
    if game_state.game_over:
        return None
    from tic_tac_toe.game.evaluate import evaluate

    return game_state.trusted_move(evaluate(game_state).best[0])
