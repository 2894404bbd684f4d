"""The other browser of the tests: Firefox as Debian has it, driven by WebDriver BiDi."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from .chromium import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMES = ("firefox-esr", "firefox")
#: What Playwright calls a Firefox that it has not built itself.
CHANNEL = "moz-firefox"
#: What Chromium emulates for a page, Firefox is told once for all its pages: the colours are light.
DESKTOP: dict[str, str | float | bool] = {"layout.css.prefers-color-scheme.content-override": 1}
#: A screen in dark colours that is touched, and no mouse: coarse, and nothing hovers.
PHONE: dict[str, str | float | bool] = {
    "layout.css.prefers-color-scheme.content-override": 0,
    "dom.w3c_touch_events.enabled": 1,
    "ui.primaryPointerCapabilities": 1,
    "ui.allPointerCapabilities": 1,
    "ui.useOverlayScrollbars": 1,
}
PHONE_AGENT = "Mozilla/5.0 (Android 15; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0"


def find_firefox() -> str | None:
    """Return where Firefox is; ``None`` where it is not."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Playwright, *, is_phone: bool = False) -> Browser:
    """Start Firefox with an empty profile."""
    return playwright.firefox.launch(
        channel=CHANNEL,
        executable_path=find_firefox(),
        firefox_user_prefs=PHONE if is_phone else DESKTOP,
        timeout=PATIENCE,
    )
