"""The picture of the full screen is taken from the real thing and fetches nothing from others."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.picture_tui import TITLE, draw

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"

pytestmark = pytest.mark.tooling


def addresses(svg: str) -> set[str]:
    return set(re.findall(r"https?://[^\"'\s)]+", svg)) - {"http://www.w3.org/2000/svg"}


def words(svg: str) -> list[str]:
    """Return what is written in a picture, whatever its colours."""
    written = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return [" ".join((text.text or "").split()) for text in written]


def test_the_picture_is_the_same_each_time_and_needs_nothing_from_elsewhere() -> None:
    svg = draw()

    assert svg == draw()
    assert addresses(svg) == set()
    assert f"<title>{TITLE}</title>" in svg


def test_the_picture_in_the_documentation_shows_what_the_program_shows() -> None:
    kept = (PICTURES / "tui.svg").read_text(encoding="utf-8")

    assert words(kept) == words(draw()), "python -m tools.pictures tui takes it anew"
    assert addresses(kept) == set()
