"""Requests that wait for their answers, and the answers that put them off or refuse them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tic_tac_toe.protocols.online.judge import Illegal
from tic_tac_toe.protocols.online.replies import BUSY, ILLEGAL, REASONS, Answer, Welcome
from tic_tac_toe.protocols.online.requests import Request

from .rate_limits import Account

#: Milliseconds after which a client is to ask again: usually, if there are too many games, and if
#: its address has taken its share of open games, or keeps strangers waiting.
RETRY, FULL_RETRY, HELD_RETRY = 500, 60_000, 5_000


@dataclass
class PendingRequest:
    """A request that waits for its turn.

    Attributes:
        seat: of the sender: from the connection, never from the message.
        answer: called once, with the answer.
        account: what the sender's address may still do; ``None`` for the server's own computers.
        is_fresh: whether the log was read since the request came, where others write it too.
        conflicts: the number of times that another event had taken the version that it was to have.
    """

    request: Request
    seat: str
    answer: Callable[[Answer | Welcome], None]
    account: Account | None = None
    is_fresh: bool = False
    conflicts: int = 0


def refusal(message_id: str, why: Illegal, head: int = 0) -> Answer:
    """Return the answer to a request that is refused."""
    return Answer(message_id, ILLEGAL, head, reason=why.reason, text=str(why.text))


def busy(message_id: str, reason: str, retry: int = RETRY) -> Answer:
    """Return the answer to a request that is to be sent again, after ``retry`` milliseconds."""
    return Answer(message_id, BUSY, reason=reason, text=str(REASONS[reason]), retry=retry)


def too_fast(message_id: str, seconds: float) -> Answer:
    """Return the answer to a request that comes too soon by some seconds."""
    return busy(message_id, "too_fast", 1 + int(1000 * seconds))
