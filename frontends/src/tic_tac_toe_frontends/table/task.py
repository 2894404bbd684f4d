"""A puzzle or an exercise at a table: what is asked, what was tried, and what is told about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from gettext import NullTranslations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from tic_tac_toe.insight.hints import Stage
from tic_tac_toe.logic.models import GameState

from ..words.explanation_text import DrawnNames, explanation_sentences
from ..words.game_text import describe_move, is_named
from ..words.rules_text import LETTERED, Drawn, side_title, variant_title
from ..words.translation import N_, as_sentence, join_sentences, localise
from .results import key_of

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation
    from tic_tac_toe.insight.lessons import Exercise, Lesson
    from tic_tac_toe.insight.puzzles import Answer, Puzzle

Aim: TypeAlias = "Puzzle | Exercise"

#: The thirds of a collection, the easiest first, and their titles.
LEVELS = {"easy": N_("Easy"), "middle": N_("Middle"), "hard": N_("Hard")}
#: What would tell the solution after a wrong move.
SPOILERS = frozenset(("missed", "kept"))
_VERDICTS = {
    "right": N_("Right."),
    "solved": N_("Solved!"),
    "wrong": N_("Not this move."),
    "open": N_("Nothing is proved about this move."),
}
_LEFT = {
    "win": N_("It is good too, but the task is another one."),
    "draw": N_("It leaves a draw at best."),
    "loss": N_("It loses."),
    "open": N_("No win by threats is left after it."),
}


class Choice(NamedTuple):
    """What a person wants to solve.

    Attributes:
        game: of the puzzle; that of the day unless given.
        theme, level: of the puzzle; any unless given.
        lesson: the name of a lesson, instead of a puzzle.
        number: the exercise of the lesson.
    """

    game: str = ""
    theme: str = ""
    level: str = ""
    lesson: str = ""
    number: int = 0

    @property
    def is_daily(self) -> bool:
        """Whether the puzzle of the day is wanted."""
        return not (self.game or self.lesson)


@dataclass(frozen=True, eq=False)
class Task:
    """A puzzle or an exercise, as far as it is solved.

    Attributes:
        level: of `LEVELS`; empty in a lesson.
        outcome: what has to be kept in a puzzle.
        moves: on the board since the beginning.
        right: how many of them are right moves and their replies.
        state: before the last move of the person.
        answer: to that move; ``None`` before the first one, and while it is judged.
        is_judged: false while it is judged.
        reason: why that move is right or wrong.
        hint, stage: the explanation of the next move, and what is told of it.
        is_clean: whether nothing was wrong yet, without a hint.
        is_shown: whether the solution is on the board.
        days: the puzzles of days in a row, where this was one.
    """

    aim: Aim
    choice: Choice
    level: str = ""
    outcome: str = ""
    moves: tuple[int, ...] = ()
    right: int = 0
    state: GameState | None = None
    answer: Answer | None = None
    is_judged: bool = True
    reason: Explanation | None = None
    hint: Explanation | None = None
    stage: int = 0
    is_clean: bool = True
    is_shown: bool = False
    days: int = 0

    @property
    def key(self) -> str:
        """The key of a puzzle in the results."""
        return key_of(cast("Puzzle", self.aim))

    @property
    def is_wrong(self) -> bool:
        """Whether a move that is not right is on the board."""
        return self.right < len(self.moves)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to find."""
        return self.is_shown or (self.answer is not None and self.answer.verdict == "solved")

    @property
    def is_open(self) -> bool:
        """Whether a move is asked for."""
        return self.is_judged and not (self.is_wrong or self.is_over)

    @property
    def best(self) -> tuple[int, ...]:
        """The move to ring: that of the hint."""
        return self.hint.marks(self.stage).best if self.hint else ()

    @property
    def told(self) -> Explanation | None:
        """The explanation that is told: of the last move, or of the next one as the last hint."""
        return self.reason if self.stage < Stage.REASON else self.hint

    def title(self, language: NullTranslations) -> str:
        """Return what kind of task this is."""
        _ = language.gettext
        if self.choice.lesson:
            lesson = lesson_named(self.choice.lesson)
            return _("{lesson}, {number} of {count}").format(
                lesson=localise(language, lesson.title),
                number=self.choice.number + 1,
                count=len(lesson.exercises),
            )
        kind = _("Puzzle of the day") if self.choice.is_daily else _("Puzzle")
        game = variant_title(self.aim.state.rules, language)
        return f"{kind}: {game}, {_(LEVELS[self.level])}"

    def status(self, language: NullTranslations, drawn: Drawn = LETTERED) -> str:
        """Return what is to do, or what the last move is worth, as the first line."""
        _ = language.gettext
        if self.is_shown:
            return _("This is the solution.")
        verdict = _(_VERDICTS[self.answer.verdict]) if self.answer else ""
        asked = self._asked(language, drawn) if self.is_open else ""
        return join_sentences([verdict, asked], language) or self._asked(language, drawn)

    def lines(self, language: NullTranslations, drawn: Drawn = LETTERED) -> list[str]:
        """Return the sentences below: the reasons, or a hint, or where the task is from."""
        _, answer = language.gettext, self.answer
        told = list[str]()
        if self.days > 1:
            told.append(days_text(self.days, language))
        if self.hint is not None:
            hint = self.hint.hint(self.stage, DrawnNames(language, drawn))
            return [as_sentence(localise(language, hint), language)]
        if answer is not None and answer.verdict == "wrong" and self._is_unexplained(answer):
            told.append(_(_LEFT[answer.left]))
        if self.reason is not None:
            told += explanation_sentences(self.reason, language, drawn)
        if answer is not None and answer.reply is not None and self.state is not None:
            after = self.state.make_move_to(self.moves[-2]).after_state
            if is_named(after, answer.reply, drawn):
                told.append(describe_move(after.make_move_to(answer.reply), language, drawn))
        lesson = lesson_named(self.choice.lesson) if self.choice.lesson else None
        if self.is_open and lesson is not None and not self.choice.number:
            told.append(localise(language, lesson.text))
        return [*told, as_sentence(self.title(language), language)]

    def _is_unexplained(self, answer: Answer) -> bool:
        """Return whether the reason does not tell what a move leaves, and that is known."""
        if answer.left == "open" and self.choice.lesson:  # no win by threats is asked for
            return False
        return self.reason is None or self.reason.result is None

    def _asked(self, language: NullTranslations, drawn: Drawn) -> str:
        _, state = language.gettext, self.aim.state
        if self.choice.lesson:
            lesson = lesson_named(self.choice.lesson)
            return localise(language, lesson.exercises[self.choice.number].task)
        message = _("{mark} to move: find the win.")
        if self.outcome == "draw":
            message = _("{mark} to move: do not lose.")
        mark = side_title(state.rules, state.current_mark, language, drawn.look)
        return message.format(mark=mark)


