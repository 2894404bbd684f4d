"""``tic-tac-toe variants``: the games there are."""

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
from ..program.terminal import Terminal, in_columns
from ..words.rules_text import describe_rules, variant_title
from ..words.status_text import describe_status
from ..words.translation import N_


def main(arguments: Sequence[str], prog: str) -> int:
    """List the variants and return the exit status of the process."""
    parser = Parser(prog, arguments, N_("List the games by name."))
    language = parser.language
    parser.add_flag("--json", language.gettext("print a JSON array of objects"))
    parser.add_language()
    options = parser.read()
    entries = [as_object(name, rules, language) for name, rules in VARIANTS.items()]
    terminal = Terminal.standard()
    if options.json:
        terminal.show(json.dumps(entries))
        return DONE
    titles = ((name, _described(name, rules, language)) for name, rules in VARIANTS.items())
    for line in in_columns(titles):
        terminal.show(line)
    return DONE


def _described(name: str, rules: Rules, language: NullTranslations) -> str:
    """Return the title of a variant, if it has one, its rules, and whether it is solved."""
    title, description = variant_title(rules, language), describe_rules(rules, language)
    description += f"; {describe_status(status_of(rules), language)}"
    if title == name:
        return description
    message = language.gettext("{variant}: {description}")
    return message.format(variant=title, description=description)


def as_object(name: str, rules: Rules, language: NullTranslations) -> dict[str, object]:
    """Return what ``--json`` prints of a variant; what does not apply to it is null."""
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
