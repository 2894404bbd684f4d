"""What the page tells above the board: the position that is shown, and what has led to it."""

from __future__ import annotations

from gettext import NullTranslations

from ...table.table import Table
from ...table.telling import tell_status
from ...words.game_text import describe_last_move


def tell_moment(table: Table, language: NullTranslations) -> str:
    """Return which side is to move, after a computer's last move, or how the game ended."""
    match, ply = table.match, table.replay.ply
    if ply is not None:
        message = language.gettext("Looking back: after move {count} of {total}.")
        return message.format(count=ply, total=match.ply)
    sentences = [tell_status(table, language)]
    if match.history and match.history[-1].mark not in table.people:
        sentences = [*describe_last_move(match, language), *sentences]
    return " ".join(sentences)
