"""People online, on the page of a real server: their places, seats, words, and its operator."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.chromium import violations
from tests.frontends.browser.pages import IN_CHROMIUM, PEOPLE, SPY, Player, Windows, two_players
from tests.online.processes import Server
from tic_tac_toe_frontends.server.admin.cli import main as admin

pytestmark = IN_CHROMIUM

ON_DEVICE = f"{PEOPLE}&moves=B2.A1"
ELSEWHERE = "You play this game in another tab."
MARKUP = "<img src=x onerror=\"document.title='owned'\">"[:40]
INVISIBLE, ESCAPED = "Zoë 👩‍💻 \u202eevil\u2069", "Zoë 👩\\u200d💻 \\u202eevil\\u2069"


def expect_lobby(player: Player) -> None:
    player.shows("#lobby")
    expect(player.page).to_have_url(f"{player.address}#online")


def expect_game(player: Player, address: str) -> None:
    player.shows("#room")
    expect(player.page).to_have_url(f"{player.address}#game={address}")
    player.expect_board()


def expect_device(player: Player, moves: str) -> None:
    """Expect the board of this device after some moves, such as ``B2.A1``."""
    player.shows("#device")
    expect(player.page).to_have_url(f"{player.address}{moves and f'#moves={moves}'}")
    expect(player.page.locator("#moves button")).to_have_count(moves.count(".") + bool(moves))


def expect_seat(player: Player) -> None:
    """Expect to play X by the name of Ann."""
    player.says("#seat-X .who", "Ann (you)")
    expect(player.page.locator("#elsewhere-text")).to_be_empty()


# -- links, Back and Forward -----------------------------------------------------------------------


def test_a_link_opens_its_game_in_a_tab_that_shows_this_device(window: Windows) -> None:
    ann, bob = window().go_online(), window().turn_to(ON_DEVICE)
    address = ann.create("Ann", seat="X", visible="link")

    bob.turn_to(f"game={address}")
    expect_game(bob, address)
    bob.page.go_back()
    expect_device(bob, "B2.A1")
    bob.open(f"#game={address}")
    expect_game(bob, address)
    bob.page.fill("#joining-name", "Bob")
    bob.page.click("#take-seat button")

    ann.wait_for_status("Your turn")
    assert bob.complaints == []


def test_back_and_forward_go_through_the_places_where_one_was(window: Windows) -> None:
    ann, bob = window().turn_to(ON_DEVICE).go_online(), window().go_online()
    first = ann.create("Ann", seat="X")
    bob.join_first("Bob")
    ann.play(4)
    bob.play(0)
    ann.resign()
    bob.page.click("#offer-rematch")
    ann.page.click("#accept")
    ann.wait_for_status("Bob (X) to move.")
    second = ann.game
    assert second != first

    ann.page.go_back()
    expect_game(ann, first)
    ann.wait_for_status("You lose this time.")
    ann.page.go_back()
    expect_lobby(ann)
    ann.page.go_back()
    expect_device(ann, "B2.A1")
    ann.reload()
    expect_device(ann, "B2.A1")
    for _ in range(3):
        ann.page.go_forward()
    expect_game(ann, second)

    bob.play(4)
    ann.play(0)
    bob.page.go_back()
    expect_game(bob, first)
    assert ann.complaints + bob.complaints == []


def test_a_link_that_leads_to_no_game_leaves_nothing_in_the_way_of_back(window: Windows) -> None:
    ann = window().turn_to(ON_DEVICE)

    ann.turn_to(f"game={'A' * 22}")
    ann.mentions("#online-said", "There is no such game")
    expect_lobby(ann)
    ann.page.go_back()
    expect_device(ann, "B2.A1")
    ann.page.go_forward()

    expect_lobby(ann)


# -- one's own games -------------------------------------------------------------------------------


def test_an_opponent_who_comes_is_announced_on_this_device(window: Windows) -> None:
    ann, bob = window().go_online(), window().go_online()
    text = ann.page.locator("#notice-text")
    ann.create("Ann", seat="X")
    ann.go_to_device()
    bob.join_first("Bob")
    expect(text).to_have_text("Bob (O) has joined your online game.")
    expect(ann.page).to_have_title("● Bob (O) has joined your online game.")
    assert text.get_attribute("role") == "status"
    ann.set("language", "es")
    expect(text).to_contain_text("Bob (O)")
    expect(text).not_to_have_text("Bob (O) has joined your online game.")
    ann.set("language", "en")
    ann.page.click("#notice-go")
    ann.wait_for_status("Your turn")
    expect(text).to_be_empty()
    expect(ann.page).to_have_title("● Bob has come - Tic-tac-toe")

    # The same after going back from a game that waits, and with the page loaded again.
    ann.page.click("#leave")
    address = ann.create("Ann", seat="X")
    ann.page.go_back()
    expect_lobby(ann)
    ann.go_to_device()
    ann.reload()
    expect(text).to_contain_text("Your turn against Bob · first move within")
    bob.page.click("#leave")
    bob.join_first("Bob")
    expect(text).to_have_text("Bob (O) has joined your online game.")
    ann.page.click("#notice-go")
    expect_game(ann, address)
    ann.play(4)
    assert ann.complaints == []


def test_a_player_who_returns_sees_unfinished_games_first(window: Windows) -> None:
    ann, bob = two_players(window)
    ended = ann.game
    ann.play(4)
    bob.play(0)
    ann.page.click("#leave")
    ann.create("Ann", seat="X", opponent="easy", online_variant="connect-four")
    context = ann.page.context
    ann.page.close()
    bob.says("#seat-X .here", "not connected")
    bob.resign()
    bob.wait_for_status("You lose this time. Bob (O) resigns.")

    back = Player.within(context, bob.address).open()
    back.mentions("#notice-text", "Your turn against Computer: Easy")
    back.page.click("#notice-go")
    back.wait_for_status("Your turn")
    back.page.click("#leave")
    games = back.page.locator("#own-games tbody tr")

    expect(games).to_have_text([re.compile("^Connect Four"), re.compile("^Tic-tac-toeBobwin")])
    assert back.page.evaluate(
        "document.querySelector('#own-games-part').getBoundingClientRect().bottom"
        " <= document.querySelector('#open-games').parentElement.getBoundingClientRect().top"
    )
    back.page.locator(f"#own-games [data-game='{ended}'][data-action='go']").click()
    back.wait_for_status("You win 🎉")
    back.page.go_back()
    back.page.locator(f"#own-games [data-game='{ended}'][data-action='remove']").click()
    expect(games).to_have_text([re.compile("^Connect Four")])


def test_a_player_who_waits_cancels_the_game_and_its_entry_goes(window: Windows) -> None:
    ann, bob = window().go_online(), window().go_online()
    ann.create("Ann")
    bob.counts("#open-games tbody tr", 1)
    ann.says("#leave", "Cancel")

    ann.page.click("#leave")

    expect_lobby(ann)
    ann.mentions("#online-said", "The game is cancelled")
    bob.counts("#open-games tbody tr", 0)
    ann.counts("#open-games tbody tr", 0)
    ann.hides("#own-games-part")
    ann.create("Ann", opponent="easy")
    ann.says("#leave", "Leave for now")


# -- a seat in two tabs ----------------------------------------------------------------------------


def test_a_second_tab_on_ones_own_seat_says_so_and_can_take_it_over(window: Windows) -> None:
    ann, bob = two_players(window)
    other = Player.within(ann.page.context, ann.address).open(f"#game={ann.game}")
    said, button = "#elsewhere-text", "#play-here"
    other.says(said, ELSEWHERE)
    other.page.click("#online-cells [data-cell='0']", force=True)
    other.mentions("#online-said", "Only players can do that")
    expect_seat(ann)

    other.page.click(button)
    expect_seat(other)
    ann.says(said, ELSEWHERE)
    other.play(4)
    ann.wait_for_moves(1)
    bob.play(0)
    # Neither a tab that is loaded again nor the server's news take it back.
    for player in (ann, other):
        player.reload()
    ann.says(said, ELSEWHERE)
    expect_seat(other)
    other.play(8)
    ann.page.click(button)
    other.says(said, ELSEWHERE)
    expect_seat(ann)
    bob.play(1)
    ann.play(2)

    other.wait_for_moves(5)
    other.says(said, ELSEWHERE)
    assert ann.complaints + other.complaints == []


def test_two_tabs_of_one_browser_are_two_players(window: Windows) -> None:
    ann = window().go_online()
    address = ann.create("Ann", seat="X", visible="link")
    other = Player.within(ann.page.context, ann.address).open(f"#game={address}")

    other.shows("#take-seat")
    other.page.fill("#joining-name", "Bob")
    other.page.click("#take-seat button")
    ann.play(4)
    other.play(0)

    for tab in (ann, other):
        tab.reload()
    ann.play(8)
    other.wait_for_moves(3)
    other.wait_for_status("Your turn")
    assert other.marks == "O   X   X"
    assert "token" not in ann.page.url
    assert ann.complaints + other.complaints == []


def test_a_link_leads_to_the_free_seat_and_after_that_to_watching(window: Windows) -> None:
    ann = window().go_online()
    address = ann.create("Ann", seat="X", visible="link")
    link = ann.page.input_value("#invite-link")
    assert link == f"{ann.address}#game={address}"
    bob, eve = window().go_online(), window()
    assert bob.page.locator("#open-games tbody tr").count() == 0

    bob.turn_to(link.removeprefix(ann.address))
    bob.page.fill("#joining-name", "Bob")
    bob.page.click("#take-seat button")
    ann.play(4)
    eve.open(f"#game={address}")

    eve.wait_for_moves(1)
    eve.wait_for_status("Bob (O) to move.")
    ann.says("#watchers", "1 person watches.")
    eve.hides("#take-seat")
    eve.hides("#resign")
    eve.page.click("#online-cells [data-cell='0']", force=True)
    eve.says("#online-said", "Only players can do that.")
    bob.play(0)
    eve.wait_for_moves(2)


# -- what is said ----------------------------------------------------------------------------------


def test_players_read_what_watchers_said_after_the_game(window: Windows) -> None:
    ann, bob = two_players(window, 4, 0)
    eve = window().open(f"#game={ann.game}")
    eve.wait_for_moves(2)
    eve.say("Who wins?")
    eve.says("#chat p", ["Watcher 1: Who wins?"])
    bob.say("Hello!")

    ann.says("#chat p", ["Bob (O): Hello!"])
    ann.resign()
    for player in (ann, bob, eve):
        player.says("#chat p", ["Watcher 1: Who wins?", "Bob (O): Hello!"])


def test_chat_is_there_again_and_kept_if_both_want_that(
    game_server: Server, window: Windows
) -> None:
    ann, bob = two_players(window, 4, 0)
    ann.say("hello")
    bob.say("good luck")
    ann.says("#chat p", ["Ann (X): hello", "Bob (O): good luck"])
    game_server.kill()
    game_server.start()
    ann.reload()
    for player in (ann, bob):
        player.expect_connected()
        player.says("#chat p", ["Ann (X): hello", "Bob (O): good luck"])
    bob.set("language", "zh")
    bob.says("#chat p", ["Ann (X)：hello", "Bob (O)：good luck"])
    bob.set("language", "en")
    ann.hides("#offer-keepchat")
    ann.resign()

    ann.page.click("#offer-keepchat")
    ann.says("#online-note", "Your offer waits for an answer.")
    bob.mentions("#offer-text", "Ann (X) asks to keep the chat")
    bob.hides("#offer-keepchat")
    bob.shows("#leave")  # nobody has to answer
    bob.page.click("#accept")

    for player in (ann, bob):
        player.hides("#offer-keepchat")
    ann.mentions("#online-note", "Bob (O) agrees")
    assert "Bob (O): good luck" in game_server.get(f"/games/{ann.game}")[1]


def test_names_and_chat_are_shown_as_text_whatever_they_hold(window: Windows) -> None:
    ann, bob = window().go_online(), window().go_online()
    ann.create(INVISIBLE, seat="X")
    bob.mentions("#open-games tbody tr", ESCAPED)
    bob.join_first(MARKUP)
    ann.say(MARKUP)
    bob.say(INVISIBLE)

    for player in (ann, bob):
        player.mentions("#seat-O", MARKUP)
        player.says("#chat p", [f"{ESCAPED} (X): {MARKUP}", f"{MARKUP} (O): {ESCAPED}"])
        player.counts("#online img, #online script", 0)
        assert "owned" not in player.page.title()
        assert player.complaints == []


def test_lines_are_hidden_by_the_keyboard_and_shown_again(window: Windows) -> None:
    ann, bob = two_players(window)
    bob.say("Boo")
    button = ann.page.get_by_role("button", name="More: Bob (O): Boo")
    button.focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("dialog", name="Bob (O)")).to_contain_text("Boo")
    assert violations(ann.page) == []
    ann.page.get_by_role("button", name="Hide their lines").focus()
    ann.page.keyboard.press("Enter")
    ann.page.keyboard.press("Escape")

    told, note = ann.page.locator("#muted-text"), ann.page.locator("#online-note")
    expect(told).to_have_text("You do not see what Bob (O) says.")
    expect(ann.page.locator("#unmute")).to_be_focused()
    bob.say("Boo again")
    ann.reload()
    expect(told).to_have_text("You do not see what Bob (O) says.")
    ann.counts("#chat p", 0)
    expect(note).not_to_contain_text("Boo")

    ann.page.click("#unmute")
    ann.says("#chat p", ["Bob (O): Boo", "Bob (O): Boo again"])
    ann.hides("#muted")


def test_a_line_and_a_name_are_reported_at_a_click(window: Windows) -> None:
    ann, bob = window().go_online(), window().go_online()
    ann.create("Ann", seat="X")
    bob.join_first("Rude name")
    ann.page.set_viewport_size({"width": 360, "height": 640})
    bob.say("Rude line")
    for opener in ("#chat p button", "#about-O"):
        ann.page.click(opener)
        ann.page.click("#about-report")
        ann.says("#about-said", "Reported to the operator of this server.")
        ann.page.click("#about [data-closes]")
    bob.says("#online-said", "")


def test_a_blocked_player_is_not_met_again_until_the_block_is_taken_back(window: Windows) -> None:
    ann, bob = two_players(window)
    ann.page.click("#about-O")
    ann.page.click("#about-block")
    ann.mentions("#about-said", "You will not meet this player again")
    ann.says("#about-block", "Play with this player again")
    ann.page.click("#about [data-closes]")
    blocked_in = ann.game
    ann.page.click("#abort")
    for player in (ann, bob):
        player.page.click("#leave")
        player.pair(player.page.input_value("#name"))
        player.wait_for_status("Waiting for somebody who wants to play")

    for player in (ann, bob):
        player.page.click("#leave")
        player.shows("#lobby")
    ann.turn_to(f"#game={blocked_in}")
    ann.page.click("#about-O")
    ann.page.click("#about-block")
    ann.says("#about-said", "You can meet this player again.")
    ann.page.click("#about [data-closes]")
    ann.page.click("#leave")
    for player in (ann, bob):
        player.pair(player.page.input_value("#name"))
    for player in (ann, bob):
        player.wait_for_moves(0)
        player.shows("#abort")


def test_a_player_hears_and_sees_that_an_opponent_has_come(window: Windows) -> None:
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
    assert ann.signals() == ["sound"] * 3 + ["Tic-tac-toe: Bob has come"]
    ann.play(0)
    expect(ann.page).to_have_title("Tic-tac-toe")
    ann.signals()
    bob.play(4)
    expect(ann.page).to_have_title("● Tic-tac-toe")
    assert ann.signals() == ["sound"] * 3 + ["Tic-tac-toe: Your turn."]

    ann.page.click("#settings-open")
    for switch in ("#calls", "#notifications"):
        ann.page.uncheck(switch)
    ann.page.keyboard.press("Escape")
    ann.play(1)
    bob.play(3)
    ann.wait_for_moves(4)
    assert ann.signals() == []
    ann.open("#online")


# -- a code for other devices ----------------------------------------------------------------------


def own_code(player: Player) -> str:
    """Return the code that a player's device shows."""
    player.page.click("#settings-open")
    player.page.click("#own-code-open")
    player.page.click("#own-code-show summary")
    player.shows("#own-code-qr svg")
    code: str = player.page.input_value("#own-code-value")
    assert player.page.input_value("#own-code-link") == f"{player.address}#code={code}"
    player.page.keyboard.press("Escape")
    player.page.keyboard.press("Escape")
    return code


