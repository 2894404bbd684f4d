"""The reader's settings, in the browser's storage."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.board import Look, look_of, looks_for

from ...table.results import Store
from ...table.table import Setup
from ...words.game_text import rows_from_bottom
from ...words.rules_text import PLAYERS
from .links import read_seconds

#: The themes of the page; the first follows the system.
THEMES = ("auto", "light", "dark")
NINE = 9
#: The settings that are on or off, by the ids of their boxes.
SWITCHES = (
    *("names", "numbers", "from_bottom", "coach"),
    *("sound", "calls", "vibration", "notifications"),
)
#: The keys of all settings in the storage; the seats of online games are not among them.
KEYS = (
    *("theme", "language", *SWITCHES, "players", "think", "boards", "muted", "seen", "study"),
    *(f"look.{look.value}" for look in Look),
)


class Switch:
    """A descriptor for a setting that is on or off."""

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


class BoardSettings(NamedTuple):
    """How the board of a game is shown; see `svg`."""

    look: Look
    names: bool = True
    numbers: bool = False
    from_bottom: bool = False

    def told(self, text: str, rules: Rules) -> str:
        """Return a text that names cells as the board does."""
        return rows_from_bottom(text, rules) if self.from_bottom else text


class Settings:
    """The settings of the page; invalid stored values are ignored.

    Args:
        read: returns the stored value of a name, if any.
        write: stores a value under a name.

    Attributes:
        names: whether every board shows coordinates; see `shows_names`.
        numbers: whether pieces show the numbers of their moves.
        from_bottom: whether rows are counted from the bottom.
        coach: whether the computer waits after a move that throws something away.
        sound: whether moves and results have sounds.
        calls: whether there is a sound when an opponent joins, or moves while the page is hidden.
        vibration: whether a phone vibrates at moves and results.
        notifications: whether a hidden page notifies of the reader's turn or a new opponent.
        changes: the number of changes so far.
        changed: called after each change.
    """

    names = Switch(True)
    numbers = Switch(False)
    from_bottom = Switch(False)
    coach = Switch(False)
    sound = Switch(False)
    calls = Switch(True)
    vibration = Switch(False)
    notifications = Switch(False)

    def __init__(
        self, read: Callable[[str], str | None], write: Callable[[str, str], object]
    ) -> None:
        self._read, self._write = read, write
        #: The choices of this visit, for browsers without storage.
        self._chosen: dict[str, str] = {}
        self.changes = 0
        self.changed: Callable[[], object] = lambda: None

    @property
    def theme(self) -> str:
        """The colours, of `THEMES`."""
        kept = self.load("theme")
        return kept if kept in THEMES else THEMES[0]

    @theme.setter
    def theme(self, theme: str) -> None:
        self.save("theme", theme)

    @property
    def setup(self) -> Setup:
        """The default game with the players of the last visit."""
        x, _, o = self.load("players").partition(" ")
        return Setup(x=x, o=o) if x in PLAYERS and o in PLAYERS else Setup()

    @property
    def think(self) -> float | None:
        """The computer's seconds for a move; ``None`` for each player's own time."""
        return read_seconds(self.load("think"))

    @property
    def results(self) -> Store:
        """Where the results of puzzles are kept."""
        return Store(lambda: self.load("study"), lambda text: self.save("study", text))

    def of_board(self, rules: Rules) -> BoardSettings:
        """Return how the board of a game is shown."""
        names = self.names if self.load("names") else has_names(rules)
        return BoardSettings(self.look_of(rules), names, self.numbers, self.from_bottom)

    def look_of(self, rules: Rules) -> Look:
        """Return a game's look: as chosen for games of its kind, else the default."""
        wanted = self.load(_look_key(rules))
        return next((look for look in looks_for(rules) if look.value == wanted), look_of(rules))

    def choose_look(self, rules: Rules, look: Look) -> None:
        """Set the look of a game and of all games with the same default look."""
        self.save(_look_key(rules), look.value)

    def load(self, name: str) -> str:
        """Return the stored text of a name; empty if there is none."""
        return self._read(name) or self._chosen.get(name, "")

    def reset(self) -> None:
        """Reset every setting to its default; the storage is not changed."""
        self._chosen.clear()
        self._count_change()

    def save(self, name: str, value: str) -> None:
        """Store a text under a name, and call `changed`."""
        self._chosen[name] = value
        self._write(name, value)
        self._count_change()

    def _count_change(self) -> None:
        self.changes += 1
        self.changed()


def has_names(rules: Rules) -> bool:
    """Return whether boards show coordinates by default: nine cells need none."""
    return rules.shape.cells > NINE


def _look_key(rules: Rules) -> str:
    return f"look.{look_of(rules).value}"
