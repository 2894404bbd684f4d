"""Solving puzzles and exercises at a table: judging moves, refuting wrong ones, hints, the next."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from tic_tac_toe.insight.facts import listed
from tic_tac_toe.insight.hints import Stage
from tic_tac_toe.logic.exceptions import GameError, InvalidMove, message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.strict_json import object_reader, parse

from ..words.rules_text import HUMAN
from ..words.translation import N_
from .queries import Ask, ExplainMove, FindRest, JudgeMove
from .results import Results, Store, key_of, memory, read_results
from .table import Setup, Table
from .task import Choice, Task, lesson_named, level_at, without_solution

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation
    from tic_tac_toe.insight.puzzles import Answer, Puzzle

#: Passes on the puzzles of a game, the easiest first; none if there are none here.
Load: TypeAlias = "Callable[[str, Callable[[Sequence[Puzzle]], object]], object]"

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
NO_SUCH_THEME = N_("There is no such puzzle. The themes of this game: {themes}.")
NO_THEMES = N_("There is no such puzzle: those of this game have no themes.")


@dataclass(frozen=True)
class KeptTask:
    """A task as `Study.kept` writes it.

    Attributes:
        wanted, theme, level, lesson, number: its choice.
        game, key: the game of a puzzle, and what it is found by.
        moves: the right ones so far, with the replies.
        is_clean: see `Task`.
    """

    wanted: str
    theme: str
    level: str
    lesson: str
    number: int
    game: str
    key: str
    moves: tuple[int, ...]
    is_clean: bool


_read_kept = object_reader(KeptTask)


def load_shipped(game: str, done: Callable[[Sequence[Puzzle]], object]) -> None:
    """Pass on the puzzles that come with the library; see `Load`."""
    from tic_tac_toe.insight.collection import shipped  # large, and not needed to play

    done(shipped(game))


def _no_puzzle(choice: Choice, puzzles: Sequence[Puzzle]) -> InvalidMove:
    """Return the refusal of a choice that no puzzle of a game fits, with the themes that do."""
    themes = sorted({puzzle.theme for puzzle in puzzles if puzzle.theme})
    if not choice.theme or not puzzles:
        return InvalidMove(NONE_HERE, "no_puzzle")
    if not themes:
        return InvalidMove(NO_THEMES, "no_puzzle_themes")
    names = listed([message(name) for name in themes], "{first}, {last}")
    return InvalidMove(NO_SUCH_THEME, "no_puzzle_theme", themes=names)


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
    def setup(self) -> Setup:
        """The players of games: those before the task, during one."""
        return self._table.setup if self._table.task is None else self._before

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

    def lesson(self, name: str) -> Choice:
        """Return the choice of a lesson's first exercise that is not done, else of its first."""
        done = self.results.lessons.get(name, ())
        numbers = range(len(lesson_named(name).exercises))
        return Choice(lesson=name, number=next((n for n in numbers if n not in done), 0))

    def open(self, choice: Choice) -> None:
        """Begin a puzzle or a lesson.

        Raises:
            InvalidMove: there is no such puzzle.
        """
        if choice.lesson:
            exercises = lesson_named(choice.lesson).exercises
            self._begin(Task(exercises[choice.number], choice))
        else:
            from tic_tac_toe.insight.collection import game_of_day

            game = choice.game or game_of_day(self.day)
            self._load(game, partial(self._choose, choice))

    def _choose(self, choice: Choice, puzzles: Sequence[Puzzle]) -> None:
        """Begin one of a game's puzzles that fits, unsolved if there is one."""
        from tic_tac_toe.insight.collection import number_of_day

        levels = [level_at(number, len(puzzles)) for number in range(len(puzzles))]
        fitting = [
            (puzzle, level)
            for puzzle, level in zip(puzzles, levels)
            if choice.theme.casefold() in puzzle.theme.casefold() and choice.level in ("", level)
        ]
        if choice.is_daily and puzzles:
            fitting = [fitting[number_of_day(self.day, len(puzzles))]]
        if not fitting:
            raise _no_puzzle(choice, puzzles)
        known = self.results.puzzles
        new = [each for each in fitting if key_of(each[0]) not in known]
        unseen = [each for each in new if key_of(each[0]) not in self._seen]
        puzzle, level = self._table.rng.choice(unseen or new or fitting)
        self._seen.add(key_of(puzzle))
        self._begin(Task(puzzle, choice, level, puzzle.outcome))

    @property
    def kept(self) -> str:
        """The task as a text for `reopen`; empty without one. A solved one begins anew."""
        task = self._table.task
        if task is None:
            return ""
        key = "" if task.choice.lesson else task.key
        moves = () if task.is_over else task.moves[: task.right]
        game = variant_name(task.aim.state.rules)
        return json.dumps(asdict(KeptTask(*task.choice, game, key, moves, task.is_clean)))

    def reopen(self, text: str) -> None:
        """Begin the task of `kept` again; nothing begins if there is no such task any more."""
        with suppress(GameError, LookupError, ValueError):
            kept = _read_kept(parse(text), "")
            choice = Choice(kept.wanted, kept.theme, kept.level, kept.lesson, kept.number)
            if choice.lesson:
                exercise = lesson_named(choice.lesson).exercises[choice.number]
                self._begin(_begun(Task(exercise, choice), kept))
            else:
                self._load(kept.game, partial(self._reopen, choice, kept))

    def _reopen(self, choice: Choice, kept: KeptTask, puzzles: Sequence[Puzzle]) -> None:
        for number, puzzle in enumerate(puzzles):
            if key_of(puzzle) == kept.key:
                task = Task(puzzle, choice, level_at(number, len(puzzles)), puzzle.outcome)
                self._begin(_begun(task, kept))

    def _begin(self, task: Task) -> None:
        if self._table.task is None:
            self._before = self._table.setup
        self._set(task)

    def _set(self, task: Task) -> None:
        """Start the game of a task, with the moves made in it so far."""
        state, earlier = task.aim.state, getattr(task.aim, "moves", ())
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
        state = task.state
        if self._table.task is not task or state is None:
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
        self._ask(ExplainMove(state, moves[-1]), partial(self._tell, task))

    def _solved(self, task: Task) -> Task:
        """Keep that a task is solved; return it with the days in a row."""
        found = self.results
        if task.choice.lesson:
            found = found.with_exercise(task.choice.lesson, task.choice.number)
        else:
            found = found.with_puzzle(task.key, is_first_try=task.is_clean)
        if task.choice.is_daily:
            found = found.with_day(self.day)
            task = replace(task, days=found.days)
        self._store.save(found.text())
        return task

    def _tell(self, task: Task, reason: Explanation) -> None:
        if self._table.task is task:
            told = reason if task.is_over else without_solution(reason)
            self._change(replace(task, reason=told))

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
            "undo": task.is_wrong or not task.is_judged,
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
        """Return what comes after a task; ``None`` after the last exercise."""
        choice = task.choice
        if not choice.lesson:
            return choice._replace(game=variant_name(task.aim.state.rules))
        exercises = lesson_named(choice.lesson).exercises
        if choice.number + 1 < len(exercises):
            return choice._replace(number=choice.number + 1)
        return None

    def _try_again(self, task: Task) -> None:
        moves = task.moves[: task.right]
        self._set(replace(task, moves=moves, answer=None, reason=None, is_judged=True))

    def _hint(self, task: Task) -> None:
        """Tell the next stage of the hint; look for the move first."""
        if task.hint is not None:
            stages = [each for each in task.hint.stages if each > task.stage]
            self._change(replace(task, stage=min(stages, default=Stage.REASON)))
            return
        state, asked = self._table.state, replace(task, is_clean=False)
        self._table.task = asked

        def found(rest: tuple[int, ...]) -> None:
            if rest:  # the search may come to its limit
                self._ask(ExplainMove(state, rest[0]), told)

        def told(hint: Explanation) -> None:
            if self._table.task is asked:
                self._change(replace(asked, hint=hint, stage=min(hint.stages, default=Stage.MOVE)))

        self._ask(FindRest(task.aim, task.moves), found)

    def _show_solution(self, task: Task) -> None:
        """Play the solution from the last right move on."""
        right = task.moves[: task.right]

        def found(rest: tuple[int, ...]) -> None:
            if self._table.task is task and rest:
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
                state = self._table.match.history[-len(rest)].before_state
                self._ask(ExplainMove(state, rest[0]), partial(self._tell, shown))

        self._ask(FindRest(task.aim, right), found)


def _begun(task: Task, kept: KeptTask) -> Task:
    return replace(task, moves=kept.moves, right=len(kept.moves), is_clean=kept.is_clean)
