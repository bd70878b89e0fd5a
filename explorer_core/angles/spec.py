"""The specs of the angles, read from the declarative files beside this module."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from explorer_core.contracts import Model
from explorer_core.contracts.survey import FileRole


class AngleSpec(Model):
    """What an angle looks for.

    Without a topic, ``question`` and ``keywords`` are searched by relevance. ``text`` is searched
    as regular expressions, with a topic too. ``signals`` weights structural signals of a file;
    ``patterns`` names the kinds of pattern that the angle reports; ``role`` is for files whose
    place in the structure implies none.
    """

    name: str
    focus: str
    question: str
    keywords: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    role: FileRole = "context_only"
    tests: bool = False
    signals: dict[str, float] = {}


@cache
def angles() -> dict[str, AngleSpec]:
    """All angles by name."""
    specs = (
        AngleSpec.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
        for file in files("explorer_core.angles").iterdir()
        if file.name.endswith(".toml")
    )
    return {spec.name: spec for spec in sorted(specs, key=lambda spec: spec.name)}
