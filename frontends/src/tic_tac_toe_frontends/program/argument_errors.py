"""What `argparse` says of a wrong command line, in the reader's language.

`argparse` translates its messages by the translations that a whole process has installed. These
programs install none, so that its messages come in English: they are recognised by their templates
and put together again from the translated ones. Python's versions differ in how they quote choices.
"""

from __future__ import annotations

import re
from gettext import NullTranslations

from ..words.library_messages import pattern_of
from ..words.translation import N_

ARGUMENT = N_("argument {argument}: {reason}")
#: What can be wrong with the options that `options.Parser` has; more is said by their types.
TEMPLATES = (
    N_("the following arguments are required: {arguments}"),
    N_("unrecognized arguments: {arguments}"),
    N_("invalid choice: {value} (choose from {choices})"),
    N_("expected one argument"),
    N_("ignored explicit argument {value}"),
)


def translate(message: str, language: NullTranslations) -> str:
    """Return an error message of `argparse` in another language; any other one as it is."""
    found = _values(ARGUMENT, message)
    if found is None:
        return _translate_reason(message, language)
    reason = _translate_reason(found["reason"], language)
    return language.gettext(ARGUMENT).format(argument=found["argument"], reason=reason)


def _translate_reason(reason: str, language: NullTranslations) -> str:
    for template in TEMPLATES:
        values = _values(template, reason)
        if values is not None:
            if "choices" in values:  # names, which need no quotes
                values["choices"] = values["choices"].replace("'", "")
            return language.gettext(template).format(**values)
    return reason


def _values(template: str, message: str) -> dict[str, str] | None:
    """Return what fills the places of a template in a message, ``None`` if it does not fit."""
    found = re.fullmatch(pattern_of(template), message, re.DOTALL)
    return None if found is None else found.groupdict()
