"""A menu in one line, which fits the smallest screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget


class Menu(Widget, can_focus=True):
    """Shows one entry of several; the keys ← and →, or clicks on the arrows, go to the others.

    Args:
        entries: the titles with the values behind them.
        value: the one to begin with.
        name: its id.
    """

    DEFAULT_CSS = """
    Menu { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    Menu:focus { text-style: bold reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", show=False),
        Binding("right,space", "go(1)", show=False),
    ]

    class Changed(Message):
        """Another entry was chosen."""

    def __init__(self, entries: Sequence[tuple[str, str]], value: str, name: str) -> None:
        super().__init__(id=name)
        self._entries = list(entries)
        self._at = [value for _title, value in entries].index(value)

    @property
    def value(self) -> str:
        """The value of the chosen entry."""
        return self._entries[self._at][1]

    @property
    def title(self) -> str:
        """The title of the chosen entry."""
        return self._entries[self._at][0]

    def render(self) -> Text:
        """Return the chosen entry between arrows."""
        return Text(f"◂ {self.title} ▸")

    def choose(self, value: str) -> None:
        """Go to an entry by its value."""
        self._at = [known for _title, known in self._entries].index(value)
        self.refresh()
        self.post_message(self.Changed())

    def action_go(self, steps: int) -> None:
        """Go some entries on, around the end."""
        self.choose(self._entries[(self._at + steps) % len(self._entries)][1])

    def on_click(self, event: events.Click) -> None:
        """Go on, or back at the arrow that points there."""
        self.action_go(-1 if event.x < 2 else 1)
