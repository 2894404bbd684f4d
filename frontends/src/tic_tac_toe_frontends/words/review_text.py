"""Texts about a game's review, for every screen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from gettext import NullTranslations
from itertools import chain
from typing import TYPE_CHECKING

from tic_tac_toe.game.evaluate import Fault, ReviewedMove
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.rules.traits import letter_of

from .explanation_text import REVIEWED, explanation_sentences
from .game_text import is_named, move_title
from .rules_text import LETTERED, Drawn, side_title
from .translation import N_, join_names, join_sentences

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation

#: The signs of faults in words, for screen readers.
FAULT_TITLES: Mapping[Fault, str] = {
    Fault.SLOWER: N_("not the quickest way"),  # to win: a loss has its own title
    Fault.MISTAKE: N_("mistake"),
    Fault.BLUNDER: N_("blunder"),
}
#: The legend of the signs.
SIGNS_LEGEND = N_(
    "?? turns a win into a loss, ? throws away a win or a draw, "
    "?! wins later or loses sooner than it has to."
)
#: The number of shown moves of the best line.
LINE_MOVES = 8
#: The number of turning points up to which their sides and cells are named.
LONG_NAMES = 4


def fault_title(move: ReviewedMove, language: NullTranslations) -> str:
    """Return the name of a move's fault in a list of moves; empty without a fault."""
    if move.fault is None:
        return ""
    if move.fault is Fault.SLOWER and move.before.outcome == "loss":
        return language.gettext("loses sooner than it has to")
    return language.gettext(FAULT_TITLES[move.fault])


def describe_progress(done: int, total: int, language: NullTranslations) -> str:
    """Return the progress of a review."""
    message = language.gettext("Reviewing the game: {done} of {total} moves …")
    return message.format(done=done, total=total)


def describe_review(
    moves: Mapping[int, ReviewedMove], language: NullTranslations, drawn: Drawn = LETTERED
) -> str:
    """Return a sentence about the review of a whole game.

    Args:
        moves: by their ply.
    """
    _ = language.gettext
    points = {ply: moves[ply] for ply in sorted(moves) if moves[ply].is_turning_point}
    if points:
        message = language.ngettext(
            "The game turned at move {moves}.", "The game turned at moves {moves}.", len(points)
        )
        point = _("{ply} ({side} {move})")
        names = (
            point.format(
                ply=ply,
                side=side_title(move.state.rules, move.state.current_mark, language, drawn.look),
                move=move_name(move.state, move.number),
            )
            if len(points) <= LONG_NAMES and is_named(move.state, move.number, drawn)
            else str(ply)
            for ply, move in points.items()
        )
        # No line may break inside one of them.
        unbroken = (name.replace(" ", "\N{NO-BREAK SPACE}") for name in names)
        return message.format(moves=join_names(unbroken, language))
    if all(move.is_proved for move in moves.values()):
        return _("No move threw away a win or a draw.")
    return _("No clear mistake was found.")


def describe_certainty(moves: Collection[ReviewedMove], language: NullTranslations) -> str:
    """Return how far a review is proved or estimated."""
    _ = language.gettext
    proved = sum(move.is_proved for move in moves)
    if proved == len(moves):
        return _("All of this is exact.")
    if not proved:
        return _("These are the computer's estimates: the game is too large to be solved.")
    message = language.ngettext(
        "{count} move is judged exactly, the others by the computer's estimate.",
        "{count} moves are judged exactly, the others by the computer's estimate.",
        proved,
    )
    return message.format(count=proved)


