"""What only the window has: real clicks and keys, focus, buttons, menus, dialogs, threads."""

from __future__ import annotations

import threading
import tkinter as tk
from collections.abc import Iterator
from typing import Any

import pytest

from tests.frontends.programs import PATIENCE
from tests.screens.window import ON_DISPLAY, Open, RealWindow
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, variant_name
from tic_tac_toe.opponents import Opponents
from tic_tac_toe.pictures.board import geometry
from tic_tac_toe_frontends.table.commands import COMMANDS
from tic_tac_toe_frontends.window.commands import OFFERS, sequences_of
from tic_tac_toe_frontends.window.dialogs import GamesDialog, HelpDialog, SizeDialog
from tic_tac_toe_frontends.window.palettes import LIGHT, PALETTES
from tic_tac_toe_frontends.words.game_text import setup_menus
from tic_tac_toe_frontends.words.rules_text import HUMAN, PLAYERS, families
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

ENGLISH = load("en", {})

pytestmark = [*ON_DISPLAY, pytest.mark.medium]


def test_a_whole_game_is_played_with_arrows_and_enter(open_window: Open) -> None:
    stage = open_window()

    stage.type("Return")  # shows the cursor, which begins in the middle
    stage.type("Return")
    stage.type("KP_Left", "Return")
    stage.type("Up", "space")
    stage.type("Right", "Return")
    stage.type("Down", "Down", "Right", "Right", "KP_Enter")

    assert stage.cells == [4, 3, 0, 1, 8]
    assert stage.status == "X wins!"


def test_digits_are_a_number_pad_on_three_by_three(open_window: Open) -> None:
    stage = open_window()

    stage.type("7", "5", "3", "KP_1", "0")

    assert stage.cells == [0, 4, 8, 6]


def test_digits_are_columns_under_gravity_and_clicks_fall_in_them(open_window: Open) -> None:
    stage = open_window("connect-four", animated=True)

    stage.type("4", "4")
    stage.click(3)
    stage.type("Return", "Left", "Return")

    assert stage.cells == [38, 31, 24, 37]


def test_commands_have_buttons_which_are_pale_while_they_do_nothing(open_window: Open) -> None:
    stage = open_window(o="rules")
    table, buttons = stage.table, stage.app.view.bar.buttons
    stage.click(0)
    stage.until(lambda: table.match.ply == 2)

    stage.click_widget(buttons["undo"])
    assert stage.cells == []
    stage.type("ctrl+shift+z")
    assert len(stage.cells) == 2
    stage.click_widget(buttons["new-game"])
    assert stage.cells == []
    stage.click_widget(buttons["resign"])

    assert stage.status == "You resigned: you lose."
    assert buttons["resign"].instate(["disabled"])


def test_a_hint_is_shown_in_words_and_rings_until_the_game_goes_on(open_window: Open) -> None:
    stage = open_window()
    stage.type("7", "5", "8")

    stage.type("h")
    stage.until(lambda: stage.detail == "Stop a line.")
    stage.type("Escape")
    assert stage.detail == "X plays B1."
    stage.click_widget(stage.app.view.bar.buttons["hint"])
    stage.until(lambda: stage.detail == "Stop a line.")
    stage.type("h")
    stage.until(lambda: stage.detail == "Look at the corners.")
    stage.type("h")
    stage.until(lambda: stage.detail.startswith("Best for O: C1."))
    assert len(stage.drawn("oval")) == 1
    stage.click(2)

    assert not stage.drawn("oval")
    assert stage.detail == "O plays C1."


def test_the_forced_board_of_ultimate_is_told_and_lit(open_window: Open) -> None:
    stage = open_window("ultimate")

    stage.click(40)
    stage.click(30)

    assert "Play in the highlighted board" in stage.detail
    (lit,) = (item for item in stage.drawn("rectangle") if stage.option(item, "fill") == "#fff3bf")
    left, top, right, bottom = stage.board.coords(lit)
    x, y = stage.centre_of(0)
    assert left < x < right
    assert top < y < bottom


def test_the_winning_line_grows_after_the_mark_has_fallen(open_window: Open) -> None:
    stage = open_window("mnk:4,4,2,gravity", animated=True)
    board = stage.board

    stage.type("1", "4", "2")
    stage.until(lambda: board.find_withtag("strike"))
    x, _ = stage.centre_of(13)
    stage.until(lambda: max(board.coords(item)[2] for item in board.find_withtag("strike")) > x)

    assert stage.status == "Red wins!"


