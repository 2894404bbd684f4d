"""The errors of `argparse` in the reader's language.

`argparse` formats its messages itself, in English unless the whole process has a text domain of
`gettext`, and passes only the text to `ArgumentParser.error`. So the messages that the options of
`options.Parser` can cause are recognised by their text, and formatted again from a translation. A
test compares the templates with the source of `argparse`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from gettext import NullTranslations

from tic_tac_toe.logic.registry import closest

from ..words.foreign import shortened
from ..words.translation import N_

#: No more letters of what was typed are told back.
MOST_TOLD = 40
ARGUMENT = N_("argument {argument}: {reason}")
#: What else can be wrong is said by the types of options, which translate their own messages.
TEMPLATES = (
    N_("the following arguments are required: {arguments}"),
    N_("invalid choice: {value} (choose from {choices})"),
    N_("expected one argument"),
    N_("ignored explicit argument {value}"),
)


#: Said instead of the message of `argparse`, which knows nothing of similar names.
MISSPELT = N_("invalid choice: {value}; did you mean {close}? Else choose from {choices}")


def unknown_text(words: Sequence[str], options: Collection[str], language: NullTranslations) -> str:
    """Return the message about words that are no arguments, with the option that one is like.

    Args:
        options: those that there are.
    """
    _, told = language.gettext, shortened(" ".join(words), MOST_TOLD)
    for name in (word.partition("=")[0] for word in words if word.startswith("-")):
        meant = name.swapcase() if name.swapcase() in options else closest(name, options)
        if meant:
            message = _("unrecognized arguments: {arguments}; did you mean {option}?")
            return message.format(arguments=told, option=meant)
    return _("unrecognized arguments: {arguments}").format(arguments=told)


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
                if close := closest(values["value"].strip("'"), values["choices"].split(", ")):
                    template, values["close"] = MISSPELT, close
            if "value" in values:
                values["value"] = shortened(values["value"], MOST_TOLD)
            return language.gettext(template).format(**values)
    return reason


def _values(template: str, message: str) -> dict[str, str] | None:
    """Return the values of a message by their names, ``None`` if it is not of this template."""
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template))
    found = re.fullmatch(pattern, message, re.DOTALL)
    return None if found is None else found.groupdict()
