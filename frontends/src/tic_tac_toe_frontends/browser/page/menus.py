"""The menus of the page: the game, its players and the side that begins."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules

from ...table.setup import Setup
from ...words.game_text import describe_caveats, setup_menus, starter_title
from ...words.messages import localise
from ...words.players import STARTERS
from ...words.rules_text import game_name, seat_title
from ...words.status_text import describe_game
from .dom import by_id, fill, on, on_submit, write
from .words import OTHER_SIZE

#: The entry of the menu of games that asks for a size.
OTHER = "other"


class Menus:
    """Shows a setup, and tells of another one that is chosen.

    Args:
        changed: called with the setup that the menus show then.
    """

    def __init__(self, changed: Callable[[Setup], object]) -> None:
        self._changed = changed
        self._setup = Setup()
        self._language = NullTranslations()
        self._variant, self._starting = by_id("variant"), by_id("starting")
        self._players = by_id("player-x"), by_id("player-o")
        self._form, self._size, self._error = by_id("size-form"), by_id("size"), by_id("size-error")
        on(self._variant, "change", lambda _event: self._choose_variant())
        on_submit("size-form", self._choose_size)
        for menu in (*self._players, self._starting):
            on(menu, "change", lambda _event: self._choose())

    def show(self, setup: Setup, language: NullTranslations) -> None:
        """Show a setup in a language."""
        if (setup, language) == (self._setup, self._language) and self._variant.options.length:
            return
        self._setup, self._language = setup, language
        name = game_name(setup.rules)
        known = name in VARIANTS
        menus = setup_menus(language)
        variants = [*menus["variant"], (OTHER, language.gettext(OTHER_SIZE))]
        fill(self._variant, variants, name if known else OTHER)
        self._form.hidden = known
        write(self._error, "")
        if not known:
            self._size.value = name
        for menu, chosen in zip(self._players, (setup.x, setup.o)):
            fill(menu, menus["x"], chosen)
        fill(
            self._starting,
            [(name, starter_title(name, language, setup.rules)) for name in STARTERS],
            setup.starting,
        )
        self.name_players(setup.rules, language)
        words = describe_game(setup.rules, language)
        caveats = describe_caveats((setup.x, setup.o), setup.rules, language)
        write(by_id("rules"), " ".join([f"{words[0].upper()}{words[1:]}.", *caveats]))

    def name_players(self, rules: Rules, language: NullTranslations) -> None:
        """Write what the players of a game are called beside the menus of their players."""
        for mark, menu in zip(MARKS, self._players):
            write(menu.previousElementSibling, seat_title(rules, mark, language))

    def _choose_variant(self) -> None:
        name = self._variant.value
        self._form.hidden = name != OTHER
        if name == OTHER:
            self._size.focus()
        else:
            self._choose(find_rules(name))

    def _choose_size(self) -> None:
        try:
            rules = find_rules(self._size.value.strip())
        except InvalidVariant as error:
            write(self._error, localise(self._language, error))
            self._error.className = "refused"
            self._size.focus()
            return
        write(self._error, "")
        self._choose(rules)

    def _choose(self, rules: Rules | None = None) -> None:
        x, o = (menu.value for menu in self._players)
        self._changed(Setup(rules or self._setup.rules, x, o, self._starting.value))
