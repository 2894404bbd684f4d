"""Where a request comes from, and whom it is for: origins, names and proxies."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

#: The default ports of the schemes.
USUAL_PORTS = {"http": 80, "https": 443}
#: Allows every origin.
ANY = "*"
#: The names of this machine for itself.
THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "[::1]"})
_NAME, _IPV6 = re.compile(r"[a-z0-9._-]+"), re.compile(r"[0-9a-f:.]*:[0-9a-f:.]*")


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


def is_own_host(headers: Iterable[tuple[bytes, bytes]], names: Collection[str]) -> bool:
    """Return whether a request is for this server by one of its names, or for this machine.

    A foreign page whose name has been bound to this server's address ("DNS rebinding") would count
    as this server's own page otherwise.

    Args:
        headers: of the request, with names in lower case.
        names: as `host_of` returns them; empty for any.
    """
    asked = {host_of(value.decode("latin-1")) for name, value in headers if name == b"host"}
    return not names or (len(asked) == 1 and asked <= {*names, *THIS_MACHINE})


def host_of(text: str) -> str:
    """Return the host in the value of a ``Host`` header, in lower case; empty if invalid."""
    try:
        parts = urlsplit(f"//{text.strip().lower()}")
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return ""
    return host if _NAME.fullmatch(host) else f"[{host}]" if _IPV6.fullmatch(host) else ""


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


class Proxies:
    """The proxies that are believed about where clients come from.

    Args:
        trusted: addresses and networks, or `ANY`.
    """

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        trusted = tuple(trusted)
        self._is_any = ANY in trusted
        self._networks = [ip_network(each) for each in trusted if each != ANY]

    def __contains__(self, address: object) -> bool:
        """Whether this is the address of a proxy."""
        if self._is_any or not self._networks:
            return self._is_any
        try:
            known = ip_address(str(address))
        except ValueError:
            return False
        return any(known in network for network in self._networks)

    def client_of(
        self, peer: str | None, headers: Iterable[tuple[bytes, bytes]]
    ) -> tuple[str | None, str]:
        """Return the client's address and the scheme that it asks with.

        Of the addresses in ``X-Forwarded-For`` it is the last that is no proxy's: what stands
        before may be the client's own invention.
        """
        if peer is None or peer not in self:
            return peer, "http"
        forwarded = ",".join(
            value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"
        )
        hosts = [host.strip() for host in forwarded.split(",") if host.strip()]
        schemes = [value for name, value in headers if name == b"x-forwarded-proto"]
        scheme = "https" if schemes and schemes[-1].strip() in (b"https", b"wss") else "http"
        client = next((host for host in reversed(hosts) if host not in self), None)
        return client or (hosts[0] if hosts else peer), scheme
