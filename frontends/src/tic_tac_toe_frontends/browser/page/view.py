"""All that is to be seen and done in the page during a game on this device, as frozen values.

`view` is a pure function of the table, what is known of its moves, and the settings; `show` writes
its result into the page. Nothing here needs a browser.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.statuses import status_of
from tic_tac_toe.logic.rules.traits import Digits, letters, traits_of
from tic_tac_toe.pictures.board import SIGNS, Look

from ...table.advice import Advice
from ...table.commands import Desk, primary_command, title_of
from ...table.looking_back import ListedMove as Listed
from ...table.looking_back import (
    LookingBack,
    Review,
    ValuePoint,
    describe_past,
    list_of_moves,
    replayed,
    value_graph,
)
from ...table.table import TWO_COMPUTERS, Replay, Setup, Table, opponent_in
from ...table.telling import picture_text, status_text
from ...words.demonstration import demonstration
from ...words.game_text import (
    describe_caveats,
    describe_player,
    describe_score,
    setup_menus,
    starter_title,
    starters_of,
)
from ...words.how_to_win import how_to_win
from ...words.review_text import fault_title
from ...words.rules_text import (
    HUMAN,
    LEVELS,
    Drawn,
    describe_rules,
    describe_status,
    piece_title,
    seat_title,
    side_title,
    variant_title,
)
from ...words.translation import as_sentence, join_clauses, join_sentences
from .board.plan import BoardView, small_piece
from .settings import BoardSettings

#: The commands of the buttons, by the ids of their elements.
BUTTONS = {
    **{name: name for name in ("next-level", "new-game", "easier-level", "undo", "redo", "hint")},
    **{name: name for name in ("go-on", "explain")},
    **{name: name for name in ("film", "fault-back", "fault-on", "play-on")},
    "explain-past": "explain",
    "restart": "new-game",
    "give-up": "resign",
    "solution": "solution",
    "review-start": "review",
}
#: The buttons whose titles change, and those that are hidden while they have no effect.
TITLED = frozenset({"undo", "next-level", "new-game", "easier-level", "play-on"})
HIDDEN = frozenset({"next-level", "easier-level", "play-on", "go-on", "explain-past"})
#: The entries of a menu: values and titles.
Entries = tuple[tuple[str, str], ...]


class Button(NamedTuple):
    """A button: whether it is there, whether it has an effect now, and its title, if it changes."""

    is_shown: bool = True
    is_enabled: bool = True
    title: str = ""
    is_primary: bool = False


class ListedMove(NamedTuple):
    """A move in the list.

    Attributes:
        sign, fault: the sign and the title of a fault, if it is one.
        piece, side: in looks with pieces the piece as SVG, and the title of its side.
    """

    ply: int
    name: str
    sign: str = ""
    fault: str = ""
    piece: str = ""
    side: str = ""


class Frame(NamedTuple):
    """A picture of a demonstration, and the sentence about it.

    Attributes:
        last: the cell of the move that led to the state, if one did.
        is_end: whether the sentence is complete: the picture stays a while.
    """

    state: GameState
    last: int | None
    sentence: str
    is_end: bool


@dataclass(frozen=True)
class MovesView:
    """The list of moves.

    Attributes:
        moment: the number of moves before the shown position.
        place: that number in words.
    """

    moves: tuple[ListedMove, ...]
    moment: int
    place: str


@dataclass(frozen=True)
class GraphView:
    """The graph of a game's value.

    Attributes:
        moment: the number of moves before the shown position, of ``total``.
        sides: the titles of the side whose chances grow upwards, and of the other.
    """

    points: tuple[ValuePoint, ...]
    moment: int
    total: int
    sides: tuple[str, str]


@dataclass(frozen=True)
class GameView:
    """A game and its players; see `Setup`.

    Attributes:
        rules: how the game goes, in sentences.
        level: what kind of opponent plays.
        opponents, players, starters: the entries of the menus.
        others: the title of a group of odd opponents, and its entries.
        seats: the labels of the menus of both players.
        opponent: the chosen entry of ``opponents``.
    """

    title: str
    rules: str
    has_demonstration: bool
    solved: str
    level: str
    opponents: Entries
    others: tuple[str, Entries]
    opponent: str
    players: Entries
    starters: Entries
    seats: tuple[str, str]
    setup: Setup
    keys: str


@dataclass(frozen=True)
class View:
    """The game on this device.

    Attributes:
        status: whose turn it is, or how the game ended.
        result: ``win``, ``draw`` or ``loss`` for the reader, or ``over``; empty before the end.
        is_past: whether a past position is shown.
        refusal: why the last action was refused.
        note: what is known of the position, or of the whole game.
        is_explained: whether that is why a move is good or bad.
        is_idle: whether no move has been made, or taken back.
        score: the reader's name, and the games won by each side after the first end.
        draws: the number of draws in words; empty without any.
        is_filming: whether the moves are shown one after the other.
        is_choosing: whether the next chosen move is explained, and not made.
        is_demonstrating: whether the board shows a demonstration, and not the game.
        graph: of a review; ``None`` without one.
        way: ``computer``, ``friend`` or ``puzzle``; empty during online play.
        buttons: by the ids of their elements.
    """

    status: str
    result: str
    is_past: bool
    is_idle: bool
    refusal: str
    note: str
    is_explained: bool
    score: str
    draws: str
    way: str
    is_filming: bool
    is_choosing: bool
    game: GameView
    board: BoardView
    is_demonstrating: bool
    moves: MovesView
    graph: GraphView | None
    buttons: tuple[tuple[str, Button], ...]


def view(
    desk: Desk,
    settings: BoardSettings,
    language: NullTranslations,
    *,
    is_shown: bool = True,
    wins: int = 0,
    said: str = "",
    frame: Frame | None = None,
) -> View:
    """Return what the page shows.

    Args:
        settings: how the board is shown.
        is_shown: whether this game is seen, and not online play.
        wins: how often the person has won in a row, this game included.
        said: what the page has done with the game.
        frame: of a demonstration, which is seen instead of the game.
    """
    table, advice, past = desk.table, desk.advice, desk.past
    past.review.refresh()
    match, replay = table.match, table.replay
    state, is_past = replay.state(match), replay.ply is not None
    look = settings.look
    is_explained = (past.why or advice.told) is not None and frame is None
    # What explains moves names cells; a board that changed with each sentence would jump.
    is_named = is_explained or past.review.is_on or table.task is not None
    drawn = Drawn(look, settings.names or is_named, lights=True)
    status = describe_past(match, replay, language) if is_past else ""
    board = BoardView(
        state,
        language,
        look,
        names=drawn.names,
        from_bottom=settings.from_bottom,
        numbers=tuple(match.history[: replay.moment(match)]) if settings.numbers else (),
        last=replay.last_cell(match),
        best=past.better or advice.best,
        values=advice.values,
        written=tuple((past.written or advice.written).items()),
        is_open=advice.is_useful or (advice.task is not None and not advice.task.is_over),
        letter=table.letter if table.letters else "",
    )
    if frame is not None:
        status = frame.sentence
        board = replace(
            board,
            state=frame.state,
            last=frame.last,
            numbers=(),
            best=(),
            values=(),
            written=(),
            is_open=False,
        )
    own, draws = _score(table, language, look)
    note = join_sentences([_note(advice, past, table, language, drawn, wins), said], language)
    if frame is not None:
        note = language.gettext("This is an example. Touch the board to play.")
    return View(
        status=settings.told(status or status_text(table, language, drawn), state.rules),
        result=_result(table) if not is_past else "",
        is_past=is_past,
        is_idle=match.ply == 0 and not table.can_play_again and table.task is None,
        refusal=settings.told(table.remark, state.rules),
        note=settings.told(note, state.rules),
        is_explained=is_explained,
        score=own,
        draws=draws,
        way=_way(table) if is_shown else "",
        is_filming=past.film.is_running,
        is_choosing=advice.is_choosing,
        game=game_view(table.setup, language),
        board=board,
        is_demonstrating=frame is not None,
        moves=moves_view(match, replay, settings, language, past.review),
        graph=graph_view(past.review, match, replay, language, look),
        buttons=_buttons(desk, language),
    )


def moves_view(
    match: Match,
    replay: Replay,
    settings: BoardSettings,
    language: NullTranslations,
    review: Review | None = None,
) -> MovesView:
    """Return the list of a game's moves.

    Args:
        review: adds the signs of faults.
    """
    moment = replay.moment(match)
    signs = {} if review is None else review.signs
    moves = tuple(
        _listed(move, settings, match.state.rules, language, review, signs.get(move.ply))
        for move in list_of_moves(match.history)
    )
    place = language.gettext("Move {count} of {total}").format(count=moment, total=match.ply)
    return MovesView(moves, moment, place)


def _listed(
    move: Listed,
    settings: BoardSettings,
    rules: Rules,
    language: NullTranslations,
    review: Review | None,
    sign: str | None,
) -> ListedMove:
    fault = _fault(review, sign, move.ply, language)
    if not (move.letter and piece_title(settings.look, move.mark, language)):
        return ListedMove(move.ply, settings.told(str(move), rules), *fault)
    side = side_title(rules, move.mark, language, settings.look)
    piece = small_piece(settings.look, move.mark.side)
    return ListedMove(move.ply, settings.told(move.name, rules), *fault, piece, side)


def frames_of(rules: Rules, language: NullTranslations) -> list[Frame]:
    """Return the demonstration of an unusual game, move by move; empty for all others."""
    shown = demonstration(rules, language)
    if shown is None:
        return []
    state, last, frames = shown.start, None, list[Frame]()
    for step in shown.steps:
        frames.append(Frame(state, last, step.sentence, is_end=not step.moves))
        for move in replayed(state, step.moves):
            state, last = move.after_state, move.cell_index
            frames.append(Frame(state, last, step.sentence, is_end=False))
        frames[-1] = frames[-1]._replace(is_end=True)
    return frames


def graph_view(
    review: Review, match: Match, replay: Replay, language: NullTranslations, look: Look
) -> GraphView | None:
    """Return the graph of a game's value, once enough of it is reviewed for a line."""
    points = value_graph(review, match) if review.is_on else ()
    if len(points) < 2:
        return None
    x, o = (side_title(match.state.rules, mark, language, look) for mark in Mark)
    return GraphView(points, replay.moment(match), match.ply, (x, o))


