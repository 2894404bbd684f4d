"""What stands below the status: what has happened, and what follows from it."""

from __future__ import annotations

from gettext import NullTranslations

from ..table.table import Table
from ..words.game_text import (
    describe_boards,
    describe_caveats,
    describe_decision,
    describe_last_move,
)

#: So many moves after the beginning it is still said what a computer player cannot do here.
CAVEAT_PLIES = 1


def describe_situation(table: Table, language: NullTranslations) -> list[str]:
    """Return the last move, what decided the game or where to play, and what players lack."""
    state, match = table.state, table.match
    words = [*describe_last_move(match, language), *describe_decision(state, language)]
    if not match.over:
        words += describe_boards(state, language)
    if match.ply <= CAVEAT_PLIES:
        words += describe_caveats(table.setup.players.values(), state.rules, language)
    return words


def plain(text: str) -> str:
    """Return a sentence without its picture: at coloured letters some versions of Xlib give up."""
    return text.replace(" 🎉", "!").replace(" 😐", ".")
