"""The lobby: forms for pairing and for a new game, and tables of open games and own games."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from gettext import NullTranslations
from typing import Any, NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules, variant_name
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame
from tic_tac_toe.protocols.online.requests import PERSON, RANDOM_SEAT

from ...words.clock_text import clock_brief
from ...words.game_text import setup_menus, starter_title, starters_of
from ...words.online_text import (
    named_variant,
    open_game_cells,
    open_game_headings,
    opponent_menu,
    opponent_name,
    standing_word,
)
from ...words.translation import localise
from .dom import (
    by_id,
    document,
    fill,
    load_item,
    make,
    on,
    on_click,
    on_submit,
    save_item,
    set_text,
)
from .links import find_address
from .seats import ENDED, PLAYING, WAITING, Seat, Seats
from .words import OTHER_SIZE

#: The menu's entry for a board of any size.
OTHER = "other"

#: The default clock of the form for pairing.
QUICK = Clock(180, 2)
#: The clocks of the menu.
CLOCKS = (Clock(60), QUICK, Clock(300), Clock(600, 5), Clock(1800), Clock(24 * 3600))
#: The menu's entry for no clock.
NO_CLOCK = ""


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


class PlayNow:
    """The form for pairing with any opponent.

    Args:
        name: returns the name that the player goes by.
    """

    def __init__(
        self, client: Client, name: Callable[[], str], created: Callable[[], object]
    ) -> None:
        self._client, self._name, self._created = client, name, created
        self._variant, self._clock = by_id("pair-variant"), by_id("pair-clock")
        on_submit("pair-form", self._submit)

    def show(self, language: NullTranslations) -> None:
        """Fill the menus; the last choice is selected."""
        variants, clocks = setup_menus(language)["variant"], clock_menu(language)
        last_variant, _, last_clock = (load_item("pair") or "").partition(" ")
        chosen = self._variant.value or last_variant or variants[0][0]
        fill(self._variant, variants, chosen)
        known = load_item("pair") is not None
        fill(self._clock, clocks, self._clock.value or (last_clock if known else entry_of(QUICK)))

    def again(self, game: OnlineGame) -> None:
        """Ask for another opponent in the same game with the same clock."""
        self._pair(game.setup.variant, game.setup.clock)

    def _submit(self) -> None:
        variant, clock = str(self._variant.value), str(self._clock.value)
        save_item("pair", f"{variant} {clock}")
        self._pair(variant, clock_named(clock))

    def _pair(self, variant: str, clock: Clock | None) -> None:
        self._client.pair(variant, name=self._name(), clock=clock)
        self._created()


#: The menu's entry for a clock of any minutes and seconds.
OWN_CLOCK = "own"
OPEN = "open"


class NewGame:
    """The form for a new game.

    Args:
        name: returns the name that the player goes by.
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
        """Fill the menus."""
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
        """Show only the fields that the chosen game and opponent need; name the sides."""
        by_id("visible").disabled = by_id("opponent").value != PERSON
        by_id("online-size-part").hidden = by_id("online-variant").value != OTHER
        by_id("own-clock").hidden = by_id("clock").value != OWN_CLOCK
        set_text(by_id("online-size-error"), "")
        try:
            rules = find_rules(self._variant)
        except InvalidVariant:
            rules = TIC_TAC_TOE  # until the typed size is valid
        starters = tuple(each for each in SEATS if each in starters_of(rules))
        for name, entries in (("seat", (RANDOM_SEAT, *SEATS)), ("online-starting", starters)):
            menu = by_id(name)
            sides = [(entry, starter_title(entry, self._language, rules)) for entry in entries]
            fill(menu, sides, menu.value or entries[0])

    @property
    def _variant(self) -> str:
        """The chosen or typed name of the game."""
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
            set_text(by_id("online-size-error"), localise(self._language, error))
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


class Action(NamedTuple):
    """A button of a row: its name for `GameTable.pressed`, and its title."""

    name: str
    title: str
    is_primary: bool = False


class Row(NamedTuple):
    """A row: a game's address, its cells and its buttons."""

    game: str
    cells: Sequence[str]
    actions: Sequence[Action]


