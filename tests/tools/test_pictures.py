"""The pictures in the documentation are what the programs show, and no game is left out."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tic_tac_toe.certificate_check import Game, Proof
from tic_tac_toe.game.tree import tree
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tools.pictures import DRAWN, GAMES, PICTURES, PLAN, THREATS, pruned_tree
from tools.screenshots import TUI_TITLE, draw_tui


@pytest.mark.parametrize("name", DRAWN)
def test_the_picture_in_the_documentation_is_what_is_drawn(name: str) -> None:
    kept = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")

    assert kept == DRAWN[name](), f"python -m tools.pictures {name} draws it anew"


def test_the_page_of_games_has_every_game_and_every_picture() -> None:
    page = (PICTURES.parent / "play" / "games.md").read_text(encoding="utf-8")

    assert [name for name in VARIANTS if f"`{name}`" not in page] == []
    assert [name for name in GAMES if f"(../pictures/game-{name}.svg)" not in page] == []


def test_the_plan_of_the_picture_holds() -> None:
    proof = Proof(Game("7,6,4,gravity"), "X", must_win=True)
    proof.add(PLAN)

    assert len(proof.proven) == 1


def test_the_pruned_tree_has_as_many_nodes_as_the_page_says() -> None:
    nodes = pruned_tree().nodes

    assert len(tree(parse_state(THREATS), fold=False).nodes) == 45
    assert sum(not node.cut for node in nodes) == 10
    assert sum(node.cut for node in nodes) == 7


@pytest.mark.medium
def test_the_picture_of_the_full_screen_is_the_same_and_fetches_nothing() -> None:
    svg, kept = draw_tui(), (PICTURES / "tui.svg").read_text(encoding="utf-8")

    assert svg == draw_tui()
    assert f"<title>{TUI_TITLE}</title>" in svg
    assert words(kept) == words(svg), "python -m tools.pictures tui takes it anew"
    for each in (svg, kept):
        assert set(re.findall(r"https?://[^\"'\s)]+", each)) == {"http://www.w3.org/2000/svg"}


def words(svg: str) -> list[str]:
    """Return what is written in a picture, whatever its colours."""
    written = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return [" ".join((text.text or "").split()) for text in written]
