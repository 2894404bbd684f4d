"""Short lessons: boards on which one plays a move and is told why it is right or wrong.

A lesson holds exercises. An exercise asks for a move that keeps what the side to move can have, for
a certain reason; which moves are right follows from the facts about them. On large boards, where
most values are not known, the facts alone tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tic_tac_toe.game.evaluate import evaluate, evaluate_moves
from tic_tac_toe.insight.explain import MOST_CELLS, Explanation, explain
from tic_tac_toe.insight.puzzles import Answer, Puzzle, check, likely_moves
from tic_tac_toe.logic.exceptions import Message, message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_state, play_moves
from tic_tac_toe.logic.search.evaluation import UNKNOWN, MoveEvaluation

#: The results of moves that keep what can be had.
KEEPING = ("wins", "draws")


class Exercise(NamedTuple):
    """A board, and what to find on it.

    Attributes:
        task: what to do, as a sentence.
        game: its name.
        board: the position on 3x3, else the moves that lead to it.
        codes: a right move has one of these facts; any best move is right unless given.
    """

    task: Message
    board: str
    codes: tuple[str, ...] = ()
    game: str = "tic-tac-toe"

    @property
    def state(self) -> GameState:
        """The state to move in."""
        if self.game == "tic-tac-toe":
            return parse_state(self.board)
        return play_moves(self.game, self.board)

    def explain(self, move: int | str) -> Explanation:
        """Return why a move is good or bad."""
        return explain(self.state, move, values=_values(self))

    def is_right(self, move: int | str) -> bool:
        """Return whether a move does what the task asks for."""
        return self._is_met_by(self.explain(move))

    def _is_met_by(self, told: Explanation) -> bool:
        facts = {fact.code for fact, _ in told.facts}
        keeps = told.result is None or told.result.code in KEEPING
        return keeps and not facts.isdisjoint(self.codes or KEEPING)

    def answer(self, move: int | str) -> Answer:
        """Return what a move is worth, with the reply that shows why it throws something away."""
        told = self.explain(move)
        left = told.after.outcome
        if self._is_met_by(told):
            return Answer("solved", None, left)
        if told.before.outcome == left or told.after_state.game_over:
            return Answer("wrong", None, left)
        replies = [fact.moves[0] for fact in told.reasons if fact.side != told.side and fact.moves]
        return Answer("wrong", (replies or evaluate(told.after_state).best)[0], left)

    @property
    def solution(self) -> tuple[int, ...]:
        """A right move, the best one if that is right."""
        moves = (*evaluate(self.state).best, *self.state.legal_moves)
        return (next(move for move in moves if self.is_right(move)),)


def judge(task: Puzzle | Exercise, moves: Sequence[int]) -> Answer:
    """Return what the last move is worth in a puzzle or an exercise; see `puzzles.check`."""
    return check(task, moves) if isinstance(task, Puzzle) else task.answer(moves[-1])


def rest_of(task: Puzzle | Exercise, moves: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the moves that are still to find, with the strongest replies in turns.

    >>> from tic_tac_toe.insight.puzzles import puzzle_of
    >>> rest_of(puzzle_of("X../.../..O"), [6, 3])  # after a corner that is as good
    (2, 1, 4)

    Args:
        moves: the right ones and the replies since it began.
    """
    found, answer = list(moves), None
    while answer is None or (answer.verdict == "right" and answer.reply is not None):
        found += [] if answer is None or answer.reply is None else [answer.reply]
        for move in likely_moves(task, found) if isinstance(task, Puzzle) else task.solution:
            answer = judge(task, [*found, move])
            if answer.verdict in ("right", "solved"):
                found.append(move)
                break
    return tuple(found[len(moves) :])


class Lesson(NamedTuple):
    """Exercises about one idea.

    Attributes:
        name: for programs; the same in every release.
        title: in a word or two.
        text: the idea, in a sentence or two.
    """

    name: str
    title: Message
    text: Message
    exercises: tuple[Exercise, ...]


@lru_cache(maxsize=64)
def _values(exercise: Exercise) -> tuple[MoveEvaluation, ...]:
    state = exercise.state
    if state.rules.shape.cells > MOST_CELLS:
        return tuple(MoveEvaluation(move, UNKNOWN) for move in state.legal_moves)
    return evaluate_moves(state)


_COMPLETE = message("Complete a line.", "complete")
_STOP = message("Stop the line.", "stop")
_CHOOSE = message("Win or stop? Find the best move.", "choose")
_FORK = message("Make two threats at once.", "fork")
_STOP_FORK = message("Stop two threats before they come.", "stop_fork")
_FORCE = message("Win with threats that must be answered.", "force")
_ANSWER = message("Find an answer that does not lose.", "answer")
_DRAW = message("Keep the draw.", "draw")
_WIN = message("Find a move that wins.", "win")
_SAFE = message("Play where the other side cannot complete a line right above.", "safe")
_STACK = message("Make two threats, one above the other.", "stack")
_OPEN_THREE = message("Make a three: a threat to make a four with both ends open.", "make_three")
_STOP_THREE = message("Stop the three before it becomes a four with both ends open.", "stop_three")
_OPEN_FOUR = message("Make a four with both ends open.", "make_four")
_FOUR_THREE = message("Make a four and a three at once.", "make_four_three")
_WAIT = message("Find the move after which the other side must play under a line.", "wait")

