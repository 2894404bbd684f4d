"""The puzzles and lessons to choose from, in words, for the screens that offer them."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.logic.rules.catalogue import VARIANTS

from ..words.rules_text import variant_title
from ..words.translation import join_sentences, localise
from .study import Study
from .task import LEVELS, Choice

if TYPE_CHECKING:
    from tic_tac_toe.insight.puzzles import Puzzle

#: The kind of a puzzle that is chosen by game, level and theme.
A_PUZZLE = "puzzle"
#: The entries of a menu: values and titles.
Entries = list[tuple[str, str]]


class LessonEntry(NamedTuple):
    """A lesson to choose.

    Attributes:
        progress: the exercises that are done, of how many.
    """

    name: str
    title: str
    progress: str


def game_entries(language: NullTranslations) -> Entries:
    """Return the games with puzzles."""
    from tic_tac_toe.insight.collection import GAMES  # large, and not needed to play

    return [(name, variant_title(VARIANTS[name], language)) for name in GAMES]


def level_entries(language: NullTranslations) -> Entries:
    """Return the levels of difficulty, any first."""
    _ = language.gettext
    return [("", _("Any")), *((name, _(title)) for name, title in LEVELS.items())]


def theme_entries(puzzles: Sequence[Puzzle], language: NullTranslations) -> Entries:
    """Return the themes of puzzles, any first, then the most common."""
    _ = language.gettext
    names = [puzzle.theme for puzzle in puzzles if puzzle.theme]
    common = sorted({*names}, key=lambda name: (-names.count(name), name))
    return [("", _("Any")), *((name, _(name)) for name in common)]


def lesson_entries(study: Study, language: NullTranslations) -> list[LessonEntry]:
    """Return the lessons, with what is done of each."""
    from tic_tac_toe.insight.lessons import LESSONS

    done = study.results.lessons
    return [
        LessonEntry(
            lesson.name,
            localise(language, lesson.title),
            f"{len(done.get(lesson.name, ()))}/{len(lesson.exercises)}",
        )
        for lesson in LESSONS
    ]


def kind_entries(study: Study, language: NullTranslations) -> Entries:
    """Return what can be begun: the puzzle of the day, one of a game, and lessons."""
    _ = language.gettext
    lessons = [
        (name, f"{_('Lesson')}: {title} {progress}")
        for name, title, progress in lesson_entries(study, language)
    ]
    return [("", _("Puzzle of the day")), (A_PUZZLE, _("Puzzle of a game")), *lessons]


def choice_of(study: Study, kind: str, game: str, level: str, theme: str) -> Choice:
    """Return the choice of a kind of `kind_entries`; the rest is for a puzzle of a game."""
    if kind == A_PUZZLE:
        return Choice(game, theme, level)
    return study.lesson(kind) if kind else Choice()


def results_text(study: Study, language: NullTranslations) -> str:
    """Return how many puzzles are solved, and the puzzles of days in a row."""
    _, solved, streak = language.ngettext, len(study.results.puzzles), study.streak
    sentences = []
    if streak:
        message = _("Puzzles of {count} day in a row.", "Puzzles of {count} days in a row.", streak)
        sentences.append(message.format(count=streak))
    if solved:
        message = _("{count} puzzle solved.", "{count} puzzles solved.", solved)
        sentences.append(message.format(count=solved))
    if study.is_daily_solved:
        sentences.insert(0, language.gettext("Today's puzzle is solved."))
    return join_sentences(sentences, language)
