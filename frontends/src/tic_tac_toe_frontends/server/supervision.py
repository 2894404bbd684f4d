"""Tells the service manager how the server is, as sd_notify(3) describes it."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress

READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"


def tell_manager(state: str, environ: Mapping[str, str] = os.environ) -> None:
    """Send a state to the service manager, if one has started this process and listens."""
    path = environ.get("NOTIFY_SOCKET", "")
    if not path or not hasattr(socket, "AF_UNIX"):
        return
    address = f"\0{path[1:]}" if path.startswith("@") else path  # in Linux's abstract namespace
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        sender.sendto(state.encode(), address)
