"""Computers play like anybody else, hold up nobody, and are what a server says that it offers."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.applications import Starlette

from tests.online import thoughts
from tests.online.logs import opened
from tests.online.processes import PATIENCE
from tests.online.visitors import build
from tests.online.world import (
    Guest,
    World,
    ask,
    ask_async,
    kill,
    opened,
    play_moves,
    rest,
    seated,
    until,
)
from tests.opponents.brains import text_of
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tic_tac_toe.logic.rules.flags import FLAGS
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK, details_of
from tic_tac_toe.protocols.online.limits import PROTOCOL
from tic_tac_toe.protocols.online.requests import Create, Hello
from tic_tac_toe_frontends.server import computers, service
from tic_tac_toe_frontends.server.analyst import Analyst, Busy
from tic_tac_toe_frontends.server.args import parse_args
from tic_tac_toe_frontends.server.computers import Computers
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.rate_limits import Account, Allowance
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.thoughts import STOPPED_SECONDS, Thought, Turns
from tic_tac_toe_frontends.server.web.app import App
from tic_tac_toe_frontends.server.web.http import routes
from tic_tac_toe_frontends.server.web.offer import offer_of
from tic_tac_toe_frontends.table.queries import AnalyseMoves
from tic_tac_toe_frontends.table.served_values import query_of, read

pytestmark = pytest.mark.anyio

# == Computers play like anybody else, and hold up nobody, whatever their strategies do.


@pytest.fixture(autouse=True)
def strange_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the names in `thoughts` stand for strategies that go wrong."""
    monkeypatch.setattr(computers, "choose", thoughts.choose)


async def play_on(guest: Guest, seat: str) -> None:
    """Play a seat to the end of the game."""
    while True:
        await guest.until(
            lambda: (game := guest.game) and (game.end is not None or game.turn == seat)
        )
        game = guest.game
        assert game is not None
        if game.end is not None:
            return
        assert (await guest.move(game.rules.moves(game.position)[0])).status == "ok"


@pytest.mark.parametrize("seat", ["X", "O"])
@pytest.mark.parametrize("starting", ["X", "O"])
async def test_a_computer_plays_either_seat_and_begins_if_it_has_to(
    seat: str, starting: str, server: GameServer
) -> None:
    guest = Guest(server)
    game = await guest.create(opponent="rules", seat=seat, starting=starting)
    await play_on(guest, seat)
    moves = [event for event in server.store.events(game) if event.kind == "move"]
    assert len(moves) >= 5
    assert moves[0].seat == starting
    assert all(one.seat != other.seat for one, other in pairwise(moves))


async def test_a_computer_takes_back_declines_draws_and_plays_again(server: GameServer) -> None:
    guest = Guest(server)
    game = await guest.create(opponent="rules")
    assert (await guest.move(0)).status == "ok"
    await guest.until(lambda: guest.heard("move", "O"))
    await guest.offer(DRAW)
    (declined,) = await guest.until(lambda: guest.heard("decline"))
    assert (details_of(declined.event)["text"], declined.event.seat) == (DRAW, "O")
    await guest.offer(TAKE_BACK)
    (accepted,) = await guest.until(lambda: guest.heard("accept"))
    assert details_of(accepted.event)["text"] == TAKE_BACK
    room = server.sessions[game]
    assert room.game is not None
    assert room.game.moves == ()
    assert (await guest.move(8)).status == "ok"
    await guest.until(lambda: len(guest.heard("move", "O")) == 2)
    await guest.resign()
    await guest.offer(REMATCH)
    (accepted,) = await guest.until(lambda: guest.heard("accept")[1:])
    follower = accepted.event.follower
    welcome = await guest.hello(follower, guest.token)
    assert welcome.seat == "O"
    await play_on(guest, "O")
    first = next(event for event in server.store.events(follower) if event.kind == "move")
    assert first.seat == "X"


