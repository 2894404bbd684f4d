"""The browser that tests, pictures and measurements drive: Chromium, which calls no other host."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

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
#: How long a start may take on a loaded machine, in milliseconds.
PATIENCE = 120_000
MISSING = "chromium not found: apt-get install chromium"


def find_chromium() -> str | None:
    """Return where Chromium is, by whatever name; ``None`` where it is not."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Playwright) -> Browser:
    """Start Chromium with an empty profile."""
    return playwright.chromium.launch(
        executable_path=find_chromium(), args=list(FLAGS), timeout=PATIENCE
    )
