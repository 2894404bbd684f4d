"""Texts about a game in progress, for every screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from gettext import NullTranslations

from tic_tac_toe.game.evaluate import caveat, is_solved
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import MARKS, GameState, Mark, Move
from tic_tac_toe.logic.notation import cell_name, cell_name_in, has_lookalikes, move_name
from tic_tac_toe.logic.repetition import REPETITIONS
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.traits import (
    Digits,
    cell_signs,
    leaving_cells,
    letter_of,
    placement,
    traits_of,
)
from tic_tac_toe.logic.search.evaluation import Result
from tic_tac_toe.logic.shapes import blocks
from tic_tac_toe.opponents import public_name
from tic_tac_toe.pictures.board import geometry
from tic_tac_toe.pictures.shapes import row_names

from .rules_text import (
    HUMAN,
    LETTERED,
    PLAYERS,
    RANDOM,
    STARTERS,
    Drawn,
    families,
    piece_title,
    side_title,
)
from .translation import N_, join_clauses, join_names, labelled

#: The titles of players in menus, by their names on the command line.
PLAYER_TITLES = {
    HUMAN: N_("Person"),
    "easy": N_("Easy"),
    "medium": N_("Medium"),
    "hard": N_("Hard"),
    "minimax": N_("Strongest"),
    "random": N_("Random moves"),
    "rules": N_("Simple rules"),
    "mcts": N_("Random games"),
    "trickster": N_("Trickster"),
}
#: A description of each computer player.
PLAYER_DESCRIPTIONS = {
    "easy": N_("Often moves at random: a good first opponent."),
    "medium": N_("Wins and blocks when it can, and makes mistakes now and then."),
    "hard": N_("Looks ahead and rarely makes a mistake."),
    "minimax": N_("Makes no mistake where it can solve the board."),
    "random": N_("Moves anywhere, without a plan."),
    "rules": N_("Wins and blocks when it can, and does not look further ahead."),
    "mcts": N_("Plays thousands of random games in its head before each move."),
    "trickster": N_("Plays the best moves that it finds, and sets traps."),
}
#: The buttons of moves that place nothing.
SPECIALS = {"swap": N_("Take over the mark")}
#: The name of a cell in a text, with a letter or the number of a layer before it.
_NAMED_CELL = re.compile("(?<![A-Za-z])([A-Z]+)([1-9][0-9]*)(?![A-Za-z0-9])")


def player_title(
    name: str, language: NullTranslations, rules: Rules | None = None, *, here: bool = True
) -> str:
    """Return the title of a player in menus; a name without a title is its own.

    Args:
        rules: of the game, if known: if it is solved, the strongest player is perfect.
        here: whether the player runs on this machine.
    """
    if name == "minimax" and rules is not None and is_solved(rules, here=here):
        return language.gettext("Perfect")
    if name in PLAYER_TITLES:
        return language.gettext(PLAYER_TITLES[name])
    return public_name(name)


def describe_player(name: str, language: NullTranslations) -> str:
    """Return the description of a computer player; empty for people and programs."""
    return language.gettext(text) if (text := PLAYER_DESCRIPTIONS.get(name)) else ""


def next_level_title(level: str, language: NullTranslations, rules: Rules) -> str:
    """Return the text of a button for a game against the next level."""
    title = player_title(level, language, rules)
    return language.gettext("Play the next level: {level}").format(level=title)


def starters_of(rules: Rules) -> tuple[str, ...]:
    """Return the choices of the first side in a game, of `STARTERS`."""
    begins = traits_of(rules).begins
    return STARTERS if begins is None else (MARKS[begins].value,)


def starter_title(name: str, language: NullTranslations, rules: Rules = TIC_TAC_TOE) -> str:
    """Return the title of a choice of `STARTERS` in menus."""
    return language.gettext("Random") if name == RANDOM else side_title(rules, Mark(name), language)


def starter_titles(language: NullTranslations, rules: Rules) -> dict[str, str]:
    """Return the choices of the first side in a game, each with a sentence."""
    first, *others = starters_of(rules)
    return {name: starter_title(name if others else first, language, rules) for name in STARTERS}


def setup_menus(
    language: NullTranslations, others: Iterable[str] = (), rules: Rules | None = None
) -> dict[str, list[tuple[str, str]]]:
    """Return the entries of the menus of a new game: names and titles.

    The keys are ``variant``, ``x``, ``o`` and ``starting``.

    Args:
        rules: see `player_title`.
    """
    players = [(name, player_title(name, language, rules)) for name in (*PLAYERS, *others)]
    return {
        "variant": [game for _title, games in families(language) for game in games],
        "x": players,
        "o": players,
        "starting": [(name, starter_title(name, language)) for name in STARTERS],
    }


def menu_choices(menu: Iterable[tuple[str, str]], language: NullTranslations) -> str:
    """Return the names of a menu's entries for help texts.

    Each is followed by its title, unless that is the same, and a computer player by its
    description.
    """
    return join_clauses((_choice(name, title, language) for name, title in menu), language)


def _choice(name: str, title: str, language: NullTranslations) -> str:
    like = describe_player(name, language).rstrip(".。")
    text = "" if title.casefold() == name else title
    return " – ".join(filter(None, [name, text, f"{like[:1].lower()}{like[1:]}"]))


def letter_title(letter: str, language: NullTranslations) -> str:
    """Return the title of the switch between letters, as “Place X”."""
    return language.gettext("Place {letter}").format(letter=letter)


def special_title(name: str, language: NullTranslations) -> str:
    """Return the text of the button of a move that places nothing."""
    return language.gettext(SPECIALS[name]) if name in SPECIALS else name


def from_the_left(state: GameState) -> list[int]:
    """Return the legal moves; columns from left to right."""
    moves, shape = state.legal_moves, state.rules.shape
    if traits_of(state.rules).digits is not Digits.COLUMNS:
        return [*moves]
    # Moves with another letter, and moves that place nothing, have higher numbers.
    return sorted(moves, key=lambda move: (move // shape.cells, move % shape.columns))


def cell_label(state: GameState, cell: int, language: NullTranslations) -> str:
    """Return a cell and its contents, as “A1: X” or “B2: empty”."""
    _, mark = language.gettext, state.grid.cells[cell]
    signs = cell_signs(state.rules, state.position, state.grid.cells)
    content = _("empty") if mark == " " else signs[cell]
    label = labelled(cell_name_in(state.rules, cell), content, language)
    is_leaving = not state.game_over and cell in leaving_cells(state.rules, state.position)
    leaves = _("leaves next")  # inside an f-string the catalogue's collector would not find it
    return join_names([label, leaves], language) if is_leaving else label


def move_title(state: GameState, number: int, language: NullTranslations) -> str:
    """Return a move as players write it, or its column in words."""
    name = move_name(state, number)
    if not name.isdecimal():
        return name
    return language.gettext("column {column}").format(column=name)


def rows_from_bottom(text: str, rules: Rules) -> str:
    """Return a text in which the names of cells count rows from the bottom; see `row_names`."""
    turned = dict(zip(row_names(rules), row_names(rules, from_bottom=True)))
    return _NAMED_CELL.sub(lambda name: name[1] + turned.get(name[2], name[2]), text)


def describe_end(
    winner: Mark | None,
    rules: Rules,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    cheer: bool = True,
) -> str:
    """Return the result of a game.

    Args:
        cheer: whether the winner may be among the readers.
    """
    _ = language.gettext
    if winner is None:
        return _("No one wins this time 😐") if cheer else _("It is a draw.")
    message = _("{mark} wins 🎉") if cheer else _("{mark} wins.")
    return message.format(mark=side_title(rules, winner, language, drawn.look))


#: Results in the second person.
OWN_ENDS: Mapping[Result, str] = {
    "win": N_("You win 🎉"),
    "draw": N_("It is a draw."),
    "loss": N_("You lose this time."),
}


def describe_own_end(outcome: Result, language: NullTranslations) -> str:
    """Return the result of a game in the second person."""
    return language.gettext(OWN_ENDS[outcome])


def describe_own_turn(
    mark: Mark,
    rules: Rules,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    first: bool = False,
) -> str:
    """Return that it is a person's turn, in the second person.

    Args:
        mark: the person's side.
        first: whether it is the person's first turn: then the side or its colour is named, as are
            sides with names instead of letters at each turn.
    """
    _, side = language.gettext, side_title(rules, mark, language)
    if first:
        colour = piece_title(drawn.look, mark, language) if side == mark else ""
        if colour:
            return _("Your turn: you are {colour}.").format(colour=colour)
        return _("Your turn: you are {mark}.").format(mark=side)
    return _("Your turn.") if side == mark else _("Your turn ({mark}).").format(mark=side)


def describe_move(move: Move, language: NullTranslations, drawn: Drawn = LETTERED) -> str:
    """Return a move in words."""
    rules = move.before_state.rules
    player = side_title(rules, move.player, language, drawn.look)
    return describe_move_of(player, move.number, rules, language)


def describe_move_of(player: str, number: int, rules: Rules, language: NullTranslations) -> str:
    """Return a move in words, with the given name of the player."""
    _, placed = language.gettext, placement(rules, 0, number)
    if placed is None:
        return _("{mark} takes over the first mark.").format(mark=player)
    letter, in_column = letter_of(rules, number), traits_of(rules).digits is Digits.COLUMNS
    if letter and in_column:
        message = _("{mark} puts {letter} into column {column}.")
    elif letter:
        message = _("{mark} puts {letter} on {cell}.")
    else:
        message = _("{mark} plays column {column}.") if in_column else _("{mark} plays {cell}.")
    return message.format(
        mark=player,
        letter=letter,
        column=placed.cell % rules.shape.columns + 1,
        cell=cell_name_in(rules, placed.cell),
    )


def describe_reading(
    state: GameState, text: str, move: int, language: NullTranslations
) -> list[str]:
    """Return how a typed move was read if it had Cyrillic letters, which are read as Latin ones."""
    if not has_lookalikes(text):
        return []
    message = language.gettext("Read {text} as {cell}.")
    return [message.format(text=" ".join(text.split()), cell=move_name(state, move))]


def describe_last_move(
    match: Match, language: NullTranslations, drawn: Drawn = LETTERED
) -> list[str]:
    """Return the last move in words, if there was one and the board has names for it."""
    return [
        describe_move(move, language, drawn)
        for move in match.history[-1:]
        if is_named(move.before_state, move.number, drawn)
    ]


def is_named(state: GameState, move: int, drawn: Drawn) -> bool:
    """Return whether a board shows the name of a move's cell or column, or it has no cell."""
    return has_named_cells(state.rules, drawn) or placement(state.rules, 0, move) is None


