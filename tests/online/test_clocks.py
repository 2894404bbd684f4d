"""Clocks, claims and every other end of a game: what is charged, what is told, who may end it."""

from __future__ import annotations

import json
import random

import pytest

from tests.online.endings import ENDINGS, SLOW, fill_board
from tests.online.world import (
    Guest,
    Still,
    World,
    agree_on_rematch,
    begun,
    kill,
    outcome,
    play_moves,
    rest,
    seated,
    turn_clock,
    until,
)
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock, claim_seconds, first_move_seconds
from tic_tac_toe.protocols.online.game import ABORTED, CLOSED, ENDS, EXPIRED, replay
from tic_tac_toe.protocols.online.replies import Answer, Presence, write_reply
from tic_tac_toe.protocols.online.requests import (
    Abort,
    Chat,
    Claim,
    Events,
    Move,
    Request,
    read_request,
)
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.backup import verify
from tic_tac_toe_frontends.server.uptime import TimeOfDay

pytestmark = pytest.mark.anyio


DAY = 24 * 3_600_000


class Later(Still):
    """The same server an hour later, whatever it was turned on by before."""

    def now(self) -> int:
        return super().now() + 3_600_000


async def left_after(guest: Guest, version: int) -> tuple[int, int]:
    """Return what the clocks showed after an event."""
    (news,) = await guest.until(
        lambda: [news for news in guest.happened if news.event.version == version]
    )
    assert news.clock is not None
    return news.clock  # type: ignore[no-any-return]


async def test_the_player_to_move_is_charged_and_given_the_increment(world: World) -> None:
    server = await world.open(kind=Still)
    ann, bob, _ = await begun(server, clock=Clock(60, 3))
    turn_clock(server, 20)
    assert (await ann.move(8)).status == "ok"
    assert await left_after(bob, 5) == (43_000, 60_000)
    turn_clock(server, 10)
    await ann.say("your move")
    assert await left_after(bob, 6) == (43_000, 50_000)
    assert (await bob.move(1)).status == "ok"
    assert await left_after(bob, 7) == (43_000, 53_000)


async def test_what_is_kept_beside_the_events_keeps_up_with_the_clock(server: GameServer) -> None:
    ann, bob, game = await begun(server, clock=Clock(60, 3))
    for player, cell in ((ann, 8), (bob, 1)):
        turn_clock(server, 10)
        assert (await player.move(cell)).status == "ok"
        row = server.store.row(game)
        assert row is not None
        assert row == server.sessions[game].loaded.row
        assert server.store.running_clocks(row.deadline or 0) == [game]
        assert verify(server.store).problems == ()


# -- flags -----------------------------------------------------------------------------------------


async def check_flag_falls(server: GameServer, game: str, last: int) -> None:
    """Let the time of a server run out, and see that a flag falls and is the last event."""
    turn_clock(server, 0.1)
    await until(lambda: len(server.store.events(game)) == last, "a flag falls")
    assert server.store.events(game)[-1].kind == "flag"
    await rest(server)
    assert outcome(server, game) == ("over", "O", None)


async def almost_out(server: GameServer) -> tuple[Guest, Guest, str]:
    """Return two guests whose last move was the sixth event, X having 50 ms left on the clock."""
    ann, bob, game = await begun(server, clock=Clock(60, 0))
    turn_clock(server, 59.95)
    await server.writer.run(server.store.beat, server.now())
    await play_moves((ann, 8), (bob, 1))
    return ann, bob, game


async def test_a_flag_falls_though_nobody_asks_for_anything(world: World) -> None:
    server = await world.open(kind=Still)
    ann, bob, game = await almost_out(server)
    await check_flag_falls(server, game, 7)
    (news,) = await bob.until(lambda: bob.heard("flag"))
    assert news.event.seat == "X"
    assert news.clock == (0, 60_000)
    assert news.event.time == server.now()
    answer = await ann.ask(Move("m", 6, 8))
    assert (answer.status, answer.reason) == ("illegal", "game_over")


