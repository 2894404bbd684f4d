r"""Whole games as values, and as text that people can read, write and keep.

The text of a game is in the manner of PGN: lines of tags, its moves, and its result, ``X``, ``O``,
``draw`` or ``*`` for one that is not finished; games may follow each other, with blank lines
between::

    [Variant "tic-tac-toe"]
    [X "Ann"]
    [O "minimax"]
    [Starting "X"]
    [Result "*"]

    1. B2 A1 {a corner holds} 2. C3 *

``Variant`` is the name of the rules and ``Starting`` the mark that moved first. ``Position`` is
the text of the position that the game began from, unless that was the empty board. ``Result``
repeats the result. Where a player gave up, ``Termination`` is ``X resigns`` or ``O resigns``, and
``PlyCount`` the number of moves, by which a record that was cut short is told from a whole one.
Other tags are free. A game that is read may lack any tag: it is then tic-tac-toe, begun by X from
the empty board.

Moves are written as players write them, numbered by pairs; the numbers may be missing when read.
A comment stands in braces after the move that it speaks of. In comments and in the values of tags
a backslash comes before a backslash, a quotation mark or a brace that is meant itself; ``\n`` is a
new line and ``\t`` a tab. The end of a line within a comment is a space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    InvalidNotation,
    InvalidVariant,
    Message,
    message,
    quoted,
    require,
)
from tic_tac_toe.logic.models import MARKS, GameState, Grid, Mark, Move
from tic_tac_toe.logic.notation import (
    StateLike,
    fault_in_move,
    format_state,
    move_meant,
    move_name,
    parse_moves,
    parse_state,
    state_of,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.repetition import Repetitions
from tic_tac_toe.logic.rules import Outcome, Rules, rules_of
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules, variant_name
from tic_tac_toe.logic.rules.traits import count_moves, whole_move

#: How a game can stand: won by a mark, drawn, or not finished.
RESULTS = ("X", "O", "draw", "*")

#: The number of moves that a short text of a game names.
SHOWN_MOVES = 12

#: The tags that say what a record's other fields say, so that no free tag may have their names.
RESERVED_TAGS = ("Variant", "Starting", "Position", "Result", "Termination", "PlyCount")

A_COMMENT = message("a comment", "comment")

_RESERVED = {name.lower(): name for name in RESERVED_TAGS}
_TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_SURROGATES = "\ud800-\udfff"  # halves of characters: no file can hold them
_NOT_IN_COMMENTS = re.compile(f"[{_CONTROLS}{_SURROGATES}]")
_NOT_IN_TAGS = re.compile(f"[\t\n{_CONTROLS}{_SURROGATES}]")

_ESCAPED = {"\\": "\\\\", '"': '\\"', "{": "\\{", "}": "\\}", "\n": "\\n", "\t": "\\t"}
IN_TAGS = str.maketrans({sign: _ESCAPED[sign] for sign in '\\"'})
IN_COMMENTS = str.maketrans({sign: _ESCAPED[sign] for sign in "\\{}\n\t"})
_UNESCAPED = {escaped: sign for sign, escaped in _ESCAPED.items()}

_SPECIAL = re.compile(r'\\.?|["\n]')
_TOKEN = re.compile(
    r"(?P<blank>[ \t\n]+)"
    r"|(?P<tag>\[[^\n]*)"
    r"|(?P<comment>\{)"
    r"|(?P<number>[0-9]+\.+)"
    r"|(?P<word>[A-Za-z0-9]+|\*)"
)

WIDTH = 80

#: A space between other signs: whichever editor the text goes through, a line may end here.
_BREAK = re.compile("(?<=[^ ]) (?=[^ ])")

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"(.*)"[ \t]*\][ \t]*')
_TERMINATIONS = {f"{mark} resigns": mark for mark in MARKS}


@dataclass(frozen=True, repr=False)
class Record:
    """A game as it was played: where it began, its moves, and how it stands.

    Args:
        rules: the game.
        starting_mark: the mark that moved first.
        moves: the moves in order, as the rules number them: in plain games the cells.
        tags: names and values that say more, such as ``("X", "Ann")``. A name is letters, digits
            and underscores; a value is any text without control characters.
        comments: plies and texts: the number of moves made before the comment, and any text without
            control characters other than tabs and newlines. Kept in the order of the plies.
        start: the position that the game began from, unless it was the empty board.
        resigned: the mark that gave up after the last move, if one did.

    Marks may be given as letters.

    Raises:
        ValueError: a mark is neither X nor O.
        InvalidMove: a move is illegal; the message gives its number and name.
        InvalidGameState: ``start`` has other rules or another starting mark than the record, or
            a player resigned from a game that was over.
        InvalidNotation: a tag or a comment cannot be written down.
    """

    rules: Rules = TIC_TAC_TOE
    starting_mark: Mark = Mark.CROSS
    moves: tuple[int, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    comments: tuple[tuple[int, str], ...] = ()
    start: GameState | None = None
    resigned: Mark | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", rules_of(self.rules))
        if self.start is not None:
            require(self.start, GameState, "a GameState")
        object.__setattr__(self, "starting_mark", Mark(self.starting_mark))
        if self.resigned is not None:
            object.__setattr__(self, "resigned", Mark(self.resigned))
        object.__setattr__(self, "moves", tuple(self.moves))
        object.__setattr__(self, "tags", tuple(self.tags))
        by_ply = sorted(self.comments, key=lambda comment: comment[0])
        object.__setattr__(self, "comments", tuple(by_ply))
        first = self.initial_state
        if first.rules != self.rules or first.starting_mark is not self.starting_mark:
            raise InvalidGameState(
                "The record and its first position disagree on rules or starter", "other_start"
            )
        check_tags(self.tags)
        for ply, text in self.comments:
            check_comment(text)
            if not 0 <= ply <= len(self.moves):
                raise InvalidNotation(
                    "a comment after move {ply} of {count}",
                    "late_comment",
                    ply=ply,
                    count=len(self.moves),
                )
        is_over = self._end[1] is not None  # and so every move is legal
        object.__setattr__(self, "moves", self._end[2])
        if self.resigned and is_over:
            raise InvalidGameState("Nobody resigns once the game is over", "late_resignation")

    @classmethod
    def from_moves(
        cls,
        start: StateLike,
        moves: str | Iterable[int | str | Move] = (),
        *,
        tags: tuple[tuple[str, str], ...] = (),
        comments: tuple[tuple[int, str], ...] = (),
        resigned: Mark | None = None,
    ) -> Record:
        """Return the record of moves from a state, the empty board or any other.

            >>> Record.from_moves("connect-four", "4 4 5", resigned=Mark("O"))
            <Record connect-four: 4 4 5, X has won>

        Args:
            start: the state, or the rules or the name of a game.
            moves: their numbers or names, or a text of names.

        Raises:
            InvalidMove, InvalidNotation: a text has a fault; else see `Record`.
        """
        start = state_of(start)
        if isinstance(moves, str):
            moves = [move.number for move in parse_moves(start, moves)]
        numbers = cast("tuple[int, ...]", tuple(moves))  # names become numbers as they are played
        begun = None if start == first_state(start.rules, start.starting_mark) else start
        return cls(start.rules, start.starting_mark, numbers, tags, comments, begun, resigned)

    def __repr__(self) -> str:
        return f"<Record {self.summary}>"

    def __str__(self) -> str:
        """Return the text that files hold; of a game without a name, what `repr` says."""
        try:
            return format_records([self])
        except InvalidVariant:
            return repr(self)

    def _repr_svg_(self) -> str:
        """Return the picture of the last state, which notebooks show."""
        from tic_tac_toe.game.match import Match

        return Match(self)._repr_svg_()

    @property
    def summary(self) -> str:
        """The game, its first moves and how it stands, in one short line."""
        try:
            game = variant_name(self.rules)
        except InvalidVariant:
            game = type(self.rules).__name__
        names = [move_name(self.initial_state, move) for move in self.moves[:SHOWN_MOVES]]
        more = len(self.moves) - len(names)
        moves = " ".join([*names, f"and {more} more" if more else ""]).strip() or "no moves"
        ending = {"*": "not finished", "draw": "a draw"}.get(self.result, f"{self.result} has won")
        return f"{game}: {moves}, {ending}"

    @cached_property
    def initial_state(self) -> GameState:
        """The state before the first move."""
        return self.start or first_state(self.rules, self.starting_mark)

    @cached_property
    def states(self) -> tuple[GameState, ...]:
        """Every state of the game from the first to the last: one more than the moves."""
        state, repetitions = self.initial_state, Repetitions(self.rules)
        repetitions.make_a_draw(state.position)
        states = [state]
        for move in self.moves:
            state = state.make_move_to(move).after_state
            if repetitions.make_a_draw(state.position) and not state.game_over:
                state = state.as_drawn()
            states.append(state)
        return tuple(states)

    @property
    def final_state(self) -> GameState:
        """The state after the last move, at which a player may have resigned."""
        return self.states[-1]

    @property
    def final_position(self) -> Position:
        """The same as searches hold it."""
        return self._end[0]

    @cached_property
    def _end(self) -> tuple[Position, Outcome | None, tuple[int, ...]]:
        """Where the moves led, how the game ended there, if it did, and their numbers."""
        position, repetitions = self.initial_state.position, Repetitions(self.rules)
        repetitions.make_a_draw(position)
        outcome = self.initial_state.outcome
        numbers, move = list[int](), 0
        try:
            for given in cast("tuple[int | str | Move, ...]", self.moves):
                move = -1
                if isinstance(given, Move):
                    move = given.number
                elif isinstance(given, str):
                    move = move_meant(self.rules, position, given)
                else:
                    move = whole_move(given)
                if outcome is not None:
                    raise InvalidMove("The game is over", "game_over")
                position = play_legal(self.rules, position, move)
                if repetitions.make_a_draw(position):
                    outcome = self.rules.outcome(position) or Outcome(None)
                numbers.append(move)
        except (InvalidMove, InvalidNotation) as error:
            is_move = 0 <= move < count_moves(self.rules)
            name = move_name(self.initial_state, move) if is_move else "?"
            raise fault_in_move(error, len(numbers) + 1, name) from None
        return position, outcome or self.rules.outcome(position), tuple(numbers)

    @property
    def result(self) -> str:
        """The winner, ``X`` or ``O``, ``draw``, or ``*`` for an unfinished game."""
        if self.resigned:
            return self.resigned.other.value
        outcome = self._end[1]
        if outcome is None:
            return "*"
        return "draw" if outcome.winner is None else MARKS[outcome.winner].value


def play_legal(rules: Rules, position: Position, cell: int) -> Position:
    """Return the position after a move that the rules allow.

    Raises:
        InvalidMove: the message says why they do not.
    """
    if type(cell) is int and cell in rules.moves(position):
        return rules.play(position, cell)
    return GameState.at(rules, position).make_move_to(cell).after_state.position


def check_tags(tags: tuple[tuple[str, str], ...]) -> None:
    """Raise `InvalidNotation` if a name or value is unfit, reserved or there twice."""
    seen = set()
    for name, value in tags:
        check_tag(name, value)
        if name in seen:
            raise InvalidNotation("the tag {tag} is given twice", "repeated_tag", tag=name)
        seen.add(name)


def check_tag(name: str, value: str) -> None:
    """Raise `InvalidNotation` unless this can be the name and the value of a free tag."""
    if not _TAG_NAME.fullmatch(name):
        raise InvalidNotation(
            "{text} is not the name of a tag: letters, digits, underscores",
            "no_tag_name",
            text=quoted(name),
        )
    if name.lower() in _RESERVED:
        raise InvalidNotation(
            "{text} is not a free tag: {tag} is taken",
            "reserved_tag",
            text=quoted(name),
            tag=_RESERVED[name.lower()],
        )
    _refuse(_NOT_IN_TAGS, value, message("the tag {tag}", "tag", tag=quoted(name)))


def check_comment(text: str, what: Message | str = A_COMMENT) -> None:
    """Raise `InvalidNotation` if a comment holds what no file should."""
    _refuse(_NOT_IN_COMMENTS, text, what)


def _refuse(pattern: re.Pattern[str], text: str, what: Message | str) -> None:
    match = pattern.search(text)
    if match:
        raise InvalidNotation(
            "{what} holds the control character {text}",
            "control_character_in",
            what=what,
            text=quoted(match[0]),
        )


#: The function of this name, remembered: a file of games asks the same again and again.
rules_named: Callable[[str], Rules] = lru_cache(maxsize=64)(find_rules)


@lru_cache(maxsize=64)
def first_state(rules: Rules, starting_mark: Mark) -> GameState:
    """Return the start of a recorded game, also of one that the wrong side began."""
    return GameState(Grid(" " * rules.shape.cells, shape=rules.shape), starting_mark, rules=rules)


@contextmanager
def at_line(line: int) -> Iterator[None]:
    """Turn whatever is wrong with a record into `InvalidNotation` that names its line."""
    try:
        yield
    except (InvalidGameState, InvalidMove, InvalidNotation, InvalidVariant) as error:
        if isinstance(error, InvalidNotation) and error.line is not None:
            raise
        raise InvalidNotation(error.message, line=line) from error


def plain_text(text: str) -> str:
    r"""Return a text whose lines all end in ``\n`` and that holds no control character but tabs.

    `str.splitlines` would end lines at signs that no editor ends them at.

    Raises:
        InvalidNotation: a control character or half a character, with its line.
    """
    require(text, str, "the text of records")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    match = _NOT_IN_COMMENTS.search(text)
    if match:
        line = 1 + text.count("\n", 0, match.start())
        raise InvalidNotation(
            "unexpected control character {text}",
            "control_character",
            line=line,
            text=quoted(match[0]),
        )
    return text


class Token(NamedTuple):
    """A part of a record: its kind, a name of `_TOKEN` or ``end``, and the line it starts on."""

    kind: str
    text: str
    line: int


def tokens(text: str) -> Iterator[Token]:
    """Yield the tags, comments, numbers and words of a text, and an end.

    Raises:
        InvalidNotation: a sign that starts none of these, or a comment that does not end.
    """
    line, start = 1, 0
    while start < len(text):
        match = _TOKEN.match(text, start)
        if match is None:
            raise InvalidNotation(
                "unexpected {text}", "unexpected_sign", line=line, text=quoted(text[start])
            )
        kind, end = str(match.lastgroup), match.end()
        if kind == "comment":
            end = _end_of_comment(text, start)
            if not end:
                raise InvalidNotation(
                    "a comment begins that does not end", "open_comment", line=line
                )
        if kind != "blank":
            yield Token(kind, text[start:end], line)
        line += text.count("\n", start, end)
        start = end
    yield Token("end", "", line)


def _end_of_comment(text: str, start: int) -> int:
    """Return where the comment that starts here has ended, 0 if nowhere.

    One regular expression would say this too, and keep a note of each backslash that it passed.
    """
    end = text.find("}", start)
    while end > 0:
        before = end
        while text[before - 1] == "\\":
            before -= 1
        if (end - before) % 2 == 0:
            break
        end = text.find("}", end + 1)
    return end + 1


def unescaped(text: str, line: int, is_tag: bool = False) -> str:
    """Return a text that starts on this line without its escapes; line ends become spaces."""

    def meaning(match: re.Match[str]) -> str:
        sign = match[0]
        if sign in _UNESCAPED:
            return _UNESCAPED[sign]
        if sign == "\n":
            return " "
        if sign == '"' and not is_tag:
            return sign
        at = line + text.count("\n", 0, match.start())
        if sign == '"':
            raise InvalidNotation(
                "a quotation mark within a tag needs a backslash before it", "bare_quote", line=at
            )
        raise InvalidNotation(
            'a backslash before {text}: expected one of \\ " {{ }} n t there',
            "unknown_escape",
            line=at,
            text=quoted(sign[1:]),
        )

    return _SPECIAL.sub(meaning, text)


# -- writing ---------------------------------------------------------------------------------------


def format_records(records: Iterable[Record]) -> str:
    """Return games as text, from which `parse_records` makes the same games.

        >>> game = Record.from_moves("connect-four", "4 4 5", tags=[("X", "Ann")])
        >>> parse_records(format_records([game])) == (game,)
        True

    Raises:
        InvalidVariant: the rules are a user's own and have no name.
    """
    return "\n".join(_format_record(record) for record in records)


def _format_record(record: Record) -> str:
    tags = [("Variant", variant_name(record.rules)), *record.tags]
    tags.append(("Starting", record.starting_mark.value))
    if record.start:
        tags.append(("Position", format_state(record.start)))
    tags.append(("Result", record.result))
    if record.resigned:
        tags.append(("Termination", f"{record.resigned} resigns"))
        tags.append(("PlyCount", str(len(record.moves))))
    lines = [f'[{name} "{value.translate(IN_TAGS)}"]' for name, value in tags]
    return "\n".join([*lines, "", *_wrapped(_pieces(record)), ""])


def _pieces(record: Record) -> Iterator[str]:
    """Yield what a line of moves may end after."""
    comments: dict[int, list[str]] = {}
    for ply, text in record.comments:
        comments.setdefault(ply, []).append(text)
    for ply in range(len(record.moves) + 1):
        if ply:
            name = move_name(record.initial_state, record.moves[ply - 1])
            yield f"{ply // 2 + 1}. {name}" if ply % 2 else name
        for text in comments.get(ply, ()):
            yield from _BREAK.split(f"{{{text.translate(IN_COMMENTS)}}}")
    yield record.result


def _wrapped(pieces: Iterable[str]) -> Iterator[str]:
    line = ""
    for piece in pieces:
        if line and len(line) + 1 + len(piece) > WIDTH:
            yield line
            line = ""
        line += f" {piece}" if line else piece
    yield line


# -- reading ---------------------------------------------------------------------------------------


class _Tag(NamedTuple):
    value: str
    line: int


def parse_records(text: str) -> tuple[Record, ...]:
    """Return the games that a text tells: the inverse of `format_records`.

    Time and memory grow with the length of the text and with nothing else; reading stops at the
    first fault, the first illegal move included.

    Raises:
        InvalidNotation: anything is wrong; ``line`` and the message say where and what.
    """
    rest = tokens(plain_text(text))
    records = []
    token = next(rest)
    while token.kind != "end":
        records.append(_read_record(token, rest))
        token = next(rest)
    return tuple(records)


def _read_record(token: Token, rest: Iterator[Token]) -> Record:
    tags: dict[str, _Tag] = {}
    while token.kind == "tag":
        with at_line(token.line):
            name, value = _read_tag(token.text, token.line)
            if name in tags:
                raise InvalidNotation("the tag {tag} is given twice", "repeated_tag", tag=name)
        tags[name] = _Tag(value, token.line)
        token = next(rest)
    start = _read_start(tags)
    position = start.position
    moves: list[int] = []
    comments: list[tuple[int, str]] = []
    while token.text not in RESULTS:
        with at_line(token.line):
            if token.kind == "comment":
                comments.append((len(moves), unescaped(token.text[1:-1], token.line)))
            elif token.kind == "number":
                _check_number(token.text, len(moves))
            elif token.kind == "word":
                is_guess = not moves and "Variant" not in tags
                cell, position = _read_move(
                    start.rules, position, token.text, len(moves) + 1, is_guess=is_guess
                )
                moves.append(cell)
            else:
                raise InvalidNotation(
                    "the game before this breaks off: it ends in none of {results}",
                    "no_result",
                    results=", ".join(RESULTS),
                )
        token = next(rest)
    resigned = _read_resignation(tags)
    with at_line(token.line):
        record = Record(
            start.rules,
            start.starting_mark,
            tuple(moves),
            tuple((name, tag.value) for name, tag in tags.items() if name not in RESERVED_TAGS),
            tuple(comments),
            start if "Position" in tags else None,
            resigned,
        )
        if token.text != record.result:
            raise InvalidNotation(
                "the result {text} should be {result}",
                "other_result",
                text=token.text,
                result=record.result,
            )
    for name, value in (("Result", record.result), ("PlyCount", str(len(moves)))):
        if name in tags and tags[name].value != value:
            raise InvalidNotation(
                "the tag {tag} should be {value}",
                "other_tag",
                line=tags[name].line,
                tag=name,
                value=value,
            )
    return record


def _read_tag(text: str, line: int) -> tuple[str, str]:
    match = _TAG.fullmatch(text)
    if not match:
        raise InvalidNotation(
            '{text} is not a tag: expected a line like [X "Ann"]', "no_tag", text=quoted(text)
        )
    name, value = match[1], unescaped(match[2], line, is_tag=True)
    if name not in RESERVED_TAGS:
        check_tag(name, value)
    return name, value


def _read_start(tags: dict[str, _Tag]) -> GameState:
    rules: Rules = TIC_TAC_TOE
    starting_mark = None
    if tag := tags.get("Variant"):
        with at_line(tag.line):
            rules = rules_named(tag.value)
    if tag := tags.get("Starting"):
        if tag.value not in ("X", "O"):
            raise InvalidNotation("the tag Starting should be X or O", "no_starter", line=tag.line)
        starting_mark = Mark(tag.value)
    if tag := tags.get("Position"):
        with at_line(tag.line):
            return parse_state(tag.value, rules, starting_mark)
    return first_state(rules, starting_mark or Mark.CROSS)


def _read_resignation(tags: dict[str, _Tag]) -> Mark | None:
    tag = tags.get("Termination")
    if tag is None:
        return None
    if tag.value not in _TERMINATIONS:
        raise InvalidNotation(
            "the tag Termination should be X resigns or O resigns", "no_termination", line=tag.line
        )
    return _TERMINATIONS[tag.value]


def _read_move(
    rules: Rules, position: Position, word: str, number: int, *, is_guess: bool
) -> tuple[int, Position]:
    """Return a move and the position after it.

    Args:
        is_guess: whether nothing but this move can show which game it is.
    """
    try:
        cell = move_meant(rules, position, word)
        return cell, play_legal(rules, position, cell)
    except (InvalidMove, InvalidNotation) as error:
        fault = fault_in_move(error, number, word)
        if is_guess and isinstance(error, InvalidNotation):
            raise InvalidNotation(
                "{reason}; without a tag such as {tag} a game is tic-tac-toe",
                "untagged_game",
                reason=fault.message,
                tag='[Variant "gomoku"]',
            ) from None
        raise fault from None


def _check_number(text: str, moves: int) -> None:
    expected = str(moves // 2 + 1)
    if text.rstrip(".") != expected:
        raise InvalidNotation(
            "{text} stands where the moves have the number {number}",
            "other_number",
            text=quoted(text),
            number=int(expected),
        )
