"""The commands of an operator, each declared once, with what it does.

The arguments of the command line, its help, the reader of the socket, the entries of the log and
the table of docs/how-to/server.md are made of `COMMANDS`. The command line imports this module,
too, so it imports no package that only a server needs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import wraps
from gettext import NullTranslations
from math import inf, isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import tic_tac_toe
from tic_tac_toe.logic.exceptions import InvalidNotation, InvalidVariant
from tic_tac_toe.logic.strict_json import parse, read_object, read_text
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.events import (
    SIDES,
    Created,
    Event,
    Joined,
    Player,
    Said,
    write_event,
    write_setup,
)
from tic_tac_toe.protocols.online.game import Replaced
from tic_tac_toe.protocols.online.requests import CHAT_LINE, PLAYER_NAME

from ...words.foreign import escaped
from ...words.translation import N_
from ..budgets import network_of
from ..logs import log
from ..moderation import UnknownGame, network_named, without_text
from ..storage.game_rows import GameRow, read_game
from ..storage.statements import OVER
from ..storage.store import Ban, DamagedGame, ReportRow, Result, StorageError
from . import fields
from .fields import LISTED, Command, Line, Lines, fields_of

if TYPE_CHECKING:
    from ..game_server import GameServer

#: Addresses that the status lists, those with the most connections.
ADDRESSES = 20
#: The timings in the status, with the names of their metrics and what is said of them.
TIMED = {
    "answers": (
        "tictactoe_acknowledge_seconds",
        N_("answers to moves and the like: half within {p50}, 99 % within {p99}"),
    ),
    "commits": (
        "tictactoe_commit_seconds",
        N_("commits: half within {p50}, 99 % within {p99}"),
    ),
    "loop": (
        "tictactoe_loop_lag_seconds",
        N_("delay of the event loop: half within {p50}, 99 % within {p99}"),
    ),
    "thoughts": (
        "tictactoe_thought_wait_seconds",
        N_("wait of computers: half within {p50}, 99 % within {p99}"),
    ),
}
#: The refusals in the status by the names of their metrics: of requests, and of connections.
REFUSED = {"tictactoe_rejections_total": "refused", "tictactoe_turned_away_total": "turned_away"}


class Refusal(Exception):
    """A command cannot be carried out.

    Args:
        code: the reason; `describe_error` has the sentences.
        values: the values in the sentence.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


# -- answers ---------------------------------------------------------------------------------------

_ERRORS: Mapping[str, str] = MappingProxyType(
    {
        "unknown_game": N_("there is no such game"),
        "many_games": N_("the addresses of several games begin with {game}; write more of it"),
        "no_line": N_("event {version} of the game is no line of chat"),
        "nobody": N_("nobody sits at {seat}"),
        "computer": N_("a computer plays there"),
        "over": N_("the game is over already"),
        "not_over": N_("the game is not over yet; end it first"),
        "unknown_report": N_("there is no such report"),
        "not_banned": N_("this address is not banned"),
        "damaged": N_("the game cannot be read: {reason}"),
        "storage": N_("the games cannot be written or read now: {reason}"),
        "unreadable": N_("the server does not understand this: {reason}"),
    }
)
#: The lines of a status with one figure, by the field that only they have.
_COUNTS: Mapping[str, str] = MappingProxyType(
    {
        "address": N_("connections from {address}: {connections}"),
        "turned_away": N_("connections and requests turned away, {turned_away}: {count}"),
        "refused": N_("requests refused, {refused}: {count}"),
    }
)


def describe_error(line: Line, language: NullTranslations) -> str:
    """Return why a command was refused."""
    message = _ERRORS.get(str(line["error"]), str(line["error"]))
    return language.gettext(message).format_map(line)


