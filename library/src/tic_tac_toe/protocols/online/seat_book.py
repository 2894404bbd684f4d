"""The book of a player's seats: the tokens that claim them, and what was last known of the games.

A book is a value, and each change returns another one. A front end applies its changes to the book
as it is stored at that moment, so that what another tab or process has written stays. The page
stores each seat as a text of its own, and the console a whole book in a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeVar

from tic_tac_toe.logic.search.evaluation import Result
from tic_tac_toe.logic.strict_json import object_reader, parse, read_list, read_object, read_text
from tic_tac_toe.protocols.online.client import WATCHERS, Client
from tic_tac_toe.protocols.online.events import DRAW, SEATS, SIDES, other_seat
from tic_tac_toe.protocols.online.game import WITHOUT_RESULT, OnlineGame
from tic_tac_toe.protocols.online.messages import ADDRESS, one_of
from tic_tac_toe.protocols.online.replies import OwnGame

#: The last known stage of a game, in the order of lists. A finished game is `ENDED` until the
#: player has seen its end. A `REMOVED` one is hidden at the player's request.
STAGES = ("playing", "waiting", "ended", "seen", "removed")
PLAYING, WAITING, ENDED, SEEN, REMOVED = STAGES
#: The standing of a game that has ended without a result; the others are stages and outcomes.
NO_RESULT = "none"
#: The standings that a file names.
RESULTS = ("win", "draw", "loss", NO_RESULT, WAITING)
#: Among the muted: the opponent is blocked.
BLOCKED = "blocked"
_SPEAKERS = frozenset({*SEATS, WATCHERS})

#: A server and a game.
Place = tuple[str, str]
_PLACE = ("server", "game")
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Seat:
    """A seat in a game, and the last known facts of the game.

    Attributes:
        token: claims the seat.
        server: the address of the server's pages; empty in a book of one server.
        stage: of `STAGES`.
        time: when the seat was taken, in seconds since 1970; 0 if the store does not know.
        variant: the name of the game; empty while unknown.
        opponent, strategy: the other player's name, or the name of the computer player.
        standing: the result or state of the game for the player, of `standing_of`.
    """

    game: Annotated[str, ADDRESS.read]
    token: Annotated[str, ADDRESS.read] = field(repr=False)  # a secret
    server: str = ""
    stage: Annotated[str, one_of(*STAGES).read] = PLAYING
    time: int = 0
    variant: str = ""
    opponent: str = ""
    strategy: str = ""
    standing: Annotated[str, one_of("", PLAYING, *RESULTS).read] = PLAYING

    @property
    def place(self) -> Place:
        """By which a book has the seat."""
        return self.server, self.game

    @property
    def is_waiting(self) -> bool:
        """Whether the game has no opponent yet."""
        return self.stage == WAITING

    @property
    def is_unfinished(self) -> bool:
        """Whether the game waits or goes on."""
        return self.stage in (WAITING, PLAYING)

    def learned(self, game: OnlineGame, mark: str, *, is_shown: bool = True) -> Seat:
        """Return the seat with what its game shows.

        Args:
            mark: the player's side; empty while the server has not told it.
            is_shown: whether the player sees the game.
        """
        is_over = game.end is not None
        stage = WAITING if game.waiting else PLAYING
        if is_over:
            stage = SEEN if is_shown or self.stage == SEEN else ENDED
        other = game.player(other_seat(mark)) if mark else None
        return replace(
            self,
            stage=stage,
            variant=game.setup.variant,
            opponent="" if other is None else other.name,
            strategy="" if other is None else other.strategy,
            standing=standing_of(game, mark) if mark or not is_over else NO_RESULT,
        )

    def listed(self, game: OwnGame) -> Seat:
        """Return the seat with what the server's list of own games says of its game."""
        is_news = self.stage in (WAITING, PLAYING, ENDED)
        other = (game.naughts, game.crosses)[SIDES[game.seat]]
        return replace(
            self,
            stage=game.stage if game.stage in (WAITING, PLAYING) else ENDED if is_news else SEEN,
            variant=game.variant,
            opponent=self.opponent if self.strategy else other,
            standing=standing_of_own(game),
        )


