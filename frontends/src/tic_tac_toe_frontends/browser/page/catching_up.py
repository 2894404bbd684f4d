"""Turns an online game into a `Match`, so that the page can step through its moves."""

from __future__ import annotations

from itertools import takewhile

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.protocols.online.game import OnlineGame


def catch_up(match: Match | None, game: OnlineGame) -> Match:
    """Return a match with the moves of an online game.

    Args:
        match: the result of the last call for the same game, which is brought up to date; ``None``
            for another game.
    """
    if match is None:
        match = Match(first_state(game.rules, game.starting_mark))
    pairs = zip((move.number for move in match.history), game.moves)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    while match.ply > same:
        match.undo()
    for cell in game.moves[same:]:
        match.submit(match.state.current_mark, cell)
    return match
