"""What is said to agents: instructions, descriptions of tools, configurations."""

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
    """How to use the tools, and what each recommended action asks for."""
    return _data("instructions.md")


@cache
def tool_descriptions() -> dict[str, str]:
    """The description of each tool by its name."""
    return {name: text.strip() for name, text in tomllib.loads(_data("tools.toml")).items()}


@cache
def agents() -> dict[str, dict[str, str]]:
    """By agent: ``where`` its configuration goes and the ``text`` of it."""
    return tomllib.loads(_data("agents.toml"))


def configuration(agent: str, command: str, arguments: Sequence[str]) -> str:
    """The configuration that has an agent start this server; raises KeyError."""
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
    """As JSON and TOML write it. They agree except on escapes beyond U+FFFF and of DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _data(name: str) -> str:
    return files("lsp_server.mcp").joinpath(name).read_text(encoding="utf-8")
