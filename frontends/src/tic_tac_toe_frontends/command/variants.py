"""``tic-tac-toe variants``: lists the games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from gettext import NullTranslations

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.rules.statuses import status_of
from tic_tac_toe.logic.rules.traits import traits_of

from ..program.options import Parser
from ..program.process import DONE
from ..program.terminal import Terminal, in_columns, screen_width
from ..words.rules_text import describe_game, describe_rules, describe_status, variant_title
from ..words.translation import N_, join_clauses


def main(arguments: Sequence[str], prog: str) -> int:
    """List the variants and return the exit status of the process."""
    parser = Parser(prog, arguments, N_("List the games by name."))
    language, _ = parser.language, parser.language.gettext
    parser.options.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help=_("tell the rules of each game, and who solved it"),
    )
    parser.add_flag("--json", _("print a JSON array of objects"))
    parser.add_language()
    options = parser.read()
    entries = [as_object(name, rules, language) for name, rules in VARIANTS.items()]
    terminal = Terminal.standard()
    if options.json:
        terminal.show(json.dumps(entries))
        return DONE
    describe = _description if options.verbose else _title_line
    rows = ((name, describe(name, rules, language)) for name, rules in VARIANTS.items())
    for line in in_columns(rows, screen_width()):
        terminal.show(line)
    return DONE


def _title_line(name: str, rules: Rules, language: NullTranslations) -> str:
    title = variant_title(rules, language)
    status = describe_status(status_of(rules), language, with_source=False)
    return join_clauses([title, status], language)


def _description(name: str, rules: Rules, language: NullTranslations) -> str:
    title, description = variant_title(rules, language), describe_game(rules, language)
    if title == describe_rules(rules, language):  # the game is its size
        return description
    message = language.gettext("{variant}: {description}")
    return message.format(variant=title, description=description)


def as_object(name: str, rules: Rules, language: NullTranslations) -> dict[str, object]:
    """Return a variant for ``--json``; values that do not apply are null."""
    status = status_of(rules)
    return {
        "name": name,
        "description": describe_rules(rules, language),
        "columns": rules.shape.columns,
        "rows": rules.shape.rows,
        "length": traits_of(rules).length,
        "flags": list(traits_of(rules).flags),
        "status": {**status._asdict(), "exact": status.outcome is not None},
    }
