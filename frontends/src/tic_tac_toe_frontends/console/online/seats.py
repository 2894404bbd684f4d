"""The file of a person's seats, with the tokens that claim them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from gettext import NullTranslations
from pathlib import Path

from tic_tac_toe.files import atomic_write
from tic_tac_toe.logic.strict_json import parse, read_list, read_object, read_text
from tic_tac_toe.protocols.online.messages import ADDRESS
from tic_tac_toe.protocols.online.seat_book import RESULTS, SeatBook, read_seat

from ...program.files import reading, writing
from ...program.folders import user_folder
from ...program.process import Refused

#: The maximum number of stored seats.
MOST_SEATS = 500
#: Seconds for which a program blocks while another one has locked the file.
LOCK_SECONDS = 2.0
#: This program writes no larger file.
MOST_BYTES = 1_000_000

Change = Callable[[SeatBook], SeatBook]


@dataclass(frozen=True)
class SeatFile:
    """The file, which only its owner can read.

    Every failure is a `Refused` with one line that names the file and the reason. A change that
    could not be written takes effect in this program, and is written with the next change.

    Attributes:
        most: the maximum number of stored seats.
    """

    path: Path
    language: NullTranslations
    most: int = MOST_SEATS
    #: Unwritten changes by subject: only the last change of each counts.
    _unsaved: dict[tuple[object, ...], Change] = field(default_factory=dict, init=False)

    def book(self) -> SeatBook:
        """Return what the file holds, with the unwritten changes."""
        return self._changed(self.saved())

    def saved(self) -> SeatBook:
        """Return what the file holds."""
        with reading(self.path, self.language):
            try:
                with self.path.open("rb") as file:
                    content = file.read(MOST_BYTES + 1)
                if len(content) > MOST_BYTES:
                    raise ValueError("the file is too large")
                return parse_book(content.decode())
            except FileNotFoundError:
                return SeatBook()
            except ValueError:
                raise Refused(self.language.gettext("it is no list of seats")) from None

    def change(self, change: Change, *subject: object) -> None:
        """Change the book in the file.

        Args:
            subject: what changes; a later change of it takes the place of an unwritten one.
        """
        self._unsaved.pop(subject, None)
        self._unsaved[subject] = change
        self.save()

    def save(self) -> None:
        """Write all changes to the file, under a lock."""
        if not self._unsaved:
            return
        with writing(self.path, self.language):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._locked():
                before = self.saved()
                book = self._changed(before)
                if (text := dump_book(book.trimmed(self.most))) != dump_book(before):
                    with atomic_write(self.path, mode=0o600) as file:
                        file.write(text.encode())
                self._unsaved.clear()

    def _changed(self, book: SeatBook) -> SeatBook:
        for change in self._unsaved.values():
            book = change(book)
        return book

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Lock the file against other programs; give up after `LOCK_SECONDS`."""
        from filelock import FileLock, Timeout  # `require_online` has checked for it

        lock = FileLock(self.path.with_name(f"{self.path.name}.lock"), mode=0o600)
        try:
            lock.acquire(LOCK_SECONDS)
        except Timeout:
            raise ValueError(self.language.gettext("another program uses it")) from None
        try:
            yield
        finally:
            lock.release()


def usual_path() -> Path:
    """Return the default file of seats."""
    return user_folder("state", "tic-tac-toe") / "seats.json"


def parse_book(text: str) -> SeatBook:
    """Return the book in the text of a file.

    Raises:
        InvalidNotation: there is none.
    """
    values = read_object(parse(text), "file")
    seats, muted = {}, {}
    for value in read_list(values.get("seats"), "seats"):
        entry = read_object(value, "seat")
        seat = read_seat(entry)
        seats[seat.place] = seat
        if who := read_text(entry.get("muted", ""), "muted").split():
            muted[seat.place] = frozenset(who)
    codes = read_object(values.get("codes", {}), "codes")
    return SeatBook(seats, {at: ADDRESS.read(code, "codes") for at, code in codes.items()}, muted)


def dump_book(book: SeatBook) -> str:
    """Return the text of the file of a book."""
    seats = [
        {
            **{name: getattr(seat, name) for name in ("server", "game", "token", "variant")},
            "over": not seat.is_unfinished,
            "result": seat.standing if seat.standing in RESULTS else "",
            "opponent": seat.opponent,
            "strategy": seat.strategy,
            "muted": " ".join(sorted(book.muted.get(seat.place, ()))),
        }
        for seat in book.seats.values()
    ]
    return json.dumps({"seats": seats, "codes": {**book.codes}}, indent=1)
