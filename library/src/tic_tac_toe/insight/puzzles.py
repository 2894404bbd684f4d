"""Puzzles: positions in which a player has to find a move, and the proof that it is the right one.

In games that can be solved, exactly one move, up to symmetry, keeps the value of the position at
every turn of the player who solves it, and another move that does not lose at once throws the value
away. On large boards of lines the player wins by continuous fours or threats, and every order of
them that still wins is right::

    >>> puzzle = puzzle_of("X../.../..O")
    >>> puzzle.outcome, puzzle.difficulty, puzzle.solution
    ('win', Difficulty(depth=5, choices=7, length=3), (2, 1, 6, 3, 4))
    >>> check(puzzle, [6]), check(puzzle, [4])  # a corner that is as good, and the centre
    (Answer(verdict='right', reply=3, left='win'), Answer(verdict='wrong', reply=2, left='draw'))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, TypeAlias

from tic_tac_toe.insight.explain import explain
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import play_legal
from tic_tac_toe.logic.rules import Rules, rules_of, symmetry_of
from tic_tac_toe.logic.search.evaluation import (
    MATE,
    UNKNOWN,
    Evaluation,
    MoveEvaluation,
    Result,
    plies_of,
)
from tic_tac_toe.logic.search.exact import Solver, each_best_move
from tic_tac_toe.logic.search.line_board import LineBoard, cells_of
from tic_tac_toe.logic.search.threats import Proof, ThreatSearch, board_of, win_by_threats
from tic_tac_toe.solver.answers import NODE_LIMIT, plain_python_solves, solver_for
from tic_tac_toe.solver.support import supports

#: How a puzzle is proved: by exact values; by a win by continuous fours; by one by threats.
Kind: TypeAlias = Literal["value", "fours", "threats"]

#: What is decided within this number of plies is decided at once.
PLIES_AT_ONCE: Final = 2
#: The plies of a win by fours or threats that is a puzzle.
SHORTEST_WIN, LONGEST_WIN = 3, 17
#: The moves of such a win that make threes or fours before fours alone win, at most.
MOST_THREATS: Final = 4
#: The positions that a search for such a win looks at; nothing is claimed where it ends before.
FORCED_NODES: Final = 3_000
#: What a puzzle proves of a move, by what the move leaves.
_PROVED: Final[dict[Result, Evaluation]] = {
    "win": Evaluation.proved(1, (), "solver"),
    "draw": Evaluation.proved(0, (), "solver"),
    "loss": Evaluation.proved(-1, (), "solver"),
}


class Difficulty(NamedTuple):
    """How hard a puzzle is; a puzzle is harder than another one if this is greater.

    Attributes:
        depth: the least number of plies that a player must look ahead to be sure of each move.
        choices: the moves to choose from at the first turn: of fours and threes, those.
        length: the moves that the solver has to find.
    """

    depth: int
    choices: int
    length: int


class Wrong(NamedTuple):
    """A move that throws the value away.

    Attributes:
        move: its number.
        reply: the best answer, which proves it; ``None`` where the move has ended the game.
        left: what the move leaves to the side that made it: ``"draw"`` or ``"loss"``.
    """

    move: int
    reply: int | None
    left: Result


class Turn(NamedTuple):
    """A move that has to be found, and the strongest reply.

    Attributes:
        move: the right move; each that leads to an equivalent position is as good.
        depth: the least number of plies that a player must look ahead to be sure of it.
        choices: the number of moves to choose from.
        wrong: every other move; empty where threats decide, for other orders may win as well.
        reply: of the other side; ``None`` after the last turn.
    """

    move: int
    depth: int
    choices: int
    wrong: tuple[Wrong, ...] = ()
    reply: int | None = None


@dataclass(frozen=True)
class Puzzle:
    """A position and what has to be found in it.

    Args:
        state: the side to move solves the puzzle.
        kind: how the puzzle is proved.
        outcome: what has to be kept: ``"win"`` or ``"draw"``.
        turns: the moves to find, with the replies.
        moves: of a game that leads to the state, where one is known.
        theme: that of the first move's explanation, in English; empty where no reason is proved.
    """

    state: GameState
    kind: Kind
    outcome: Result
    turns: tuple[Turn, ...]
    moves: tuple[int, ...] = ()
    theme: str = ""

    @property
    def solution(self) -> tuple[int, ...]:
        """The moves of the solver and the strongest replies in turns, a solver's move last."""
        moves = (move for turn in self.turns for move in (turn.move, turn.reply))
        return tuple(move for move in moves if move is not None)

    @property
    def difficulty(self) -> Difficulty:
        """How hard the puzzle is."""
        depth = max(turn.depth for turn in self.turns)
        return Difficulty(depth, self.turns[0].choices, len(self.turns))