async def test_a_flag_falls_after_a_restart_too(world: World) -> None:
    server = await world.open(kind=Still)
    _, _, game = await almost_out(server)
    await kill(server)
    await check_flag_falls(await world.open(kind=Later), game, 7)


async def test_a_flag_falls_though_the_server_that_watched_the_clock_is_gone(world: World) -> None:
    server = await world.open(kind=Still, tidy=0.02)
    _, _, game = await almost_out(server)
    server.sessions.pop(game).stop_clock()
    await check_flag_falls(server, game, 7)


async def test_a_move_that_comes_too_late_loses_the_game_and_is_not_played(
    server: GameServer,
) -> None:
    ann, bob, game = await begun(server, clock=Clock(60, 30))
    turn_clock(server, 61)
    requests: list[Request] = [Move("m", 4, 8), Move("n", 4, 5), Chat("c", "wait")]
    for request in requests:
        ann.send(request)
    server.sessions[game].check_flag()
    await rest(server)
    for request in requests[:2]:
        (answer,) = ann.answers(request.id)
        assert answer.status == "illegal"
        assert answer.reason in ("out_of_time", "game_over")
    kinds = [event.kind for event in server.store.events(game)][4:]
    assert kinds == ["flag", "chat"]
    assert len(bob.heard("flag")) == 1


# -- the first moves -------------------------------------------------------------------------------


async def test_no_clock_runs_before_its_side_has_made_its_first_move(server: GameServer) -> None:
    ann, bob, _ = await seated(server, clock=Clock(60, 3))
    turn_clock(server, 40)
    assert (await ann.move(4)).status == "ok"
    turn_clock(server, 40)
    assert (await bob.move(0)).status == "ok"
    assert await left_after(bob, 4) == (60_000, 60_000)


@pytest.mark.parametrize("first", [0, 1])
async def test_a_game_without_a_first_move_in_time_is_aborted_and_nobody_loses(
    first: int, server: GameServer
) -> None:
    ann, bob, game = await seated(server, clock=Clock(60, 0))
    await play_moves(*[(ann, 4)][:first])
    turn_clock(server, 61)
    server.sessions[game].check_flag()
    (news,) = await bob.until(lambda: bob.heard("expire"))
    assert (news.event.seat, news.event.what) == ("XO"[first], "idle")
    await rest(server)
    assert outcome(server, game) == ("over", "", None)


