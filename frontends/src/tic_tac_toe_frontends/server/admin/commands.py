"""The commands of an operator; `endpoint` receives them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.events import OPERATOR, Event, Expired, write_event
from tic_tac_toe.protocols.online.game import Replaced
from tic_tac_toe.protocols.online.replies import Notice
from tic_tac_toe.protocols.online.requests import CHAT_LINE, PLAYER_NAME

from ..decisions import Decisions
from ..game_server import GameServer
from ..logs import log
from ..moderation import network_named
from ..revision import UnknownGame
from ..storage.game_rows import GameRow, read_game
from ..storage.statements import OVER
from ..storage.store import Ban, DamagedGame, ReportRow, StorageError
from ..wire.web_socket import frame_of
from .changes import Refusal, key_of, line_removed, own_events, renamed, seat_forgotten
from .forms import LISTED
from .status import status_of

Lines = AsyncIterator[Mapping[str, object]]


class Admin:
    """Carries out the commands of an operator; each yields the lines of its answer.

    Commands run on the server's event loop, between the requests of players, and write in the same
    way.
    """

    def __init__(self, server: GameServer) -> None:
        self._server = server
        self._decisions = Decisions(server)
        self.commands: Mapping[str, Callable[..., Lines]] = {
            "status": self._status,
            "games": self._games,
            "show": self._show,
            "end": self._end,
            "hide": self._hide,
            "unhide": self._unhide,
            "delete": self._delete,
            "line": self._line,
            "rename": self._rename,
            "forget": self._forget,
            "export": self._export,
            "ban": self._ban,
            "unban": self._unban,
            "bans": self._bans,
            "announce": self._announce,
            "drain": self._drain,
            "reports": self._reports,
            "dismiss": self._dismiss,
        }

    async def run(self, command: str, **values: Any) -> Lines:
        """Carry out a command of `commands`, and yield the lines of its answer.

        Raises:
            Refusal: it cannot be done, with the reason.
        """
        try:
            if command != "games" and "game" in values:
                values["game"] = await self._full_address(values["game"])
            async for line in self.commands[command](**values):
                yield line
        except UnknownGame:
            raise Refusal("unknown_game") from None
        except DamagedGame as error:
            raise Refusal("damaged", reason=str(error)) from None
        except (Replaced, InvalidVariant) as error:
            raise Refusal("damaged", reason=str(error)) from None
        except StorageError as error:
            raise Refusal("storage", reason=str(error)) from None

    # -- reading -------------------------------------------------------------------------------

    async def _full_address(self, game: str) -> str:
        if is_address(game):
            return game
        find = self._server.store.find_games
        found = await self._server.readers.run(find, "", "", game, 2)
        if len(found) > 1:
            raise Refusal("many_games", game=game)
        if not found:
            raise UnknownGame
        return read_game(found[0]).game

    async def _status(self) -> Lines:
        size = await self._server.readers.run(self._server.store.size)
        for line in status_of(self._server, size):
            yield line

    async def _games(
        self,
        name: str = "",
        state: str = "",
        game: str = "",
        address: str = "",
        limit: int = LISTED,
    ) -> Lines:
        server = self._server
        if address:
            network = network_named(address)
            near = {each for each in {*server.connections.values()} if _is_in(each, network)}
            places = {
                connection.session.address
                for connection, where in server.connections.items()
                if connection.session is not None and where in near
            }
            kept = [
                await server.readers.run(server.store.row, place)
                for place in sorted(places)[:limit]
            ]
            rows = [row for row in kept if row is not None]
        else:
            find = server.store.find_games
            found = await server.readers.run(find, name, state, game, limit)
            rows = [read_game(values) for values in found]
        for row in rows:
            yield self._summary(row)

    def _summary(self, row: GameRow) -> Mapping[str, object]:
        session = self._server.sessions.get(row.game)
        seats, watchers = ("", 0) if session is None else session.followers.here()
        return {
            "game": row.game,
            "state": row.stage,
            "variant": row.variant,
            "time": row.time,
            "X": row.crosses,
            "O": row.naughts,
            "result": row.result,
            "open": row.is_open,
            "here": seats,
            "watchers": watchers,
            "hidden": self._server.moderation.is_hidden(row.game),
        }

    async def _show(self, game: str) -> Lines:
        for event in await self._events(game):
            yield write_event(event)

    async def _export(self, game: str, seat: str) -> Lines:
        yield own_events(await self._events(game), seat)

    async def _events(self, game: str) -> Sequence[Event]:
        events = await self._server.readers.run(self._server.store.events, game)
        if not events:
            raise UnknownGame
        return events

    async def _reports(self, limit: int = LISTED) -> Lines:
        for report in await self._server.readers.run(self._server.store.reports, limit):
            yield {**report._asdict(), **await self._author(report)}

    async def _author(self, report: ReportRow) -> Mapping[str, object]:
        """Return the seat of a reported line or name, and the current name of its player."""
        run, store = self._server.readers.run, self._server.store
        seat = report.place if report.what == PLAYER_NAME else ""
        if report.what == CHAT_LINE:
            with suppress(DamagedGame):
                events = await run(store.events, report.game, int(report.place) - 1)
                seat = events[0].seat if events else ""
        row = await run(store.row, report.game) if seat else None
        names = {} if row is None else {"X": row.crosses, "O": row.naughts}
        return {"seat": seat, "name": names.get(seat) or ""}

    async def _dismiss(self, report: str) -> Lines:
        if not await self._decisions.dismiss(report):
            raise Refusal("unknown_report")
        yield self._log_done("dismiss", report=report)

    # -- games ---------------------------------------------------------------------------------

    async def _end(self, game: str, reason: str = "") -> Lines:
        await self._events(game)
        server = self._server
        session = server.sessions[game]

        def event() -> Event | None:
            known = session.game
            if known is None or known.end is not None:
                return None
            return Expired(
                game, known.version + 1, "", max(server.now(), known.time), what=OPERATOR
            )

        if not await server.revisions.write(session, event):
            raise Refusal("over")
        if reason:
            session.followers.send(frame_of(Notice(reason)))
        yield self._log_done("end", game)

    async def _hide(self, game: str) -> Lines:
        await self._server.revisions.hide(game, True)
        yield self._log_done("hide", game)

    async def _unhide(self, game: str) -> Lines:
        await self._server.revisions.hide(game, False)
        yield self._log_done("unhide", game)

    async def _delete(self, game: str) -> Lines:
        if not await self._server.readers.run(self._server.store.heads, [game]):
            raise UnknownGame
        await self._server.revisions.delete(game)
        yield self._log_done("delete", game)

    async def _line(self, game: str, version: int) -> Lines:
        await self._server.revisions.revise(game, lambda events: line_removed(events, version))
        yield self._log_done("line", game, version=version)

    async def _rename(self, game: str, seat: str, name: str) -> Lines:
        await self._server.revisions.revise(game, lambda events: renamed(events, seat, name))
        yield self._log_done("rename", game, seat=seat)

    async def _forget(self, game: str, seat: str) -> Lines:
        row = await self._server.readers.run(self._server.store.row, game)
        if row is not None and row.stage != OVER:
            raise Refusal("not_over")
        key = key_of(await self._events(game), seat)
        await self._server.revisions.revise(game, lambda events: seat_forgotten(events, seat))
        await self._decisions.forget_key(key)
        yield self._log_done("forget", game, seat=seat)

    # -- clients -------------------------------------------------------------------------------

    async def _ban(self, network: str, seconds: int, why: str = "") -> Lines:
        server = self._server
        name = str(network_named(network))
        ban = Ban(name, server.now() + 1000 * seconds, why)
        await self._decisions.keep_ban(ban)
        yield {"network": name, "until": ban.until, "closed": server.close_banned()}
        self._log_done("ban", network=self._loggable(name), seconds=seconds)

    async def _unban(self, network: str) -> Lines:
        name = str(network_named(network))
        if not await self._decisions.drop_ban(name):
            raise Refusal("not_banned")
        yield {"network": name}
        self._log_done("unban", network=self._loggable(name))

    async def _bans(self) -> Lines:
        for ban in self._server.moderation.bans:
            yield ban._asdict()

    async def _announce(self, text: str) -> Lines:
        yield {"told": self._server.announce(text)}
        self._log_done("announce")

    async def _drain(self, seconds: int = 0, off: bool = False) -> Lines:
        server = self._server
        told = server.draining.end() if off else server.draining.start(seconds)
        yield {"draining": not off, "unfinished": server.lobby.unfinished, "told": told}
        self._log_done("drain", seconds=seconds or None, off=off or None)

    def _loggable(self, network: str) -> str | None:
        return network if self._server.connection_log.is_logged else None

    def _log_done(
        self, command: str, game: str = "", **details: str | int | None
    ) -> Mapping[str, object]:
        fields: dict[str, Any] = {"command": command, "game": game or None, **details}
        log("operator", **fields)
        return {"done": command, "game": game}


def _is_in(address: str, network: Any) -> bool:
    try:
        return bool(network_named(address).subnet_of(network))
    except (TypeError, ValueError):  # another IP version, or no address
        return False


def as_json(line: Mapping[str, object]) -> str:
    """Return a line of an answer as JSON."""
    return json.dumps(line, separators=(",", ":"))
