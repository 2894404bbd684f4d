"""Boards in letters at every scale and in every look, colours, and the program on terminals."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from tests.frontends.programs import PATIENCE, Screen, bare, environment
from tests.screens.full_screen import Open
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.pictures.board import Look, looks_for, star_points
from tic_tac_toe_frontends.tui.app import GameApp
from tic_tac_toe_frontends.tui.args import find_hindrance, parse_args
from tic_tac_toe_frontends.tui.cli import play
from tic_tac_toe_frontends.tui.painter import glyph
from tic_tac_toe_frontends.tui.palette import (
    DEFAULT,
    GROUNDS,
    INKS,
    LINE_CONTRAST,
    TEXT_CONTRAST,
    THEMES,
    UNCOLOURED,
    Palette,
    contrast,
)
from tic_tac_toe_frontends.tui.plan import (
    CROSSED_SCALES,
    SCALES,
    STAR,
    LetterPlan,
    Scale,
    fitting_plan,
    looks_in_letters,
    plan_of,
)
from tic_tac_toe_frontends.words.translation import load

SHAPES = ["mnk:1,1,1", "mnk:26,26,5", "mnk:26,1,3", "mnk:1,26,3", "mnk:26,26,5,gravity"]

EVERY_GAME = [*VARIANTS.values(), *map(find_rules, SHAPES)]


def lines_of(plan: LetterPlan) -> list[str]:
    """Return the drawing of an empty board."""
    lines = [[" "] * plan.width for _ in range(plan.height)]
    for x, y, text, _part in plan.texts():
        for column, letter in enumerate(text, start=x):
            if letter != " ":
                assert lines[y][column] == " ", "two things lie in one place"
                assert plan.cell_at(column, y) is None, "a cell is drawn over"
                lines[y][column] = letter
    return ["".join(line).rstrip() for line in lines]


@pytest.mark.parametrize("scale", SCALES, ids=str)
@pytest.mark.parametrize("rules", EVERY_GAME, ids=str)
def test_every_cell_has_a_place_of_its_own(rules: Rules, scale: Scale) -> None:
    plan = plan_of(rules, scale)

    lines_of(plan)

    for cell, place in enumerate(plan.places):
        assert 0 < place.x <= place.x + place.width <= plan.width
        assert 0 < place.y <= place.y + place.height <= plan.height
        assert {plan.cell_at(*spot) for spot in place.letters()} == {cell}
    assert plan.cell_at(0, 0) is None
    assert plan.cell_at(-1, 5) is None


def test_a_board_is_drawn_as_roomy_as_there_is_space() -> None:
    rules = find_rules("tic-tac-toe")

    scales = [fitting_plan(rules, width, width // 2).scale for width in (4, 8, 14, 30, 60, 300)]

    assert scales == sorted(scales, key=SCALES.index, reverse=True)
    assert len(set(scales)) == len(scales)
    assert scales[-1] == SCALES[0]


def test_what_fits_nowhere_is_drawn_tight_and_scrolled() -> None:
    rules = find_rules("mnk:26,26,5")

    assert fitting_plan(rules, 60, 10).scale == SCALES[-2]
    assert fitting_plan(rules, 10, 10).scale == SCALES[-1]


def test_small_boards_are_parted_by_walls() -> None:
    assert lines_of(plan_of(find_rules("ultimate"), SCALES[-1])) == [
        "  ABC DEF GHI",
        "1    ┃   ┃",
        "2    ┃   ┃",
        "3    ┃   ┃",
        "  ━━━╋━━━╋━━━",
        "4    ┃   ┃",
        "5    ┃   ┃",
        "6    ┃   ┃",
        "  ━━━╋━━━╋━━━",
        "7    ┃   ┃",
        "8    ┃   ┃",
        "9    ┃   ┃",
    ]


def test_layers_lie_side_by_side_each_below_its_number() -> None:
    assert lines_of(plan_of(find_rules("qubic"), SCALES[-2])) == [
        "     1         2         3         4",
        "  A B C D   A B C D   A B C D   A B C D",
        *(f"{row}         ┃         ┃         ┃" for row in range(1, 5)),
    ]


@pytest.mark.parametrize("variant", ["qubic", "score-four", "notakto-6"])
def test_the_widest_games_have_lines_between_their_cells_at_80_columns(variant: str) -> None:
    assert fitting_plan(find_rules(variant), 80, 18).scale.lined
    assert fitting_plan(find_rules(variant), 60, 14).scale.width == 2


def test_columns_are_numbered_below_under_gravity_and_two_digits_stand_above_each_other() -> None:
    rules = find_rules("mnk:11,1,4,gravity")

    assert lines_of(plan_of(rules, SCALES[-2])) == [
        "  A B C D E F G H I J K",
        "1",
        "                    1 1",
        "  1 2 3 4 5 6 7 8 9 0 1",
    ]


@pytest.mark.parametrize("lines", [3, 5, 7, 9])
def test_the_pictures_of_the_marks_fill_their_square_alike_from_all_sides(lines: int) -> None:
    for side in (0, 1):
        picture = glyph(side, lines)

        assert [len(line) for line in picture] == [2 * lines] * lines
        assert [line[::-1] for line in picture] == list(picture)
        upside_down = str.maketrans("▀▄", "▄▀")
        assert [line.translate(upside_down) for line in picture[::-1]] == list(picture)
        assert {*picture[0], *picture[-1]} != {" "}
        assert "█" not in "".join(glyph(side, lines, pale=True))
    assert glyph(0, lines) != glyph(1, lines)
    assert glyph(0, lines, pale=True) != glyph(1, lines, pale=True)


@pytest.mark.medium
def test_discs_are_told_apart_by_their_form_and_one_hangs_above_the_column(
    open_full_screen: Open,
) -> None:
    stage = open_full_screen("connect-four")
    stage.keys("1", "2", "right")
    stage.until(lambda: stage.sign_at(36) == ["( ○ )"])
    board = stage.board

    assert stage.sign_at(35) == ["  ●  "]
    assert stage.sign_at(0) == ["  ·  "]
    assert stage.lines[0].strip() == "●"
    assert stage.lines[0].index("●") == board.plan.places[board.cursor].x + 2
    assert stage.lines[-1].split() == [*"1234567"]


@pytest.mark.medium
def test_stones_lie_on_crossings_with_star_points(open_full_screen: Open) -> None:
    stage = open_full_screen("gomoku")
    stage.keys("enter", "right", "enter", "down")
    stage.until(lambda: "─●(○)┼" in stage.drawing)

    assert stage.lines[1].strip().startswith("1 ┌─┬─")
    assert stage.lines[1].rstrip().endswith("─┬─┐")
    assert stage.drawing.count(STAR) == 4  # a stone lies on the one in the middle


@pytest.mark.medium
def test_a_crossing_that_renju_forbids_has_a_sign(open_full_screen: Open) -> None:
    stage = open_full_screen("renju", size=(60, 24))
    for cell in (110, 0, 111, 2, 82, 4, 97, 6):  # F8, G8, H6 and H7 are black
        stage.app.table.place(cell)
    stage.until(lambda: stage.sign_at(112)[0][0] == "×")

    assert stage.drawing.count("×") == 1


@pytest.mark.medium
def test_the_look_is_changed_by_a_key_and_kept_for_games_of_its_kind(
    open_full_screen: Open,
) -> None:
    stage = open_full_screen("gomoku")
    stage.keys("enter", "b")
    stage.until(lambda: "X" in stage.sign_at(112)[0])
    stage.app.table.new_game(stage.app.table.setup._replace(rules=find_rules("renju")))
    stage.until(lambda: "┼" not in stage.drawing)

    stage.keys("b")
    stage.until(lambda: "┼" in stage.drawing)


@pytest.mark.medium
def test_a_small_board_has_no_stones_whose_few_crossings_would_look_like_corners(
    open_full_screen: Open,
) -> None:
    stage = open_full_screen("4x4")
    before = stage.lines

    stage.keys("b")

    assert stage.lines == before
    assert looks_in_letters(find_rules("mnk:5,5,4")) == (Look.MARKS, Look.STONES)
    assert looks_in_letters(find_rules("mnk:4,9,4")) == (Look.MARKS,)


@pytest.mark.medium
def test_names_of_rows_and_columns_come_and_go(open_full_screen: Open) -> None:
    stage = open_full_screen("connect-four-5x4")
    before = stage.lines
    stage.keys("c")
    stage.until(lambda: "1" not in stage.drawing)
    stage.keys("c")
    stage.until(lambda: stage.lines == before)


@pytest.mark.parametrize("name", [*VARIANTS, "mnk:1,1,1", "mnk:26,1,3", "mnk:9,9,5"])
@pytest.mark.parametrize("names", [True, False])
def test_in_every_look_each_cell_has_a_place_of_its_own_on_the_drawing(
    name: str, names: bool
) -> None:
    rules = find_rules(name)
    for look in looks_for(rules):
        for width, height in ((30, 10), (80, 24), (200, 60)):
            plan = fitting_plan(rules, width, height, look, names=names)
            spots = [spot for place in plan.places for spot in place.letters()]

            assert len(spots) == len(set(spots))
            assert all(0 <= x <= plan.width and 0 <= y < plan.height for x, y in spots)


def test_the_star_points_of_the_plan_are_those_of_the_library() -> None:
    rules = find_rules("gomoku")
    for scale in CROSSED_SCALES:
        plan = plan_of(rules, scale, Look.STONES)
        stars = {(text.x, text.y) for text in plan.texts() if text.text == STAR}
        middles = {
            (place.x + (place.width - 1) // 2, place.y + (place.height - 1) // 2)
            for place in (plan.places[cell] for cell in star_points(rules))
        }
        assert stars == middles


COLOURED = [theme for theme in (*BUILTIN_THEMES.values(), *THEMES) if not theme.ansi]

LINES = {"grid", "wall", "empty"}


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast(Color(0, 0, 0), Color(255, 255, 255)) == pytest.approx(21)
    assert contrast(Color.parse("#767676"), Color.parse("#FFFFFF")) == pytest.approx(4.54, abs=0.01)
    assert contrast(Color(9, 9, 9), Color(9, 9, 9)) == 1


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_everything_on_the_board_can_be_read_and_marks_differ_in_colour(theme: Theme) -> None:
    palette = Palette(theme.to_color_system().generate())
    crosses, naughts = (palette.ink(name, "board") for name in ("cross", "naught"))

    assert (crosses == naughts) == (theme.name == "black-and-white")
    for ink in INKS:
        least = LINE_CONTRAST if ink in LINES else TEXT_CONTRAST
        for ground in GROUNDS:
            assert contrast(palette.ink(ink, ground), palette.ground(ground)) >= least


def test_without_colours_all_is_shown_by_bold_underlined_and_reversed_text() -> None:
    palette = Palette({}, plain=True)

    style = palette.style("cross", "open", bold=True, inverted=True)

    assert (style.bold, style.reverse, style.color, style.bgcolor) == (True, True, None, None)


def test_the_usual_theme_is_textuals_own_unless_another_or_no_colour_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)

    assert GameApp().theme == DEFAULT
    assert GameApp(theme="high-contrast").theme == "high-contrast"

    monkeypatch.setenv("NO_COLOR", "1")

    assert GameApp().theme == UNCOLOURED


# -- the program -----------------------------------------------------------------------------------

INSTEAD = "; here is the plain console"

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"

ENDLESS_THOUGHT = """
import time
from tic_tac_toe.logic.search import mcts
mcts.monte_carlo = lambda *_, **__: time.sleep(3600)
"""

GAME = ("--seed", "1", "-O", "rules", "--variant", "4x4")


def left(screen: Screen) -> int:
    """Leave the full screen, and return the exit status.

    What a program writes at its end has to be read, or it waits for that.
    """
    screen.type("q")
    screen.expect(LEFT)
    return screen.end()


@pytest.mark.medium
def test_on_a_terminal_a_game_is_played_on_the_full_screen_by_keys_and_a_real_mouse() -> None:
    with Screen("tui", "--seed", "1", "--delay", "0", "--lang", "es", "-O", "human") as screen:
        screen.expect("3 × 3")
        screen.type("5")
        screen.expect("X juega B2.")
        screen.type("\x1b[<0;9;6M\x1b[<0;9;6m")
        screen.expect("O juega A1.")
        assert left(screen) == 0
        assert ENTERED in screen.written
        assert "Traceback" not in screen.written


class Terminal(NamedTuple):
    """A stream that is a terminal, or is not."""

    encoding: str = "utf-8"
    is_terminal: bool = True

    def isatty(self) -> bool:
        return self.is_terminal


FILE, XTERM = Terminal(is_terminal=False), {"TERM": "xterm"}


@pytest.mark.parametrize(
    ("streams", "environ", "reason"),
    [
        ({}, XTERM, None),
        ({}, {"TERM": "dumb"}, "a terminal that can be drawn on, and TERM is dumb"),
        ({}, {"TERM": ""}, "to know the terminal, and TERM is not set"),
        ({"stderr": Terminal("iso8859-1")}, XTERM, "letters that iso8859-1 does not have"),
        ({"stdin": FILE}, XTERM, "a terminal to type at, and the input is not a terminal"),
        ({"stdout": FILE}, XTERM, "a terminal to draw on, and the output is not a terminal"),
        ({"stderr": FILE}, XTERM, "standard error to be the terminal too"),
    ],
)
def test_what_the_full_screen_needs_is_said_in_a_sentence(
    streams: dict[str, Terminal],
    environ: dict[str, str],
    reason: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, streams.get(name, Terminal()))

    found = find_hindrance(load("en", {}), environ)

    assert found == (reason and f"the full screen needs {reason}")


@pytest.mark.medium
@pytest.mark.parametrize(
    ("terminal", "reason"),
    [
        ("dumb", "a terminal that can be drawn on, and TERM is dumb"),
        (
            "xterm",
            "packages that are not installed; "
            'in a checkout: pip install "./library" "./frontends[tui]"',
        ),
    ],
)
def test_where_the_full_screen_cannot_be_the_console_plays_the_same_game(
    terminal: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "textual.py").write_text("raise ImportError('not installed')\n", "utf-8")
    env = environment(TERM=terminal, PYTHONPATH=os.fspath(tmp_path))

    with Screen("tui", *GAME, env=env, size=(160, 24)) as screen:
        screen.expect(f"the full screen needs {reason}{INSTEAD}\r\n")
        screen.expect("X: Person, O: Simple rules.")
        screen.expect("move: ")
        screen.type("D4\n")
        screen.expect("O plays ")
        screen.type("quit\n")

        assert screen.end() == 0
        assert ENTERED not in screen.written


@pytest.mark.medium
def test_leaving_ends_at_once_while_a_computer_thinks(tmp_path: Path) -> None:
    # Python reads this file when it starts; a thought that ends could end before the leaving.
    (tmp_path / "sitecustomize.py").write_text(ENDLESS_THOUGHT, "utf-8")
    options = ("-X", "mcts", "--variant", "gomoku", "--delay", "0")

    with Screen("tui", *options, env=environment(PYTHONPATH=os.fspath(tmp_path))) as screen:
        screen.expect("X is thinking …")
        assert left(screen) == 0
        assert "plays" not in screen.written


@pytest.mark.medium
@pytest.mark.parametrize(
    ("ask_to_end", "status"),
    [
        (lambda screen: screen.type("\x03"), 130),
        (lambda screen: screen.process.send_signal(signal.SIGTERM), 143),
    ],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_a_request_to_end_puts_the_terminal_in_order(
    ask_to_end: Callable[[Screen], None], status: int
) -> None:
    with Screen("tui") as screen:
        screen.expect("Your turn: you are X.")
        ask_to_end(screen)
        screen.expect(LEFT)

        assert screen.end() == status
        assert "Traceback" not in screen.written


@pytest.mark.medium
def test_a_terminal_that_is_closed_ends_the_program() -> None:
    with Screen("tui") as screen:
        screen.expect("Your turn: you are X.")
        screen.hang_up()

        assert screen.process.wait(PATIENCE) == -signal.SIGHUP


@pytest.mark.medium
def test_no_color_means_none_at_all() -> None:
    with Screen(
        "tui", "-O", "minimax", env=environment(NO_COLOR="1", TERM="xterm-256color")
    ) as screen:
        screen.expect("Your turn: you are X.")
        screen.type("5")
        screen.expect("O plays A1.")
        screen.type("h")
        screen.expect("A threat first.")
        screen.type("h")
        screen.expect("edges")
        screen.type("h")
        screen.expect("Best for")
        left(screen)

    colours = {"38;", "48;", "[31m", "[34m", "[44m", ";34", ";44"}
    assert [sign for sign in colours if sign in screen.written] == []


def test_an_unknown_theme_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as end:
        play(parse_args(["--theme", "mauve\x1b", "--lang", "en"]))

    said = capsys.readouterr().err
    assert end.value.code == 2
    assert "no theme is called 'mauve\\x1b'; choose from ansi-dark, " in said
    assert "high-contrast" in said


@pytest.mark.medium
def test_it_starts_from_a_bare_checkout() -> None:
    ended = bare("-m", "tui", "-X", "random", "-O", "random")

    assert ended.returncode == 0
    assert ended.stderr == (
        "tic-tac-toe: the full screen needs a terminal to type at, and the input is not a terminal"
        f"{INSTEAD}\n"
    )
    assert "X: Random moves, O: Random moves." in ended.stdout
    assert "\x1b" not in ended.stdout
