"""What a player can do about others, and for the own games, on the page of a real server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.conftest import site
from tests.frontends.browser.test_browser_access import axe, violations
from tests.frontends.browser.test_browser_evening import SPY, signals
from tests.machine import needs
from tests.online.processes import Server
from tests.online.windows import (
    Player,
    Windows,
    loaded_windows,
    server,
    service,
    two_players,
    window,
)
from tic_tac_toe_frontends.server.admin.cli import main as admin

__all__ = ["axe", "loaded_windows", "server", "service", "site", "window"]

pytestmark = [needs("chromium", "node", "npm"), pytest.mark.xdist_group("browser")]


def say(player: Player, text: str) -> None:
    """Send a line, and wait until it is there."""
    player.page.fill("#chat-line", text)
    player.page.keyboard.press("Enter")
    expect(player.page.locator("#chat p").last).to_contain_text(text)


def own_code(player: Player) -> str:
    """Return the code that a player's device shows."""
    player.page.click("#own-games-elsewhere")
    player.page.click("#own-code-show summary")
    expect(player.page.locator("#own-code-qr svg")).to_be_visible()
    code: str = player.page.input_value("#own-code-value")
    assert player.page.input_value("#own-code-link") == f"{player.address}#code={code}"
    player.page.keyboard.press("Escape")
    return code


def test_lines_are_hidden_by_the_keyboard_and_shown_again(window: Windows, axe: str) -> None:
    ann, bob = two_players(window)
    say(bob, "Boo")
    button = ann.page.get_by_role("button", name="More: Bob (O): Boo")
    button.focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("dialog", name="Bob (O)")).to_contain_text("Boo")
    assert violations(ann, axe) == []
    ann.page.get_by_role("button", name="Hide their lines").focus()
    ann.page.keyboard.press("Enter")
    ann.page.keyboard.press("Escape")

    told, note = ann.page.locator("#muted-text"), ann.page.locator("#online-note")
    expect(told).to_have_text("You do not see what Bob (O) says.")
    expect(ann.page.locator("#unmute")).to_be_focused()
    say(bob, "Boo again")
    ann.reload()
    expect(told).to_have_text("You do not see what Bob (O) says.")
    expect(ann.page.locator("#chat p")).to_have_count(0)
    expect(note).not_to_contain_text("Boo")

    ann.page.click("#unmute")
    expect(ann.page.locator("#chat p")).to_have_text(["Bob (O): Boo", "Bob (O): Boo again"])
    expect(ann.page.locator("#muted")).to_be_hidden()


def test_a_line_and_a_name_are_reported_at_a_click(window: Windows) -> None:
    ann, bob = window().go_online(), window().go_online()
    ann.create("Ann", seat="X")
    bob.join_first("Rude name")
    ann.page.set_viewport_size({"width": 360, "height": 640})
    say(bob, "Rude line")
    for opener in ("#chat p button", "#about-O"):
        ann.page.click(opener)
        ann.page.click("#about-report")
        expect(ann.page.locator("#about-said")).to_have_text(
            "Reported to the operator of this server."
        )
        ann.page.click("#about [data-closes]")
    expect(bob.page.locator("#online-said")).to_have_text("")


def test_a_blocked_player_is_not_met_again_until_the_block_is_taken_back(window: Windows) -> None:
    ann, bob = two_players(window)
    ann.page.click("#about-O")
    ann.page.click("#about-block")
    expect(ann.page.locator("#about-said")).to_contain_text("You will not meet this player again")
    expect(ann.page.locator("#about-block")).to_have_text("Play with this player again")
    ann.page.click("#about [data-closes]")
    blocked_in = ann.game
    ann.page.click("#abort")
    for player in (ann, bob):
        player.page.click("#leave")
        player.pair(player.page.input_value("#name"))
        player.expect_status("Waiting for somebody who wants to play")

    for player in (ann, bob):
        player.page.click("#leave")
        expect(player.page.locator("#lobby")).to_be_visible()
    ann.turn_to(f"#game={blocked_in}")
    ann.page.click("#about-O")
    ann.page.click("#about-block")
    expect(ann.page.locator("#about-said")).to_have_text("You can meet this player again.")
    ann.page.click("#about [data-closes]")
    ann.page.click("#leave")
    for player in (ann, bob):
        player.pair(player.page.input_value("#name"))
    for player in (ann, bob):
        player.expect_moves(0)
        expect(player.page.locator("#abort")).to_be_visible()


def test_an_offer_is_withdrawn_by_the_button_that_made_it(window: Windows) -> None:
    ann, bob = two_players(window)
    ann.page.click("#offer-draw")
    expect(bob.page.locator("#offer-text")).to_have_text("Ann (X) offers a draw.")
    ann.page.get_by_role("button", name="Withdraw: Offer a draw").click()

    expect(ann.page.locator("#online-note")).to_have_text("You take your offer back.")
    expect(bob.page.locator("#offer")).to_be_hidden()
    expect(bob.page.locator("#online-note")).to_contain_text("Ann (X) takes the offer back.")
    ann.page.click("#offer-draw")
    bob.page.click("#accept")
    expect(bob.page.locator("#online-status")).to_contain_text("agreed on a draw")


