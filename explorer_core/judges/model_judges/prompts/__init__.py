"""The prompts for models. They form the stable prefix of every request."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def prompt(name: str) -> str:
    """The text of ``name.md``."""
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def tool_descriptions() -> dict[str, str]:
    """The description of each tool, by name."""
    text = files(__name__).joinpath("tools.toml").read_text(encoding="utf-8")
    return {name: " ".join(said.split()) for name, said in tomllib.loads(text).items()}
