"""A game of the server's as the page's own parts hold games, with a past to look back on."""

from __future__ import annotations

from itertools import takewhile

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.protocols.online.game import OnlineGame


def catch_up(match: Match | None, game: OnlineGame) -> Match:
    """Return a match in which the moves of a game have been made.

    Args:
        match: what was returned for the same game before: of what has been played already nothing
            is played again, and what was taken back is taken back. ``None`` for another game.
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
