"""The errors of `argparse` in the reader's language.

`argparse` passes only the finished English text to `ArgumentParser.error`. So this module
recognises the messages that `options.Parser` can cause by their text, and formats them again from a
translation. A test compares the templates with the source of `argparse`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from gettext import NullTranslations

from tic_tac_toe.logic.registry import closest

from ..words.foreign import truncated
from ..words.translation import N_

#: The maximum length of quoted input.
MOST_TOLD = 40
ARGUMENT = N_("argument {argument}: {reason}")
#: The templates; types of options translate their own messages.
TEMPLATES = (
    N_("the following arguments are required: {arguments}"),
    N_("invalid choice: {value} (choose from {choices})"),
    N_("expected one argument"),
    N_("ignored explicit argument {value}"),
)


#: Words that people try for options with another name.
OTHER_WORDS = {"--games": "--pairs", "--game": "--variant"}
#: Replaces the message of `argparse`, which suggests no similar names.
MISSPELT = N_("invalid choice: {value}; did you mean {close}? Else choose from {choices}")


def unknown_text(words: Sequence[str], options: Collection[str], language: NullTranslations) -> str:
    """Return the message about unknown arguments, with a similar option if there is one.

    Args:
        options: all options.
    """
    _, quoted = language.gettext, truncated(" ".join(words), MOST_TOLD)
    for name in (word.partition("=")[0] for word in words if word.startswith("-")):
        guesses = (name.swapcase(), OTHER_WORDS.get(name, ""))
        meant = next((guess for guess in guesses if guess in options), closest(name, options))
        if meant:
            message = _("unrecognized arguments: {arguments}; did you mean {option}?")
            return message.format(arguments=quoted, option=meant)
    return _("unrecognized arguments: {arguments}").format(arguments=quoted)


def translate(message: str, language: NullTranslations) -> str:
    """Return an error message of `argparse` in another language; other texts unchanged."""
    found = _values(ARGUMENT, message)
    if found is None:
        return _translate_reason(message, language)
    reason = _translate_reason(found["reason"], language)
    return language.gettext(ARGUMENT).format(argument=found["argument"], reason=reason)


def _translate_reason(reason: str, language: NullTranslations) -> str:
    for template in TEMPLATES:
        values = _values(template, reason)
        if values is not None:
            if "choices" in values:  # names need no quotes
                values["choices"] = values["choices"].replace("'", "")
                if close := closest(values["value"].strip("'"), values["choices"].split(", ")):
                    template, values["close"] = MISSPELT, close
            if "value" in values:
                values["value"] = truncated(values["value"], MOST_TOLD)
            return language.gettext(template).format(**values)
    return reason


def _values(template: str, message: str) -> dict[str, str] | None:
    """Return the parameters of a message; ``None`` if it does not match the template."""
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template))
    found = re.fullmatch(pattern, message, re.DOTALL)
    return None if found is None else found.groupdict()
