"""What servers say: it comes back as it was written, and what no server says ends in one error."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.test_requests import addresses, clocks, counts, ids, lines
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.event_json import read_event, read_setup, write_event, write_setup
from tic_tac_toe.protocols.online.events import (
    KINDS,
    OFFERS,
    SEATS,
    Event,
    GameSetup,
    Joined,
    Player,
)
from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.replies import (
    OK,
    STAGES,
    STATUSES,
    UNKNOWN,
    Answer,
    Closing,
    Fate,
    Happened,
    InvalidReply,
    OpenGame,
    OpenGames,
    OwnGame,
    Presence,
    Reply,
    Welcome,
    read_reply,
    write_reply,
)
from tic_tac_toe.protocols.online.standing import ENDS, End

seats = st.sampled_from(SEATS)
keys = st.just("") | st.text("0123456789abcdef", min_size=64, max_size=64)
times = st.none() | st.tuples(counts, counts)
ends = st.none() | st.builds(End, st.sampled_from(("", *SEATS)), st.sampled_from(ENDS))


def setups(keys: st.SearchStrategy[str]) -> st.SearchStrategy[GameSetup]:
    players = st.none() | st.builds(Player, lines, keys, st.sampled_from(["", "perfect"]))
    return st.builds(
        GameSetup,
        st.sampled_from(sorted(VARIANTS)),
        seats,
        st.tuples(players, players),
        st.booleans(),
        clocks,
        st.just("") | addresses,
    )


def events(game: st.SearchStrategy[str] = addresses) -> st.SearchStrategy[Event]:
    details = {
        "cell": counts,
        "name": lines,
        "text": lines,
        "what": st.sampled_from(OFFERS),
        "setup": setups(st.just("")),
        "follower": st.just("") | addresses,
        "key": st.just(""),
    }
    kinds: list[st.SearchStrategy[Any]] = [
        st.builds(
            kind,
            game,
            counts,
            seats | st.just(""),
            counts,
            **{name: details[name] for each in fields(kind) if (name := each.name) in details},
        )
        for kind in KINDS.values()
    ]
    return st.one_of(kinds)


own_games = st.builds(
    OwnGame,
    addresses,
    st.sampled_from(sorted(VARIANTS)),
    seats,
    lines,
    lines,
    st.sampled_from(STAGES),
    st.sampled_from(["", "X", "draw"]),
    clocks,
    counts,
)


def of_one_game(game: str) -> st.SearchStrategy[Reply]:
    some = st.lists(events(st.just(game)), max_size=3).map(tuple)
    fates = st.lists(st.builds(Fate, ids, st.sampled_from([OK, UNKNOWN]), counts), max_size=3)
    return st.one_of(
        st.builds(
            Answer,
            ids,
            st.sampled_from(STATUSES),
            counts,
            st.just(game),
            seats | st.just(""),
            st.sampled_from(["", *REASONS]),
            lines,
            counts,
            some,
            counts,
            ends,
            st.lists(own_games, max_size=2).map(tuple),
        ),
        st.builds(
            Welcome,
            ids,
            counts,
            st.just(game),
            seats | st.just(""),
            counts,
            some,
            fates.map(tuple),
            times,
            counts,
            st.lists(st.sampled_from(["wine", "friend"]), max_size=2).map(tuple),
            ends,
        ),
        st.builds(Happened, events(st.just(game)), times, ends),
    )


open_games = st.builds(
    OpenGame, addresses, st.sampled_from(sorted(VARIANTS)), lines, seats, seats, clocks, counts
)
replies: st.SearchStrategy[Reply] = st.one_of(
    (st.just("") | addresses).flatmap(of_one_game),
    st.builds(Presence, addresses, st.lists(seats, unique=True).map(tuple), counts),
    st.builds(OpenGames, st.lists(open_games, max_size=3).map(tuple)),
    st.builds(Closing, st.sampled_from(sorted(REASONS)), counts),
)


# -- what is understood ----------------------------------------------------------------------------


@given(replies)
def test_a_reply_comes_back_as_it_was_written_and_unknown_fields_are_passed_over(
    reply: Reply,
) -> None:
    text = write_reply(reply)
    values = json.loads(text)

    assert read_reply(text) == reply
    assert read_reply(json.dumps({**values, "since_version_2": [{"a": 1}]})) == reply


@pytest.mark.parametrize("kind", ["weather", "", "Answer", "ANSWER"])
def test_a_type_that_is_unknown_is_passed_over(kind: str) -> None:
    text = json.dumps({"type": kind, "id": 5, "events": "none"})

    assert read_reply(text) is None
    assert Client(random.Random(1), lambda: 0.0).received(text) == []


@given(setups(keys))
def test_a_setup_comes_back_from_the_log_with_the_hashes_and_else_without(setup: GameSetup) -> None:
    kept = json.loads(json.dumps(write_setup(setup, with_keys=True)))
    told = json.loads(json.dumps(write_setup(setup)))

    assert read_setup(kept) == setup
    assert read_setup(told) == GameSetup(
        setup.variant,
        setup.starting,
        tuple(player and Player(player.name, "", player.strategy) for player in setup.players),  # type: ignore[arg-type]
        setup.is_open,
        setup.clock,
        setup.previous,
    )


def test_clients_are_told_neither_hashes_nor_ids() -> None:
    game = "A" * 22
    told = write_event(Joined(game, 2, "O", 9, "j-1", name="Bob", key="f" * 64))

    assert set(told) == {"version", "kind", "seat", "time", "text"}
    assert read_event(told, game) == Joined(game, 2, "O", 9, name="Bob")


# -- what no server says ---------------------------------------------------------------------------


def invalid(text: str) -> str:
    with pytest.raises(InvalidReply) as caught:
        read_reply(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({}, "type: expected a text, got null"),
        ({"type": 5}, "type: expected a text, got a whole number"),
        ({"type": "answer", "id": 5}, "id: expected a text, got a whole number"),
        ({"type": "answer", "version": "5"}, "version: expected a whole number, got a text"),
        ({"type": "answer", "head": 10**40}, "head: expected a whole number, got a fraction or"),
        ({"type": "answer", "retry": 0.5}, "retry: expected a whole number, got a fraction or"),
        ({"type": "answer", "retry": True}, "retry: expected a whole number, got true or false"),
        ({"type": "answer", "events": {}}, "events: expected a list, got an object"),
        ({"type": "answer", "events": [5]}, "events[0]: expected an object, got a whole number"),
        (
            {"type": "answer", "events": [{}, {"version": None}]},
            "events[1].version: expected a whole number, got null",
        ),
        ({"type": "event", "cell": "B2"}, "cell: expected a whole number, got a text"),
        ({"type": "event", "setup": []}, "setup: expected an object, got a list"),
        ({"type": "event", "setup": {}}, "setup.players: expected a list, got null"),
        ({"type": "event", "setup": {"players": [None]}}, "setup.players: expected two"),
        (
            {"type": "event", "setup": {"players": [None, "Ann"]}},
            "setup.players: expected an object, got a text",
        ),
        (
            {"type": "event", "setup": {"players": [None, None], "starting": "Z"}},
            "setup.starting: expected X or O",
        ),
        (
            {"type": "event", "setup": {"players": [None] * 2, "starting": "X", "clock": [1]}},
            "setup.clock: expected two numbers",
        ),
        ({"type": "event", "clock": [1, "2"]}, "clock: expected a whole number, got a text"),
        ({"type": "welcome", "fates": ["ok"]}, "fates[0]: expected an object, got a text"),
        ({"type": "presence", "seats": ["X", 5]}, "seats[1]: expected a text, got a whole number"),
        ({"type": "presence", "seats": "XO"}, "seats: expected a list, got a text"),
        ({"type": "lobby", "games": [[]]}, "games[0]: expected an object, got a list"),
        ({"type": "closing", "reason": None}, "reason: expected a text, got null"),
        ({"type": "closing", "reason": "\x1b[2J"}, "reason holds the control character"),
        ({"type": "event", "text": "\x07"}, 'text holds the control character "\\x07"'),
        ({"type": "event", "text": "\ud800"}, 'text holds the control character "\\ud800"'),
        ({"type": "presence", "seats": ["\x9b"]}, "seats[0] holds the control character"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(values: Mapping[str, object], reason: str) -> None:
    assert invalid(json.dumps(values)).startswith(reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON: Expecting value, column 1"),
        ("[]", "the message: expected an object, got a list"),
        ('{"type":"closing","type":"closing"}', 'the field "type" is given twice'),
        ('{"type":"closing","retry":NaN}', "NaN is no JSON"),
        ("[" * 100_000, "lists or objects are nested too deeply"),
    ],
)
def test_what_is_no_object_of_json_is_refused(text: str, reason: str) -> None:
    assert invalid(text) == reason


#: Values that stand where others should.
WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.sampled_from(["X", "O", "create", "join", "move", "accept", "rematch", "mnk:999,999,9"]),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(replies, st.data())
def test_one_wrong_value_gives_a_reply_or_the_one_error(reply: Reply, data: st.DataObject) -> None:
    values = json.loads(write_reply(reply))
    place = values
    while True:
        name = data.draw(st.sampled_from(sorted(place)))
        inner = place[name]
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            inner = inner[0]
        if not isinstance(inner, dict) or not inner or data.draw(st.booleans()):
            break
        place = inner
    place[name] = data.draw(WRONG)
    try:
        read_reply(json.dumps(values))
    except InvalidReply:
        return
