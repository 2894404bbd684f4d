"""The plain pages are for everybody: screen readers, small screens, light and dark."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
import uvicorn
from playwright.sync_api import Browser, Page
from starlette.applications import Starlette

from tests.frontends.browser.test_browser_access import AXE
from tests.machine import needs
from tic_tac_toe_frontends.browser.packages import fetch
from tic_tac_toe_frontends.program.page_files import cache_folder
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.web.http import routes
from tools.chromium import PATIENCE

from .test_pages import GAME, HOSTILE, OTHER, a_game, keep

pytestmark = [
    needs("chromium", "node", "npm"),
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
]
PATHS = ["/", f"/games/{GAME}?ply=5", f"/games/{OTHER}", "/nothing"]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Return where the pages of two games are."""
    store = SqliteStore(tmp_path / "games.sqlite")
    store.open()
    keep(store, a_game())
    cells = (35, 36, 28, 37, 21, 38, 14)
    keep(store, a_game(OTHER, cells, names=("Ann", HOSTILE[:40]), variant="connect-four"))
    app = Starlette(routes=routes(GameServer(store), None))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listener.close()
    store.close()


def objections(page: Page, axe: str) -> list[str]:
    """Return what axe-core objects to."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [each["id"] for each in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_from_reading_the_pages_on_a_phone(
    address: str, chromium: Browser, scheme: Literal["light", "dark"]
) -> None:
    axe = (fetch(AXE, cache_folder()) / "axe.min.js").read_text(encoding="utf-8")
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    for path in PATHS:
        page.goto(address + path, timeout=PATIENCE)

        assert objections(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.evaluate("document.documentElement.removeAttribute('lang')")
    assert objections(page, axe) == ["html-has-lang"]


def test_the_policy_of_the_pages_lets_the_browser_show_them_whole(
    address: str, chromium: Browser
) -> None:
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for path in PATHS[:-1]:
        page.goto(address + path, timeout=PATIENCE)
        paper = "getComputedStyle(document.body).maxWidth"
        assert page.evaluate(paper) != "none"

    assert complaints == []
