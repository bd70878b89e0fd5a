"""Messages about invalid input from a client, worded for its user."""

from __future__ import annotations

from typing import Any

import pytest

from lsp_server.protocol import (
    BadRequest,
    DismissParams,
    ExploreAtParams,
    ExploreParams,
    Params,
    ReportNowParams,
    command_params,
    explore_request,
)


@pytest.mark.parametrize(
    ("model", "argument", "message"),
    [
        (ExploreParams, 5, "The argument must be an object."),
        (ExploreParams, {"query": 5}, "query must be text."),
        (ExploreParams, {"query": "q\ud800"}, "query is not UTF-8."),
        (ExploreParams, {"query": "q", "scope": 5}, "scope must be a list."),
        (ExploreParams, {"query": "q", "scope": ["a", 1]}, "scope.1 must be text."),
        (ExploreParams, {"budget": {"wallTimeS": "x"}}, "budget.wallTimeS must be a number."),
        (ExploreParams, {"query": "q", "budget": {"steps": -1}}, "steps must be at least 1."),
        (ExploreParams, {"anchor": {"line": 0}}, "anchor.line must be at least 1."),
        (ExploreParams, {"anchor": {"line": 1.5}}, "anchor.line must be a whole number."),
        (ExploreParams, {"followUp": {}}, "followUp.reportId is missing."),
        (ExploreAtParams, {"ask": "x"}, "ask must be 'reached', 'used' or 'does'."),
        (DismissParams, {"all": "perhaps"}, "all must be true or false."),
        (ReportNowParams, {"kept": 5}, "kept must be an object."),
    ],
)
def test_invalid_argument_is_refused_in_one_sentence(
    model: type[Params], argument: Any, message: str
):
    with pytest.raises(BadRequest) as refused:
        explore_request(command_params(model, [argument]))  # type: ignore[arg-type]
    assert str(refused.value) == message
