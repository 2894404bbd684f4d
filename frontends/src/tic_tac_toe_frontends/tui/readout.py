"""The texts around the board on the full screen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from gettext import NullTranslations

from rich.cells import cell_len
from rich.text import Text
from textual.content import Content
from textual.dom import DOMNode
from textual.style import Style
from textual.widgets import Static

from tic_tac_toe.logic.models import MARKS, Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import SWAP, Digits, Traits, letters, traits_of
from tic_tac_toe.pictures.board import Look
from tic_tac_toe.pictures.shapes import DESIGNS

from ..table.advice import Advice
from ..table.commands import LETTER_KEYS, SPECIAL_KEYS, TASK_TITLES, Desk, primary_command, title_of
from ..table.looking_back import (
    ListedMove,
    Row,
    ValuePoint,
    describe_past,
    rows_of,
    value_graph,
)
from ..table.table import Table
from ..table.telling import score_text, status_text, text_below
from ..words.game_text import letter_title, player_title, special_title
from ..words.rules_text import Drawn, describe_rules, side_title, variant_title
from ..words.translation import join_sentences
from .keys import key_line, key_part
from .painter import CURSOR, LAST, WON, advice_text
from .plan import Scale


def describe_players(table: Table, language: NullTranslations, look: Look) -> str:
    """Return the player of each side, with a sign before the side to move."""
    turn, rules = table.match.turn, table.state.rules
    return "   ".join(
        f"{'▸' if mark is turn else ' '}{side_title(rules, mark, language, look)} "
        f"{player_title(name, language, rules)}"
        for mark, name in table.setup.players.items()
    )


def lines_of(rows: Iterable[Row], signs: Mapping[int, str], look: Look) -> str:
    """Return the list of moves, each line with a move of each side.

    Args:
        signs: after moves, by ply.
        look: whose pieces stand before the moves.
    """
    pieces = DESIGNS[look].letters
    lines = [
        (row.number, [_move_text(move, signs, pieces) for move in (row.first, row.second)])
        for row in rows
    ]
    width = max((len(name) for _number, names in lines for name in names), default=0)
    digits = len(str(len(lines)))
    return "\n".join(
        f"{number:>{digits}}.  {'   '.join(name.ljust(width) for name in names)}".rstrip(" …")
        for number, names in lines
    )


def _move_text(move: ListedMove | None, signs: Mapping[int, str], pieces: Sequence[str]) -> str:
    """Return a move with the sign of its fault, and a triangle before the shown one."""
    if move is None:
        return "…"
    if move.letter and pieces:
        move = move._replace(letter=pieces[move.mark.side])
    return f"{'▸' if move.current else ''}{move} {signs.get(move.ply, '')}".rstrip()


def describe_play(rules: Rules, language: NullTranslations) -> list[str]:
    """Return how to make moves in a game."""
    _ = language.gettext
    lines = [_("Click a cell, or go there with the arrow keys and press Enter or the space bar.")]
    traits = traits_of(rules)
    digits = traits.digits
    if digits is Digits.COLUMNS:
        lines.append(_("A digit plays the column of that number."))
    elif digits is Digits.NUMBER_PAD:
        lines.append(
            _("Or press a digit as they lie on a number pad: 7 is A1, 5 the centre, 3 is C3.")
        )
    if letters(rules):
        message = _("The keys {x} and {o} choose the letter that you place.")
        lines.append(message.format(x=LETTER_KEYS["X"], o=LETTER_KEYS["O"]))
    if SWAP in traits.specials:
        message = _("The key {key} takes over the first mark, instead of the second move.")
        lines.append(message.format(key=SPECIAL_KEYS[SWAP]))
    return lines


def describe_signs(rules: Rules, scale: Scale, look: Look, language: NullTranslations) -> list[str]:
    """Return the legend of a board at a scale."""
    _ = language.gettext
    signs = [" ".join(sign.at(scale)) for sign in (CURSOR, LAST, WON)]
    meanings = [_("the cell you are at"), _("the last move"), _("a cell that decided the game")]
    if scale.width == 1:
        signs = [_("reversed colours"), _("underlined"), _("reversed colours")]
    elif scale.width == 2 and not scale.crossed:
        meanings[1] = _("the last move, underlined; one of the two is missing beside the cursor")
    return [
        *_describe_round(rules, look, language),
        *(f"{sign}  {meaning}" for sign, meaning in zip(signs, meanings)),
        *_describe_pale(rules, scale, language),
        _("◆  a move that was advised"),
        _("*  the move that is explained, where it is not made yet"),
        _("!  1  a  of a reason: a threat, the order of moves, the order of cells in a plan"),
        describe_values(rules, language),
    ]


def _describe_round(rules: Rules, look: Look, language: NullTranslations) -> list[str]:
    if look is Look.MARKS:
        return []
    _ = language.gettext
    pieces = zip(MARKS, DESIGNS[look].letters)
    lines = [f"{sign}  {side_title(rules, mark, language, look)}" for mark, sign in pieces]
    if look is Look.STONES:
        lines.append(_("×  a crossing where no stone can be placed now"))
    return lines


def _describe_pale(rules: Rules, scale: Scale, language: NullTranslations) -> list[str]:
    """Return the meaning of pale marks: leaving ones, and the letter to place."""
    _ = language.gettext
    lines = []
    if traits_of(rules).leaving and scale.glyph:
        lines.append(_("dotted picture  a mark that leaves the board next"))
    elif traits_of(rules).leaving:
        lines.append(_("x o  a mark that leaves the board next"))
    if letters(rules):
        lines.append(_("x o  at the cell you are at: the letter that you place"))
    return lines


def describe_values(rules: Rules, language: NullTranslations) -> str:
    """Return the legend of the analysis."""
    _ = language.gettext
    text = _("+ wins, = draws, - loses; the number counts the winner's moves.")
    endless = _("=∞ is a draw because the game goes on for ever.")
    return text if traits_of(rules).longest is not None else f"{text} {endless}"


CHOSEN, OTHER = "(•)", "( )"
#: More than the width of any advice about a move.
_ROOM = 20


def has_choices(rules: Rules) -> bool:
    """Return whether a game needs the line of choices."""
    return bool(letters(rules) or traits_of(rules).specials)


def choice_line(table: Table, advice: Advice, language: NullTranslations, width: int) -> Content:
    """Return the letters, with the chosen one marked, and legal moves that place nothing.

    Each has its key, and can be clicked.

    Args:
        width: if it is too small, the letters have no words.
    """
    specials = [*_special_parts(table, advice, language)]
    titles = [letter_title(letter, language) for letter in table.letters]
    lines = [
        Content("   ").join([*_letter_parts(table, words), *specials])
        for words in (titles, table.letters)
    ]
    return next((line for line in lines if line.cell_length <= width - 2), lines[-1])


def _letter_parts(table: Table, titles: Iterable[str]) -> Iterator[Content]:
    for letter, title in zip(table.letters, titles):
        is_chosen = letter == table.letter
        yield key_part(
            LETTER_KEYS[letter],
            f"{CHOSEN if is_chosen else OTHER} {title}",
            f"choose('{letter}')",
            Style(bold=is_chosen or None),
        )


def _special_parts(table: Table, advice: Advice, language: NullTranslations) -> Iterator[Content]:
    specials = table.state.special_moves if table.thinker is None else {}
    values = {move.move: move for move in advice.values}
    for name, number in specials.items():
        title, best = special_title(name, language), number in advice.best
        if best or number in values:
            title += f"  {advice_text(values.get(number), _ROOM, best)}"
        yield key_part(SPECIAL_KEYS[name], title, f"special('{name}')", Style())


#: The signs of values from a loss to a win of the first side, and the most columns of a position.
BLOCKS, BROADEST = "▁▂▃▄▅▆▇█", 4


def graph_line(
    points: Sequence[ValuePoint], plies: int, moment: int, width: int, title: str
) -> Content:
    """Return the graph of a reviewed game's value; a click shows the position there.

    Faults are underlined, and the shown position is bright.

    Args:
        plies: the number of moves in the game.
        moment: the number of moves before the shown position.
        title: of the first side, whose value it is.
    """
    known, room = {point.ply: point for point in points}, max(width - 2 - cell_len(title) - 1, 1)
    columns = min(room, (plies + 1) * BROADEST)
    parts = []
    for column in range(columns):
        ply = column * (plies + 1) // columns
        point = known.get(ply)
        sign = " " if point is None else BLOCKS[round(point.share * (len(BLOCKS) - 1))]
        style = Style(
            underline=(point is not None and point.is_fault) or None,
            dim=ply != moment or None,
        )
        part = Content.assemble((sign, style))
        parts.append(part.stylize(Style.from_meta({"@click": f"app.look_back({ply})"})))
    return Content(f"{title} ").join([Content(""), Content("").join(parts)])


#: The columns that stay free between the game and the players.
SPACE = 4


class Readout:
    """Writes the texts on a screen.

    Args:
        wide: screens of at least this width show the rules beside the game's name.
    """

    def __init__(
        self,
        screen: DOMNode,
        desk: Desk,
        wide: int,
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._table = desk.table
        self._wide = wide

    def show(
        self, language: NullTranslations, width: int, useless: Collection[str], drawn: Drawn
    ) -> None:
        """Update all texts.

        Args:
            useless: commands without an effect now.
        """
        table, advice, past = self._table, self._desk.advice, self._desk.past
        choice = self._screen.query_one("#choice", Static)
        choice.display = has_choices(table.state.rules)
        choice.update(choice_line(table, advice, language, width), layout=False)
        self._write("title", self._title(language, width))
        self._write("players", self._players(language, width, drawn.look))
        signs = describe_values(table.state.rules, language)
        reviewed = [*filter(None, [table.remark]), *past.describe(language, drawn)]
        if table.replay.ply is not None:
            status, words = describe_past(table.match, table.replay, language), reviewed
        else:
            status = status_text(table, language, drawn)
            if self._desk.thought.share is not None:
                status = f"{status} {self._desk.thought.share:.0%}"
            texts = text_below(table, advice, language, signs, table.remark, drawn)
            words = reviewed if past.review.is_on else texts
        self._write("words", Text("\n\n").join([Text(status, "bold"), *map(Text, words)]))
        self._write("line", Text.assemble((status, "bold"), "  ", join_sentences(words, language)))
        self._write("score", Text(score_text(table, language, drawn)))
        moment = None if table.replay.ply is None else table.replay.moment(table.match)
        moves = lines_of(rows_of(table.match, moment), past.review.signs, drawn.look)
        self._write("moves", Text(moves or language.gettext("No moves yet.")))
        if moment is None:
            self._screen.query_one("#history").scroll_end(animate=False)
        graph = self._screen.query_one("#graph", Static)
        graph.display = past.review.is_on
        if past.review.is_on:
            points, shown = value_graph(past.review, table.match), table.replay.moment(table.match)
            title = side_title(table.state.rules, Mark.CROSS, language, drawn.look)
            graph.update(graph_line(points, table.match.ply, shown, width, title), layout=False)
        primary = primary_command(self._desk)
        named = {*filter(None, [primary]), *(TASK_TITLES if table.task is not None else ())}
        titles = {name: title_of(name, self._desk, language) for name in named}
        keys = key_line(language, width, useless, primary, titles)
        self._screen.query_one("#keys", Static).update(keys, layout=False)

    def _write(self, name: str, text: Text) -> None:
        """Write only changed texts: each update costs a layout."""
        part = self._screen.query_one(f"#{name}", Static)
        if part.content != text:
            part.update(text)

    def _title(self, language: NullTranslations, width: int) -> Text:
        rules = self._table.state.rules
        title = Text(variant_title(rules, language), style="bold")
        if width >= self._wide:
            title.append(f"  {describe_rules(rules, language)}", style="not bold")
        return title

    def _players(self, language: NullTranslations, width: int, look: Look) -> Text:
        """Return the players; empty if they would leave no room for the game's name."""
        rules = self._table.state.rules
        players = Text(describe_players(self._table, language, look))
        taken = cell_len(variant_title(rules, language)) + players.cell_len
        is_long = traits_of(rules).sides != Traits().sides and taken + SPACE > width
        return Text() if is_long else players
