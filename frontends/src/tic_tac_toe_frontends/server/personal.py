"""A player's own requests: their list of games, reports to the operator, and blocks."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from logging import ERROR

from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.events import SEATS, SIDES, Said
from tic_tac_toe.protocols.online.judge import illegal
from tic_tac_toe.protocols.online.messages import OWN_GAMES
from tic_tac_toe.protocols.online.replies import OK, Answer, OwnGame
from tic_tac_toe.protocols.online.requests import CHAT_LINE, PLAYER_NAME, Block, Mine, Report

from .budgets import Budget
from .core import ServerCore
from .logs import log
from .pending import PendingRequest, busy, refusal, too_fast
from .session import GameSession
from .storage.game_rows import GameRow
from .storage.store import ReportRow, StorageError, report_of

#: Bytes of the games in one answer, about; well below the limit of the send buffer.
MOST_BYTES = 48 * 1024


def list_own_games(
    core: ServerCore, pending: PendingRequest, request: Mine, budget: Budget
) -> None:
    """Answer with the newest games of a token; it costs as much as a page."""
    if wait := budget.pages.spend(core.clock()):
        pending.answer(too_fast(request.id, wait))
        return
    key = hash_of_token(request.token)

    async def find() -> Answer:
        rows = await core.readers.run(core.store.games_of, key, OWN_GAMES)
        return Answer(request.id, OK, games=_fitting(rows, key))

    core.tasks.start(_answer(core, pending, find))


def report(core: ServerCore, pending: PendingRequest, request: Report, place: GameSession) -> None:
    """Store what a player or a watcher reports, for the operator."""
    found = _reported(core, request, place, pending.seat)
    if found is None:
        pending.answer(refusal(request.id, illegal("nothing_to_report")))
        return
    if pending.budget is not None and (wait := pending.budget.reports.spend(core.clock())):
        pending.answer(too_fast(request.id, wait))
        return

    sender = pending.seat or pending.budget  # the report is about one game

    async def store() -> Answer:
        if core.report_senders.add(found.id, sender):
            try:
                await core.writer.run(core.store.report, found)
            except StorageError:
                core.report_senders.drop(found.id, sender)
                raise
            log("something was reported", game=found.game, what=found.what, report=found.id)
        return Answer(request.id, OK)

    core.tasks.start(_answer(core, pending, store))


def block(core: ServerCore, pending: PendingRequest, request: Block, place: GameSession) -> None:
    """Store that a player wants no more games with the opponent of this game, or undo that."""
    game, seat = place.game, pending.seat
    if game is None or not seat:
        pending.answer(refusal(request.id, illegal("not_seated")))
        return
    own, other = game.player(seat), game.player(SEATS[1 - SIDES[seat]])
    if own is None or not own.key:  # the operator has removed the seat
        pending.answer(refusal(request.id, illegal("not_seated")))
        return
    if other is None or not other.key:
        reason = "no_person" if other is not None and other.strategy else "waiting"
        pending.answer(refusal(request.id, illegal(reason)))
        return
    if pending.budget is not None and (wait := pending.budget.blocks.spend(core.clock())):
        pending.answer(too_fast(request.id, wait))
        return
    mine, theirs = own.key, other.key

    async def store() -> Answer:
        if request.on:
            await core.writer.run(core.store.block, mine, theirs, core.now())
        else:
            await core.writer.run(core.store.unblock, mine, theirs)
        core.blocks.forget(mine, theirs)
        return Answer(request.id, OK)

    core.tasks.start(_answer(core, pending, store))


async def _answer(
    core: ServerCore, pending: PendingRequest, work: Callable[[], Awaitable[Answer]]
) -> None:
    """Answer a request with the result of some work; with `busy` if the storage fails."""
    answer = busy(pending.request.id, "storage")
    try:
        answer = await work()
    except StorageError as error:
        log("a player's request failed", level=ERROR, problem=str(error))
        core.writer.check()
    finally:
        pending.answer(answer)


def _reported(core: ServerCore, request: Report, place: GameSession, seat: str) -> ReportRow | None:
    """Return the report of a line or name that the sender can see; ``None`` if there is none."""
    game, found = place.game, ("", "")
    if game is None:
        return None
    if request.what == CHAT_LINE:
        at_line = (event for event in place.loaded.events if event.version == request.line)
        found = next(((str(e.version), e.text) for e in at_line if isinstance(e, Said)), found)
    elif request.what == PLAYER_NAME:
        player = game.player(request.seat) if request.seat else None
        if player is not None and not player.strategy:
            found = request.seat, player.name
    elif not seat or game.end is not None:
        lines = (line for line in place.talk.lines if line.time == request.line)
        of_watcher = (line for line in lines if line.number == request.number)
        found = next(((f"{e.number} {e.time}", e.text) for e in of_watcher), found)
    where, what_was_said = found
    if not what_was_said:
        return None
    return report_of(game.address, request.what, where, what_was_said, request.text, core.now())


def _fitting(rows: list[GameRow], key: str) -> tuple[OwnGame, ...]:
    games: list[OwnGame] = []
    size = 0
    for row in rows:
        seat = SEATS[0] if row.crosses_key == key else SEATS[1]
        crosses, naughts = row.crosses or "", row.naughts or ""
        played = row.stage, row.result, row.clock, row.time
        game = OwnGame(row.game, row.variant, seat, crosses, naughts, *played)
        size += len(json.dumps(vars(game)))
        if size > MOST_BYTES:
            break
        games.append(game)
    return tuple(games)
