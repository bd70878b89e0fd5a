"""Finds credentials before text goes to a model, or a line of it into a report.

Three methods: shapes that issuers have published, names that say so (``credentials.toml``), and any
token too mixed to have been written by hand. Random text has close to 6 bits of entropy per
character in base 64 and 4 in hexadecimal; names and prose of the same length have far less
(Shannon, 1948).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from importlib.resources import files

MASK = "[masked]"
_BLANK = "\0"
_TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{20,}")
_WORDLIKE = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}(?![a-z])|(?<![A-Za-z])\d{1,4}(?![A-Za-z])")
_LEAST_BITS = 3.6
_LEAST_BITS_HEXADECIMAL = 3.0
_PART = re.compile(r"\(\?#(\w+)\)")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{32,}")
_MOST_WORDS = 0.5
"""If words and short numbers make up more than this share of a token, it counts as a name."""

Span = tuple[int, int]


def credentials(line: str, path: str = "") -> list[Span]:
    """The spans (start, end) in ``line`` that look like a credential, in order. ``path`` is the
    file the line is from, if any."""
    shapes = _shapes()
    for pattern in shapes.anywhere:
        line = pattern.sub(_blanked, line)
    if shapes.states_values(path):
        line = shapes.configured.sub(_blanked, line)
    line = _TOKEN.sub(lambda found: _blank(found[0]) if _is_random(found[0]) else found[0], line)
    return [found.span() for found in re.finditer(f"{_BLANK}+", line)]


def masked(line: str, path: str = "") -> str:
    """``line`` with every value that looks like a credential replaced by `MASK`."""
    kept = line
    for start, end in reversed(credentials(line, path)):
        kept = kept[:start] + MASK + kept[end:]
    return kept


def masked_text(text: str) -> str:
    """`masked` for each line of ``text``."""
    return "\n".join(map(masked, text.splitlines()))


def open_parts(line: str, path: str) -> list[Span]:
    """The spans of ``line`` that `credentials` does not cover."""
    edges = [0, *(edge for span in credentials(line, path) for edge in span), len(line)]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if start < end]


def _blanked(found: re.Match[str]) -> str:
    """A match with its ``secret`` group, or all of it, blanked; all positions stay the same."""
    start, end = found.span("secret" if "secret" in found.re.groupindex else 0)
    start, end = start - found.start(), end - found.start()
    return found[0][:start] + _blank(found[0][start:end]) + found[0][end:]


def _blank(text: str) -> str:
    return _BLANK * len(text)


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
    """Bits per character, from the frequency of each in the token."""
    total = len(token)
    return -sum(n / total * math.log2(n / total) for n in Counter(token).values())


@dataclass(frozen=True, slots=True)
class _Shapes:
    """Shapes that apply to every file, and one for configuration files, recognised by name."""

    anywhere: tuple[re.Pattern[str], ...]
    configured: re.Pattern[str]
    files: re.Pattern[str]

    def states_values(self, path: str) -> bool:
        return self.files.match(path.rpartition("/")[2].lower()) is not None


@cache
def _shapes() -> _Shapes:
    text = (
        files("explorer_core.credentials").joinpath("credentials.toml").read_text(encoding="utf-8")
    )
    tables = tomllib.loads(text)

    def compiled(shape: str) -> re.Pattern[str]:
        while "(?#" in shape:
            shape = _PART.sub(lambda found: tables["parts"][found[1]], shape)
        return re.compile(shape)

    everywhere = (*tables["published"].values(), *tables["assigned"].values())
    configured = tables["configured"]
    names = (translate(name.lower()) for name in configured["files"])
    return _Shapes(
        tuple(map(compiled, everywhere)),
        compiled(configured["names"]),
        re.compile("|".join(names)),
    )
