"""No address takes the others' share of the lobby, of their time, or of the games that there are.

Each attack goes as far as the limits let it, and is bounded; the others play on meanwhile.
"""

from __future__ import annotations

import pytest

from tests.online.world import (
    USUAL,
    Guest,
    World,
    agree_on_rematch,
    any_token,
    crowd,
    listener,
    pair,
    play_moves,
    rest,
    shown,
    strangers,
    turn_clock,
    until,
    wish,
)
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.messages import LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import Answer
from tic_tac_toe.protocols.online.requests import Abort, Create, Join, Leave, Pair
from tic_tac_toe_frontends.server import players
from tic_tac_toe_frontends.server.budgets import Budget, ClientLimits
from tic_tac_toe_frontends.server.creation import COMPUTER_WAITS, STRANGER_WAITS
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.nodes import PRESENCE, Nodes

pytestmark = pytest.mark.anyio

#: Where an attacker and a class of pupils come from.
ATTACKER, SCHOOL = "198.51.100.7", "203.0.113.5"
PUPILS = 30
OPEN_GAMES, UNFINISHED = USUAL.open_games.number, USUAL.unfinished.number
UNMOVED, OWN_UNMOVED = USUAL.unmoved.number, USUAL.own_unmoved.number


async def answered(asked: list[tuple[Guest, str]]) -> list[Answer]:
    """Return the answers to requests, once they have come."""
    return [await guest.answer(message_id) for guest, message_id in asked]


async def hosts_of_open_games(server: GameServer, count: int) -> dict[str, Guest]:
    """Return open games of strangers, and who waits there."""
    return {await guest.create(open=True): guest for guest in strangers(server, count)}


def pairs_of(server: GameServer) -> int:
    return server.matchmaker.count


# -- places in the lobby ---------------------------------------------------------------------------


async def test_one_address_takes_a_few_places_in_the_lobby_and_others_see_theirs(
    world: World,
) -> None:
    server = await world.open(limits=USUAL)
    looking, ann = await listener(server), Guest(server)
    attackers = crowd(server, 100, ATTACKER)
    asked = [(each, each.send(Create("c", each.token, "gomoku", open=True))) for each in attackers]
    answers = await answered(asked[:50])
    assert sum(answer.status == "ok" for answer in answers) <= OPEN_GAMES
    for each, variant in zip(attackers[50:], VARIANTS):
        wish(each, variant)
    await rest(server)
    own = await ann.create(open=True, clock=Clock(777, 7))  # which nobody else wants
    await looking.until(lambda: own in shown(looking))
    taken = shown(looking) - {own}
    assert 0 < len(taken) <= OPEN_GAMES
    assert len(taken) + 45 <= LOBBY_GAMES


async def test_games_whose_creators_have_gone_leave_their_places_but_are_limited_too(
    world: World,
) -> None:
    server = await world.open(limits=USUAL)
    server.presence.away_seconds = -1.0
    reasons = []
    for guest in crowd(server, 30, ATTACKER):
        answer = await guest.ask(Create("c", guest.token, "gomoku", open=True))
        reasons.append(answer.reason)
        guest.leave()
    allowed = players.AWAY * OPEN_GAMES
    assert reasons == [""] * allowed + ["too_many_open"] * (30 - allowed)
    alone = Guest(server, ATTACKER)
    assert (await alone.ask(Create("p", alone.token, "gomoku"))).status == "ok"


async def test_a_place_is_free_again_once_somebody_has_joined_or_the_game_is_withdrawn(
    world: World,
) -> None:
    server = await world.open(limits=USUAL)
    makers = crowd(server, OPEN_GAMES, ATTACKER)
    waiting = [await maker.create(open=True) for maker in makers]
    late = Guest(server, ATTACKER)

    async def one_more() -> Answer:
        return await late.ask(Create(late.new_id(), any_token(), "gomoku", open=True))

    refused = await one_more()
    assert (refused.status, refused.reason) == ("busy", "too_many_open")
    assert refused.retry >= 1_000
    assert (await makers[0].ask(Leave("l"))).status == "ok"
    assert (await one_more()).status == "ok"
    assert (await one_more()).reason == "too_many_open"
    assert (await Guest(server).join(waiting[1])).status == "ok"
    assert (await one_more()).status == "ok"


