"""The page plays online: real windows of Chromium, and a real server that dies in between."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.chromium import Browsers, violations
from tests.frontends.browser.pages import (
    DESKTOP,
    IN_CHROMIUM,
    PHONE,
    SPY,
    OpenPage,
    Player,
    Windows,
    hidden_parts,
    serving,
    two_players,
)
from tests.machine import needs
from tests.online.processes import Server
from tic_tac_toe_frontends.words.translation import LANGUAGES, load
from tools.firefox import launch

pytestmark = IN_CHROMIUM

# -- a whole game ----------------------------------------------------------------------------------


def test_a_game_goes_on_after_the_death_of_the_server(game_server: Server, window: Windows) -> None:
    ann, bob = two_players(window, 0, 3, 1)
    bob.wait_for_moves(3)

    game_server.kill()
    for player in (ann, bob):
        player.mentions("#connection", "Reconnecting … (attempt")
    # What is done meanwhile is not lost either.
    bob.click_cell(4)
    bob.wait_for_status("Your move is on its way")
    expect(bob.page.locator("#online-cells [data-cell='4']")).to_have_attribute("data-pending", "O")
    game_server.start()

    for player in (ann, bob):
        player.expect_connected()
        player.wait_for_moves(4)
    ann.play(2)
    for player, told in ((ann, "You win 🎉"), (bob, "You lose this time.")):
        player.wait_for_status(told)
        assert player.marks == "XXXOO    "
    assert "1. A1 A2 2. B1 B2 3. C1" in game_server.get(f"/games/{ann.game}/record.txt")[1]
    expect(bob.page.locator("#record-page")).to_have_attribute("href", f"games/{bob.game}")

    bob.page.click("#online-review")
    bob.shows("#device")
    bob.mentions("#note", "threw away the draw")  # the review is at the mistake
    bob.page.go_back()
    bob.wait_for_status("You lose this time.")


@needs("firefox")
def test_chromium_and_firefox_play_each_other(
    window: Windows, browsers: Browsers, game_server: Server
) -> None:
    ann = window().go_online()
    ann.create("Ann", seat="X")
    with launch(browsers.playwright) as browser:
        bob = Player.within(browser.new_context(locale="en-GB"), ann.address).open().go_online()
        bob.join_first("Bob")
        for player, cell in ((ann, 0), (bob, 3), (ann, 1), (bob, 4)):
            player.play(cell)
        bob.reload()
        ann.play(2)

        ann.wait_for_status("You win")
        bob.wait_for_status("You lose this time")
        assert ann.marks == bob.marks == "XXXOO    "
        assert bob.complaints + bob.outside == []


def place(player: Player, letter: str, cell: int) -> None:
    player.page.click(f"#online-letters label:has-text('Place {letter}')")
    player.play(cell)


def test_a_game_with_letters_is_created_and_played(game_server: Server, window: Windows) -> None:
    ann, bob = two_players(window, variant="4x3x3 wild", size=PHONE)
    assert ann.page.inner_text("#room-title") == "4 × 3, three in a row, wild"
    ann.mentions("#seat-X", "Player 1")
    ann.wait_for_status("Your turn: you are Player 1.")

    place(ann, "O", 0)
    place(bob, "X", 5)
    assert ann.page.locator("#online-letters input:checked").get_attribute("value") == "O"
    ann.page.keyboard.press("x")
    ann.play(1)
    for each in (ann, bob):
        assert violations(each.page) == []
    place(bob, "O", 9)
    for each in (ann, bob):
        each.wait_for_moves(4)
        assert each.marks == "OX   X   O  "
    bob.page.click("#offer-takeback")
    ann.page.click("#accept")
    bob.wait_for_moves(3)
    assert bob.marks == "OX   X      "
    place(bob, "X", 9)
    ann.wait_for_status("You lose this time.")

    assert "1. OA1 XB2 2. XB1 XB3" in game_server.get(f"/games/{ann.game}/record.txt")[1]
    assert "Bob (Player 2) puts X on B3." in game_server.get(f"/games/{ann.game}")[1]


def test_the_first_mark_is_taken_over_online(window: Windows) -> None:
    ann, bob = two_players(window, 38, variant="connect-four,pie")
    bob.wait_for_status("Your turn")
    assert ann.page.locator("#online-specials button").count() == 0
    bob.page.click("#online-specials button:has-text('Take over the mark')")
    ann.wait_for_moves(2)
    assert ann.labels[38] == "D6: O"
    assert ann.page.inner_text("#online-note") == "Bob (yellow) takes over the first mark."
    ann.wait_for_status("Your turn")


def test_the_form_names_the_sides_of_the_chosen_game(window: Windows) -> None:
    ann = window().turn_to("#game=order-and-chaos&x=human&o=human")
    ann.counts("#cells button", 36)
    ann.go_online()
    ann.unfold_form()

    assert ann.page.input_value("#online-variant") == "order-and-chaos"
    assert ann.page.locator("#seat option").all_inner_texts() == ["Random", "Order", "Chaos"]
    assert ann.page.locator("#online-starting option").all_inner_texts() == ["Order"]


def test_a_computer_plays_a_game_whose_marks_leave(window: Windows) -> None:
    ann = window().go_online()
    ann.create("Ann", online_variant="vanishing", opponent="random", seat="X")
    for _ in range(4):
        ann.wait_for_status("Your turn")
        free = ann.page.locator("#online-cells [aria-disabled=false]").first
        count = ann.page.locator("#online-moves button").count()
        free.click()
        ann.page.wait_for_function(
            "count => document.querySelectorAll('#online-moves button').length > count + 1"
            " || document.querySelector('#online-status').dataset.result",
            arg=count,
        )
        if ann.page.locator("#online-status[data-result]").count():
            return

    assert len(ann.marks.replace(" ", "")) == 6
    assert "leaves next" in " ".join(ann.labels)


# -- what players do -------------------------------------------------------------------------------


def test_offers_are_answered_or_withdrawn_and_a_rematch_swaps_the_seats(window: Windows) -> None:
    ann, bob = two_players(window, 4, 0)
    bob.page.click("#offer-takeback")
    ann.says("#offer-text", "Bob (O) asks to take their last move back.")
    ann.page.click("#accept")
    for player in (ann, bob):
        player.wait_for_moves(1)
    bob.play(8)
    ann.page.click("#offer-draw")
    bob.page.click("#decline")
    ann.mentions("#online-note", "Bob (O) declines the draw.")
    ann.page.click("#offer-draw")
    bob.says("#offer-text", "Ann (X) offers a draw.")
    ann.page.get_by_role("button", name="Withdraw: Offer a draw").click()
    ann.says("#online-note", "You take your offer back.")
    bob.hides("#offer")
    bob.mentions("#online-note", "Ann (X) takes the offer back.")
    ann.resign()
    bob.wait_for_status("You win 🎉 Ann (X) resigns.")
    first = ann.game

    bob.page.click("#offer-rematch")
    ann.says("#offer-text", "Bob (O) offers a rematch.")
    ann.page.click("#accept")

    bob.wait_for_status("Your turn")
    ann.wait_for_moves(0)
    assert ann.game == bob.game != first
    bob.play(4)
    ann.reload()
    ann.play(0)
    bob.wait_for_moves(2)


def test_a_computer_answers_and_the_clock_runs(window: Windows) -> None:
    ann = window().go_online()
    ann.create("Ann", opponent="easy", seat="X", clock="180+2", online_variant="connect-four")

    ann.play(3)

    ann.wait_for_moves(2)
    ann.says("#seat-O .who", "Computer: Easy")
    before = ann.page.inner_text("#seat-X .time")
    assert before.startswith(("3:0", "2:5"))
    expect(ann.page.locator("#seat-X .time")).not_to_have_text(before)


def test_a_replay_shows_the_past_while_the_game_goes_on(window: Windows) -> None:
    ann, bob = two_players(window)
    said = ann.page.locator("#online-said")
    ann.play(4)
    ann.page.click("#online-cells [data-cell='0']", force=True)
    expect(said).to_contain_text("the other player's turn")
    bob.play(0)
    expect(said).to_have_text("")  # a refusal is shown until something happens
    ann.play(8)

    bob.page.click("#online-replay-first")
    bob.wait_for_status("Looking back: after move 0 of 3.")
    assert bob.marks == " " * 9
    bob.page.click("#online-cells [data-cell='2']", force=True)
    bob.mentions("#online-said", "You are looking back")
    bob.page.click("#online-replay-last")

    bob.play(2)
    ann.wait_for_moves(4)


def test_a_game_on_this_device_and_one_online_are_two_games(window: Windows) -> None:
    ann = window().turn_to("#x=human&o=human&moves=B2.A1")
    ann.go_online()
    ann.create("Ann", opponent="easy", seat="X")
    ann.play(0)
    online = ann.page.url

    ann.go_to_device()
    ann.counts("#moves button", 2)
    ann.page.click("#cells [data-cell='8']")
    ann.counts("#moves button", 3)
    assert ann.page.url.endswith("#moves=B2.A1.C3")
    ann.page.click("#notice-go")

    ann.wait_for_moves(2)
    assert ann.page.url == online
    assert ann.page.title().startswith("● Tic-tac-toe")


# -- a friend, anyone ------------------------------------------------------------------------------


def test_a_friend_has_a_link_to_the_game_of_this_device_after_two_taps(window: Windows) -> None:
    ann, bob, eve = window(PHONE), window(), window().go_online()
    ann.turn_to("#game=mnk:4,4,3&x=human&o=human")
    ann.counts("#cells button", 16)
    ann.page.click("#way-friend")
    ann.page.click("#friend-link")

    ann.wait_for_status("Send this link to your friend.")
    ann.shows("#invite-qr svg")
    assert hidden_parts(ann.page, "#online-share", "#online-board", "#online-copy") == []
    link = ann.page.input_value("#invite-link")
    assert link == f"{ann.address}#game={ann.game}"
    eve.counts("#open-games tbody tr", 0)  # nobody else is told
    bob.turn_to(f"#game={ann.game}")
    bob.mentions("#online-status", "invites you:")
    bob.mentions("#online-status", "no clock")
    bob.page.fill("#joining-name", "Bob")
    bob.page.click("#take-seat button")
    ann.hides("#take-seat")
    ann.shows("#leave")
    ann.counts("#online-cells button", 16)

    eve.turn_to(f"#game={ann.game}")
    eve.says("#taken-text", "Both seats are taken: you are watching.")
    eve.page.click("#start-own")
    eve.wait_for_status("Send this link to your friend.")
    assert eve.game != ann.game
    eve.counts("#online-cells button", 16)


def test_a_link_to_an_online_game_can_be_pasted(window: Windows) -> None:
    ann, bob = window().go_online(), window()
    address = ann.create("Ann", seat="X")
    bob.turn_to("#x=human&o=human&moves=B2")
    bob.counts("#moves button", 1)
    bob.choose_more("open-game")
    bob.page.fill("#pasted", f"{bob.address}#game={address}")
    bob.page.click("#open-form [type=submit]")

    bob.mentions("#online-status", "Ann invites you")
    bob.hides("#open")


def test_anyone_is_one_tap_away_with_the_last_clock(window: Windows) -> None:
    ann, bob = window().go_online(), window()
    ann.page.select_option("#pair-clock", "300+0")
    ann.page.click("#pair")
    ann.wait_for_status("Waiting for somebody who wants to play")
    ann.page.click("#leave")
    ann.shows("#lobby")
    for player in (ann, bob):
        player.turn_to("#game=connect-four&x=human&o=human")
        player.counts("#cells button", 42)
    bob.page.click("#way-anyone")
    ann.page.click("#way-anyone")
    ann.wait_for_status("Waiting for somebody who wants to play")
    ann.page.click("#leave")
    ann.shows("#lobby")
    ann.page.select_option("#pair-clock", "180+2")
    ann.page.click("#pair")

    for player in (ann, bob):
        player.shows("#abort")
        player.counts("#online-cells button", 42)


# -- a game out of sight ---------------------------------------------------------------------------


def test_a_game_that_goes_on_is_heard_from_this_device_and_from_the_lobby(window: Windows) -> None:
    ann, bob = window().go_online(), window().go_online()
    ann.create("Ann", seat="X", clock="180+2")
    bob.join_first("Bob")
    ann.play(4)
    ann.page.evaluate(SPY)
    ann.go_to_device()
    ann.mentions("#notice-text", "Bob is thinking · 3:0")
    bob.play(0)

    ann.mentions("#notice-text", "Your turn against Bob")
    expect(ann.page).to_have_title("● Your turn against Bob")
    assert "sound" in ann.signals()
    before = ann.page.inner_text("#notice-text")
    expect(ann.page.locator("#notice-text")).not_to_have_text(before)  # the clock runs
    bob.say("are you there?")
    ann.mentions("#notice-text", "Bob (O): are you there?")
    ann.page.click("#notice-go")
    ann.wait_for_status("Your turn")
    ann.says("#notice-text", "")

    ann.page.click("#leave")
    ann.page.click("#confirm-yes")
    ann.shows("#lobby")
    ann.mentions("#notice-text", "Your turn against Bob")
    bob.resign()
    ann.mentions("#notice-text", "You win")
    ann.page.click("#notice-go")
    ann.wait_for_status("You win")
    assert ann.complaints == []


def test_the_board_has_one_place_from_the_first_move_to_the_end(window: Windows) -> None:
    bob, ann = two_players(window, size=PHONE)
    ann.resize(360, 640)
    tops = set()

    def look(*codes: str) -> None:
        for code in codes or ("en",):
            ann.set("language", code)
            expect(ann.page.locator("html")).to_have_attribute("lang", code)
            tops.add(
                ann.page.evaluate(
                    "document.querySelector('#online-board').getBoundingClientRect().top + scrollY"
                )
            )
        ann.set("language", "en")

    look(*LANGUAGES)
    ann.page.click("#online-cells [data-cell='0']", force=True)
    ann.tells("#online-said")  # it is not this player's turn
    look()
    bob.play(4)
    bob.say("a line that is long enough for several lines of a small screen, or even more than two")
    ann.counts("#chat p", 1)
    look(*LANGUAGES)
    ann.play(0)
    bob.page.click("#offer-takeback")
    ann.shows("#offer")
    look()
    ann.page.click("#decline")
    bob.play(8)
    ann.page.locator("#online-replay-first").dispatch_event("click")
    look(*LANGUAGES)
    bob.resign()
    ann.shows("#offer-rematch")
    look(*LANGUAGES)

    assert len(tops) == 1, tops


# -- screens, keys, languages ----------------------------------------------------------------------


def test_the_board_and_whose_turn_it_is_fit_a_low_screen(window: Windows) -> None:
    parts = ("#online-board", "#online-status", "#seat-X", "#seat-O")
    ann = window().go_online()
    for game in ("tic-tac-toe", "connect-four", "ultimate", "gomoku"):
        ann.create("Ann", online_variant=game, opponent="easy", seat="X", clock="86400+0")
        ann.wait_for_status("Your turn: you are")
        ann.shows("#online-picture svg")
        for width, height in ((740, 360), (844, 390), (640, 400)):
            ann.page.set_viewport_size({"width": width, "height": height})
            ann.page.evaluate("scrollTo(0, 0)")
            assert hidden_parts(ann.page, *parts) == [], (game, width)
        ann.play(0)
        ann.wait_for_moves(2)
        ann.page.locator("#online-replay-first").dispatch_event("click")
        ann.page.locator("#online-cells [data-cell='0']").dispatch_event("click")
        ann.mentions("#online-said", "looking back")
        assert hidden_parts(ann.page, "#online-said", *parts) == [], game
        ann.page.click("#leave")
        ann.mentions("#confirm-text", "Your clock runs on")
        ann.page.click("#confirm-yes")


def test_the_board_and_the_buttons_fit_a_small_phone_without_scrolling(window: Windows) -> None:
    ann, bob = window(PHONE).go_online(), window().go_online()
    bob.create("Bob", seat="O", online_variant="wild", clock="180+2")
    ann.join_first("Ann")
    ann.page.set_viewport_size({"width": 360, "height": 640})
    always = ("#online-status", "#online-board", "#seat-X", "#seat-O")

    def hidden(*buttons: str) -> dict[str, list[str]]:
        found = {}
        for code in LANGUAGES:
            ann.set("language", code)
            expect(ann.page.locator("html")).to_have_attribute("lang", code)
            ann.page.evaluate("scrollTo(0, 0)")
            if parts := hidden_parts(ann.page, *always, *buttons):
                found[code] = parts
        return found

    ann.wait_for_status("Your turn")
    assert hidden("#offer-takeback", "#offer-draw", "#abort", "#leave") == {}
    ann.set("language", "en")
    ann.play(0)
    bob.play(4)
    bob.page.click("#offer-takeback")
    ann.shows("#accept")
    assert hidden("#accept", "#decline") == {}
    ann.page.click("#decline")
    ann.resign()
    ann.shows("#offer-rematch")
    assert hidden("#offer-rematch", "#pair-again", "#leave") == {}


@pytest.mark.parametrize(
    ("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"]
)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    window: Windows, size: tuple[int, int], scheme: str
) -> None:
    ann, bob = window(size, scheme).go_online(), window().go_online()

    def check(player: Player) -> None:
        player.wait("document.getAnimations().every(each => each.playState === 'finished')")
        assert violations(player.page) == []
        width = player.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0]

    bob.create("Bob", seat="X", clock="180+2")
    ann.counts("#open-games tbody tr", 1)
    check(ann)
    ann.join_first("A name that goes on and on until its end")
    bob.play(4)
    bob.page.click("#offer-draw")
    ann.shows("#offer")
    bob.say("hello " * 30)
    ann.counts("#chat p", 1)
    check(ann)
    ann.page.click("#accept")
    bob.mentions("#online-status", "agreed on a draw")
    ann.shows("#record-part")
    check(ann)
    ann.turn_to("#online")
    ann.counts("#own-games tbody tr", 1)
    ann.unfold_form()
    ann.page.select_option("#clock", "own")
    check(ann)
    eve = window(size, scheme).go_online()
    eve.turn_to(f"#game={bob.game}")
    eve.expect_board()
    check(eve)


def test_the_keyboard_is_enough(window: Windows) -> None:
    ann = window().go_online()
    ann.unfold_form()
    ann.page.select_option("#opponent", "easy")
    ann.page.select_option("#seat", "X")
    ann.page.focus("#create")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#room-title")).to_be_focused()

    ann.wait_for_status("Your turn")
    ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("ArrowLeft")
    ann.page.keyboard.press("Enter")
    ann.wait_for_moves(2)
    ann.page.keyboard.press("Tab")
    focused = ann.page.evaluate("document.activeElement.id")

    assert ann.marks[3] == "X"
    assert focused == "offer-takeback"


def test_the_page_speaks_every_language_online(window: Windows) -> None:
    ann = window().go_online()
    ann.create("Ann", opponent="easy", seat="X")

    for code in LANGUAGES:
        ann.set("language", code)
        expect(ann.page.locator("html")).to_have_attribute("lang", code)
        language = load(code, {})
        ann.says("#leave", language.gettext("Leave for now"))
        ann.wait_for_status(language.gettext("Your turn: you are {mark}.").format(mark="X"))
    assert ann.complaints == []


# -- no game server, no network --------------------------------------------------------------------


def test_without_a_game_server_nothing_of_it_is_shown(site: Path, open_page: OpenPage) -> None:
    with serving(site) as static:
        screen = open_page(static.url)
        screen.click_cell(4)
        screen.wait_for_moves(2)
        screen.page.wait_for_load_state("networkidle")

        assert screen.page.locator("#online").count() == 0
        assert screen.complaints == []
        screen.open(f"#game={'A' * 22}")
        screen.page.wait_for_selector("#refusal:not(:empty)")
        assert screen.refusal == "This link does not lead to a game."


def test_without_a_network_nobody_is_looked_for(window: Windows) -> None:
    ann = window()
    anyone = ann.page.locator("#way-anyone")
    ann.page.context.set_offline(True)
    try:
        expect(anyone).to_have_text("No network")
        expect(anyone).to_be_disabled()
    finally:
        ann.page.context.set_offline(False)
    expect(anyone).to_have_text("Anyone")
    expect(anyone).to_be_enabled()
    ann.go_online()
    ann.complaints.clear()  # of the connections that failed meanwhile


@pytest.mark.slow
def test_without_a_network_the_page_remembers_online_play(
    game_server: Server, window: Windows
) -> None:
    ann, bob = two_players(window, 4)
    ann.page.wait_for_function("navigator.serviceWorker.controller !== null")
    ann.reload()  # which tells the service worker of the game server
    ann.wait_for_moves(1)

    game_server.kill()
    ann.reload()
    ann.mentions("#connection", "Reconnecting")
    game_server.start()

    ann.wait_for_moves(1)
    bob.expect_connected()
    bob.play(0)
    ann.wait_for_moves(2)


def test_without_scripts_a_line_leads_to_the_plain_pages(
    game_server: Server, chromium: Browser
) -> None:
    with contextlib.closing(chromium.new_context(java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto(game_server.address)
        page.click(".noscript a")
        expect(page).to_have_url(re.compile("/games$"))
        expect(page.locator("h1")).to_be_visible()
