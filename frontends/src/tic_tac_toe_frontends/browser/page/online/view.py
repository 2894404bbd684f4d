"""What the lobby and an online game show, as values: pure functions, which know no browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from gettext import NullTranslations
from html import escape
from itertools import takewhile
from typing import Any, NamedTuple

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.logic.rules.traits import letters
from tic_tac_toe.pictures.board import Look, look_of
from tic_tac_toe.protocols.online.client import ONLINE, Client
from tic_tac_toe.protocols.online.events import (
    KEEP_CHAT,
    OFFERS,
    REMATCH,
    SEATS,
    SIDES,
    Created,
    Event,
    Expired,
    Joined,
    Moved,
    Offered,
    Said,
)
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame, Presence
from tic_tac_toe.protocols.online.requests import (
    Accept,
    Claim,
    Decline,
    Offer,
    Request,
    Resign,
)
from tic_tac_toe.protocols.online.seat_book import Seat, outcome_for

from ....table.looking_back import describe_past
from ....table.table import Replay
from ....words.clock_text import clock_brief, clock_setting, time_left
from ....words.foreign import truncated
from ....words.game_text import describe_consequences, describe_repetition, player_title
from ....words.online_text import (
    describe_arrival,
    describe_event,
    describe_offers,
    describe_standing,
    describe_watchers,
    named_variant,
    open_game_cells,
    open_game_headings,
    opponent_name,
    person_name,
    seat_name,
    sentence,
    speaker_name,
    standing_word,
)
from ....words.rules_text import side_title, variant_title
from ....words.translation import join_sentences, labelled
from ..board.plan import BoardView
from ..settings import BoardSettings
from ..view import MovesView, moves_view, rules_text
from ..words import ONLINE_WORDS

#: A clock with less time left, in milliseconds, is highlighted.
SHORT = 15_000
#: The longest line of chat and the longest name in the sentences beside a board.
CHAT_LETTERS, NAME_LETTERS = 80, 20
#: The buttons of the next steps after a game, the first possible of which is large.
NEXT_STEPS = ("follow", "offer-rematch", "pair-again")


def changed(old: object, new: object, *names: str) -> bool:
    """Return whether any of these fields differs between two views; the old one may be missing."""
    return any(getattr(old, name, None) != getattr(new, name) for name in names)


class Situation(NamedTuple):
    """All that the picture of an online game depends on.

    Attributes:
        seat: the reader's; empty for a watcher.
        presence: ``None`` while unknown.
        cell: the reader's move on its way to the server.
        ply, letter, board: what the reader has chosen to see, and to place; ``None`` for a board
            without a game.
        is_elsewhere: whether another tab has the reader's seat.
    """

    game: OnlineGame | None
    seat: str
    is_connected: bool
    presence: Presence | None
    pending: tuple[Request, ...]
    cell: int | None
    events: tuple[Event, ...]
    lines: tuple[object, ...]
    muted: frozenset[str]
    can_claim: bool
    language: NullTranslations
    ply: int | None = None
    letter: str = "X"
    board: BoardSettings | None = None
    is_elsewhere: bool = False

    @property
    def settings(self) -> BoardSettings:
        """How the board is shown: as chosen, else as usual."""
        usual = Look.MARKS if self.game is None else look_of(self.game.rules)
        return self.board or BoardSettings(usual)

    @classmethod
    def of(cls, client: Client, language: NullTranslations, **chosen: Any) -> Situation:
        """Return the situation of a client, with what the reader has chosen."""
        is_connected = client.connection == ONLINE
        return cls(
            client.game,
            client.seat,
            is_connected,
            client.presence if is_connected else None,
            client.pending,
            client.pending_cell,
            tuple(client.events),
            client.lines,
            client.muted,
            client.claim_left() == 0,
            language,
            **chosen,
        )


@dataclass(frozen=True)
class RoomView:
    """A game as it is to be seen; the keys are the names of the page's elements.

    Attributes:
        texts, labels: what is written, and what screen readers say instead.
        shown: whether each part is to be seen.
        disabled: the buttons without an effect now.
        styles: the classes of elements, and whether they have them.
        away: what is said beside each player who is not connected.
        result: of the game, for the reader; empty before its end.
        below: the seat below the board.
        offered: what the opponent offers.
    """

    texts: Mapping[str, str]
    labels: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, bool] = field(default_factory=dict)
    disabled: frozenset[str] = frozenset()
    styles: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    away: Mapping[str, str] = field(default_factory=dict)
    board: BoardView | None = None
    moves: MovesView | None = None
    result: str = ""
    address: str = ""
    below: str = SEATS[0]
    offered: str = ""
    is_waiting: bool = False
    is_played: bool = False
    is_over: bool = False


def room_view(now: Situation, match: Match | None, replay: Replay) -> RoomView:
    """Return the picture of a game.

    Args:
        match: the game as `catch_up` made it.
    """
    game, seat, _ = now.game, now.seat, now.language.gettext
    if game is None or match is None:
        texts = {"room-title": _("Online"), "online-status": _("Looking for the game …")}
        texts["leave-title"] = _("Leave")
        return RoomView(texts, styles={("room", "unknown"): True})
    rules, board = game.rules, now.settings
    is_now, is_over, is_waiting = replay.ply is None, game.end is not None, game.waiting
    state, short = replay.state(match), shortened(game)
    is_taken = not (seat or is_waiting or is_over or now.is_elsewhere)
    offered, offer_text = _their_offer(now, short)
    buttons = _buttons(now, game, offered)
    titles, labels, disabled = _offer_buttons(now, game, buttons)
    sides = {
        f"side-{each}": side_title(rules, Mark(each), now.language, board.look) for each in SEATS
    }
    people = {each: describe_seat(game, each, seat, now.presence, now.language) for each in SEATS}
    for each in SEATS:
        player = game.player(each)
        if player is not None and not player.strategy and each != seat:
            name = speaker_name(game, each, now.language, board.look)
            labels[f"about-{each}"] = _("More about {player}").format(player=name)
    texts = {
        "room-title": variant_title(rules, now.language),
        "online-rules": rules_text(rules, now.language),
        "online-status": board.told(_status(now, short, match, replay), rules),
        "online-note": board.told(join_sentences(_notes(now, short, state), now.language), rules),
        "offer-text": offer_text,
        "claim-text": _("The other player is gone.") if now.can_claim else "",
        "elsewhere-text": _("You play this game in another tab.") if now.is_elsewhere else "",
        "taken-text": _("Both seats are taken: you are watching.") if is_taken else "",
        "watchers": describe_watchers(now.presence, now.language),
        "leave-title": _leave_title(game, seat, now.language),
        **{f"who-{each}": who for each, (who, _away) in people.items()},
    }
    shown = {
        "offer": bool(offered),
        "claim": now.can_claim and not any(isinstance(each, Claim) for each in now.pending),
        "play-here": now.is_elsewhere,
        "start-own": is_taken,
        "take-seat": not seat and is_waiting,
        "play-meanwhile": bool(seat) and is_waiting,
        "invite-part": bool(seat) or not is_waiting,
        "invite-note": is_waiting,
        "invite-qr": bool(seat) and is_waiting and not game.setup.pairing,
        "record-part": is_over,
        "online-review": finished(game, match) is not None,
        **{f"about-{each}": f"about-{each}" in labels for each in SEATS},
    }
    return RoomView(
        texts=texts | sides | titles,
        labels=labels,
        shown=shown | buttons,
        disabled=disabled,
        board=BoardView(
            state,
            now.language,
            board.look,
            names=board.names,
            from_bottom=board.from_bottom,
            numbers=tuple(match.history[: replay.moment(match)]) if board.numbers else (),
            last=replay.last_cell(match),
            is_open=is_now and game.turn == seat != "" and now.cell is None,
            letter=now.letter if letters(rules) else "",
            pending=now.cell if is_now else None,
        ),
        moves=moves_view(match, replay, board, now.language),
        result=((seat and outcome_for(game, seat)) or "over") if is_over and is_now else "",
        styles={
            ("room", "unknown"): False,
            ("room", "open"): is_waiting,
            ("room", "over"): is_over,
            ("online-share", "primary"): is_waiting,
            **{(f"seat-{each}", "turn"): game.turn == each for each in SEATS},
            # A side's name, other than X and O, has no colour.
            **{(f"side-{each}", "named"): sides[f"side-{each}"] != each for each in SEATS},
            **_next_step(game, seat, buttons),
        },
        # Both players of a rematch are there.
        away={each: "" if game.follower else away for each, (_who, away) in people.items()},
        address=game.address,
        below=seat or SEATS[0],
        offered=offered,
        is_waiting=is_waiting,
        is_played=bool(game.turn),
        is_over=is_over,
    )


def finished(game: OnlineGame | None, match: Match | None) -> tuple[Match, Mark | None] | None:
    """Return a game that can be reviewed, and its loser if the board does not show it."""
    if game is None or match is None or game.end is None or not game.moves:
        return None
    if match.over:
        return match, None
    return (match, Mark(game.end.winner).other) if game.end.winner else None


def _status(now: Situation, game: OnlineGame, match: Match, replay: Replay) -> str:
    """Return the headline: the past that is looked at, or what the game waits for."""
    language, _ = now.language, now.language.gettext
    if replay.ply is not None:
        return describe_past(match, replay, language)
    if now.cell is not None:
        return _("Your move is on its way …")
    if game.waiting and not now.seat:
        host = next((each for each in game.players if each is not None), None)
        message = _("{player} invites you: {game} · {clock}").format(
            player=person_name("" if host is None else host.name, language),
            game=variant_title(game.rules, language),
            clock=clock_brief(game.setup.clock, language),
        )
        return sentence(message, language)
    if game.waiting and not game.setup.pairing:
        return _("Send this link to your friend.")
    return describe_standing(game, now.seat, language, now.settings.look)


def _notes(now: Situation, game: OnlineGame, state: GameState) -> list[str]:
    """Return the sentences below the board."""
    language = now.language
    notes = _news(now, game) if now.ply is None else []
    if now.cell is not None and not now.is_connected:
        notes.append(language.gettext("It is sent as soon as the connection is back."))
    if game.waiting and now.seat:
        clock = clock_setting(game.setup.clock, language)
        notes.append(f"{clock[:1].upper()}{clock[1:]}")
    return notes + (describe_repetition if game.end else describe_consequences)(state, language)


def _news(now: Situation, game: OnlineGame) -> list[str]:
    """Describe the last event, unless it is the reader's own move or the end of the game."""
    language, seat, events = now.language, now.seat, now.events
    look = now.settings.look
    if line := said_by_others(events, game, seat, now.muted, language, look):
        return [line]
    last = next((each for each in events[::-1] if not isinstance(each, Created | Said)), None)
    if last is None:
        return []
    if isinstance(last, Offered) and seat:  # the opponent's has buttons
        return [language.gettext("Your offer waits for an answer.")] if last.seat == seat else []
    if isinstance(last, Moved):
        is_known = last.seat == seat
    else:
        # That an unused game was ended is the headline; by whom is told here.
        is_known = game.end is not None and last.version <= game.changed
        is_known = is_known and not isinstance(last, Expired)
    return [] if is_known else [describe_event(last, game, language, seat, look)]


