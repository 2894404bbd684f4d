"""Lines and branches are each held to the floor: neither makes up for the other."""

import pytest

from tools.coverage_check import shortfalls

pytestmark = pytest.mark.tooling


@pytest.mark.parametrize(
    ("statements", "branches", "told"),
    [
        (95.0, 95.0, []),
        (100.0, 94.99, ["Coverage of branches is 94.99 %, and 95 % is required."]),
        (94.0, 100.0, ["Coverage of statements is 94.00 %, and 95 % is required."]),
    ],
)
def test_neither_statements_nor_branches_make_up_for_the_other(
    statements: float, branches: float, told: list[str]
) -> None:
    totals = {"percent_statements_covered": statements, "percent_branches_covered": branches}

    assert shortfalls(totals) == told
