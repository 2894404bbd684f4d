"""A manager's side of the protocol: what to send to a brain, and what its answers mean."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tic_tac_toe.logic.exceptions import BrainError, InvalidMove, quoted
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.gomoku import Gomoku, gomoku_of

from . import NO_LIMIT, OTHER, OWN, RULE_NUMBERS, format_cell, read_cell

#: A brain is given up after this number of lines that do not answer.
MOST_REMARKS = 1_000
#: The first words of lines for people, which answer nothing.
_REMARKS = ("MESSAGE", "DEBUG", "SUGGEST")
#: What they send about a command that they do not take. It answers ``START``; it may be about an
#: ``INFO``, which they may leave alone, wherever a move is waited for.
_COMPLAINTS = ("ERROR", "UNKNOWN")
#: A suggestion that is longer than this is no cell.
_LONGEST_CELL = 10

#: Yields lines to send; is sent the next line of the brain each time; returns what was found.
Talk = Generator[Sequence[str], str, int]


def check_game(name: str, state: GameState) -> Gomoku:
    """Return the game of five in a row that a state belongs to.

    Args:
        name: of the brain, for the error.

    Raises:
        BrainError: the protocol has no words for the game.
    """
    kind = gomoku_of(state.rules)
    if kind is None:
        raise BrainError(
            "{brain} plays gomoku, standard gomoku, Caro and renju only", "brain_game", brain=name
        )
    if kind is Gomoku.RENJU and state.starting_mark is not Mark.CROSS:
        raise BrainError(
            "{brain} plays renju only if X moves first", "brain_renju_starter", brain=name
        )
    return kind


@dataclass
class Manager:
    """What a manager knows of a brain that it plays with.

    Args:
        name: what errors call the brain.
        milliseconds: the limit for each move.
        max_memory: the bytes that the brain may use, 0 without a limit.

    Attributes:
        complaint: the last ``ERROR`` or ``UNKNOWN`` since the last question; empty if none came.
    """

    name: str
    milliseconds: int
    max_memory: int = 0
    complaint: str = ""
    _rules: Rules | None = None
    _known: GameState | None = None
    _told: tuple[str, ...] = ()

    @property
    def is_new_board(self) -> bool:
        """Whether the next move is the first one that the brain is asked for on its board."""
        return self._known is None

    def start(self, state: GameState) -> Talk:
        """Set up the board that a state has, unless the brain has it; return 0.

        Raises:
            BrainError: the brain refuses the game, or what it says is no answer.
        """
        kind = check_game(self.name, state)
        if self._continues(state):
            return 0
        self._rules = self._known = None
        rows, columns = state.rules.shape
        size = f"START {rows}" if rows == columns else f"RECTSTART {columns},{rows}"
        answer = yield from self._answer((size,))
        if answer.partition(" ")[0].upper() != "OK":
            raise self._failure(answer)
        self._rules = state.rules
        limits = {
            "timeout_turn": self.milliseconds,
            "timeout_match": 0,
            "max_memory": self.max_memory,
            "game_type": 0,
            "rule": RULE_NUMBERS[kind],
            "time_left": NO_LIMIT,
        }
        self._told = tuple(f"INFO {key} {value}" for key, value in limits.items())
        return 0

    def hear(self, lines: Sequence[str]) -> None:
        """Take lines that the brain wrote before it was asked.

        Raises:
            BrainError: one of them is no remark: it would be taken for the next answer.
        """
        for line in map(str.strip, lines):
            if line and not _is_remark(line, _COMPLAINTS):
                raise self._failure(line)

    def move(self, state: GameState) -> Talk:
        """Ask for a move, after `start` with the same state, and return its cell.

        Raises:
            BrainError: the answer is not a legal move.
        """
        shape = state.rules.shape
        added = None if self._known is None else _added(self._known, state)
        question = _board(state) if added is None else (f"TURN {format_cell(added, shape)}",)
        told, self._told = self._told, ()
        answer = yield from self._answer((*told, *question), _COMPLAINTS)
        cell, text = read_cell(answer, shape), quoted(answer)
        if cell is None:
            raise self._failure(answer)
        if cell < 0:
            raise BrainError(
                "{brain} played {text}, which is outside the board",
                "brain_outside",
                brain=self.name,
                text=text,
            )
        if state.grid.cells[cell] != " ":
            raise BrainError(
                "{brain} played {text}, which is not empty",
                "brain_occupied",
                brain=self.name,
                text=text,
            )
        try:
            self._known = state.make_move_to(cell).after_state
        except InvalidMove as error:
            raise BrainError(
                "{brain} made an illegal move: {reason}",
                "brain_illegal",
                brain=self.name,
                reason=error.message,
            ) from None
        return cell

    def _continues(self, state: GameState) -> bool:
        """Return whether the brain knows the board but for the other side's last move."""
        known = self._known
        return self._rules == state.rules and (known is None or _added(known, state) is not None)

    def _answer(
        self, lines: Sequence[str], complaints: Sequence[str] = ()
    ) -> Generator[Sequence[str], str, str]:
        """Send lines, and return the line that answers them.

        Args:
            complaints: the words that begin no answer, and are kept.
        """
        self.complaint = ""
        line = (yield lines).strip()
        for _remark in range(MOST_REMARKS):
            if line and not _is_remark(line, complaints):
                return line
            word, _, rest = line.partition(" ")
            if word.upper() in complaints:
                self.complaint = line
            is_asking = word.upper() == "SUGGEST" and len(rest) <= _LONGEST_CELL
            line = (yield (f"PLAY {rest}",) if is_asking else ()).strip()
        raise BrainError(
            "{brain} writes without end and does not answer", "brain_flood", brain=self.name
        )

    def _failure(self, answer: str) -> BrainError:
        """Return the error of an answer that is not what was asked for."""
        word, _, rest = answer.partition(" ")
        if word.upper() in _COMPLAINTS:
            return BrainError(
                "{brain} reports an error: {text}",
                "brain_error",
                brain=self.name,
                text=quoted(rest or word),
            )
        return BrainError(
            "{brain} answered {text}, which is not an answer",
            "brain_nonsense",
            brain=self.name,
            text=quoted(answer),
        )


def _is_remark(line: str, complaints: Sequence[str]) -> bool:
    return line.partition(" ")[0].upper() in (*_REMARKS, *complaints)


def _added(before: GameState, after: GameState) -> int | None:
    """Return the cell of the one move between two states, ``None`` where it is not one move."""
    if before.starting_mark is not after.starting_mark or before.game_over:
        return None
    changed = [
        at for at, (old, new) in enumerate(zip(before.grid.cells, after.grid.cells)) if old != new
    ]
    if len(changed) != 1 or before.grid.cells[changed[0]] != " ":
        return None
    return changed[0] if after.grid.cells[changed[0]] == before.current_mark.value else None


def _board(state: GameState) -> Iterator[str]:
    """Yield the question about a whole board, each stone after one of the other side.

    In renju programs tell the colours by that order. A state does not know its history, so that
    the stones of each side come in reading order.
    """
    if state.game_not_started:
        yield "BEGIN"
        return
    own, cells = state.current_mark.value, state.grid.cells
    first = state.starting_mark
    sides = [
        [at for at, mark in enumerate(cells) if mark == side.value] for side in (first, first.other)
    ]
    yield "BOARD"
    for pair in zip_longest(*sides):
        for cell in pair:
            if cell is not None:
                owner = OWN if cells[cell] == own else OTHER
                yield f"{format_cell(cell, state.rules.shape)},{owner}"
    yield "DONE"
