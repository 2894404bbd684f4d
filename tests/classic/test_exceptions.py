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
def test_an_exception_of_the_module_carries_its_message_also_to_another_process(
    exception: type[Exception],
) -> None:
    copy = pickle.loads(pickle.dumps(exception("why not")))

    for error in (exception("why not"), copy):
        assert type(error) is getattr(exceptions, exception.__name__) is exception
        assert (str(error), error.args) == ("why not", ("why not",))
    assert exception.__module__ == "tic_tac_toe.logic.exceptions"


def test_catching_one_exception_catches_no_other() -> None:
    for one, another in itertools.permutations(
        (InvalidGameState, InvalidMove, UnknownGameScore), 2
    ):
        assert not issubclass(one, another)