async def test_a_creator_whose_address_has_no_place_left_is_told_of_the_game_again(
    world: World,
) -> None:
    server = await world.open(limits=ClientLimits.of(games=24))
    request = Create("c", any_token(), "gomoku", open=True)
    first = await Guest(server).ask(request)
    again = await Guest(server).ask(request)
    assert (again.status, again.game) == ("duplicate", first.game)


class Told(Nodes):
    """Keeps what other servers are told of the players who are here."""

    def __init__(self) -> None:
        super().__init__()
        self.seats: dict[str, str] = {}

    def publish(
        self, kind: str, address: str = "", seats: str = "", watchers: int = 0, text: str = ""
    ) -> None:
        if kind == PRESENCE:
            self.seats[address] = seats


async def test_other_servers_are_told_of_no_more_players_who_wait_than_have_places(
    world: World,
) -> None:
    nodes = Told()
    server = await world.open(limits=USUAL, nodes=nodes)
    for guest, variant in zip(crowd(server, 20, ATTACKER), VARIANTS):
        await pair(guest, variant)
    here = await pair(Guest(server), "connect-four")  # for which nobody else waits
    told = {each.address for each in server.sessions.values() if each.followers.seat_for_nodes()}
    assert here in told
    assert len(told) == OPEN_GAMES + 1
    for session in server.sessions.values():
        session.followers.publish_presence()
    assert {address for address, seats in nodes.seats.items() if seats} == told


# -- other players' time ---------------------------------------------------------------------------


@pytest.mark.medium
@pytest.mark.parametrize(("count", "most"), [(1, OWN_UNMOVED), (60, UNMOVED)])
async def test_one_connection_joins_two_games_before_it_moves_and_one_address_ten(
    count: int, most: int, world: World
) -> None:
    server = await world.open(limits=USUAL)
    games = await hosts_of_open_games(server, LOBBY_GAMES)
    looking = await listener(server)
    attackers = crowd(server, count, ATTACKER)
    asked = []
    for number, game in enumerate([*games] * 2):
        guest = attackers[number % count]
        asked.append((guest, guest.send(Join(guest.new_id(), game, any_token()))))
    answers = await answered(asked)
    joined = {answer.game for answer in answers if answer.status == "ok"}
    assert 0 < len(joined) <= most
    assert all(answer.retry >= 500 for answer in answers if answer.status == "busy")
    await looking.until(lambda: shown(looking) == {*games} - joined)
    bob = Guest(server)
    assert (await bob.join(next(iter(shown(looking))))).status == "ok"


async def test_who_has_moved_or_given_the_game_up_joins_further_ones(world: World) -> None:
    server = await world.open(limits=USUAL)
    games = await hosts_of_open_games(server, 5)
    guest = Guest(server, ATTACKER)
    first, second, third, fourth, fifth = games
    assert (await guest.join(first)).status == "ok"
    assert (await guest.join(second)).status == "ok"
    refused = await guest.join(third)
    assert (refused.status, refused.reason) == ("busy", "first_moves")
    assert (await games[second].move(4)).status == "ok"
    assert (await guest.move(0)).status == "ok"
    assert (await guest.join(third)).status == "ok"
    assert (await guest.join(fourth)).reason == "first_moves"
    assert (await guest.ask(Abort("a"))).status == "ok"
    assert (await guest.join(fourth)).status == "ok"
    assert (await games[first].ask(Abort("a"))).status == "ok"
    assert (await guest.join(fifth)).status == "ok"


