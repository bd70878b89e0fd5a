"""Extracts the version from a value in a manifest or lock file, whatever its form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast


def stated_version(value: object) -> str | None:
    """The version that a value states, as text: a string itself, the ``version`` of a table, or the
    distinct ones of a list joined as alternatives. None if it states none."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        stated = map(_single_version, cast("Sequence[object]", value))
        return " || ".join(dict.fromkeys(filter(None, stated))) or None
    return _single_version(value)


def _single_version(value: object) -> str | None:
    if isinstance(value, Mapping):
        value = cast("Mapping[str, object]", value).get("version")
    return value.strip() or None if isinstance(value, str) else None
