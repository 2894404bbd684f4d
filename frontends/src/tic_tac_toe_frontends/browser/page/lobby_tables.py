"""The tables of the lobby in the page: games that wait for a player, and the player's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import NullTranslations

from tic_tac_toe.protocols.online.replies import OpenGame

from ...words.online_text import (
    named_variant,
    open_game_cells,
    open_game_headings,
    opponent_name,
    standing_word,
)
from .dom import by_id, on_click
from .game_table import Deed, GameTable, Row
from .seats import ENDED, PLAYING, WAITING, Seat

#: What the buttons of the tables do.
JOIN, GO, REMOVE = "join", "go", "remove"
#: The number of finished games that are listed until the player wants all.
FINISHED = 10


class LobbyTables:
    """Shows both tables, and tells which of their buttons is pressed.

    Args:
        pressed: called with one of `JOIN`, `GO` and `REMOVE` and the address of a game.
    """

    def __init__(self, pressed: Callable[[str, str], object]) -> None:
        self._shows_all = False
        self._again: Callable[[], object] = lambda: None
        on_click("own-games-all", self._show_all)
        self._open, self._own = GameTable("open-games", pressed), GameTable("own-games", pressed)

    def show(
        self, games: Sequence[OpenGame], seats: Sequence[Seat], language: NullTranslations
    ) -> None:
        """Show the games of the lobby, and those of the player: unfinished ones first."""
        _ = language.gettext
        deeds = _("What you can do")
        own = {seat.game for seat in seats}
        rows = [self._open_row(game, game.game in own, language) for game in games]
        self._open.show(open_game_headings(language), rows, deeds)
        by_id("no-open-games").hidden = bool(games)
        known = [seat for seat in seats if seat.variant]
        order = (PLAYING, WAITING, ENDED)
        known.sort(key=lambda seat: order.index(seat.stage) if seat.stage in order else len(order))
        headings = [_("Game"), _("Opponent"), _("Result")]
        count = sum(seat.stage in order for seat in known) + FINISHED
        by_id("own-games-all").hidden = self._shows_all or len(known) <= count
        listed = known if self._shows_all else known[:count]
        self._again = lambda: self.show(games, seats, language)
        self._own.show(headings, [self._own_row(seat, language) for seat in listed], deeds)
        part = by_id("own-games-part")
        part.hidden = not known
        # A game that goes on cannot wait; those that have ended can.
        goes_on, place = any(seat.stage in (WAITING, PLAYING) for seat in known), part.parentElement
        if goes_on != bool(place.firstElementChild.isSameNode(part)):
            (place.prepend if goes_on else place.append)(part)

    def _show_all(self) -> None:
        self._shows_all = True
        self._again()
        by_id("own-games-title").focus()

    @staticmethod
    def _open_row(game: OpenGame, is_own: bool, language: NullTranslations) -> Row:
        _ = language.gettext
        deeds = [Deed(JOIN, _("Join"), is_primary=True), Deed(GO, _("Watch"))]
        if is_own:
            deeds = [Deed(GO, _("Go back"))]
        return Row(game.game, open_game_cells(game, language), deeds)

    @staticmethod
    def _own_row(seat: Seat, language: NullTranslations) -> Row:
        _ = language.gettext
        goes_on = seat.stage in (WAITING, PLAYING)
        opponent = (
            "" if seat.stage == WAITING else opponent_name(seat.opponent, seat.strategy, language)
        )
        cells = (
            named_variant(seat.variant, language),
            opponent,
            standing_word(seat.standing, language),
        )
        if goes_on:
            deeds = [Deed(GO, _("Go back"), is_primary=True)]
        else:
            deeds = [Deed(GO, _("Look at it")), Deed(REMOVE, _("Remove"))]
        return Row(seat.game, cells, deeds)
