"""The form of the lobby in the page by which two people who want the same game are paired."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.game import OnlineGame

from ...words.game_text import setup_menus
from .clock_menu import QUICK, clock_menu, clock_named, entry_of
from .dom import by_id, fill, on_submit, remember, remembered


class PlayNow:
    """Shows the form; asks for somebody to play with.

    Args:
        client: asked for a game.
        name: returns the name that the player goes by.
        created: called after that.
    """

    def __init__(
        self, client: Client, name: Callable[[], str], created: Callable[[], object]
    ) -> None:
        self._client, self._name, self._created = client, name, created
        self._variant, self._clock = by_id("pair-variant"), by_id("pair-clock")
        on_submit("pair-form", self._submit)

    def show(self, language: NullTranslations) -> None:
        """Fill the menus in a language; they begin with what was played last."""
        variants, clocks = setup_menus(language)["variant"], clock_menu(language)
        last_variant, _, last_clock = (remembered("pair") or "").partition(" ")
        chosen = self._variant.value or last_variant or variants[0][0]
        fill(self._variant, variants, chosen)
        known = remembered("pair") is not None
        fill(self._clock, clocks, self._clock.value or (last_clock if known else entry_of(QUICK)))

    def again(self, game: OnlineGame) -> None:
        """Ask for another opponent in the game that has been played, with its clock."""
        self._pair(game.setup.variant, game.setup.clock)

    def _submit(self) -> None:
        variant, clock = str(self._variant.value), str(self._clock.value)
        remember("pair", f"{variant} {clock}")
        self._pair(variant, clock_named(clock))

    def _pair(self, variant: str, clock: Clock | None) -> None:
        self._client.pair(variant, name=self._name(), clock=clock)
        self._created()
