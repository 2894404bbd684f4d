"""How sentences stand beside each other in each language."""

from __future__ import annotations

import pytest

from tic_tac_toe_frontends.words.sentences import as_sentence, in_a_row
from tic_tac_toe_frontends.words.translation import load


@pytest.mark.parametrize(
    ("code", "expected"), [("en", "One. Two."), ("ru", "One. Two."), ("zh", "One。Two。")]
)
def test_sentences_end_and_follow_each_other_as_the_language_writes_them(
    code: str, expected: str
) -> None:
    language = load(code, {})
    sentences = [as_sentence(text, language) for text in ("One", "Two")]

    assert in_a_row([sentences[0], "", sentences[1]], language) == expected
