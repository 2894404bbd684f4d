"""The page plays: by mouse and keys, every game, what a move more than a cell is, long thoughts."""

from __future__ import annotations

from gettext import NullTranslations
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Request, Route, expect

from tests.chromium import violations
from tests.frontends.browser.pages import (
    GAMES,
    IN_CHROMIUM,
    PEOPLE,
    OpenPage,
    Screen,
    changed_site,
    serving,
)
from tic_tac_toe.loading import find_game
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.solver.book import FILE
from tic_tac_toe_frontends.browser.own_game import code_of
from tic_tac_toe_frontends.table.served_values import asked_state, write
from tic_tac_toe_frontends.words.rules_text import FAMILIES, PLAYERS

pytestmark = IN_CHROMIUM

ENGLISH = NullTranslations()
#: A game whose computer player thinks for long about each move.
LONG = "#game=gomoku&o=mcts&think=60"
#: Whether the page shows how far a thought is: the bar keeps what it showed of the one before.
IS_THINKING = """!document.getElementById('thinking').hidden
    && document.getElementById('thinking-share').value > 0"""

#: Five in a row on a board that is too large for a table, so that a worker thinks about it.
OWN_GAME = """
from dataclasses import dataclass
from tic_tac_toe.rules import LineRules, Shape

@dataclass(frozen=True, repr=False)
class Squares(LineRules):
    shape: Shape = Shape(5, 6)
    length: int = 4
"""

# -- a game ----------------------------------------------------------------------------------------


def test_a_game_is_won_with_the_mouse_and_counted_until_another_is_chosen(screen: Screen) -> None:
    screen.begin(PEOPLE)
    assert screen.page.is_disabled("#undo")
    screen.play(4, 0, 2, 6, 8, 3)

    assert screen.page.is_enabled("#undo")
    assert screen.page.is_disabled("#redo")
    assert (screen.status, screen.note) == ("O wins 🎉", "")  # the line is drawn
    screen.says("#score", "X 0 : 1 O")
    screen.counts("#picture .ttt-strike", 1)
    screen.choose_game("connect-four-5x4")
    screen.says("#score", "")
    screen.says("#title", "Connect Four, 5 × 4")
    expect(screen.page).to_have_title("Connect Four, 5 × 4")


def test_a_whole_game_is_played_with_the_keyboard_alone(screen: Screen) -> None:
    screen.begin(PEOPLE)

    def press(*keys: str, moves: int = 0) -> None:
        for key in keys:
            screen.page.keyboard.press(key)
        screen.wait_for_moves(moves)

    for _ in range(20):  # the way to the board by Tab: its one cell that can be reached
        press("Tab")
        if screen.page.evaluate("document.activeElement.matches('#cells button')"):
            break
    press("Enter", "ArrowUp", "ArrowLeft", moves=1)  # B2, in the middle
    press("ArrowUp", "ArrowLeft", "Home", moves=1)  # the focus stays on the board at its edges
    assert screen.page.evaluate("document.activeElement.dataset.cell") == "0"
    screen.counts("#cells [tabindex='0']", 1)
    press("Space", "9", moves=3)  # A1, and C1 as on a number pad
    press("End", "Enter", moves=3)  # C1, which is taken
    screen.mentions("#refusal", "not empty")
    press("Home", "ArrowDown", "ArrowDown", "Enter", moves=4)  # A3: O does not see it coming
    press("8", "1", moves=5)
    press("Control+z", moves=4)
    press("Control+y", moves=5)
    press("4", moves=6)

    assert (screen.status, screen.marks) == ("O wins 🎉", "OXXOX O  ")


def test_every_computer_player_can_be_chosen_on_either_side_and_answers(screen: Screen) -> None:
    for menu in ("player-x", "player-o"):
        options = screen.page.eval_on_selector_all(
            f"#{menu} option", "options => options.map(option => option.value)"
        )
        assert options == list(PLAYERS)

    for name in PLAYERS:
        if name == "human":
            continue
        screen.choose("player-o", name)
        screen.page.evaluate("document.getElementById('restart').click()")
        screen.wait_for_moves(0)
        screen.click_cell(4)
        screen.wait_for_moves(2)
        screen.wait_for_status("Your turn.")


