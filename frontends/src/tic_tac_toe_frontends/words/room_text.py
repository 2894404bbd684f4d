"""What is told to the reader of an online game: to a player as “you”, to a watcher by names."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.standing import ON_BOARD

from .game_text import describe_own_end, describe_own_turn
from .lobby_text import outcome_for
from .online_text import describe_end, describe_turn
from .sentences import in_a_row


def tell_standing(game: OnlineGame, seat: str, language: NullTranslations) -> str:
    """Return in a sentence or two how a game stands, or has ended.

    Args:
        seat: the reader's; empty for a watcher.
    """
    if seat and game.turn == seat:
        is_first = len(game.moves) < 2
        return describe_own_turn(Mark(seat), game.rules, language, first=is_first)
    if seat and game.waiting and game.setup.pairing:
        return language.gettext("Waiting for somebody who wants to play …")
    if game.end is not None:
        return in_a_row(end_sentences(game, seat, language), language)
    return describe_turn(game, seat, language)


def end_sentences(game: OnlineGame, seat: str, language: NullTranslations) -> list[str]:
    """Return how a game has ended, and why unless that is seen on the board.

    Args:
        seat: the reader's; empty for a watcher.
    """
    outcome = outcome_for(game, seat) if seat else None
    if game.end is None or outcome is None:
        return describe_end(game, language)
    own = describe_own_end(outcome, language)
    return [own] if game.end.reason == ON_BOARD else [own, *describe_end(game, language)[:1]]