def _status(line: Line, language: NullTranslations) -> str:
    _ = language.gettext
    if "slow" in line:
        values = {part: _duration(line[part], language) for part in ("p50", "p99")}
        return _(TIMED[line["slow"]][1]).format_map(values)
    for name, message in _COUNTS.items():
        if name in line:
            return _(message).format_map(line)
    ready = _("ready") if line["ready"] else _("not ready")
    if line["draining"]:
        ready = _("begins no new games")
    size = round(line["bytes"] / 2**20, 1)
    lines = [
        _("version {version}, running for {seconds} s: {ready}"),
        _("connections: {connections}; addresses: {addresses}"),
        _("games in memory: {games}; not over: {unfinished}"),
        _("moves that computers have to find: {thoughts}; {waiting} wait"),
        _("games that are being loaded: {loads}"),
        _("transactions that wait to be written: {writing}"),
        _("data: {size} MiB in {place}"),
        *([] if line["backup"] is None else [_("last backup: {backup} s ago")]),
        _("bans: {bans}; refused because of them: {banned}"),
    ]
    more = {"ready": ready, "size": size, "place": line["data"]}
    return "\n".join(lines).format_map({**line, **more})


def _duration(value: float | None, language: NullTranslations) -> str:
    return "—" if value is None else language.gettext("{seconds} s").format(seconds=f"{value:g}")


def _game(line: Line, language: NullTranslations) -> str:
    _ = language.gettext
    names = " – ".join(
        "…" if line[seat] is None else line[seat] or _("a guest") for seat in ("X", "O")
    )
    notes = [
        line["result"],
        _("hidden") if line["hidden"] else "",
        _("connected: {seats}").format(seats=line["here"]) if line["here"] else "",
        _("watchers: {count}").format(count=line["watchers"]) if line["watchers"] else "",
    ]
    parts = [line["game"], _moment(line["time"]), line["state"], line["variant"], names, *notes]
    return escaped("  ".join(filter(None, parts)))


def _event(line: Line, _language: NullTranslations) -> str:
    entry = ("version", "time", "kind", "seat")
    details = " ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in line.items()
        if name not in entry
    )
    start = f"{line['version']}  {_moment(line['time'])}  {line['seat'] or '-'}  {line['kind']}"
    return escaped(f"{start}  {details}".rstrip())


def _report(line: Line, language: NullTranslations) -> str:
    _ = language.gettext
    whose = f"{line['name'] or _('a guest')} ({line['seat']})"
    if not line["seat"]:
        whose = _("Watcher {number}").format(number=line["place"].partition(" ")[0])
    parts = [line["id"], _moment(line["time"]), line["game"], line["what"], line["place"], whose]
    said, why = (json.dumps(line[name], ensure_ascii=False) for name in ("said", "text"))
    parts += [said, *([why] if line["text"] else [])]
    if line["times"] > 1:
        parts.append(_("reported {count} times").format(count=line["times"]))
    return escaped("  ".join(parts))


def _ban(line: Line, language: NullTranslations) -> str:
    _ = language.gettext
    until = _moment(line["until"])
    text = _("{network} is kept away until {time}").format(network=line["network"], time=until)
    if line.get("closed"):
        closed = _("connections that were closed: {count}").format(count=line["closed"])
        text = f"{text}; {closed}"
    return f"{text}  {escaped(line['why'])}" if line.get("why") else text


def _drain(line: Line, language: NullTranslations) -> str:
    if not line["draining"]:
        return language.gettext("New games can be begun again.")
    message = language.gettext("No new games are begun; games that are not over: {unfinished}.")
    return message.format_map(line)


def _moment(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000).astimezone():%Y-%m-%d %H:%M:%S}"


# -- commands --------------------------------------------------------------------------------------

Shown = str | Callable[[Line, NullTranslations], str]


def listing(
    purpose: str, shown: Shown, heading: str = "", if_empty: str = ""
) -> Callable[[Callable[..., Lines]], Command]:
    """Declare a command that lists something: a method that yields the lines of the answer."""

    def declare(run: Callable[..., Lines]) -> Command:
        return Command(run, fields_of(run), purpose, shown, heading, if_empty)

    return declare