def test_a_code_takes_games_to_another_device_unseen(game_server: Server, window: Windows) -> None:
    ann, bob = two_players(window, 4)
    ann.page.click("#leave")
    code = own_code(ann)
    phone = window().go_online()
    own = phone.create("Ann", seat="X", visible="link")
    phone.page.click("#play-meanwhile")

    phone.page.goto("about:blank")
    phone.open(f"#code={code}")
    phone.mentions("#confirm", "can play in your seats")
    assert phone.page.url == f"{phone.address}#online"
    phone.page.click("#confirm-yes")
    phone.mentions("#online-said", "This device has the code now")
    games = phone.page.locator("#own-games tbody tr")
    expect(games).to_have_count(2)  # the device's own stays
    expect(games.filter(has_text="Bob")).to_contain_text("in progress")
    assert phone.page.locator(f"#own-games [data-game='{own}']").count() == 1

    bob.play(0)
    games.filter(has_text="Bob").get_by_role("button").click()
    phone.play(8)
    bob.wait_for_moves(3)
    phone.page.go_back()
    phone.page.go_back()
    assert code not in phone.page.url
    assert code not in game_server.said()
    phone.open("#online")


def test_a_code_of_somebody_else_is_not_taken_without_a_word(window: Windows) -> None:
    ann = window().go_online()
    before = own_code(ann)
    ann.turn_to(f"#code={'A' * 22}")
    ann.mentions("#confirm", "Take no code that somebody else")
    assert "code" not in ann.page.url
    ann.page.click("#confirm-no")
    assert own_code(ann) == before
    ann.turn_to("#code=x")
    ann.mentions("#online-said", "This is no code")


