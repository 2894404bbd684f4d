"""All that is to be seen and done in the page during a game on this device, as frozen values.

`view` is a pure function of the table, what is known of its moves, and the settings; `show` writes
its result into the page. Nothing here needs a browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.statuses import status_of
from tic_tac_toe.logic.rules.traits import Digits, letters, traits_of
from tic_tac_toe.pictures.board import SIGNS

from ...table.advice import Advice
from ...table.looking_back import LookingBack, Review, describe_past, list_of_moves
from ...table.table import Replay, Setup, Table, offer_after
from ...table.telling import picture_text, status_text
from ...words.game_text import (
    describe_caveats,
    describe_player,
    describe_score,
    next_level_title,
    player_title,
    setup_menus,
    starter_title,
    starters_of,
)
from ...words.review_text import fault_title
from ...words.rules_text import (
    HUMAN,
    describe_rules,
    describe_status,
    seat_title,
    variant_title,
)
from ...words.translation import as_sentence, join_clauses, join_sentences
from .board.plan import BoardView
from .opponents import TWO_COMPUTERS, easier_after, opponent_in
from .settings import Settings

#: The entries of a menu: values and titles.
Entries = tuple[tuple[str, str], ...]


class Button(NamedTuple):
    """A button: whether it is there, whether it has an effect now, and its title, if it changes."""

    is_shown: bool = True
    is_enabled: bool = True
    title: str = ""
    is_primary: bool = False
    is_pressed: bool = False


class ListedMove(NamedTuple):
    """A move in the list, with the sign and the title of a fault, if it is one."""

    ply: int
    name: str
    sign: str = ""
    fault: str = ""


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
class GameView:
    """A game and its players; see `Setup`.

    Attributes:
        rules: how the game goes, in sentences.
        level: what kind of opponent plays.
        opponents, players, starters: the entries of the menus.
        seats: the labels of the menus of both players.
        opponent: the chosen entry of ``opponents``.
    """

    title: str
    rules: str
    solved: str
    level: str
    opponents: Entries
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
        score: the games won so far; empty before the first end.
        way: ``computer`` or ``friend``; empty during online play.
        buttons: by the ids of their elements.
    """

    status: str
    result: str
    is_past: bool
    refusal: str
    note: str
    score: str
    way: str
    game: GameView
    board: BoardView
    moves: MovesView
    buttons: tuple[tuple[str, Button], ...]


def view(
    table: Table,
    advice: Advice,
    past: LookingBack,
    settings: Settings,
    language: NullTranslations,
    *,
    is_shown: bool,
) -> View:
    """Return what the page shows.

    Args:
        is_shown: whether this game is seen, and not online play.
    """
    match, replay = table.match, table.replay
    state, is_past = replay.state(match), replay.ply is not None
    look = settings.look_of(state.rules)
    status = describe_past(match, replay, language) if is_past else ""
    score = table.score
    return View(
        status=status or status_text(table, language, look),
        result=(table.outcome or "over") if match.over and not is_past else "",
        is_past=is_past,
        refusal=table.remark,
        note=_note(advice, past, table, language),
        # A game that was over when it was opened does not count: the score would contradict it.
        score=describe_score(score, state.rules, language) if any(score.values()) else "",
        way=("friend" if opponent_in(table.setup) == HUMAN else "computer") if is_shown else "",
        game=game_view(table.setup, language),
        board=BoardView(
            state,
            language,
            look,
            names=settings.shows_names(state.rules),
            last=replay.last_cell(match),
            best=past.better or advice.best,
            values=advice.values,
            is_open=advice.is_useful,
            letter=table.letter if table.letters else "",
        ),
        moves=moves_view(match, replay, language, past.review),
        buttons=(*_after_game(table, language), *_possible(table, advice, past, language)),
    )


def moves_view(
    match: Match, replay: Replay, language: NullTranslations, review: Review | None = None
) -> MovesView:
    """Return the list of a game's moves.

    Args:
        review: adds the signs of faults.
    """
    moment = replay.moment(match)
    signs = {} if review is None else review.signs
    moves = tuple(
        ListedMove(move.ply, str(move), *_fault(review, signs.get(move.ply), move.ply, language))
        for move in list_of_moves(match.history)
    )
    place = language.gettext("Move {count} of {total}").format(count=moment, total=match.ply)
    return MovesView(moves, moment, place)


