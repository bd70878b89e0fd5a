"""The command `sightline cache` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer_core.cache import ReportCache
from lsp_server.cli import run
from lsp_server.terminal.exits import UserError
from tests.cache.test_store import entry


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReportCache:
    monkeypatch.setenv("SIGHTLINE_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    cache = ReportCache(tmp_path / "cache" / "judged")
    cache.keep(entry("a" * 40, query="Why \x1b[31mred?", root=str(folder)))
    cache.keep(entry("b" * 40, query="elsewhere", root="/elsewhere"))
    return cache


@pytest.mark.parametrize(
    ("command", "code", "expected", "unexpected"),
    [
        ("list", 0, "packet (m)  high  Why", "elsewhere"),
        ("list --all", 0, "elsewhere", "\x1b"),
        ("show aaaa", 0, "query: Why", "\x1b"),
        ("show cccc", 1, "", "query"),
        ("list -w . -w /elsewhere", 0, "elsewhere", "\x1b"),
        ("clear -w . -w /elsewhere", 0, "2 removed", "3"),
        ("verify", 0, "0 damaged", "ok"),
        ("clear", 0, "1 removed", "2"),
        ("clear --all", 0, "2 removed", "3"),
    ],
)
def test_output_and_exit_code(
    cache: ReportCache, capsys: pytest.CaptureFixture[str], command: str, code: int, expected: str,
    unexpected: str,
):  # fmt: skip
    assert run(["cache", *command.split()]) == code
    output = capsys.readouterr().out
    assert expected in output
    assert unexpected not in output.partition(",")[0]


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        ("clear", [{"removedFiles", "removedBytes"}]),
        ("verify", [{"file", "sizeBytes", "state"}] * 2),
    ],
)
def test_clear_and_verify_write_json(
    cache: ReportCache, capsys: pytest.CaptureFixture[str], command: str, keys: list[set[str]]
):
    run(["cache", command, "--json"])
    assert [set(json.loads(line)) for line in capsys.readouterr().out.splitlines()] == keys


def test_unknown_key_is_reported(cache: ReportCache, capsys: pytest.CaptureFixture[str]):
    assert run(["cache", "show", "cccc"]) == 1
    assert "no entry cccc" in capsys.readouterr().err


def test_list_writes_json_lines(cache: ReportCache, capsys: pytest.CaptureFixture[str]):
    run(["cache", "list", "--all", "--json"])
    lines = capsys.readouterr().out.splitlines()
    assert {json.loads(line)["request"]["query"] for line in lines} == {
        "Why \x1b[31mred?",
        "elsewhere",
    }


def test_verify_and_list_report_damage(cache: ReportCache, capsys: pytest.CaptureFixture[str]):
    for file in cache.folder.iterdir():
        file.write_text("{}")
    assert run(["cache", "verify"]) == 1
    assert "2 damaged" in capsys.readouterr().out
    assert run(["cache", "list", "--all"]) == 1


@pytest.mark.parametrize("command", ["show", "list abc"])
def test_key_is_required_by_show_and_refused_by_list(cache: ReportCache, command: str):
    with pytest.raises(UserError):
        run(["cache", *command.split()])
