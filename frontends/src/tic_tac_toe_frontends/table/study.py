"""Solving puzzles and exercises at a table: judging moves, refuting wrong ones, hints, the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import TypeAlias

from tic_tac_toe.insight.collection import GAMES, game_of_day, puzzle_of_day, shipped
from tic_tac_toe.insight.explain import Explanation
from tic_tac_toe.insight.hints import Stage
from tic_tac_toe.insight.lessons import LESSONS, Exercise
from tic_tac_toe.insight.puzzles import Answer, Puzzle, check, rest_of
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import variant_name

from ..words.rules_text import HUMAN
from ..words.translation import N_
from .queries import Ask, ExplainMove
from .results import Results, Store, key_of, memory, read_results
from .table import Setup, Table
from .task import LEVELS, Aim, Choice, Task, lesson_named, level_of

#: Passes on the puzzles of a game, the easiest first; none if there are none here.
Load: TypeAlias = Callable[[str, Callable[[Sequence[Puzzle]], object]], object]

#: The commands that do something else during a task, and those that have no effect then.
OWN = ("undo", "hint", "next-level", "new-game", "solution")
IDLE = frozenset(
    (
        *("redo", "analysis", "resign", "easier-level", "move-now", "explain", "coach", "go-on"),
        *("review", "fault-on", "fault-back", "play-on"),
    )
)
#: Why no move can be made.
NOT_NOW = N_("Take the move back first.")
ALL_FOUND = N_("There is nothing more to find here.")
#: Why no puzzle begins.
NONE_HERE = N_("There is no such puzzle.")


def load_shipped(game: str, done: Callable[[Sequence[Puzzle]], object]) -> None:
    """Pass on the puzzles that come with the library; see `Load`."""
    done(shipped(game))


@dataclass(frozen=True)
class JudgeMove:
    """What the last of some moves is worth.

    Args:
        moves: since the task began.
    """

    aim: Aim
    moves: tuple[int, ...]

    @property
    def state(self) -> GameState:
        """The state in which the task begins."""
        return self.aim.state

    def __call__(self) -> Answer:
        """Return it."""
        if isinstance(self.aim, Exercise):
            return self.aim.answer(self.moves[-1])
        return check(self.aim, self.moves)


@dataclass(frozen=True)
class FindRest:
    """The moves that are still to find, with the replies.

    Args:
        moves: since the task began; all are right.
    """

    aim: Aim
    moves: tuple[int, ...]

    @property
    def state(self) -> GameState:
        """The state in which the task begins."""
        return self.aim.state

    def __call__(self) -> tuple[int, ...]:
        """Return them."""
        return self.aim.rest() if isinstance(self.aim, Exercise) else rest_of(self.aim, self.moves)


class Study:
    """Runs a puzzle or an exercise at a table, as `Table.task`; another game ends it.

    Args:
        show: called after each change that is none of the game.
        store: keeps the results.
        today: the present day.
    """

    def __init__(
        self,
        table: Table,
        ask: Ask,
        show: Callable[[], object],
        store: Store | None = None,
        *,
        load: Load = load_shipped,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._table, self._ask, self._show = table, ask, show
        self._store, self._load, self._today = store or memory(), load, today
        self._before = table.setup
        self._seen = set[str]()

    @property
    def task(self) -> Task | None:
        """The task at the table."""
        return self._table.task

    @property
    def results(self) -> Results:
        """What has been solved."""
        return read_results(self._store.load())

    @property
    def day(self) -> int:
        """Today, as `date.toordinal` counts."""
        return self._today().toordinal()

    @property
    def is_daily_solved(self) -> bool:
        """Whether today's puzzle is solved."""
        return self.results.day == self.day

    @property
    def streak(self) -> int:
        """The days in a row whose puzzles were solved."""
        return self.results.streak(self.day)

    def open(self, choice: Choice) -> None:
        """Begin a puzzle or a lesson."""
        if choice.lesson:
            self._begin(Task(lesson_named(choice.lesson).exercises[choice.number], choice))
        else:
            game = choice.game or game_of_day(self.day)
            self._load(game, partial(self._choose, choice))

    def _choose(self, choice: Choice, puzzles: Sequence[Puzzle]) -> None:
        """Begin one of a game's puzzles that fits, unsolved if there is one."""
        if choice.is_daily and puzzles:
            fitting = [puzzle_of_day(self.day, puzzles)]
        else:
            part = len(puzzles) / len(LEVELS)
            at = [*LEVELS].index(choice.level) if choice.level else 0
            among = puzzles[int(at * part) : int((at + 1) * part)] if choice.level else puzzles
            fitting = [each for each in among if choice.theme in ("", each.theme)]
        if not fitting:
            self._table.remark = NONE_HERE
            self._show()
            return
        known = self.results.puzzles
        new = [each for each in fitting if key_of(each) not in known]
        unseen = [each for each in new if key_of(each) not in self._seen]
        puzzle = self._table.rng.choice(unseen or new or fitting)
        self._seen.add(key_of(puzzle))
        self._begin(Task(puzzle, choice, level_of(puzzle, puzzles)))

    def _begin(self, task: Task) -> None:
        if self._table.task is None:
            self._before = self._table.setup
        self._set(task)

    def _set(self, task: Task) -> None:
        """Start the game of a task, with the moves made in it so far."""
        state, aim = task.aim.state, task.aim
        earlier = aim.moves if isinstance(aim, Puzzle) else ()
        start = GameState.new(state.rules) if earlier else state
        setup = Setup(state.rules, HUMAN, HUMAN, start.starting_mark.value)
        moves = (*earlier, *task.moves)
        self._table.new_game(setup, state=start, moves=moves, task=task)

    # -- moves -------------------------------------------------------------------------------------

    def play(self, move: Callable[[], object]) -> None:
        """Make a person's move; during a task it is judged.

        Raises:
            InvalidMove: it is illegal, or not the time for a move.
        """
        task, table = self._table.task, self._table
        if task is None:
            move()
            return
        if not task.is_open:
            raise InvalidMove(ALL_FOUND if task.is_over else NOT_NOW, "not_now")
        state, ply = table.state, table.match.ply
        table.task = replace(
            task, state=state, is_judged=False, answer=None, reason=None, hint=None, stage=0
        )
        try:
            move()
        finally:
            if table.match.ply == ply:
                table.task = task
        judged = table.task
        if judged is not None:
            moves = (*task.moves, table.match.history[-1].number)
            self._ask(JudgeMove(task.aim, moves), partial(self._judge, judged, moves))

    def _judge(self, task: Task, moves: tuple[int, ...], answer: Answer) -> None:
        if self._table.task is not task or task.state is None:
            return
        is_right = answer.verdict in ("right", "solved")
        reply = () if answer.reply is None else (answer.reply,)
        task = self._table.task = replace(
            task,
            moves=(*moves, *reply),
            right=len(moves) + len(reply) if is_right else task.right,
            answer=answer,
            is_judged=True,
            is_clean=task.is_clean and is_right,
        )
        if answer.verdict == "solved":
            self._table.task = task = self._solved(task)
        if reply:
            self._table.place(*reply)
        else:
            self._show()
        self._ask(ExplainMove(task.state, moves[-1]), partial(self._tell, task))

    def _solved(self, task: Task) -> Task:
        """Keep that a task is solved; return it with the days in a row."""
        found = self.results
        if isinstance(task.aim, Exercise):
            found = found.with_exercise(task.choice.lesson, task.choice.number)
        else:
            found = found.with_puzzle(key_of(task.aim), is_first_try=task.is_clean)
            if task.choice.is_daily:
                found = found.with_day(self.day)
                task = replace(task, days=found.days)
        self._store.save(found.text())
        return task

    def _tell(self, task: Task, reason: Explanation) -> None:
        if self._table.task is task and reason.result is not None:
            self._change(replace(task, reason=reason))

    def _change(self, task: Task) -> None:
        self._table.task, self._table.remark = task, ""
        self._show()

    # -- commands ----------------------------------------------------------------------------------

    def may(self, name: str) -> bool | None:
        """Return whether a command has an effect during a task; ``None`` if it does as usual."""
        task = self._table.task
        if task is None:
            return False if name == "solution" else None
        if name in IDLE:
            return False
        possible = {
            "undo": task.is_wrong,
            "hint": task.is_open,
            "solution": task.is_judged and not task.is_over,
            "next-level": self._next(task) is not None,
            "new-game": True,
        }
        return possible.get(name)

    def do(self, name: str) -> bool:
        """Do a command of a task; return whether it is one."""
        task = self._table.task
        if task is None or (name not in OWN and name not in IDLE):
            return False
        if self.may(name):
            actions: dict[str, Callable[[Task], object]] = {
                "undo": self._try_again,
                "hint": self._hint,
                "solution": self._show_solution,
                "next-level": lambda task: self.open(self._next(task) or task.choice),
                "new-game": lambda _task: self._table.new_game(self._before),
            }
            actions[name](task)
        return True

    def _next(self, task: Task) -> Choice | None:
        """Return what comes after a task; ``None`` after the last exercise of the last lesson."""
        choice = task.choice
        if not choice.lesson:
            return choice._replace(game=variant_name(task.aim.state.rules))
        exercises = lesson_named(choice.lesson).exercises
        if choice.number + 1 < len(exercises):
            return choice._replace(number=choice.number + 1)
        names = [lesson.name for lesson in LESSONS]
        following = names[names.index(choice.lesson) + 1 :]
        return Choice(lesson=following[0]) if following else None

    def _try_again(self, task: Task) -> None:
        self._set(replace(task, moves=task.moves[: task.right], answer=None, reason=None))

    def _hint(self, task: Task) -> None:
        """Tell the next stage of the hint; look for the move first."""
        if task.hint is not None:
            stages = [each for each in task.hint.stages if each > task.stage]
            self._change(replace(task, stage=min(stages, default=Stage.REASON)))
            return
        state, asked = self._table.state, replace(task, is_clean=False)
        self._table.task = asked

        def found(rest: tuple[int, ...]) -> None:
            self._ask(ExplainMove(state, rest[0]), told)

        def told(hint: Explanation) -> None:
            if self._table.task is asked:
                self._change(replace(asked, hint=hint, stage=min(hint.stages, default=Stage.MOVE)))

        self._ask(FindRest(task.aim, task.moves), found)

    def _show_solution(self, task: Task) -> None:
        """Play the solution from the last right move on."""
        right = task.moves[: task.right]

        def found(rest: tuple[int, ...]) -> None:
            if self._table.task is task:
                shown = replace(
                    task,
                    moves=(*right, *rest),
                    right=len(right) + len(rest),
                    answer=None,
                    reason=None,
                    hint=None,
                    is_clean=False,
                    is_shown=True,
                )
                self._set(shown)
                state = self._state_after(right)
                self._ask(ExplainMove(state, rest[0]), partial(self._tell, shown))

        self._ask(FindRest(task.aim, right), found)

    def _state_after(self, moves: Sequence[int]) -> GameState:
        state = self._table.task.aim.state if self._table.task else self._table.state
        for move in moves:
            state = state.make_move_to(move).after_state
        return state


def themes_of(puzzles: Sequence[Puzzle]) -> list[str]:
    """Return the themes of puzzles in English, the most common first."""
    names = [puzzle.theme for puzzle in puzzles if puzzle.theme]
    return sorted({*names}, key=lambda name: (-names.count(name), name))


__all__ = ["GAMES", "LESSONS", "Choice", "JudgeMove", "Study", "themes_of"]
