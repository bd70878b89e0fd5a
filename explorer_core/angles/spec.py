"""The angles: small declarative files beside this module, one each."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from explorer_core.contracts import Model
from explorer_core.contracts.survey import FileRole


class AngleSpec(Model):
    """What an angle looks for.

    ``question`` and ``keywords`` are searched for by relevance where no topic is given, ``text`` by
    regular expression, also beside a topic.
    ``signals`` weighs structural signals of a file, ``patterns`` names the kinds of pattern that
    belong to the angle, ``role`` is that of a file whose place in the structure gives it none.
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
    """Every angle by its name."""
    found = (
        AngleSpec.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
        for file in files("explorer_core.angles").iterdir()
        if file.name.endswith(".toml")
    )
    return {spec.name: spec for spec in sorted(found, key=lambda spec: spec.name)}