def said_by_others(
    events: Sequence[Event],
    game: OnlineGame,
    own: str,
    muted: frozenset[str],
    language: NullTranslations,
    look: Look,
) -> str:
    """Return the last event if it is a line of chat that somebody else has said to the reader."""
    last = events[-1] if events else None
    if not isinstance(last, Said) or last.seat in (own, *muted):
        return ""
    return truncated(describe_event(last, game, language, look=look), CHAT_LETTERS)


def _leave_title(game: OnlineGame, seat: str, language: NullTranslations) -> str:
    if seat and game.waiting:
        return language.gettext("Cancel")
    return language.gettext("Leave for now") if seat and game.turn else language.gettext("Leave")


def _buttons(now: Situation, game: OnlineGame, offered: str) -> dict[str, bool]:
    """Return whether each button below the board is shown."""
    seat, is_over = now.seat, game.end is not None
    goes_on = bool(seat and game.turn)
    is_ended = bool(seat) and is_over and None not in game.players
    return {
        "offer-takeback": goes_on,
        "offer-draw": goes_on,
        "resign": goes_on and not game.can_be_aborted,
        # An offer that the opponent has made already is accepted, not made again.
        "offer-rematch": is_ended and not game.follower and offered != REMATCH,
        "offer-keepchat": is_ended and game.has_chat_to_keep and offered != KEEP_CHAT,
        "follow": bool(game.follower) and is_over,
        "pair-again": bool(seat) and is_over and not game.has_computer,
        "abort": bool(seat) and game.can_be_aborted,
    }


