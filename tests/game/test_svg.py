"""Boards are drawn as text and as pictures, which are harmless and say nothing by colour alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.game.golden_boards import DRAWN, GAMES, PAINTED, PICTURES, drawings
from tests.logic.played_games import after, play_at_random, played_on, started_games
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.analysis import Analysis, StateEvaluation
from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name_in
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.traits import cell_of, leaving_cells, traits_of
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe.pictures.board import (
    Box,
    Look,
    geometry,
    looks_for,
    small_boards,
    strikes,
)
from tic_tac_toe.pictures.letters import (
    CLASSIC,
    PLAIN,
    TIGHT,
    TIGHTEST,
    draw,
    extent,
    fitting_style,
)
from tic_tac_toe.pictures.shapes import MARKS, Ink, Picture, Rect, ink_of, move_numbers, shapes_of
from tic_tac_toe.pictures.svg import CELL, DARK, LIGHT, PIECES, STYLE, placement, svg
from tic_tac_toe.solver import analyse, solve, verdict

solved = MoveEvaluation.solved
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "\"'><script>alert(1)</script>&amp;]]><!-- \N{RIGHT-TO-LEFT OVERRIDE}"
#: How the classes of pieces begin, by look.
PIECE = {Look.MARKS: ("",), Look.DISCS: ("disc-",), Look.STONES: ("stone-",)}
HARMLESS = {*("svg", "title", "style", "rect", "g", "path", "circle", "text")}
HARMLESS_ATTRIBUTES = {
    *("class", "viewBox", "width", "height", "role", "aria-label", "x", "y", "rx", "cx", "cy"),
    *("r", "d", "transform", "pathLength"),
}


def parsed(text: str) -> ET.Element:
    """Return a picture that nothing but drawing can come of."""
    root = ET.fromstring(text)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in HARMLESS
        assert set(element.attrib) <= HARMLESS_ATTRIBUTES
    return root


def texts(root: ET.Element) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def count(root: ET.Element, name: str) -> int:
    """Return how many elements have a class."""
    return sum(name in element.get("class", "").split() for element in root.iter())


@pytest.mark.medium
@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_the_golden_ones(name: str) -> None:
    assert (PAINTED / f"{name}.svg").read_text(encoding="utf-8") == PICTURES[name]()


@given(
    st.data(),
    started_games(),
    st.integers(0, 60),
    st.integers(0, 2**32),
    st.booleans(),
    st.booleans(),
)
def test_every_state_of_every_game_makes_a_picture_with_all_its_pieces(
    data: st.DataObject, state: GameState, plies: int, seed: int, names: bool, styled: bool
) -> None:
    look = data.draw(st.sampled_from(looks_for(state.rules)))
    moves = play_at_random(state, plies, seed)
    state = played_on(state, plies, seed)
    last = cell_of(state.rules, moves[-1]) if moves else None

    root = parsed(svg(state, last=last, names=names, look=look, styled=styled))

    small = count(root, "ttt-owner") + count(root, "ttt-pale")
    drawn = sum(count(root, f"ttt-{kind}{side}") for kind in PIECE[look] for side in "xo")
    assert drawn - small == state.position.occupied.bit_count()
    decided = state.winning_cells
    assert count(root, "ttt-last") == (last is not None and last not in decided)
    assert count(root, "ttt-latest") == (last is not None and state.grid.cells[last] != " ")
    assert count(root, "ttt-strike") == len(strikes(state))
    is_free = all(small.open for small in small_boards(state))
    boards = 0 if is_free else sum(small.open for small in small_boards(state))
    assert count(root, "ttt-lit") == len(decided) + boards
    assert count(root, "ttt-won") == sum(state.grid.cells[cell] != " " for cell in decided)
    leaving = () if state.game_over else leaving_cells(state.rules, state.position)
    assert count(root, "ttt-leaving") == len(leaving)
    assert len(list(root.iter(f"{SVG}style"))) == styled
    assert bool(texts(root)) == names


def test_the_usual_look_is_drawn_unless_another_is_chosen_and_no_other_than_the_game_has() -> None:
    state = after("connect-four", "4 4")
    assert svg(state) == svg(state, look=Look.DISCS) != svg(state, look=Look.MARKS)
    with pytest.raises(ValueError, match="cannot be drawn with stones"):
        svg(state, look=Look.STONES)


@pytest.mark.parametrize("marked", [{"last": 9}, {"last": -1}, {"written": {9: "a"}}])
def test_a_cell_outside_the_board_is_refused(marked: dict[str, Any]) -> None:
    with pytest.raises(InvalidNotation, match="cell must be from 0 to 8"):
        svg("XXO/O.X/.O.", **marked)


def test_discs_of_the_two_sides_differ_in_relief_and_not_in_colour_alone() -> None:
    root = parsed(svg(after("connect-four", "4 3")))

    cross, naught = (
        next(group for group in root.iter(f"{SVG}g") if group.get("class") == f"ttt-disc-{side}")
        for side in "xo"
    )

    def relief(group: ET.Element) -> list[str]:
        return [part.tag.removeprefix(SVG) for part in group if part.get("class") == "ttt-relief"]

    assert (relief(cross), relief(naught)) == (["path"], ["circle"])


@pytest.mark.parametrize(
    ("moves", "last", "kind"), [("H8", 112, "ttt-last"), ("H8 H7", 97, "ttt-last ttt-last-o")]
)
def test_the_last_stone_has_a_dot_that_stands_out_from_it(moves: str, last: int, kind: str) -> None:
    root = parsed(svg(after("gomoku", moves), last=last))
    assert [e.get("class") for e in root.iter() if "ttt-last" in e.get("class", "")] == [kind]


@given(st.text())
def test_whatever_is_written_below_or_said_of_a_picture_stays_text(text: str) -> None:
    root = parsed(svg(GameState.new(), caption=text, label=text))
    if text.isprintable():
        assert root.get("aria-label") == text
        assert texts(root)[-1] == text or not text


def test_markup_in_a_caption_is_shown_and_not_obeyed_and_control_characters_do_no_harm() -> None:
    root = parsed(svg(GameState.new(), caption=HOSTILE, label=HOSTILE))
    assert texts(root)[-1] == root.get("aria-label") == root.findtext(f"{SVG}title") == HOSTILE
    controls = "".join(map(chr, range(32))) + "\x7f\ud800\ufffe"
    root = parsed(svg(GameState.new(), caption=controls, label=controls))
    assert texts(root)[-1].strip("\t\n\r \ufffd\x7f") == ""


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_page_can_lay_buttons_over_the_cells(variant: str) -> None:
    rules = VARIANTS[variant]
    place = placement(rules)
    extent = geometry(rules).extent
    for look in looks_for(rules):
        root = parsed(svg(GameState.new(rules), look=look))
        assert root.get("viewBox") == f"0 0 {place.paper.x:g} {place.paper.y:g}"
    assert (place.board.width / CELL, place.board.height / CELL) == (extent.width, extent.height)
    assert place.board.x + place.board.width <= place.paper.x
    assert place.board.y + place.board.height <= place.paper.y


def test_moves_are_valued_by_signs_and_numbers_and_not_by_colour_alone() -> None:
    values = [solved(0, "win", 3), solved(1, "draw", 9), solved(2, "loss", 4), solved(4, "draw", 0)]
    root = parsed(svg(GameState.new(), values=values, names=False))
    assert texts(root) == ["+2", "=", "\N{MINUS SIGN}2", "=\N{INFINITY}"]


def test_a_sign_stands_in_the_place_of_a_value() -> None:
    values = [MoveEvaluation.solved(0, "win", 3), MoveEvaluation.solved(1, "draw", 9)]
    root = parsed(svg(GameState.new(), values=values, written={0: "!"}, names=False))
    assert sorted(texts(root)) == ["!", "="]


def test_two_letters_in_a_cell_have_their_values_one_above_the_other() -> None:
    state = after("wild", "")
    values = [solved(4, "win", 3), solved(13, "draw", 8), solved(9, "loss", 2)]
    root = parsed(svg(state, values=values, names=False))
    assert texts(root) == ["X+2", "O=", "O\N{MINUS SIGN}1"]
    upper, lower, alone = root.iter(f"{SVG}text")
    assert upper.get("x") == lower.get("x") != alone.get("x")
    assert float(upper.get("y", "")) < float(lower.get("y", ""))
    assert count(root, "ttt-half") == 3
    # A cell has the colour of the best of its moves.
    assert (count(root, "ttt-wash-win"), count(root, "ttt-wash-loss")) == (1, 1)
    assert count(root, "ttt-wash-draw") == 0


def test_the_best_moves_with_either_letter_are_one_ring_and_a_swap_has_none() -> None:
    assert count(parsed(svg(after("wild", ""), best=(4, 13, 0))), "ttt-best") == 2
    assert count(parsed(svg(after("4x4,pie", "B2"), best=(16,))), "ttt-best") == 0
    assert count(parsed(svg(after("4x4,pie", "B2"), best=(0, 16))), "ttt-best") == 1


def test_players_with_names_are_called_by_them() -> None:
    said = [
        parsed(svg(after(name, moves))).get("aria-label", "").partition(": ")[2]
        for name, moves in (
            ("order-and-chaos", ""),
            ("order-and-chaos:3,3,3", "XA1 OB2 XB1 OC3 XC1"),
            ("tic-tac-toe", "A1 B1 A2 B2 A3"),
        )
    ]
    assert said == ["Order to move", "Order wins", "X wins"]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def colours_of(scheme: str) -> dict[str, str]:
    """Return the colours that a part of a stylesheet gives to names."""
    return {
        name.strip().removeprefix("--ttt-"): value.strip()
        for name, value in (line.split(":") for line in scheme.replace("\n", "").split(";"))
    }


@pytest.mark.parametrize(
    ("scheme", "front", "ground", "least"),
    [
        *(
            (scheme, *row)
            for scheme in (LIGHT, DARK)
            for row in (
                *((front, "paper", 4.5) for front in ("ink", "x", "o", "win", "draw", "loss")),
                *((kind, f"{kind}-wash", 4.5) for kind in ("win", "draw", "loss")),
                *((front, ground, 4.5) for front in ("x", "o") for ground in ("lit", "last")),
                *((front, "paper", 3.0) for front in ("line", "panel")),
                ("line", "lit", 3.0),
            )
        ),
        *(
            (PIECES, front, ground, 3.0)
            for front, grounds in (
                ("disc-x", ("well", "disc-x-relief")),
                ("disc-o", ("well", "disc-o-relief")),
                ("panel", ("well", "disc-sign")),
                ("disc-sign", ("well", "disc-edge")),
                ("wood", ("wood-line", "stone-x", "stone-edge", "stone-best")),
                ("stone-o", ("stone-edge", "stone-x", "stone-o-sign")),
                ("stone-x", ("stone-x-sign", "stone-strike-edge")),
                ("stone-strike", ("wood", "stone-o", "stone-strike-edge")),
            )
            for ground in grounds
        ),
    ],
)
def test_everything_stands_out_from_what_is_behind_it(
    scheme: str, front: str, ground: str, least: float
) -> None:
    colours = colours_of(PIECES) | colours_of(scheme)
    assert contrast(colours[front], colours[ground]) >= least
    assert scheme in STYLE


def test_states_moves_and_verdicts_draw_themselves_in_notebooks() -> None:
    state = after("tic-tac-toe", "A1 B2 C3")
    drawn = [
        parsed(thing._repr_svg_())
        for thing in (state, state.make_move_to(1), verdict(state), analyse(state))
    ]
    assert [count(root, "ttt-x") for root in drawn] == [2, 2, 2, 2]
    assert [count(root, "ttt-o") for root in drawn] == [1, 2, 1, 1]
    assert count(drawn[1], "ttt-last") == 1
    assert count(drawn[2], "ttt-best") == len(verdict(state).best)
    assert texts(drawn[2])[-1] == "draw"
    assert count(drawn[3], "ttt-value") == 6


def test_verdicts_of_the_fast_solver_draw_themselves_too_and_are_equal_to_plain_ones() -> None:
    state = after("connect-four-5x4", "3 3 3 3 1 1 1 1 5 5")
    found, moves = solve(state), analyse(state)
    assert isinstance(found, StateEvaluation)
    assert isinstance(moves, Analysis)
    assert count(parsed(found._repr_svg_()), "ttt-best") == len(found.best)
    assert count(parsed(moves._repr_svg_()), "ttt-value") == len(state.legal_cells)
    small = after("tic-tac-toe", "A1 B2")
    assert verdict(small) == Evaluation(*verdict(small))
    assert repr(verdict(small)) == repr(Evaluation(*verdict(small)))
    assert analyse(small) == tuple(analyse(small))


# -- the end of a game, numbers, another look ------------------------------------------------------


@pytest.mark.parametrize("look", [Look.MARKS, Look.STONES])
def test_at_the_end_the_deciding_marks_are_lit_and_the_others_pale(look: Look) -> None:
    root = parsed(svg(after("tic-tac-toe", "A1 B1 B2 C1 C3"), last=8, look=look))
    counts = {name: count(root, f"ttt-{name}") for name in ("won", "lost", "lit", "last")}
    assert counts == {"won": 3, "lost": 2, "lit": 3, "last": 0}
    strikes = [path for path in root.iter() if "ttt-strike" in path.get("class", "").split()]
    assert [path.get("class") for path in strikes] == ["ttt-strike ttt-strike-x"]
    # A page can let it draw itself without knowing its length.
    assert [path.get("pathLength") for path in strikes] == ["1"]
    drawn = parsed(svg(after("tic-tac-toe", "A1 B2 C3 B1 B3 A3 C1 C2 A2"), look=look))
    assert count(drawn, "ttt-won") == count(drawn, "ttt-lost") == 0


@given(started_games(), st.integers(0, 60), st.integers(0, 2**32), st.data())
def test_the_marks_bear_the_numbers_of_their_moves(
    state: GameState, plies: int, seed: int, data: st.DataObject
) -> None:
    look = data.draw(st.sampled_from(looks_for(state.rules)))
    match = Match(state)
    for move in play_at_random(state, plies, seed):
        match.play(move)
    numbers = move_numbers(match.history)
    root = parsed(svg(match.state, numbers=match.history, look=look, names=False))
    written = [text for text in root.iter(f"{SVG}text") if "ttt-number" in text.get("class", "")]
    cells = match.state.grid.cells
    shown = sorted(str(number) for cell, number in numbers.items() if cells[cell] != " ")
    assert sorted("".join(text.itertext()) for text in written) == shown


def test_rows_are_counted_from_the_bottom_where_that_is_wanted() -> None:
    state = after("gomoku", "A1")
    upward, downward = (texts(parsed(svg(state, from_bottom=wanted))) for wanted in (True, False))
    assert downward[-15:] == [str(row) for row in range(1, 16)]
    assert upward == [*downward[:-15], *reversed(downward[-15:])]
    four = after("connect-four", "4")
    assert svg(four, from_bottom=True) == svg(four)


def test_forbidden_cells_are_marked() -> None:
    state = after("renju", "H9 A1 H10 A3 F8 A5 G8 A7")
    barred = state.grid.empty_count - len(state.legal_cells)
    assert count(parsed(svg(state)), "ttt-barred") == barred > 0


def test_another_look_is_one_table() -> None:
    squares = replace(
        MARKS,
        pieces=(
            ("red", (Rect("", Box(-0.4, -0.4, 0.8, 0.8), 0.1),)),
            ("blue", (Rect("", Box(-0.4, -0.4, 0.8, 0.8), 0.4),)),
        ),
        inks={"red": Ink("x"), "blue": Ink("o"), "last": Ink("win-wash")},
    )
    picture = Picture(after("tic-tac-toe", "A1 B2"), last=4)

    roles = [shape.role for shape in shapes_of(picture, squares)]

    assert roles == ["last", "grid", "red", "blue latest"]
    assert [ink_of(squares, role).fill for role in roles] == ["win-wash", "none", "x", "o"]


# -- text ------------------------------------------------------------------------------------------


CLASSIC_DRAWING = """\
     A   B   C
   ------------
