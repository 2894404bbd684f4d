"""The page plays: by mouse, by keyboard, every game, forwards and backwards."""

from __future__ import annotations

from gettext import NullTranslations

from tests.frontends.browser.pages import IN_CHROMIUM, Screen
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.rules.catalogue import VARIANTS, variant_name
from tic_tac_toe.logic.rules.traits import beginner
from tic_tac_toe_frontends.browser.page.links import read_link
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.words.rules_text import PLAYERS, variant_title

pytestmark = IN_CHROMIUM

ENGLISH = NullTranslations()
PEOPLE = "#x=human&o=human"


def test_a_whole_game_is_played_with_the_mouse(screen: Screen) -> None:
    screen.begin(PEOPLE)
    assert screen.status == "X to move."

    for cell in (4, 0, 2, 6, 8, 3):
        screen.click_cell(cell)
    screen.wait_for_moves(6)

    assert screen.status == "O wins 🎉"
    assert screen.note == "Decided by A1, A2, A3."
    assert screen.marks == "O XOX O X"
    assert screen.moves[0] == "1.X B2"
    assert screen.page.inner_text("#score") == "Score: X 0, O 1, draws 0."
    assert screen.page.locator("#picture .ttt-strike").count() == 1

    screen.page.select_option("#variant", "connect-four-5x4")
    screen.wait("document.querySelector('#score').textContent === ''")
    screen.wait("document.querySelector('#title').textContent === 'Connect Four, 5 × 4'")


def test_a_whole_game_is_played_with_the_keyboard_alone(screen: Screen) -> None:
    screen.begin(PEOPLE)
    press = screen.page.keyboard.press

    for _ in range(20):  # the way to the board by Tab: its one cell that can be reached
        press("Tab")
        if screen.page.evaluate("document.activeElement.matches('#cells button')"):
            break
    press("Enter")  # B2, in the middle
    press("ArrowUp")
    press("ArrowLeft")
    for key in ("ArrowUp", "ArrowLeft", "Home"):  # the focus stays on the board at its edges
        press(key)
    assert screen.page.evaluate("document.activeElement.dataset.cell") == "0"
    assert screen.page.locator("#cells [tabindex='0']").count() == 1
    press("Space")  # A1
    press("9")  # C1, as on a number pad
    press("End")  # C1, which is taken
    press("Enter")
    screen.wait("document.querySelector('#refusal').textContent.includes('not empty')")
    press("Home")
    press("ArrowDown")
    press("ArrowDown")
    press("Enter")  # A3: O does not see it coming
    screen.wait_for_moves(4)
    press("8")
    press("1")
    screen.wait_for_moves(5)
    press("Control+z")
    screen.wait_for_moves(4)
    press("Control+y")

    screen.wait_for_moves(5)
    press("4")
    screen.wait_for_moves(6)
    assert screen.status == "O wins 🎉"
    assert screen.marks == "OXXOX O  "


def test_every_game_of_the_catalogue_loads_and_takes_a_move(screen: Screen) -> None:
    screen.begin(PEOPLE)

    for name, rules in VARIANTS.items():
        screen.page.select_option("#variant", name)
        screen.page.wait_for_function(
            "title => document.title === title", arg=variant_title(rules, ENGLISH)
        )
        starting = Mark.CROSS if beginner(rules, 1) == 0 else Mark.NAUGHT
        screen.page.select_option("#starting", starting.value)
        first = GameState.new(rules).legal_cells[0]
        screen.click_cell(first)
        screen.wait_for_moves(1)

        expected = GameState.new(rules, starting).make_move_to(first).after_state
        assert screen.marks == expected.grid.cells
        assert screen.page.input_value("#variant") == name
        screen.page.click("#new-game")
        screen.page.select_option("#starting", "X")


def test_any_size_can_be_asked_for_and_nonsense_is_refused_in_the_librarys_own_line(
    screen: Screen,
) -> None:
    screen.begin(PEOPLE)
    screen.page.select_option("#variant", "other")

    screen.page.fill("#size", "mnk:<b>,3,3")
    screen.page.keyboard.press("Enter")
    screen.wait("document.querySelector('#size-error').textContent !== ''")
    refusal = screen.page.inner_text("#size-error")
    screen.page.fill("#size", "mnk:5,4,3,gravity,misere")
    screen.page.keyboard.press("Enter")
    screen.wait("document.querySelectorAll('#cells button').length === 20")

    assert refusal == 'columns must be a whole number, not "<b>"'
    assert screen.page.inner_text("#size-error") == ""
    assert (screen.page.text_content("#rules") or "").startswith(
        "5 × 4, 3 in a row; marks fall down"
    )


def test_under_gravity_a_mark_falls_from_any_cell_and_a_full_column_refuses_it(
    screen: Screen,
) -> None:
    screen.begin(f"{PEOPLE}&game=mnk:4,2,4,gravity")

    screen.click_cell(3)
    for count in (1, 2):
        screen.wait_for_moves(count)
        screen.page.keyboard.press("4")

    screen.wait("document.querySelector('#refusal').textContent === 'Column 4 is full.'")
    assert (screen.labels[7], screen.labels[3]) == ("D2: X", "D1: O")


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
        screen.page.click("#new-game")
        screen.wait_for_moves(0)
        screen.click_cell(4)
        screen.wait_for_moves(2)
        screen.wait_for_status("Your turn.")


