"""Game trees tell what each node is worth, fold what is symmetric, and cut what cannot matter."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar, get_args
from xml.etree import ElementTree

import pytest

from tests.logic.played_games import played_on
from tests.own_games import Vanishing
from tic_tac_toe.game.tree import Search, tree
from tic_tac_toe.game.tree_words import TreeNode
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.search.negamax import negamax
from tic_tac_toe.logic.search.scores import MATE, plies_of, result_of
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.solver import verdict

#: A board of two by two small boards, each won by two in a row: ultimate, but quickly over.
SMALL_ULTIMATE = Ultimate(LineRules(Shape(2, 2), 2))

GAMES: dict[str, tuple[Rules, int]] = {
    "tic-tac-toe": (find_rules("tic-tac-toe"), 5),
    "misère": (find_rules("misere-tic-tac-toe"), 5),
    "gravity": (find_rules("mnk:4,3,3,gravity"), 6),
    "misère with gravity": (find_rules("mnk:3,3,3,gravity,misere"), 6),
    "a rectangle": (find_rules("mnk:4,2,3"), 4),
    "ultimate": (SMALL_ULTIMATE, 9),
}
#: Where naught, to move, stops a line and makes two threats by that.
THREATS = parse_state("OXX/..O/X..")


def late_states(name: str, count: int = 12) -> Iterator[GameState]:
    """Yield random states of games still going on in which few cells are left."""
    rules, empty = GAMES[name]
    rng = random.Random(name)
    while count:
        start, plies = GameState.new(rules, rng.choice(MARKS)), rules.shape.cells - empty
        state = played_on(start, plies, rng.randrange(2**32))
        if not state.game_over:
            count -= 1
            yield state


def exact(state: GameState) -> int:
    """Return the score of a state for X by the textbook."""
    score = negamax(state.rules, state.position)
    return score if state.position.turn == 0 else -score


def grown(state: GameState, search: Search, fold: bool) -> tuple[TreeNode, ...]:
    return tree(state, search=search, fold=fold, max_nodes=100_000).nodes


# -- what a node is worth --------------------------------------------------------------------------


@pytest.mark.parametrize("fold", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_minimax_gives_every_node_the_value_of_the_textbook(name: str, fold: bool) -> None:
    for state in late_states(name):
        for node in grown(state, "minimax", fold):
            assert node.score == exact(node.state)


@pytest.mark.parametrize("name", GAMES)
def test_the_chosen_line_is_one_that_the_verdict_calls_best(name: str) -> None:
    for state in late_states(name):
        drawn = tree(state, fold=False, max_nodes=100_000)
        found = verdict(state)

        for node, following in zip(drawn.line, drawn.line[1:]):
            assert following.move in verdict(node.state).best
        assert drawn.line[-1].state.game_over
        assert drawn.root.score is not None
        for_mover = drawn.root.score if state.current_mark is Mark.CROSS else -drawn.root.score
        assert result_of(for_mover) == found.outcome
        if for_mover:
            assert plies_of(for_mover) == found.plies == len(drawn.line) - 1


@pytest.mark.parametrize("fold", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_the_bounds_that_alpha_beta_proves_hold_and_meet_at_the_root(name: str, fold: bool) -> None:
    for state in late_states(name):
        root, *others = grown(state, "alphabeta", fold)

        assert root.score == exact(state)
        for node in others:
            if not node.cut:
                assert node.low <= exact(node.state) <= node.high


def test_a_null_window_asks_whether_somebody_wins() -> None:
    asked = tree(THREATS, search="alphabeta", fold=False, window=(-1, 0))

    assert asked.root.high == 3 - MATE  # O wins after three plies at the latest
    assert asked.root.low < asked.root.high
    assert asked.root.best is asked.root.children[1]
    assert [node.move for node in asked.line] == [None, 4, 3, 8]


# -- what is not searched --------------------------------------------------------------------------


def visits(state: GameState, ply: int, alpha: int, beta: int, seen: list[Position]) -> int:
    """Return the value of a state by a plain alpha-beta search, and note whom it comes to.

    A value tells when the game ends, counted from where the search began: no relation to the
    library's scores. A side that wins with a move looks no further.
    """
    seen.append(state.position)
    if state.game_over:
        return 0 if state.tie else (100 - ply) * (1 if state.winner is Mark.CROSS else -1)
    moves = sorted(state.possible_moves, key=lambda move: not move.after_state.game_over)
    x_moves, at_once = state.current_mark is Mark.CROSS, 100 - ply - 1
    best = -1000 if x_moves else 1000
    for move in moves:
        value = visits(move.after_state, ply + 1, alpha, beta, seen)
        if x_moves:
            best = max(best, value)
            alpha = max(alpha, best)
            if best >= min(beta, at_once):
                break
        else:
            best = min(best, value)
            beta = min(beta, best)
            if best <= max(alpha, -at_once):
                break
    return best


@pytest.mark.parametrize("name", GAMES)
def test_cut_branches_are_just_those_that_a_plain_alpha_beta_search_never_sees(name: str) -> None:
    saved = 0
    for state in late_states(name):
        seen: list[Position] = []
        visits(state, 0, -1000, 1000, seen)
        nodes = grown(state, "alphabeta", fold=False)

        assert [node.state.position for node in nodes if not node.cut] == seen
        saved += len(grown(state, "minimax", fold=False)) - len(seen)
    assert saved > 0


def test_what_is_cut_off_has_nothing_below_and_all_other_nodes_of_alpha_beta_a_window() -> None:
    nodes = grown(THREATS, "alphabeta", fold=True)

    assert any(node.cut for node in nodes)
    for node in nodes:
        if node.cut:
            assert (node.score, node.children, node.like, node.window) == (None, (), None, None)
        else:
            assert node.window is not None
            assert node.window[0] < node.window[1]
    for node in grown(THREATS, "minimax", fold=True):
        assert (node.cut, node.window) == (False, None)


# -- folding ---------------------------------------------------------------------------------------


def test_the_nine_first_moves_are_three_but_for_symmetry() -> None:
    root = tree(GameState.new(), 1).root

    assert [(child.move, child.twins) for child in root.children] == [
        (0, (2, 6, 8)),
        (1, (3, 5, 7)),
        (4, ()),
    ]


@pytest.mark.parametrize("search", get_args(Search))
@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_in_the_tree_once(name: str, search: Search) -> None:
    for state in late_states(name):
        for node in grown(state, search, fold=True):
            moves = {move for child in node.children for move in (child.move, *child.twins)}
            ends_here = node.state.game_over or node.like or node.cut
            assert moves == (set() if ends_here else set(node.state.legal_cells))
            assert len(moves) == sum(1 + len(child.twins) for child in node.children)


@pytest.mark.parametrize("search", get_args(Search))
def test_a_tree_goes_on_at_an_earlier_node_that_is_the_same_but_for_symmetry(
    search: Search,
) -> None:
    found = 0
    for state in late_states("tic-tac-toe", 40):
        earlier: set[TreeNode] = set()
        for node in grown(state, search, fold=True):
            if node.like is not None:
                found += 1
                assert node.like in earlier
                assert node.like.children
                assert (node.low, node.high) == (node.like.low, node.like.high)
                canonical = symmetry_of(state.rules).canonical
                assert canonical(node.state.position) == canonical(node.like.state.position)
            earlier.add(node)
    assert found > 10


def test_without_folding_every_move_has_a_node_of_its_own() -> None:
    nodes = tree(GameState.new(), 2, fold=False).nodes

    assert len(nodes) == 1 + 9 + 72
    assert not any(node.twins or node.like for node in nodes)


# -- limits ----------------------------------------------------------------------------------------


def test_values_at_the_depth_limit_are_exact_where_they_can_be_found() -> None:
    root, *others = tree(GameState.new(), 2).nodes

    assert {child.score for child in root.children} == {0}
    for node in others:
        assert node.score == exact(node.state)


class Unable:
    """A solver that proves nothing, or not enough."""

    def __init__(self, bounds: tuple[int, int] | None) -> None:
        self._bounds = bounds

    def score(self, position: Position) -> int:
        raise SearchLimitReached("no answer after 0 positions", bounds=self._bounds)

    def reaches(self, position: Position, bound: int) -> bool:
        return self.score(position) >= bound


def test_what_nobody_can_solve_stays_unknown_but_for_what_the_moves_tell() -> None:
    unknown = tree(parse_state("X../.O./..."), 1, solver=Unable(None))
    won = tree(parse_state("XX./OO./..."), 1, solver=Unable(None))

    assert unknown.root.score is None
    assert unknown.root.best is None
    assert unknown.line == (unknown.root,)
    assert won.root.score == MATE - 1
    assert [node.move for node in won.line] == [None, 2]


def test_what_a_solver_has_proved_before_it_gave_up_counts() -> None:
    # O is to move in the children: at least a draw for O is at most a draw for X.
    root = tree(GameState.new(), 1, solver=Unable((0, MATE - 7))).root

    assert {(child.low, child.high) for child in root.children} == {(7 - MATE, 0)}
    assert (root.low, root.high) == (8 - MATE, 0)


def test_a_tree_of_a_whole_game_that_is_too_large_says_how_to_draw_less_of_it() -> None:
    with pytest.raises(SearchLimitReached) as whole:
        tree(GameState.new())
    with pytest.raises(SearchLimitReached) as cut:
        tree(GameState.new(), 4, fold=False)

    assert str(whole.value) == "the tree has more than 400 nodes; limit it, for instance depth=2"
    assert str(cut.value) == "the tree has more than 400 nodes"
    assert whole.value.code == cut.value.code == "tree_limit"


class Watched(Vanishing):
    """A user's game without an end, with a list of the positions in which a move was played."""

    played: ClassVar[list[Position]] = []

    def play(self, position: Position, move: int) -> Position:
        self.played.append(position)
        return super().play(position, move)


