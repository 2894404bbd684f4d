"""How sentences stand beside each other in each language."""

from __future__ import annotations

import pytest

from tic_tac_toe_frontends.words.translation import (
    as_sentence,
    in_a_row,
    in_clauses,
    labelled,
    listed,
    load,
)


@pytest.mark.parametrize(
    ("code", "expected"), [("en", "One. Two."), ("ru", "One. Two."), ("zh", "One。Two。")]
)
def test_sentences_end_and_follow_each_other_as_the_language_writes_them(
    code: str, expected: str
) -> None:
    language = load(code, {})
    sentences = [as_sentence(text, language) for text in ("One", "Two")]

    assert in_a_row([sentences[0], "", sentences[1]], language) == expected


@pytest.mark.parametrize(
    ("code", "expected"), [("en", "A: it is. So? So!"), ("zh", "A：it is。So?So!")]
)
def test_a_sentence_gets_a_capital_letter_and_one_end(code: str, expected: str) -> None:
    language = load(code, {})
    sentences = [labelled("a", "it is", language), "so?", "So!"]

    assert in_a_row((as_sentence(text, language) for text in sentences), language) == expected


@pytest.mark.parametrize(
    ("code", "expected"), [("en", "A1, B1; C1"), ("ru", "A1, B1; C1"), ("zh", "A1、B1；C1")]
)
def test_parts_of_a_sentence_are_parted_by_the_signs_of_the_language(
    code: str, expected: str
) -> None:
    language = load(code, {})

    assert in_clauses([listed(["A1", "B1"], language), "C1"], language) == expected
