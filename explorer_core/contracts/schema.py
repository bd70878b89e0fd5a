"""Generates the contracts' JSON Schemas. Run it as a module with the folder to write them to."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from explorer_core.contracts.answers import ExploreAnswer, ReadAnswer, SurveyAnswer
from explorer_core.contracts.base import Model
from explorer_core.contracts.observations import ChannelResult
from explorer_core.contracts.report import Report
from explorer_core.contracts.request import ExploreRequest
from explorer_core.contracts.selection import PacketSelection, Selection
from explorer_core.contracts.settings import Settings
from explorer_core.contracts.survey import CacheIndex, Exploration, Manifest, SurveySummary

PUBLIC: dict[str, type[Model]] = {
    "report": Report,
    "explore-request": ExploreRequest,
    "selection": Selection,
    "packet-selection": PacketSelection,
    "channel-result": ChannelResult,
    "settings": Settings,
    "explore-answer": ExploreAnswer,
    "read-answer": ReadAnswer,
    "survey-answer": SurveyAnswer,
    "exploration": Exploration,
    "cache-index": CacheIndex,
    "survey-manifest": Manifest,
    "survey-summary": SurveySummary,
}
"""The contracts with a published schema, by file name without suffix."""


def schema_text(model: type[Model]) -> str:
    """The JSON Schema of a contract as serialised, in the form of its file."""
    schema = model.model_json_schema(by_alias=True, mode="serialization")
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> None:
    """Write every schema into ``folder``, which is created if necessary."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in PUBLIC.items():
        (folder / f"{name}.json").write_text(schema_text(model), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the folder to write to: python -m explorer_core.contracts.schema FOLDER")
    write_schemas(Path(sys.argv[1]))
