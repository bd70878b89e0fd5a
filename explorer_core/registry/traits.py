"""Structural marks of a file, read from published conventions (``conventions.toml``)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pathspec import GitIgnoreSpec

from explorer_core.contracts import Traits


@dataclass(frozen=True, slots=True)
class _Convention:
    any_case: GitIgnoreSpec
    cased: GitIgnoreSpec
    marks: tuple[re.Pattern[str], ...]

    def holds(self, path: str, head: str) -> bool:
        return (
            self.any_case.match_file(path.lower())
            or self.cased.match_file(path)
            or any(mark.search(head) for mark in self.marks)
        )


def traits_of(path: str, head: str = "") -> Traits:
    """The marks of ``path``; ``head`` is the beginning of its text, where it is known."""
    held = {name: rule.holds(path, head) for name, rule in _conventions().items()}
    return Traits(**held)


@cache
def _conventions() -> dict[str, _Convention]:
    text = files("explorer_core.registry").joinpath("conventions.toml").read_text(encoding="utf-8")
    return {name: _read(table) for name, table in tomllib.loads(text).items()}


def _read(table: dict[str, list[str]]) -> _Convention:
    loose = [f"{folder}/" for folder in table["folders"]] + table["files"]
    strict = [f"{folder}/" for folder in table.get("cased_folders", [])]
    strict += table.get("cased_files", [])
    return _Convention(
        any_case=GitIgnoreSpec.from_lines(pattern.lower() for pattern in loose),
        cased=GitIgnoreSpec.from_lines(strict),
        marks=tuple(re.compile(mark) for mark in table.get("marks", [])),
    )