def _offer_buttons(
    now: Situation, game: OnlineGame, buttons: Mapping[str, bool]
) -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    """Return the titles and labels of buttons that offer or withdraw, and the disabled ones."""
    _, titles, labels = now.language.gettext, {}, {}
    asked = offers_of(game, now.seat, now.pending)
    disabled = {name for name in buttons if name.removeprefix("offer-") in asked}
    for what in OFFERS:
        name = f"offer-{what}"
        title = titles[f"{name}-title"] = labels[name] = _(ONLINE_WORDS[name])
        if (now.seat, what) in game.offers:
            titles[f"{name}-title"] = _("Withdraw")
            labels[name] = labelled(_("Withdraw"), title, now.language)
            if not any(isinstance(request, Decline) for request in now.pending):
                disabled.discard(name)
    if buttons["offer-takeback"] and game.ply_before_last_move_of(now.seat) is None:
        disabled.add("offer-takeback")
    return titles, labels, frozenset(disabled)


def _next_step(
    game: OnlineGame, seat: str, buttons: Mapping[str, bool]
) -> dict[tuple[str, str], bool]:
    """Return the styles of the next steps after a game, of which the best one is large."""
    first, *others = NEXT_STEPS
    steps = [first, *(others[::-1] if game.setup.pairing else others)]
    is_asked = any(what == REMATCH for _who, what in game.offers)
    best = "" if is_asked else next((name for name in steps if buttons[name]), "")
    return {(name, style): name == best for name in steps for style in ("primary", "whole")}


