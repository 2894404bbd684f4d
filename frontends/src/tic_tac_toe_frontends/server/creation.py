"""Creates games: checks the request, writes the first event, or refuses."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.exceptions import BrainError
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.records import first_state, rules_named
from tic_tac_toe.logic.rules.traits import beginner
from tic_tac_toe.protocols.gomocup.manager import check_game
from tic_tac_toe.protocols.online.addresses import address_of_new_game, hash_of_token
from tic_tac_toe.protocols.online.clocks import first_move_seconds
from tic_tac_toe.protocols.online.events import SEATS, Created, GameSetup, Player
from tic_tac_toe.protocols.online.game import begin
from tic_tac_toe.protocols.online.judge import Illegal
from tic_tac_toe.protocols.online.replies import DUPLICATE, REASONS, Answer, Welcome
from tic_tac_toe.protocols.online.requests import PERSON, RANDOM_SEAT, Create, Pair

from .budgets import Budget, SeatUsage
from .pending import FULL_RETRY, HELD_RETRY, PendingRequest, busy, refusal, too_fast
from .session import Sessions
from .storage.game_rows import Transaction, row_of
from .writer import CommitResult

#: Seconds for a first move in games without a clock: against a computer, and in open games.
COMPUTER_WAITS, STRANGER_WAITS = 3_600, 600


class Asker(Protocol):
    """The connection that asks for a game."""

    budget: Budget
    usage: SeatUsage

    def spend_join(self) -> float:
        """Spend one attempt to join another player; return the seconds to wait, or 0."""


@dataclass
class Creator:
    """Creates games.

    Args:
        rng: draws the seats.
        programs: the names of the operator's computer players, beside strategies.
    """

    sessions: Sessions
    rng: random.Random
    programs: Collection[str] = ()

    def create(self, pending: PendingRequest, request: Create | Pair, asker: Asker) -> None:
        """Create a game; a request that is sent again gets the same answer again."""
        if isinstance(request, Create) and not self._has_opponent(request):
            text = REASONS["no_opponent"]
            pending.answer(refusal(request.id, Illegal("no_opponent", text)))
        elif self.sessions.core.writer.failed:
            pending.answer(busy(request.id, "storage"))
        elif (refused := self._refused(request, asker)) is not None:
            self._answer_if_created(pending, request, refused)
        else:
            self._write(pending, request, asker.budget)

    def _refused(self, request: Create | Pair, asker: Asker) -> Answer | None:
        core, budget = self.sessions.core, asker.budget
        if core.moderation.is_draining:
            return busy(request.id, "draining", FULL_RETRY)
        if self.sessions.lobby.is_full:
            return busy(request.id, "full", FULL_RETRY)
        if reason := core.quotas.refuses_creation(request, budget, asker.usage):
            retry = FULL_RETRY if reason == "too_many_games" else HELD_RETRY
            return busy(request.id, reason, retry)
        wait = asker.spend_join() if isinstance(request, Pair) else 0.0
        wait = wait or budget.games.spend(core.clock())
        return too_fast(request.id, wait) if wait else None

    def _has_opponent(self, request: Create) -> bool:
        name = request.opponent
        if name not in self.programs:
            return name == PERSON or name in STRATEGIES
        start = first_state(rules_named(request.variant), Mark(request.starting))
        try:
            check_game(name, start)
        except BrainError:
            return False
        return True

    def _write(self, pending: PendingRequest, request: Create | Pair, budget: Budget) -> None:
        address = address_of_new_game(request.token, request.id)
        setup = self._setup_of(request, hash_of_token(request.token))
        event = Created(address, 1, "", self.sessions.core.now(), request.id, setup=setup)
        row = row_of(begin(event))
        core, lobby = self.sessions.core, self.sessions.lobby
        lobby.creating += 1
        budget.usage.creating[address] = setup.pairing if setup.is_open else None
        commit = core.writer.write(Transaction((event,), (row,)))

        async def adopt() -> None:
            result = await commit
            lobby.creating -= 1
            budget.usage.creating.pop(address, None)
            if result is CommitResult.UNKNOWN:
                pending.answer(busy(request.id, "storage"))
                return
            session = self.sessions[address]
            if result is CommitResult.WRITTEN and not session.loaded.version:
                lobby.unfinished += 1
                session.adopt_created(event, row, pending)
            else:
                session.submit(pending)

        core.tasks.start(adopt())

    def _answer_if_created(
        self, pending: PendingRequest, request: Create | Pair, refused: Answer
    ) -> None:
        budget = pending.budget
        if budget is not None and budget.followed >= self.sessions.core.limits.followed.number:
            pending.answer(refused)
            return

        def answered(reply: Answer | Welcome) -> None:
            there = isinstance(reply, Answer) and reply.status == DUPLICATE
            pending.answer(reply if there else refused)

        session = self.sessions[address_of_new_game(request.token, request.id)]
        session.submit(PendingRequest(request, "", answered, budget))

    def _setup_of(self, request: Create | Pair, key: str) -> GameSetup:
        creator, other = Player(request.name, key), None
        seat, starting, is_open, pairing = RANDOM_SEAT, SEATS[0], True, True
        if isinstance(request, Create):
            seat, starting = request.seat, request.starting
            starting = SEATS[beginner(rules_named(request.variant), SEATS.index(starting))]
            is_open, pairing = request.open, False
            if request.opponent != PERSON:
                other = Player(request.opponent, strategy=request.opponent)
        if seat == RANDOM_SEAT:
            seat = self.rng.choice(SEATS)
        players = (creator, other) if seat == SEATS[0] else (other, creator)
        return GameSetup(
            request.variant,
            starting,
            players,
            is_open,
            request.clock,
            pairing=pairing,
            first_move=_first_move(request, is_open=is_open, has_computer=other is not None),
        )


def _first_move(request: Create | Pair, *, is_open: bool, has_computer: bool) -> int:
    """Return the seconds for the first move of each side; 0 for no limit."""
    if request.clock is not None:
        return first_move_seconds(request.clock)
    if has_computer:
        return COMPUTER_WAITS
    return STRANGER_WAITS if is_open else 0
