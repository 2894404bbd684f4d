"""The frame of the server's plain pages, which need no script, and their common parts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from gettext import NullTranslations
from typing import Final

from markupsafe import Markup, escape

from ...words.translation import code_of

_WITHOUT_CONTENT: Final = frozenset({"link", "meta", "br"})


def element(name: str, /, *content: str, **attributes: str | bool) -> Markup:
    """Return an element.

    Args:
        content: its content; everything but `Markup` is text, and escaped.
        attributes: by name; ``True`` gives one without a value, ``False`` none. An underscore at
            the end is dropped, others become hyphens.
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
    """Return pieces joined; everything but `Markup` is escaped."""
    return Markup("").join(content)


#: The style sheet of the pages.
STYLE_PATH = "/plain.css"


def page(
    title: str, main: Sequence[Markup], language: NullTranslations, *, has_page: bool = False
) -> str:
    """Return a page; `has_page` says whether games can be played in the browser."""
    _ = language.gettext
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("link", rel="stylesheet", href=STYLE_PATH),
    )
    links = [element("a", _("Games on this server"), href="/games")]
    if has_page:
        links.append(element("a", _("Play in the browser"), href="/", class_="primary"))
    body = element(
        "body",
        element("header", nav(links, aria_label=_("Games on this server"))),
        "\n",
        element("main", "\n", *[join(piece, "\n") for piece in main]),
    )
    html = element("html", head, "\n", body, lang=code_of(language))
    return f"<!DOCTYPE html>\n{html}\n"


def message_page(message: str, language: NullTranslations) -> str:
    """Return a page with one message."""
    return page(message, [element("h1", message)], language)


def card(*content: Markup, **attributes: str) -> Markup:
    """Return a highlighted part of a page."""
    return element(
        "section", *[join(piece, "\n") for piece in content], class_="card", **attributes
    )


def link_to(address: str, text: str, path: str = "", **attributes: str | bool) -> Markup:
    """Return a link to a game, or to a path below it."""
    return element("a", text, href=f"/games/{address}{path}", **attributes)


def nav(links: Sequence[Markup], **attributes: str) -> Markup:
    """Return a group of links."""
    return element("nav", *[join(link, " ") for link in links], **attributes)


def moment(milliseconds: int) -> Markup:
    """Return a time in UTC, for people and programs."""
    time = datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    return element("time", utc(milliseconds), datetime=f"{time:%Y-%m-%dT%H:%M:%SZ}")


def utc(milliseconds: int) -> str:
    """Return a time in UTC as text."""
    time = datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    return f"{time:%Y-%m-%d %H:%M} UTC"
