"""The checkout: light imports, no word of one machine, extras that fit, types that run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import tic_tac_toe
from tests.typed_client import FirstCell, games, play
from tic_tac_toe.extras import CLUSTER, FAST, install_command, missing_packages, missing_sentence
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.solver import PACKAGES as SOLVER_PACKAGES
from tic_tac_toe.solver import verdict
from tic_tac_toe.solver.cluster.connection import PACKAGES as CLUSTER_PACKAGES
from tic_tac_toe_frontends.console.online.cli import PACKAGES as CONSOLE_PACKAGES
from tic_tac_toe_frontends.program.extras import NODES, ONLINE, SOLVE, TUI, missing_text
from tic_tac_toe_frontends.server.cli import PACKAGES as SERVER_PACKAGES
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {
    "asyncio",
    "curses",
    "multiprocessing",
    "numba",
    "numpy",
    "socket",
    "sqlite3",
    "subprocess",
    "tic_tac_toe_frontends",
    "tkinter",
}
LIGHT = "import sys; old = {*sys.modules}; import tic_tac_toe; print(*{*sys.modules} - old)"
#: What needs NumPy.
COMPILED = (
    "tic_tac_toe.solver.",
    "tic_tac_toe.engines.lines",
    "tic_tac_toe.engines.playouts",
)
ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import tic_tac_toe
for found in pkgutil.walk_packages(tic_tac_toe.__path__, "tic_tac_toe."):
    if not found.name.startswith(tuple(sys.argv[2:])):
        importlib.import_module(found.name)
print(*sys.modules)
"""


def run(*options: str) -> set[str]:
    """Return the words that Python prints, started apart from the user's environment."""
    command = [sys.executable, "-I", *options]
    return {*subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()}


def test_importing_the_library_loads_no_front_end_and_nothing_heavy() -> None:
    loaded = {name.split(".")[0] for name in run("-c", LIGHT)}

    assert "tic_tac_toe" in loaded
    assert loaded.isdisjoint(HEAVY), loaded & HEAVY


@pytest.mark.medium
def test_all_rooms_but_the_solver_are_imported_with_the_standard_library_alone() -> None:
    loaded = run("-S", "-c", ALL, str(Path(tic_tac_toe.__file__).parents[1]), *COMPILED)

    assert {"tic_tac_toe.game.strategies", "tic_tac_toe.protocols.online.client"} <= loaded


#: Extended regular expressions and the paths that they are for. One letter of a word is in brackets
#: where this file would match itself.
FORBIDDEN = {
    "a path of one machine": (
        r"/wor[k]/|/far[m]/|/roo[t]/|/hom[e]/[a-z]+/|/User[s]/|/tm[p]/[a-z]",
    ),
    "the address of a package index": (
        r"pyp[i]\.org|pythonhoste[d]\.org|registr[y]\.npm|npmj[s]\.org/|de[b]\.debian\.org"
        r"|--inde[x]-url|extr[a]-index-url|\"resolved\": *\"http",
    ),
    # It would install the package of a stranger, should anybody register the name.
    "this project in an index": (r"pip instal[l].*[[:space:]'\"“`]tictactoe-(engine|frontends)",),
    "a search for optional programs": (
        r"shutil\.whic[h]\(|importorski[p]\(",
        "tests",
        ":!tests/machine.py",
    ),
}


@pytest.mark.parametrize(
    ("pattern", "paths"), [(p, q) for p, *q in FORBIDDEN.values()], ids=FORBIDDEN
)
def test_no_file_holds_it(pattern: str, paths: list[str]) -> None:
    command = ["git", "grep", "--untracked", "--line-number", "-I", "-E", "-e", pattern, "--"]
    done = subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def requirements(part: str) -> set[str]:
    """Return the packages that a part of the project names, such as ``frontends[tui]``."""
    folder, extra = part.rstrip("]").split("[")
    text = (ROOT / folder / "pyproject.toml").read_text("utf-8")
    found = re.search(rf"^{extra} = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL)
    assert found is not None, part
    named = re.findall(r'^ *"([\w-]+)|, "([\w-]+)', found[1], re.MULTILINE)
    return {(one or other).replace("-", "_") for one, other in named}


def test_only_packages_that_are_not_installed_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "json", None)

    assert missing_packages(["re", "json", "no_such_package"]) == ("json", "no_such_package")


@pytest.mark.parametrize(
    ("part", "packages"),
    [
        (FAST, SOLVER_PACKAGES),
        (CLUSTER, CLUSTER_PACKAGES),
        (f"frontends[{SOLVE}]", ["rich"]),
        (f"frontends[{TUI}]", ["textual"]),
        ("frontends[notebook]", ["anywidget"]),
        (f"frontends[{ONLINE}]", {*CONSOLE_PACKAGES, *SERVER_PACKAGES} - {"platformdirs"}),
        (f"frontends[{NODES}]", ["psycopg", "redis"]),
    ],
)
def test_each_extra_that_is_named_has_the_packages_that_are_missing(
    part: str, packages: list[str]
) -> None:
    assert requirements(part) >= set(packages)


def test_the_command_names_the_extras_as_the_readme_does() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")

    for extra in (TUI, "notebook"):
        assert f"`{install_command('library', f'frontends[{extra}]')}`" in readme
    assert shlex.split(install_command(FAST)) == ["pip", "install", "./library[fast]"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_sentence_ends_with_the_command_in_every_language(code: str) -> None:
    sentence = missing_text(load(code, {}), "the full screen", TUI).replace(
        "\N{NO-BREAK SPACE}", " "
    )

    assert sentence.endswith('pip install "./library" "./frontends[tui]"')
    english = missing_sentence("the full screen", "library", "frontends[tui]")
    assert (sentence == english) == (code == "en")


def test_the_typed_client_runs() -> None:
    assert play() == "('ultimate', 7, 7, True, True, 5478, None)"


def test_rules_of_ones_own_are_solved_like_any_others() -> None:
    assert verdict(GameState.new(FirstCell())).outcome == "win"
    assert all(GameState.new(rules).legal_cells for rules in games())


def test_each_fragment_of_the_changelog_is_one_line_of_a_known_kind() -> None:
    settings = (ROOT / "pyproject.toml").read_text("utf-8").partition("[tool.towncrier]")[2]
    kinds = re.findall(r'(?m)^directory = "(added|changed|fixed|removed)"$', settings)
    fragments = {*(ROOT / "changes").iterdir()} - {
        ROOT / "changes" / name for name in ("README.md", "template.jinja")
    }

    assert kinds == ["added", "changed", "fixed", "removed"]
    for path in fragments:
        assert re.fullmatch(rf"[a-z0-9-]+\.({'|'.join(kinds)})\.md", path.name), path
        assert re.fullmatch(r".{1,159}\.\n", path.read_text("utf-8")), path


def test_the_citation_is_of_the_newest_release() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    newest = re.search(r"(?m)^## (\S+) - (\S+)$", changelog)

    assert newest is not None
    assert f'\nversion: {newest[1]}\ndate-released: "{newest[2]}"\n' in citation
