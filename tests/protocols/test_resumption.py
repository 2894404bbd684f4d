"""Two clients lose their connections everywhere, and in the end nothing is missing or there twice.

In storms, three clients ask for anything at any time, over connections that break at any time.
Whatever is asked has one answer in the end, and the answer is true: what was done is in the log
once, under the version that was told, and what was refused is not.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.protocols.games import known
from tests.protocols.linked import Authority, Link, Time, settle, settle_for_good
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import DRAW, OFFERS, REMATCH, TAKE_BACK, Event, Moved, Said
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.replies import BUSY, DUPLICATE, OK
from tic_tac_toe.protocols.online.requests import Request

Ready = Callable[[Client], bool]
Act = Callable[[Client], Request | None]
Step = tuple[int, Ready, Act]


class Table:
    """Ann, Bob and the server between them, with what each of them does, one after the other."""

    def __init__(
        self,
        breaks: tuple[set[int], set[int]] = (set(), set()),
        listens_first: bool = True,
        spoil: Callable[[list[str]], list[str]] | None = None,
    ) -> None:
        self.time = Time()
        self.authority = Authority(self.time)
        self.clients = [Client(random.Random(seed), self.time) for seed in range(2)]
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


def lose_everywhere() -> int:
    """Spend an evening for each text after which a connection can be lost; return how many."""
    count = 0
    for who, texts in enumerate(texts_of_an_evening()):
        for lost in range(1, texts + 1):
            for listens_first in (True, False) if lost % 3 == 0 else (True,):
                breaks: tuple[set[int], set[int]] = (set(), set())
                breaks[who].add(lost)
                table = Table(breaks=breaks, listens_first=listens_first)
                spend_evening(table)
                count += table.links[who].losses
    return count


@pytest.mark.medium
def test_a_connection_may_be_lost_after_any_text_in_either_direction() -> None:
    assert lose_everywhere() > 100


@pytest.mark.medium
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


@pytest.mark.parametrize("seed", range(60))
def test_events_may_be_lost_repeated_and_shuffled(seed: int) -> None:
    table = Table(spoil=spoiler(random.Random(seed)))
    table.follow(*evening(table))
    settle_for_good(*table.links)
    table.check()


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


# -- storms ----------------------------------------------------------------------------------------


class Storm:
    """Ann and Bob, who play, and Eve, who watches and tries to; and what they have asked."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.time = Time()
        self.authority = Authority(self.time)
        self.clients = [Client(random.Random(f"{seed} {who}"), self.time) for who in range(3)]
        self.links = [Link(client, self.authority, self.time) for client in self.clients]
        self.asked: list[list[Request]] = [[], [], []]
        variant = self.rng.choice(["tic-tac-toe", "connect-four", "4x4x3", "ultimate"])
        clock = self.rng.choice([None, Clock(3600, 2)])
        ann, bob, eve = self.clients
        self._keep(0, ann.create(variant, name="Ann", clock=clock))
        settle(self.links[0])
        eve.watch(ann.address)
        self._keep(1, bob.join(ann.address, "Bob"))

    def _keep(self, who: int, request: Request) -> None:
        self.asked[who].append(request)

    def blow(self, steps: int) -> None:
        """Let a number of things happen, and then let everybody come to rest."""
        rng = self.rng
        for _ in range(steps):
            who = rng.randrange(3)
            link = self.links[who]
            dice = rng.random()
            if dice < 0.70:
                link.listens_first = rng.random() < 0.5
                link.step()
            elif dice < 0.85 and len(self.clients[who].pending) < 6:
                self._act(who)
            elif dice < 0.88 and link.line is not None:
                link.lose()
            elif dice < 0.97:
                link.open()
                self.time.seconds += 0.05
                link.client.wake()
            else:
                self.authority.busy = rng.randrange(3)
        settle_for_good(*self.links)

    def _act(self, who: int) -> None:
        client, rng = self.clients[who], self.rng
        game = client.game
        legal = [0] if game is None else list(game.state.legal_cells) or [0]
        dice = rng.random()
        if dice < 0.6:
            self._keep(who, client.move(rng.choice(legal)))
        elif dice < 0.75:
            self._keep(who, client.chat(f"{rng.getrandbits(60):x}"))
        elif dice < 0.98:
            kind, what = rng.randrange(4), rng.choice(OFFERS)
            if kind == 0:
                self._keep(who, client.offer(what))
            else:
                self._keep(who, client.decline(what) if kind == 1 else client.accept(what))
        else:
            self._keep(who, client.resign())

    def check(self) -> None:
        ann = self.clients[0]
        log = self.authority.logs[ann.address]
        told = [known(event) for event in log]
        for client, link in zip(self.clients, self.links):
            assert client.events == told
            assert client.game is not None
            assert client.game.moves == replay(told).moves  # type: ignore[union-attr]
            if client.game.clock is None:
                assert client.game == replay(told)
            assert set(link.finished.values()) <= {1}, "a request was answered twice"
        for link, asked in zip(self.links, self.asked):
            assert sorted(link.finished) == sorted(request.id for request in asked)
            self._check_answers(link, log)

    def _check_answers(self, link: Link, log: list[Event]) -> None:
        for answered in link.answers:
            message_id, answer = answered.request.id, answered.answer
            found = [event.version for event in log if event.id == message_id]
            if answer.status in (OK, DUPLICATE):
                assert found == [answer.version], answered
            elif answer.status != "busy":
                assert found == [], answered


def weather(seeds: range) -> set[str]:
    """Let storms blow, check each, and return what answers there have been."""
    answers = set()
    for seed in seeds:
        storm = Storm(seed)
        storm.blow(300)
        storm.check()
        for link in storm.links:
            answers |= {told.answer.reason or told.answer.status for told in link.answers}
    return answers


@pytest.mark.medium
def test_every_answer_is_true_whatever_is_asked_and_whenever_connections_break() -> None:
    answers = weather(range(60))

    assert answers >= {"ok", "duplicate", "stale", "too_fast", "not_your_turn", "not_seated"}


@pytest.mark.parametrize(
    "count",
    [pytest.param(150, marks=pytest.mark.slow), pytest.param(2_000, marks=pytest.mark.nightly)],
)
def test_every_answer_is_true_in_many_storms(count: int) -> None:
    weather(range(1_000, 1_000 + count))
