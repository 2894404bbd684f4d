"""docs/protocol.md says all that the library speaks, and nothing else."""

import inspect
import json
import re
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from tic_tac_toe.protocols.online import limits
from tic_tac_toe.protocols.online.event_json import write_event, write_setup
from tic_tac_toe.protocols.online.events import KINDS, OFFERS, Event, GameSetup
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.replies import (
    STATUSES,
    UNKNOWN,
    Answer,
    Fate,
    Happened,
    OpenGame,
    OwnGame,
    Reply,
    TalkLine,
    Welcome,
    read_reply,
    write_reply,
)
from tic_tac_toe.protocols.online.replies import TYPES as TYPES_OF_REPLIES
from tic_tac_toe.protocols.online.requests import TYPES, read_request, write_request
from tic_tac_toe.protocols.online.standing import ENDS, ON_BOARD, End
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.net import web_socket
from tic_tac_toe_frontends.server.rate_limits import Allowance
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.web.http import routes
from tic_tac_toe_frontends.server.web.offer import LIMITS, offer_of
from tools.protocol_page import PAGE, names, section, session, subsections, table
from tools.reply_schemas import FULL, made

#: The codes with which libraries close by themselves: websockets what is no frame, and uvicorn what
#: answers no ping.
BY_ITSELF = {1002, 1011}
#: Events with every field that there is.
SETUP = GameSetup("tic-tac-toe", "X", (None, None), True, None, "A" * 22, True, 60)
EVENTS = tuple(made(kind, FULL) for kind in KINDS.values())


# -- requests --------------------------------------------------------------------------------------


def test_every_request_has_its_part() -> None:
    assert list(subsections("Requests")) == list(TYPES)


@pytest.mark.parametrize("name", TYPES)
def test_every_field_of_a_request_stands_in_its_table_with_its_default(name: str) -> None:
    known = {entry.name: entry.default for entry in fields(TYPES[name]) if entry.name != "id"}
    rows = table(subsections("Requests")[name], "field")

    assert names(rows) == list(known)
    for field, _, default, _ in rows:
        expected = known[field.strip("`")]
        if expected is MISSING:
            assert default == ""
        else:
            assert json.loads(default.strip("`")) == (
                list(expected) if isinstance(expected, tuple) else expected
            )


# -- replies ---------------------------------------------------------------------------------------


def field_names(kind: type) -> list[str]:
    return [entry.name for entry in fields(kind)]


def test_every_reply_has_its_part() -> None:
    assert list(subsections("Replies")) == list(TYPES_OF_REPLIES)
    for name, kind in TYPES_OF_REPLIES.items():
        assert type(read_reply(json.dumps({"type": name}))) is kind


@pytest.mark.parametrize("name", [name for name in TYPES_OF_REPLIES if name != "event"])
def test_every_field_of_a_reply_stands_in_its_table(name: str) -> None:
    fields = names(table(subsections("Replies")[name], "field"))
    assert fields == field_names(TYPES_OF_REPLIES[name])


def test_every_field_of_an_event_stands_in_its_table() -> None:
    replies = [write_reply(Happened(event, (1, 2), End("X", ON_BOARD))) for event in EVENTS]
    written = {name for reply in replies for name in json.loads(reply)}
    rows = table(subsections("Replies")["event"], "field")

    assert set(names(rows)) == written - {"type"}
    told = {name for event in EVENTS for name in write_event(event)}
    assert told == written - {"type", "game", "clock", "end"}


def test_every_field_of_a_setup_and_of_an_open_game_stands_in_a_table() -> None:
    setup = table(subsections("Replies")["event"], "field of a setup")
    game = table(subsections("Replies")["lobby"], "field of a game")

    assert {*write_setup(SETUP), "clock"} == set(names(setup))
    assert names(game) == field_names(OpenGame)
    own = table(subsections("Replies")["answer"], "field of an own game")
    assert names(own) == field_names(OwnGame)
    line = table(subsections("Replies")["talk"], "field of a line")
    assert names(line) == field_names(TalkLine)


def test_every_status_and_fate_is_explained() -> None:
    assert names(table(section("Replies"), "status")) == list(STATUSES)
    welcome = subsections("Replies")["welcome"]
    assert all(f"`{word}`" in welcome for word in (*field_names(Fate), "ok", UNKNOWN))


def test_every_reason_stands_there_with_its_sentence() -> None:
    rows = {row[0].strip("`"): row[1] for row in table(section("Reasons"), "reason")}

    assert next(iter(rows)) == "move"
    assert {name: rows[name] for name in rows if name != "move"} == {
        name: str(text) for name, text in REASONS.items()
    }


