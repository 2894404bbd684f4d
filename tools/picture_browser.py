"""Takes pictures of the page, from the real one in Chromium: ``python -m tools.picture_browser``.

They show the desktop in light and dark and a phone.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tic_tac_toe_frontends.browser.build import build
from tic_tac_toe_frontends.browser.server import Server
from tools.chromium import MISSING, find_chromium, launch

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
PEOPLE = "#x=human&o=human"
#: Milliseconds: a slow machine gets its picture, too.
PATIENCE = 120_000


class Picture(NamedTuple):
    """What to show: a game, how large, and in which colours.

    Attributes:
        fragment: the game, as a link has it.
        analysed: whether the worth of each move stands in its cell.
    """

    fragment: str
    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    analysed: bool = False


ULTIMATE = f"{PEOPLE}&game=ultimate&moves=E5.D4.A1.B2.D5.B4.D1.B1.E2.D6.A7.B3.D8"
CONNECT_FOUR = f"{PEOPLE}&game=connect-four&moves=4.4.3.5.5.2.3.3.6"
PAGES = {
    "browser": Picture(ULTIMATE, 1160, 800),
    "browser-dark": Picture(CONNECT_FOUR, 1160, 800, "dark"),
    "browser-phone": Picture(f"{PEOPLE}&moves=B2.A1.C3", 390, 700, analysed=True),
}


def take(browser: Browser, address: str, picture: Picture) -> bytes:
    """Return a picture of the page as PNG."""
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height},
        color_scheme=picture.scheme,
        has_touch=picture.width < 600,
        is_mobile=picture.width < 600,
        device_scale_factor=2 if picture.width < 600 else 1,
        locale="en-GB",
    )
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address + picture.fragment)
        page.wait_for_selector("html[data-ready]", state="attached")
        if picture.analysed:
            page.evaluate("document.getElementById('analysis').click()")  # behind “More” on phones
            page.wait_for_selector("#picture .ttt-value")
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        return page.screenshot(animations="disabled")
    finally:
        context.close()


def main() -> None:
    """Take all pictures."""
    files = build()
    if find_chromium() is None:
        sys.exit(MISSING)
    with Server(files, 0) as server, server.answering(), sync_playwright() as playwright:
        browser = launch(playwright)
        for name, picture in PAGES.items():
            (PICTURES / f"{name}.png").write_bytes(take(browser, server.url, picture))
        browser.close()


if __name__ == "__main__":
    main()