@pytest.mark.medium
async def test_an_address_that_does_not_move_is_given_ten_strangers_and_no_more(
    world: World,
) -> None:
    server = await world.open(limits=USUAL)
    names = [*VARIANTS][:20]
    for guest, variant in zip(crowd(server, len(names), ATTACKER), names):
        await pair(guest, variant)
    victims = strangers(server, len(names))
    for guest, variant in zip(victims, names):
        await pair(guest, variant)
    await server.lobby.refresh()
    await rest(server)
    assert pairs_of(server) == UNMOVED
    for guest, variant in zip(strangers(server, len(names)), names):
        await pair(guest, variant)
    await until(lambda: pairs_of(server) == len(names), "the others are paired")


async def test_an_address_whose_open_games_keep_ten_strangers_waiting_opens_no_more(
    world: World,
) -> None:
    server = await world.open(limits=USUAL)
    hosts, held = crowd(server, 20, ATTACKER), 0
    for host, victim in zip(hosts, strangers(server, 20)):
        answer = await host.ask(Create("c", host.token, "gomoku", seat="X", open=True))
        if answer.status == "ok":
            assert (await victim.join(answer.game)).status == "ok"
            held += 1
    assert held == UNMOVED
    assert (await hosts[0].move(0)).status == "ok"
    late = hosts[-1]
    assert (await late.ask(Create("d", late.token, "gomoku", open=True))).status == "ok"


async def test_who_joins_ten_games_of_a_class_and_does_nothing_does_not_shut_the_class_out(
    world: World,
) -> None:
    server = await world.open(limits=USUAL)
    attackers = crowd(server, 40, ATTACKER)
    joined = []
    for pupil, attacker in zip(crowd(server, 12, SCHOOL), attackers):
        created = Create("c", pupil.token, "gomoku", seat="O", open=True)
        game = (await pupil.ask(created)).game
        joined.append((await attacker.join(game)).status == "ok")
        if not joined[-1]:
            await pupil.ask(Leave("l"))
    assert joined == [True] * UNMOVED + [False] * 2
    victim, other = Guest(server, SCHOOL), Guest(server)
    assert (await victim.join(await other.create(open=True))).status == "ok"
    late = Guest(server, SCHOOL)
    assert (await late.ask(Create("d", late.token, "gomoku", open=True))).status == "ok"


@pytest.mark.medium
async def test_games_in_which_strangers_begin_are_limited_too(world: World) -> None:
    server = await world.open(limits=USUAL)
    most, held = players.REPLYING * UNMOVED, 0
    for host, victim in zip(crowd(server, 50, ATTACKER), strangers(server, 50)):
        budget = host.connection.budget  # as after an hour
        budget.games.left, budget.joins.left = USUAL.games.size, USUAL.joins.size
        answer = await host.ask(Create("c", host.token, "gomoku", seat="O", open=True))
        if answer.status == "ok":
            assert (await victim.join(answer.game)).status == "ok"
            held += 1
    assert held == most


async def test_a_crowd_of_strangers_at_one_moment_is_not_given_to_one_address(world: World) -> None:
    server = await world.open(limits=USUAL)
    for number, guest in enumerate(strangers(server, 40)):
        guest.send(Create(f"c{number}", guest.token, "gomoku", open=True))
    await rest(server)
    for guest in crowd(server, 40, ATTACKER):
        wish(guest, "gomoku")
    await rest(server)
    assert pairs_of(server) == UNMOVED + (40 - UNMOVED) // 2


async def first_moves_are_waited_for(server: GameServer, seconds: float) -> None:
    """Let some time pass, and the server do what is due."""
    turn_clock(server, seconds)
    await server.housekeeper.load_overdue_games()
    await rest(server)
    for session in tuple(server.sessions.values()):
        session.check_flag()
    await rest(server)


