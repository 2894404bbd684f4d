"""What is told to the reader of an online game: to a player as “you”, to a watcher by names."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.standing import ON_BOARD

from .game_text import describe_own_end, describe_own_turn
from .lobby_text import outcome_for
from .online_text import describe_end, describe_turn


def tell_standing(game: OnlineGame, seat: str, language: NullTranslations) -> str:
    """Return in a sentence or two how a game stands, or has ended.

    Args:
        seat: the reader's; empty for a watcher.
    """
    if not seat:
        return describe_turn(game, seat, language)
    if game.turn == seat:
        is_first = len(game.moves) < 2
        return describe_own_turn(Mark(seat), game.rules, language, first=is_first)
    if game.waiting and game.setup.pairing:
        return language.gettext("Waiting for somebody who wants to play …")
    outcome = outcome_for(game, seat)
    if game.end is None or outcome is None:
        return describe_turn(game, seat, language)
    sentences = [describe_own_end(outcome, language)]
    if game.end.reason != ON_BOARD:
        sentences += describe_end(game, language)[:1]
    return " ".join(sentences)
