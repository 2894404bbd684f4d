"""Games that end in each way that there is, in a server of the test's own process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from tests.online.world import Guest, begun, play_moves, seated, turn_clock
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import DRAW, LEFT
from tic_tac_toe.protocols.online.game import (
    ABORTED,
    AGREED,
    CLOSED,
    EXPIRED,
    ON_BOARD,
    ON_TIME,
    RESIGNED,
    End,
)
from tic_tac_toe.protocols.online.requests import WIN, Abort, Claim, Leave
from tic_tac_toe_frontends.server.game_server import GameServer

#: A clock on which a player can be claimed to have left after a minute.
SLOW = Clock(600, 0)
MONTH = 31 * 24 * 3600.0


async def win_on_board(server: GameServer) -> tuple[Guest, str]:
    ann, bob, game = await seated(server)
    await play_moves((ann, 0), (bob, 3), (ann, 1), (bob, 4), (ann, 2))
    return ann, game


async def fill_board(server: GameServer) -> tuple[Guest, str]:
    ann, bob, game = await seated(server)
    cells = (0, 1, 2, 4, 3, 5, 7, 6, 8)
    await play_moves(*((bob if ply % 2 else ann, cell) for ply, cell in enumerate(cells)))
    return ann, game


async def resign(server: GameServer) -> tuple[Guest, str]:
    ann, _, game = await begun(server)
    await ann.resign()
    return ann, game


async def agree(server: GameServer) -> tuple[Guest, str]:
    ann, bob, game = await begun(server)
    await bob.offer(DRAW)
    await ann.accept(DRAW)
    return ann, game


async def run_out_of_time(server: GameServer) -> tuple[Guest, str]:
    ann, _, game = await begun(server, clock=SLOW)
    turn_clock(server, 601)
    server.sessions[game].check_flag()
    return ann, game


async def _claim(server: GameServer, what: str) -> tuple[Guest, str]:
    ann, bob, game = await begun(server, clock=SLOW)
    bob.leave()
    turn_clock(server, 61)
    await ann.ask(Claim(ann.new_id(), ann.version, what))
    return ann, game


async def claim_win(server: GameServer) -> tuple[Guest, str]:
    return await _claim(server, WIN)


async def claim_draw(server: GameServer) -> tuple[Guest, str]:
    return await _claim(server, DRAW)


async def close(server: GameServer) -> tuple[Guest, str]:
    ann = Guest(server)
    game = await ann.create()
    await ann.ask(Leave(ann.new_id()))
    return ann, game


async def abort(server: GameServer) -> tuple[Guest, str]:
    ann, _, game = await seated(server)
    await ann.ask(Abort(ann.new_id()))
    return ann, game


async def make_no_first_move(server: GameServer) -> tuple[Guest, str]:
    ann, _, game = await seated(server, clock=SLOW)
    turn_clock(server, 61)
    server.sessions[game].check_flag()
    return ann, game


async def forget(server: GameServer) -> tuple[Guest, str]:
    ann, _, game = await begun(server)
    turn_clock(server, MONTH)
    await server.housekeeper.expire_games()
    return ann, game


class Ending(NamedTuple):
    """A way in which a game ends.

    Attributes:
        play: plays such a game, and returns somebody who sits there and the game's address.
        end: how it ended.
        kind: of the event that ends it.
    """

    play: Callable[[GameServer], Awaitable[tuple[Guest, str]]]
    end: End
    kind: str


ENDINGS: Mapping[str, Ending] = MappingProxyType(
    {
        "win": Ending(win_on_board, End("X", ON_BOARD), "move"),
        "full board": Ending(fill_board, End("", ON_BOARD), "move"),
        "resigned": Ending(resign, End("O", RESIGNED), "resign"),
        "agreed": Ending(agree, End("", AGREED), "accept"),
        "time": Ending(run_out_of_time, End("O", ON_TIME), "flag"),
        "claimed win": Ending(claim_win, End("X", LEFT), "flag"),
        "claimed draw": Ending(claim_draw, End("", LEFT), "expire"),
        "closed": Ending(close, End("", CLOSED), "close"),
        "aborted": Ending(abort, End("", ABORTED), "expire"),
        "no first move": Ending(make_no_first_move, End("", ABORTED), "expire"),
        "forgotten": Ending(forget, End("", EXPIRED), "expire"),
    }
)
