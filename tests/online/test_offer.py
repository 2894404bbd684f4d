"""What a server says that it offers can be had: games, computers, programs, values of moves."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.applications import Starlette

from tests.online.visitors import build
from tests.online.world import Guest, World, ask_async
from tests.opponents.brains import text_of
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import FLAGS, find_rules, variant_name
from tic_tac_toe.protocols.online.messages import PROTOCOL
from tic_tac_toe.protocols.online.requests import Create, Hello
from tic_tac_toe_frontends.server import run
from tic_tac_toe_frontends.server.analyst import Analyst, Busy
from tic_tac_toe_frontends.server.args import parse_args
from tic_tac_toe_frontends.server.budgets import Budget, ClientLimits
from tic_tac_toe_frontends.server.computers import Computers
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.web.app import App
from tic_tac_toe_frontends.server.web.http import offer_of, routes
from tic_tac_toe_frontends.table.queries import AnalyseMoves
from tic_tac_toe_frontends.table.served_values import query_of, read, write

pytestmark = pytest.mark.anyio


def offering(kind: str) -> Computers:
    """Return computers of which one is a program of a kind."""
    return Computers(programs={"friend": text_of(kind).removeprefix("gomocup:")})


@pytest.mark.medium
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


# -- what `/online.json` says ----------------------------------------------------------------------


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
    limits = ClientLimits.of(messages=3, games=7)
    server = await world.open(limits=limits)
    rates = (await offer_at(server))["rates"]
    assert (rates["messages"], rates["games"]) == (3, 7)
    assert offer_of("/ws", (), ClientLimits()) is offer_of("/ws", (), ClientLimits())


# -- what moves are worth --------------------------------------------------------------------------

LATE = play_moves(GameState.new(find_rules("connect-four-5x4")), "3 3 3 3 1 1 1 1 5 5")
#: Here the search takes longer than a test has to.
EARLY = play_moves(GameState.new(find_rules("mnk:8,8,4")), "A1")


@pytest.fixture
def app(server: GameServer) -> Starlette:
    return Starlette(routes=routes(server, None))


@pytest.mark.medium
async def test_the_page_is_told_where_to_ask_and_what_moves_are_worth(app: Starlette) -> None:
    path = json.loads((await ask_async(app, "/online.json")).text)["values"]

    reply = await ask_async(app, f"/{path}?{query_of(LATE)}")

    here = AnalyseMoves(LATE)()
    found = read(reply.text, LATE)
    assert here is not None
    assert found is not None
    assert (reply.status, found.moves) == (200, here.moves)


@pytest.mark.parametrize(
    "query",
    ["", "game=connect-four", "game=x&state=y", f"game=tic-tac-toe&state={quote('XXX/XXX/XXX x')}"],
)
async def test_a_query_about_no_state_is_refused_with_a_sentence(
    app: Starlette, query: str
) -> None:
    reply = await ask_async(app, f"/values?{query}")

    assert reply.status == 400
    assert reply.headers["content-type"].startswith("text/plain")
    assert reply.text.strip()


async def test_an_address_has_one_analysis_at_a_time_and_leaves_places_to_others() -> None:
    ann, bob, cid = (Budget(ClientLimits()) for _ in range(3))
    with closing(Analyst(lambda: 0.0, most=2)) as analyst:
        searches = [asyncio.ensure_future(analyst.evaluate(EARLY, ann))]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await analyst.evaluate(LATE, ann)
        searches.append(asyncio.ensure_future(analyst.evaluate(EARLY, bob)))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await analyst.evaluate(LATE, cid)
        for search in searches:
            search.cancel()
        await asyncio.gather(*searches, return_exceptions=True)
        assert len(analyst) == 1  # the one that ran when its client went: others may ask the same


@pytest.mark.medium
async def test_the_next_analysis_is_of_the_address_with_the_most_seconds_left() -> None:
    ann, bob, cid = (Budget(ClientLimits()) for _ in range(3))
    bob.analysing.charge(0.0, 50.0)
    order = list[str]()
    with closing(Analyst(lambda: 0.0)) as analyst:

        async def ask(name: str, budget: Budget, state: GameState) -> None:
            await analyst.evaluate(state, budget)
            order.append(name)

        one, two, three = (LATE.make_move_to(move).after_state for move in LATE.legal_moves[:3])
        await asyncio.gather(ask("ann", ann, one), ask("bob", bob, two), ask("cid", cid, three))

    assert order == ["ann", "cid", "bob"]


async def test_an_address_that_has_used_up_its_seconds_waits_for_them() -> None:
    ann = Budget(ClientLimits())
    ann.analysing.charge(0.0, 61.0)
    with closing(Analyst(lambda: 0.0)) as analyst:
        with pytest.raises(Busy):
            await analyst.evaluate(EARLY, ann)
        assert await analyst.evaluate(GameState.new(find_rules("wild")), ann) == write(None)


@pytest.mark.medium
async def test_an_answer_is_found_once_and_kept_while_there_is_room() -> None:
    ann = Budget(ClientLimits())
    other = LATE.make_move_to(LATE.legal_moves[0]).after_state
    with closing(Analyst(lambda: 0.0, kept=700)) as analyst:
        first = await analyst.evaluate(LATE, ann)
        analyst.most = 0  # from now on only what is kept is answered
        assert await analyst.evaluate(LATE, ann) == first
        with pytest.raises(Busy):
            await analyst.evaluate(other, ann)
        analyst.most = 1
        await analyst.evaluate(other, ann)
        analyst.most = 0
        with pytest.raises(Busy):
            await analyst.evaluate(LATE, ann)


def test_without_the_fast_solver_a_server_says_that_few_positions_are_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def serve(_games: object, _sockets: object, ready: Callable[[int], None], **_: object) -> None:
        ready(8765)

    build(tmp_path, monkeypatch)
    monkeypatch.setattr(run, "serve", serve)
    args = parse_args(["--port", "0", "--data", str(tmp_path / "games"), "--lang", "en"], "serve")
    said = []
    for packages in ({}, {"numpy": None, "numba": None}):
        for name, module in packages.items():
            monkeypatch.setitem(sys.modules, name, module)
        assert run.serve_games(args) == 0
        said.append(capsys.readouterr().out.splitlines()[2:])

    line = "Without the fast solver few positions are solved for the page; to install it: "
    assert said == [[], [line + 'pip install "./library[fast]"']]
