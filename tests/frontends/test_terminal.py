"""What a stream can show is shown, what could do harm is not, and what it cannot is replaced."""

from __future__ import annotations

import io
import sys
import unicodedata

import pytest

from tests.frontends.desk import FakeScreen
from tic_tac_toe_frontends.program.terminal import (
    LINE_LIMIT,
    OutputLost,
    Terminal,
    columns_of,
    in_columns,
    in_lines,
    in_table,
)
from tic_tac_toe_frontends.words.foreign import escaped, truncated


class FullDisk(io.StringIO):
    """A stream that takes nothing."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def shown(text: str, encoding: str) -> str:
    """Return what arrives of a text in an encoding."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Terminal(None, stream, {}).show(text, end="")
    stream.seek(0)
    return stream.read()


def test_escapes_are_those_of_python_for_all_of_unicode() -> None:
    pages = ("".join(map(chr, range(at, at + 256))) for at in range(0, sys.maxunicode, 256))
    signs = (sign for page in pages if escaped(page) != page for sign in page)
    changed = [sign for sign in signs if escaped(sign) != sign]

    assert {unicodedata.category(sign) for sign in changed} == {"Cc", "Cf", "Cs", "Zl", "Zp"}
    for sign in changed:
        assert escaped(sign) == sign.encode("unicode_escape").decode("ascii")
    assert escaped("señor 🎉 \x1b[31mred\n\u202e") == "señor 🎉 \\x1b[31mred\\n\\u202e"


def test_what_is_shown_is_made_harmless_line_by_line() -> None:
    stream = io.StringIO()

    Terminal(None, stream, {}).show("one\x1b[2J\ntwo\r")

    assert stream.getvalue() == "one\\x1b[2J\ntwo\\r\n"


def test_lines_of_drawings_fall_back_to_ascii_and_letters_to_question_marks() -> None:
    assert shown("1 ┆  X │ O", "ascii") == "1 |  X | O"
    assert shown("───┼───╂━┿━╋━", "ascii") == "---+---#=+=#="
    assert shown("中文", "ascii") == "??"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437"])
def test_faces_are_left_out_where_there_are_none_and_other_letters_stay(encoding: str) -> None:
    assert shown("X wins 🎉", encoding) == "X wins!"
    assert shown("No one wins this time 😐", encoding).rstrip() == "No one wins this time"
    assert shown("¿Otra? 🎉 X wins 🎉", "utf-8") == "¿Otra? 🎉 X wins 🎉"
    assert shown("¿Otra?", encoding) == ("?Otra?" if encoding == "ascii" else "¿Otra?")


@pytest.mark.parametrize(
    ("environ", "plain", "fancy"),
    [
        ({"TERM": "xterm"}, False, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, True),  # nothing shown has a colour
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({}, False, False),
    ],
)
def test_a_screen_is_drawn_on_only_where_that_is_welcome(
    environ: dict[str, str], plain: bool, fancy: bool
) -> None:
    terminal = Terminal(FakeScreen(), FakeScreen(), environ, plain=plain)

    assert terminal.fancy is fancy
    assert terminal.interactive


def test_only_a_screen_with_escape_sequences_is_cleared() -> None:
    fancy, plain, file = FakeScreen(), FakeScreen(), io.StringIO()
    Terminal(None, fancy, {"TERM": "xterm"}).clear()
    Terminal(None, plain, {"TERM": "dumb"}).clear()
    Terminal(FakeScreen(), file, {"TERM": "xterm"}).clear()

    assert [stream.getvalue() for stream in (fancy, plain, file)] == ["\x1b[2J\x1b[H", "", ""]


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        (b"B2\r\n\nlast", ["B2", "", "last"]),
        (b"x" * (3 * LINE_LIMIT) + b"\nB2\n", ["x" * LINE_LIMIT, "B2"]),
        (b"\xff\xfeB2\n", ["\ufffd\ufffdB2"]),
    ],
    ids=["ends", "too long", "no text"],
)
def test_lines_are_read_up_to_their_limit_and_without_their_ends_until_there_is_none(
    typed: bytes, lines: list[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
    terminal = Terminal(stdin, io.StringIO(), {})

    assert [terminal.ask("? ") for _ in lines] == lines
    with pytest.raises(EOFError):
        terminal.ask("? ")


def test_input_without_lines_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = io.StringIO()
    monkeypatch.setattr(endless, "readline", lambda size: "\0" * size)

    with pytest.raises(EOFError):
        Terminal(endless, io.StringIO(), {}).ask("? ")


def test_a_full_disk_is_told_by_its_reason() -> None:
    with pytest.raises(OutputLost, match="No space left on device"):
        Terminal(None, FullDisk(), {}).show("anything")


def test_long_paragraphs_are_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    stream = io.StringIO()
    Terminal(None, stream, {}).show_wrapped("one two three four five six seven")

    assert stream.getvalue() == "one two three four five six\nseven\n"


def test_words_paths_and_addresses_stay_whole_in_narrow_lines() -> None:
    assert in_lines("see http://localhost:8765/games/x or --time-limit", 16) == [
        "see",
        "http://localhost:8765/games/x",
        "or --time-limit",
    ]
    assert in_lines("  1. a long line of a list", 14, hanging=3) == [
        "  1. a long",
        "     line of a",
        "     list",
    ]


def test_chinese_is_broken_between_letters_and_not_before_a_full_stop() -> None:
    assert in_lines("轮到您下，请输入 help。完", 9) == ["轮到您", "下，请输", "入 help。", "完"]
    assert in_lines("井字棋（X 先下）", 8) == ["井字棋", "（X 先", "下）"]


def test_last_columns_go_on_below_themselves_and_below_the_line_where_there_is_no_room() -> None:
    rows = [("", "undo", "take the last move back"), ("", "悔", "不")]

    assert in_columns(rows, 28) == ["  undo  take the last move", "        back", "  悔    不"]
    assert in_columns(rows, 24) == [
        "  undo",
        "      take the last move",
        "      back",
        "  悔    不",
    ]


def test_a_wide_table_breaks_its_headings_and_then_itself() -> None:
    rows = [("player", "illegal moves", "losses on time"), ("easy", "0", "12")]

    assert in_table(rows, 40) == [
        "player  illegal moves  losses on time",
        "easy    0              12",
    ]
    assert in_table(rows, 24) == [
        "                 losses",
        "        illegal  on",
        "player  moves    time",
        "easy    0        12",
    ]
    assert in_table(rows, 16) == [
        "",
        "        illegal",
        "player  moves",
        "easy    0",
        "",
        "        losses",
        "        on",
        "player  time",
        "easy    12",
    ]


def test_chinese_letters_count_as_two_columns() -> None:
    assert columns_of("悔棋 / undo") == 11
    assert in_columns([("悔棋", "u"), ("undone", "v")]) == ["悔棋    u", "undone  v"]


def test_long_texts_of_others_are_cut() -> None:
    assert truncated("x" * 300) == "x" * 199 + "…"
    assert truncated("short") == "short"
