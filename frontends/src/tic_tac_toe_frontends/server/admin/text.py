"""The answers to an operator's commands, as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from gettext import NullTranslations
from types import MappingProxyType
from typing import Any

from ...words.foreign import escaped
from ...words.translation import N_

#: The reasons why a command is refused.
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
_DONE: Mapping[str, str] = MappingProxyType(
    {
        "end": N_("The game has been ended."),
        "hide": N_("Only its players see the game now."),
        "unhide": N_("Everybody sees the game again."),
        "delete": N_("The game has been deleted."),
        "line": N_("The line has been removed."),
        "rename": N_("The player has another name now."),
        "dismiss": N_("The report has been closed."),
        "forget": N_("The name, the key and the chat of the seat have been removed."),
    }
)
Line = Mapping[str, Any]


def describe_error(line: Line, language: NullTranslations) -> str:
    """Return why a command was refused."""
    message = _ERRORS.get(str(line["error"]), str(line["error"]))
    return language.gettext(message).format_map(line)


def _status(line: Line, language: NullTranslations) -> str:
    _ = language.gettext
    if "address" in line:
        return _("connections from {address}: {connections}").format_map(line)
    if "slow" in line:
        values = {part: _seconds(line[part], language) for part in ("p50", "p99")}
        names = {
            "answers": N_("answers to moves and the like: half within {p50}, 99 % within {p99}"),
            "commits": N_("commits: half within {p50}, 99 % within {p99}"),
            "thoughts": N_("wait of computers: half within {p50}, 99 % within {p99}"),
            "loop": N_("delay of the event loop: half within {p50}, 99 % within {p99}"),
        }
        text = names[line["slow"]]
        return _(text).format_map(values)
    if "turned_away" in line:
        return _("connections and requests turned away, {turned_away}: {count}").format_map(line)
    if "refused" in line:
        return _("requests refused, {refused}: {count}").format_map(line)
    ready = _("ready") if line["ready"] else _("not ready")
    if line["draining"]:
        ready = _("begins no new games")
    lines = [
        _("version {version}, running for {seconds} s: {ready}").format(
            version=line["version"], ready=ready, seconds=line["seconds"]
        ),
        _("connections: {connections}; addresses: {addresses}").format_map(line),
        _("games in memory: {games}; not over: {unfinished}").format_map(line),
        _("moves that computers have to find: {thoughts}; {waiting} wait").format_map(line),
        _("games that are being loaded: {loads}").format_map(line),
        _("transactions that wait to be written: {writing}").format_map(line),
        _("data: {size} MiB in {place}").format(
            size=round(line["bytes"] / 2**20, 1), place=line["data"]
        ),
        *([] if line["backup"] is None else [_("last backup: {backup} s ago").format_map(line)]),
        _("bans: {bans}; refused because of them: {banned}").format_map(line),
    ]
    return "\n".join(lines)


def _seconds(value: float | None, language: NullTranslations) -> str:
    if value is None:
        return "—"
    return language.gettext("{seconds} s").format(seconds=f"{value:g}")


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
    more = {name: value for name, value in line.items() if name not in entry}
    details = " ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in more.items()
    )
    seat = line["seat"] or "-"
    moment = _moment(line["time"])
    return escaped(f"{line['version']}  {moment}  {seat}  {line['kind']}  {details}".rstrip())


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
    text = _("{network} is kept away until {time}").format(
        network=line["network"], time=_moment(line["until"])
    )
    if line.get("closed"):
        closed = _("connections that were closed: {count}").format(count=line["closed"])
        text = f"{text}; {closed}"
    return f"{text}  {escaped(line['why'])}" if line.get("why") else text


def _unban(line: Line, language: NullTranslations) -> str:
    return language.gettext("{network} is let in again").format_map(line)


def _announced(line: Line, language: NullTranslations) -> str:
    return language.gettext("connections that were told: {told}").format_map(line)


def _drained(line: Line, language: NullTranslations) -> str:
    if not line["draining"]:
        return language.gettext("New games can be begun again.")
    message = language.gettext("No new games are begun; games that are not over: {unfinished}.")
    return message.format_map(line)


def _done(line: Line, language: NullTranslations) -> str:
    text = _DONE[line["done"]]
    return language.gettext(text)


def _moment(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000).astimezone():%Y-%m-%d %H:%M:%S}"


#: The heading of an answer's lines, and the text without any.
HEADINGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "games": (
            N_("address, since when (local time) in its state, state, game, X – O, result, notes"),
            N_("There are no such games."),
        ),
        "reports": (
            N_("report, since when (local time), game, what, place, whose, what was said, notes"),
            N_("There are no reports."),
        ),
        "bans": ("", N_("Nobody is kept away.")),
    }
)
#: Formats a line of an answer, by command.
LINES: Mapping[str, Callable[[Line, NullTranslations], str]] = MappingProxyType(
    {
        "status": _status,
        "games": _game,
        "show": _event,
        **dict.fromkeys(_DONE, _done),
        "reports": _report,
        "ban": _ban,
        "bans": _ban,
        "unban": _unban,
        "announce": _announced,
        "drain": _drained,
    }
)
