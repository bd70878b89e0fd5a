"""The editor's model, called through a function: the same judges with another client."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from explorer_core.judges.models.editor import LanguageModelParams, LanguageModelResult
from tests.judges.conftest import Ask
from tests.judges.test_conversation import report, steps
from tests.model_server.checks import check_pairs
from tests.model_server.script import Prompt, Turn, calls, says, submits, turn


class Editor:
    """Plays a script as an editor would: one turn per request, as JSON."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.requests: list[dict[str, Any]] = []

    async def __call__(self, params: LanguageModelParams) -> Any:
        body = params.model_dump(mode="json", by_alias=True)
        self.requests.append(body)
        act = self.script.pop(0)
        if isinstance(act, Exception):
            raise act
        act = act if isinstance(act, Turn | dict) else act(Prompt(body))
        if isinstance(act, dict):
            return act
        usage = {"inputTokens": 7, "outputTokens": 3}
        return {"content": list(act.blocks), "model": "of-the-editor", "usage": usage}


async def ask_with_editor(ask: Ask, editor: Editor):
    return await ask([], model="editor", ask_editor=editor)


async def test_a_conversation_with_the_editor_s_model(ask: Ask):
    editor = Editor(turn(calls("grep", pattern="save")), report)
    run = await ask_with_editor(ask, editor)
    assert (run.report.judge, run.report.model) == ("conversation", "of-the-editor")
    assert len(run.report.links) == 3
    assert (run.report.usage.input_tokens, run.report.usage.output_tokens) == (14, 6)
    assert run.report.usage.cost_usd is None
    assert run.requests == []  # nothing was sent to the server
    for body in editor.requests:
        check_pairs(body)
        assert "cache_control" not in str(body)
    assert {tool["name"] for tool in editor.requests[0]["tools"]} >= {
        "explore_code",
        "submit_report",
    }


async def test_a_packet_for_the_editor_s_model(ask: Ask):
    import json

    editor = Editor(lambda prompt: turn(says(json.dumps(submits(steps(prompt))["input"]))))
    run = await ask([], model="editor", judge="packet", ask_editor=editor)
    assert (run.report.judge, len(run.report.links)) == ("packet", 3)
    assert editor.requests[0]["schema"]["type"] == "object"


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (RuntimeError("the user said\nno"), "gave no answer: the user said no."),
        (TimeoutError(), "gave no answer: TimeoutError."),
        ({"content": "words", "model": "m"}, "answered with an invalid content"),
        ({"content": []}, "answered with an invalid model"),
        (
            {"content": [{"type": "tool_use", "name": "grep", "input": {}}], "model": "m"},
            "tool calls without a name or a unique id",
        ),
        (
            {"content": [{"type": "tool_use", "id": "1", "input": {}}], "model": "m"},
            "tool calls without a name or a unique id",
        ),
    ],
    ids=str,
)
async def test_failing_editor_leaves_the_offline_report(ask: Ask, act: Any, expected: str):
    run = await ask_with_editor(ask, Editor(act))
    assert (run.report.judge, run.report.stop_reason) == ("offline", "model_error")
    (note,) = run.report.notes
    assert expected in note


async def test_silent_editor_ends_with_the_wall_time(ask: Ask):
    async def silent(params: LanguageModelParams) -> Any:
        await asyncio.Event().wait()

    run = await ask([], model="editor", ask_editor=silent, conversation_time_s=0.3)
    assert run.report.stop_reason == "wall_time"


def test_editor_result_may_be_a_model_instance():
    result = LanguageModelResult(content=({"type": "text", "text": "a"},), model="m")
    assert LanguageModelResult.model_validate(result, from_attributes=True) == result
