"""Formats that other people's programs read. Each exporter is found by the name it is registered under."""

from __future__ import annotations

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable

from fieldkit.model import Observation


class Exporter(ABC):
    registry: dict[str, type[Exporter]] = {}

    def __init_subclass__(cls, name: str, **options: object) -> None:
        super().__init_subclass__(**options)
        Exporter.registry[name] = cls

    @abstractmethod
    def write(self, observations: Iterable[Observation]) -> str: ...


class CsvExporter(Exporter, name="csv"):
    COLUMNS = ("id", "species", "count", "latitude", "longitude", "observer", "note")

    def write(self, observations: Iterable[Observation]) -> str:
        out = io.StringIO()
        writer = csv.DictWriter(out, self.COLUMNS, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(observation.as_dict() for observation in observations)
        return out.getvalue()


class GeoJsonExporter(Exporter, name="geojson"):
    def write(self, observations: Iterable[Observation]) -> str:
        return json.dumps({"type": "FeatureCollection", "features": [self._feature(o) for o in observations]})

    def _feature(self, observation: Observation) -> dict[str, object]:
        return {"type": "Feature",
                "geometry": {"type": "Point", "coordinates": [observation.longitude, observation.latitude]},
                "properties": {"species": observation.species, "count": observation.count}}


def export(name: str, observations: Iterable[Observation]) -> str:
    """Deleted observations are never exported."""
    exporter = Exporter.registry.get(name)
    if exporter is None:
        raise ValueError(f"no exporter for {name}; there are {', '.join(sorted(Exporter.registry))}")
    return exporter().write(observation for observation in observations if not observation.deleted)
