"""The lobby in the page: games that wait for an opponent, the player's games, and a new one."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules, variant_name
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.replies import OpenGame
from tic_tac_toe.protocols.online.requests import PERSON, RANDOM_SEAT

from ...words.clock_text import clock_setting
from ...words.game_text import setup_menus, starter_title
from ...words.messages import localise
from ...words.online_text import describe_open_game, opponent_menu
from .dom import by_id, document, fill, make, on, on_submit, remember, remembered, write
from .links import find_address
from .menus import OTHER
from .seats import ENDED, SEEN, Seat
from .words import OTHER_SIZE

#: The clocks to choose from.
CLOCKS = (Clock(60), Clock(180, 2), Clock(300), Clock(600, 5), Clock(1800), Clock(24 * 3600))
NO_CLOCK = ""
OPEN = "open"


class Lobby:
    """Shows the open games, the player's own and a form for a new one; tells what is chosen.

    Args:
        client: asked for the game to create.
        created: called after that.
        join: called with the address of a game and a name, to play in it.
        go: called with the address of a game, to go there; empty where a text was no address.
    """

    def __init__(
        self,
        client: Client,
        created: Callable[[], object],
        join: Callable[[str, str], object],
        go: Callable[[str], object],
    ) -> None:
        self._client, self._created = client, created
        self._join, self._go = join, go
        self._language: NullTranslations | None = None
        self._offered: tuple[str, ...] = ()
        self._shown: object = None
        self._name = by_id("name")
        self._name.value = remembered("name") or ""
        on_submit("create-form", self._submit)
        on_submit("join-form", lambda: go(find_address(by_id("join-link").value)))
        on(by_id("open-games"), "click", self._click)
        on(by_id("own-games"), "click", self._click)
        for menu in ("opponent", "online-variant", "online-size"):
            on(by_id(menu), "change", lambda _event: self._adapt())

    @property
    def name(self) -> str:
        """The name that the player goes by."""
        name = str(self._name.value).strip()
        remember("name", name)
        return name

    @name.setter
    def name(self, name: str) -> None:
        self._name.value = name
        remember("name", name)

    def show(
        self, games: tuple[OpenGame, ...], seats: list[Seat], language: NullTranslations
    ) -> None:
        """Show games that wait for an opponent, and the player's, unfinished ones first."""
        if (language, self._client.offered) != (self._language, self._offered):
            self._language, self._offered = language, self._client.offered
            self._fill_menus(language)
        named = [seat for seat in seats if seat.title and seat.stage != SEEN]
        own = sorted(named, key=lambda seat: seat.stage == ENDED)
        wanted = games, own, language
        if wanted == self._shown:
            return
        self._shown = wanted
        focus = document.activeElement and document.activeElement.getAttribute("data-key")
        _ = language.gettext
        places = [seat.game for seat in own]
        waiting = by_id("open-games")
        waiting.replaceChildren()
        for game in games:
            what = describe_open_game(game, language)
            actions = [(_("Watch"), "watch"), (_("Join"), "join")]
            if game.game in places:
                actions = [(_("Go back"), "back")]
            waiting.append(_item(game.game, what, actions))
        by_id("no-open-games").hidden = bool(games)
        back = by_id("own-games")
        back.replaceChildren()
        for seat in own:
            action = _("Go there") if seat.stage == ENDED else _("Go back")
            back.append(_item(seat.game, seat.title, [(action, "back")], of="own"))
        by_id("own-games-part").hidden = not own
        if focus and (found := document.querySelector(f'[data-key="{focus}"]')):
            found.focus()

    def _fill_menus(self, language: NullTranslations) -> None:
        _ = language.gettext
        clocks = [
            (f"{each.seconds}+{each.increment}", clock_setting(each, language)) for each in CLOCKS
        ]
        for name, entries in (
            ("online-variant", [*setup_menus(language)["variant"], (OTHER, _(OTHER_SIZE))]),
            ("opponent", opponent_menu(language, self._client.offered)),
            ("clock", [(NO_CLOCK, _("No clock")), *clocks]),
        ):
            menu = by_id(name)
            fill(menu, entries, menu.value or entries[0][0])
        self._adapt()

    def _adapt(self) -> None:
        """Ask only what the chosen game and opponent leave open, and name the sides as it does."""
        by_id("visible").disabled = by_id("opponent").value != PERSON
        by_id("online-size-part").hidden = by_id("online-variant").value != OTHER
        write(by_id("online-size-error"), "")
        try:
            rules = find_rules(self._variant)
        except InvalidVariant:
            rules = TIC_TAC_TOE  # until it is known which game it is
        for name, entries in (("seat", (RANDOM_SEAT, *SEATS)), ("online-starting", SEATS)):
            menu = by_id(name)
            language = self._language or NullTranslations()
            sides = [(entry, starter_title(entry, language, rules)) for entry in entries]
            fill(menu, sides, menu.value or entries[0])

    @property
    def _variant(self) -> str:
        """The name of the game that is chosen, as it was typed if it was."""
        chosen = by_id("online-variant").value
        return str(by_id("online-size").value.strip() if chosen == OTHER else chosen)

    def _submit(self) -> None:
        try:
            variant = variant_name(find_rules(self._variant))
        except InvalidVariant as error:
            language = self._language or NullTranslations()
            write(by_id("online-size-error"), localise(language, error))
            by_id("online-size").focus()
            return
        opponent = by_id("opponent").value
        seconds, _, increment = by_id("clock").value.partition("+")
        self._client.create(
            variant,
            name=self.name,
            seat=by_id("seat").value,
            starting=by_id("online-starting").value,
            opponent=opponent,
            is_open=opponent == PERSON and by_id("visible").value == OPEN,
            clock=Clock(int(seconds), int(increment)) if seconds else None,
        )
        self._created()

    def _click(self, event: Any) -> None:
        button = event.target.closest("button")
        if not button:
            return
        action, address = button.dataset.action, button.dataset.game
        if action == "join":
            self._join(address, self.name)
        else:
            self._go(address)


def _item(address: str, what: str, actions: list[tuple[str, str]], of: str = "open") -> Any:
    """Return a line of a list of games: what it is, and what can be done with it."""
    item = make("li")
    item.append(make("span", what))
    buttons = make("div", class_="actions")
    for title, action in actions:
        primary = "primary" if action == "join" else ""
        button = make("button", title, type="button", class_=primary, aria_label=f"{title}: {what}")
        button.dataset.action, button.dataset.game = action, address
        button.dataset.key = f"{of}-{action}-{address}"
        buttons.append(button)
    item.append(buttons)
    return item
