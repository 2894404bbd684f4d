"""Where a package is missing, one sentence names a command that works."""

from __future__ import annotations

import sys

import pytest

from tic_tac_toe.extras import install_command, missing_packages, missing_sentence
from tic_tac_toe_frontends.program.extras import missing_text
from tic_tac_toe_frontends.words.translation import LANGUAGES, load


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