def has_named_cells(rules: Rules, drawn: Drawn) -> bool:
    """Return whether a board shows names of its cells or columns."""
    return drawn.names or geometry(rules).is_numbered


def describe_score(
    first: tuple[str, int], second: tuple[str, int], draws: int, language: NullTranslations
) -> str:
    """Return the games won by each of two, as “You 2 : 1 Easy, 3 draws”.

    Args:
        first, second: their names and the games they won.
    """
    (one, won), (other, lost) = first, second
    if one[-1:].isdecimal() or other[-1:].isdecimal():
        text = join_names([f"{one}: {won}", f"{other}: {lost}"], language)
    else:
        text = f"{one} {won} : {lost} {other}"
    if not draws:
        return text
    message = language.ngettext("{count} draw", "{count} draws", draws)
    return join_names([text, message.format(count=draws)], language)


def describe_decision(
    state: GameState, language: NullTranslations, drawn: Drawn = LETTERED
) -> list[str]:
    """Return the cells that decided the game, if any; columns if the game names only those.

    Nothing where the board has no names for them: it marks them itself.
    """
    _, cells = language.gettext, state.winning_cells
    if not cells or not has_named_cells(state.rules, drawn):
        return []
    if geometry(state.rules).is_numbered:
        columns = [cell % state.rules.shape.columns + 1 for cell in cells]
        first, last = min(columns), max(columns)
        if first == last:
            return [_("Decided in column {column}.").format(column=first)]
        return [_("Decided in columns {first} to {last}.").format(first=first, last=last)]
    names = join_names((cell_name_in(state.rules, cell) for cell in cells), language)
    return [_("Decided by {cells}.").format(cells=names)]


