"""``tic-tac-toe check``: whether proof certificates prove what they claim."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from gettext import NullTranslations
from typing import BinaryIO

from tic_tac_toe.certificate_check import Claim, InvalidCertificate, check
from tic_tac_toe.logic.rules.catalogue import find_rules

from ..program.options import Parser, language_of
from ..program.process import DONE, REFUSED, complain, reason_of, run
from ..program.record_files import STDIN
from ..program.terminal import Terminal, harmless, shortened
from ..words.game_text import variant_title
from ..words.messages import localise


def main(arguments: Sequence[str], prog: str) -> int:
    """Check certificates and return the exit status of the process."""
    return run(lambda: _check(arguments, prog))


def _check(arguments: Sequence[str], prog: str) -> int:
    language = language_of(arguments)
    _ = language.gettext
    parser = Parser(
        prog,
        language,
        _(
            "Check proof certificates, as “tic-tac-toe solve --certificate” writes them, "
            "without trusting the search or the rules that they came from."
        ),
    )
    parser.arguments.add_argument(
        "files", metavar="FILE", nargs="+", help=_("a certificate; - is standard input")
    )
    parser.add_language()
    options = parser.parse_args(arguments)
    terminal, status = Terminal.standard(), DONE
    for name in options.files:
        try:
            claim = check(_standard_input() if name == STDIN else name)
        except InvalidCertificate as error:
            reason = localise(language, error)
            message = _("{file} proves nothing: {reason}")
        except OSError as error:
            reason = reason_of(error)
            message = _("cannot read {file}: {reason}")
        else:
            terminal.show(describe(harmless(shortened(name)), claim, language))
            continue
        complain(harmless(message.format(file=shortened(name), reason=reason)))
        status = REFUSED
    return status


def describe(name: str, claim: Claim, language: NullTranslations) -> str:
    """Return what a file has proved, in one line."""
    _ = language.gettext
    outcomes = {"win": _("win"), "draw": _("draw"), "loss": _("loss")}
    return language.ngettext(
        "{file}: {variant}, {position}: {outcome}, proved by {count} theorem",
        "{file}: {variant}, {position}: {outcome}, proved by {count} theorems",
        claim.theorems,
    ).format(
        file=name,
        variant=variant_title(find_rules(f"mnk:{claim.game}"), language),
        position=claim.position,
        outcome=outcomes[claim.outcome],
        count=claim.theorems,
    )


def _standard_input() -> BinaryIO:
    return sys.stdin.buffer if sys.stdin else io.BytesIO()
