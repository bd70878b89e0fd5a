from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass


@dataclass(frozen=True)
class Customer:
    id: int
    email: str
    password_hash: str
    loyalty_points: int = 0
    is_staff: bool = False

    def knows(self, password: str) -> bool:
        """``password_hash`` is ``<salt hex>$<scrypt hex>``."""
        salt, _, expected = self.password_hash.partition("$")
        actual = hashlib.scrypt(password.encode(), salt=bytes.fromhex(salt), n=2**14, r=8, p=1)
        return hmac.compare_digest(actual.hex(), expected)