def test_the_keyboard_reaches_everything_and_shows_where_it_is(open_window: Open) -> None:
    stage = open_window()
    stage.type("7")  # so that something can be taken back
    seen = []

    for _ in range(20):
        stage.type("Tab")
        seen.append(stage.root.focus_get())

    view = stage.app.view
    assert {view.game, *view.seats.values()} <= set(seen)
    assert {view.bar.buttons[name] for name in ("new-game", "undo", "hint", "moves")} <= set(seen)
    while stage.root.focus_get() is not view.board:
        stage.type("Tab")
    (cursor,) = view.board.find_withtag("over")
    assert cursor in stage.drawn("rectangle")


# -- the past, and advice --------------------------------------------------------------------------

#: Cells of a game in which O gives a draw away and X wins.
WON = "74859"


def moves_of(stage: RealWindow) -> list[tuple[str, ...]]:
    tree = stage.app.view.moves.tree
    return [tuple(map(str, tree.item(row, "values")))[1:] for row in tree.get_children()]


def test_the_list_of_moves_marks_the_position_that_is_shown_and_its_buttons_lead_to_others(
    open_window: Open,
) -> None:
    stage = open_window()
    stage.type("7", "5", "9", "ctrl+l")
    tree, buttons = stage.app.view.moves.tree, stage.app.view.moves.buttons
    x, y, width, height = map(int, tree.bbox(tree.get_children()[0], "second"))

    stage.click_in(tree, x + width // 2, y + height // 2)
    assert stage.table.replay.ply == 2
    stage.type("Prior")
    assert moves_of(stage) == [("▸A1", "B2"), ("C1", "")]
    assert len(stage.drawn("image")) == 1
    stage.click_widget(buttons["replay-first"])

    assert stage.status == "Looking back: after move 0 of 3."
    assert buttons["replay-back"].instate(["disabled"])


def test_the_help_tells_the_keys_and_closes_by_one(open_window: Open) -> None:
    stage = open_window("connect-four")

    stage.type("F1")
    (dialog,) = [one for one in stage.root.winfo_children() if isinstance(one, HelpDialog)]
    told = dialog.text.get("1.0", "end")
    dialog.focus_force()
    stage.type("Escape")

    assert "marks fall down in their column" in told
    assert "Ctrl+R\tReview: see where" in told
    assert not dialog.winfo_exists()


def test_a_finished_game_is_reviewed_and_played_on_before_a_mistake(open_window: Open) -> None:
    stage = open_window()
    view = stage.app.view
    offers = view.bar.buttons
    stage.type(*WON)

    stage.click_widget(offers["review"])
    stage.until(lambda: stage.app.past.review.is_complete)
    stage.settle()
    assert stage.status == "Looking back: after move 2 of 5."
    assert moves_of(stage)[0] == ("A1", "▸A2 ?")
    stage.click_in(view.graph, *map(round, view.graph.place_of(5, 1.0)))
    assert stage.detail.startswith("The game turned at move ")
    stage.type("bracketleft", "bracketleft")
    assert stage.status == "Looking back: after move 2 of 5."
    assert stage.detail.startswith("Move 2, O A2, threw away the draw.")
    assert offers["play-on"].cget("text") == "Try another move"
    stage.click_widget(offers["play-on"])

    assert stage.cells == [0]
    assert stage.status == "O to move."
    assert not any(offers[name].winfo_ismapped() for name in OFFERS)
    assert not view.graph.winfo_ismapped()


def test_analysis_shows_what_each_move_leads_to_until_it_is_switched_off(
    open_window: Open,
) -> None:
    stage = open_window()
    stage.type("7", "8", "4", "5")

    def values() -> list[str]:
        items = stage.drawn("text")
        texts = [str(stage.board.tk.call(stage.board, "itemcget", item, "-text")) for item in items]
        return [text for text in texts if text[0] in "+=−"]

    stage.type("a")
    assert stage.app.view.bar.buttons["analysis"].instate(["selected"])
    stage.until(values)
    assert sorted(values()) == sorted(["−1", "−1", "+1", "=", "−1"])
    assert "In the cells: + wins" in stage.detail
    stage.type("a")

    assert values() == []
    assert stage.app.view.bar.buttons["analysis"].instate(["!selected"])


def test_a_long_thought_is_measured_and_ended_by_a_button(open_window: Open) -> None:
    stage = open_window("qubic", o="mcts", opponents=Opponents(PATIENCE))
    view = stage.app.view
    button = view.bar.buttons["move-now"]
    stage.click(0)

    stage.until(button.winfo_ismapped)
    stage.until(view.progress.winfo_ismapped)
    stage.click_widget(button)
    stage.until(lambda: stage.table.match.ply == 2)

    stage.until(lambda: not view.progress.winfo_ismapped())
    assert not button.winfo_ismapped()


# -- the families of games -------------------------------------------------------------------------


def filled(stage: RealWindow, colour: str) -> int:
    """Return how many rectangles on the board are filled with a colour."""
    return [stage.option(item, "fill") for item in stage.drawn("rectangle")].count(colour)


def picture_in(stage: RealWindow, cell: int) -> str:
    """Return the name of the picture of the mark in a cell."""
    x, y = stage.centre_of(cell)
    (item,) = set(stage.board.find_overlapping(x, y, x, y)) & {*stage.drawn("image")}
    return stage.option(item, "image")


def letters_of(stage: RealWindow) -> str:
    return "".join(move.mark for move in stage.table.match.history)


def headings(stage: RealWindow) -> list[object]:
    tree = stage.app.view.moves.tree
    return [tree.heading(column, "text") for column in ("first", "second")]


def test_the_letter_is_chosen_by_a_switch_or_its_key_and_stays_until_another_is(
    open_window: Open,
) -> None:
    stage = open_window("wild")
    switch = stage.app.view.move_choice

    stage.click_widget(switch.letters["O"])
    stage.click(0)
    stage.click(8)
    stage.type("x", "5", "O", "8", "ctrl+z")
    assert letters_of(stage) == "OOX"
    stage.type("Cyrillic_o", "6")
    assert letters_of(stage) == "OOXO"
    assert stage.detail == "Player 2 puts O on C2."
    stage.type("9")  # by the number pad: C1

    assert letters_of(stage) == "OOXOO"
    assert stage.status == "Player 1 wins!"
    assert headings(stage) == ["Player 1", "Player 2"]
    assert stage.app.view.score.cget("text") == "Player 1: 1, Player 2: 0"


def test_the_chosen_letter_is_seen_where_it_would_come_by_pointer_and_by_keys(
    open_window: Open,
) -> None:
    stage = open_window("order-and-chaos")
    board = stage.board
    x, y = stage.centre_of(7)

    def ghost() -> str:
        items = set(board.find_withtag("over")) & {*stage.drawn("image")}
        return stage.option(items.pop(), "image")

    board.event_generate("<Motion>", x=x, y=y)
    seen = [ghost()]
    stage.type("o")
    seen.append(ghost())
    stage.type("x", "Return")
    seen.append(ghost())

    assert seen[0] == seen[2] != seen[1]
    assert [seat.cget("text") for seat in stage.app.view.seats.values()] == [
        "Order: Person",
        "Chaos: Person",
    ]


def test_a_hint_names_the_letter_of_each_best_move_in_its_cell(open_window: Open) -> None:
    stage = open_window("wild")
    stage.type("7", "5")  # two crosses, so that the third wins

    stage.type("h")
    stage.until(lambda: stage.detail == "Win at once.")
    stage.type("h")
    stage.until(lambda: stage.detail == "Look at the corners.")
    stage.type("h")
    stage.until(lambda: stage.detail.startswith("Best for Player 1: XC3."))

    assert len(stage.drawn("oval")) == 1
    assert stage.texts.count("X") == 1


def test_the_mark_that_leaves_next_is_pale_and_named_and_the_game_goes_on(
    open_window: Open,
) -> None:
    stage = open_window("vanishing")
    stage.type("7", "9", "1", "4", "6")  # A1 C1 A3 A2 C2
    assert picture_in(stage, 0) != picture_in(stage, 6)
    stage.type("2")
    assert stage.detail.endswith(
        "With the next X the X on A1 leaves. With the next O the O on C1 leaves."
    )

    stage.type("8", "5", "3")

    assert stage.table.state.grid.cells.count("X") == 3
    assert len(stage.cells) == 9
    stage.type("ctrl+z")
    assert len(stage.cells) == 8
    assert picture_in(stage, 6) != picture_in(stage, 1)


def test_layers_have_numbers_and_letters_of_their_own_and_a_row_through_them_is_lit(
    open_window: Open,
) -> None:
    stage = open_window("qubic")

    for layer in range(3):
        stage.click(4 * layer)
        stage.click(4 * layer + 1)
    assert stage.texts.count("A") == 4
    assert {"1", "2", "3", "4"} <= set(stage.texts)
    stage.click(12)

    assert stage.status == "X wins!"
    assert stage.detail == "X plays 4A1. Decided by 1A1, 2A1, 3A1, 4A1."
    assert filled(stage, PALETTES[LIGHT].colours["lit"]) == 4
    assert not stage.board.find_withtag("strike")


def test_boards_of_notakto_that_have_a_row_are_told_from_those_that_are_open(
    open_window: Open,
) -> None:
    stage = open_window("notakto-3")
    for cell in (0, 1, 2):
        stage.click(cell)
    stage.click(9)

    assert filled(stage, PALETTES[LIGHT].colours["lit"]) == 2
    assert stage.detail == "That board has a line, so nobody plays there"
    assert "".join(stage.table.state.grid.cells).split() == ["XXX"]


def test_cells_that_renju_forbids_are_marked_and_refused_with_the_reason(
    open_window: Open,
) -> None:
    stage = open_window("renju")
    for cell in (110, 0, 111, 2, 82, 4, 97, 6):  # F8, G8, H6 and H7 are crosses
        stage.click(cell)

    marked = stage.board.find_withtag("barred")
    stage.click(112)

    assert len(marked) == 1
    left, top, right, bottom = stage.board.bbox(marked[0])
    x, y = stage.centre_of(112)
    assert left < x < right
    assert top < y < bottom
    assert "three" in stage.detail
    assert stage.table.match.ply == 8


def test_the_first_mark_is_taken_over_by_a_button_that_is_there_only_then(
    open_window: Open,
) -> None:
    stage = open_window("connect-four,pie", animated=True)
    view = stage.app.view
    button = view.move_choice.specials["swap"]
    width = stage.board.winfo_width()
    shown: list[bool] = []

    def look() -> None:
        stage.settle()
        shown.append(bool(button.winfo_ismapped()))
        assert stage.board.winfo_width() == width

    look()
    stage.type("4")
    look()
    stage.click_widget(button)
    look()
    assert stage.table.state.grid.cells[38] == "O"
    assert stage.table.state.current_mark is Mark.CROSS
    assert stage.detail == "Yellow takes over the first mark."
    stage.type("ctrl+z")
    look()
    stage.type("ctrl+y", "1")
    look()

    assert shown == [False, True, False, True, False]
    assert stage.table.match.ply == 3


def test_the_keyboard_reaches_the_swap_and_is_at_the_board_when_the_button_goes(
    open_window: Open,
) -> None:
    stage = open_window("mnk:3,3,3,pie")
    view = stage.app.view
    swap = view.move_choice.specials["swap"]

    stage.type("5")
    stage.type("Tab")
    assert stage.root.focus_get() is swap
    stage.type("ctrl+z")
    assert stage.root.focus_get() is view.board
    stage.type("ctrl+y")
    stage.type("Tab", "space")

    assert [move.number for move in stage.table.match.history] == [4, 9]
    assert stage.root.focus_get() is view.board
    stage.app.choose("variant", "tic-tac-toe")
    stage.settle()
    assert not view.move_choice.winfo_ismapped()


@pytest.mark.parametrize("size", ["360x420", "720x510", "400x760"])
def test_the_switch_lies_within_the_window_and_leaves_room_for_the_board(
    open_window: Open, size: str
) -> None:
    stage = open_window("wild")
    stage.root.geometry(size)
    for name in ("wild", "order-and-chaos", "mnk:16,4,4,wild", "connect-four,pie"):
        stage.app.choose("variant", name)
        stage.settle()
        switch, board, root = stage.app.view.move_choice, stage.board, stage.root

        assert switch.winfo_rootx() >= root.winfo_rootx()
        for part in (switch, *stage.app.view.bar.buttons.values()):
            assert (
                part.winfo_rooty() + part.winfo_height() <= root.winfo_rooty() + root.winfo_height()
            )
        extent = geometry(stage.table.state.rules).extent
        left, right = stage.centre_of(0)[0], stage.centre_of(int(extent.width) - 1)[0]
        assert right - left > (extent.width - 1) * 17
        assert 0 <= left <= right <= board.winfo_width()


# -- what is chosen --------------------------------------------------------------------------------


def submenu(menu: tk.Menu, label: str) -> tk.Menu:
    below = menu.nametowidget(menu.entrycget(label, "menu"))
    assert isinstance(below, tk.Menu)
    return below


def dialog_of(stage: RealWindow) -> SizeDialog:
    (dialog,) = [child for child in stage.root.winfo_children() if isinstance(child, SizeDialog)]
    return dialog


def games_of(stage: RealWindow) -> GamesDialog:
    (dialog,) = [one for one in stage.root.winfo_children() if isinstance(one, GamesDialog)]
    return dialog


def test_a_game_is_chosen_by_its_picture_with_mouse_and_keys(open_window: Open) -> None:
    stage = open_window()

    stage.click_widget(stage.app.view.game)
    dialog = games_of(stage)
    assert all(canvas.find_all() for canvas in dialog.tiles.values())
    stage.click_widget(dialog.tiles["Order and Chaos"])
    assert stage.table.state.rules == VARIANTS["order-and-chaos"]
    assert stage.root.title() == "Order and Chaos"
    stage.type("g")
    games_of(stage).tiles["Wild tic-tac-toe"].focus_force()
    stage.type("Return", "Down", "Return")

    assert stage.table.state.rules == VARIANTS["wild"]


def test_menus_of_games_fit_a_low_screen(open_window: Open) -> None:
    stage = open_window()
    menu = submenu(stage.app.view.menus.bar, "Variant")

    assert menu.winfo_reqheight() < 500
    assert submenu(menu, "Notakto").winfo_reqheight() < 500


def test_every_player_can_be_chosen_in_the_menu_and_goes_on_with_the_game(
    open_window: Open,
) -> None:
    stage = open_window(starting="O")
    menu, table = submenu(submenu(stage.app.view.menus.bar, "Players"), "Player O"), stage.table
    for name in PLAYERS:
        table.new_game()
        menu.invoke(PLAYERS.index(name))
        assert table.setup.o == name
        title = dict(setup_menus(ENGLISH, (), table.setup.rules)["o"])[name]
        assert stage.app.view.seats["o"].cget("text") == f"O: {title}"
        if name != HUMAN:
            stage.until(lambda: table.match.ply == 1)


def test_every_game_is_in_the_menu(open_window: Open) -> None:
    stage = open_window()
    menu = submenu(stage.app.view.menus.bar, "Variant")
    for title, games in families(ENGLISH):
        below = menu if len(games) == 1 else submenu(menu, title)
        for name, label in games:
            below.invoke(label)

            assert stage.app.view.game.cget("text") == label
            assert variant_name(stage.table.state.rules) == name


def test_who_starts_holds_at_once_or_from_the_next_game_on(open_window: Open) -> None:
    stage = open_window()
    stage.app.choose("starting", "O")
    starters = [stage.table.state.current_mark]
    stage.type("5")
    stage.app.choose("starting", "X")
    assert stage.table.match.ply == 1
    assert stage.detail == "This holds from the next game on."
    stage.type("ctrl+n")
    starters.append(stage.table.state.current_mark)

    assert starters == [Mark.NAUGHT, Mark.CROSS]


def test_the_language_changes_at_once_also_in_tks_own_dialogs_and_the_game_stays(
    open_window: Open,
) -> None:
    stage = open_window()
    stage.type("7", "5")
    said = {stage.detail}
    for code in list(LANGUAGES)[1:]:
        stage.app.choose("language", code)
        stage.settle()
        said.add(stage.detail)
        assert stage.table.match.ply == 2
        if code == "es":
            assert stage.root.tk.eval('namespace eval ::tk {msgcat::mc "&Cancel"}') == "&Cancelar"
    stage.type("3")

    assert len(said) == len(LANGUAGES)
    assert stage.table.match.ply == 3


def test_the_colours_change_at_once_and_the_game_stays(open_window: Open) -> None:
    stage = open_window(theme="light")
    stage.type("7", "ctrl+l")
    for theme in ("dark", "auto", "light"):
        stage.app.choose("theme", theme)
        stage.settle()

        ground = str(stage.board.cget("background"))
        assert ground in {palette.ground for palette in PALETTES.values()}
        assert theme == "auto" or ground == PALETTES[theme].ground
    assert stage.table.match.ply == 1
    assert stage.app.view.moves.winfo_manager()


def test_a_board_of_another_size_is_asked_for(open_window: Open) -> None:
    stage = open_window()
    submenu(stage.app.view.menus.bar, "Variant").invoke("Another size …")
    dialog = dialog_of(stage)
    dialog.focus_force()
    for box, number in zip(dialog.numbers, (7, 5, 4)):
        box.set(number)
    stage.settle()
    stage.click_widget(dialog.flags["gravity"])

    dialog.start_game()

    assert stage.table.state.rules == find_rules("mnk:7,5,4,gravity")
    assert stage.app.view.game.cget("text") == stage.root.title()


def test_flags_that_do_not_go_together_cannot_be_chosen_for_a_board_of_ones_own(
    open_window: Open,
) -> None:
    stage = open_window("mnk:4,4,3,torus")
    stage.app.ask_size()
    dialog = dialog_of(stage)
    stage.settle()

    def closed() -> set[str]:
        return {flag for flag, box in dialog.flags.items() if box.instate(["disabled"])}

    seen = [closed()]
    for flag in ("wild", "misere", "wild", "pie"):
        stage.click_widget(dialog.flags[flag])
        seen.append(closed())
    dialog.start_game()

    assert seen == [{"gravity", *more} for more in ((), ["pie"], ["pie"], (), ["wild"])]
    assert stage.table.state.rules == find_rules("mnk:4,4,3,torus,misere,pie")


def test_an_impossible_size_is_refused_in_words_and_may_be_mended(open_window: Open) -> None:
    stage = open_window(language="es")
    stage.app.ask_size()
    dialog = dialog_of(stage)
    for text in ("27", "", "-1", "x" * 500, "3,3,3,exact"):
        dialog.numbers[0].set(text)
        dialog.start_game()
        assert dialog.problem.cget("text")
    assert stage.table.state.rules == VARIANTS["tic-tac-toe"]

    dialog.numbers[0].set("4")
    dialog.start_game()

    assert stage.table.state.rules.shape.columns == 4
    assert not dialog.winfo_exists()


# -- thoughts --------------------------------------------------------------------------------------


class Thinker:
    """A computer player that thinks until it is let go; then it takes the first cell."""

    def __init__(self) -> None:
        self.asked: list[GameState] = []
        self.let_go = threading.Event()

    def answer(self, query: Any) -> int:
        self.asked.append(query.state)
        assert self.let_go.wait(PATIENCE)
        cell: int = query.state.legal_cells[0]
        return cell


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    thinker.let_go.set()


def test_the_window_takes_clicks_and_keys_while_a_computer_thinks(
    open_window: Open, thinker: Thinker
) -> None:
    stage = open_window(o="minimax", answer=thinker.answer)
    stage.click(4)
    stage.until(lambda: thinker.asked)

    stage.click(0)
    assert stage.detail == "It's the other player's turn"
    stage.app.choose("theme", "dark")
    stage.type("ctrl+l")
    assert stage.status == "The computer is thinking …"
    stage.type("ctrl+z")
    stage.click(8)
    stage.until(lambda: len(thinker.asked) == 2)
    thinker.let_go.set()

    stage.until(lambda: stage.table.match.ply == 2)
    assert stage.cells == [8, 0]


def test_closing_in_mid_thought_ends_the_window_at_once(
    open_window: Open, thinker: Thinker
) -> None:
    stage = open_window(x="minimax", o="minimax", answer=thinker.answer)
    stage.until(lambda: thinker.asked)

    stage.type("ctrl+q")

    assert stage.is_closed


def test_what_goes_wrong_in_a_thought_is_not_lost(open_window: Open) -> None:
    def fail(_query: object) -> int:
        raise MemoryError("too much thought")

    stage = open_window(o="easy", answer=fail)

    stage.type("5")
    stage.until(lambda: stage.desktop.errors)

    assert [str(error) for error in stage.desktop.errors] == ["too much thought"]
    stage.desktop.errors.clear()
    stage.type("ctrl+z")
    assert stage.table.match.ply == 0


@pytest.mark.slow
def test_a_move_on_the_largest_board_takes_few_calls_of_tk_which_wait_for_thinking_threads(
    open_window: Open,
) -> None:
    stage = open_window("mnk:26,26,26")
    for cell in range(400):
        stage.table.match.submit(stage.table.state.current_mark, cell)
    stage.app.desk.play_cell(400)
    before = stage.desktop.guard.calls

    stage.app.desk.play_cell(401)

    assert stage.desktop.guard.calls - before < 40


def test_every_key_with_a_letter_works_on_a_russian_keyboard_as_well() -> None:
    keys = [key for command in COMMANDS.values() for key in command.keys("window")]
    letters = [key for key in keys if key.split("+")[-1].islower()]

    assert {"e", "i", "ctrl+z"} <= {*letters}
    assert [key for key in letters if "Cyrillic" not in " ".join(sequences_of([key]))] == []
