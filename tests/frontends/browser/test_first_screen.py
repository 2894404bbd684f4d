"""What people see first: a board that stays where it is, and few things to press."""

from __future__ import annotations

import pytest

from tests.frontends.browser.pages import IN_CHROMIUM, Screen, Windows
from tests.frontends.browser.test_play import IS_THINKING
from tic_tac_toe_frontends.words.translation import LANGUAGES

pytestmark = IN_CHROMIUM

# -- the board's place -----------------------------------------------------------------------------

#: Notes in each frame where the top of the board is, and what was told then, until it is asked.
WATCH = """() => {
  window.tops = {};
  const watch = () => {
    const top = document.getElementById("board").getBoundingClientRect().top + scrollY;
    window.tops[top] ??= document.getElementById("live").innerText;
    window.watching = requestAnimationFrame(watch);
  };
  watch();
}"""
STOP = "() => { cancelAnimationFrame(window.watching); return window.tops; }"
#: Games one move of X before its end, the cell of that move, and a cell that is taken by then.
ENDINGS = {
    "tic-tac-toe": ("o=easy&moves=B2.A1.C3.B1.C1.A3", 5, 4),
    "wild": ("o=easy&game=wild&moves=XB2.OA1.XB1.OC1", 7, 4),
    "connect-four": ("o=easy&game=connect-four&moves=7.7.7.7.7.7.1.2.1.2.1.2", 0, 6),
}


@pytest.mark.parametrize("game", ENDINGS)
def test_the_board_stays_in_its_place_over_a_whole_game_in_each_language(
    phone: Screen, game: str
) -> None:
    ending, last, taken = ENDINGS[game]
    tops: dict[str, str] = {}
    phone.resize(360, 640)
    for code in LANGUAGES:
        phone.begin(f"#x=human&o=mcts&think=60&game={game}")
        phone.set("language", code)
        phone.wait(f"document.documentElement.lang === '{code}'")
        phone.page.evaluate(WATCH)
        phone.click_cell(4)
        if game == "connect-four":  # not solved within a moment
            phone.wait(IS_THINKING)
            phone.page.click("#move-now")
        phone.wait_for_moves(2)

        phone.turn_to(f"#x=human&{ending}")
        phone.page.locator(f"#cells [data-cell='{taken}']").dispatch_event("click")
        phone.tells("#refusal")
        phone.analyse()
        phone.page.wait_for_selector("#picture .ttt-value")
        phone.page.click("#hint")
        phone.tells("#note")
        phone.click_cell(last)
        phone.page.wait_for_selector("#status[data-result=win]")
        phone.page.click("#review-start")
        phone.page.wait_for_selector("#graph:not([hidden])")
        phone.page.click("#replay-first")
        phone.page.wait_for_selector("#status[data-past]")
        phone.page.click("#replay-last")
        phone.page.locator("#new-game").dispatch_event("click")
        phone.wait_for_moves(0)
        tops |= {top: f"{code}: {told}" for top, told in phone.page.evaluate(STOP).items()}

    assert len(tops) == 1, tops


# -- the first screen ------------------------------------------------------------------------------

#: The controls that are seen without scrolling, but for the cells; those without an effect in
#: brackets.
CONTROLS = """() => {
  const isSeen = (each) => {
    const box = each.getBoundingClientRect();
    return each.checkVisibility({ visibilityProperty: true })
        && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  };
  return [...document.querySelectorAll("button, select, input, textarea, a[href], summary")]
      .filter(each => !each.closest(".cells") && isSeen(each))
      .map(each => each.disabled ? `(${each.id})` : each.id);
}"""
MOST = {(390, 844): 6, (1280, 800): 9}


def assert_few_controls(screen: Screen, most: int) -> None:
    """See that at most so many controls are seen, and that each has an effect."""
    found: list[str] = screen.page.evaluate(CONTROLS)
    assert len(found) <= most, found
    assert [each for each in found if each.startswith("(")] == []


@pytest.mark.parametrize("size", MOST)
def test_little_is_to_be_pressed_on_the_first_screen(screen: Screen, size: tuple[int, int]) -> None:
    screen.resize(*size)

    assert_few_controls(screen, MOST[size])


@pytest.mark.parametrize("size", MOST)
def test_little_is_to_be_pressed_on_the_first_screen_of_a_server(
    window: Windows, size: tuple[int, int]
) -> None:
    player = window(size)

    player.turn_to("")
    player.shows("#way-anyone")
    assert_few_controls(player, MOST[size])


def test_where_the_first_screen_is_full_the_list_of_games_leads_to_puzzles(window: Windows) -> None:
    player = window((390, 844))
    player.turn_to("")
    player.shows("#way-anyone")
    assert not player.page.is_visible("#way-puzzle")

    player.page.click("#choose-game")
    player.page.click("#puzzles-open")

    player.shows("#study[open]")
    assert not player.page.is_visible("#games")
    player.close_dialog("study")
