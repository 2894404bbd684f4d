"""Links that carry a game in the fragment of the page's address.

A link has the game, the first side, the first position and the moves, each only if needed::

    #game=connect-four&first=O&moves=4.4.3

Links are untrusted: they are parsed strictly, and their length is limited.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import GameError, quoted
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import (
    format_state,
    move_name,
    parse_moves,
    parse_state,
)
from tic_tac_toe.logic.records import first_state, parse_records
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS, find_rules, variant_name
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.protocols.online.addresses import is_address

from ...program.process import Refused
from ...table.setup import setup_of_record
from ...table.table import Setup
from ...words.refusal_text import SENTENCES, refusal_text
from ...words.rules_text import HUMAN, PLAYERS, RANDOM, STARTERS
from ...words.translation import localise

#: The maximum length of a link; the longest possible game needs less.
LONGEST = 4_096
#: The maximum number of characters of a file or a pasted text, enough for hundreds of games.
LONGEST_TEXT = 256 * 1024

_KEYS = ("game", "x", "o", "first", "think", "from", "moves")
#: The maximum thinking time for a move in the page, in seconds.
LONGEST_THOUGHT = 60


class LinkedGame(NamedTuple):
    """The game of a link.

    Attributes:
        setup: the game and its players, as completed by `read_link`.
        start: the first position; the empty board by default.
        moves: the moves from there, by their numbers.
        think: the computer's time for a move in seconds, if given.
    """

    setup: Setup
    start: GameState | None = None
    moves: tuple[int, ...] = ()
    think: float | None = None


def read_link(text: str, setup: Setup, language: NullTranslations) -> LinkedGame:
    """Return the game of a fragment, any part of which may be missing.

    Args:
        text: the decoded fragment.
        setup: supplies missing players.

    Raises:
        Refused: the text is invalid, or a name in it is unknown; the message is one line.
    """
    try:
        return _read(_parts(text, language), setup, language)
    except GameError:
        raise Refused(language.gettext("This link does not lead to a game.")) from None


def write_link(
    start: GameState,
    moves: Sequence[Move] = (),
    players: Sequence[str] = (),
    think: float | None = None,
) -> str:
    """Return the fragment for a game; empty for a new game of tic-tac-toe.

    Args:
        players: of X and O, if the link is to name them.
        think: the computer's time for a move in seconds, if given.
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
    # A game with repeated positions can be too long for a link: then only its position is kept.
    if len(link) > LONGEST and moves:
        return write_link(moves[-1].after_state, (), players, think)
    return link


def _implies_starter(start: GameState) -> bool:
    """Return whether the first side follows from the text of the position."""
    return not start.game_not_started and traits_of(start.rules).tells_starter


def address_in(fragment: str) -> str:
    """Return the address of the online game in a fragment; empty if there is none."""
    key, _, value = fragment.partition("=")
    return value if key == "game" and is_address(value) and value not in VARIANTS else ""


def find_address(text: str) -> str:
    """Return the address of an online game from a link or from the address itself; else empty.

    Links of the page have the game in the fragment, links of the plain pages in the path.
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
        starter = None if traits_of(rules).tells_starter or first == RANDOM else Mark(first)
        start = parse_state(parts["from"].replace("_", " "), rules, starter)
    elif parts.get("moves"):
        start = first_state(rules, Mark.CROSS if first == RANDOM else Mark(first))
    else:
        return LinkedGame(setup, think=think)
    setup = setup._replace(starting=start.starting_mark.value)
    moves = parse_moves(start, parts.get("moves", "").replace(".", " "))
    return LinkedGame(setup, start, tuple(move.number for move in moves), think)


def _parts(text: str, language: NullTranslations) -> dict[str, str]:
    """Return the values of a link by key."""
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
    """Return a text as seconds; ``None`` unless it is above 0 and at most `LONGEST_THOUGHT`."""
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 < seconds <= LONGEST_THOUGHT else None


def decoded(fragment: str) -> str:
    """Return a fragment without percent escapes."""
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote  # rarely needed, and large

    return unquote(fragment, errors="replace")


def read_text(text: str, setup: Setup, language: NullTranslations) -> LinkedGame:
    """Return the game or the position in a pasted text or a file.

    That is a link, a record, of which the last game counts, a position, or moves of the game that
    is played. Players that this program does not have become people.

    Args:
        setup: the game that is played, and its players.

    Raises:
        Refused: the text holds none of these; the message is one line.
    """
    from ...program.files import refuse_foreign  # rarely used

    text, _ = text.strip(), language.gettext
    if len(text) > LONGEST_TEXT:
        message = _("This text is longer than {count} kB.")
        raise Refused(message.format(count=LONGEST_TEXT // 1024))
    if not text:
        raise Refused(_("There is no text."))
    if "#" in text.split("\n")[0] and "://" in text.split("#")[0]:
        return read_link(decoded(text.partition("#")[2]), setup, language)
    with suppress(GameError):
        state = parse_state(text, setup.rules)
        return LinkedGame(setup._replace(starting=state.starting_mark.value), state)
    with suppress(GameError):
        start = first_state(setup.rules, Mark.CROSS)
        moves = tuple(move.number for move in parse_moves(start, text))
        return LinkedGame(setup._replace(starting="X"), start, moves)
    try:
        refuse_foreign(text.encode(), language)
        record = parse_records(text)[-1]
    except (GameError, Refused) as error:
        if isinstance(error, GameError) and error.code in SENTENCES:
            raise Refused(refusal_text(error, language)) from None
        if isinstance(error, GameError) and error.code == "untagged_game":  # its first word
            message = _("There is no game in this text: no link, no moves and no position.")
            raise Refused(message) from None
        message = _("This text holds no game: {reason}.")
        raise Refused(message.format(reason=localise(language, error))) from None
    people = Setup(x=HUMAN, o=HUMAN)
    return LinkedGame(setup_of_record(record, people), record.initial_state, record.moves)
