"""The server's plain pages: the lobby, a game and its replay. They need no script.

Names and chat are other people's: they are shortened and freed of hidden signs by `online_text`,
and everything that is not markup is escaped where elements are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from gettext import NullTranslations

from markupsafe import Markup

from tic_tac_toe.game.svg import svg
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.protocols.online.events import SEATS, Event, Moved
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame

from ..table.move_list import ListedMove, listed, replayed
from ..words.clock_text import clock_setting
from ..words.game_text import describe_consequences, describe_move_of
from ..words.online_text import (
    describe_event,
    describe_open_game,
    describe_turn,
    foreign,
    seat_name,
    sentence,
)
from ..words.rules_text import describe_rules, side_title, variant_title
from ..words.translation import code_of
from .game_rows import GameRow
from .markup import element, join

#: Events beside the moves that are shown, the last ones.
EVENTS_SHOWN = 200
#: What the pages look like.
STYLE_PATH = "/plain.css"


def lobby_page(
    open_games: Sequence[OpenGame],
    finished_games: Sequence[GameRow],
    language: NullTranslations,
    *,
    url: str,
    has_page: bool,
) -> str:
    """Return the page of games that wait for a player, and of those that have been played.

    Args:
        url: where this server is, as its visitor calls it.
        has_page: whether games can be played in the browser, for the page has been built.
    """
    _ = language.gettext
    waiting = [
        element("li", _link(game.game, element("bdi", describe_open_game(game, language))))
        for game in open_games
    ]
    played = [
        element("li", _link(row.game, _finished(row, language)), " ", _time(row.time))
        for row in finished_games
    ]
    if has_page:
        how = [element("p", element("a", _("Play in the browser"), href="/"))]
    else:
        how = [
            element("p", _("Games cannot be played here: the page to play in has not been built.")),
            _with_code(
                _("Whoever runs this server can build it with {command}."),
                "tic-tac-toe browser build",
            ),
        ]
    main = [
        element("h1", _("Games on this server")),
        *how,
        _with_code(_("From a terminal, {command} plays here."), f"tic-tac-toe online {url}"),
        element("h2", _("Waiting for a player")),
        element("ul", *waiting) if waiting else element("p", _("No open game waits.")),
        element("h2", _("Finished games")),
        element("ul", *played) if played else element("p", _("No open game has ended yet.")),
    ]
    return _page(_("Games on this server"), main, language)


def game_page(
    game: OnlineGame,
    events: Sequence[Event],
    language: NullTranslations,
    *,
    ply: int | None = None,
    has_page: bool = False,
) -> str:
    """Return the page of one game: how it stands, or stood after ``ply`` moves.

    Args:
        game, events: the game, and all that has happened in it.
        ply: how many moves the board shows; all of them unless given.
        has_page: whether the game can be played in the browser.
    """
    _ = language.gettext
    first = first_state(game.rules, game.starting_mark)
    moves = replayed(first, game.moves)
    shown = len(moves) if ply is None else max(0, min(ply, len(moves)))
    crosses, naughts = (seat_name(game, seat, language) for seat in SEATS)
    players = _("{crosses} against {naughts}").format(crosses=crosses, naughts=naughts)
    title = sentence(players, language)
    facts = [
        f"{variant_title(game.rules, language)} ({describe_rules(game.rules, language)})",
        clock_setting(game.setup.clock, language),
    ]
    now = describe_turn(game, "", language)
    main = [
        element("h1", element("bdi", title)),
        element("p", "; ".join(facts)),
        element("p", element("bdi", now), class_="status"),
        *_ways_on(game, language, has_page),
        _replay(game, first, moves[:shown], language),
        element("h2", _("Moves")),
        _moves(game, listed(moves, shown), language),
        element("h2", _("What else happened")),
        _chronicle(game, events, language),
        element("h2", _("Record")),
        _records(game.address, language),
    ]
    return _page(title, main, language)


def message_page(message: str, language: NullTranslations) -> str:
    """Return a page that says one thing, such as that there is nothing here."""
    return _page(message, [element("h1", message)], language)


# -- pieces ----------------------------------------------------------------------------------------


def _page(title: str, main: Sequence[Markup], language: NullTranslations) -> str:
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("link", rel="stylesheet", href=STYLE_PATH),
    )
    name = language.gettext("Games on this server")
    body = element(
        "body",
        element("header", element("nav", element("a", name, href="/games"))),
        "\n",
        element("main", "\n", *[join(piece, "\n") for piece in main]),
    )
    html = element("html", head, "\n", body, lang=code_of(language))
    return f"<!DOCTYPE html>\n{html}\n"


def _with_code(sentence: str, command: str) -> Markup:
    """Return a paragraph in which ``{command}`` is something to type."""
    before, _, after = sentence.partition("{command}")
    return element("p", before, element("code", command), after)


def _link(address: str, text: str, path: str = "", **attributes: str | bool) -> Markup:
    """Return a link to a game, or to what is at a path below it."""
    return element("a", text, href=f"/games/{address}{path}", **attributes)


def _nav(links: Sequence[Markup], **attributes: str) -> Markup:
    return element("nav", *[join(link, " ") for link in links], **attributes)


def _time(milliseconds: int) -> Markup:
    """Return a time of the day in UTC, as all readers and their programs understand it."""
    time = datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    return element("time", f"{time:%Y-%m-%d %H:%M} UTC", datetime=f"{time:%Y-%m-%dT%H:%M:%SZ}")


def _finished(row: GameRow, language: NullTranslations) -> Markup:
    """Return a finished game in a line."""
    _ = language.gettext
    rules = find_rules(row.variant)
    sides = {seat: side_title(rules, Mark(seat), language) for seat in SEATS}
    names = [
        f"{foreign(name)} ({side})" if name else side
        for side, name in zip(sides.values(), (row.crosses, row.naughts), strict=True)
    ]
    title = variant_title(rules, language)
    if row.result not in SEATS:
        message = _("{variant}: {crosses} against {naughts}, a draw")
    else:
        message = _("{variant}: {crosses} against {naughts}, won by {mark}")
    crosses, naughts = names
    mark = sides.get(row.result, "")
    text = message.format(variant=title, crosses=crosses, naughts=naughts, mark=mark)
    return element("bdi", text)


def _ways_on(game: OnlineGame, language: NullTranslations, has_page: bool) -> list[Markup]:
    """Return where to go from a game: to play or watch it, to those before and after it."""
    _ = language.gettext
    links: list[Markup] = []
    if has_page and game.end is None:
        text = _("Play or watch it in the browser")
        links.append(element("a", text, href=f"/#game={game.address}"))
    if game.end is None:
        links.append(_link(game.address, _("Refresh")))
    if game.setup.previous:
        links.append(_link(game.setup.previous, _("The game before")))
    if game.follower:
        links.append(_link(game.follower, _("The rematch")))
    return [_nav(links)] if links else []


def _replay(
    game: OnlineGame, state: GameState, moves: Sequence[Move], language: NullTranslations
) -> Markup:
    """Return the board after moves from a state, and links to the moves before and after."""
    _, shown, last, cell = language.gettext, len(moves), len(game.moves), None
    said = [_("Move {number} of {count}.").format(number=shown, count=last)]
    if moves:
        move = moves[-1]
        state, cell = move.after_state, move.cell_index
        mover = seat_name(game, move.player.value, language)
        said.append(sentence(describe_move_of(mover, move.number, game.rules, language), language))
    if shown == last:
        state = game.state  # which knows whether the position has come too often
    said += describe_consequences(state, language)
    label = " ".join([*said, format_state(state)])
    picture = svg(state, last=cell, label=label, styled=False)
    steps = [
        (_("To the beginning"), 0, shown > 0),
        (_("One move back"), shown - 1, shown > 0),
        (_("One move on"), shown + 1, shown < last),
        (_("To the end"), last, shown < last),
    ]
    links = [
        _link(game.address, text, f"?ply={ply}#replay")
        if possible
        else element("span", text, class_="off")
        for text, ply, possible in steps
    ]
    return element(
        "section",
        Markup(picture),
        element("p", element("bdi", " ".join(said))),
        _nav(links, aria_label=_("Replay")),
        id="replay",
        aria_label=_("Board"),
    )


def _moves(game: OnlineGame, moves: Sequence[ListedMove], language: NullTranslations) -> Markup:
    if not moves:
        return element("p", language.gettext("Nobody has moved yet."))
    links = [
        _link(
            game.address, str(move), f"?ply={move.ply}#replay", aria_current=move.current and "step"
        )
        for move in moves
    ]
    return element("ol", *[element("li", link) for link in links], class_="moves")


def _chronicle(game: OnlineGame, events: Sequence[Event], language: NullTranslations) -> Markup:
    """Return what was said, and what else happened beside the moves, in order: the last of it."""
    told = [event for event in events if not isinstance(event, Moved)]
    items = [
        element("li", _time(event.time), " ", element("bdi", describe_event(event, game, language)))
        for event in told[-EVENTS_SHOWN:]
    ]
    more = [] if len(told) <= EVENTS_SHOWN else [element("p", "…")]
    return join(*more, element("ul", *items, class_="events"))


def _records(address: str, language: NullTranslations) -> Markup:
    _ = language.gettext
    links = [
        _link(address, _("As text"), "/record.txt", download=True),
        _link(address, _("As JSON"), "/record.json", download=True),
    ]
    return _nav(links, aria_label=_("Record"))
