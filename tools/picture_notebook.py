"""A picture of the board in a real JupyterLab, for the README and the pages.

    python -m tools.picture_notebook

It needs Chromium. The game comes from a seed, so that the same picture comes out again.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from tests.frontends.notebook.lab import Notebook, jupyter_lab, write_notebook
from tools.chromium import MISSING, find_chromium, launch

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "notebook.png"
SIZE: ViewportSize = {"width": 800, "height": 960}

CELLS = (
    "from tic_tac_toe_frontends.notebook import Game\n\n"
    'game = Game("tic-tac-toe", o="minimax", analyse=True, lang="en")\ngame',
    "game.verdict.outcome, game.record.moves",
)


def draw(path: Path = PICTURE, theme: str = "JupyterLab Light") -> None:
    """Play two moves in JupyterLab and take the picture of the notebook."""
    if find_chromium() is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        write_notebook(Path(name) / "game.ipynb", CELLS)
        with jupyter_lab(Path(name), theme) as address:
            browser = launch(playwright)
            page = browser.new_page(viewport=SIZE, locale="en")
            notebook = Notebook(page, address, "game.ipynb")
            notebook.run(0)
            notebook.cell("B1: empty, draw 9").click()
            notebook.game.locator(".ttt-value").first.wait_for()
            notebook.game.get_by_role("gridcell", name=": O").wait_for()
            notebook.run(1)
            page.keyboard.press("Escape")
            page.keyboard.press("Control+b")  # the list of files steps aside
            page.locator(".jp-WindowedPanel-outer").evaluate("panel => { panel.scrollTop = 0 }")
            page.locator(".jp-Notebook").screenshot(path=path)
            browser.close()


if __name__ == "__main__":
    draw()
    print("docs/pictures/notebook.png")
