"""Takes the picture of online play, from a real server: ``python -m tools.picture_online``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tic_tac_toe_frontends.browser.build import build
from tools.chromium import MISSING, find_chromium, launch
from tools.picture_browser import PATIENCE, PICTURES

#: The columns that the two play, from 0: Ann first.
MOVES = (3, 3, 2, 4, 4, 2, 5)


def open_page(browser: Browser, address: str) -> Page:
    """Return a page at the lobby, in a browser of its own."""
    context = browser.new_context(viewport={"width": 1160, "height": 860}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_selector("#modes")
    page.check("#mode-online")
    expect(page.locator("#connection")).to_be_empty()
    return page


def take(browser: Browser, address: str) -> bytes:
    """Play a part of a game, and return a picture of it as PNG."""
    ann, bob = open_page(browser, address), open_page(browser, address)
    ann.fill("#name", "Ann")
    for part in ("create-part", "create-more"):
        ann.evaluate("part => { document.getElementById(part).open = true; }", part)
    ann.select_option("#online-variant", "connect-four")
    ann.select_option("#seat", "X")
    ann.select_option("#clock", "600+5")
    ann.click("#create")
    bob.fill("#name", "Bob")
    bob.click("#open-games [data-action=join]")
    for count, cell in enumerate(MOVES, start=1):
        mover = bob if count % 2 == 0 else ann
        expect(mover.locator("#online-status")).to_contain_text("Your turn")
        mover.click(f"#online-cells [data-cell='{cell}']")
        expect(mover.locator("#online-moves button")).to_have_count(count)
    for number, (page, text) in enumerate(((ann, "Good luck!"), (bob, "You too.")), start=1):
        page.fill("#chat-line", text)
        page.click("#chat-form button")
        expect(bob.locator("#chat p")).to_have_count(number)
    expect(bob.locator("#online-moves button")).to_have_count(len(MOVES))
    bob.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    bob.wait_for_function("document.getAnimations().every(each => each.playState === 'finished')")
    return bob.screenshot(animations="disabled")


def main() -> None:
    """Take the picture."""
    build()
    if find_chromium() is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "games.sqlite"))
        command = [sys.executable, "-m", "tic_tac_toe_frontends.command", "serve"]
        server = subprocess.Popen(
            [*command, "--port", "0", "--data", data], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            address = next(word for word in server.stdout.readline().split() if "//" in word)
            with sync_playwright() as playwright:
                expect.set_options(timeout=PATIENCE)
                browser = launch(playwright)
                (PICTURES / "browser-online.png").write_bytes(take(browser, address))
                browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