def days_text(days: int, language: NullTranslations) -> str:
    """Return for how many days in a row the puzzle of the day was solved."""
    message = language.ngettext(
        "Puzzles of {count} day in a row.", "Puzzles of {count} days in a row.", days
    )
    return message.format(count=days)


def without_solution(reason: Explanation) -> Explanation:
    """Return why a move is right or wrong, without what would be right, now or later."""
    reasons, context = (
        tuple(
            fact
            for fact in facts
            if fact.code not in SPOILERS and (fact.side != reason.side or len(fact.moves) < 2)
        )
        for facts in (reason.reasons, reason.context)
    )
    return replace(reason, reasons=reasons, context=context)


def lesson_named(name: str) -> Lesson:
    """Return a lesson of `LESSONS`.

    Raises:
        ValueError: there is none of this name.
    """
    from tic_tac_toe.insight.lessons import LESSONS  # large, and not needed to play

    for lesson in LESSONS:
        if lesson.name == name:
            return lesson
    raise ValueError(f"no lesson is called {name!r}: {', '.join(each.name for each in LESSONS)}")


def level_at(number: int, count: int) -> str:
    """Return the level of a puzzle of a collection, of `LEVELS`.

    Args:
        number: its place among them, from 0.
        count: the number of puzzles.
    """
    return (*LEVELS,)[len(LEVELS) * number // count]
