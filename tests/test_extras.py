"""Where a package is missing, one sentence names a command that works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tic_tac_toe.extras import install_command, missing_packages, missing_sentence
from tic_tac_toe_frontends.program.extras import missing_text
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

ROOT = Path(__file__).resolve().parents[1]
#: What would install a stranger's package, should anybody register the name.
FROM_THE_INDEX = re.compile(r"pip install[^\n]*?[\s'\"“`]tictactoe-(engine|frontends)")


def test_only_packages_that_are_not_installed_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "json", None)

    assert missing_packages(["re", "json", "no_such_package"]) == ("json", "no_such_package")


def test_packages_are_named_as_the_index_names_them() -> None:
    assert install_command(["numba"]) == "pip install numba"
    assert install_command(["prometheus_client", "psycopg"]) == (
        "pip install prometheus-client 'psycopg[binary]'"
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_sentence_ends_with_the_command_in_every_language(code: str) -> None:
    sentence = missing_text(load(code, {}), "the fast solver", ["no_such_package"])

    assert sentence.endswith("pip install no_such_package")
    assert (sentence == missing_sentence("the fast solver", ["no_such_package"])) == (code == "en")


@pytest.mark.tooling
def test_nobody_is_told_to_install_this_project_from_an_index() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    texts = [
        ROOT / name
        for name in listed.stdout.split("\0")
        if name.endswith((".py", ".md", ".po", ".toml", ".ipynb", ".html", ".js"))
    ]
    told = [
        str(path)
        for path in texts
        if path.is_file() and FROM_THE_INDEX.search(path.read_text(encoding="utf-8"))
    ]

    assert told == []


def test_the_search_for_such_lines_finds_one() -> None:
    assert FROM_THE_INDEX.search('pip install "tictactoe-' + 'engine[fast]"')
    assert not FROM_THE_INDEX.search('pip install "./library[fast]"')
