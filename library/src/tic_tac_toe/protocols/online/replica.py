"""A copy of a game, made of its events as they become known: in a client, or in a server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tic_tac_toe.logic.exceptions import InvalidGameState
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame, begin


class Gap(Exception):
    """Events between the last known one and the one given are missing."""


class Replaced(Exception):
    """The events contradict the known ones: the log was replaced, such as by a backup."""


class Replica:
    """A game as far as its events are known.

    Attributes:
        game: after the known events; ``None`` without any.
        events: the known events, in order.
    """

    def __init__(self) -> None:
        self.game: OnlineGame | None = None
        self.events: list[Event] = []

    @property
    def version(self) -> int:
        """The version of the last known event; 0 without any."""
        return len(self.events)

    def clear(self) -> None:
        """Forget the game, to start over from its first event."""
        self.game = None
        self.events = []

    def after(self, event: Event, pauses: Pauses = ()) -> OnlineGame:
        """Return the game after the next event, which is not added yet.

        Raises:
            InvalidGameState: the event cannot follow.
            InvalidVariant: the variant is unknown here.
        """
        return begin(event) if self.game is None else self.game.apply(event, pauses)

    def add(self, event: Event, game: OnlineGame) -> None:
        """Add the next event, with the game that `after` has returned for it."""
        self.game = game
        self.events.append(event)

    def learn(self, events: Iterable[Event], pauses: Pauses = ()) -> Iterator[Event]:
        """Add the events that come next, pass over known ones, and yield those added.

        Raises:
            Gap: an event is missing before the next one.
            Replaced: a known event is another now, or an event cannot follow.
            InvalidVariant: the variant is unknown here.
        """
        for event in events:
            if 0 < event.version <= self.version:
                if event != self.events[event.version - 1]:
                    raise Replaced
                continue
            if event.version > self.version + 1:
                raise Gap
            try:
                self.add(event, self.after(event, pauses))
            except InvalidGameState as error:
                raise Replaced(str(error)) from error
            yield event
