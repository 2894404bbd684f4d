"""Links that carry a game: what stands behind the # of the page's address.

A link names the game, the side that began, where, and the moves, each part only if needed::

    #game=connect-four&first=O&moves=4.4.3

A link can come from anybody: it is read strictly, and its length is limited.
"""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    InvalidNotation,
    InvalidVariant,
    quoted,
)
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import (
    format_state,
    move_name,
    parse_moves,
    parse_state,
)
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS, find_rules, variant_name
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.protocols.online.addresses import is_address

from ...program.process import Refused
from ...table.setup import Setup
from ...words.rules_text import PLAYERS, RANDOM, STARTERS
from ...words.translation import localise

#: The most characters of a link; the longest game that there is needs fewer.
LONGEST = 4_096

_KEYS = ("game", "x", "o", "first", "think", "from", "moves")
#: The most seconds that the page lets a computer think about a move.
LONGEST_THOUGHT = 60


class LinkedGame(NamedTuple):
    """What a link says.

    Attributes:
        setup: the game and its players; those that the link does not name are as they were.
        start: where the game begins; the empty board unless given.
        moves: those made from there, as the rules number them.
        think: seconds for a computer's thought, if the link names them.
    """

    setup: Setup
    start: GameState | None = None
    moves: tuple[int, ...] = ()
    think: float | None = None


def read_link(text: str, setup: Setup, language: NullTranslations) -> LinkedGame:
    """Return what the part of an address after its # says; any of it may be missing.

    Args:
        text: that part, decoded.
        setup: names the players that the link does not name.

    Raises:
        Refused: it is not such a text, or names something unknown; the message is one line.
    """
    try:
        return _read(_parts(text, language), setup, language)
    except (InvalidGameState, InvalidMove, InvalidNotation, InvalidVariant) as error:
        reason = localise(language, error)
    message = language.gettext("This link holds no game: {reason}.")
    raise Refused(message.format(reason=reason))


def write_link(
    start: GameState,
    moves: Sequence[Move] = (),
    players: Sequence[str] = (),
    think: float | None = None,
) -> str:
    """Return what goes behind the # of the address for a game; nothing for a new classic one.

    Args:
        players: those of X and O, if the link names them.
        think: seconds for a computer's thought, if the link names them.
    """
    parts = {}
    if start.rules != TIC_TAC_TOE:
        parts["game"] = variant_name(start.rules)
    parts |= zip(("x", "o"), players)
    if think is not None:
        parts["think"] = f"{think:g}"
    if not start.game_not_started:
        parts["from"] = format_state(start).replace(" ", "_")
    if start.starting_mark is not Mark.CROSS and not _implies_starter(start):
        parts["first"] = start.starting_mark.value
    if moves:
        parts["moves"] = ".".join(move_name(move.before_state, move.number) for move in moves)
    link = "&".join(f"{key}={value}" for key, value in parts.items())
    # Where positions come back, a game can be longer than a link: then it begins where it stands.
    if len(link) > LONGEST and moves:
        return write_link(moves[-1].after_state, (), players, think)
    return link


def _implies_starter(start: GameState) -> bool:
    """Return whether the text of the position tells who has begun."""
    return not start.game_not_started and traits_of(start.rules).tells_starter


def address_in(fragment: str) -> str:
    """Return the address of an online game that a part of an address behind its # names, if any."""
    key, _, value = fragment.partition("=")
    return value if key == "game" and is_address(value) and value not in VARIANTS else ""


def find_address(text: str) -> str:
    """Return the address of an online game in a text: a link to it, or itself; empty if none.

    Links are those of the page, with the game behind a #, and those of the plain pages.
    """
    before, _, fragment = text.strip().partition("#")
    if fragment:
        return address_in(fragment)
    address = before.partition("?")[0].rstrip("/").rpartition("/")[2]
    return address if is_address(address) else ""


def _read(parts: dict[str, str], setup: Setup, language: NullTranslations) -> LinkedGame:
    rules = find_rules(parts["game"]) if "game" in parts else TIC_TAC_TOE
    first = _choice(parts, "first", STARTERS, "X", language)
    think = read_seconds(parts["think"]) if "think" in parts else None
    if "think" in parts and think is None:
        message = language.gettext(
            "The time to think in this link is {text}; it can be up to {count} seconds."
        )
        raise Refused(message.format(text=quoted(parts["think"]), count=LONGEST_THOUGHT))
    setup = Setup(
        rules,
        _choice(parts, "x", PLAYERS, setup.x, language),
        _choice(parts, "o", PLAYERS, setup.o, language),
        first,
    )
    if "from" in parts:
        told = None if traits_of(rules).tells_starter or first == RANDOM else Mark(first)
        start = parse_state(parts["from"].replace("_", " "), rules, told)
    elif parts.get("moves"):
        start = first_state(rules, Mark.CROSS if first == RANDOM else Mark(first))
    else:
        return LinkedGame(setup, think=think)
    setup = setup._replace(starting=start.starting_mark.value)
    moves = parse_moves(start, parts.get("moves", "").replace(".", " "))
    return LinkedGame(setup, start, tuple(move.number for move in moves), think)


def _parts(text: str, language: NullTranslations) -> dict[str, str]:
    """Return the parts of a link by their keys."""
    _ = language.gettext
    if len(text) > LONGEST:
        raise Refused(_("This link is longer than any game."))
    parts: dict[str, str] = {}
    for part in filter(None, text.split("&")):
        key, separator, value = part.partition("=")
        if not separator or key not in _KEYS or key in parts:
            raise Refused(
                _("This link has a part that does not belong: {part}.").format(part=quoted(part))
            )
        parts[key] = value
    return parts


def _choice(
    parts: dict[str, str],
    key: str,
    choices: Sequence[str],
    otherwise: str,
    language: NullTranslations,
) -> str:
    value = parts.get(key, otherwise)
    if value not in choices:
        raise _unknown(value, choices, language)
    return value


def _unknown(value: str, choices: Sequence[str], language: NullTranslations) -> Refused:
    message = language.gettext("This link asks for {text}; choose from {choices}.")
    return Refused(message.format(text=quoted(value), choices=", ".join(choices)))


def read_seconds(text: str) -> float | None:
    """Return a text as seconds; ``None`` unless it is above 0 and up to `LONGEST_THOUGHT`."""
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 < seconds <= LONGEST_THOUGHT else None


def decoded(fragment: str) -> str:
    """Return a part of an address without the escapes that browsers put into it."""
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote  # rarely needed, and large

    return unquote(fragment, errors="replace")
