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
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeVar

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online import replies, requests
from tic_tac_toe.protocols.online.addresses import address_of_new_game, new_token
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import SEATS, Event, Said, other_seat
from tic_tac_toe.protocols.online.game import CLOSED, End, OnlineGame
from tic_tac_toe.protocols.online.game_copy import GameCopy
from tic_tac_toe.protocols.online.messages import PENDING, PROTOCOL, TALK_LINES
from tic_tac_toe.protocols.online.news import (
    Announced,
    Answered,
    GameLost,
    LobbyChanged,
    News,
    OwnGamesTold,
    PresenceChanged,
    ServerCloses,
    TalkChanged,
    Welcomed,
)

#: The longest wait before connecting again, in seconds, and the first.
LONGEST_WAIT, FIRST_WAIT = 20.0, 0.5
#: Seconds of silence after which the client asks whether there is any news, and seconds more after
#: which it takes the connection for lost.
QUIET, LOST = 20.0, 10.0
#: The speaker of what watchers say; players are known by their seats.
WATCHERS = "watchers"

#: Requests that are worth nothing on another connection, and wait for no seat.
ASIDES = (requests.Events, requests.Lobby, requests.Mine)

Asked = TypeVar("Asked", bound=requests.Request)
Made = TypeVar("Made", requests.Create, requests.Pair)


class Link(str, Enum):
    """The states of a connection."""

    OFFLINE = "offline"  # there is none
    GREETING = "greeting"  # it is open, and a `Hello` has no answer yet
    DEFERRED = "deferred"  # the server was too busy to welcome; the client greets again later
    REFUSED = "refused"  # the server speaks another version of the protocol
    ONLINE = "online"  # the server has welcomed the client


OFFLINE, GREETING, DEFERRED, REFUSED, ONLINE = Link

OPEN, GREET, WELCOME, DEFER, REFUSE, LOSE = "open", "greet", "welcome", "defer", "refuse", "lose"
#: Where each event leads a connection. Going to another game means to greet again.
LINKS: Mapping[Link, Mapping[str, Link]] = {
    OFFLINE: {OPEN: GREETING, LOSE: OFFLINE},
    GREETING: {GREET: GREETING, WELCOME: ONLINE, DEFER: DEFERRED, REFUSE: REFUSED, LOSE: OFFLINE},
    DEFERRED: {GREET: GREETING, LOSE: OFFLINE},
    REFUSED: {GREET: GREETING, LOSE: OFFLINE},
    ONLINE: {GREET: GREETING, LOSE: OFFLINE},
}


class IllegalStep(RuntimeError):
    """An event that the present state of a client does not allow."""


def speaker_of(line: Said | replies.TalkLine) -> str:
    """Return the speaker of a line: the seat of a player, or `WATCHERS`."""
    return line.seat if isinstance(line, Said) else WATCHERS


