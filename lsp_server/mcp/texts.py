"""Texts for agents: instructions, tool descriptions, configurations."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def instructions() -> str:
    """How to use the tools, and what each recommended action means."""
    return _data("instructions.md")


@cache
def tool_descriptions() -> dict[str, str]:
    """The description of each tool, by its name."""
    return {name: text.strip() for name, text in tomllib.loads(_data("tools.toml")).items()}


@cache
def agents() -> dict[str, dict[str, str]]:
    """By agent: ``where`` its configuration goes, the ``text`` of it, and its ``comment`` mark."""
    return tomllib.loads(_data("agents.toml"))


def configuration(agent: str, command: str, arguments: Sequence[str]) -> str:
    """The configuration with which an agent starts this server. Raises KeyError for an unknown
    agent."""
    known = agents()[agent]
    values = {
        "{command}": _quoted(command),
        "{arguments}": _quoted(list(arguments)),
        "{words}": _quoted([command, *arguments]),
        "{line}": shlex.join([command, *arguments]),
    }
    text = known["text"]
    for mark, value in values.items():
        text = text.replace(mark, value)
    return f"{known['comment']} {known['where']}\n{text}"


def _quoted(value: Any) -> str:
    """A value as both JSON and TOML write it. They differ only in escapes beyond U+FFFF, which are
    avoided, and in DEL, which TOML requires to be escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _data(name: str) -> str:
    return files("lsp_server.mcp").joinpath(name).read_text(encoding="utf-8")
