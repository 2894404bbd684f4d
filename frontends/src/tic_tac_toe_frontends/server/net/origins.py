"""Where a page is from that opens a WebSocket, as browsers say it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

#: The ports that addresses do not name.
USUAL_PORTS = {"http": 80, "https": 443}
#: Allows every origin.
ANY = "*"


def is_allowed_origin(headers: Iterable[tuple[bytes, bytes]], origins: Collection[str]) -> bool:
    """Return whether a handshake is of this server's own page, of one allowed, or of no page.

    Browsers name the page in ``Origin``. What is no browser could claim anything, and need not.

    Args:
        headers: of the handshake, the names in small letters.
        origins: the pages that are allowed beside the own ones, as `origin_of` returns them.
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
    """Return the scheme, the host and, unless it is the usual one, the port; empty if it has none.

    A path is left out.
    """
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
