"""What clients may ask: a request comes back as it was written, and anything else is refused."""

from __future__ import annotations

import json
import pkgutil
import random
import textwrap
import time
from collections.abc import Mapping
from dataclasses import fields, replace
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.strict_json import Bound, written_fields
from tic_tac_toe.protocols import online
from tic_tac_toe.protocols.online import client
from tic_tac_toe.protocols.online.addresses import PATTERN, is_address
from tic_tac_toe.protocols.online.client import OFFLINE, Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import (
    KINDS,
    Event,
    GameSetup,
    Joined,
    Player,
    read_event,
    read_setup,
    write_event,
    write_setup,
)
from tic_tac_toe.protocols.online.messages import (
    CLOCK_SECONDS,
    FRAME_BYTES,
    INCREMENT_SECONDS,
    VARIANT,
)
from tic_tac_toe.protocols.online.replies import (
    Answer,
    Closing,
    Happened,
    InvalidReply,
    Notice,
    OpenGames,
    Presence,
    Reply,
    WatchersTalk,
    Welcome,
    read_reply,
    write_reply,
)
from tic_tac_toe.protocols.online.requests import (
    RANDOM_SEAT,
    TYPES,
    Chat,
    Create,
    Events,
    InvalidRequest,
    Move,
    Request,
    Resign,
    read_request,
    write_request,
)

ADDRESS = "AbCdEfGhIjKlMnOpQrStUw"

addresses = st.from_regex(PATTERN, fullmatch=True)
counts = st.integers(0, 10**15 - 1)
lines = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))).map(str.strip)
variants = st.sampled_from(sorted(VARIANTS))
clocks = st.builds(Clock, st.integers(*CLOCK_SECONDS), st.integers(*INCREMENT_SECONDS))


