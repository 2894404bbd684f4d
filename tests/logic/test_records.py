"""Records of whole games: what they hold, and their two written forms, which lead back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.logic.played_games import play_at_random, records
from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    InvalidNotation,
    InvalidVariant,
    quoted,
)
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import format_state, parse_state, play_moves
from tic_tac_toe.logic.record_json import records_from_json, records_to_json
from tic_tac_toe.logic.records import (
    RESERVED_TAGS,
    WIDTH,
    Record,
    first_state,
    format_records,
    parse_records,
)
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.shapes import Shape

CROSS, NAUGHT = MARKS
ULTIMATE = VARIANTS["ultimate"]

#: A record that uses everything there is, and what could be taken for something else.
ANNOTATED = Record(
    moves=(4, 0, 8),
    tags=(("X", "Ann"), ("O", 'the "machine" \\'), ("Event", "[Result]")),
    comments=(
        (0, "1. B2 *"),
        (2, 'a corner {holds}  "so" \\n they\tsay\n[X "Bob"]'),
        (2, ""),
        (3, " ends with a backslash\\"),
    ),
    resigned=NAUGHT,
)
OWN_ULTIMATE = Ultimate(LineRules(Shape(2, 2), 2))
FORCED = Record.from_moves(play_moves(GameState.new(ULTIMATE, NAUGHT), "E5"), (31,))


def fields(**changes: object) -> dict[str, object]:
    """Return what JSON holds of a record."""
    return {
        "format": "tic-tac-toe-record",
        "version": 1,
        "variant": "tic-tac-toe",
        "starting": "X",
        "position": None,
        "moves": [4, 0],
        "result": "*",
        "resigned": None,
        "tags": {"X": "Ann"},
        "comments": [{"ply": 1, "text": "!"}],
        **changes,
    }


def assert_round_trip(written: Sequence[Record]) -> None:
    """Check that both forms lead back to the same records, and those to the same forms."""
    text, lines = format_records(written), records_to_json(written)
    assert parse_records(text) == tuple(written)
    assert records_from_json(lines) == tuple(written)
    assert format_records(parse_records(text)) == text
    assert records_to_json(records_from_json(lines)) == lines


# -- what a record holds ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "result"),
    [
        (Record(), "*"),
        (Record(moves=(4, 0, 8)), "*"),
        (Record(moves=(0, 3, 1, 4, 2)), "X"),
        (Record(starting_mark=NAUGHT, moves=(0, 3, 1, 4, 2)), "O"),
        (Record(Misere(TIC_TAC_TOE), moves=(0, 3, 1, 4, 2)), "O"),
        (Record(moves=(4, 0, 8, 2, 1, 7, 6, 3, 5)), "draw"),
        (Record(resigned=CROSS), "O"),
        (Record(moves=(4, 0), resigned=NAUGHT), "X"),
    ],
)
def test_the_result_follows_from_moves_and_who_resigned(record: Record, result: str) -> None:
    assert record.result == result


def test_letters_are_marks() -> None:
    assert Record(resigned=cast("Mark", "X")).result == "O"
    assert Record(starting_mark=cast("Mark", "O")) == Record(starting_mark=NAUGHT)
    for field in ("resigned", "starting_mark"):
        with pytest.raises(ValueError, match="'Z' is not a valid Mark"):
            Record(**{field: "Z"})  # type: ignore[arg-type]  # what is tested


def test_a_record_gives_every_state_of_its_game() -> None:
    record = Record(moves=(4, 0, 8))
    assert [state.grid.cells for state in record.states] == [
        "         ",
        "    X    ",
        "O   X    ",
        "O   X   X",
    ]
    assert record.final_state == list(record.states)[-1]
    assert record.final_state.position == record.final_position


def test_a_record_may_begin_at_a_position() -> None:
    start = parse_state("XXO/O.X/.O.")
    record = Record.from_moves(start, (4,), tags=(("X", "Ann"),), comments=((1, "!"),))
    assert record.start == record.initial_state == start
    assert record.rules == TIC_TAC_TOE
    assert record.starting_mark is CROSS
    assert record.final_state == start.make_move_to(4).after_state
    for mark in MARKS:
        record = Record.from_moves(GameState.new(CONNECT_FOUR, mark), (38,))
        assert record == Record(CONNECT_FOUR, mark, (38,))
        assert record.start is None


def test_lists_are_kept_as_tuples_and_comments_in_the_order_of_the_game() -> None:
    lists: Any = {"moves": [4], "tags": [("X", "Ann")], "comments": [(1, "b"), (0, "c"), (1, "a")]}
    comments = ((0, "c"), (1, "b"), (1, "a"))
    record = Record(moves=(4,), tags=(("X", "Ann"),), comments=comments)
    assert {Record(**lists)} == {record}
    assert record.comments == comments


@pytest.mark.parametrize(
    ("rules", "moves", "message"),
    [
        (TIC_TAC_TOE, (4, 0, 4), 'move 3 "B2": Cell is not empty'),
        (TIC_TAC_TOE, (0, 3, 1, 4, 2, 8), 'move 6 "C3": The game is over'),
        (TIC_TAC_TOE, (9,), 'move 1 "?": Cell must be from 0 to 8'),
        (TIC_TAC_TOE, (0, -1), 'move 2 "?": Cell must be from 0 to 8'),
        (TIC_TAC_TOE, (1 << 20000,), 'move 1 "?": Cell must be from 0 to 8'),
        (TIC_TAC_TOE, (True,), 'move 1 "?": Cell must be a whole number, not bool'),
        (TIC_TAC_TOE, (4.0,), 'move 1 "?": Cell must be a whole number, not float'),
        (CONNECT_FOUR, (38, 24), 'move 2 "4": A mark falls to the lowest empty cell of its column'),
        (ULTIMATE, (40, 0), 'move 2 "A1": The last move asks for another board'),
    ],
    ids=range(9),
)
def test_an_illegal_move_makes_no_record(rules: Rules, moves: Any, message: str) -> None:
    with pytest.raises(InvalidMove) as error:
        Record(rules, moves=moves)
    assert str(error.value) == message


def test_a_first_position_of_another_game_makes_no_record() -> None:
    start = parse_state("X........")
    for rules, mark in ((Misere(TIC_TAC_TOE), CROSS), (TIC_TAC_TOE, NAUGHT)):
        with pytest.raises(InvalidGameState, match="disagree on rules or starter"):
            Record(rules, mark, start=start)


def test_nobody_resigns_once_the_game_is_over() -> None:
    with pytest.raises(InvalidGameState, match="Nobody resigns once the game is over"):
        Record(moves=(0, 3, 1, 4, 2), resigned=NAUGHT)


NAME = "letters, digits, underscores"
CONTROL = "holds the control character"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        *(
            ({"tags": ((name, "a"),)}, f"{quoted(name)} is not the name of a tag: {NAME}")
            for name in ("", "1st", "Na me", "X\n", "É")
        ),
        ({"tags": (("X", "a"), ("O", "b"), ("X", "a"))}, "the tag X is given twice"),
        *(
            ({"tags": (("X", f"a{sign}b"),)}, f'the tag "X" {CONTROL} {quoted(sign)}')
            for sign in ("\n", "\t", "\x1b", "\x9b", "\udc9b")
        ),
        *(
            ({"tags": ((written, "a"),)}, f'"{written}" is not a free tag: {name} is taken')
            for name in RESERVED_TAGS
            for written in (name, name.lower(), name.upper())
        ),
        *(
            ({"comments": ((0, f"a{sign}b"),)}, f"a comment {CONTROL} {quoted(sign)}")
            for sign in ("\0", "\r", "\x0b", "\x1b", "\x7f", "\x85", "\ud800")
        ),
        *(
            ({"moves": (4,), "comments": ((ply, "!"),)}, f"a comment after move {ply} of 1")
            for ply in (-1, 2)
        ),
    ],
)
def test_a_tag_or_comment_that_cannot_be_written_makes_no_record(wrong: Any, message: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        Record(**wrong)
    assert str(error.value) == message


# -- how it is written -----------------------------------------------------------------------------


def test_the_text_is_tags_then_numbered_moves_then_the_result() -> None:
    record = Record(
        moves=(4, 0, 8), tags=(("X", "Ann"), ("O", "minimax")), comments=((2, "a corner holds"),)
    )
    assert format_records([record, Record(CONNECT_FOUR, NAUGHT, (38, 31), resigned=CROSS)]) == (
        '[Variant "tic-tac-toe"]\n'
        '[X "Ann"]\n'
        '[O "minimax"]\n'
        '[Starting "X"]\n'
        '[Result "*"]\n'
        "\n"
        "1. B2 A1 {a corner holds} 2. C3 *\n"
        "\n"
        '[Variant "connect-four"]\n'
        '[Starting "O"]\n'
        '[Result "O"]\n'
        '[Termination "X resigns"]\n'
        '[PlyCount "2"]\n'
        "\n"
        "1. 4 4 O\n"
    )


def test_a_first_position_is_a_tag_and_signs_with_a_meaning_have_a_backslash() -> None:
    record = Record(tags=(("X", 'a"b\\c{}'),), comments=((0, 'a"b\\c{}\n\td'),))
    text = format_records([record, FORCED])
    assert '[X "a\\"b\\\\c{}"]\n' in text
    assert '\n{a"b\\\\c\\{\\}\\n\\td} *\n' in text
    assert '[Position "........./' in text
    assert '/......... x B2"]\n' in text


def test_the_json_is_one_object_of_ascii_a_line() -> None:
    record = Record(moves=(4, 0), tags=(("X", "Ann"),), comments=((2, "é\u2028{"),))
    lines = records_to_json([record, FORCED])
    assert lines.isascii()
    first, second, rest = lines.split("\n")
    assert rest == ""
    assert json.loads(first) == fields(comments=[{"ply": 2, "text": "é\u2028{"}])
    assert json.loads(second)["position"] == format_state(FORCED.initial_state)


def test_no_records_are_no_text() -> None:
    assert format_records([]) == records_to_json([]) == ""
    for text in ("", "\n", " \t\r\n\n"):
        assert parse_records(text) == records_from_json(text) == ()


@pytest.mark.parametrize("write", [format_records, records_to_json])
@pytest.mark.parametrize("rules", [OWN_ULTIMATE, Misere(OWN_ULTIMATE)])
def test_rules_without_a_name_cannot_be_written(
    write: Callable[[Sequence[Record]], str], rules: Rules
) -> None:
    with pytest.raises(InvalidVariant, match="rules of one's own have no variant name"):
        write([Record(rules)])


@given(records())
def test_lines_of_moves_are_at_most_80_wide_unless_one_word_is_wider(record: Record) -> None:
    moves = format_records([record]).partition("\n\n")[2]
    for line in moves.split("\n")[:-1]:
        assert line == line.strip(" ")
        assert line
        assert len(line) <= WIDTH or not re.search("[^ .] [^ ]", line)


# -- how it is read back ---------------------------------------------------------------------------


@pytest.mark.medium
@given(st.lists(records(), max_size=3))
def test_records_are_read_back_from_text_and_from_json(written: list[Record]) -> None:
    assert_round_trip(written)


@pytest.mark.parametrize("name", VARIANTS)
def test_games_of_every_variant_are_read_back_at_every_length(name: str) -> None:
    rules = VARIANTS[name]
    for seed, mark in enumerate(MARKS):
        moves = play_at_random(first_state(rules, mark), 1000, seed)
        lengths = range(0, len(moves), max(7, len(moves) // 4))
        written = [Record(rules, mark, moves[:plies]) for plies in lengths]
        resigned = [replace(record, resigned=mark) for record in written]
        assert_round_trip([Record(rules, mark, moves), *written, *resigned])


#: Games written by the program as it was before a move was more than a cell.
BEFORE = Path(__file__).resolve().parents[1] / "data"


def test_records_from_before_moves_were_numbers_are_read_and_written_byte_for_byte() -> None:
    text = (BEFORE / "records-before.txt").read_text("utf-8")
    lines = (BEFORE / "records-before.jsonl").read_text("utf-8")
    written = parse_records(text)
    assert len(written) == 15
    assert records_from_json(lines) == written
    assert format_records(written) == text
    assert records_to_json(written) == lines
    assert {record.result for record in written} == {"X", "O", "draw", "*"}


def test_letters_and_words_are_written_as_players_write_them() -> None:
    wild = find_rules("wild")
    assert "\n1. XB2 OA1 *\n" in format_records([Record(wild, moves=(4, 9))])
    pie = Record(find_rules("connect-four,pie"), moves=(38, 42, 31))
    assert "\n1. 4 swap 2. 4 *\n" in format_records([pie])
    with pytest.raises(InvalidMove, match='move 3 "XA1": Cell is not empty'):
        Record(wild, moves=(4, 9, 0))


def test_records_that_use_everything_or_end_in_a_repetition_are_read_back() -> None:
    record = Record(find_rules("vanishing-reuse"), moves=(0, 4, 1, 8, 5, 3) * 3)
    assert (record.result, record.final_state.drawn) == ("draw", True)
    assert_round_trip([ANNOTATED, FORCED, record])


def test_a_text_that_people_wrote_is_read_with_what_it_lacks() -> None:
    assert parse_records("*") == (Record(),)
    assert parse_records("b2 1a 3C *") == (Record(moves=(4, 0, 8)),)
    assert parse_records("1.5 7 2.3 *") == (Record(moves=(4, 0, 8)),)
    assert parse_records("1. B2 {good} 1... A1 2. C3 *") == (
        Record(moves=(4, 0, 8), comments=((1, "good"),)),
    )
    assert parse_records('[Starting "O"]\n* [Variant "Connect Four"]\n1. 4 D5 *') == (
        Record(starting_mark=NAUGHT),
        Record(CONNECT_FOUR, moves=(38, 31)),
    )
    assert parse_records('[Position "XX./OO./..."]\nC1 X') == (
        Record.from_moves(parse_state("XX./OO./..."), (2,)),
    )
    assert parse_records('  [X  "Ann" ]\t\n[Termination "X resigns"]\nB2\nO') == (
        Record(moves=(4,), tags=(("X", "Ann"),), resigned=CROSS),
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_one(newline: str) -> None:
    text = format_records([ANNOTATED, FORCED]).replace("\n", newline)
    assert parse_records(text) == (ANNOTATED, FORCED)
    lines = records_to_json([ANNOTATED, FORCED]).replace("\n", newline)
    assert records_from_json(lines) == (ANNOTATED, FORCED)
    (record,) = parse_records(f"{{a{newline}b}}\n*")  # within a comment it is a space
    assert record.comments == ((0, "a b"),)


def test_json_may_lack_what_is_not_there() -> None:
    whole = fields(variant="3x3", starting="O", moves=[4])
    for name in ("position", "resigned", "tags", "comments"):
        del whole[name]
    assert records_from_json(json.dumps(whole)) == (Record(starting_mark=NAUGHT, moves=(4,)),)