# -- the operator ----------------------------------------------------------------------------------


def operate(server: Server, *words: str) -> None:
    assert admin([*words, "--data", str(server.data)], "tic-tac-toe serve admin") == 0


def test_the_operator_announces_and_removes_a_line(game_server: Server, window: Windows) -> None:
    ann, bob = two_players(window)
    told = ann.page.locator("#announcement-text")
    ann.play(4)
    ann.say("rude words")
    bob.mentions("#chat", "rude words")

    operate(game_server, "announce", "Back in <b>an hour</b>")
    operate(game_server, "line", bob.game, "4")

    for player in (ann, bob):
        player.says("#announcement-text", "The operator of the server says: Back in <b>an hour</b>")
        player.mentions("#chat", "(this line was removed)")
        expect(player.page.locator("#chat")).not_to_contain_text("rude words")
    expect(told).to_have_role("status")
    bob.play(0)
    ann.wait_for_moves(2)
    expect(told).to_be_visible()
    ann.page.click("#announcement-close")
    expect(told).to_have_text("")
    ann.hides("#announcement-close")
    assert ann.complaints + bob.complaints == []


def test_the_operator_takes_a_seat_and_bans_an_address(
    game_server: Server, window: Windows
) -> None:
    ann, bob = two_players(window, 4, 0)
    ann.wait_for_moves(2)
    ann.resign()
    bob.shows("#offer-rematch")

    operate(game_server, "forget", ann.game, "X")
    ann.says("#online-said", "The operator of this server has removed your seat in this game.")
    ann.hides("#offer-rematch")
    ann.says("#connection", "")  # it is back, to watch
    try:
        operate(game_server, "ban", "127.0.0.1", "--for", "1h")
        for player in (ann, bob):
            player.mentions(
                "#connection", "The operator of this server keeps your address away until 2"
            )
    finally:
        operate(game_server, "unban", "127.0.0.1")
    expect(bob.page.locator("#connection")).not_to_contain_text("operator", timeout=60_000)


def test_players_are_told_that_their_game_is_deleted(game_server: Server, window: Windows) -> None:
    players = two_players(window)
    operate(game_server, "delete", players[0].game)
    for player in players:
        player.says("#online-said", "The operator of this server has deleted this game.")
        player.shows("#lobby")
        player.says("#connection", "")
