"""The boards in the documentation are those that the library draws, and no game is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tic_tac_toe.certificate_check import Game, Proof
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tools.game_pictures import GAMES, PLAN, draw, draw_plan

DOCS = Path(__file__).resolve().parents[2] / "docs"

pytestmark = pytest.mark.tooling


@pytest.mark.parametrize("name", GAMES)
def test_the_picture_in_the_documentation_is_what_is_drawn(name: str) -> None:
    kept = (DOCS / "pictures" / f"game-{name}.svg").read_text(encoding="utf-8")

    assert kept == draw(name), f"python -m tools.pictures game-{name} draws it anew"


def test_the_page_of_games_has_every_game_and_every_picture() -> None:
    page = (DOCS / "games.md").read_text(encoding="utf-8")

    assert [name for name in VARIANTS if f"`{name}`" not in page] == []
    assert [name for name in GAMES if f"(pictures/game-{name}.svg)" not in page] == []


def test_the_picture_of_a_plan_is_what_is_drawn_and_the_plan_holds() -> None:
    kept = (DOCS / "pictures" / "plan.svg").read_text(encoding="utf-8")
    proof = Proof(Game("7,6,4,gravity"), "X", must_win=True)
    proof.add(PLAN)

    assert kept == draw_plan(), "python -m tools.pictures plan draws it anew"
    assert len(proof.proven) == 1