async def test_without_a_clock_a_stranger_is_waited_for_ten_minutes_at_each_first_move(
    server: GameServer,
) -> None:
    held, slow, private = Guest(server), Guest(server), Guest(server)
    left = await held.create("gomoku", open=True)
    moved = await slow.create("gomoku", open=True)
    friends = await private.create("gomoku", open=False)
    bob, carl, dora = Guest(server), Guest(server), Guest(server)
    for guest, game in ((bob, left), (carl, moved), (dora, friends)):
        assert (await guest.join(game)).status == "ok"
    assert (await held.move(4)).status == "ok"
    await first_moves_are_waited_for(server, STRANGER_WAITS - 60)
    assert (await slow.move(4)).status == "ok"
    assert (await bob.say()).status == "ok"  # which is no move
    await first_moves_are_waited_for(server, 90)
    (news,) = await held.until(lambda: held.heard("expire"))
    assert (news.event.seat, news.event.what) == ("O", "idle")
    assert (await carl.move(0)).status == "ok"
    await first_moves_are_waited_for(server, 86_400)
    for guest in (slow, private):
        assert guest.game is not None
        assert guest.game.end is None


async def test_a_first_move_is_waited_for_where_the_game_has_left_the_memory_or_the_server_stopped(
    world: World,
) -> None:
    server = await world.open()
    ann, bob = Guest(server), Guest(server)
    game = await ann.create("gomoku", open=True)
    assert (await bob.join(game)).status == "ok"
    ann.leave()
    bob.leave()
    server.sessions.drop(server.sessions[game])
    assert game not in server.sessions
    assert server.store.running_clocks() == [game]
    server = await world.open()
    turn_clock(server, STRANGER_WAITS + 60)
    await first_moves_are_waited_for(server, 0)
    await until(lambda: server.store.count_unfinished() == 0, "the game is aborted")


@pytest.mark.medium
async def test_a_game_against_a_computer_is_given_up_after_an_hour_without_a_first_move(
    server: GameServer,
) -> None:
    left, played = Guest(server), Guest(server)
    await left.create("tic-tac-toe", opponent="rules", seat="X")
    await played.create("tic-tac-toe", opponent="rules", seat="X")
    assert (await played.move(4)).status == "ok"
    await until(lambda: played.version == 3, "the computer moves")
    await first_moves_are_waited_for(server, COMPUTER_WAITS + 1)
    await left.until(lambda: left.heard("expire"))
    assert played.game is not None
    assert played.game.end is None


# -- all games -------------------------------------------------------------------------------------


async def test_one_address_does_not_fill_the_server_with_games(world: World) -> None:
    limits = ClientLimits.of(games=12, most_games=50)
    server = await world.open(limits=limits)
    now = 0.0
    server.clock = server.addresses.clock = lambda: now
    guest = Guest(server, ATTACKER)
    reasons = []
    for number in range(60):
        now += 3_600.0
        answer = await guest.ask(Create(f"c{number}", any_token(), "gomoku"))
        reasons.append(answer.reason)
    assert reasons == [""] * limits.unfinished.number + ["too_many_games"] * (
        60 - limits.unfinished.number
    )
    bob = Guest(server)
    assert (await bob.ask(Create("c", bob.token, "gomoku"))).status == "ok"
    guest.leave()
    server.addresses.forget()
    guest = Guest(server, ATTACKER)
    late = await guest.ask(Create("late", any_token(), "gomoku"))
    assert late.reason == "too_many_games"


@pytest.mark.medium
async def test_games_at_one_moment_are_counted_before_they_are_written(world: World) -> None:
    server = await world.open(limits=USUAL)
    guest = Guest(server, ATTACKER)
    guest.connection.budget.games.left = 1_000.0
    asked = [(guest, guest.send(Create(f"c{n}", any_token(), "gomoku"))) for n in range(90)]
    attackers = [guest, *crowd(server, 4, ATTACKER)]
    for number in range(400):
        each = attackers[number % 5]
        asked.append((each, each.send(Create(f"d{number}", any_token(), "gomoku"))))
    answers = await answered(asked)
    assert sum(answer.status == "ok" for answer in answers) <= UNFINISHED


