"""The menus of the game, the opponent, the first side, and the players of both sides."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.statuses import status_of

from ...table.setup import Setup
from ...words.game_text import (
    describe_caveats,
    describe_player,
    setup_menus,
    starter_title,
    starters_of,
)
from ...words.rules_text import (
    HUMAN,
    describe_rules,
    describe_status,
    families,
    game_name,
    seat_title,
)
from ...words.translation import as_sentence, join_sentences, localise
from .dom import by_id, fill, fill_groups, on, on_submit, set_text
from .opponents import TWO_COMPUTERS, opponent_in, with_opponent
from .words import OTHER_SIZE

#: The menu's entry for a board of any size.
OTHER = "other"


class Menus:
    """Shows a setup and reports another choice.

    Args:
        changed: called with the chosen setup.
    """

    def __init__(self, changed: Callable[[Setup], object]) -> None:
        self._changed = changed
        self._setup = Setup()
        self._language = NullTranslations()
        self._variant, self._starting = by_id("variant"), by_id("starting")
        self._against = by_id("against")
        self._players = by_id("player-x"), by_id("player-o")
        self._form, self._size, self._error = by_id("size-form"), by_id("size"), by_id("size-error")
        on(self._variant, "change", lambda _event: self._choose_variant())
        on_submit("size-form", self._choose_size)
        on(self._against, "change", lambda _event: self._choose_opponent())
        for menu in (*self._players, self._starting):
            on(menu, "change", lambda _event: self._choose())

    def show(self, setup: Setup, language: NullTranslations) -> None:
        """Show a setup."""
        if (setup, language) == (self._setup, self._language) and self._variant.options.length:
            return
        self._setup, self._language = setup, language
        _, name = language.gettext, game_name(setup.rules)
        known = name in VARIANTS
        games = [*families(language), ("", [(OTHER, _(OTHER_SIZE))])]
        fill_groups(self._variant, games, name if known else OTHER)
        self._form.hidden = known
        set_text(self._error, "")
        if not known:
            self._size.value = name
        players = setup_menus(language, rules=setup.rules)["x"]
        for menu, chosen in zip(self._players, (setup.x, setup.o)):
            fill(menu, players, chosen)
        self._show_opponents(players)
        fill(self._starting, self._starters(), setup.starting)
        self.name_players(setup.rules, language)
        _write_sentence("rules", describe_rules(setup.rules, language), language)
        _write_sentence("solved", describe_status(status_of(setup.rules), language), language)
        caveats = describe_caveats((setup.x, setup.o), setup.rules, language)
        level = describe_player(opponent_in(setup), language)
        set_text(by_id("level"), join_sentences([level, *caveats], language))

    def name_players(self, rules: Rules, language: NullTranslations) -> None:
        """Label the menus of players with the game's names of the sides."""
        for mark, menu in zip(MARKS, self._players):
            set_text(menu.previousElementSibling, seat_title(rules, mark, language))

    def _show_opponents(self, players: list[tuple[str, str]]) -> None:
        _, chosen = self._language.gettext, opponent_in(self._setup)
        computers = [(name, title) for name, title in players if name != HUMAN]
        entries = [*computers, (HUMAN, _("A person at this device"))]
        if chosen == TWO_COMPUTERS:
            entries.append((TWO_COMPUTERS, _("Computer against computer")))
        fill(self._against, entries, chosen)

    def _starters(self) -> list[tuple[str, str]]:
        """Return the entries for the first side, as “You” and “The computer” if these two play."""
        _, setup = self._language.gettext, self._setup
        names = starters_of(setup.rules)
        titles = {name: starter_title(name, self._language, setup.rules) for name in names}
        is_person = {mark.value: name == HUMAN for mark, name in setup.players.items()}
        if sorted(is_person.values()) == [False, True]:
            own, other = _("You ({mark})"), _("The computer ({mark})")
            for name in titles.keys() & is_person.keys():
                titles[name] = (own if is_person[name] else other).format(mark=titles[name])
        return list(titles.items())

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
            set_text(self._error, localise(self._language, error))
            self._error.className = "refused"
            self._size.focus()
            return
        set_text(self._error, "")
        self._choose(rules)

    def _choose_opponent(self) -> None:
        self._changed(with_opponent(self._setup, self._against.value))

    def _choose(self, rules: Rules | None = None) -> None:
        x, o = (menu.value for menu in self._players)
        self._changed(Setup(rules or self._setup.rules, x, o, self._starting.value))


def _write_sentence(name: str, words: str, language: NullTranslations) -> None:
    set_text(by_id(name), as_sentence(words, language))
