"""Records that are broken, cut short, immense or malign get one error with a line and a cause."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.logic.played_games import escaped, records
from tests.logic.test_records import ANNOTATED, FORCED, fields
from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.record_json import records_from_json, records_to_json
from tic_tac_toe.logic.records import Record, format_records, parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS

Read = Callable[[str], tuple[Record, ...]]
Write = Callable[[list[Record]], str]

FORMS: list[tuple[Write, Read]] = [
    (format_records, parse_records),
    (records_to_json, records_from_json),
]
forms = pytest.mark.parametrize(("write", "read"), FORMS, ids=["text", "json"])
readers = pytest.mark.parametrize("read", [read for _, read in FORMS], ids=["text", "json"])

#: Cut behind the O of its last move, its text would end in a result.
RESIGNED = Record(VARIANTS["gomoku"], moves=(112, 224), resigned=Mark.CROSS)


def refusal_of(read: Read, text: str) -> InvalidNotation | None:
    """Return the error that reading ends in, after checking it; ``None`` if there is none."""
    try:
        read(text)
    except InvalidNotation as caught:
        error = caught
    else:
        return None
    assert error.line is not None
    assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1
    assert escaped(str(error)).startswith(f"line {error.line}: ")
    return error


def message_of(read: Read, text: str) -> str:
    return str(refusal_of(read, text))


BROKEN_OFF = "the game before this breaks off: it ends in none of X, O, draw, *"
BARE_QUOTE = "a quotation mark within a tag needs a backslash before it"
FRACTION = "expected a whole number, got a fraction or an immense number"

# -- broken ----------------------------------------------------------------------------------------


EXPECTED_ESCAPE = 'expected one of \\ " { } n t there'
EXPECTED_TAG = 'is not a tag: expected a line like [X "Ann"]'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("B2", f"line 1: {BROKEN_OFF}"),
        ('[X "Ann"]\n', f"line 2: {BROKEN_OFF}"),
        ('B2\n[X "Ann"]\n*', f"line 2: {BROKEN_OFF}"),
        ("* {so it was}", f"line 1: {BROKEN_OFF}"),
        ("\nB2 B2 *", 'line 2: move 2 "B2": Cell is not empty'),
        ("B2\nA1\nD1 *", 'line 3: move 3 "D1": there is no column D: columns go from A to C'),
        ("A1 B1 A2 B2 A3\nC3 X", 'line 2: move 6 "C3": The game is over'),
        ('[Variant "connect-four"]\n\n4 4 4 4 4 4\n4 *', 'line 4: move 7 "4": Column 4 is full'),
        ("2. B2 *", 'line 1: "2." stands where the moves have the number 1'),
        ("1. B2 2. A1 *", 'line 1: "2." stands where the moves have the number 1'),
        ("1. B2 A1\n1. C3 *", 'line 2: "1." stands where the moves have the number 2'),
        ("01. B2 *", 'line 1: "01." stands where the moves have the number 1'),
        ("1. B2 X", "line 1: the result X should be *"),
        ("A1 B1 A2 B2 A3 *", "line 1: the result * should be X"),
        ("A1 B1 A2 B2 A3 O", "line 1: the result O should be X"),
        ('[Result "O"]\n*', "line 1: the tag Result should be *"),
        ('\n[PlyCount "2"]\n\nB2 *', "line 2: the tag PlyCount should be 1"),
        (
            '[Termination "X gives up"]\n\nO',
            "line 1: the tag Termination should be X resigns or O resigns",
        ),
        (
            '[Termination "X resigns"]\nA1 B1 A2 B2 A3\nX',
            "line 3: Nobody resigns once the game is over",
        ),
        ('[Termination "X resigns"]\n\nX', "line 3: the result X should be O"),
        ('[Starting "Z"]\n*', "line 1: the tag Starting should be X or O"),
        ('[X "Ann"]\n[X "Bob"]\n*', "line 2: the tag X is given twice"),
        ('[Result "*"]\n[Result "*"]\n*', "line 2: the tag Result is given twice"),
        ('[variant "4x4"]\n*', 'line 1: "variant" is not a free tag: Variant is taken'),
        ('[X "a\tb"]\n*', r'line 1: the tag "X" holds the control character "\t"'),
        ('[X "a\\nb"]\n*', r'line 1: the tag "X" holds the control character "\n"'),
        ('[X "a"b"]\n*', f"line 1: {BARE_QUOTE}"),
        ('[X "a"] [O "b"]\n*', f"line 1: {BARE_QUOTE}"),
        ('[X "a\\"]\n*', f'line 1: a backslash before "": {EXPECTED_ESCAPE}'),
        ("{a\\q}\n*", f'line 1: a backslash before "q": {EXPECTED_ESCAPE}'),
        ("*\n{a\n\\\n}\n*", f'line 3: a backslash before "": {EXPECTED_ESCAPE}'),
        ("[X]\n*", f'line 1: "[X]" {EXPECTED_TAG}'),
        ("[X 'Ann']\n*", f"line 1: \"[X 'Ann']\" {EXPECTED_TAG}"),
        ('*\n[X "Ann"', f'line 2: "[X "Ann"" {EXPECTED_TAG}'),
        ('[É "Ann"]\n*', f'line 1: "[É "Ann"]" {EXPECTED_TAG}'),
        ("*\n*\nB2 {a\nb\nc", "line 3: a comment begins that does not end"),
        ("{\\}", "line 1: a comment begins that does not end"),
        ("{}}*", 'line 1: unexpected "}"'),
        ("*\n?", 'line 2: unexpected "?"'),
        ("{\u2028\n\x0c}*", r'line 2: unexpected control character "\x0c"'),
        ("\u2028*", r'line 1: unexpected "\u2028"'),
        ("\ufeff*", r'line 1: unexpected "\ufeff"'),
        ("*\r\n*\r*\n\0", r'line 4: unexpected control character "\x00"'),
        ("\x1b]0;title\x07*", r'line 1: unexpected control character "\x1b"'),
        ("*\n\udc9b2J", r'line 2: unexpected control character "\udc9b"'),
        ('[Variant "mnk:0,3,3"]\n*', "line 1: columns must be from 1 to 26, not 0"),
        ('[Position "XX."]\n*', "line 1: expected 9 cells, got 3"),
        ('[Position "XXX/.../..."]\n*', "line 1: Wrong number of Xs and Os"),
        (
            '[Starting "O"]\n[Position "X../.../... o"]\n*',
            "line 2: o to move means that X has started here, not O",
        ),
    ],
)
def test_a_broken_text_is_refused_with_its_line_and_cause(text: str, message: str) -> None:
    assert message_of(parse_records, text) == message


def test_a_variant_that_nobody_knows_is_refused_with_those_there_are() -> None:
    text = '*\n\n[X "Ann"]\n[Variant "chess\u202e"]\n*'
    found = message_of(parse_records, text)
    assert found.startswith('line 4: no variant is called "chess\\u202e"; choose from tic-tac-toe,')


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "PGN"}, 'format: expected "tic-tac-toe-record"'),
        ({"version": 2}, "version: 2 is unknown here, expected 1"),
        ({"version": True}, "version: expected a whole number, got true or false"),
        ({"version": 1.0}, f"version: {FRACTION}"),
        ({"version": 10**30}, f"version: {FRACTION}"),
        ({"variant": 3}, "variant: expected a text, got a whole number"),
        (
            {"variant": "mnk:3"},
            "variant: a board needs columns, rows and line length, like 7x6x4; 1 given",
        ),
        ({"starting": "x"}, 'starting: expected "X" or "O"'),
        ({"starting": ["X"]}, 'starting: expected "X" or "O"'),
        ({"position": 0}, "position: expected a text, got a whole number"),
        ({"position": "XX"}, "position: expected 9 cells, got 2"),
        ({"position": "XXX/.../..."}, "position: Wrong number of Xs and Os"),
        ({"moves": "B2"}, "moves: expected a list, got a text"),
        ({"moves": {}}, "moves: expected a list, got an object"),
        ({"moves": [4, True]}, "moves[1]: expected a whole number, got true or false"),
        ({"moves": [4, 0.0]}, f"moves[1]: {FRACTION}"),
        ({"moves": [None]}, "moves[0]: expected a whole number, got null"),
        ({"moves": [4, 0, 4]}, "moves[2]: Cell is not empty"),
        ({"moves": [9]}, "moves[0]: Cell must be from 0 to 8"),
        ({"moves": [-1]}, "moves[0]: Cell must be from 0 to 8"),
        ({"moves": [0, 3, 1, 4, 2, 8]}, "moves[5]: The game is over"),
        ({"result": "X"}, 'result: the moves make it "*"'),
        ({"result": None}, "result: expected a text, got null"),
        ({"resigned": "Ann"}, 'resigned: expected "X" or "O"'),
        ({"resigned": False}, 'resigned: expected "X" or "O"'),
        ({"resigned": "X"}, 'result: the moves make it "O"'),
        ({"tags": []}, "tags: expected an object, got a list"),
        ({"tags": {"X": 5}}, 'tags."X": expected a text, got a whole number'),
        ({"tags": {"\x1b": 5}}, r'tags."\x1b": expected a text, got a whole number'),
        ({"tags": {"X": "\x1b[2J"}}, r'the tag "X" holds the control character "\x1b"'),
        ({"tags": {"Result": "*"}}, '"Result" is not a free tag: Result is taken'),
        ({"tags": {"": "*"}}, '"" is not the name of a tag: letters, digits, underscores'),
        ({"comments": {}}, "comments: expected a list, got an object"),
        ({"comments": [[1, "!"]]}, "comments[0]: expected an object, got a list"),
        ({"comments": [{"ply": 1}]}, "comments[0]: the field text is missing"),
        (
            {"comments": [{"ply": "1", "text": "!"}]},
            "comments[0].ply: expected a whole number, got a text",
        ),
        ({"comments": [{"ply": 1, "text": None}]}, "comments[0].text: expected a text, got null"),
        (
            {"comments": [{"ply": 1, "text": "!", "by": "Ann"}]},
            'comments[0]: "by" is no field of it',
        ),
        ({"comments": [{"ply": 3, "text": "!"}]}, "comments[0].ply: expected 0 to 2"),
        (
            {"comments": [{"ply": 1, "text": "\ud800"}]},
            r'comments[0].text holds the control character "\ud800"',
        ),
        ({"elo\n": 1500}, r'the record: "elo\n" is no field of it'),
    ],
)
def test_broken_objects_are_refused_with_a_path(changes: dict[str, object], message: str) -> None:
    text = "\n".join(["", json.dumps(fields()), json.dumps(fields(**changes))])
    assert message_of(records_from_json, text) == f"line 3: {message}"


@pytest.mark.parametrize("name", ["format", "version", "variant", "starting", "moves", "result"])
def test_an_object_without_a_needed_field_is_refused(name: str) -> None:
    rest = {key: value for key, value in fields().items() if key != name}
    assert name in message_of(records_from_json, json.dumps(rest))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "no JSON: Expecting property name enclosed in double quotes, column 2"),
        ("B2 A1 *", "no JSON: Expecting value, column 1"),
        ("{} {}", "no JSON: Extra data, column 4"),
        ("[]", "the record: expected an object, got a list"),
        ("7", "the record: expected an object, got a whole number"),
        ("null", "the record: expected an object, got null"),
        ("NaN", "NaN is no JSON"),
        ('{"moves": [Infinity]}', "Infinity is no JSON"),
        ('{"moves": [-Infinity]}', "-Infinity is no JSON"),
        ('{"format": 1, "format": 2}', 'the field "format" is given twice'),
        ('{"a": {"\\u001b": 1, "\\u001b": 1}}', r'the field "\x1b" is given twice'),
        ('"\x1b"', r'unexpected control character "\x1b"'),
        ("\ufeff{}", "no JSON: Unexpected UTF-8 BOM (decode using utf-8-sig), column 1"),
        ("\u2028", "no JSON: Expecting value, column 1"),
    ],
)
def test_a_line_that_is_no_json_is_refused_with_its_column(line: str, message: str) -> None:
    text = f"{json.dumps(fields())}\r\n\r\n{line}"
    assert message_of(records_from_json, text) == f"line 3: {message}"


def assert_cut_is_noticed(written: list[Record], write: Write, read: Read, at: int) -> None:
    """Check that a file cut at a byte gives fewer of its records, or an error, and nothing else."""
    text = write(written).encode()[:at].decode(errors="surrogateescape")
    if refusal_of(read, text) is None:
        found = read(text)
        assert found == tuple(written[: len(found)])


@pytest.mark.medium
@forms
def test_a_file_cut_at_any_byte_gives_fewer_records_or_an_error(write: Write, read: Read) -> None:
    comment = Record(moves=(4,), comments=((1, "\u2714 \U0001f600"),))
    written = [ANNOTATED, comment, RESIGNED, FORCED]
    for at in range(len(write(written).encode()) + 1):
        assert_cut_is_noticed(written, write, read, at)


@pytest.mark.medium
@forms
@given(st.lists(records(), min_size=1, max_size=2), st.data())
def test_any_file_cut_anywhere_gives_fewer_records_or_an_error(
    write: Write, read: Read, written: list[Record], data: st.DataObject
) -> None:
    size = len(write(written).encode())
    for at in data.draw(st.lists(st.integers(0, size), min_size=5, max_size=5)):
        assert_cut_is_noticed(written, write, read, at)


def test_without_its_ply_count_a_cut_resignation_would_pass_for_whole() -> None:
    text = format_records([RESIGNED])
    cut = text[: text.rindex("O15") + 1]
    assert message_of(parse_records, cut) == "line 5: the tag PlyCount should be 1"
    (shorter,) = parse_records(cut.replace('[PlyCount "2"]\n', ""))
    assert shorter.moves == RESIGNED.moves[:1]


# -- damaged ---------------------------------------------------------------------------------------


@forms
@given(
    st.lists(records(), min_size=1, max_size=2),
    st.text('X*O12.A{}[]"\\ \n\r\t,:nul\0\x1b\u2028\ud800', max_size=3),
    st.randoms(use_true_random=False),
)
def test_a_damaged_file_gives_records_or_an_error(
    write: Write, read: Read, written: list[Record], patch: str, rng: random.Random
) -> None:
    text = write(written)
    start = rng.randrange(len(text))
    text = text[:start] + patch + text[start + rng.randrange(4) :]
    if refusal_of(read, text) is None:
        found = list(read(text))
        assert list(read(write(found))) == found


@readers
@given(st.text('X*O12.ABabc{}[]"\\ \n\r\t,:_-\0é') | st.text())
@example('{"format":"tic-tac-toe-record"}')
def test_any_text_gives_records_or_an_error(read: Read, text: str) -> None:
    refusal_of(read, text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.sampled_from(sorted(fields())), json_values)
def test_an_object_with_any_value_gives_a_record_or_an_error(name: str, value: object) -> None:
    text = json.dumps(fields(**{name: value}))
    if refusal_of(records_from_json, text) is None:
        (record,) = records_from_json(text)
        assert json.loads(records_to_json([record])).keys() == fields().keys()


@forms
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@given(st.lists(records(), min_size=1, max_size=3), st.data())
@settings(max_examples=8)
def test_the_line_of_an_error_is_right_whatever_ends_the_lines(
    write: Write, read: Read, newline: str, written: list[Record], data: st.DataObject
) -> None:
    # In a comment anything may stand; and a line that ends one is no line of its own.
    plain = [Record.from_moves(r.initial_state, r.moves, tags=r.tags) for r in written]
    assume(all("\u0085" not in write([record]) for record in plain))
    lines = write(plain).split("\n")
    at = data.draw(st.integers(0, len(lines)))
    lines.insert(at, "!")
    error = refusal_of(read, newline.join(lines))
    assert error is not None
    assert error.line == at + 1


# -- immense ---------------------------------------------------------------------------------------

MANY = 10**5
HEAD = json.dumps(fields(moves=None))[:-1].replace('"moves": null, ', "") + ', "moves": '

IMMENSE_TEXTS = {
    "moves": ("B2 " * MANY, 'line 1: move 2 "B2": Cell is not empty'),
    "lines of moves": ("B2\n" * MANY, 'line 2: move 2 "B2": Cell is not empty'),
    "numbers": ("1." * 10**4, "line 1: the game before this breaks off: "),
    "digits": ("1" * MANY, 'line 1: move 1 "1111'),
    "digits and a dot": ("1" * MANY + ".", 'line 1: "1111'),
    "letters": ("A" * MANY, 'line 1: move 1 "AAAA'),
    "brackets": ("[" * MANY, 'line 1: "[[[['),
    "lines of brackets": ("[\n" * MANY, 'line 1: "["'),
    "braces": ("{" * MANY, "line 1: a comment begins that does not end"),
    "pairs of braces": ("{}" * 10**4, "line 1: the game before this breaks off: "),
    "escaped braces": ("{" + "\\}" * MANY, "line 1: a comment begins that does not end"),
    "backslashes": ("{" + "\\" * MANY, "line 1: a comment begins that does not end"),
    "backslashes in a tag": ('[X "' + "\\" * MANY + '"', 'line 1: "[X "'),
    "tags": ("".join(f'[X{i} ""]\n' for i in range(10**4)), "line 10001: the game before this "),
    "lines": ("\n" * MANY + "!", 'line 100001: unexpected "!"'),
    "NULs": ("*\n" + "\0" * MANY, r'line 2: unexpected control character "\x00"'),
    "a variant": (f'[Variant "{"a" * MANY}"]*', 'line 1: "[Variant "'),
    "a position": (f'[Position "{"/" * MANY}"]\n*', "line 1: row 1: expected 3 cells, got 0"),
    "games": ("*\n" * 10**3 + "!", 'line 1001: unexpected "!"'),
}
IMMENSE_LINES = {
    "moves": (HEAD + "[" + "4," * MANY + "4]}", "line 1: moves[1]: Cell is not empty"),
    "digits": (HEAD + f"[{'4' * MANY}]}}", "line 1: moves[0]: expected a whole number, got a "),
    "5000 digits": (HEAD + f"[{'4' * 5000}]}}", "line 1: moves[0]: expected a whole number, got "),
    "lists in lists": ("[" * MANY, "line 1: lists or objects are nested too deeply"),
    "objects in objects": ('{"a":' * MANY, "line 1: lists or objects are nested too deeply"),
    "closed lists": (
        HEAD + "[" * 10**5 + "]" * 10**5 + "}",
        "line 1: lists or objects are nested ",
    ),
    "fields": (
        "{" + ",".join(f'"{i}":0' for i in range(10**5)) + "}",
        'line 1: format: expected "tic-tac-toe-record"',
    ),
    "lines": ("\n" * MANY + "!", "line 100001: no JSON: Expecting value, column 1"),
    "NULs": ("\n" + "\0" * MANY, r'line 2: unexpected control character "\x00"'),
    "a text": ('"' + "a" * MANY, "line 1: no JSON: Unterminated string starting at, column 1"),
}


@pytest.mark.parametrize(("text", "message"), IMMENSE_TEXTS.values(), ids=IMMENSE_TEXTS.keys())
def test_an_immense_text_is_refused_at_its_first_fault(text: str, message: str) -> None:
    assert message_of(parse_records, text).startswith(message)


@pytest.mark.parametrize(("text", "message"), IMMENSE_LINES.values(), ids=IMMENSE_LINES.keys())
def test_an_immense_line_is_refused_at_its_first_fault(text: str, message: str) -> None:
    assert message_of(records_from_json, text).startswith(message)


@forms
def test_a_long_comment_is_as_good_as_a_short_one(write: Write, read: Read) -> None:
    for text in ("a " * 10**5, "\\" * 10**5, "}\n" * 10**5, "a" * 10**5):
        record = Record(comments=((0, text),))
        assert read(write([record])) == (record,)


@pytest.mark.medium
@forms
def test_a_large_file_of_games_is_read_whole(write: Write, read: Read) -> None:
    written = [ANNOTATED, FORCED] * 300
    assert read(write(written)) == tuple(written)
