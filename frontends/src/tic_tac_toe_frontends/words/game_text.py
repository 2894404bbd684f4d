"""What is said of a game in progress, in the reader's language, on every screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from gettext import NullTranslations

from tic_tac_toe.game.match import Match
from tic_tac_toe.game.moments import Hint
from tic_tac_toe.game.strategies import caveat
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import cell_name, has_lookalikes, move_name
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.rules.traits import Digits, traits_of
from tic_tac_toe.logic.search.scores import plies_of, result_of
from tic_tac_toe.logic.shapes import blocks

from .players import HUMAN, PLAYERS, RANDOM, STARTERS
from .translation import N_

#: The players by their names on the command line, as menus call them.
PLAYER_TITLES = {
    HUMAN: N_("Person"),
    "random": N_("Random moves"),
    "easy": N_("Easy"),
    "rules": N_("Simple rules"),
    "medium": N_("Medium"),
    "hard": N_("Hard"),
    "mcts": N_("Random games (MCTS)"),
    "minimax": N_("Perfect"),
    "trickster": N_("Trickster"),
}
#: What the values of moves in the cells of a board mean, with the signs of `svg`.
VALUES_LEGEND = N_(
    "In the cells: {win} wins, {draw} draws, {loss} loses, "
    "each with the number of moves to the end of the game."
)


def player_title(name: str, language: NullTranslations) -> str:
    """Return what menus call a player; a name without a title stands for itself."""
    return language.gettext(PLAYER_TITLES[name]) if name in PLAYER_TITLES else name


def starter_title(name: str, language: NullTranslations) -> str:
    """Return what menus call the mark that moves first, of `STARTERS`."""
    return language.gettext("Random") if name == RANDOM else name


def setup_menus(language: NullTranslations) -> dict[str, list[tuple[str, str]]]:
    """Return the entries of the menus of a new game: names, each with its title.

    The keys are ``variant``, ``x``, ``o`` and ``starting``.
    """
    players = [(name, player_title(name, language)) for name in PLAYERS]
    return {
        "variant": [(name, variant_title(rules, language)) for name, rules in VARIANTS.items()],
        "x": players,
        "o": players,
        "starting": [(name, starter_title(name, language)) for name in STARTERS],
    }


def menu_choices(menu: Iterable[tuple[str, str]]) -> str:
    """Return the names of a menu's entries to type, each with its title unless that is the same."""
    return "; ".join(
        name if title.casefold() == name else f"{name} – {title}" for name, title in menu
    )


def cell_label(state: GameState, cell: int, language: NullTranslations) -> str:
    """Return a cell and what is in it, as in “A1: X” or “B2: empty”."""
    mark = state.grid.cells[cell]
    content = language.gettext("empty") if mark == " " else mark
    return f"{cell_name(state.rules.shape, cell)}: {content}"


def outcome_word(outcome: str, language: NullTranslations) -> str:
    """Return the word for an outcome, which is ``win``, ``draw`` or ``loss``."""
    _ = language.gettext
    return {"win": _("win"), "draw": _("draw"), "loss": _("loss")}[outcome]


def describe_end(winner: Mark | None, language: NullTranslations) -> str:
    """Return in words how a game ended."""
    _ = language.gettext
    if winner is None:
        return _("No one wins this time 😐")
    return _("{mark} wins 🎉").format(mark=winner)


def describe_move(move: Move, language: NullTranslations) -> str:
    """Return a move in words."""
    return describe_move_of(move.mark, move.cell_index, move.before_state.rules, language)


def describe_move_of(mark: str, cell: int, rules: Rules, language: NullTranslations) -> str:
    """Return a move in words; the player is called as given."""
    _ = language.gettext
    if traits_of(rules).digits is Digits.COLUMNS:
        column = cell % rules.shape.columns + 1
        return _("{mark} plays column {column}.").format(mark=mark, column=column)
    return _("{mark} plays {cell}.").format(mark=mark, cell=cell_name(rules.shape, cell))


