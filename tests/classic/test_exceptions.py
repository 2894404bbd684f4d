"""What the classic promises of its exceptions."""

from __future__ import annotations

import itertools
import pickle

import pytest

from tic_tac_toe.logic import exceptions
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, UnknownGameScore

EVERY_EXCEPTION = pytest.mark.parametrize(
    "exception", [InvalidGameState, InvalidMove, UnknownGameScore]
)


@EVERY_EXCEPTION
def test_an_exception_carries_the_message_that_it_was_given(exception: type[Exception]) -> None:
    with pytest.raises(exception) as caught:
        raise exception("why not")

    assert str(caught.value) == "why not"
    assert caught.value.args == ("why not",)


@EVERY_EXCEPTION
def test_an_exception_survives_the_way_to_another_process(exception: type[Exception]) -> None:
    copy = pickle.loads(pickle.dumps(exception("why not")))

    assert type(copy) is exception
    assert str(copy) == "why not"


@EVERY_EXCEPTION
def test_the_module_defines_the_exception_itself(exception: type[Exception]) -> None:
    assert getattr(exceptions, exception.__name__) is exception
    assert exception.__module__ == "tic_tac_toe.logic.exceptions"


def test_catching_one_exception_catches_no_other() -> None:
    for one, another in itertools.permutations(
        (InvalidGameState, InvalidMove, UnknownGameScore), 2
    ):
        assert not issubclass(one, another)