async def test_what_is_taken_back_while_a_computer_thinks_is_not_answered(
    server: GameServer,
) -> None:
    guest = Guest(server)
    game = await guest.create(opponent=thoughts.SLOW)
    assert (await guest.move(0)).status == "ok"
    await guest.offer(TAKE_BACK)
    await guest.until(lambda: guest.heard("accept"))
    await guest.until(lambda: len(server.computers) == 0)
    await rest(server)
    assert not guest.heard("move", "O")
    assert (await guest.move(4)).status == "ok"
    await guest.say("take your time")
    await guest.until(lambda: guest.heard("move", "O"))
    await guest.until(lambda: len(server.computers) == 0)
    await rest(server)
    kinds = [event.kind for event in server.store.events(game)]
    assert kinds.count("move") == 3


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_a_computer_whose_turn_it_was_moves_after_a_restart(how: str, world: World) -> None:
    class Thoughtless(Computers):
        def consider(self, *_: Any) -> None:
            pass

    server = await world.open(computers=Thoughtless())
    guest = Guest(server)
    game = await guest.create(opponent="rules")
    assert (await guest.move(0)).status == "ok"
    if how == "killed":
        await kill(server)
    server = await world.open()
    again = Guest(server)
    await again.hello(game, guest.token)
    await again.until(lambda: again.heard("move", "O"))
    await play_on(again, "X")


async def check_replaced(world: World, made: Computers, strategy: str, seconds: float) -> None:
    """Let a strategy go wrong."""
    server = await world.open(computers=made)
    guest = Guest(server)
    await guest.create(opponent=strategy)
    assert (await guest.move(0)).status == "ok"
    await until(lambda: guest.heard("move", "O"), "the computer moves", seconds)
    await guest.until(lambda: len(server.computers) == 0)
    if strategy != thoughts.ENDLESS:
        await play_on(guest, "X")


@pytest.mark.parametrize("strategy", [thoughts.ENDLESS, thoughts.DYING, thoughts.FAULTY])
async def test_a_strategy_that_goes_wrong_is_replaced(strategy: str, tmp_path: Path) -> None:
    await check_replaced(tmp_path, Computers(longest=1.0), strategy, 60)


async def check_undelayed(world: World, made: Computers, strategy: str) -> None:
    """Play a game to its end while a computer player thinks in another."""
    server = await world.open(computers=made)
    guest = Guest(server)
    await guest.create(opponent=strategy)
    ann, bob, _ = await seated(server)
    assert (await guest.move(0)).status == "ok"
    await play_moves((ann, 0), (bob, 3), (ann, 1), (bob, 4), (ann, 2))
    assert not guest.heard("move", "O"), "the others waited for the computer"


async def test_a_thought_delays_no_other_game(tmp_path: Path) -> None:
    await check_undelayed(tmp_path, Computers(longest=3600), thoughts.ENDLESS)


# -- strangers -------------------------------------------------------------------------------------


async def test_a_game_has_one_thought_which_ends_when_the_game_goes_on(world: World) -> None:
    server = await world.open(computers=Computers(longest=3600))
    guest = Guest(server)
    await guest.create(opponent=thoughts.ENDLESS)
    for _ in range(3):
        assert (await guest.move(0)).status == "ok"
        assert len(server.computers) == 1
        await guest.offer(TAKE_BACK)
        await guest.until(lambda: guest.game and not guest.game.moves)
        assert len(server.computers) == 0
    assert (await guest.move(0)).status == "ok"
    assert len(server.computers) == 1
    await guest.resign()
    assert len(server.computers) == 0


async def check_that_nobody_waits_for_a_stranger(world: World, patience: float) -> None:
    """Let one address ask for more thoughts than can be had, and two others for one each."""
    server = await world.open(computers=Computers(longest=3600))
    for _ in range(20):
        greedy = Guest(server, "192.0.2.66")
        await greedy.create(opponent=thoughts.ENDLESS)
        assert (await greedy.move(0)).status == "ok"
    quick, slow = Guest(server, "192.0.2.2"), Guest(server, "192.0.2.3")
    await quick.create(opponent="easy")
    await slow.create(opponent="minimax")
    assert server.computers.waiting >= 18
    assert (await quick.move(0)).status == "ok"
    await until(lambda: quick.heard("move", "O"), "an easy computer moves", patience)
    greedy.connection.account.thinking.charge(server.clock(), 1000)
    assert (await slow.move(0)).status == "ok"
    await until(lambda: slow.heard("move", "O"), "a strong computer moves", patience)


