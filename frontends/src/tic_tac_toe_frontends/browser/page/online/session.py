"""What the parts of online play share, and what the page lends them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from gettext import NullTranslations

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.board import Look
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.game import OnlineGame

from ..navigation import Navigation
from ..signals import Signals


@dataclass(frozen=True)
class Host:
    """The page around online play.

    Attributes:
        url: the address of the game server's socket.
        language: returns the translations of the present language.
        rules: returns the game that is chosen on this device.
        go_online: shows an online game by its address, or the lobby without one.
        play_computer: shows a game against the computer on this device.
        review: shows and reviews a finished game there; the side that lost is given where the board
            does not show it.
        title_changed: updates the window's title.
    """

    url: str
    language: Callable[[], NullTranslations]
    rules: Callable[[], Rules]
    navigation: Navigation
    signals: Signals
    go_online: Callable[[str], object]
    play_computer: Callable[[], object]
    review: Callable[[Match, Mark | None], object]
    title_changed: Callable[[], object]

    def look(self, game: OnlineGame | None) -> Look:
        """Return the look of a game's board."""
        return Look.MARKS if game is None else self.signals.settings.look_of(game.rules)


@dataclass(frozen=True)
class Session:
    """What the parts of online play have in common.

    Attributes:
        language: returns the translations of the present language.
        look: returns the look of the client's game.
        send: shows the page and sends the requests that the client has been given.
        say: shows a sentence about the last action, until the next one.
    """

    client: Client
    language: Callable[[], NullTranslations]
    look: Callable[[], Look]
    send: Callable[[], object]
    say: Callable[[str], object]
