"""How little a client believes: no server makes it fail, or ask for ever."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.protocols.desk import BOTH, HERE, THERE, TOKEN, WON, Desk, greeting, log, said, seated
from tests.protocols.games import START, happening
from tests.protocols.test_messages import of_one_game, replies
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import GameSetup, Player
from tic_tac_toe.protocols.online.game import ON_BOARD, RESIGNED, End
from tic_tac_toe.protocols.online.news import GameChanged
from tic_tac_toe.protocols.online.replies import (
    OK,
    Answer,
    Happened,
    InvalidReply,
    Reply,
    Welcome,
    write_reply,
)


def test_a_server_that_promises_events_and_brings_none_is_not_asked_for_ever() -> None:
    desk = Desk(game=HERE, token=TOKEN)
    desk.sit(*log(4), head=90)

    with pytest.raises(InvalidReply, match="missing"):
        desk.hear(Answer(desk.asked_for_events(2).id, OK, game=HERE, head=90))
    assert desk.sent() == []


def test_a_server_whose_events_do_not_follow_is_not_asked_for_ever() -> None:
    desk = seated(4)
    wrong = happening(HERE, 3, "move", "O", START, cell=4)
    desk.hear(Happened(wrong))

    with pytest.raises(InvalidReply, match="do not follow"):
        desk.bring(desk.asked_for_events(), *log(4), wrong)
    assert desk.client.game is None


def test_a_game_that_is_changed_again_and_again_is_read_anew_each_time() -> None:
    desk = seated(4)
    for name in ("Anna", "Anne", "Annie"):
        setup = GameSetup("tic-tac-toe", players=(Player(name), Player("Bob")))
        created = happening(HERE, 1, "create", "", START, setup=setup)
        desk.hear(Happened(created))
        desk.bring(desk.asked_for_events(), created, *log(4)[1:])
        assert desk.client.game is not None
        assert desk.client.game.players == (Player(name), Player("Bob"))


def test_a_line_that_was_removed_while_a_client_was_away_is_removed_there() -> None:
    desk, last, removed = seated(4), said(4, "well", "O"), said(3, removed=True)
    desk.hear(Happened(said(3, "rude")), Happened(last))
    desk.welcome(removed, last, to=desk.come_back(), head=4)
    desk.bring(desk.asked_for_events(), *log(4), removed, last)
    assert desk.client.events[2] == removed


@pytest.mark.parametrize("end", [End("O", ON_BOARD), End("", ON_BOARD), End("X", RESIGNED)])
def test_a_server_that_tells_another_end_than_the_events_is_asked_once_more(end: End) -> None:
    for cells in (WON, (4, 0)):
        desk = seated(*cells[:-1])
        desk.hear(Happened(log(*cells)[-1], end=end))
        asked = desk.asked_for_events()
        assert desk.client.game is None

        with pytest.raises(InvalidReply, match="do not follow"):
            desk.bring(asked, *log(*WON), end=end)


def test_an_end_in_a_welcome_is_compared_once_all_events_are_there() -> None:
    desk, end = greeting(), End("O", ON_BOARD)
    desk.welcome(*log(*WON)[:3], head=6, end=end)
    desk.bring(desk.asked_for_events(3), *log(*WON)[3:], end=end)

    desk.asked_for_events()
    assert desk.client.game is None


@pytest.mark.parametrize("end", [None, End("X", "applause"), End("X", ON_BOARD)])
def test_a_reason_that_is_unknown_and_a_server_that_tells_no_end_are_believed(
    end: End | None,
) -> None:
    desk = seated(*WON[:-1])
    assert desk.hear(Happened(log(*WON)[-1], end=end)) == [GameChanged(log(*WON)[-1])]
    assert desk.sent() == []


def test_a_variant_that_is_unknown_ends_the_connection() -> None:
    desk = Desk(game=HERE)
    setup = GameSetup("chess", players=BOTH)

    with pytest.raises(InvalidReply, match="chess"):
        desk.sit(happening(HERE, 1, "create", "", START, setup=setup))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"type":"event","game":5}', "\ud800"])
def test_what_is_no_reply_ends_the_connection(text: str) -> None:
    with pytest.raises(InvalidReply):
        seated().client.received(text)


LIES = of_one_game(HERE)


def believe_nothing(client: Client, text: str) -> None:
    """Let a client receive a text; it may refuse it, in one way, and the connection with it."""
    try:
        client.received(text)
    except InvalidReply:
        client.disconnected()
        client.connected()


@pytest.mark.medium
@settings(max_examples=30)
@given(st.lists(replies | LIES, max_size=8), st.integers(0, 5))
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
