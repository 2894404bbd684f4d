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
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name_in, move_name
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, side_name, special_name, traits_of


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
        meaning: when it holds.
        theme: a title for hints and puzzles; empty for what is said beside another fact.
    """

    code: str
    sentence: str
    meaning: str
    theme: str = ""


def _declared(*kinds: Kind) -> dict[str, Kind]:
    return {kind.code: kind for kind in kinds}


#: Results: what a move does, by exact values or by reasons. They open an explanation.
RESULTS = _declared(
    Kind("wins", "{side} wins with {move}.", "The side wins if both play best."),
    Kind("draws", "{side} keeps the draw with {move}.", "The move keeps an exact draw."),
    Kind("is_lost", "{side} is lost already.", "Every move of the side loses."),
    Kind(
        "drops_win", "{side} throws the win away.", "The side could win, and only a draw is left."
    ),
    Kind(
        "turns_win",
        "{side} turns a win into a loss.",
        "The side could win, and the other side wins.",
    ),
    Kind("loses", "{side} loses with {move}.", "The other side wins if both play best."),
)

#: Why the side that makes the move wins.
WINS = _declared(
    Kind(
        "completes",
        "{side} completes {line} with {move}.",
        "The move completes the line.",
        "Complete a line",
    ),
    Kind(
        "fork",
        "With {move}, {side} can complete a line at {either}; {other} can stop only one.",
        "Each of the cells completes a line, and the other side cannot complete one at once.",
        "Two threats at once",
    ),
    Kind(
        "open_four",
        "With {move}, {side} makes an open four and can complete a line at {either}; "
        "{other} can stop only one.",
        "Four marks stand in a row of five in a row; each of the cells at its ends is empty and "
        "completes a line, and the other side cannot complete one at once.",
        "An open four",
    ),
    Kind(
        "double_four",
        "With {move}, {side} makes two fours and can complete a line at {either}; "
        "{other} can stop only one.",
        "In five in a row the mark stands in two groups of four marks, each of which lacks one of "
        "the cells for a line, and the other side cannot complete one at once.",
        "Two fours at once",
    ),
    Kind(
        "no_answer",
        "With {move}, {side} can complete a line at {cell}, where {other} may not play.",
        "The cell is the only one that stops the line, and the rules forbid it to the other side, "
        "which cannot complete a line at once.",
        "A threat at a forbidden cell",
    ),
    Kind(
        "stacked",
        "With {move}, {side} can complete a line at {cell} or right above it; "
        "{other} can stop only one.",
        "The cell completes a line; so does the one above it, which the answer makes playable.",
        "Two threats, one above the other",
    ),
    Kind(
        "forces",
        "{side} wins with threats that {other} must answer: {moves}.",
        "Each move of the side threatens to complete a line; the answers named are the only ones, "
        "and the last move completes a line or leaves two ways to.",
        "Threats that must be answered",
    ),
    Kind(
        "four_three",
        "With {move}, {side} makes a four and a three; after {other} stops at {cell}, {side} gets "
        "an open four with {rest}.",
        "The first cell is the only one that stops the line; then the second one makes an open "
        "four with the mark of the move, and the other side cannot complete a line meanwhile.",
        "A four and a three at once",
    ),
    Kind(
        "fours",
        "With {move}, {side} wins by {count} fours in a row, each of which {other} must answer.",
        "In five in a row each four has one answer only, and the last one none that helps.",
        "Fours that must be answered",
    ),
    Kind(
        "double_three",
        "With {move}, {side} makes two threes at once, and wins against every reply.",
        "In two rows the mark stands among three that one of the cells makes an open four, and a "
        "search has found a win by fours and threes against every reply.",
        "Two threes at once",
    ),
    Kind(
        "threats",
        "With {move}, {side} wins by threats against every reply.",
        "A search has found a win against every reply in which each move threatens to complete a "
        "line, or to win by such threats.",
        "Threats that leave no choice",
    ),
    Kind(
        "quiet",
        "With {move}, {side} can force a line against every reply.",
        "After each reply the side completes a line at once or by threats that must be answered.",
        "A quiet move",
    ),
    Kind(
        "follow_win",
        "With {move}, {side} can always play right above {other}, and so completes {line}.",
        "All columns have an even number of empty cells, and the line needs upper cells only.",
        "Always play right above",
    ),
    Kind(
        "zugzwang",
        "With {move}, {side} makes {other} play under {places} in the end.",
        "A plan wins; wherever the other side stops each line as long as it can, it has to play "
        "under one of these cells, where this side completes a line.",
        "Wait until the other side must play under a line",
    ),
    Kind(
        "odd_win",
        "With {move}, {side} wins in the odd rows from the bottom: it stops lines and never plays "
        "right under one.",
        "A plan wins that takes any cell of rows 1, 3, 5 from the bottom first, whichever.",
        "The odd rows",
    ),
    Kind(
        "even_win",
        "With {move}, {side} wins in the even rows from the bottom: it stops lines and never plays "
        "right under one.",
        "The same with rows 2, 4, 6.",
        "The even rows",
    ),
    Kind(
        "plan_win",
        "With {move}, {side} wins by the plan on the board.",
        "A plan wins: a fixed order of the cells; `certificate_check` has its rules.",
        "A plan",
    ),
    Kind(
        "plans_win",
        "With {move}, {side} has a plan to win against every reply.",
        "After each reply the side wins by a plan, or by threats that must be answered.",
        "A plan for every reply",
    ),
    Kind(
        "no_safe_cell",
        "With {move}, {side} leaves {other} only cells that complete a line of {other}.",
        "In misère play each move of the other side completes a line of it.",
        "No safe cell",
    ),
    Kind(
        "no_safe_soon",
        "With {move}, {side} can make {other} complete a line of its own within {count} moves.",
        "In misère play this side has an answer to every reply, until each move of the other side "
        "completes a line of it; the other side makes as many moves at most.",
        "No safe cell soon",
    ),
)

#: Why the side that makes the move wins or loses in any game: its end is near.
ENDINGS = _declared(
    Kind("wins_now", "{side} wins at once with {move}.", "The move ends the game.", "Win at once"),
    Kind(
        "loses_now",
        "{side} loses at once with {move}.",
        "The move ends the game, and the other side wins.",
    ),
    Kind(
        "no_safe",
        "With {move}, {side} leaves {other} only replies that lose at once.",
        "Each reply ends the game, and this side wins.",
        "No safe reply",
    ),
    Kind(
        "no_defence",
        "With {move}, {side} wins at once after every reply.",
        "After each reply this side has a move that wins at once, or has won.",
        "No defence",
    ),
    Kind(
        "poison",
        "{side} completes {line} with {move}, and that loses.",
        "In misère play the move completes the line.",
    ),
)

#: Why the side that makes the move does not lose.
HOLDS = _declared(
    Kind(
        "closed",
        "With {move}, {side} leaves {other} no line to complete.",
        "Each line of the other side holds a mark of this one, or lacks more cells than the other "
        "side has moves left.",
        "No line left",
    ),
    Kind(
        "pair",
        "With {move}, {side} leaves {other} only lines through both {both}, and takes one of them.",
        "Each line open to the other side has both cells.",
        "Answer within a pair",
    ),
    Kind(
        "pairs",
        "With {move}, {side} leaves {other} only lines through {pairs}, and takes one of each.",
        "Each line open to the other side has both cells of one of the pairs.",
        "Answer within pairs",
    ),
    Kind(
        "follow",
        "With {move}, {side} can always play right above {other}, who gets no line.",
        "All columns have an even number of empty cells, and each line open to the other side "
        "needs an upper cell.",
        "Always play right above",
    ),
    Kind(
        "must_stop",
        "With {move}, {side} makes {other} stop at {cell}.",
        "The cell completes a line; after the answer the next fact holds.",
        "A threat first",
    ),
    Kind(
        "answers",
        "With {move}, {side} answers {replies} with {cell} and any other reply with {rest}, "
        "and can then stop every line.",
        "After each reply the cell is free, and the side taking it holds by `closed`, `pair` or "
        "`completes`.",
        "An answer to every reply",
    ),
    Kind(
        "odd_hold",
        "With {move}, {side} stops every line in the odd rows from the bottom, and never plays "
        "right under one.",
        "A plan does not lose that takes any cell of rows 1, 3, 5 from the bottom first.",
        "The odd rows",
    ),
    Kind(
        "even_hold",
        "With {move}, {side} stops every line in the even rows from the bottom, and never plays "
        "right under one.",
        "The same with rows 2, 4, 6.",
        "The even rows",
    ),
    Kind(
        "plan_hold",
        "With {move}, {side} stops every line by the plan on the board.",
        "A plan does not lose: a fixed order of the cells.",
        "A plan",
    ),
    Kind(
        "plans_hold",
        "With {move}, {side} has a plan against every reply, and does not lose.",
        "After each reply the side has a plan that does not lose, or wins by threats.",
        "A plan for every reply",
    ),
    Kind(
        "own_closed",
        "With {move}, {side} can no longer complete a line of its own.",
        "In misère play each line of this side holds a mark of the other one, or lacks more cells "
        "than this side has moves left.",
        "No line of one's own",
    ),
    Kind(
        "opposite",
        "With {move}, {side} copies each move of {other} on the opposite side, and never "
        "completes a line first.",
        "In misère play a half turn takes the marks of the one side to those of the other, the "
        "centre is taken, and no line left to this side has it as an end.",
        "Copy on the opposite side",
    ),
    Kind(
        "mirror",
        "With {move}, {side} copies each move of {other} as in a mirror, and never completes a "
        "line first.",
        "The same with a reflection; the cells on its axis are taken.",
        "Copy as in a mirror",
    ),
    Kind(
        "own_pair",
        "With {move}, {side} needs both {both} for a line, and never has to take both.",
        "In misère play each line open to this side has both cells. It answers one with the other, "
        "or takes another cell.",
        "Leave one of a pair",
    ),
    Kind(
        "own_pairs",
        "With {move}, {side} needs {pairs}, for a line, and never has to take both.",
        "In misère play each line open to this side has both cells of one of the pairs.",
        "Leave one of each pair",
    ),
    Kind(
        "safe_answer",
        "With {move}, {side} can take {cell} next, where {other} would complete a line, and never "
        "has to complete one.",
        "In misère play the cell completes a line of the other side. After each reply that "
        "completes none, this side takes the cell and holds by `own_closed`, `opposite`, `mirror` "
        "or `own_pair`.",
        "An answer to every reply",
    ),
    Kind(
        "safe_answers",
        "With {move}, {side} answers {replies} with {cell}, any other safe reply with {rest}, "
        "and never has to complete a line.",
        "In misère play after each reply that completes no line, this side takes the cell and "
        "holds, as before.",
        "An answer to every reply",
    ),
)

#: What is said beside the reason.
CONTEXTS = _declared(
    Kind("missed", "{side} could win with {move}.", "It is proved that the move wins."),
    Kind(
        "kept",
        "{side} could draw with {moves}.",
        "These moves keep the draw by exact values.",
    ),
    Kind(
        "stops",
        "{other} was about to complete {line}.",
        "The other side could have completed the line with the move's cell.",
        "Stop a line",
    ),
    Kind(
        "stops_fork",
        "{other} was about to get two ways to complete a line.",
        "The other side, had it been to move, could have made two threats at once, and cannot now.",
        "Stop two threats",
    ),
    Kind(
        "no_stop",
        "{other} can complete a line at {cell}, where {side} may not play.",
        "The cell is the only one that stops the line, the rules forbid it to the side, and the "
        "side cannot complete a line at once.",
    ),
    Kind(
        "barred_three",
        "{side} may not play {cell}, which would make two threes.",
        "In renju the cell is forbidden to the side, which would make two threes there.",
    ),
    Kind(
        "barred_four",
        "{side} may not play {cell}, which would make two fours.",
        "The same with two fours.",
    ),
    Kind(
        "barred_overline",
        "{side} may not play {cell}, which would make more than five in a row.",
        "The same with an overline.",
    ),
    Kind(
        "stops_fours",
        "{other} was about to win by fours.",
        "The other side, had it been to move, could have won by fours alone, and cannot now.",
        "Stop a win by fours",
    ),
    Kind(
        "four",
        "With {move}, {side} threatens to complete {line}; {other} must stop it at {either}.",
        "Only these cells leave this side no cell that completes a line.",
        "A threat that must be answered",
    ),
    Kind(
        "open_three",
        "With {move}, {side} makes an open three; {side} makes it an open four with {either}.",
        "In five in a row three marks stand side by side, the cells at both of their ends are "
        "empty, and each of those named makes an open four.",
        "An open three",
    ),
    Kind(
        "three",
        "With {move}, {side} threatens to win by fours from {cell}.",
        "The side, were it to move again, would win by fours that begin in the cell; before the "
        "move it could not win by fours.",
        "A threat to win by fours",
    ),
    Kind(
        "closes_three",
        "With {move}, {side} closes one end of {line}, three marks of {other} in a row.",
        "In five in a row the cells at both ends of the three marks were empty.",
        "Close a row of three",
    ),
    Kind(
        "two_ways",
        "{other} can complete a line at {either}; {side} can stop only one.",
        "Before the move each of the cells completes a line of the other side; this side has no "
        "line to complete.",
    ),
    Kind(
        "must",
        "After any other move, {other} completes a line at once.",
        "Every other move leaves the other side a cell that completes a line.",
    ),
    Kind(
        "must_forced",
        "After any other move, {other} can force a line.",
        "After every other move the other side completes a line at once, or by threats that must "
        "be answered.",
    ),
    Kind(
        "must_end",
        "After any other move, {other} has won or wins at once.",
        "Every other move ends the game, or leaves the other side a move that wins at once.",
    ),
    Kind(
        "must_not",
        "Any other move loses at once.",
        "Every other move ends the game, and the other side wins.",
    ),
    Kind(
        "must_poison",
        "Any other move completes a line.",
        "In misère play every other move completes a line.",
    ),
    Kind(
        "must_soon",
        "Any other move completes a line of {side}, or {other} can force one within {count} moves.",
        "In misère play every other move completes a line, or the other side wins by "
        "`no_safe_cell` or `no_safe_soon`.",
    ),
    Kind("only", "Any other move loses.", "Every other move loses by exact values."),
    Kind("only_win", "No other move wins.", "No other move wins by exact values."),
    Kind(
        "trap",
        "{side} has only one good reply, {move}.",
        "Of three replies or more every other one loses by exact values.",
    ),
    Kind(
        "trap_many",
        "{side} has {good} good replies of {count}.",
        "At most a third of the replies keep the draw by exact values; every other one loses.",
    ),
    Kind("at_once", "Quicker: {move} wins at once.", "The move ends the game."),
    Kind("sooner", "{side} could win sooner with {move}.", "The move wins in fewer moves."),
)

KINDS = {**RESULTS, **WINS, **ENDINGS, **HOLDS, **CONTEXTS}


class Names:
    """How sides, moves and cells are named in sentences; screens have their own."""

    def side(self, rules: Rules, side: int) -> object:
        """Return the name of a side."""
        return side_name(rules, side)

    def move(self, state: GameState, move: int) -> object:
        """Return what players write for a move."""
        name = move_name(state, move)
        if special_name(state.rules, move):
            return message("the swap", "the_swap")
        return message("column {column}", column=name) if name.isdecimal() else name

    def cell(self, rules: Rules, cell: int) -> object:
        """Return the name of a cell, in columns with its row from the bottom."""
        if traits_of(rules).digits is not Digits.COLUMNS:
            return cell_name_in(rules, cell)
        rows, columns = rules.shape
        row, column = divmod(cell, columns)
        return message(
            "row {row} from the bottom of column {column}", row=rows - row, column=column + 1
        )

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
        found["good"] = len(fact.moves)
    if "{moves}" in kind.sentence:
        found["moves"] = _played(fact, state, names)
    if cells:
        found["cell"] = cells[0]
        found["place"] = names.cell(rules, fact.cells[0])
        found["places"] = listed(
            [names.cell(rules, cell) for cell in fact.cells], "{first} or {last}"
        )
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
        told.append(message("{mark} {move}", mark=mover, move=move_name(state, move)))
        state = state.make_move_to(move).after_state
    return listed(told, "{first}, {last}")


def all_of(facts: Iterable[Fact]) -> Iterable[Fact]:
    """Yield facts, each followed by those that it rests on."""
    for fact in facts:
        yield fact
        yield from all_of(fact.because)
