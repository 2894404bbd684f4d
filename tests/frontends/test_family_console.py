"""Games whose moves are more than a cell, played at the console as a person plays them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.desk import seen
from tests.frontends.programs import Screen
from tests.frontends.solving import Command
from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS

TWO_PEOPLE = ("-O", "human", "--variant")
REPEATING = 3 * "A1 B1 A2 B2 C3 A3 "


def lines(text: str) -> str:
    """Return words as lines to type."""
    return "".join(f"{word}\n" for word in text.split())


@pytest.mark.medium
def test_letters_are_typed_before_the_cell_and_players_are_called_by_their_names() -> None:
    moves = ["ob2", "B2", "XB2", "XA1", "undo", "redo", "moves", "OA3", "OB1", "hint", "OB3"]

    seen(*TWO_PEOPLE, "order-and-chaos:3,3,3", typed=moves, size=(260, 24)).tells(
        "Order: Person, Chaos: Person.",
        "Begin with what you place there, as in XB2 or OB2.",
        "Order's move:",
        "Order puts O on B2.",
        "Chaos's move:",
        '"B2": expected first X or O, and then a cell from A1 to C3',
        "Chaos's move:",
        "Cell is not empty: expected a move such as XA1 or OC3.",
        "OB2, XA1\n",
        "Order's move:",
        "Best for Order: OC1.",
        "Order wins with this move.",
        "Order wins 🎉",
        "Score: Order: 1, Chaos: 0, draws: 0.",
    )


def test_what_leaves_next_is_a_pale_small_letter_until_the_third_repetition_draws() -> None:
    typed = ["help", *REPEATING.split()]

    shown = seen(*TWO_PEOPLE, "vanishing-reuse", typed=typed, size=(30, 10))

    shown.tells(
        "A small letter on the\nboard is the mark that leaves\nnext.",
        "O plays A3.\nA draw: this position has\ncome 3 times.\nNo one wins",
    )
    page = next(page for page in shown.pages if "X plays C3." in page)
    assert page.startswith("    A B C\n1 ┆ x O ·\n2 ┆ X O ·\n3 ┆ · · X\n")
    assert "X plays C3.\nWith the next X the X on A1\nleaves.\n" in page
    assert "\x1b[2mx\x1b[0m" in shown.written


def test_layers_lie_side_by_side_on_a_narrow_screen_and_cells_name_their_layer() -> None:
    typed = ["2B3", "2b3", "1A4", "4D3", "1B4", "1A1", "1C4", "1A2", "1D4"]

    shown = seen(*TWO_PEOPLE, "qubic", typed=typed, size=(30, 20))

    shown.tells(
        "Type a cell, its layer, its\nletter and its number: 1A1 to\n4D4.",
        "Cell is not empty: expected\nan empty cell, such as 1A1.",
        "O wins 🎉",
    )
    assert shown.pages[1].startswith(
        "  1    2    3    4\n"
        "  ABCD ABCD ABCD ABCD\n"
        "1 ····┃····┃····┃····\n"
        "2 ····┃····┃····┃····\n"
        "3 ····┃·X··┃····┃····\n"
        "4 ····┃····┃····┃····\n"
        "\n"
        "X plays 2B3.\n"
    )
    assert shown.written.count("\x1b[1;5;7mO\x1b[0m") == 4


@pytest.mark.medium
def test_a_screen_that_the_board_does_not_fit_is_told_how_wide_it_must_be() -> None:
    with Screen(*TWO_PEOPLE, "qubic", size=(20, 20)) as screen:
        screen.expect("The board takes 21")
        screen.expect("X's move: ")
        assert "1 ·" not in screen.page


def test_the_first_mark_is_taken_over_by_a_word_while_that_is_legal(in_process: Command) -> None:
    typed = b"4\nswap\nundo\nhelp\nswap\nswap\nmoves\n"

    said = in_process(*TWO_PEOPLE, "connect-four,pie", "--plain", typed=typed).out

    offer = "O may take over the first mark instead of moving: swap.\n"
    after = "6 . . . O . . .\n  1 2 3 4 5 6 7\nX's move:\n"
    assert "The second player can type swap instead of making a first move.\n" in said
    assert said.count(offer) == 2
    assert "O takes over the first mark.\n  A B C D E F G\n" in said
    assert said.count(after) == 2
    assert "Only the second player's first move can take over a mark: expected 1, 2, 3, 4," in said
    assert said.endswith("X 4, O swap\nX's move:\nThe game ends here. Goodbye!\n")


def test_boards_on_which_nobody_plays_any_more_are_named_and_drawn_otherwise() -> None:
    shown = seen(*TWO_PEOPLE, "notakto-2", typed=["A1", "B1", "C1", "A2"])

    shown.tells(
        "Player 1 plays C1.\nOpen boards: D1–F3.",
        "That board has a line, so nobody plays there: expected D1, E1, F1, D2, E2, F2,",
    )
    assert "2 ┆    │   │   ┃ · │ · │ ·\n" in shown.pages[-1]


def test_marks_fall_to_the_lowest_free_layer_and_without_a_drawing_all_is_said(
    in_process: Command,
) -> None:
    said = in_process(*TWO_PEOPLE, "score-four", typed=b"help\nb3\nB3\n2B3\nb3\nb3\nb3\n").out

    assert "A1 to D4; the mark falls to the lowest free layer." in " ".join(said.split())
    for told in ("X plays 1B3.", "O plays 2B3.", "X plays 3B3.", "O plays 4B3."):
        assert told in said
    assert "3 . X . .   . O . .   . X . .   . O . .\n" in said
    assert "All layers are full at B3: expected an empty cell, such as 1A1." in said


@pytest.mark.parametrize(
    ("variant", "moves", "end"),
    [
        ("wild", "XB2 OA1 XC1 XA3", "Player 2 wins 🎉"),
        ("misere-wild", "XB2 OA1 XC1 XA3", "Player 1 wins 🎉"),
        ("vanishing-reuse", REPEATING, "A draw: this position has come 3 times."),
        ("vanishing-late", "A1 C2 B1 C3 A3 A2 C1", "Decided by A1, B1, C1."),
        ("notakto-2", "A1 B1 C1 D1 E2 F3", "Player 1 wins 🎉"),
        ("order-and-chaos:3,3,3", "XB2 OA1 XC1 XA3", "Order wins 🎉"),
        ("qubic", "1A1 1A2 2A1 2A2 3A1 3A2 4A1", "Decided by 1A1, 2A1, 3A1, 4A1."),
        ("score-four", "A1 A2 A1 A2 A1 A2 A1", "Decided by 1A1, 2A1, 3A1, 4A1."),
        ("mnk:4,4,3,torus", "B1 B2 A1 C2 D1", "Decided by A1, B1, D1."),
        ("connect-four,pie", "4 swap 3 4 3 4 3 4", "O wins 🎉"),
        ("mnk:5,5,4,gravity,wild", "x1 o2 X1 O2 X1 o2 x1", "Player 1 puts X into column 1."),
    ],
)
def test_a_recorded_game_is_replayed_to_its_end(
    variant: str, moves: str, end: str, tmp_path: Path, in_process: Command
) -> None:
    file = tmp_path / "games.txt"
    typed = lines(moves).encode()
    played = in_process(*TWO_PEOPLE, variant, "--record", str(file), typed=typed)

    replayed = in_process("replay", str(file))

    (record,) = parse_records(file.read_text("utf-8"))
    assert len(record.moves) == len(moves.split())
    for shown in (played.out, replayed.out):
        assert end in shown
    assert "not finished" not in replayed.out


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_tells_a_move_that_can_be_typed(variant: str, in_process: Command) -> None:
    said = in_process(*TWO_PEOPLE, variant, typed=b"help\n").out
    written = "1B3" if variant in ("qubic", "3x3x3") else "B3"
    written = "X" + written if "Begin with what you place there" in said else written
    written = "2" if "Type the number of a column" in said else written

    after = in_process(*TWO_PEOPLE, variant, typed=f"{written}\nmoves\n".encode()).out

    *_, listed, _prompt, _goodbye = after.splitlines()
    assert listed.endswith(written)
