"""Games whose moves are more than a cell, played at the console as a person plays them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.programs import Screen, run
from tests.frontends.solving import Command
from tic_tac_toe.logic.record_text import parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS

TWO_PEOPLE = ("-O", "human", "--variant")
REPEATING = 3 * "A1 B1 A2 B2 C3 A3 "


def lines(text: str) -> str:
    """Return words as lines to type."""
    return "".join(f"{word}\n" for word in text.split())


def test_letters_are_typed_before_the_cell_and_players_are_called_by_their_names() -> None:
    with Screen(*TWO_PEOPLE, "order-and-chaos:3,3,3", size=(260, 24)) as screen:
        screen.expect("Order: Person, Chaos: Person.")
        screen.expect("Begin with what you place there, as in XB2 or OB2.")
        screen.expect("Order's move: ")
        screen.type("ob2\n")
        screen.expect("Order puts O on B2.")
        screen.expect("Chaos's move: ")
        screen.type("B2\n")
        screen.expect('"B2": expected first X or O, and then a cell from A1 to C3')
        screen.expect("Chaos's move: ")
        screen.type("XB2\n")
        screen.expect("Cell is not empty: expected a move such as XA1 or OC3.")
        screen.type("XA1\nundo\nredo\nmoves\n")
        screen.expect("OB2, XA1\r\n")
        screen.type("OA3\nOB1\n")
        screen.expect("Order's move: ")
        screen.type("hint\n")
        screen.expect("Best for Order: OC1.")
        screen.expect("Order wins with this move.")
        screen.type("OB3\n")
        screen.expect("Order wins 🎉")
        screen.expect("Score: Order: 1, Chaos: 0, draws: 0.")


def test_what_leaves_next_is_a_pale_small_letter_until_the_third_repetition_draws() -> None:
    with Screen(*TWO_PEOPLE, "vanishing-reuse", size=(30, 10)) as screen:
        screen.type("help\n")
        screen.expect("A small letter on the\r\nboard is the mark that leaves\r\nnext.")
        screen.type(lines("A1 B1 A2 B2 C3"))
        screen.expect("X plays C3.")
        screen.expect("O's move: ")
        assert screen.page.startswith("    A B C\n1 ┆ x O ·\n2 ┆ X O ·\n3 ┆ · · X\n")
        assert "X plays C3.\nWith the next X the X on A1\nleaves.\n" in screen.page
        assert "\x1b[2mx\x1b[0m" in screen.written
        screen.type(lines(REPEATING)[len(lines("A1 B1 A2 B2 C3")) :])
        screen.expect("O plays A3.\r\nA draw: this position has\r\ncome 3 times.\r\nNo one wins")


def test_layers_lie_side_by_side_on_a_narrow_screen_and_cells_name_their_layer() -> None:
    with Screen(*TWO_PEOPLE, "qubic", size=(30, 20)) as screen:
        screen.expect("Type a cell, its layer, its\r\nletter and its number: 1A1 to\r\n4D4.")
        screen.type(lines("2B3 2b3"))
        screen.expect("Cell is not empty: expected\r\nan empty cell, such as 1A1.")
        assert screen.page.startswith(
            "  1    2    3    4\n"
            "  ABCD ABCD ABCD ABCD\n"
            "1 ····┃····┃····┃····\n"
            "2 ····┃····┃····┃····\n"
            "3 ····┃·X··┃····┃····\n"
            "4 ····┃····┃····┃····\n"
            "\n"
            "X plays 2B3.\n"
        )
        screen.type(lines("1A4 4D3 1B4 1A1 1C4 1A2 1D4"))
        screen.expect("O wins 🎉")
        assert screen.written.count("\x1b[1;5;7mO\x1b[0m") == 4


def test_a_screen_that_the_board_does_not_fit_is_told_how_wide_it_must_be() -> None:
    with Screen(*TWO_PEOPLE, "qubic", size=(20, 20)) as screen:
        screen.expect("The board takes 21")
        screen.expect("X's move: ")
        assert "1 ·" not in screen.page


def test_the_first_mark_is_taken_over_by_a_word_while_that_is_legal() -> None:
    typed = "4\nswap\nundo\nhelp\nswap\nswap\nmoves\n"

    said = run(*TWO_PEOPLE, "connect-four,pie", "--plain", typed=typed).stdout

    offer = "O may take over the first mark instead of moving: swap.\n"
    after = "6 . . . O . . .\n  1 2 3 4 5 6 7\nX's move:\n"
    assert "The second player can type swap instead of making a first move.\n" in said
    assert said.count(offer) == 2
    assert "O takes over the first mark.\n  A B C D E F G\n" in said
    assert said.count(after) == 2
    assert "Only the second player's first move can take over a mark: expected 1, 2, 3, 4," in said
    assert said.endswith("X 4, O swap\nX's move:\nThe game ends here. Goodbye!\n")


def test_boards_on_which_nobody_plays_any_more_are_named_and_drawn_otherwise() -> None:
    with Screen(*TWO_PEOPLE, "notakto-2") as screen:
        screen.type(lines("A1 B1 C1 A2"))
        screen.expect("Player 1 plays C1.\r\nOpen boards: D1–F3.")
        screen.expect(
            "That board has a line, so nobody plays there: expected D1, E1, F1, D2, E2, F2,"
        )
        assert "2 ┆    │   │   ┃ · │ · │ ·\n" in screen.page


def test_marks_fall_to_the_lowest_free_layer_and_without_a_drawing_all_is_said() -> None:
    typed = "help\nb3\nB3\n2B3\nb3\nb3\nb3\n"

    said = run(*TWO_PEOPLE, "score-four", typed=typed).stdout

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