@lru_cache(maxsize=8)
def game_view(setup: Setup, language: NullTranslations) -> GameView:
    """Return a game and its players."""
    _, rules = language.gettext, setup.rules
    players = tuple(setup_menus(language, rules=rules)["x"])
    opponent = opponent_in(setup)
    others = [*((name, title) for name, title in players if name != HUMAN)]
    others.append((HUMAN, _("A person at this device")))
    if opponent == TWO_COMPUTERS:
        others.append((TWO_COMPUTERS, _("Computer against computer")))
    caveats = describe_caveats((setup.x, setup.o), rules, language)
    x, o = (seat_title(rules, mark, language) for mark in setup.players)
    return GameView(
        title=variant_title(rules, language),
        rules=as_sentence(describe_rules(rules, language), language),
        solved=as_sentence(describe_status(status_of(rules), language), language),
        level=join_sentences([describe_player(opponent, language), *caveats], language),
        opponents=tuple(others),
        opponent=opponent,
        players=players,
        starters=_starters(setup, language),
        seats=(x, o),
        setup=setup,
        keys=_keys(rules, language),
    )


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


def _note(advice: Advice, past: LookingBack, table: Table, language: NullTranslations) -> str:
    sentences = past.describe(language, legend=False) or picture_text(
        advice, table.replay.state(table.match), language
    )
    note = join_sentences(sentences, language)
    for sign in SIGNS.values():  # a sign stays in the line of its meaning
        note = note.replace(f"{sign} ", f"{sign}\N{NO-BREAK SPACE}")
    return note


def _fault(
    review: Review | None, sign: str | None, ply: int, language: NullTranslations
) -> tuple[str, str]:
    fault = review.moves[ply].fault if review is not None and sign else None
    return (sign or "", fault_title(fault, language)) if fault else ("", "")


def _after_game(table: Table, language: NullTranslations) -> list[tuple[str, Button]]:
    """Return the buttons that begin another game, the most useful of them as the primary one."""
    _, is_over = language.gettext, table.match.over
    harder, easier = offer_after(table), easier_after(table)
    again = _("Try again") if table.outcome in ("loss", "draw") else _("Play again")
    title = easier_title = ""
    if harder is not None:
        title = next_level_title(harder.level, language, harder.setup.rules)
    if easier is not None:
        level = player_title(easier.level, language, easier.setup.rules)
        easier_title = _("Play an easier level: {level}").format(level=level)
    return [
        ("next-level", Button(harder is not None, title=title, is_primary=True)),
        ("easier-level", Button(easier is not None, title=easier_title)),
        ("new-game", Button(is_over, title=again, is_primary=harder is None)),
        ("restart", Button(not is_over, table.match.ply > 0)),
    ]


def _possible(
    table: Table, advice: Advice, past: LookingBack, language: NullTranslations
) -> list[tuple[str, Button]]:
    """Return the buttons of the game that goes on, and those that step through its moves."""
    _, may, is_over = language.gettext, advice.possible | past.possible, table.match.over
    has_turn = table.thinker is None or table.person is not None
    may_resign = has_turn and not is_over and table.match.ply > 0
    has_faults = bool(past.review.signs)
    play_on = _("Try another move") if past.has_persons_fault else _("Play on from here")
    return [
        ("undo", Button(is_enabled=may["undo"])),
        ("redo", Button(is_enabled=may["redo"])),
        ("hint", Button(not is_over, may["hint"])),
        ("give-up", Button(not is_over, may_resign)),
        ("review-start", Button(is_over and table.match.ply > 0)),
        ("share-result", Button(is_over)),
        ("film", Button(is_enabled=may["film"], is_pressed=past.film.is_running)),
        ("fault-back", Button(has_faults, may["fault-back"])),
        ("fault-on", Button(has_faults, may["fault-on"])),
        ("play-on", Button(is_over and may["play-on"], title=play_on)),
    ]
