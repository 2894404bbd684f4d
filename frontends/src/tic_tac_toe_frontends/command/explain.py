"""``tic-tac-toe explain``: why a move is good or bad, with a proof."""

from __future__ import annotations

import json
from collections.abc import Sequence
from gettext import NullTranslations
from pathlib import Path

from tic_tac_toe.insight.explain import Explanation, explain
from tic_tac_toe.insight.facts import Fact, Names, sentence
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.notation import format_state, move_name
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.pictures.letters import PLAIN, draw

from ..program.files import writing
from ..program.options import Parser, add_position, position_of
from ..program.process import DONE, Refused
from ..program.terminal import Terminal
from ..words.explanation_text import signs_of, why_sentences
from ..words.foreign import escaped
from ..words.translation import N_, localise


def main(arguments: Sequence[str], prog: str) -> int:
    """Explain a move and return the exit status of the process."""
    about = N_("Tell why a move is good or bad. Only what is proved is said.")
    parser = Parser(prog, arguments, about)
    language, _ = parser.language, parser.language.gettext
    add_position(parser)
    parser.add_value("--move", "MOVE", _("the move (the best one unless given)"))
    parser.add_value(
        "--proof", "FILE", _("write the certificate of the reason; more get a number each")
    )
    parser.add_flag("--json", _("print one JSON object"))
    parser.add_language()
    options = parser.read()
    state = position_of(options, language).state()
    if state.game_over:
        raise Refused(_("the game is over"), "game_over")
    try:
        explanation = explain(state, options.move)
    except (InvalidMove, InvalidNotation) as error:
        raise Refused(escaped(localise(language, error)), error.code) from None
    if options.proof is not None:
        _write(explanation.proof(), Path(options.proof), language)
    terminal = Terminal.standard()
    if options.json:
        terminal.show(json.dumps(as_object(explanation)))
    else:
        for line in draw(state, PLAIN, written=signs_of(explanation)):
            terminal.show(line)
        terminal.show()
        terminal.show_wrapped(*why_sentences(explanation, language))
    return DONE


def as_object(explanation: Explanation) -> dict[str, object]:
    """Return the object for ``--json``; cells are counted from 0 in reading order.

    ``before`` and ``after`` are the outcomes that are proved for the side to move without and with
    the move, else null. ``by`` tells how; see `Explanation`.

    Each fact has its ``code``, its ``side``, the ``cells``, ``lines`` and ``count`` that its
    sentence names, its ``moves`` by number, in turns from its side, the facts that it rests on as
    ``because``, its English ``sentence``, and its ``certificate``, null where it has none.
    """
    state = explanation.state
    return {
        "variant": variant_name(state.rules),
        "position": format_state(state),
        "to_move": state.current_mark.value,
        "move": explanation.move,
        "name": move_name(state, explanation.move),
        "before": _proved(explanation.before),
        "after": _proved(explanation.after),
        "by": explanation.by,
        "theme": explanation.theme,
        "message": str(explanation.message()),
        "facts": [_fact(fact, state, explanation) for fact, state in explanation.facts],
    }


def _proved(value: Evaluation) -> str | None:
    return None if value.outcome == "open" else value.outcome


def _fact(fact: Fact, state: GameState, explanation: Explanation) -> dict[str, object]:
    proofs = dict(explanation.certificates)
    return {
        "code": fact.code,
        "side": MARKS[fact.side].value,
        "cells": fact.cells,
        "lines": fact.lines,
        "moves": fact.moves,
        "count": fact.count,
        "because": [_fact(each, state, explanation) for each in fact.because],
        "sentence": str(sentence(fact, state, Names())),
        "certificate": proofs.get(fact),
    }


def _write(proofs: Sequence[str], path: Path, language: NullTranslations) -> None:
    """Write certificates to a file, and those after the first to files with numbers.

    Raises:
        Refused: there is none, or a file cannot be written.
    """
    if not proofs:
        raise Refused(language.gettext("no reason of this move has a certificate"), "no_proof")
    for i, proof in enumerate(proofs, 1):
        name = path if i == 1 else path.with_name(f"{path.stem}-{i}{path.suffix}")
        with writing(name, language):
            name.write_text(proof, encoding="utf-8", newline="\n")
