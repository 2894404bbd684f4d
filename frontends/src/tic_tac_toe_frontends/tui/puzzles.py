"""The dialog of the full screen in which people choose a puzzle or a lesson."""

from __future__ import annotations

from gettext import NullTranslations

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from ..table.study import Study, load_shipped
from ..table.study_menu import (
    A_PUZZLE,
    MENUS,
    choice_of,
    entries_of,
    results_text,
    theme_entries,
)
from ..table.task import Choice
from .screens import Form, Menu, menu_row


class PuzzleScreen(Form[Choice]):
    """Asks for the puzzle of the day, one of a game, or a lesson."""

    def __init__(self, study: Study, language: NullTranslations) -> None:
        super().__init__()
        self._study, self._language = study, language

    def compose(self) -> ComposeResult:
        """Make the menus."""
        _, language = self._language.gettext, self._language
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = _("Puzzles and lessons")
            for name, title in MENUS.items():
                entries = entries_of(name, self._study, language)
                yield menu_row(_(title), Menu(entries, entries[0][0], name))
            yield Static(Text(results_text(self._study, language)), classes="paragraph")
            with Horizontal(classes="buttons"):
                yield Button(_("Begin"), id="play", variant="primary", compact=True)
                yield Button(_("Cancel"), id="cancel", compact=True)

    @on(events.Mount)
    @on(Menu.Changed)
    def _show_menus(self) -> None:
        """Offer the menus that a puzzle of a game needs, with the themes of that game."""
        for name in [*MENUS][1:]:
            self.query_one(f"#{name}-row").display = self._chosen("kind") == A_PUZZLE
        themes = self.query_one("#theme", Menu)
        load_shipped(
            self._chosen("game"), lambda found: themes.fill(theme_entries(found, self._language))
        )

    @on(Button.Pressed, "#play")
    def action_begin(self) -> None:
        """Begin what is chosen."""
        self.end(choice_of(self._study, *map(self._chosen, MENUS)))
