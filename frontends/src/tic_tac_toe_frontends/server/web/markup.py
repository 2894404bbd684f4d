"""HTML that is put together from elements: text is escaped unless it is known to be markup."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup, escape

_WITHOUT_CONTENT: Final = frozenset({"link", "meta", "br"})


def element(name: str, /, *content: str, **attributes: str | bool) -> Markup:
    """Return an element.

    Args:
        content: what stands in it; everything but `Markup` is text, and escaped.
        attributes: by their names; ``True`` gives one without a value, ``False`` none. An
            underscore at the end is dropped, and one inside is a hyphen.
    """
    written = [name]
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            written.append(key)
        elif value is not False:
            written.append(f'{key}="{escape(value)}"')
    opening = f"<{' '.join(written)}>"
    return Markup(opening if name in _WITHOUT_CONTENT else f"{opening}{join(*content)}</{name}>")


def join(*content: str) -> Markup:
    """Return pieces one after the other; everything but `Markup` is escaped."""
    return Markup("").join(content)
