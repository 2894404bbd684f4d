"""The page's elements, dialogs and storage; most of the page touches JavaScript only here."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable
from gettext import NullTranslations
from typing import Any

import js
from pyodide.ffi import create_proxy, to_js

document = js.document
window = js.window

#: Running tasks: the event loop alone would not keep them from garbage collection.
_TASKS: set[asyncio.Task[Any]] = set()


def by_id(name: str) -> Any:
    """Return an existing element of the page."""
    return document.getElementById(name)


def all_of(selector: str) -> list[Any]:
    """Return the elements that match a selector."""
    return list(document.querySelectorAll(selector))


def on(target: Any, event: str, handler: Callable[[Any], object], **how: object) -> None:
    """Call a function at each event of a kind; it is never removed.

    Args:
        how: options of ``addEventListener``.
    """
    target.addEventListener(event, create_proxy(handler), options(**how))


def on_resize(element: Any, action: Callable[[], object]) -> None:
    """Call a function whenever an element changes its size."""
    js.ResizeObserver.new(create_proxy(lambda *_: action())).observe(element)


def on_click(name: str, action: Callable[[], object]) -> None:
    """Call a function at each click on an element."""
    on(by_id(name), "click", lambda _event: action())


def on_submit(name: str, action: Callable[[], object]) -> None:
    """Call a function instead of submitting a form."""

    def submitted(event: Any) -> None:
        event.preventDefault()
        action()

    on(by_id(name), "submit", submitted)


def is_for_field(event: Any) -> bool:
    """Return whether a key was handled already, or is typed into a field or a menu."""
    fields = "input:not([type=checkbox], [type=radio]), select"
    return bool(event.defaultPrevented or event.target.matches(fields))


def is_chord(event: Any) -> bool:
    """Return whether Ctrl, Alt or Meta is held together with a key."""
    return bool(event.ctrlKey or event.metaKey or event.altKey)


def start_task(work: Coroutine[Any, Any, object]) -> asyncio.Future[object]:
    """Run a coroutine as a task, report its exception, and return the task."""
    task = asyncio.ensure_future(work)
    _TASKS.add(task)
    task.add_done_callback(_ended)
    return task


def set_text(element: Any, text: str) -> None:
    """Set the text of an element, never as HTML; the same text is not written again."""
    if element.textContent != text:
        element.textContent = text


def fill(select: Any, options: list[tuple[str, str]], chosen: str) -> None:
    """Fill a menu with entries: values and their titles."""
    select.replaceChildren()
    for value, title in options:
        select.add(js.Option.new(title, value, False, value == chosen))


def fill_group(select: Any, title: str, options: Iterable[tuple[str, str]]) -> None:
    """Add a titled group of entries to a menu."""
    group = make("optgroup", label=title)
    for value, text in options:
        group.append(js.Option.new(text, value))
    select.append(group)


def make(tag: str, text: str = "", **attributes: str) -> Any:
    """Return a new element with a text, which is never read as HTML.

    Args:
        attributes: of the element; ``_`` in a name stands for ``-``, and a trailing ``_`` is
            dropped.
    """
    element = document.createElement(tag)
    element.textContent = text
    for name, value in attributes.items():
        element.setAttribute(name.rstrip("_").replace("_", "-"), value)
    return element


class Dialog:
    """A `<dialog>` of the page.

    Args:
        name: its id.
        opened_by: the id of a button that opens it.
        opening: called before it opens.
    """

    def __init__(
        self, name: str, opened_by: str = "", opening: Callable[[], object] = lambda: None
    ) -> None:
        self._dialog = by_id(name)
        self._opening = opening
        if opened_by:
            on_click(opened_by, self.open)
        on(self._dialog, "click", self._click)
        # The keys of the game behind it play no move meanwhile.
        on(self._dialog, "keydown", lambda event: event.stopPropagation())

    @property
    def is_open(self) -> bool:
        """Whether the dialog is open."""
        return bool(self._dialog.open)

    def open(self) -> None:
        """Open the dialog."""
        self._opening()
        if menu := document.activeElement.closest(":popover-open"):
            menu.hidePopover()  # the focus returns to its button, and later from the dialog, too
        if not self._dialog.open:
            self._dialog.showModal()

    def close(self) -> None:
        """Close the dialog."""
        self._dialog.close()

    def _click(self, event: Any) -> None:
        closes = event.target.closest("[data-closes]")
        if closes or self._is_beside(event):
            self._dialog.close()

    def _is_beside(self, event: Any) -> bool:
        """Return whether a click is on the backdrop."""
        if event.target.tagName != "DIALOG" or not event.clientX:
            return False
        box = self._dialog.getBoundingClientRect()
        is_within = (
            box.left <= event.clientX <= box.right and box.top <= event.clientY <= box.bottom
        )
        return not is_within


class ConfirmButton:
    """A button that asks at the first click, and acts at the second.

    Args:
        name: its id.
        question: its text in between, in English.
        act: called by the second click.
    """

    def __init__(
        self,
        name: str,
        question: str,
        language: Callable[[], NullTranslations],
        act: Callable[[], object],
    ) -> None:
        self._button = by_id(name)
        self._label = self._button.querySelector("[data-word]") or self._button
        self._question, self._language, self._act = question, language, act
        self._usual: str | None = None
        on(self._button, "click", self._click)
        on(self._button, "blur", lambda _event: self._reset())

    def _click(self, event: Any) -> None:
        if self._usual is None:
            event.stopPropagation()  # keep an enclosing menu open
            self._usual = str(self._label.textContent)
            set_text(self._label, self._language().gettext(self._question))
        else:
            self._reset()
            self._act()

    def _reset(self) -> None:
        if self._usual is not None:
            set_text(self._label, self._usual)
            self._usual = None


class Confirmation:
    """A modal dialog: keyboards and screen readers cannot leave it without an answer."""

    def __init__(self) -> None:
        self._dialog = by_id("confirm")
        self._do: Callable[[], object] = lambda: None
        on(self._dialog, "close", lambda _event: self._closed())

    def ask(self, question: str, answer: str, do: Callable[[], object]) -> None:
        """Call ``do`` once the reader has agreed; the focus returns to its old place.

        Args:
            answer: the text of the button that agrees.
        """
        set_text(by_id("confirm-text"), question)
        set_text(by_id("confirm-yes"), answer)
        self._do = do
        self._dialog.returnValue = ""  # the answer to an earlier question
        self._dialog.showModal()

    def cancel(self) -> None:
        """Close the dialog without an answer: the question is obsolete."""
        if self._dialog.open:
            self._dialog.close("")

    def _closed(self) -> None:
        do, self._do = self._do, lambda: None  # other instances share this dialog
        if self._dialog.returnValue == "yes":
            do()


def load_item(name: str, *, by_tab: bool = False) -> str | None:
    """Return the value of a name in the browser's storage, if any.

    Args:
        by_tab: use the storage of this tab, which ends with the tab.
    """
    try:
        value = _storage(by_tab).getItem(f"tic-tac-toe.{name}")
    except Exception:  # any JavaScript error of a browser without storage
        return None
    return value if isinstance(value, str) else None  # JavaScript's null is not None


def save_item(name: str, value: str, *, by_tab: bool = False) -> None:
    """Save a value in the browser's storage, if it has one."""
    with contextlib.suppress(Exception):  # the same
        _storage(by_tab).setItem(f"tic-tac-toe.{name}", value)


