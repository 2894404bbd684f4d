"""The dialog of the full screen in which people choose a puzzle or a lesson."""

from __future__ import annotations

from gettext import NullTranslations
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from ..table.study import Study, load_shipped
from ..table.study_menu import (
    A_PUZZLE,
    choice_of,
    game_entries,
    kind_entries,
    level_entries,
    results_text,
    theme_entries,
)
from ..table.task import Choice
from .screens import Dialog, Menu, menu_row


class PuzzleScreen(Dialog[Choice]):
    """Asks for the puzzle of the day, one of a game, or a lesson."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave"),
        Binding("up", "app.focus_previous"),
        Binding("down", "app.focus_next"),
        Binding("enter", "begin"),
    ]

    def __init__(self, study: Study, language: NullTranslations) -> None:
        super().__init__()
        self._study, self._language = study, language

    def compose(self) -> ComposeResult:
        """Make the menus."""
        _, language = self._language.gettext, self._language
        games = game_entries(language)
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = _("Puzzles and lessons")
            yield menu_row(_("Begin"), Menu(kind_entries(self._study, language), "", "kind"))
            yield menu_row(_("Game"), Menu(games, games[0][0], "game"))
            yield menu_row(_("Difficulty"), Menu(level_entries(language), "", "level"))
            yield menu_row(_("Theme"), Menu([("", _("Any"))], "", "theme"))
            yield Static(Text(results_text(self._study, language)), classes="paragraph")
            with Horizontal(classes="buttons"):
                yield Button(_("Begin"), id="play", variant="primary", compact=True)
                yield Button(_("Cancel"), id="cancel", compact=True)

    @on(events.Mount)
    @on(Menu.Changed)
    def _show_menus(self) -> None:
        """Offer the menus that a puzzle of a game needs, with the themes of that game."""
        for name in ("game", "level", "theme"):
            self.query_one(f"#{name}-row").display = self._chosen("kind") == A_PUZZLE
        menu = self.query_one("#theme", Menu)
        game = self._chosen("game")
        load_shipped(game, lambda found: menu.fill(theme_entries(found, self._language)))

    @on(Button.Pressed, "#play")
    def action_begin(self) -> None:
        """Begin what is chosen."""
        kind, game, level, theme = map(self._chosen, ("kind", "game", "level", "theme"))
        self.end(choice_of(self._study, kind, game, level, theme))

    def _chosen(self, menu: str) -> str:
        return self.query_one(f"#{menu}", Menu).value
