"""New games: how they are asked for, written, and refused."""

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

from .pending import FULL_RETRY, HELD_RETRY, PendingRequest, busy, refusal, too_fast
from .rate_limits import Account, Share
from .sessions import Sessions
from .storage.game_rows import Transaction, row_of
from .writer import CommitResult

#: Seconds for a first move without a clock: against a computer, and in a game open to everybody.
COMPUTER_WAITS, STRANGER_WAITS = 3_600, 600


class Asker(Protocol):
    """A connection that asks for a game."""

    account: Account
    share: Share

    def spend_join(self) -> float:
        """Count that a player wants to come to another; return the seconds to wait."""


@dataclass
class Creator:
    """Creates games.

    Args:
        rng: draws the seats.
        programs: the names of the computer players that the operator offers beside strategies.
    """

    sessions: Sessions
    rng: random.Random
    programs: Collection[str] = ()

    def create(self, pending: PendingRequest, request: Create | Pair, asker: Asker) -> None:
        """Create a game, or give the same answer again if the request has created it before."""
        if isinstance(request, Create) and not self._has_opponent(request):
            text = REASONS["no_opponent"]
            pending.answer(refusal(request.id, Illegal("no_opponent", text)))
        elif self.sessions.core.writer.failed:
            pending.answer(busy(request.id, "storage"))
        elif (refused := self._refused(request, asker)) is not None:
            self._answer_if_created(pending, request, refused)
        else:
            self._write(pending, request, asker.account)

    def _refused(self, request: Create | Pair, asker: Asker) -> Answer | None:
        """Return why there can be no further game now, or none of this address."""
        core, account = self.sessions.core, asker.account
        if core.moderation.is_draining:
            return busy(request.id, "draining", FULL_RETRY)
        if self.sessions.lobby.is_full:
            return busy(request.id, "full", FULL_RETRY)
        if reason := core.holdings.refuses_creation(request, account, asker.share):
            retry = FULL_RETRY if reason == "too_many_games" else HELD_RETRY
            return busy(request.id, reason, retry)
        wait = asker.spend_join() if isinstance(request, Pair) else 0.0
        wait = wait or account.games.spend(core.clock())
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

    def _write(self, pending: PendingRequest, request: Create | Pair, account: Account) -> None:
        address = address_of_new_game(request.token, request.id)
        setup = self._setup_of(request, hash_of_token(request.token))
        event = Created(address, 1, "", self.sessions.core.now(), request.id, setup=setup)
        row = row_of(begin(event))
        self.sessions.lobby.creating += 1
        account.share.coming[address] = setup.pairing if setup.is_open else None

        def committed(result: CommitResult) -> None:
            self.sessions.lobby.creating -= 1
            account.share.coming.pop(address, None)
            if result is CommitResult.UNKNOWN:
                pending.answer(busy(request.id, "storage"))
                return
            session = self.sessions[address]
            if result is CommitResult.WRITTEN and not session.loaded.version:
                self.sessions.lobby.unfinished += 1
                session.begin(event, row, pending)
            else:
                session.ask(pending)

        self.sessions.core.writer.write(Transaction((event,), (row,)), committed)

    def _answer_if_created(
        self, pending: PendingRequest, request: Create | Pair, refused: Answer
    ) -> None:
        """Give the same answer again if the request has created the game; else refuse it."""
        account = pending.account
        if account is not None and account.followed >= self.sessions.core.allowance.followed:
            pending.answer(refused)
            return

        def answered(reply: Answer | Welcome) -> None:
            there = isinstance(reply, Answer) and reply.status == DUPLICATE
            pending.answer(reply if there else refused)

        session = self.sessions[address_of_new_game(request.token, request.id)]
        session.ask(PendingRequest(request, "", answered, account))

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
    """Return the seconds that each side has for its first move; 0 without a limit."""
    if request.clock is not None:
        return first_move_seconds(request.clock)
    if has_computer:
        return COMPUTER_WAITS
    return STRANGER_WAITS if is_open else 0
