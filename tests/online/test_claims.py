"""Who is left alone can end the game, after a while in which the server saw it; nobody else can."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.online.guests import Guest, begun, kill, opened, rest, seated, turn_clock
from tic_tac_toe.protocols.online.clocks import Clock, claim_seconds, first_move_seconds
from tic_tac_toe.protocols.online.replies import Presence
from tic_tac_toe.protocols.online.requests import Abort, Claim
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.presence import Followers

pytestmark = pytest.mark.anyio

FILE = "games.sqlite"
#: A game in which a player can be claimed to have left after a minute.
SLOW = Clock(600, 0)


async def claim(guest: Guest, what: str = "win") -> str:
    """Claim, and return the status and the reason of the answer."""
    answer = await guest.ask(Claim(guest.new_id(), guest.version, what))
    return f"{answer.status} {answer.reason}".strip()


def test_the_wait_is_shorter_with_a_quick_clock_and_there_is_none_with_a_slow_one() -> None:
    clocks = (Clock(5), Clock(120), SLOW, Clock(3_600), Clock(86_400), None)
    assert [claim_seconds(clock) for clock in clocks] == [15, 24, 60, 60, None, 300]
    assert [first_move_seconds(clock) for clock in clocks] == [60, 60, 60, 360, 8_640, 0]


@pytest.mark.parametrize(("what", "result"), [("win", "X"), ("draw", "draw")])
async def test_who_was_left_alone_for_a_while_claims_the_win_or_a_draw(
    what: str, result: str, server: GameServer
) -> None:
    ann, bob, game = await begun(server, clock=SLOW)
    bob.leave()
    turn_clock(server, 59)
    assert await claim(ann, what) == "illegal not_gone"
    turn_clock(server, 2)
    assert await claim(ann, what) == "ok"
    await rest(server)
    row = server.store.row(game)
    assert row is not None
    assert row.result == result
    assert ann.game is not None
    end = ann.game.end
    assert end is not None
    assert end.reason == "left"


async def test_a_claim_that_is_sent_twice_is_one_claim(server: GameServer) -> None:
    ann, bob, _ = await begun(server, clock=SLOW)
    bob.leave()
    turn_clock(server, 61)
    request = Claim("c", ann.version)
    first, again = await ann.ask(request), await ann.ask(request)
    assert (first.status, again.status) == ("ok", "duplicate")
    assert first.version == again.version


async def check_return(server: GameServer) -> None:
    """Claim after the other player has been gone for long, and come back."""
    ann, bob, game = await begun(server, clock=SLOW)
    bob.leave()
    turn_clock(server, 61)
    back = Guest(server)
    await back.hello(game, bob.token)
    assert await claim(ann) == "illegal not_gone"
    back.leave()
    turn_clock(server, 59)
    assert await claim(ann) == "illegal not_gone"


async def test_a_player_who_is_back_or_was_a_moment_ago_has_not_left(server: GameServer) -> None:
    await check_return(server)


async def test_a_server_that_forgets_that_somebody_came_back_is_found(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Followers.claimable_at
    first: dict[str, int] = {}

    def earliest(self: Followers, seat: str) -> int | None:
        at = honest(self, seat)
        return at if at is None else first.setdefault(seat, at)

    monkeypatch.setattr(Followers, "claimable_at", earliest)
    with pytest.raises(AssertionError):
        await check_return(server)


async def check_network(server: GameServer) -> None:
    """Let both lose their connections, as when the server's network fails, and one come back."""
    ann, bob, game = await begun(server, clock=SLOW)
    for guest in (ann, bob):
        guest.leave()
    turn_clock(server, 300)
    back = Guest(server)
    await back.hello(game, ann.token)
    assert await claim(back) == "illegal not_gone"


async def test_the_time_in_which_nobody_was_there_is_held_against_nobody(
    server: GameServer,
) -> None:
    await check_network(server)


async def test_a_server_that_counts_the_time_from_the_last_sight_is_found(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Followers, "claimable_at", lambda self, seat: 0)
    with pytest.raises(AssertionError):
        await check_network(server)


@pytest.mark.parametrize("killed", [False, True])
async def test_the_time_begins_anew_with_the_server(killed: bool, tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as server:
        ann, bob, game = await begun(server, clock=SLOW)
        bob.leave()
        turn_clock(server, 55)
        if killed:
            await kill(server)
    async with opened(tmp_path / FILE) as server:
        again = Guest(server)
        await again.hello(game, ann.token)
        turn_clock(server, 59)
        assert await claim(again) == "illegal not_gone"


async def test_the_time_in_which_the_machine_slept_does_not_count(server: GameServer) -> None:
    ann, bob, _ = await begun(server)
    bob.leave()
    awake_at = server.uptime.awake_at
    turn_clock(server, 3_600)
    server.uptime.awake_at = awake_at
    assert await claim(ann) == "illegal not_gone"
    await server.uptime.beat(clocks_run=False)
    assert await claim(ann) == "illegal not_gone"
    turn_clock(server, 301)
    assert await claim(ann) == "ok"


async def test_nobody_claims_against_a_computer_or_from_outside_or_before_both_have_moved(
    server: GameServer,
) -> None:
    ann, bob, game = await seated(server, clock=SLOW)
    bob.leave()
    turn_clock(server, 61)
    assert await claim(ann) == "illegal not_gone" or ann.heard("expire")
    lone = Guest(server)
    await lone.create(opponent="rules")
    assert (await lone.move(4)).status == "ok"
    turn_clock(server, 1_000)
    assert await claim(lone) in ("illegal not_gone", "stale")
    watcher = Guest(server)
    await watcher.hello(game)
    assert await claim(watcher) == "illegal not_seated"


async def test_the_player_who_is_there_is_told_when_the_game_can_be_claimed(
    server: GameServer,
) -> None:
    ann, bob, _ = await begun(server, clock=SLOW)
    bob.leave()

    def told() -> Presence | None:
        presence = ann.last(Presence)
        return presence if presence is not None and presence.seats == ("X",) else None

    presence = await ann.until(told)
    assert 50_000 < presence.claim_in <= 60_000


async def test_presence_is_told_when_it_changes_and_not_again(server: GameServer) -> None:
    ann, bob, game = await begun(server)
    await ann.until(lambda: (each := ann.last(Presence)) and each.seats == ("X", "O"))
    count = sum(isinstance(reply, Presence) for reply in ann.socket.replies)
    for _ in range(3):
        assert (await bob.say()).status == "ok"
        server.sessions[game].followers.look()
    late = Guest(server)
    await late.hello(game, bob.token)  # a second window of the same player
    await late.until(lambda: late.last(Presence))
    assert sum(isinstance(reply, Presence) for reply in ann.socket.replies) == count


# -- aborting --------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [0, 1])
async def test_either_player_aborts_a_game_before_both_have_moved(
    moves: int, server: GameServer
) -> None:
    ann, bob, game = await seated(server)
    if moves:
        assert (await ann.move(4)).status == "ok"
    assert (await bob.ask(Abort("a"))).status == "ok"
    assert (await bob.ask(Abort("a"))).status == "duplicate"
    row = server.store.row(game)
    assert row is not None
    assert (row.stage, row.result) == ("over", "")


async def test_a_game_in_which_both_have_moved_is_not_aborted_even_after_a_take_back(
    server: GameServer,
) -> None:
    ann, bob, _ = await begun(server)
    assert (await ann.offer("takeback")).status == "ok"
    assert (await bob.accept("takeback")).status == "ok"
    for guest in (ann, bob):
        assert (await guest.ask(Abort("a"))).reason == "both_moved"