def test_a_player_learns_by_ear_title_and_notification_that_an_opponent_has_come(
    window: Windows,
) -> None:
    ann, bob = window().open("#online"), window().go_online()
    ann.page.evaluate(SPY)
    ann.page.evaluate("""() => { Notification.permission = "default"; window.asked = 0;
        Notification.requestPermission = async () => {
            window.asked += 1; Notification.permission = "granted"; return "granted"; }; }""")
    ann.create("Ann", seat="X")
    assert ann.page.evaluate("window.asked") == 0
    ann.page.click("#notify")
    ann.wait("window.asked === 1")
    expect(ann.page.locator("#notify")).to_be_checked()
    ann.page.evaluate("window.isAway = true")
    bob.join_first("Bob")

    expect(ann.page).to_have_title("● Bob has come - Tic-tac-toe")
    assert signals(ann) == ["sound"] * 3 + ["Tic-tac-toe: Bob has come"]
    ann.play(0)
    expect(ann.page).to_have_title("Tic-tac-toe")
    signals(ann)
    bob.play(4)
    expect(ann.page).to_have_title("● Tic-tac-toe")
    assert signals(ann) == ["sound"] * 3 + ["Tic-tac-toe: Your turn."]

    ann.page.click("#settings-open")
    for switch in ("#calls", "#notifications"):
        ann.page.uncheck(switch)
    ann.page.keyboard.press("Escape")
    ann.play(1)
    bob.play(3)
    ann.expect_moves(4)
    assert signals(ann) == []
    ann.open("#online")


def test_a_code_takes_a_player_s_games_to_another_device_and_stays_in_no_address(
    server: Server, window: Windows
) -> None:
    ann, bob = two_players(window)
    ann.play(4)
    ann.page.click("#leave")
    code = own_code(ann)
    phone = window().go_online()
    own = phone.create("Ann", seat="X", visible="link")
    phone.page.click("#play-meanwhile")

    phone.page.goto("about:blank")
    phone.open(f"#code={code}")
    expect(phone.page.locator("#confirm")).to_contain_text("can play in your seats")
    assert phone.page.url == f"{phone.address}#online"
    phone.page.click("#confirm-yes")
    expect(phone.page.locator("#online-said")).to_contain_text("This device has the code now")
    games = phone.page.locator("#own-games tbody tr")
    expect(games).to_have_count(2)  # the device's own stays
    expect(games.filter(has_text="Bob")).to_contain_text("in progress")
    assert phone.page.locator(f"#own-games [data-game='{own}']").count() == 1

    bob.play(0)
    games.filter(has_text="Bob").get_by_role("button").click()
    phone.play(8)
    bob.expect_moves(3)
    phone.page.go_back()
    phone.page.go_back()
    assert code not in phone.page.url
    assert code not in server.said()
    phone.open("#online")


def test_a_code_of_somebody_else_is_not_taken_without_a_word(window: Windows) -> None:
    ann = window().go_online()
    before = own_code(ann)
    ann.turn_to(f"#code={'A' * 22}")
    expect(ann.page.locator("#confirm")).to_contain_text("Take no code that somebody else")
    assert "code" not in ann.page.url
    ann.page.click("#confirm-no")
    assert own_code(ann) == before
    ann.turn_to("#code=x")
    expect(ann.page.locator("#online-said")).to_contain_text("This is no code")


def test_what_the_operator_announces_is_read_out_and_put_away(
    server: Server, window: Windows
) -> None:
    ann = window().go_online()
    told = ann.page.locator("#announcement-text")
    announce = ["announce", "--data", str(server.data), "Back in <b>an hour</b>"]
    assert admin(announce, "tic-tac-toe serve admin") == 0
    expect(told).to_have_text("The operator of the server says: Back in <b>an hour</b>")
    expect(told).to_have_role("status")
    ann.create("Ann")
    expect(told).to_be_visible()

    ann.page.click("#announcement-close")
    expect(told).to_have_text("")
    expect(ann.page.locator("#announcement-close")).to_be_hidden()


def test_a_player_is_told_that_the_operator_has_removed_the_seat_or_keeps_the_address_away(
    server: Server, window: Windows
) -> None:
    ann, bob = two_players(window)
    ann.play(4)
    bob.play(0)
    ann.expect_moves(2)
    ann.resign()
    expect(bob.page.locator("#offer-rematch")).to_be_visible()

    def operate(*words: str) -> None:
        assert admin([*words, "--data", str(server.data)], "tic-tac-toe serve admin") == 0

    operate("forget", ann.game, "X")
    expect(ann.page.locator("#online-said")).to_have_text(
        "The operator of this server has removed your seat in this game."
    )
    expect(ann.page.locator("#offer-rematch")).to_be_hidden()
    expect(ann.page.locator("#connection")).to_have_text("")  # it is back, to watch
    try:
        operate("ban", "127.0.0.1", "--for", "1h")
        for player in (ann, bob):
            expect(player.page.locator("#connection")).to_contain_text(
                "The operator of this server keeps your address away until 2"
            )
    finally:
        operate("unban", "127.0.0.1")
    expect(bob.page.locator("#connection")).not_to_contain_text("operator", timeout=60_000)


def test_players_of_a_game_that_the_operator_deletes_are_told_in_the_lobby(
    server: Server, window: Windows
) -> None:
    players = two_players(window)
    order = ["delete", "--data", str(server.data), players[0].game]
    assert admin(order, "tic-tac-toe serve admin") == 0
    for player in players:
        expect(player.page.locator("#online-said")).to_have_text(
            "The operator of this server has deleted this game."
        )
        expect(player.page.locator("#lobby")).to_be_visible()
        expect(player.page.locator("#connection")).to_have_text("")
