"""The commands that query the symbol graph."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from explorer_core.index.storage.lease import Lease
from tests.commands import Sightline, environment
from tests.fixture import parse
from tests.index.test_trouble import damage


@pytest.mark.skipif(sys.platform == "win32", reason="such names cannot exist there")
@pytest.mark.parametrize("command", ["symbols", "callers"])
def test_control_characters_in_paths_are_escaped(
    tmp_path: Path, sightline: Sightline, command: str
):
    source = "//- a\u009b31m.py\ndef paint(): pass\ndef use(): paint()\n"
    folder = parse(source).write(tmp_path / "code")
    output = sightline(command, "paint", "-w", str(folder)).stdout.decode()
    assert r"a\x9b31m.py:" in output
    assert "\u009b" not in output


@pytest.mark.parametrize(
    ("command", "name", "expected"),
    [
        ("symbols", "place_order", [("shop/orders.py", 5)]),
        ("callers", "save_order", [("shop/orders.py", 7)]),
        ("callees", "checkout", [("shop/web.py", 5)]),
        ("refs", "place_order", [("shop/web.py", 1), ("shop/web.py", 5)]),
        ("symbols", "no_such_thing", []),
        ("callers", "no_such_thing", []),
        ("callers", "checkout", []),
    ],
)
def test_relations_are_printed_as_json_and_text(
    sightline: Sightline, shop: Path, command: str, name: str, expected: list[Any]
):
    result = sightline(command, name, "-w", str(shop), "--json")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(each["path"], each["line"]) for each in found] == expected
    assert result.returncode == (0 if expected else 1)

    lines = sightline(command, name, "-w", str(shop)).stdout.decode().splitlines()
    assert [line.split(":")[0] for line in lines] == [path for path, _ in expected]


@pytest.mark.parametrize("name", ["checkout", "web.checkout"])
def test_symbol_without_callers_is_reported_as_known(sightline: Sightline, shop: Path, name: str):
    """The name means the function and not a key of that name in a data file."""
    (shop / "a.json").write_text('{"checkout": {"title": "Pay"}}', encoding="utf-8")
    result = sightline("callers", name, "-w", str(shop))
    assert f"of '{name}' are known (function checkout at shop/web.py:" in result.stderr.decode()
    assert (result.stdout, result.returncode) == (b"", 1)


def test_damaged_index_is_rebuilt_and_command_repeated(
    tmp_path: Path, sightline: Sightline, shop: Path
):
    command = ("callers", "save_order", "-w", str(shop))
    before = sightline(*command)
    (index,) = tmp_path.rglob("*.sqlite")
    damage(index, "contents")
    assert sightline(*command).stdout == before.stdout != b""


def test_limit_caps_the_printed_lines(sightline: Sightline, shop: Path):
    whole = sightline("refs", "place_order", "-w", str(shop)).stdout.splitlines()
    result = sightline("refs", "place_order", "-w", str(shop), "--limit", "1")
    assert result.stdout.splitlines() == whole[:1]
    assert b"1 more" in result.stderr
    assert sightline("refs", "x", "-w", str(shop), "--limit", "-1").returncode == 2


def test_callees_are_printed_with_their_definitions(sightline: Sightline, shop: Path):
    line = sightline("callees", "checkout", "-w", str(shop)).stdout.decode()
    assert "at shop/orders.py:5" in line


def test_callers_through_an_overridden_method_are_marked(tmp_path: Path, sightline: Sightline):
    folder = parse(
        """
        //- store.py
        class Store:
            def save(self): ...
        class DiskStore(Store):
            def save(self): ...
        def put(store: Store, disk: DiskStore):
            store.save()
            disk.save()
        """
    ).write(tmp_path / "files")
    for command in ("callers", "refs"):
        found = sightline(command, "DiskStore.save", "-w", str(folder), "--json")
        lines = [json.loads(line) for line in found.stdout.splitlines()]
        through = {each["line"]: each["through"] for each in lines}
        assert through.keys() == {6, 7}
        assert through[6]["qualifiedName"] == "Store.save"
        assert through[7] is None
        found = sightline(command, "DiskStore.save", "-w", str(folder))
        first, second = found.stdout.decode().splitlines()
        assert "through Store.save at store.py:2" in first
        assert "through" not in second


def test_status_reports_languages_and_location_of_the_index(
    tmp_path: Path, sightline: Sightline, shop: Path
):
    assert sightline("index", "-w", str(shop), "--verify").returncode == 0
    status = json.loads(sightline("status", "-w", str(shop), "--json").stdout)
    assert status["languages"] == {"python": 4}
    assert Path(status["location"]).is_relative_to(tmp_path / "cache")
    assert str(status["location"]).encode() in sightline("status", "-w", str(shop)).stdout


def test_watching_indexes_new_files(tmp_path: Path, sightline: Sightline, shop: Path):
    command = [sys.executable, "-m", "lsp_server", "index", "-w", str(shop), "--watch"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment(tmp_path), cwd=tmp_path
    ) as process:
        assert process.stdout is not None
        try:
            assert "4 of 4" in process.stdout.readline()
            (shop / "shop" / "new.py").write_text("def brand_new():\n    pass\n")
            assert "1 files indexed" in process.stdout.readline()
        finally:
            process.kill()
    found = sightline("symbols", "brand_new", "-w", str(shop)).stdout.decode()
    assert found.startswith("shop/new.py:1")


@pytest.mark.parametrize("command", ["index", "status", "symbols", "refs", "callers", "callees"])
def test_commands_write_nothing_inside_the_workspace(
    sightline: Sightline, shop: Path, command: str
):
    before = sorted(shop.rglob("*"))
    name = ["place_order"] if command not in ("index", "status") else []
    assert sightline(command, *name, "-w", str(shop)).returncode == 0
    assert sorted(shop.rglob("*")) == before


def test_index_locked_by_another_writer_is_reported_incomplete(
    tmp_path: Path, sightline: Sightline, shop: Path
):
    sightline("index", "-w", str(shop))
    (store,) = tmp_path.rglob("*.sqlite")
    (shop / "shop" / "new.py").write_text("def arrives(): pass\n")
    lease = Lease.acquire(store)
    assert lease is not None
    with lease:
        result = sightline("symbols", "arrives", "-w", str(shop))
    assert result.returncode == 1
    assert b"still being built" in result.stderr
