"""What the page says of a game: whose turn it is, what has happened, where the line is."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.models import GameState

from ...table.table import Table
from ...words.game_text import (
    describe_boards,
    describe_decision,
    describe_last_move,
    describe_status,
)
from .replay import Replay


def tell_status(table: Table, replay: Replay, language: NullTranslations) -> str:
    """Return whose turn it is, after what a computer has just done, or how the game ended."""
    match = table.match
    if replay.ply is not None:
        message = language.gettext("Looking back: after move {count} of {total}.")
        return message.format(count=replay.ply, total=match.ply)
    sentences = [describe_status(table, language)]
    if match.history and match.history[-1].mark not in table.people:
        sentences = [*describe_last_move(match, language), *sentences]
    return " ".join(sentences)


def tell_more(state: GameState, language: NullTranslations) -> list[str]:
    """Return what else is to be known: the line that won, or the boards to play in."""
    return describe_decision(state, language) or describe_boards(state, language)
