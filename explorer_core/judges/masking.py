"""Credentials are masked before text goes to a model.

Three nets: the shapes that issuers have published and names that say so (``credentials.toml``), and
any token so mixed that nobody writes it by hand: random text in base 64 has close to 6 bits of
entropy a character, in hexadecimal 4, names and prose far less for their length (Shannon, 1948).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

MASK = "[masked]"
_TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{20,}")
_WORDLIKE = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}(?![a-z])|(?<![A-Za-z])\d{1,4}(?![A-Za-z])")
_LEAST_BITS = 3.6
_LEAST_BITS_HEXADECIMAL = 3.0
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{32,}")
_MOST_WORDS = 0.5
"""Share of a token that may be words and short numbers before it counts as a name."""


def masked(line: str) -> str:
    """``line`` with every value that looks like a credential replaced."""
    for pattern in _patterns():
        line = pattern.sub(_without_secret, line)
    return _TOKEN.sub(lambda found: MASK if _is_random(found[0]) else found[0], line)


def _without_secret(found: re.Match[str]) -> str:
    if "secret" not in found.re.groupindex:
        return MASK
    start, end = found.span("secret")
    return found[0][: start - found.start()] + MASK + found[0][end - found.start() :]


def _is_random(token: str) -> bool:
    if _HEXADECIMAL.fullmatch(token):
        return _entropy(token) >= _LEAST_BITS_HEXADECIMAL
    digits = sum(character.isdigit() for character in token)
    letters = sum(character.isalpha() for character in token)
    if not digits or not letters or (token.islower() and "-" in token):
        return False
    words = sum(len(word) for word in _WORDLIKE.findall(token))
    return _entropy(token) >= _LEAST_BITS and words <= len(token) * _MOST_WORDS


def _entropy(token: str) -> float:
    """Bits a character, by how often each occurs."""
    total = len(token)
    return -sum(n / total * math.log2(n / total) for n in Counter(token).values())


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    text = files("explorer_core.judges").joinpath("credentials.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    return tuple(re.compile(shape) for table in tables.values() for shape in table.values())
