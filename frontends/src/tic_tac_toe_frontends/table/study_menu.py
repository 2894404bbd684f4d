"""The puzzles and lessons to choose from, in words, for the screens that offer them."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import TYPE_CHECKING

from tic_tac_toe.insight.collection import GAMES, shipped
from tic_tac_toe.insight.lessons import LESSONS
from tic_tac_toe.logic.rules.catalogue import VARIANTS

from ..words.rules_text import variant_title
from ..words.translation import N_, join_sentences, localise
from .study import Study
from .task import LEVELS, Choice, days_text

if TYPE_CHECKING:
    from tic_tac_toe.insight.puzzles import Puzzle

#: The entries of a menu: values and titles.
Entries = list[tuple[str, str]]
#: The kind of a puzzle that is chosen by game, level and theme.
A_PUZZLE = "puzzle"
#: The titles of the menus; all but the first are for a puzzle of a game.
MENUS = {"kind": N_("Begin"), "game": N_("Game"), "level": N_("Difficulty"), "theme": N_("Theme")}


def entries_of(name: str, study: Study, language: NullTranslations) -> Entries:
    """Return the entries of a menu of `MENUS`; those of themes depend on the game."""
    _ = language.gettext
    if name == "game":
        return [(game, variant_title(VARIANTS[game], language)) for game in GAMES]
    if name == "level":
        return [("", _("Any")), *((level, _(title)) for level, title in LEVELS.items())]
    if name == "theme":
        return theme_entries((), language)
    lessons = [(each, f"{_('Lesson')}: {title}") for each, title in lesson_entries(study, language)]
    return [("", _("Puzzle of the day")), (A_PUZZLE, _("Puzzle of a game")), *lessons]


def theme_entries(puzzles: Sequence[Puzzle], language: NullTranslations) -> Entries:
    """Return the themes of puzzles, any first, then the most common."""
    names = [puzzle.theme for puzzle in puzzles if puzzle.theme]
    common = sorted({*names}, key=lambda name: (-names.count(name), name))
    return [("", language.gettext("Any")), *((name, language.gettext(name)) for name in common)]


def theme_meant(game: str, text: str, language: NullTranslations) -> str:
    """Return the first theme of a game's puzzles whose title has a text, else the text."""
    titles = theme_entries(shipped(game), language)[1:]
    return next((name for name, title in titles if text.casefold() in title.casefold()), text)


def lesson_entries(study: Study, language: NullTranslations) -> Entries:
    """Return the lessons, with what is done of each."""
    done = study.results.lessons
    return [
        (
            lesson.name,
            f"{localise(language, lesson.title)} · "
            f"{len(done.get(lesson.name, ()))}/{len(lesson.exercises)}",
        )
        for lesson in LESSONS
    ]


def choice_of(study: Study, kind: str, game: str, level: str, theme: str) -> Choice:
    """Return the choice by the values of the menus."""
    if kind == A_PUZZLE:
        return Choice(game, theme, level)
    return study.lesson(kind) if kind else Choice()


def results_text(study: Study, language: NullTranslations) -> str:
    """Return how many puzzles are solved, and the puzzles of days in a row."""
    solved, streak = len(study.results.puzzles), study.streak
    today = language.gettext("Today's puzzle is solved.") if study.is_daily_solved else ""
    days = days_text(streak, language) if streak else ""
    number = language.ngettext("{count} puzzle solved.", "{count} puzzles solved.", solved)
    return join_sentences([today, days, number.format(count=solved) if solved else ""], language)
