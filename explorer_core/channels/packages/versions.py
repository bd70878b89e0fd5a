"""Extracts the version from a value in a manifest or lock file, whatever its form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast


def stated_version(said: object) -> str | None:
    """The version that a value states, as text: a string itself, the ``version`` of a table, or the
    distinct ones of a list joined as alternatives. None if it states none."""
    if isinstance(said, Sequence) and not isinstance(said, str):
        stated = map(_of_one, cast("Sequence[object]", said))
        return " || ".join(dict.fromkeys(filter(None, stated))) or None
    return _of_one(said)


def _of_one(said: object) -> str | None:
    if isinstance(said, Mapping):
        said = cast("Mapping[str, object]", said).get("version")
    return said.strip() or None if isinstance(said, str) else None
