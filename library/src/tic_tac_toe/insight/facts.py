"""Facts about moves, each declared once: its code, when it holds, its sentence and its theme.

A fact is a claim with its witnesses: the cells, lines and moves that its sentence names. Readers in
the tests take the sentence at its word and look the witnesses up on the board, and
`tic_tac_toe.certificate_check` accepts what is marked as a proof. Nothing else is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import Message, message
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.notation import cell_name_in, move_name
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, traits_of


@dataclass(frozen=True)
class Fact:
    """Something that is true of a move.

    Attributes:
        code: the name of its declaration in `KINDS`.
        side: the side that it is about, 0 for X and 1 for O.
        moves: the move of this side that brings it about; then what follows, in turns.
        cells: the cells that its sentence names.
        lines: the lines that its sentence names, or that a picture shows.
        count: the number that its sentence names.
        because: the facts that it rests on.
    """

    code: str
    side: int
    moves: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    count: int = 0
    because: tuple[Fact, ...] = ()

    @property
    def kind(self) -> Kind:
        """The declaration."""
        return KINDS[self.code]


class Kind(NamedTuple):
    """The declaration of a fact.

    Attributes:
        code: its name for programs; the same in every release.
        sentence: in English. Places: ``{side}`` and ``{other}`` for the sides, ``{move}``,
            ``{moves}``, ``{cell}``, ``{line}`` and so on for the witnesses.
        theme: a title for hints and puzzles; empty for what is said beside another fact.
        meaning: when it holds.
    """

    code: str
    sentence: str
    theme: str
    meaning: str


def _declared(*kinds: Kind) -> dict[str, Kind]:
    return {kind.code: kind for kind in kinds}


#: Results: what a move does, by exact values. They open an explanation.
RESULTS = _declared(
    Kind("wins", "{side} wins with {move}.", "", "The side wins if both play best."),
    Kind("draws", "{side} keeps the draw with {move}.", "", "The move keeps an exact draw."),
    Kind("is_lost", "{side} is lost already.", "", "Every move of the side loses."),
    Kind(
        "drops_win",
        "{side} throws the win away.",
        "",
        "The side could win, and only a draw is left.",
    ),
    Kind(
        "turns_win",
        "{side} turns a win into a loss.",
        "",
        "The side could win, and the other side wins.",
    ),
    Kind("loses", "{side} loses with {move}.", "", "The other side wins if both play best."),
)

#: Why the side that makes the move wins.
WINS = _declared(
    Kind(
        "completes",
        "{side} completes {line} with {move}.",
        "Complete a line",
        "The move completes the line.",
    ),
    Kind(
        "fork",
        "With {move}, {side} can complete a line at {either}; {other} can stop only one.",
        "Two threats at once",
        "Each of the cells completes a line, and the other side cannot complete one at once.",
    ),
    Kind(
        "stacked",
        "After {move}, {other} must stop at {cell}, and {side} completes a line right above.",
        "Two threats, one above the other",
        "The cell completes a line; so does the one above it, which the answer makes playable.",
    ),
    Kind(
        "forces",
        "{side} wins with threats that {other} must answer: {moves}.",
        "Threats that must be answered",
        "Each move of the side threatens to complete a line; the answers named are the only ones, "
        "and the last move completes a line or leaves two ways to.",
    ),
    Kind(
        "quiet",
        "After {move}, {side} can force a line against every reply.",
        "A quiet move",
        "After each reply the side completes a line at once or by threats that must be answered.",
    ),
    Kind(
        "follow_win",
        "After {move}, {side} plays right above each move of {other}, and so completes {line}.",
        "Always play right above",
        "All columns have an even number of empty cells, and the line needs upper cells only.",
    ),
)

#: Why the side that makes the move wins or loses in any game: its end is near.
ENDINGS = _declared(
    Kind("wins_now", "{side} wins at once with {move}.", "Win at once", "The move ends the game."),
    Kind(
        "loses_now",
        "{side} loses at once with {move}.",
        "",
        "The move ends the game, and the other side wins.",
    ),
    Kind(
        "no_safe",
        "After {move}, {other} loses at once with every reply.",
        "No safe reply",
        "Each reply ends the game, and this side wins.",
    ),
    Kind(
        "no_defence",
        "After {move}, {side} wins at once, whatever {other} replies.",
        "No defence",
        "After each reply this side has a move that wins at once, or has won.",
    ),
)

#: Why the side that makes the move does not lose.
HOLDS = _declared(
    Kind(
        "closed",
        "After {move}, {other} can no longer complete a line.",
        "No line left",
        "Each line of the other side holds a mark of this one, or lacks more cells than the other "
        "side has moves left.",
    ),
    Kind(
        "pair",
        "After {move}, {other} needs both {both} for a line, and {side} takes one.",
        "Answer within a pair",
        "Each line open to the other side has both cells.",
    ),
    Kind(
        "pairs",
        "After {move}, each line of {other} needs {pairs}; {side} takes one of each.",
        "Answer within pairs",
        "Each line open to the other side has both cells of one of the pairs.",
    ),
    Kind(
        "follow",
        "After {move}, {side} plays right above each move of {other}, and {other} gets no line.",
        "Always play right above",
        "All columns have an even number of empty cells, and each line open to the other side "
        "needs an upper cell.",
    ),
    Kind(
        "must_stop",
        "After {move}, {other} must stop at {cell}.",
        "A threat first",
        "The cell completes a line; after the answer the next fact holds.",
    ),
    Kind(
        "answer",
        "After {move}, {side} answers every reply with {cell}, and {other} gets no line.",
        "An answer to every reply",
        "After each reply the cell is free, and the side taking it holds by `closed`, `pair` or "
        "`completes`.",
    ),
    Kind(
        "answers",
        "After {move}, {side} answers {replies} with {cell}, any other reply with {rest}, and "
        "{other} gets no line.",
        "An answer to every reply",
        "The same with two answers.",
    ),
)

#: What is said beside the reason.
CONTEXTS = _declared(
    Kind("missed", "{side} could win with {move}.", "", "The move wins by exact values."),
    Kind(
        "kept",
        "{side} could keep the draw with {moves}.",
        "",
        "These moves keep the draw by exact values, and no others.",
    ),
    Kind(
        "stops",
        "{other} was about to complete {line}.",
        "Stop a line",
        "The other side could have completed the line with the move's cell.",
    ),
    Kind(
        "stops_fork",
        "{other} was about to get two ways to complete a line.",
        "Stop two threats",
        "The other side, had it been to move, could have made two threats at once, and cannot now.",
    ),
    Kind(
        "two_ways",
        "{other} can complete a line at {either}; {side} can stop only one.",
        "",
        "Before the move each of the cells completes a line of the other side.",
    ),
    Kind(
        "must",
        "After any other move, {other} completes a line at once.",
        "",
        "Every other move leaves the other side a cell that completes a line.",
    ),
    Kind("only", "Any other move loses.", "", "Every other move loses by exact values."),
    Kind("only_win", "No other move wins.", "", "No other move wins by exact values."),
    Kind("at_once", "{side} could win at once with {move}.", "", "The move ends the game."),
    Kind("sooner", "{side} wins sooner with {move}.", "", "The move wins in fewer moves."),
)

KINDS = {**RESULTS, **WINS, **ENDINGS, **HOLDS, **CONTEXTS}


class Names:
    """How sides, moves and cells are named in sentences; screens have their own."""

    def side(self, rules: Rules, side: int) -> object:
        """Return the name of a side."""
        return MARKS[side].value

    def move(self, state: GameState, move: int) -> object:
        """Return what players write for a move."""
        name = move_name(state, move)
        return message("column {column}", column=name) if name.isdecimal() else name

    def cell(self, rules: Rules, cell: int) -> object:
        """Return the name of a cell, in columns with its row from the bottom."""
        if traits_of(rules).digits is not Digits.COLUMNS:
            return cell_name_in(rules, cell)
        rows, columns = rules.shape
        row, column = divmod(cell, columns)
        return message("row {row} of column {column}", row=rows - row, column=column + 1)

    def line(self, rules: Rules, line: Sequence[int]) -> object:
        """Return the name of a line: its ends, or how long it is where cells have no names."""
        if traits_of(rules).digits is Digits.COLUMNS:
            return message("a line of {count}", count=len(line))
        return f"{self.cell(rules, line[0])}-{self.cell(rules, line[-1])}"


AND = message("{first} and {last}").template


def listed(names: Sequence[object], last: str = AND) -> object:
    """Return names as a list, such as A1, B2 and C3."""
    if len(names) < 2:
        return names[0] if names else ""
    some = names[0]
    for name in names[1:-1]:
        some = message("{first}, {last}", first=some, last=name)
    return message(last, first=some, last=names[-1])


def sentence(fact: Fact, state: GameState, names: Names) -> Message:
    """Return the sentence of a fact, without those of the facts that it rests on.

    A place is a cell with its row, where cells are named by their columns.

    Args:
        state: in which the side of the fact makes its first move.
    """
    rules, side = state.rules, fact.side
    kind = fact.kind
    # A cell that can be played in has its column's name.
    in_columns = traits_of(rules).digits is Digits.COLUMNS
    cells = [
        names.move(state, cell) if in_columns else names.cell(rules, cell) for cell in fact.cells
    ]
    found: dict[str, object] = {
        "side": names.side(rules, side),
        "other": names.side(rules, 1 - side),
        "count": fact.count,
    }
    if fact.moves:
        found["move"] = names.move(state, fact.moves[0])
    if "{moves}" in kind.sentence:
        found["moves"] = _played(fact, state, names)
    if cells:
        found["cell"] = cells[0]
        found["place"] = names.cell(rules, fact.cells[0])
        found["places"] = listed([names.cell(rules, cell) for cell in fact.cells])
        found["either"] = listed(cells, "{first} or {last}")
        found["both"] = listed(cells)
        found["rest"] = cells[-1]
        found["replies"] = listed(cells[1:-1])
        pairs = [listed(cells[i : i + 2]) for i in range(0, len(cells) - 1, 2)]
        found["pairs"] = listed(pairs, "{first}, or {last}")
    if fact.lines:
        found["line"] = names.line(rules, fact.lines[0])
    used = {name: value for name, value in found.items() if f"{{{name}}}" in kind.sentence}
    return message(kind.sentence, kind.code, **used)


def _played(fact: Fact, state: GameState, names: Names) -> object:
    """Return moves in turns, each with its side; alternatives to each other have none."""
    if fact.code not in WINS:
        return listed([names.move(state, move) for move in fact.moves], "{first} or {last}")
    told = list[object]()
    for i, move in enumerate(fact.moves):
        mover = names.side(state.rules, (fact.side + i) % 2)
        told.append(message("{mark} {move}", mark=mover, move=names.move(state, move)))
        state = state.make_move_to(move).after_state
    return listed(told, "{first}, {last}")


def all_of(facts: Iterable[Fact]) -> Iterable[Fact]:
    """Yield facts, each followed by those that it rests on."""
    for fact in facts:
        yield fact
        yield from all_of(fact.because)
