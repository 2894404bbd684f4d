"""The file of a person's seats, with the tokens that claim them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gettext import NullTranslations
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.files import atomic_write
from tic_tac_toe.logic.strict_json import parse, read_list, read_object, read_text
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.events import SIDES
from tic_tac_toe.protocols.online.replies import OVER, OwnGame

from ...program.files import reading, writing
from ...program.folders import user_folder
from ...program.process import Refused
from ...words.online_text import NO_RESULT, PLAYING, WAITING, standing_of_own

#: The stored results of a seat.
RESULTS = ("win", "draw", "loss", NO_RESULT, WAITING)
#: The maximum number of stored seats; the newest are kept.
MOST_SEATS = 500
#: Seconds for which a program blocks while another one has locked the file.
LOCK_SECONDS = 2.0
#: This program writes no larger file.
MOST_BYTES = 1_000_000


class _Content(NamedTuple):
    """The contents of the file: seats by server and game, the newest last; codes by server."""

    seats: dict[tuple[str, str], Seat]
    codes: dict[str, str]


class Seat(NamedTuple):
    """A seat in a game.

    Attributes:
        server: the address of the server's pages.
        game: the game's address.
        token: claims the seat.
        result: of `RESULTS`; empty before the end, or if unknown.
        opponent, strategy: the other player's name, or the name of the computer player.
        muted: muted people, separated by spaces.
    """

    server: str
    game: str
    token: str
    variant: str = ""
    over: bool = False
    result: str = ""
    opponent: str = ""
    strategy: str = ""
    muted: str = ""

    @property
    def standing(self) -> str:
        """The state or the result of the game for this seat."""
        return self.result if self.result in RESULTS else NO_RESULT if self.over else PLAYING


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
    _unsaved: dict[tuple[object, ...], Callable[[_Content], object]] = field(
        default_factory=dict, init=False
    )

    def save(self) -> None:
        """Write the changes that could not be written before."""
        if self._unsaved:
            self._write()

    def seats(self, server: str) -> list[Seat]:
        """Return the seats at a server, the newest last."""
        return [seat for seat in self._read().seats.values() if seat.server == server]

    def find(self, server: str, game: str) -> Seat | None:
        """Return the seat in a game, if any."""
        return self._read().seats.get((server, game))

    def add(self, seat: Seat, code: str = "") -> None:
        """Store a seat; store the code too if the file has none for this server."""

        def change(content: _Content) -> None:
            seats = content.seats
            old = seats.get(place := (seat.server, seat.game), seat)
            if not seat.over:  # a finished game that is opened again keeps its number in lists
                seats.pop(place, None)
            seats[place] = seat._replace(
                variant=seat.variant or old.variant, opponent=seat.opponent or old.opponent
            )
            if code:
                content.codes.setdefault(seat.server, code)

        self._change(change, seat.server, seat.game)

    def code(self, server: str) -> str:
        """Return the person's code at a server; empty if there is none yet."""
        return self._read().codes.get(server, "")

    def has_saved_code(self, server: str, code: str) -> bool:
        """Return whether the file has this code."""
        return self._read_file().codes.get(server) == code

    def save_code(self, server: str, code: str, *, anew: bool = False) -> None:
        """Store the person's code at a server.

        Args:
            anew: replace another code.
        """

        def change(content: _Content) -> None:
            if anew or server not in content.codes:
                content.codes[server] = code

        self._change(change, server, "code", anew)

    def merge_server_games(self, server: str, games: Sequence[OwnGame], token: str) -> None:
        """Merge the server's list of a token's games, the newest first."""

        def change(content: _Content) -> None:
            for game in reversed(games):
                known = content.seats.get((server, game.game))
                seat = known or Seat(server, game.game, token)
                is_listed = known is not None or not game.was_cancelled
                if seat.token == token and game.seat in SIDES and is_listed:
                    other = (game.naughts, game.crosses)[SIDES[game.seat]]
                    content.seats[server, game.game] = seat._replace(
                        variant=game.variant,
                        over=game.stage == OVER,
                        result=standing if (standing := standing_of_own(game)) in RESULTS else "",
                        opponent=seat.opponent if seat.strategy else other,
                    )

        self._change(change, server, "games of", token)

    def delete(self, server: str, game: str) -> None:
        """Delete a seat that does not exist any more."""
        self._change(lambda content: content.seats.pop((server, game), None), server, game)

    def _change(self, change: Callable[[_Content], object], *what: object) -> None:
        self._unsaved.pop(what, None)
        self._unsaved[what] = change
        self._write()

    def _write(self) -> None:
        """Write all changes to the file, under a lock."""
        with writing(self.path, self.language):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._locked():
                content = self._read_file()
                before = [*content.seats.values()], {**content.codes}
                for change in self._unsaved.values():
                    change(content)
                seats = [*content.seats.values()]
                if (seats, content.codes) != before:
                    written = {
                        "seats": [seat._asdict() for seat in seats[-self.most :]],
                        "codes": content.codes,
                    }
                    with atomic_write(self.path, mode=0o600) as file:
                        file.write(json.dumps(written, indent=1).encode())
                self._unsaved.clear()

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

    def _read(self) -> _Content:
        """Return the contents of the file with the unwritten changes."""
        content = self._read_file()
        for change in self._unsaved.values():
            change(content)
        return content

    def _read_file(self) -> _Content:
        with reading(self.path, self.language):
            try:
                with self.path.open("rb") as file:
                    content = file.read(MOST_BYTES + 1)
                if len(content) > MOST_BYTES:
                    raise ValueError("the file is too large")
                values = read_object(parse(content.decode()), "file")
                entries = read_list(values.get("seats"), "seats")
                seats = (_seat(read_object(entry, "seat")) for entry in entries)
                codes = read_object(values.get("codes", {}), "codes")
                return _Content(
                    {(seat.server, seat.game): seat for seat in seats},
                    {server: _code(code) for server, code in codes.items()},
                )
            except FileNotFoundError:
                return _Content({}, {})
            except ValueError:
                raise Refused(self.language.gettext("it is no list of seats")) from None


def usual_path() -> Path:
    """Return the default file of seats."""
    return user_folder("state", "tic-tac-toe") / "seats.json"


def _seat(values: Mapping[str, object]) -> Seat:
    server, game, token, variant = (
        read_text(values.get(name), name) for name in ("server", "game", "token", "variant")
    )
    if not is_address(game) or not is_address(token):
        raise ValueError("a game and a token have 22 signs")
    result, *more = (
        read_text(values.get(name, ""), name)
        for name in ("result", "opponent", "strategy", "muted")
    )
    return Seat(server, game, token, variant, values.get("over") is True, result, *more)


def _code(value: object) -> str:
    code = read_text(value, "code")
    if not is_address(code):
        raise ValueError("a code has 22 signs")
    return code
