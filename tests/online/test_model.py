"""The server does what a small model does, whatever is asked of it, and broken ones do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.online.broken import sabotage
from tests.online.model import Disagreement, walk


def test_server_and_model_agree_in_1500_steps(tmp_path: Path) -> None:
    done = walk(tmp_path / "games.sqlite", 1_500)
    assert done.crashes > 5
    assert done.games > 10


@pytest.mark.parametrize(
    "variant",
    ["seats-by-message", "writes-again", "acknowledges-early", "tells-not", "resumes-with-a-gap"],
)
def test_a_broken_server_disagrees_with_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    sabotage(variant, monkeypatch.setattr)
    with pytest.raises(Disagreement):
        walk(tmp_path / "games.sqlite", 1_500, patience=5.0)
