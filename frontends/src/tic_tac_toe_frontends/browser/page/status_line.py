"""The lines above the board on this device: whose turn it is, or how the game ended."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any

from tic_tac_toe.pictures.board import SIGNS

from ...table.advice import Advice
from ...table.looking_back import LookingBack, describe_past
from ...table.table import Table
from ...table.telling import picture_text
from ...words.translation import join_sentences
from .dom import by_id, set_text


def show_result(line: Any, result: str) -> None:
    """Style a line as the end of a game.

    Args:
        result: ``win``, ``draw`` or ``loss`` for the reader, or ``over``; empty for an unfinished
            game.
    """
    if result:
        line.setAttribute("data-result", result)
    else:
        line.removeAttribute("data-result")


def show_status(
    table: Table,
    advice: Advice,
    past: LookingBack,
    remark: str,
    language: NullTranslations,
    status: str,
) -> None:
    """Show the lines above the board.

    Args:
        remark: why the last action was refused.
        status: whose turn it is, or how the game ended.
    """
    match, replay, line = table.match, table.replay, by_id("status")
    looks_back = replay.ply is not None
    set_text(line, describe_past(match, replay, language) if looks_back else status)
    line.toggleAttribute("data-past", looks_back)
    show_result(line, (table.outcome or "over") if match.over and not looks_back else "")
    set_text(by_id("refusal"), remark)
    reviewed = past.describe(language, legend=False)
    notes = reviewed or picture_text(advice, replay.state(match), language)
    note = join_sentences(notes, language)
    for sign in SIGNS.values():  # a sign stays in the line of its meaning
        note = note.replace(f"{sign} ", f"{sign}\N{NO-BREAK SPACE}")
    set_text(by_id("note"), note)