class Answer(NamedTuple):
    """What a solver's move is worth.

    Attributes:
        verdict: ``"right"``, ``"solved"`` or ``"wrong"``. Where threats decide, a move is wrong
            that leaves no win by fours or threats, and ``"open"`` if the search for one came to its
            limit.
        reply: the strongest reply to a right move; to a wrong one the reply that shows why, or
            ``None`` where the game is over or nothing is proved.
        left: what the move leaves to the solver; ``"open"`` where that is not proved.
    """

    verdict: Literal["right", "solved", "wrong", "open"]
    reply: int | None = None
    left: Result | Literal["open"] = "open"


def puzzles(
    rules: Rules | str,
    games: Iterable[Sequence[int]] | None = None,
    solver: Solver | None = None,
) -> Iterator[Puzzle]:
    """Yield the puzzles among the positions that games lead to, no two of them equivalent.

        >>> len([*puzzles("notakto")])
        6

    Args:
        games: the moves from the empty board to each position; unless given, to every position that
            can be reached, the shortest first.
        solver: see `puzzle_of`.

    Raises:
        SearchLimitReached: a position is too hard to solve.
    """
    rules = rules_of(rules)
    canonical, seen = symmetry_of(rules).canonical, set[Position]()
    for moves in _all_games(rules) if games is None else games:
        state = GameState.new(rules)
        for move in moves:
            state = state.trusted_move(move).after_state
        if (image := canonical(state.position)) not in seen:
            seen.add(image)
            if puzzle := puzzle_of(state, solver):
                yield replace(puzzle, moves=tuple(moves))


def puzzle_of(
    state: StateLike, solver: Solver | None = None, *, node_limit: int = FORCED_NODES
) -> Puzzle | None:
    """Return a state as a puzzle, with its solution; ``None`` if it makes no puzzle.

    It is none where it is enough to stop a line, or to make no line where that loses: where every
    other move loses at once. Nor is it where the side to move wins by making an open four.

    Args:
        solver: the source of exact scores; unless given, the best there is for the game.
        node_limit: the positions that the search for a win by threats looks at, on boards that are
            too large to solve.

    Raises:
        SearchLimitReached: the position is too hard to solve.
    """
    state = state_of(state)
    rules, position = state.rules, state.position
    if state.game_over:
        return None
    if solver is None and not (supports(rules) or plain_python_solves(rules, position)):
        found = _by_threats(state, node_limit)
    else:
        solver = solver or solver_for(rules, position, Limits(node_limit=NODE_LIMIT))
        found = _by_value(state, solver)
    return found and replace(found, theme=theme_of(found))


def theme_of(puzzle: Puzzle) -> str:
    """Return the theme of a puzzle's first move by what the puzzle proves; empty without one.

    >>> theme_of(puzzle_of("X../.../..O"))
    'Threats that must be answered'
    """
    first, known = puzzle.turns[0], dict.fromkeys(puzzle.state.legal_moves, UNKNOWN)
    if puzzle.kind == "value":
        known = dict.fromkeys(known, _PROVED[puzzle.outcome])
        known |= {wrong.move: _PROVED[wrong.left] for wrong in first.wrong}
    values = [MoveEvaluation(*each) for each in known.items()]
    return explain(puzzle.state, first.move, values=values).theme


def check(puzzle: Puzzle, moves: Sequence[int]) -> Answer:
    """Return what the solver's last move is worth.

    Args:
        moves: those made since the puzzle began: the solver's, and the replies of earlier answers.

    Raises:
        InvalidMove: a move is not legal.
        ValueError: the moves do not end with one of the solver, or an earlier one is not right, or
            a reply is not that of an earlier answer.
    """
    if len(moves) % 2 == 0:
        raise ValueError("the moves must end with one of the solver")
    if puzzle.kind == "value":
        return _check_value(puzzle, moves)
    return _check_threats(puzzle, moves)


def likely_moves(puzzle: Puzzle, moves: Sequence[int]) -> Iterator[int]:
    """Yield the legal moves after right ones and their replies, the likely right ones first."""
    rules, position = puzzle.state.rules, puzzle.state.position
    for move in moves:
        position = play_legal(rules, position, move)
    if tuple(moves) == puzzle.solution[: len(moves)]:
        yield puzzle.solution[len(moves)]
    if puzzle.kind != "value" and (win := win_by_threats(rules, position)):
        yield win.line[0]
    yield from rules.moves(position)


# -- by exact values -------------------------------------------------------------------------------


