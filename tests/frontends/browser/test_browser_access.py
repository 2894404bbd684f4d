"""The page is for everybody: screen readers, small screens, either scheme, any language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.pages import Screen, hidden_parts
from tests.machine import needs
from tic_tac_toe_frontends.browser.packages import Package, fetch
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.program.page_files import cache_folder
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

pytestmark = [
    needs("chromium", "node", "npm"),
    pytest.mark.once,
    pytest.mark.xdist_group("browser"),
]

AXE = Package(
    "axe-core",
    "4.11.4",
    "KunSNx+TVpkAw/6ULfhnx+HWRecjqZGTOyquAoWHYLRSdK1tB5Ihce1ZW+UY3fj33bYAFWPu7W/GRSmmrCGuxA==",
)
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
GAMES = {
    "an open game": "#x=human&o=human&moves=B2.A1",
    "a game that is won": "#x=human&o=human&moves=B2.A1.C3.B1.C1.A3.C2",
    "ultimate": "#x=human&o=human&game=ultimate&moves=E5.D4",
    "a link that is refused": "#game=chess",
}


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the checker for the page, as JavaScript."""
    return (fetch(AXE, cache_folder()) / "axe.min.js").read_text(encoding="utf-8")


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


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(
    server: Server,
    open_page: Callable[..., Screen],
    axe: str,
    scheme: Literal["light", "dark"],
    size: str,
) -> None:
    for game in GAMES.values():
        screen = open_page(server.url, game, size=SIZES[size], scheme=scheme)
        screen.page.check("#analysis")
        screen.page.click("#tree-part summary")
        screen.page.wait_for_timeout(700)  # the line that is drawn in has come to its end

        assert violations(screen, axe) == []


def test_a_button_without_a_name_would_be_caught(screen: Screen, axe: str) -> None:
    screen.open()
    screen.page.evaluate("document.querySelector('#new-game').textContent = ''")

    assert any(each.startswith("button-name") for each in violations(screen, axe))


def test_the_accessibility_tree_holds_the_board_the_moves_and_the_result(screen: Screen) -> None:
    screen.open("#x=human&o=human&moves=B2.A1.C3.B1.C1.A3")

    expect(screen.page.locator("#play")).to_match_aria_snapshot(
        """
        - region "Tic-tac-toe":
          - status:
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
          - button "Redo" [disabled]
          - button "Hint"
          - checkbox "Analysis"
        """
    )


def test_results_and_the_computers_moves_are_in_one_live_region(screen: Screen) -> None:
    screen.open("#moves=B2.A1.C3.C1")

    assert screen.page.get_attribute("#live", "role") == "status"
    screen.click_cell(1)
    screen.wait_for_moves(6)
    assert screen.status.startswith("O plays B3.")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_speaks_every_language(screen: Screen, code: str) -> None:
    screen.open()

    screen.page.select_option("#language", code)
    screen.wait(f"document.documentElement.lang === '{code}'")
    screen.reload()

    assert screen.page.get_attribute("html", "lang") == code
    assert screen.page.input_value("#language") == code
    score = load(code, {}).gettext("Score: X {crosses}, O {naughts}, draws {draws}.")
    assert screen.page.inner_text("#score") == score.format(crosses=0, naughts=0, draws=0)


def test_the_language_can_come_with_the_address(screen: Screen) -> None:
    screen.open(query="?lang=es-MX")

    assert screen.page.get_attribute("html", "lang") == "es"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "ultimate", "gomoku"])
def test_nothing_is_wider_than_the_screen(
    server: Server, open_page: Callable[..., Screen], size: str, game: str
) -> None:
    screen = open_page(server.url, f"#x=human&o=human&game={game}", size=SIZES[size])

    width = screen.page.evaluate("document.documentElement.scrollWidth")

    assert width <= SIZES[size][0]


@pytest.mark.parametrize("size", [(740, 360), (844, 390), (640, 400), (915, 412)])
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "ultimate", "gomoku"])
def test_the_board_and_whose_turn_it_is_fit_a_low_screen_without_scrolling(
    server: Server, open_page: Callable[..., Screen], size: tuple[int, int], game: str
) -> None:
    screen = open_page(server.url, f"#x=human&o=human&game={game}", size=size)

    assert screen.status == "X to move."
    assert hidden_parts(screen.page, "#board", "#status", "#note") == []
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_board_that_reaches_below_the_screen_would_be_caught(screen: Screen) -> None:
    screen.open("#x=human&o=human")
    screen.page.add_style_tag(content="#board { margin-top: 100vh }")

    assert hidden_parts(screen.page, "#board", "#status") == ["#board"]


@pytest.mark.parametrize("game", ["tic-tac-toe", "mnk:5,5,4", "connect-four"])
def test_fingers_hit_the_cells_of_a_phone(
    server: Server, open_page: Callable[..., Screen], game: str
) -> None:
    screen = open_page(server.url, f"#x=human&o=human&game={game}", size=SIZES["phone"])

    boxes = screen.page.eval_on_selector_all(
        "#cells button, #play .actions button",
        "all => all.map(each => [each.offsetWidth, each.offsetHeight])",
    )

    assert min(min(box) for box in boxes) >= 44


def test_the_theme_can_be_switched_and_stays(screen: Screen) -> None:
    screen.open()
    light = screen.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")

    screen.page.select_option("#theme", "dark")
    screen.reload()

    dark = screen.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert screen.page.input_value("#theme") == "dark"
    assert light != dark


def test_nothing_moves_where_people_want_no_motion(
    server: Server, open_page: Callable[..., Screen]
) -> None:
    screen = open_page(server.url, GAMES["a game that is won"])
    moving = screen.page.evaluate(
        "getComputedStyle(document.querySelector('.ttt-strike')).animationName"
    )

    screen.page.emulate_media(reduced_motion="reduce")

    still = screen.page.evaluate(
        "getComputedStyle(document.querySelector('.ttt-strike')).animationName"
    )
    assert (moving, still) == ("strike", "none")


def test_the_pictures_of_the_page_are_hidden_from_those_who_have_the_buttons(
    screen: Screen, site: Path
) -> None:
    screen.open()

    assert screen.page.get_attribute("#picture", "aria-hidden") == "true"
