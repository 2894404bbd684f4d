"""Requests that wait for their answers, and the answers that postpone or refuse them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tic_tac_toe.protocols.online.judge import Illegal
from tic_tac_toe.protocols.online.replies import BUSY, ILLEGAL, REASONS, Answer, Welcome
from tic_tac_toe.protocols.online.requests import Request

from .budgets import Budget

#: Milliseconds after which a client may ask again: usually; if there are too many games; if its
#: address has too many open games or keeps too many strangers waiting.
RETRY, FULL_RETRY, HELD_RETRY = 500, 60_000, 5_000


@dataclass
class PendingRequest:
    """A request that waits for its turn.

    Attributes:
        seat: of the sender, from the connection, never from the message.
        send: called once, with the answer.
        budget: of the sender's address; ``None`` for the server's own computers.
        is_fresh: whether the log was read after the request came; needed where other servers write
            to it.
    """

    request: Request
    seat: str
    send: Callable[[Answer | Welcome], None]
    budget: Budget | None = None
    is_fresh: bool = False
    is_answered: bool = False

    def answer(self, reply: Answer | Welcome) -> None:
        """Answer the request."""
        self.is_answered = True
        self.send(reply)


def refusal(message_id: str, why: Illegal, head: int = 0) -> Answer:
    """Return the answer that refuses a request."""
    return Answer(message_id, ILLEGAL, head, reason=why.reason, text=str(why.text))


def busy(message_id: str, reason: str, retry: int = RETRY) -> Answer:
    """Return the answer that asks the client to repeat the request after ``retry`` milliseconds."""
    return Answer(message_id, BUSY, reason=reason, text=str(REASONS[reason]), retry=retry)


def too_fast(message_id: str, seconds: float) -> Answer:
    """Return the answer to a request that came some seconds too early."""
    return busy(message_id, "too_fast", 1 + int(1000 * seconds))
