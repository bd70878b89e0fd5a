from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

FIELDS = ("species", "count", "latitude", "longitude", "note")


@dataclass(frozen=True)
class Observation:
    id: str
    species: str
    latitude: float
    longitude: float
    observer: str
    count: int = 1
    note: str = ""
    version: int = 1
    deleted: bool = False

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Change:
    """What a device did: the version it started from and the fields it touched."""

    observation: str
    base_version: int
    fields: dict[str, Any]
    deleted: bool = False
