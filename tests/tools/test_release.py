"""A release is made of a clean checkout by one command."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tic_tac_toe.version import STATED
from tools.release import ROOT, Refused, Release

pytestmark = pytest.mark.slow


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", f"file://{ROOT}", str(root)], check=True)
    for name, value in (("user.name", "A"), ("user.email", "a@example.org")):
        subprocess.run(["git", "-C", str(root), "config", name, value], check=True)
    return root


def test_a_release_moves_the_changes_states_the_version_and_goes_on_to_the_next(
    checkout: Path,
) -> None:
    version = STATED.removesuffix(".dev0")
    release = Release(checkout, version)
    with pytest.raises(Refused):
        release.verify(f"v{version}")
    release.prepare()
    release.verify(f"v{version}")
    packages = {path.name for path in release.build(tested=False).iterdir()}
    release.go_on()

    changelog = (checkout / "CHANGELOG.md").read_text("utf-8")
    assert changelog.index(f"\n## {version} - ") < changelog.index("\n## 0.1.0 - ")
    assert packages == {
        f"tictactoe_{name}-{version}{ending}"
        for name in ("engine", "frontends")
        for ending in (".tar.gz", "-py3-none-any.whl")
    }
    assert release.stated().endswith(".dev0")
    assert release.stated() != STATED


def test_a_checkout_with_changes_is_not_released(checkout: Path) -> None:
    (checkout / "README.md").write_text("changed", encoding="utf-8")

    with pytest.raises(Refused, match="not committed"):
        Release(checkout, STATED.removesuffix(".dev0")).prepare()