async def test_nobody_waits_for_the_computers_of_a_stranger(tmp_path: Path) -> None:
    await check_that_nobody_waits_for_a_stranger(tmp_path, PATIENCE)


async def test_the_wait_for_a_thought_is_counted(world: World) -> None:
    server = await world.open(computers=Computers(longest=3600))
    ann, bob = Guest(server), Guest(server)
    for guest in (ann, bob):
        await guest.create(opponent=thoughts.ENDLESS)
        assert (await guest.move(0)).status == "ok"
    sample = server.registry.get_sample_value
    assert sample("tictactoe_thoughts") == 2
    assert sample("tictactoe_thoughts_waiting") == 1
    assert sample("tictactoe_thought_wait_seconds_count") == 1


async def test_a_computer_is_seen_to_be_there_and_has_no_token(server: GameServer) -> None:
    guest = Guest(server)
    game = await guest.create(opponent="rules")
    assert server.sessions[game].followers.presence.seats == ("X", "O")
    stranger = Guest(server)
    assert (await stranger.join(game)).reason == "seat_taken"
    assert (await stranger.hello(game)).seat == ""
    assert (await stranger.ask(stranger.greeting(game, "A" * 22))).reason == "unknown_game"


async def test_a_game_that_has_left_the_memory_is_found_again_by_the_thought(
    server: GameServer,
) -> None:
    guest = Guest(server)
    game = await guest.create(opponent=thoughts.SLOW)
    assert (await guest.move(0)).status == "ok"
    guest.leave()
    await rest(server)
    server.sessions.drop(server.sessions[game])
    assert game not in server.sessions
    again = Guest(server)
    await again.hello(game, guest.token)
    await again.until(lambda: again.heard("move", "O"))
    assert len(server.store.events(game)) == 3


# == Computers think for one address after the other, whatever any of them asks for.


class Desk:
    """Turns with a clock that the test moves, and thoughts that note when they begin and stop."""

    def __init__(self, slots: int = 1) -> None:
        self.now = 0.0
        self.turns = Turns(slots, lambda: self.now)
        self.stopped: list[str] = []
        self._games: Iterator[int] = count(1)

    def account(self, seconds: float = 10.0) -> Account:
        """Return an account with some seconds of thinking at once, and one in ten after that."""
        return Account(Allowance(thinking_at_once=seconds, thinking=0.1), self.now)

    def ask(self, owner: Account | None, version: int = 1) -> Thought:
        """Let a new game of somebody wait for a move."""
        game = f"g{next(self._games)}"

        def begin(_: Thought) -> Callable[[], object]:
            return lambda: self.stopped.append(game)

        thought = Thought(game, version, owner, self.now, begin)
        self.turns.add(thought)
        return thought

    def run(self, seconds: float) -> list[Thought]:
        """Let the searches that run, and those that begin then, take some seconds; return them."""
        self.begin()
        self.now += seconds
        ended = list(self.turns.running.values())
        for thought in ended:
            assert self.turns.done(thought)
        return ended

    def begin(self) -> list[Thought]:
        """Begin what can begin now, and return it."""
        begun = []
        while (thought := self.turns.begin()) is not None:
            begun.append(thought)
        return begun


def test_addresses_take_turns_however_many_games_one_of_them_has() -> None:
    desk = Desk()
    many, one = desk.account(1000), desk.account()
    for _ in range(63):
        desk.ask(many)
    desk.run(1.0)
    theirs = desk.ask(one)
    assert theirs in desk.run(1.0) + desk.run(1.0)


def test_an_address_with_several_searches_gives_one_up_for_an_address_with_none() -> None:
    desk = Desk(slots=3)
    many, one = desk.account(), desk.account()
    mine = [desk.ask(many) for _ in range(5)]
    assert desk.begin() == mine[:3]
    theirs = desk.ask(one)
    assert desk.begin() == [theirs]
    assert desk.stopped == [mine[2].game]
    waiting = desk.turns.find(mine[2].game)
    assert waiting is not None
    assert waiting.begun is None
    assert desk.turns.waiting == 3


