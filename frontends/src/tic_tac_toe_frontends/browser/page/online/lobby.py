"""The lobby: ways to a friend and to anyone, the open games, and the player's own games."""

from __future__ import annotations

import random
from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.requests import PERSON, RANDOM_SEAT
from tic_tac_toe.protocols.online.seat_book import SEEN, STAGES

from ....words.clock_text import clock_brief
from ....words.game_text import setup_menus, starter_title, starters_of
from ....words.online_text import opponent_menu
from ....words.rules_text import variant_title
from ..dom import (
    by_id,
    document,
    fill,
    load_item,
    on,
    on_click,
    on_submit,
    save_item,
    set_text,
)
from .seats import Seats
from .session import Session
from .view import FINISHED, GO, JOIN, open_table, own_table

#: The clock of a game against anyone until the player chooses another.
QUICK = Clock(180, 2)
#: The clocks of the menus.
CLOCKS = (Clock(60), QUICK, Clock(300), Clock(600, 5), Clock(1800), Clock(24 * 3600))
#: The menu's entries for no clock, and for a clock of any minutes and seconds.
NO_CLOCK, OWN_CLOCK = "", "own"
OPEN = "open"


def clock_menu(language: NullTranslations) -> list[tuple[str, str]]:
    """Return the entries of the menu of clocks with their titles."""
    clocks = [(entry_of(clock), clock_brief(clock, language)) for clock in CLOCKS]
    return [(NO_CLOCK, language.gettext("No clock")), *clocks]


def entry_of(clock: Clock) -> str:
    """Return the menu's entry for one of `CLOCKS`."""
    return f"{clock.seconds}+{clock.increment}"


def clock_named(entry: str) -> Clock | None:
    """Return the clock of a menu's entry; ``None`` for no clock."""
    seconds, _, increment = entry.partition("+")
    return Clock(int(seconds), int(increment)) if seconds else None


