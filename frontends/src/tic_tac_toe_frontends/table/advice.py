"""Hints and analysis of the game at a table, found without blocking the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tic_tac_toe.insight.hints import Stage
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import cell_of
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation, MoveEvaluation, best_of_moves

from ..words.explanation_text import HERE
from .queries import AnalyseMoves, Ask, ExplainMove, FindHint, MoveValues
from .table import Table

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation

    from .task import Task

#: The values before the first answer.
UNKNOWN = MoveValues(())
#: Stands for the move before a state among the moves of the state.
LAST = -1


@dataclass(eq=False)
class AnalysisResult:
    """The queries about one state and their answers.

    Attributes:
        asked: the last query of each kind.
        answers: the last answer to each kind of query.
        requests: the number of requests for a hint.
        whys: the explanations of moves, and of the move before the state at `LAST`; ``None`` before
            the answer.
        why: the key of the requested one.
        is_choosing: whether people are asked which move to explain.
        failure: why queries cannot be answered, if so.
    """

    state: GameState | None = None
    asked: dict[type, FindHint | AnalyseMoves] = field(default_factory=dict)
    answers: dict[type, Any] = field(default_factory=dict)
    requests: int = 0
    whys: dict[int, Explanation | None] = field(default_factory=dict)
    why: int | None = None
    is_choosing: bool = False
    failure: str = ""


class Advice:
    """Evaluations of the moves in the state at a table, on request.

    They are dropped when the game moves on, as are late answers about other states. There is no
    advice while people look back.

    Args:
        changed: called after each change to show.
        for_watchers: give advice also if only computers play.

    Attributes:
        changes: the number of changes to show so far.
    """

    def __init__(
        self,
        table: Table,
        ask: Ask,
        changed: Callable[[], object],
        *,
        for_watchers: bool = False,
    ) -> None:
        self.analysing = False
        self.changes = 0
        self._table = table
        self._ask = ask
        self._show = changed
        self._for_watchers = for_watchers
        self._result = AnalysisResult()

    @property
    def is_useful(self) -> bool:
        """Whether advice is possible now."""
        table = self._table
        watched = self._for_watchers and not table.people
        is_at_present = table.replay.ply is None and not table.match.over and table.task is None
        return is_at_present and (table.thinker is None or watched)

    @property
    def task(self) -> Task | None:
        """The puzzle or exercise, while its present position is shown."""
        return self._table.task if self._table.replay.ply is None else None

    @property
    def is_for_one(self) -> bool:
        """Whether one person plays a computer, so that texts may say "you"."""
        return self._table.person is not None

    @property
    def possible(self) -> dict[str, bool]:
        """Whether undo, redo and hint are possible now, by names of commands."""
        table = self._table
        return {
            "undo": table.can_take_back,
            "redo": table.can_play_again,
            "hint": self.is_useful,
        }

    @property
    def hint(self) -> Evaluation | None:
        """The requested hint, if found: one best move, or all of them after the last `stage`.

        It is never worse than a value on the screen.
        """
        hint, moves = self._hint, self._moves
        if hint is None:
            return None
        if shown := {move.move: move.evaluation for move in moves if move.is_judged}:
            known = best_of_moves(moves)
            is_worse = shown.get(hint.best[0], hint).rank < max(one.rank for one in shown.values())
            if is_worse or (known.is_proved and not hint.is_proved):
                hint = known
        asked = self._result_on_screen.asked.get(FindHint)
        is_full = isinstance(asked, FindHint) and asked.full
        return hint if is_full else hint._replace(best=hint.best[:1])

    @property
    def stage(self) -> Stage | None:
        """How much the hint tells, which grows with each request; ``None`` for all best moves.

        Where the move is not explained, or its value is on the screen, the move is told at once.
        """
        why, requests = self.hint_why, self._result_on_screen.requests
        stages = () if why is None or self._analysis.moves else why.stages
        told = [stage for stage in stages if stage is not Stage.MOVE] or [Stage.REASON]
        return told[requests - 1] if 0 < requests <= len(told) else None

    @property
    def hint_why(self) -> Explanation | None:
        """The explanation of the hint's move, if it is known."""
        hint = self.hint
        return None if hint is None else self._result_on_screen.whys.get(hint.best[0])

    @property
    def best(self) -> tuple[int, ...]:
        """The cells that the hint names."""
        if self.task is not None:
            return self.task.best
        is_told = self.stage not in (Stage.THEME, Stage.AREA) and not self.is_seeking_hint
        return self.hint.best if self.hint is not None and is_told else ()

    @property
    def objection(self) -> Explanation | None:
        """What the coach says of the last move, while the computer waits and it is shown."""
        return self._table.coach.objection if self._table.replay.ply is None else None

    @property
    def why(self) -> Explanation | None:
        """The requested explanation, if found."""
        found = self._result_on_screen
        return None if found.why is None else found.whys[found.why]

    @property
    def is_seeking_why(self) -> bool:
        """Whether an explanation was requested and is not found yet."""
        return self._result_on_screen.why is not None and self.why is None

    @property
    def may_choose(self) -> bool:
        """Whether people can ask why any move is good or bad: the values of moves are shown."""
        return self.is_useful and bool(self.values)

    @property
    def is_choosing(self) -> bool:
        """Whether the next chosen move is explained, and not made."""
        return self.may_choose and self._result_on_screen.is_choosing

    @property
    def told(self) -> Explanation | None:
        """The explanation that is told: of the coach, the requested one, or the hint's."""
        if self.task is not None:
            return self.task.told
        is_reasoned = self.stage is Stage.REASON and not self.is_seeking_hint
        return self.objection or self.why or (self.hint_why if is_reasoned else None)

    @property
    def written(self) -> dict[int, str]:
        """The signs in empty cells for what is told: a chosen move, threats, the order of moves."""
        told, cells = self.told, self._table.replay.state(self._table.match).grid.cells
        if told is None:
            return {}
        cell, signs = cell_of(told.state.rules, told.move), dict(told.marks().written)
        if told is self.why and told.state is self._table.state and cell is not None:
            signs[cell] = HERE
        return {cell: sign for cell, sign in signs.items() if cells[cell] == " "}  # but replies

    @property
    def values(self) -> tuple[MoveEvaluation, ...]:
        """The known evaluations of moves; empty unless an analysis or a hint was requested."""
        return tuple(move for move in self._moves if move.is_judged)

    @property
    def is_exact(self) -> bool:
        """Whether all moves are solved."""
        return self._analysis.is_exact

    @property
    def is_by_server(self) -> bool:
        """Whether the values come from a server."""
        return self._analysis.by_server

    @property
    def failure(self) -> str:
        """Why queries cannot be answered, if a screen reported a failure."""
        return self._result_on_screen.failure

    @property
    def is_seeking_hint(self) -> bool:
        """Whether a hint was requested and is not found yet."""
        found, hint = self._result_on_screen, self.hint
        if hint is None:
            return FindHint in found.asked
        is_explained = found.whys.get(hint.best[0], hint) is not None
        return not is_explained and not self._analysis.moves

    @property
    def is_seeking_analysis(self) -> bool:
        """Whether an analysis was requested and nothing is found yet."""
        return (
            self.analysing and self.is_useful and AnalyseMoves not in self._result_on_screen.answers
        )

    @property
    def is_too_large(self) -> bool:
        """Whether the requested analysis was given up because it takes too long."""
        is_answered = self.analysing and self.is_useful and not self.is_seeking_analysis
        return is_answered and not self.values

    def ask_hint(self) -> None:
        """Search for one best move, or tell more of it, in the end all best moves."""
        self._table.remark = ""
        self._turn_to(self._table.state)
        found, before = self._result, self.changes
        found.is_choosing = False
        if self.is_useful and not self.is_seeking_hint:
            found.requests += 1
            found.why = None
            is_full = self.hint is not None and self.stage is None
            self._start(FindHint(self._table.state, full=is_full))
        if self.changes == before:  # else an answer has done it already
            self._changed()

    def ask_why(self) -> None:
        """Let people choose a move to explain, if they can; asked again, explain the last."""
        if self.may_choose and not self.is_choosing:
            self._table.remark = ""
            self._result.is_choosing, self._result.why = True, None
            self._changed()
        else:
            self.explain()

    def explain(self, move: int | None = None) -> None:
        """Find out why a move of the state is good or bad, or the move before it."""
        self._table.remark = ""
        self._turn_to(self._table.state)
        found, before, history = self._result, self.changes, self._table.match.history
        found.is_choosing = False
        if (move is not None or history) and not self.is_seeking_hint:
            found.why = LAST if move is None else move
            if move is not None:
                self._send_why(move, ExplainMove(self._table.state, move, self._moves))
            else:
                self._stop_analysis()  # a page's worker answers queries about one state
                self._send_why(LAST, ExplainMove(history[-1].before_state, history[-1].number))
        if self.changes == before:
            self._changed()

    def analyse(self, wanted: bool) -> None:
        """Switch the analysis on or off."""
        self._table.remark = ""
        self.analysing = wanted
        if not wanted:
            self._result.is_choosing = False
            self._stop_analysis()
        self.refresh()
        self._changed()

    def refresh(self) -> None:
        """Follow a change of the game."""
        self._turn_to(self._table.state)
        if self.analysing and self.is_useful and not (self.values and self.is_exact):
            self._start(AnalyseMoves(self._table.state))

    @property
    def deeper_query(self) -> AnalyseMoves | None:
        """The query that evaluates the moves with more work; ``None`` if that is useless."""
        query, found = self._result.asked.get(AnalyseMoves), self._result.answers.get(AnalyseMoves)
        return query.again(found) if isinstance(query, AnalyseMoves) and found else None

    def search_deeper(self) -> bool:
        """Evaluate the moves with more work; return whether that can help."""
        more = self.deeper_query
        if more is not None and self.is_useful:
            self._send(more)
        return more is not None

    def reset(self) -> None:
        """Drop the hint, the analysis and running queries."""
        self._stop_analysis()
        self._result = AnalysisResult()
        self.changes += 1

    def fail(self, state: GameState, why: str) -> None:
        """Note why queries about a state cannot be answered."""
        history = self._table.match.history
        asked = [self._result.state, *(move.before_state for move in history[-1:])]
        if any(state is each for each in asked):
            self._result.failure = why
            self._changed()

    def _changed(self) -> None:
        self.changes += 1
        self._show()

    @property
    def _hint(self) -> Evaluation | None:
        return self._result_on_screen.answers.get(FindHint)

    @property
    def _moves(self) -> tuple[MoveEvaluation, ...]:
        """The evaluations of the analysis, narrowed by those of the hint."""
        found, hint = self._analysis.moves, self._hint
        if hint is None:
            return found
        low, high, best = hint.low, hint.high, hint.best
        if not hint.is_proved:
            return tuple(
                move._replace(evaluation=move.evaluation._replace(chance=hint.chance))
                if move.move == best[0] and not move.is_judged
                else move
                for move in found
            )
        return tuple(
            MoveEvaluation(cell, known.narrowed(low if cell in best else -MATE, high))
            for cell, known in found
        )

    @property
    def _analysis(self) -> MoveValues:
        return (self.analysing and self._result_on_screen.answers.get(AnalyseMoves)) or UNKNOWN

    @property
    def _result_on_screen(self) -> AnalysisResult:
        table, found = self._table, self._result
        return found if found.state is table.replay.state(table.match) else AnalysisResult()

    def _turn_to(self, state: GameState) -> None:
        if state is not self._result.state:
            self._stop_analysis()
            self._result = AnalysisResult(state)
            self.changes += 1

    def _stop_analysis(self) -> None:
        query = self._result.asked.pop(AnalyseMoves, None)
        if isinstance(query, AnalyseMoves):
            query.callback.stop()

    def _start(self, query: FindHint | AnalyseMoves) -> None:
        """Send a query unless it was sent before."""
        self._turn_to(query.state)
        asked = self._result.asked.get(type(query))
        if asked is None or (isinstance(query, FindHint) and asked != query):
            self._send(query)

    def _send(self, query: FindHint | AnalyseMoves) -> None:
        """Send a query; after an analysis send the next one with more work.

        If ``ask`` answers before it returns, as on the console, people ask for the next one.
        """
        found, kind, is_waiting = self._result, type(query), True
        found.asked[kind] = query

        def done(answer: Any) -> None:
            if found is not self._result or kind not in found.asked:
                return
            if isinstance(answer, MoveValues) and (before := found.answers.get(kind)):
                answer = answer.after(before)
            found.answers[kind] = answer
            before = self.changes
            if isinstance(query, FindHint) and not query.full and answer and answer.is_proved:
                self._explain_hint(answer)
            if self.changes == before:  # else the explanation has done it already
                self._changed()
            if not is_waiting and found is self._result and found.asked.get(kind) is query:
                if self.is_useful:
                    self.search_deeper()
                else:  # people look back: continue when they return
                    found.asked.pop(kind)

        self._ask(query, done)
        is_waiting = False

    def _explain_hint(self, hint: Evaluation) -> None:
        """Ask why the move of a proved hint is good."""
        move, known = hint.best[0], {each.move: each for each in self._moves}
        known = {move: MoveEvaluation(move, hint)} | known
        self._send_why(move, ExplainMove(self._table.state, move, tuple(known.values())))

    def _send_why(self, key: int, query: ExplainMove) -> None:
        """Send a query unless it was sent before."""
        found = self._result
        if key in found.whys:
            return
        found.whys[key] = None

        def done(answer: Explanation) -> None:
            if found is self._result:
                found.whys[key] = answer
                self.refresh()
                self._changed()

        self._ask(query, done)