1 ┆  X │   │
  ┆ ───┼───┼───
2 ┆    │ O │
  ┆ ───┼───┼───
3 ┆    │   │ X"""


@pytest.mark.parametrize("name", GAMES)
def test_the_drawings_are_the_golden_ones(name: str) -> None:
    assert (DRAWN / f"{name}.txt").read_text(encoding="utf-8") == drawings(name)


def test_every_golden_file_has_its_game_or_picture() -> None:
    assert {path.stem for path in DRAWN.glob("*.txt")} == set(GAMES)
    assert {path.stem for path in PAINTED.glob("*.svg")} == set(PICTURES)


def test_three_by_three_is_drawn_as_in_the_classic() -> None:
    assert "\n".join(draw(after("tic-tac-toe", "A1 B2 C3"), CLASSIC)) == CLASSIC_DRAWING


@pytest.mark.parametrize("variant", [*VARIANTS, "mnk:26,26,5", "mnk:26,26,5,gravity"])
def test_every_board_fits_eighty_columns(variant: str) -> None:
    rules = find_rules(variant)
    assert extent(rules, fitting_style(rules, 80, 24))[0] <= 80


@pytest.mark.parametrize(
    ("variant", "columns", "lines", "style"),
    [
        ("tic-tac-toe", 80, 24, CLASSIC),
        ("tic-tac-toe", 15, 24, CLASSIC),
        ("tic-tac-toe", 14, 24, TIGHT),
        ("tic-tac-toe", 9, 24, TIGHT),
        ("tic-tac-toe", 8, 24, TIGHTEST),
        ("gomoku", 80, 19, TIGHT),  # five lines of 24 are left for words
        ("mnk:26,26,5", 3, 3, TIGHTEST),  # where nothing fits
    ],
)
def test_small_screens_get_tighter_drawings(
    variant: str, columns: int, lines: int, style: object
) -> None:
    rules = find_rules(variant)
    assert fitting_style(rules, columns, lines) is style
    assert variant != "gomoku" or extent(rules, TIGHT)[1] <= lines


@pytest.mark.parametrize("style", [CLASSIC, TIGHT, TIGHTEST, PLAIN])
@pytest.mark.parametrize("variant", [*VARIANTS, "mnk:1,1,1", "mnk:26,1,3", "mnk:1,26,3"])
def test_marks_stand_below_their_letters_and_beside_numbers(variant: str, style: object) -> None:
    rules = find_rules(variant)
    empty = GameState.new(rules)
    assert isinstance(style, type(CLASSIC))
    for cell in empty.legal_cells[:: max(1, len(empty.legal_cells) // 7)]:
        lines = list(draw(empty.make_move_to(cell).after_state, style))
        row = next(line for line in lines if "X" in line[2:] and line.lstrip()[:1].isdigit())
        *layer, letter, number = re.findall("[A-Z]|[0-9]+", cell_name_in(rules, cell))
        column = row.rindex("X")
        assert lines[len(layer)][column] == letter
        assert row.split()[0] == number
        assert not layer or lines[0][: column + 1].split()[-1:] == layer


def test_plain_drawings_use_nothing_but_letters_digits_and_dots() -> None:
    for rules in VARIANTS.values():
        state = GameState.new(rules)
        for _ in range(5):
            state = state.make_move_to(state.legal_moves[-1]).after_state
            if state.game_over:
                break
        text = "".join(draw(state, PLAIN))
        leaving = {"x", "o"} if traits_of(rules).leaving else set()
        assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789. ") | leaving
