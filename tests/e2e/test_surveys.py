"""Surveys of real repositories from the command line: what they state is true of the code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer_core.angles import angles
from tests.angles.checks import check_session
from tests.e2e.sources import tree
from tests.e2e.test_real_input import home, sightline, trees

__all__ = ["home", "trees"]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["django", "viem", "docker"])
def test_survey_of_a_real_repository_covers_all_angles(
    name: str, trees: Path, home: Path, tmp_path: Path
):
    """In Python, TypeScript and Go, with all angles finished within the survey's time budget."""
    folder = tree(name, trees)
    arguments = ("survey", "-w", str(folder), "--judge", "offline", "--session", str(tmp_path))
    summary = json.loads(sightline(home, *arguments, "--json"))
    assert summary["notes"] == [note for each in summary["angles"] for note in each["notes"]] == []
    assert {each["angle"] for each in summary["angles"]} == set(angles())
    assert all(each["files"] for each in summary["angles"])
    manifest = check_session(tmp_path, folder)
    assert [each["path"] for each in manifest["files"][:5]] == [
        each["path"] for each in summary["top_files"]
    ]
    assert manifest["dependencies"]
    assert manifest["patterns"]
    again = json.loads(sightline(home, *arguments, "--json"))
    assert all(each["cached"] for each in again["angles"])
