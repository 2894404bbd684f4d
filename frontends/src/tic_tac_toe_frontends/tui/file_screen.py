"""The dialog that asks for the name of a file."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Input, Static

from tic_tac_toe.logic.exceptions import InvalidMove

from ..program.files import unquoted
from ..program.process import Refused
from ..words.translation import as_sentence, localise
from .screens import Dialog

#: What a file is called unless people call it otherwise.
USUAL_NAME = "game.txt"
#: Longer than any path that makes sense.
LONGEST_PATH = 4096


class FileScreen(Dialog[str]):
    """Asks for a file until it can be used; its answer is the name.

    Args:
        title: what is done with the file, in English.
        use: does it, or refuses the file with the reason, which is shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave")]

    def __init__(
        self, title: str, use: Callable[[str], object], language: NullTranslations
    ) -> None:
        super().__init__()
        self._title = title
        self._use = use
        self._language = language

    def compose(self) -> ComposeResult:
        """Make the field and the buttons."""
        _ = self._language.gettext
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = _(self._title)
            yield Static(Text(_("Name of the file:")))
            yield Input(USUAL_NAME, id="file", max_length=LONGEST_PATH, compact=True)
            yield Static("", id="problem")
            with Horizontal(classes="buttons"):
                yield Button(_("OK"), id="ok", variant="primary", compact=True)
                yield Button(_("Cancel"), id="cancel", compact=True)

    @on(Input.Submitted)
    @on(Button.Pressed, "#ok")
    def action_use(self) -> None:
        """Use the file, or say why that is not possible."""
        field = self.query_one("#file", Input)
        name = unquoted(field.value.strip())
        if not name:
            return
        try:
            self._use(name)
        except (Refused, InvalidMove) as reason:
            self.query_one("#problem", Static).update(
                Text(as_sentence(localise(self._language, reason), self._language))
            )
            field.focus()
            return
        self.end(name)
