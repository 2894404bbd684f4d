"""One side of a conversation with a server: greets, resumes, catches up, and repeats nothing."""

from __future__ import annotations

import random
from collections.abc import Callable

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.events import SEATS, SIDES, Event
from tic_tac_toe.protocols.online.following import Following
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.limits import PENDING, PROTOCOL
from tic_tac_toe.protocols.online.link import GREETING, OFFLINE, ONLINE, Link
from tic_tac_toe.protocols.online.news import (
    Announced,
    Answered,
    GameLost,
    News,
    OwnGamesTold,
    ServerCloses,
    Welcomed,
)
from tic_tac_toe.protocols.online.outbox import Outbox
from tic_tac_toe.protocols.online.replies import (
    BUSY,
    DUPLICATE,
    ILLEGAL,
    OK,
    STALE,
    UNKNOWN,
    Answer,
    Closing,
    Happened,
    InvalidReply,
    Notice,
    OpenGames,
    Presence,
    WatchersTalk,
    Welcome,
    read_reply,
)
from tic_tac_toe.protocols.online.requests import (
    Block,
    Events,
    Hello,
    Lobby,
    Mine,
    Move,
    Request,
    Seating,
)
from tic_tac_toe.protocols.online.standing import CLOSED
from tic_tac_toe.protocols.online.surroundings import Surroundings

#: The longest wait before connecting again, in seconds, and the first.
LONGEST_WAIT, FIRST_WAIT = 20.0, 0.5
#: Why the server closes the connection of a player whose seat the operator has removed.
FORGOTTEN = "forgotten"
#: Why it closes the connections of all who are in a game that the operator has deleted.
DELETED = "deleted"
#: The notice of a server that began no new games for a time, and does again.
REOPENED = "reopened"
#: Seconds of silence after which the client asks whether there is any news, and seconds more after
#: which it takes the connection for lost.
QUIET, LOST = 20.0, 10.0