class Lobby:
    """Asks for games, and lists them.

    Args:
        prepare: called before each request for a game.
        created: called after one.
        visit: called with the address of a game, to take its free seat (`JOIN`) or to go there.
    """

    def __init__(
        self,
        session: Session,
        seats: Seats,
        prepare: Callable[[], object],
        created: Callable[[], object],
        visit: Callable[[str, str], object],
    ) -> None:
        self._session, self._client, self._seats = session, session.client, seats
        self._prepare, self._created, self._visit = prepare, created, visit
        self._filled: object = None
        self._rules = find_rules("tic-tac-toe")
        self._shows_all = False
        self._tables: dict[str, str] = {}
        self._guest = random.randint(1000, 9999)
        by_id("name").value = by_id("joining-name").value = load_item("name") or ""
        on_submit("play-form", self._create)
        on_click("pair", lambda: self.pair(self._rules))
        on_click("own-games-all", self._show_all)
        for menu in ("opponent", "online-variant", "clock", "visible"):
            on(by_id(menu), "change", lambda _event: self._adapt())
        for table in ("open-games", "own-games"):
            on(by_id(table), "click", self._click)

    @property
    def name(self) -> str:
        """The player's name; guests get a random number."""
        name = str(by_id("name").value).strip()
        save_item("name", name)
        return name or self.guest_name

    @property
    def guest_name(self) -> str:
        """The name of a player without a name."""
        return self._session.language().gettext("Guest {number}").format(number=self._guest)

    def take_over_name(self) -> str:
        """Return the name beside a free seat, which becomes the player's."""
        by_id("name").value = by_id("joining-name").value
        return self.name

    def choose(self, rules: Rules) -> None:
        """Choose a game."""
        self._rules, self._filled = rules, None

    def invite(self, rules: Rules) -> None:
        """Create a private game for a friend: any seat, no clock."""
        self._client_creates(rules, seat=RANDOM_SEAT, is_open=False)

    def pair(self, rules: Rules, clock: Clock | None = None, *, again: bool = False) -> None:
        """Ask for any opponent.

        Args:
            clock: of an earlier game that is played ``again``; else the chosen one.
        """
        if not again:
            chosen = str(by_id("pair-clock").value)
            save_item("pair", chosen)
            clock = clock_named(chosen)
        self._prepare()
        self._client.pair(variant_name(rules), name=self.name, clock=clock)
        self._created()

    def _create(self) -> None:
        opponent = by_id("opponent").value
        self._client_creates(
            self._rules,
            seat=by_id("seat").value,
            starting=by_id("online-starting").value,
            opponent=opponent,
            is_open=opponent == PERSON and by_id("visible").value == OPEN,
            clock=self._clock,
        )

    def _client_creates(self, rules: Rules, **choices: Any) -> None:
        self._prepare()
        self._client.create(variant_name(rules), name=self.name, **choices)
        self._created()

    @property
    def _clock(self) -> Clock | None:
        chosen = str(by_id("clock").value)
        if chosen != OWN_CLOCK:
            return clock_named(chosen)
        minutes, seconds = by_id("clock-minutes"), by_id("clock-seconds")
        return Clock(round(60 * float(minutes.value)), int(seconds.value))

    # -- what is shown -----------------------------------------------------------------------------

    def show(self) -> None:
        """Update the lobby."""
        client, language, seats = self._client, self._session.language(), self._seats.all()
        if (language, client.offered) != self._filled:
            self._filled = language, client.offered
            self._fill(language)
        games = open_table(client.open_games, {seat.game for seat in seats}, language)
        self._show_table("open-games", games)
        by_id("no-open-games").hidden = bool(games)
        count = len(client.open_games)
        title = language.gettext("Open games")
        set_text(by_id("open-games-title"), f"{title} · {count}" if count else title)
        known = [seat for seat in seats if seat.variant]
        known.sort(key=lambda seat: STAGES.index(seat.stage))
        count = sum(seat.stage != SEEN for seat in known) + FINISHED
        by_id("own-games-all").hidden = self._shows_all or len(known) <= count
        self._show_table(
            "own-games", own_table(known if self._shows_all else known[:count], language)
        )
        part = by_id("own-games-part")
        part.hidden = not known
        # Own games stand above the form while one is unfinished, else below.
        goes_on, place = any(seat.is_unfinished for seat in known), part.parentElement
        if goes_on != bool(place.firstElementChild.isSameNode(part)):
            (place.prepend if goes_on else place.append)(part)

    def _fill(self, language: NullTranslations) -> None:
        """Fill the menus; what was chosen stays chosen."""
        _, clocks = language.gettext, clock_menu(language)
        variants, chosen = setup_menus(language)["variant"], variant_name(self._rules)
        if chosen not in dict(variants):
            variants = [(chosen, variant_title(self._rules, language)), *variants]
        fill(by_id("online-variant"), variants, chosen)
        last = load_item("pair")
        usual = entry_of(QUICK) if last not in dict(clocks) else str(last)
        for name, entries, first in (
            ("opponent", opponent_menu(language, self._client.offered), PERSON),
            ("clock", [*clocks, (OWN_CLOCK, _("Another clock …"))], NO_CLOCK),
            ("pair-clock", clocks, usual),
        ):
            menu = by_id(name)
            fill(menu, entries, menu.value if menu.options.length else first)
        by_id("name").placeholder = by_id("joining-name").placeholder = self.guest_name
        self._adapt()

    def _adapt(self) -> None:
        """Show only the fields that the chosen game and opponent need; name the sides."""
        language = self._session.language()
        _, is_person = language.gettext, by_id("opponent").value == PERSON
        self._rules = find_rules(str(by_id("online-variant").value))
        by_id("visible").disabled = not is_person
        by_id("own-clock").hidden = by_id("clock").value != OWN_CLOCK
        title = _("Invite a friend")
        if not is_person:
            title = _("Play the computer")
        elif by_id("visible").value == OPEN:
            title = _("Create an open game")
        set_text(by_id("create"), title)
        starters = tuple(each for each in SEATS if each in starters_of(self._rules))
        for name, entries in (("seat", (RANDOM_SEAT, *SEATS)), ("online-starting", starters)):
            menu = by_id(name)
            sides = [(entry, starter_title(entry, language, self._rules)) for entry in entries]
            fill(menu, sides, menu.value if menu.value in entries else entries[0])

    def _show_all(self) -> None:
        self._shows_all = True
        self.show()
        by_id("own-games-title").focus()

    def _click(self, event: Any) -> None:
        button = event.target.closest("button")
        if not button:
            return
        action, game = str(button.dataset.action), str(button.dataset.game)
        if action in (JOIN, GO):
            self._visit(action, game)
            return
        self._seats.remove(game)
        self.show()
        is_empty = by_id("own-games-part").hidden
        by_id("open-games-title" if is_empty else "own-games-title").focus()

    def _show_table(self, name: str, markup: str) -> None:
        """Show a table; a focused button keeps the focus if it is still there."""
        if self._tables.get(name) == markup:
            return
        self._tables[name] = markup
        table, focused = by_id(name), document.activeElement
        focus = focused.getAttribute("data-key") if table.contains(focused) else None
        table.innerHTML = markup  # safe: `view` has escaped what it holds
        table.hidden = not markup
        if focus and (found := table.querySelector(f'[data-key="{focus}"]')):
            found.focus()
