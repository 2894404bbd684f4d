"""What the page keeps: itself without a network, games, settings; and what strangers give it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.frontends.browser.pages import (
    CLOSE_DIALOGS,
    IN_CHROMIUM,
    PEOPLE,
    SPY,
    OpenPage,
    Screen,
    changed_site,
    serving,
    state_of_link,
)
from tic_tac_toe.logic.rules.catalogue import variant_name

pytestmark = IN_CHROMIUM

#: A game one move of X before it is won.
NEARLY_WON = "#x=human&o=easy&moves=B2.A1.C3.B1.C1.A3"
CACHES = "caches.keys()"

# -- without a network -----------------------------------------------------------------------------


def test_after_one_visit_the_page_plays_without_its_server(site: Path, open_page: OpenPage) -> None:
    with serving(site, "/some/where/") as server:
        screen = open_page(f"{server.url}?lang=es-MX", "#moves=B2.A1")
        screen.wait_until_kept()
        scope = screen.page.evaluate("navigator.serviceWorker.ready.then(worker => worker.scope)")
        assert scope == server.url
        assert screen.page.get_attribute("html", "lang") == "es"

    screen.reload()
    screen.click_cell(8)
    screen.wait_for_moves(4)
    screen.set("language", "ru")
    screen.wait("document.documentElement.lang === 'ru'")
    screen.choose_game("connect-four")
    screen.choose("player-o", "mcts")
    screen.click_cell(3)
    screen.wait_for_moves(2)  # the worker starts without a network, too

    assert screen.complaints == []
    assert screen.outside == []


def test_it_can_be_installed(screen: Screen) -> None:
    client = screen.page.context.new_cdp_session(screen.page)

    found = client.send("Page.getAppManifest")
    errors = client.send("Page.getInstallabilityErrors")["installabilityErrors"]

    assert found["url"].endswith("manifest.webmanifest")
    assert found["errors"] == []
    # Private windows, which tests run in, install nothing: that may be the only objection.
    assert {error["errorId"] for error in errors} <= {"in-incognito"}


def test_a_new_version_replaces_the_old_one(
    site: Path, tmp_path: Path, open_page: OpenPage
) -> None:
    edition = ("<html lang", '<html data-edition="second" lang')
    new = changed_site(site, tmp_path / "new", {"index.html": edition})
    with serving(site) as server:
        screen = open_page(server.url)
        screen.wait_until_kept()
        screen.page.evaluate("caches.open('somebody else')")
        before = screen.page.evaluate(CACHES)
        port = server.server_port

    with serving(new, port=port):
        screen.reload()
        screen.page.wait_for_selector("#update", state="visible")
        with screen.page.expect_navigation():
            screen.page.click("#reload")
        screen.wait_ready()
        screen.wait("document.documentElement.dataset.edition === 'second'")
        screen.wait("caches.keys().then(names => names.length > 0)")
        after = screen.page.evaluate(CACHES)

    assert len(before) == len(after) == 2
    assert set(before) & set(after) == {"somebody else"}


# -- files and links -------------------------------------------------------------------------------


MARKUP = "<img src=x><script>1</script>"
HOSTILE_LINKS = {
    "markup": f"#game={MARKUP}",
    "escaped markup": "#game=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
    "a megabyte": "#moves=" + "A1." * 350_000,
    "broken escapes": "#moves=%zz%ff",
}
HOSTILE_FILES = {
    "markup": MARKUP.encode(),
    "a megabyte": b"A1 " * 350_000,
    "no text": bytes(range(256)) * 10,
}


def assert_harmless(screen: Screen, told: str, longest: int) -> None:
    """See that one short line is told, and nothing of a stranger's is in the page."""
    assert 0 < len(told) < longest
    assert "\n" not in told
    assert screen.page.locator("main script, main img, [data-hacked]").count() == 0