class Conversation:
    """What goes on by itself between a client and its server; `Client` adds what people do.

    Args, attributes: see `Client`.
    """

    def __init__(
        self, rng: random.Random, clock: Callable[[], float], game: str, token: str
    ) -> None:
        self.rng = rng
        self.clock = clock
        self.connection: Link = OFFLINE
        self.token: str = token
        self.seat: str = ""
        self.surroundings: Surroundings = Surroundings(clock)
        self.offered: tuple[str, ...] = ()
        self.attempts: int = 0
        self.outbox: Outbox = Outbox(rng, clock)
        self.following: Following = Following(game, self.outbox, clock)
        self._in_lobby = False
        self._listed = ""  # the token whose games were asked for, and have not come yet
        self._hello: Hello | None = None  # sent, without an answer
        self._greet_at: float | None = None
        self._done = (0, 0)  # the last move that was acknowledged: its version and its cell
        self._sent_away = ""  # why the server, which is there, has closed the connection
        self._heard_at = clock()

    @property
    def address(self) -> str:
        """The game that the client is at, or wants to be; empty for none."""
        return self.following.address

    @property
    def game(self) -> OnlineGame | None:
        """The game as far as its events are known; ``None`` if none is."""
        return self.following.replica.game

    @property
    def events(self) -> list[Event]:
        """All events of the game that are known, in order."""
        return self.following.replica.events

    # -- what to do with the network -----------------------------------------------------------

    def take_outgoing(self) -> list[str]:
        """Return the texts to send now, in order, and forget them."""
        return self.outbox.take_texts()

    def connected(self) -> None:
        """Greet, for a connection has been opened."""
        self.connection = GREETING
        self._heard_at = self.clock()
        self.outbox.renew()
        self.following.reconnected()
        self._done = (0, 0)
        self._greet()

    def disconnected(self) -> float:
        """End the connection; return the seconds to wait before the next attempt."""
        is_sent_away = bool(self._sent_away) and self.connection is ONLINE
        self.connection = OFFLINE
        self._hello = None
        self._greet_at = None
        self.outbox.drop_texts()
        self.surroundings.presence = None
        if is_sent_away:  # which is no failed attempt
            return FIRST_WAIT * self.rng.uniform(0.5, 1.0)
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0**self.attempts)
        self.attempts = min(self.attempts + 1, 30)
        return longest * self.rng.uniform(0.5, 1.0)

    def received(self, text: str) -> list[News]:
        """Return the news in a text that the server has sent.

        Raises:
            InvalidReply: no server of this protocol sends such a text; close the connection.
        """
        self._heard_at = self.clock()
        reply = read_reply(text)
        news: list[News] = []
        try:
            match reply:
                case Welcome():
                    news = self._welcomed(reply)
                case Answer():
                    news = self._answered(reply)
                case Happened(event, clock, end):
                    news = self.following.tell(event, clock, end)
                case Presence() | WatchersTalk() | OpenGames():
                    news = self.surroundings.told(reply, self.address)
                case Notice():
                    news = self._announced(reply)
                case Closing(reason, retry):
                    news = self._closing(reason, retry)
                case None:  # of a type that is unknown here
                    pass
        except InvalidVariant as error:
            raise InvalidReply(str(error)) from None
        self._follow_pairing()
        return news

    def _closing(self, reason: str, retry: int) -> list[News]:
        """Remember the reason that the server gives before it closes the connection."""
        if reason in (FORGOTTEN, DELETED):
            self._sent_away = reason
        if reason == FORGOTTEN:
            self.token = ""  # the client comes back to watch
        # Which game is deleted is told when the client comes back: it may have gone elsewhere.
        return [] if reason == DELETED else [ServerCloses(reason, retry)]

    def _announced(self, notice: Notice) -> list[News]:
        if notice.reason == REOPENED:
            self.outbox.hasten()
            self._ask_again()
        return [Announced(notice)]

    def _follow_pairing(self) -> None:
        """Go to the game that the server has taken this player to, who wanted to play now."""
        game = self.game
        is_taken = game is not None and game.end is not None and game.end.reason == CLOSED
        if game is not None and is_taken and game.follower and self.seat:
            self._go_to(game.follower, self.token)
            self._greet()

    def wake(self) -> None:
        """Do what is due by now; to be called at least once a second."""
        now = self.clock()
        if self._greet_at is not None and self._greet_at <= now and self.connection is GREETING:
            self._greet()
        self._ask_again()
        is_quiet = self.connection is ONLINE and now - self._heard_at > QUIET
        if is_quiet and not self.following.is_asking:
            self.following.ask_for_events()

    def _ask_again(self) -> None:
        """Send the requests that were put off until now."""
        for request in self.outbox.take_due():
            if self.connection is ONLINE:
                self.outbox.send(request)

    @property
    def is_lost(self) -> bool:
        """Whether the server has been silent for more than `QUIET` + `LOST` seconds."""
        return self.connection is not OFFLINE and self.clock() - self._heard_at > QUIET + LOST

    # -- greeting ------------------------------------------------------------------------------

    def _greet(self) -> None:
        outbox = self.outbox
        at = "" if outbox.is_arriving else self.address
        asked = [known for known in outbox.pending if at][:PENDING]
        self.connection = GREETING
        self._greet_at = None
        self._hello = Hello(
            outbox.new_id(),
            PROTOCOL,
            at,
            self.token if at else "",
            # The last known event comes again: it shows whether the logs agree.
            max(self.following.version - 1, 0) if at else 0,
            tuple(asked),
        )
        outbox.send(self._hello)

    def _welcomed(self, welcome: Welcome) -> list[News]:
        hello = self._hello
        if hello is None or welcome.id != hello.id:
            return []
        self._hello = None
        self.connection = ONLINE
        news: list[News] = [Welcomed(self.attempts > 0)]
        self.attempts = 0
        self._sent_away = ""
        self.offered = welcome.opponents or self.offered
        if welcome.game == self.address:
            self.seat = welcome.seat
            if (
                welcome.head < self.following.version
            ):  # the server's log is another, or an older one
                self.following.start_over()
            news += self.following.learn(welcome.events)
            self.following.catch_up(welcome.head, welcome.end)
            if welcome.head == self.following.version:
                self.following.set_clock(welcome.clock, welcome.now)
        news += self._resume(welcome)
        if self._in_lobby:
            self.outbox.ask_aside(Lobby(self.outbox.new_id(), True))
        if self._listed:
            self._list_own(self._listed)
        return news

    def _list_own(self, token: str) -> None:
        """Ask for the games of a token now, or once the client is welcome."""
        self._listed = token
        if token and self.connection is ONLINE:
            self.outbox.ask_aside(Mine(self.outbox.new_id(), token))

    def _resume(self, welcome: Welcome) -> list[News]:
        """Tell which pending requests were done, and send the others again."""
        outbox = self.outbox
        versions = {fate.id: fate.version for fate in welcome.fates if fate.status != UNKNOWN}
        news: list[News] = []
        for message_id, request in list(outbox.pending.items()):
            if message_id in versions:
                del outbox.pending[message_id]
                version = versions[message_id]
                answer = Answer(message_id, OK, version, welcome.game, welcome.seat)
                news.append(Answered(request, answer))
            else:
                outbox.call_off(message_id)
                if not outbox.must_wait(request):
                    outbox.send(request)
        return news

    def _not_welcome(self, answer: Answer) -> list[News]:
        hello, self._hello = self._hello, None
        if answer.reason == "protocol":
            return [ServerCloses(answer.reason)]
        if answer.status == BUSY or hello is None or not hello.game:
            self._greet_at = self.clock() + max(answer.retry / 1000, FIRST_WAIT)
            return []
        reason = DELETED if self._sent_away == DELETED else "unknown_game"
        lost = GameLost(self.address, self.token, reason)
        self.outbox.pending.clear()
        self._go_to("", "")
        self._greet()
        return [lost]

    # -- answers -------------------------------------------------------------------------------

    def _answered(self, answer: Answer) -> list[News]:
        if self._hello is not None and answer.id == self._hello.id:
            return self._not_welcome(answer)
        outbox = self.outbox
        request = outbox.pending.get(answer.id)
        if answer.status == BUSY and (request is not None or answer.id in outbox.asides):
            outbox.put_off(answer.id, answer.retry)
            return [] if request is None else [Answered(request, answer)]
        outbox.pending.pop(answer.id, None)
        self._take_seat(request, answer)
        news = self._learn_from(request, answer)
        told = outbox.left.pop(answer.id, None) if request is None else request
        if told is not None:
            news.append(Answered(told, answer))
            self._finish(told, answer)
        return news

    def _take_seat(self, request: Request | None, answer: Answer) -> None:
        if answer.status in (OK, DUPLICATE) and isinstance(request, Seating):
            self.following.address, self.seat = answer.game, answer.seat
            for waiting in self.outbox.pending.values():
                self.outbox.send(waiting)

    def _learn_from(self, request: Request | None, answer: Answer) -> list[News]:
        """Apply the events in an answer, and ask for those that it tells are missing."""
        news: list[News] = []
        aside = self.outbox.asides.pop(answer.id, None)
        self.following.answered(answer.id)
        if isinstance(aside, Mine):
            self._listed = ""
            self.surroundings.own_games = answer.games
            return [OwnGamesTold(aside.token)]
        if answer.game == self.address:
            news += self.following.learn(answer.events)
            brings_nothing = isinstance(aside, Events) and self.following.version == aside.after
            if brings_nothing and answer.head > self.following.version:
                raise InvalidReply("the events that were asked for are missing")
            self.following.catch_up(answer.head, answer.end)
        elif request is None and answer.seat and self.connection is ONLINE:
            self._greet()  # the seat was found too late: the client has gone elsewhere
        if request is not None and answer.status == STALE:
            self.following.catch_up(answer.version)
        return news

    def _finish(self, request: Request, answer: Answer) -> None:
        if isinstance(request, Move) and answer.status in (OK, DUPLICATE):
            self._done = (answer.version, request.cell)
        if isinstance(request, Seating) and answer.status == ILLEGAL:
            self._go_to("", "")
        if isinstance(request, Block) and answer.status in (OK, DUPLICATE):
            other = SEATS[1 - SIDES[self.seat]] if self.seat else ""
            self.surroundings.block({other} - {""}, request.on)

    def _go_to(self, address: str, token: str) -> None:
        if address != self.address:
            self.seat = ""
            self.surroundings.leave_game()
            self.outbox.leave_game(self.connection is ONLINE)
            self._done = (0, 0)
        self.following.go_to(address)
        self.token = token
