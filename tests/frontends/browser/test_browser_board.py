"""Boards in Chromium: pieces that fall, ghosts, and small cells that are enlarged or confirmed."""

from __future__ import annotations

import pytest

from tests.frontends.browser.pages import IN_CHROMIUM, Screen

pytestmark = IN_CHROMIUM

PEOPLE = "x=human&o=human"
FOUR = f"{PEOPLE}&game=connect-four&moves=4.4.5"
GOMOKU = f"{PEOPLE}&game=gomoku&moves=H8.H7"
CENTRE, CORNER = 112, 0


def moving(screen: Screen) -> list[str]:
    """Return the names of the animations of pieces, ended ones included, and what they move."""
    found: list[str] = screen.page.evaluate(
        """() => document.getAnimations()
            .filter(each => ["fall", "appear"].includes(each.animationName))
            .map(each => `${each.animationName} ${each.effect.target.getAttribute("class")}`)"""
    )
    return found


def look(screen: Screen) -> str | None:
    return screen.page.get_attribute("#board", "data-look")


def zoom(screen: Screen) -> float:
    """Return how much larger than the whole board the cells are shown."""
    return float(
        screen.page.evaluate(
            """() => {
                const cell = document.querySelector("#cells button").getBoundingClientRect();
                return cell.width * 15.75 / document.querySelector("#board").clientWidth;
            }"""
        )
    )


def is_seen(screen: Screen, cell: int) -> bool:
    """Return whether a cell lies within the frame of the board."""
    return bool(
        screen.page.evaluate(
            """cell => {
                const box = document.querySelector(`[data-cell="${cell}"]`).getBoundingClientRect();
                const frame = document.querySelector("#board").getBoundingClientRect();
                return box.left >= frame.left - 1 && box.right <= frame.right + 1
                    && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
            }""",
            cell,
        )
    )


def pinch(screen: Screen) -> None:
    """Move two fingers apart, to the left and to the right of the middle of the board."""
    screen.page.evaluate(
        """() => {
            const board = document.querySelector("#board"), box = board.getBoundingClientRect();
            const touch = (name, finger, apart) => board.dispatchEvent(new PointerEvent(name, {
                pointerId: 100 + finger, pointerType: "touch", bubbles: true,
                clientX: box.left + box.width / 2 + (finger ? apart : -apart),
                clientY: box.top + box.height / 2,
            }));
            const steps = [["pointerdown", 30], ["pointermove", 60], ["pointermove", 90]];
            for (const [name, apart] of [...steps, ["pointerup", 90]])
                for (const finger of [0, 1]) touch(name, finger, apart);
        }"""
    )


@pytest.mark.parametrize(
    ("game", "wanted"), [("connect-four", "discs"), ("gomoku", "stones"), ("wild", "marks")]
)
def test_a_game_is_shown_in_its_usual_look(screen: Screen, game: str, wanted: str) -> None:
    screen.begin(f"{PEOPLE}&game={game}")

    assert look(screen) == wanted


def test_only_the_disc_that_is_played_falls_and_not_when_it_is_drawn_again(screen: Screen) -> None:
    screen.begin(FOUR)
    assert moving(screen) == []

    screen.click_cell(0)
    screen.wait_for_moves(4)
    assert moving(screen) == ["fall ttt-disc-o ttt-latest"]

    screen.page.click("#undo")
    screen.wait_for_moves(3)
    assert moving(screen) == []


def test_where_marks_do_not_fall_they_appear(screen: Screen) -> None:
    screen.begin(PEOPLE)

    screen.click_cell(4)
    screen.wait_for_moves(1)

    assert moving(screen) == ["appear ttt-x ttt-latest"]


def test_nothing_moves_where_people_want_less_motion(screen: Screen) -> None:
    screen.page.emulate_media(reduced_motion="reduce")
    screen.begin(FOUR)

    screen.click_cell(0)
    screen.wait_for_moves(4)

    assert moving(screen) == []
    assert screen.page.locator("#picture .ttt-latest").count() == 1