def test_the_computer_moves_first_where_it_starts_and_takes_over_a_game(screen: Screen) -> None:
    screen.page.select_option("#starting", "O")
    screen.wait_for_moves(1)
    assert screen.marks.strip() == "O"
    assert "first=O" in screen.fragment

    screen.begin(f"{PEOPLE}&moves=B2")
    screen.choose("player-o", "easy")
    screen.wait_for_moves(2)
    assert screen.moves[0] == "1.X B2"


def test_two_computers_play_a_game_by_themselves(screen: Screen) -> None:
    screen.begin("#x=minimax&o=trickster")

    screen.wait_for_moves(9)

    assert screen.status.endswith("No one wins this time 😐")
    assert screen.page.is_disabled("#undo")


def test_undo_redo_and_a_new_game(screen: Screen) -> None:
    screen.click_cell(4)
    screen.wait_for_moves(2)

    screen.page.click("#undo")
    screen.wait_for_moves(0)
    assert screen.page.is_disabled("#undo")
    screen.page.click("#redo")
    screen.wait_for_moves(2)
    assert screen.page.is_disabled("#redo")
    screen.page.click("#new-game")
    screen.wait_for_moves(0)

    assert screen.marks == " " * 9


def test_a_hint_and_the_analysis_stay_until_a_move_is_made(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1.C3")

    screen.page.check("#analysis")
    screen.wait("document.querySelectorAll('#picture .ttt-value').length === 6")
    assert screen.labels[1] == "B1: empty (−2)"
    screen.page.click("#hint")
    screen.wait("document.querySelectorAll('#picture .ttt-best').length === 1")
    assert screen.note.startswith("Best for O: C1.")
    told, drawn = screen.note, screen.page.inner_html("#picture")

    screen.page.locator("#cells [data-cell='4']").dispatch_event("click")
    screen.wait("document.querySelector('#refusal').textContent === 'Cell is not empty.'")
    assert (screen.note, screen.page.inner_html("#picture")) == (told, drawn)

    screen.click_cell(2)
    screen.wait_for_moves(4)
    assert screen.refusal == ""
    screen.page.uncheck("#analysis")
    screen.wait("document.querySelectorAll('#picture .ttt-value').length === 0")
    assert screen.labels[1] == "B1: empty"


def test_the_game_can_be_replayed_and_goes_on_where_it_was(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1.C3")

    screen.page.click("#replay-first")
    screen.wait_for_status("Looking back: after move 0 of 3.")
    assert screen.marks == " " * 9
    screen.page.click("#replay-on")
    screen.wait_for_status("Looking back: after move 1 of 3.")
    assert screen.marks == "    X    "
    screen.page.locator("#cells [data-cell='1']").dispatch_event("click")
    screen.wait("document.querySelector('#refusal').textContent.includes('looking back')")
    screen.page.click("#moves button >> nth=1")
    screen.wait_for_status("Looking back: after move 2 of 3.")
    screen.page.click("#replay-last")
    screen.wait_for_status("O to move.")
    screen.click_cell(1)
    screen.wait_for_moves(4)

    assert screen.marks == "OO  X   X"


def test_the_small_board_to_play_in_is_lit_and_told(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&game=ultimate&moves=E5")

    assert screen.note == "Play in small board B2, from D4 to F6."
    assert screen.page.locator("#picture .ttt-lit").count() == 1
    assert screen.page.locator("#cells [aria-disabled=false]").count() == 8


def test_a_tree_is_drawn_for_a_late_position(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1.C3.B1.C1")

    screen.page.click("#tree-part summary")
    screen.page.wait_for_selector("#tree svg")
    screen.page.click("#new-game")
    screen.wait("document.querySelector('#tree-note').textContent.includes('too large')")

    assert screen.page.locator("#tree svg").count() == 0


def test_the_address_carries_the_game_and_the_browser_its_players_through_a_reload(
    screen: Screen,
) -> None:
    screen.begin(f"{PEOPLE}&game=connect-four")
    for cell in (3, 3, 4):
        screen.click_cell(cell)
    screen.wait_for_moves(3)
    linked = read_link(screen.fragment, Setup(), ENGLISH)
    screen.choose("player-x", "medium")

    screen.reload()

    assert (variant_name(linked.setup.rules), len(linked.moves)) == ("connect-four", 3)
    assert screen.moves == ["1.X 4", "2.O 4", "3.X 5"]
    assert screen.page.input_value("#player-x") == "medium"


def test_back_leads_to_the_game_before_a_new_one_and_not_out_of_the_page(screen: Screen) -> None:
    screen.begin(PEOPLE)
    for cell in (4, 0):
        screen.click_cell(cell)
    screen.wait_for_moves(2)
    screen.page.click("#new-game")
    screen.wait_for_moves(0)
    screen.click_cell(8)
    screen.wait_for_moves(1)

    screen.page.go_back()
    screen.wait_for_moves(2)
    assert screen.marks == "O   X    "
    assert screen.fragment == "moves=B2.A1"
    screen.page.go_forward()
    screen.wait_for_moves(1)

    assert screen.marks == "        X"
    assert screen.page.inner_text("#score") == ""