def test_an_address_without_thinking_seconds_gives_way_to_all_others() -> None:
    desk = Desk()
    spender, other = desk.account(5.0), desk.account()
    desk.ask(spender)
    desk.run(6.0)
    long = desk.ask(spender)
    assert desk.begin() == [long], "nobody else waits"
    theirs = desk.ask(other)
    assert desk.begin() == [theirs]
    assert desk.stopped == [long.game]
    assert desk.run(1.0) == [theirs]
    assert [thought.game for thought in desk.begin()] == [long.game]


def test_thinking_seconds_come_back() -> None:
    desk = Desk()
    spender, other = desk.account(5.0), desk.account()
    desk.ask(spender)
    desk.run(6.0)
    desk.now += 11.0
    first, second = desk.ask(spender), desk.ask(other)
    assert desk.run(1.0) == [first]
    assert desk.run(1.0) == [second]


def test_games_that_nobody_has_come_to_wait_for_all_others() -> None:
    desk = Desk()
    nobody, somebody = desk.ask(None), desk.ask(desk.account())
    assert desk.run(1.0) == [somebody]
    assert desk.run(1.0) == [nobody]


def test_a_search_that_is_stopped_costs_a_second_and_a_pause() -> None:
    desk = Desk()
    account = desk.account(10.0)
    thought = desk.ask(account)
    desk.begin()
    desk.turns.drop(thought.game)
    assert desk.stopped == [thought.game]
    assert not desk.turns.done(thought), "its end is of no interest any more"
    assert account.thinking.left == 10.0 - STOPPED_SECONDS
    again = desk.ask(account)
    assert desk.begin() == []
    assert desk.turns.pause() == STOPPED_SECONDS
    desk.now += STOPPED_SECONDS
    assert desk.begin() == [again]


def test_a_thought_that_still_waits_is_dropped_for_nothing() -> None:
    desk = Desk()
    account = desk.account(10.0)
    desk.turns.drop(desk.ask(account).game)
    assert (len(desk.turns), desk.stopped, account.thinking.left) == (0, [], 10.0)


def test_all_thoughts_are_cleared_at_once() -> None:
    desk = Desk(slots=2)
    thoughts = [desk.ask(desk.account()) for _ in range(4)]
    desk.begin()
    desk.turns.clear()
    assert len(desk.turns) == 0
    assert desk.stopped == [thought.game for thought in thoughts[:2]]


@pytest.mark.parametrize("slots", [1, 2])
def test_every_thought_is_had_in_the_end(slots: int) -> None:
    desk = Desk(slots)
    owners = [desk.account(3.0), desk.account(), None, desk.account(100.0)]
    asked = {desk.ask(owners[number % 4]).game for number in range(40)}
    ended: set[str] = set()
    for _ in range(60):
        ended |= {thought.game for thought in desk.run(1.0)}
    assert ended == asked


# == A server's operator offers programs by name; clients see and ask for nothing but names.


def offering(kind: str) -> Computers:
    """Return computers of which one is a program of a kind."""
    return Computers(programs={"friend": text_of(kind).removeprefix("gomocup:")})


@pytest.mark.parametrize("kind", ["honest", "crashing"])
async def test_an_offered_program_plays_and_simple_rules_do_where_it_fails(
    kind: str, world: World
) -> None:
    server = await world.open(computers=offering(kind))
    guest = Guest(server)
    await guest.create("gomoku", opponent="friend")
    assert (await guest.move(112)).status == "ok"
    await guest.until(lambda: guest.game is not None and len(guest.game.moves) == 2)
    game = guest.game
    assert game is not None
    if kind == "honest":
        assert game.moves[1] == 0
    player = game.player("O")
    assert player is not None
    assert (player.name, player.strategy) == ("friend", "friend")


@pytest.mark.parametrize(
    ("opponent", "variant", "starting"),
    [("nobody", "gomoku", "X"), ("friend", "tic-tac-toe", "X"), ("friend", "renju", "O")],
)
async def test_a_player_that_is_not_offered_for_a_game_is_refused(
    opponent: str, variant: str, starting: str, world: World
) -> None:
    server = await world.open(computers=offering("honest"))
    guest = Guest(server)
    request = Create(guest.new_id(), guest.token, variant, opponent=opponent, starting=starting)
    answer = await guest.ask(request)
    assert (answer.status, answer.reason) == ("illegal", "no_opponent")


