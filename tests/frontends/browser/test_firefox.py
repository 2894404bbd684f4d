"""The page in Firefox: on a desktop in light colours, and on a phone in dark ones."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route

from tests.chromium import Browsers, violations
from tests.frontends.browser.pages import (
    GAMES,
    IN_FIREFOX,
    OPEN_ALL,
    PEOPLE,
    Screen,
    hidden_parts,
    serving,
)
from tic_tac_toe_frontends.words.translation import load
from tools.firefox import PHONE_AGENT, launch

pytestmark = IN_FIREFOX

PROFILES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "user_agent": PHONE_AGENT},
}


@dataclass
class Visit:
    """A page that has been loaded once, in a browser that had never been there.

    Attributes:
        early: what the page said and showed after a move, while Python was held back.
        loaded: the same once the move was answered.
        network: takes the server away when it is closed.
    """

    screen: Screen
    network: contextlib.ExitStack
    early: dict[str, object] = field(default_factory=dict)
    loaded: dict[str, object] = field(default_factory=dict)


@pytest.fixture(scope="module", params=PROFILES)
def visit(request: pytest.FixtureRequest, site: Path, browsers: Browsers) -> Iterator[Visit]:
    """Load the page, and make a move before Python is there."""
    held: list[Route] = []
    with contextlib.ExitStack() as network:
        address = network.enter_context(serving(site)).url
        with launch(browsers.playwright, is_phone=request.param == "phone") as browser:
            context = browser.new_context(locale="en-GB", **PROFILES[request.param])
            visit = Visit(Screen.within(context, address), network)
            screen, page = visit.screen, visit.screen.page
            page.route("**/app.zip", lambda route: held.append(route))
            page.goto(address, wait_until="domcontentloaded")
            hidden = hidden_parts(page, "#board", "#status")
            screen.click_cell(4)
            screen.says("#status", "Your turn.")
            visit.early = {
                "ready": page.evaluate("'ready' in document.documentElement.dataset"),
                "marks": [screen.marks[4], *sorted(screen.marks.replace(" ", ""))],
                "hidden": hidden,
            }
            for route in held:
                route.continue_()
            page.unroute("**/app.zip")
            screen.wait_for_moves(2)
            screen.wait_until_kept()
            visit.loaded = {
                "status": screen.status,
                "first": screen.moves[0],
                "complaints": [*screen.complaints],
                "outside": [*screen.outside],
            }
            yield visit


@pytest.fixture
def screen(visit: Visit) -> Iterator[Screen]:
    """Return the page as if nothing had been done in it; nothing may go wrong in it."""
    yield visit.screen.begin()
    assert visit.screen.complaints == []
    assert visit.screen.outside == []


def test_the_first_board_answers_a_move_before_python_is_there(visit: Visit) -> None:
    assert visit.early == {
        "ready": False,
        "marks": ["X", "O", "X"],
        "hidden": [],
    }
    assert visit.loaded == {
        "status": "Your turn.",
        "first": "1.X B2",
        "complaints": [],
        "outside": [],
    }


@pytest.mark.parametrize(
    ("game", "look", "moves", "winner"),
    [
        ("tic-tac-toe", "marks", [0, 3, 1, 4, 2], "X"),
        ("connect-four", "discs", [0, 1, 0, 1, 0, 1, 0], "Red"),
        ("mnk:9,9,3", "stones", [0, 9, 1, 10, 2], "Black"),
    ],
)
def test_a_game_of_each_look_is_played_by_pointer_and_keys_and_told(
    screen: Screen, game: str, look: str, moves: list[int], winner: str
) -> None:
    for choose in (screen.click_cell, screen.press_to):
        screen.begin(f"{PEOPLE}&game={game}")
        for count, cell in enumerate(moves, start=1):
            choose(cell)
            screen.wait_for_moves(count)

        assert (screen.look, screen.status) == (look, f"{winner} wins 🎉")
        assert screen.marks.count("X") == len(moves[::2])
        screen.counts("#picture .ttt-strike", 1)


def test_a_finished_game_is_replayed_and_reviewed(screen: Screen) -> None:
    screen.begin(GAMES["a game that is won"])
    screen.wait_for_status("X wins")

    screen.page.click("#replay-first")
    screen.wait_for_status("Looking back: after move 0 of 7.")
    assert screen.marks == " " * 9
    screen.page.click("#replay-on")
    screen.wait_for_status("Looking back: after move 1 of 7.")
    screen.page.click("#moves button >> nth=6")

    screen.wait_for_status("X wins")
    assert screen.marks == "OOX XXO X"
    screen.page.click("#review-start")
    screen.wait_for_status("Looking back: after move")  # 2, the first mistake
    screen.counts("#graph-picture .fault", 1)


def test_colours_language_and_game_stay_through_a_reload(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=connect-four")
    for theme in ("light", "dark"):
        screen.set("theme", theme)
        painted = screen.colour
    screen.set("language", "es")
    for cell in (3, 3):
        screen.click_cell(cell)
    screen.wait_for_moves(2)

    screen.reload()

    assert screen.moves == ["1.Rojo 4", "2.Amarillo 4"]
    assert screen.page.get_attribute("html", "lang") == "es"
    assert screen.page.inner_text("#undo") == load("es", {}).gettext("Undo")
    assert screen.colour == painted


def test_a_strong_player_thinks_in_a_worker_and_gives_a_hint(screen: Screen) -> None:
    screen.begin("#x=human&o=mcts&game=connect-four&think=1")

    screen.click_cell(3)
    screen.wait_for_moves(2)
    screen.page.click("#hint")

    screen.mentions("#note", re.compile(r"Best for you: column [1-7]\."))


def test_axe_finds_no_violation(screen: Screen) -> None:
    for name in ("a game that is won", "ultimate"):
        screen.begin(GAMES[name])
        screen.page.evaluate(OPEN_ALL)
        screen.page.evaluate("Promise.all(document.getAnimations().map(each => each.finished))")

        assert violations(screen.page) == []
    screen.page.click("#settings-open")
    screen.wait("document.querySelector('dialog[open]')")

    assert violations(screen.page) == []


def test_nothing_is_wider_than_the_screen(screen: Screen) -> None:
    for game in ("tic-tac-toe", "connect-four", "ultimate", "gomoku"):
        screen.begin(f"{PEOPLE}&game={game}")
        screen.page.evaluate("scrollTo(0, 0)")

        assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), game
        assert hidden_parts(screen.page, "#board", "#status") == [], game


def test_a_later_visit_plays_without_a_network(visit: Visit, screen: Screen) -> None:
    screen.begin("#x=human&o=easy&moves=B2.A1")
    visit.network.close()

    screen.reload()
    screen.click_cell(8)
    screen.wait_for_moves(4)
    screen.set("language", "ru")

    screen.wait("document.documentElement.lang === 'ru'")
