"""The server's plain page of one game: the board after any of its moves, and its record.

The chat is shown only if both players have agreed to that after the game: the page is public and
permanent, and they wrote to the people present. The log keeps the chat for players and watchers in
any case.

Names come from other people: `online_text` shortens them and removes hidden characters, and
`element` escapes everything that is not markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations

from markupsafe import Markup

from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe.protocols.online.events import SEATS, Event, Moved, Said
from tic_tac_toe.protocols.online.game import OnlineGame

from ...table.looking_back import ListedMove, list_of_moves, replayed
from ...words.clock_text import clock_setting
from ...words.game_text import describe_consequences, describe_move_of
from ...words.online_text import describe_event, describe_turn, seat_name, sentence
from ...words.rules_text import describe_rules, variant_title
from ...words.translation import join_clauses, join_sentences
from .pages import card, element, join, link_to, moment, nav, page

#: Events beside moves and chat that are shown, the last ones.
EVENTS_SHOWN = 200


def record_page(
    game: OnlineGame,
    events: Sequence[Event],
    language: NullTranslations,
    *,
    ply: int | None = None,
    has_page: bool = False,
) -> str:
    """Return the page of one game, as it stands, or as it stood after ``ply`` moves.

    Args:
        game, events: the game, and all its events.
        ply: the number of moves on the board; all of them unless given.
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
    main = [
        element(
            "div",
            element(
                "div",
                element("h1", element("bdi", title)),
                element("p", join_clauses(facts, language), class_="quiet"),
                element("p", element("bdi", describe_turn(game, "", language)), class_="status"),
                *_game_links(game, language, has_page),
                class_="head",
            ),
            _replay(game, first, moves[:shown], language),
            element(
                "div",
                card(
                    element("h2", _("Moves")), _moves(game, list_of_moves(moves, shown), language)
                ),
                *_chat(game, events, language),
                card(element("h2", _("What else happened")), _chronicle(game, events, language)),
                card(element("h2", _("Record")), _records(game.address, language)),
                class_="side",
            ),
            class_="columns",
        ),
    ]
    return page(title, main, language, has_page=has_page)


def _game_links(game: OnlineGame, language: NullTranslations, has_page: bool) -> list[Markup]:
    _ = language.gettext
    links: list[Markup] = []
    if has_page and game.end is None:
        text = _("Play or watch it in the browser")
        links.append(element("a", text, href=f"/#game={game.address}"))
    if game.end is None:
        links.append(link_to(game.address, _("Refresh")))
    if game.setup.previous:
        links.append(link_to(game.setup.previous, _("The game before")))
    if game.follower:
        links.append(link_to(game.follower, _("The rematch")))
    return [nav(links)] if links else []


def _replay(
    game: OnlineGame, state: GameState, moves: Sequence[Move], language: NullTranslations
) -> Markup:
    _, shown, last, cell = language.gettext, len(moves), len(game.moves), None
    sentences = [_("Move {number} of {count}.").format(number=shown, count=last)]
    if moves:
        move = moves[-1]
        state, cell = move.after_state, move.cell_index
        mover = seat_name(game, move.player.value, language)
        sentences.append(
            sentence(describe_move_of(mover, move.number, game.rules, language), language)
        )
    if shown == last:
        state = game.state  # it knows how often the position has occurred
    sentences += describe_consequences(state, language)
    description = join_sentences(sentences, language)
    label = f"{description} {format_state(state)}"
    picture = svg(state, last=cell, label=label, styled=False)
    steps = [
        ("«", _("To the beginning"), 0, shown > 0),
        ("\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", _("One move back"), shown - 1, shown > 0),
        (
            "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}",
            _("One move on"),
            shown + 1,
            shown < last,
        ),
        ("»", _("To the end"), last, shown < last),
    ]
    links = [
        link_to(game.address, sign, f"?ply={ply}#replay", aria_label=text, title=text)
        if possible
        else element("span", sign, class_="off", aria_hidden="true")
        for sign, text, ply, possible in steps
    ]
    return element(
        "section",
        Markup(picture),
        element("p", element("bdi", description)),
        nav(links, aria_label=_("Replay")),
        id="replay",
        class_="card",
        aria_label=_("Board"),
    )


def _moves(game: OnlineGame, moves: Sequence[ListedMove], language: NullTranslations) -> Markup:
    if not moves:
        return element("p", language.gettext("Nobody has moved yet."))
    links = [
        link_to(
            game.address,
            join(element("small", f"{move.ply}."), " ", str(move)),
            f"?ply={move.ply}#replay",
            aria_current=move.current and "step",
        )
        for move in moves
    ]
    return element("ol", *[element("li", link) for link in links], class_="moves")


def _chat(game: OnlineGame, events: Sequence[Event], language: NullTranslations) -> list[Markup]:
    """Return the chat up to the agreement to keep it; nothing without an agreement."""
    lines = [event for event in events[: game.chat_kept] if isinstance(event, Said)]
    if not lines:
        return []
    return [card(element("h2", language.gettext("Chat")), _event_list(lines, game, language))]


def _chronicle(game: OnlineGame, events: Sequence[Event], language: NullTranslations) -> Markup:
    others = [event for event in events if not isinstance(event, Moved | Said)]
    return _event_list(others, game, language)


def _event_list(events: Sequence[Event], game: OnlineGame, language: NullTranslations) -> Markup:
    items = [
        element(
            "li", moment(event.time), " ", element("bdi", describe_event(event, game, language))
        )
        for event in events[-EVENTS_SHOWN:]
    ]
    more = [] if len(events) <= EVENTS_SHOWN else [element("p", "…")]
    return join(*more, element("ul", *items, class_="events"))


def _records(address: str, language: NullTranslations) -> Markup:
    _ = language.gettext
    links = [
        link_to(address, _("As text"), "/record.txt", download=True),
        link_to(address, _("As JSON"), "/record.json", download=True),
    ]
    return nav(links, aria_label=_("Record"))
