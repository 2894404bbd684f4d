"""The finished games on this device, as the browser stores them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidNotation, InvalidVariant
from tic_tac_toe.logic.models import MARKS, Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tic_tac_toe.logic.strict_json import parse

from ...table.table import Table
from ...words.rules_text import HUMAN, PLAYERS
from .links import LONGEST, write_link

#: Limits of the stored games and of their characters: browsers store a few million.
MOST_GAMES, MOST_CHARACTERS = 100, 200_000
#: The last date of JavaScript, in milliseconds since 1970.
LAST_MOMENT = 8_640_000_000_000_000


class FinishedGame(NamedTuple):
    """A finished game.

    Attributes:
        when: the time of the end, in milliseconds since 1970.
        game: the name of its rules.
        x, o: the player of each mark, of `PLAYERS`.
        winner: ``X``, ``O``, or empty if nobody has won.
        link: the game as the fragment of a link, players included.
    """

    when: int
    game: str
    x: str
    o: str
    winner: str
    link: str

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return find_rules(self.game)

    @property
    def opponent(self) -> str:
        """The person's computer opponent; empty between two people or two computers."""
        if (self.x == HUMAN) == (self.o == HUMAN):
            return ""
        return self.o if self.x == HUMAN else self.x

    @property
    def outcome(self) -> str:
        """The result for that person: ``win``, ``draw`` or ``loss``; empty without one."""
        if not self.opponent:
            return ""
        if not self.winner:
            return "draw"
        return "win" if (self.x if self.winner == "X" else self.o) == HUMAN else "loss"


def finished_at(table: Table, when: int) -> FinishedGame:
    """Return the finished game at a table."""
    match, setup = table.match, table.setup
    link = write_link(match.start, match.history, (setup.x, setup.o))
    winner = "" if match.winner is None else match.winner.value
    return FinishedGame(when, variant_name(setup.rules), setup.x, setup.o, winner, link)


def read_history(text: str) -> list[FinishedGame]:
    """Return the games in a stored text, the newest first; invalid entries are skipped.

    The stored text is untrusted: other scripts may have written it.
    """
    if len(text) > MOST_CHARACTERS:
        return []
    try:
        found = parse(text)
    except InvalidNotation:
        return []
    rows = found if isinstance(found, list) else []
    games = [FinishedGame(*row) for row in rows[:MOST_GAMES] if _is_game(row)]
    return sorted(games, key=lambda game: -game.when)


def write_history(games: Sequence[FinishedGame]) -> str:
    """Return games as a text; the oldest are dropped if it grows too long."""
    kept = list(games[:MOST_GAMES])
    while kept and len(text := json.dumps(kept, separators=(",", ":"))) > MOST_CHARACTERS:
        kept = kept[: len(kept) * MOST_CHARACTERS // len(text)]
    return json.dumps(kept, separators=(",", ":"))


def results(games: Iterable[FinishedGame]) -> dict[tuple[str, str], Counter[str]]:
    """Count a person's wins, draws and losses by game and computer player."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for game in games:
        if game.opponent:
            found.setdefault((game.game, game.opponent), Counter())[game.outcome] += 1
    return found


def _is_game(row: object) -> bool:
    """Return whether a value is a row of `write_history`."""
    if not isinstance(row, list) or len(row) != len(FinishedGame._fields):
        return False
    when, game, x, o, winner, link = row
    if type(when) is not int or not 0 <= when <= LAST_MOMENT:
        return False
    if not all(isinstance(each, str) for each in row[1:]) or len(link) > LONGEST:
        return False
    winners = ("", *(Mark(mark).value for mark in MARKS))
    return x in PLAYERS and o in PLAYERS and winner in winners and _is_known(game)


def _is_known(name: str) -> bool:
    try:
        find_rules(name)
    except InvalidVariant:
        return False
    return True
