"""The browser that tests, pictures and measurements drive: Chromium, calling nobody."""

from __future__ import annotations

import shutil

#: What a root user in a container needs, and what keeps Chromium from calling home.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "chromium not found: apt-get install chromium"


def find_chromium() -> str | None:
    """Return where Chromium is, by whatever name; ``None`` where it is not."""
    return next(filter(None, map(shutil.which, NAMES)), None)
