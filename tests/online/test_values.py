"""A game server tells pages what moves are worth, and nobody waits for those who ask much."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette

from tests.online.logs import opened
from tests.online.visitors import build
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.server import service
from tic_tac_toe_frontends.server.analyst import Analyst, Busy
from tic_tac_toe_frontends.server.args import parse_args
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.rate_limits import Allowance
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.web.http import routes
from tic_tac_toe_frontends.table.queries import AnalyseMoves
from tic_tac_toe_frontends.table.served_values import query_of, read

from tests.online.world import ask

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