@lru_cache(maxsize=8)
def game_view(setup: Setup, language: NullTranslations) -> GameView:
    """Return a game and its players."""
    _, rules = language.gettext, setup.rules
    players = tuple(setup_menus(language, rules=rules)["x"])
    opponent = opponent_in(setup)
    opponents = [(name, title) for name, title in players if name in LEVELS]
    opponents.append((HUMAN, _("A person at this device")))
    if opponent == TWO_COMPUTERS:
        opponents.append((TWO_COMPUTERS, _("Computer against computer")))
    others = tuple((name, title) for name, title in players if name not in (HUMAN, *LEVELS))
    caveats = describe_caveats((setup.x, setup.o), rules, language)
    x, o = (seat_title(rules, mark, language) for mark in setup.players)
    return GameView(
        title=variant_title(rules, language),
        rules=rules_text(rules, language),
        has_demonstration=demonstration(rules, language) is not None,
        solved=as_sentence(describe_status(status_of(rules), language), language),
        level=join_sentences([describe_player(opponent, language), *caveats], language),
        opponents=tuple(opponents),
        others=(_("More"), others),
        opponent=opponent,
        players=players,
        starters=_starters(setup, language),
        seats=(x, o),
        setup=setup,
        keys=_keys(rules, language),
    )


def rules_text(rules: Rules, language: NullTranslations) -> str:
    """Return how a game goes and how it is won, in sentences."""
    board = as_sentence(describe_rules(rules, language), language)
    return join_sentences([board, *how_to_win(rules, language)], language)


