"""What an operator does with games and clients is done at once, everywhere, and stays."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Mapping
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from tests.machine import needs
from tests.online.logs import created
from tests.online.world import Guest, ask_async, begun, opened, rest, seated, turn_clock, until
from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import REMATCH, Created, Event, Joined, Said
from tic_tac_toe.protocols.online.game import begin
from tic_tac_toe.protocols.online.replies import Closing, Notice, OpenGames, Welcome
from tic_tac_toe.protocols.online.requests import (
    CHAT_LINE,
    PLAYER_NAME,
    TALK_LINE,
    Block,
    Chat,
    Create,
    Lobby,
    Offer,
    Pair,
    Report,
)
from tic_tac_toe_frontends.server import revision
from tic_tac_toe_frontends.server.admin.cli import main as admin
from tic_tac_toe_frontends.server.admin.commands import COMMANDS, Operator, Refusal, read_command
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.housekeeping import KeepDays
from tic_tac_toe_frontends.server.moderation import REOPENED
from tic_tac_toe_frontends.server.nodes import Nodes
from tic_tac_toe_frontends.server.nodes.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.storage.backup import verify
from tic_tac_toe_frontends.server.storage.game_rows import Transaction, row_of
from tic_tac_toe_frontends.server.storage.statements import OVER
from tic_tac_toe_frontends.server.storage.store import Moderated, report_of
from tic_tac_toe_frontends.server.web.app import App

pytestmark = pytest.mark.anyio

FILE = "games.sqlite"
RUDE = "something rude that nobody wants to read"
DAY = 86_400


async def order(server: GameServer, command: str, **values: Any) -> list[Any]:
    """Let the operator of a server give a command, and return the lines of the answer."""
    name, fields = read_command(json.dumps({"command": command, **values}).encode())
    return [line async for line in Operator(server).run(name, **fields)]


async def refusal_of(server: GameServer, command: str, **values: Any) -> str:
    """Return why a command is refused."""
    with pytest.raises(Refusal) as refused:
        await order(server, command, **values)
    return refused.value.code


async def page_of(server: GameServer, path: str) -> tuple[int, str]:
    """Return the status and the text of a page."""
    reply = await ask_async(App(server), path)
    return reply.status, reply.text


async def greeted(server: GameServer, game: str, token: str = "") -> str:
    """Return the seat where somebody new is welcome in a game, or why they are not."""
    guest = Guest(server)
    answer = await guest.answer(guest.send(guest.greeting(game, token)))
    return str(answer.seat if isinstance(answer, Welcome) else answer.reason)


def chat_of(server: GameServer, game: str) -> list[str]:
    """Return the lines of chat in the log of a game; those that were removed are empty."""
    return [event.text for event in server.store.events(game) if isinstance(event, Said)]


class Reader:
    """A client of the library that a guest's connection carries."""

    def __init__(self, guest: Guest, game: str, token: str = "") -> None:
        self.client = Client(random.Random(1), time.monotonic, game=game, token=token)
        self.connect(guest)

    def connect(self, guest: Guest) -> None:
        """Go on with the connection of a guest."""
        self.guest, self.read = guest, 0
        self.client.connected()
        self._send()

    def _send(self) -> None:
        for text in self.client.take_outgoing():
            self.guest.connection.receive(text)

    def learn(self) -> list[Event]:
        """Take what has come, and return the events that the client knows."""
        while self.read < len(self.guest.socket.texts):
            self.read += 1
            self.client.received(self.guest.socket.texts[self.read - 1])
            self._send()
        return self.client.events

    def names(self) -> tuple[str, ...]:
        """Return the names of both players, as soon as the client knows the game."""
        self.learn()
        game = self.client.game
        players = () if game is None else game.players
        return tuple("" if each is None else each.name for each in players)

    async def until_texts(self, *texts: str) -> None:
        """Wait until these are the lines of chat that the client knows."""

        def are_so() -> bool:
            return tuple(e.text for e in self.learn() if isinstance(e, Said)) == texts

        await until(are_so, f"chat {texts}")


# -- games -----------------------------------------------------------------------------------------


