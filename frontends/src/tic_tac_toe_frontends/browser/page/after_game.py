"""The buttons at the end of a game: play again, the next level, an easier one, a review."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from itertools import pairwise

from ...table.setup import Setup
from ...table.table import Offer, Table, offer_after
from ...words.game_text import next_level_title, player_title
from ...words.rules_text import LEVELS
from .dom import by_id, document, on_click, set_text
from .opponents import opponent_in, with_opponent

#: After this number of losses against one level, and no win, an easier level is offered.
PATIENCE = 3


def easier_after(table: Table) -> Offer | None:
    """Return the game against the level below, if the person keeps losing."""
    if table.person is None or table.outcome != "loss":
        return None
    lost, won = table.score[table.person.other], table.score[table.person]
    below: dict[str, str] = dict(pairwise(reversed(LEVELS)))
    level = below.get(opponent_in(table.setup))
    if level is None or lost < PATIENCE or won:
        return None
    return Offer(level, with_opponent(table.setup, level))


class AfterGame:
    """Shows the buttons of the end of a game, the most useful of them as the primary one.

    Args:
        play: called with the setup of the chosen game.
    """

    def __init__(self, table: Table, play: Callable[[Setup], object]) -> None:
        self._table, self._play = table, play
        self._again, self._title = by_id("new-game"), by_id("new-game-title")
        self._next, self._easier = by_id("next-level"), by_id("easier-level")
        self._only_during = by_id("hint"), by_id("give-up")
        self._review = by_id("review-start")
        on_click("next-level", lambda: self._accept(offer_after(table)))
        on_click("easier-level", lambda: self._accept(easier_after(table)))

    def show(self, language: NullTranslations) -> None:
        """Show the buttons that have an effect now."""
        _, table = language.gettext, self._table
        is_over = table.match.over
        harder, easier = offer_after(table), easier_after(table)
        self._next.hidden, self._easier.hidden = harder is None, easier is None
        if harder is not None:
            set_text(self._next, next_level_title(harder.level, language, harder.setup.rules))
        if easier is not None:
            title = player_title(easier.level, language, easier.setup.rules)
            set_text(self._easier, _("Play an easier level: {level}").format(level=title))
        again = _("Try again") if table.outcome in ("loss", "draw") else _("Play again")
        set_text(self._title, again if is_over else _("New game"))
        self._again.classList.toggle("primary", is_over and harder is None)
        focused = document.activeElement
        had_focus = any(focused.isSameNode(button) for button in self._only_during)
        for button in self._only_during:
            button.hidden = is_over
        self._review.hidden = not is_over
        if is_over and had_focus:  # hiding a focused button loses the focus
            self._review.focus()

    def _accept(self, offer: Offer | None) -> None:
        if offer is not None:
            self._play(offer.setup)
            self._again.focus()  # the pressed button is hidden now