def _all_games(rules: Rules) -> Iterator[tuple[int, ...]]:
    """Yield moves to one position for all that are equivalent, the shortest first."""
    canonical, start = symmetry_of(rules).canonical, GameState.new(rules).position
    seen, found = {canonical(start)}, list[tuple[tuple[int, ...], Position]]([((), start)])
    for moves, position in found:  # grows while it is read
        yield moves
        for move in rules.moves(position):
            child = rules.play(position, move)
            if (image := canonical(child)) not in seen:
                seen.add(image)
                found.append(((*moves, move), child))


def _by_value(state: GameState, solver: Solver) -> Puzzle | None:
    rules, position = state.rules, state.position
    if is_lesson(rules, position) or (found := only_move(rules, position, solver)) is None:
        return None
    if not solver.reaches(rules.play(position, found[0]), PLIES_AT_ONCE - MATE):
        return None
    outcome, turns, length = found[1], list[Turn](), 1
    # Where positions come back, a draw that is kept might have no end.
    canonical, seen = symmetry_of(rules).canonical, set[Position]()
    while found and (image := canonical(position)) not in seen:
        seen.add(image)
        turn, child = _turn(rules, position, found[0], solver), rules.play(position, found[0])
        if rules.outcome(child) or not is_lesson(rules, position):
            length = len(turns) + 1
        found = None
        for reply in each_best_move(rules, child, solver.score(child), solver):
            position = rules.play(child, reply)
            if found := only_move(rules, position, solver):
                turn = turn._replace(reply=reply)
                break
        turns.append(turn)
    last = turns[length - 1]._replace(reply=None)  # without lessons at the end
    return Puzzle(state, "value", outcome, (*turns[: length - 1], last))


def only_move(rules: Rules, position: Position, solver: Solver) -> tuple[int, Result] | None:
    """Return the move that alone keeps a win or a draw, and which; ``None`` if there is none.

    Moves to equivalent positions are one. It is ``None`` as well where there is no other move.
    """
    canonical = symmetry_of(rules).canonical
    children = [(move, rules.play(position, move)) for move in rules.moves(position)]
    outcomes: tuple[tuple[Result, int], ...] = (("win", 0), ("draw", 1))
    for outcome, bound in outcomes:
        kept = dict[Position, int]()
        for move, child in children:
            if not solver.reaches(child, bound):
                kept.setdefault(canonical(child), move)
                if len(kept) > 1:
                    return None
        if kept:
            (image, move), *_ = kept.items()
            others = any(canonical(child) != image for _, child in children)
            return (move, outcome) if others else None
    return None


def is_lesson(rules: Rules, position: Position) -> bool:
    """Return whether all moves but one, and those equivalent to it, lose at once."""
    canonical = symmetry_of(rules).canonical
    children = (rules.play(position, move) for move in rules.moves(position))
    return len({canonical(child) for child in children if not _loses_at_once(rules, child)}) < 2


def _others(rules: Rules, position: Position, right: int) -> Iterator[tuple[int, Position]]:
    """Yield each move that is not equivalent to the right one, and the position after it."""
    canonical = symmetry_of(rules).canonical
    image = canonical(rules.play(position, right))
    for move in rules.moves(position):
        child = rules.play(position, move)
        if canonical(child) != image:
            yield move, child


def _loses_at_once(rules: Rules, child: Position) -> bool:
    """Return whether the side to move has won already, or wins with this move."""
    replies = rules.moves(child)
    ends = [child] if not replies else (rules.play(child, reply) for reply in replies)
    outcomes = (rules.outcome(end) for end in ends)
    return any(outcome is not None and outcome.winner == child.turn for outcome in outcomes)


def _turn(rules: Rules, position: Position, right: int, solver: Solver) -> Turn:
    wrong, farthest = list[Wrong](), 0
    for move, child in _others(rules, position, right):
        score = solver.score(child)
        reply = next(each_best_move(rules, child, score, solver), None)
        wrong.append(Wrong(move, reply, "loss" if score > 0 else "draw"))
        farthest = max(farthest, 1 + plies_of(score)) if score > 0 else MATE
    # Sure is a player who sees the win, or that every other move loses.
    score = solver.score(rules.play(position, right))
    depth = min(farthest, 1 + plies_of(score)) if score < 0 else farthest
    return Turn(right, depth, len(rules.moves(position)), tuple(wrong))


