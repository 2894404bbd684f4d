"""The page plays online: real windows of Chromium, and a real server that dies in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.frontends.browser.conftest import site
from tests.frontends.browser.pages import Screen, hidden_parts, serving
from tests.frontends.browser.test_browser_access import axe, violations
from tests.machine import needs
from tests.online.processes import Server
from tests.online.windows import (
    DESKTOP,
    PHONE,
    Player,
    Windows,
    loaded_windows,
    server,
    service,
    two_players,
    window,
)
from tic_tac_toe_frontends.server.admin.cli import asked
from tic_tac_toe_frontends.server.admin.place import usual_path
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

__all__ = ["axe", "loaded_windows", "server", "service", "site", "window"]

pytestmark = [needs("chromium", "node", "npm"), pytest.mark.xdist_group("browser")]

HOSTILE = "<img src=x onerror=\"document.title='owned'\">"


# -- a whole game ----------------------------------------------------------------------------------


def test_two_windows_play_a_game_through_the_death_of_the_server(
    server: Server, window: Windows
) -> None:
    ann, bob = two_players(window)
    ann.play(0)
    bob.play(3)
    ann.play(1)
    bob.expect_moves(3)

    server.kill()
    for player in (ann, bob):
        expect(player.page.locator("#connection")).to_contain_text("Reconnecting … (attempt")
    # What is done meanwhile is not lost either.
    bob.page.click("#online-cells [data-cell='4']")
    bob.expect_status("Your move is on its way")
    expect(bob.page.locator("#online-cells [data-cell='4']")).to_have_attribute("data-pending", "O")
    server.start()

    for player in (ann, bob):
        player.expect_connected()
        player.expect_moves(4)
    ann.play(2)
    for player, told in ((ann, "You win!"), (bob, "You lose.")):
        player.expect_status(told)
        assert player.marks == "XXXOO    "
    assert "1. A1 A2 2. B1 B2 3. C1" in server.get(f"/games/{ann.game}/record.txt")[1]
    expect(bob.page.locator("#record-page")).to_have_attribute("href", f"games/{bob.game}")

    bob.page.click("#online-review")
    expect(bob.page.locator("#device")).to_be_visible()
    expect(bob.page.locator("#note")).to_contain_text("The game turned at")
    bob.page.go_back()
    bob.expect_status("You lose.")


def test_two_tabs_of_one_browser_are_two_players(window: Windows) -> None:
    ann = window().go_online()
    address = ann.create("Ann", seat="X", visible="link")
    other = Player.within(ann.page.context, ann.address).open(f"#game={address}")

    expect(other.page.locator("#take-seat")).to_be_visible()
    other.page.fill("#joining-name", "Bob")
    other.page.click("#take-seat button")
    ann.play(4)
    other.play(0)

    for tab in (ann, other):
        tab.reload()
    ann.play(8)
    other.expect_moves(3)
    other.expect_status("Your turn")
    assert other.marks == "O   X   X"
    assert "token" not in ann.page.url
    assert ann.complaints + other.complaints == []


# -- what else players do --------------------------------------------------------------------------


def test_a_link_leads_to_the_free_seat_and_after_that_to_watching(window: Windows) -> None:
    ann = window().go_online()
    address = ann.create("Ann", seat="X", visible="link")
    link = ann.page.input_value("#invite-link")
    assert link == f"{ann.address}#game={address}"
    bob, eve = window().go_online(), window()
    assert bob.page.locator("#open-games tbody tr").count() == 0

    bob.page.fill("#join-link", link)
    bob.page.click("#join-form button")
    bob.page.fill("#joining-name", "Bob")
    bob.page.click("#take-seat button")
    ann.play(4)
    eve.open(f"#game={address}")

    eve.expect_moves(1)
    eve.expect_status("Bob (O) to move.")
    expect(ann.page.locator("#watchers")).to_have_text("1 person watches.")
    expect(eve.page.locator("#take-seat")).to_be_hidden()
    expect(eve.page.locator("#resign")).to_be_hidden()
    eve.page.click("#online-cells [data-cell='0']", force=True)
    expect(eve.page.locator("#online-said")).to_have_text("Only players can do that.")
    bob.play(0)
    eve.expect_moves(2)


def test_watchers_talk_among_themselves_and_players_read_it_after_the_game(
    window: Windows,
) -> None:
    ann, bob = two_players(window)
    ann.play(4)
    bob.play(0)
    eve = window().open(f"#game={ann.game}")
    eve.expect_moves(2)
    eve.page.fill("#chat-line", "Who wins?")
    eve.page.keyboard.press("Enter")
    expect(eve.page.locator("#chat p")).to_have_text(["Watcher 1: Who wins?"])
    bob.page.fill("#chat-line", "Hello!")
    bob.page.keyboard.press("Enter")

    expect(ann.page.locator("#chat p")).to_have_text(["Bob (O): Hello!"])
    ann.resign()
    for player in (ann, bob, eve):
        expect(player.page.locator("#chat p")).to_have_text(
            ["Watcher 1: Who wins?", "Bob (O): Hello!"]
        )


def test_what_the_operator_of_the_server_says_and_removes_is_shown(
    server: Server, window: Windows
) -> None:
    ann, bob = two_players(window)
    ann.play(4)
    ann.page.fill("#chat-line", "rude words")
    ann.page.press("#chat-line", "Enter")
    expect(bob.page.locator("#chat")).to_contain_text("rude words")
    path = usual_path(server.data, 0)

    assert list(asked(path, {"command": "announce", "text": "back at noon"}))[-1] == {"ok": True}
    line = {"command": "line", "game": bob.game, "version": 4}
    assert list(asked(path, line))[-1] == {"ok": True}

    for player in (ann, bob):
        expect(player.page.locator("#announcement-text")).to_contain_text("says: back at noon")
        expect(player.page.locator("#chat")).to_contain_text("(this line was removed)")
        expect(player.page.locator("#chat")).not_to_contain_text("rude words")
    bob.play(0)
    ann.expect_moves(2)
    assert ann.complaints + bob.complaints == []


def test_the_chat_is_kept_with_the_record_once_both_players_want_that(
    window: Windows, server: Server
) -> None:
    ann, bob = two_players(window)
    ann.play(4)
    bob.play(0)
    bob.page.fill("#chat-line", "Well played")
    bob.page.keyboard.press("Enter")
    expect(ann.page.locator("#chat p")).to_have_text(["Bob (O): Well played"])
    expect(ann.page.locator("#offer-keepchat")).to_be_hidden()
    ann.resign()

    ann.page.click("#offer-keepchat")
    expect(ann.page.locator("#online-note")).to_have_text("Your offer waits for an answer.")
    expect(bob.page.locator("#offer-text")).to_contain_text("Ann (X) asks to keep the chat")
    expect(bob.page.locator("#offer-keepchat")).to_be_hidden()
    expect(bob.page.locator("#leave")).to_be_visible()  # nobody has to answer
    bob.page.click("#accept")

    for player in (ann, bob):
        expect(player.page.locator("#offer-keepchat")).to_be_hidden()
    expect(ann.page.locator("#online-note")).to_contain_text("Bob (O) agrees")
    assert "Bob (O): Well played" in server.get(f"/games/{ann.game}")[1]


def test_offers_are_answered_and_a_rematch_swaps_the_seats(window: Windows) -> None:
    ann, bob = two_players(window)
    ann.play(4)
    bob.play(0)
    bob.page.click("#offer-takeback")
    expect(ann.page.locator("#offer-text")).to_have_text("Bob (O) asks to take the last move back.")
    ann.page.click("#accept")
    for player in (ann, bob):
        player.expect_moves(1)
    bob.play(8)
    ann.page.click("#offer-draw")
    bob.page.click("#decline")
    expect(ann.page.locator("#online-note")).to_contain_text("Bob (O) declines the draw.")
    ann.resign()
    bob.expect_status("You win! Ann (X) resigns.")
    first = ann.game

    bob.page.click("#offer-rematch")
    expect(ann.page.locator("#offer-text")).to_have_text("Bob (O) offers a rematch.")
    ann.page.click("#accept")

    bob.expect_status("Your turn")
    ann.expect_moves(0)
    assert ann.game == bob.game != first
    bob.play(4)
    ann.reload()
    ann.play(0)
    bob.expect_moves(2)


def test_a_computer_answers_and_the_clock_runs(window: Windows) -> None:
    ann = window().go_online()
    ann.create("Ann", opponent="easy", seat="X", clock="180+2", online_variant="connect-four")

    ann.play(3)

    ann.expect_moves(2)
    expect(ann.page.locator("#seat-O .who")).to_have_text("Computer: Easy")
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
    bob.expect_status("Looking back: after move 0 of 3.")
    assert bob.marks == " " * 9
    bob.page.click("#online-cells [data-cell='2']", force=True)
    expect(bob.page.locator("#online-said")).to_contain_text("You are looking back")
    bob.page.click("#online-replay-last")

    bob.play(2)
    ann.expect_moves(4)


def test_the_game_on_this_device_and_the_one_online_leave_each_other_alone(
    window: Windows,
) -> None:
    ann = window().turn_to("#x=human&o=human&moves=B2.A1")
    ann.go_online()
    ann.create("Ann", opponent="easy", seat="X")
    ann.play(0)
    online = ann.page.url

    ann.page.check("#mode-device")
    expect(ann.page.locator("#moves button")).to_have_count(2)
    ann.page.click("#cells [data-cell='8']")
    expect(ann.page.locator("#moves button")).to_have_count(3)
    assert ann.page.url.endswith("#moves=B2.A1.C3")
    ann.page.check("#mode-online")

    ann.expect_moves(2)
    assert ann.page.url == online
    assert ann.page.title().startswith("● Tic-tac-toe")


# -- other people's texts --------------------------------------------------------------------------


INVISIBLE = "Zoë 👩‍💻 \u202eevil\u2069"


@pytest.mark.parametrize(
    ("text", "shown"),
    [(INVISIBLE, "Zoë 👩\\u200d💻 \\u202eevil\\u2069"), (HOSTILE[:40], HOSTILE[:40])],
    ids=["invisible", "markup"],
)
def test_names_and_chat_are_shown_as_text_whatever_they_hold(
    window: Windows, text: str, shown: str
) -> None:
    ann, bob = window().go_online(), window().go_online()
    ann.create(text, seat="X")
    expect(bob.page.locator("#open-games tbody tr")).to_contain_text(shown)
    bob.join_first("Bob")
    bob.page.fill("#chat-line", text)
    bob.page.keyboard.press("Enter")

    for player in (ann, bob):
        expect(player.page.locator("#chat p")).to_contain_text(shown)
        assert player.page.locator("#online img, #online script").count() == 0
        assert "owned" not in player.page.title()
        assert player.complaints == []


def test_the_board_and_whose_turn_it_is_fit_a_low_screen_without_scrolling(
    window: Windows,
) -> None:
    parts = ("#online-board", "#online-status", "#seat-X", "#seat-O")
    ann = window().go_online()
    for game in ("tic-tac-toe", "connect-four", "ultimate", "gomoku"):
        ann.create("Ann", online_variant=game, opponent="easy", seat="X", clock="86400+0")
        ann.expect_status("Your turn: you are X.")
        expect(ann.page.locator("#online-picture svg")).to_be_visible()
        for width, height in ((740, 360), (844, 390), (640, 400)):
            ann.page.set_viewport_size({"width": width, "height": height})
            ann.page.evaluate("scrollTo(0, 0)")
            assert hidden_parts(ann.page, *parts) == [], (game, width)
        ann.play(0)
        ann.expect_moves(2)
        ann.page.locator("#online-replay-first").dispatch_event("click")
        ann.page.locator("#online-cells [data-cell='0']").dispatch_event("click")
        expect(ann.page.locator("#online-said")).to_contain_text("looking back")
        assert hidden_parts(ann.page, "#online-said", *parts) == [], game
        ann.page.click("#leave")
        expect(ann.page.locator("#confirm-text")).to_contain_text("Your clock runs on")
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

    ann.expect_status("Your turn")
    assert hidden("#offer-takeback", "#offer-draw", "#abort", "#leave") == {}
    ann.set("language", "en")
    ann.play(0)
    bob.play(4)
    bob.page.click("#offer-takeback")
    expect(ann.page.locator("#accept")).to_be_visible()
    assert hidden("#accept", "#decline") == {}
    ann.page.click("#decline")
    ann.resign()
    expect(ann.page.locator("#offer-rematch")).to_be_visible()
    assert hidden("#offer-rematch", "#pair-again", "#leave") == {}


def test_chat_is_there_once_after_loading_and_in_the_language_of_now(
    server: Server, window: Windows
) -> None:
    ann, bob = two_players(window)
    for player, text in ((ann, "hello"), (bob, "good luck")):
        player.page.fill("#chat-line", text)
        player.page.click("#chat-form button")
        expect(ann.page.locator("#chat p").last).to_contain_text(text)
    server.kill()
    server.start()
    ann.reload()

    for player in (ann, bob):
        player.expect_connected()
        expect(player.page.locator("#chat p")).to_have_text(
            ["Ann (X): hello", "Bob (O): good luck"]
        )
    bob.set("language", "zh")
    expect(bob.page.locator("#chat p")).to_have_text(["Ann (X)：hello", "Bob (O)：good luck"])


# -- everybody -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"]
)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    window: Windows, axe: str, size: tuple[int, int], scheme: str
) -> None:
    ann, bob = window(size, scheme).go_online(), window().go_online()

    def check(player: Player) -> None:
        player.wait("document.getAnimations().every(each => each.playState === 'finished')")
        assert violations(player, axe) == []
        width = player.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0]

    bob.create("Bob", seat="X", clock="180+2")
    expect(ann.page.locator("#open-games tbody tr")).to_have_count(1)
    check(ann)
    ann.join_first("A name that goes on and on until its end")
    bob.play(4)
    bob.page.click("#offer-draw")
    expect(ann.page.locator("#offer")).to_be_visible()
    bob.page.fill("#chat-line", "hello " * 30)
    bob.page.keyboard.press("Enter")
    expect(ann.page.locator("#chat p")).to_have_count(1)
    check(ann)
    ann.page.click("#accept")
    expect(ann.page.locator("#record-part")).to_be_visible()
    check(ann)
    ann.turn_to("#online")
    expect(ann.page.locator("#own-games tbody tr")).to_have_count(1)
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

    ann.expect_status("Your turn")
    ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("ArrowLeft")
    ann.page.keyboard.press("Enter")
    ann.expect_moves(2)
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
        expect(ann.page.locator("#leave")).to_have_text(language.gettext("Leave"))
        ann.expect_status(language.gettext("Your turn: you are {mark}.").format(mark="X"))
    assert ann.complaints == []


# -- no game server --------------------------------------------------------------------------------


def test_where_no_game_server_serves_the_page_nothing_of_it_is_shown(
    site: Path, chromium: Browser
) -> None:
    context = chromium.new_context(locale="en-GB")
    with serving(site) as static:
        screen = Screen.within(context, static.url).open()
        screen.click_cell(4)
        screen.wait_for_moves(2)
        screen.page.wait_for_load_state("networkidle")

        assert screen.page.locator("#modes, #online").count() == 0
        assert screen.complaints == []
        screen.open(f"#game={'A' * 22}")
        screen.page.wait_for_selector("#refusal:not(:empty)")
        assert "This link holds no game" in screen.refusal
    context.close()


@pytest.mark.slow
def test_without_a_network_the_page_remembers_that_there_is_online_play(
    server: Server, window: Windows
) -> None:
    ann, bob = two_players(window)
    ann.play(4)
    ann.page.wait_for_function("navigator.serviceWorker.controller !== null")
    ann.reload()  # which tells the service worker of the game server
    ann.expect_moves(1)

    server.kill()
    ann.reload()
    expect(ann.page.locator("#connection")).to_contain_text("Reconnecting")
    server.start()

    ann.expect_moves(1)
    bob.expect_connected()
    bob.play(0)
    ann.expect_moves(2)
