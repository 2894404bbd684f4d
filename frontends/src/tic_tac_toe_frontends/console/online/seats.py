"""The seats that a person has taken: a file of tokens that claim them again."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from gettext import NullTranslations
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.atomic_file import atomic_write
from tic_tac_toe.logic.strict_json import parse, read_list, read_object, read_text
from tic_tac_toe.protocols.online.addresses import is_address

from ...program.files import reading, writing
from ...program.folders import user_folder
from ...program.process import Refused
from ...words.lobby_text import NO_RESULT, PLAYING

#: How a game can have ended for a seat.
RESULTS = ("win", "draw", "loss", NO_RESULT)
#: The number of seats that are kept, the newest ones.
MOST_SEATS = 500
#: A file with more bytes was not written by this program.
MOST_BYTES = 1_000_000


class Seat(NamedTuple):
    """A seat in a game.

    Attributes:
        server: the address where the server's pages begin.
        game: the game's address.
        token: what claims the seat.
        variant: what is played, for a list to tell.
        over: whether the game has ended.
        result: how it ended for this seat, of `lobby_text.standing_of`; empty if that is not known.
    """

    server: str
    game: str
    token: str
    variant: str = ""
    over: bool = False
    result: str = ""

    @property
    def standing(self) -> str:
        """How the game stands, or how it has ended, for this seat."""
        return self.result if self.result in RESULTS else NO_RESULT if self.over else PLAYING


@dataclass(frozen=True)
class SeatFile:
    """A file that only its owner can read.

    Every failure is a `Refused` with one line that names the file and the reason.

    Attributes:
        most: the number of seats that are kept, the newest ones.
    """

    path: Path
    language: NullTranslations
    most: int = MOST_SEATS

    def seats(self, server: str) -> list[Seat]:
        """Return the seats at a server, the newest last."""
        return [seat for seat in self._read().values() if seat.server == server]

    def find(self, server: str, game: str) -> Seat | None:
        """Return the seat in a game, if there is one."""
        return self._read().get((server, game))

    def keep(self, seat: Seat) -> None:
        """Write a seat, or what has changed of it."""
        with self._changing() as seats:
            old = seats.pop(place := (seat.server, seat.game), seat)
            seats[place] = seat._replace(variant=seat.variant or old.variant)

    def forget(self, server: str, game: str) -> None:
        """Remove a seat that does not exist any more."""
        with self._changing() as seats:
            seats.pop((server, game), None)

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[tuple[str, str], Seat]]:
        """Yield the seats to change; no other program changes the file meanwhile."""
        from filelock import FileLock  # `require_online` has found it

        with writing(self.path, self.language):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with FileLock(self.path.with_name(f"{self.path.name}.lock"), mode=0o600):
                seats = self._read()
                before = [*seats.values()]
                yield seats
                after = [*seats.values()]
                if after != before:
                    content = {"seats": [seat._asdict() for seat in after[-self.most :]]}
                    with atomic_write(self.path, mode=0o600) as file:
                        file.write(json.dumps(content, indent=1).encode())

    def _read(self) -> dict[tuple[str, str], Seat]:
        """Return the seats by server and game, the newest last."""
        with reading(self.path, self.language):
            try:
                with self.path.open("rb") as file:
                    content = file.read(MOST_BYTES + 1)
                if len(content) > MOST_BYTES:
                    raise ValueError("the file is too large")
                entries = read_list(
                    read_object(parse(content.decode()), "file").get("seats"), "seats"
                )
                seats = (_seat(read_object(entry, "seat")) for entry in entries)
                return {(seat.server, seat.game): seat for seat in seats}
            except FileNotFoundError:
                return {}
            except ValueError:
                raise Refused(self.language.gettext("it is no list of seats")) from None


def usual_path() -> Path:
    """Return the file of seats that is used unless another one is named."""
    return user_folder("state", "tic-tac-toe") / "seats.json"


def _seat(values: Mapping[str, object]) -> Seat:
    server, game, token, variant = (
        read_text(values.get(name), name) for name in ("server", "game", "token", "variant")
    )
    if not is_address(game) or not is_address(token):
        raise ValueError("a game and a token have 22 signs")
    result = read_text(values.get("result", ""), "result")
    return Seat(server, game, token, variant, values.get("over") is True, result)
