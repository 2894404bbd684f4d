"""A finished game as a few lines to send to somebody: a headline, and the board in signs."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.pictures.board import Look

from .rules_text import LETTERED, Drawn, side_title, variant_title

#: The signs of both sides and of an empty cell.
SIGNS = {
    Look.MARKS: ("❌", "⭕", "⬜"),
    Look.DISCS: ("🔴", "🟡", "⬜"),
    Look.STONES: ("⚫", "⚪", "🟫"),
}
#: Larger boards are not shown in signs: no line of a message is so long.
WIDEST, HIGHEST = 10, 10


def result_text(
    match: Match,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    person: Mark | None = None,
    opponent: str = "",
) -> str:
    """Return a finished game as a headline, and the board in signs if it is small and undivided.

    Args:
        person: the side of the one who sends it, if the other side is ``opponent``.
        opponent: the title of the other player.
    """
    title = variant_title(match.state.rules, language)
    headline = f"{title} · {_headline(match, language, drawn, person, opponent)}"
    return "\n".join([headline, *_rows(match.state, drawn.look)])


def _headline(
    match: Match,
    language: NullTranslations,
    drawn: Drawn,
    person: Mark | None,
    opponent: str,
) -> str:
    """Return who won, in how many moves of their own."""
    _, winner = language.gettext, match.winner
    moves = sum(move.player is winner for move in match.history)
    if winner is None and person is None:
        return _("A draw")
    if winner is None:
        return _("I drew against {opponent}").format(opponent=opponent)
    if person is None:
        message = language.ngettext(
            "{mark} won in {count} move", "{mark} won in {count} moves", moves
        )
        side = side_title(match.state.rules, winner, language, drawn.look)
        return message.format(mark=side, count=moves)
    if winner is person:
        message = language.ngettext(
            "I beat {opponent} in {count} move", "I beat {opponent} in {count} moves", moves
        )
    else:
        message = language.ngettext(
            "{opponent} beat me in {count} move", "{opponent} beat me in {count} moves", moves
        )
    return message.format(opponent=opponent, count=moves)


def _rows(state: GameState, look: Look) -> list[str]:
    """Return the rows of the board in signs, the highest first."""
    shape, traits = state.rules.shape, traits_of(state.rules)
    is_plain = traits.blocks is None and traits.contents is None
    if not is_plain or shape.columns > WIDEST or shape.rows > HIGHEST:
        return []
    signs = dict(zip("XO ", SIGNS[look]))
    cells = [signs[cell] for cell in state.grid.cells]
    return [
        "".join(cells[start : start + shape.columns])
        for start in range(0, shape.cells, shape.columns)
    ]
