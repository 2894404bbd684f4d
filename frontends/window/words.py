"""What stands below the status: what has happened, and what follows from it."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.game.strategies import caveat
from tic_tac_toe.logic.notation import cell_name

from ..game_text import describe_boards, describe_move
from ..library_messages import localise
from ..table import Table

#: So many moves after the beginning it is still said what a computer player cannot do here.
CAVEAT_PLIES = 1


def describe_situation(table: Table, language: NullTranslations) -> list[str]:
    """Return the last move, what decided the game or where to play, and what players lack."""
    state, history = table.state, table.match.history
    words = []
    if history:
        words.append(describe_move(history[-1].before_state, history[-1].cell_index, language))
    if state.winning_cells:
        cells = ", ".join(cell_name(state.rules.shape, cell) for cell in state.winning_cells)
        words.append(language.gettext("Decided by {cells}.").format(cells=cells))
    elif not table.match.over:
        words += describe_boards(state, language)
    if len(history) <= CAVEAT_PLIES:
        limits = [caveat(name, state.rules) for name in dict.fromkeys(table.setup.players.values())]
        words += [localise(language, limit) for limit in limits if limit]
    return words


def plain(text: str) -> str:
    """Return a sentence without its picture: at coloured letters some versions of Xlib give up."""
    return text.replace(" 🎉", "!").replace(" 😐", ".")
