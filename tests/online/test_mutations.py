"""Whatever comes in is read or refused, by readers and by a connection, and breaks nothing."""

import json
import random
from pathlib import Path

import pytest

from tests.online.frame_mutations import read_mutated_frames
from tests.online.guests import Guest, rest, seated
from tests.online.mutations import REQUESTS, mutate, read_mutations
from tic_tac_toe.protocols.online.replies import Answer, Welcome
from tic_tac_toe.protocols.online.requests import TYPES, Request, read_request
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.net.web_socket import WebSocket

pytestmark = pytest.mark.anyio


def test_6000_mutated_messages_are_read_or_refused() -> None:
    tally = read_mutations(6_000)
    assert tally["read"] > 150
    assert tally["refused"] > 3_000
    assert {type(read_request(text)) for text in REQUESTS} == {*TYPES.values()}


def test_a_reader_that_lets_an_exception_out_is_found_out() -> None:
    def careless(text: str) -> Request:
        json.loads(text)
        return read_request(text)

    with pytest.raises(AssertionError, match="came of"):
        read_mutations(6_000, read_request=careless)


async def test_every_mutated_message_to_a_connection_has_one_answer(
    server: GameServer, caplog: pytest.LogCaptureFixture
) -> None:
    rng, sent = random.Random(7), 0
    ann, _, game = await seated(server)
    hello = json.dumps({"type": "hello", "id": "h", "protocol": 1, "game": game})
    guest = Guest(server)
    for _ in range(1_200):
        text = mutate(rng, [*REQUESTS, hello])
        try:
            text.encode()
        except UnicodeEncodeError:
            continue  # no frame can bring it
        guest.connection.text(text)
        sent += 1
        if sent > _answers(guest):
            await rest(server)
        assert sent == _answers(guest), text
        if guest.socket.closed is not None:
            assert guest.socket.closed[0] == 1008
            guest.leave()
            guest, sent = Guest(server), 0
    assert (await ann.move(4)).status == "ok"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_4000_mutated_frames_end_no_connection_but_their_own(tmp_path: Path) -> None:
    tally = await read_mutated_frames(tmp_path, 4_000)
    assert tally["frames"] == 4_000
    assert tally["closed by the server"] > 50


async def test_a_connection_that_lets_an_exception_out_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WebSocket, "handle_ping", lambda socket: socket.unknown)
    with pytest.raises(AttributeError):
        await read_mutated_frames(tmp_path, 4_000)


def _answers(guest: Guest) -> int:
    return sum(isinstance(reply, Answer | Welcome) for reply in guest.socket.replies)
