"""Plays one game between two strategies; a fault of a player ends it and is reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from tic_tac_toe.game.match import Match
from tic_tac_toe.game.strategies import Strategy
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation, Message, message, reason_of
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules import Rules

#: How a player can lose other than on the board.
FaultKind = Literal["crash", "illegal", "time"]
#: The seconds beyond its time that a move may take, because the machine may be busy.
GRACE_SECONDS = 0.05
#: The seconds that the first move of a player that is started may take longer: programs start, and
#: code is compiled.
START_SECONDS = 10.0
#: The kinds of faults by the codes of programs' errors; any other error is a crash.
KINDS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "brain_late": "time",
        "brain_illegal": "illegal",
        "brain_occupied": "illegal",
        "brain_outside": "illegal",
    }
)


@dataclass(frozen=True)
class Fault:
    """Why a player lost without being beaten on the board.

    Args:
        mark: the player that lost.
        kind: it raised an exception, it made no legal move, or it took too long.
        detail: the exception, the refusal in English, or how long the move took.
    """

    mark: Mark
    kind: FaultKind
    detail: str

    def told(self, name: str) -> Message:
        """Return a sentence about it.

        Args:
            name: the name of the player.
        """
        if self.kind == "time":
            return message(
                "{player} lost on time: {detail}", "lost_on_time", player=name, detail=self.detail
            )
        if self.kind == "illegal":
            return message(
                "{player} made an illegal move: {detail}",
                "lost_by_illegal_move",
                player=name,
                detail=self.detail,
            )
        return message("{player} crashed: {detail}", "crashed", player=name, detail=self.detail)


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over.

    Args:
        moves: all of them, those of the opening included.
        winner: ``None`` for a draw.
        fault: why it ended early, if a player lost other than on the board.
        longest: the seconds of the longest move of X and of O; 0 without a move.
    """

    moves: tuple[int, ...]
    winner: Mark | None
    fault: Fault | None = None
    longest: tuple[float, float] = (0.0, 0.0)

    def points(self, mark: Mark) -> float:
        """Return the points of a player: 1, one half or 0."""
        return 0.5 if self.winner is None else float(self.winner is mark)

    def record(self, rules: Rules, tags: tuple[tuple[str, str], ...], comment: str) -> Record:
        """Return the game as it is written to files; a fault counts as a resignation.

        Args:
            comment: stands behind the last move, unless it is empty.
        """
        comments = ((len(self.moves), comment),) if comment else ()
        resigned = self.fault.mark if self.fault else None
        start = GameState.new(rules)
        return Record.from_moves(start, self.moves, tags=tags, comments=comments, resigned=resigned)


def referee(
    rules: Rules,
    opening: Sequence[int],
    players: Sequence[Strategy],
    dice: Sequence[Random],
    clock: Callable[[], float],
    *,
    seconds: float | None = None,
    starting: Collection[Mark] = (),
) -> PlayedGame:
    """Return the game that two players play after an opening; X moves first.

    A player that raises an exception or makes no legal move loses, and nothing is raised here;
    Ctrl-C and other exceptions that are no `Exception` are.

    Args:
        players: X and O.
        dice: the random generators of X and of O.
        clock: returns seconds that pass.
        seconds: the time limit of a move, without `GRACE_SECONDS`; ``None`` for no limit.
        starting: the players whose first move has `START_SECONDS` more, and does not count as their
            longest.

    Raises:
        InvalidMove: the opening is not legal, or ends the game.
    """
    match, longest = Match(GameState.new(rules)), [0.0, 0.0]
    not_started = {*starting}
    for move in opening:
        match.submit(match.state.current_mark, move)
    if match.over:
        raise InvalidMove("The game is over", "game_over")
    fault = None
    while fault is None and not match.over:
        mark = match.state.current_mark
        side = MARKS.index(mark)
        began = clock()
        number, fault = _ask(players[side], match, dice[side])
        spent = clock() - began
        grace = GRACE_SECONDS
        if mark in not_started:
            not_started.remove(mark)
            grace += START_SECONDS
        else:
            longest[side] = max(longest[side], spent)
        if fault is None and seconds is not None and spent > seconds + grace:
            fault = Fault(mark, "time", f"{spent:.3f} s")
        if fault is None and number is not None:
            match.submit(mark, number)
    moves = tuple(move.number for move in match.history)
    winner = fault.mark.other if fault else match.winner
    return PlayedGame(moves, winner, fault, (longest[0], longest[1]))


def _ask(player: Strategy, match: Match, dice: Random) -> tuple[int | None, Fault | None]:
    """Return the legal move that a player chooses, or its fault."""
    state, mark = match.state, match.state.current_mark
    try:
        move = player(state, dice)
    except (InvalidMove, InvalidNotation) as error:
        return None, Fault(mark, "illegal", str(error))
    except Exception as error:
        kind = KINDS.get(getattr(error, "code", ""), "crash")
        return None, Fault(mark, kind, reason_of(error))
    number = getattr(move, "number", None)
    if number is None:
        return None, Fault(mark, "illegal", "it returned no move")
    try:
        state.make_move_to(number)
    except InvalidMove as error:
        return None, Fault(mark, "illegal", str(error))
    return number, None
