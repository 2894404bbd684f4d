"""The folder is called notebook, which is also the name of a package of Jupyter's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def run(code: str, folder: Path) -> str:
    """Return what Python prints in a folder."""
    command = [sys.executable, "-W", "error", "-c", code]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return (result.stdout + result.stderr).strip()


def test_without_anywidget_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    assert run(HIDE_ANYWIDGET, tmp_path) == (
        "the notebook widget needs packages that are not installed; "
        'in a checkout: pip install "./library" "./frontends[notebook]"'
    )


def test_another_missing_package_is_reported_as_it_is(tmp_path: Path) -> None:
    said = run(HIDE_ANYWIDGET.replace('"anywidget"', '"tic_tac_toe.game.svg"'), tmp_path)

    assert "tic_tac_toe.game.svg" in said
    assert "pip install" not in said


def test_the_package_that_jupyter_calls_notebook_is_not_hidden(tmp_path: Path) -> None:
    package = tmp_path / "notebook"
    package.mkdir()
    (package / "__init__.py").write_text('WHOSE = "Jupyter\'s"\n', encoding="utf-8")

    assert run(IMPORT_BOTH, tmp_path) == "Jupyter's tic_tac_toe_frontends.notebook.widget"
