"""What a reader has chosen for the page, remembered by the browser."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.game.looks import Look, look_of, looks_for
from tic_tac_toe.logic.rules import Rules

#: The colours of the page: the system's, or always the same.
THEMES = ("auto", "light", "dark")
NINE = 9


class Switch:
    """A setting that is on or off; it keeps its value where `Settings` keeps it.

    Args:
        usual: the value until the reader chooses.
    """

    def __init__(self, usual: bool) -> None:
        self._usual = usual
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, settings: Settings, owner: type | None = None) -> bool:
        kept = settings.load(self._name)
        return kept == "on" if kept in ("on", "off") else self._usual

    def __set__(self, settings: Settings, value: bool) -> None:
        settings.save(self._name, "on" if value else "off")


class Settings:
    """The settings of the page; whatever else the browser holds under their names is passed over.

    Args:
        read: returns what the browser keeps under a name, if anything.
        write: lets the browser keep a text under a name.

    Attributes:
        names: whether rows and columns are named beside every board; see `shows_names`.
        sound: whether moves and results are heard.
        calls: whether it is heard that an opponent has come, or has moved while the page is hidden.
        vibration: whether a phone vibrates at them.
        notifications: whether the system tells, while the page is hidden, that it is the reader's
            turn, or that an opponent has come.
        changed: called after each change.
    """

    names = Switch(True)
    sound = Switch(False)
    calls = Switch(True)
    vibration = Switch(False)
    notifications = Switch(False)

    def __init__(
        self, read: Callable[[str], str | None], write: Callable[[str, str], object]
    ) -> None:
        self._read, self._write = read, write
        #: What has been chosen on this visit: it holds where the browser keeps nothing.
        self._chosen: dict[str, str] = {}
        self.changed: Callable[[], object] = lambda: None

    @property
    def theme(self) -> str:
        """The colours, of `THEMES`."""
        kept = self.load("theme")
        return kept if kept in THEMES else THEMES[0]

    @theme.setter
    def theme(self, theme: str) -> None:
        self.save("theme", theme)

    def shows_names(self, rules: Rules) -> bool:
        """Return whether a game's board has names beside it: as chosen, else as is usual."""
        return self.names if self.load("names") else has_names(rules)

    def look_of(self, rules: Rules) -> Look:
        """Return how a game is drawn: as the reader likes games of its kind, else as is usual."""
        wanted = self.load(_look_key(rules))
        return next((look for look in looks_for(rules) if look.value == wanted), look_of(rules))

    def choose_look(self, rules: Rules, look: Look) -> None:
        """Draw games like this one so from now on: those that usually look the same."""
        self.save(_look_key(rules), look.value)

    def load(self, name: str) -> str:
        """Return the text that is kept under a name; empty if there is none."""
        return self._read(name) or self._chosen.get(name, "")

    def reset(self) -> None:
        """Let every setting be as if the reader had chosen none; what the browser keeps stays."""
        self._chosen.clear()
        self.changed()

    def save(self, name: str, value: str) -> None:
        """Keep a text under a name, and tell that something has changed."""
        self._chosen[name] = value
        self._write(name, value)
        self.changed()


def has_names(rules: Rules) -> bool:
    """Return whether rows and columns are usually named: nine cells tell themselves apart."""
    return rules.shape.cells > NINE


def _look_key(rules: Rules) -> str:
    return f"look.{look_of(rules).value}"
