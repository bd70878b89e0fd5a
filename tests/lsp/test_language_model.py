"""``sightline/languageModel``: the editor's own model judges once the user has consented."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

from explorer_core.judges.choice import DEFAULT_MODEL
from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.model_server.script import Prompt, Turn, calls, submits, turn
from tests.shop import QUESTION
from tests.waiting import until

EDITOR_MODEL_SETTINGS = {"model": "editor"}
SAVE_QUOTE = "ORDERS.append(order)"


def model_capabilities(model: Any) -> types.ClientCapabilities:
    return types.ClientCapabilities(experimental={"sightline": {"languageModel": model}})


def submit_flow(prompt: Prompt) -> Turn:
    steps = [
        prompt.step("shop/orders.py", "place_order", "return save_order(order)"),
        prompt.step("shop/store.py", "save_order", SAVE_QUOTE),
    ]
    return turn(submits(steps))


class EditorModel:
    """Plays a script as an editor's model, and answers questions in the user's place."""

    def __init__(self, client: LanguageClient, *script: Any, answers: Any = ()) -> None:
        self.asked: list[dict[str, Any]] = []
        self.questions: list[str] = []
        self.cancelled = 0
        acts_left, answers_left = list(script), list(answers)

        @client.feature("sightline/languageModel")
        async def model(params: Any) -> Any:
            self.asked.append(as_data(params))
            act = acts_left.pop(0)
            if act == "wait":
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    self.cancelled += 1
                    raise
            answer = act if isinstance(act, Turn) else act(Prompt(self.asked[-1]))
            usage = {"inputTokens": 7, "cachedTokens": 2, "outputTokens": 3}
            return {"content": list(answer.blocks), "model": "of-the-editor", "usage": usage}

        @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def question(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            self.questions.append(params.message)
            wanted = answers_left.pop(0)
            return next((each for each in params.actions or () if each.title == wanted), None)


async def test_editor_model_judges_after_consent(connect: Connect, shop: Path):
    async with connect() as client:
        search_turn = turn(calls("grep", pattern="save_order"))
        model = EditorModel(client, search_turn, submit_flow, submit_flow, answers=["Allow"])
        await initialize(
            client, shop, capabilities=model_capabilities(True), options=EDITOR_MODEL_SETTINGS
        )
        answer = as_data(await explore(client, query=QUESTION))
        assert (answer["judge"], answer["model"]) == ("conversation", "of-the-editor")
        assert [link["quote"].strip() for link in answer["links"]] == [
            "return save_order(order)",
            SAVE_QUOTE,
        ]
        assert (answer["usage"]["inputTokens"], answer["usage"]["outputTokens"]) == (14, 6)
        (first, second) = model.asked
        assert {tool["name"] for tool in first["tools"]} >= {"explore_code", "submit_report"}
        assert len(second["messages"]) > len(first["messages"])
        second_question = {"query": "Where are orders kept?", "forceRefresh": True}
        await explore(client, second_question)
        assert len(model.questions) == 1, "the user is asked before the first turn only"


@pytest.mark.parametrize(
    ("answers", "asked_again"), [(["Do not allow"], False), ([None, None], True)]
)
async def test_nothing_is_sent_without_consent(
    connect: Connect, shop: Path, answers: list[str | None], asked_again: bool
):
    async with connect() as client:
        model = EditorModel(client, answers=answers)
        await initialize(
            client, shop, capabilities=model_capabilities(True), options=EDITOR_MODEL_SETTINGS
        )
        for _ in range(2):
            answer = as_data(await explore(client, query=QUESTION))
            assert (answer["judge"], answer["confidence"]) == ("offline", "low")
            assert "you did not allow its use" in " ".join(answer["notes"])
            assert answer["links"]
        assert model.asked == []
        assert len(model.questions) == (2 if asked_again else 1)


async def test_client_with_its_own_consent_dialog_gets_no_question(connect: Connect, shop: Path):
    async with connect() as client:
        model = EditorModel(client, submit_flow)
        await initialize(
            client,
            shop,
            capabilities=model_capabilities({"asksUser": True}),
            options=EDITOR_MODEL_SETTINGS,
        )
        assert as_data(await explore(client, query=QUESTION))["model"] == "of-the-editor"
        assert model.questions == []


async def test_editor_model_is_not_asked_unless_chosen(connect: Connect, shop: Path):
    async with connect() as client:
        model = EditorModel(client)
        await initialize(client, shop, capabilities=model_capabilities(True))
        assert as_data(await explore(client, query=QUESTION))["judge"] == "offline"
        assert (model.asked, model.questions) == ([], [])


async def test_cancelling_question_cancels_model_turn(connect: Connect, shop: Path):
    async with connect() as client:
        model = EditorModel(client, "wait")
        await initialize(
            client,
            shop,
            capabilities=model_capabilities({"asksUser": True}),
            options=EDITOR_MODEL_SETTINGS,
        )
        params = types.ExecuteCommandParams("sightline.explore", [{"query": QUESTION}])
        asking = asyncio.create_task(
            client.protocol.send_request_async(
                types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="the-question"
            )
        )
        await until(lambda: model.asked)
        client.cancel_request(types.CancelParams("the-question"))
        with pytest.raises(JsonRpcException) as raised:
            await asyncio.wait_for(asking, 10)
        assert raised.value.code == -32800
        assert await until(lambda: model.cancelled) == 1


async def test_provisional_flow_arrives_before_the_model_answers(connect: Connect, shop: Path):
    """While the model is working, a provisional flow is already available."""
    async with connect() as client:
        may_answer = asyncio.Event()
        params = {"partialResultToken": "so-far", "query": QUESTION}

        @client.feature("sightline/languageModel")
        async def model(params: Any) -> Any:
            await may_answer.wait()
            answer = submit_flow(Prompt(as_data(params)))
            return {"content": list(answer.blocks), "model": "of-the-editor", "usage": {}}

        await initialize(
            client,
            shop,
            capabilities=model_capabilities({"asksUser": True}),
            options=EDITOR_MODEL_SETTINGS,
        )
        asking = asyncio.create_task(explore(client, params))
        partial = await asyncio.wait_for(client.wait_for_notification(types.PROGRESS), 30)
        provisional = as_data(partial.value)
        assert partial.token == "so-far"
        assert (provisional["judge"], provisional["query"]) == ("offline", QUESTION)
        assert all(
            link["location"]["uri"].startswith(shop.as_uri()) for link in provisional["links"]
        )
        assert provisional["links"]
        assert not asking.done()
        may_answer.set()
        assert as_data(await asking)["judge"] == "conversation"


@pytest.mark.parametrize(
    ("options", "model"),
    [
        ({}, None),
        ({"model": "m"}, "m"),
        ({"model": "m", "judge": "offline"}, None),
        ({"judge": "packet"}, DEFAULT_MODEL),
        ({"judge": "conversation", "model": "editor"}, "editor"),
    ],
)
async def test_status_names_the_model_in_use(
    connect: Connect, shop: Path, options: dict[str, str], model: str | None
):
    async with connect() as client:
        await initialize(client, shop, options=options)
        assert as_data(await execute(client, "status"))["model"] == model
