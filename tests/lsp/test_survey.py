"""``sightline.survey`` as clients send it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.angles.checks import SCHEMAS, check_session
from tests.lsp.conftest import Connect, as_data, execute, initialize


async def test_a_survey(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        wanted = {"topic": "place_order", "angles": ["general", "testing"]}
        summary = as_data(await execute(client, "survey", wanted))
        jsonschema.validate(
            summary, json.loads((SCHEMAS / "survey-summary.json").read_text("utf-8"))
        )
        assert [each["angle"] for each in summary["angles"]] == wanted["angles"]
        folder = Path(summary["session"])
        assert not folder.is_relative_to(shop)
        check_session(folder, shop)
        again = as_data(await execute(client, "survey", wanted))
        assert [each["cached"] for each in again["angles"]] == [True, True]
        with pytest.raises(JsonRpcException, match="The scope file:///elsewhere is outside"):
            await execute(client, "survey", {"scope": "file:///elsewhere"})
        with pytest.raises(JsonRpcException, match="Unknown angle 'sideways'") as raised:
            await execute(client, "survey", {"angles": ["sideways"]})
        assert raised.value.code == -32602


async def test_progress(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        params = types.ExecuteCommandParams(
            command="sightline.survey", arguments=[{}], work_done_token="survey"
        )
        await client.workspace_execute_command_async(params)
        seen = client.progress_reports["survey"]
        said = [each for each in seen if isinstance(each, types.WorkDoneProgressReport)]
        assert any("12 of 12 angles" in (each.message or "") for each in said)