async def test_a_client_that_follows_no_game_is_told_the_names_and_no_path(world: World) -> None:
    server = await world.open(computers=offering("honest"))
    guest = Guest(server)
    welcome = await guest.answer(guest.send(Hello(guest.new_id(), PROTOCOL)))
    assert welcome.opponents == ("friend",)
    assert not any("brains.py" in text for text in guest.socket.texts)


async def test_the_command_line_names_programs_and_thinking_time() -> None:
    args = parse_args(["--brain", "friend=sh", "--brain", "other=sh -e", "--think", "3"], "serve")
    assert dict(args.brain) == {"friend": "sh", "other": "sh -e"}
    assert args.think == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(
            ("sh", "a name of letters and digits"),
            ("minimax=sh", "a name of letters and digits"),
            ("a/b=sh", "a name of letters and digits"),
        ),
        *(
            ("=sh", "a name of letters and digits"),
            ("friend=/no/file", 'there is no file "/no/file"'),
        ),
        ("friend=", "the path of a program is missing"),
    ],
)
async def test_a_program_without_a_name_of_its_own_or_a_file_is_refused(
    text: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse_args(["--brain", text], "serve")
    told = capsys.readouterr().err
    assert reason in told


# == What `/online.json` offers can be had.


async def offer_at(server: GameServer) -> Any:
    """Return what a server says that it offers."""
    return json.loads((await ask_async(App(server).pages, "/online.json")).text)


def is_known(name: str) -> bool:
    """Return whether a game is called so."""
    try:
        find_rules(name)
    except InvalidVariant:
        return False
    return True


async def test_every_game_that_is_offered_has_this_board_and_goes_with_these_flags_only(
    server: GameServer,
) -> None:
    for variant in (await offer_at(server))["variants"]:
        name = variant["name"]
        rules = find_rules(name)
        assert variant_name(rules) == name
        has_two_moves_a_cell = max(rules.moves(Position())) >= rules.shape.cells
        assert (variant["rows"], variant["columns"]) == rules.shape
        assert has_two_moves_a_cell == variant["letters"]
        assert {flag for flag in FLAGS if is_known(f"{name},{flag}")} == {*variant["flags"]}


async def test_games_by_numbers_go_up_to_the_sizes_that_are_offered(server: GameServer) -> None:
    for family in (await offer_at(server))["families"]:
        name, (least, most) = family["name"], family["columns"]
        assert family["rows"] == family["length"] == [least, most]
        assert is_known(f"{name}:{least},{least},{least}")
        assert is_known(f"{name}:{most},{least},{most}")
        assert not is_known(f"{name}:{most + 1},{least},{least}")
        assert {flag for flag in FLAGS if is_known(f"{name}:6,5,4,{flag}")} == {*family["flags"]}


async def test_every_computer_player_that_is_offered_plays(world: World) -> None:
    computers = Computers(programs={"wine": "/nowhere/wine"})
    computers.consider = lambda *_: None  # type: ignore[method-assign]  # it need not move
    server = await world.open(computers=computers)
    offer, guest = await offer_at(server), Guest(server)
    assert offer["programs"] == ["wine"]
    for name in (*offer["strategies"], "wine"):
        assert await guest.create("gomoku", opponent=name)
    other = Create(guest.new_id(), guest.token, "gomoku", opponent="nobody")
    assert (await guest.ask(other)).reason == "no_opponent"


async def test_the_rates_are_those_of_the_operator_and_the_text_is_made_once(world: World) -> None:
    allowance = Allowance(messages=3.0, games=7)
    server = await world.open(allowance=allowance)
    rates = (await offer_at(server))["rates"]
    assert (rates["messages"], rates["games"]) == (3.0, 7)
    assert offer_of("/ws", (), Allowance()) is offer_of("/ws", (), Allowance())


# == A game server tells pages what moves are worth, and nobody waits for those who ask much.

LATE = parse_moves(GameState.new(find_rules("connect-four-5x4")), "3 3 3 3 1 1 1 1 5 5")
#: Here the search takes longer than a test has to.
EARLY = parse_moves(GameState.new(find_rules("mnk:8,8,4")), "A1")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    with opened(SqliteStore(tmp_path / "games.sqlite")) as store:
        server = GameServer(store)
        yield server
        server.analyst.close()


@pytest.fixture
def app(server: GameServer) -> Starlette:
    return Starlette(routes=routes(server, None))


def test_the_page_is_told_where_to_ask_and_what_moves_are_worth(app: Starlette) -> None:
    path = json.loads(ask(app, "/online.json").text)["values"]

    reply = ask(app, f"/{path}?{query_of(LATE)}")

    here = AnalyseMoves(LATE)()
    found = read(reply.text, LATE)
    assert here is not None
    assert found is not None
    assert (reply.status, found.moves) == (200, here.moves)


@pytest.mark.parametrize(
    "query",
    ["", "game=connect-four", "game=x&state=y", f"game=tic-tac-toe&state={quote('XXX/XXX/XXX x')}"],
)
def test_a_query_about_no_state_is_refused_with_a_sentence(app: Starlette, query: str) -> None:
    reply = ask(app, f"/values?{query}")

    assert reply.status == 400
    assert reply.headers["content-type"].startswith("text/plain")
    assert reply.text.strip()


def test_an_address_that_asks_for_more_than_it_may_is_told_when_to_ask_again(
    tmp_path: Path,
) -> None:
    with opened(SqliteStore(tmp_path / "games.sqlite")) as store:
        server = GameServer(store, allowance=Allowance(pages=0.001, pages_at_once=2))
        app = Starlette(routes=routes(server, None))
        replies = [ask(app, "/values") for _ in range(3)]

    assert [reply.status for reply in replies] == [400, 400, 429]
    assert int(replies[-1].headers["retry-after"]) >= 1


def test_an_address_has_one_analysis_at_a_time_and_leaves_places_to_others() -> None:
    analyst = Analyst(most=2)

    async def use() -> None:
        searches = [asyncio.ensure_future(analyst.ask(EARLY, "2001:db8::1"))]
        await asyncio.sleep(0)
        for neighbour in ("2001:db8::1", "2001:db8::2"):
            with pytest.raises(Busy):
                await analyst.ask(LATE, neighbour)
        searches.append(asyncio.ensure_future(analyst.ask(EARLY, "192.0.2.2")))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await analyst.ask(LATE, "192.0.2.3")
        for search in searches:
            search.cancel()
        await asyncio.gather(*searches, return_exceptions=True)
        assert len(analyst) == 0

    try:
        asyncio.run(use())
    finally:
        analyst.close()


def test_an_answer_is_found_once_and_kept_while_there_is_room() -> None:
    analyst = Analyst(kept=1)
    other = LATE.make_move_to(LATE.legal_moves[0]).after_state

    async def use() -> None:
        first = await analyst.ask(LATE, "192.0.2.1")
        analyst.most = 0  # from now on only what is kept is answered
        assert await analyst.ask(LATE, "192.0.2.1") == first
        with pytest.raises(Busy):
            await analyst.ask(other, "192.0.2.1")
        analyst.most = 1
        await analyst.ask(other, "192.0.2.1")
        analyst.most = 0
        with pytest.raises(Busy):
            await analyst.ask(LATE, "192.0.2.1")

    try:
        asyncio.run(use())
    finally:
        analyst.close()


def test_without_the_fast_solver_a_server_says_that_few_positions_are_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def serve(_games: object, _sockets: object, ready: Callable[[int], None], **_: object) -> None:
        ready(8765)

    build(tmp_path, monkeypatch)
    monkeypatch.setattr(service, "serve", serve)
    args = parse_args(["--port", "0", "--data", str(tmp_path / "games"), "--lang", "en"], "serve")
    said = []
    for packages in ({}, {"numpy": None, "numba": None}):
        for name, module in packages.items():
            monkeypatch.setitem(sys.modules, name, module)
        assert service.serve_games(args) == 0
        said.append(capsys.readouterr().out.splitlines()[2:])

    line = "Without the fast solver few positions are solved for the page; to install it: "
    assert said == [[], [line + 'pip install "./library[fast]"']]
