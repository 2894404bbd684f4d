"""A game of a user's own whose marks fall looks on every screen as the library's own does.

`Drop` shares no code with `LineRules`: what a screen shows of it follows from its traits alone.
"""

from __future__ import annotations

from gettext import NullTranslations

import pytest

from tests.own_games import Drop
from tic_tac_toe.game.drawing import CLASSIC, PLAIN, TIGHT, draw
from tic_tac_toe.game.svg import svg
from tic_tac_toe.game.tree import tree
from tic_tac_toe.logic.notation import clickable_cells
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.command.variants import as_object
from tic_tac_toe_frontends.console.commands import describe_moves
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.table.telling import tell_status
from tic_tac_toe_frontends.words.game_text import describe_last_move
from tic_tac_toe_frontends.words.rules_text import HUMAN, describe_rules, variant_title
from tic_tac_toe_frontends.words.tree_text import tree_words

ENGLISH = NullTranslations()
OWN, LIBRARYS = Drop(), find_rules("mnk:3,3,3,gravity")


def shown(rules: Rules) -> dict[str, object]:
    """Return what screens without a window or terminal show of a game."""
    table = Table(Setup(rules, HUMAN, HUMAN))
    for cell in (7, 4, 6):
        assert table.place(cell) is not None
    state = table.state
    return {
        "rules": describe_rules(rules, ENGLISH),
        "json": as_object("own", rules, ENGLISH),
        "drawings": [list(draw(state, style)) for style in (CLASSIC, TIGHT, PLAIN)],
        "console help": describe_moves(state, ENGLISH),
        "last move": describe_last_move(table.match, ENGLISH),
        "picture": svg(state, last=6),
        "tree": tree(state, 1).svg(words=tree_words(ENGLISH)),
        "page": (tell_status(table, ENGLISH), clickable_cells(state)),
    }


def test_words_drawings_and_pictures_of_an_own_game_with_gravity_are_those_of_any() -> None:
    own = shown(OWN)
    assert own == shown(LIBRARYS)
    assert own["rules"] == "3 × 3, 3 in a row; marks fall down in their column"
    assert own["last move"] == ["X plays column 1."]
    assert variant_title(OWN, ENGLISH) == "Drop"


@pytest.mark.needs("textual")
def test_the_full_screen_lets_marks_of_an_own_game_fall() -> None:
    from tests.frontends.tui.stage import Stage, perform
    from tic_tac_toe_frontends.tui.readout import describe_play

    drawn: list[str] = []

    async def scene(stage: Stage) -> None:
        await stage.click(1)  # over the middle column
        await stage.until(lambda: stage.is_taken(7))
        await stage.press("2")
        await stage.until(lambda: stage.is_taken(4))
        await stage.says("O plays column 2.")
        drawn.append(stage.drawing)

    for rules in (OWN, LIBRARYS):
        perform(scene, rules)
    assert drawn[0] == drawn[1]
    assert describe_play(OWN, ENGLISH) == describe_play(LIBRARYS, ENGLISH)


@pytest.mark.needs("anywidget")
def test_the_notebook_lets_marks_of_an_own_game_fall() -> None:
    from tic_tac_toe_frontends.notebook import Game

    pages = []
    for rules in (OWN, LIBRARYS):
        game = Game(rules, x=HUMAN, o=HUMAN, lang="en")
        game.place("2")
        game.place("2")
        assert game.record.moves == (7, 4)
        own_to_the_game = {"setup", "saved"}
        pages.append({k: part for k, part in game.page.items() if k not in own_to_the_game})
    assert pages[0] == pages[1]