def describe_fault(
    ply: int,
    move: ReviewedMove,
    language: NullTranslations,
    person: Mark | None = None,
    drawn: Drawn = LETTERED,
    why: Explanation | None = None,
) -> str:
    """Return the loss of a faulty move, the better moves and the reason; empty without a fault.

    Args:
        person: the side to call "you", if any.
        why: the explanation of the move, if known.
    """
    if move.fault is None:
        return ""
    what = _name(ply, move, language, person, drawn)
    template = (_describe_loss if move.is_proved else _describe_doubt)(move, language)
    loss, better = template.format(move=what), _instead(move, language, drawn)
    if why is None or why.result is None:
        return join_sentences([loss, *better], language)
    reasons = explanation_sentences(why, language, drawn, without=REVIEWED)
    # The reason is of the better move where that wins and this one draws, else of this one.
    ordered = (better, reasons) if why.result.code == "drops_win" else (reasons, better)
    return join_sentences([loss, *chain.from_iterable(ordered)], language)


def describe_line(move: ReviewedMove, language: NullTranslations, drawn: Drawn = LETTERED) -> str:
    """Return the best line instead of a move; empty if only its first move is known or named."""
    if len(move.line) < 2 or not is_named(move.state, move.line[0], drawn):
        return ""
    state, names = move.state, list[str]()
    for number in move.line[:LINE_MOVES]:
        names.append(move_name(state, number))
        state = state.make_move_to(number).after_state
    more = " …" if len(move.line) > LINE_MOVES else ""
    message = language.gettext("Best play: {moves}")
    return message.format(moves=join_names(names, language) + more)


def _name(
    ply: int,
    move: ReviewedMove,
    language: NullTranslations,
    person: Mark | None,
    drawn: Drawn,
) -> str:
    _, state = language.gettext, move.state
    mark, name = state.current_mark, move_title(state, move.number, language)
    side = side_title(state.rules, mark, language, drawn.look)
    if not is_named(state, move.number, drawn):
        message = _("Your move {ply}") if mark is person else _("Move {ply} ({side})")
        return message.format(ply=ply, side=side)
    if mark is person:
        return _("Your move {ply}, {name},").format(ply=ply, name=name)
    return _("Move {ply}, {side} {name},").format(ply=ply, side=side, name=name)


def _describe_loss(move: ReviewedMove, language: NullTranslations) -> str:
    _ = language.gettext
    before, after = move.before.outcome, move.after.outcome
    if before == after:
        if before == "win":
            return _("{move} still wins, though not the quickest way.")
        return _("{move} loses sooner than it has to.")
    if before == "draw":
        return _("{move} threw away the draw.")
    if after == "draw":
        return _("{move} threw away the win.")
    return _("{move} turned a win into a loss.")


def _describe_doubt(move: ReviewedMove, language: NullTranslations) -> str:
    _ = language.gettext
    if move.fault is Fault.BLUNDER:
        return _("{move} looks like a blunder.")
    return _("{move} looks like a mistake.")


def _instead(move: ReviewedMove, language: NullTranslations, drawn: Drawn) -> list[str]:
    """Return the better moves, if known."""
    _ = language.gettext
    if not move.better:
        return []
    if not is_named(move.state, move.better[0], drawn):
        if letter := letter_of(move.state.rules, move.better[0]):
            return [_("{letter} in the marked cell was better.").format(letter=letter)]
        return [_("The marked cell was better.")]
    name, before = move_title(move.state, move.better[0], language), move.before
    if before.outcome == "win" and (moves := before.moves) is not None:
        message = language.ngettext(
            "With {better} it was a win at once.",
            "With {better} it was a win in {count} moves.",
            moves,
        )
        return [message.format(better=name, count=moves)]
    if before.outcome == "win":
        return [_("With {better} it was a win.").format(better=name)]
    if before.outcome == "draw":
        return [_("With {better} it was a draw.").format(better=name)]
    if before.outcome == "loss":
        return [_("With {better} the game takes longest.").format(better=name)]
    return [
        _("With {better} the chances look better: about {best} %, not {left} %.").format(
            better=name, best=_percent(before.expectation), left=_percent(move.after.expectation)
        )
    ]


def _percent(chance: float) -> int:
    """Return a chance in steps of five: no estimate is finer."""
    return 5 * round(20 * chance)
