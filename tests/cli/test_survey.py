"""The command ``sightline survey`` as users see it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.angles.checks import check_session
from tests.cli.test_cli import check_refused
from tests.commands import Sightline, in_a_process


def test_files_go_where_they_are_asked_for(tmp_path: Path, sightline: Sightline, shop: Path):
    session = tmp_path / "plans" / "first"
    given = ("survey", "place_order", "-w", str(shop), "--session", str(session))
    angles = ("--angles", "general, testing")
    text = sightline(*given, *angles)
    assert text.returncode == 0
    manifest = check_session(session, shop)
    assert manifest["angles"] == ["general", "testing"]
    shown = text.stdout.decode()
    assert "Topic: place_order" in shown
    assert f"1. {manifest['files'][0]['path']} (" in shown
    assert str(session / "explorations" / "manifest.json") in shown

    def cached(*more: str) -> list[bool]:
        summary = json.loads(sightline(*given, *angles, "--json", *more).stdout)
        assert summary["top_files"][0]["path"] == manifest["files"][0]["path"]
        return [each["cached"] for each in summary["angles"]]

    assert cached() == [True, True]
    assert cached("--force-refresh") == [False, False]
    assert cached("--keyword", "basket") == [False, False]


def test_what_is_logged_is_told_like_everything_else(tmp_path: Path, shop: Path):
    taken = tmp_path / "taken"
    taken.write_text("")
    result = in_a_process(
        tmp_path, "survey", "-w", str(shop), "--angles=general", f"--session={taken}"
    )
    told = [line for line in result.stderr.decode().splitlines() if "cannot be written" in line]
    assert told
    assert all(re.fullmatch(r"sightline: \S.*\w\.", line) for line in told)


def test_without_a_session_nothing_is_written_beside_the_code(
    tmp_path: Path, sightline: Sightline, shop: Path
):
    before = sorted(shop.rglob("*"))
    summary = json.loads(sightline("survey", "-w", str(shop), "--json").stdout)
    assert len(summary["angles"]) == 12
    assert Path(summary["manifest"]).is_relative_to(tmp_path / "cache")
    assert sorted(shop.rglob("*")) == before


def test_nothing_found(sightline: Sightline, shop: Path):
    given = ("survey", "xyzzy", "-w", str(shop), "--angles", "general", "--scope", "nowhere/**")
    result = sightline(*given)
    assert result.returncode == 1
    assert b"general found nothing" in result.stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--angles", "sideways"), "Unknown angle 'sideways'"),
        (("--judge", "guess"), "guess"),
        (("-w", "nowhere"), "no folder"),
    ],
)
def test_refusals(sightline: Sightline, shop: Path, given: tuple[str, ...], said: str):
    result = sightline("survey", *(() if "-w" in given else ("-w", str(shop))), *given)
    if "--judge" in given:
        assert result.returncode == 2
        assert said.encode() in result.stderr
    else:
        check_refused(result, said)
