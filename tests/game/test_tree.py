"""Game trees tell what each node is worth, fold what is symmetric, and are drawn."""

from __future__ import annotations

import doctest
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations, pairwise
from types import ModuleType
from typing import ClassVar, get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.logic.played_games import played_on
from tests.machine import needs
from tests.own_games import Vanishing
from tic_tac_toe import search as searches
from tic_tac_toe.game import tree as trees
from tic_tac_toe.game.tree import GameTree, Search, Step, tree, watch
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.evaluation import MATE, plies_of, result_of
from tic_tac_toe.logic.search.exact import negamax
from tic_tac_toe.logic.search.mcts import best_of, monte_carlo
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.pictures.board import Box
from tic_tac_toe.pictures.svg import STYLE
from tic_tac_toe.pictures.tree import OPEN, TreeNode, TreeWords
from tic_tac_toe.pictures.tree_svg import (
    GAP,
    ROW,
    TREE_STYLE,
    Layout,
    Size,
    broken,
    lay_out,
    width_of,
)
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
def test_minimax_finds_the_textbooks_values_and_alpha_beta_bounds(name: str, fold: bool) -> None:
    for state in late_states(name):
        for node in grown(state, "minimax", fold):
            assert node.score == exact(node.state)
        root, *others = grown(state, "alphabeta", fold)
        assert root.score == exact(state)
        assert all(node.cut or node.low <= exact(node.state) <= node.high for node in others)


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


def test_a_null_window_asks_whether_somebody_wins() -> None:
    asked = tree(THREATS, search="alphabeta", fold=False, window=(-1, 0))
    assert asked.root.high == 3 - MATE  # O wins after three plies at the latest
    assert asked.root.low < asked.root.high
    assert asked.root.best is asked.root.children[1]
    assert [node.move for node in asked.line] == [None, 4, 3, 8]


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


# -- searches that are watched ---------------------------------------------------------------------


def ways(steps: Iterable[Step], kind: str = "visit") -> list[tuple[int, ...]]:
    """Return the moves that led to each position of the steps of a kind."""
    way, found = [0] * 100, list[tuple[int, ...]]()
    for step in steps:
        if step.node.move is not None:
            way[step.depth - 1] = step.node.move
        if step.kind == kind:
            found.append(tuple(way[: step.depth]))
    return found


