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


async def test_survey_writes_a_valid_session_and_reuses_it(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        params = {"topic": "place_order", "angles": ["general", "testing"]}
        summary = as_data(await execute(client, "survey", params))
        jsonschema.validate(
            summary, json.loads((SCHEMAS / "survey-summary.json").read_text("utf-8"))
        )
        assert [each["angle"] for each in summary["angles"]] == params["angles"]
        folder = Path(summary["session"])
        assert not folder.is_relative_to(shop)
        check_session(folder, shop)
        repeated = as_data(await execute(client, "survey", params))
        assert [each["cached"] for each in repeated["angles"]] == [True, True]
        with pytest.raises(JsonRpcException, match="The scope file:///elsewhere is outside"):
            await execute(client, "survey", {"scope": "file:///elsewhere"})
        with pytest.raises(JsonRpcException, match="Unknown angle 'sideways'") as raised:
            await execute(client, "survey", {"angles": ["sideways"]})
        assert raised.value.code == -32602


async def test_survey_reports_progress(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        params = types.ExecuteCommandParams(
            command="sightline.survey", arguments=[{}], work_done_token="survey"
        )
        await client.workspace_execute_command_async(params)
        progress = client.progress_reports["survey"]
        reports = [each for each in progress if isinstance(each, types.WorkDoneProgressReport)]
        assert any("12 of 12 angles" in (each.message or "") for each in reports)