def describe_consequences(
    state: GameState,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    typed: bool = False,
) -> list[str]:
    """Return the consequences of a state: the deciding cells, boards to play in, leaving marks.

    Args:
        typed: name the moves that other screens have buttons for.
    """
    return [
        *describe_decision(state, language, drawn),
        *describe_repetition(state, language),
        *describe_boards(state, language, drawn),
        *describe_leaving(state, language, drawn),
        *describe_specials(state, language, drawn, typed=typed),
    ]


def describe_repetition(state: GameState, language: NullTranslations) -> list[str]:
    """Return that the game is a draw by repetition, if so."""
    if not state.drawn:
        return []
    message = language.gettext("A draw: this position has come {count} times.")
    return [message.format(count=REPETITIONS)]


def describe_leaving(
    state: GameState, language: NullTranslations, drawn: Drawn = LETTERED
) -> list[str]:
    """Return the marks that leave the board at their players' next moves, if any."""
    if state.game_over:
        return []
    message = language.gettext("With the next {mark} the {mark} on {cell} leaves.")
    if not drawn.names:
        message = language.gettext("With the next {mark} the oldest {mark} leaves.")
    return [
        message.format(mark=state.grid.cells[cell], cell=cell_name_in(state.rules, cell))
        for cell in leaving_cells(state.rules, state.position)
    ]


