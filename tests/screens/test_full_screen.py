"""What only the full screen has: keys, mouse, signs in letters, dialogs, sizes of the terminal."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Collection

import pytest
from textual.widgets import Input

from tests.frontends.programs import PATIENCE
from tests.screens.full_screen import SIZE, FullScreen, Open
from tic_tac_toe.logic.notation import parse_place
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.opponents import Opponents
from tic_tac_toe_frontends.table.commands import COMMANDS
from tic_tac_toe_frontends.tui.keys import key_line
from tic_tac_toe_frontends.tui.screens import OWN_SIZE, HelpScreen
from tic_tac_toe_frontends.words.rules_text import PLAYERS, families
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

pytestmark = pytest.mark.medium

SHAPES = ["mnk:1,1,1", "mnk:26,1,3", "mnk:1,26,3", "mnk:26,26,5,gravity"]


def test_a_whole_game_is_played_by_keys(open_full_screen: Open) -> None:
    stage = open_full_screen(o="minimax")
    stage.keys("5")
    stage.says("O plays A1.")
    stage.keys("up", "enter")
    stage.says("O plays B3.")
    stage.keys("down", "left", "space")
    stage.says("O plays C2.")
    stage.keys("9")
    stage.says("O plays A3.")
    stage.keys("3")
    stage.says("A draw: nobody can do better against this player.")


def test_a_digit_and_a_click_anywhere_in_a_column_drop_a_mark(open_full_screen: Open) -> None:
    stage = open_full_screen("connect-four")
    stage.keys("4")
    stage.says("X plays column 4.")
    stage.click(3)
    stage.says("O plays column 4.")
    stage.keys("right", "enter")

    assert stage.grid[35:] == "   XX  "
    assert stage.grid[31] == "O"


def test_the_cursor_goes_around_the_edges(open_full_screen: Open) -> None:
    stage = open_full_screen()
    stage.keys("left", "left", "up", "up", "enter")

    assert stage.grid == "        X"


def test_the_cursor_stays_in_sight_where_the_board_does_not_fit(open_full_screen: Open) -> None:
    stage = open_full_screen("mnk:26,26,5", size=(40, 12))
    field = stage.app.query_one("#field")
    for keys in (("up",) * 13, ("up",), ("right",) * 14):
        stage.keys(*keys)
        stage.until(stage.sees_cursor)

    assert field.scroll_offset.y > 0


def test_the_last_move_and_the_cursor_are_marked_by_signs(open_full_screen: Open) -> None:
    stage = open_full_screen()
    stage.click(0)
    stage.until(lambda: stage.sign_at(0)[0][0] == "┏")
    stage.keys("right")

    assert (stage.sign_at(0)[0][0], stage.sign_at(0)[-1][-1]) == ("╭", "╯")
    assert (stage.sign_at(1)[0][0], stage.sign_at(1)[-1][-1]) == ("┏", "┛")


def test_a_forced_small_board_is_lit_and_takes_the_cursor(open_full_screen: Open) -> None:
    stage = open_full_screen("ultimate")
    stage.keys("enter")
    stage.keys("right", "enter")
    stage.says("Play in the highlighted board.")

    assert stage.board.cursor == 43
    free = [cell for cell in range(81) if "·" in "".join(stage.sign_at(cell))]
    assert free == [33, 34, 35, 42, 43, 44, 51, 52, 53]


def shows_mark(stage: FullScreen) -> bool:
    """Return whether the only move is drawn in its cell."""
    (move,) = stage.app.table.match.history
    return not {*"XO█●"}.isdisjoint("".join(stage.sign_at(move.cell_index)))


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["tic-tac-toe", "connect-four", "ultimate", *SHAPES])
def test_every_game_is_drawn_and_played_on_screens_of_all_sizes(
    open_full_screen: Open, variant: str
) -> None:
    stage = open_full_screen(variant)
    for size in [(40, 12), (80, 24), (200, 60)]:
        stage.resize(size)
        stage.keys("n", "enter")
        stage.until(lambda: stage.app.table.match.ply == 1)
        stage.until(lambda: shows_mark(stage))
        drawn = max(map(len, stage.lines)), len(stage.lines)
        assert drawn == (stage.board.size.width, stage.board.size.height)


# -- signs -----------------------------------------------------------------------------------------

#: A board of which the cells are two letters wide; the key b draws it with letters.
GOMOKU = "mnk:15,15,5"

CURSOR, LAST = "the cell you are at", "the last move"


def test_where_cells_are_two_letters_wide_brackets_are_whole(open_full_screen: Open) -> None:
    stage = open_full_screen(GOMOKU)
    stage.keys("b", "enter")
    stage.until(lambda: " 8 · · · · · · ·[X]· " in stage.drawing)
    stage.keys("right", "right")

    assert " 8 · · · · · · ·(X)·[·]· " in stage.drawing


def test_brackets_are_whole_at_the_edges_and_beside_walls(open_full_screen: Open) -> None:
    stage = open_full_screen("ultimate", size=(30, 16))
    stage.keys(*["left"] * 4)
    stage.until(lambda: "5[·]· · ┃ " in stage.drawing)
    stage.keys("left")
    stage.until(lambda: "┃ · ·[·]" in stage.drawing)
    stage.keys("left", "left")
    stage.until(lambda: "┃[·]· · " in stage.drawing)


def test_beside_the_cursor_the_last_move_has_one_bracket_and_is_underlined(
    open_full_screen: Open,
) -> None:
    stage = open_full_screen(GOMOKU)
    stage.keys("b", "enter", "right")
    stage.until(lambda: "·(X[·]·" in stage.drawing)
    stage.keys("left", "left")
    stage.until(lambda: "·[·]X)·" in stage.drawing)

    cell = stage.board.cursor + 1
    place = stage.board.plan.places[cell]
    letters = [segment for segment in stage.board.render_line(place.y) if "X" in segment.text]
    assert [segment.style.underline for segment in letters if segment.style] == [True]


def test_a_line_has_an_asterisk_on_either_side_of_each_mark(open_full_screen: Open) -> None:
    stage = open_full_screen(GOMOKU)
    stage.keys("b")
    for _ in range(4):
        stage.keys("enter", "down", "enter", "up", "right")
    stage.keys("enter")

    stage.until(lambda: "*X*X*X*X*X*" in stage.drawing)


@pytest.mark.parametrize(
    ("variant", "size", "cursor", "last"),
    [
        ("tic-tac-toe", SIZE, "┏ ┓ ┗ ┛", "╭ ╮ ╰ ╯"),
        ("tic-tac-toe", (30, 10), "[ ]", "( )"),
        (GOMOKU, SIZE, "[ ]", "( )"),
        (GOMOKU, (30, 10), "reversed colours", "underlined"),
    ],
)
def test_the_help_shows_the_signs_that_are_drawn(
    open_full_screen: Open, variant: str, size: tuple[int, int], cursor: str, last: str
) -> None:
    stage = open_full_screen(variant, size=size)
    stage.keys("enter", "right", "right", "question_mark")

    assert f"{cursor}  {CURSOR}" in stage.dialog
    assert f"{last}  {LAST}" in stage.dialog
    drawn = [sign for sign in "┏┓┗┛╭╮╰╯[]()" if sign in stage.drawing]
    assert drawn == [sign for sign in "┏┓┗┛╭╮╰╯[]()" if sign in cursor + last]


# -- the past, and the bar of keys -----------------------------------------------------------------

#: Cells of a game in which O gives a draw away and X wins.
WON = "74859"


def test_a_finished_game_is_reviewed_and_its_mistakes_are_gone_through(
    open_full_screen: Open,
) -> None:
    stage = open_full_screen()
    stage.keys("v")
    assert not stage.app.past.review.is_on
    stage.keys(*WON, "v")
    stage.says("Looking back: after move 2 of 5.")
    assert "O A2 ?" in stage.text("moves")
    assert stage.text("keys").startswith("k Try another move   ] Mistake")
    assert stage.text("graph").split() == ["X", "▅▅▅▅▅▅▅▅████████████████"]
    stage.keys("end")
    stage.says("The game turned at move")
    stage.keys("left_square_bracket", "left_square_bracket")
    assert "Move 2, O A2, threw away the draw." in stage.text("words")

    stage.keys("k")
    stage.says("O to move.")
    assert stage.grid == "X        "


def test_a_game_is_given_up_at_the_second_press(open_full_screen: Open) -> None:
    stage = open_full_screen()
    stage.keys("5", "f")
    stage.says("Press f once more to give up this game.")
    assert not stage.app.table.match.over

    stage.keys("f")
    stage.says("O resigns.")


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("width", [30, 40, 80, 200])
def test_the_bar_has_the_help_first_and_nothing_that_is_cut(code: str, width: int) -> None:
    language = load(code, {})
    useless = {*COMMANDS} - {"help", "new-game", "undo", "hint", "quit", "analysis", "redo"}

    bar = key_line(language, width, useless)

    assert bar.plain.startswith(f"? {language.gettext('Help')}")
    assert bar.cell_length <= width - 2
    assert len(bar.plain.split()) >= 6


def test_the_smallest_screen_has_the_keys_that_everybody_needs(open_full_screen: Open) -> None:
    stage = open_full_screen(size=(30, 10))
    assert stage.text("keys") == "? Help n New h Hint q Quit"


def test_a_long_thought_is_measured_and_ended_by_a_key(open_full_screen: Open) -> None:
    stage = open_full_screen("qubic", o="mcts", opponents=Opponents(PATIENCE))
    stage.keys("enter")
    stage.until(lambda: stage.text("keys").startswith("d Move now"))
    stage.says("%", "line")

    stage.keys("d")

    stage.until(lambda: stage.app.table.match.ply == 2)
    stage.until(lambda: "Move now" not in stage.text("keys"))


# -- advice and help -------------------------------------------------------------------------------


def test_a_hint_marks_the_best_moves_and_says_what_they_lead_to(open_full_screen: Open) -> None:
    stage = open_full_screen()
    stage.keys("7", "8", "4", "5", "h")
    stage.says("Complete a line.")
    assert "◆" not in stage.drawing

    stage.keys("h")
    stage.says("Look at the corners.")
    stage.keys("h")
    stage.says("Best for X: A3.")

    assert "X wins with this move." in stage.text("words")
    assert "◆" in "".join(stage.sign_at(6))
    assert stage.drawing.count("◆") == 1

    stage.keys("1")
    stage.says("X wins 🎉")

    assert "◆" not in stage.drawing
    assert "Best for" not in stage.text("words")


def test_the_help_tells_the_rules_the_keys_and_the_signs(open_full_screen: Open) -> None:
    stage = open_full_screen("connect-four")
    stage.keys("question_mark")

    assert isinstance(stage.app.screen, HelpScreen)
    assert "7 × 6, four in a row; marks fall down in their column." in stage.dialog
    assert "A digit plays the column of that number." in stage.dialog
    assert "take back, to your previous turn" in stage.dialog

    stage.keys("q")

    assert len(stage.app.screen_stack) == 1


def test_the_help_has_the_signs_of_its_language(open_full_screen: Open) -> None:
    stage = open_full_screen("connect-four", language="zh")
    stage.keys("question_mark")

    assert re.search(r"四子棋：.*底部。", stage.dialog)


# -- the families of games -------------------------------------------------------------------------


def test_a_letter_is_chosen_by_its_key_or_a_click_and_stays_chosen(open_full_screen: Open) -> None:
    stage = open_full_screen("wild", size=(60, 20))
    assert stage.text("choice") == "x (•) Place X   o ( ) Place O"
    assert "x" in "".join(stage.sign_at(4))

    stage.keys("o")
    stage.until(lambda: "o" in "".join(stage.sign_at(4)))
    assert stage.text("choice") == "x ( ) Place X   o (•) Place O"
    stage.keys("5", "7")
    stage.until(lambda: stage.grid == "O   O    ")
    assert "Player 2 puts O on A1." in stage.text("line")

    assert stage.point("#choice", offset=(8, 0))
    stage.click(8)
    stage.until(lambda: stage.grid == "O   O   X")
    stage.keys("u")
    stage.until(lambda: stage.grid == "O   O    ")
    stage.keys("O", "3")
    stage.until(lambda: "Player 1 wins" in stage.text("line"))
    assert stage.sign_at(8)[0][0] == "*"


def test_a_cell_shows_what_either_letter_leads_to(open_full_screen: Open) -> None:
    stage = open_full_screen("wild")
    stage.keys("5", "o", "1", "h", "a")
    signs = ["X=", "◆ O+2"]
    stage.until(lambda: [e.strip(" ┏┓┗┛") for e in stage.sign_at(2) if e.strip()] == signs)

    stage.resize((30, 10))
    stage.until(lambda: stage.board.plan.scale.height == 1)
    assert "".join(stage.sign_at(2)).strip() == "◆ +2"
    stage.keys("x")
    stage.until(lambda: "".join(stage.sign_at(2)).strip() == "X=")


@pytest.mark.parametrize(("size", "pale"), [((80, 24), "▀▄"), ((30, 9), "x")])
def test_a_mark_that_leaves_next_is_pale_and_named(
    open_full_screen: Open, size: tuple[int, int], pale: str
) -> None:
    stage = open_full_screen("vanishing")
    stage.resize(size)
    stage.keys("7", "8", "9", "4", "5", "3")
    stage.says("With the next X the X on A1 leaves.")

    stage.until(lambda: {*pale} <= {*"".join(stage.sign_at(0))} <= {*f"{pale} "})
    assert not {*"".join(stage.sign_at(2))} <= {*f"{pale} "}

    stage.keys("1")
    stage.until(lambda: stage.grid == " OXOX X O")
    stage.keys("u")
    stage.until(lambda: stage.grid == "XOXOX   O")


def test_layers_are_played_by_keys_and_mouse_and_a_line_through_them_is_lit(
    open_full_screen: Open,
) -> None:
    stage = open_full_screen("qubic", size=(60, 20))

    def cell(name: str) -> int:
        return parse_place(stage.app.table.state, name)

    stage.click(cell("1B3"))
    stage.keys("up", "right", "enter")
    stage.until(lambda: "O plays 1C2." in stage.text("line"))
    for name in ("2B3", "2C2", "3B3", "3C2", "4B3"):
        stage.click(cell(name))
    stage.until(lambda: "Decided by 1B3, 2B3, 3B3, 4B3." in stage.text("line"))

    assert stage.drawing.count("*X*") == 4


def test_signs_show_the_layers_in_which_marks_land(open_full_screen: Open) -> None:
    stage = open_full_screen("score-four")
    assert stage.drawing.count("·") == 16

    stage.keys("enter", "enter")
    stage.until(lambda: "O plays 2" in stage.text("line"))


def test_the_first_mark_is_taken_over_only_while_that_is_possible(open_full_screen: Open) -> None:
    stage = open_full_screen("connect-four-5x4,pie")
    assert stage.text("choice") == ""
    stage.keys("s", "3")
    stage.until(lambda: stage.text("choice") == "s Take over the mark")
    assert stage.point("#choice", offset=(4, 0))
    stage.says("O takes over the first mark.")

    assert stage.text("choice") == ""
    assert stage.grid.strip() == "O"
    assert stage.text("moves") == "1.  X 3      O swap"

    stage.keys("u", "s")
    stage.says("O takes over the first mark.")


def test_dead_boards_can_be_told_from_open_ones(open_full_screen: Open) -> None:
    stage = open_full_screen("notakto-3")
    for name in ("A1", "B1", "C1"):
        stage.click(parse_place(stage.app.table.state, name))
    stage.says("Open boards: D1–F3, G1–I3.")

    open_cells = [cell for cell in range(27) if "·" in "".join(stage.sign_at(cell))]
    assert [cell % 9 // 3 for cell in open_cells] == [1, 1, 1, 2, 2, 2] * 3


# -- dialogs ---------------------------------------------------------------------------------------


def choose(stage: FullScreen, **menus: str) -> None:
    """Open the dialog of a new game and choose entries in its menus."""
    stage.keys("g")
    for name, value in menus.items():
        stage.pick(name, value)
    stage.rest()


def test_the_menus_hold_every_player_and_every_game_by_its_title(open_full_screen: Open) -> None:
    stage = open_full_screen()
    choose(stage)

    def titles(name: str, values: Collection[str]) -> dict[str, str]:
        menu, seen = stage.menu(name), {}
        for _ in values:
            menu.action_go(1)
            stage.rest()
            seen[menu.value] = menu.title
        assert set(seen) == set(values)
        return seen

    for name in ("x", "o"):
        assert len(set(titles(name, PLAYERS).values())) == len(PLAYERS)
    kinds = {title: [*dict(games)] for title, games in families(load("en", {}))}
    games = dict[str, str]()
    for title in titles("family", [*kinds, OWN_SIZE]):
        if title != OWN_SIZE:
            stage.menu("family").choose(title)
            stage.rest()
            games |= titles("game", kinds[title])
    assert {*games} == {*VARIANTS}
    assert len(set(games.values())) == len(VARIANTS)


def test_the_dialog_is_used_by_keys(open_full_screen: Open) -> None:
    stage = open_full_screen()
    stage.keys("g", "down", "right", "down", "left")

    assert stage.text("about") == (
        "columns, rows and line length, as in mnk:7,6,4,gravity; "
        "the name of a game can have flags: gravity, exact, torus, wild, misere, pie"
    )

    stage.keys("u", "enter")
    stage.until(lambda: stage.app.table.setup.rules == VARIANTS["ultimate"])

    assert stage.app.table.setup.o == PLAYERS[1]

    stage.keys("g", "right", "escape")

    assert len(stage.app.screen_stack) == 1
    assert stage.app.table.setup.x == "human"


def test_the_dialog_calls_the_players_as_the_chosen_game_does(open_full_screen: Open) -> None:
    stage = open_full_screen()
    choose(stage, game="order-and-chaos", starting="O")

    assert stage.text("x-title") == "Order"
    assert stage.menu("starting").title == "Order", "which begins whatever is chosen"

    stage.keys("enter")
    stage.says("Order to move.")

    assert "▸Order" in stage.text("players")
    assert stage.text("score") == "Order 0 : 0 Chaos"


def test_the_dialog_is_used_by_mouse(open_full_screen: Open) -> None:
    stage = open_full_screen()
    stage.keys("g")
    assert stage.point("#family", offset=(5, 0))
    assert stage.point("#family", offset=(0, 0))
    assert stage.point("#game", offset=(5, 0))
    assert stage.point("#play")
    stage.until(lambda: stage.text("title").startswith("Misère tic-tac-toe"))

    stage.keys("g")
    assert stage.point("#cancel")
    stage.until(lambda: len(stage.app.screen_stack) == 1)


def test_a_size_of_ones_own_is_asked_for_played_and_found_again_in_the_dialog(
    open_full_screen: Open,
) -> None:
    stage = open_full_screen()
    choose(stage, game=OWN_SIZE)
    size = stage.app.screen.query_one("#size", Input)
    size.focus()
    stage.keys("5", ",", "3", ",", "3")
    assert (
        stage.text("about")
        == "5 × 3, three in a row; solved: first player wins in 4 moves (by this program)"
    )
    size.value += ",gravity"
    stage.keys("enter")
    stage.until(lambda: stage.app.table.setup.rules == find_rules("mnk:5,3,3,gravity"))

    stage.keys("g")

    assert stage.menu("family").value == OWN_SIZE
    assert stage.app.screen.query_one("#size", Input).value == "mnk:5,3,3,gravity"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mnk:3", "a board needs columns, rows and line length, like 7x6x4; 1 given"),
        ("mnk:99,3,3", "columns must be from 1 to 26"),
        ("[b]x[/b]", 'no variant is called "[b]x[/b]"; choose from tic-tac-toe'),
        ("", 'no variant is called ""'),
    ],
)
def test_a_size_that_makes_no_sense_is_refused_in_words(
    open_full_screen: Open, text: str, reason: str
) -> None:
    stage = open_full_screen()
    choose(stage, game=OWN_SIZE)
    stage.app.screen.query_one("#size", Input).value = text
    stage.keys("enter")

    assert reason in stage.text("about")
    assert len(stage.app.screen_stack) == 2


def test_a_theme_is_seen_at_once_and_kept_or_dropped(open_full_screen: Open) -> None:
    stage = open_full_screen()
    before = stage.board.palette
    stage.keys("t", "up")

    assert stage.app.theme == "solarized-light"
    assert stage.board.palette is not before

    stage.keys("escape")

    assert stage.app.theme == "textual-dark"

    stage.keys("t", "down", "enter")

    assert stage.app.theme == "textual-light"
    assert len(stage.app.screen_stack) == 1


def test_the_list_of_moves_is_hidden_and_shown(open_full_screen: Open) -> None:
    stage = open_full_screen()
    panel, line = stage.app.query_one("#panel"), stage.app.query_one("#line")
    assert (panel.display, line.display) == (True, False)
    stage.keys("m")
    assert (panel.display, line.display) == (False, True)
    assert stage.text("line").startswith("X to move.")

    stage.keys("m")
    stage.resize((40, 12))
    stage.keys("m")
    assert (panel.display, line.display) == (False, True)


def test_the_key_bar_can_be_clicked(open_full_screen: Open) -> None:
    stage = open_full_screen()
    stage.keys("5")
    bar = stage.text("keys")
    assert stage.point("#keys", offset=(1 + bar.index("Undo"), 0))
    stage.until(lambda: stage.grid == " " * 9)


# -- sizes -----------------------------------------------------------------------------------------

SMALL = (30, 10)

SIZES = [(12, 4), SMALL, (71, 20), (120, 40)]

GAMES = ["ultimate", "mnk:15,15,5"]


def view(stage: FullScreen) -> tuple[object, ...]:
    """Return what a size of the terminal decides: the board, the title, and where parts lie."""
    widgets = stage.app.screen_stack[0].query("#field, #panel, #line, #keys, #board")
    shown = [(each.id, each.outer_size, each.region.offset) for each in widgets if each.display]
    return stage.drawing, stage.text("title"), shown


def compare(stage: FullScreen, variant: str, *keys: str) -> None:
    """Wait until a screen looks as one that has had its size from the start."""
    with contextlib.closing(
        FullScreen(variant, held=True, size=(stage.app.size.width, stage.app.size.height))
    ) as fresh:
        fresh.keys(*keys)
        stage.until(lambda: view(stage) == view(fresh))
        stage.until(stage.sees_cursor)


def test_one_step_back_to_a_large_terminal_is_enough(open_full_screen: Open) -> None:
    stage = open_full_screen()
    for size in (SMALL, SIZE):
        stage.resize(size)
        compare(stage, "tic-tac-toe")


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAMES)
def test_after_any_walk_of_sizes_the_screen_looks_as_after_a_fresh_start(
    open_full_screen: Open, variant: str
) -> None:
    rng, stage = random.Random(variant), open_full_screen(variant)
    for size in SIZES:
        stage.resize(*rng.choices(SIZES, k=2), size)
        compare(stage, variant)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["g", "t"])
def test_a_terminal_that_is_resized_while_a_dialog_is_open_counts_as_well(
    open_full_screen: Open, key: str
) -> None:
    stage = open_full_screen()
    stage.keys(key)
    stage.resize(SMALL, SIZE, SMALL)
    compare(stage, "tic-tac-toe", key)