#: The lessons, the plainest first.
LESSONS = (
    Lesson(
        "win-and-stop",
        message("Win and stop", "lesson_win"),
        message(
            "Three in a row wins. Look first for a line of your own, then for one of the other "
            "side that you must stop.",
            "lesson_win_text",
        ),
        (
            Exercise(_COMPLETE, "XX./.O./O..", ("completes",)),
            Exercise(_STOP, "X../OO./..X", ("stops",)),
            Exercise(_STOP, "OX./.OX/...", ("stops",)),
            Exercise(_CHOOSE, "XX./OO./..X o", ("completes",)),
        ),
    ),
    Lesson(
        "fork",
        message("Two threats at once", "lesson_fork"),
        message(
            "The other side can stop one line with a move, but not two. Find the cell where two "
            "of your lines meet.",
            "lesson_fork_text",
        ),
        (
            Exercise(_FORK, "X.O/..X/..O", ("fork",)),
            Exercise(_FORK, "..X/.X./OO.", ("fork",)),
            Exercise(_FORK, "OXX/X../O..", ("fork",)),
            Exercise(_FORCE, ".X./..X/..O", ("forces",)),
        ),
    ),
    Lesson(
        "stop-a-fork",
        message("Stop two threats", "lesson_stop_fork"),
        message(
            "Two threats have to be stopped before they come: take the cell where the lines meet, "
            "or make a threat that must be answered.",
            "lesson_stop_fork_text",
        ),
        (
            Exercise(_STOP_FORK, ".../..X/XO."),
            Exercise(_STOP_FORK, "..X/X.O/..."),
            Exercise(_STOP_FORK, "X../.O./..X"),
            Exercise(_STOP_FORK, "XXO/.../.O.", ("stops_fork",)),
        ),
    ),
    Lesson(
        "centre-and-corners",
        message("Centre and corners", "lesson_centre"),
        message(
            "Four lines run through the centre, three through a corner, two through an edge: the "
            "first moves matter.",
            "lesson_centre_text",
        ),
        (
            Exercise(_ANSWER, "X../.../..."),
            Exercise(_ANSWER, ".../.X./..."),
            Exercise(_ANSWER, ".X./.../..."),
        ),
    ),
    Lesson(
        "draw",
        message("The draw", "lesson_draw"),
        message(
            "Nobody wins against good play. A line is dead as soon as it holds both marks; if each "
            "line of the other side is dead, or can be stopped in pairs, the draw is safe.",
            "lesson_draw_text",
        ),
        (
            Exercise(_DRAW, "X.X/.../OXO"),
            Exercise(_DRAW, ".../XO./.OX"),
            Exercise(_DRAW, "XO./.../..X"),
            Exercise(_DRAW, "X.O/..X/X.O"),
        ),
    ),
    Lesson(
        "never-under",
        message("Never play under", "lesson_under"),
        message(
            "In Connect Four a disc makes the cell above it playable. Where the other side would "
            "complete a line there, leave that column alone.",
            "lesson_under_text",
        ),
        (
            Exercise(_SAFE, "5711136443466133266713647", game="connect-four"),
            Exercise(_SAFE, "356431434715137155341715344", game="connect-four"),
            Exercise(_SAFE, "1452244161446716667615", game="connect-four"),
            Exercise(_STACK, "547742626654247521", ("stacked",), "connect-four"),
        ),
    ),
    Lesson(
        "odd-and-even",
        message("Odd and even rows", "lesson_rows"),
        message(
            "When a column is left that nobody wants to play in, somebody has to. Count the cells: "
            "a line that waits in the right row is completed in the end.",
            "lesson_rows_text",
        ),
        (
            Exercise(_WAIT, "2414634236622166243213", ("zugzwang",), "connect-four"),
            Exercise(_WAIT, "474321516734333561", ("zugzwang",), "connect-four"),
            Exercise(_WIN, "335752313114756521", game="connect-four"),
        ),
    ),
    Lesson(
        "fours-and-threes",
        message("Fours and threes", "lesson_fours"),
        message(
            "In gomoku a four must be answered at once. One with both ends open cannot be stopped: "
            "watch for threes that can become one. Look for a four and a three in one move.",
            "lesson_fours_text",
        ),
        (
            Exercise(_OPEN_FOUR, "H8 L8 I8 H10 J8 J6", ("open_four",), "gomoku"),
            Exercise(_STOP_THREE, "G10 H8 K12 I8 L5 J8", ("stops_fork",), "gomoku"),
            Exercise(_OPEN_THREE, "H8 F8 I8 G10 M11 J6", ("open_three", "three"), "gomoku"),
            Exercise(_FOUR_THREE, "F6 E5 G7 H10 H8 L6 J9 K11 K9 F9", ("four_three",), "gomoku"),
            Exercise(
                _FOUR_THREE,
                "G9 F8 H10 I11 I10 K10 H11 H8 G8 G7 G10 F10",
                ("four_three",),
                "gomoku",
            ),
        ),
    ),
)
