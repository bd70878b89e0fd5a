"""The documentation agrees with the code."""

from __future__ import annotations

import argparse
import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from pydantic.alias_generators import to_camel

from explorer_core.contracts import Settings
from lsp_server.cli import COMMANDS, build_parser
from lsp_server.protocol import ExploreParams
from lsp_server.server import SightlineServer
from lsp_server.terminal import exits
from lsp_server.workspace.configuration import environment_name, workspace_may_set

REPOSITORY = Path(__file__).parents[1]
DOCS = REPOSITORY / "docs"


def read(path: str) -> str:
    return (REPOSITORY / path).read_text(encoding="utf-8")


def settings_table() -> dict[str, tuple[str, str, str]]:
    """The documented setting -> (default, environment variable, whether a workspace may set it)."""
    row = re.compile(r"^\| `(\w+)` \| (.+) \| `(\w+)` \| (yes|no|lower) \|$", re.MULTILINE)
    return {
        name: (default, env, may)
        for name, default, env, may in row.findall(read("docs/configuration.md"))
    }


def test_configuration_names_every_setting():
    assert list(settings_table()) == list(Settings.model_fields)


@pytest.mark.parametrize("name", Settings.model_fields)
def test_documented_setting_matches_the_code(name: str):
    default, environment, may = settings_table()[name]
    documented: Any = None if default == "not set" else json.loads(default.strip("`"))
    actual = getattr(Settings(), name)
    assert documented == (list(actual) if isinstance(actual, tuple) else actual)
    assert environment == environment_name(name)
    assert may == {True: "yes", False: "no", "lower": "lower"}[workspace_may_set(name)]
    assert f"- `{name}`: {Settings.model_fields[name].description}" in read("docs/configuration.md")


async def test_protocol_names_every_command():
    documented = set(re.findall(r"^### `(sightline\.\w+)`", read("docs/protocol.md"), re.MULTILINE))
    assert documented == set(SightlineServer().protocol.fm.commands)


def test_protocol_names_every_param_of_explore():
    section = read("docs/protocol.md").partition("### `sightline.explore`\n")[2]
    rows = re.findall(r"^\| `(\w+)` \|", section.partition("\n##")[0], re.MULTILINE)
    assert sorted(rows) == sorted(map(to_camel, ExploreParams.model_fields))


def subparsers() -> dict[str, argparse.ArgumentParser]:
    parser = build_parser(COMMANDS)
    (action,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return dict(action.choices)


@pytest.mark.parametrize("command", COMMANDS)
def test_command_line_names_every_option(command: str):
    text = (
        read("docs/command-line.md").partition(f"## sightline {command}")[2].partition("\n## ")[0]
    )
    options = [
        max(a.option_strings, key=len) for a in subparsers()[command]._actions if a.option_strings
    ]
    assert [option for option in options if f"`{option}" not in text and option != "--help"] == []


def test_command_line_names_every_exit_code():
    codes = {value for name, value in vars(exits).items() if name.isupper()}
    documented = re.findall(r"^\| (\d+) \|", read("docs/command-line.md"), re.MULTILINE)
    assert set(map(int, documented)) == codes


def test_links_between_pages_lead_somewhere():
    pages = [REPOSITORY / "README.md", REPOSITORY / "CHANGELOG.md", *DOCS.rglob("*.md")]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_modules_named_in_the_docs_exist():
    """Every module named in backticks on the pages about the architecture exists."""
    pages = map(read, ("docs/architecture.md", "docs/resolution.md", "docs/offline-judge.md"))
    named = [re.findall(r"`((?:explorer_core|lsp_server)/[\w/.]+)`", page) for page in pages]
    assert all(named)
    assert [path for path in chain(*named) if not (REPOSITORY / path).exists()] == []