async def test_games_that_end_are_held_no_more_wherever_they_end(world: World) -> None:
    server = await world.open(limits=USUAL)
    ann, bob = Guest(server, "192.0.2.7"), Guest(server, "192.0.2.8")
    game = await ann.create(open=True)
    assert (await bob.join(game)).status == "ok"
    holders = [guest.connection.budget for guest in (ann, bob)]
    assert [len(budget.usage.seats) for budget in holders] == [1, 1]
    await play_moves((ann, 4), (bob, 0))
    follower = await agree_on_rematch(ann, bob)
    held = [{*budget.usage.seats} for budget in holders]
    assert held == [set(), {(follower, "X")}]
    await ann.hello(follower, ann.token)
    assert {*holders[0].usage.seats} == {(follower, "O")}
    erased = await bob.create()
    assert await server.writer.run(server.store.erase, erased)
    bob.leave()
    del server.sessions[erased]
    await server.housekeeper.release_finished_games()
    assert {*holders[1].usage.seats} == {(follower, "X")}
    assert len(server.quotas) == 1
    await ann.resign()
    await rest(server)
    assert len(server.quotas) == 0
    assert all(not budget.usage.seats for budget in holders)


async def test_rematches_count_as_games_of_who_wants_them(world: World) -> None:
    server = await world.open(limits=USUAL)
    ann, bob = Guest(server, "192.0.2.7"), Guest(server, "192.0.2.8")
    game = await ann.create()
    assert (await bob.join(game)).status == "ok"
    await ann.resign()
    full = {f"c{number}": None for number in range(UNFINISHED)}
    for guest in (ann, bob):
        guest.connection.budget.usage.creating.update(full)
        assert (await guest.offer("rematch")).reason == "too_many_games"
        guest.connection.budget.usage.creating.clear()
    assert (await ann.offer("rematch")).status == "ok"
    bob.connection.budget.usage.creating.update(full)
    assert (await bob.accept("rematch")).reason == "too_many_games"


async def test_an_account_that_holds_games_is_remembered(world: World) -> None:
    server = await world.open(limits=USUAL)
    guest = Guest(server, ATTACKER)
    await guest.create()
    budget = guest.connection.budget
    guest.leave()
    turned = server.clock() + 100_000.0
    server.clock = server.addresses.clock = lambda: turned
    server.addresses.forget()
    assert server.addresses.budget_of(ATTACKER) is budget


# -- a class behind one address --------------------------------------------------------------------


@pytest.mark.medium
async def test_a_class_behind_one_address_plays_now_all_at_once_three_times(world: World) -> None:
    server = await world.open(limits=USUAL)
    pupils = crowd(server, PUPILS, SCHOOL)
    stranger = Guest(server)
    for played in range(1, 4):
        # Two of the games that an hour allows are spent for each pair.
        pupils[0].connection.budget.games.left = USUAL.games.size
        await everybody_pairs(server, pupils)
        assert pairs_of(server) == played * PUPILS // 2
        for pupil in pupils:
            pupil.token = any_token()
    assert (await stranger.ask(Pair("p", stranger.token, "gomoku"))).status == "ok"


async def everybody_pairs(server: GameServer, pupils: list[Guest]) -> None:
    """Let all want to play now, at once or when they are told, and resign."""
    asked = [(each, each.send(Pair(each.new_id(), each.token, "tic-tac-toe"))) for each in pupils]
    answers = await answered(asked)
    for (pupil, _), answer in zip(asked, answers):
        if answer.reason == "too_fast":
            budget: Budget = pupil.connection.budget
            budget.joins.left += 1.0  # a second has passed
            assert (await pupil.ask(Pair(pupil.new_id(), pupil.token, "tic-tac-toe"))).game
    await rest(server)
    for pupil in pupils:
        if pupil.game is not None and pupil.game.follower:
            await pupil.hello(pupil.game.follower, pupil.token)
    for pupil in pupils:
        await pupil.resign()
    await rest(server)


async def test_a_class_behind_one_address_joins_each_others_private_games_all_at_once(
    world: World,
) -> None:
    server = await world.open(limits=USUAL)
    pupils = crowd(server, PUPILS, SCHOOL)
    games = [await pupil.create() for pupil in pupils[: PUPILS // 2]]
    for pupil, game in zip(pupils[PUPILS // 2 :], games):
        answer = await pupil.join(game)
        assert answer.status == "ok", answer