def change(
    purpose: str, shown: Shown, *, is_either: bool = False
) -> Callable[[Callable[..., Awaitable[Line | None]]], Command]:
    """Declare a command that changes something, and that is logged.

    The method returns the only line of the answer; ``None`` for one that says that it is done.
    """

    def declare(carry_out: Callable[..., Awaitable[Line | None]]) -> Command:
        name, known = carry_out.__name__, fields_of(carry_out)

        @wraps(carry_out)
        async def run(operator: Operator, **values: Any) -> Lines:
            answer = await carry_out(operator, **values)
            may_tell = operator.server.connection_log.is_logged
            told: dict[str, Any] = {"command": name} | {
                field: values.get(field) or None
                for field, declared in known.items()
                if declared.is_logged and (may_tell or field != "network")
            }
            log("operator", **told)
            yield answer or {"done": name, "game": values.get("game", "")}

        return Command(run, known, purpose, shown, is_either=is_either)

    return declare


class Operator:
    """Carries out an operator's commands to a server.

    They run on the server's event loop, between the requests of players, and write in the same
    way.
    """

    def __init__(self, server: GameServer) -> None:
        self.server = server

    async def run(self, command: str, **values: Any) -> Lines:
        """Carry out a command of `COMMANDS`, and yield the lines of its answer.

        Raises:
            Refusal: it cannot be done, with the reason.
        """
        try:
            if command != "games" and "game" in values:
                values["game"] = await self._full_address(values["game"])
            async for line in COMMANDS[command].run(self, **values):
                yield line
        except UnknownGame:
            raise Refusal("unknown_game") from None
        except (DamagedGame, Replaced, InvalidVariant) as error:
            raise Refusal("damaged", reason=str(error)) from None
        except StorageError as error:
            raise Refusal("storage", reason=str(error)) from None

    async def _full_address(self, game: str) -> str:
        if is_address(game):
            return game
        found = await self._read(self.server.store.find_games, "", "", game, 2)
        if len(found) > 1:
            raise Refusal("many_games", game=game)
        if not found:
            raise UnknownGame
        return read_game(found[0]).game

    @listing(N_("tell who is there, what is slow and what is refused"), _status)
    async def status(self) -> Lines:
        """Tell who is there, what is slow and what is refused.

        The answer has the number of connections, and the addresses with the most of them; the games
        in memory, and what waits; how long answers and commits take; the size of the data, and the
        file it is in; and the version.
        """
        size = await self._read(self.server.store.size)
        for line in status_of(self.server, size):
            yield line

    @listing(
        N_("list games, the latest first"),
        _game,
        N_("address, since when (local time) in its state, state, game, X – O, result, notes"),
        N_("There are no such games."),
    )
    async def games(
        self,
        game: fields.Game = "",
        name: fields.Players = "",
        state: fields.State = "",
        address: fields.From = "",
        limit: fields.Limit = LISTED,
    ) -> Lines:
        """List games, the latest first.

        A line has the game's address, since when it waits, is played or is over, its state, the
        players and the result. `--state` is `waiting`, `playing` or `over`; `--from` finds the
        games that clients from there follow now.
        """
        server = self.server
        if address:
            network = network_named(address)
            near = {each for each in {*server.connections.values()} if _is_in(each, network)}
            places = {
                connection.session.address
                for connection, where in server.connections.items()
                if connection.session is not None and where in near
            }
            kept = [await self._read(server.store.row, place) for place in sorted(places)[:limit]]
            rows = [row for row in kept if row is not None]
        else:
            found = await self._read(server.store.find_games, name, state, game, limit)
            rows = [read_game(values) for values in found]
        for row in rows:
            yield self._summary(row)

    def _summary(self, row: GameRow) -> Line:
        session = self.server.sessions.get(row.game)
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
            "hidden": row.game in self.server.moderation.hidden,
        }

    @listing(N_("list the events of a game"), _event)
    async def show(self, game: fields.Game) -> Lines:
        """List the events of a game."""
        for event in await self._events(game):
            yield write_event(event)

    @change(N_("end a game without a winner"), N_("The game has been ended."))
    async def end(self, game: fields.Game, reason: fields.Reason = "") -> None:
        """End a game without a winner; its players are told, with `--reason` also why."""
        await self._events(game)
        if not await self.server.revisions.end(game, reason):
            raise Refusal("over")

    @change(N_("show a game to its players only"), N_("Only its players see the game now."))
    async def hide(self, game: fields.Game) -> None:
        """Show a game, its page and its record to its players only, and not in the lobby."""
        await self.server.revisions.hide(game, True)

    @change(N_("show a game to everybody again"), N_("Everybody sees the game again."))
    async def unhide(self, game: fields.Game) -> None:
        """Show a game to everybody again."""
        await self.server.revisions.hide(game, False)

    @change(N_("delete a game"), N_("The game has been deleted."))
    async def delete(self, game: fields.Game) -> None:
        """Delete a game with all its data; connected clients are told."""
        if not await self._read(self.server.store.heads, [game]):
            raise UnknownGame
        await self.server.revisions.delete(game)

    @change(N_("remove a line of chat"), N_("The line has been removed."))
    async def line(self, game: fields.Game, version: fields.Version) -> None:
        """Remove the text of a line of chat; the number is that of `show`."""
        await self.server.revisions.revise(game, lambda events: line_removed(events, version))

    @change(N_("give the player at a seat another name"), N_("The player has another name now."))
    async def rename(self, game: fields.Game, seat: fields.Seat, name: fields.NewName) -> None:
        """Give the player at X or O another name."""
        await self.server.revisions.revise(
            game, lambda events: [with_player(events, seat, name=name)]
        )

    @listing(N_("print all that belongs to a seat, as JSON"), "")
    async def export(self, game: fields.Game, seat: fields.Seat) -> Lines:
        """Print all that belongs to one seat as JSON.

        That is the name, and the moves, the chat and the offers with their times.
        """
        yield own_events(await self._events(game), seat)

    @change(
        N_("remove the name, the key and the chat of a seat"),
        N_("The name, the key and the chat of the seat have been removed."),
    )
    async def forget(self, game: fields.Game, seat: fields.Seat) -> None:
        """Remove name, key and chat of a seat of a game that is over.

        The moves stay, because they belong to both players. Clients connected from the seat are
        told, and can only watch.
        """
        row = await self._read(self.server.store.row, game)
        if row is not None and row.stage != OVER:
            raise Refusal("not_over")
        _, player = seating(await self._events(game), seat)
        await self.server.revisions.revise(game, lambda events: seat_forgotten(events, seat))
        await self.server.revisions.forget_key(player.key)

    @listing(
        N_("list what was reported, the latest first"),
        _report,
        N_("report, since when (local time), game, what, place, whose, what was said, notes"),
        N_("There are no reports."),
    )
    async def reports(self, limit: fields.Limit = LISTED) -> Lines:
        """List what players have reported, the latest first, and who wrote it."""
        for report in await self._read(self.server.store.reports, limit):
            yield {**report._asdict(), **await self._author(report)}

    async def _author(self, report: ReportRow) -> Line:
        """Return the seat of a reported line or name, and the current name of its player."""
        store = self.server.store
        seat = report.place if report.what == PLAYER_NAME else ""
        if report.what == CHAT_LINE:
            with suppress(DamagedGame):
                events = await self._read(store.events, report.game, int(report.place) - 1)
                seat = events[0].seat if events else ""
        row = await self._read(store.row, report.game) if seat else None
        names = {} if row is None else {"X": row.crosses, "O": row.naughts}
        return {"seat": seat, "name": names.get(seat) or ""}

    @change(
        N_("close a report, without or after doing something about it"),
        N_("The report has been closed."),
    )
    async def dismiss(self, report: fields.Report) -> None:
        """Close a report."""
        if not await self.server.revisions.close_report(report):
            raise Refusal("unknown_report")

    @change(N_("keep an address or a network away for a time"), _ban)
    async def ban(
        self, network: fields.Network, seconds: fields.TimeOfBan, why: fields.Why = ""
    ) -> Line:
        """Keep an address, or a network such as `192.0.2.0/24`, away for a time.

        The time is such as `30m`, `2h` or `7d`. The server closes its connections, and answers 403
        with a sentence that says until when; `--why` is a note.
        """
        until = self.server.now() + 1000 * seconds
        await self.server.revisions.ban(Ban(network, until, why))
        return {"network": network, "until": until, "closed": self.server.close_banned()}

    @change(N_("let an address or a network in again"), N_("{network} is let in again"))
    async def unban(self, network: fields.Network) -> Line:
        """Let an address or a network in again."""
        if not await self.server.revisions.unban(network):
            raise Refusal("not_banned")
        return {"network": network}

    @listing(N_("list who is kept away"), _ban, if_empty=N_("Nobody is kept away."))
    async def bans(self) -> Lines:
        """List who is kept away."""
        for ban in self.server.moderation.bans:
            yield ban._asdict()

    @change(
        N_("tell everybody who is connected something"), N_("connections that were told: {told}")
    )
    async def announce(self, text: fields.Words) -> Line:
        """Send a line to all connected clients, also at the other servers if there is Redis."""
        return {"told": self.server.announce(text)}

    @change(N_("begin no new games, and let those that are played go on"), _drain, is_either=True)
    async def drain(self, seconds: fields.TimeOfDrain = 0, off: fields.Off = False) -> Line:
        """Create no new games; games in progress go on.

        All clients are told, also those that connect meanwhile, and `/ready` is answered 503.
        `--for` sets an end, and `--off` ends it now; the clients are told, and an end by time is
        logged.
        """
        moderation = self.server.moderation
        told = moderation.end_drain() if off else moderation.drain(seconds)
        return {"draining": not off, "unfinished": self.server.lobby.unfinished, "told": told}

    async def _events(self, game: str) -> Sequence[Event]:
        events = await self._read(self.server.store.events, game)
        if not events:
            raise UnknownGame
        return events

    async def _read(self, read: Callable[..., Result], *values: object) -> Result:
        return await self.server.readers.run(read, *values)


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {name: value for name, value in vars(Operator).items() if isinstance(value, Command)}
)