async def test_a_removed_line_disappears_from_every_client_and_from_the_data(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path / FILE) as server:
        ann, bob, game = await begun(server)
        here, away = Reader(Guest(server), game), Reader(Guest(server), game)
        version = (await ann.say(RUDE)).version
        await bob.say("well")
        await here.until_texts(RUDE, "well")
        await away.until_texts(RUDE, "well")
        away.guest.leave()
        away.client.disconnected()

        await order(server, "line", game=game, version=version)

        await here.until_texts("", "well")
        away.connect(Guest(server))
        await away.until_texts("", "well")
        assert (await ann.move(8)).status == "ok"
        assert await refusal_of(server, "line", game=game, version=1) == "no_line"
        await server.revisions.scrub()
        assert verify(server.store).problems == ()
        files = [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()]
        assert not any(RUDE.encode() in content for content in files)
    async with opened(tmp_path / FILE) as server:
        said = [event for event in server.store.events(game) if isinstance(event, Said)]
        assert [(event.text, event.removed) for event in said] == [("", True), ("well", False)]


async def test_a_name_is_changed_for_everybody(server: GameServer) -> None:
    ann, bob, game = await seated(server, name="Ann", open=True)
    reader = Reader(Guest(server), game)
    await until(lambda: len(reader.learn()) == 2, "events")

    await order(server, "rename", game=game, seat="X", name="-")
    await order(server, "rename", game=game, seat="O", name="Bill")

    await until(lambda: reader.names() == ("-", "Bill"), "names")
    row = server.store.row(game)
    assert row is not None
    assert (row.crosses, row.naughts) == ("-", "Bill")
    assert (await ann.move(4)).status == "ok"
    assert (await bob.move(0)).status == "ok"


async def test_a_forgotten_seat_has_no_name_key_chat_or_block_and_its_moves_stay(
    server: GameServer,
) -> None:
    ann, bob, game = await begun(server, name="Ann")
    await ann.say("mine")
    await bob.say("yours")
    assert await refusal_of(server, "forget", game=game, seat="X") == "not_over"
    await ann.ask(Block(ann.new_id(), True))
    await ann.resign()
    key = hash_of_token(ann.token)
    assert server.store.blocked_keys(key)
    (own,) = await order(server, "export", game=game, seat="X")
    assert own["name"] == "Ann"
    assert [event["kind"] for event in own["events"]] == ["move", "chat", "resign"]
    assert "yours" not in json.dumps(own)
    assert ann.token not in json.dumps(own)

    await order(server, "forget", game=game, seat="X")

    created, joined, *_ = server.store.events(game)
    assert isinstance(created, Created)
    assert isinstance(joined, Joined)
    assert created.setup.players[0] is not None
    assert (created.setup.players[0].name, created.setup.players[0].key) == ("", "")
    assert joined.key
    assert chat_of(server, game) == ["", "yours"]
    row = server.store.row(game)
    assert row is not None
    assert (row.crosses, row.crosses_key) == ("", "")
    assert not server.store.blocked_keys(key)
    assert not server.store.games_of(key, 10)
    assert await greeted(server, game, ann.token) == "unknown_game"
    assert await greeted(server, game, bob.token) == "O"


async def test_a_game_that_is_ended_counts_for_nobody_and_its_players_are_told(
    server: GameServer,
) -> None:
    ann, bob, game = await begun(server)
    await order(server, "end", game=game, reason="somebody cheats")

    await bob.until(lambda: bob.heard("expire"))
    assert ann.game is not None
    assert ann.game.end is not None
    assert ann.game.end.winner == ""
    assert ann.last(Notice) == Notice("somebody cheats")
    assert await refusal_of(server, "end", game=game) == "over"
    assert await refusal_of(server, "end", game="A" * 22) == "unknown_game"
    (row,) = await order(server, "games", state=OVER)
    assert (row["game"], row["result"]) == (game, "")


async def test_a_hidden_game_is_shown_to_its_players_only_until_it_is_shown_again(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path / FILE) as server:
        ann, _, game = await seated(server, open=True)
        watcher, token = Guest(server), ann.token
        await watcher.hello(game)
        await ann.resign()
        assert game in (await page_of(server, "/games"))[1]

        await order(server, "hide", game=game)

        assert watcher.socket.closed is not None
        for path in (f"/games/{game}", f"/games/{game}/record.txt", f"/games/{game}/record.json"):
            assert (await page_of(server, path))[0] == 404
        assert game not in (await page_of(server, "/games"))[1]
        assert (await ann.say("still here")).status == "ok"
    async with opened(tmp_path / FILE) as server:
        assert await greeted(server, game) == "unknown_game"
        assert await greeted(server, game, token) == "X"
        assert (await page_of(server, f"/games/{game}"))[0] == 404
        await order(server, "unhide", game=game)
        assert await greeted(server, game) == ""
        assert (await page_of(server, f"/games/{game}"))[0] == 200
        assert game in (await page_of(server, "/games"))[1]


