"""Three clients ask for anything at any time, over connections that break at any time.

Whatever is asked has one answer in the end, and the answer is true: what was done is in the log
once, under the version that was told, and what was refused is not.
"""

from __future__ import annotations

import random

import pytest

from tests.protocols.games import known
from tests.protocols.linked import Authority, Link, Time, settle, settle_for_good
from tests.protocols.test_resumption import ForgetsIds, ForgetsPending, ResendsUnderNewIds
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import OFFERS, Event
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.replies import DUPLICATE, OK
from tic_tac_toe.protocols.online.requests import Request


class Storm:
    """Ann and Bob, who play, and Eve, who watches and tries to; and what they have asked."""

    def __init__(
        self, seed: int, client: type[Client] = Client, authority: type[Authority] = Authority
    ) -> None:
        self.rng = random.Random(seed)
        self.time = Time()
        self.authority = authority(self.time)
        self.clients = [client(random.Random(f"{seed} {who}"), self.time) for who in range(3)]
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


def weather(seeds: range, **kinds: type) -> set[str]:
    """Let storms blow, check each, and return what answers there have been."""
    answers = set()
    for seed in seeds:
        storm = Storm(seed, **kinds)
        storm.blow(300)
        storm.check()
        for link in storm.links:
            answers |= {told.answer.reason or told.answer.status for told in link.answers}
    return answers


def test_every_answer_is_true_whatever_is_asked_and_whenever_connections_break() -> None:
    answers = weather(range(60))

    assert answers >= {"ok", "duplicate", "stale", "too_fast", "not_your_turn", "not_seated"}


@pytest.mark.slow
def test_every_answer_is_true_in_many_storms() -> None:
    weather(range(1_000, 2_500))


@pytest.mark.parametrize("client", [ResendsUnderNewIds, ForgetsPending])
def test_a_client_that_does_not_resume_is_found_out(client: type[Client]) -> None:
    with pytest.raises(AssertionError):
        weather(range(60), client=client)


def test_a_server_that_forgets_ids_is_found_out() -> None:
    with pytest.raises(AssertionError):
        weather(range(60), authority=ForgetsIds)
