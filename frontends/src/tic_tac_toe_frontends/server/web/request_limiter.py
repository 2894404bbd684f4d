"""Limits HTTP requests: they may have no body, and cost their address a part of its budget."""

from __future__ import annotations

from asyncio import sleep
from http import HTTPStatus

from starlette.types import ASGIApp, Receive, Scope, Send

from ..budgets import Budget
from ..core import ServerCore

#: The cost of requests, where it is not 1: metrics take milliseconds to write.
COSTS = {"/metrics": 10.0}


class RequestLimiter:
    """An ASGI application that passes requests on to another one, delays or refuses them."""

    def __init__(self, core: ServerCore, inner: ASGIApp) -> None:
        self.core, self.inner = core, inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, at once or a moment later, or refuse it."""
        core = self.core
        budget, now = budget_of(scope, core), core.clock()
        most = core.limits.sockets.number
        cost = COSTS.get(scope["path"], 1.0)
        status: HTTPStatus | None = _objection_to_body(scope)
        if status is None and (budget.under_way >= most or budget.requests.spend(now, cost)):
            status = HTTPStatus.TOO_MANY_REQUESTS
            core.metrics.turned_away("requests")
        if status is not None:
            core.metrics.responded(status)
            await _refuse(status, send, is_last=status != 429 or _is_direct(scope))
            return
        budget.under_way += 1
        try:
            budget.prompt.charge(now, cost)
            if pause := budget.prompt.wait(now):
                await sleep(pause)
            await self.inner(scope, receive, send)
        finally:
            budget.under_way -= 1


def budget_of(scope: Scope, core: ServerCore) -> Budget:
    """Return the budget of the client's address, which a proxy may have named."""
    budget: Budget | None = scope["state"].get("budget")
    if budget is None:
        client = scope.get("client")
        budget = core.addresses.budget_of(client[0] if client else "")
    return budget


def _is_direct(scope: Scope) -> bool:
    """Whether the connection is the client's own; a proxy's serves other clients, too."""
    return scope["state"].get("budget") is not None


def _objection_to_body(scope: Scope) -> HTTPStatus | None:
    """Return the status that refuses a request with a body; ``None`` if it has none.

    Two lengths may mean request smuggling: a proxy may have used the other one (RFC 9112, section
    6.3).
    """
    headers = dict(scope["headers"])
    length, coding = headers.get(b"content-length"), headers.get(b"transfer-encoding")
    if length is not None and coding is not None:
        return HTTPStatus.BAD_REQUEST
    if coding is None and length in (None, b"0"):
        return None
    return HTTPStatus.REQUEST_ENTITY_TOO_LARGE


async def _refuse(status: HTTPStatus, send: Send, is_last: bool) -> None:
    headers = [(b"content-length", b"0")]
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers.append((b"retry-after", b"5"))
    if is_last:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