def test_every_kind_of_event_and_offer_is_explained() -> None:
    text = section("Games are their events")

    assert names(table(text, "kind")) == list(KINDS)
    assert names(table(text, "what")) == list(OFFERS)


def test_every_end_is_explained() -> None:
    text = section("Games are their events")

    assert names(table(text, "reason of an end")) == list(ENDS)
    assert all(f"`{name}`" in text for name in field_names(End))
    told = json.loads(session()[-1][1])
    assert told["end"] == {"winner": "X", "reason": "resign"}


# -- numbers ---------------------------------------------------------------------------------------


def test_every_limit_stands_in_the_table_with_its_name_in_the_offer() -> None:
    rows = table(section("Limits"), "limit")
    listed = {row[2].strip("`"): row[1] for row in rows}

    assert listed == {
        name: " to ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in LIMITS.items()
    }
    assert len({row[0] for row in rows}) == len(LIMITS)
    assert f"`{limits.SUBPROTOCOL}`" in PAGE
    assert f"version of the protocol stays {limits.PROTOCOL}" in PAGE


def test_every_field_of_the_offer_is_explained() -> None:
    offer = json.loads(offer_of("/ws", (), Allowance()))
    text = section("Beside the WebSocket")

    assert names(table(text, "field")) == list(offer)
    listed = re.findall(r"`(\w+)`", " ".join(row[0] for row in table(text, "field of a variant")))
    assert all(list(variant) == listed for variant in offer["variants"])
    assert all({*family} <= {*listed, "length"} for family in offer["families"])
    (rates,) = (row[1] for row in table(text, "field") if row[0] == "`rates`")
    assert all(f"`{name}`" in rates for name in offer["rates"])


def test_every_code_that_the_server_closes_with_is_explained() -> None:
    codes = {int(code) for code in re.findall(r"\b10[01]\d\b", inspect.getsource(web_socket))}
    listed = [int(row[0]) for row in table(section("Codes of closing"), "code")]

    assert listed == sorted(codes | BY_ITSELF)


def test_every_status_that_refuses_a_handshake_stands_there_once() -> None:
    listed = re.findall(r"\d+", " ".join(names(table(section("Codes of closing"), "status"))))

    assert len(listed) == len(set(listed)) > 3


def test_every_reason_of_busy_is_explained() -> None:
    reasons = names(table(section("Reasons"), "reason"))
    listed = names(table(section("Reasons").partition("\n### ")[2], "reason"))

    assert {*listed} == {*reasons[-8:]}


# -- the session -----------------------------------------------------------------------------------


def test_the_session_is_made_of_messages_that_both_sides_understand() -> None:
    assert len(session()) > 20
    for direction, text in session():
        if direction == ">":
            request = read_request(text)
            assert read_request(write_request(request)) == request
        else:
            reply = read_reply(text)
            assert reply is not None
            assert json.loads(write_reply(reply)) == json.loads(text)


def test_every_request_of_the_session_is_answered_or_resumed() -> None:
    asked = [json.loads(text)["id"] for direction, text in session() if direction == ">"]
    replies: list[Reply | None] = [read_reply(text) for way, text in session() if way == "<"]
    answered = [reply.id for reply in replies if isinstance(reply, Answer | Welcome)]
    resumed = [fate.id for reply in replies if isinstance(reply, Welcome) for fate in reply.fates]

    assert sorted(answered + resumed) == sorted(asked)


def test_the_events_of_the_session_make_a_game() -> None:
    events: dict[int, Event] = {}
    for direction, text in session():
        reply = read_reply(text) if direction == "<" else None
        if isinstance(reply, Happened):
            events[reply.event.version] = reply.event
        elif isinstance(reply, Answer | Welcome):
            events |= {event.version: event for event in reply.events}
    game = replay(events[version] for version in sorted(events))

    assert game is not None
    assert game.moves == (4, 0)
    assert game.end is not None
    assert game.end.winner == "X"


# -- beside the WebSocket --------------------------------------------------------------------------


def test_every_path_is_explained(tmp_path: Path) -> None:
    server = GameServer(SqliteStore(tmp_path / "games.sqlite"))
    paths = {route.path.replace("{address}", "ADDRESS") for route in routes(server, None)}
    listed = {row[0].strip("`") for row in table(section("Beside the WebSocket"), "path")}

    assert listed == paths - {"/{path:path}"}
