"""The page before Python has loaded: the board of a new game, and words in each language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from gettext import NullTranslations
from html import escape
from typing import Any

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.pictures.board import look_of
from tic_tac_toe.pictures.svg import svg

from ..words.game_text import cell_label
from ..words.rules_text import variant_title
from ..words.translation import LANGUAGES, load
from .early_games import early_words
from .page.board.plan import Plan, cells_markup, picture_markup, ratio
from .page.settings import has_names
from .page.words import FIRST_WORDS, NAMES, WORDS

#: The part of `index.html` that is hidden until Python shows it.
_HIDDEN = re.compile(r"<template.*?</template>", re.DOTALL)


def with_board(text: str) -> str:
    """Return `index.html` with the board of a new game; clicks on its cells are remembered."""
    state = GameState.new()
    names = has_names(state.rules)
    plan = Plan(state.rules, is_small=False, names=names)
    drawing = picture_markup(svg(state, names=names, styled=False), plan)
    labels = [cell_label(state, cell, NullTranslations()) for cell in state.legal_cells]
    cells = cells_markup(state.rules.shape, plan, labels)
    text = text.replace(
        '<div id="board"',
        f'<div id="board" data-look="{look_of(state.rules).value}" style="--ratio:{ratio(plan)}"',
    )
    text = text.replace('<div id="cells"', f'<div id="cells" data-mover="{state.current_mark}"')
    for name, content in {"picture": drawing, "cells": cells}.items():
        text = re.sub(
            rf'(<div id="{name}"[^>]*>)</div>',
            partial(_fill_element, content),
            text,
        )
    return text


def _fill_element(content: str, tag: re.Match[str]) -> str:
    return f"{tag[1]}{content}</div>"


def with_english(text: str) -> str:
    """Return `index.html` with its words and the names of its buttons in English."""
    text = re.sub(r'data-word="([^"]+)"[^>]*>', lambda tag: tag[0] + escape(WORDS[tag[1]]), text)
    return re.sub(
        r'data-name="([^"]+)"',
        lambda name: f'{name[0]} aria-label="{escape(NAMES[name[1]])}"',
        text,
    )


def first_words(text: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the texts of the page before Python has loaded, by language.

    Args:
        text: `index.html`; Python translates the words that are hidden at first.
    """
    shown = _HIDDEN.sub("", text)
    words = {name: WORDS[name] for name in re.findall(r'data-word="([^"]+)"', shown)}
    names = {name: NAMES[name] for name in re.findall(r'data-name="([^"]+)"', shown)}
    state = GameState.new()
    found = {}
    for code in LANGUAGES:
        language = load(code, {})
        texts = {name: language.gettext(word) for name, word in FIRST_WORDS.items()}
        found[code] = {
            **texts,
            **early_words(language),
            "title": variant_title(state.rules, language),
            # `index.html` is in English
            "words": {} if code == "en" else _translated(words, language),
            "names": {} if code == "en" else _translated(names, language),
        }
    return found


def _translated(words: Mapping[str, str], language: NullTranslations) -> dict[str, str]:
    return {name: language.gettext(word) for name, word in words.items()}
