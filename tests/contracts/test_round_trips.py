"""Every contract survives a round trip through JSON, and its schema on disk is current."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from explorer_core.contracts import (
    Candidate,
    ChannelResult,
    Diagnostic,
    ExploreRequest,
    FileListed,
    LineRange,
    Model,
    Report,
    Selection,
    Settings,
    Suggestion,
)
from explorer_core.contracts.schema import PUBLIC, schema_text
from tests.golden import NAMES, golden
from tests.validation.shop import observe

SCHEMAS = Path(__file__).parents[2] / "docs" / "schema"

EXAMPLES: list[Model] = [
    *map(golden, NAMES),
    *observe().candidates(),
    Settings(),
    ExploreRequest(query="How?", scope=("src/**",)),
    Selection(recommended_primary_action="skip_explore_result", confidence="low"),
    ChannelResult(
        observations=(FileListed(path="a.py", size=3),),
        diagnostics=(
            Diagnostic(
                source="read_file",
                message="There is no file.",
                suggestions=(Suggestion(path="a.py", score=0.5),),
            ),
        ),
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: type(each).__name__)
def test_json_round_trip(example: Model) -> None:
    assert type(example).model_validate_json(example.model_dump_json()) == example


@pytest.mark.parametrize("name", PUBLIC)
def test_schema_on_disk_is_current(name: str) -> None:
    """Run ``python -m explorer_core.contracts.schema docs/schema`` when this fails."""
    assert (SCHEMAS / f"{name}.json").read_text(encoding="utf-8") == schema_text(PUBLIC[name])


@pytest.mark.parametrize("name", NAMES)
def test_golden_reports_conform_to_the_schema(name: str) -> None:
    schema = json.loads((SCHEMAS / "report.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(golden(name).to_json()))


def test_wire_keys_are_camel_case_and_hops_say_from() -> None:
    wire = json.loads(golden("explain").to_json())
    assert {"schemaVersion", "readTargets", "stopReason"} <= wire.keys()
    assert {"from", "to", "relation", "via", "site", "witness"} == wire["links"][0]["hop"].keys()
    assert "candidates" not in wire


def test_range_ending_before_its_start_is_refused() -> None:
    with pytest.raises(ValueError, match="before it starts"):
        LineRange(start=3, end=2)


def test_link_quoting_outside_its_range_is_refused() -> None:
    wire = json.loads(golden("explain").to_json())
    wire["links"][0]["quoteRange"] = {"start": 90, "end": 90}
    with pytest.raises(ValueError, match="inside its link's range"):
        Report.model_validate(wire)


def test_candidate_with_text_of_another_file_is_refused() -> None:
    first, *_, other = [each for each in observe().candidates() if each.segments]
    with pytest.raises(ValueError, match="its own file"):
        Candidate.model_validate(first.model_dump() | {"segments": other.model_dump()["segments"]})