def read_command(request: bytes) -> tuple[str, dict[str, object]]:
    """Return a command and its fields.

    Raises:
        Refusal: the request is no valid command.
    """
    try:
        values = read_object(parse(request.decode()), "the command")
        name = read_text(values.pop("command", None), "command")
        if name not in COMMANDS:
            raise Refusal("unreadable", reason=f"unknown command: {name}")
        known = COMMANDS[name].fields
        needed = {field for field, declared in known.items() if declared.is_needed}
        if not needed <= values.keys() <= known.keys():
            raise Refusal("unreadable", reason=f"{name} takes other fields")
        return name, {field: known[field].read(value, field) for field, value in values.items()}
    except (InvalidNotation, UnicodeDecodeError) as error:
        raise Refusal("unreadable", reason=str(error)) from None


# -- status ----------------------------------------------------------------------------------------


def status_of(server: GameServer, size: int) -> Iterator[Line]:
    """Yield the lines of a server's status; `size` is that of its data in bytes."""
    samples = [each for metric in server.registry.collect() for each in metric.samples]
    addresses: Counter[str] = Counter()
    for address, count in Counter(server.connections.values()).items():
        addresses[network_of(address)] += count
    yield {
        "version": tic_tac_toe.__version__,
        "node": server.nodes.name,
        "seconds": (server.now() - server.started_at) // 1000,
        "ready": server.is_ready,
        "draining": server.moderation.is_draining,
        "connections": len(server.connections),
        "addresses": len(addresses),
        "games": len(server.sessions),
        "unfinished": server.lobby.unfinished,
        "thoughts": len(server.computers),
        "waiting": server.computers.waiting,
        "loads": len(server.loads),
        "analyses": len(server.analyst),
        "writing": len(server.writer),
        "data": server.store.place,
        "bytes": size,
        "backup": None if isnan(server.backup_age) else int(server.backup_age),
        "bans": len(server.moderation.bans),
        "banned": server.moderation.refused,
    }
    for address, count in addresses.most_common(ADDRESSES):
        yield {"address": address, "connections": count}
    for name, (figure, _) in TIMED.items():
        half, most = (_quantile(samples, figure, part) for part in (0.5, 0.99))
        yield {"slow": name, "p50": half, "p99": most}
    for each in samples:
        if each.name in REFUSED and each.value:
            yield {REFUSED[each.name]: each.labels["reason"], "count": int(each.value)}