@pytest.mark.medium
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_rematch_to_which_nobody_went_is_aborted_by_itself_and_after_a_restart_too(
    restarted: bool, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe.protocols.online.clocks.FIRST_MOVE_SECONDS", 1)
    server = await world.open(kind=Still)
    ann, bob, _ = await seated(server, clock=Clock(5, 0))
    follower = await agree_on_rematch(ann, bob)
    for guest in (ann, bob):
        guest.leave()
    if restarted:
        await kill(server)
        server = await world.open(kind=Still)
    turn_clock(server, 1.1)
    await until(lambda: len(server.store.events(follower)) == 2, "the game is aborted")
    assert server.store.events(follower)[-1].kind == "expire"


# -- restarts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("killed", [False, True])
async def test_nobody_is_charged_for_the_time_in_which_no_server_was_there(
    killed: bool, world: World
) -> None:
    server = await world.open(kind=Still)
    ann, bob, game = await begun(server, clock=Clock(60, 0))
    turn_clock(server, 20)
    await server.writer.run(server.store.beat, server.now())
    assert (await ann.move(8)).status == "ok"
    before = await left_after(bob, 5)
    if killed:
        await kill(server)

    server = await world.open(kind=Later)
    again = Guest(server)
    welcome = await again.hello(game, bob.token)
    assert welcome.clock is not None
    assert welcome.head == 5, "a flag has fallen"
    assert welcome.clock == before

    client = Client(random.Random(1), lambda: 0.0, game=game, token=bob.token)
    client.connected()
    (hello,) = client.take_outgoing()
    client.received(write_reply(await again.answer(again.send(read_request(hello)))))
    shown = client.time_left()
    assert shown == before

    assert (await again.move(1)).status == "ok"
    assert await left_after(again, 6) == before


async def test_a_game_with_a_clock_stays_in_memory_while_it_runs(server: GameServer) -> None:
    ann, bob, game = await seated(server, clock=Clock(60, 0))
    for guest in (ann, bob):
        guest.leave()
    await rest(server)
    server.sessions.drop(server.sessions[game])
    assert game in server.sessions
    server.sessions[game].is_known = False
    server.sessions.drop(server.sessions[game])
    assert game in server.sessions


# -- claims ----------------------------------------------------------------------------------------


async def claim(guest: Guest, what: str = "win") -> str:
    """Claim, and return the status and the reason of the answer."""
    answer = await guest.ask(Claim(guest.new_id(), guest.version, what))
    return f"{answer.status} {answer.reason}".strip()


def test_the_wait_is_shorter_with_a_quick_clock_and_there_is_none_with_a_slow_one() -> None:
    clocks = (Clock(5), Clock(120), SLOW, Clock(3_600), Clock(86_400), None)
    assert [claim_seconds(clock) for clock in clocks] == [15, 24, 60, 60, None, 300]
    assert [first_move_seconds(clock) for clock in clocks] == [60, 60, 60, 360, 8_640, 0]


async def test_a_claim_that_is_sent_twice_is_one_claim(server: GameServer) -> None:
    ann, bob, _ = await begun(server, clock=SLOW)
    bob.leave()
    turn_clock(server, 61)
    request = Claim("c", ann.version)
    first, again = await ann.ask(request), await ann.ask(request)
    assert (first.status, again.status) == ("ok", "duplicate")
    assert first.version == again.version


async def test_a_player_who_is_back_or_was_a_moment_ago_has_not_left(server: GameServer) -> None:
    ann, bob, game = await begun(server, clock=SLOW)
    bob.leave()
    turn_clock(server, 61)
    back = Guest(server)
    await back.hello(game, bob.token)
    assert await claim(ann) == "illegal not_gone"
    back.leave()
    turn_clock(server, 59)
    assert await claim(ann) == "illegal not_gone"


async def test_the_time_in_which_nobody_was_there_is_held_against_nobody(
    server: GameServer,
) -> None:
    ann, bob, game = await begun(server, clock=SLOW)
    for guest in (ann, bob):
        guest.leave()
    turn_clock(server, 300)
    back = Guest(server)
    await back.hello(game, ann.token)
    assert await claim(back) == "illegal not_gone"


async def test_a_move_out_of_a_standstill_is_charged_as_the_log_will_say(
    server: GameServer,
) -> None:
    ann, _bob, game = await begun(server, clock=Clock(60, 0))
    await server.writer.run(server.store.beat, server.now())
    awake_at = server.uptime.awake_at
    turn_clock(server, 40)
    server.uptime.awake_at = awake_at

    assert (await ann.move(8)).status == "ok"

    played = server.sessions[game].game
    replayed = replay(server.store.events(game), server.store.pauses())
    assert played is not None
    assert replayed is not None
    assert played.clock == replayed.clock
    assert played.clock is not None
    assert played.clock.at(server.now(), server.uptime.pauses)[0] > 30_000


class Machine:
    """A machine whose clock can be set, at a time of its own."""

    def __init__(self) -> None:
        self.steady, self.offset = 5_000, 1_000_000_000
        self.time_of_day = TimeOfDay(lambda: self.steady + self.offset, lambda: self.steady)

    def run(self, seconds: int) -> int:
        """Let seconds go by, and return how many of them the server has seen."""
        before = self.time_of_day.now()
        for _ in range(seconds):
            self.steady += 1_000
            self.time_of_day.follow()
        return round((self.time_of_day.now() - before) / 1_000)


@pytest.mark.parametrize("days", [31, -31])
def test_a_clock_that_is_set_wrong_for_a_while_moves_no_time_of_a_server(days: int) -> None:
    machine = Machine()
    for _ in range(2):
        machine.offset += days * DAY
        assert machine.run(60) == 60
        machine.offset -= days * DAY
        assert machine.run(60) == 60
    assert (machine.time_of_day.jumps, machine.time_of_day.ahead) == (2, 0)


def test_a_clock_that_stays_ahead_is_believed_after_ten_minutes() -> None:
    machine = Machine()
    machine.offset += DAY
    assert machine.run(600) == 600
    assert machine.run(2) == 2 + DAY // 1_000
    assert machine.time_of_day.ahead == 0


def test_a_clock_that_is_corrected_a_little_is_followed_slowly() -> None:
    machine = Machine()
    for difference in (700, -700):
        machine.offset += difference
        machine.run(10)
        assert 0 < abs(machine.time_of_day.ahead) < 700
        machine.run(60)
        assert (machine.time_of_day.ahead, machine.time_of_day.jumps) == (0, 0)


@pytest.mark.parametrize("killed", [False, True])
async def test_the_time_begins_anew_with_the_server(killed: bool, world: World) -> None:
    server = await world.open()
    ann, bob, game = await begun(server, clock=SLOW)
    bob.leave()
    turn_clock(server, 55)
    if killed:
        await kill(server)
    server = await world.open()
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
        server.sessions[game].followers.update_presence()
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
    await play_moves(*[(ann, 4)][:moves])
    assert (await bob.ask(Abort("a"))).status == "ok"
    assert (await bob.ask(Abort("a"))).status == "duplicate"
    assert outcome(server, game) == ("over", "", None)


async def test_a_game_in_which_both_have_moved_is_not_aborted_even_after_a_take_back(
    server: GameServer,
) -> None:
    ann, bob, _ = await begun(server)
    assert (await ann.offer("takeback")).status == "ok"
    assert (await bob.accept("takeback")).status == "ok"
    for guest in (ann, bob):
        assert (await guest.ask(Abort("a"))).reason == "both_moved"


# -- what clients are told of an end -----------------------------------------------------------


def test_there_is_a_game_for_each_reason() -> None:
    assert {ending.end.reason for ending in ENDINGS.values()} == set(ENDS)


@pytest.mark.parametrize("name", ENDINGS)
async def test_the_last_event_a_welcome_and_an_answer_with_events_say_how_the_game_ended(
    name: str, server: GameServer
) -> None:
    play, end, kind = ENDINGS[name]
    ann, game = await play(server)
    await ann.until(lambda: ann.heard(kind))
    assert [(news.event.kind, news.end) for news in ann.happened if news.end] == [(kind, end)]
    told = [json.loads(text) for text in ann.socket.texts]
    expected = {"reason": end.reason, **({"winner": end.winner} if end.winner else {})}
    assert [entry["end"] for entry in told if "end" in entry] == [expected]

    result = "" if end.reason in (CLOSED, ABORTED, EXPIRED) else end.winner or "draw"
    await rest(server)
    assert outcome(server, game) == ("over", result, None)

    late = Guest(server)
    assert (await late.hello(game)).end == end
    assert (await late.ask(Events(late.new_id(), 0))).end == end
    assert (await late.hello()).end is None


async def test_lines_after_the_end_and_answers_about_it_do_not_end_the_game_again(
    server: GameServer,
) -> None:
    ann, _ = await fill_board(server)
    await ann.say()
    await ann.offer("rematch")
    await ann.until(lambda: ann.heard("offer"))
    assert [news.event.kind for news in ann.happened if news.end] == ["move"]
    assert all(reply.end is None for reply in ann.socket.replies if isinstance(reply, Answer))


async def test_a_game_that_goes_on_has_no_end(server: GameServer) -> None:
    ann, bob, game = await seated(server)
    await ann.move(4)
    await bob.until(lambda: bob.heard("move"))
    assert (await bob.hello(game, bob.token)).end is None
    assert not [text for guest in (ann, bob) for text in guest.socket.texts if '"end"' in text]
