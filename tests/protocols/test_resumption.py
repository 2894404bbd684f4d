"""Two clients lose their connections everywhere, and in the end nothing is missing or there twice.

Every check here is shown to find the client, or the server, that breaks what it is about.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.protocols.games import known
from tests.protocols.linked import Authority, Link, Time, settle, settle_for_good
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import DRAW, REMATCH, TAKE_BACK, Event, Moved, Said
from tic_tac_toe.protocols.online.following import Following
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.replies import BUSY, DUPLICATE, OK
from tic_tac_toe.protocols.online.requests import Request
from tic_tac_toe.protocols.online.standing import End

Ready = Callable[[Client], bool]
Act = Callable[[Client], Request | None]
Step = tuple[int, Ready, Act]


class Table:
    """Ann, Bob and the server between them, with what each of them does, one after the other."""

    def __init__(
        self,
        ann: type[Client] = Client,
        bob: type[Client] = Client,
        authority: type[Authority] = Authority,
        breaks: tuple[set[int], set[int]] = (set(), set()),
        listens_first: bool = True,
        spoil: Callable[[list[str]], list[str]] | None = None,
    ) -> None:
        self.time = Time()
        self.authority = authority(self.time)
        self.clients = [
            kind(random.Random(seed), self.time) for seed, kind in enumerate((ann, bob))
        ]
        self.links = [
            Link(client, self.authority, self.time, lost, listens_first, spoil)
            for client, lost in zip(self.clients, breaks)
        ]
        self.asked: list[Request] = []

    def follow(self, *steps: Step) -> None:
        """Do each of the steps as soon as its client is ready for it, connected or not."""
        for who, is_ready, act in steps:
            self._wait(self.clients[who], is_ready)
            request = act(self.clients[who])
            if request is not None:
                self.asked.append(request)
        settle(*self.links)

    def _wait(self, client: Client, is_ready: Ready) -> None:
        for _ in range(10_000):
            if is_ready(client):
                return
            moved = [link.step() for link in self.links]
            if not any(moved):
                self.time.seconds += 0.1
                for link in self.links:
                    link.open()
                    link.client.wake()
        raise AssertionError("a client waits in vain")

    def check(self) -> None:
        """Raise `AssertionError` unless all see one game, in which everything is there once."""
        for log in self.authority.logs.values():
            ids = [event.unique_id for event in log if event.id]
            assert len(ids) == len(set(ids)), "an id is there twice"
            said = [event.text for event in log if isinstance(event, Said)]
            assert len(said) == len(set(said)), "a line is there twice"
        log = [event for events in self.authority.logs.values() for event in events if event.id]
        assert [event.id for event in log] == [request.id for request in self.asked], (
            "what was asked is not what has happened"
        )
        ann, bob = self.clients
        told = [known(event) for event in self.authority.logs[ann.address]]
        assert ann.events == bob.events == told, "the clients do not know what has happened"
        expected = replay(told)
        assert expected is not None
        assert ann.game is not None
        assert bob.game is not None
        assert ann.game.digest == bob.game.digest == expected.digest, "they see other games"
        for link in self.links:
            assert set(link.finished.values()) <= {1}, "a request was answered twice"
            for answered in link.answers:
                assert answered.answer.status in (OK, DUPLICATE, BUSY), answered
        finished = [key for link in self.links for key in link.finished]
        assert sorted(finished) == sorted(request.id for request in self.asked)


def anytime(client: Client) -> bool:
    return True


def is_idle(client: Client) -> bool:
    return bool(client.seat) and client.game is not None and not client.pending


def at_version(version: int) -> Ready:
    def is_ready(client: Client) -> bool:
        return is_idle(client) and client.game is not None and client.game.version == version

    return is_ready


def has_follower(client: Client) -> bool:
    return is_idle(client) and client.game is not None and bool(client.game.follower)


def play(cell: int) -> Act:
    return lambda client: client.move(cell)


def say(text: str) -> Act:
    return lambda client: client.chat(text)


def go_on(client: Client) -> None:
    client.follow()


def evening(table: Table) -> list[Step]:
    """Return an evening of two people: a game with everything in it, a rematch, and its end."""
    ann = table.clients[0]
    return [
        (0, anytime, lambda client: client.create("tic-tac-toe", name="Ann", seat="X")),
        (1, lambda _: is_idle(ann), lambda client: client.join(ann.address, "Bob")),
        (0, at_version(2), play(4)),
        (1, at_version(3), play(0)),
        (0, at_version(4), play(8)),
        (0, at_version(5), say("Oh no")),
        (0, at_version(6), lambda client: client.offer(TAKE_BACK)),
        (1, at_version(7), lambda client: client.accept(TAKE_BACK)),
        (0, at_version(8), play(2)),
        (1, at_version(9), say("Thinking")),
        (1, at_version(10), play(6)),
        (0, at_version(11), lambda client: client.offer(DRAW)),
        (1, at_version(12), lambda client: client.decline(DRAW)),
        (0, at_version(13), lambda client: client.resign()),
        (1, at_version(14), lambda client: client.offer(REMATCH)),
        (0, at_version(15), lambda client: client.accept(REMATCH)),
        (0, has_follower, go_on),
        (1, has_follower, go_on),
        (1, at_version(1), play(4)),
        (0, at_version(2), play(0)),
        (1, at_version(3), lambda client: client.resign()),
    ]


def lose_end(table: Table, kept: int) -> list[Event]:
    """Play nine steps, restore a log without its end, and let both lose their connections."""
    table.follow(*evening(table)[:9])
    log = table.authority.logs[table.clients[0].address]
    assert len(log) == 9
    del log[kept:]
    for link in table.links:
        link.lose()
    return log


def check_all_see(table: Table, log: list[Event]) -> None:
    ann, bob = table.clients
    told = [known(event) for event in log]
    assert ann.events == bob.events == told
    assert ann.game == bob.game == replay(told)


def spend_evening(table: Table) -> Table:
    table.follow(*evening(table))
    table.check()
    return table


def texts_of_an_evening() -> tuple[int, int]:
    ann, bob = spend_evening(Table()).links
    return ann.passed, bob.passed


def test_an_evening_without_a_loss_leaves_one_game_and_one_answer_to_each_request() -> None:
    table = spend_evening(Table())

    assert [len(log) for log in table.authority.logs.values()] == [16, 4]
    assert [client.seat for client in table.clients] == ["O", "X"]
    assert [link.losses for link in table.links] == [0, 0]


def lose_everywhere(**kinds: type) -> int:
    """Spend an evening for each text after which a connection can be lost; return how many."""
    count = 0
    for who, texts in enumerate(texts_of_an_evening()):
        for lost in range(1, texts + 1):
            for listens_first in (True, False) if lost % 3 == 0 else (True,):
                breaks: tuple[set[int], set[int]] = (set(), set())
                breaks[who].add(lost)
                table = Table(breaks=breaks, listens_first=listens_first, **kinds)
                spend_evening(table)
                count += table.links[who].losses
    return count


@pytest.mark.once
def test_a_connection_may_be_lost_after_any_text_in_either_direction() -> None:
    assert lose_everywhere() > 100


@settings(max_examples=25)
@given(
    st.sets(st.integers(1, 150), max_size=40),
    st.sets(st.integers(1, 150), max_size=40),
    st.booleans(),
)
def test_connections_may_be_lost_any_number_of_times(
    anns: set[int], bobs: set[int], listens_first: bool
) -> None:
    spend_evening(Table(breaks=(anns, bobs), listens_first=listens_first))


# -- what the checks find --------------------------------------------------------------------------


class ResendsUnderNewIds(Client):
    """Asks again after a loss as if it had never asked."""

    def connected(self) -> None:
        renewed = [replace(request, id=self.outbox.new_id()) for request in self.pending]
        self.outbox.pending = {request.id: request for request in renewed}
        super().connected()


class ForgetsPending(Client):
    """Takes what was on its way for done."""

    def disconnected(self) -> float:
        self.outbox.pending.clear()
        return super().disconnected()


class TakesAnyEvent(Following):
    """Takes whatever event comes for the next one."""

    def learn(self, events):  # type: ignore[no-untyped-def]
        here = [event for event in events if event.game == self.address]
        anew = (replace(event, version=self.version + 1 + i) for i, event in enumerate(here))
        return super().learn(anew)


class NeverAsks(Following):
    """Passes over events that do not fit, and leaves it at that."""

    def catch_up(self, head: int, end: End | None = None) -> None:
        pass

    def ask_for_events(self) -> None:
        pass


class AppliesAnyEvent(Client):
    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.following = TakesAnyEvent(self.address, self.outbox, self.clock)


class NeverAsksForGaps(Client):
    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.following = NeverAsks(self.address, self.outbox, self.clock)


class ForgetsIds(Authority):
    """Does again whatever is asked again."""

    def version_of(self, address: str, seat: str, message_id: str) -> int:
        return 0


class AnswersBeforeItWrites(Authority):
    """Loses every tenth event that it has acknowledged."""

    def write(self, game, event: Event) -> None:  # type: ignore[no-untyped-def]
        if event.version != 10:
            super().write(game, event)


@pytest.mark.once
@pytest.mark.parametrize("client", [ResendsUnderNewIds, ForgetsPending])
def test_a_client_that_does_not_resume_is_found_out(client: type[Client]) -> None:
    with pytest.raises(AssertionError):
        lose_everywhere(bob=client)


@pytest.mark.once
@pytest.mark.parametrize("authority", [ForgetsIds, AnswersBeforeItWrites])
def test_a_server_that_forgets_is_found_out(authority: type[Authority]) -> None:
    with pytest.raises(AssertionError):
        lose_everywhere(authority=authority)


# -- events that come late, twice, or in another order ---------------------------------------------


def spoiler(rng: random.Random) -> Callable[[list[str]], list[str]]:
    """Return what loses, repeats and shuffles events, and leaves answers alone."""

    def spoil(texts: list[str]) -> list[str]:
        kept = []
        for text in texts:
            if '"type":"event"' in text:
                kept += [text] * rng.choice([0, 1, 1, 2])
            else:
                kept.append(text)
        places = [place for place, text in enumerate(kept) if '"type":"event"' in text]
        shuffled = [kept[place] for place in places]
        rng.shuffle(shuffled)
        for place, text in zip(places, shuffled):
            kept[place] = text
        return kept

    return spoil


def play_through_gaps(seed: int, bob: type[Client] = Client) -> None:
    table = Table(bob=bob, spoil=spoiler(random.Random(seed)))
    table.follow(*evening(table))
    settle_for_good(*table.links)
    table.check()


@pytest.mark.once
@pytest.mark.parametrize("seed", range(60))
def test_events_may_be_lost_repeated_and_shuffled(seed: int) -> None:
    play_through_gaps(seed)


@pytest.mark.parametrize("client", [AppliesAnyEvent, NeverAsksForGaps])
def test_a_client_that_does_not_count_events_is_found_out(client: type[Client]) -> None:
    def play_all() -> None:
        for seed in range(60):
            play_through_gaps(seed, client)

    with pytest.raises(AssertionError):
        play_all()


# -- a busy server, and one with an older log ------------------------------------------------------


@pytest.mark.parametrize("busy", [1, 2, 7])
@pytest.mark.parametrize("place", range(21))
def test_a_busy_server_is_asked_again(busy: int, place: int) -> None:
    table = Table()
    steps = evening(table)

    def is_busy(act: Act) -> Act:
        def first_busy(client: Client) -> Request | None:
            table.authority.busy = busy
            return act(client)

        return first_busy

    who, is_ready, act = steps[place]
    steps[place] = who, is_ready, is_busy(act)

    table.follow(*steps)

    table.check()


@pytest.mark.parametrize("kept", range(2, 9))
def test_clients_go_back_with_a_server_that_was_restored_from_an_older_log(kept: int) -> None:
    table = Table()
    log = lose_end(table, kept)

    settle(*table.links)

    check_all_see(table, log)


@pytest.mark.parametrize("kept", range(2, 9))
def test_who_comes_back_when_others_have_gone_on_from_an_older_log_sees_what_they_see(
    kept: int,
) -> None:
    table = Table()
    log = lose_end(table, kept)
    settle(table.links[0])
    while len(log) < 12:
        table.clients[0].chat(f"Is it only me who remembers {len(log)}?")
        settle(table.links[0])

    settle(*table.links)

    check_all_see(table, log)


def test_a_watcher_sees_the_same_game_from_the_middle_on() -> None:
    table = Table()
    watcher = Client(random.Random(9), table.time)
    link = Link(watcher, table.authority, table.time)
    table.follow(*evening(table)[:6])
    watcher.watch(table.clients[0].address)
    settle(link)

    table.links.append(link)
    table.follow(*evening(table)[6:14])

    assert watcher.seat == ""
    assert watcher.events == table.clients[0].events
    assert [event.cell for event in watcher.events if isinstance(event, Moved)] == [4, 0, 8, 2, 6]