@dataclass(frozen=True)
class SeatBook:
    """The seats of a person.

    Attributes:
        seats: by server and game, the newest last.
        codes: the person's code at each server.
        muted: by server and game, the speakers whose lines are hidden, and `BLOCKED`; the newest
            last.
    """

    seats: Mapping[Place, Seat] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)
    muted: Mapping[Place, frozenset[str]] = field(default_factory=dict)

    def find(self, game: str, server: str = "") -> Seat | None:
        """Return the seat in a game, if any."""
        return self.seats.get((server, game))

    def at(self, server: str) -> list[Seat]:
        """Return the seats at a server, the newest last."""
        return [seat for seat in self.seats.values() if seat.server == server]

    def add(self, seat: Seat, code: str = "") -> SeatBook:
        """Add a seat; with the person's code, unless the book has one for this server."""
        old = self.seats.get(seat.place, seat)
        known = replace(
            seat, variant=seat.variant or old.variant, opponent=seat.opponent or old.opponent
        )
        # A finished game that is opened again keeps its number in lists.
        others = _without(self.seats, seat.place) if seat.is_unfinished else self.seats
        book = replace(self, seats={**others, seat.place: known})
        return book.with_code(code, seat.server) if code else book

    def delete(self, game: str, server: str = "", token: str = "") -> SeatBook:
        """Delete a seat, with a token only if that claims it."""
        seat = self.find(game, server)
        if seat is None or token not in ("", seat.token):
            return self
        return replace(self, seats=_without(self.seats, seat.place))

    def merge(self, games: Iterable[OwnGame], token: str, server: str = "") -> SeatBook:
        """Add what a server's list says of a token's games, of which the newest comes first."""
        seats = dict(self.seats)
        for game in reversed([*games]):
            known = seats.get((server, game.game))
            if game.seat not in SIDES or (known is None and game.was_cancelled):
                continue
            seat = known or Seat(game.game, token, server, SEEN, game.time // 1000)
            if seat.token == token and seat.stage != REMOVED:
                seats[seat.place] = seat.listed(game)
        return replace(self, seats=seats)

    def with_code(self, code: str, server: str, *, anew: bool = False) -> SeatBook:
        """Add the person's code at a server, unless there is one and it is not taken ``anew``."""
        if server in self.codes and not anew:
            return self
        return replace(self, codes={**self.codes, server: code})

    def mute(self, who: frozenset[str], game: str, server: str = "") -> SeatBook:
        """Note who is muted in a game, of `muted_in`."""
        others = _without(self.muted, (server, game))
        return replace(self, muted={**others, (server, game): who} if who else others)

    def restore_muted(self, client: Client, server: str = "") -> None:
        """Let a client mute those that were muted earlier in its game."""
        who = self.muted.get((server, client.address), frozenset())
        client.muted |= who & _SPEAKERS
        client.has_blocked |= BLOCKED in who

    def trimmed(self, most: int) -> SeatBook:
        """Return the book without its oldest seats beyond a number, finished games first."""
        newest = sorted(self.seats.values(), key=lambda seat: seat.is_unfinished)[-most:]
        kept = {seat.place for seat in newest}
        return replace(self, seats={at: seat for at, seat in self.seats.items() if at in kept})


def muted_in(client: Client) -> frozenset[str]:
    """Return whom a client has muted in its game, and `BLOCKED`."""
    return client.muted | ({BLOCKED} if client.has_blocked else set())


_read_seat = object_reader(Seat, lenient=True)


def read_seat(values: Mapping[str, object]) -> Seat:
    """Return the seat in a stored entry; files, and version 0.1.0, say less of the game.

    Raises:
        InvalidNotation: the entry or text has no seat.
    """
    if "stage" not in values:
        is_over, result = values.get("over") is True, values.get("result", "")
        stage = SEEN if is_over else WAITING if result == WAITING else PLAYING
        standing = result if result in RESULTS else NO_RESULT if is_over else PLAYING
        values = {**values, "stage": stage, "standing": standing}
    return _read_seat(values, "seat")


def parse_seat(text: str, game: str) -> Seat:
    """Return the seat in a game in a text of its own.

    Raises:
        InvalidNotation: the entry or text has no seat.
    """
    values = parse(text)
    if isinstance(values, list) and len(values) == 4:  # as version 0.1.0 wrote it
        values = {"token": values[0], "over": values[2], "time": values[3]}
    return read_seat({**read_object(values, "seat"), "game": game})


def dump_seat(seat: Seat) -> str:
    """Return a seat as a text of its own; the game and the server are known by its place."""
    return json.dumps({name: each for name, each in vars(seat).items() if name not in _PLACE})


def parse_muted(text: str) -> SeatBook:
    """Return a book of those that are muted, by game, from a text of its own.

    Raises:
        InvalidNotation: the text is no such list.
    """
    muted = {}
    for game, names in read_object(parse(text), "muted").items():
        who = [read_text(name, "muted") for name in read_list(names, "muted")]
        muted["", ADDRESS.read(game, "muted")] = frozenset(who)
    return SeatBook(muted=muted)


def dump_muted(book: SeatBook, most: int) -> str:
    """Return as a text of its own those that are muted in the newest games."""
    newest = [*book.muted.items()][-most:]
    return json.dumps({game: sorted(who) for (_server, game), who in newest})


def _without(entries: Mapping[Place, _Value], place: Place) -> dict[Place, _Value]:
    return {at: entry for at, entry in entries.items() if at != place}


def outcome_for(game: OnlineGame, seat: str) -> Result | None:
    """Return the outcome of a game for a seat; ``None`` before the end and for a void game."""
    if game.end is None or game.end.reason in WITHOUT_RESULT:
        return None
    if not game.end.winner:
        return "draw"
    return "win" if game.end.winner == seat else "loss"


def standing_of(game: OnlineGame, seat: str) -> str:
    """Return the standing of a game for a seat: an outcome, or one named here."""
    if game.end is None:
        return WAITING if game.waiting else PLAYING
    return outcome_for(game, seat) or NO_RESULT


def standing_of_own(game: OwnGame) -> str:
    """Return the standing of an entry in a player's own list, like `standing_of`."""
    if game.stage in (WAITING, PLAYING):
        return game.stage
    if game.result == DRAW:
        return "draw"
    if game.result not in SIDES:
        return NO_RESULT
    return "win" if game.result == game.seat else "loss"
