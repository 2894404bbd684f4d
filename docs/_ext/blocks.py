"""Reads the code blocks of a page that run: examples with prompts, and exercises."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from doctest import DocTestParser, Example
from pathlib import Path
from types import ModuleType

from docs._ext.session import Job

EXERCISES = Path(__file__).resolve().parents[1] / "exercises"
#: Every fenced block, so that what stands inside another is not taken for one.
_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>.*)\n(?P<text>[\s\S]*?)^(?P=fence)$", re.MULTILINE)
_PYTHON = re.compile(r"python(?: exercise ([\w-]+))?")
_FLAGS = re.compile(r"[ \t]*#[ \t]*doctest:.*$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One fenced block of Python that runs.

    Attributes:
        text: what stands between the fences.
        exercise: the name of its exercise; empty for a block of examples.
    """

    text: str
    exercise: str = ""

    @property
    def parts(self) -> list[str | Example]:
        """The examples, and the blank lines between them."""
        return [part for part in DocTestParser().parse(f"{self.text.rstrip()}\n") if part]

    @property
    def examples(self) -> list[Example]:
        """The examples as doctest reads them; an exercise has none."""
        if self.exercise:
            return []
        return [part for part in self.parts if isinstance(part, Example)]

    @property
    def sources(self) -> list[str]:
        """The code without prompts, output and doctest flags, one statement each."""
        if self.exercise:
            return [self.text]
        return [without_flags(example.source) for example in self.examples]

    def job(self) -> Job:
        """Return what a `Session` runs."""
        raising = [n for n, example in enumerate(self.examples) if example.exc_msg is not None]
        return Job(sources=self.sources, raises=raising)


def without_flags(source: str) -> str:
    """Return code without the comments that only doctest reads."""
    return _FLAGS.sub("", source)


def read_blocks(markdown: str) -> list[Block]:
    """Return the blocks of a page that run, from top to bottom."""
    return list(_blocks(markdown))


def _blocks(markdown: str) -> Iterator[Block]:
    for fence in _FENCE.finditer(markdown):
        python, text = _PYTHON.fullmatch(fence["info"]), fence["text"]
        exercise = (python and python[1]) or ""
        if exercise or (python and re.search("^>>>", text, re.MULTILINE)):
            yield Block(text, exercise)


def load_exercise(name: str) -> ModuleType:
    """Return the module of an exercise: `check` judges an answer, `SOLUTION` is one."""
    spec = importlib.util.spec_from_file_location(f"exercise_{name}", EXERCISES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
