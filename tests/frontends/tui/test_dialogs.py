"""The dialogs of the full screen: the next game, the language, the colours."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from tests.frontends.tui.stage import Stage, on_stage
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.tui.screens import OWN_SIZE
from tic_tac_toe_frontends.words.rules_text import PLAYERS
from tic_tac_toe_frontends.words.translation import load


async def choose(stage: Stage, **menus: str) -> None:
    """Open the dialog of a new game and choose entries in its menus."""
    await stage.press("g")
    for name, value in menus.items():
        stage.menu(name).choose(value)
    await stage.pilot.pause()


@on_stage()
async def test_the_menus_hold_every_player_and_every_game_by_its_title(stage: Stage) -> None:
    await choose(stage)
    for name, values in (("x", PLAYERS), ("o", PLAYERS), ("game", [*VARIANTS, OWN_SIZE])):
        menu = stage.menu(name)
        seen = {}
        for _ in values:
            menu.action_go(1)
            seen[menu.value] = menu.title
        assert set(seen) == set(values)
        assert len(set(seen.values())) == len(values)


@on_stage()
async def test_a_new_game_begins_as_chosen(stage: Stage) -> None:
    await choose(stage, x="human", o="easy", game="connect-four-5x4", starting="O")
    assert await stage.pilot.click("#play")
    await stage.until(lambda: stage.app.table.match.ply == 1)

    assert stage.app.table.setup.rules == find_rules("connect-four-5x4")
    assert stage.app.table.match.history[0].mark == "O"
    assert stage.text("title").startswith("Connect Four, 5 × 4")
    assert stage.text("players") == "▸X Person    O Easy"


@on_stage()
async def test_the_dialog_is_used_by_keys(stage: Stage) -> None:
    await stage.press("g", "down", "right", "down", "left")

    assert stage.text("about") == (
        "columns, rows and line length, as in mnk:7,6,4,gravity; "
        "the name of a game can have flags: gravity, exact, torus, wild, misere, pie"
    )

    await stage.press("u", "enter")
    await stage.until(lambda: stage.app.table.setup.rules == VARIANTS["ultimate"])

    assert stage.app.table.setup.o == PLAYERS[1]

    await stage.press("g", "right", "escape")

    assert len(stage.app.screen_stack) == 1
    assert stage.app.table.setup.x == "human"


@on_stage()
async def test_the_dialog_calls_the_players_as_the_chosen_game_does(stage: Stage) -> None:
    await choose(stage, game="order-and-chaos", starting="O")

    assert stage.text("x-title") == "Order"
    assert stage.menu("starting").title == "Order", "which begins whatever is chosen"

    await stage.press("enter")
    await stage.says("Order to move.")

    assert "▸Order" in stage.text("players")
    assert stage.text("score") == "Score: Order: 0, Chaos: 0, draws: 0."


@on_stage()
async def test_the_dialog_is_used_by_mouse(stage: Stage) -> None:
    await stage.press("g")
    assert await stage.pilot.click("#game", offset=(5, 0))
    assert await stage.pilot.click("#game", offset=(5, 0))
    assert await stage.pilot.click("#game", offset=(0, 0))
    assert await stage.pilot.click("#play")
    await stage.until(lambda: stage.text("title").startswith("Misère tic-tac-toe"))

    await stage.press("g")
    assert await stage.pilot.click("#cancel")
    await stage.until(lambda: len(stage.app.screen_stack) == 1)


@on_stage()
async def test_a_size_of_ones_own_is_asked_for_played_and_found_again_in_the_dialog(
    stage: Stage,
) -> None:
    await choose(stage, game=OWN_SIZE)
    size = stage.app.screen.query_one("#size", Input)
    size.focus()
    await stage.press("5", ",", "3", ",", "3")
    assert (
        stage.text("about")
        == "5 × 3, 3 in a row; solved: first player wins in 4 moves (by this program)"
    )
    size.value += ",gravity"
    await stage.press("enter")
    await stage.until(lambda: stage.text("title").startswith("mnk:5,3,3,gravity"))

    assert stage.app.table.setup.rules == find_rules("mnk:5,3,3,gravity")

    await stage.press("g")

    assert stage.menu("game").value == OWN_SIZE
    assert stage.app.screen.query_one("#size", Input).value == "mnk:5,3,3,gravity"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mnk:3", "a board needs columns, rows and line length, like 7x6x4; 1 given"),
        ("mnk:99,3,3", "columns must be from 1 to 26"),
        ("[b]x[/b]", 'no variant is called "[b]x[/b]"; choose from tic-tac-toe'),
        ("", 'no variant is called ""'),
    ],
)
@on_stage()
async def test_a_size_that_makes_no_sense_is_refused_in_words(
    stage: Stage, text: str, reason: str
) -> None:
    await choose(stage, game=OWN_SIZE)
    stage.app.screen.query_one("#size", Input).value = text
    await stage.press("enter")

    assert reason in stage.text("about")
    assert len(stage.app.screen_stack) == 2


@on_stage()
async def test_the_language_changes_everything_at_once(stage: Stage) -> None:
    await choose(stage, language="es")
    assert await stage.pilot.click("#play")
    message = load("es", {}).gettext("Score: {x} {crosses}, {o} {naughts}, draws {draws}.")
    assert not message.startswith("Score")
    await stage.says(message.format(x="X", crosses=0, o="O", naughts=0, draws=0), "score")
    await choose(stage)

    assert stage.menu("language").value == "es"


@on_stage()
async def test_a_theme_is_seen_at_once_and_kept_or_dropped(stage: Stage) -> None:
    before = stage.board.palette
    await stage.press("t", "up")

    assert stage.app.theme == "solarized-light"
    assert stage.board.palette is not before

    await stage.press("escape")

    assert stage.app.theme == "textual-dark"

    await stage.press("t", "down", "enter")

    assert stage.app.theme == "textual-light"
    assert len(stage.app.screen_stack) == 1


@on_stage()
async def test_the_list_of_moves_is_hidden_and_shown(stage: Stage) -> None:
    panel, line = stage.app.query_one("#panel"), stage.app.query_one("#line")
    assert (panel.display, line.display) == (True, False)
    await stage.press("m")
    assert (panel.display, line.display) == (False, True)
    assert stage.text("line").startswith("X to move.")

    await stage.press("m")
    await stage.pilot.resize_terminal(40, 12)
    await stage.press("m")
    assert (panel.display, line.display) == (False, True)


@on_stage()
async def test_the_key_bar_can_be_clicked(stage: Stage) -> None:
    await stage.press("5")
    bar = stage.text("keys")
    assert await stage.pilot.click("#keys", offset=(1 + bar.index("Undo"), 0))
    await stage.until(lambda: stage.grid == " " * 9)
