"""Settings, read once at start-up."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Config:
    database: str = "shop.sqlite"
    host: str = "127.0.0.1"
    port: int = 8400
    secret_key: str = "change-me"
    card_endpoint: str = "https://acquirer.invalid/v2"
    card_api_key: str = ""
    requests_per_minute: int = 120
    abandoned_after_hours: int = 24
    free_shipping_from_cents: int = 5000
    vat_rates: dict[str, int] = field(default_factory=lambda: {"DE": 19, "AT": 20, "FR": 20})

    @classmethod
    def from_environment(cls) -> Config:
        """Every field can be overridden by ``SHOP_<FIELD>``; numbers are parsed, tables are not."""
        values: dict[str, object] = {}
        for name, default in (("database", ""), ("host", ""), ("port", 0), ("secret_key", ""),
                              ("card_endpoint", ""), ("card_api_key", ""),
                              ("requests_per_minute", 0), ("abandoned_after_hours", 0)):
            raw = os.environ.get(f"SHOP_{name.upper()}")
            if raw is not None:
                values[name] = type(default)(raw)
        return cls(**values)
