"""Reads places in every shape that LSP has for them.

Clients and servers send `Location`, `LocationLink`, `SymbolInformation`, `WorkspaceSymbol`,
`DocumentSymbol`, hierarchy items and calls, alone or in lists, with nulls in between. Invalid items
are skipped: they are the sender's mistake, and no reason to fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from explorer_core.contracts import LineRange

_DEPTH = 40


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A place as it was sent: its lines, 1-based, and the name of the symbol there, if given."""

    uri: str
    range: LineRange | None
    name: str | None


def places(result: Any, uri: str = "", *, whole: bool = False) -> list[FoundPlace]:
    """The places in a result. ``uri`` is the document of symbols that name none. If a result gives
    both the range of the name and that of the declaration, a place is the first, or with ``whole``
    the second."""
    return list(_places(result, uri, whole, 0))


def _places(result: Any, uri: str, whole: bool, depth: int) -> Iterator[FoundPlace]:
    if depth > _DEPTH:
        return
    if isinstance(result, list | tuple):
        for each in cast("list[Any]", result):
            yield from _places(each, uri, whole, depth + 1)
    elif isinstance(result, Mapping):
        item = cast("Mapping[str, Any]", result)
        for inner in ("from", "to"):
            if inner in item:
                yield from _places(item[inner], uri, whole, depth + 1)
                return
        if (found := _place(item, uri, whole)) is not None:
            yield found
        yield from _places(item.get("children"), uri, whole, depth + 1)


def _place(item: Mapping[str, Any], uri: str, whole: bool) -> FoundPlace | None:
    location = item.get("location")
    location_item = cast("Mapping[str, Any]", location) if isinstance(location, Mapping) else item
    name = item.get("name")
    target = location_item.get("uri") or location_item.get("targetUri") or uri
    if not isinstance(target, str) or not target:
        return None
    name_range = location_item.get("targetSelectionRange") or location_item.get("selectionRange")
    full_range = location_item.get("range") or location_item.get("targetRange")
    span = (full_range or name_range) if whole else (name_range or full_range)
    lines = _lines(span)
    if (
        lines is None
        and location_item is item
        and "targetUri" not in item
        and not isinstance(name, str)
    ):
        return None
    return FoundPlace(target, lines, name if isinstance(name, str) else None)


def _lines(span: Any) -> LineRange | None:
    try:
        start, end = int(span["start"]["line"]), int(span["end"]["line"])
    except (KeyError, TypeError, ValueError):
        return None
    if not 0 <= start <= end < 2**31:
        return None
    return LineRange(start=start + 1, end=end + 1)