def made(kind: type[Any], **values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return messages of a kind, as its fields are declared but for these values."""
    declared = [each for each in written_fields(kind) if each.name not in values]
    return st.builds(kind, **values, **{each.name: valid(each.hint) for each in declared})


def valid(hint: Any) -> st.SearchStrategy[Any]:
    """Return the values of a field that is annotated in this way."""
    bare, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    for bound in [mark for mark in marks if isinstance(mark, Bound)]:
        if names := bound.schema.get("enum"):
            return st.sampled_from(names)
        if "title" in bound.schema and "pattern" in bound.schema:
            return st.from_regex(bound.schema["pattern"], fullmatch=True)
        if length := bound.schema.get("maxLength"):
            texts = lines.map(lambda line: line[:length].strip())
            return texts.filter(bool) if "allOf" in bound.schema else texts
    plain = {int: counts, bool: st.booleans(), str: lines, Clock: clocks, Event: events()}
    if VARIANT in marks or bare in plain:
        return variants if VARIANT in marks else plain[bare]
    if get_origin(bare) is tuple:
        first, second = get_args(bare)
        some = st.lists(valid(first), max_size=3).map(tuple)
        return some if second is ... else st.tuples(valid(first), valid(second))
    if NoneType in get_args(bare):
        return st.none() | valid(get_args(bare)[0])
    return made(bare)


def events(game: st.SearchStrategy[str] = addresses) -> st.SearchStrategy[Event]:
    return st.deferred(lambda: st.one_of([made(kind, game=game) for kind in KINDS.values()]))


requests: st.SearchStrategy[Request] = st.one_of([made(kind) for kind in TYPES.values()])


def refusal(text: str) -> InvalidRequest:
    with pytest.raises(InvalidRequest) as caught:
        read_request(text)
    return caught.value


def message(kind: str = "move", **values: object) -> str:
    return json.dumps({"type": kind, "id": "a", **values})


def creation(**values: object) -> str:
    return message("create", **{"token": ADDRESS, "variant": "4x4", **values})


# -- what is understood ----------------------------------------------------------------------------


@given(requests)
def test_a_request_comes_back_as_it_was_written(request: Request) -> None:
    text = write_request(request)

    assert len(text.encode()) <= FRAME_BYTES
    assert read_request(text) == request


@given(requests)
def test_fields_that_are_at_their_defaults_may_be_there_or_not(request: Request) -> None:
    values = {entry.name: getattr(request, entry.name) for entry in fields(request)}
    kind = type(request).__name__.lower()

    assert read_request(json.dumps({"type": kind, **values}, ensure_ascii=False)) == request


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("connect-four,pie", "connect-four,pie"),
        ("mnk:3,3,3,wild", "wild"),
        ("mnk:7,6,4,gravity", "connect-four"),
        ("mnk:5,5,4,gravity,wild", "mnk:5,5,4,gravity,wild"),
    ],
)
def test_a_game_is_created_under_its_one_name(asked: str, name: str) -> None:
    request = read_request(creation(variant=asked))

    assert isinstance(request, Create)
    assert request.variant == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The example of the module.
        ('{"type": "move", "id": "k3v9-7", "version": 4, "cell": 8}', Move("k3v9-7", 4, 8)),
        (message("chat", text="  Well played \u3000"), Chat("a", "Well played")),
        # Brackets and digits in a text are no nesting and no number.
        (message("chat", text="[[[[ {{{{ \\["), Chat("a", "[[[[ {{{{ \\[")),
        (message("chat", text='"[[[["'), Chat("a", '"[[[["')),
        (message("chat", text="8" * 200), Chat("a", "8" * 200)),
        (write_request(Resign("a")).ljust(FRAME_BYTES), Resign("a")),
    ],
)
def test_what_may_look_odd_is_understood(text: str, expected: Request) -> None:
    assert read_request(text) == expected


# -- what is refused -------------------------------------------------------------------------------

WHOLE = "expected a whole number, got"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON: Expecting value, column 1"),
        ("{", "no JSON: Expecting property name enclosed in double quotes, column 2"),
        ("\ufeff{}", "no JSON: Unexpected UTF-8 BOM (decode using utf-8-sig), column 1"),
        ("[]", "the message: expected an object, got a list"),
        ("7", "the message: expected an object, got a whole number"),
        ("null", "the message: expected an object, got null"),
        ("{}", "type: expected a text, got null"),
        ('{"type":"move","type":"move"}', 'the field "type" is given twice'),
        ('{"type":"fly"}', 'type: "fly" is unknown here'),
        ('{"type":"Move"}', 'type: "Move" is unknown here'),
        ('{"type":"resign"}', "resign: the field id is missing"),
        (message(id=""), "id: expected 1 to 40 letters, digits, hyphens and underscores"),
        (message(id="a" * 41), "id: expected 1 to 40 letters, digits, hyphens and underscores"),
        (message(id="a\n"), "id: expected 1 to 40 letters, digits, hyphens and underscores"),
        (message(id="ä"), "id: expected 1 to 40 letters, digits, hyphens and underscores"),
        (message(id=7), "id: expected a text, got a whole number"),
        *(
            (f'{{"type":"move","id":"a","version":{number},"cell":1}}', f"{number} is no JSON")
            for number in ("NaN", "Infinity", "-Infinity")
        ),
    ],
)
def test_a_message_without_an_id_is_refused_with_the_reason(text: str, reason: str) -> None:
    error = refusal(text)

    assert str(error) == reason
    assert error.id == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (message(5), "type: expected a text, got a whole number"),  # type: ignore[arg-type]
        (message("fly"), 'type: "fly" is unknown here'),
        (message(), "move: the field version is missing"),
        (message(version=1), "move: the field cell is missing"),
        (message(version=1, cell=1, seat="X"), 'move: "seat" is no field of it'),
        (message(version=True, cell=1), f"version: {WHOLE} true or false"),
        (message(version=-1, cell=1), "version: expected no number below 0"),
        (message(version=1.0, cell=1), f"version: {WHOLE} a fraction or an immense number"),
        (message(version=1, cell=None), f"cell: {WHOLE} null"),
        (message(version=1, cell="4"), f"cell: {WHOLE} a text"),
        (message(version=1, cell=[4]), f"cell: {WHOLE} a list"),
        (message(version=1, cell={}), f"cell: {WHOLE} an object"),
        ('{"type":"move","id":"a","version":1e400,"cell":1}', f"version: {WHOLE} a fraction or"),
        (message("hello", protocol=1, game="short"), "game: expected 22 signs of base64url"),
        (message("hello", protocol=1, token=ADDRESS[:-1]), "token: expected 22 signs of base64url"),
        (
            message("hello", protocol=1, pending=["b"] * 33),
            "pending: at most 32 can wait for an answer",
        ),
        (
            message("hello", protocol=1, pending=["b", ""]),
            "pending[1]: expected 1 to 40 letters, digits, hyphens and underscores",
        ),
        (message("join", game="", token=ADDRESS), "game: expected 22 signs of base64url"),
        (message("join", game=ADDRESS, token=""), "token: expected 22 signs of base64url"),
        (message("join", game=ADDRESS[:-1] + "b", token=ADDRESS), "game: expected 22 signs of"),
        (creation(variant="chess"), 'variant: no variant is called "chess"; choose from tic-tac'),
        (creation(variant="mnk:99,9,5"), "variant: columns must be from 1 to 26, not 99"),
        (creation(variant="renju,pie"), "variant: "),
        (creation(seat="x"), "seat: expected one of X, O, random"),
        (creation(starting=RANDOM_SEAT), "starting: expected one of X, O"),
        (
            creation(opponent="gomocup:/bin/sh"),
            'opponent: "gomocup:/bin/sh" cannot be the name of an opponent',
        ),
        (creation(open=1), "open: expected true or false"),
        (creation(clock=[4, 0]), "clock[0]: expected 5 to 604800"),
        (creation(clock=[5, 3601]), "clock[1]: expected 0 to 3600"),
        (creation(clock=[5]), "clock: expected the seconds for each side and those of a move"),
        (creation(clock={"seconds": 5}), "clock: expected a list, got an object"),
        (creation(name="n" * 41), "name: expected one line of at most 40 characters"),
        (creation(name="a\tb"), "name: expected one line of at most 40 characters"),
        (
            message("offer", version=1, what="tea"),
            "what: expected one of draw, takeback, rematch, keepchat",
        ),
        (message("chat", text=""), "text: expected a line that says something"),
        (message("chat", text=" \u2003 "), "text: expected a line that says something"),
        (message("chat", text="\u3164\u2800"), "text: expected a line that says something"),
        (creation(name="\u115f"), "name: expected a line that says something"),
        (creation(name="A" + 38 * "\u0301"), "name: expected at most 6 accents"),
        (message("chat", text="t" * 201), "text: expected one line of at most 200 characters"),
        (message("chat", text="a\nb"), "text: expected one line of at most 200 characters"),
        (message("chat", text="a\u2028b"), "text: expected one line of at most 200 characters"),
        (message("chat", text="a\u2029b"), "text: expected one line of at most 200 characters"),
        (message("chat", text="\x1b[2J"), 'text holds the control character "\\x1b"'),
        (message("chat", text="a\x85b"), 'text holds the control character "\\x85"'),
        (message("chat", text="\0"), 'text holds the control character "\\x00"'),
        (message("chat", text="\ud800"), 'text holds the control character "\\ud800"'),
        (message("lobby", on="yes"), "on: expected true or false"),
        (message("events", after=-1), "after: expected no number below 0"),
    ],
)
def test_a_message_with_an_id_is_refused_with_the_reason_and_the_id(text: str, reason: str) -> None:
    error = refusal(text)

    assert str(error).startswith(reason)
    assert error.id == "a"


# -- how much --------------------------------------------------------------------------------------


@pytest.mark.parametrize("filling", ["x", "é", "€", "🙂"])
def test_a_message_may_have_4096_bytes_and_not_one_more(filling: str) -> None:
    room = FRAME_BYTES - len('{"type":"chat","id":"a","text":""}')
    width = len(filling.encode())
    text = filling * (room // width) + "x" * (room % width)
    longest = f'{{"type":"chat","id":"a","text":"{text}"}}'
    assert len(longest.encode()) == FRAME_BYTES

    assert str(refusal(longest)) == "text: expected one line of at most 200 characters"
    assert str(refusal(longest + " ")) == "a message has at most 4096 bytes"


def test_lists_and_objects_are_nested_three_deep_at_most() -> None:
    assert str(refusal('{"type":[[]]}')) == "type: expected a text, got a list"
    assert str(refusal('{"type":[[[]]]}')) == "lists or objects are nested too deeply"
    assert str(refusal("[" * FRAME_BYTES)) == "lists or objects are nested too deeply"


def test_numbers_have_fifteen_digits_at_most() -> None:
    assert read_request(message("events", after=10**15 - 1)) == Events("a", 10**15 - 1)
    assert str(refusal(message("events", after=10**15))) == "a number has at most 15 digits"
    assert str(refusal('{"after":0.' + "0" * 16 + "}")) == "a number has at most 15 digits"


@pytest.mark.parametrize(
    "text",
    [
        "[[[[" + '"' + '\\"' * 2_000,
        "[[[[" + '"\\' * 2_000,
        "[[[[" + '"\\\n' * 1_300,
        "8" * 16 + '"' + '\\"' * 2_000,
        '{"":' * 1_000,
        "[[[[" + '"' * 4_000,
    ],
    ids=["escaped quotes", "escapes", "lines", "digits", "braces", "quotes"],
)
def test_no_text_takes_longer_to_refuse_than_others(text: str) -> None:
    def spent(text: str) -> float:
        start = time.process_time()
        refusal(text)
        return time.process_time() - start

    # Where each quote is tried as the first of a string, a text takes 150 times as long.
    usual = "[" * 2_000 + "]" * 2_000
    assert min(spent(text) for _ in range(5)) < 20 * max(spent(usual) for _ in range(5))


@given(addresses)
def test_an_address_is_that_of_sixteen_bytes_only(address: str) -> None:
    assert is_address(address)
    assert not is_address(address + "=")
    assert not is_address(address[:-1] + "B")
    assert not is_address(address + "\n")


# -- replies ---------------------------------------------------------------------------------------


keys = st.just("") | st.text("0123456789abcdef", min_size=64, max_size=64)


def of_one_game(game: str) -> st.SearchStrategy[Reply]:
    here = {"game": st.just(game), "events": st.lists(events(st.just(game)), max_size=3).map(tuple)}
    happened = made(Happened, event=events(st.just(game)))
    return st.one_of(made(Answer, **here), made(Welcome, **here), happened)


replies: st.SearchStrategy[Reply] = st.one_of(
    (st.just("") | addresses).flatmap(of_one_game),
    *(made(kind) for kind in (Presence, OpenGames, Closing, Notice, WatchersTalk)),
)


# -- what is understood ----------------------------------------------------------------------------


@pytest.mark.medium
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


@given(made(GameSetup, players=st.tuples(*2 * [st.none() | made(Player, key=keys)])))
def test_a_setup_comes_back_from_the_log_with_the_hashes_and_else_without(setup: GameSetup) -> None:
    kept = json.loads(json.dumps(write_setup(setup, with_keys=True)))
    told = json.loads(json.dumps(write_setup(setup)))

    assert read_setup(kept) == setup
    crosses, naughts = (player and replace(player, key="") for player in setup.players)
    assert read_setup(told) == replace(setup, players=(crosses, naughts))


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
        (
            {"type": "event", "kind": "move", "cell": "B2"},
            "cell: expected a whole number, got a text",
        ),
        ({"type": "event", "kind": "create", "setup": []}, "setup: expected an object, got a list"),
        (
            {"type": "event", "kind": "create", "setup": {}},
            "setup.players: expected a list, got null",
        ),
        (
            {"type": "event", "kind": "create", "setup": {"players": [None]}},
            "setup.players: expected two",
        ),
        (
            {"type": "event", "kind": "create", "setup": {"players": [None, "Ann"]}},
            "setup.players: expected an object, got a text",
        ),
        (
            {
                "type": "event",
                "kind": "create",
                "setup": {"players": [None, None], "starting": "Z"},
            },
            "setup.starting: expected X or O",
        ),
        (
            {
                "type": "event",
                "kind": "create",
                "setup": {"players": [None] * 2, "starting": "X", "clock": [1]},
            },
            "setup.clock: expected two numbers",
        ),
        ({"type": "event", "clock": [1, "2"]}, "clock: expected a whole number, got a text"),
        ({"type": "welcome", "fates": ["ok"]}, "fates[0]: expected an object, got a text"),
        ({"type": "presence", "seats": ["X", 5]}, "seats[1]: expected a text, got a whole number"),
        ({"type": "presence", "seats": "XO"}, "seats: expected a list, got a text"),
        ({"type": "lobby", "games": [[]]}, "games[0]: expected an object, got a list"),
        ({"type": "closing", "reason": None}, "reason: expected a text, got null"),
        ({"type": "closing", "reason": "\x1b[2J"}, "reason holds the control character"),
        (
            {"type": "event", "kind": "chat", "text": "\x07"},
            'text holds the control character "\\x07"',
        ),
        (
            {"type": "event", "kind": "chat", "text": "\ud800"},
            'text holds the control character "\\ud800"',
        ),
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


@pytest.mark.medium
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


# -- examples --------------------------------------------------------------------------------------


def test_the_program_at_the_head_of_the_client_runs() -> None:
    _, _, example = (client.__doc__ or "").partition("::\n")
    names: dict[str, object] = {"random": random, "time": time, "Client": Client}

    exec(textwrap.dedent(example), names)

    ours = names["client"]
    assert isinstance(ours, Client)
    assert ours.connection == OFFLINE
    assert [type(request) for request in ours.pending] == [Create]
    assert isinstance(names["seconds"], float)


def test_every_module_that_the_package_lists_is_there() -> None:
    listed = [line.split()[0] for line in (online.__doc__ or "").splitlines() if line[:4] == "    "]
    there = [module.name for module in pkgutil.iter_modules(online.__path__)]

    assert sorted(listed) == sorted(there)
