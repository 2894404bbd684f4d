"""What a person has solved: puzzles, exercises of lessons, and the puzzles of days in a row."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.strict_json import parse

if TYPE_CHECKING:
    from tic_tac_toe.insight.puzzles import Puzzle

#: The most characters of a stored text.
MOST_CHARACTERS = 500_000


@dataclass(frozen=True)
class Results:
    """The results of a person.

    Attributes:
        puzzles: by their keys, see `key_of`: whether the first try was right, without a hint.
        lessons: by the names of lessons: the numbers of the exercises that are done.
        day: the last day whose puzzle was solved on that day, as `date.toordinal` counts.
        days: the number of such days in a row, up to that one.
    """

    puzzles: dict[str, bool] = field(default_factory=dict)
    lessons: dict[str, tuple[int, ...]] = field(default_factory=dict)
    day: int = 0
    days: int = 0

    def with_puzzle(self, key: str, *, is_first_try: bool) -> Results:
        """Return the results with a solved puzzle; its first result stays."""
        return replace(self, puzzles={key: is_first_try, **self.puzzles})

    def with_day(self, day: int) -> Results:
        """Return the results with the solved puzzle of a day."""
        if day <= self.day:
            return self
        return replace(self, day=day, days=self.streak(day) + 1)

    def with_exercise(self, lesson: str, number: int) -> Results:
        """Return the results with an exercise that is done."""
        done = tuple(sorted({*self.lessons.get(lesson, ()), number}))
        return replace(self, lessons={**self.lessons, lesson: done})

    def streak(self, today: int) -> int:
        """Return the days in a row; none if neither today's puzzle nor yesterday's is solved."""
        return self.days if self.day >= today - 1 else 0

    def text(self) -> str:
        """Return the results as a text of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))


def read_results(text: str) -> Results:
    """Return the results in a stored text; what another program may have written is left out."""
    try:
        found = parse(text) if len(text) <= MOST_CHARACTERS else None
    except InvalidNotation:
        found = None
    if not isinstance(found, dict):
        return Results()
    puzzles, lessons = (
        {str(key): value for key, value in part.items()} if isinstance(part, dict) else {}
        for part in (found.get("puzzles"), found.get("lessons"))
    )
    day, days = (value if type(value) is int else 0 for value in map(found.get, ("day", "days")))
    return Results(
        {key: value for key, value in puzzles.items() if type(value) is bool},
        {
            name: tuple(each for each in done if type(each) is int)
            for name, done in lessons.items()
            if isinstance(done, list)
        },
        *((day, days) if 0 < days <= day else (0, 0)),
    )


def key_of(puzzle: Puzzle) -> str:
    """Return the key of a puzzle, which does not depend on the others of its collection."""
    text = f"{variant_name(puzzle.state.rules)} {puzzle.moves}"
    return f"{crc32(text.encode()):08x}"


class Store(NamedTuple):
    """Where a screen keeps a text on the device.

    Attributes:
        load: returns the text that was saved last; empty without one.
        save: saves a text, as far as the device allows.
    """

    load: Callable[[], str]
    save: Callable[[str], object]


def on_this_device() -> Store:
    """Return a store in the user's folder; what cannot be read or written there is not kept."""
    from tic_tac_toe.files import atomic_write  # no page has either

    from ..program.folders import user_folder

    path = user_folder("data", "tic-tac-toe") / "puzzles.json"

    def load() -> str:
        with contextlib.suppress(OSError, ValueError):
            if path.stat().st_size <= MOST_CHARACTERS:
                return path.read_text(encoding="utf-8")
        return ""

    def save(text: str) -> None:
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with atomic_write(path, mode=0o600) as file:
                file.write(text.encode())

    return Store(load, save)


def memory() -> Store:
    """Return a store that lasts as long as the program."""
    kept = [""]
    return Store(lambda: kept[0], lambda text: kept.__setitem__(0, text))