async def test_a_hidden_game_that_waits_is_not_in_the_lobby_and_nobody_comes_to_it(
    server: GameServer,
) -> None:
    ann, bob = Guest(server), Guest(server)
    await bob.ask(Lobby(bob.new_id(), True))
    game = await ann.create(open=True)
    await bob.until(lambda: _lobby(bob) == [game])

    await order(server, "hide", game=game)

    await bob.until(lambda: _lobby(bob) == [])
    assert (await bob.join(game)).reason == "unknown_game"
    for guest in (bob, Guest(server)):
        await guest.ask(Pair(guest.new_id(), guest.token, "tic-tac-toe"))
    await until(lambda: server.matchmaker.count == 1, "these two play each other")
    assert ann.game is not None
    assert ann.game.waiting


def _lobby(guest: Guest) -> list[str]:
    told = guest.last(OpenGames)
    return [] if told is None else [each.game for each in told.games]


async def test_a_deleted_game_is_gone_for_its_players_too(server: GameServer) -> None:
    ann, bob, game = await begun(server)
    await order(server, "delete", game=game)

    for player in (ann, bob):
        assert player.last(Closing) == Closing("deleted", 0)
        assert player.socket.closed is not None
    assert await greeted(server, game, ann.token) == "unknown_game"
    assert (await page_of(server, f"/games/{game}"))[0] == 404
    assert server.store.events(game) == []
    assert await refusal_of(server, "delete", game=game) == "unknown_game"


async def test_requests_wait_while_a_game_is_changed(server: GameServer) -> None:
    ann, bob, game = await begun(server)
    version = (await ann.say(RUDE)).version
    change = asyncio.create_task(order(server, "line", game=game, version=version))
    answers = [ann.say("one"), bob.say("two"), ann.move(8, version)]
    assert [answer.status for answer in await asyncio.gather(*answers)] == ["ok"] * 3
    await change
    events = server.store.events(game)
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    assert sorted(chat_of(server, game)) == ["", "one", "two"]
    assert verify(server.store).problems == ()


async def test_games_are_found_by_name_state_address_and_where_people_come_from(
    server: GameServer,
) -> None:
    ann, other = Guest(server, "198.51.100.7"), Guest(server, "2001:db8::7")
    game, second = await ann.create(name="Ann 100%"), await other.create(name="Zoë")

    async def found(**values: Any) -> list[str]:
        return sorted(line["game"] for line in await order(server, "games", **values))

    assert await found() == sorted([game, second])
    assert await found(name="ann 100%") == [game]
    assert await found(name="%") == [game]
    assert await found(name="zo") == [second]
    assert await found(state=OVER) == []
    assert await found(game=game[:5]) == [game]
    assert await found(address="198.51.100.0/24") == [game]
    assert await found(address="2001:db8::/64") == [second]
    assert await found(limit=1) != []
    lines = await order(server, "show", game=game)
    assert [line["kind"] for line in lines] == ["create"]
    assert "key" not in json.dumps(lines)


# -- clients ---------------------------------------------------------------------------------------