def _their_offer(now: Situation, game: OnlineGame) -> tuple[str, str]:
    """Return the opponent's first offer without an answer, and its sentence."""
    theirs = [what for who, what in sorted(game.offers) if now.seat and who != now.seat]
    waiting = dict(zip(theirs, describe_offers(game, now.seat, now.language, now.settings.look)))
    for request in now.pending:
        if isinstance(request, Accept | Decline):
            waiting.pop(request.what, None)
    return next(iter(waiting.items()), ("", ""))


def offers_of(game: OnlineGame | None, seat: str, pending: Sequence[Request]) -> set[str]:
    """Return a seat's offers, of `OFFERS`, and ``resign``, also those still on their way."""
    found = {"resign" for request in pending if isinstance(request, Resign)}
    found |= {request.what for request in pending if isinstance(request, Offer)}
    return found | {what for who, what in (game.offers if game else ()) if who == seat}


def describe_seat(
    game: OnlineGame, seat: str, own: str, presence: Presence | None, language: NullTranslations
) -> tuple[str, str]:
    """Return the player of a seat, and that they are not connected.

    Args:
        own: the reader's seat; empty for a watcher.
        presence: the connected seats; ``None`` while unknown.
    """
    _, player = language.gettext, game.player(seat)
    if player is None:
        return _("nobody yet"), ""
    if player.strategy:
        title = player_title(player.strategy, language, game.rules, here=False)
        return _("Computer: {player}").format(player=title), ""
    name = person_name(player.name, language)
    if seat == own:
        return _("{name} (you)").format(name=name), ""
    is_here = presence is None or seat in presence.seats
    return name, "" if is_here else _("not connected")


