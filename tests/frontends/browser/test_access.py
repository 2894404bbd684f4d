"""The page is for everybody: screen readers, the keyboard alone, either scheme, any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.chromium import violations
from tests.frontends.browser.key_walks import PAGE, WALKS, page_text, walk
from tests.frontends.browser.pages import GAMES, IN_CHROMIUM, OPEN_ALL, PLAIN_GAMES, Screen
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

pytestmark = IN_CHROMIUM


@pytest.mark.parametrize(
    ("size", "scheme", "games"),
    [
        ("screen", "light", GAMES),
        ("screen", "dark", PLAIN_GAMES),
        ("phone", "light", PLAIN_GAMES),
        ("phone", "dark", GAMES),
    ],
)
def test_axe_finds_no_violation(
    request: pytest.FixtureRequest,
    size: str,
    scheme: Literal["light", "dark"],
    games: Mapping[str, str],
) -> None:
    screen: Screen = request.getfixturevalue(size)
    screen.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for name, game in games.items():
        screen.begin(game)
        screen.page.evaluate(OPEN_ALL)

        assert violations(screen.page) == [], name


#: What lies over the page, by the buttons that open it; a game server's page has one more.
OVERLAYS = {
    "settings-open": "settings",
    "choose-game": "games",
    "more": "more-actions",
    "options-open": "options",
    "share-open": "share",
    "open-game": "open",
    "history-open": "past-games",
    "tree-open": "tree-dialog",
    "share-result": "result",
}


@pytest.mark.parametrize(("size", "scheme"), [("screen", "light"), ("phone", "dark")])
def test_axe_finds_no_violation_in_anything_that_opens(
    request: pytest.FixtureRequest, size: str, scheme: Literal["light", "dark"]
) -> None:
    screen: Screen = request.getfixturevalue(size)
    screen.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    screen.begin("#x=human&o=easy&moves=B2.A1.C3.B1.C1.A3")
    screen.play(5)
    screen.shows("#share-result")
    for button, overlay in OVERLAYS.items():
        screen.page.locator(f"#{button}").dispatch_event("click")
        screen.shows(f"#{overlay}")

        assert violations(screen.page) == [], overlay
        screen.page.keyboard.press("Escape")
        screen.hides(f"#{overlay}")
    screen.page.evaluate("document.getElementById('friend').showModal()")

    assert violations(screen.page) == []


def test_the_accessibility_tree_holds_the_board_the_moves_and_the_result(screen: Screen) -> None:
    screen.begin("#x=human&o=human&moves=B2.A1.C3.B1.C1.A3")

    expect(screen.page.locator("#play")).to_match_aria_snapshot(
        """
        - region "Tic-tac-toe":
          - status:
            - paragraph
            - paragraph: X to move.
          - grid "Tic-tac-toe":
            - row:
              - 'gridcell "A1: O" [disabled]'
              - 'gridcell "B1: O" [disabled]'
              - 'gridcell "C1: X" [disabled]'
            - row:
              - 'gridcell "A2: empty"'
              - 'gridcell "B2: X" [disabled]'
              - 'gridcell "C2: empty"'
            - row:
              - 'gridcell "A3: O" [disabled]'
              - 'gridcell "B3: empty"'
              - 'gridcell "C3: X" [disabled]'
          - button "Undo"
          - button "Hint"
          - button "More"
        """
    )
    assert screen.page.get_attribute("#picture", "aria-hidden") == "true"


def test_whole_games_by_keys_go_and_are_told_as_written_down(screen: Screen) -> None:
    page = page_text([walk(screen, look) for look in WALKS])

    assert page == PAGE.read_text(encoding="utf-8")


def test_results_and_the_computers_moves_are_in_one_live_region(screen: Screen) -> None:
    screen.begin("#moves=B2.A1.C3.C1")

    assert screen.page.get_attribute("#live", "role") == "status"
    screen.click_cell(1)
    screen.wait_for_moves(6)
    assert screen.status == "Your turn."
    assert screen.page.inner_text("#announced") == "O plays B3."


def test_the_page_speaks_every_language_and_keeps_it(screen: Screen) -> None:
    for code in LANGUAGES:
        screen.set("language", code)
        screen.wait(f"document.documentElement.lang === '{code}'")
        hint = load(code, {}).gettext("Hint")
        assert screen.page.inner_text("#hint") == hint
    screen.set("theme", "dark")
    dark = screen.colour

    screen.reload()

    assert screen.page.get_attribute("html", "lang") == screen.page.input_value("#language") == code
    assert screen.page.inner_text("#hint") == hint
    assert screen.page.input_value("#theme") == "dark"
    assert screen.colour == dark != screen.begin().colour
