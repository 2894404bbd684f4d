"""The lobby in the page: a form to play at once, open games, the player's own, and a new one."""

from __future__ import annotations

import random
from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client

from .dom import by_id, on_submit, remember, remembered
from .links import find_address
from .lobby_tables import JOIN, REMOVE, LobbyTables
from .new_game import NewGame
from .play_now import PlayNow
from .seats import Seats


class Lobby:
    """Shows the lobby; tells what is chosen in it.

    Args:
        client: asked for the game to create.
        created: called after that.
        join: called with the address of a game and a name, to play in it.
        go: called with the address of a game, to go there; empty where a text was no address.
        prepare: called before the client is asked for a game.
        language: returns the one to speak.

    Attributes:
        play_now: what pairs people.
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
        self._name.value = remembered("name") or ""
        self._guest = random.randint(1000, 9999)
        self._tables = LobbyTables(self._press)
        self._prepare = prepare
        self._new_game = NewGame(client, self._prepared_name, created)
        self.play_now = PlayNow(client, self._prepared_name, created)
        on_submit("join-form", lambda: go(find_address(by_id("join-link").value)))

    @property
    def name(self) -> str:
        """The name that the player goes by; people who give none are told apart by a number."""
        name = str(self._name.value).strip()
        remember("name", name)
        return name or self.guest_name

    @name.setter
    def name(self, name: str) -> None:
        self._name.value = name
        remember("name", name)

    def _prepared_name(self) -> str:
        """Return the name for a game that the client is asked for next."""
        self._prepare()
        return self.name

    @property
    def guest_name(self) -> str:
        """What people are called who give no name."""
        return self._language().gettext("Guest {number}").format(number=self._guest)

    def show(self) -> None:
        """Show the lobby as it is now."""
        client, language = self._client, self._language()
        if (language, client.offered) != self._filled:
            self._filled = language, client.offered
            self._new_game.show(language)
            self.play_now.show(language)
            self._name.placeholder = self.guest_name
        self._tables.show(client.open_games, self._seats.all(), language)

    def _press(self, deed: str, game: str) -> None:
        if deed == JOIN:
            self._join(game, self.name)
        elif deed == REMOVE:
            self._seats.remove(game)
            self.show()
            is_empty = by_id("own-games-part").hidden
            by_id("open-games-title" if is_empty else "own-games-title").focus()
        else:
            self._go(game)
