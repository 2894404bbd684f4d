"""The dialog in which people choose a puzzle or a lesson."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

from ....table.study import Load, Study
from ....table.study_menu import entries_of, lesson_entries, results_text, theme_entries
from ....table.task import Choice
from ..dom import (
    Dialog,
    by_id,
    fill,
    make,
    on,
    on_click,
    set_text,
)

if TYPE_CHECKING:
    from tic_tac_toe.insight.puzzles import Puzzle


class PuzzlesDialog:
    """Lets people choose the puzzle of the day, one of a game, or a lesson.

    Args:
        load: see `Load`.
        choose: called with the choice.
    """

    def __init__(
        self,
        study: Study,
        load: Load,
        language: Callable[[], NullTranslations],
        choose: Callable[[Choice], object],
    ) -> None:
        self._study, self._load, self._language = study, load, language
        self._dialog = Dialog("study", opening=self._show)
        self._choose = choose
        self._menus = {name: by_id(f"study-{name}") for name in ("game", "level", "theme")}
        on_click("study-today", lambda: self._take(Choice()))
        on_click("study-begin", self._begin)
        on(self._menus["game"], "change", lambda _event: self._show_themes())
        on(by_id("study-lessons"), "click", self._click)

    def open(self) -> None:
        """Open the dialog."""
        self._dialog.open()

    def _show(self) -> None:
        language = self._language()
        set_text(by_id("study-results"), results_text(self._study, language))
        for name in ("game", "level"):
            menu = self._menus[name]
            fill(menu, entries_of(name, self._study, language), menu.value)
        by_id("study-lessons").replaceChildren(
            *(_item(*each) for each in lesson_entries(self._study, language))
        )
        self._show_themes()

    def _show_themes(self) -> None:
        game, menu = self._menus["game"].value, self._menus["theme"]

        def show(puzzles: Sequence[Puzzle]) -> None:
            if self._menus["game"].value == game:
                entries = theme_entries(puzzles, self._language())
                fill(menu, entries, menu.value)
                menu.parentElement.hidden = len(entries) == 1

        self._load(game, show)

    def _begin(self) -> None:
        game, level, theme = (str(self._menus[name].value) for name in ("game", "level", "theme"))
        self._take(Choice(game, theme, level))

    def _click(self, event: Any) -> None:
        if button := event.target.closest("[data-lesson]"):
            self._take(self._study.lesson(str(button.dataset.lesson)))

    def _take(self, choice: Choice) -> None:
        self._dialog.close()
        self._choose(choice)


def _item(name: str, title: str) -> Any:
    item = make("li")
    item.append(make("button", title, type="button", data_lesson=name))
    return item
