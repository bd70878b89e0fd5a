"""The command ``sightline survey`` as users see it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.angles.checks import check_session
from tests.cli.test_cli import check_refused
from tests.commands import Sightline, in_a_process


def test_session_files_are_written_to_the_given_folder(
    tmp_path: Path, sightline: Sightline, shop: Path
):
    session = tmp_path / "plans" / "first"
    arguments = ("survey", "place_order", "-w", str(shop), "--session", str(session))
    angles = ("--angles", "general, testing")
    result = sightline(*arguments, *angles)
    assert result.returncode == 0
    manifest = check_session(session, shop)
    assert manifest["angles"] == ["general", "testing"]
    output = result.stdout.decode()
    assert "Topic: place_order" in output
    assert f"1. {manifest['files'][0]['path']} (" in output
    assert str(session / "explorations" / "manifest.json") in output

    def cached_angles(*more: str) -> list[bool]:
        summary = json.loads(sightline(*arguments, *angles, "--json", *more).stdout)
        assert summary["top_files"][0]["path"] == manifest["files"][0]["path"]
        return [each["cached"] for each in summary["angles"]]

    assert cached_angles() == [True, True]
    assert cached_angles("--force-refresh") == [False, False]
    assert cached_angles("--keyword", "basket") == [False, False]


def test_log_messages_are_formatted_as_sentences(tmp_path: Path, shop: Path):
    blocked = tmp_path / "taken"
    blocked.write_text("")
    result = in_a_process(
        tmp_path, "survey", "-w", str(shop), "--angles=general", f"--session={blocked}"
    )
    messages = [line for line in result.stderr.decode().splitlines() if "cannot be written" in line]
    assert messages
    assert all(re.fullmatch(r"sightline: \S.*\w\.", line) for line in messages)


def test_survey_without_session_writes_nothing_to_the_workspace(
    tmp_path: Path, sightline: Sightline, shop: Path
):
    before = sorted(shop.rglob("*"))
    summary = json.loads(sightline("survey", "-w", str(shop), "--json").stdout)
    assert len(summary["angles"]) == 12
    assert Path(summary["manifest"]).is_relative_to(tmp_path / "cache")
    assert sorted(shop.rglob("*")) == before


def test_survey_without_findings_exits_with_code_one(sightline: Sightline, shop: Path):
    arguments = ("survey", "xyzzy", "-w", str(shop), "--angles", "general", "--scope", "nowhere/**")
    result = sightline(*arguments)
    assert result.returncode == 1
    assert b"general found nothing" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--angles", "sideways"), "Unknown angle 'sideways'"),
        (("--judge", "guess"), "guess"),
        (("-w", "nowhere"), "no folder"),
    ],
)
def test_invalid_arguments_are_refused(
    sightline: Sightline, shop: Path, arguments: tuple[str, ...], message: str
):
    result = sightline("survey", *(() if "-w" in arguments else ("-w", str(shop))), *arguments)
    if "--judge" in arguments:
        assert result.returncode == 2
        assert message.encode() in result.stderr
    else:
        check_refused(result, message)
