"""Signed session tokens: ``<customer id>.<expiry>.<signature>``."""

from __future__ import annotations

import hashlib
import hmac
import time

LIFETIME_SECONDS = 14 * 24 * 3600


def issue_token(customer_id: int, secret: str, now: float | None = None) -> str:
    expires = int((time.time() if now is None else now) + LIFETIME_SECONDS)
    body = f"{customer_id}.{expires}"
    return f"{body}.{_sign(body, secret)}"


def read_token(token: str, secret: str, now: float | None = None) -> int | None:
    """The customer's id, or None when the token is malformed, forged or too old."""
    body, _, signature = token.rpartition(".")
    if not body or not hmac.compare_digest(signature, _sign(body, secret)):
        return None
    customer_id, _, expires = body.partition(".")
    if int(expires) < (time.time() if now is None else now):
        return None
    return int(customer_id)


def _sign(body: str, secret: str) -> str:
    return hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()
