"""The server's plain pages, which need no script: the values that their templates show.

Names come from other people: `online_text` shortens them and removes hidden characters, and the
templates escape everything that is not `Markup`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from gettext import NullTranslations
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe.protocols.online.events import SEATS, Event, Moved, Said
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame

from ...table.looking_back import list_of_moves, replayed
from ...words.clock_text import clock_setting
from ...words.game_text import describe_consequences, describe_end, describe_move_of
from ...words.online_text import (
    describe_event,
    describe_turn,
    open_game_cells,
    open_game_headings,
    safe_line,
    seat_name,
    sentence,
)
from ...words.rules_text import describe_rules, side_title, variant_title
from ...words.translation import code_of, join_clauses, join_sentences
from ..storage.game_rows import GameRow

#: The style sheet of the pages.
STYLE_PATH = "/plain.css"
#: Lines of the chat, and events beside moves and chat, that are shown: the last ones.
EVENTS_SHOWN = 200


def utc(milliseconds: int) -> str:
    """Return a time in UTC as text."""
    return f"{_time_of(milliseconds):%Y-%m-%d %H:%M} UTC"


def _iso(milliseconds: int) -> str:
    return f"{_time_of(milliseconds):%Y-%m-%dT%H:%M:%SZ}"


def _time_of(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc)


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    keep_trailing_newline=True,
    auto_reload=False,
)
_TEMPLATES.filters.update(utc=utc, iso=_iso)
_TEMPLATES.globals["style_path"] = STYLE_PATH


def _page(
    template: str, title: str, language: NullTranslations, *, has_page: bool, **values: object
) -> str:
    """Return a page; `has_page` says whether games can be played in the browser."""
    return _TEMPLATES.get_template(template).render(
        title=title, _=language.gettext, lang=code_of(language), has_page=has_page, **values
    )


def message_page(message: str, language: NullTranslations) -> str:
    """Return a page with one message."""
    return _page("page.html", message, language, has_page=False)


# -- the lobby -------------------------------------------------------------------------------------


class _Finished(NamedTuple):
    """What the lobby shows of a finished game."""

    address: str
    title: str
    players: str
    result: str
    time: int


def lobby_page(
    open_games: Sequence[OpenGame],
    finished_games: Sequence[GameRow],
    language: NullTranslations,
    *,
    url: str,
    has_page: bool,
) -> str:
    """Return the page of open games that wait for a player, and of finished games.

    Args:
        url: of this server, as the visitor calls it.
        has_page: whether games can be played in the browser.
    """
    return _page(
        "lobby.html",
        language.gettext("Games on this server"),
        language,
        has_page=has_page,
        url=url,
        headings=open_game_headings(language),
        waiting=[(game.game, open_game_cells(game, language)) for game in open_games],
        finished=[_finished(row, language) for row in finished_games],
    )


def _finished(row: GameRow, language: NullTranslations) -> _Finished:
    rules = find_rules(row.variant)
    sides = (side_title(rules, Mark(seat), language) for seat in SEATS)
    crosses, naughts = (
        f"{safe_line(name)} ({side})" if name else side
        for side, name in zip(sides, (row.crosses, row.naughts), strict=True)
    )
    players = language.gettext("{crosses} against {naughts}")
    winner = Mark(row.result) if row.result in SEATS else None
    return _Finished(
        row.game,
        variant_title(rules, language),
        players.format(crosses=crosses, naughts=naughts),
        describe_end(winner, rules, language, cheer=False),
        row.time,
    )


# -- one game --------------------------------------------------------------------------------------


class _Lines(NamedTuple):
    """Events as times and texts; `is_cut` says whether there were more before them."""

    shown: list[tuple[int, str]]
    is_cut: bool


def record_page(
    game: OnlineGame,
    events: Sequence[Event],
    language: NullTranslations,
    *,
    ply: int | None = None,
    has_page: bool = False,
) -> str:
    """Return the page of one game, as it stands, or as it stood after ``ply`` moves.

    The chat is shown up to the agreement of both players to keep it, and not at all without one:
    the page is public and permanent, and they wrote to the people present. The log keeps the chat
    for players and watchers in any case.

    Args:
        game, events: the game, and all its events.
        ply: the number of moves on the board; all of them unless given.
        has_page: whether the game can be played in the browser.
    """
    first = first_state(game.rules, game.starting_mark)
    moves = replayed(first, game.moves)
    last = len(moves)
    shown = last if ply is None else max(0, min(ply, last))
    state, cell, description = _position(game, first, moves[:shown], language)
    crosses, naughts = (seat_name(game, seat, language) for seat in SEATS)
    players = language.gettext("{crosses} against {naughts}")
    facts = [
        f"{variant_title(game.rules, language)} ({describe_rules(game.rules, language)})",
        clock_setting(game.setup.clock, language),
    ]

    def lines(which: Callable[[Event], bool], among: Sequence[Event]) -> _Lines:
        found = [event for event in among if which(event)]
        shown = found[-EVENTS_SHOWN:]
        texts = [(event.time, describe_event(event, game, language)) for event in shown]
        return _Lines(texts, len(found) > EVENTS_SHOWN)

    return _page(
        "record.html",
        sentence(players.format(crosses=crosses, naughts=naughts), language),
        language,
        has_page=has_page,
        game=game,
        facts=join_clauses(facts, language),
        turn=describe_turn(game, "", language),
        picture=Markup(
            svg(state, last=cell, label=f"{description} {format_state(state)}", styled=False)
        ),
        description=description,
        steps=_steps(shown, last, language),
        moves=list_of_moves(moves, shown),
        chat=lines(lambda event: isinstance(event, Said), events[: game.chat_kept]),
        chronicle=lines(lambda event: not isinstance(event, Moved | Said), events),
    )


def _position(
    game: OnlineGame, state: GameState, moves: Sequence[Move], language: NullTranslations
) -> tuple[GameState, int | None, str]:
    """Return the state after some moves, its last cell, and what there is to say about it."""
    shown, last, cell = len(moves), len(game.moves), None
    sentences = [language.gettext("Move {number} of {count}.").format(number=shown, count=last)]
    if moves:
        move = moves[-1]
        state, cell = move.after_state, move.cell_index
        mover = seat_name(game, move.player.value, language)
        told = describe_move_of(mover, move.number, game.rules, language)
        sentences.append(sentence(told, language))
    if shown == last:
        state = game.state  # it knows how often the position has occurred
    sentences += describe_consequences(state, language)
    return state, cell, join_sentences(sentences, language)


def _steps(shown: int, last: int, language: NullTranslations) -> list[tuple[str, str, int | None]]:
    """Return signs that lead through a game, their words, and after which move each leads."""
    _ = language.gettext
    first, before = (0, shown - 1) if shown > 0 else (None, None)
    after, end = (shown + 1, last) if shown < last else (None, None)
    return [
        ("«", _("To the beginning"), first),
        ("\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", _("One move back"), before),
        ("\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}", _("One move on"), after),
        ("»", _("To the end"), end),
    ]