def test_a_hostile_link_is_refused_in_one_line_of_text(screen: Screen) -> None:
    for link in HOSTILE_LINKS.values():
        screen.begin()
        screen.turn_to(link)
        screen.tells("#refusal")

        assert_harmless(screen, screen.refusal, 500)
        assert screen.fragment == ""
    screen.open(HOSTILE_LINKS["markup"])
    assert_harmless(screen, screen.refusal, 500)
    screen.click_cell(4)
    screen.wait_for_moves(2)


@pytest.mark.parametrize("content", HOSTILE_FILES.values(), ids=HOSTILE_FILES)
def test_a_hostile_file_is_refused_in_one_line_of_text(screen: Screen, content: bytes) -> None:
    screen.begin("#moves=B2.A1")

    screen.page.set_input_files(
        "#file", {"name": "game.txt", "mimeType": "text/plain", "buffer": content}
    )
    screen.tells("#open-said")

    assert screen.page.get_attribute("#open-said", "class") == "refused"
    assert_harmless(screen, screen.page.text_content("#open-said") or "", 300)
    assert screen.moves == ["1.X B2", "2.O A1"]


def test_a_game_is_said_to_be_saved_until_another_begins(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=connect-four&moves=4.4.5")
    with screen.page.expect_download() as waiting:
        screen.choose_more("save")
    assert waiting.value.suggested_filename == "connect-four.txt"
    screen.says("#note", "Saved as connect-four.txt.")
    screen.play(2)
    screen.says("#note", "Saved as connect-four.txt.")
    screen.choose_more("restart")
    screen.says("#note", "")


#: Texts that hold a game, and the marks to which they lead.
PASTED = {
    "https://example.org/?lang=es#game=wild&moves=XB2.OA1": "O   X    ",
    '[Variant "tic-tac-toe"]\n[X "Ann"]\n\n1. B2 A1 2. C3 *\n': "O   X   X",
    "XXO/O.X/.O.": "XXOO X O ",
    "B2 A1": "O   X    ",
}
#: Texts that hold none, and what is said of them.
UNFIT = {
    "(;FF[4]GM[4]SZ[15];B[hh];W[hg])": "This text holds no game: this is an SGF file; such files"
    " are not supported yet.",
    "have a look at this": "There is no game in this text: no link, no moves and no position.",
    "https://example.org/#game=chess": "This link does not lead to a game.",
    " ": "There is no text.",
}


@pytest.mark.parametrize("text", PASTED)
def test_a_link_a_record_a_position_or_moves_can_be_pasted(screen: Screen, text: str) -> None:
    screen.begin(PEOPLE)
    screen.choose_more("open-game")
    screen.page.fill("#pasted", text)
    screen.page.click("#open-form [type=submit]")

    screen.hides("#open")
    assert (screen.marks, screen.refusal) == (PASTED[text], "")


def test_what_is_pasted_and_holds_no_game_is_refused_in_a_sentence(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1")
    screen.choose_more("open-game")
    for text, refusal in UNFIT.items():
        screen.page.fill("#pasted", text)
        screen.page.click("#open-form [type=submit]")
        screen.says("#open-said", refusal)
        assert screen.page.input_value("#pasted") == text  # to be mended

    screen.close_dialog("open")
    expect(screen.page.locator("#more")).to_be_focused()
    assert screen.marks == "O   X    "


def is_offered(screen: Screen, name: str) -> bool:
    """Return whether an action stands behind “More”."""
    screen.page.click("#more")
    found = screen.page.is_visible(f"#{name}")
    screen.page.keyboard.press("Escape")
    return found


# -- finished games, links and settings ------------------------------------------------------------


def test_finished_games_are_listed_opened_and_deleted(screen: Screen) -> None:
    screen.begin(NEARLY_WON)
    assert not is_offered(screen, "history-open")
    screen.play(5)
    screen.wait_for_status("You win 🎉")
    screen.page.click("#undo")
    screen.wait_for_moves(6)
    screen.play(5)
    screen.wait_for_status("You win 🎉")  # the end of the same game, and one entry

    screen.reload()
    screen.choose_more("history-open")
    screen.counts("#history li", 1)
    screen.mentions("#history li span", "Tic-tac-toe · Easy")
    screen.says("#history-results", "Tic-tac-toe, Easy: 1 won, 0 drawn, 0 lost")

    screen.close_dialog("past-games")
    screen.page.click("#new-game")
    screen.wait_for_moves(0)
    screen.choose_more("history-open")
    screen.page.click("#history button")
    screen.wait_for_status("Looking back: after move 0 of 7.")
    screen.page.keyboard.press("Enter")
    screen.wait_for_status("Looking back: after move 1 of 7.")

    screen.choose_more("history-open")
    for _ in range(2):
        screen.page.click("#history-clear")
    screen.hides("#past-games")
    assert not is_offered(screen, "history-open")
    assert screen.page.evaluate("localStorage.getItem('tic-tac-toe.history')") is None


def test_address_and_browser_carry_game_and_players_through_a_reload(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=connect-four")
    screen.play(3, 3, 4)
    linked = state_of_link(screen.fragment)
    screen.choose("player-x", "medium")
    screen.choose("think", "2")

    screen.reload()
    screen.choose_more("options-open")

    assert (variant_name(linked.rules), linked.position.marks) == ("connect-four", 3)
    assert screen.moves == ["1.Red 4", "2.Yellow 4", "3.Red 5"]
    assert screen.page.input_value("#player-x") == "medium"
    assert screen.page.input_value("#think") == "2"
    screen.begin("#o=minimax&think=0.25&moves=B2")
    screen.choose_more("options-open")
    assert screen.page.input_value("#think") == "0.25"
    screen.close_dialog("options")
    screen.wait_for_moves(2)


def test_back_leads_to_the_game_before_a_new_one_and_not_out_of_the_page(screen: Screen) -> None:
    screen.begin(PEOPLE)
    screen.play(4, 0)
    screen.choose_more("restart")
    screen.wait_for_moves(0)
    screen.play(8)

    screen.page.go_back()
    screen.wait_for_moves(2)
    assert screen.marks == "O   X    "
    assert screen.fragment == "moves=B2.A1"
    screen.page.go_forward()
    screen.wait_for_moves(1)

    assert screen.marks == "        X"
    screen.says("#score", "")


def test_a_link_to_share_names_the_players_and_has_a_code(screen: Screen) -> None:
    screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.begin("#x=human&o=hard&moves=B2.A1")

    screen.choose_more("share-open")
    screen.page.wait_for_selector("#qr svg path")
    screen.page.click("#copy")
    screen.tells("#share-said")

    copied = screen.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{screen.address}#x=human&o=hard&moves=B2.A1"
    assert screen.page.input_value("#share-link") == copied
    expect(screen.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    screen.page.keyboard.press("Escape")
    expect(screen.page.locator("#more")).to_be_focused()


def test_the_look_and_the_names_are_chosen_and_kept(screen: Screen) -> None:
    styled = "document.querySelector('#board').style.cssText"
    screen.begin(f"{PEOPLE}&game=connect-four")
    board = screen.page.locator("#board")
    expect(board).to_have_attribute("data-look", "discs")
    before = screen.page.evaluate(styled)

    screen.set("look", "marks")
    screen.page.click("#settings-open")
    screen.page.uncheck("#names")
    screen.close_dialog("settings")
    expect(board).to_have_attribute("data-look", "marks")
    assert screen.page.evaluate(styled) != before
    screen.reload()

    expect(board).to_have_attribute("data-look", "marks")
    screen.page.click("#settings-open")
    for _ in range(2):
        screen.page.click("#forget")
    screen.says("#forgotten", "Deleted.")
    expect(board).to_have_attribute("data-look", "discs")


def test_moves_and_ends_are_heard_felt_and_told_if_wanted(screen: Screen) -> None:
    screen.page.evaluate(SPY)
    screen.begin("#x=human&o=easy&moves=B2.A1")
    screen.click_cell(8)
    screen.wait_for_moves(4)
    assert screen.signals() == []  # which nobody has wanted yet

    screen.page.click("#settings-open")
    screen.page.evaluate("Notification.requestPermission = async () => 'denied'")
    screen.page.click("#notifications")
    screen.says("#notifications-said", "This browser does not let the page notify you.")
    expect(screen.page.locator("#notifications")).not_to_be_checked()
    screen.page.evaluate("Notification.requestPermission = async () => 'granted'")
    for name in ("sound", "vibration", "notifications"):
        screen.page.check(f"#{name}")
    screen.close_dialog("settings")
    screen.turn_to(NEARLY_WON)
    screen.wait_for_moves(6)
    assert screen.signals() == []  # of a game that is opened

    screen.page.evaluate("window.isAway = true")
    screen.click_cell(5)
    screen.wait("window.signals.some((name) => name.includes(':'))")
    given = screen.signals()
    assert given.count("sound") == 3
    assert "vibration" in given
    assert [each for each in given if ":" in each] == ["Tic-tac-toe: You win 🎉"]
    screen.open()  # a page that gives signals


# -- anything at all -------------------------------------------------------------------------------

EVENTS = 250
#: Everything that can be clicked but for what opens a window of the system or leaves the page.
MONKEY = """
async ([seed, count]) => {
  const random = () => {  // mulberry32: the same seed gives the same clicks
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const one = (list) => list[Math.floor(random() * list.length)];
  const keys = ["1", "2", "5", "7", "9", "0", "Enter", " ", "Home", "End", "ArrowUp", "ArrowDown",
    "ArrowLeft", "ArrowRight", "Escape", "Tab", "z", "y", "<"];
  for (let i = 0; i < count; i++) {
    const dice = random();
    if (dice < 0.45) {
      one(document.querySelectorAll("#cells button")).click();
    } else if (dice < 0.65) {
      const there = ":not(#save, #open-file, #copy, #reload, #share-system, #result .actions *)";
      one(document.querySelectorAll(`button${there}, summary, input[type=checkbox]`)).click();
    } else if (dice < 0.93) {
      const target = one([document.body, ...document.querySelectorAll("#cells button, select")]);
      if (target.focus) target.focus();
      const key = one(keys);
      const options = { key, bubbles: true, cancelable: true, ctrlKey: random() < 0.3,
        shiftKey: random() < 0.2 };
      const place = document.activeElement ?? document.body;
      place.dispatchEvent(new KeyboardEvent("keydown", options));
    } else if (dice < 0.96) {
      const menu = one(document.querySelectorAll("#device select, #options select:not(:empty)"));
      menu.value = one(menu.options).value;
      menu.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (dice < 0.98) {
      for (const name of ["columns", "rows", "length"])
        document.getElementById(`board-${name}`).value = one(["", "-1", "3", "4", "6"]);
      document.getElementById("board-form").requestSubmit();
    } else {
      location.hash = one(["moves=B2.A1", "moves=B2.B2", "game=connect-four&moves=4.4", "<script>",
        "game=mnk:3,3,3,misere&first=O&moves=5", "x=easy&o=easy"]);
    }
    if (i % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
"""


@pytest.mark.parametrize(
    "seeds", [range(1_000, 1_008), pytest.param(range(1_008, 1_040), marks=pytest.mark.nightly)]
)
def test_random_clicks_and_keys_break_nothing(screen: Screen, seeds: range) -> None:
    for seed in seeds:
        screen.page.evaluate(MONKEY, [seed, EVENTS])
        # The board on the screen is what the moves in the address lead to.
        screen.page.evaluate(CLOSE_DIALOGS)
        screen.page.evaluate("document.getElementById('more-actions').hidePopover()")
        screen.choose("player-x", "human")  # so that the game stands still
        screen.choose("player-o", "human")
        last = screen.page.locator("#replay-last")
        if last.is_enabled():
            last.click()
        assert screen.marks == state_of_link(screen.fragment.replace("%20", " ")).grid.cells
        assert screen.complaints == []

    screen.page.evaluate(CLOSE_DIALOGS)
    screen.set("language", "en")
    screen.open(PEOPLE)
    screen.play(0)