async def test_banned_addresses_are_told_until_when_closed_and_refused_so_long(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path / FILE) as server:
        bad, good = Guest(server, "192.0.2.7"), Guest(server, "198.51.100.1")
        now = server.now()
        server.now = lambda: now  # type: ignore[method-assign]
        await order(server, "ban", network="192.0.2.0/24", seconds=3_600, why="floods")
        assert bad.last(Closing) == Closing("banned", 3_600_000)
        assert bad.socket.closed is not None
        assert good.socket.closed is None
        assert server.check_ban("192.0.2.200") == now + 3_600_000
        assert server.check_ban("::ffff:192.0.2.1")
        assert not server.check_ban("192.0.3.1")
        assert not server.check_ban("")
    async with opened(tmp_path / FILE) as server:
        assert server.check_ban("192.0.2.200")
        (ban,) = await order(server, "bans")
        assert (ban["network"], ban["why"]) == ("192.0.2.0/24", "floods")
        (status, *_) = await order(server, "status")
        assert (status["bans"], status["banned"]) == (1, 1)
        turn_clock(server, 3_601)
        assert not server.check_ban("192.0.2.200")
        assert await order(server, "bans") == []
        await server.writer.run(server.moderation.delete_expired)
        assert server.store.bans(0) == []
        await order(server, "ban", network="2001:db8::1", seconds=60)
        assert server.check_ban("2001:db8::1")
        await order(server, "unban", network="2001:db8::1")
        assert not server.check_ban("2001:db8::1")
        assert await refusal_of(server, "unban", network="2001:db8::1") == "not_banned"


async def test_everybody_who_is_connected_hears_an_announcement(server: GameServer) -> None:
    guests = [*(await seated(server))[:2], Guest(server)]
    assert await order(server, "announce", text="back in an hour") == [{"told": 3}]
    assert {each.last(Notice) for each in guests} == {Notice("back in an hour")}


async def test_a_server_that_drains_begins_no_games_and_goes_on_with_those_that_are_played(
    server: GameServer,
) -> None:
    ann, bob, _ = await begun(server)
    await order(server, "drain")

    assert not server.is_ready
    assert (await page_of(server, "/ready"))[0] == 503
    told = Notice("The server begins no new games at the moment", "draining")
    assert ann.last(Notice) == told
    new = Guest(server)
    for request in (
        Create(new.new_id(), new.token, "tic-tac-toe"),
        Pair(new.new_id(), new.token, "tic-tac-toe"),
    ):
        assert (await new.ask(request)).reason == "draining"
    assert (await ann.move(8)).status == "ok"
    await bob.resign()
    assert (await ann.ask(Offer(ann.new_id(), ann.version, REMATCH))).reason == "draining"

    await order(server, "drain", off=True)
    assert server.is_ready
    assert await new.create()
    await order(server, "drain", seconds=1)
    assert not server.is_ready
    clock = server.clock
    server.clock = lambda: clock() + 2
    assert server.is_ready


async def test_a_beginning_that_several_games_share_names_none(server: GameServer) -> None:
    first, second = "a" * 22, "a" * 11 + "b" * 11
    rows = [row_of(begin(created(game))) for game in (first, second)]
    server.store.commit([Transaction((created(row.game),), (row,)) for row in rows])
    (shown,) = await order(server, "show", game=first[:12])
    assert shown["kind"] == "create"
    assert await refusal_of(server, "show", game=first[:11]) == "many_games"


