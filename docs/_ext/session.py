"""Runs the blocks of a page in order, in one namespace: in the browser, and for the pictures.

As a script it reads the jobs of a page from the standard input, and writes their pictures.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

#: Characters of output that a statement may show; more is dropped.
MOST = 20_000
#: Seconds of running that are done again for a fresh start, before names are restored instead.
AGAIN = 2.0
#: Seconds between two messages about output that grows.
PAUSE = 0.2
HEAD = "Traceback (most recent call last):\n    ...\n"


class Job(TypedDict):
    """A block: its statements, or one text; `raises` has the numbers of those that shall raise."""

    sources: list[str]
    raises: list[int]


Tell = Callable[[dict[str, Any]], object]


class Output(io.TextIOBase):
    """Collects what one statement prints, and tells it now and then."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell, self._told = tell, 0.0
        self.text = ""

    def write(self, text: str, /) -> int:
        """Keep a text up to the limit."""
        if len(self.text) < MOST:
            self.text += text
            is_full = len(self.text) >= MOST
            if is_full:
                self.text = f"{self.text[:MOST]}\n… more than {MOST:,} characters\n"
            if is_full or time.monotonic() - self._told > PAUSE:
                self._tell(self.text)
                self._told = time.monotonic()
        return len(text)


class NoKeyboard(io.TextIOBase):
    """The standard input of a page."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # typeshed says bytes
        """Say what to do instead."""
        raise EOFError("There is no keyboard here: give the value in the code.")


class Names(dict[str, Any]):
    """What an answer has defined; to ask for another name is a hint, too."""

    def __missing__(self, name: str) -> object:
        raise AssertionError(f"Nothing here is called `{name}`.")


class Session:
    """The blocks of one page, which share their names.

    Args:
        tell: called with each piece of news, a dictionary for JSON: the number of the `block`, and
            either the number of a `source` and its `text`, or the `state` of the block.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._ran: list[tuple[Job, dict[str, Any], float]] = []
        self.names: dict[str, Any] = {}
        self._forget()

    def run(self, jobs: Sequence[Job], check: str = "") -> bool:
        """Run the last block, and first those above it that have not run as they are now.

        Blocks that have run before are run again from the top if that is quick; otherwise the names
        become what they were before.

        Args:
            check: the module of an exercise, which judges the names after the last block.

        Returns:
            Whether no statement failed.
        """
        last = len(jobs) - 1
        same = 0
        while same < min(last, len(self._ran)) and self._ran[same][0] == jobs[same]:
            same += 1
        if same < len(self._ran):
            if sum(seconds for _, _, seconds in self._ran[:same]) < AGAIN:
                same = 0
                self._forget()
            else:
                self._forget(self._ran[same][1])
        del self._ran[same:]
        for number in range(same, last + 1):
            self._tell({"block": number, "state": "running", "above": last - same})
            if not self._run_block(number, jobs[number], check if number == last else ""):
                return False
        return True

    def _forget(self, names: Mapping[str, Any] = {"__name__": "__main__"}) -> None:
        self.names.clear()
        self.names.update(names)

    def _run_block(self, number: int, job: Job, check: str) -> bool:
        before, began = dict(self.names), time.monotonic()
        shown: list[object] = []
        failure = ""
        for place, source in enumerate(job["sources"]):
            shown.clear()
            output, error = self._run_source(number, place, source, shown)
            if error is not None:
                output += HEAD + "".join(traceback.format_exception_only(error))
            self._tell({"block": number, "source": place, "text": output})
            if error is not None and place not in job["raises"]:
                failure = _last_lines(error)
                break
        seconds = time.monotonic() - began
        news = {"block": number, "state": "ran", "seconds": round(seconds, 1)}
        if failure:
            news |= {"state": "error", "reason": failure}
        elif check:
            self._tell({"block": number, "state": "checking"})
            place = len(job["sources"])
            with self._output(number, place) as printed:
                news |= self._judge(check)
            self._tell({"block": number, "source": place, "text": printed.text})
        elif shown and (picture := _picture(shown[-1])):
            news |= {"picture": picture, "instead": f"{shown[-1]!r}\n"}
        if failure:
            self._forget(before)
        else:
            self._ran.append((job, before, seconds))
        self._tell(news)
        return not failure

    def _run_source(
        self, number: int, place: int, source: str, shown: list[object]
    ) -> tuple[str, BaseException | None]:
        file = f"<block {number + 1}>" if place == 0 else f"<block {number + 1}, {place + 1}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)

        def show(value: object) -> None:
            shown.clear()
            if value is not None:
                print(repr(value))
                shown.append(value)

        hook, sys.displayhook = sys.displayhook, show
        with self._output(number, place) as output:
            try:
                for statements in _lines(ast.parse(source, file)):
                    shown.clear()
                    code = compile(ast.Interactive(statements), file, "single", dont_inherit=True)
                    exec(code, self.names)
            except BaseException as error:  # whatever a reader's code raises, SystemExit included
                return output.text, error
            finally:
                sys.displayhook = hook
        return output.text, None

    @contextlib.contextmanager
    def _output(self, number: int, place: int) -> Iterator[Output]:
        """Tell what is printed meanwhile as the output of a source."""
        output = Output(lambda text: self._tell({"block": number, "source": place, "text": text}))
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            yield output

    def _judge(self, check: str) -> dict[str, str]:
        """Return what an exercise says about the names."""
        exercise: dict[str, Any] = {"__name__": "exercise"}
        exec(compile(check, "<check>", "exec", dont_inherit=True), exercise)
        try:
            praise = exercise["check"](Names(self.names))
        except AssertionError as hint:
            return {"state": "wrong", "reason": str(hint)}
        except BaseException as error:
            return {"state": "error", "reason": _last_lines(error)}
        return {"state": "right", "reason": praise}


def _lines(tree: ast.Module) -> list[list[ast.stmt]]:
    """Return the statements of each line, as they are typed at a prompt."""
    lines: list[list[ast.stmt]] = []
    for statement in tree.body:
        if lines and lines[-1][-1].end_lineno == statement.lineno:
            lines[-1].append(statement)
        else:
            lines.append([statement])
    return lines


def _last_lines(error: BaseException) -> str:
    """Return the lines of a traceback that are about the page's own code."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith("<block")
    ]
    return "".join(
        [*traceback.format_list(frames[-3:]), *traceback.format_exception_only(error)]
    ).rstrip()


def _picture(value: object) -> str:
    draw = getattr(value, "_repr_svg_", None)
    return str(draw()) if callable(draw) and not isinstance(value, type) else ""


def pictures(jobs: Sequence[Job]) -> Mapping[int, str]:
    """Return the pictures of a page's blocks as SVG, by the numbers of the blocks."""
    news: list[dict[str, Any]] = []
    session = Session(news.append)
    for end in range(1, len(jobs) + 1):
        session.run(jobs[:end])
    return {each["block"]: each["picture"] for each in news if "picture" in each}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(pictures(json.load(sys.stdin))))