def all_ways(state: GameState, way: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the moves to every position below a state, by plain recursion."""
    yield way
    if not state.game_over:
        moves = [(move.number, move.after_state) for move in state.possible_moves]
        for number, after in sorted(moves, key=lambda move: not move[1].game_over):
            yield from all_ways(after, (*way, number))


@pytest.mark.parametrize("name", GAMES)
def test_minimax_visits_all_in_order_and_alpha_beta_some_of_them(name: str) -> None:
    passed_over = 0
    for state in late_states(name):
        steps = [*watch(state, search="alphabeta")]
        every, visited = ways(watch(state)), ways(steps)
        assert every == [*all_ways(state)]
        assert visited == [way for way in every if way in set(visited)]
        cut = ways(steps, "cut")
        below = [way for way in every if any(way[: len(above)] == above for above in cut)]
        assert sorted(visited + below) == sorted(every)
        passed_over += len(cut)
    assert passed_over > 0


@pytest.mark.parametrize("search", get_args(Search))
def test_a_watched_search_leaves_each_position_with_the_value_that_the_tree_has(
    search: Search,
) -> None:
    kept = tree(THREATS, search=search, fold=False).nodes
    steps = [*watch(THREATS, search=search)]
    last = {way: step.node for way, step in zip(ways(steps, "value"), steps_of(steps, "value"))}
    assert [*map(seen, (last[way] for way in ways(steps)))] == [
        seen(node) for node in kept if not node.cut
    ]
    assert not any(step.node.children for step in steps)
    assert steps[-1] == Step("value", 0, steps[-1].node)


def steps_of(steps: Iterable[Step], kind: str) -> list[Step]:
    return [step for step in steps if step.kind == kind]


def seen(node: TreeNode) -> tuple[object, ...]:
    return node.state, node.move, node.low, node.high, node.window


def test_a_watched_search_can_be_left_at_any_step_and_looks_no_farther() -> None:
    steps = watch(GameState.new(find_rules("gomoku")), 2)
    assert [next(steps).kind for _ in range(3)] == ["visit", "visit", "visit"]


@pytest.mark.parametrize("name", GAMES)
def test_a_monte_carlo_tree_holds_what_the_search_finds_with_the_same_seed(name: str) -> None:
    for state in late_states(name):
        grown = tree(state, search="mcts", iterations=60, rng=random.Random(3))
        assert grown == tree(state, search="mcts", iterations=60, rng=random.Random(3))
        root = grown.root
        found = monte_carlo(state.rules, state.position, random.Random(3), iterations=60)
        sign = 1 if state.position.turn == 0 else -1
        said: list[tuple[object, ...]] = [
            (move.move, move.visits, pytest.approx(sign * (move.mean - 0.5))) for move in found
        ]
        assert [
            (child.move, child.visits, (child.mean or 0) - 0.5) for child in root.children
        ] == said
        assert root.visits == sum(child.visits or 0 for child in root.children) <= 60
        assert root.visits == 60 or root.low >= 0 or root.high <= 0
        assert root.best is not None
        assert root.best.move == best_of(found)[0]
        for node in grown.nodes:
            assert node.low <= exact(node.state) <= node.high
            below = sum(child.visits or 0 for child in node.children)
            assert node is root or not node.children or node.visits == below + 1


def test_each_playout_is_watched_on_its_way_down_and_up() -> None:
    steps = [*watch(GameState.new(), search="mcts", iterations=20, rng=random.Random(1))]
    starts = [number for number, step in enumerate(steps) if step[:2] == ("visit", 0)]
    assert len(starts) == 20
    for number, (begin, end) in enumerate(pairwise([*starts, len(steps)]), start=1):
        depths = [step.depth for step in steps[begin:end]]
        half = len(depths) // 2
        assert depths == [*range(half), *reversed(range(half))]
        assert {step.kind for step in steps[begin : begin + half]} == {"visit"}
        assert steps[end - 1].node.visits == number


def test_another_seed_grows_another_monte_carlo_tree() -> None:
    one, other = (tree(GameState.new(), search="mcts", rng=random.Random(n)) for n in (1, 2))
    assert one != other
    assert tree(GameState.new(), search="mcts") == tree(GameState.new(), search="mcts")


def test_a_monte_carlo_tree_tells_visits_and_means_in_pictures_and_text() -> None:
    grown = tree(GameState.new(), 1, search="mcts", iterations=90)
    written, text = texts(grown.svg()), grown.dot()
    for node in grown.nodes:
        assert f"n = {node.visits}" in written
        assert f"{node.mean:.2f}" in written
        assert f"\\n{node.mean:.2f}\\nn = {node.visits}" in text
    assert sum(node.visits or 0 for node in grown.nodes) == 180
    assert any("random games" in line for line in written)
    assert not any("…" in line or "Dashed" in line for line in written)


@pytest.mark.parametrize("module", [searches, trees])
def test_the_examples_of_searches_are_true(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 0) == (0, True)


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
def test_a_tree_goes_on_at_an_earlier_node_that_is_alike_but_for_symmetry(search: Search) -> None:
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


@pytest.mark.medium
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


def test_what_nobody_can_solve_stays_unknown_but_for_what_moves_tell_and_what_was_proved() -> None:
    unknown = tree(parse_state("X../.O./..."), 1, solver=Unable(None))
    won = tree(parse_state("XX./OO./..."), 1, solver=Unable(None))
    assert (unknown.root.score, unknown.root.best) == (None, None)
    assert unknown.line == (unknown.root,)
    assert won.root.score == MATE - 1
    assert [node.move for node in won.line] == [None, 2]
    # O is to move in the children: at least a draw for O is at most a draw for X.
    root = tree(GameState.new(), 1, solver=Unable((0, MATE - 7))).root
    assert {(child.low, child.high) for child in root.children} == {(7 - MATE, 0)}
    assert (root.low, root.high) == (8 - MATE, 0)


def test_a_tree_that_is_too_large_is_refused_and_a_whole_game_with_how_to_draw_less_of_it() -> None:
    whole = GameState.new(), GameState.new(find_rules("gomoku"))
    refused = "the tree has more than 400 nodes"
    advice = "draw fewer plies, for instance depth={}, or raise max_nodes"
    for grow, message in (
        *((partial(tree, state), f"{refused}; {advice.format(2)}") for state in whole),
        (partial(tree, GameState.new(), 4, fold=False), f"{refused}; {advice.format(3)}"),
        (partial(tree, GameState.new(), 1, max_nodes=3), "the tree has more than 3 nodes"),
        (
            partial(tree, GameState.new(), search="mcts", iterations=500),
            f"{refused}; {advice.format(2)}",
        ),
    ):
        with pytest.raises(SearchLimitReached) as refusal:
            grow()
        assert (str(refusal.value), refusal.value.code) == (message, "tree_limit")
    assert len(tree(GameState.new(), 2, max_nodes=16).nodes) == 16


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


def test_no_ply_and_no_such_search_are_refused() -> None:
    with pytest.raises(ValueError, match="one ply at least"):
        tree(GameState.new(), 0)
    with pytest.raises(ValueError, match="minimax, alphabeta or mcts"):
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


# -- for Graphviz ----------------------------------------------------------------------------------


TREES = {
    "minimax": tree(THREATS),
    "alphabeta": tree(THREATS, search="alphabeta"),
    "a depth limit": tree(GameState.new(), 2),
    "gravity": tree(GameState.new(find_rules("connect-four")), 1),
    "ultimate": tree(GameState.new(find_rules("ultimate")), 1),
    "one node": tree(parse_state("XXX/OO./...")),
}
_TEXT = r'"(?:[^"\\\n]|\\["\\n])*"'
_LIST = rf"\[\w+={_TEXT}(?:, \w+={_TEXT})*\]"
#: The part of the language of Graphviz that is written, a statement a line.
STATEMENTS = {
    "default": re.compile(rf"  (?:graph|node|edge) {_LIST};"),
    "node": re.compile(rf"  n\d+ {_LIST};"),
    "edge": re.compile(rf"  n\d+ -> n\d+ {_LIST};"),
}


def statements(text: str) -> Counter[str]:
    """Return how many statements of each kind a text has.

    Raises:
        AssertionError: a line is no statement.
    """
    first, *lines, last = text.rstrip("\n").split("\n")
    assert (first, last) == ("digraph tree {", "}")
    found: Counter[str] = Counter()
    for line in lines:
        kinds = [kind for kind, pattern in STATEMENTS.items() if pattern.fullmatch(line)]
        assert len(kinds) == 1, line
        found[kinds[0]] += 1
    return found


def arrows(grown: GameTree) -> int:
    return sum(node.like is not None for node in grown.nodes)


@pytest.mark.parametrize("name", TREES)
def test_the_text_follows_the_grammar_and_holds_all_nodes_and_moves(name: str) -> None:
    grown = TREES[name]
    found = statements(grown.dot())
    assert found["default"] == 3
    assert found["node"] == len(grown.nodes)
    assert found["edge"] == len(grown.nodes) - 1 + arrows(grown)


@needs("dot")
@pytest.mark.parametrize("name", TREES)
def test_graphviz_reads_as_many_nodes_and_edges(name: str) -> None:
    grown = TREES[name]
    read = subprocess.run(
        ["dot", "-Tplain"],
        input=grown.dot(),
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=60,
    )
    kinds = Counter(line.split(" ", 1)[0] for line in read.stdout.splitlines())
    assert kinds["node"] == len(grown.nodes)
    assert kinds["edge"] == len(grown.nodes) - 1 + arrows(grown)
    assert read.stderr == ""


def test_boards_are_rows_of_letters_with_the_value_below() -> None:
    assert (
        'n0 [label="O X X\\n. . O\\nX . .\\nO wins in 3", penwidth="3"];' in TREES["minimax"].dot()
    )
    assert "\\n\\n. . .  . . .  . . .\\n" in TREES["ultimate"].dot()


def test_what_is_cut_off_is_dashed_and_a_dotted_arrow_leads_to_where_the_tree_goes_on() -> None:
    cut, text = TREES["alphabeta"].dot(), TREES["minimax"].dot()
    assert cut.count('style="rounded,dashed"') == cut.count('style="dashed"') == 9
    assert sum(node.cut for node in TREES["alphabeta"].nodes) == 9
    assert text.count('style="dotted"') == arrows(TREES["minimax"]) == 5
    assert TreeWords().about_arrows in text
    assert TreeWords().about_like not in text


def test_no_word_breaks_out_of_its_quotes() -> None:
    hostile = TreeWords(title='"];\\\n{position}')
    assert statements(TREES["minimax"].dot(words=hostile)) == statements(TREES["minimax"].dot())


# -- layout ----------------------------------------------------------------------------------------


START = GameState.new()


def node_of(children: list[TreeNode]) -> TreeNode:
    return TreeNode(START, children=tuple(children))


ANY_TREES = st.recursive(
    st.builds(lambda: node_of([])),
    lambda children: st.builds(node_of, st.lists(children, max_size=ROW + 4)),
    max_leaves=40,
)
SIZES = st.builds(Size, st.floats(10, 200), st.floats(10, 100))


def meet(one: Box, other: Box) -> bool:
    """Return whether two boxes have more than an edge in common, but for rounding."""
    return (
        one.x + one.width > other.x + 1e-6
        and other.x + other.width > one.x + 1e-6
        and one.y + one.height > other.y + 1e-6
        and other.y + other.height > one.y + 1e-6
    )


def check(layout: Layout, root: TreeNode) -> None:
    boxes = list(layout.places.values())
    assert set(layout.places) == set(root.walk())
    assert not any(meet(one, other) for one, other in combinations(boxes, 2))
    assert min(box.x for box in boxes) == pytest.approx(0, abs=1e-6) or layout.blocks
    for box in [*boxes, *layout.blocks.values()]:
        assert box.x >= -1e-6
        assert box.y >= 0
        assert box.x + box.width <= layout.extent.width + 1e-6
        assert box.y + box.height <= layout.extent.height + 1e-6
    for parent in root.walk():
        middle = layout.places[parent].centre.x
        if parent in layout.blocks:
            assert layout.blocks[parent].centre.x == pytest.approx(middle)
            continue
        centres = [layout.places[child].centre.x for child in parent.children]
        assert all(one < other for one, other in pairwise(centres))
        if centres:
            assert (centres[0] + centres[-1]) / 2 == pytest.approx(middle)


@given(root=ANY_TREES, data=st.data())
def test_no_two_nodes_meet_and_parents_are_centred(root: TreeNode, data: st.DataObject) -> None:
    sizes = {node: data.draw(SIZES) for node in root.walk()}
    layout = lay_out(root, sizes.__getitem__)
    check(layout, root)


def test_each_ply_is_a_layer_below_the_one_before() -> None:
    root = tree(START, 2).root
    layout = lay_out(root, lambda _: Size(60, 80))
    assert [len(layer.nodes) for layer in layout.layers] == [1, 3, 12]
    assert {layout.places[node].y for node in layout.layers[2].nodes} == {layout.layers[2].top}
    assert layout.layers[2].top > layout.layers[1].top + 80


def test_many_moves_that_nothing_follows_stand_in_a_block_of_rows() -> None:
    root = tree(GameState.new(find_rules("ultimate")), 1).root
    layout = lay_out(root, lambda _: Size(100, 120))
    check(layout, root)
    assert list(layout.blocks) == [root]
    assert layout.extent.width < 1200
    for child in root.children:
        assert not meet(layout.places[child], layout.places[root])
        assert layout.blocks[root].holds(layout.places[child].centre)


def test_a_subtree_with_room_on_both_sides_stands_in_the_middle() -> None:
    wide = [node_of([node_of([]) for _ in range(5)]) for _ in range(2)]
    small = node_of([])
    root = node_of([wide[0], small, wide[1]])
    layout = lay_out(root, lambda _: Size(50, 50))
    assert layout.places[small].centre.x == pytest.approx(layout.places[root].centre.x)
    assert layout.extent.width == pytest.approx(10 * 50 + 9 * GAP)


# -- pictures --------------------------------------------------------------------------------------


SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    """Return what is written in a picture."""
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def drawn(search: Search) -> GameTree:
    return tree(THREATS, search=search)


@pytest.mark.parametrize("search", get_args(Search))
def test_each_node_has_its_board_its_move_and_its_value(search: Search) -> None:
    grown = drawn(search)
    written = texts(grown.svg())
    assert grown.svg().count('<path class="ttt-grid"') == len(grown.nodes)
    words = TreeWords()
    for node in grown.nodes:
        assert words.value(node) in written
        for child in node.children:
            assert words.way(node.state, child) in written
    assert written.count("cut off") == sum(node.cut for node in grown.nodes)


def test_what_follows_by_best_play_is_framed() -> None:
    grown = drawn("minimax")
    assert grown.svg().count('class="ttt-ring"') == len(grown.line) == 4
    assert grown.svg().count("ttt-chosen") == 3 + TREE_STYLE.count("ttt-chosen")


def test_what_is_cut_off_is_dashed_and_says_so() -> None:
    picture = drawn("alphabeta").svg()
    assert picture.count('<rect class="ttt-edge ttt-cut"') == texts(picture).count("cut off") == 9
    assert "14 positions looked at, 9 moves cut off." in texts(picture)
    assert "ttt-cut" not in drawn("minimax").svg().replace(TREE_STYLE, "")


@pytest.mark.parametrize(
    ("window", "texts_there"),
    [
        ((-OPEN, OPEN), {"α −∞", "β O wins in 2", "α O wins in 1"}),
        # A question that any win would answer is asked without a distance.
        ((-1, 0), {"≤ O wins in 3", "α O wins", "β draw"}),
    ],
)
def test_alpha_and_beta_stand_at_searched_nodes(
    window: tuple[int, int], texts_there: set[str]
) -> None:
    assert texts_there <= {*texts(tree(THREATS, search="alphabeta", window=window).svg())}


@pytest.mark.parametrize(
    ("low", "high", "window", "told"),
    [
        *((0, 0, None, "draw"), (MATE, MATE, None, "X wins")),
        (MATE - 3, MATE - 3, None, "X wins in 3"),
        (4 - MATE, 4 - MATE, None, "O wins in 4"),
        *((0, MATE - 1, None, "≥ draw"), (0, MATE - 9, None, "≥ draw")),
        (1 - MATE, 6 - MATE, None, "≤ O wins in 6"),
        (2 - MATE, MATE - 2, None, "…"),
        # A bound that made alpha-beta turn back is told though it does not say who wins.
        (8 - MATE, MATE - 1, (-OPEN, 8 - MATE), "≥ O wins in 8"),
        (4 - MATE, MATE - 1, (-OPEN, 8 - MATE), "…"),
    ],
)
def test_a_value_tells_who_wins_and_how_soon_as_far_as_is_known(
    low: int, high: int, window: tuple[int, int] | None, told: str
) -> None:
    assert TreeWords().value(TreeNode(THREATS, low=low, high=high, window=window)) == told


def test_where_a_tree_goes_on_elsewhere_a_number_tells_where() -> None:
    grown = drawn("minimax")
    written = texts(grown.svg())
    targets = {node.like for node in grown.nodes} - {None}
    assert len(targets) == grown.svg().count('<circle class="ttt-badge"') == 5
    assert sum(text.startswith("like ") for text in written) == 5
    assert {text for n in range(1, 6) for text in (str(n), f"like {n}")} <= {*written}


def test_only_signs_that_occur_are_explained() -> None:
    words = TreeWords()
    plain = texts(tree(parse_state("XXO/O.X/.O.")).svg())
    started = texts(tree(GameState.new(), 1).svg())
    unknown = texts(tree(GameState.new(find_rules("ultimate")), 1).svg())
    assert words.about_line in plain
    assert words.about_twins not in plain
    assert words.about_twins in started
    assert words.about_plies not in started
    assert words.about_unknown in unknown
    assert words.about_line not in unknown


def test_those_who_do_not_see_the_picture_are_told_the_moves_and_the_best_play() -> None:
    root = ElementTree.fromstring(drawn("minimax").svg())
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{SVG}title") == "Game tree from OXX/..O/X.. o"
    assert (root.findtext(f"{SVG}desc") or "").startswith(
        "O to move: O wins in 3. The moves: A2: X wins in 1; B2: O wins in 2; B3: X wins in 1; "
        "C3: X wins in 1. Best play: B2 A2 C3. Framed: "
    )


def test_each_layer_tells_whose_turn_it_is_and_the_last_that_the_game_is_over() -> None:
    written = texts(drawn("alphabeta").svg())
    movers = [text[0] for text in written if text.endswith(" to move")]
    assert movers == ["O", "X", "O"]
    assert written.count("the end") == 1


def test_everything_written_is_within_the_picture() -> None:
    root = ElementTree.fromstring(drawn("minimax").svg())
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    for element in root.iter(f"{SVG}text"):
        assert 0 < float(element.get("x") or -1) < width
        assert 0 < float(element.get("y") or -1) < height


def test_a_notebook_shows_the_picture_and_a_page_that_has_the_style_gets_it_without() -> None:
    grown = drawn("minimax")
    assert STYLE in grown.svg()
    assert grown._repr_svg_() == grown.svg()
    assert repr(TreeNode(THREATS, low=0, high=997)) == "<TreeNode 'OXX  OX  ', 0 to 997>"
    assert "<style>" not in grown.svg(styled=False)


def test_other_words_are_written_as_they_are_whatever_signs_they_hold() -> None:
    picture = drawn("minimax").svg(words=TreeWords(draw="<b>&", title='"{position}"'))
    assert "<b>&" in texts(picture)
    assert ElementTree.fromstring(picture).get("aria-label") == '"OXX/..O/X.. o"'


def test_long_texts_are_broken_into_lines_that_fit() -> None:
    lines = broken("one two three four five six seven", 100)
    assert " ".join(lines) == "one two three four five six seven"
    assert len(lines) > 1
    assert all(width_of(line, 13) <= 100 for line in lines)
    assert broken("unbreakable" * 9, 100) == ["unbreakable" * 9]
    assert width_of("平局", 10) > width_of("ab", 10)
