"""How many files a tap on the page and a redraw enter: see tests/test_ratchets.py."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.pages import Screen, changed_site, serving
from tests.machine import needs

pytestmark = needs("chromium", "node", "npm")

RATCHETS = Path(__file__).resolve().parents[2] / "data" / "ratchets.json"
#: The files that a redraw may enter without a change: the table's counters, and their readers.
FEW = 5
#: Keeps the Python of the page where a test finds it.
LOADED = "const python = await loadEngine();"
KEPT = (LOADED, f"{LOADED} window.python = python;")
FIND = """
import gc
device, = (each for each in gc.get_objects() if type(each).__name__ == "Device")
"""
BEGIN = """
import sys
entered = set()
def note(frame, event, argument):
    name = frame.f_code.co_filename
    if event == "call" and "tic_tac_toe" in name:
        entered.add(name.partition("app.zip/")[2])
sys.setprofile(note)
"""
END = "sys.setprofile(None); import json; json.dumps(sorted(entered))"


@pytest.fixture(scope="module")
def folder(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a page that lets a test run Python in it."""
    return changed_site(site, tmp_path_factory.mktemp("site"), {"python.js": KEPT})


@pytest.fixture
def measured(folder: Path, open_page: Callable[..., Screen]) -> Iterator[Screen]:
    """Return such a page with a game of two people."""
    with serving(folder) as server:
        yield open_page(server.url, "#x=human&o=human")


def run(screen: Screen, code: str) -> str:
    """Run Python in a page, and return the value of its last line."""
    return str(screen.page.evaluate("code => python.runPython(code)", code))


def entered(screen: Screen, action: Callable[[], object]) -> list[str]:
    """Return the files of the project whose functions are called meanwhile."""
    run(screen, BEGIN)
    action()
    found: list[str] = json.loads(run(screen, END))
    return found


def test_a_tap_enters_no_more_files(measured: Screen) -> None:
    def tap() -> None:
        measured.click_cell(4)
        expect(measured.page.locator("#moves button")).to_have_count(1)

    files = entered(measured, tap)

    ratchets = json.loads(RATCHETS.read_text(encoding="utf-8"))
    assert len(files) <= ratchets["files entered"]["a tap on the page"], files


def test_a_redraw_without_a_change_enters_few_files(measured: Screen) -> None:
    measured.play(4)
    run(measured, FIND)

    files = entered(measured, lambda: run(measured, "device.show()"))

    assert 0 < len(files) <= FEW, files