def _starters(setup: Setup, language: NullTranslations) -> Entries:
    """Return the entries for the first side, as “You” and “The computer” if these two play."""
    _, names = language.gettext, starters_of(setup.rules)
    titles = {name: starter_title(name, language, setup.rules) for name in names}
    is_person = {mark.value: name == HUMAN for mark, name in setup.players.items()}
    if sorted(is_person.values()) == [False, True]:
        own, other = _("You ({mark})"), _("The computer ({mark})")
        for name in titles.keys() & is_person.keys():
            titles[name] = (own if is_person[name] else other).format(mark=titles[name])
    return tuple(titles.items())


def _keys(rules: Rules, language: NullTranslations) -> str:
    """Return a sentence about the keys that work in a game."""
    _, digits = language.gettext, traits_of(rules).digits
    keys = [_("arrow keys and Enter")]
    if digits is Digits.COLUMNS:
        keys.append(_("1 to 9 for the column"))
    elif digits is Digits.NUMBER_PAD:
        keys.append(_("1 to 9 as on the number pad"))
    if letters(rules):
        keys.append(_("X and O for the letter"))
    keys.append(_("Ctrl+Z takes back"))
    return _("Keys: {keys}.").format(keys=join_clauses(keys, language))


def _way(table: Table) -> str:
    if table.task is not None:
        return "puzzle"
    return "friend" if opponent_in(table.setup) == HUMAN else "computer"


