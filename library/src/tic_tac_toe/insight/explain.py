"""Explanations of moves: the result that is proved, and a reason that proves it.

For each result there is a list of reasons, and the first that holds is told. Where none holds, the
result alone is told, and where nothing is proved, nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from tic_tac_toe.certificate_check import SIGNS
from tic_tac_toe.game.evaluate import evaluate, evaluate_moves, is_solved
from tic_tac_toe.insight.facts import Fact, Names, sentence
from tic_tac_toe.insight.gravity import PLANS, GravityProver
from tic_tac_toe.insight.hints import Stage, area_of
from tic_tac_toe.insight.lines import LineProver
from tic_tac_toe.insight.misere import MisereProver
from tic_tac_toe.insight.provers import EndingProver, Prover
from tic_tac_toe.insight.rows import BARRED, SEARCHED, RowProver, finds_rows
from tic_tac_toe.limits import MOMENT, Limits
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidVariant, Message, message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import cell_of, plies_left
from tic_tac_toe.logic.search.evaluation import (
    MATE,
    Evaluation,
    MoveEvaluation,
    Outcome,
    best_of_moves,
)
from tic_tac_toe.logic.search.tables import is_small
from tic_tac_toe.solver.certificates import board_for
from tic_tac_toe.solver.certificates.plans import signs_of

#: The most words of an explanation, as far as there is a choice.
WORDS = 25
#: What would be better is told in any case.
BETTER = ("missed", "kept", "at_once")
#: On a board with more cells only threats are looked for, and not all moves are evaluated.
MOST_CELLS = 49
#: What it may cost to evaluate moves; what games may cost that are solved in less on average.
BRIEF, ENOUGH = MOMENT.share(0.25), MOMENT.share(5.0)
#: The most moves that are named as those that would have kept a draw; of more, one is.
MOST_KEPT = 3
#: One good reply in this number of replies, or fewer, makes a trap.
FEW = 3
#: The results by what the side could have before the move, and has after it.
RESULT_OF: dict[tuple[Outcome, Outcome], str] = {
    ("win", "win"): "wins",
    ("draw", "draw"): "draws",
    ("loss", "loss"): "is_lost",
    ("win", "draw"): "drops_win",
    ("win", "loss"): "turns_win",
    ("draw", "loss"): "loses",
    ("open", "win"): "wins",
    ("open", "loss"): "loses",
}
#: How a result can be proved, the surest first; see `Explanation.by`.
CERTAINTY = ("proof", "search", "ending", "elimination", "values")
#: How reasons that have no certificate in any game prove a result.
PROVED_BY = {
    **dict.fromkeys(SEARCHED, "search"),
    **dict.fromkeys(("wins_now", "loses_now", "no_safe", "no_defence"), "ending"),
}
#: What the other side was about to do.
DANGERS = ("stops", "stops_fork")
#: That the other side can complete a line, and this one cannot stop it.
SURE = ("two_ways", "no_stop")
#: Reasons that say the result themselves.
WHOLE = frozenset(
    ("completes", "forces", "fours", "double_three", "threats", "wins_now", "loses_now", "poison")
)
#: That no other move is good.
MUST = frozenset(("must", "must_forced", "must_end", "must_not", "must_poison", "must_soon"))


class Marks(NamedTuple):
    """What a board shows for an explanation.

    Attributes:
        best: the moves to ring.
        written: signs to write into empty cells, by the cells.
    """

    best: tuple[int, ...] = ()
    written: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Explanation:
    """Why a move is good or bad, as far as that is proved.

    Attributes:
        state: the state before the move.
        move: its number.
        before: what the side to move could have.
        after: what the move leaves it.
        result: both as a fact; ``None`` where nothing is proved.
        reasons: what proves the result. A reason of the other side begins with its reply.
        context: what else is worth knowing; it proves nothing.
        by: how the outcome after the move is proved; before it, exact values tell. ``"proof"`` if
            the reasons have certificates, ``"elimination"`` if every other move is worse,
            ``"search"`` if a search for threats found the reason, and against every reply more of
            them or that it does not help, ``"ending"`` if all replies were played to the end,
            ``"values"`` if only exact values tell, else empty: there is no result.
    """

    state: GameState
    move: int
    before: Evaluation
    after: Evaluation
    result: Fact | None = None
    reasons: tuple[Fact, ...] = ()
    context: tuple[Fact, ...] = ()
    by: str = ""

    @property
    def side(self) -> int:
        """The side that makes the move, 0 or 1."""
        return self.state.position.turn

    @property
    def facts(self) -> tuple[tuple[Fact, GameState], ...]:
        """All facts in the order in which they are told, with the state where each begins."""
        return tuple(self._placed((*filter(None, [self.result]), *self.reasons, *self.context)))

    def sentences(self, names: Names | None = None) -> tuple[Message, ...]:
        """Return the sentences, the most important first; empty where nothing is proved.

        Args:
            names: how sides and cells are named.
        """
        own, result = names or Names(), self.result
        # Of a draw the danger is told first, else the reason.
        dangers = [fact for fact in self.context if fact.code in DANGERS]
        danger = dangers if result and result.code == "draws" else []
        rest = [fact for fact in self.context if fact not in danger]
        told = list[Message]()
        # How the other side holds after a missed win is left to the proof.
        for i, fact in enumerate((*danger, *self.reasons[:1], *rest)):
            is_said = fact.code in WHOLE and fact.side == self.side
            if i == 0 and result and (not is_said or result.code == "is_lost"):
                told.append(sentence(result, self.state, own))
            more = [sentence(*each, own) for each in self._placed([fact])]
            if i == 0 or fact.code in BETTER or _count([*told, *more]) <= WORDS:
                told += more
        if not told and result:
            told.append(sentence(result, self.state, own))
        return tuple(told)

    def message(self, names: Names | None = None) -> Message:
        """Return the sentences as one message; empty where nothing is proved.

        >>> from tic_tac_toe import explain
        >>> print(explain("X../.../...", "B2").message())
        O keeps the draw with B2. Any other move loses.
        """
        told = self.sentences(names)
        text = told[0] if told else Message("")
        for more in told[1:]:
            text = message("{first} {last}", "sentences", first=text, last=more)
        return text

    def proof(self) -> tuple[str, ...]:
        """Return a certificate for each reason, as `certificate_check` reads it."""
        return tuple(certificate for _, certificate in self.certificates)

    @property
    def certificates(self) -> tuple[tuple[Fact, str], ...]:
        """The reasons that have a certificate, each with it."""
        found = list[tuple[Fact, str]]()
        proving = [
            each
            for fact in self.reasons
            for each in (fact.because if fact.code in ("missed", *SURE) else [fact])
        ]
        for fact, state in self._placed(proving):
            for prover in provers_of(state.rules):
                if text := prover.certificate(state.position, fact):
                    found.append((fact, text))
        return tuple(found)

    @property
    def theme(self) -> str:
        """The theme of a move that keeps what can be had, in English; empty without one."""
        code = self.result.code if self.result else ""
        dangers = [fact for fact in self.context if fact.code in DANGERS and code == "draws"]
        told = (*dangers, *self.reasons[:1]) if code in ("wins", "draws") else ()
        return told[0].kind.theme if told else ""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages of a hint that tell something; empty where nothing is proved."""
        if self.result is None:
            return ()
        is_reasoned = bool(self.reasons) and self.result.code in ("wins", "draws")
        has_area = is_reasoned and area_of(self.state, self.move) is not None
        first = (Stage.THEME,) * bool(self.theme) + (Stage.AREA,) * has_area
        return (*first, Stage.MOVE, Stage.REASON)

    def hint(self, stage: int, names: Names | None = None) -> Message:
        """Return a hint at the move: its theme, where it is, the move, or all that is told of it.

        >>> from tic_tac_toe import explain
        >>> found = explain("X../.O./..X")
        >>> for stage in (1, 2, 3):
        ...     print(found.hint(stage))
        A threat first
        Look at the edges.
        Play B1.

        Args:
            stage: of `Stage`; where that has nothing to tell, the next one is told. It
                is the move where nothing is proved.
            names: how sides and cells are named.
        """
        told = min((each for each in self.stages if each >= stage), default=Stage.REASON)
        if told is Stage.THEME:
            return message(self.theme, "theme")
        if told is Stage.AREA:
            return area_of(self.state, self.move) or Message("")
        if told is Stage.MOVE or self.result is None:
            name = (names or Names()).move(self.state, self.move)
            return message("Play {move}.", "play", move=name)
        return self.message(names)

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks, with the sentences: a bad move is made in it."""
        from tic_tac_toe.pictures.svg import svg, wrapped

        told, text = self.marks(), wrapped(str(self.message()), self.state.rules)
        written = dict(told.written)
        if self.result is not None and self.result.code in ("wins", "draws"):
            return svg(self.state, best=told.best, written=written, caption=text)
        # The move is made, and what would be better is marked as good.
        facts = (*self.reasons, *self.context)
        better = [move for fact in facts if fact.code in BETTER for move in fact.moves]
        last = cell_of(self.state.rules, self.move)
        return svg(self.after_state, last=last, best=better, written=written, caption=text)

    def marks(self, stage: int = Stage.REASON) -> Marks:
        """Return what a board shows: the move, and where what is told takes place.

        Args:
            stage: of a hint: no marks before the move is told, and only its own with it.
        """
        if stage < Stage.REASON:
            return Marks((self.move,) if stage == Stage.MOVE else ())
        written, told = dict[int, str](), {each.code for each in self.sentences()}
        for fact, _ in self._placed(self.reasons[:1]):
            is_own = fact.side == self.side
            if fact.code not in told:
                continue
            if fact.code in PLANS:
                written |= signs_of(fact.cells)
            elif fact.code in ("pairs", "own_pairs"):
                written |= {cell: SIGNS[i // 2] for i, cell in enumerate(fact.cells)}
            elif len(fact.moves) < 2:
                written = dict.fromkeys((*fact.moves, *fact.cells), "!") | written
            else:  # a line of play, from this move on or in its place
                first = 1 if is_own and fact.moves[0] != self.move else 2
                moves = fact.moves[is_own and first == 2 :]
                written |= {move: str(i) for i, move in enumerate(moves, first)}
        cells = self.state.rules.shape.cells
        signs = {cell: sign for cell, sign in written.items() if cell < cells}
        signs.pop(self.move, None)
        return Marks((self.move,), tuple(sorted(signs.items())))

    def _placed(self, facts: Iterable[Fact]) -> Iterator[tuple[Fact, GameState]]:
        """Yield facts and those told with them, each with the state where its side moves."""
        for fact in facts:
            state = self.state if fact.side == self.side else self.after_state
            yield fact, state
            if fact.code == "must_stop":  # after the answer its side goes on
                for move in fact.moves[:2]:
                    state = state.make_move_to(move).after_state
            if fact.code in ("must_stop", "missed"):
                yield from ((rest, state) for rest in fact.because)
            for rest in fact.because:
                if rest.code in BARRED.values():
                    moved = rest.side != fact.side
                    yield rest, state.make_move_to(fact.moves[0]).after_state if moved else state

    @property
    def after_state(self) -> GameState:
        """The state after the move."""
        return self.state.make_move_to(self.move).after_state


def explain(
    state: StateLike,
    move: int | str | None = None,
    *,
    values: Iterable[MoveEvaluation] = (),
    limits: Limits | None = None,
) -> Explanation:
    """Return why a move is good or bad; only what is proved is said.

    Args:
        state: a state, or its text.
        move: its number or name; the best move unless given.
        values: what is known of the moves already, as `evaluate_moves` returns it.
        limits: what it may cost to evaluate the moves, where `values` do not tell; on large boards
            the position and the move alone. Unless given, the answer takes a part of a second.

    Raises:
        InvalidMove, InvalidNotation: the move is not legal, or no move; or the game is over.
    """
    state = state_of(state)
    if state.game_over:
        raise InvalidMove("The game is over", "game_over")
    known = {each.move: each.evaluation for each in values}
    limits = limits or (ENOUGH if is_solved(state.rules) else BRIEF)
    is_large, moves = state.rules.shape.cells > MOST_CELLS, state.legal_moves
    if is_large and len(known) < len(moves):
        return _on_large_board(state, move, known, limits)
    if not is_large and not all(each in known and known[each].is_judged for each in moves):
        told = [MoveEvaluation(*each) for each in known.items()]
        known = dict(evaluate_moves(state, limits, known=told))
    before = best_of_moves(MoveEvaluation(*each) for each in known.items())
    number = before.best[0] if move is None else state.move(move).number
    return _Search(state, number, before, known).explanation()


def _on_large_board(
    state: GameState, move: int | str | None, known: dict[int, Evaluation], limits: Limits
) -> Explanation:
    """Return the explanation where the values of most moves are not known."""
    before = evaluate(state, limits.share(0.5))
    number = before.best[0] if move is None else state.move(move).number
    if before.is_proved:
        known = dict.fromkeys(before.best, before) | known
    if number not in known and before.outcome == "loss":  # whatever the move
        known[number] = Evaluation(high=before.high, source=before.source)
    elif number not in known and number in before.best:
        known[number] = Evaluation(chance=before.chance, source=before.source)
    elif number not in known:
        after = evaluate(state.make_move_to(number).after_state, limits.share(0.5))
        known[number] = after.before_move().narrowed(-MATE, before.high)
    return _Search(state, number, before, known).explanation()


class _Search:
    """Looks for the reasons of a move.

    Args:
        before: of the state.
        values: of the move, and of others as far as they are known.
    """

    def __init__(
        self, state: GameState, move: int, before: Evaluation, values: dict[int, Evaluation]
    ) -> None:
        self._state, self._move, self._before, self._values = state, move, before, values
        self._position = state.position
        self._side = state.position.turn
        self._provers = provers_of(state.rules)

    def explanation(self) -> Explanation:
        """Return the result, the reasons, and what is told beside them."""
        state, move, before, after = self._state, self._move, self._before, self._values[self._move]
        code = RESULT_OF.get((before.outcome, after.outcome))
        reasons, by = self._reasons(code) if code else ((), "")
        if after.outcome == "open":
            code, reasons, by = self._seen()
        if code is None:
            return Explanation(state, move, before, after, context=self._noted())
        if after.outcome == "open":
            least = MATE - (plies_left(state.rules, state.position) or MATE - 1)
            bounds = (least, MATE) if code == "wins" else (-MATE, -least)
            after = after.narrowed(*bounds)
            before = before.narrowed(after.low, MATE)
        context = self._context(code, {fact.code for fact in reasons})
        result = Fact(code, self._side, (move,))
        return Explanation(state, move, before, after, result, reasons, context, by)

    def _seen(self) -> tuple[str | None, tuple[Fact, ...], str]:
        """Return the result that reasons prove where no value is known."""
        won, by = self._first(lambda prover: prover.reason(self._position, self._move, True))
        if won:
            return "wins", won, by
        lost, by = self._refuted()
        return (RESULT_OF.get((self._before.outcome, "loss")), lost, by) if lost else (None, (), "")

    def _noted(self) -> tuple[Fact, ...]:
        """Return what is true of a move whose value is not known."""
        found = [prover.noted(self._position, self._move) for prover in self._provers]
        return tuple(fact for facts in found for fact in facts)

    def _reasons(self, code: str) -> tuple[tuple[Fact, ...], str]:
        """Return what proves the result, and how."""
        position, move = self._position, self._move
        if code in ("wins", "draws"):
            found = self._first(lambda prover: prover.reason(position, move, code == "wins"))
            return found if found[0] else self._eliminated()
        if code == "drops_win":
            (missed, won_by), (saved, held_by) = self._missed(), self._saved()
            return (*missed, *saved), max(won_by, held_by, key=CERTAINTY.index)
        ended = self._first(lambda prover: prover.loses(position, move))
        return ended if ended[0] else self._refuted()

    def _refuted(self) -> tuple[tuple[Fact, ...], str]:
        """Return how the other side wins after the move."""
        after = self._state.rules.play(self._position, self._move)
        replies = self._state.rules.moves(after)
        facts, by = self._first(lambda prover: prover.best(after, replies, True))
        ways = [prover.two_ways(self._position, self._move) for prover in self._provers]
        if facts and facts[0].code == "completes" and (found := next(filter(None, ways), None)):
            return (replace(found, because=(*found.because, *facts)),), by
        return facts, by

    def _missed(self) -> tuple[tuple[Fact, ...], str]:
        """Return the move that would have won, with the reason."""
        wins = self._with("win")
        won, by = self._first(lambda prover: prover.best(self._position, wins, True))
        if not wins:
            return (), by
        move = won[0].moves[0] if won else self._quickest(wins)
        return (Fact("missed", self._side, (move,), because=won),), by

    def _saved(self) -> tuple[tuple[Fact, ...], str]:
        """Return how the other side holds the draw after the move."""
        after = self._state.rules.play(self._position, self._move)
        replies = self._state.rules.moves(after)
        return self._first(lambda prover: prover.best(after, replies, False))

    def _eliminated(self) -> tuple[tuple[Fact, ...], str]:
        found = self._first(lambda prover: prover.must(self._position, self._move))[0]
        return (found, "elimination") if found else ((), "values")

    def _context(self, code: str, told: set[str]) -> tuple[Fact, ...]:
        """Return what is told beside the reasons."""
        found = list[Fact | None]()
        side, move = self._side, self._move
        if code == "turns_win" and (wins := self._with("win")):
            found.append(Fact("missed", side, (self._quickest(wins),)))
        elif code == "loses":
            kept = tuple(self._with("draw"))
            if kept:
                found.append(Fact("kept", side, kept if len(kept) <= MOST_KEPT else kept[:1]))
        elif code in ("wins", "draws"):
            if not told & WHOLE:
                found += [prover.stopped(self._position, move) for prover in self._provers]
            if code == "draws" and not told & MUST:
                found += self._eliminated()[0]
            if not any(found) and not told & MUST and self._is_only():
                found.append(Fact("only_win" if code == "wins" else "only", side, (move,)))
            found.append(self._sooner())
            if code == "draws" and "must_stop" not in told:
                found.append(self._trap())
        return tuple(filter(None, found))

    def _is_only(self) -> bool:
        """Return whether there are other moves, and each is proved to be worse."""
        values = dict(self._values)
        least = min(values.pop(self._move).low, 1)  # a later win is no worse
        if len(values) + 1 < len(self._state.legal_moves):
            return False
        return bool(values) and all(other.high < least for other in values.values())

    def _trap(self) -> Fact | None:
        """Return that few replies keep the draw, where a table tells."""
        state = self._state
        if not is_small(state.rules):
            return None
        after = state.make_move_to(self._move).after_state
        good = tuple(reply for reply, each in evaluate_moves(after) if each.outcome == "draw")
        count = len(after.legal_moves)
        if not good or FEW * len(good) > count:
            return None
        return Fact("trap" if len(good) == 1 else "trap_many", 1 - self._side, good, count=count)

    def _sooner(self) -> Fact | None:
        """Return a move that wins sooner."""
        best = self._quickest(self._values)
        least, plies = self._values[best].plies, self._values[self._move].plies
        if self._values[best].outcome != "win" or least is None or plies is None or plies == least:
            return None
        return Fact("at_once" if least == 1 else "sooner", self._side, (best,))

    def _with(self, outcome: Outcome) -> list[int]:
        """Return the moves that have this outcome."""
        return [move for move, each in self._values.items() if each.outcome == outcome]

    def _quickest(self, moves: Iterable[int]) -> int:
        return max(moves, key=lambda move: self._values[move].rank)

    def _first(self, find: Callable[[Prover], Fact | None]) -> tuple[tuple[Fact, ...], str]:
        """Return the first reason that is found, and how it proves the result."""
        for prover in self._provers:
            if fact := find(prover):
                return (fact,), PROVED_BY.get(fact.code, prover.by)
        return (), "values"


@lru_cache(maxsize=16)
def provers_of(rules: Rules) -> tuple[Prover, ...]:
    """Return what finds reasons in a game; those that a certificate proves come first."""
    endings = EndingProver(rules)
    if finds_rows(rules) and rules.shape.cells > MOST_CELLS:
        return (RowProver(rules),)
    try:
        board = board_for(rules)
    except InvalidVariant:
        return (RowProver(rules), endings) if finds_rows(rules) else (endings,)
    if rules.shape.cells > MOST_CELLS:
        return (endings,)
    kind = MisereProver if board.misere else GravityProver if board.gravity else LineProver
    return kind(board), endings


def _count(sentences: Iterable[Message]) -> int:
    return sum(len(str(each).split()) for each in sentences)
