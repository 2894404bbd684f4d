"""Where a package is missing, one sentence names a command that works."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from tic_tac_toe.extras import CLUSTER, FAST, install_command, missing_packages, missing_sentence
from tic_tac_toe.solver import PACKAGES as SOLVER_PACKAGES
from tic_tac_toe.solver.cluster.connection import PACKAGES as CLUSTER_PACKAGES
from tic_tac_toe_frontends.console.online.cli import PACKAGES as CONSOLE_PACKAGES
from tic_tac_toe_frontends.program.extras import NODES, ONLINE, SOLVE, TUI, missing_text
from tic_tac_toe_frontends.server.cli import PACKAGES as SERVER_PACKAGES
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

ROOT = Path(__file__).parents[1]


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
