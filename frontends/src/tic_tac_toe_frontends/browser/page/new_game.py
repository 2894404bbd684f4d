"""The form of the lobby in the page by which a game is created."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules, variant_name
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.requests import PERSON, RANDOM_SEAT

from ...words.game_text import setup_menus, starter_title, starters_of
from ...words.online_text import opponent_menu
from ...words.translation import localise
from .clock_menu import clock_menu, clock_named
from .dom import by_id, fill, on, on_submit, write
from .menus import OTHER
from .words import OTHER_SIZE

#: The entry of the menu of clocks that asks for minutes and seconds.
OWN_CLOCK = "own"
OPEN = "open"


class NewGame:
    """Shows the form; asks for the game that it describes.

    Args:
        client: asked for the game.
        name: returns the name that the player goes by.
        created: called after that.
    """

    def __init__(
        self, client: Client, name: Callable[[], str], created: Callable[[], object]
    ) -> None:
        self._client, self._name, self._created = client, name, created
        self._language = NullTranslations()
        on_submit("create-form", self._submit)
        for menu in ("opponent", "online-variant", "online-size", "clock"):
            on(by_id(menu), "change", lambda _event: self._adapt())

    def show(self, language: NullTranslations) -> None:
        """Fill the menus in a language."""
        _, self._language = language.gettext, language
        for name, entries in (
            ("online-variant", [*setup_menus(language)["variant"], (OTHER, _(OTHER_SIZE))]),
            ("opponent", opponent_menu(language, self._client.offered)),
            ("clock", [*clock_menu(language), (OWN_CLOCK, _("Another clock …"))]),
        ):
            menu = by_id(name)
            fill(menu, entries, menu.value or entries[0][0])
        self._adapt()

    def _adapt(self) -> None:
        """Ask only what the chosen game and opponent leave open, and name the sides as it does."""
        by_id("visible").disabled = by_id("opponent").value != PERSON
        by_id("online-size-part").hidden = by_id("online-variant").value != OTHER
        by_id("own-clock").hidden = by_id("clock").value != OWN_CLOCK
        write(by_id("online-size-error"), "")
        try:
            rules = find_rules(self._variant)
        except InvalidVariant:
            rules = TIC_TAC_TOE  # until it is known which game it is
        starters = tuple(each for each in SEATS if each in starters_of(rules))
        for name, entries in (("seat", (RANDOM_SEAT, *SEATS)), ("online-starting", starters)):
            menu = by_id(name)
            sides = [(entry, starter_title(entry, self._language, rules)) for entry in entries]
            fill(menu, sides, menu.value or entries[0])

    @property
    def _variant(self) -> str:
        """The name of the game that is chosen, as it was typed if it was."""
        chosen = by_id("online-variant").value
        return str(by_id("online-size").value.strip() if chosen == OTHER else chosen)

    @property
    def _clock(self) -> Clock | None:
        chosen = str(by_id("clock").value)
        if chosen != OWN_CLOCK:
            return clock_named(chosen)
        minutes, seconds = by_id("clock-minutes"), by_id("clock-seconds")
        return Clock(round(60 * float(minutes.value)), int(seconds.value))

    def _submit(self) -> None:
        try:
            variant = variant_name(find_rules(self._variant))
        except InvalidVariant as error:
            write(by_id("online-size-error"), localise(self._language, error))
            by_id("online-size").focus()
            return
        opponent = by_id("opponent").value
        self._client.create(
            variant,
            name=self._name(),
            seat=by_id("seat").value,
            starting=by_id("online-starting").value,
            opponent=opponent,
            is_open=opponent == PERSON and by_id("visible").value == OPEN,
            clock=self._clock,
        )
        self._created()