def _quantile(samples: Sequence[Any], figure: str, part: float) -> float | None:
    """Return an upper bound of a quantile of a histogram, in seconds; ``None`` if it is empty."""
    buckets = [
        (float(each.labels["le"]), each.value)
        for each in samples
        if each.name == f"{figure}_bucket"
    ]
    if not buckets or not buckets[-1][1]:
        return None
    bound = next(le for le, count in buckets if count >= part * buckets[-1][1])
    return None if bound == inf else bound


def _is_in(address: str, network: Any) -> bool:
    try:
        return bool(network_named(address).subnet_of(network))
    except (TypeError, ValueError):  # another IP version, or no address
        return False


# -- the events of a changed game ------------------------------------------------------------------


def line_removed(events: Sequence[Event], version: int) -> list[Event]:
    """Return a line of chat without its text.

    Raises:
        Refusal: the event is no such line.
    """
    for event in events:
        if event.version == version and isinstance(event, Said):
            return [] if event.removed else [without_text(event)]
    raise Refusal("no_line", version=version)


def seat_forgotten(events: Sequence[Event], seat: str) -> list[Event]:
    """Return a seat's events without name, key and chat; the moves belong to both players."""
    lines = [
        without_text(event)
        for event in events
        if isinstance(event, Said) and event.seat == seat and event.text
    ]
    return [with_player(events, seat, name="", key=""), *lines]