def delete_item(name: str, *, by_tab: bool = False) -> None:
    """Delete a value from the browser's storage."""
    with contextlib.suppress(Exception):  # the same
        _storage(by_tab).removeItem(f"tic-tac-toe.{name}")


def item_names(prefix: str) -> list[str]:
    """Return the names with a prefix in the browser's storage."""
    try:
        names = [str(js.localStorage.key(index)) for index in range(js.localStorage.length)]
    except Exception:  # the same
        return []
    whole = f"tic-tac-toe.{prefix}"
    return [name.removeprefix("tic-tac-toe.") for name in names if name.startswith(whole)]


def _storage(by_tab: bool) -> Any:
    return js.sessionStorage if by_tab else js.localStorage


async def fetch_bytes(path: str) -> bytes:
    """Return the contents of a file of the page; a task that is cancelled ends the request.

    Raises:
        OSError: the file cannot be fetched.
    """
    ending = js.AbortController.new()
    try:
        response = await js.fetch(path, options(signal=ending.signal))
        if not response.ok:
            raise OSError(f"{path}: {response.status}")
        content: bytes = (await response.arrayBuffer()).to_bytes()
    except asyncio.CancelledError:
        ending.abort()
        raise
    return content


async def copy_text(text: str) -> bool:
    """Copy a text to the clipboard, and return whether the browser allowed it."""
    try:
        await window.navigator.clipboard.writeText(text)
    except Exception:  # any error of a browser without a clipboard, or without permission
        return False
    return True


def options(**values: object) -> Any:
    """Return a JavaScript object with the given fields."""
    return to_js(values, dict_converter=js.Object.fromEntries)


def download(blob: Any, name: str) -> None:
    """Download a blob as a file."""
    link = document.createElement("a")
    link.href, link.download = js.URL.createObjectURL(blob), name
    link.click()
    js.URL.revokeObjectURL(link.href)


def _ended(task: asyncio.Task[Any]) -> None:
    _TASKS.discard(task)
    if not task.cancelled() and (error := task.exception()):
        js.console.error(f"{type(error).__name__}: {error}")
