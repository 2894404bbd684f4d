"""Whole games as values: the rules, the moves, and what was said about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import index

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
from tic_tac_toe.logic.models import MARKS, GameState, Grid, Mark, require_state
from tic_tac_toe.logic.notation import fault_in_move, move_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.repetition import Repetitions
from tic_tac_toe.logic.rules import Outcome, Rules, require_rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules
from tic_tac_toe.logic.rules.placements import count_moves, whole_move

#: How a game can stand: won by a mark, drawn, or not finished.
RESULTS = ("X", "O", "draw", "*")

#: The tags that say what a record's other fields say, so that no free tag may have their names.
RESERVED_TAGS = ("Variant", "Starting", "Position", "Result", "Termination", "PlyCount")

A_COMMENT = message("a comment", "comment")

_RESERVED = {name.lower(): name for name in RESERVED_TAGS}
_TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_SURROGATES = "\ud800-\udfff"  # halves of characters: no file can hold them
_NOT_IN_COMMENTS = re.compile(f"[{_CONTROLS}{_SURROGATES}]")
_NOT_IN_TAGS = re.compile(f"[\t\n{_CONTROLS}{_SURROGATES}]")


@dataclass(frozen=True)
class Record:
    """A game as it was played: where it began, its moves, and how it stands.

    Args:
        rules: the game.
        starting_mark: who moved first.
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
        require_rules(self.rules)
        if self.start is not None:
            require_state(self.start)
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
        object.__setattr__(self, "moves", tuple(map(index, self.moves)))
        if self.resigned and is_over:
            raise InvalidGameState("Nobody resigns once the game is over", "late_resignation")

    @classmethod
    def from_moves(
        cls,
        start: GameState,
        moves: tuple[int, ...] = (),
        *,
        tags: tuple[tuple[str, str], ...] = (),
        comments: tuple[tuple[int, str], ...] = (),
        resigned: Mark | None = None,
    ) -> Record:
        """Return the record of moves from a state, the empty board or any other."""
        begun = None if start == first_state(start.rules, start.starting_mark) else start
        return cls(start.rules, start.starting_mark, moves, tags, comments, begun, resigned)

    @cached_property
    def initial_state(self) -> GameState:
        """Where the game began."""
        return self.start or first_state(self.rules, self.starting_mark)

    def states(self) -> Iterator[GameState]:
        """Yield every state of the game from the first to the last: one more than the moves."""
        state, repetitions = self.initial_state, Repetitions(self.rules)
        repetitions.make_a_draw(state.position)
        yield state
        for move in self.moves:
            state = state.make_move_to(move).after_state
            if repetitions.make_a_draw(state.position) and not state.game_over:
                state = state.as_drawn()
            yield state

    @cached_property
    def final_state(self) -> GameState:
        """Where the moves led; who resigned did so here."""
        *_, last = self.states()
        return last

    @property
    def final_position(self) -> Position:
        """The same as searches hold it."""
        return self._end[0]

    @cached_property
    def _end(self) -> tuple[Position, Outcome | None]:
        """Where the moves led, and how the game ended there, if it did."""
        position, repetitions = self.initial_state.position, Repetitions(self.rules)
        repetitions.make_a_draw(position)
        outcome = self.initial_state.outcome
        number, move = 0, 0
        try:
            for given in self.moves:
                number, move = number + 1, -1
                move = whole_move(given)
                if outcome is not None:
                    raise InvalidMove("The game is over", "game_over")
                position = play_legal(self.rules, position, move)
                if repetitions.make_a_draw(position):
                    outcome = self.rules.outcome(position) or Outcome(None)
        except InvalidMove as error:
            is_move = 0 <= move < count_moves(self.rules)
            name = move_name(self.initial_state, move) if is_move else "?"
            raise fault_in_move(error, number, name) from None
        return position, outcome or self.rules.outcome(position)

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
