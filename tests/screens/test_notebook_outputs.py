"""Notebooks that a kernel runs, what they keep, and the package's name beside Jupyter's own."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.notebook.lab import KERNEL, PATIENCE, write_notebook

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"

WIDGET = "application/vnd.jupyter.widget-view+json"

SVG, HTML = "image/svg+xml", "text/html"

CELLS = (
    "from tic_tac_toe_frontends.notebook import Game\ngame = Game(o='minimax', lang='en')\ngame",
    "game.place('B2')",
    "await game.answered()",
    "game.verdict",
    "game.state.make_move_to(1)",
    "game.new(x='minimax', o='random')\nawait game.answered()\nprint(game.record.result)",
    "from tic_tac_toe import analyse\nanalyse(game.record.initial_state)",
    "other = Game('4x4', seed=1)\nother.close()\nprint(other.state == game.state)",
    "other",
    "game = Game(x='human', o='human', lang='en')\ngame",
    "game.place('B2')\ngame.place('A1')\ngame.undo()\nprint('undone')",
)


def run(path: Path, folder: Path) -> list[list[Any]]:
    """Run a notebook and return the outputs of its code cells."""
    import nbformat  # as in `write_notebook`
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=PATIENCE,
        startup_timeout=PATIENCE,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def data(outputs: list[Any]) -> dict[str, Any]:
    """Return the only output of a cell, by media types."""
    (output,) = outputs
    shown: dict[str, Any] = output["data"]
    return shown


def kept_picture(outputs: list[Any]) -> ET.Element:
    """Return the picture that a cell with a game keeps below the widget."""
    _widget, picture = outputs
    (image,) = ET.fromstring(f"<html>{picture['data'][HTML]}</html>")
    return image


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the kernel away from the settings and the history of whoever runs the tests."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        folder = tmp_path / name.lower()
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(name, str(folder))


@pytest.mark.slow
def test_a_notebook_shows_the_board_its_state_follows_and_a_picture_of_it_is_kept(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.ipynb"
    write_notebook(path, CELLS)

    widget, placed, answered, verdict, move, result, analysis, other, closed, kept, _ = run(
        path, tmp_path
    )

    assert WIDGET in widget[0]["data"]
    assert ".../.X./... o" in data(placed)[SVG]
    assert "O../.X./... x" in data(answered)[SVG]
    assert data(verdict)["text/plain"].startswith("Evaluation(draw in 7, best=")
    assert ">draw<" in data(verdict)[SVG]
    assert "ttt-last" in data(move)[SVG]
    assert result[0]["text"] in ("X\n", "draw\n")
    assert data(analysis)[SVG].count('class="ttt-value ') == 9
    assert other[0]["text"] == "False\n"
    assert set(data(closed)) == {"text/plain"}

    assert set(kept[0]["data"]) == {WIDGET, HTML, "text/plain"}
    assert kept[0]["data"][HTML] == ""
    image = kept_picture(kept)
    assert image.get("alt") == ".../.X./... o: O to move"
    kind, _, drawing = image.get("src", "").partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert ".../.X./... o: O to move" in base64.b64decode(drawing).decode()


@pytest.mark.medium
def test_the_picture_that_is_kept_shows_the_answer_that_comes_after_its_cell(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.ipynb"
    awaited = "game.place('B2')", "await game.answered()"
    noticed = (
        "import asyncio\nanswered = asyncio.Event()\ngame.place('B2')\n"
        "game.observe(lambda _change: answered.set(), 'state')",
        "await answered.wait()",
    )
    write_notebook(path, (CELLS[0], *awaited, CELLS[0], *noticed))

    outputs = run(path, tmp_path)

    told = [kept_picture(outputs[cell]).get("alt") for cell in (0, 3)]
    assert told == ["O../.X./... x: X to move"] * 2


def example_names() -> list[str]:
    return sorted(path.name for path in EXAMPLES.glob("notebook*.ipynb"))


@pytest.mark.medium
@pytest.mark.parametrize("name", example_names())
def test_the_notebooks_of_the_documentation_run_and_hold_no_outputs(
    name: str, tmp_path: Path
) -> None:
    path = EXAMPLES / name
    notebook = json.loads(path.read_text("utf-8"))
    assert notebook["metadata"]["kernelspec"] == KERNEL
    assert not any(cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code")

    outputs = run(path, tmp_path)

    assert any(WIDGET in output.get("data", {}) for cell in outputs for output in cell)


# -- imports ---------------------------------------------------------------------------------------

HIDE_ANYWIDGET = """
import sys
sys.modules["anywidget"] = None
try:
    import tic_tac_toe_frontends.notebook
except ImportError as error:
    print(error)
"""

IMPORT_BOTH = """
import notebook
from tic_tac_toe_frontends.notebook import Game
print(notebook.WHOSE, Game.__module__)
"""


def printed(code: str, folder: Path) -> str:
    """Return what Python prints in a folder."""
    command = [sys.executable, "-W", "error", "-c", code]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return (result.stdout + result.stderr).strip()


@pytest.mark.medium
def test_without_anywidget_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    assert printed(HIDE_ANYWIDGET, tmp_path) == (
        "the notebook widget needs packages that are not installed; "
        'in a checkout: pip install "./library" "./frontends[notebook]"'
    )


@pytest.mark.medium
def test_another_missing_package_is_reported_as_it_is(tmp_path: Path) -> None:
    said = printed(HIDE_ANYWIDGET.replace('"anywidget"', '"tic_tac_toe.pictures.svg"'), tmp_path)

    assert "tic_tac_toe.pictures.svg" in said
    assert "pip install" not in said


@pytest.mark.medium
def test_the_package_that_jupyter_calls_notebook_is_not_hidden(tmp_path: Path) -> None:
    package = tmp_path / "notebook"
    package.mkdir()
    (package / "__init__.py").write_text('WHOSE = "Jupyter\'s"\n', encoding="utf-8")

    assert printed(IMPORT_BOTH, tmp_path) == "Jupyter's tic_tac_toe_frontends.notebook.widget"