class Client:
    """A person, or a program, at one game at a time.

    Args:
        rng: where tokens, ids and the jitter come from; `random.SystemRandom` outside tests.
        clock: seconds from any start, never backwards, such as `time.monotonic`.
        game, token: where the client was before, if anywhere.
        code: the player's own token, which claims the seats of all games that the client creates,
            joins, or asks to play now, so that the player finds them again; without it each has a
            new one.

    Attributes:
        connection: a state of `Link`.
        address: the game that the client is at, or wants to be; empty for none.
        token: claims the seat of it; to be kept for coming back.
        seat: X or O; empty for a watcher.
        replica: the known events of the game, and the game after them.
        presence: the connected players and the number of watchers, as the server last told.
        talk: what watchers of the game have said; players are told once the game is over.
        muted: the speakers, of `speaker_of`, whose lines this client hides; the server is not told.
        has_blocked: whether this player has asked in this game never to meet the other one again.
        open_games: the games of the lobby, while the client listens to it.
        own_games: the player's games, as they were when `ask_for_own_games` was last answered.
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
        self.rng = rng
        self.clock = clock
        self.code: str = code
        self.connection: Link = OFFLINE
        self.address: str = game
        self.token: str = token
        self.seat: str = ""
        self.replica: GameCopy = GameCopy(clock, self._ask_for_events)
        self.presence: replies.Presence | None = None
        self.talk: tuple[replies.TalkLine, ...] = ()
        self.muted: frozenset[str] = frozenset()
        self.has_blocked: bool = False
        self.open_games: tuple[replies.OpenGame, ...] = ()
        self.own_games: tuple[replies.OwnGame, ...] = ()
        self.offered: tuple[str, ...] = ()
        self.attempts: int = 0
        self._outgoing: list[str] = []
        self._id_prefix = f"{rng.getrandbits(64):x}"
        self._ids = 0
        # Requests without an answer, by their ids, in the order of asking; and those about a game
        # that the client has left since, whose answers are still news.
        self._asked: dict[str, requests.Request] = {}
        self._left: dict[str, requests.Request] = {}
        self._again_at: dict[str, float] = {}  # when to repeat what was put off
        self._hello = requests.Hello("", PROTOCOL)  # the last one
        self._greet_at = 0.0  # when to leave `DEFERRED`
        self._sent_away = ""  # the reason that a reachable server gave for closing the connection
        self._done = (0, 0)  # the last move that was acknowledged: its version and its cell
        self._in_lobby = False
        self._listed = ""  # the token whose games were asked for, and have not come yet
        self._events_id = ""  # of the request for missing events that has no answer yet
        # The times, by `clock`, of the last text and of `presence`.
        self._heard_at = self._presence_at = clock()

    def __repr__(self) -> str:
        return f"Client({self.connection.value}, game={self.address!r}, seat={self.seat!r})"

    # -- what is known -----------------------------------------------------------------------------

    @property
    def game(self) -> OnlineGame | None:
        """The game as far as its events are known; ``None`` if none is."""
        return self.replica.game

    @property
    def events(self) -> list[Event]:
        """All events of the game that are known, in order."""
        return self.replica.events

    @property
    def lines(self) -> tuple[Said | replies.TalkLine, ...]:
        """The lines of players and watchers in their order, without those of muted speakers."""
        lines: list[Said | replies.TalkLine] = [*self.talk]
        lines += [event for event in self.events if isinstance(event, Said)]
        heard = [line for line in lines if speaker_of(line) not in self.muted]
        return tuple(sorted(heard, key=lambda line: line.time))

    @property
    def pending(self) -> tuple[requests.Request, ...]:
        """The requests without an answer that are repeated on the next connection, in order."""
        return tuple(each for each in self._asked.values() if not isinstance(each, ASIDES))

    @property
    def pending_cell(self) -> int | None:
        """The cell of a move that is on its way, or done while its event has yet to come."""
        for request in self._asked.values():
            if isinstance(request, requests.Move):
                return request.cell
        version, cell = self._done
        return cell if version > self.replica.version else None

    @property
    def is_put_off(self) -> bool:
        """Whether a request for a seat waits because the server was too busy; `leave` drops it."""
        put_off = map(self._asked.get, self._again_at)
        return any(isinstance(request, requests.Seating) for request in put_off)

    @property
    def is_asking_for_own_games(self) -> bool:
        """Whether the player's games were asked for, and have not come yet."""
        return bool(self._listed)

    @property
    def is_lost(self) -> bool:
        """Whether the server has been silent for more than `QUIET` + `LOST` seconds."""
        return self.connection is not OFFLINE and self.clock() - self._heard_at > QUIET + LOST

    def time_left(self) -> tuple[int, int] | None:
        """Return the milliseconds that X and O have left; ``None`` without a clock."""
        return self.replica.time_left()

    def first_move_left(self) -> int | None:
        """Return the milliseconds that the side to move has for its first move.

        ``None`` if it has made it, if there is no limit, or if the game is one without a clock
        against a computer, which does not mind. The server aborts the game after that; it may allow
        more, for it knows of pauses.
        """
        return self.replica.first_move_left()

    def claim_left(self) -> int | None:
        """Return the milliseconds until this player can claim the game; 0 from then on.

        ``None`` while the other player is there, and in games that cannot be claimed.
        """
        game, presence = self.game, self.presence
        if game is None or not game.turn or game.can_be_aborted:
            return None
        if presence is None or presence.claim_in is None or self.seat not in presence.seats:
            return None
        return max(0, presence.claim_in - int(1000 * (self.clock() - self._presence_at)))

    # -- what people do ----------------------------------------------------------------------------

    def create(
        self,
        variant: str,
        *,
        name: str = "",
        seat: str = requests.RANDOM_SEAT,
        starting: str = "X",
        opponent: str = requests.PERSON,
        is_open: bool = False,
        clock: Clock | None = None,
    ) -> requests.Create:
        """Ask for a new game and a seat in it; the client leaves its present game.

        Its `address` and `token` are known at once, so that they can be kept before anything is
        sent: a client that comes back with them finds the game if the server got the request.
        """
        asked = (variant, name, seat, starting, opponent, is_open, clock)
        return self._ask_for_new_game(requests.Create(self._new_id(), self._seat_token(), *asked))

    def pair(self, variant: str, *, name: str = "", clock: Clock | None = None) -> requests.Pair:
        """Ask to be paired with a player who wants the same; the client leaves its present game.

        Until there is one, the client waits in a game of its own, whose `address` and `token` are
        known at once, as by `create`; `leave` withdraws it. If another such game waits already, the
        server takes the client there: `address` changes, and the token stays.
        """
        return self._ask_for_new_game(
            requests.Pair(self._new_id(), self._seat_token(), variant, name, clock)
        )

    def join(self, address: str, name: str = "") -> requests.Join:
        """Ask for the free seat of a game."""
        self._go_to(address, self._seat_token())
        return self._ask(requests.Join(self._new_id(), address, self.token, name))

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
            # The players have changed their seats.
            self.muted = frozenset(other_seat(who) if who in SEATS else who for who in muted)

    def leave(self) -> requests.Leave | None:
        """Leave the game; its creator asks to close it instead if it waits for a player."""
        if self.game is not None and self.game.waiting and self.seat:
            return self._ask(requests.Leave(self._new_id()))
        self.watch("")
        return None

    def move(self, cell: int) -> requests.Move:
        """Ask to play a cell."""
        return self._ask(requests.Move(self._new_id(), self.replica.version, cell))

    def offer(self, what: str) -> requests.Offer:
        """Offer one of `events.OFFERS`, such as a draw, or ask to take a move back."""
        return self._ask(requests.Offer(self._new_id(), self.replica.version, what))

    def accept(self, what: str) -> requests.Accept:
        """Agree to an offer."""
        return self._ask(requests.Accept(self._new_id(), self.replica.version, what))

    def decline(self, what: str) -> requests.Decline:
        """Refuse an offer, or take an own one back."""
        return self._ask(requests.Decline(self._new_id(), self.replica.version, what))

    def resign(self) -> requests.Resign:
        """Give up."""
        return self._ask(requests.Resign(self._new_id()))

    def abort(self) -> requests.Abort:
        """End the game before both sides have moved, without a winner."""
        return self._ask(requests.Abort(self._new_id()))

    def claim(self, what: str = requests.WIN) -> requests.Claim:
        """Claim the win, or a draw, because the other player is gone: one of `requests.CLAIMS`."""
        return self._ask(requests.Claim(self._new_id(), self.replica.version, what))

    def chat(self, text: str) -> requests.Chat:
        """Send a line of chat to everyone at the game, as a player."""
        return self._ask(requests.Chat(self._new_id(), text))

    def talk_to_watchers(self, text: str, name: str = "") -> requests.Talk:
        """Send a line to the other watchers, as one of them."""
        return self._ask(requests.Talk(self._new_id(), text, name))

    def mute(self, who: str, on: bool = True) -> None:
        """Hide the lines of a speaker, of `speaker_of`, in this game; or show them again."""
        self.muted = self.muted | {who} if on else self.muted - {who}

    def report_line(self, line: Said | replies.TalkLine) -> requests.Report:
        """Report a line of this game to the server's operator, and to no one else."""
        if isinstance(line, Said):
            return self._ask(requests.Report(self._new_id(), requests.CHAT_LINE, line.version))
        where = (requests.TALK_LINE, line.time, line.number)
        return self._ask(requests.Report(self._new_id(), *where))

    def report_name(self, seat: str, text: str = "") -> requests.Report:
        """Report a player's name to the server's operator, with a remark about it."""
        return self._ask(
            requests.Report(self._new_id(), requests.PLAYER_NAME, seat=seat, text=text)
        )

    def block(self, on: bool = True) -> requests.Block:
        """Ask never to be paired with the other player of this game again; or unblock them.

        It holds for the token of this seat, so for all games of a player with a code.
        """
        return self._ask(requests.Block(self._new_id(), on))

    def listen_to_lobby(self, on: bool = True) -> None:
        """Subscribe to the list of open games, or unsubscribe."""
        self._in_lobby = on
        if self.connection is ONLINE:
            self._ask(requests.Lobby(self._new_id(), on))

    def ask_for_own_games(self) -> None:
        """Ask for the games of the player's code; `OwnGamesTold` says that they have come."""
        self._listed = self.code
        if self._listed and self.connection is ONLINE:
            self._ask(requests.Mine(self._new_id(), self._listed))

    def _seat_token(self) -> str:
        return self.code or new_token(self.rng)

    def _ask_for_new_game(self, request: Made) -> Made:
        self._go_to(address_of_new_game(request.token, request.id), request.token)
        return self._ask(request)

    # -- what the network does ---------------------------------------------------------------------

    def take_outgoing(self) -> list[str]:
        """Return the texts to send now, in order, and forget them."""
        texts, self._outgoing = self._outgoing, []
        return texts

    def connected(self) -> None:
        """Greet, for a connection has been opened.

        Raises:
            IllegalStep: there is one already.
        """
        self._heard_at = self.clock()
        self._outgoing.clear()
        self._again_at.clear()
        self._asked = {each.id: each for each in self.pending}
        self._left.clear()
        self._events_id = ""
        self.replica.reconnected()
        self._done = (0, 0)
        self._greet(OPEN)

    def disconnected(self) -> float:
        """End the connection; return the seconds to wait before the next attempt."""
        is_sent_away = bool(self._sent_away) and self.connection is ONLINE
        self._step(LOSE)
        self._outgoing.clear()
        self.presence = None
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
        try:
            news = self._handle(replies.read_reply(text))
        except InvalidVariant as error:
            raise replies.InvalidReply(str(error)) from None
        if self.seat and (game := self.game) and game.follower and game.end == End("", CLOSED):
            # The server has taken this player, who wanted to play now, to another game.
            self.watch(game.follower, self.token)
        return news

    def wake(self) -> None:
        """Do what is due by now; to be called at least once a second."""
        now = self.clock()
        if self.connection is DEFERRED and self._greet_at <= now:
            self._greet()
        self._ask_again()
        if self.connection is ONLINE and now - self._heard_at > QUIET and not self._events_id:
            self._ask_for_events()

    def _handle(self, reply: replies.Reply | None) -> list[News]:
        match reply:
            case replies.Welcome() | replies.Answer() if (
                self.connection is GREETING and reply.id == self._hello.id
            ):
                return self._greeted(reply)
            case replies.Answer():
                return self._answered(reply)
            case replies.Happened():
                return [*self.replica.happened(self.address, reply)]
            case replies.Closing(reason, retry):
                return self._closing(reason, retry)
            case replies.OpenGames(games):
                self.open_games = games
                return [LobbyChanged()]
            case replies.Presence(game) if game == self.address:
                self.presence, self._presence_at = reply, self.clock()
                return [PresenceChanged()]
            case replies.WatchersTalk(game, lines) if game == self.address:
                known = {*self.talk}  # what is kept comes again with each connection
                new = (line for line in lines if line not in known)
                self.talk = (*self.talk, *new)[-TALK_LINES:]
                return [TalkChanged()]
            case replies.Notice(reason=reason):
                if reason == replies.REOPENED:  # there is nothing to wait for any longer
                    self._again_at = dict.fromkeys(self._again_at, self.clock())
                    self._ask_again()
                return [Announced(reply)]
        return []  # of another game or greeting, or of a type that is unknown here

    # -- greeting ----------------------------------------------------------------------------------

    def _step(self, event: str) -> None:
        if event not in LINKS[self.connection]:
            raise IllegalStep(f"a connection that is {self.connection.value} cannot {event}")
        self.connection = LINKS[self.connection][event]

    def _greet(self, event: str = GREET) -> None:
        """Say where the client wants to be, and which requests have no answer yet."""
        self._step(event)
        # A client that waits for a seat goes to its game with the answer.
        at = "" if self._is_arriving else self.address
        self._hello = requests.Hello(
            self._new_id(),
            PROTOCOL,
            at,
            self.token if at else "",
            # The last known event comes again: it shows whether the logs agree.
            max(self.replica.version - 1, 0) if at else 0,
            tuple(each.id for each in self.pending)[:PENDING] if at else (),
        )
        self._send(self._hello)

    def _greeted(self, answer: replies.Answer | replies.Welcome) -> list[News]:
        """Begin where the server welcomes the client; else greet later, elsewhere, or not again."""
        if isinstance(answer, replies.Welcome):
            return self._welcomed(answer)
        if answer.reason == "protocol":
            self._step(REFUSE)
            return [ServerCloses(answer.reason)]
        if answer.status == replies.BUSY or not self._hello.game:
            self._step(DEFER)
            self._greet_at = self.clock() + max(answer.retry / 1000, FIRST_WAIT)
            return []
        reason = replies.DELETED if self._sent_away == replies.DELETED else "unknown_game"
        lost = GameLost(self.address, self.token, reason)
        self.watch("")
        return [lost]

    def _welcomed(self, welcome: replies.Welcome) -> list[News]:
        self._step(WELCOME)
        news: list[News] = [Welcomed(self.attempts > 0)]
        self.attempts = 0
        self._sent_away = ""
        self.offered = welcome.opponents or self.offered
        if welcome.game == self.address:
            self.seat = welcome.seat
            news += self.replica.welcomed(welcome)
        news += self._resume(welcome)
        if self._in_lobby:
            self._ask(requests.Lobby(self._new_id(), True))
        if self._listed:
            self._ask(requests.Mine(self._new_id(), self._listed))
        return news

    def _resume(self, welcome: replies.Welcome) -> list[News]:
        """Tell which pending requests were done, and send the others again."""
        done = {each.id: each.version for each in welcome.fates if each.status != replies.UNKNOWN}
        news: list[News] = []
        for request in self.pending:
            if request.id in done:
                del self._asked[request.id]
                told = (request.id, replies.OK, done[request.id], welcome.game, welcome.seat)
                news.append(Answered(request, replies.Answer(*told)))
            else:
                self._again_at.pop(request.id, None)
                if self._may_send(request):
                    self._send(request)
        return news

    def _closing(self, reason: str, retry: int) -> list[News]:
        """Remember the reason that the server gives before it closes the connection."""
        if reason in (replies.FORGOTTEN, replies.DELETED):
            self._sent_away = reason
        if reason == replies.FORGOTTEN:
            self.token = ""  # the client comes back to watch
        # Which game is deleted is told when the client comes back: it may have gone elsewhere.
        return [] if reason == replies.DELETED else [ServerCloses(reason, retry)]

    # -- requests and their answers ----------------------------------------------------------------

    def _new_id(self) -> str:
        """Return an id that no other message of this client has."""
        self._ids += 1
        return f"{self._id_prefix}-{self._ids}"

    def _send(self, request: requests.Request) -> None:
        self._outgoing.append(requests.write_request(request))

    def _ask(self, request: Asked) -> Asked:
        """Send a request as soon as that is possible, and again until it has an answer."""
        self._asked[request.id] = request
        if self.connection is ONLINE and self._may_send(request):
            self._send(request)
        return request

    def _ask_again(self) -> None:
        """Send the requests that were put off until now."""
        now = self.clock()
        for message_id in [known for known, at in self._again_at.items() if at <= now]:
            del self._again_at[message_id]
            if self.connection is ONLINE and (request := self._asked.get(message_id)):
                self._send(request)

    @property
    def _is_arriving(self) -> bool:
        """Whether the client waits for a seat."""
        return any(isinstance(request, requests.Seating) for request in self._asked.values())

    def _may_send(self, request: requests.Request) -> bool:
        """Whether a request need not wait until the client has a seat in the game it is about."""
        return isinstance(request, (requests.Seating, *ASIDES)) or not self._is_arriving

    def _answered(self, answer: replies.Answer) -> list[News]:
        request = self._asked.get(answer.id)
        if answer.status == replies.BUSY and request is not None:
            self._again_at[answer.id] = self.clock() + answer.retry / 1000
            return [] if isinstance(request, ASIDES) else [Answered(request, answer)]
        self._asked.pop(answer.id, None)
        is_done = answer.status in (replies.OK, replies.DUPLICATE)
        if isinstance(request, requests.Seating) and is_done:
            self.address, self.seat = answer.game, answer.seat
            for waiting in self.pending:
                self._send(waiting)
        news = self._learn_from(request, answer)
        told = self._left.pop(answer.id, None) if request is None else request
        if told is None or isinstance(told, ASIDES):
            return news
        match told:
            case requests.Move(cell=cell) if is_done:
                self._done = (answer.version, cell)
            case requests.Block(on=on) if is_done:
                self.has_blocked = on
                if self.seat:
                    self.mute(other_seat(self.seat), on)
        if answer.status == replies.STALE:
            self.replica.catch_up(answer.version)
        if isinstance(told, requests.Seating) and answer.status == replies.ILLEGAL:
            self._go_to("", "")
        return [*news, Answered(told, answer)]

    def _learn_from(self, request: requests.Request | None, answer: replies.Answer) -> list[News]:
        """Apply the events in an answer, and ask for those that it tells are missing."""
        if answer.id == self._events_id:
            self._events_id = ""
        if isinstance(request, requests.Mine):
            self._listed = ""
            self.own_games = answer.games
            return [OwnGamesTold(request.token)]
        if answer.game == self.address:
            after = request.after if isinstance(request, requests.Events) else None
            return [*self.replica.answered(answer, after)]
        if answer.seat and self.connection is ONLINE and request is None:
            self._greet()  # the seat was found too late: the client has gone elsewhere
        return []

    # -- the game ----------------------------------------------------------------------------------

    def _go_to(self, address: str, token: str) -> None:
        """Follow this game from now on; of the one before, only a `Leave` may still be answered."""
        if address != self.address:
            if self.connection is ONLINE:
                leaving = (each for each in self.pending if isinstance(each, requests.Leave))
                self._left.update((each.id, each) for each in leaving)
            for each in self.pending:
                del self._asked[each.id]
            self._done = (0, 0)
            self.seat = ""
            self.presence, self.talk = None, ()
            self.muted, self.has_blocked = frozenset(), False
            self.replica.forget()
        self.address, self.token = address, token
        self._events_id = ""

    def _ask_for_events(self, anew: bool = True) -> None:
        if anew or not self._events_id:
            request = requests.Events(self._new_id(), self.replica.version)
            self._events_id = request.id
            self._asked[request.id] = request
            self._send(request)
