"""The words in pictures of game trees."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.pictures.tree import TreeWords


def tree_words(language: NullTranslations) -> TreeWords:
    """Return the words for `GameTree.svg` and `GameTree.dot`."""
    _ = language.gettext
    return TreeWords(
        title=_("Game tree from {position}"),
        the_start=_("the empty board"),
        to_move=_("{mark} to move"),
        takes_best=_("takes what is best for {mark}"),
        the_end=_("the end"),
        wins=_("{mark} wins"),
        wins_in=_("{mark} wins in {plies}"),
        draw=_("draw"),
        cut=_("cut off"),
        like=_("like {number}"),
        unknown=_("unknown"),
        about_plies=_(
            "“X wins in 3”: on the third move from there, if both sides play their best."
        ),
        about_line=_("Framed: best play from here on. A thicker line leads to a best move."),
        about_twins=_("“×4”: four moves that are the same, turned or mirrored, drawn once."),
        about_like=_("“like 2”: the same as position 2, turned or mirrored, and goes on like it."),
        about_arrows=_("Dotted arrows: the same position, turned or mirrored; it goes on there."),
        about_unknown=_("“…”: too much to work out here."),
        about_bounds=_("≥ and ≤: at least and at most that good for X."),
        about_window=_("{alpha}, {beta}: what X and O are sure of when the search comes there."),
        about_cut=_("Dashed: cut off. The search never looked there; a move before it is enough."),
        about_visits=_(
            "“n = 12”: twelve random games went through here. “0.75”: what X got from each on "
            "average, 1 for a win and 0.5 for a draw."
        ),
        counts=_("{searched} positions looked at, {cut} moves cut off."),
        moves_told=_("The moves: {moves}."),
        line_told=_("Best play: {moves}."),
    )
