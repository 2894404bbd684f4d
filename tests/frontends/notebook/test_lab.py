"""The board in a real JupyterLab in a real browser, clicked and typed at."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.frontends.notebook.lab import Notebook, jupyter_lab, write_notebook
from tests.machine import needs

pytestmark = [pytest.mark.xdist_group("browser"), needs("chromium", "jupyterlab")]

START = "from tic_tac_toe_frontends.notebook import Game\n"
NOTEBOOKS = {
    "perfect": (
        START + "game = Game(lang='en', seed=1)\ngame",
        "print(game.state.grid.cells.replace(' ', '.'), game.record.moves)",
        "game.new(); game.place('C3'); print(await game.answered() is game.state)",
    ),
    "people": (
        START + "game = Game(x='human', o='human', lang='en', analyse=True)\ngame",
        "print(game.record.moves, game.record.result)",
    ),
    "family": (
        START + "game = Game('wild', x='human', o='human', lang='en')\ngame",
        "print(game.record.moves)",
        "print(game.new('connect-four,pie').rules.shape)",
    ),
    "saved": (START + "game = Game(lang='en', seed=1)\ngame",),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    for name, cells in NOTEBOOKS.items():
        write_notebook(folder / f"{name}.ipynb", cells)
    with jupyter_lab(folder) as address:
        yield address


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1100, "height": 900}, locale="en")
    yield page
    page.close()


def opened(page: Page, address: str, name: str) -> Notebook:
    """Return a notebook with the game of its first cell."""
    notebook = Notebook(page, address, f"{name}.ipynb")
    notebook.run(0)
    notebook.game.wait_for()
    return notebook


def test_a_click_is_answered_by_the_computer_and_python_knows(page: Page, address: str) -> None:
    notebook = opened(page, address, "perfect")

    notebook.cell("B2: empty").click()

    notebook.cell("A1: O").wait_for()
    expect(notebook.game.locator(".ttt-status")).to_have_text("Your turn.")
    expect(notebook.run(1)).to_have_text("O...X.... (4, 0)\n")
    notebook.button("Undo").click()
    notebook.cell("A1: empty").wait_for()
    notebook.button("Redo").click()
    notebook.cell("A1: O").wait_for()
    for told in ("A threat first.", "Look at the edges.", "Best for you: B1."):
        notebook.button("Hint").click()
        expect(notebook.game).to_contain_text(told)
    expect(notebook.game.locator(".ttt-best")).to_have_count(1)
    notebook.button("Hint").click()
    expect(notebook.game.locator(".ttt-best")).to_have_count(7)
    expect(notebook.run(2)).to_have_text("True\n")
    notebook.cell("C3: X").wait_for()
    notebook.cell("B2: O").wait_for()
    assert notebook.errors == []


def test_two_people_play_with_the_keyboard_alone(page: Page, address: str) -> None:
    notebook = opened(page, address, "people")
    notebook.cell("A1: empty, draw").focus()

    page.keyboard.press("Enter")  # X A1
    notebook.cell("A1: X").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")  # O B1
    notebook.cell("B1: O").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")  # X B2
    notebook.cell("B2: X").wait_for()
    page.keyboard.press("End")
    page.keyboard.press("Enter")  # O C2
    notebook.cell("C2: O").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")  # X C3

    status = notebook.game.get_by_role("status")
    expect(status).to_contain_text("X plays C3. X wins")
    expect(notebook.game.locator(".ttt-strike")).to_have_count(1)
    expect(notebook.run(1)).to_have_text("(0, 1, 4, 5, 8) X\n")
    assert notebook.errors == []


def test_the_menus_begin_any_game_with_any_players(page: Page, address: str) -> None:
    notebook = opened(page, address, "people")

    notebook.game.get_by_label("Game", exact=True).select_option("connect-four-5x4")
    notebook.game.get_by_label("Player O").select_option("random")
    notebook.game.get_by_label("Who starts").select_option("O")
    notebook.button("New game").click()

    notebook.game.get_by_role("gridcell", name=": O").wait_for()
    expect(notebook.game.get_by_role("row")).to_have_count(4)
    expect(notebook.game.get_by_role("gridcell")).to_have_count(20)
    notebook.cell("E1: empty").click()  # falls to the floor
    expect(
        notebook.game.get_by_label("E4: X").or_(notebook.game.get_by_label("E3: X"))
    ).to_be_visible()
    assert notebook.errors == []


def test_a_letter_is_chosen_by_click_and_by_key_and_the_first_mark_is_taken_over(
    page: Page, address: str
) -> None:
    notebook = opened(page, address, "family")
    letters = notebook.game.get_by_role("radiogroup", name="Letter to place")
    status = notebook.game.get_by_role("status")

    letters.get_by_role("radio", name="Place O").click()
    expect(status).to_have_text("Player 1 to move. Place O.")
    notebook.cell("B2: empty").hover()
    expect(notebook.game.locator("[data-ghost=O]")).to_have_count(1)
    notebook.cell("B2: empty").click()  # O B2
    notebook.cell("B2: O").wait_for()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("x")
    expect(letters.get_by_role("radio", name="Place X")).to_be_checked()
    page.keyboard.press("Enter")  # X B1
    notebook.cell("B1: X").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")  # X C1: the letter stays
    notebook.cell("C1: X").wait_for()
    expect(notebook.run(1)).to_have_text("(13, 1, 2)\n")

    notebook.run(2)
    expect(letters).to_be_hidden()
    expect(notebook.button("Take over the mark")).to_have_count(0)
    notebook.cell("D1: empty").click()
    notebook.button("Take over the mark").click()
    notebook.cell("D6: O").wait_for()
    expect(notebook.button("Take over the mark")).to_have_count(0)
    assert notebook.errors == []


def test_a_saved_notebook_shows_the_last_position_where_its_kernel_is_not_and_in_html(
    page: Page, address: str, folder: Path
) -> None:
    notebook = opened(page, address, "saved")
    picture = page.get_by_alt_text("O../.X./... x: X to move")
    notebook.cell("B2: empty").click()
    notebook.cell("A1: O").wait_for()
    picture.wait_for(state="attached")

    assert not picture.is_visible()

    notebook.save()
    shutil.copy(folder / "saved.ipynb", folder / "copy.ipynb")
    Notebook(page, address, "copy.ipynb")

    expect(picture).to_be_visible()

    command = ["nbconvert", "--to", "html", "--log-level", "WARN", str(folder / "copy.ipynb")]
    told = subprocess.run(
        [sys.executable, "-m", "jupyter", *command], capture_output=True, text=True, check=True
    )
    page.route(re.compile("^https?:"), lambda route: route.abort())
    page.goto((folder / "copy.html").as_uri())

    assert told.stderr == ""
    assert page.locator("body img, body svg").count() == 1
    assert "Game(Table" not in page.inner_text("body")
    expect(picture).to_be_visible()
