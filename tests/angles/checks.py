"""Checks that hold for every survey: its files exist, and its statements about lines are true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema

SCHEMAS = Path(__file__).parents[2] / "docs" / "schema"
_READS = re.compile(r"Line (\d+) reads `")
_LINES = re.compile(r"\bLines? (\d+)|\(line (\d+)\)")
_NAMED = re.compile(r"([\w.$]+) \(line (\d+)\)")
_SITE = re.compile(r"(?<![\w/.-])([\w./@+-]+\.\w+):(\d+)")


def check_session(folder: Path, workspace: Path) -> dict[str, Any]:
    """Check every file of a session and return the manifest."""
    explorations = folder / "explorations"
    for file in sorted(explorations.glob("explore-*.json")):
        check_exploration(_load_valid(file, "exploration"), workspace)
    index = _load_valid(explorations / "cache-index.json", "cache-index")
    assert all((explorations / entry["file"]).is_file() for entry in index["entries"])
    return _load_valid(explorations / "manifest.json", "survey-manifest")


def check_exploration(exploration: dict[str, Any], workspace: Path) -> None:
    """Check that paths exist, and that each rationale names something verifiable that is there."""
    paths_named = [file["path"] for file in exploration["relevant_files"]]
    paths_named += [path for pattern in exploration["patterns"] for path in pattern["files"]]
    paths_named += [
        end for each in exploration["dependencies"] for end in (each["from"], each["to"])
    ]
    assert [path for path in paths_named if not (workspace / path).is_file()] == []
    paths = [file["path"] for file in exploration["relevant_files"]]
    assert len(paths) == len(set(paths)) == exploration["_metadata"]["relevant_file_count"]
    for file in exploration["relevant_files"]:
        check_rationale(file["rationale"], file["path"], workspace)
    for text in (
        *(pattern["description"] for pattern in exploration["patterns"]),
        *(reference["usage"] for reference in exploration["external_refs"]),
    ):
        check_sites(text, workspace)


def check_rationale(text: str, path: str, workspace: Path) -> None:
    lines = _lines(workspace / path)
    sites = check_sites(text, workspace)
    for number in _READS.findall(text):
        line = " ".join(lines[int(number) - 1].split())
        assert f"Line {number} reads `{line}`" in text or "[masked]" in text
    for name, number in _NAMED.findall(text):
        assert name.rpartition(".")[2] in lines[int(number) - 1], text
    numbers = [int(a or b) for a, b in _LINES.findall(text)]
    assert all(1 <= number <= len(lines) for number in numbers), text
    assert numbers or sites or "workspace" in text or "cycle" in text or "manifest" in text, text


def check_sites(text: str, workspace: Path) -> list[tuple[str, str]]:
    """Check that every ``path:line`` in the text exists in the workspace, and return them all."""
    sites = [each for each in _SITE.findall(text) if (workspace / each[0]).is_file()]
    for path, number in sites:
        assert int(number) <= max(1, len(_lines(workspace / path))), text
    return sites


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8", errors="replace").split("\n")


def _load_valid(file: Path, schema: str) -> dict[str, Any]:
    content = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(content, json.loads((SCHEMAS / f"{schema}.json").read_text("utf-8")))
    return content
