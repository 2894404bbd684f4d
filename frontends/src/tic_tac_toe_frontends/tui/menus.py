"""A menu in one line, which fits the smallest screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget


class Menu(Widget, can_focus=True):
    """Shows one entry of several; the keys ← and →, or clicks on the arrows, go to the others.

    A letter goes to the next entry whose title begins with it.

    Args:
        entries: the values, each with its title.
        name: its id.

    Attributes:
        value: that of the chosen entry; at first the one given.
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

    def __init__(self, entries: Iterable[tuple[str, str]], value: str, name: str) -> None:
        super().__init__(id=name)
        self._titles = dict(entries)
        self.value = value

    @property
    def title(self) -> str:
        """The title of the chosen entry."""
        return self._titles[self.value]

    def render(self) -> Text:
        """Return the chosen entry between arrows."""
        return Text(f"◂ {self.title} ▸")

    def rename(self, titles: Mapping[str, str]) -> None:
        """Give entries other titles, by their values."""
        self._titles |= titles
        self.refresh()

    def choose(self, value: str) -> None:
        """Go to an entry by its value."""
        self.value = value
        self.refresh()
        self.post_message(self.Changed())

    def action_go(self, steps: int) -> None:
        """Go some entries on, around the end."""
        values = [*self._titles]
        self.choose(values[(values.index(self.value) + steps) % len(values)])

    def on_key(self, event: events.Key) -> None:
        """Go to the next entry that begins with a letter."""
        if event.character is None or not event.character.isalnum():
            return
        event.stop()
        values, letter = [*self._titles], event.character.casefold()
        at = values.index(self.value) + 1
        for value in (*values[at:], *values[:at]):
            if self._titles[value].casefold().startswith(letter):
                self.choose(value)
                return

    def on_click(self, event: events.Click) -> None:
        """Go on, or back at the arrow that points there."""
        self.action_go(-1 if event.x < 2 else 1)
