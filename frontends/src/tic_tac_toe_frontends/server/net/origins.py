"""The origin of the page that opens a WebSocket, as browsers send it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

#: The default ports of the schemes.
USUAL_PORTS = {"http": 80, "https": 443}
#: Allows every origin.
ANY = "*"


def is_allowed_origin(headers: Iterable[tuple[bytes, bytes]], origins: Collection[str]) -> bool:
    """Return whether a handshake comes from this server's page, an allowed page, or no page.

    Browsers send the page's origin (RFC 6455, section 10.2). Other programs could send any, and
    need
    send none.

    Args:
        headers: of the handshake, with names in lower case.
        origins: the allowed pages beside this server's, as `origin_of` returns them.
    """
    named = [value for name, value in headers if name == b"origin"]
    if not named or ANY in origins:
        return True
    origin = origin_of(named[0].decode("latin-1"))
    if len(named) > 1 or not origin:
        return False
    scheme = origin.partition(":")[0]
    hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
    return origin in origins or [origin] == [origin_of(f"{scheme}://{host}") for host in hosts]


def origin_of(url: str) -> str:
    """Return the scheme, host and, unless it is the default, port of a URL; empty if invalid."""
    try:
        parts = urlsplit(url.strip().lower())
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in USUAL_PORTS or not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    is_usual = port in (None, USUAL_PORTS[parts.scheme])
    return f"{parts.scheme}://{host}" + ("" if is_usual else f":{port}")
