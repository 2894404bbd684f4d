"""``tic-tac-toe tree``: the game tree from a position, drawn."""

from __future__ import annotations

from collections.abc import Sequence

from tic_tac_toe.game.tree import ITERATIONS, tree
from tic_tac_toe.logic.exceptions import SearchLimitReached

from ..program.options import Parser, add_position, position_of
from ..program.process import DONE, Refused
from ..words.translation import N_, localise
from ..words.tree_text import tree_words
from .pictures import check_output, show_picture

SEARCHES = ("minimax", "alphabeta", "mcts")
FORMATS = ("svg", "dot")
#: The maximum: no game is longer.
MOST_PLIES = 1_000
MOST_ITERATIONS = 100_000


def main(arguments: Sequence[str], prog: str) -> int:
    """Print a game tree and return the exit status of the process."""
    about = N_("Draw the game tree from a position: what every move leads to, and the best play.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    add_position(parser)
    parser.add_value(
        "--depth",
        "PLIES",
        _("how many moves to draw from there on; to the end of every game unless given"),
        parser.number(1, MOST_PLIES),
    )
    parser.add_choice(
        "--search",
        SEARCHES,
        _(
            "minimax looks at every move; alphabeta shows which ones it can cut off; mcts shows "
            "how often random games go where"
        ),
        usual=SEARCHES[0],
    )
    parser.add_value(
        "--iterations",
        "NUMBER",
        _("how many random games mcts plays ({count} unless given)").format(count=ITERATIONS),
        parser.number(1, MOST_ITERATIONS),
        usual=ITERATIONS,
    )
    parser.add_flag(
        "--every", _("draw positions that are the same, turned or mirrored, each by itself")
    )
    parser.add_choice(
        "--format",
        FORMATS,
        _("svg is a picture (unless given); dot is text for Graphviz"),
        usual=FORMATS[0],
    )
    parser.add_language()
    options, language = parser.read(), parser.language
    state = position_of(options, language).state()
    if options.format == "svg":
        check_output(f"{prog} … > tree.svg", language)
    try:
        drawn = tree(
            state,
            options.depth,
            search=options.search,
            fold=not options.every,
            iterations=options.iterations,
        )
    except SearchLimitReached as limit:
        message = language.gettext("too large to draw: {reason} (see --depth)")
        # Without the error's advice to programmers, `depth=2`.
        raise Refused(message.format(reason=localise(language, limit.reason))) from None
    words = tree_words(language)
    show_picture(drawn.svg(words=words) if options.format == "svg" else drawn.dot(words=words))
    return DONE
