"""The page is for everybody: screen readers, small screens, either scheme, any language."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.key_walks import PAGE, WALKS, page_text, walk
from tests.frontends.browser.pages import IN_CHROMIUM, Screen, hidden_parts
from tic_tac_toe_frontends.browser.packages import Package, fetch
from tic_tac_toe_frontends.program.page_files import cache_folder
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

pytestmark = IN_CHROMIUM

AXE = Package(
    "axe-core",
    "4.11.4",
    "KunSNx+TVpkAw/6ULfhnx+HWRecjqZGTOyquAoWHYLRSdK1tB5Ihce1ZW+UY3fj33bYAFWPu7W/GRSmmrCGuxA==",
)
SHAPES = ["tic-tac-toe", "connect-four", "ultimate", "gomoku"]
GAMES = {
    "an open game": "#x=human&o=human&moves=B2.A1",
    "a game that is won": "#x=human&o=human&moves=B2.A1.C3.B1.C1.A3.C2",
    "ultimate": "#x=human&o=human&game=ultimate&moves=E5.D4",
}
#: Opens whatever the page can fold.
OPEN_ALL = """() => {
  for (const part of document.querySelectorAll("#device details")) part.open = true;
  for (const id of ["analysis", "more"]) document.getElementById(id).click();
}"""


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the checker for the page, as JavaScript."""
    return (fetch(AXE, cache_folder()) / "axe.min.js").read_text(encoding="utf-8")


def colour(screen: Screen) -> str:
    """Return what the page is painted on."""
    found: str = screen.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return found


def violations(screen: Screen, axe: str) -> list[str]:
    """Return what axe-core objects to, each with the elements that it is about."""
    screen.page.evaluate(axe)
    found: dict[str, Any] = screen.page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] })"
    )
    return [
        f"{each['id']}: {[node['html'][:120] for node in each['nodes']]}"
        for each in found["violations"]
    ]


@pytest.mark.parametrize("size", ["screen", "phone"])
def test_axe_finds_no_violation(request: pytest.FixtureRequest, axe: str, size: str) -> None:
    screen: Screen = request.getfixturevalue(size)
    for scheme in ("light", "dark"):
        screen.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for game in GAMES.values():
            screen.begin(game)
            screen.page.evaluate(OPEN_ALL)

            assert violations(screen, axe) == []
        for button, dialog in {"#settings-open": "settings", "#share-open": "share"}.items():
            screen.page.click(button)
            screen.wait("document.querySelector('dialog[open]')")

            assert violations(screen, axe) == []
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
    dark = colour(screen)

    screen.reload()

    assert screen.page.get_attribute("html", "lang") == screen.page.input_value("#language") == code
    assert screen.page.inner_text("#undo") == undo
    assert screen.page.input_value("#theme") == "dark"
    assert colour(screen) == dark != colour(screen.begin())


def test_the_language_can_come_with_the_address(screen: Screen) -> None:
    screen.open(query="?lang=es-MX")
    assert screen.page.get_attribute("html", "lang") == "es"
    screen.open()


def test_nothing_is_wider_than_a_phone(phone: Screen) -> None:
    for game in SHAPES:
        phone.begin(f"#x=human&o=human&game={game}")

        assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), game


@pytest.mark.parametrize("size", [(1200, 900), (740, 360), (844, 390), (640, 400), (915, 412)])
def test_the_board_and_whose_turn_it_is_fit_even_a_low_screen_without_scrolling(
    screen: Screen, size: tuple[int, int]
) -> None:
    width, height = size
    screen.page.set_viewport_size({"width": width, "height": height})
    for game in SHAPES:
        screen.begin(f"#x=human&o=human&game={game}")
        screen.page.evaluate("scrollTo(0, 0)")

        assert screen.status == "X to move."
        assert hidden_parts(screen.page, "#board", "#status", "#note") == [], game
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= width


def test_fingers_hit_the_cells_of_a_phone(phone: Screen) -> None:
    for game in ("tic-tac-toe", "mnk:5,5,4", "connect-four"):
        phone.begin(f"#x=human&o=human&game={game}")

        boxes = phone.page.eval_on_selector_all(
            "#cells button, #play .actions button",
            "all => all.filter(each => each.offsetParent)"
            ".map(each => [each.offsetWidth, each.offsetHeight])",
        )

        assert min(min(box) for box in boxes) >= 44, game


def test_nothing_moves_where_people_want_no_motion(screen: Screen) -> None:
    moving = "getComputedStyle(document.querySelector('.ttt-strike')).animationName"
    screen.begin(GAMES["a game that is won"])
    assert screen.page.evaluate(moving) == "strike"

    screen.page.emulate_media(reduced_motion="reduce")

    assert screen.page.evaluate(moving) == "none"
