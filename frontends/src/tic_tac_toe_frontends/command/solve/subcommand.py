"""``tic-tac-toe solve``: exact answers of the fast solver, about one position or many."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tic_tac_toe.logic.exceptions import GameError
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.evaluation import MoveEvaluation, Outcome

from ...program.files import check_writable, writing
from ...program.process import DONE, REFUSED, Refused, error_object, print_error
from ...program.terminal import Terminal
from ...words.evaluation_text import outcome_word
from ...words.foreign import truncated
from ...words.translation import localise
from ..progress import ProgressLine
from ..verdicts import Found, as_object, describe_moves, describe_position, one_line
from .args import SolveArgs, parse_args, read_lines, score_of
from .search import Search, check_game, needs_plain_python, warn_of_size


def main(arguments: Sequence[str], prog: str) -> int:
    """Solve one position or a file of positions, and return the exit status of the process."""
    args = parse_args(arguments, prog)
    language = args.language
    state = GameState.new(args.position.rules) if args.file is not None else args.position.state()
    if not needs_plain_python(args):
        check_game(state, language)
    if args.certificate is not None:
        check_certificate(args, state, args.certificate)
    search = Search(args, ProgressLine(language))
    report = _Report(args, search)
    try:
        status = report.solve_state(state) if args.file is None else report.solve_lines(args.file)
    except (KeyboardInterrupt, SystemExit):
        search.save()
        raise
    finally:
        search.close()
    search.save()
    return REFUSED if search.unsaved else status


def check_certificate(args: SolveArgs, state: GameState, path: str) -> None:
    """Check that the requested proof can be written, before the search.

    Raises:
        Refused: it cannot be written.
    """
    from tic_tac_toe.solver.certificates import check_provable, journal_beside

    with writing(path, args.language):
        check_writable(Path(path))
        try:
            check_provable(state.rules, state.position, journal_beside(path))
        except GameError as error:
            message = args.language.gettext("no proof is written: {reason}")
            raise Refused(message.format(reason=localise(args.language, error))) from None


class _Report:
    """Runs the search, and prints each answer at once."""

    def __init__(self, args: SolveArgs, search: Search) -> None:
        self._args, self._language, self._search = args, args.language, search
        self._terminal = Terminal.standard()
        self._before = (0, 0.0)

    def solve_state(self, state: GameState) -> int:
        """Solve one position and return the exit status."""
        status = DONE
        extra: dict[str, object] = {}
        warn_of_size(self._args, state)
        found = self._search.find(state)
        if not self._args.json:
            self._terminal.show_lines(describe_position(state, found, self._language))
        if self._args.certificate is not None:
            try:
                extra["certificate"] = self._certify(state, self._args.certificate)
            except Refused as refusal:
                print_error(str(refusal))
                extra = {"certificate": None} | error_object(str(refusal), refusal.code)
                status = REFUSED
        if self._args.json:
            self._terminal.show(json.dumps(self._object(state, found) | extra))
        else:
            self._show_rest(state, found)
        return status

    def solve_lines(self, name: str) -> int:
        """Solve each line of a file, compare its score, and return the exit status."""
        status, scores = DONE, list[bool | None]()
        for line in read_lines(name, self._args.position):
            if isinstance(line.state, Refused):
                message = self._language.gettext("line {line}: {reason}")
                print_error(message.format(line=line.number, reason=line.state))
                if self._args.json:
                    error = error_object(str(line.state), line.state.code)
                    self._terminal.show(json.dumps({"number": line.number} | error))
                status = REFUSED
                continue
            self._before = self._search.nodes, self._search.seconds
            found = self._search.find(line.state)
            output = {"number": line.number} | self._object(line.state, found)
            text = one_line(line.state, found, self._language)
            if line.score is not None:
                score = None if self._args.outcome else score_of(line.state, found.evaluation)
                agrees = self._compare(line.number, line.score, found.evaluation.outcome, score)
                output |= {"score": score, "expected_score": line.score, "agrees": agrees}
                if score is not None:
                    text += "; " + self._language.gettext("score {score}").format(score=score)
                scores.append(agrees)
            if self._args.json:
                self._terminal.show(json.dumps(output))
            else:
                self._terminal.show_entry(text)
        if scores:
            self._sum_up(scores)
        return status if all(scores) else REFUSED

    def _compare(
        self, number: int, expected: int, outcome: Outcome, score: int | None
    ) -> bool | None:
        """Return whether the score in a line is right, ``None`` if unknown; print a wrong one."""
        if outcome == "open":
            return None
        sign = (expected > 0) - (expected < 0)
        agrees: bool | None = outcome == ("draw", "win", "loss")[sign]
        if agrees and not self._args.outcome:
            agrees = None if score is None else score == expected
        if agrees is False:
            found = outcome_word(outcome, self._language) if score is None else score
            message = self._language.gettext(
                "line {line}: the file says {expected}, and the answer is {found}"
            )
            print_error(message.format(line=number, expected=expected, found=found))
        return agrees

    def _sum_up(self, scores: Sequence[bool | None]) -> None:
        """Print the number of right scores of a file."""
        language = self._language
        agreeing, unknown = scores.count(True), scores.count(None)
        if self._args.json:
            output = {"count": len(scores), "agree": agreeing, "not_compared": unknown}
            self._terminal.show(json.dumps({"scores": output}))
            return
        text = language.ngettext(
            "{agreeing} of {count} score agrees.",
            "{agreeing} of {count} scores agree.",
            len(scores),
        )
        if self._args.outcome:
            text = language.ngettext(
                "{agreeing} of {count} score agrees in its sign, which alone --outcome compares.",
                "{agreeing} of {count} scores agree in their sign, which alone --outcome compares.",
                len(scores),
            )
        show = self._terminal.show_wrapped
        show(text.format(agreeing=f"{agreeing:,}", count=f"{len(scores):,}"))
        if unknown:
            text = language.ngettext(
                "{count} score is not compared: its search ended early.",
                "{count} scores are not compared: their searches ended early.",
                unknown,
            )
            show(text.format(count=f"{unknown:,}"))

    def _object(self, state: GameState, found: Found) -> dict[str, object]:
        evaluation = found.evaluation
        moves = None if self._args.outcome else self._search.moves(state, evaluation)
        nodes, seconds = self._before
        return as_object(state, evaluation, moves) | {
            "nodes": None if needs_plain_python(self._args) else self._search.nodes - nodes,
            "seconds": round(self._search.seconds - seconds, 3),
        }

    def _show_rest(self, state: GameState, found: Found) -> None:
        """Print the moves and the effort."""
        _, show = self._language.gettext, self._terminal.show_wrapped
        moves, evaluation = list[MoveEvaluation](), found.evaluation
        if evaluation.best and not self._args.outcome:
            moves = self._search.moves(state, evaluation)
        self._terminal.show_lines([*describe_moves(state, evaluation, moves, self._language), ""])
        if not evaluation.best and found.limit:
            reason = localise(self._language, found.limit)
            show(_("The search ended early: {reason}.").format(reason=reason))
        elif any(move.plies is None for move in moves):
            show(_("The search ended early: what is marked with ? is not known."))
        seconds = f"{self._search.seconds:.1f}"
        if not needs_plain_python(self._args):  # which does not count them
            text = _("nodes: {nodes}; seconds: {seconds}")
            show(text.format(nodes=f"{self._search.nodes:,}", seconds=seconds))

    def _certify(self, state: GameState, path: str) -> dict[str, object]:
        theorems, size = self._search.certify(state, path)
        if not self._args.json:
            text = self._language.gettext("proof: {file}; theorems: {count}; bytes: {size}")
            output = text.format(file=truncated(path), count=f"{theorems:,}", size=f"{size:,}")
            self._terminal.show_entry(output)
        return {"file": path, "theorems": theorems, "bytes": size}
