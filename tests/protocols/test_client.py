"""One player's side: what it says when, what it makes of answers, and how little it believes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.protocols.games import START, event_after, happening, known
from tests.protocols.linked import Authority, Link, Time, settle
from tests.protocols.test_replies import of_one_game, open_games, replies
from tic_tac_toe.protocols.online.addresses import address_of_new_game, is_address
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.conversation import FIRST_WAIT, LONGEST_WAIT, LOST, QUIET
from tic_tac_toe.protocols.online.events import REMATCH, Event, GameSetup, Player
from tic_tac_toe.protocols.online.limits import PROTOCOL
from tic_tac_toe.protocols.online.link import GREETING, OFFLINE, ONLINE
from tic_tac_toe.protocols.online.news import (
    Announced,
    Answered,
    GameChanged,
    GameLost,
    LobbyChanged,
    OwnGamesTold,
    PresenceChanged,
    ServerCloses,
    Welcomed,
)
from tic_tac_toe.protocols.online.replies import (
    BUSY,
    ILLEGAL,
    OK,
    OVER,
    STALE,
    Answer,
    Closing,
    Happened,
    InvalidReply,
    Notice,
    OpenGames,
    OwnGame,
    Presence,
    Reply,
    Welcome,
    write_reply,
)
from tic_tac_toe.protocols.online.requests import (
    PLAYER_NAME,
    Chat,
    Create,
    Events,
    Hello,
    Leave,
    Lobby,
    Mine,
    Move,
    Request,
    read_request,
)
from tic_tac_toe.protocols.online.standing import ON_BOARD, RESIGNED, End

HERE, THERE = "H" * 21 + "A", "T" * 21 + "A"
TOKEN = "K" * 21 + "A"
BOTH = (Player("Ann"), Player("Bob"))
WAITING = GameSetup("tic-tac-toe", players=(Player("Ann"), None))


class Desk:
    """A client, and somebody who reads what it sends and answers by hand."""

    def __init__(self, **where: str) -> None:
        self.time = Time()
        self.client = Client(random.Random(3), self.time, **where)

    def sent(self) -> list[Request]:
        return [read_request(text) for text in self.client.take_outgoing()]

    def hear(self, reply: Reply) -> list[object]:
        return list(self.client.received(write_reply(reply)))

    def hello(self) -> Hello:
        hello = self.sent()[-1]
        assert isinstance(hello, Hello)
        return hello

    def come_back(self) -> Hello:
        """Lose the connection and open another; return the greeting."""
        self.client.disconnected()
        self.client.connected()
        return self.hello()

    def sit(self, *events: Event, **more: object) -> None:
        """Connect the client and welcome it to where it wants to be, at X."""
        self.client.connected()
        hello = self.hello()
        seat = "X" if hello.token else ""
        welcome = Welcome(hello.id, PROTOCOL, hello.game, seat, len(events), events)
        self.hear(replace(welcome, **more))  # type: ignore[arg-type]

    def wait(self, seconds: float) -> list[Request]:
        """Let time pass; return what the client then sends."""
        self.time.seconds += seconds
        self.client.wake()
        return self.sent()


def log(*cells: int, game: str = HERE, clock: Clock | None = None) -> list[Event]:
    """Return the events of a game that both play from the start, a second apart."""
    setup = GameSetup("tic-tac-toe", players=BOTH, clock=clock)
    events = [happening(game, 1, "create", "", START, setup=setup)]
    for number, cell in enumerate(cells):
        time = START + 1_000 * (number + 1)
        events.append(happening(game, number + 2, "move", "XO"[number % 2], time, cell=cell))
    return events


def greeting() -> Desk:
    """Return a client that has a connection and no welcome yet."""
    desk = Desk(game=HERE, token=TOKEN)
    desk.client.connected()
    return desk


def seated(*cells: int, clock: Clock | None = None) -> Desk:
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(*log(*cells, clock=clock))
    return desk


def alone() -> Desk:
    """Return a client at X in a game that nobody has joined."""
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(happening(HERE, 1, "create", "", START, setup=WAITING))
    return desk


# -- greeting --------------------------------------------------------------------------------------


def test_the_first_thing_that_is_said_is_where_the_client_was() -> None:
    desk = Desk(game=HERE, token=TOKEN)
    assert (desk.client.connection, desk.sent()) == (OFFLINE, [])

    desk.client.connected()

    hello = desk.hello()
    assert hello == Hello(hello.id, PROTOCOL, HERE, TOKEN, 0, ())
    assert desk.client.connection == GREETING


def test_a_welcome_brings_the_seat_and_the_events() -> None:
    desk = greeting()
    events = tuple(log(4, 0))

    news = desk.hear(Welcome(desk.hello().id, PROTOCOL, HERE, "X", 3, events))

    assert news == [Welcomed(), *(GameChanged(event, is_past=True) for event in events)]
    assert (desk.client.connection, desk.client.seat) == (ONLINE, "X")
    assert desk.client.events == list(events)
    assert desk.sent() == []


def test_a_welcome_to_an_earlier_greeting_is_passed_over() -> None:
    desk = Desk(game=HERE)
    desk.client.connected()
    first = desk.hello()
    desk.client.watch(THERE)
    desk.hello()

    assert desk.hear(Welcome(first.id, PROTOCOL, HERE, "", 1, tuple(log()))) == []
    assert desk.client.connection == GREETING
    assert desk.client.game is None


def test_more_than_a_hundred_missed_events_are_asked_for_until_all_are_there() -> None:
    time = Time()
    authority = Authority(time)
    ann, watcher = Client(random.Random(1), time), Client(random.Random(2), time)
    link = Link(ann, authority, time)
    ann.create("tic-tac-toe", seat="X")
    settle(link)
    game = authority.game(ann.address)
    assert game is not None
    for number in range(250):
        event = event_after(game, "X", Chat(f"c-{number}", f"{number}"))
        game = game.apply(event)
        authority.logs[ann.address].append(event)

    watcher.watch(ann.address)
    settle(Link(watcher, authority, time))

    assert watcher.events == [known(event) for event in authority.logs[ann.address]]
    assert len(watcher.events) == 251


def test_a_game_that_the_server_does_not_know_is_lost() -> None:
    desk = Desk(game=HERE, token=TOKEN)
    desk.client.chat("Anybody?")
    desk.client.connected()

    news = desk.hear(Answer(desk.hello().id, ILLEGAL, reason="unknown_game"))

    assert news == [GameLost(HERE, TOKEN)]
    assert (desk.client.address, desk.client.token, desk.client.pending) == ("", "", ())
    assert desk.hello().game == ""


def test_another_version_of_the_protocol_loses_no_game() -> None:
    desk = greeting()

    news = desk.hear(Answer(desk.hello().id, ILLEGAL, reason="protocol"))

    assert news == [ServerCloses("protocol")]
    assert (desk.client.address, desk.client.token) == (HERE, TOKEN)
    assert desk.wait(60) == []


def test_a_server_that_is_too_busy_for_a_greeting_is_greeted_again_when_it_said() -> None:
    desk = greeting()
    desk.hear(Answer(desk.hello().id, BUSY, reason="too_fast", retry=3_000))

    assert desk.wait(2.9) == []
    again = desk.wait(0.2)
    assert [type(request) for request in again] == [Hello]
    assert desk.wait(5) == []


# -- losing the connection -------------------------------------------------------------------------


@given(st.integers(0, 2**32))
def test_waits_grow_up_to_their_longest_and_differ_between_clients(seed: int) -> None:
    client = Client(random.Random(seed), lambda: 0.0)

    for attempt in range(40):
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0**attempt)
        assert longest / 2 <= client.disconnected() <= longest


def test_clients_that_lose_a_server_together_do_not_come_back_together() -> None:
    waits = [Client(random.Random(seed), lambda: 0.0) for seed in range(200)]
    seconds = sorted(client.disconnected() for client in waits)

    assert len(set(seconds)) == 200
    assert seconds[50] < 0.32 < 0.43 < seconds[150]


def test_a_welcome_makes_the_next_wait_short_again() -> None:
    desk = Desk(game=HERE, token=TOKEN)
    for _ in range(6):
        desk.client.disconnected()

    desk.sit(*log())

    assert desk.client.attempts == 0
    assert desk.client.disconnected() <= FIRST_WAIT


def test_a_connection_that_is_silent_is_asked_for_news_and_then_lost() -> None:
    desk = seated(4)

    assert desk.wait(QUIET - 0.1) == []
    asked = desk.wait(0.2)
    assert [type(request) for request in asked] == [Events]
    assert desk.wait(LOST - 0.3) == []
    assert not desk.client.is_lost
    assert desk.wait(0.3) == []
    assert desk.client.is_lost


def test_any_word_of_the_server_keeps_a_connection() -> None:
    desk = seated(4)
    for _ in range(10):
        desk.time.seconds += QUIET
        desk.hear(Presence(HERE, ("X",), 0))
        assert not desk.client.is_lost


def test_a_connection_on_which_nobody_welcomes_is_lost() -> None:
    desk = Desk()
    desk.client.connected()
    desk.time.seconds += QUIET + LOST + 1

    assert desk.client.is_lost
    desk.client.disconnected()
    assert not desk.client.is_lost


def test_nothing_is_sent_without_a_connection() -> None:
    desk = seated(4)
    desk.client.disconnected()
    move = desk.client.move(0)
    desk.client.listen_to_lobby()

    assert desk.wait(100) == []
    assert desk.client.pending == (move,)


# -- asking ----------------------------------------------------------------------------------------


def test_where_a_new_game_is_is_known_before_anything_is_sent() -> None:
    desk = Desk()
    request = desk.client.create("connect-four", name="Ann")

    assert is_address(desk.client.token)
    assert desk.client.address == address_of_new_game(request.token, request.id)
    assert request == Create(request.id, desk.client.token, "connect-four", "Ann")


def test_nothing_else_is_asked_before_there_is_a_seat_even_where_the_server_is_busy() -> None:
    desk = Desk()
    desk.sit()
    join = desk.client.join(HERE, "Ann")
    chat = desk.client.chat("Here I am")
    assert desk.sent() == [join]
    desk.hear(Answer(join.id, BUSY, reason="too_fast", retry=100))
    assert desk.wait(0.2) == [join]

    desk.hear(Welcome(desk.come_back().id, PROTOCOL))
    assert desk.sent() == [join]
    desk.hear(Answer(join.id, OK, 2, HERE, "O", events=tuple(log()), head=1))

    assert desk.sent() == [chat]


def test_no_two_clients_use_the_same_ids_or_tokens() -> None:
    clients = [Client(random.Random(seed), lambda: 0.0) for seed in range(50)]
    requests = [client.create("4x4") for client in clients for _ in range(3)]

    assert len({request.id for request in requests}) == 150
    assert len({request.token for request in requests}) == 150


def test_a_move_is_on_its_way_until_it_is_refused_or_its_event_comes_or_the_client_goes() -> None:
    desk = seated()
    move = desk.client.move(4)
    assert desk.client.pending_cell == 4
    news = desk.hear(Answer(move.id, ILLEGAL, 1, reason="move", text="Cell is not empty"))
    assert [type(each) for each in news] == [Answered]
    assert desk.client.pending_cell is None

    ends: list[Callable[[Desk], object]] = [lambda desk: desk.hear(Happened(log(4)[1]))]
    for end in [*ends, lambda desk: desk.client.watch(THERE)]:
        desk = seated()
        desk.hear(Answer(desk.client.move(4).id, OK, 2))
        assert (desk.client.pending, desk.client.pending_cell) == ((), 4)
        end(desk)
        assert desk.client.pending_cell is None


def test_a_client_that_comes_back_asks_for_the_last_event_again_to_compare_it() -> None:
    desk = seated(4, 0)
    hello = desk.come_back()
    assert hello.last_seen_version == 2

    other = log(4, 8)[2]
    news = desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 3, (other,)))

    assert news == [Welcomed(is_back=True)]
    asked = desk.sent()[0]
    assert asked == Events(asked.id, 0)
    desk.hear(Answer(asked.id, OK, game=HERE, events=(*log(4), other), head=3))
    assert desk.client.events == [*log(4), other]


def test_what_a_busy_server_puts_off_is_asked_again_when_it_said_and_once() -> None:
    desk = seated()
    move = desk.client.move(4)
    desk.sent()
    news = desk.hear(Answer(move.id, BUSY, reason="too_fast", retry=800))
    assert [type(each) for each in news] == [Answered]

    assert desk.wait(0.7) == []
    assert desk.wait(0.2) == [move]
    assert desk.wait(5) == []


def test_a_stale_move_makes_the_client_look_what_has_happened() -> None:
    desk = seated()
    move = desk.client.move(4)
    desk.sent()

    desk.hear(Answer(move.id, STALE, 3))

    asked = desk.sent()
    assert [type(request) for request in asked] == [Events]
    desk.hear(Answer(asked[0].id, OK, game=HERE, events=tuple(log(4, 0)[1:]), head=3))
    assert desk.client.events == log(4, 0)
    assert desk.sent() == []


def test_a_busy_server_is_asked_again_for_events_and_for_the_lobby() -> None:
    desk = seated()
    desk.client.listen_to_lobby()
    desk.hear(Happened(log(4, 0)[2]))
    lobby, events = desk.sent()
    assert (type(lobby), type(events)) == (Lobby, Events)

    for request in (lobby, events):
        desk.hear(Answer(request.id, BUSY, reason="too_fast", retry=500))

    assert desk.wait(0.6) == [lobby, events]
    desk.hear(Answer(lobby.id, OK))
    desk.hear(Answer(events.id, OK, game=HERE, events=tuple(log(4, 0)[1:]), head=3))
    assert desk.wait(5) == []
    assert desk.client.events == log(4, 0)


def test_the_lobby_is_listened_to_again_after_a_loss() -> None:
    desk = seated()
    desk.client.listen_to_lobby()
    hello = desk.come_back()
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 1))

    assert [type(request) for request in desk.sent()] == [Lobby]


@given(st.lists(open_games, max_size=3).map(tuple))
def test_the_lobby_shows_the_games_that_were_told_last(games: tuple) -> None:  # type: ignore[type-arg]
    desk = seated()

    assert desk.hear(OpenGames(games)) == [LobbyChanged()]
    assert desk.client.open_games == games


def test_own_games_are_asked_for_until_they_have_come_and_not_again() -> None:
    desk = seated()
    desk.client.code = TOKEN
    desk.client.ask_for_own_games()
    (asked,) = desk.sent()
    assert asked == Mine(asked.id, TOKEN)
    desk.hear(Answer(asked.id, BUSY, reason="too_fast", retry=500))
    assert desk.wait(0.6) == [asked]
    hello = desk.come_back()
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 1))
    (again,) = desk.sent()
    own = OwnGame(THERE, "gomoku", "O", "Bob", "Ann", OVER, "O", None, START)

    assert desk.hear(Answer(again.id, OK, games=(own,))) == [OwnGamesTold(TOKEN)]
    assert desk.client.own_games == (own,)
    hello = desk.come_back()
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 1))
    assert desk.sent() == []


def test_a_player_with_a_code_claims_every_seat_with_it() -> None:
    client = Client(random.Random(1), lambda: 0.0, code=TOKEN)
    tokens = {client.create("gomoku").token, client.pair("gomoku").token, client.join(THERE).token}

    assert tokens == {client.token} == {TOKEN}


def test_a_report_and_a_block_wait_for_their_answers() -> None:
    desk = seated(4)
    name = desk.client.report(PLAYER_NAME, seat="O", text="rude")
    block = desk.client.block()
    hello = desk.come_back()
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 2))
    assert desk.sent() == [name, block]
    for request in (name, block):
        assert desk.hear(answer := Answer(request.id, OK)) == [Answered(request, answer)]
    assert desk.client.pending == ()


def test_presence_and_closing_are_told() -> None:
    desk = seated()

    assert desk.hear(Presence(HERE, ("X", "O"), 3)) == [PresenceChanged()]
    assert desk.client.presence == Presence(HERE, ("X", "O"), 3)
    assert desk.hear(Presence(THERE, (), 0)) == []
    assert desk.hear(Closing("restart", 1_000)) == [ServerCloses("restart", 1_000)]


def test_a_player_whose_seat_is_removed_comes_back_to_watch() -> None:
    desk = seated()

    assert desk.hear(Closing("forgotten", 0)) == [ServerCloses("forgotten")]
    hello = desk.come_back()
    assert (hello.game, hello.token) == (HERE, "")
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "", 2))
    assert desk.client.seat == ""


def test_a_player_whose_game_is_deleted_loses_it_for_that_reason_and_no_connection() -> None:
    desk = seated()

    assert desk.hear(Closing("deleted", 0)) == []
    hello = desk.come_back()
    assert (hello.game, desk.client.attempts) == (HERE, 0)
    news = desk.hear(Answer(hello.id, ILLEGAL, reason="unknown_game"))
    assert news == [GameLost(HERE, TOKEN, "deleted")]
    assert desk.hear(Welcome(desk.hello().id, PROTOCOL)) == [Welcomed(False)]


def test_a_player_who_is_elsewhere_when_a_game_is_deleted_loses_nothing() -> None:
    desk = seated()

    desk.hear(Closing("deleted", 0))
    hello = desk.come_back()
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 2))
    assert desk.client.seat == "X"
    hello = desk.come_back()
    assert desk.client.attempts == 1
    lost = desk.hear(Answer(hello.id, ILLEGAL, reason="unknown_game"))
    assert lost == [GameLost(HERE, TOKEN)]


def test_a_server_that_sends_a_client_away_again_and_again_is_asked_less_and_less_often() -> None:
    desk = seated()

    for _ in range(3):
        desk.hear(Closing("forgotten", 0))
        desk.come_back()
    assert desk.client.attempts == 2


def test_a_request_for_a_seat_that_is_put_off_can_be_given_up() -> None:
    desk = Desk()
    desk.client.connected()
    desk.hear(Welcome(desk.hello().id, PROTOCOL))
    request = desk.client.create("tic-tac-toe")
    assert not desk.client.is_put_off
    desk.hear(Answer(request.id, BUSY, reason="draining", retry=60_000))
    assert desk.client.is_put_off
    desk.client.leave()
    assert not desk.client.is_put_off
    assert (desk.client.address, desk.client.pending) == ("", ())


def test_what_a_drain_puts_off_is_asked_again_when_it_is_over() -> None:
    desk = Desk()
    desk.client.connected()
    desk.hear(Welcome(desk.hello().id, PROTOCOL))
    request = desk.client.create("tic-tac-toe")
    desk.sent()
    desk.hear(Answer(request.id, BUSY, reason="draining", retry=60_000))

    notice = Notice("again", "reopened")
    assert desk.hear(notice) == [Announced(notice)]

    assert desk.sent() == [request]
    assert request not in desk.wait(61)


# -- going elsewhere -------------------------------------------------------------------------------


def test_players_follow_to_a_rematch_with_the_token_that_they_have() -> None:
    desk = seated(0, 3, 1, 4, 2)
    version = 7
    desk.hear(Happened(happening(HERE, version, "offer", "O", START + 9_000, text=REMATCH)))
    accepted = happening(HERE, 8, "accept", "X", START + 9_000, text=REMATCH, follower=THERE)
    desk.hear(Happened(accepted))

    desk.client.follow()

    hello = desk.hello()
    assert (hello.game, hello.token, hello.last_seen_version) == (THERE, TOKEN, 0)
    assert (desk.client.game, desk.client.seat, desk.client.events) == (None, "", [])
    desk.hear(Welcome(hello.id, PROTOCOL, THERE, "O", 1, tuple(log(game=THERE))))
    assert desk.client.seat == "O"


def test_a_rematch_that_was_accepted_before_the_client_came_is_told_as_past() -> None:
    offered = happening(HERE, 7, "offer", "O", START + 9_000, text=REMATCH)
    accepted = happening(HERE, 8, "accept", "X", START + 9_000, text=REMATCH, follower=THERE)
    played = log(0, 3, 1, 4, 2)
    there, away, late = seated(*(0, 3, 1, 4, 2)), seated(*(0, 3, 1, 4, 2)), greeting()
    there.hear(Happened(offered))

    assert there.hear(Happened(accepted)) == [GameChanged(accepted)]

    hello = away.come_back()
    events = (played[-1], offered, accepted)
    news = away.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 8, events))
    assert news == [Welcomed(is_back=True), GameChanged(offered), GameChanged(accepted)]

    # One answer does not always hold the whole past.
    late.hear(Welcome(late.hello().id, PROTOCOL, HERE, "X", 8, tuple(played)))
    asked = late.sent()[0]
    news = late.hear(Answer(asked.id, OK, game=HERE, events=(offered, accepted), head=8))
    assert news == [GameChanged(event, is_past=True) for event in (offered, accepted)]


def test_there_is_nowhere_to_follow_without_a_rematch() -> None:
    desk = seated(0, 3, 1, 4, 2)
    desk.client.follow()

    assert desk.client.address == HERE
    assert desk.sent() == []


def test_events_and_clocks_of_a_game_that_was_left_count_no_more() -> None:
    desk = seated(clock=Clock(60))
    desk.client.watch(THERE)
    there = tuple(log(game=THERE, clock=Clock(60)))
    desk.hear(Welcome(desk.hello().id, PROTOCOL, THERE, "", 1, there, clock=(60_000, 60_000)))

    assert desk.hear(Happened(log(4)[1], (5, 5))) == []

    assert desk.client.events == list(there)
    assert desk.client.time_left() == (60_000, 60_000)


def test_a_seat_that_comes_when_nobody_wants_it_any_more_is_left_again() -> None:
    desk = Desk()
    desk.sit()
    create = desk.client.create("tic-tac-toe")
    desk.client.watch(HERE)
    create_sent, hello = desk.sent()
    assert create_sent == create
    assert isinstance(hello, Hello)
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "", 1, tuple(log())))

    late = address_of_new_game(create.token, create.id)
    desk.hear(Answer(create.id, OK, 1, late, "X", events=tuple(log(game=late)), head=1))

    assert desk.hello().game == HERE
    assert desk.client.address == HERE


def test_a_game_that_nobody_has_joined_is_closed_by_leaving_it_and_no_other_is() -> None:
    desk = alone()
    desk.client.leave()
    leave = desk.sent()[0]
    assert isinstance(leave, Leave)

    desk.client.watch(THERE, "Q" * 22)
    hello = desk.come_back()
    there = happening(THERE, 1, "create", "", START, setup=WAITING)
    desk.hear(Welcome(hello.id, PROTOCOL, THERE, "X", 1, (there,)))

    assert hello.pending == ()
    assert desk.sent() == []


def test_to_leave_a_game_that_has_begun_asks_nothing() -> None:
    desk = seated(4)
    desk.client.leave()

    hello = desk.hello()
    assert (hello.game, hello.token, hello.pending) == ("", "", ())
    assert (desk.client.address, desk.client.game, desk.client.pending) == ("", None, ())
    assert desk.hear(Welcome(hello.id, PROTOCOL)) == [Welcomed()]


def test_the_answer_to_leaving_is_told_to_a_player_who_has_gone_already() -> None:
    desk = alone()
    desk.client.leave()
    leave = desk.client.pending[0]
    desk.client.create("4x4")

    answer = Answer(leave.id, OK, 2)

    assert desk.hear(answer) == [Answered(leave, answer)]
    assert desk.hear(answer) == []


# -- clocks ----------------------------------------------------------------------------------------


def test_time_runs_for_the_player_to_move_and_as_the_server_says() -> None:
    desk = seated(clock=Clock(60, 5))
    assert desk.client.time_left() == (60_000, 60_000)
    desk.time.seconds += 2.5
    assert desk.client.time_left() == (57_500, 60_000)

    desk.hear(Happened(log(4, clock=Clock(60, 5))[1], (64_321, 60_000)))
    assert desk.client.time_left() == (64_321, 60_000)
    desk.time.seconds += 100.0
    assert desk.client.time_left() == (64_321, 0)


def test_a_client_that_comes_back_is_told_the_time_that_is_left_now() -> None:
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(*log(4, clock=Clock(60)), clock=(59_000, 12_000))

    assert desk.client.time_left() == (59_000, 12_000)
    desk.time.seconds += 2.0
    assert desk.client.time_left() == (59_000, 10_000)


def test_talk_neither_stops_a_clock_nor_turns_it_back() -> None:
    desk = seated(clock=Clock(60))
    desk.hear(Happened(log(4, clock=Clock(60))[1], (60_000, 60_000)))
    since = desk.client.events[-1].time
    desk.wait(20)
    assert desk.client.time_left() == (60_000, 40_000)

    chat = happening(HERE, 3, "chat", "X", since + 20_000, "c", text="hurry")
    desk.hear(Happened(chat, (60_000, 40_000)))
    assert desk.client.time_left() == (60_000, 40_000)
    desk.wait(10)
    assert desk.client.time_left() == (60_000, 30_000)

    desk.hear(Happened(replace(chat, version=4, id="d"), None))
    assert desk.client.time_left() == (60_000, 30_000)


def test_the_clock_of_an_event_that_is_known_already_is_old() -> None:
    events = log(4, 0, clock=Clock(60))
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(*events, clock=(59_000, 58_000))

    assert desk.hear(Happened(events[1], (1, 1))) == []

    assert desk.client.time_left() == (59_000, 58_000)


def test_without_a_clock_no_time_is_left_to_show() -> None:
    assert Desk().client.time_left() is None
    assert seated().client.time_left() is None


# -- servers that lie ------------------------------------------------------------------------------


def test_a_server_that_promises_events_and_brings_none_is_not_asked_for_ever() -> None:
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(*log(4), head=90)
    asked = desk.sent()[0]

    with pytest.raises(InvalidReply, match="missing"):
        desk.hear(Answer(asked.id, OK, game=HERE, head=90))
    assert desk.sent() == []


def test_a_server_whose_events_do_not_follow_is_not_asked_for_ever() -> None:
    desk = seated(4)
    wrong = (happening(HERE, 3, "move", "O", START, cell=4),)
    desk.hear(Happened(wrong[0]))
    asked = desk.sent()[0]
    assert isinstance(asked, Events)
    assert asked.after == 0

    with pytest.raises(InvalidReply, match="do not follow"):
        desk.hear(Answer(asked.id, OK, game=HERE, events=(*log(4), *wrong), head=3))
    assert desk.client.game is None


def test_a_game_that_is_changed_again_and_again_is_read_anew_each_time() -> None:
    desk = seated(4)
    for name in ("Anna", "Anne", "Annie"):
        setup = GameSetup("tic-tac-toe", players=(Player(name), Player("Bob")))
        created = happening(HERE, 1, "create", "", START, setup=setup)
        desk.hear(Happened(created))
        asked = desk.sent()[0]
        assert isinstance(asked, Events)
        assert asked.after == 0
        desk.hear(Answer(asked.id, OK, game=HERE, events=(created, *log(4)[1:]), head=2))
        assert desk.client.game is not None
        assert desk.client.game.players == (Player(name), Player("Bob"))


def test_a_line_that_was_removed_while_a_client_was_away_is_removed_there() -> None:
    said = happening(HERE, 3, "chat", "X", START + 2_000, text="rude")
    last = happening(HERE, 4, "chat", "O", START + 3_000, text="well")
    desk = seated(4)
    desk.hear(Happened(said))
    desk.hear(Happened(last))
    hello = desk.come_back()
    removed = happening(HERE, 3, "chat", "X", START + 2_000, removed=True)
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 4, (removed, last)))
    asked = desk.sent()[0]
    assert isinstance(asked, Events)
    assert asked.after == 0
    desk.hear(Answer(asked.id, OK, game=HERE, events=(*log(4), removed, last), head=4))
    assert desk.client.events[2] == removed


WON = (0, 3, 1, 4, 2)


@pytest.mark.parametrize("end", [End("O", ON_BOARD), End("", ON_BOARD), End("X", RESIGNED)])
def test_a_server_that_tells_another_end_than_the_events_is_asked_once_more(end: End) -> None:
    for cells in (WON, (4, 0)):
        desk = seated(*cells[:-1])
        desk.hear(Happened(log(*cells)[-1], end=end))
        asked = desk.sent()[0]
        assert isinstance(asked, Events)
        assert asked.after == 0
        assert desk.client.game is None

        with pytest.raises(InvalidReply, match="do not follow"):
            desk.hear(Answer(asked.id, OK, game=HERE, events=tuple(log(*WON)), head=6, end=end))


def test_an_end_in_a_welcome_is_compared_once_all_events_are_there() -> None:
    desk = greeting()
    hello, end = desk.hello(), End("O", ON_BOARD)
    desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 6, tuple(log(*WON)[:3]), end=end))
    (asked,) = desk.sent()
    desk.hear(Answer(asked.id, OK, game=HERE, events=tuple(log(*WON)[3:]), head=6, end=end))

    (again,) = desk.sent()
    assert again == Events(again.id, 0)
    assert desk.client.game is None


def test_a_reason_that_is_unknown_and_a_server_that_tells_no_end_are_believed() -> None:
    for end in (None, End("X", "applause"), End("X", ON_BOARD)):
        desk = seated(*WON[:-1])
        assert desk.hear(Happened(log(*WON)[-1], end=end)) == [GameChanged(log(*WON)[-1])]
        assert desk.sent() == []


def test_a_variant_that_is_unknown_ends_the_connection() -> None:
    desk = Desk(game=HERE)
    setup = GameSetup("chess", players=BOTH)

    with pytest.raises(InvalidReply, match="chess"):
        desk.sit(happening(HERE, 1, "create", "", START, setup=setup))


LIES = of_one_game(HERE)


def believe_nothing(client: Client, text: str) -> None:
    """Let a client receive a text; it may refuse it, in one way, and the connection with it."""
    try:
        client.received(text)
    except InvalidReply:
        client.disconnected()
        client.connected()


@settings(max_examples=30)
@given(st.lists(replies | LIES, max_size=8), st.integers(0, 5))
@pytest.mark.once
def test_no_reply_at_any_time_breaks_a_client(lies: list[Reply], cells: int) -> None:
    desk = seated(*(4, 0, 8, 1, 7)[:cells], clock=Clock(60))
    desk.client.move(2)
    for number, lie in enumerate(lies):
        believe_nothing(desk.client, write_reply(lie))
        if number % 3 == 0:
            desk.wait(7.0)
        desk.client.time_left()
        repr(desk.client)
        numbers = [event.version for event in desk.client.events]
        assert numbers == list(range(1, len(numbers) + 1))


@settings(max_examples=40)
@given(st.data())
def test_answers_to_what_was_asked_break_no_client_either(data: st.DataObject) -> None:
    desk = greeting()
    for _ in range(4):
        desk.client.chat("Hm")
        for request in desk.sent():
            lie = data.draw(LIES)
            if isinstance(lie, Answer | Welcome):
                lie = replace(lie, id=request.id)
            believe_nothing(desk.client, write_reply(lie))
        desk.wait(7.0)


@given(st.lists(st.integers(0, 8), min_size=1, max_size=9, unique=True), st.data())
def test_events_with_something_wrong_are_applied_or_not_but_break_nothing(
    cells: list[int], data: st.DataObject
) -> None:
    desk = seated()
    for event in log(*cells)[1:]:
        values: dict[str, st.SearchStrategy[object]] = {
            "seat": st.sampled_from(["", "X", "O", "Z", "x"]),
            "kind": st.sampled_from(
                ["create", "join", "resign", "flag", "accept", "decline", "offer", "fly", ""]
            ),
            "text": st.sampled_from(["", "draw", "takeback", "rematch", "keepchat", "tea"]),
            "cell": st.none() | st.integers(-5, 10**15),
            "version": st.integers(-5, 12),
            "follower": st.sampled_from(["", THERE, "nowhere"]),
        }
        wrong = data.draw(st.sets(st.sampled_from(sorted(values)), min_size=1, max_size=3))
        honest = json.loads(write_reply(Happened(event, (1, 1))))
        spoilt = {name: data.draw(values[name]) for name in wrong}
        believe_nothing(desk.client, json.dumps({**honest, **spoilt}))
        desk.client.follow()


def test_what_is_no_reply_ends_the_connection() -> None:
    for text in ("", "[]", "{", '{"type":"event","game":5}', "\ud800"):
        with pytest.raises(InvalidReply):
            seated().client.received(text)


def test_a_move_is_asked_for_at_the_version_that_is_seen() -> None:
    desk = seated(4, 0)
    move = desk.client.move(8)

    assert move == Move(move.id, 3, 8)
    assert desk.sent() == [move]
