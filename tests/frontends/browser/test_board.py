"""Boards in Chromium: pieces that fall, ghosts, small cells, screens of any size."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.pages import IN_CHROMIUM, PEOPLE, Screen, hidden_parts
from tic_tac_toe_frontends.words.translation import LANGUAGES

pytestmark = IN_CHROMIUM

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


def test_only_the_piece_that_is_played_moves_if_people_want_motion(screen: Screen) -> None:
    striking = "getComputedStyle(document.querySelector('.ttt-strike')).animationName"
    screen.begin(PEOPLE)
    screen.play(4)
    assert moving(screen) == ["appear ttt-x ttt-latest"]
    screen.begin(FOUR)
    assert moving(screen) == []
    screen.play(0)
    assert moving(screen) == ["fall ttt-disc-o ttt-latest"]
    screen.page.click("#undo")
    screen.wait_for_moves(3)
    assert moving(screen) == []  # as it is drawn again
    screen.begin(f"{PEOPLE}&moves=B2.A1.C3.B1.C1.A3.C2")
    assert screen.page.evaluate(striking) == "strike"

    screen.page.emulate_media(reduced_motion="reduce")
    assert screen.page.evaluate(striking) == "none"
    screen.begin(FOUR)
    screen.play(0)
    assert moving(screen) == []
    screen.counts("#picture .ttt-latest", 1)


def test_a_disc_waits_over_the_column_under_the_mouse_and_under_the_focus(screen: Screen) -> None:
    screen.begin(FOUR)
    ghosts = screen.page.locator("#board .overlay .waiting, #board .overlay .ghost")

    screen.page.hover("#cells [data-cell='2']")
    assert ghosts.count() == 2
    screen.page.hover("#title")
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


def test_a_tap_selects_a_small_cell_and_a_second_or_a_button_plays_it(phone: Screen) -> None:
    phone.begin(GOMOKU)
    cell, other = (f"#cells [data-cell='{cell}']" for cell in (CORNER, CORNER + 2))
    phone.hides("#board + .board-tools [data-tool=confirm]")

    phone.page.tap(cell)
    assert phone.page.get_attribute(cell, "aria-selected") == "true"
    phone.counts("#board .overlay .hair", 2)
    assert len(phone.moves) == 2
    phone.page.tap(cell)
    phone.wait_for_moves(3)
    assert phone.page.get_attribute(cell, "aria-selected") is None
    phone.counts("#board .overlay .hair", 0)

    for each in (f"#cells [data-cell='{CORNER + 1}']", other):
        phone.page.tap(each)
    phone.page.tap("[data-tool=confirm] >> visible=true")
    phone.wait_for_moves(4)
    assert phone.labels[CORNER + 2] == "C1: O"
    phone.hides("#board + .board-tools [data-tool=confirm]")


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


# -- screens ---------------------------------------------------------------------------------------

#: What is seen besides the board, whose turn it is and a choice, by the size of the screen.
BUTTONS = ("#undo", "#hint", "#more", "#settings-open")
SIZES = {
    **dict.fromkeys(((360, 640), (390, 844), (1280, 800), (2560, 1300)), BUTTONS),
    **dict.fromkeys(((1200, 900), (740, 360), (844, 390), (640, 400), (915, 412)), ("#hint",)),
}
WIDTH = "document.documentElement.scrollWidth"


@pytest.mark.parametrize(
    "game",
    [
        *("tic-tac-toe", "connect-four", "gomoku", "ultimate", "wild&moves=XB2.OA1"),
        *("3x3x3&moves=1A1.2B2", "mnk:3,3,3,pie&moves=B2"),
    ],
)
def test_the_board_and_whose_turn_it_is_are_seen_without_scrolling(
    screen: Screen, game: str
) -> None:
    screen.begin(f"{PEOPLE}&game={game}")
    choices = [part for part in ("#letters", "#specials") if screen.page.is_visible(part)]
    for (width, height), beside in SIZES.items():
        screen.resize(width, height)

        hidden = hidden_parts(screen.page, "#board", "#status", *beside, *choices)
        assert hidden == [], (width, height)
        assert screen.page.evaluate(WIDTH) <= width


@pytest.mark.parametrize(
    ("games", "least"),
    [
        (("tic-tac-toe", "mnk:5,5,4", "connect-four"), 44),
        (("qubic", "score-four", "3x3x3", "notakto-6"), 30),
        (("ultimate", "gomoku"), 0),  # which are enlarged, or confirmed
    ],
)
def test_fingers_hit_the_cells_of_a_phone(
    phone: Screen, games: tuple[str, ...], least: int
) -> None:
    for game in games:
        phone.begin(f"{PEOPLE}&game={game}")
        boxes = phone.page.eval_on_selector_all(
            "#cells button, #play .actions button",
            "all => all.filter(each => each.offsetParent)"
            ".map(each => [each.offsetWidth, each.offsetHeight])",
        )

        assert min(min(box) for box in boxes) >= least, game
        assert phone.page.evaluate(WIDTH) <= 390, game


def test_no_word_of_the_buttons_is_cut_on_a_small_phone_in_any_language(phone: Screen) -> None:
    phone.resize(360, 640)
    for code in LANGUAGES:
        phone.set("language", code)
        phone.wait(f"document.documentElement.lang === '{code}'")

        cut = phone.page.eval_on_selector_all(
            ".toolbar > button:not([hidden])",
            "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)",
        )
        assert cut == [], code
        assert phone.page.evaluate(WIDTH) <= 360


def test_a_phone_keeps_rare_buttons_behind_more(phone: Screen) -> None:
    phone.begin(f"{PEOPLE}&moves=B2")
    more, redo, menu = map(phone.page.locator, ("#more", "#redo", "#more-actions"))
    expect(redo).to_be_hidden()
    phone.page.click("#undo")

    more.click()
    expect(menu).to_be_visible()
    redo.click()

    phone.wait_for_moves(1)
    expect(redo).to_be_hidden()
    expect(more).to_be_focused()
    more.click()
    phone.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()


def test_a_phone_steps_through_a_finished_game_below_the_board(phone: Screen) -> None:
    phone.begin("#x=human&o=easy")
    back = phone.page.locator("#replay-back")
    expect(back).to_be_hidden()

    phone.turn_to("#x=human&o=minimax&moves=A1.B2.B1.C1.C3.A3")
    phone.wait_for_status("You lose this time.")
    phone.page.evaluate("scrollTo(0, 0)")
    assert hidden_parts(phone.page, "#board", "#replay-back", "#review-start") == []
    back.click()

    phone.wait_for_status("Looking back: after move 5 of 6.")
    assert hidden_parts(phone.page, "#board", "#replay-back", "#replay-on") == []
