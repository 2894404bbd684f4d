"""The page plays games in which a move is more than a cell: letters, old marks, layers, a swap."""

from __future__ import annotations

import pytest

from tests.frontends.browser.pages import IN_CHROMIUM, Screen, hidden_parts
from tests.frontends.browser.test_browser_access import axe, violations

__all__ = ["axe"]

pytestmark = IN_CHROMIUM

PEOPLE = "#x=human&o=human"
GAMES = {
    "letters": f"{PEOPLE}&game=wild&moves=XB2.OA1",
    "old marks": f"{PEOPLE}&game=vanishing&moves=B2.A1.C3.B1.C1.A3",
    "layers": f"{PEOPLE}&game=3x3x3&moves=1A1.2B2",
    "a swap": f"{PEOPLE}&game=mnk:3,3,3,pie&moves=B2",
    "dead boards": f"{PEOPLE}&game=notakto-3&moves=A1.B2.B1.C1",
    "a line around the edge": f"{PEOPLE}&game=mnk:4,4,3,torus&moves=A1.B2.D1.B3.C1",
}


def chosen(screen: Screen) -> str:
    """Return what the switch for letters says is chosen."""
    return screen.page.locator("#letters label:has(:checked)").inner_text()


def test_a_wild_game_is_played_with_the_mouse_and_the_switch_stays_as_it_is(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=wild")
    assert (screen.status, chosen(screen)) == ("Player 1 to move.", "Place X")

    screen.page.click("#letters label:has-text('Place O')")
    screen.page.hover("#cells [data-cell='4']")
    assert screen.page.locator("#board .overlay .ghost .ttt-o").count() == 1
    assert screen.labels[4] == "B2: empty, Place O"
    for cell in (4, 0):
        screen.click_cell(cell)
    screen.wait_for_moves(2)
    assert chosen(screen) == "Place O"
    assert screen.marks == "O   O    "

    screen.page.check("#analysis")
    screen.wait("document.querySelectorAll('#picture .ttt-value').length === 14")
    assert screen.labels[8].startswith("C3: empty (X")
    screen.click_cell(8)
    screen.wait_for_moves(3)
    assert screen.status == "Player 1 wins 🎉"
    assert screen.moves == ["1.OB2", "2.OA1", "3.OC3"]
    assert screen.page.inner_text("#score") == "Score: Player 1: 1, Player 2: 0, draws: 0."
    assert screen.fragment == "game=wild&moves=OB2.OA1.OC3"
    assert screen.page.locator("label:has(#player-x) span").text_content() == "Player 1"


def test_letters_are_chosen_by_their_keys_and_moves_taken_back(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=mnk:4,3,3,gravity,wild")
    press = screen.page.keyboard.press

    press("o")
    assert chosen(screen) == screen.page.inner_text("#letter-said") == "Place O"
    press("2")
    screen.wait_for_moves(1)
    press("X")
    press("2")
    screen.wait_for_moves(2)
    assert screen.moves == ["1.O2", "2.X2"]
    assert (screen.labels[9], screen.labels[5]) == ("B3: O", "B2: X")
    press("Control+z")
    screen.wait_for_moves(1)
    press("Control+y")
    screen.wait_for_moves(2)
    assert chosen(screen) == "Place X"

    screen.begin(f"{PEOPLE}&moves=B2")
    assert screen.page.is_hidden("#letters")


def test_a_mark_that_leaves_next_is_pale_and_told_and_then_gone(screen: Screen) -> None:
    screen.begin(GAMES["old marks"])
    assert screen.note.startswith("With the next X the X on B2 leaves.")
    assert screen.labels[4] == "B2: X, leaves next"
    assert screen.page.locator("#picture .ttt-leaving").count() == 2

    screen.page.locator("#cells [data-cell='4']").dispatch_event("click")
    screen.wait("document.querySelector('#refusal').textContent !== ''")
    screen.click_cell(5)
    screen.wait_for_moves(7)

    assert screen.marks == "OOX  XO X"
    screen.page.click("#replay-back")
    screen.wait_for_status("Looking back: after move 6 of 7.")
    assert screen.marks == "OOX X O X"


def test_a_game_whose_position_comes_the_third_time_is_a_draw(screen: Screen) -> None:
    around = "C2.A2.A3.A1.B3.C3.B2.B1."
    screen.begin(f"{PEOPLE}&game=vanishing&moves={2 * around}C2.A2.A3.A1.B3")

    screen.click_cell(8)
    screen.wait_for_moves(22)

    assert screen.status == "No one wins this time 😐"
    assert screen.note == "A draw: this position has come 3 times."
    screen.page.click("#undo")
    screen.wait_for_status("O to move.")


def test_the_first_mark_is_taken_over_with_a_button_that_goes(screen: Screen) -> None:
    screen.begin(GAMES["a swap"])
    screen.page.check("#analysis")
    button = screen.page.locator("#specials button")
    screen.wait("document.querySelector('#specials').textContent.includes('(')")
    assert button.inner_text() == "Take over the mark (=)"

    button.press("Enter")
    screen.wait_for_moves(2)

    assert screen.moves == ["1.X B2", "2.O swap"]
    assert screen.labels[4].startswith("B2: O")
    assert button.count() == 0
    screen.wait("document.activeElement.matches('#cells button')")
    screen.page.click("#undo")
    screen.wait_for_moves(1)
    assert button.count() == 1


def test_a_line_through_layers_and_one_around_the_edge_are_lit(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=3x3x3")
    for cell in (0, 1, 3, 2, 6):  # 1A1, 1B1, 2A1, 1C1, 3A1
        screen.click_cell(cell)
    screen.wait_for_moves(5)

    assert screen.status == "X wins 🎉"
    assert screen.note == "Decided by 1A1, 2A1, 3A1."
    assert screen.page.locator("#picture .ttt-lit").count() == 3
    screen.begin(GAMES["a line around the edge"])
    assert screen.page.locator("#picture .ttt-lit").count() == 3


def test_fingers_hit_the_cells_of_layers_and_boards_side_by_side(phone: Screen) -> None:
    for game in ("qubic", "score-four", "3x3x3", "notakto-6"):
        phone.begin(f"{PEOPLE}&game={game}")
        boxes = phone.page.eval_on_selector_all(
            "#cells button", "all => all.map(each => [each.offsetWidth, each.offsetHeight])"
        )

        assert min(min(box) for box in boxes) >= 30, game
        assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), game
    phone.begin(f"{PEOPLE}&game=score-four&moves=A1")
    phone.click_cell(0)
    phone.wait_for_moves(2)
    assert (phone.labels[0], phone.labels[4]) == ("1A1: X", "2A1: O")


@pytest.mark.parametrize("size", [(844, 390), (640, 400)])
def test_the_switch_stands_beside_the_board_on_a_low_screen(
    screen: Screen, size: tuple[int, int]
) -> None:
    width, height = size
    screen.page.set_viewport_size({"width": width, "height": height})
    for game in ("letters", "a swap", "layers"):
        screen.begin(GAMES[game])
        screen.page.evaluate("scrollTo(0, 0)")
        shown = [
            name
            for name in ("#board", "#status", "#letters", "#specials")
            if screen.page.is_visible(name)
        ]

        assert hidden_parts(screen.page, *shown) == [], game


@pytest.mark.parametrize("size", ["screen", "phone"])
def test_axe_finds_no_violation(request: pytest.FixtureRequest, axe: str, size: str) -> None:
    screen: Screen = request.getfixturevalue(size)
    for scheme in ("light", "dark"):
        screen.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for name, game in GAMES.items():
            screen.begin(game)

            assert violations(screen, axe) == [], name