class GameTable:
    """A table of games with buttons.

    The ARIA roles are explicit: the style that makes cards of the rows on phones removes the
        implicit ones.

    Args:
        name: the id of the table.
        pressed: called with the name of an action and the address of the game.
    """

    def __init__(self, name: str, pressed: Callable[[str, str], object]) -> None:
        self._table, self._pressed = by_id(name), pressed
        self._name = name
        self._shown: object = None
        on(self._table, "click", self._click)

    def show(self, headings: Sequence[str], rows: Sequence[Row], actions_heading: str) -> None:
        """Show rows; a focused button keeps the focus if it is still there.

        Args:
            actions_heading: the heading of the buttons, for screen readers only.
        """
        wanted = tuple(headings), tuple(rows), actions_heading
        if wanted == self._shown:
            return
        self._shown = wanted
        focused = document.activeElement
        focus = focused.getAttribute("data-key") if self._table.contains(focused) else None
        self._table.replaceChildren()
        self._table.hidden = not rows
        head, body = make("thead", role="rowgroup"), make("tbody", role="rowgroup")
        titles = make("tr", role="row")
        for heading in headings:
            titles.append(make("th", heading, role="columnheader", scope="col"))
        last = make("th", role="columnheader", scope="col")
        last.append(make("span", actions_heading, class_="unseen"))
        titles.append(last)
        head.append(titles)
        body.append(*(self._row(headings, row) for row in rows))
        self._table.append(head, body)
        if focus and (found := self._table.querySelector(f'[data-key="{focus}"]')):
            found.focus()

    def _row(self, headings: Sequence[str], row: Row) -> Any:
        item = make("tr", role="row")
        first, *others = zip(headings, row.cells)
        item.append(make("th", first[1], role="rowheader", scope="row"))
        for heading, text in others:
            cell = make("td", text, role="cell")
            cell.dataset.heading = heading
            item.append(cell)
        buttons = make("td", role="cell", class_="actions")
        about = ", ".join(filter(None, row.cells))
        for action in row.actions:
            primary = "primary" if action.is_primary else ""
            label = f"{action.title}: {about}"
            button = make("button", action.title, type="button", class_=primary, aria_label=label)
            button.dataset.action, button.dataset.game = action.name, row.game
            button.dataset.key = f"{action.name}-{row.game}"
            buttons.append(button)
        item.append(buttons)
        return item

    def _click(self, event: Any) -> None:
        if button := event.target.closest("button"):
            self._pressed(str(button.dataset.action), str(button.dataset.game))


#: The names of the tables' actions.
JOIN, GO, REMOVE = "join", "go", "remove"
#: The number of finished games in the list until the player asks for all.
FINISHED = 10


class LobbyTables:
    """The tables of open games and of the player's own games.

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
        """Show the open games and the player's own games, unfinished ones first."""
        _ = language.gettext
        heading = _("What you can do")
        own = {seat.game for seat in seats}
        rows = [self._open_row(game, game.game in own, language) for game in games]
        self._open.show(open_game_headings(language), rows, heading)
        by_id("no-open-games").hidden = bool(games)
        known = [seat for seat in seats if seat.variant]
        order = (PLAYING, WAITING, ENDED)
        known.sort(key=lambda seat: order.index(seat.stage) if seat.stage in order else len(order))
        headings = [_("Game"), _("Opponent"), _("Result")]
        count = sum(seat.stage in order for seat in known) + FINISHED
        by_id("own-games-all").hidden = self._shows_all or len(known) <= count
        listed = known if self._shows_all else known[:count]
        self._again = lambda: self.show(games, seats, language)
        self._own.show(headings, [self._own_row(seat, language) for seat in listed], heading)
        part = by_id("own-games-part")
        part.hidden = not known
        # Own games stand above the forms while one is unfinished, else below.
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
        actions = [Action(JOIN, _("Join"), is_primary=True), Action(GO, _("Watch"))]
        if is_own:
            actions = [Action(GO, _("Go back"))]
        return Row(game.game, open_game_cells(game, language), actions)

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
            actions = [Action(GO, _("Go back"), is_primary=True)]
        else:
            actions = [Action(GO, _("Look at it")), Action(REMOVE, _("Remove"))]
        return Row(seat.game, cells, actions)


class Lobby:
    """The whole lobby.

    Args:
        join: called with a game's address and a name, to take a seat.
        go: called with a game's address, to visit it; empty for an invalid link.
        prepare: called before each request for a game.
    """

    def __init__(
        self,
        client: Client,
        seats: Seats,
        created: Callable[[], object],
        join: Callable[[str, str], object],
        go: Callable[[str], object],
        prepare: Callable[[], object],
        language: Callable[[], NullTranslations],
    ) -> None:
        self._client, self._seats = client, seats
        self._join, self._go, self._language = join, go, language
        self._filled: object = None
        self._name = by_id("name")
        self._name.value = load_item("name") or ""
        self._guest = random.randint(1000, 9999)
        self._tables = LobbyTables(self._run_action)
        self._prepare = prepare
        self._new_game = NewGame(client, self._prepared_name, created)
        self.play_now = PlayNow(client, self._prepared_name, created)
        on_submit("join-form", lambda: go(find_address(by_id("join-link").value)))

    @property
    def name(self) -> str:
        """The player's name; guests get a random number."""
        name = str(self._name.value).strip()
        save_item("name", name)
        return name or self.guest_name

    @name.setter
    def name(self, name: str) -> None:
        self._name.value = name
        save_item("name", name)

    def _prepared_name(self) -> str:
        self._prepare()
        return self.name

    @property
    def guest_name(self) -> str:
        """The name of a player without a name."""
        return self._language().gettext("Guest {number}").format(number=self._guest)

    def show(self) -> None:
        """Update the lobby."""
        client, language = self._client, self._language()
        if (language, client.offered) != self._filled:
            self._filled = language, client.offered
            self._new_game.show(language)
            self.play_now.show(language)
            self._name.placeholder = self.guest_name
        self._tables.show(client.open_games, self._seats.all(), language)

    def _run_action(self, action: str, game: str) -> None:
        if action == JOIN:
            self._join(game, self.name)
        elif action == REMOVE:
            self._seats.remove(game)
            self.show()
            is_empty = by_id("own-games-part").hidden
            by_id("open-games-title" if is_empty else "own-games-title").focus()
        else:
            self._go(game)
