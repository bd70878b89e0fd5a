"""The units that the index searches, as the definitions that they are of."""

from __future__ import annotations

import numpy as np

from explorer_core.index.search.collection import Collection, Ints
from explorer_core.index.symbols import SymbolId
from explorer_core.index.terms.units import NAME


def units_named(collection: Collection, term: str) -> Ints:
    """The units with a term in their names."""
    matches = collection.matches(term)
    return np.unique(matches.units[matches.fields == NAME])


def definition_at(collection: Collection, unit: int) -> SymbolId:
    """The definition that a unit is of, or what stands for its file."""
    ordinal, _, _ = collection.unit(unit)
    return SymbolId(collection.paths[int(collection.file[unit])], ordinal)