def test_hint_and_analysis_are_drawn_and_told_and_stay_until_a_move_is_made(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1.C3")
    screen.analyse()
    screen.counts("#picture .ttt-value", 6)
    assert screen.labels[1] == "B1: empty (−2)"
    screen.page.click("#hint")  # with values on the board the move is told at once
    screen.counts("#picture .ttt-best", 1)
    screen.mentions("#note", "With C1, O makes X stop at B1.")
    told, drawn = screen.note, screen.page.inner_html("#picture")

    screen.page.locator("#cells [data-cell='4']").dispatch_event("click")
    screen.says("#refusal", "Cell is not empty.")
    assert (screen.note, screen.page.inner_html("#picture")) == (told, drawn)
    screen.play(2)
    screen.analyse(False)
    screen.counts("#picture .ttt-value", 0)
    assert screen.labels[1] == "B1: empty"


def test_a_reason_is_told_and_drawn_of_the_last_move_and_of_each_value(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=A1.B2.B1.C1.A2")
    screen.page.click("#explain")
    screen.mentions("#note", "X loses with A2. O completes C1-A3 with A3.")
    screen.counts("#picture .ttt-wash-open", 1)
    assert screen.labels[6] == "A3: empty (!)"

    screen.analyse()
    screen.counts("#picture .ttt-value", 4)
    screen.page.click("#explain")
    screen.mentions("#note", "Choose a move")
    expect(screen.page.locator("#explain")).to_have_attribute("aria-pressed", "true")
    screen.page.focus("#cells [data-cell='8']")
    screen.page.keyboard.press("Enter")
    screen.mentions("#note", "O turns a win into a loss.")
    expect(screen.page.locator("#explain")).to_have_attribute("aria-pressed", "false")
    assert len(screen.moves) == 5
    for _ in range(2):
        screen.page.keyboard.press("F2")
    screen.mentions("#note", "X loses with A2.")
    assert violations(screen.page) == []
    screen.play(6)
    screen.hides("#explain")


def test_a_coach_from_the_settings_objects_by_mouse_and_by_key(screen: Screen) -> None:
    screen.begin("#x=human&o=minimax&moves=A1.B2.B1.C1")
    screen.page.click("#settings-open")
    screen.page.check("#coach")
    screen.close_dialog("settings")
    for answer in ("undo", "go-on"):
        screen.click_cell(3)
        screen.says("#status", "Look at this move again before the computer answers.")
        screen.mentions("#note", "X loses with A2.")
        expect(screen.page.locator("#undo")).to_have_text("Try another move")
        screen.page.focus(f"#{answer}")
        screen.page.keyboard.press("Enter")
        screen.hides("#go-on")
        screen.wait_for_moves(4 if answer == "undo" else 6)
    screen.reload()
    assert screen.page.is_checked("#coach")


def test_a_tree_is_drawn_for_a_late_position(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1.C3.B1.C1")

    screen.choose_more("tree-open")
    screen.page.wait_for_selector("#tree svg")
    screen.close_dialog("tree-dialog")
    screen.choose_more("restart")
    screen.choose_more("tree-open")
    screen.mentions("#tree-note", "too large")

    assert screen.page.locator("#tree svg").count() == 0


# -- letters, old marks, layers, a swap ------------------------------------------------------------


def chosen(screen: Screen) -> str:
    """Return what the switch for letters says is chosen."""
    return screen.page.locator("#letters label:has(:checked)").inner_text()


def test_the_switch_for_letters_stays_as_it_is_and_follows_the_keys(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=wild")
    assert (screen.status, chosen(screen)) == ("Player 1 to move.", "Place X")
    screen.page.click("#letters label:has-text('Place O')")
    screen.page.hover("#cells [data-cell='4']")
    screen.counts("#board .overlay .ghost .ttt-o", 1)
    assert screen.labels[4] == "B2: empty, Place O"
    screen.play(4, 0)
    assert (chosen(screen), screen.marks) == ("Place O", "O   O    ")
    screen.analyse()
    screen.counts("#picture .ttt-value", 14)
    assert screen.labels[8].startswith("C3: empty (X")
    screen.play(8)
    assert screen.status == "Player 1 wins 🎉"
    screen.says("#score", "Player 1: 1, Player 2: 0")
    assert screen.fragment == "game=wild&moves=OB2.OA1.OC3"
    screen.says("label:has(#player-x) span", "Player 1")

    screen.begin(f"{PEOPLE}&game=mnk:4,3,3,gravity,wild")
    screen.page.keyboard.press("o")
    assert chosen(screen) == screen.page.inner_text("#letter-said") == "Place O"
    screen.page.keyboard.press("2")
    screen.wait_for_moves(1)
    screen.page.keyboard.press("X")
    screen.page.keyboard.press("2")
    screen.wait_for_moves(2)
    assert (screen.moves, screen.labels[9], screen.labels[5]) == (
        ["1.O2", "2.X2"],
        "B3: O",
        "B2: X",
    )
    screen.begin(f"{PEOPLE}&moves=B2")
    screen.hides("#letters")


def test_what_a_game_shows_besides_marks_is_drawn(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=ultimate&moves=E5")
    screen.counts("#picture .ttt-lit", 1)
    screen.counts("#cells [aria-disabled=false]", 8)

    screen.begin(GAMES["old marks"])
    assert screen.labels[4] == "B2: X, leaves next"
    screen.counts("#picture .ttt-leaving", 2)
    screen.page.locator("#cells [data-cell='4']").dispatch_event("click")
    screen.tells("#refusal")
    screen.play(5)
    assert screen.marks == "OOX  XO X"
    screen.page.click("#replay-back")
    screen.wait_for_status("Looking back: after move 6 of 7.")
    assert screen.marks == "OOX X O X"

    screen.begin(f"{PEOPLE}&game=3x3x3")
    screen.play(0, 1, 3, 2, 6)  # 1A1, 1B1, 2A1, 1C1, 3A1
    screen.counts("#picture .ttt-lit", 3)
    screen.begin(GAMES["a line around the edge"])
    screen.counts("#picture .ttt-lit", 3)


def test_the_first_mark_is_taken_over_with_a_button_that_goes(screen: Screen) -> None:
    screen.begin(GAMES["a swap"])
    screen.analyse()
    screen.says("#specials button", "Take over the mark (=)")

    screen.page.press("#specials button", "Enter")
    screen.wait_for_moves(2)

    assert screen.moves == ["1.X B2", "2.O swap"]
    assert screen.labels[4].startswith("B2: O")
    screen.counts("#specials button", 0)
    screen.wait("document.activeElement.matches('#cells button')")
    screen.page.click("#undo")
    screen.counts("#specials button", 1)


# -- after the game --------------------------------------------------------------------------------


def primary(screen: Screen) -> list[str]:
    """Return the names of the primary buttons that can be seen on this device."""
    names: list[str] = screen.page.eval_on_selector_all(
        "#play button.primary", "all => all.filter(e => e.offsetParent).map(e => e.innerText)"
    )
    return names


@pytest.mark.parametrize(
    ("game", "cell", "status", "button"),
    [
        ("o=easy&moves=B2.A1.C3.B1.C1.A3", 5, "You win 🎉", "Play the next level: Medium"),
        ("o=minimax&moves=B2.A1.C3.B1.C1.A3", 5, "You win 🎉", "Play again"),
        ("o=easy&moves=B2.A1.B1.B3.A3.C1.C2.A2", 8, "It is a draw.", "Play again"),
    ],
)
def test_what_comes_after_a_game_is_one_button_that_stands_out(
    screen: Screen, game: str, cell: int, status: str, button: str
) -> None:
    screen.begin(f"#x=human&{game}")
    assert primary(screen) == []

    screen.click_cell(cell)
    screen.wait_for_status(status)
    assert primary(screen) == [button]
    screen.shows("#review-start")
    screen.page.get_by_role("button", name=button).click()

    screen.wait_for_moves(0)
    against = "medium" if "next" in button else game.split("&")[0][2:]
    assert screen.page.input_value("#against") == against
    screen.hides("#next-level")


def test_who_loses_again_and_again_is_offered_an_easier_level(screen: Screen) -> None:
    screen.begin("#x=human&o=medium&moves=B2")
    for count in range(3):
        screen.hides("#easier-level")
        if count:
            screen.page.click("#new-game")
            screen.click_cell(4)
            screen.wait_for_moves(2)
        for _ in range(2):
            screen.page.evaluate("document.getElementById('give-up').click()")
        screen.wait_for_status("You resigned")

    screen.page.click("#easier-level")

    screen.wait_for_moves(0)
    assert screen.page.input_value("#against") == "easy"


def test_the_moves_are_stepped_through_by_keys_and_played_as_a_film(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1.C3.B1.C1.A3.C2")
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
    screen.page.click("#moves button >> nth=1")
    expect(place).to_have_text("Move 2 of 7")


def test_a_review_leads_to_the_mistake_and_lets_another_move_be_tried(screen: Screen) -> None:
    screen.begin("#x=human&o=minimax&moves=A1.B2.B1.C1.C3.A3")
    screen.wait_for_status("You lose this time.")

    screen.page.click("#review-start")
    screen.wait_for_status("Looking back: after move 5 of 6.")
    screen.mentions("#note", "Your move 5, C3, threw away the draw. O completes C1-A3 with A3.")
    screen.counts("#picture .ttt-best", 1)
    assert [move for move in screen.moves if "?" in move] == ["5.X C3 ?mistake"]
    screen.counts("#graph-picture .fault", 1)
    screen.page.click("#replay-last")
    screen.says("#note", "The game turned at move 5 (X C3). All of this is exact.")
    screen.page.focus("#graph-at")
    screen.page.keyboard.press("ArrowLeft")
    screen.wait_for_status("Looking back: after move 5 of 6.")
    screen.page.get_by_role("button", name="Try another move").click()

    screen.wait_for_moves(4)
    screen.wait_for_status("Your turn")
    screen.hides(".faults")


def test_players_change_in_a_game_that_one_side_always_starts(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&first=O")
    screen.choose_game("order-and-chaos")
    screen.choose("player-o", "easy")

    screen.wait("document.querySelectorAll('#starting option').length === 1")
    screen.click_cell(0)
    screen.wait_for_moves(2)


def test_the_focus_goes_on_from_a_button_that_loses_its_effect(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1.C3.B1.C1.A3.C2")
    for button, following in {
        "#replay-first": "#replay-on",
        "#replay-last": "#replay-back",
        "#replay-back": "#replay-back",
        "#play-on": "#cells [tabindex='0']",
        "#undo": "#undo",
    }.items():
        screen.page.press(button, "Enter")
        expect(screen.page.locator(following)).to_be_focused()
    screen.begin(f"{PEOPLE}&moves=B2")
    screen.page.press("#undo", "Enter")
    screen.wait_for_moves(0)
    expect(screen.page.locator("#hint")).to_be_focused()
    screen.choose_more("options-open")
    screen.page.keyboard.press("Escape")
    expect(screen.page.locator("#more")).to_be_focused()


def test_resigning_is_asked_about_once(screen: Screen) -> None:
    screen.begin("#x=human&o=easy&moves=B2.A1")
    button = screen.page.locator("#give-up")

    screen.choose_more("give-up")
    expect(button).to_have_text("Resign now?")
    screen.page.focus("#share-open")
    expect(button).to_have_text("Resign")
    button.click()
    button.click()

    screen.wait_for_status("You resigned")
    expect(button).to_be_hidden()


# -- long thoughts ---------------------------------------------------------------------------------


def test_the_page_goes_on_while_a_computer_thinks(screen: Screen) -> None:
    screen.begin(LONG)
    screen.click_cell(112)
    screen.wait_for_status("The computer is thinking …")

    screen.page.click("#replay-first")
    screen.wait_for_status("Looking back")
    assert len(screen.moves) == 1
    screen.choose_game("tic-tac-toe")
    screen.counts("#cells button", 9)
    screen.click_cell(0)
    screen.wait_for_moves(2)

    assert screen.moves[0] == "1.X A1"
    assert screen.marks.count("O") == 1


def test_a_hint_and_an_analysis_of_a_large_board_come_from_the_worker(screen: Screen) -> None:
    switches = "'Suspending' in WebAssembly"
    forgetful = screen.page.context.new_page()
    assert forgetful.evaluate(switches), "else there is nothing to be taken away"
    forgetful.close()
    screen.open(f"{PEOPLE}&game=gomoku&moves=H8.G7")

    with screen.page.expect_worker() as worker:
        screen.analyse()
        screen.page.click("#hint")
    screen.wait("document.querySelectorAll('#picture .ttt-best').length > 0")
    screen.mentions("#note", "Percentages are estimated")

    # Python gets no stacks of its own, on which Chromium crashes.
    assert screen.page.evaluate(switches) is False
    assert worker.value.evaluate(switches) is False


def test_values_are_estimated_until_the_server_has_solved_them(screen: Screen) -> None:
    context = screen.page.context
    values = f"{screen.address}values?**"
    screen.begin(f"{PEOPLE}&game=connect-four&moves=1.2.1.1.5.6.6.6.5")
    context.route(values, lambda route: route.abort())

    screen.analyse()
    screen.counts("#picture .ttt-value", 7)
    assert "estimated" in screen.note

    screen.analyse(False)
    context.unroute(values)
    moves = "4.4.4.4.4.4.3.3.3.3.3.3.5.5.5.5.5.5"
    screen.turn_to(f"{PEOPLE}&game=connect-four&moves={moves}")
    screen.wait_for_moves(18)
    screen.analyse()
    screen.mentions("#note", "Solved by the server")
    assert "%" not in screen.page.inner_text("#picture")
    screen.complaints.clear()  # the request that was aborted


def test_hints_and_reviews_come_from_a_server_that_has_solved_all(screen: Screen) -> None:
    def solve(route: Route) -> None:
        """Say that only the last of 7 columns wins, as no page would by itself."""
        state = asked_state(dict(parse_qsl(urlsplit(route.request.url).query)))
        solved, moves = MoveEvaluation.solved, state.legal_moves
        found = (solved(at, "win", 3) if at % 7 == 6 else solved(at, "loss", 2) for at in moves)
        route.fulfill(body=write(tuple(found)))

    context, held = screen.page.context, list[Route]()
    values = f"{screen.address}values?**"
    screen.begin(f"{PEOPLE}&game=connect-four&moves=7.7.7.7.1.2.1.2.1.2")
    context.route(values, lambda route: held.append(route))
    with context.expect_event("request", lambda request: "/values?" in request.url):
        screen.analyse()
    screen.counts("#picture .ttt-value", 7)
    assert "Solved by the server" not in screen.note
    solve(held.pop())
    screen.mentions("#note", "Solved by the server")
    screen.analyse(False)

    context.unroute(values)
    context.route(values, solve)
    # After its one second of waiting the page would answer by itself, while this machine is busy.
    screen.page.evaluate(
        "{const set = globalThis.wait = setTimeout;"
        " globalThis.setTimeout = (go, delay) => set(go, delay < 900 ? delay : 100 * delay)}"
    )
    screen.page.click("#hint")
    screen.mentions("#note", "Red can win in 2 moves")
    assert "Best for Red: column 7." in screen.note
    screen.click_cell(14)
    screen.page.click("#review-start")
    screen.wait("document.querySelector('#moves').textContent.split('??').length === 8")
    screen.mentions("#note", "With column 7 it was a win in 2 moves.")  # before others answer

    screen.page.evaluate("globalThis.setTimeout = globalThis.wait")
    context.unroute(values)


def test_a_question_about_a_position_that_was_left_is_withdrawn(
    site: Path, open_page: OpenPage
) -> None:
    def is_question(request: Request) -> bool:
        return "/values?" in request.url

    with serving(site) as server:
        screen = open_page(server.url, f"{PEOPLE}&game=connect-four&moves=7.7.7.7.1.2.1.2.1.2")
        page = screen.page
        with server.solving, page.expect_event("requestfailed", is_question) as left:
            with page.expect_event("request", is_question):
                screen.analyse()
            screen.click_cell(3)

    assert left.value.failure == "net::ERR_ABORTED"


def test_the_opening_book_is_fetched_for_connect_four_alone(
    site: Path, open_page: OpenPage
) -> None:
    early = f"{PEOPLE}&game=connect-four&moves=4.4.4"
    with serving(site) as server:
        screen = open_page(server.url, "#game=gomoku&o=medium", service_workers="block")
        context = screen.page.context
        context.route("**/values?**", lambda route: route.abort())
        fetched = list[str]()
        screen.page.on("request", lambda request: fetched.append(Path(request.url).name))
        screen.click_cell(112)
        screen.wait_for_moves(2)
        assert ("thinker.js" in fetched, FILE in fetched) == (True, False)

        screen.turn_to(early)
        screen.wait_for_moves(3)
        screen.analyse()
        screen.counts("#picture .ttt-value", 7)
        assert FILE in fetched
        assert "estimated" not in screen.note

        context.route(f"**/{FILE}", lambda route: route.abort())
        screen.open(early)
        screen.analyse()
        screen.counts("#picture .ttt-value", 7)
        assert "estimated" in screen.note


def test_a_game_of_ones_own_comes_from_the_server_that_was_started_with_it_and_never_by_a_link(
    site: Path, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "squares.py").write_text(OWN_GAME)
    monkeypatch.chdir(tmp_path)
    with serving(site) as server:
        screen = open_page(server.url, "#game=squares:Squares&o=medium")
        assert screen.refusal == "This link does not lead to a game."
        assert screen.page.locator("#board [role=gridcell]").count() == 9  # it is not known there

        server.own_game = code_of(find_game("squares:Squares"))
        screen = open_page(server.url, "#game=squares:Squares&o=medium")
        assert screen.page.locator("[role=gridcell]").count() == 30
        screen.click_cell(7)  # in the worker, which loads the code as well
        screen.wait_for_moves(2)


@pytest.mark.parametrize(
    "names",
    [
        [*(names[0] for names in FAMILIES.values()), "connect-four,pie", "mnk:9,9,5,torus"],
        pytest.param([*VARIANTS], marks=pytest.mark.nightly),
    ],
    ids=["of each family", "all"],
)
def test_computers_play_games_with_what_the_page_has(screen: Screen, names: list[str]) -> None:
    for name in names:
        screen.begin(f"#game={name}&x=minimax&o=hard&think=0.02")
        screen.wait("document.querySelectorAll('#moves button').length >= 3")
        assert (name, screen.refusal) == (name, "")


def test_where_the_worker_cannot_start_the_game_goes_on(
    site: Path, tmp_path: Path, open_page: OpenPage
) -> None:
    changes = {
        "thinker.js": (
            "const answer = start();",
            'const answer = Promise.reject(new Error("no worker"));',
        )
    }
    broken = changed_site(site, tmp_path / "site", changes)

    with serving(broken) as server:
        screen = open_page(server.url, "#game=gomoku&o=mcts&think=1")
        screen.click_cell(112)
        screen.wait_for_moves(2)
        refusal = screen.refusal
        screen.page.click("#settings-open")
        screen.page.check("#coach")
        screen.close_dialog("settings")
        screen.click_cell(0)  # far from the computer's stone
        screen.wait_for_moves(4)

    assert "no worker" in refusal


def test_a_worker_that_fails_with_several_queries_fails_once(screen: Screen) -> None:
    screen.begin(LONG)
    screen.page.evaluate(
        "() => { const post = Worker.prototype.postMessage;"
        " Worker.prototype.postMessage = function (text) { window.asked = this;"
        " Worker.prototype.postMessage = post; this.postMessage(text); }; }"
    )
    screen.click_cell(112)
    screen.wait(IS_THINKING)

    event = "new ErrorEvent('error', { message: 'no memory' })"
    screen.page.evaluate(f"for (const _ of [1, 2]) asked.dispatchEvent({event})")

    screen.wait_for_moves(2)
    assert "no memory" in screen.refusal


def test_the_question_why_does_not_end_the_computers_thought(screen: Screen) -> None:
    screen.begin(LONG)
    screen.click_cell(112)
    screen.wait(IS_THINKING)

    screen.page.click("#explain")

    screen.mentions("#note", "Nothing about this move can be proved in a sentence.")
    screen.page.click("#move-now")
    screen.wait_for_moves(2)


@pytest.mark.parametrize("strategy", ["minimax", "mcts"])
def test_a_long_thought_shows_how_far_it_is_and_ends_at_a_click(
    screen: Screen, strategy: str
) -> None:
    screen.begin(f"#game=gomoku&o={strategy}&think=60")
    screen.click_cell(112)
    screen.wait(IS_THINKING)
    assert screen.page.is_visible("#move-now")

    screen.page.click("#move-now")

    screen.wait_for_moves(2)
    screen.wait("document.getElementById('thinking').hidden")
    free = screen.page.locator("#cells [data-cell]:not([aria-disabled=true])")
    free.first.click()  # another worker thinks about the next move
    screen.wait(IS_THINKING)
