"""What messages are made of: the protocol's version and limits, and the bounds of fields.

A field of a message is declared with its bound, and with a sentence for those who write clients,
``name: Annotated[str, one_line(NAME_LENGTH), "what others see"]``. Of the declarations are made the
readers and writers, the tables of docs/reference/protocol.md, and the JSON Schemas beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import category

from tic_tac_toe.logic.exceptions import InvalidNotation, InvalidVariant, Message, message, quoted
from tic_tac_toe.logic.records import check_comment
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, variant_name
from tic_tac_toe.logic.strict_json import Bound, read_list, read_text, read_whole
from tic_tac_toe.protocols.online.addresses import PATTERN
from tic_tac_toe.protocols.online.clocks import Clock

#: The version of the protocol that is spoken here.
PROTOCOL = 1
#: The name of the subprotocol of the WebSocket.
SUBPROTOCOL = "tictactoe.1"

#: The longest text that a client may send, in bytes of UTF-8.
FRAME_BYTES = 4_096
#: The depth to which its lists and objects may be nested, and the digits of its numbers.
FRAME_DEPTH = 3
NUMBER_DIGITS = 15

#: The longest message id, name and line of chat, in characters.
ID_LENGTH = 40
NAME_LENGTH = 40
CHAT_LENGTH = 200

#: Accents that a letter may have in a line: some scripts stack four.
ACCENTS = 6

#: Requests of one client that may wait for an answer at once.
PENDING = 32
#: Events in one answer; a client that misses more asks again.
EVENTS_AT_ONCE = 100
#: Events of one game, chat included; and lines of chat.
EVENTS_IN_GAME = 4_000
CHAT_IN_GAME = 500

#: The slowest and the fastest clock: seconds for the whole game, and added by each move.
CLOCK_SECONDS = (5, 7 * 24 * 3_600)
INCREMENT_SECONDS = (0, 3_600)

#: Lines of the watchers' talk that a server keeps of a game.
TALK_LINES = 50

#: Games that the lobby shows.
LOBBY_GAMES = 50

#: Games in the answer to a player who asks for their own.
OWN_GAMES = 100

_LONG_NUMBER = re.compile(f"[0-9]{{{NUMBER_DIGITS + 1}}}")
# A string without an end goes on to the end of the text: otherwise each of its escaped quotes
# would be tried as the beginning of another.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
#: Letters and signs that Unicode counts as visible, and that are drawn as nothing.
_BLANK_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_NOT_IN_LINES = re.compile("[\t\n\u2028\u2029]")
#: What computer players are called: names of strategies, and of an operator's programs.
OPPONENT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,39}")


def check_frame(text: str) -> None:
    """Raise `InvalidNotation` for a text that is too long, or nested too deeply, to be read."""
    if len(text) > FRAME_BYTES or (not text.isascii() and _bytes(text) > FRAME_BYTES):
        raise InvalidNotation(
            "a message has at most {count} bytes", "frame_bytes", count=FRAME_BYTES
        )
    if text.count("{") + text.count("[") > FRAME_DEPTH and _depth(text) > FRAME_DEPTH:
        raise InvalidNotation("lists or objects are nested too deeply", "json_depth")
    if _LONG_NUMBER.search(text) and _LONG_NUMBER.search(_STRING.sub('""', text)):
        raise InvalidNotation(
            "a number has at most {count} digits", "number_digits", count=NUMBER_DIGITS
        )


@dataclass(frozen=True)
class Text:
    """One line of text, without the blanks around it, of at most ``length`` characters."""

    length: int
    may_be_blank: bool = True

    def __call__(self, value: object, path: str) -> str:
        """Return the line that a value is."""
        text = read_text(value, path)
        check_comment(text, path)
        if len(text) > self.length or _NOT_IN_LINES.search(text):
            raise InvalidNotation(
                "{path}: expected one line of at most {count} characters",
                "line_length",
                path=path,
                count=self.length,
            )
        text = text.strip()
        if not (self.may_be_blank if not text else shows(text)):
            raise InvalidNotation(
                "{path}: expected a line that says something", "blank_line", path=path
            )
        if not text.isascii() and _accents_on_one_letter(text) > ACCENTS:
            raise InvalidNotation(
                "{path}: expected at most {count} accents on one letter",
                "accents",
                path=path,
                count=ACCENTS,
            )
        return text


def one_line(length: int, *, may_be_blank: bool = True) -> Bound:
    """Return the bound to one line of text."""
    # Halves of characters are refused as well; patterns cannot say so in all languages alike.
    schema = {"maxLength": length, "pattern": r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"}
    blank = {} if may_be_blank else {"allOf": [{"pattern": r"\S"}], "examples": ["Well played"]}
    return Bound(Text(length, may_be_blank), {**schema, **blank})


def one_of(*names: str) -> Bound:
    """Return the bound to some texts."""

    def read(value: object, path: str) -> str:
        text = read_text(value, path)
        if text not in names:
            raise InvalidNotation(
                "{path}: expected one of {names}",
                "not_one_of",
                path=path,
                names=", ".join(names),
            )
        return text

    return Bound(read, {"enum": list(names)})


def _matching(
    title: str, pattern: re.Pattern[str], example: str, refusal: Message, or_empty: bool = False
) -> Bound:
    """Return the bound to texts that are as a pattern says; also to an empty one if ``or_empty``.

    Args:
        title: what such a text is.
    """

    def read(value: object, path: str) -> str:
        text = read_text(value, path)
        if not pattern.fullmatch(text) and (text or not or_empty):
            places = (("path", path), ("text", quoted(text)), *refusal.params)
            raise InvalidNotation(refusal._replace(params=places))
        return text

    expression = f"({pattern.pattern})?" if or_empty else pattern.pattern
    schema = {"title": title, "pattern": f"^{expression}$", "examples": [example]}
    return Bound(read, schema)


def _sixteen_bytes(title: str, example: str, *, or_empty: bool = False) -> Bound:
    refusal = message("{path}: expected 22 signs of base64url", "address")
    return _matching(title, PATTERN, example, refusal, or_empty)


def _range(least: int, most: int) -> dict[str, object]:
    return {"type": "integer", "minimum": least, "maximum": most}


def read_pending(value: object, path: str) -> tuple[str, ...]:
    """Return the ids of messages that wait for an answer."""
    ids = read_list(value, path)
    if len(ids) > PENDING:
        raise InvalidNotation(
            "{path}: at most {count} can wait for an answer",
            "pending_count",
            path=path,
            count=PENDING,
        )
    return tuple(MESSAGE_ID.read(entry, f"{path}[{i}]") for i, entry in enumerate(ids))


def read_count(value: object, path: str) -> int:
    """Return a number that is not negative."""
    number = read_whole(value, path)
    if number < 0:
        raise InvalidNotation("{path}: expected no number below 0", "negative", path=path)
    return number


def read_variant(value: object, path: str) -> str:
    """Return the one name of the game that a name of `find_rules` means."""
    text = read_text(value, path)
    if text in VARIANTS:
        return text
    try:
        return variant_name(find_rules(text))
    except InvalidVariant as error:
        raise InvalidNotation(
            "{path}: {reason}", "variant", path=path, reason=error.message
        ) from None


def read_clock(value: object, path: str) -> Clock:
    """Return a clock, from the seconds for each side and those that a move adds."""
    numbers = read_list(value, path)
    if len(numbers) != 2:
        raise InvalidNotation(
            "{path}: expected the seconds for each side and those of a move", "clock", path=path
        )
    seconds, increment = (read_whole(entry, f"{path}[{i}]") for i, entry in enumerate(numbers))
    for number, (least, most), part in (
        (seconds, CLOCK_SECONDS, 0),
        (increment, INCREMENT_SECONDS, 1),
    ):
        if not least <= number <= most:
            raise InvalidNotation(
                "{path}: expected {least} to {most}",
                "clock_range",
                path=f"{path}[{part}]",
                least=least,
                most=most,
            )
    return Clock(seconds, increment)


def shows(text: str) -> bool:
    """Return whether anything of a text can be seen: more than blanks and accents."""
    return text.isascii() or any(
        sign not in _BLANK_LETTERS and category(sign)[0] not in "ZCM" for sign in text
    )


def _accents_on_one_letter(text: str) -> int:
    longest = run = 0
    for sign in text:
        run = run + 1 if category(sign) in ("Mn", "Me") else 0
        longest = max(longest, run)
    return longest


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _depth(text: str) -> int:
    depth = deepest = 0
    for sign in _STRING.sub('""', text):
        if sign in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "}]":
            depth -= 1
    return deepest


MESSAGE_ID = _matching(
    "id",
    re.compile(f"[A-Za-z0-9_-]{{1,{ID_LENGTH}}}"),
    "ann-1",
    message(
        "{path}: expected 1 to {most} letters, digits, hyphens and underscores",
        "message_id",
        most=ID_LENGTH,
    ),
)
ADDRESS = _sixteen_bytes("address", "VakKTmPgF-G8D3pKbh5M_Q")
ADDRESS_OR_NONE = _sixteen_bytes("address", "VakKTmPgF-G8D3pKbh5M_Q", or_empty=True)
TOKEN = _sixteen_bytes("token", "Nf1c1zRkTgqv0iU5n9yW7A")
TOKEN_OR_NONE = _sixteen_bytes("token", "Nf1c1zRkTgqv0iU5n9yW7A", or_empty=True)
#: A computer player; no name is a path.
OPPONENT = _matching(
    "text",
    OPPONENT_NAME,
    "person",
    message("{path}: {text} cannot be the name of an opponent", "opponent_name"),
)
COUNT = Bound(read_count, _range(0, 10**NUMBER_DIGITS - 1))
PENDING_IDS = Bound(read_pending, {"maxItems": PENDING})
VARIANT = Bound(read_variant, {"minLength": 1, "examples": ["tic-tac-toe", "mnk:5,5,4,torus"]})
CLOCK = Bound(
    read_clock,
    {
        "title": "`[seconds, increment]`",
        "type": "array",
        "items": [_range(*CLOCK_SECONDS), _range(*INCREMENT_SECONDS)],
        "minItems": 2,
        "maxItems": 2,
        "examples": [[300, 5]],
    },
)
