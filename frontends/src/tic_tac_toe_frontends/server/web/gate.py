"""What a request has to pass before it is answered: it has no body, and its address has credit."""

from __future__ import annotations

from asyncio import sleep
from http import HTTPStatus

from starlette.types import ASGIApp, Receive, Scope, Send

from ..core import ServerCore
from ..rate_limits import Account

#: What asking for a path costs, where that is not 1: the figures take milliseconds to write.
COSTS = {"/metrics": 10.0}


class Gate:
    """An ASGI application that passes requests on to another one."""

    def __init__(self, core: ServerCore, inner: ASGIApp) -> None:
        self.core, self.inner = core, inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, at once or a moment later, or refuse it."""
        core = self.core
        account, now = account_of(scope, core), core.clock()
        most = core.allowance.sockets
        cost = COSTS.get(scope["path"], 1.0)
        status: HTTPStatus | None = _objection_to_body(scope)
        if status is None and (account.under_way >= most or account.requests.spend(now, cost)):
            status = HTTPStatus.TOO_MANY_REQUESTS
            core.metrics.turned_away("requests")
        if status is not None:
            core.metrics.responded(status)
            await _refuse(status, send, is_last=status != 429 or _is_direct(scope))
            return
        account.under_way += 1
        try:
            account.prompt.charge(now, cost)
            if pause := account.prompt.wait(now):
                await sleep(pause)
            await self.inner(scope, receive, send)
        finally:
            account.under_way -= 1


def account_of(scope: Scope, core: ServerCore) -> Account:
    """Return the account of the client that asks, which a proxy may have named."""
    account: Account | None = scope["state"].get("account")
    if account is None:
        client = scope.get("client")
        account = core.limits.account_of(client[0] if client else "")
    return account


def _is_direct(scope: Scope) -> bool:
    """Whether the connection is the client's own; that of a proxy serves others, too."""
    return scope["state"].get("account") is not None


def _objection_to_body(scope: Scope) -> HTTPStatus | None:
    """Return the status of a request with a body, for which there is no use here.

    With two lengths, a proxy may have taken the one, and what follows for another's request.
    """
    headers = dict(scope["headers"])
    length, coding = headers.get(b"content-length"), headers.get(b"transfer-encoding")
    if length is not None and coding is not None:
        return HTTPStatus.BAD_REQUEST
    if coding is None and length in (None, b"0"):
        return None
    return HTTPStatus.REQUEST_ENTITY_TOO_LARGE


async def _refuse(status: HTTPStatus, send: Send, is_last: bool) -> None:
    """Answer with a status alone, and close the connection if nothing more is read from it."""
    headers = [(b"content-length", b"0")]
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers.append((b"retry-after", b"5"))
    if is_last:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
