"""What stands above the board on this device: whose turn it is, or how the game ended, and why."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.game.looks import Look
from tic_tac_toe.game.worth import SIGNS

from ...table.advice import Advice
from ...table.looking_back import LookingBack
from ...table.past import tell_past
from ...table.table import Table
from ...table.telling import tell_picture, tell_status
from ...words.sentences import in_a_row
from .dom import by_id, write


def show_status(
    table: Table,
    advice: Advice,
    past: LookingBack,
    remark: str,
    language: NullTranslations,
    look: Look,
) -> None:
    """Show the lines above the board; the end of a game stands out.

    Args:
        remark: why what people did last was refused.
        look: how the board is drawn.
    """
    match, replay, status = table.match, table.replay, by_id("status")
    looks_back = replay.ply is not None
    if looks_back:
        write(status, tell_past(match, replay, language))
    else:
        write(status, tell_status(table, language, look))
    status.toggleAttribute("data-past", looks_back)
    if match.over and not looks_back:
        status.setAttribute("data-result", table.outcome or "over")
    else:
        status.removeAttribute("data-result")
    write(by_id("refusal"), remark)
    reviewed = past.tell(language, legend=False)
    told = reviewed or tell_picture(advice, replay.state(match), language)
    note = in_a_row(told, language)
    for sign in SIGNS.values():  # a sign stands in the line of what it means
        note = note.replace(f"{sign} ", f"{sign}\N{NO-BREAK SPACE}")
    write(by_id("note"), note)
