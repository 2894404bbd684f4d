"""The page around a game: what comes after it, what is kept, what is shared, what can be set."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.pages import IN_CHROMIUM, Screen, hidden_parts

pytestmark = IN_CHROMIUM

#: Games one move of X before their end: won, drawn.
NEARLY_WON = "#x=human&o={level}&moves=B2.A1.C3.B1.C1.A3"
NEARLY_DRAWN = "#x=human&o=easy&moves=B2.A1.B1.B3.A3.C1.C2.A2"
#: Counts the signals that the page gives, in `signals`.
SPY = """() => {
  window.signals = [];
  const give = (name) => window.signals.push(name);
  OscillatorNode.prototype.start = () => give("sound");
  OscillatorNode.prototype.stop = () => {};
  navigator.vibrate = () => give("vibration");
  window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { give(`${title}: ${body}`); }
    addEventListener() {}
  };
  Object.defineProperty(document, "hidden", { get: () => window.isAway, configurable: true });
  window.isAway = false;
}"""


@pytest.fixture
def spied(screen: Screen) -> Iterator[Screen]:
    """Return a page whose signals are counted, and none of which is given."""
    screen.open()
    screen.page.evaluate(SPY)
    yield screen
    screen.open()


def signals(screen: Screen) -> list[str]:
    """Return the signals since they were asked for last."""
    found: list[str] = screen.page.evaluate("window.signals.splice(0)")
    return found


def primary(screen: Screen) -> list[str]:
    """Return the names of the primary buttons that can be seen on this device."""
    names: list[str] = screen.page.eval_on_selector_all(
        "#play button.primary", "all => all.filter(e => e.offsetParent).map(e => e.innerText)"
    )
    return names


# -- after the game --------------------------------------------------------------------------------


def test_a_win_offers_the_next_level_and_leads_to_it(screen: Screen) -> None:
    screen.begin(NEARLY_WON.format(level="easy"))
    assert primary(screen) == []

    screen.click_cell(5)
    screen.wait_for_status("You win!")
    assert primary(screen) == ["Play the next level: Medium"]
    expect(screen.page.locator("#review-start")).to_be_visible()
    screen.page.click("#next-level")

    screen.wait_for_moves(0)
    assert screen.page.input_value("#against") == "medium"
    expect(screen.page.locator("#new-game")).to_be_focused()
    expect(screen.page.locator("#next-level")).to_be_hidden()


def test_the_strongest_level_and_a_draw_offer_the_same_game_again(screen: Screen) -> None:
    screen.begin(NEARLY_WON.format(level="minimax"))
    screen.click_cell(5)
    screen.wait_for_status("You win!")
    assert primary(screen) == ["Play again"]

    screen.begin(NEARLY_DRAWN)
    screen.click_cell(8)
    screen.wait_for_status("It is a draw.")
    assert primary(screen) == ["Try again"]


def test_who_loses_again_and_again_is_offered_an_easier_level(screen: Screen) -> None:
    screen.begin("#x=human&o=medium&moves=B2")
    easier = screen.page.locator("#easier-level")
    for count in range(3):
        expect(easier).to_be_hidden()
        screen.page.evaluate("document.getElementById('give-up').click()")
        screen.page.evaluate("document.getElementById('give-up').click()")
        screen.wait_for_status("You resigned")
        if count < 2:
            screen.page.click("#new-game")
            screen.click_cell(4)
            screen.wait_for_moves(2)

    easier.click()

    screen.wait_for_moves(0)
    assert screen.page.input_value("#against") == "easy"


def test_the_moves_are_stepped_through_by_keys_and_played_as_a_film(screen: Screen) -> None:
    screen.begin("#x=human&o=human&moves=B2.A1.C3.B1.C1.A3.C2")
    place = screen.page.locator("#replay-place")

    for key, moment in {"ArrowLeft": 6, "Home": 0, "ArrowRight": 1, "End": 7}.items():
        screen.page.keyboard.press(key)
        expect(place).to_have_text(f"Move {moment} of 7")
    screen.page.evaluate(
        """() => {
          const place = document.getElementById("replay-place");
          const options = { childList: true, characterData: true, subtree: true };
          window.seen = [];
          new MutationObserver(() => seen.push(place.textContent)).observe(place, options);
        }"""
    )
    screen.page.click("#film")
    screen.wait("seen.length > 0")
    screen.wait("document.getElementById('film').getAttribute('aria-pressed') === 'false'")
    assert screen.page.evaluate("seen") == [f"Move {moment} of 7" for moment in range(8)]

    screen.page.focus("#cells [tabindex='0']")
    screen.page.keyboard.press("ArrowLeft")
    expect(place).to_have_text("Move 7 of 7")


def test_a_review_leads_to_the_mistake_and_lets_another_move_be_tried(screen: Screen) -> None:
    screen.begin("#x=human&o=minimax&moves=A1.B2.B1.C1.C3.A3")
    screen.wait_for_status("You lose.")

    screen.page.click("#review-start")
    assert screen.note == "The game turned at move 5\xa0(X\xa0C3). All of this is exact."
    assert [move for move in screen.moves if "?" in move] == ["5.X C3 ?mistake"]
    screen.page.click("#review-start")
    assert screen.status == "Looking back: after move 5 of 6."
    assert "Your move 5, C3, threw away the draw. With A3 it was a draw." in screen.note
    screen.page.get_by_role("button", name="Try another move").click()

    screen.wait_for_moves(4)
    screen.wait_for_status("Your turn")
    expect(screen.page.locator(".faults")).to_be_hidden()


def test_a_phone_steps_through_a_finished_game_below_the_board(phone: Screen) -> None:
    phone.begin("#x=human&o=easy&moves=B2.A1")
    back = phone.page.locator("#replay-back")
    expect(back).to_be_hidden()

    phone.turn_to("#x=human&o=minimax&moves=A1.B2.B1.C1.C3.A3")
    phone.wait_for_status("You lose.")
    phone.page.evaluate("scrollTo(0, 0)")
    assert hidden_parts(phone.page, "#board", "#replay-back", "#review-start") == []
    back.click()

    phone.wait_for_status("Looking back: after move 5 of 6.")
    assert hidden_parts(phone.page, "#board", "#replay-back", "#replay-on") == []


def test_resigning_is_asked_about_once(screen: Screen) -> None:
    screen.begin("#x=human&o=easy&moves=B2.A1")
    button = screen.page.locator("#give-up")

    button.click()
    expect(button).to_have_text("Resign now?")
    screen.page.focus("#undo")
    expect(button).to_have_text("Resign")
    button.click()
    button.click()

    screen.wait_for_status("You resigned")
    expect(button).to_be_hidden()
    expect(screen.page.locator("#review-start")).to_be_focused()


# -- finished games --------------------------------------------------------------------------------


def test_finished_games_are_listed_opened_and_deleted(screen: Screen) -> None:
    screen.begin(NEARLY_WON.format(level="easy"))
    part = screen.page.locator("#history-part")
    expect(part).to_be_hidden()
    screen.click_cell(5)
    screen.wait_for_status("You win!")
    screen.page.click("#undo")
    screen.wait_for_moves(6)
    screen.click_cell(5)
    screen.wait_for_status("You win!")  # the end of the same game, and one entry

    screen.reload()
    part.locator("summary").click()
    expect(screen.page.locator("#history li")).to_have_count(1)
    assert "Tic-tac-toe · Easy" in screen.page.inner_text("#history li span")
    results = screen.page.inner_text("#history-results")
    assert results == "Tic-tac-toe, Easy: 1 won, 0 drawn, 0 lost"

    screen.page.click("#new-game")
    screen.wait_for_moves(0)
    screen.page.click("#history button")
    screen.wait_for_status("Looking back: after move 0 of 7.")
    screen.page.keyboard.press("Enter")
    screen.wait_for_status("Looking back: after move 1 of 7.")

    clear = screen.page.locator("#history-clear")
    clear.click()
    clear.click()
    expect(part).to_be_hidden()
    assert screen.page.evaluate("localStorage.getItem('tic-tac-toe.history')") is None


# -- sharing ---------------------------------------------------------------------------------------


def test_a_link_to_share_names_the_players_and_has_a_code(screen: Screen) -> None:
    screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.begin("#x=human&o=hard&moves=B2.A1")

    screen.page.click("#share-open")
    screen.page.wait_for_selector("#qr svg path")
    screen.page.click("#copy")
    screen.wait("document.querySelector('#share-said').textContent !== ''")

    copied = screen.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{screen.address}#x=human&o=hard&moves=B2.A1"
    assert screen.page.input_value("#share-link") == copied
    expect(screen.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    screen.page.keyboard.press("Escape")
    expect(screen.page.locator("#share-open")).to_be_focused()


# -- settings --------------------------------------------------------------------------------------


def test_the_look_and_the_names_are_chosen_and_kept(screen: Screen) -> None:
    screen.begin("#x=human&o=human&game=connect-four")
    board = screen.page.locator("#board")
    expect(board).to_have_attribute("data-look", "discs")
    width = screen.page.evaluate("document.querySelector('#board').style.cssText")

    screen.set("look", "marks")
    screen.page.click("#settings-open")
    screen.page.uncheck("#names")
    screen.close_dialog("settings")
    expect(board).to_have_attribute("data-look", "marks")
    assert screen.page.evaluate("document.querySelector('#board').style.cssText") != width
    screen.reload()

    expect(board).to_have_attribute("data-look", "marks")
    screen.page.click("#settings-open")
    forget = screen.page.locator("#forget")
    forget.click()
    forget.click()
    expect(screen.page.locator("#forgotten")).to_have_text("Deleted.")
    expect(board).to_have_attribute("data-look", "discs")


def test_no_signal_is_given_until_it_is_wanted(spied: Screen) -> None:
    spied.turn_to("#x=human&o=easy&moves=B2.A1")
    spied.wait_for_moves(2)
    spied.click_cell(8)
    spied.wait_for_moves(4)

    assert signals(spied) == []


def test_moves_and_ends_are_heard_felt_and_told_as_wanted(spied: Screen) -> None:
    spied.page.click("#settings-open")
    for name in ("sound", "vibration", "notifications"):
        spied.page.check(f"#{name}")
    spied.close_dialog("settings")
    spied.turn_to(NEARLY_WON.format(level="easy"))
    spied.wait_for_moves(6)
    assert signals(spied) == []  # a game that is opened

    spied.page.evaluate("window.isAway = true")
    spied.click_cell(5)
    spied.wait("window.signals.some((name) => name.includes(':'))")

    given = signals(spied)
    assert given.count("sound") == 3
    assert "vibration" in given
    assert [each for each in given if ":" in each] == ["Tic-tac-toe: You win!"]


def test_a_browser_that_refuses_notifications_is_said_to(spied: Screen) -> None:
    spied.page.evaluate("Notification.requestPermission = async () => 'denied'")
    spied.page.click("#settings-open")

    spied.page.click("#notifications")

    expect(spied.page.locator("#notifications-said")).to_have_text(
        "This browser does not let the page notify you."
    )
    expect(spied.page.locator("#notifications")).not_to_be_checked()
    spied.close_dialog("settings")


# -- screens ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (1280, 800), (2560, 1300)])
def test_the_board_and_its_buttons_are_seen_at_once(screen: Screen, size: tuple[int, int]) -> None:
    width, height = size
    screen.page.set_viewport_size({"width": width, "height": height})
    for game in ("tic-tac-toe", "connect-four", "gomoku", "ultimate", "wild"):
        screen.begin(f"#x=human&o=easy&game={game}")
        screen.page.evaluate("scrollTo(0, 0)")

        seen = ("#board", "#status", "#new-game", "#undo", "#hint", "#settings-open")
        assert hidden_parts(screen.page, *seen) == [], game


def test_no_word_of_the_buttons_is_cut_on_a_small_phone_in_any_language(phone: Screen) -> None:
    phone.page.set_viewport_size({"width": 360, "height": 640})
    for code in ("en", "es", "ru", "zh"):
        phone.set("language", code)
        phone.wait(f"document.documentElement.lang === '{code}'")

        cut = phone.page.eval_on_selector_all(
            ".toolbar > button:not([hidden])",
            "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)",
        )
        assert cut == [], code
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_keeps_rare_buttons_behind_more(phone: Screen) -> None:
    phone.begin("#x=human&o=human&moves=B2")
    more, redo = phone.page.locator("#more"), phone.page.locator("#redo")
    expect(redo).to_be_hidden()
    phone.page.click("#undo")

    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    redo.click()

    phone.wait_for_moves(1)
    expect(redo).to_be_hidden()
    expect(more).to_be_focused()
    more.click()
    phone.page.keyboard.press("Escape")
    expect(more).to_have_attribute("aria-expanded", "false")
