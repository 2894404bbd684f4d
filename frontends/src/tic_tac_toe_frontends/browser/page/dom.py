"""The page's elements, from Python: the only place that touches JavaScript."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

import js
from pyodide.ffi import create_proxy, to_js

document = js.document
window = js.window

#: Keeps tasks from being collected while they run.
_TASKS: set[asyncio.Task[Any]] = set()


def by_id(name: str) -> Any:
    """Return an element of the page, which is there."""
    return document.getElementById(name)


def all_of(selector: str) -> list[Any]:
    """Return the elements that a selector finds."""
    return list(document.querySelectorAll(selector))


def on(target: Any, event: str, handler: Callable[[Any], object], **how: object) -> None:
    """Call a function at each event of a kind, for as long as the page lives.

    Args:
        how: options of ``addEventListener``.
    """
    target.addEventListener(event, create_proxy(handler), options(**how))


def on_resize(element: Any, action: Callable[[], object]) -> None:
    """Do something whenever an element gets another size."""
    js.ResizeObserver.new(create_proxy(lambda *_: action())).observe(element)


def on_click(name: str, action: Callable[[], object]) -> None:
    """Do something at each click on an element of the page."""
    on(by_id(name), "click", lambda _event: action())


def on_submit(name: str, action: Callable[[], object]) -> None:
    """Do something instead of sending a form of the page."""

    def submitted(event: Any) -> None:
        event.preventDefault()
        action()

    on(by_id(name), "submit", submitted)


def is_for_field(event: Any) -> bool:
    """Return whether a key has been used already, or is typed into a field or a menu."""
    fields = "input:not([type=checkbox], [type=radio]), select"
    return bool(event.defaultPrevented or event.target.matches(fields))


def is_chord(event: Any) -> bool:
    """Return whether a key is held together with one that gives it another meaning."""
    return bool(event.ctrlKey or event.metaKey or event.altKey)


def start_task(work: Coroutine[Any, Any, object]) -> None:
    """Let something run beside all else, to its end."""
    task = asyncio.ensure_future(work)
    _TASKS.add(task)
    task.add_done_callback(_ended)


def set_text(element: Any, text: str) -> None:
    """Show a text in an element, as text whatever it holds; what is there already stays."""
    if element.textContent != text:
        element.textContent = text


def fill(select: Any, options: list[tuple[str, str]], chosen: str) -> None:
    """Give a menu its entries: values and what they are called."""
    select.replaceChildren()
    for value, title in options:
        select.add(js.Option.new(title, value, False, value == chosen))


def fill_groups(select: Any, groups: list[tuple[str, list[tuple[str, str]]]], chosen: str) -> None:
    """Give a menu its entries in groups, each with what it is called; without a name it is none."""
    select.replaceChildren()
    for name, entries in groups:
        place = select
        if name:
            place = make("optgroup", label=name)
            select.append(place)
        for value, title in entries:
            place.append(js.Option.new(title, value, False, value == chosen))


def make(tag: str, text: str = "", **attributes: str) -> Any:
    """Return a new element that holds a text, as text whatever it holds.

    Args:
        attributes: theirs; ``_`` in a name stands for ``-``, and one behind it for nothing.
    """
    element = document.createElement(tag)
    element.textContent = text
    for name, value in attributes.items():
        element.setAttribute(name.rstrip("_").replace("_", "-"), value)
    return element


def load_item(name: str, *, by_tab: bool = False) -> str | None:
    """Return what this browser remembers under a name, if anything.

    Args:
        by_tab: whether each tab remembers something of its own, until it is closed.
    """
    try:
        value = _storage(by_tab).getItem(f"tic-tac-toe.{name}")
    except Exception:  # whatever a browser throws that remembers nothing
        return None
    return value if isinstance(value, str) else None  # JavaScript's null is not None


def save_item(name: str, value: str, *, by_tab: bool = False) -> None:
    """Let this browser remember something, if it is one that does."""
    with contextlib.suppress(Exception):  # the same
        _storage(by_tab).setItem(f"tic-tac-toe.{name}", value)


def delete_item(name: str, *, by_tab: bool = False) -> None:
    """Let this browser forget something."""
    with contextlib.suppress(Exception):  # the same
        _storage(by_tab).removeItem(f"tic-tac-toe.{name}")


def item_names(prefix: str) -> list[str]:
    """Return the names with a beginning that this browser remembers something under."""
    try:
        names = [str(js.localStorage.key(index)) for index in range(js.localStorage.length)]
    except Exception:  # the same
        return []
    whole = f"tic-tac-toe.{prefix}"
    return [name.removeprefix("tic-tac-toe.") for name in names if name.startswith(whole)]


def _storage(by_tab: bool) -> Any:
    return js.sessionStorage if by_tab else js.localStorage


async def fetch_bytes(path: str) -> bytes:
    """Return a file of the page.

    Raises:
        OSError: it cannot be had.
    """
    response = await js.fetch(path)
    if not response.ok:
        raise OSError(f"{path}: {response.status}")
    content: bytes = (await response.arrayBuffer()).to_bytes()
    return content


async def copy_text(text: str) -> bool:
    """Put a text on the clipboard, and return whether the browser has allowed it."""
    try:
        await window.navigator.clipboard.writeText(text)
    except Exception:  # whatever a browser throws that has no clipboard, or keeps it to itself
        return False
    return True


def options(**values: object) -> Any:
    """Return a JavaScript object with these fields."""
    return to_js(values, dict_converter=js.Object.fromEntries)


def download(text: str, name: str) -> None:
    """Let the browser save a text as a file."""
    blob = js.Blob.new(to_js([text]), options(type="text/plain"))
    link = document.createElement("a")
    link.href, link.download = js.URL.createObjectURL(blob), name
    link.click()
    js.URL.revokeObjectURL(link.href)


def _ended(task: asyncio.Task[Any]) -> None:
    _TASKS.discard(task)
    if not task.cancelled() and (error := task.exception()):
        js.console.error(f"{type(error).__name__}: {error}")
