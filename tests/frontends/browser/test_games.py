"""A game is chosen by its picture, one of its kinds by a word, a board of any size by numbers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.chromium import violations
from tests.frontends.browser.pages import IN_CHROMIUM, PEOPLE, Screen
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.table.games import tiles
from tic_tac_toe_frontends.words.rules_text import FAMILIES
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

pytestmark = IN_CHROMIUM

ENGLISH = load("en", {})
TILES = len(FAMILIES) + 1


def games(screen: Screen, fragment: str = PEOPLE) -> Locator:
    """Open the dialog of games at a game, and return it."""
    screen.begin(fragment)
    screen.page.click("#choose-game")
    screen.shows("#games")
    return screen.page.locator("#games")


def test_one_tap_on_a_picture_starts_the_usual_game(screen: Screen) -> None:
    dialog = games(screen)

    expect(dialog.locator(".game")).to_have_count(TILES)
    expect(dialog.locator(".game svg:visible")).to_have_count(TILES)
    dialog.get_by_role("button", name="Connect Four", exact=True).click()

    screen.hides("#games")
    screen.says("#title", "Connect Four")
    screen.counts("#cells button", 42)
    assert "game=connect-four" in screen.fragment


def test_every_game_of_the_catalogue_is_one_button_of_the_dialog(screen: Screen) -> None:
    dialog = games(screen)
    for button in dialog.locator(".unfold").all():
        button.click()
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(dialog.locator(".kinds:visible")).to_have_count(1)
    buttons = dialog.locator(".kind, .tile:not(:has(.unfold)) [data-game]")

    names = buttons.evaluate_all("all => all.map(button => button.dataset.game)")

    assert sorted(names) == sorted(VARIANTS)
    dialog.get_by_role("button", name="Notakto, 3 boards").click()
    screen.says("#title", "Notakto, 3 boards")
    screen.counts("#cells button", 27)


def test_the_dialog_opens_at_the_game_that_is_played(screen: Screen) -> None:
    dialog = games(screen, f"{PEOPLE}&game=renju")
    current = dialog.locator(".game[aria-current]")

    expect(current).to_have_text("Five in a row")
    expect(current).to_be_focused()
    dialog.get_by_role("button", name="More: Five in a row").click()
    expect(dialog.locator(".kind[aria-current] b")).to_have_text("Renju")
    screen.close_dialog("games")
    dialog = games(screen, f"{PEOPLE}&game=mnk:7,5,4,gravity,pie")
    expect(dialog.locator(".game[aria-current]")).to_have_text("Another size")
    expect(dialog.locator("#board-columns")).to_have_value("7")
    expect(dialog.locator("#board-pie")).to_be_checked()


def test_a_board_of_any_size_is_numbers_and_switches_that_go_together(screen: Screen) -> None:
    dialog = games(screen)
    page = screen.page
    dialog.locator("#size-open").click()
    cells = page.locator("#board-picture svg")
    before = cells.get_attribute("viewBox")

    for name, count in {"columns": 4, "rows": 2}.items():
        for _ in range(count):
            page.click(f"#board-{name}-more")
    page.fill("#board-length", "40")
    page.press("#board-length", "Tab")

    expect(page.locator("#board-length")).to_have_value("7")
    assert cells.get_attribute("viewBox") != before
    page.fill("#board-length", "4")
    page.check("#board-gravity")
    expect(page.locator("#board-torus")).to_be_disabled()
    page.check("#board-wild")
    expect(page.locator("#board-pie")).to_be_disabled()
    page.uncheck("#board-wild")
    expect(page.locator("#board-pie")).to_be_enabled()
    page.check("#board-misere")
    screen.mentions("#board-about", "7 × 5, four in a row")
    dialog.get_by_role("button", name="Play", exact=True).click()
    screen.hides("#games")
    screen.counts("#cells button", 35)
    assert "game=mnk:7,5,4,gravity,misere" in screen.fragment


@pytest.mark.parametrize("typed", ["", "0", "-3", "99", "2.5", "1e3"])
def test_whatever_is_typed_as_a_number_is_a_board(screen: Screen, typed: str) -> None:
    dialog = games(screen)
    dialog.locator("#size-open").click()
    screen.page.fill("#board-columns", typed)
    screen.page.press("#board-columns", "Enter")

    screen.hides("#games")
    columns = screen.page.locator("#cells [role=row]").first.locator("button")
    assert 2 <= columns.count() <= 26
    assert screen.complaints == []


def test_the_dialog_is_used_by_keys_alone(screen: Screen) -> None:
    games(screen)
    keys = screen.page.keyboard
    keys.press("ArrowRight")
    expect(screen.page.locator(".game:focus")).to_have_text("Connect Four")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    keys.press("Tab")
    expect(screen.page.locator(":focus")).to_have_accessible_name("More: Connect Four")
    keys.press("Enter")
    keys.press("Tab")
    keys.press("Tab")
    expect(screen.page.locator(".kind:focus b")).to_have_text("Connect Four, 5 × 4")
    keys.press("Enter")
    screen.counts("#cells button", 20)

    screen.page.click("#choose-game")
    keys.press("3")  # which is a move where no dialog is open
    keys.press("Escape")
    screen.hides("#games")
    assert screen.moves == []
    expect(screen.page.locator("#choose-game")).to_be_focused()


@pytest.mark.parametrize("size", ["screen", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(request: pytest.FixtureRequest, size: str, scheme: str) -> None:
    screen: Screen = request.getfixturevalue(size)
    screen.page.emulate_media(
        color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
    )
    dialog = games(screen)

    assert violations(screen.page) == []
    for unfolding in (dialog.locator(".unfold").nth(2), dialog.locator("#size-open")):
        unfolding.click()
        assert violations(screen.page) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_tiles_are_named_in_each_language_and_nothing_is_cut_off(phone: Screen, code: str) -> None:
    phone.begin(PEOPLE)
    phone.set("language", code)
    phone.wait(f"document.documentElement.lang === '{code}'")
    phone.resize(320, 568)
    try:
        phone.page.click("#choose-game")
        titles = phone.page.locator(".game:not(#size-open) b").all_inner_texts()
        assert titles == [tile.title for tile in tiles(load(code, {}))]
        for font in ("100%", "200%"):
            phone.page.evaluate("size => { document.documentElement.style.fontSize = size; }", font)
            phone.page.click("#size-open")
            overflow = phone.page.evaluate(OVERFLOW)
            assert overflow == []
            phone.page.click("#size-open")
    finally:
        phone.page.evaluate("document.documentElement.style.fontSize = ''")
        phone.resize(390, 844)


#: The elements of the dialog whose content is wider than they are.
OVERFLOW = """() => [...document.querySelectorAll("#games, #games *")]
  .filter(each => !each.matches("svg, svg *, input, .unseen"))
  .filter(each => each.clientWidth && each.scrollWidth > each.clientWidth + 1)
  .map(each => each.outerHTML.slice(0, 80))"""
