"""What a client knows beside its game: when it can claim, what watchers say, where it is taken."""

from __future__ import annotations

import pytest

from tests.protocols.games import START, happening
from tests.protocols.test_client import BOTH, HERE, THERE, TOKEN, Desk, log
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event, GameSetup, Player
from tic_tac_toe.protocols.online.limits import PROTOCOL, TALK_LINES
from tic_tac_toe.protocols.online.news import GameChanged, TalkChanged
from tic_tac_toe.protocols.online.replies import (
    OK,
    Answer,
    Happened,
    Presence,
    TalkLine,
    WatchersTalk,
    Welcome,
)
from tic_tac_toe.protocols.online.requests import Abort, Claim, Hello, Pair, Talk
from tic_tac_toe.protocols.online.surroundings import WATCHERS


def seated(*cells: int) -> Desk:
    """Return a client that sits at X in a game with some moves."""
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(*log(*cells))
    return desk


def test_a_claim_comes_nearer_with_the_time_and_goes_when_the_other_is_back() -> None:
    desk = seated(4, 0)
    desk.hear(Presence(HERE, ("X",), 0, 20_000))
    desk.time.seconds += 5
    assert desk.client.claim_left() == 15_000
    desk.time.seconds += 50
    assert desk.client.claim_left() == 0

    desk.hear(Presence(HERE, ("X", "O"), 0))
    assert desk.client.claim_left() is None


@pytest.mark.parametrize(
    ("desk", "presence"),
    [
        (seated(4), Presence(HERE, ("X",), 0, 20_000)),
        (seated(4, 0), Presence(HERE, ("O",), 0, 20_000)),
        (seated(4, 0), Presence(THERE, ("X",), 0, 20_000)),
        (seated(0, 3, 1, 4, 2), Presence(HERE, ("X",), 0, 20_000)),
    ],
    ids=["both have not moved", "the other seat", "another game", "the end"],
)
def test_there_is_no_claim_that_the_server_would_refuse(desk: Desk, presence: Presence) -> None:
    desk.hear(presence)
    assert desk.client.claim_left() is None


def test_a_client_asks_to_abort_and_to_claim_and_to_talk() -> None:
    desk = seated(4, 0)
    desk.client.abort()
    desk.client.claim("draw")
    desk.client.talk_to_watchers("hello", "Eve")
    abort, claim, talk = desk.sent()
    assert isinstance(abort, Abort)
    assert isinstance(claim, Claim)
    assert (claim.version, claim.what) == (3, "draw")
    assert isinstance(talk, Talk)
    assert (talk.text, talk.name) == ("hello", "Eve")


def test_lines_that_come_again_are_kept_once_and_only_so_many() -> None:
    desk = seated()
    lines = tuple(TalkLine(1, "", f"line {number}", START + number) for number in range(60))
    assert desk.hear(WatchersTalk(HERE, lines[:2])) == [TalkChanged()]
    desk.hear(WatchersTalk(HERE, lines[:3]))
    assert desk.client.talk == lines[:3]
    desk.hear(WatchersTalk(HERE, lines))
    assert desk.client.talk == lines[-TALK_LINES:]
    desk.hear(WatchersTalk(THERE, lines[:1]))
    assert desk.client.talk == lines[-TALK_LINES:]
    desk.client.watch(THERE)
    assert desk.client.talk == ()


def test_the_time_for_a_first_move_runs_from_what_the_server_told_last() -> None:
    (created,) = log(clock=Clock(60))
    setup = GameSetup("tic-tac-toe", players=BOTH, clock=Clock(60), first_move=60)
    desk = Desk(game=HERE, token=TOKEN)
    first = happening(HERE, 1, "create", "", created.time, setup=setup)
    desk.sit(first, clock=(60_000, 60_000), now=START + 10_000)
    assert desk.client.first_move_left() == 50_000
    desk.time.seconds += 20
    assert desk.client.first_move_left() == 30_000
    assert desk.client.time_left() == (60_000, 60_000)


def paired(address: str) -> tuple[Event, ...]:
    """Return the events of a game whose creator, X, was taken to another."""
    setup = GameSetup("gomoku", players=(Player("Ann"), None), is_open=True, pairing=True)
    return (
        happening(address, 1, "create", "", START, setup=setup),
        happening(address, 2, "close", "X", START, follower=THERE),
    )


def test_a_client_that_comes_back_follows_to_where_it_was_taken_meanwhile() -> None:
    desk = Desk(game=HERE, token=TOKEN)
    desk.client.connected()
    hello = desk.hello()
    events = paired(HERE)
    news = desk.hear(Welcome(hello.id, PROTOCOL, HERE, "X", 2, events))
    assert [type(each) for each in news].count(GameChanged) == 2
    (there,) = desk.sent()
    assert isinstance(there, Hello)
    assert (there.game, there.token, there.last_seen_version) == (THERE, TOKEN, 0)
    assert (desk.client.address, desk.client.seat) == (THERE, "")


def test_a_watcher_of_a_game_is_not_taken_elsewhere() -> None:
    desk = Desk(game=HERE)
    desk.sit(*paired(HERE))
    assert desk.sent() == []
    assert desk.client.address == HERE


def test_a_wish_without_an_answer_is_sent_again_on_the_next_connection() -> None:
    desk = Desk()
    desk.sit()
    request = desk.client.pair("gomoku", clock=Clock(60))
    assert desk.sent() == [request]
    hello = desk.come_back()
    assert (hello.game, hello.token) == ("", "")
    desk.hear(Welcome(hello.id, PROTOCOL))
    assert [each for each in desk.sent() if isinstance(each, Pair)] == [request]


def test_lines_of_those_who_are_muted_are_not_shown_until_they_are_heard_again() -> None:
    desk = seated(4, 0)
    desk.hear(Happened(happening(HERE, 4, "chat", "O", START + 5_000, text="Boo")))
    desk.hear(Happened(happening(HERE, 5, "chat", "X", START + 7_000, text="Please")))
    desk.hear(WatchersTalk(HERE, (TalkLine(1, "", "Hm", START + 6_000),)))
    client = desk.client
    assert [line.text for line in client.lines] == ["Boo", "Hm", "Please"]

    client.mute("O")
    client.mute(WATCHERS)
    assert [line.text for line in client.lines] == ["Please"]
    client.mute("O", on=False)
    assert [line.text for line in client.lines] == ["Boo", "Please"]
    assert desk.sent() == []  # nobody learns of it
    client.watch(THERE)
    assert client.muted == frozenset()


def test_an_opponent_stays_muted_in_the_rematch_in_which_the_seats_are_swapped() -> None:
    desk = seated(0, 3, 1, 4, 2)
    desk.hear(Happened(happening(HERE, 7, "offer", "O", START + 9_000, text="rematch")))
    accepted = happening(HERE, 8, "accept", "X", START + 9_000, text="rematch", follower=THERE)
    desk.hear(Happened(accepted))
    desk.client.mute("O")
    desk.client.follow()
    assert desk.client.muted == {"X"}


def test_a_block_that_is_acknowledged_mutes_and_one_that_is_taken_back_does_not() -> None:
    desk = seated(4, 0)
    desk.client.block()
    assert not desk.client.has_blocked
    (block,) = desk.sent()
    desk.hear(Answer(block.id, OK))
    assert desk.client.muted == {"O"}
    assert desk.client.has_blocked
    desk.client.block(on=False)
    (block,) = desk.sent()
    desk.hear(Answer(block.id, OK))
    assert desk.client.muted == frozenset()
    assert desk.client.has_blocked is False
