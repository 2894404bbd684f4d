"""How many files a tap on the page enters: see tests/test_ratchets.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.frontends.browser.pages import Screen, changed_site, serving
from tests.machine import needs

pytestmark = needs("chromium", "node", "npm")

RATCHETS = Path(__file__).resolve().parents[2] / "data" / "ratchets.json"
#: Keeps the Python of the page where a test finds it.
LOADED = "const python = await loadEngine();"
KEPT = (LOADED, f"{LOADED} window.python = python;")
BEGIN = """
import sys
entered = set()
def note(frame, event, argument):
    name = frame.f_code.co_filename
    if event == "call" and "tic_tac_toe" in name:
        entered.add(name)
sys.setprofile(note)
"""
END = "sys.setprofile(None); import json; json.dumps(sorted(entered))"


def test_a_tap_enters_no_more_files(
    site: Path, tmp_path: Path, open_page: Callable[..., Screen]
) -> None:
    changed_site(site, tmp_path / "site", {"python.js": KEPT})
    with serving(tmp_path / "site") as server:
        screen = open_page(server.url, "#x=human&o=human")
        screen.page.evaluate("code => python.runPython(code)", BEGIN)
        screen.click_cell(4)
        expect(screen.page.locator("#moves button")).to_have_count(1)
        entered = json.loads(screen.page.evaluate("code => python.runPython(code)", END))

    ratchets = json.loads(RATCHETS.read_text(encoding="utf-8"))
    assert len(entered) <= ratchets["files entered"]["a tap on the page"]
