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
    for button, dialog in {"#settings-open": "settings", "#share-open": "share"}.items():
        screen.page.click(button)
        screen.wait("document.querySelector('dialog[open]')")

        assert violations(screen.page) == []
        screen.close_dialog(dialog)


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
          - button "New game"
          - button "Undo"
          - button "Hint"
          - button "Redo" [disabled]
          - button "Resign"
          - checkbox "Analysis"
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
        undo = load(code, {}).gettext("Undo")
        assert screen.page.inner_text("#undo") == undo
    screen.set("theme", "dark")
    dark = screen.colour

    screen.reload()

    assert screen.page.get_attribute("html", "lang") == screen.page.input_value("#language") == code
    assert screen.page.inner_text("#undo") == undo
    assert screen.page.input_value("#theme") == "dark"
    assert screen.colour == dark != screen.begin().colour