def describe_reading(rules: Rules, text: str, cell: int, language: NullTranslations) -> list[str]:
    """Return how a typed cell was read, if Cyrillic letters in it were read as Latin ones."""
    if not has_lookalikes(text):
        return []
    message = language.gettext("Read {text} as {cell}.")
    return [message.format(text=" ".join(text.split()), cell=cell_name(rules.shape, cell))]


def describe_last_move(match: Match, language: NullTranslations) -> list[str]:
    """Return the last move in words, if there has been one."""
    return [describe_move(move, language) for move in match.history[-1:]]


def describe_score(score: Mapping[Mark | None, int], language: NullTranslations) -> str:
    """Return how many games each side has won, and how many nobody has won."""
    return language.gettext("Score: X {crosses}, O {naughts}, draws {draws}.").format(
        crosses=score[Mark.CROSS], naughts=score[Mark.NAUGHT], draws=score[None]
    )


def describe_decision(state: GameState, language: NullTranslations) -> list[str]:
    """Return which cells decided the game, if any did."""
    if not state.winning_cells:
        return []
    names = ", ".join(cell_name(state.rules.shape, cell) for cell in state.winning_cells)
    return [language.gettext("Decided by {cells}.").format(cells=names)]


def describe_consequences(state: GameState, language: NullTranslations) -> list[str]:
    """Return what follows from a state: what decided the game, and where to play."""
    return [*describe_decision(state, language), *describe_boards(state, language)]


def describe_caveats(players: Iterable[str], rules: Rules, language: NullTranslations) -> list[str]:
    """Return what the computer players among some, by their titles, cannot do on a board."""
    limits = ((name, caveat(name, rules)) for name in dict.fromkeys(players))
    return [
        language.gettext(limit.template).format(
            **dict(limit.params) | {"strategy": player_title(name, language)}
        )
        for name, limit in limits
        if limit
    ]


def describe_boards(state: GameState, language: NullTranslations) -> list[str]:
    """Return which small boards are won, and which one must be played in."""
    traits = traits_of(state.rules)
    if traits.blocks is None:
        return []
    _, boards = language.gettext, blocks(state.rules.shape, traits.blocks)
    owners = traits.owners(state.position) if traits.owners else []
    owned = {
        mark: [cell_name(boards.grid, at) for at, owner in enumerate(owners) if owner == mark.side]
        for mark in Mark
    }
    won = "; ".join(f"{mark} {', '.join(names)}" for mark, names in owned.items() if names)
    lines = [_("Small boards won: {boards}.").format(boards=won)] if won else []
    if traits.memory != "block":
        return lines
    playable = sorted({boards.places[cell][0] for cell in state.legal_cells})
    if len(playable) == 1:
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


def describe_hint(hint: Hint, state: GameState, language: NullTranslations) -> list[str]:
    """Return the best moves and what they lead to, or what looks best where that is not known."""
    _, mark = language.gettext, state.current_mark
    names = ", ".join(move_name(state, cell) for cell in hint.best)
    if hint.score is None:
        return [
            _("The game is too large from here to be solved in a moment."),
            language.ngettext(
                "Looking {count} move ahead, this looks best: {moves}.",
                "Looking {count} moves ahead, this looks best: {moves}.",
                hint.depth,
            ).format(count=hint.depth, moves=names),
        ]
    lines = [_("Best for {mark}: {moves}.").format(mark=mark, moves=names)]
    outcome = result_of(hint.score)
    if outcome == "draw":
        return [*lines, _("With best play on both sides nobody wins.")]
    plies = plies_of(hint.score)
    winner = mark if outcome == "win" else mark.other
    message = language.ngettext(
        "{mark} wins with this move.",
        "{mark} wins after {count} more moves of both sides, this one included.",
        plies,
    )
    return [*lines, message.format(mark=winner, count=plies)]
