"""What a client knows beside its game: the time that is left, who is there, and what they say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.protocols.desk import BOTH, HERE, THERE, TOKEN, WON, Desk, log, said, seated
from tests.protocols.games import START, happening
from tic_tac_toe.protocols.online.client import WATCHERS
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import GameSetup
from tic_tac_toe.protocols.online.messages import TALK_LINES
from tic_tac_toe.protocols.online.news import TalkChanged
from tic_tac_toe.protocols.online.replies import (
    OK,
    Answer,
    Happened,
    Presence,
    TalkLine,
    WatchersTalk,
)
from tic_tac_toe.protocols.online.requests import Abort, Claim, Talk

# -- clocks ----------------------------------------------------------------------------------------


TALK = replace(said(3, "hurry"), time=START + 21_000)


def of_move(left: tuple[int, int]) -> Happened:
    return Happened(log(4, clock=Clock(60))[1], left)


@pytest.mark.parametrize(
    ("cells", "told", "steps"),
    [
        (
            (),
            (60_000, 60_000),
            [
                (2.5, (57_500, 60_000)),
                (of_move((64_321, 60_000)), (64_321, 60_000)),
                (100.0, (64_321, 0)),
            ],
        ),
        ((4,), (59_000, 12_000), [(2.0, (59_000, 10_000))]),
        (
            (),
            (60_000, 60_000),
            [
                (of_move((60_000, 60_000)), (60_000, 60_000)),
                (20.0, (60_000, 40_000)),
                (Happened(TALK, (60_000, 40_000)), (60_000, 40_000)),
                (10.0, (60_000, 30_000)),
                (Happened(replace(TALK, version=4), None), (60_000, 30_000)),
            ],
        ),
        ((4, 0), (59_000, 58_000), [(of_move((1, 1)), (59_000, 58_000))]),
    ],
    ids=[
        "it runs for the player to move and as the server says",
        "a client that comes back is told what is left",
        "talk neither stops a clock nor turns it back",
        "the clock of an event that is known already is old",
    ],
)
def test_the_time_that_is_left(
    cells: tuple[int, ...],
    told: tuple[int, int],
    steps: list[tuple[float | Happened, tuple[int, int]]],
) -> None:
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(*log(*cells, clock=Clock(60)), clock=told)
    assert desk.client.time_left() == told
    for step, left in steps:
        if isinstance(step, Happened):
            desk.hear(step)
        else:
            desk.wait(step)
        assert desk.client.time_left() == left


def test_without_a_clock_no_time_is_left_to_show() -> None:
    assert Desk().client.time_left() is None
    assert seated().client.time_left() is None


def test_the_time_for_a_first_move_runs_from_what_the_server_told_last() -> None:
    setup = GameSetup("tic-tac-toe", players=BOTH, clock=Clock(60), first_move=60)
    desk = Desk(game=HERE, token=TOKEN)
    first = happening(HERE, 1, "create", "", START, setup=setup)
    desk.sit(first, clock=(60_000, 60_000), now=START + 10_000)
    assert desk.client.first_move_left() == 50_000
    desk.time.seconds += 20
    assert desk.client.first_move_left() == 30_000
    assert desk.client.time_left() == (60_000, 60_000)


# -- who is there, and what they say ---------------------------------------------------------------


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
    ("cells", "presence"),
    [
        ((4,), Presence(HERE, ("X",), 0, 20_000)),
        ((4, 0), Presence(HERE, ("O",), 0, 20_000)),
        ((4, 0), Presence(THERE, ("X",), 0, 20_000)),
        (WON, Presence(HERE, ("X",), 0, 20_000)),
    ],
    ids=["both have not moved", "the other seat", "another game", "the end"],
)
def test_there_is_no_claim_that_the_server_would_refuse(
    cells: tuple[int, ...], presence: Presence
) -> None:
    desk = seated(*cells)
    desk.hear(presence)
    assert desk.client.claim_left() is None


def test_a_client_asks_to_abort_and_to_claim_and_to_talk() -> None:
    desk = seated(4, 0)
    abort, claim = desk.client.abort(), desk.client.claim("draw")
    talk = desk.client.talk_to_watchers("hello", "Eve")
    assert claim == Claim(claim.id, 3, "draw")
    assert talk == Talk(talk.id, "hello", "Eve")
    assert desk.sent() == [Abort(abort.id), claim, talk]


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


def test_lines_of_those_who_are_muted_are_not_shown_until_they_are_heard_again() -> None:
    desk = seated(4, 0)
    desk.hear(Happened(said(4, "Boo", "O")), Happened(said(5, "Please")))
    desk.hear(WatchersTalk(HERE, (TalkLine(1, "", "Hm", START + 4_500),)))
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


def test_a_block_that_is_acknowledged_mutes_and_one_that_is_taken_back_does_not() -> None:
    desk = seated(4, 0)
    assert not desk.client.has_blocked
    for on in (True, False):
        desk.client.block(on=on)
        assert desk.client.has_blocked is not on
        (block,) = desk.sent()
        desk.hear(Answer(block.id, OK))
        assert desk.client.muted == ({"O"} if on else frozenset())
        assert desk.client.has_blocked is on
