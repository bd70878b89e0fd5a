from __future__ import annotations

from tests.commands import sightline
from tests.shop import shop

__all__ = ["shop", "sightline"]