def _check_value(puzzle: Puzzle, moves: Sequence[int]) -> Answer:
    rules, canonical = puzzle.state.rules, symmetry_of(puzzle.state.rules).canonical
    here = there = puzzle.state.position  # in the solver's game, and in the solution
    for turn, move, reply in zip(puzzle.turns, moves[::2], moves[1::2]):
        here = play_legal(rules, play_legal(rules, here, move), reply)
        if turn.reply is not None:
            there = rules.play(rules.play(there, turn.move), turn.reply)
        if turn.reply is None or canonical(here) != canonical(there):
            raise ValueError("an earlier move is not right, or a reply is not that of an answer")
    turn, after = puzzle.turns[len(moves) // 2], play_legal(rules, here, moves[-1])
    image, expected = canonical(after), rules.play(there, turn.move)
    if image == canonical(expected):
        if turn.reply is None:
            return Answer("solved", None, puzzle.outcome)
        return Answer("right", _same_move(rules, expected, turn.reply, after), puzzle.outcome)
    thrown = ((wrong, rules.play(there, wrong.move)) for wrong in turn.wrong)
    same = {each.move: (each, child) for each, child in thrown if canonical(child) == image}
    wrong, expected = same.get(moves[-1]) or next(iter(same.values()))
    return Answer("wrong", _same_move(rules, expected, wrong.reply, after), wrong.left)


def _same_move(rules: Rules, one: Position, move: int | None, other: Position) -> int | None:
    """Return the move in another position, equivalent to ``one``, that is the same there."""
    if move is None:
        return None
    canonical = symmetry_of(rules).canonical
    image = canonical(rules.play(one, move))
    same = [each for each in rules.moves(other) if canonical(rules.play(other, each)) == image]
    return move if move in same else same[0]


# -- by fours and threats --------------------------------------------------------------------------


def _by_threats(state: GameState, node_limit: int) -> Puzzle | None:
    board, side = board_of(state.rules, state.position), state.position.turn
    if board is None or (board.threes()[0][side] and not board.threats().wins[1 - side]):
        return None
    kind, win = _shortest_win(ThreatSearch(board, side, node_limit))
    if win is None or not SHORTEST_WIN <= win.plies <= LONGEST_WIN:
        return None
    tries = forcing_moves(board, side, kind)
    if not any(_is_refuted(board, side, move, kind, node_limit) for move in tries):
        return None
    turns, replies = list[Turn](), (*win.line[1::2], None)
    for number, (move, reply) in enumerate(zip(win.line[::2], replies)):
        choices = len(forcing_moves(board, side, kind))
        turns.append(Turn(move, win.plies - 2 * number, choices, (), reply))
        board.toggle(move, side)
        if reply is not None:
            board.toggle(reply, 1 - side)
    return Puzzle(state, kind, "win", tuple(turns))


def _shortest_win(search: ThreatSearch) -> tuple[Kind, Proof | None]:
    """Return the win that takes the fewest fours, else the fewest threats, and its kind."""
    kinds: tuple[tuple[Kind, Callable[[int], Proof | None], int], ...] = (
        ("fours", search.by_fours, LONGEST_WIN // 2),
        ("threats", search.by_threats, MOST_THREATS),
    )
    for kind, win, most in kinds:
        for count in range(1, most + 1):
            proof = win(count)
            if proof or search.nodes >= search.node_limit:
                return kind, proof
    return "threats", None


def forcing_moves(board: LineBoard, side: int, kind: Kind) -> list[int]:
    """Return the moves to choose from: those that win or make fours, for threats also threes."""
    threats = board.threats()
    moves = threats.wins[side] | threats.fours[side]
    if kind == "threats":
        moves |= board.threes()[1][side]
    if against := threats.wins[1 - side]:
        moves &= threats.wins[side] | board.stops(1 - side, against)
    return cells_of(moves & ~board.barred(side))


def _is_refuted(board: LineBoard, side: int, move: int, kind: Kind, node_limit: int) -> bool:
    """Return whether a whole search finds no win of this kind after a move."""
    search = ThreatSearch(board, side, node_limit)
    proof = search.after(move, MOST_THREATS if kind == "threats" else 0)
    return proof is None and search.nodes < node_limit


def _check_threats(puzzle: Puzzle, moves: Sequence[int]) -> Answer:
    rules, position = puzzle.state.rules, puzzle.state.position
    *earlier, move = moves
    for each in earlier:
        position = play_legal(rules, position, each)
    after, side = play_legal(rules, position, move), position.turn
    if outcome := rules.outcome(after):
        if outcome.winner == side:
            return Answer("solved", None, "win")
        return Answer("wrong", None, "draw")
    board = board_of(rules, position)
    if board is None:
        raise ValueError("the game was over before the solver's last move")
    is_whole = True
    for threats in (0, MOST_THREATS):
        search = ThreatSearch(board, side, FORCED_NODES)
        if proof := search.after(move, threats):
            return Answer("right", proof.line[0], "win")
        is_whole = is_whole and search.nodes < FORCED_NODES
    if lost := win_by_threats(rules, after, node_limit=FORCED_NODES):
        return Answer("wrong", lost.line[0], "loss")
    board.toggle(move, side)
    wins = board.threats().wins[side]
    stops = cells_of(board.stops(side, wins) & ~board.barred(1 - side)) if wins else []
    return Answer("wrong" if is_whole else "open", stops[0] if stops else None)
