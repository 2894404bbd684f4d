"""What the page says of a game: whose turn it is, what has happened, where the line is."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name

from ...game_text import describe_boards, describe_move, describe_status
from ...table import Table
from .replay import Replay


def tell_status(table: Table, replay: Replay, language: NullTranslations) -> str:
    """Return whose turn it is, after what a computer has just done, or how the game ended."""
    history = table.match.history
    if replay.ply is not None:
        message = language.gettext("Looking back: after move {count} of {total}.")
        return message.format(count=replay.ply, total=len(history))
    sentences = [describe_status(table, language)]
    if history and history[-1].mark not in table.people:
        last = history[-1]
        sentences.insert(0, describe_move(last.before_state, last.cell_index, language))
    return " ".join(sentences)


def tell_more(state: GameState, language: NullTranslations) -> list[str]:
    """Return what else is to be known: the line that won, or the boards to play in."""
    if state.winner is not None:
        names = ", ".join(cell_name(state.rules.shape, cell) for cell in state.winning_cells)
        return [language.gettext("The line: {cells}.").format(cells=names)]
    return describe_boards(state, language)
