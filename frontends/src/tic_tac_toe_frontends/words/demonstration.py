"""Three steps on the board, with a sentence each, that show how an unusual game differs."""

from __future__ import annotations

from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import parse_moves, play_moves
from tic_tac_toe.logic.rules import Rules

from .rules_text import game_name
from .translation import N_


class DemoStep(NamedTuple):
    """Moves that are made one after another, and what they show.

    Attributes:
        moves: their numbers; none where the position itself shows it.
    """

    moves: tuple[int, ...]
    sentence: str


class Demonstration(NamedTuple):
    """The steps, and the position before the first of them."""

    start: GameState
    steps: tuple[DemoStep, ...]


#: The moves and the sentence of each step, as they are written in records.
_Script = tuple[tuple[str, str], ...]

_BOTH_LETTERS = N_("Each move places X or O, whichever the player likes.")
_TWO_X = N_("Two X in a row: either player can add the third.")
_FALL = N_("Every piece falls to the lowest free cell of its column.")
_TURNS = N_("The players take turns, and the pieces pile up.")
_THREE_MARKS = N_("Each player has three marks on the board.")
_VANISHING: _Script = (
    ("A1 B2 B1 C3 A3 C2", _THREE_MARKS),
    ("C1", N_("With the fourth X the oldest X leaves: this is no row.")),
    ("A2 B2", N_("An O has left the middle: X goes there, has three in a row and wins.")),
)
SCRIPTS: dict[str, _Script] = {
    "misere-tic-tac-toe": (
        ("B2 A1", N_("X and O take turns, as always.")),
        ("A2 C1", N_("X has two in a row, and has to keep away from the third.")),
        ("C2", N_("X completes the row and loses.")),
    ),
    "wild": (
        ("XA1 OC3", _BOTH_LETTERS),
        ("XB1", _TWO_X),
        ("XC1", N_("The second player adds it and wins.")),
    ),
    "misere-wild": (
        ("XA1 OC3", _BOTH_LETTERS),
        ("XB1", _TWO_X),
        ("XC1", N_("The second player adds it and loses.")),
    ),
    "ultimate": (
        (
            "G1",
            N_("X takes a cell at the top left: O must play in the small board at the top left."),
        ),
        ("C2", N_("O takes a cell on the right: that small board is won, so X may play anywhere.")),
        ("B5", N_("X wins this small board, the third in a row, and with it the game.")),
    ),
    "vanishing": _VANISHING,
    "vanishing-reuse": _VANISHING,
    "vanishing-late": (
        ("A1 B2 B1 C3", N_("X has two in a row.")),
        ("A3 C2", _THREE_MARKS),
        ("C1", N_("The oldest X leaves, but still counts: X has three in a row and wins.")),
    ),
    "notakto": (
        ("A1", N_("Both players place X.")),
        ("C3", N_("Now the middle would complete a line.")),
        ("B2", N_("The first player completes the line and loses.")),
    ),
    "notakto-2": (
        ("A1 C3", N_("Both players place X, on either board.")),
        ("B2", N_("A line closes its board: the players go on with the other one.")),
        ("D1 F3 E2", N_("The second player completes the line on the last board and loses.")),
    ),
    "order-and-chaos": (
        ("XB2 OC3", N_("Order and Chaos both place X or O.")),
        ("XB3 OD2 XB4 OE4 XB5 OF1", N_("Order collects equal letters; Chaos has to stop that.")),
        ("XB6", N_("Five equal letters in a row: Order wins.")),
    ),
    "connect-four": (
        ("4 3", _FALL),
        ("4 3 4 3", _TURNS),
        ("4", N_("Four in a row: the first player wins.")),
    ),
    "misere-connect-four": (
        ("4 3", _FALL),
        ("4 3 4 3", _TURNS),
        ("4", N_("Four in a row: the first player loses.")),
    ),
    "3x3x3": (
        ("1A1 1B1", N_("The boards are layers that lie upon each other, the first at the bottom.")),
        ("2A1 1C3", N_("These two X stand upon each other.")),
        ("3A1", N_("Three straight up: X wins.")),
    ),
    "qubic": (
        ("1A1 1B2", N_("The boards are layers that lie upon each other, the first at the bottom.")),
        ("2A1 1C3 3A1 1D2", N_("These three X stand upon each other.")),
        ("4A1", N_("Four straight up: X wins.")),
    ),
    "score-four": (
        ("1A1 1B1", N_("Every piece falls to the lowest free layer.")),
        ("2A1 2B1 3A1 3B1", _TURNS),
        ("4A1", N_("Four straight up: X wins.")),
    ),
    "renju": (
        ("F8 A1 G8 O1 H6 A15 H7 O15", N_("Black has two stones in a row, twice.")),
        ("", N_("Where the two rows meet Black may not play: that makes two open threes at once.")),
        ("E8", N_("One open three at a time is allowed.")),
    ),
}
#: The moves before the first step, where a game takes long.
_BEFORE = {
    "ultimate": "D6 C7 I1 H2 D4 B2 D5 C5 G6 C8 H5 F1 H1 F2 I4 G2 A4 A2 C6 I7",
}


def demonstration(rules: Rules, language: NullTranslations) -> Demonstration | None:
    """Return the demonstration of an unusual game; ``None`` for all others."""
    name = game_name(rules)
    if name not in SCRIPTS:
        return None
    state = start = play_moves(GameState.new(rules), _BEFORE.get(name, ""))
    steps = []
    for text, sentence in SCRIPTS[name]:
        moves: list[Move] = [*parse_moves(state, text)]
        state = moves[-1].after_state if moves else state
        steps.append(DemoStep(tuple(move.number for move in moves), language.gettext(sentence)))
    return Demonstration(start, tuple(steps))