def test_a_tree_of_a_game_without_end_is_refused_before_the_game_is_explored() -> None:
    with pytest.raises(SearchLimitReached, match=r"^positions can come back in this game.*depth=2"):
        tree(GameState.new(Watched()))
    with pytest.raises(SearchLimitReached, match=r"^positions can come back in this game"):
        tree(GameState.new(Misere(Watched())))

    assert not Watched.played


def test_too_large_a_tree_is_refused_before_it_is_grown() -> None:
    with pytest.raises(SearchLimitReached, match="the tree has more than 400 nodes"):
        tree(GameState.new(find_rules("gomoku")))
    assert len(tree(GameState.new(), 2, max_nodes=16).nodes) == 16
    with pytest.raises(SearchLimitReached, match="more than 15 nodes"):
        tree(GameState.new(), 2, max_nodes=15)


def test_no_ply_and_no_such_search_are_refused() -> None:
    with pytest.raises(ValueError, match="one ply at least"):
        tree(GameState.new(), 0)
    with pytest.raises(ValueError, match="minimax or alphabeta"):
        tree(GameState.new(), search="guess")  # type: ignore[arg-type]  # as a caller without types


@pytest.mark.parametrize("search", get_args(Search))
def test_a_finished_game_is_a_tree_of_one_node(search: Search) -> None:
    drawn = tree(parse_state("XXX/OO./..."), search=search)

    assert (drawn.nodes, drawn.root.score) == ((drawn.root,), MATE)
    assert drawn.root.best is None


@pytest.mark.parametrize("search", get_args(Search))
@pytest.mark.parametrize("name", VARIANTS)
def test_every_game_of_the_catalogue_has_a_tree_one_ply_deep(name: str, search: Search) -> None:
    state = GameState.new(VARIANTS[name])
    drawn = tree(state, 1, search=search, solver=Unable(None))

    assert sum(1 + len(child.twins) for child in drawn.root.children) == len(state.legal_moves)
    assert ElementTree.fromstring(drawn.svg()).tag.endswith("svg")
    assert drawn.dot().count(" -> ") == len(drawn.nodes) - 1
