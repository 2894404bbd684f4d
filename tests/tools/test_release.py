"""A release is made of a clean checkout by one command."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tic_tac_toe.version import STATED
from tools.release import ROOT, Refused, Release

pytestmark = pytest.mark.slow
VERSION = "9.7.0"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", f"file://{ROOT}", str(root)], check=True)
    module = root / "library" / "src" / "tic_tac_toe" / "version.py"
    text = module.read_text("utf-8").replace(f'"{STATED}"', f'"{VERSION}.dev0"')
    module.write_text(text, encoding="utf-8")
    (root / "changes" / "newest.added.md").write_text("Something new.\n", encoding="utf-8")
    for words in (
        ["config", "user.name", "A"],
        ["config", "user.email", "a@example.org"],
        ["add", "--all"],
        ["commit", "--quiet", "--message", "On the way"],
    ):
        subprocess.run(["git", "-C", str(root), *words], check=True)
    return root


def test_a_release_moves_the_changes_states_the_version_and_goes_on_to_the_next(
    checkout: Path,
) -> None:
    release = Release(checkout, VERSION)
    with pytest.raises(Refused):
        release.verify(f"v{VERSION}")
    release.prepare()
    release.verify(f"v{VERSION}")
    packages = {path.name for path in release.build(tested=False).iterdir()}
    release.go_on()

    changelog = (checkout / "CHANGELOG.md").read_text("utf-8")
    assert changelog.index(f"\n## {VERSION} - ") < changelog.index("\n- Something new.\n")
    assert changelog.index("\n- Something new.\n") < changelog.index("\n## 0.1.0 - ")
    assert packages == {
        f"tictactoe_{name}-{VERSION}{ending}"
        for name in ("engine", "frontends")
        for ending in (".tar.gz", "-py3-none-any.whl")
    }
    assert release.stated() == "9.8.0.dev0"


def test_a_checkout_with_changes_is_not_released(checkout: Path) -> None:
    (checkout / "README.md").write_text("changed", encoding="utf-8")

    with pytest.raises(Refused, match="not committed"):
        Release(checkout, VERSION).prepare()