def clocks(
    client: Client, away: Mapping[str, str], language: NullTranslations
) -> tuple[dict[str, str], frozenset[str]]:
    """Return what is said beside both players' names: clocks, and the time for a first move.

    Returns:
        the texts by the names of elements, and those that are urgent.
    """
    game, left, first = client.game, client.time_left(), client.first_move_left()
    texts, urgent = {}, set()
    for seat in SEATS:
        runs = game is not None and game.turn == seat
        own = None if left is None else left[SIDES[seat]]
        texts[f"time-{seat}"] = "" if own is None else time_left(own, language)
        if runs and own is not None and own < SHORT:
            urgent.add(f"time-{seat}")
        texts[f"here-{seat}"] = away.get(seat, "")
        if runs and first is not None:
            message = language.gettext("first move within {time}")
            texts[f"here-{seat}"] = message.format(time=time_left(first, language))
        if away.get(seat) if first is None else runs and first < SHORT:
            urgent.add(f"here-{seat}")
    return texts, frozenset(urgent)


def shortened(game: OnlineGame) -> OnlineGame:
    """Return a game whose players have names that fit into a sentence."""
    players = game.players
    if all(each is None or len(each.name) <= NAME_LETTERS for each in players):
        return game
    crosses, naughts = (
        each and replace(each, name=truncated(each.name, NAME_LETTERS)) for each in players
    )
    return replace(game, players=(crosses, naughts))


def catch_up(match: Match | None, game: OnlineGame) -> Match:
    """Return a match with the moves of an online game.

    Args:
        match: the result of the last call for the same game, which is brought up to date; ``None``
            for another game.
    """
    if match is None:
        match = Match(first_state(game.rules, game.starting_mark))
    pairs = zip((move.number for move in match.history), game.moves)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    while match.ply > same:
        match.undo()
    for cell in game.moves[same:]:
        match.submit(match.state.current_mark, cell)
    return match


# -- what calls a player ---------------------------------------------------------------------------


class News(NamedTuple):
    """A line about an online game that is out of sight.

    Attributes:
        address: of the game; empty for the lobby.
        title: the window's title; empty where nothing waits for the reader.
    """

    text: str = ""
    address: str = ""
    title: str = ""


def news_of(
    client: Client,
    language: NullTranslations,
    look: Look,
    seen: int | None = None,
    *,
    is_new: bool = False,
) -> News:
    """Return the line about a client's game, with the clock of the side to move.

    Args:
        seen: the last event that the reader has seen, if the game was in sight; its end and its
            chat are told from then on.
        is_new: whether the opponent has come since the reader looked.
    """
    game, seat, _ = client.game, client.seat, language.gettext
    if game is None or not seat:
        return News()
    if game.waiting:
        return News(describe_standing(game, seat, language, look), game.address)
    game = shortened(game)
    if game.end is not None and (seen is None or game.version <= seen):
        return News()
    if game.end is not None:
        text = describe_standing(game, seat, language, look)
        return News(text, game.address, text)
    if is_new and has_arrived(client):
        other = seat_name(game, SEATS[1 - SIDES[seat]], language, look)
        text = _("{player} has joined your online game.").format(player=other)
        return News(text, game.address, text)
    player = game.player(SEATS[1 - SIDES[seat]])
    name = "" if player is None else opponent_name(player.name, player.strategy, language)
    is_own = game.turn == seat
    text = _("Your turn against {player}") if is_own else _("{player} is thinking")
    text, left = sentence(text.format(player=name), language), client.time_left()
    title = text if is_own else ""
    if is_own and (first := client.first_move_left()) is not None:
        message = _("first move within {time}")
        text = f"{text} · {message.format(time=time_left(first, language))}"
    elif left is not None:
        text = f"{text} · {time_left(left[SIDES[game.turn]], language)}"
    line = said_by_others(client.events, game, seat, client.muted, language, look)
    if line and game.version > (seen or 0):
        text, title = f"{line} · {text}", line
    return News(text, game.address, title)


