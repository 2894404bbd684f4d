"""What is told while people look back at the past of a game, on every screen."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import InvalidMove

from ..words.translation import N_
from .table import Replay, Table

#: Why a click on a position of the past makes no move.
LOOKING_BACK = N_("You are looking back; go to the end to play on.")


def tell_past(match: Match, replay: Replay, language: NullTranslations) -> str:
    """Return which position of the past is shown."""
    message = language.gettext("Looking back: after move {count} of {total}.")
    return message.format(count=replay.moment(match), total=match.ply)


def check_present(table: Table) -> None:
    """Refuse a move where people do not see the position that it would be made in.

    Raises:
        InvalidMove: people look back.
    """
    if table.replay.ply is not None:
        raise InvalidMove(LOOKING_BACK, "looking_back")
