"""One player's side: what it says when, and what it makes of answers."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.desk import (
    ACCEPTED,
    HERE,
    OFFERED,
    THERE,
    TOKEN,
    WON,
    Desk,
    alone,
    greeting,
    log,
    nowhere,
    seated,
)
from tests.protocols.games import START, event_after, happening, known
from tests.protocols.linked import Authority, Link, Time, settle
from tests.protocols.test_messages import made
from tic_tac_toe.protocols.online.addresses import address_of_new_game, is_address
from tic_tac_toe.protocols.online.client import (
    DEFERRED,
    FIRST_WAIT,
    GREET,
    GREETING,
    LINKS,
    LONGEST_WAIT,
    LOSE,
    LOST,
    OFFLINE,
    ONLINE,
    OPEN,
    QUIET,
    REFUSED,
    Client,
    IllegalStep,
)
from tic_tac_toe.protocols.online.client import Link as State
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event, GameSetup, Player
from tic_tac_toe.protocols.online.messages import PROTOCOL
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
    ILLEGAL,
    OK,
    OVER,
    STALE,
    Answer,
    Closing,
    Happened,
    Notice,
    OpenGame,
    OpenGames,
    OwnGame,
    Presence,
    Reply,
)
from tic_tac_toe.protocols.online.requests import (
    Chat,
    Create,
    Events,
    Hello,
    Leave,
    Lobby,
    Mine,
    Move,
)

# -- greeting --------------------------------------------------------------------------------------


def test_the_first_thing_that_is_said_is_where_the_client_was() -> None:
    desk = Desk(game=HERE, token=TOKEN)
    assert (desk.client.connection, desk.sent()) == (OFFLINE, [])

    desk.client.connected()

    hello = desk.hello()
    assert hello == Hello(hello.id, PROTOCOL, HERE, TOKEN, 0, ())
    assert desk.client.connection == GREETING


def test_a_welcome_brings_the_seat_and_the_events() -> None:
    desk, events = greeting(), log(4, 0)

    news = desk.welcome(*events)

    assert news == [Welcomed(), *(GameChanged(event, is_past=True) for event in events)]
    assert (desk.client.connection, desk.client.seat) == (ONLINE, "X")
    assert desk.client.events == events
    assert desk.sent() == []


def test_a_welcome_to_an_earlier_greeting_is_passed_over() -> None:
    desk = Desk(game=HERE)
    desk.client.connected()
    first = desk.hello()
    desk.client.watch(THERE)

    assert desk.welcome(*log(), to=first) == []
    assert (desk.client.connection, desk.client.game) == (GREETING, None)


def test_more_than_a_hundred_missed_events_are_asked_for_until_all_are_there() -> None:
    time = Time()
    authority = Authority(time)
    ann, watcher = (Client(random.Random(seed), time) for seed in (1, 2))
    ann.create("tic-tac-toe", seat="X")
    settle(Link(ann, authority, time))
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


@pytest.mark.parametrize(
    ("reason", "news", "where"),
    [
        ("unknown_game", GameLost(HERE, TOKEN), ("", "")),
        ("protocol", ServerCloses("protocol"), (HERE, TOKEN)),  # of another version
    ],
)
def test_a_game_is_lost_where_the_server_does_not_know_it_alone(
    reason: str, news: object, where: tuple[str, str]
) -> None:
    desk = Desk(game=HERE, token=TOKEN)
    chat = desk.client.chat("Anybody?")
    desk.client.connected()

    assert desk.hear(Answer(desk.hello().id, ILLEGAL, reason=reason)) == [news]

    assert (desk.client.address, desk.client.token) == where
    assert desk.client.connection is (REFUSED if where[0] else GREETING)
    assert desk.client.pending == ((chat,) if where[0] else ())
    greetings = [request.game for request in desk.wait(60) if isinstance(request, Hello)]
    assert greetings == ([] if where[0] else [""])


def test_a_server_that_is_too_busy_for_a_greeting_is_greeted_again_when_it_said() -> None:
    desk = greeting()
    desk.put_off(desk.hello(), 3_000)

    assert desk.wait(2.9) == []
    assert desk.client.connection is DEFERRED
    assert [type(request) for request in desk.wait(0.2)] == [Hello]
    assert desk.client.connection is GREETING
    assert desk.wait(5) == []


def connection_that_is(state: State) -> Desk:
    """Return a client whose connection has come to a state."""
    desk = Desk(game=HERE) if state is OFFLINE else greeting()
    if state is ONLINE:
        desk.welcome(*log())
    elif state is DEFERRED:
        desk.put_off(desk.hello(), 1_000)
    elif state is REFUSED:
        desk.hear(Answer(desk.hello().id, ILLEGAL, reason="protocol"))
    assert desk.client.connection is state
    return desk


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize(
    ("event", "act"),
    [
        (OPEN, Client.connected),
        (GREET, lambda client: client.watch(THERE)),
        (LOSE, Client.disconnected),
    ],
)
def test_an_event_leads_a_connection_where_the_table_says_or_is_refused(
    state: State, event: str, act: Callable[[Client], object]
) -> None:
    desk = connection_that_is(state)

    if event == OPEN and event not in LINKS[state]:
        with pytest.raises(IllegalStep, match=f"{state.value} cannot {event}"):
            act(desk.client)
    else:
        act(desk.client)

    assert desk.client.connection is LINKS[state].get(event, state)


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
    assert [type(request) for request in desk.wait(0.2)] == [Events]
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
    desk = greeting()
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
    client = Desk().client
    request = client.create("connect-four", name="Ann")

    assert is_address(client.token)
    assert client.address == address_of_new_game(request.token, request.id)
    assert request == Create(request.id, client.token, "connect-four", "Ann")


def test_nothing_else_is_asked_before_there_is_a_seat_even_where_the_server_is_busy() -> None:
    desk = nowhere()
    join = desk.client.join(HERE, "Ann")
    chat = desk.client.chat("Here I am")
    assert desk.sent() == [join]
    desk.put_off(join, 100)
    assert desk.wait(0.2) == [join]

    desk.welcome(to=desk.come_back())
    assert desk.sent() == [join]
    desk.hear(Answer(join.id, OK, 2, HERE, "O", events=tuple(log()), head=1))

    assert desk.sent() == [chat]


def test_no_two_clients_use_the_same_ids_or_tokens() -> None:
    clients = [Client(random.Random(seed), lambda: 0.0) for seed in range(50)]
    requests = [client.create("4x4") for client in clients for _ in range(3)]

    assert len({request.id for request in requests}) == 150
    assert len({request.token for request in requests}) == 150


@pytest.mark.parametrize(
    ("answer", "ends"),
    [
        (Answer("", ILLEGAL, 1, reason="move", text="Cell is not empty"), lambda _: None),
        (Answer("", OK, 2), lambda desk: desk.hear(Happened(log(4)[1]))),
        (Answer("", OK, 2), lambda desk: desk.client.watch(THERE)),
    ],
    ids=["it is refused", "its event comes", "the client goes"],
)
def test_a_move_is_on_its_way_until(answer: Answer, ends: Callable[[Desk], object]) -> None:
    desk = seated()
    move = desk.client.move(4)
    assert desk.client.pending_cell == 4

    news = desk.hear(replace(answer, id=move.id))

    assert [type(each) for each in news] == [Answered]
    assert desk.client.pending == ()
    assert desk.client.pending_cell == (4 if answer.status == OK else None)
    ends(desk)
    assert desk.client.pending_cell is None


def test_a_move_is_asked_for_at_the_version_that_is_seen() -> None:
    desk = seated(4, 0)
    move = desk.client.move(8)

    assert move == Move(move.id, 3, 8)
    assert desk.sent() == [move]


def test_a_client_that_comes_back_asks_for_the_last_event_again_to_compare_it() -> None:
    desk = seated(4, 0)
    hello = desk.come_back()
    assert hello.last_seen_version == 2

    other = log(4, 8)[2]
    assert desk.welcome(other, to=hello, head=3) == [Welcomed(is_back=True)]
    desk.bring(desk.asked_for_events(), *log(4), other)
    assert desk.client.events == [*log(4), other]


def test_what_a_busy_server_puts_off_is_asked_again_when_it_said_and_once() -> None:
    desk = seated()
    move = desk.client.move(4)
    desk.sent()
    assert [type(each) for each in desk.put_off(move, 800)] == [Answered]

    assert desk.wait(0.7) == []
    assert desk.wait(0.2) == [move]
    assert desk.wait(5) == []


def test_a_stale_move_makes_the_client_look_what_has_happened() -> None:
    desk = seated()
    move = desk.client.move(4)
    desk.sent()

    desk.hear(Answer(move.id, STALE, 3))

    desk.bring(desk.asked_for_events(1), *log(4, 0)[1:])
    assert desk.client.events == log(4, 0)
    assert desk.sent() == []


def test_a_busy_server_is_asked_again_for_events_and_for_the_lobby() -> None:
    desk = seated()
    desk.client.listen_to_lobby()
    desk.hear(Happened(log(4, 0)[2]))
    lobby, events = desk.sent()
    assert (type(lobby), type(events)) == (Lobby, Events)

    for request in (lobby, events):
        desk.put_off(request, 500)

    assert desk.wait(0.6) == [lobby, events]
    desk.hear(Answer(lobby.id, OK))
    desk.bring(events, *log(4, 0)[1:])
    assert desk.wait(5) == []
    assert desk.client.events == log(4, 0)


def test_the_lobby_is_listened_to_again_after_a_loss() -> None:
    desk = seated()
    desk.client.listen_to_lobby()
    desk.welcome(to=desk.come_back(), head=1)

    assert [type(request) for request in desk.sent()] == [Lobby]


@pytest.mark.medium
@given(st.lists(made(OpenGame), max_size=3).map(tuple))
def test_the_lobby_shows_the_games_that_were_told_last(games: tuple[OpenGame, ...]) -> None:
    desk = seated()

    assert desk.hear(OpenGames(games)) == [LobbyChanged()]
    assert desk.client.open_games == games


def test_own_games_are_asked_for_until_they_have_come_and_not_again() -> None:
    desk = seated()
    desk.client.code = TOKEN
    desk.client.ask_for_own_games()
    (asked,) = desk.sent()
    assert asked == Mine(asked.id, TOKEN)
    desk.put_off(asked, 500)
    assert desk.wait(0.6) == [asked]
    desk.welcome(to=desk.come_back(), head=1)
    (again,) = desk.sent()
    own = OwnGame(THERE, "gomoku", "O", "Bob", "Ann", OVER, "O", None, START)

    assert desk.hear(Answer(again.id, OK, games=(own,))) == [OwnGamesTold(TOKEN)]
    assert desk.client.own_games == (own,)
    desk.welcome(to=desk.come_back(), head=1)
    assert desk.sent() == []


def test_a_player_with_a_code_claims_every_seat_with_it() -> None:
    client = Client(random.Random(1), lambda: 0.0, code=TOKEN)
    tokens = {client.create("gomoku").token, client.pair("gomoku").token, client.join(THERE).token}

    assert tokens == {client.token} == {TOKEN}


def test_a_report_and_a_block_wait_for_their_answers() -> None:
    desk = seated(4)
    name = desk.client.report_name("O", "rude")
    block = desk.client.block()
    desk.welcome(to=desk.come_back(), head=2)
    assert desk.sent() == [name, block]
    for request in (name, block):
        assert desk.hear(answer := Answer(request.id, OK)) == [Answered(request, answer)]
    assert desk.client.pending == ()


@pytest.mark.parametrize(
    ("reply", "news"),
    [
        (Presence(HERE, ("X", "O"), 3), [PresenceChanged()]),
        (Presence(THERE, (), 0), []),
        (Closing("restart", 1_000), [ServerCloses("restart", 1_000)]),
    ],
)
def test_presence_in_the_game_and_closing_are_told(reply: Reply, news: list[object]) -> None:
    desk = seated()

    assert desk.hear(reply) == news
    assert desk.client.presence == (reply if news == [PresenceChanged()] else None)


def test_a_player_whose_seat_is_removed_comes_back_to_watch() -> None:
    desk = seated()

    assert desk.hear(Closing("forgotten", 0)) == [ServerCloses("forgotten")]
    hello = desk.come_back()
    assert (hello.game, hello.token) == (HERE, "")
    desk.welcome(to=hello, head=2)
    assert desk.client.seat == ""


def test_a_player_whose_game_is_deleted_loses_it_for_that_reason_and_no_connection() -> None:
    desk = seated()

    assert desk.hear(Closing("deleted", 0)) == []
    hello = desk.come_back()
    assert (hello.game, desk.client.attempts) == (HERE, 0)
    lost = desk.hear(Answer(hello.id, ILLEGAL, reason="unknown_game"))
    assert lost == [GameLost(HERE, TOKEN, "deleted")]
    assert desk.welcome() == [Welcomed(False)]


def test_a_player_who_is_elsewhere_when_a_game_is_deleted_loses_nothing() -> None:
    desk = seated()

    desk.hear(Closing("deleted", 0))
    desk.welcome(to=desk.come_back(), head=2)
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


def test_a_request_for_a_seat_that_a_drain_puts_off_can_be_given_up_or_comes_when_it_is_over() -> (
    None
):
    for gives_up in (True, False):
        desk = nowhere()
        request = desk.client.create("tic-tac-toe")
        assert desk.sent() == [request]
        assert not desk.client.is_put_off
        desk.put_off(request, 60_000, "draining")
        assert desk.client.is_put_off
        if gives_up:
            desk.client.leave()
            assert (desk.client.address, desk.client.pending) == ("", ())
        else:
            notice = Notice("again", "reopened")
            assert desk.hear(notice) == [Announced(notice)]
            assert desk.sent() == [request]
            assert request not in desk.wait(61)
        assert not desk.client.is_put_off


# -- going elsewhere -------------------------------------------------------------------------------


def test_players_follow_to_a_rematch_with_the_token_that_they_have() -> None:
    desk = seated(*WON)
    desk.hear(Happened(OFFERED), Happened(ACCEPTED))
    desk.client.mute("O")

    desk.client.follow()

    hello = desk.hello()
    assert (hello.game, hello.token, hello.last_seen_version) == (THERE, TOKEN, 0)
    assert (desk.client.game, desk.client.seat, desk.client.events) == (None, "", [])
    desk.welcome(*log(game=THERE), to=hello, seat="O")
    assert desk.client.seat == "O"
    assert desk.client.muted == {"X"}  # the opponent, who has the other seat now


def test_a_rematch_that_was_accepted_before_the_client_came_is_told_as_past() -> None:
    there, away, late = seated(*WON), seated(*WON), greeting()
    there.hear(Happened(OFFERED))

    assert there.hear(Happened(ACCEPTED)) == [GameChanged(ACCEPTED)]

    news = away.welcome(log(*WON)[-1], OFFERED, ACCEPTED, to=away.come_back(), head=8)
    assert news == [Welcomed(is_back=True), GameChanged(OFFERED), GameChanged(ACCEPTED)]

    # One answer does not always hold the whole past.
    late.welcome(*log(*WON), head=8)
    news = late.bring(late.asked_for_events(6), OFFERED, ACCEPTED)
    assert news == [GameChanged(event, is_past=True) for event in (OFFERED, ACCEPTED)]


def test_there_is_nowhere_to_follow_without_a_rematch() -> None:
    desk = seated(*WON)
    desk.client.follow()

    assert desk.client.address == HERE
    assert desk.sent() == []


def test_events_and_clocks_of_a_game_that_was_left_count_no_more() -> None:
    desk = seated(clock=Clock(60))
    desk.client.watch(THERE)
    there = log(game=THERE, clock=Clock(60))
    desk.welcome(*there, clock=(60_000, 60_000))

    assert desk.hear(Happened(log(4)[1], (5, 5))) == []

    assert desk.client.events == there
    assert desk.client.time_left() == (60_000, 60_000)


def test_a_seat_that_comes_when_nobody_wants_it_any_more_is_left_again() -> None:
    desk = nowhere()
    create = desk.client.create("tic-tac-toe")
    desk.client.watch(HERE)
    create_sent, hello = desk.sent()
    assert create_sent == create
    assert isinstance(hello, Hello)
    desk.welcome(*log(), to=hello)

    late = address_of_new_game(create.token, create.id)
    desk.hear(Answer(create.id, OK, 1, late, "X", events=tuple(log(game=late)), head=1))

    assert desk.hello().game == HERE
    assert desk.client.address == HERE


def test_a_game_that_nobody_has_joined_is_closed_by_leaving_it_and_no_other_is() -> None:
    desk = alone()
    desk.client.leave()
    (leave,) = desk.sent()
    assert isinstance(leave, Leave)

    desk.client.watch(THERE, "Q" * 22)
    hello = desk.come_back()
    desk.welcome(replace(alone().client.events[0], game=THERE), to=hello)

    assert hello.pending == ()
    assert desk.sent() == []


def test_to_leave_a_game_that_has_begun_asks_nothing() -> None:
    desk = seated(4)
    desk.client.leave()

    hello = desk.hello()
    assert (hello.game, hello.token, hello.pending) == ("", "", ())
    assert (desk.client.address, desk.client.game, desk.client.pending) == ("", None, ())
    assert desk.welcome(to=hello) == [Welcomed()]


def test_the_answer_to_leaving_is_told_to_a_player_who_has_gone_already() -> None:
    desk = alone()
    desk.client.leave()
    leave = desk.client.pending[0]
    desk.client.create("4x4")

    answer = Answer(leave.id, OK, 2)

    assert desk.hear(answer) == [Answered(leave, answer)]
    assert desk.hear(answer) == []


def paired() -> tuple[Event, ...]:
    """Return the events of a game whose creator, X, was taken to another."""
    setup = GameSetup("gomoku", players=(Player("Ann"), None), is_open=True, pairing=True)
    return (
        happening(HERE, 1, "create", "", START, setup=setup),
        happening(HERE, 2, "close", "X", START, follower=THERE),
    )


def test_a_client_that_comes_back_follows_to_where_it_was_taken_meanwhile() -> None:
    desk = greeting()
    news = desk.welcome(*paired())
    assert [type(each) for each in news].count(GameChanged) == 2
    (there,) = desk.sent()
    assert isinstance(there, Hello)
    assert (there.game, there.token, there.last_seen_version) == (THERE, TOKEN, 0)
    assert (desk.client.address, desk.client.seat) == (THERE, "")


def test_a_watcher_of_a_game_is_not_taken_elsewhere() -> None:
    desk = Desk(game=HERE)
    desk.sit(*paired())
    assert desk.sent() == []
    assert desk.client.address == HERE


def test_a_wish_without_an_answer_is_sent_again_on_the_next_connection() -> None:
    desk = nowhere()
    request = desk.client.pair("gomoku", clock=Clock(60))
    assert desk.sent() == [request]
    hello = desk.come_back()
    assert (hello.game, hello.token) == ("", "")
    desk.welcome(to=hello)
    assert desk.sent() == [request]
