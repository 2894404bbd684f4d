"""The requests of one client, from the asking to the answer, and the texts to send."""

from __future__ import annotations

import random
from collections.abc import Callable

from tic_tac_toe.protocols.online.requests import (
    Events,
    Leave,
    Lobby,
    Mine,
    Request,
    Seating,
    write_request,
)


class Outbox:
    """Keeps requests until they are answered.

    Args:
        rng: draws the beginning of the message ids.
        clock: seconds from any start.

    Attributes:
        pending: requests without an answer, by their ids, in the order of asking; they are asked
            again on another connection.
        asides: requests that are worth nothing on another connection.
        left: requests that were sent in a game that the client has left since.
    """

    def __init__(self, rng: random.Random, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.pending: dict[str, Request] = {}
        self.asides: dict[str, Events | Lobby | Mine] = {}
        self.left: dict[str, Request] = {}
        self._texts: list[str] = []
        self._again_at: dict[str, float] = {}
        self._prefix = f"{rng.getrandbits(64):x}"
        self._count = 0

    def new_id(self) -> str:
        """Return an id that no other message of this client has."""
        self._count += 1
        return f"{self._prefix}-{self._count}"

    def send(self, request: Request) -> None:
        """Add the text of a request to those to send."""
        self._texts.append(write_request(request))

    def ask_aside(self, request: Events | Lobby | Mine) -> None:
        """Send a request that is not asked again on another connection."""
        self.asides[request.id] = request
        self.send(request)

    def take_texts(self) -> list[str]:
        """Return the texts to send now, in order, and forget them."""
        texts, self._texts = self._texts, []
        return texts

    def drop_texts(self) -> None:
        """Forget the texts to send, because there is no connection."""
        self._texts.clear()

    def renew(self) -> None:
        """Forget what belonged to the last connection; what is pending stays."""
        self._texts.clear()
        self._again_at.clear()
        self.asides.clear()
        self.left.clear()

    def leave_game(self, is_online: bool) -> None:
        """Ask nothing more in a game; only a `Leave` that was sent still has its answer told."""
        if is_online:
            self.left.update(
                (known, request)
                for known, request in self.pending.items()
                if isinstance(request, Leave)
            )
        self.pending.clear()

    @property
    def is_arriving(self) -> bool:
        """Whether the client waits for a seat."""
        return any(isinstance(request, Seating) for request in self.pending.values())

    @property
    def is_put_off(self) -> bool:
        """Whether a request for a seat is asked again after a while: the server is busy."""
        return any(isinstance(self.pending.get(known), Seating) for known in self._again_at)

    def must_wait(self, request: Request) -> bool:
        """Whether a request is about a game in which the client has no seat yet."""
        return self.is_arriving and not isinstance(request, Seating)

    def put_off(self, message_id: str, milliseconds: int) -> None:
        """Ask again after a while, because the server is busy."""
        self._again_at[message_id] = self.clock() + milliseconds / 1000

    def hasten(self) -> None:
        """Ask without further delay for what was put off, because the server is busy no more."""
        self._again_at = dict.fromkeys(self._again_at, self.clock())

    def call_off(self, message_id: str) -> None:
        """Wait no longer to ask again."""
        self._again_at.pop(message_id, None)

    def take_due(self) -> list[Request]:
        """Return the requests that are to be asked again now."""
        now = self.clock()
        due = [known for known, at in self._again_at.items() if at <= now]
        for known in due:
            del self._again_at[known]
        return [
            each for known in due if (each := self.pending.get(known) or self.asides.get(known))
        ]