def test_a_disc_waits_over_the_column_under_the_mouse_and_under_the_focus(screen: Screen) -> None:
    screen.begin(FOUR)
    ghosts = screen.page.locator("#board .overlay .waiting, #board .overlay .ghost")

    screen.page.hover("#cells [data-cell='2']")
    assert ghosts.count() == 2
    screen.page.hover("#status")
    assert ghosts.count() == 0
    screen.page.locator("#cells [tabindex='0']").focus()
    screen.page.keyboard.press("ArrowLeft")
    assert ghosts.count() == 2


def test_what_a_move_would_place_goes_with_its_game(screen: Screen) -> None:
    screen.begin(PEOPLE)
    ghosts = screen.page.locator("#board .overlay .ghost")
    screen.page.hover("#cells [data-cell='4']")
    assert ghosts.count() == 1

    screen.turn_to(f"{PEOPLE}&game=mnk:4,3,3&moves=A1.A2.B1.B2.C1")

    screen.wait_for_status("X wins")
    assert ghosts.count() == 0


def test_a_tap_on_a_small_cell_selects_it_and_a_second_places_the_stone(phone: Screen) -> None:
    phone.begin(GOMOKU)
    cell = f"#cells [data-cell='{CORNER}']"

    phone.page.tap(cell)
    assert phone.page.get_attribute(cell, "aria-selected") == "true"
    assert phone.page.locator("#board .overlay .hair").count() == 2
    assert len(phone.moves) == 2

    phone.page.tap(cell)
    phone.wait_for_moves(3)
    assert phone.page.get_attribute(cell, "aria-selected") is None
    assert phone.page.locator("#board .overlay .hair").count() == 0


def test_a_tap_on_another_cell_selects_that_and_a_button_places_the_stone(phone: Screen) -> None:
    phone.begin(GOMOKU)
    assert phone.page.is_hidden("[data-tool=confirm]")

    for cell in (CORNER, CORNER + 2):
        phone.page.tap(f"#cells [data-cell='{cell}']")
    phone.page.tap("[data-tool=confirm] >> visible=true")
    phone.wait_for_moves(3)

    assert phone.labels[CORNER + 2] == "C1: X"
    assert phone.page.is_hidden("[data-tool=confirm]")


def test_one_tap_places_a_stone_once_the_cells_are_large_enough(phone: Screen) -> None:
    phone.begin(GOMOKU)

    phone.page.tap("#board + .board-tools [data-tool=larger]")
    assert zoom(phone) == pytest.approx(1.5, abs=0.05)
    phone.page.tap(f"#cells [data-cell='{CENTRE + 1}']")
    phone.wait_for_moves(3)

    phone.page.tap("#board + .board-tools [data-tool=whole]")
    assert zoom(phone) == pytest.approx(1.0, abs=0.05)


def test_two_fingers_enlarge_the_board_and_not_the_page_and_choose_no_cell(phone: Screen) -> None:
    phone.begin(GOMOKU)

    allowed = "getComputedStyle(document.querySelector('#cells button')).touchAction"
    assert phone.page.evaluate(allowed) == "pan-x pan-y"

    pinch(phone)

    assert zoom(phone) == pytest.approx(3, abs=0.1)
    assert phone.page.evaluate(allowed) == "none"
    assert len(phone.moves) == 2
    assert phone.page.locator("#cells [aria-selected]").count() == 0


def test_the_focus_takes_an_enlarged_board_along(phone: Screen) -> None:
    phone.begin(GOMOKU)
    for _ in range(3):
        phone.page.tap("#board + .board-tools [data-tool=larger]")
    assert not is_seen(phone, 105)

    phone.page.locator("#cells [tabindex='0']").focus()
    phone.page.keyboard.press("Home")

    assert is_seen(phone, 105)


def test_a_board_with_large_cells_has_no_tools_and_needs_one_tap(phone: Screen) -> None:
    phone.begin(FOUR)
    assert phone.page.is_hidden("#board + .board-tools")

    phone.page.tap("#cells [data-cell='0']")

    phone.wait_for_moves(4)
