"""Models constructed without validation from valid values equal validated ones."""

from __future__ import annotations

import pytest

from explorer_core.contracts import LineRange, Segment, SymbolInfo, Traits
from explorer_core.contracts.base import Model

VALID = (
    LineRange(start=2, end=5),
    Segment(path="a.py", start=1, lines=("x = 1", "")),
    SymbolInfo(name="run", qualified_name="App.run", kind="method", line=3),
    Traits(
        test=True,
        support=False,
        generated=False,
        vendored=False,
        documentation=False,
        example=False,
    ),
)


@pytest.mark.parametrize("valid", VALID, ids=lambda model: type(model).__name__)
def test_model_made_by_of_valid_equals_a_validated_one(valid: Model) -> None:
    made = type(valid).of_valid(**dict(valid))
    assert made == valid
    assert hash(made) == hash(valid)
    assert made.model_dump_json() == valid.model_dump_json()
    assert made.model_copy(update={}) == valid
