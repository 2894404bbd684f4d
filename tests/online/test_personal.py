"""What players ask for themselves: their own games, a report, and never to meet somebody again."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from tests.online.world import (
    Guest,
    World,
    agree_on_rematch,
    begun,
    opponents,
    pair,
    paired_as_far_as_can_be,
    play_moves,
    rest,
    seated,
    until,
    watching,
)
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK
from tic_tac_toe.protocols.online.replies import OVER, PLAYING, WAITING, OwnGame, Presence
from tic_tac_toe.protocols.online.requests import (
    CHAT_LINE,
    PLAYER_NAME,
    TALK_LINE,
    Block,
    Create,
    Mine,
    Report,
    Talk,
)
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.players import FRESH_SECONDS, Blocks
from tic_tac_toe_frontends.server.storage.store import StorageError

pytestmark = pytest.mark.anyio


async def own(guest: Guest, token: str = "") -> tuple[OwnGame, ...]:
    """Return the games of a token, that of the guest unless another is given."""
    answer = await guest.ask(Mine(guest.new_id(), token or guest.token))
    assert answer.status == "ok"
    return answer.games


# -- own games -------------------------------------------------------------------------------------


async def test_one_token_claims_the_seats_of_all_games_and_lists_them(server: GameServer) -> None:
    ann = Guest(server)
    assert await own(ann) == ()
    waiting = await ann.create("gomoku", name="Ann", clock=Clock(300, 3))
    bobs = Guest(server)
    joined = await bobs.create(name="Bob")
    assert (await ann.join(joined)).seat == "O"
    await play_moves((bobs, 0), (ann, 4))
    rematch = await agree_on_rematch(bobs, ann)
    computer = await ann.create(opponent="rules", seat="O")

    games = {game.game: game for game in await own(Guest(server), ann.token)}
    assert set(games) == {waiting, joined, rematch, computer}
    assert games[waiting].clock == Clock(300, 3)
    found = {name: (game.seat, game.stage, game.result) for name, game in games.items()}
    assert found == {
        waiting: ("X", WAITING, ""),
        joined: ("O", OVER, "O"),
        rematch: ("X", PLAYING, ""),
        computer: ("O", PLAYING, ""),
    }
    assert (games[joined].crosses, games[joined].naughts) == ("Bob", "Bob")
    times = [game.time for game in await own(ann)]
    assert times == sorted(times, reverse=True)
    for game in games.values():
        again = Guest(server)
        assert (await again.hello(game.game, ann.token)).seat == game.seat


async def test_players_who_are_paired_find_the_game_and_the_one_that_they_left(
    server: GameServer,
) -> None:
    ann, bob = Guest(server), Guest(server)
    first, second = await pair(ann), await pair(bob)
    await until(lambda: opponents(server, [ann, bob]), "they are paired")
    await rest(server)
    assert {game.game for game in await own(bob)} == {first, second}
    assert {game.game for game in await own(ann)} == {first}


async def test_nobody_pairs_or_joins_his_own_game_with_one_token(server: GameServer) -> None:
    ann, again = Guest(server), Guest(server)
    again.token = ann.token
    first = await pair(ann)
    await pair(again)
    assert (await again.join(first)).reason == "same_player"
    await paired_as_far_as_can_be(server)
    assert not opponents(server, [ann, again])


async def test_a_list_of_games_has_a_limited_size_however_long_the_names_are(
    server: GameServer,
) -> None:
    guest = Guest(server)
    for number in range(120):
        guest.send(Create(f"c{number}", guest.token, "mnk:5,5,4,gravity,wild", "\U0001f600" * 40))
    await rest(server)
    games = await own(guest)
    assert 50 < len(games) < 100
    assert len(guest.socket.texts[-1]) < 60_000


# -- reports ---------------------------------------------------------------------------------------


async def test_what_is_reported_reaches_the_operator_and_nobody_else(server: GameServer) -> None:
    ann, bob, game = await begun(server, name="Ann")
    eve = await watching(server, game)
    line = (await bob.say("you fool")).version
    assert (await eve.ask(Talk("t", "what a fool", "Eve"))).status == "ok"
    talked = eve.server.sessions[game].talk.lines[0].time
    before = len(bob.socket.replies)
    reports = [
        Report("r1", CHAT_LINE, line, text="an insult"),
        Report("r2", PLAYER_NAME, seat="O"),
        Report("r3", TALK_LINE, talked, 1),
    ]
    for guest, request in zip((ann, ann, eve), reports):
        assert (await guest.ask(request)).status == "ok"
    await rest(server)
    told = {(row.what, row.place, row.said, row.text) for row in server.store.reports(9)}
    assert told == {
        ("chat", str(line), "you fool", "an insult"),
        ("name", "O", "Bob", ""),
        ("talk", f"1 {talked}", "what a fool", ""),
    }
    assert {row.game for row in server.store.reports(9)} == {game}
    since = bob.socket.replies[before:]
    assert [reply for reply in since if not isinstance(reply, Presence)] == []


async def test_what_is_not_there_or_not_to_be_seen_cannot_be_reported(server: GameServer) -> None:
    ann, bob, game = await begun(server, name="Ann")
    eve = await watching(server, game)
    await eve.ask(Talk("t", "what a fool"))
    talked = server.sessions[game].talk.lines[0].time
    for what, line, number, seat in (
        (CHAT_LINE, 0, 0, ""),
        (CHAT_LINE, 1, 0, ""),
        (CHAT_LINE, 99, 0, ""),
        (PLAYER_NAME, 0, 0, ""),
        (TALK_LINE, talked, 2, ""),
        (TALK_LINE, talked, 1, ""),  # which players do not see yet
    ):
        answer = await ann.ask(Report(ann.new_id(), what, line, number, seat))
        assert answer.reason == "nothing_to_report"
    await bob.resign()
    assert (await ann.ask(Report(ann.new_id(), TALK_LINE, talked, 1))).status == "ok"
    against = Guest(server)
    await against.create(opponent="rules")
    assert (await against.ask(Report("r", PLAYER_NAME, seat="O"))).reason == "nothing_to_report"
    assert (await Guest(server).ask(Report("r", PLAYER_NAME, seat="O"))).reason == "no_game"
    assert len(server.store.reports(9)) == 1


async def test_what_one_player_reports_twice_counts_once(server: GameServer) -> None:
    ann, bob, game = await seated(server, name="Rude Ann")
    watcher = await watching(server, game)
    for sender in (bob, watcher, bob, watcher):
        asked = Report(sender.new_id(), PLAYER_NAME, seat="X")
        assert (await sender.ask(asked)).status == "ok"
    assert [row.times for row in server.store.reports(9)] == [2]
    del ann


async def test_players_who_are_apart_offer_each_other_no_rematch_and_ask_for_no_move_back(
    server: GameServer,
) -> None:
    ann, bob, _ = await begun(server)
    assert (await ann.ask(Block(ann.new_id()))).status == "ok"
    assert (await bob.offer(TAKE_BACK)).reason == "not_taken"
    assert (await bob.offer(DRAW)).status == "ok"
    await ann.resign()
    for player in (ann, bob):
        assert (await player.offer(REMATCH)).reason == "not_taken"
    assert (await ann.ask(Block(ann.new_id(), on=False))).status == "ok"
    assert (await bob.offer(REMATCH)).status == "ok"


# -- blocks ----------------------------------------------------------------------------------------


async def blocking(server: GameServer, **fields: bool) -> tuple[Guest, Guest]:
    """Return two guests who have played, the first of whom has blocked the second."""
    ann, bob, _ = await seated(server)
    assert (await ann.ask(Block(ann.new_id(), **fields))).status == "ok"
    await ann.resign()
    return ann, bob


async def test_who_is_blocked_is_not_paired_with_who_blocked_him_but_with_others(
    server: GameServer,
) -> None:
    ann, bob = await blocking(server)
    await pair(bob)
    await pair(ann)
    await paired_as_far_as_can_be(server)
    assert server.matchmaker.count == 0
    carl = Guest(server)
    await pair(carl)
    await until(lambda: server.matchmaker.count == 1, "the third is paired")


async def test_neither_of_them_joins_an_open_game_of_the_other_and_neither_is_told_why(
    server: GameServer,
) -> None:
    ann, bob = await blocking(server)
    for host, guest in ((ann, bob), (bob, ann)):
        game = await host.create(open=True)
        answer = await guest.join(game)
        assert (answer.status, answer.reason) == ("illegal", "not_for_you")
        assert "block" not in answer.text
        assert (await Guest(server).join(game)).status == "ok"
    invited = await ann.create(open=False)
    assert (await bob.join(invited)).status == "ok"


async def test_a_block_holds_at_a_server_that_starts_later_until_it_is_taken_back(
    world: World,
) -> None:
    server = await world.open()
    ann, bob = await blocking(server)
    await ann.ask(Block(ann.new_id()))
    last = ann.connection.session
    assert last is not None
    server = await world.open()
    host, guest = Guest(server), Guest(server)
    host.token, guest.token = ann.token, bob.token
    game = await host.create(open=True)
    assert (await guest.join(game)).reason == "not_for_you"
    await host.hello(last.address, host.token)
    assert (await host.ask(Block("u", on=False))).status == "ok"
    assert (await guest.join(game)).status == "ok"


async def test_what_another_server_has_written_of_blocks_is_read_after_some_seconds(
    server: GameServer,
) -> None:
    now = 0.0
    blocks = Blocks(server.store, server.readers, True, lambda: now)

    async def learn() -> bool:
        await blocks.load("ann")
        return blocks.are_blocked("bob", "ann")

    assert not await learn()
    await server.writer.run(server.store.block, "bob", "ann", 1)
    assert not await learn()
    now += FRESH_SECONDS
    assert await learn()


async def test_only_people_at_a_game_block_and_are_blocked(server: GameServer) -> None:
    _, _, game = await seated(server)
    eve = await watching(server, game)
    waiting, against = Guest(server), Guest(server)
    await waiting.create()
    await against.create(opponent="rules")
    asked = {guest: await guest.ask(Block("b")) for guest in (eve, waiting, against, Guest(server))}
    reasons = [answer.reason for answer in asked.values()]
    assert reasons == ["not_seated", "waiting", "no_person", "no_game"]


async def test_what_cannot_be_read_of_blocks_is_asked_for_again(
    server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await blocking(server)
    game = await ann.create(open=True)

    def fail(key: str) -> Collection[str]:
        raise StorageError("the disk is gone")

    monkeypatch.setattr(server.store, "blocked_keys", fail)
    server.blocks.forget(ann.token, bob.token)
    carl = Guest(server)
    answer = await carl.join(game)
    assert (answer.status, answer.reason) == ("busy", "storage")
    monkeypatch.undo()
    assert (await carl.join(game)).status == "ok"
