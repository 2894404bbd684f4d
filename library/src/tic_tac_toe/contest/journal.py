"""A match as lines of JSON: its plan, then each finished pair; from them a match goes on.

The first line describes the match, and each other one a pair::

    {"format": "tic-tac-toe-match", "version": 1, "variant": "tic-tac-toe", ...}
    {"pair": 0, "sides": [0, 1], "opening": [4], "games": [
        {"moves": [4, 0, ...], "winner": "X", "longest": [0.01, 0.02], "fault": null}, ...]}

They are kept in a `files.Journal`, which drops a last line that was cut off.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Annotated

from tic_tac_toe.contest.openings import position_after
from tic_tac_toe.contest.plan import Plan, PlayedPair
from tic_tac_toe.contest.referee import Fault, FaultKind, PlayedGame
from tic_tac_toe.contest.standings import FAULT_KINDS
from tic_tac_toe.logic.exceptions import GameError, InvalidMove, InvalidNotation, message
from tic_tac_toe.logic.models import MARKS, Mark
from tic_tac_toe.logic.record_json import read_mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.strict_json import READERS, object_reader, parse, read_list, read_object

FORMAT = "tic-tac-toe-match"
VERSION = 1


class OtherMatch(GameError, ValueError):
    """The lines are those of another match."""


def header_line(plan: Plan, engine: str) -> str:
    """Return the line that a match begins with, without its end.

    Args:
        engine: the version of the players' program; with another one a match does not go on.
    """
    told = {"format": FORMAT, "version": VERSION, "engine": engine, **asdict(plan)}
    return json.dumps(told)


def pair_line(pair: PlayedPair) -> str:
    """Return the line of a finished pair, without its end."""
    games = [
        {
            "moves": game.moves,
            "winner": game.winner and game.winner.value,
            "longest": [round(seconds, 3) for seconds in game.longest],
            "fault": game.fault and {**asdict(game.fault), "mark": game.fault.mark.value},
        }
        for game in pair.games
    ]
    told = {"pair": pair.number, "sides": pair.sides, "opening": pair.opening, "games": games}
    return json.dumps(told)


def read_journal(text: str, plan: Plan, engine: str) -> dict[int, PlayedPair]:
    """Return the finished pairs of a match by their numbers.

    Args:
        text: whole lines.

    Raises:
        OtherMatch: the lines are those of a match with another plan or engine.
        InvalidNotation: they are no match, or damaged.
    """
    header, *lines = text.splitlines() or [""]
    if not header:
        return {}
    _check_header(header, json.loads(header_line(plan, engine)))
    pairs: dict[int, PlayedPair] = {}
    for number, line in enumerate(lines, start=2):
        try:
            pair = _read_pair(parse(line), "")
            if not _belongs_to(pair, plan):
                raise InvalidNotation("the pair is not one of this match", "other_pair")
        except InvalidNotation as error:
            raise InvalidNotation(error.message, line=number) from None
        one, other = map(_game_of, pair.games)
        sides = (pair.sides[0], pair.sides[1])
        pairs[pair.pair] = PlayedPair(pair.pair, sides, pair.opening, (one, other))
    return pairs


def _belongs_to(pair: _WrittenPair, plan: Plan) -> bool:
    if pair.pair < 0 or len(pair.games) != 2:
        return False
    planned = plan.pair(pair.pair)
    if (planned.sides, planned.opening) != (pair.sides, pair.opening):
        return False
    rules = find_rules(plan.variant)
    return all(_was_played(rules, pair.opening, game) for game in pair.games)


def _was_played(rules: Rules, opening: tuple[int, ...], game: _WrittenGame) -> bool:
    """Return whether a game has legal moves after the opening, and the result that they have."""
    if game.moves[: len(opening)] != opening:
        return False
    try:
        outcome = rules.outcome(position_after(rules, game.moves))
    except InvalidMove:
        return False
    if game.fault:
        return outcome is None and game.winner is game.fault.mark.other
    winner = None if outcome is None or outcome.winner is None else MARKS[outcome.winner]
    return outcome is not None and game.winner is winner


def _check_header(line: str, expected: dict[str, object]) -> None:
    try:
        header = read_object(parse(line), "")
    except InvalidNotation as error:
        raise InvalidNotation(error.message, line=1) from None
    if header.get("format") != FORMAT:
        raise InvalidNotation('format: expected "{format}"', "record_format", line=1, format=FORMAT)
    names = [name for name in expected if header.get(name) != expected[name]]
    if names:
        name = names[0]
        shown = {
            "here": _shown(expected[name]),
            "there": _shown(header.get(name)),
        }
        raise OtherMatch(
            message(
                "the file holds another match: {field} is {there} there, and {here} now",
                "other_match",
                field=name,
                **shown,
            )
        )


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _read_seconds(value: object, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e9:
        raise InvalidNotation("{path}: expected seconds", "json_seconds", path=path)
    return float(value)


def _read_kind(value: object, path: str) -> FaultKind:
    for kind in FAULT_KINDS:
        if value == kind:
            return kind
    raise InvalidNotation(
        "{path}: expected one of {names}", "json_names", path=path, names=", ".join(FAULT_KINDS)
    )


def _read_longest(value: object, path: str) -> tuple[float, ...]:
    return tuple(_read_seconds(each, path) for each in read_list(value, path))


@dataclass(frozen=True)
class _WrittenFault:
    mark: Annotated[Mark, read_mark]
    kind: Annotated[FaultKind, _read_kind]
    detail: str


@dataclass(frozen=True)
class _WrittenGame:
    moves: tuple[int, ...]
    winner: Annotated[Mark, read_mark] | None
    longest: Annotated[tuple[float, ...], _read_longest]
    fault: _WrittenFault | None


@dataclass(frozen=True)
class _WrittenPair:
    pair: int
    sides: tuple[int, ...]
    opening: tuple[int, ...]
    games: tuple[_WrittenGame, ...]


_read_pair = object_reader(_WrittenPair, "the pair", readers=READERS)


def _game_of(written: _WrittenGame) -> PlayedGame:
    cause = written.fault
    fault = Fault(cause.mark, cause.kind, cause.detail) if cause else None
    cross, naught = (*written.longest, 0.0, 0.0)[:2]
    return PlayedGame(written.moves, written.winner, fault, (cross, naught))