def unfinished_news(games: Sequence[str], language: NullTranslations) -> News:
    """Return the line about games that were begun at an earlier visit."""
    count = len(games)
    text = language.ngettext(
        "You have {count} unfinished game online.",
        "You have {count} unfinished games online.",
        count,
    )
    # The lobby lists them all.
    return News(text.format(count=count), games[0] if count == 1 else "") if count else News()


def has_arrived(client: Client) -> bool:
    """Return whether the last event is that the opponent has joined."""
    last = next((each for each in client.events[::-1] if not isinstance(each, Said)), None)
    return isinstance(last, Joined) and client.seat not in ("", last.seat)


def window_title(title: str, client: Client, language: NullTranslations) -> str:
    """Return a game's title with a newly joined opponent, and with a dot for the reader's turn."""
    game, seat = client.game, client.seat
    if game is not None and has_arrived(client):
        return f"● {describe_arrival(game, SEATS[1 - SIDES[seat]], language)} - {title}"
    return f"● {title}" if game is not None and game.turn == seat != "" else title


# -- the lobby -------------------------------------------------------------------------------------

#: The names of the buttons of a row.
JOIN, GO, REMOVE = "join", "go", "remove"
#: The number of finished games in the list until the player asks for all.
FINISHED = 10


def open_table(games: Sequence[OpenGame], own: set[str], language: NullTranslations) -> str:
    """Return the table of open games as markup; empty without a game.

    Args:
        own: the addresses of the reader's own games.
    """
    _, headings = language.gettext, open_game_headings(language)
    rows = []
    for game in games:
        buttons = {GO: _("Go back")} if game.game in own else {JOIN: _("Join"), GO: _("Watch")}
        primary = "" if game.game in own else JOIN
        rows.append(_row(headings, open_game_cells(game, language), game.game, buttons, primary))
    return _table(headings, rows, language)


def own_table(seats: Sequence[Seat], language: NullTranslations) -> str:
    """Return the table of the reader's own games as markup; empty without a game."""
    _, rows = language.gettext, []
    headings = [_("Game"), _("Opponent"), _("Result")]
    for seat in seats:
        opponent = opponent_name(seat.opponent, seat.strategy, language)
        cells = (
            named_variant(seat.variant, language),
            "" if seat.is_waiting else opponent,
            standing_word(seat.standing, language),
        )
        buttons = {GO: _("Look at it"), REMOVE: _("Remove")}
        if seat.is_unfinished:
            buttons = {GO: _("Go back")}
        primary = GO if seat.is_unfinished else ""
        rows.append(_row(headings, cells, seat.game, buttons, primary))
    return _table(headings, rows, language)


def _table(headings: Sequence[str], rows: Sequence[str], language: NullTranslations) -> str:
    """Return a table as markup.

    The ARIA roles are explicit: the style that makes cards of the rows on phones removes the
        implicit ones.
    """
    if not rows:
        return ""
    titles = [*map(escape, headings)]
    titles.append(f'<span class="unseen">{escape(language.gettext("What you can do"))}</span>')
    head = "".join(f'<th role="columnheader" scope="col">{title}</th>' for title in titles)
    return (
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{"".join(rows)}</tbody>'
    )


def _row(
    headings: Sequence[str],
    cells: Sequence[str],
    game: str,
    buttons: Mapping[str, str],
    primary: str,
) -> str:
    """Return a row about a game, with its buttons, as markup."""
    about, game = escape(", ".join(filter(None, cells))), escape(game)
    row = f'<tr role="row"><th role="rowheader" scope="row">{escape(cells[0])}</th>'
    for heading, text in zip(headings[1:], cells[1:]):
        row += f'<td role="cell" data-heading="{escape(heading)}">{escape(text)}</td>'
    row += '<td role="cell" class="actions">'
    for name, title in buttons.items():
        style = ' class="primary"' if name == primary else ""
        row += (
            f'<button type="button"{style} aria-label="{escape(title)}: {about}"'
            f' data-action="{name}" data-game="{game}" data-key="{name}-{game}">'
            f"{escape(title)}</button>"
        )
    return f"{row}</td></tr>"