def own_events(events: Sequence[Event], seat: str) -> Line:
    """Return all data of a seat: the player's name, and their events with times."""
    first = events[0]
    _, player = seating(events, seat)
    assert isinstance(first, Created)
    setup = write_setup(replace(first.setup, players=(None, None)))
    done = [write_event(event) for event in events if event.seat == seat]
    return {"game": first.game, "seat": seat, "name": player.name, "setup": setup, "events": done}


def seating(events: Sequence[Event], seat: str) -> tuple[Created | Joined, Player]:
    """Return the event by which a person took a seat, and the person.

    Raises:
        Refusal: nobody sits there, or a computer.
    """
    for event in events:
        player = None
        if isinstance(event, Created):
            player = event.setup.players[SIDES[seat]]
        elif isinstance(event, Joined) and event.seat == seat:
            player = Player(event.name, event.key)
        if player is None:
            continue
        if player.strategy:
            raise Refusal("computer")
        assert isinstance(event, Created | Joined)
        return event, player
    raise Refusal("nobody", seat=seat)


def with_player(events: Sequence[Event], seat: str, **values: Any) -> Event:
    """Return the event by which a person took a seat, with another name or key of theirs.

    Raises:
        Refusal: nobody sits there, or a computer.
    """
    event, player = seating(events, seat)
    if isinstance(event, Joined):
        return replace(event, **values)
    players = list(event.setup.players)
    players[SIDES[seat]] = replace(player, **values)
    return replace(event, setup=replace(event.setup, players=(players[0], players[1])))