def describe_specials(
    state: GameState,
    language: NullTranslations,
    drawn: Drawn = LETTERED,
    *,
    typed: bool = False,
) -> list[str]:
    """Return the legal moves that place nothing, and how to type them."""
    _ = language.gettext
    mark = side_title(state.rules, state.current_mark, language, drawn.look)
    message = _("{mark} may take over the first mark instead of moving.")
    if typed:
        message = _("{mark} may take over the first mark instead of moving: {word}.")
    return [message.format(mark=mark, word=name) for name in state.special_moves]


def describe_caveats(players: Iterable[str], rules: Rules, language: NullTranslations) -> list[str]:
    """Return the caveats of computer players on a board."""
    limits = ((name, caveat(name, rules)) for name in dict.fromkeys(players))
    return [
        language.gettext(limit.template).format(
            **dict(limit.params) | {"strategy": player_title(name, language, rules)}
        )
        for name, limit in limits
        if limit
    ]


def describe_boards(
    state: GameState, language: NullTranslations, drawn: Drawn = LETTERED
) -> list[str]:
    """Return the won and closed small boards, and the one that must be played in.

    A board that lights the boards to play in shows which are won as well.
    """
    traits = traits_of(state.rules)
    if traits.blocks is None or traits.layered:
        return []
    _, boards = language.gettext, blocks(state.rules.shape, traits.blocks)
    playable = sorted({boards.places[cell][0] for cell in state.legal_cells})
    if traits.memory != "block":
        corners = (0, traits.blocks.cells - 1)
        names = [
            "–".join(cell_name_in(state.rules, boards.cell(board, at)) for at in corners)
            for board in playable
        ]
        text = _("Open boards: {boards}.").format(boards=join_names(names, language))
        return [text] if playable else []
    owners = traits.owners(state.position) if traits.owners else []
    owned = {
        mark: [cell_name(boards.grid, at) for at, owner in enumerate(owners) if owner == mark.side]
        for mark in Mark
    }
    won = join_clauses(
        (f"{mark} {join_names(names, language)}" for mark, names in owned.items() if names),
        language,
    )
    lines = [_("Small boards won: {boards}.").format(boards=won)] if won else []
    if drawn.lights:
        lines = []
    if len(playable) == 1 and drawn.lights:
        lines.append(_("Play in the highlighted board."))
    elif len(playable) == 1:
        first, last = (boards.cell(playable[0], cell) for cell in (0, traits.blocks.cells - 1))
        message = _("Play in small board {board}, from {first} to {last}.")
        lines.append(
            message.format(
                board=cell_name(boards.grid, playable[0]),
                first=cell_name(state.rules.shape, first),
                last=cell_name(state.rules.shape, last),
            )
        )
    elif playable and state.position.occupied:
        lines.append(_("Play in any open small board."))
    return lines
