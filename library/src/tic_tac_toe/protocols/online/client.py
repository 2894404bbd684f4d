"""One player's side of a connection: asks again, resumes after a loss, and repeats nothing.

It opens no socket and reads no clock of its own. A front end tells it what the network does and
sends what it wants sent::

    client = Client(random.SystemRandom(), time.monotonic)
    client.create("connect-four", name="Ann")
    client.connected()                     # as soon as the socket is open
    for text in client.take_outgoing(): ...    # send each, after every call
    for news in client.received(text): ...     # what to show
    seconds = client.disconnected()        # the wait before connecting again
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from tic_tac_toe.protocols.online.addresses import address_of_new_game, new_token
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.conversation import Conversation
from tic_tac_toe.protocols.online.events import Said
from tic_tac_toe.protocols.online.link import OFFLINE, ONLINE
from tic_tac_toe.protocols.online.replies import OpenGame, OwnGame, Presence, TalkLine
from tic_tac_toe.protocols.online.requests import (
    CHAT_LINE,
    PERSON,
    PLAYER_NAME,
    RANDOM_SEAT,
    TALK_LINE,
    WIN,
    Abort,
    Accept,
    Block,
    Chat,
    Claim,
    Create,
    Decline,
    Join,
    Leave,
    Lobby,
    Move,
    Offer,
    Pair,
    Report,
    Request,
    Resign,
    Talk,
)
from tic_tac_toe.protocols.online.surroundings import speaker_of

Asked = TypeVar("Asked", bound=Request)


class Client(Conversation):
    """A person, or a program, at one game at a time.

    Args:
        rng: where tokens, ids and the jitter come from; `random.SystemRandom` outside tests.
        clock: seconds from any start, never backwards, such as `time.monotonic`.
        game, token: where the client was before, if anywhere.
        code: the player's own token, which claims the seats of all games that the client creates,
            joins, or asks to play now, so that the player finds them again; without it each has a
            new one.

    Attributes:
        connection: `OFFLINE`; `GREETING`, connected and not yet welcome; or `ONLINE`.
        address: the game that the client is at, or wants to be; empty for none.
        token: claims the seat of it; to be kept for coming back.
        game: the game as far as its events are known; ``None`` if none is.
        seat: X or O; empty for a watcher.
        events: all events of the game that are known, in order.
        offered: the computer players that the server's operator offers beside strategies.
        attempts: the number of connections that have failed or been lost since the last welcome.
    """

    def __init__(
        self,
        rng: random.Random,
        clock: Callable[[], float],
        *,
        game: str = "",
        token: str = "",
        code: str = "",
    ) -> None:
        super().__init__(rng, clock, game, token)
        self.code: str = code

    def __repr__(self) -> str:
        return f"Client({self.connection}, game={self.address!r}, seat={self.seat!r})"

    @property
    def presence(self) -> Presence | None:
        """The connected players and the number of watchers, as the server last told."""
        return self.surroundings.presence

    @property
    def talk(self) -> tuple[TalkLine, ...]:
        """What watchers of the game have said; players are told once the game is over."""
        return self.surroundings.talk

    @property
    def lines(self) -> tuple[Said | TalkLine, ...]:
        """What players and watchers have said, in its order, without those who are muted."""
        lines: list[Said | TalkLine] = [*self.talk]
        lines += [event for event in self.events if isinstance(event, Said)]
        heard = [line for line in lines if speaker_of(line) not in self.muted]
        return tuple(sorted(heard, key=lambda line: line.time))

    @property
    def muted(self) -> frozenset[str]:
        """Whose lines are not shown in this game: seats, and `surroundings.WATCHERS`."""
        return self.surroundings.muted

    @property
    def has_blocked(self) -> bool:
        """Whether this player has asked in this game never to meet the other one again."""
        return self.surroundings.blocked

    @property
    def open_games(self) -> tuple[OpenGame, ...]:
        """The games of the lobby, while the client listens to it."""
        return self.surroundings.open_games

    @property
    def own_games(self) -> tuple[OwnGame, ...]:
        """The player's games, as they were when `ask_for_own_games` was last answered."""
        return self.surroundings.own_games

    @property
    def pending(self) -> tuple[Request, ...]:
        """The requests without an answer, in the order of asking."""
        return tuple(self.outbox.pending.values())

    @property
    def pending_cell(self) -> int | None:
        """The cell of a move that is on its way, or done while its event has yet to come."""
        for request in self.outbox.pending.values():
            if isinstance(request, Move):
                return request.cell
        version, cell = self._done
        return cell if version > self.following.version else None

    @property
    def is_put_off(self) -> bool:
        """Whether the server was too busy for a request for a seat, which is asked again later.

        To ask no more, `leave`.
        """
        return self.outbox.is_put_off

    def time_left(self) -> tuple[int, int] | None:
        """Return the milliseconds that X and O have left; ``None`` without a clock."""
        return self.following.time_left()

    def first_move_left(self) -> int | None:
        """Return the milliseconds that the side to move has for its first move.

        ``None`` if it has made it, or if there is no limit. The server aborts the game after that.
        """
        return self.following.first_move_left()

    def claim_left(self) -> int | None:
        """Return the milliseconds until this player can claim the game; 0 from then on.

        ``None`` while the other player is there, and in games that cannot be claimed.
        """
        game = self.game
        if game is None or not game.turn or game.can_be_aborted:
            return None
        return self.surroundings.claim_left(self.seat)

    def create(
        self,
        variant: str,
        *,
        name: str = "",
        seat: str = RANDOM_SEAT,
        starting: str = "X",
        opponent: str = PERSON,
        is_open: bool = False,
        clock: Clock | None = None,
    ) -> Create:
        """Ask for a new game and a seat in it; the client leaves the game where it is.

        Its `address` and `token` are known at once, so that they can be kept before anything is
        sent: a client that comes back with them finds the game if the server got the request.
        """
        token = self._token_for_seat()
        request = Create(
            self.outbox.new_id(), token, variant, name, seat, starting, opponent, is_open, clock
        )
        self._go_to(address_of_new_game(token, request.id), token)
        return self._ask(request)

    def pair(self, variant: str, *, name: str = "", clock: Clock | None = None) -> Pair:
        """Ask to play now with anybody who wants the same; the client leaves the game where it is.

        Until somebody comes, the client waits in a game of its own, whose `address` and `token` are
        known at once, as by `create`; `leave` withdraws it. If another such game waits already, the
        server takes the client there: `address` changes, and the token stays.
        """
        token = self._token_for_seat()
        request = Pair(self.outbox.new_id(), token, variant, name, clock)
        self._go_to(address_of_new_game(token, request.id), token)
        return self._ask(request)

    def join(self, address: str, name: str = "") -> Join:
        """Ask for the free seat of a game."""
        self._go_to(address, self._token_for_seat())
        return self._ask(Join(self.outbox.new_id(), address, self.token, name))

    def watch(self, address: str, token: str = "") -> None:
        """Go to a game: to its seat with a token, else to watch."""
        self._go_to(address, token)
        if self.connection is not OFFLINE:
            self._greet()

    def follow(self) -> None:
        """Go to the game that follows, in which the same token claims a seat: the rematch."""
        if self.game is not None and self.game.follower:
            muted = self.muted
            self.watch(self.game.follower, self.token)
            self.surroundings.change_seats(muted)

    def mute(self, who: str, on: bool = True) -> None:
        """Show no line of a player, by the seat, or of the watchers in this game; or do again.

        The server is not told of it.
        """
        self.surroundings.muted = self.muted | {who} if on else self.muted - {who}

    def move(self, cell: int) -> Move:
        """Ask to play a cell."""
        return self._ask(Move(self.outbox.new_id(), self.following.version, cell))

    def offer(self, what: str) -> Offer:
        """Offer one of `events.OFFERS`, such as a draw, or ask to take a move back."""
        return self._ask(Offer(self.outbox.new_id(), self.following.version, what))

    def accept(self, what: str) -> Accept:
        """Agree to an offer."""
        return self._ask(Accept(self.outbox.new_id(), self.following.version, what))

    def decline(self, what: str) -> Decline:
        """Refuse an offer, or take an own one back."""
        return self._ask(Decline(self.outbox.new_id(), self.following.version, what))

    def resign(self) -> Resign:
        """Give up."""
        return self._ask(Resign(self.outbox.new_id()))

    def abort(self) -> Abort:
        """End the game before both sides have moved, without a winner."""
        return self._ask(Abort(self.outbox.new_id()))

    def claim(self, what: str = WIN) -> Claim:
        """Claim the win, or a draw, because the other player is gone: one of `requests.CLAIMS`."""
        return self._ask(Claim(self.outbox.new_id(), self.following.version, what))

    def chat(self, text: str) -> Chat:
        """Say a line to everybody, as a player."""
        return self._ask(Chat(self.outbox.new_id(), text))

    def talk_to_watchers(self, text: str, name: str = "") -> Talk:
        """Say a line to the other watchers, as one of them."""
        return self._ask(Talk(self.outbox.new_id(), text, name))

    def report_line(self, line: Said | TalkLine) -> Report:
        """Tell the operator of the server of a line of this game; nobody else learns of it."""
        if isinstance(line, TalkLine):
            return self.report(TALK_LINE, line=line.time, number=line.number)
        return self.report(CHAT_LINE, line=line.version)

    def report_name(self, seat: str) -> Report:
        """Tell the operator of the server of a player's name; nobody else learns of it."""
        return self.report(PLAYER_NAME, seat=seat)

    def report(
        self, what: str, *, line: int = 0, number: int = 0, seat: str = "", text: str = ""
    ) -> Report:
        """Tell the operator of a line or a name, see `Report`; nobody else learns of it."""
        return self._ask(Report(self.outbox.new_id(), what, line, number, seat, text))

    def block(self, on: bool = True) -> Block:
        """Ask never to be paired with the other player of this game again, or take that back.

        It holds for the token of this seat, so for all games of a player with a code.
        """
        return self._ask(Block(self.outbox.new_id(), on))

    def leave(self) -> Leave | None:
        """Leave the game; its creator asks to close it instead if it waits for a player."""
        if self.game is not None and self.game.waiting and self.seat:
            return self._ask(Leave(self.outbox.new_id()))
        self.watch("")
        return None

    def listen_to_lobby(self, on: bool = True) -> None:
        """Ask to be told of the open games, or no longer."""
        self._in_lobby = on
        if self.connection is ONLINE:
            self.outbox.ask_aside(Lobby(self.outbox.new_id(), on))

    def ask_for_own_games(self) -> None:
        """Ask for the games of the player's code; `OwnGamesTold` says that they have come."""
        self._list_own(self.code)

    @property
    def is_asking_for_own_games(self) -> bool:
        """Whether the player's games were asked for, and have not come yet."""
        return bool(self._listed)

    def _token_for_seat(self) -> str:
        return self.code or new_token(self.rng)

    def _ask(self, request: Asked) -> Asked:
        outbox = self.outbox
        outbox.pending[request.id] = request
        if self.connection is ONLINE and not outbox.must_wait(request):
            outbox.send(request)
        return request