@pytest.mark.medium
async def test_clients_hear_once_that_a_drain_begins_and_once_that_it_is_over(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("tic_tac_toe_frontends.server.moderation.log", said.append)
    guest = Guest(server)

    def heard() -> list[str]:
        return [each.reason for each in guest.socket.replies if isinstance(each, Notice)]

    for end in ({}, {"seconds": 3_600}, {"seconds": 1}):
        await order(server, "drain", **end)
    assert heard() == ["draining"]
    await guest.until(lambda: heard() == ["draining", "reopened"])
    assert said == ["drain ended"]
    assert server.is_ready
    await order(server, "drain", off=True)
    await order(server, "drain")
    await order(server, "drain", off=True)
    assert heard() == ["draining", "reopened", "draining", "reopened"]


async def test_whoever_comes_during_a_drain_is_told_with_the_welcome_and_once(
    server: GameServer,
) -> None:
    before = Guest(server)
    await order(server, "drain")
    comer = Guest(server)
    for guest in (before, comer):
        await guest.hello()
        await guest.hello()
        await rest(server)
        told = [each.reason for each in guest.socket.replies if isinstance(each, Notice)]
        assert told == ["draining"]
    assert isinstance(comer.socket.replies[0], Welcome)
    late = Guest(server)
    await order(server, "drain", off=True)
    await late.hello()
    assert late.last(Notice) == REOPENED


async def test_whoever_is_connected_from_a_forgotten_seat_loses_it_and_is_told(
    server: GameServer,
) -> None:
    ann, bob, game = await begun(server, name="Ann")
    await ann.resign()
    reader = Reader(Guest(server), game, ann.token)
    await until(lambda: len(reader.learn()) == 5 and reader.client.seat, "the seat")

    await order(server, "forget", game=game, seat="X")

    assert ann.last(Closing) == Closing("forgotten", 0)
    assert ann.socket.closed is not None
    assert bob.socket.closed is None
    ann.send(Chat(ann.new_id(), "still here"))  # before it has heard of it
    await rest(server)
    assert server.sessions[game].loaded.version == 5
    assert (await bob.offer(REMATCH)).reason == "left_for_good"
    reader.learn()
    assert reader.client.token == ""
    reader.client.disconnected()
    reader.connect(Guest(server))
    await until(lambda: len(reader.learn()) == 5, "it watches")
    assert (reader.client.address, reader.client.seat) == (game, "")


async def test_what_was_reported_is_listed_until_it_is_removed_or_dismissed(
    server: GameServer,
) -> None:
    ann, bob, game = await begun(server)
    version = (await ann.say(RUDE)).version
    await bob.ask(Report(bob.new_id(), CHAT_LINE, line=version, text="see there"))
    await bob.ask(Report(bob.new_id(), PLAYER_NAME, seat="X"))
    line, *others = sorted(await order(server, "reports"), key=lambda each: each["what"])
    assert (line["game"], line["place"], line["said"]) == (game, str(version), RUDE)
    assert (line["seat"], line["name"]) == ("X", "")
    assert others == []  # Ann has no name
    await order(server, "rename", game=game, seat="X", name="Rude Ann")
    await bob.ask(Report(bob.new_id(), PLAYER_NAME, seat="X"))

    await order(server, "line", game=game, version=version)
    (name,) = await order(server, "reports")
    assert (name["what"], name["said"]) == (PLAYER_NAME, "Rude Ann")
    assert (name["seat"], name["name"]) == ("X", "Rude Ann")
    await server.retention.tidy()
    assert server.registry.get_sample_value("tictactoe_reports") == 1
    await order(server, "dismiss", report=name["id"])
    assert await order(server, "reports") == []
    assert await refusal_of(server, "dismiss", report=name["id"]) == "unknown_report"
    await bob.ask(Report(bob.new_id(), PLAYER_NAME, seat="X"))
    await order(server, "delete", game=game)
    assert server.store.reports(10) == []


@pytest.mark.parametrize(
    ("seat", "name", "whose"),
    [("X", "Ann", "Ann (X)"), ("O", "", "a guest (O)"), ("", "", "Watcher 3")],
)
def test_a_report_is_listed_with_whose_line_it_is(seat: str, name: str, whose: str) -> None:
    report = report_of("game", CHAT_LINE if seat else TALK_LINE, "3 17", RUDE, "", 1)
    line = {**report._asdict(), "seat": seat, "name": name}
    assert f'  {whose}  "{RUDE}"' in COMMANDS["reports"].describe(line, NullTranslations())


async def test_a_report_of_a_name_stays_when_the_other_player_gets_another_name(
    server: GameServer,
) -> None:
    ann, bob, game = await seated(server, name="Ann")
    await ann.ask(Report(ann.new_id(), PLAYER_NAME, seat="O"))
    await bob.ask(Report(bob.new_id(), PLAYER_NAME, seat="X"))

    await order(server, "rename", game=game, seat="X", name="Anna")

    (left,) = await order(server, "reports")
    assert (left["place"], left["said"]) == ("O", "Bob")
    await order(server, "rename", game=game, seat="O", name="Robert")
    assert await order(server, "reports") == []


# -- how long games are kept -----------------------------------------------------------------------


async def test_old_games_are_deleted_a_few_at_a_time_and_the_log_tells_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe_frontends.server.housekeeping.AT_ONCE", 2)
    said: list[dict[str, object]] = []
    monkeypatch.setattr(
        "tic_tac_toe_frontends.server.housekeeping.log",
        lambda event, **fields: said.append({"event": event, **fields}),
    )
    async with opened(tmp_path / FILE, keep=KeepDays(finished=30, unplayed=7), tidy=1e4) as server:
        games = []
        for _ in range(3):
            ann, _bob, game = await begun(server)
            await ann.resign()
            games.append(game)
        waiting = Guest(server)
        kept = await waiting.create()
        aborted, _, unplayed = await seated(server)
        await order(server, "end", game=unplayed)
        turn_clock(server, 8 * DAY)
        await server.retention.tidy()
        assert server.store.events(unplayed) == []
        turn_clock(server, 23 * DAY)
        await server.retention.tidy()
        assert sum(bool(server.store.events(game)) for game in games) == 1
        await server.retention.tidy()
        assert not any(server.store.events(game) for game in games)
        assert server.store.events(kept)
        await aborted.until(lambda: aborted.socket.closed)
    counts = [(each["count"], each["unplayed"]) for each in said]
    assert counts == [(1, True), (2, False), (1, False)]


async def test_old_chat_is_removed_and_the_moves_stay(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE, keep=KeepDays(chat=3), tidy=1e4) as server:
        ann, bob, game = await begun(server)
        await ann.say(RUDE)
        await ann.resign()
        going, _, other = await begun(server)
        await going.say("we still play")
        turn_clock(server, 4 * DAY)
        await server.retention.tidy()
        assert chat_of(server, game) == [""]
        assert chat_of(server, other) == ["we still play"]
        assert verify(server.store).problems == ()
        assert (await bob.say("late")).status == "ok"
        await server.retention.tidy()  # comes to the end
        server.retention._chat_at = float("-inf")
        await server.retention.tidy()
        assert chat_of(server, game) == ["", ""]


async def test_games_are_kept_for_ever_unless_told_otherwise(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE, tidy=1e4) as server:
        ann, _, game = await begun(server)
        await ann.say("hello")
        await ann.resign()
        turn_clock(server, 10_000 * DAY)
        await server.retention.tidy()
        assert len(server.store.events(game)) == 6


# -- several servers -------------------------------------------------------------------------------


@pytest.fixture
async def nodes(postgres_url: str) -> AsyncIterator[tuple[GameServer, GameServer]]:
    """Two servers that share a database."""
    async with (
        opened(PostgresStore(postgres_url), nodes=Nodes("one")) as one,
        opened(PostgresStore(postgres_url), nodes=Nodes("two")) as two,
    ):
        yield one, two


@needs("postgres")
async def test_what_an_operator_does_at_one_server_is_done_at_all(
    nodes: tuple[GameServer, GameServer],
) -> None:
    one, two = nodes
    ann, bob = Guest(one), Guest(two)
    game = await ann.create(name="Ann", open=True)
    await bob.join(game)
    version = (await ann.say(RUDE)).version
    reader = Reader(Guest(two), game)
    await reader.until_texts(RUDE)

    await order(one, "line", game=game, version=version)
    await reader.until_texts("")
    await order(one, "rename", game=game, seat="X", name="-")
    await until(lambda: reader.names() == ("-", "Bob"), "names")
    assert (await bob.say("fine")).status == "ok"
    await bob.until(lambda: bob.version > version)
    await order(two, "ban", network="192.0.2.1", seconds=60)
    await until(lambda: one.check_ban("192.0.2.1"), "a ban")
    await order(two, "unban", network="192.0.2.1")
    await until(lambda: not one.check_ban("192.0.2.1"), "no ban")
    ann, bob = Guest(one), Guest(two)
    watcher = Guest(two)
    await watcher.hello(game)
    await order(one, "hide", game=game)
    await until(lambda: watcher.socket.closed, "the watcher has to go")
    await order(one, "delete", game=game)
    await until(lambda: game not in two.sessions or not two.sessions[game].game, "gone")
    assert await greeted(two, game) == "unknown_game"


@needs("postgres")
async def test_a_game_that_is_deleted_while_it_goes_on_at_another_server_is_gone_there_too(
    nodes: tuple[GameServer, GameServer],
) -> None:
    one, two = nodes
    ann, _bob, game = await seated(two)
    await order(one, "delete", game=game)
    said = [(await ann.say(str(number))).status for number in range(3)]
    assert said[0] == "ok", "this server has not heard of it yet"
    await until(lambda: game not in two.sessions or not two.sessions[game].game, "gone")
    assert one.store.events(game) == []
    assert two.tasks.failures == 0
    assert await greeted(two, game) == "unknown_game"


@needs("postgres")
async def test_a_change_at_another_server_that_cannot_be_read_at_once_is_read_later(
    nodes: tuple[GameServer, GameServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revision, "PATIENCE", 0.05)
    one, two = nodes
    ann = Guest(two)
    game = await ann.create(name="Ann", open=True)
    session = two.sessions[game]
    async with session.turn:
        await order(one, "rename", game=game, seat="X", name="-")
        await until(lambda: two.store.row(game).crosses == "-", "it is written")  # type: ignore[union-attr]
        await asyncio.sleep(1.5)
        assert session.game is not None
        assert session.game.player("X").name == "Ann"  # type: ignore[union-attr]
    await until(
        lambda: session.game and session.game.player("X").name == "-",  # type: ignore[union-attr]
        "it is read",
    )


async def test_what_is_known_of_deleted_games_is_forgotten(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as server:
        game = await Guest(server).create()
        now = server.now()
        server.now = lambda: now  # type: ignore[method-assign]
        await order(server, "delete", game=game)
        assert server.moderation.apply_changes([], [Moderated(game, False, now)]) == []
        server.now = lambda: now + 1000 * DAY  # type: ignore[method-assign]
        server.moderation.prune()
        changed = server.moderation.apply_changes([], [Moderated(game, False, now)])
        assert changed == [game]


# -- the table of commands -------------------------------------------------------------------------

#: What is typed for a field of a command, by how it is written, and what is sent then.
TYPED: Mapping[str, tuple[str, object]] = {
    "GAME": ("https://play.example.org/games/-abc", "-abc"),
    "SEAT": ("x", "X"),
    "VERSION": ("3", 3),
    "NAME": ("Ann", "Ann"),
    "REPORT": ("r1", "r1"),
    "ADDRESS": ("192.0.2.7/24", "192.0.2.0/24"),
    "TEXT": (RUDE, RUDE),
    "--for TIME": ("--for=2h", 7_200),
    "--off": ("--off", True),
    "--limit NUMBER": ("--limit=7", 7),
    "--state STATE": (f"--state={OVER}", OVER),
    "--from ADDRESS": ("--from=192.0.2.7", "192.0.2.7/32"),
    "--name TEXT": ("--name=Ann", "Ann"),
    "--reason TEXT": (f"--reason={RUDE}", RUDE),
    "--why TEXT": (f"--why={RUDE}", RUDE),
}


@pytest.mark.parametrize("is_short", [True, False], ids=["needed", "all"])
@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_typed_for_each_field_of_a_command_is_what_the_server_reads(
    monkeypatch: pytest.MonkeyPatch, name: str, is_short: bool
) -> None:
    sent: list[Mapping[str, object]] = []

    def send(_path: Path, command: Mapping[str, object]) -> list[Mapping[str, object]]:
        sent.append(command)
        return [{"ok": True}]

    monkeypatch.setattr("tic_tac_toe_frontends.server.admin.cli.send_command", send)
    fields = {
        field: each.usage
        for field, each in COMMANDS[name].fields.items()
        if each.is_needed or not is_short
    }
    if COMMANDS[name].is_either and fields:
        fields.pop("seconds")  # the options exclude each other
    words = [TYPED[usage][0] for usage in fields.values()]

    assert admin([name, *words], "tic-tac-toe serve admin") == 0

    values = {field: TYPED[usage][1] for field, usage in fields.items()}
    assert sent == [{"command": name, **values}]
    assert read_command(json.dumps(sent[0]).encode()) == (name, values)


async def test_the_log_tells_what_an_operator_does_and_no_words_of_people(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[dict[str, object]] = []
    monkeypatch.setattr(
        "tic_tac_toe_frontends.server.admin.commands.log",
        lambda event, **fields: said.append({"event": event, **fields}),
    )
    _, _, game = await begun(server)
    await order(server, "rename", game=game, seat="X", name=RUDE[:10])
    await order(server, "end", game=game, reason=RUDE)
    await order(server, "ban", network="192.0.2.1", seconds=60, why=RUDE)
    await order(server, "announce", text=RUDE)
    told = [{name: value for name, value in each.items() if value} for each in said]
    assert told == [
        {"event": "operator", "command": "rename", "game": game, "seat": "X"},
        {"event": "operator", "command": "end", "game": game},
        {"event": "operator", "command": "ban", "seconds": 60},
        {"event": "operator", "command": "announce"},
    ]