def _result(table: Table) -> str:
    """Return the result for the reader; that of a puzzle, if it is solved."""
    if table.task is not None:
        return ("over" if table.task.is_shown else "win") if table.task.is_over else ""
    return (table.outcome or "over") if table.match.over else ""


def _score(table: Table, language: NullTranslations, look: Look) -> tuple[str, str]:
    """Return the score in front of the menu of opponents, and the draws after it.

    A game that was over when it was opened does not count: the score would contradict it.
    """
    score, rules, person = table.score, table.state.rules, table.person
    _ = language.gettext
    if not any(score.values()):
        return _("You against") if person else "", ""
    if person:
        text = f"{_('You')} {score[person]} : {score[person.other]}"
    else:
        one, other = ((side_title(rules, each, language, look), score[each]) for each in Mark)
        text = describe_score(one, other, 0, language)
    draws = language.ngettext("{count} draw", "{count} draws", score[None])
    return text, draws.format(count=score[None]) if score[None] else ""


def _note(
    advice: Advice,
    past: LookingBack,
    table: Table,
    language: NullTranslations,
    drawn: Drawn,
    wins: int,
) -> str:
    sentences = past.describe(language, drawn, legend=False) or picture_text(
        advice, table.replay.state(table.match), language, drawn
    )
    if wins > 1 and not past.review.is_on:
        message = language.ngettext("{count} win in a row!", "{count} wins in a row!", wins)
        sentences = [message.format(count=wins), *sentences]
    note = join_sentences(sentences, language)
    for sign in SIGNS.values():  # a sign stays in the line of its meaning
        note = note.replace(f"{sign} ", f"{sign}\N{NO-BREAK SPACE}")
    return note


def _fault(
    review: Review | None, sign: str | None, ply: int, language: NullTranslations
) -> tuple[str, str]:
    if review is None or sign is None:
        return "", ""
    return sign, fault_title(review.moves[ply], language)


def _buttons(desk: Desk, language: NullTranslations) -> tuple[tuple[str, Button], ...]:
    """Return the buttons of the commands, and which of them is the next thing to do."""
    task, primary = desk.table.task, primary_command(desk)
    is_over, objection = desk.table.match.over and task is None, desk.advice.objection
    is_shown = {
        **dict.fromkeys(("next-level", "easier-level"), is_over if task is None else task.is_over),
        **dict.fromkeys(("new-game", "review-start", "share-result"), is_over),
        **dict.fromkeys(("give-up", "restart"), not is_over),
        "hint": not is_over and objection is None,
        "explain": not is_over and objection is None and task is None,
        "solution": task is not None and not task.is_over,
        **dict.fromkeys(("fault-back", "fault-on"), bool(desk.past.review.signs)),
        **dict.fromkeys(("play-on", "explain-past"), is_over),
    }
    found = []
    for name, command in BUTTONS.items():
        may = desk.may(command)
        hides = name in HIDDEN and not may
        title = title_of(command, desk, language) if name in TITLED else ""
        may = may or name == "review-start"  # once more, it goes to the next mistake
        shown = is_shown.get(name, True) and not hides
        found.append((name, Button(shown, may, title, name == primary)))
    found.append(("share-result", Button(is_over)))
    return (*found,)
